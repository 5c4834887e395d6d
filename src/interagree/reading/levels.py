"""Where, in nested records, annotations lie.

A level is a place inside each item with one entry for each annotation.  It is known by what is there:

- a list of objects, one of whose fields names a person: ``"responses": [{"worker_id": 8, "response": "yes"}, …]``
- an object whose keys are people: ``"annotations": {"ann1": "yes", "ann2": "no"}``, or one object for each of them
- lists side by side, one of which names people: ``"annotators": ["a", "b"], "labels": ["yes", "no"]``
- a list of lists in which one place holds names that repeat from item to item and another one a few values:
  ``"evidence": [["SUPPORTS", "https://…", "6108875f"], …]``

A word for a person or a value counts only at the end of a name: *label_time* is a time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from interagree.data.values import plain
from interagree.reading.parts import SYNONYMS

LIST, KEYS = "[]", "{}"  # steps of a path: over the entries of a list, over the keys of an object
Tokens = tuple[str, ...]
MOST_VOTES = 100  # longer lists are sequences

# Words for people.
PERSON = frozenset((
    "annotator", "annotators", "ann", "rater", "raters", "coder", "coders", "user", "users", "username",
    "worker", "workers", "judge", "judges", "labeler", "labeller", "labelers", "labellers", "reviewer",
    "reviewers", "assessor", "assessors", "evaluator", "evaluators", "observer", "observers", "performer",
    "turker", "expert", "experts", "participant", "participants", "respondent", "respondents", "grader",
    "graders", "crowdworker",
))  # fmt: skip
# … and before "by".
BY = frozenset((
    "annotated", "labeled", "labelled", "completed", "created", "submitted", "judged", "rated", "coded",
))  # fmt: skip
# Words for what they gave.
VALUE = frozenset((
    "value", "values", "label", "labels", "category", "class", "score", "scores", "answer", "answers", "rating",
    "ratings", "code", "codes", "annotation", "annotations", "response", "responses", "judgment", "judgments",
    "judgement", "judgements", "grade", "grades", "choice", "choices", "verdict", "verdicts", "tag", "tags",
    "decision", "decisions", "vote", "votes",
))  # fmt: skip
# Words for what stands beside it.
BESIDE = frozenset((
    "id", "ids", "uuid", "time", "times", "timestamp", "date", "created", "updated", "submitted", "started",
    "duration", "seconds", "status", "state", "text", "comment", "comments", "note", "notes", "reason",
    "rationale", "explanation", "justification", "url", "link", "source", "version", "confidence",
))  # fmt: skip
# Words for answers of which each is one person's.
VOTES = frozenset(("votes", "judgments", "judgements"))
# Words for how many there are.
NUMBER = frozenset(("number", "num", "n", "count", "total", "nr"))
# Words for shares of labels, not answers.
SHARES = frozenset((
    "soft", "prob", "probs", "probability", "probabilities", "dist", "distribution", "count", "counts", "share",
    "shares",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Level:
    """A place where annotations lie."""

    tokens: Tokens
    annotator: str  # the field or place that names who; "" where the keys do
    values: tuple[str, ...] = ()  # the fields or places that hold values, where that is clear
    beside: tuple[str, ...] = ()  # lists that stand side by side with that of the annotators
    doubtful: bool = False  # whether the keys may be people as well as questions, or items
    swapped: bool = False  # whether the keys above are the people, and these the items
    unnamed: bool = False  # whether nothing says who gave the values


# -- finding them ---------------------------------------------------------------------------------------------


def levels_of(root: Any) -> Iterator[Level]:
    """The places in some data at which annotations lie."""
    if isinstance(root, list):
        yield from levels_below(root, (LIST,))
    elif (found := _two_keys(root)) is not None:
        yield found
    elif by_id(root) or all(list_of_containers(one) for one in root.values()):
        yield from levels_below(list(root.values()), (KEYS,))
    else:
        yield from _in_fields([root], ())


def levels_below(nodes: list[Any], tokens: Tokens) -> Iterator[Level]:
    """The places below some nodes, all of which lie at one path."""
    nodes = [node for node in nodes if node is not None]
    if not nodes:
        return
    if all(isinstance(node, list) for node in nodes):
        found = of_objects(nodes, tokens) or of_lists(nodes, tokens)
        if found is not None:
            yield found
        else:
            yield from levels_below(list(chain.from_iterable(nodes)), (*tokens, LIST))
    elif all(isinstance(node, dict) for node in nodes):
        found = _of_keys(nodes, tokens)
        if found is not None:
            yield found
        elif tokens[-1:] not in ((LIST,), (KEYS,)) and _keyed(nodes):
            yield from levels_below(list(members_of(nodes)), (*tokens, KEYS))
        else:
            yield from _in_fields(nodes, tokens)


def _in_fields(nodes: Sequence[Mapping[str, Any]], tokens: Tokens) -> Iterator[Level]:
    """The places in the fields of records."""
    yield from side_by_side(nodes, tokens)
    for field in dict.fromkeys(field for node in nodes for field in node):
        below = [node[field] for node in nodes if field in node]
        if any(isinstance(one, dict | list) for one in below):
            yield from levels_below(below, (*tokens, field))


def of_objects(nodes: Sequence[Sequence[Any]], tokens: Tokens) -> Level | None:
    """A list of objects, one of whose fields names a person and another one holds a value."""
    members = list(chain.from_iterable(nodes))
    if not members or not all(isinstance(one, dict) for one in members):
        return None
    flat = [flattened(one) for one in members]
    often = Counter(field for one in flat for field, cell in one.items() if cell is not None)
    common = [field for field, times in often.items() if times >= 0.5 * len(flat)]
    people = [field for field in common if is_person(field) and _scalar(flat, field)]
    people = [field for field in people if _told_apart(flat, field, nodes)]
    if not people:
        return None
    # Two fields that say the same, such as an id and an e-mail address, are one.
    first = people[0]
    pairs = {(str(one.get(first)), *(str(one.get(field)) for field in people)) for one in flat}
    if len(pairs) > len({str(one.get(first)) for one in flat}):
        return Level((*tokens, LIST), "")
    rest = [field for field in often if field not in people]
    values = [field for field in rest if is_value(field)]
    if not values:
        values = [field for field in rest if not _is_beside(field) and _few(flat, field)]
        if not values:
            return None
        return Level((*tokens, LIST), first, tuple(values) if len(values) == 1 else ())
    return Level((*tokens, LIST), first, tuple(values))


def _told_apart(flat: Sequence[Mapping[str, Any]], field: str, nodes: Sequence[Sequence[Any]]) -> bool:
    """Whether names are met in several items, and in most items only once; one item alone tells nothing."""
    names = iter([str(one.get(field)) for one in flat])
    by_item = [[next(names) for _ in node] for node in nodes]
    once = sum(len(set(some)) == len(some) for some in by_item)
    return len(nodes) < 2 or (
        len(set(chain.from_iterable(by_item))) < len(flat) and once >= 0.5 * len(by_item)
    )


def _scalar(flat: Sequence[Mapping[str, Any]], field: str) -> bool:
    return not any(isinstance(one.get(field), dict | list) for one in flat)


def _few(flat: Sequence[Mapping[str, Any]], field: str) -> bool:
    distinct = {plain(one.get(field)) for one in flat}
    return 1 < len(distinct) <= max(10, 0.2 * len(flat)) and len(distinct) < len(flat)


def of_lists(nodes: Sequence[Sequence[Any]], tokens: Tokens) -> Level | None:
    """A list of lists with a place for a name and one for a value; places are counted from either end."""
    members = list(chain.from_iterable(nodes))
    if len(nodes) < 3 or len(members) <= len(nodes) or not all(isinstance(one, list) for one in members):
        return None
    shortest, longest = min(map(len, members)), max(map(len, members))
    if shortest < 2 or any(isinstance(cell, dict | list) for one in members for cell in one):
        return None
    places = list(range(shortest)) if shortest == longest else [*range(shortest - 1), -1]
    people = [place for place in places if _names_at(nodes, place)]
    values = [place for place in places if place not in people and _values_at(nodes, place)]
    if len(people) != 1 or len(values) != 1:
        return None
    return Level((*tokens, LIST), str(people[0]), (str(values[0]),))


def _names_at(nodes: Sequence[Sequence[Any]], place: int) -> bool:
    """Whether a place holds words that differ within an item and come back in others, as names do."""
    cells = [[one[place] for one in node] for node in nodes]
    flat = list(chain.from_iterable(cells))
    if not all(isinstance(cell, str) and cell and not re.search(r"\s|://", cell) for cell in flat):
        return False
    apart = sum(len(set(node)) == len(node) for node in cells)
    return apart >= 0.9 * len(cells) and 1 < len(set(flat)) <= 0.5 * len(flat)


def _values_at(nodes: Sequence[Sequence[Any]], place: int) -> bool:
    cells = [[one[place] for one in node] for node in nodes]
    flat = list(chain.from_iterable(cells))
    if not all(isinstance(cell, str | int) for cell in flat):
        return False
    distinct = set(flat)
    several = [node for node in cells if len(node) > 1]
    agreeing = sum(len(set(node)) < len(node) for node in several)
    return 1 < len(distinct) <= max(5, 0.1 * len(flat)) and agreeing >= 0.3 * len(several)


def _keyed(nodes: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the keys of objects inside records are names of parts, not fields, which come back in every record."""
    keys = Counter(key for node in nodes for key in node)
    inner = [one for one in members_of(nodes) if one is not None]
    if len(inner) < 2 or not (all(map(_is_code, keys)) or len(keys) > 0.5 * keys.total()):
        return False
    if all(isinstance(one, dict) for one in inner):
        schemas = [frozenset(one) for one in inner]
        return bool(schemas[0]) and sum(schema == schemas[0] for schema in schemas) >= 0.8 * len(schemas)
    return len(nodes) > 1 and all(list_of_containers(one) for one in inner)


