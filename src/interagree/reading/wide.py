"""Wide tables: one row for each item, one column for each annotator, perhaps for several questions.

Annotators of one question share a vocabulary.  Which of the columns that share one are annotators is told by their
names (a person, a numbered stem, a common pattern such as "{question}_{annotator}") and, where names say nothing, by
how far the columns agree beyond chance: questions put to one person do not agree like persons asked one question.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import product

from interagree.errors import listing
from interagree.reading import names
from interagree.reading.doubts import SEVERAL, TEXT, UNIQUE, FamilyCase
from interagree.reading.evidence import Profile, fits, shared
from interagree.reading.families import (
    ALIKE,
    SHARED_BY_FEW,
    ColumnFamily,
    families,
    may_be_a_name,
    one_question,
    unlike,
    without_results,
)
from interagree.reading.likeness import ENOUGH, agreed_only, figure_of, reworded, sums_up
from interagree.reading.readings import Reading
from interagree.reading.roles import GOLD, PROPERTY, aside, is_model, item_score, person_level

THINGS = frozenset((word,) for word in ("item", "document", "doc", "sentence", "text", "image", "tweet", "unit"))
_BY_NAME = {GOLD, PROPERTY}  # reasons that cells may overrule
MOST_SUMMED = 60  # columns among which one is looked for that is their mean


def readings(
    profiles: Sequence[Profile],
    *,
    item: Sequence[Hashable] | None,
    kept: Sequence[Hashable],
    listed: bool,
    index: Profile | None,
) -> Iterator[Reading]:
    """The ways to read a table as a wide one, the likeliest first.

    Args:
        profiles: The columns.
        item: The columns that are said to name the items; None where nothing is said.
        kept: Columns that are said to be something else.
        listed: Whether the table came as a dict from each annotator to a list, which says that it is wide.
        index: The names of the rows, where the table has them apart from its columns.
    """
    known = {*(item or ()), *kept}
    ids = tuple(item) if item is not None else item_of(profiles, known)
    pairs = _of_pairs(profiles)
    why = {column.name: "named after two annotators" if column in pairs else aside(column) for column in profiles}
    free = [column for column in profiles if column.name not in {*known, *ids}]
    why |= dict.fromkeys(_of_a_family(free, why), "") | reworded(free) | _remarks(free)
    able = [column for column in free if not why[column.name]]
    others = [column for column in free if why[column.name] in _BY_NAME]
    groups = families(able, free, others)
    if listed and len(free) == 1 and person_level(free[0].name) < 0:
        return  # answers, and nobody is named
    if listed and free and (not groups or len(free[0].cells) < ENOUGH or shared(able) >= SHARED_BY_FEW):
        groups = [one_question(able or free)]
    seen: set[frozenset[Hashable]] = set()
    for one in groups:
        figures = _figures(one, free) | _agreed(one)
        plain = one_question([c for c in one.columns if c.name not in figures]) if figures else one
        family = without_results(plain)
        figures |= dict.fromkeys([*family.results, *_summing_up(family, plain, free)], "what most of the others say")
        key = frozenset(column.name for column in family.columns)
        if key in seen:
            continue
        seen.add(key)
        yield judged(family, profiles, why | figures, ids, known, listed=listed, index=index)


def _of_a_family(free: Sequence[Profile], why: Mapping[Hashable, str]) -> Iterator[Hashable]:
    """Columns that hold answers as those do that are called alike but for a number or a person's name.

    A column of few rows may be different in every row by chance, and Max is a person beside Uwe and Lena.
    """
    alike: dict[str, list[Profile]] = {}
    for column in free:
        own = names.root(column.name)
        for way in {_numberless(column.name), _nameless(column.name), own and f"{own} #"}:
            alike.setdefault(way, []).append(column)
    for way, group in alike.items():
        plain = [column for column in group if not why[column.name]]
        if not plain and all(column.numeric and why[column.name] == UNIQUE for column in group):
            plain = group
        if "#" not in way or len(plain) < 2:
            continue
        for column in group:
            short = column.repeats or len(column.cells) < 2 * ENOUGH
            others = [other for other in plain if other is not column]
            if why[column.name] in (GOLD, UNIQUE, TEXT) and short and fits(column, others) >= ALIKE:
                yield column.name


def _remarks(free: Sequence[Profile]) -> dict[Hashable, str]:
    """Columns that are called as another one and a word for comments, with a sign between or none: 'annanotes'."""
    called = {str(column.name).casefold(): column.name for column in free}
    found: dict[Hashable, str] = {}
    for name, own in called.items():
        end = next((word for word in names.COMMENT if name.endswith(word)), "")
        if end and (before := re.sub(r"[\W_]+$", "", name.removesuffix(end))) in called:
            found[own] = f"named like comments of {called[before]!r}"
    return found


def _apart(column: Profile, others: Sequence[Profile]) -> bool:
    """Whether a column stands before or behind all others."""
    places = [other.place for other in others]
    return not min(places) < column.place < max(places)


def _numberless(name: Hashable) -> str:
    return re.sub(r"\d+", "#", str(name))


def _nameless(name: Hashable) -> str:
    """A name with a sign for each first name in it."""
    return re.sub(r"[^\W\d_]+", lambda word: "#" if word[0].casefold() in names.given_names() else word[0], str(name))


def _figures(family: ColumnFamily, free: Sequence[Profile]) -> dict[Hashable, str]:
    """Columns that hold the means or the sums of a family, within it or beside it, and which of these."""
    columns = family.columns
    numeric = len(family.people) == 1 and 3 <= len(columns) <= MOST_SUMMED and all(c.numeric for c in columns)
    if not numeric:
        return {}
    inside = {c.name: figure_of(c, [other for other in columns if other is not c]) for c in columns}
    inside = {name: figure for name, figure in inside.items() if figure}
    rest = [column for column in columns if column.name not in inside]
    beside = {c.name: figure_of(c, rest) for c in free if c.numeric and c not in columns}
    return {name: f"the {figure} of the others" for name, figure in {**inside, **beside}.items() if figure}


def _summing_up(family: ColumnFamily, plain: ColumnFamily, free: Sequence[Profile]) -> Iterator[Hashable]:
    """Columns beside annotators, named otherwise than all of them, that sum up what they say."""
    if len(family.people) > 1 or not 2 <= len(family.columns) <= MOST_SUMMED or all(map(is_model, family.annotators)):
        return
    for column in free:
        odd = column not in plain.columns and unlike([*family.annotators, column.name]) == [column.name]
        believed = family.numbered or (_apart(column, family.columns) and not may_be_a_name(column))
        if odd and believed and sums_up(column, family.columns):
            yield column.name


def _agreed(family: ColumnFamily) -> dict[Hashable, str]:
    """The columns of a family that say what the others agree on, and nothing where they differ."""
    columns = family.columns
    if len(family.people) > 1 or not 3 <= len(columns) <= SEVERAL:
        return {}
    made = (c.name for c in columns if c.share < 1 and agreed_only(c, [other for other in columns if other is not c]))
    return dict.fromkeys(made, "what the others agree on")


def item_of(profiles: Sequence[Profile], known: set[Hashable]) -> tuple[Hashable, ...]:
    """The column that names the items of a wide table, if there is one."""
    best: Profile | None = None
    for column in profiles:
        if column.name in known or item_score(column) < 2 or "@" in str(column.name) or column.share < 1:
            continue
        if names.words(column.name) in (("item",), ("item", "id")):
            return (column.name,)  # the name of the part itself: an item that occurs twice is an error
        if column.unique and (best is None or item_score(column) > item_score(best)):
            best = column
    return () if best is None else (best.name,)


def _of_pairs(profiles: Sequence[Profile]) -> list[Profile]:
    """Columns that are named after two people whom others are named after: 'anna_ben' beside 'anna' and 'ben'."""
    parts = {column.name: re.split(r"[\W_]+", str(column.name).casefold()) for column in profiles}
    people = {name: {part for part in some if part and person_level(part) >= 2} for name, some in parts.items()}
    alone = set().union(*(who for who in people.values() if len(who) == 1))
    persons = {str(column.name).casefold() for column in profiles if person_level(column.name) >= 1}
    lengths = sorted({len(name) for name in persons})
    return [
        column
        for column in profiles
        if (len(people[column.name]) >= 2 and people[column.name] <= alone) or _holds_two(column, persons, lengths)
    ]


def _holds_two(column: Profile, persons: AbstractSet[str], lengths: Sequence[int]) -> bool:
    """Whether a name is made of those of two other columns that name persons, of some lengths, and a sign between."""
    name = str(column.name).casefold()
    if not re.search(r"[\W_]", name):
        return False
    inside = [length for length in lengths if 0 < length < len(name)]
    starts = [length for length in inside if name[:length] in persons]
    ends = [len(name) - length for length in inside if name[len(name) - length :] in persons]
    return any(
        name[:start] != name[end:] and re.fullmatch(r"[\W_]+(vs\W+)?", name[start:end])
        for start, end in product(starts, ends)
    )


# -- how clear it is ------------------------------------------------------------------------------------------------


def judged(
    family: ColumnFamily,
    profiles: Sequence[Profile],
    why: Mapping[Hashable, str],
    item: tuple[Hashable, ...],
    known: Collection[Hashable],
    *,
    listed: bool = False,
    index: Profile | None = None,
) -> Reading:
    """A family as a reading, with what speaks against it."""
    columns = family.columns
    chosen = {column.name for column in columns}
    rest = [column for column in profiles if column.name not in chosen and column.name not in {*item, *known}]
    named = any(names.words(name)[:1] in THINGS for name in item)
    case = FamilyCase(
        family,
        rest,
        why,
        [*([index] if index is not None else []), *(column for column in profiles if column.name in item)],
        named,
        size=len(profiles[0].cells) if profiles else 0,
        listed=listed,
    )
    set_aside = {
        column.name: why[column.name]
        or ("named like a model" if is_model(column.name) else "")
        or ("holds the same entries, but is not named like an annotator" if column in case.rivals else "")
        or "other entries than the annotators'"
        for column in rest
    }
    vocabulary = sorted({entry for column in columns[:3] for entry in column.vocabulary}, key=str)
    entries = (
        f"{len(vocabulary)} different entries" if len(vocabulary) > 8 else listing(map(_shown, vocabulary), quote=False)
    )
    doubts = list(case.doubts())
    agreement = 0.0 if math.isnan(case.agreement) else case.agreement
    return Reading(
        layout="wide",
        item=item,
        people={
            question: {who: column.name for who, column in people.items()} for question, people in family.people.items()
        },
        pattern=family.pattern,
        aside=set_aside,
        because=f"{listing([column.name for column in columns], most=6)} share {entries}",
        doubt="; ".join(doubts),
        score=2.0 * max(family.level, 0) + 2 * case.common + 2 * agreement + 0.1 * min(len(columns), 20) - len(doubts),
    )


def _shown(entry: object) -> str:
    return f"{entry:g}" if isinstance(entry, float) else str(entry)[:30]
