"""What a single column is, by its name and by its cells, before it is seen beside others."""

from __future__ import annotations

import re
from collections.abc import Hashable

from interagree.reading import names
from interagree.reading.evidence import Profile

BEHIND = names.lexicon("a b id ids name names nr no number num code key email initials by at")
GOLD, PROPERTY = "named like a gold standard or a result", "named like a property of the item or the work"
IDENTIFIER = names.lexicon("id ids uid uuid guid idx index nr key hash")
_BESIDE = names.VALUE | {"id", "by", "no", "nr", "the", "of", "s"}  # words that may stand beside a person
_ADDRESS = re.compile(r"[^@\s]+@[^@\s_]+\.[a-zA-Z]+")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_FILE = re.compile(r"\.(txt|png|jpe?g|gif|tiff?|wav|mp[34]|dcm|pdf|json|csv|xml|ann|html?)$", re.IGNORECASE)
_KNOWN = names.ITEM | names.VALUE | names.DERIVED | names.TEXT | names.COMMENT | names.OTHER
_KNOWN |= names.STAGE | names.QUESTION | names.RESULT | names.ASKED
CHOSEN_BY_NAME = names.lexicon("item unit subject case document doc task sample instance")


def head(column: Profile) -> str:
    """What the name of a column is about: its last word, but for 'id', 'name' and the like."""
    words = [word for word in names.words(column.name) if not word.isdigit()]
    while len(words) > 1 and words[-1] in BEHIND:
        words.pop()
    return words[-1] if words else ""


def aside(column: Profile) -> str:
    """Why a column holds no answers; empty where it may."""
    if not column.filled:
        return "empty"
    if column.running:
        return "numbers the rows"
    if column.dates:
        return "dates or times"
    if column.links:
        return "addresses or file names"
    if column.unique and len(column.filled) >= 8 and (column.whole or not column.numeric):
        return "different in every row"
    if column.prose:
        return "text"
    return named_aside(column)


def named_aside(column: Profile) -> str:
    """Why a column holds no answers, by its name alone."""
    name, about = column.name, head(column)
    words = names.words(name)
    if not words:
        return ""
    if about in names.COMMENT:
        return "named like a comment"
    if is_id(column):
        return "named like an identifier"
    if any(word in names.DERIVED for word in words) and not (len(words) == 1 and words[0] in names.given_names()):
        return GOLD
    if about in names.OTHER and about not in names.PERSON:
        return PROPERTY
    of_person = column.numeric and column.repeats and not names.PERSON.isdisjoint(words)  # 'Coder1Text' with 0 and 1
    if about in names.TEXT and about not in names.VALUE and not of_person:
        return "named like a text"
    return ""


def is_id(column: Profile) -> bool:
    """Whether a column is named like an identifier and holds one."""
    return bool(words := names.words(column.name)) and words[-1] in IDENTIFIER


def is_file(name: object) -> bool:
    """Whether a name is that of a file: 'scan_01.png'."""
    return _FILE.search(str(name)) is not None


def is_model(name: object) -> bool:
    """Whether a name is that of a model or a program."""
    return not names.MODEL.isdisjoint(names.words(name))


def person_level(name: Hashable) -> int:
    """How much a name speaks of a person.

    3 for 'rater 1', 2 for 'Anna', for addresses and for models, 1 for initials, codes and bare numbers, 0 where the
    name tells nothing, and -1 for words for answers and other things.
    """
    if _ADDRESS.fullmatch(str(name).strip()):
        return 2
    if is_file(name):
        return -1
    if _UUID.fullmatch(str(name).strip()):
        return 0
    words = [word for word in names.words(name) if not word.isdigit() and len(word) > 1]
    people = [word for word in words if _is_person(word) or word in names.given_names() or word in names.MODEL]
    rest = [word for word in words if word not in people and word not in _BESIDE]
    if people and not rest:
        return 3 if any(map(_is_person, people)) else 2
    if _is_full_name(name):
        return 2
    if any(word in names.ASKED or word in names.VALUE or word in names.OTHER for word in words):
        return -1
    return int(all(len(word) <= 3 for word in words) or is_code(name))


def _is_person(word: str) -> bool:
    """Whether a word is one for a person, perhaps with a letter at its end: 'raterb'."""
    return word in names.PERSON or (len(word) > 5 and word[:-1] in names.PERSON)


def _is_full_name(name: Hashable) -> bool:
    """Whether a name is a first name and one that is known for nothing else: 'Anna Okafor'."""
    first, *others = str(name).split() or [""]
    return (
        not names.given_names().isdisjoint(names.words(first)[:1])
        and len(others) == 1
        and others[0].isalpha()
        and not is_ordinary(others[0])
        and not is_model(others[0])
    )


def is_code(name: Hashable) -> bool:
    """Whether a name is a code that a program drew: letters and digits that change often, as in 'A3XB7Q0P'."""
    return any(
        len(part) >= 8 and len(re.findall(r"[a-zA-Z]+|\d+", part)) >= 4
        for part in re.findall(r"[a-zA-Z0-9]+", str(name))
    )


def is_ordinary(name: Hashable) -> bool:
    """Whether a name is made of words that are known for something else than a person."""
    return any(word in _KNOWN for word in names.words(name))


def looks_like_people(column: Profile) -> bool:
    """Whether the cells of a column name people, so that it says who answered, not what."""
    if column.numeric or column.structured or not column.counts:
        return False
    named = sum(
        times
        for entry, times in column.counts.items()
        if isinstance(entry, str)
        and len(words := names.words(entry)) <= 4
        and any(word in names.PERSON or word in names.MODEL for word in words)
    )
    return named > 0.6 * len(column.filled)


def holds_people(column: Profile) -> bool:
    """Whether the cells of a column are names or addresses of people, some of them more than once."""
    if column.numeric or column.unique or column.distinct < 2 or column.prose:
        return False
    return all(isinstance(entry, str) and len(entry) <= 60 for entry in column.counts) and sum(
        times
        for entry, times in column.counts.items()
        if not is_model(entry)
        and (
            person_level(entry) == 3
            or (person_level(entry) == 2 and ("@" in str(entry) or not re.search(r"\d", str(entry))))
        )
    ) >= 0.8 * len(column.filled)


def item_score(column: Profile) -> float:
    """How much a column that tells items apart is named like one."""
    words = names.words(column.name)
    score = 0.0
    if any(word in names.ITEM for word in words):
        score += 2
    if words and words[-1] in IDENTIFIER - {"guid", "hash"}:
        score += 1.5
    if any(word in CHOSEN_BY_NAME for word in words):
        score += 0.5
    if column.name in ("item", "item_id", "id"):
        score += 1
    if column.running:
        score -= 1
    if column.prose:
        score -= 1
    if any(word in names.OTHER and word not in names.ITEM for word in words):
        score -= 1.5
    if head(column) in names.VALUE and head(column) not in names.ITEM:
        score -= 2
    if column.numeric and not column.whole:
        score -= 3
    return score