def _of_keys(nodes: Sequence[Mapping[str, Any]], tokens: Tokens) -> Level | None:
    """An object whose keys are people."""
    keys = Counter(key for node in nodes for key in node)
    field = next((token for token in reversed(tokens) if token not in (LIST, KEYS)), "")
    inner = [one for one in members_of(nodes) if one is not None]
    if tokens[-1:] in ((LIST,), (KEYS,)):
        return None  # the fields of records; which of two levels of keys are people is told by both of them
    if len(keys) < 2 or len(inner) < 2 or max(map(len, nodes)) < 2 or _any_word(field, SHARES):
        return None
    people = all(names_a_person(key) or _is_code(key) for key in keys)
    called = is_person(field) or is_value(field)
    varying = any(set(node) != set(keys) for node in nodes) and len(inner) > len(keys)
    if not (people or (called and (varying or is_person(field)))):
        return None
    if all(isinstance(one, int | float) for one in inner) and _one_sum(nodes):
        return None  # shares or counts of labels
    if all(isinstance(one, dict) for one in inner):
        fields = Counter(name for one in inner for name in flattened(one))
        if any(is_person(name) for name in fields):
            return None  # the objects say themselves whose they are
        schemas = [frozenset(one) for one in inner]
        if sum(schema == schemas[0] for schema in schemas) < 0.8 * len(schemas):
            return None
        values = tuple(name for name in fields if is_value(name)) or tuple(
            name for name in fields if not _is_beside(name) or _any_word(name, frozenset({"ids"}))
        )
    elif any(isinstance(one, dict) for one in inner):
        return None
    else:
        values = ("value",)
    doubtful = not people and not is_person(field)
    if all(isinstance(one, int | float) for one in inner) and all(map(str.isdigit, keys)):
        doubtful = not is_person(field)  # how often 1, 2 and 3 were given looks the same
    return Level((*tokens, KEYS), "", values, doubtful=doubtful)


def _two_keys(root: Mapping[str, Any]) -> Level | None:
    """An object of objects of objects: items, then annotators, or the other way round."""
    nodes = [node for node in root.values() if node]
    inner = list(members_of(nodes))
    if len(inner) < 4 or not all(isinstance(one, dict) for one in chain(nodes, inner)):
        return None
    schemas = [frozenset(one) for one in inner]
    keys = dict.fromkeys(key for node in nodes for key in node)
    alike = sum(schema == schemas[0] for schema in schemas) >= 0.8 * len(schemas)
    fields = dict.fromkeys(name for one in inner for name in flattened(one))
    if not alike or any(map(is_person, fields)) or any(isinstance(cell, dict) for cell in inner[0].values()):
        return None
    above, below = all(map(names_a_person, root)), all(map(names_a_person, keys))
    if not (above or below) and not (len(keys) > 2 * len(root) or all(map(_is_code, keys))):
        return None  # the fields of records
    values = tuple(filter(is_value, fields)) or tuple(name for name in fields if not _is_beside(name))
    return Level((KEYS, KEYS), "", values, doubtful=above == below, swapped=above and not below)


def _one_sum(nodes: Sequence[Mapping[str, Any]]) -> bool:
    sums = {round(sum(node.values()), 6) for node in nodes if node}
    return len(sums) == 1 and len(nodes) > 1


def side_by_side(nodes: Sequence[Mapping[str, Any]], tokens: Tokens) -> Iterator[Level]:
    """Lists of one length in every record, one of which names people."""
    flat = [flattened(node) for node in nodes]
    lists = [
        field
        for field in dict.fromkeys(field for one in flat for field in one)
        if all(one.get(field) is None or _simple_list(one[field]) for one in flat)
        and any(one.get(field) for one in flat)
    ]
    people = [field for field in lists if is_person(field)]
    for who in people:
        sizes = [len(one.get(who) or ()) for one in flat]
        if max(sizes) < 2:
            continue
        beside = [
            field
            for field in lists
            if field not in people
            and [len(one.get(field) or ()) for one in flat] == sizes
            and _nearest(field, people) == who
        ]
        values = [field for field in beside if is_value(field)] or [
            field for field in beside if not _is_beside(field)
        ]
        if values:
            yield Level((*tokens, who, LIST), who, tuple(values), tuple(beside))


def unnamed_votes(records: Sequence[Mapping[str, Any]], tokens: Tokens) -> Iterator[Level]:
    """Lists that hold the answers to each item and not whose they are.

    Answers repeat within a list, as the labels of a set do not.  Lists of the same length beside them, as tokens beside
    their tags, speak against it.
    """
    flat = [flattened(record) for record in records]
    lists = [
        field
        for field in dict.fromkeys(field for one in flat for field in one)
        if all(one.get(field) is None or _simple_list(one[field]) for one in flat)
    ]
    sizes = {field: [len(one.get(field) or ()) for one in flat] for field in lists}
    for field in lists:
        cells = [one[field] for one in flat if one.get(field)]
        given = list(chain.from_iterable(cells))
        if not (is_value(field) or names_a_person(field)) or not all(
            isinstance(one, str | int) for one in given
        ):
            continue
        several = [some for some in cells if len(some) > 1]
        again = sum(len(set(some)) < len(some) for some in several)
        alone = (
            not any(sizes[field] == sizes[other] for other in lists if other != field)
            or len(set(sizes[field])) == 1
        )
        if (
            len(several) >= max(3, 0.5 * len(flat))
            and again >= 0.3 * len(several)
            and 1 < len(set(given)) <= max(5, 0.1 * len(given))
            and max(sizes[field]) <= MOST_VOTES
            and alone
        ):
            yield Level((*tokens, field, LIST), "", (field,), (field,), unnamed=True)


def unnamed_objects(records: Sequence[Mapping[str, Any]], tokens: Tokens) -> Iterator[Level]:
    """Lists of objects with values of the same fields, none of which names a person."""
    for field in dict.fromkeys(field for record in records for field in record):
        nodes = [record[field] for record in records if record.get(field)]
        if len(nodes) < 3 or not all(
            list_of_containers(node) and isinstance(node[0], dict) for node in nodes
        ):
            continue
        members = [flattened(one) for node in nodes for one in node if isinstance(one, dict)]
        names = dict.fromkeys(name for one in members for name in one)
        scales = tuple(
            name for name in names if not _is_beside(name) and _scalar(members, name) and _few(members, name)
        )
        if scales and len(members) > len(nodes) and not any(map(is_person, names)):
            yield Level((*tokens, field, LIST), "", scales, unnamed=True)


def _simple_list(cell: Any) -> bool:
    return isinstance(cell, list) and not any(isinstance(one, dict) for one in cell)


def _nearest(field: str, people: Sequence[str]) -> str:
    """The list of people whose name begins most like that of a list: 'style.users' for 'style.responses'."""

    def shared(who: str) -> int:
        return next(
            (place for place, (a, b) in enumerate(zip(field, who, strict=False)) if a != b),
            min(len(field), len(who)),
        )

    return max(people, key=shared)


# -- objects and lists ----------------------------------------------------------------------------------------


def flattened(record: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for field, cell in record.items():
        if isinstance(cell, dict) and cell:
            flat |= flattened(cell, f"{before}{field}.")
        else:
            flat[f"{before}{field}"] = cell
    return flat


def got(record: Mapping[str, Any], field: str) -> Any:
    if field in record:
        return record[field]
    first, _, rest = field.partition(".")
    while rest:
        inner = record.get(first)
        if isinstance(inner, dict):
            found = got(inner, rest)
            if found is not None:
                return found
        more, _, rest = rest.partition(".")
        first = f"{first}.{more}"
    return None


def members_of(nodes: Iterable[Any]) -> Iterator[Any]:
    for node in nodes:
        yield from node.values() if isinstance(node, dict) else node


def by_id(data: Mapping[str, Any]) -> bool:
    """Whether the keys of an object are names of records, not of columns or of fields."""
    inner = [one for one in data.values() if one is not None]
    if not inner or not all(isinstance(one, dict) for one in inner):
        return False
    names = Counter(field for one in inner for field in one)
    deep = any(isinstance(cell, dict | list) for one in inner for cell in one.values())
    known = {word for words in SYNONYMS.values() for word in words} | {"text", "sentence", "comment", "title"}
    alike = sum(names.values()) >= 0.8 * len(inner) * len(names)
    return alike and (deep or any(one_word(field) in known for field in names)) and len(inner) > 1


def list_of_containers(node: Any) -> bool:
    return isinstance(node, list) and bool(node) and all(isinstance(one, dict | list) for one in node)


# -- words ---------------------------------------------------------------------------------------------------


def words_of(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+", str(name))]


def one_word(name: str) -> str:
    return "_".join(words_of(name))


def _any_word(name: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(words_of(name))


def is_person(name: str) -> bool:
    """Whether a name is a word for a person, with a number, 'id' or 'name' or without: 'worker_id', 'Ann1'."""
    words = [word for word in words_of(name.rpartition(".")[2] or name) if not word.isdigit()]
    before = words_of(name)
    if not NUMBER.isdisjoint(words):
        return False
    if len(words) > 1 and words[-1] == "by":
        return words[-2] in BY
    while words and words[-1] in ("id", "ids", "uuid", "name", "names", "email", "key"):
        words.pop()
    if not words and "." in name:  # 'annotator.id'
        return is_person(name.rpartition(".")[0])
    return bool(words) and (words[-1] in PERSON or "".join(before) in SYNONYMS["annotator"])


def names_a_person(key: str) -> bool:
    """Whether a key is the name of a person: 'annotator 1', 'rater_ann', 'Coder B'."""
    return _any_word(key, PERSON)


def is_value(name: str) -> bool:
    """Whether a name ends in a word for a value; that of 'label' in 'label_time' does not count."""
    words = [word for word in words_of(name) if not word.isdigit()]
    return bool(words) and words[-1] in VALUE and NUMBER.isdisjoint(words)


def is_vote(name: str) -> bool:
    """Whether a name says that each entry of a list is one annotator's: 'annotator_labels', 'votes'."""
    return names_a_person(name) or _any_word(name, VOTES)


def _is_beside(name: str) -> bool:
    words = [word for word in words_of(name) if not word.isdigit()]
    return bool(words) and words[-1] in BESIDE


def _is_code(key: str) -> bool:
    """Whether a key is a number, an address or a long code, which questions are never called."""
    return bool(re.fullmatch(r"\d+|[0-9a-fA-F-]{12,}|[^@\s]+@[^@\s]+", key))
