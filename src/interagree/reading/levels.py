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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from interagree.data.types import Json
from interagree.data.values import plain
from interagree.reading import names
from interagree.reading.parts import SYNONYMS
from interagree.reading.records import (
    DEEPEST,
    KEYS,
    LIST,
    Record,
    Tokens,
    are_lists,
    are_objects,
    by_id,
    fields_of,
    flattened,
    lists_objects,
    members,
    mostly_alike,
    step,
)

MOST_VOTES = 100  # longer lists are sequences

VALUE = names.ANSWER | {"answers", "verdicts"}
BESIDE = names.REMARK | names.WORK | {"id", "ids", "uuid", "text"}  # what stands beside a value
BY = names.lexicon("annotated labeled labelled completed created submitted judged rated coded")  # before "by"
VOTES = names.lexicon("votes judgments judgements")  # answers of which each is one person's
FIELDS = {("id",), ("uuid",), ("name",), ("username",), ("email",), ("mail",)}  # how fields of one record end
NUMBER = names.lexicon("number num n count total nr")  # how many there are
# Shares of labels, which are not answers.
SHARES = names.lexicon("soft prob probs probability probabilities dist distribution count counts share shares")


@dataclass(frozen=True, slots=True)
class NestedLevel:
    """A place where annotations lie."""

    tokens: Tokens
    annotator: str  # the field or place that names who; "" where the keys do
    values: tuple[str, ...] = ()  # the fields or places that hold values, where that is clear
    beside: tuple[str, ...] = ()  # lists that stand side by side with that of the annotators
    doubtful: bool = False  # whether the keys may be people as well as questions, or items
    swapped: bool = False  # whether the keys above are the people, and these the items
    unnamed: bool = False  # whether nothing says who gave the values

    @property
    def field(self) -> str:
        """The last field on the way to it."""
        return next((token for token in reversed(self.tokens) if token not in (LIST, KEYS)), "entry")


# -- finding them ---------------------------------------------------------------------------------------------


def levels_of(root: dict[str, Json] | list[Json]) -> Iterator[NestedLevel]:
    """The places in some data at which annotations lie."""
    if isinstance(root, list):
        yield from _levels_below(root, (LIST,))
    elif (level := _two_keys(root)) is not None:
        yield level
    elif by_id(root) or all(map(lists_objects, root.values())):
        yield from _levels_below(list(root.values()), (KEYS,))
    else:
        yield from _in_fields([root], ())


def _levels_below(nodes: Sequence[Json], tokens: Tokens) -> Iterator[NestedLevel]:
    """The places below some nodes, all of which lie at one path."""
    nodes = [node for node in nodes if node is not None]
    if not nodes or len(tokens) > DEEPEST:
        return
    if are_lists(nodes):
        level = of_objects(nodes, tokens) or of_lists(nodes, tokens)
        if level is not None:
            yield level
        else:
            yield from _levels_below(step(nodes, LIST), (*tokens, LIST))
    elif are_objects(nodes):
        level = _of_keys(nodes, tokens)
        if level is not None:
            yield level
        elif tokens[-1:] not in ((LIST,), (KEYS,)) and _keyed(nodes):
            yield from _levels_below(step(nodes, KEYS), (*tokens, KEYS))
        else:
            yield from _in_fields(nodes, tokens)


def _in_fields(nodes: Sequence[Record], tokens: Tokens) -> Iterator[NestedLevel]:
    """The places in the fields of records."""
    yield from side_by_side(nodes, tokens)
    for field in fields_of(nodes):
        below = [node[field] for node in nodes if field in node]
        if any(isinstance(node, dict | list) for node in below):
            yield from _levels_below(below, (*tokens, field))


def of_objects(nodes: Sequence[Sequence[Json]], tokens: Tokens) -> NestedLevel | None:
    """A list of objects, one of whose fields names a person and another one holds a value."""
    entries = list(chain.from_iterable(nodes))
    if not entries or not are_objects(entries):
        return None
    flat = [flattened(entry) for entry in entries]
    often = Counter(field for record in flat for field, cell in record.items() if cell is not None)
    common = [field for field, times in often.items() if times >= 0.5 * len(flat)]
    people = [field for field in common if is_person(field) and _scalar(flat, field)]
    people = [field for field in people if _told_apart(flat, field, nodes)]
    if not people:
        return None
    # Two fields that say the same, such as an id and an e-mail address, are one.
    first = people[0]
    pairs = {(str(record.get(first)), *(str(record.get(field)) for field in people)) for record in flat}
    if len(pairs) > len({str(record.get(first)) for record in flat}):
        return NestedLevel((*tokens, LIST), "")
    rest = [field for field in often if field not in people]
    values = [field for field in rest if is_value(field)]
    if not values:
        values = [field for field in rest if not _is_beside(field) and _few(flat, field)]
        if not values:
            return None
        return NestedLevel((*tokens, LIST), first, tuple(values) if len(values) == 1 else ())
    return NestedLevel((*tokens, LIST), first, tuple(values))


def _told_apart(flat: Sequence[Record], field: str, nodes: Sequence[Sequence[Json]]) -> bool:
    """Whether names are met in several items, and in most items only once; one item alone tells nothing."""
    called = iter([str(record.get(field)) for record in flat])
    by_item = [[next(called) for _ in node] for node in nodes]
    once = sum(_all_differ(people) for people in by_item)
    return len(nodes) < 2 or (len(set(chain.from_iterable(by_item))) < len(flat) and once >= 0.5 * len(by_item))


def _scalar(flat: Sequence[Record], field: str) -> bool:
    return not any(isinstance(record.get(field), dict | list) for record in flat)


def _few(flat: Sequence[Record], field: str) -> bool:
    distinct = {plain(record.get(field)) for record in flat}
    return 1 < len(distinct) <= max(10, 0.2 * len(flat)) and len(distinct) < len(flat)


def of_lists(nodes: Sequence[Sequence[Json]], tokens: Tokens) -> NestedLevel | None:
    """A list of lists with a place for a name and one for a value; places are counted from either end."""
    entries = list(chain.from_iterable(nodes))
    if len(nodes) < 3 or len(entries) <= len(nodes) or not are_lists(entries):
        return None
    shortest, longest = min(map(len, entries)), max(map(len, entries))
    if shortest < 2 or any(isinstance(cell, dict | list) for entry in entries for cell in entry):
        return None
    places = list(range(shortest)) if shortest == longest else [*range(shortest - 1), -1]
    cells = {place: [[entry[place] for entry in node if isinstance(entry, list)] for node in nodes] for place in places}
    people = [place for place in places if _are_names(cells[place])]
    values = [place for place in places if place not in people and _are_values(cells[place])]
    if len(people) != 1 or len(values) != 1:
        return None
    return NestedLevel((*tokens, LIST), str(people[0]), (str(values[0]),))


def _are_names(cells: Sequence[Sequence[Json]]) -> bool:
    """Whether cells are words that differ within an item and come back in others, as names do."""
    flat = list(chain.from_iterable(cells))
    if not all(isinstance(cell, str) and cell and not re.search(r"\s|://", cell) for cell in flat):
        return False
    return sum(map(_all_differ, cells)) >= 0.9 * len(cells) and 1 < len(set(flat)) <= 0.5 * len(flat)


def _are_values(cells: Sequence[Sequence[Json]]) -> bool:
    """Whether cells are few different words or numbers, which items often hold more than once."""
    flat = list(chain.from_iterable(cells))
    if not all(isinstance(cell, str | int) for cell in flat):
        return False
    several = [node for node in cells if len(node) > 1]
    agreeing = sum(not _all_differ(node) for node in several)
    return 1 < len(set(flat)) <= max(5, 0.1 * len(flat)) and agreeing >= 0.3 * len(several)


def _all_differ(cells: Sequence[object]) -> bool:
    return len(set(cells)) == len(cells)


def _keyed(nodes: Sequence[dict[str, Json]]) -> bool:
    """Whether the keys of objects inside records are names of parts, not fields, which come back in every record."""
    keys = Counter(key for node in nodes for key in node)
    inner = [node for node in members(nodes) if node is not None]
    if len(inner) < 2 or not (all(map(_is_code, keys)) or len(keys) > 0.5 * keys.total()):
        return False
    if are_objects(inner):
        return bool(inner[0]) and mostly_alike(inner)
    return len(nodes) > 1 and all(map(lists_objects, inner))


def _of_keys(nodes: Sequence[dict[str, Json]], tokens: Tokens) -> NestedLevel | None:
    """An object whose keys are people."""
    keys = Counter(key for node in nodes for key in node)
    inner = [node for node in members(nodes) if node is not None]
    if tokens[-1:] in ((LIST,), (KEYS,)):
        return None  # the fields of records; which of two levels of keys are people is told by both of them
    field = tokens[-1]
    if len(keys) < 2 or len(inner) < 2 or max(map(len, nodes)) < 2 or _any_word(field, SHARES):
        return None
    people = are_people(key for key in keys if not _is_code(key))
    called = is_person(field) or is_value(field)
    varying = any(set(node) != set(keys) for node in nodes) and len(inner) > len(keys)
    if not (people or (called and (varying or is_person(field)))) or (not people and _is_one_record(nodes)):
        return None
    numeric = all(isinstance(node, int | float) for node in inner)
    if numeric and _one_sum(nodes):
        return None  # shares or counts of labels
    if are_objects(inner):
        fields = fields_of(map(flattened, inner))
        if any(map(is_person, fields)) or not mostly_alike(inner):
            return None  # the objects say themselves whose they are, or differ
        values = tuple(filter(is_value, fields)) or tuple(
            name for name in fields if not _is_beside(name) or _any_word(name, frozenset({"ids"}))
        )
    elif any(isinstance(node, dict) for node in inner):
        return None
    else:
        values = ("value",)
    doubtful = not people and not is_person(field)
    if numeric and all(map(str.isdigit, keys)):
        doubtful = not is_person(field)  # how often 1, 2 and 3 were given looks the same
    return NestedLevel((*tokens, KEYS), "", values, doubtful=doubtful)


def _is_one_record(nodes: Sequence[Record]) -> bool:
    """Whether keys are the fields of one person or thing: an id, a name, an address, or cells of different types."""
    if any(names.words(key)[-1:] in FIELDS for node in nodes for key in node):
        return True
    types: dict[str, set[type]] = {}
    for node in nodes:
        for key, cell in node.items():
            if cell is not None:
                types.setdefault(key, set()).add(float if type(cell) is int else type(cell))
    return len({frozenset(some) for some in types.values()}) > 1 and all(len(some) == 1 for some in types.values())


def _two_keys(root: Record) -> NestedLevel | None:
    """An object of objects of objects: items, then annotators, or the other way round."""
    nodes = [node for node in root.values() if node]
    inner = list(members(nodes))
    if len(inner) < 4 or not are_objects(nodes) or not are_objects(inner) or not mostly_alike(inner):
        return None
    keys = fields_of(nodes)
    fields = fields_of(map(flattened, inner))
    if any(map(is_person, fields)) or any(isinstance(cell, dict) for cell in inner[0].values()):
        return None
    above, below = are_people(root), are_people(keys)
    if not (above or below) and not (len(keys) > 2 * len(root) or all(map(_is_code, keys))):
        return None  # the fields of records
    values = tuple(filter(is_value, fields)) or tuple(name for name in fields if not _is_beside(name))
    return NestedLevel((KEYS, KEYS), "", values, doubtful=above == below, swapped=above and not below)


def _one_sum(nodes: Sequence[Record]) -> bool:
    sums = {round(sum(v for v in node.values() if isinstance(v, int | float)), 6) for node in nodes if node}
    return len(sums) == 1 and len(nodes) > 1


def simple_lists(flat: Sequence[Record]) -> dict[str, list[list[Json]]]:
    """The fields that hold lists of simple cells in every record, each with its lists; empty where there is none."""
    lists: dict[str, list[list[Json]]] = {}
    for field in fields_of(flat):
        cells = [[] if (cell := record.get(field)) is None else cell for record in flat]
        if are_lists(cells) and not any(isinstance(entry, dict) for entry in chain.from_iterable(cells)):
            lists[field] = list(cells)
    return lists


def side_by_side(nodes: Sequence[Record], tokens: Tokens) -> Iterator[NestedLevel]:
    """Lists of one length in every record, one of which names people."""
    lists = {field: cells for field, cells in simple_lists([*map(flattened, nodes)]).items() if any(cells)}
    sizes = {field: [*map(len, cells)] for field, cells in lists.items()}
    people = [field for field in lists if is_person(field)]
    for who in people:
        if max(sizes[who]) < 2:
            continue
        beside = [
            field
            for field in lists
            if field not in people and sizes[field] == sizes[who] and _nearest(field, people) == who
        ]
        values = [*filter(is_value, beside)] or [field for field in beside if not _is_beside(field)]
        if values:
            yield NestedLevel((*tokens, who, LIST), who, tuple(values), tuple(beside))


def unnamed_votes(records: Sequence[Record], tokens: Tokens) -> Iterator[NestedLevel]:
    """Lists that hold the answers to each item and not whose they are.

    Answers repeat within a list, as the labels of a set do not.  Lists of the same length beside them, as tokens beside
    their tags, speak against it.
    """
    lists = simple_lists([*map(flattened, records)])
    sizes = {field: [*map(len, cells)] for field, cells in lists.items()}
    for field, cells in lists.items():
        votes = list(chain.from_iterable(cells))
        if not all(isinstance(vote, str | int | float) for vote in votes):
            continue
        several = [some for some in cells if len(some) > 1]
        repeating = sum(not _all_differ(some) for some in several)
        alone = (
            not any(sizes[field] == sizes[other] for other in lists if other != field) or len(set(sizes[field])) == 1
        )
        mostly = 2 * repeating > len(several) and max(sizes[field]) > 2
        if (
            (is_value(field) or names_a_person(field) or mostly)
            and len(several) >= max(3, 0.5 * len(records))
            and repeating >= 0.3 * len(several)
            and 1 < len(set(votes)) <= max(5, 0.1 * len(votes))
            and max(sizes[field]) <= MOST_VOTES
            and alone
        ):
            yield NestedLevel((*tokens, field, LIST), "", (field,), (field,), unnamed=True)


def unnamed_objects(records: Sequence[Record], tokens: Tokens) -> Iterator[NestedLevel]:
    """Lists of objects with values of the same fields, none of which names a person."""
    for field in fields_of(records):
        nodes = [record[field] for record in records if record.get(field)]
        if len(nodes) < 3 or not all(lists_objects(node) and isinstance(node[0], dict) for node in nodes):
            continue
        entries = [flattened(entry) for entry in members(nodes) if isinstance(entry, dict)]
        fields = fields_of(entries)
        scales = tuple(
            name for name in fields if not _is_beside(name) and _scalar(entries, name) and _few(entries, name)
        )
        if scales and len(entries) > len(nodes) and not any(map(is_person, fields)):
            yield NestedLevel((*tokens, field, LIST), "", scales, unnamed=True)


def _nearest(field: str, people: Sequence[str]) -> str:
    """The list of people whose name begins most like that of a list: 'style.users' for 'style.responses'."""

    def shared(who: str) -> int:
        return next(
            (place for place, (a, b) in enumerate(zip(field, who, strict=False)) if a != b), min(len(field), len(who))
        )

    return max(people, key=shared)


# -- words ---------------------------------------------------------------------------------------------------


def _any_word(name: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(names.words(name))


def is_person(name: str) -> bool:
    """Whether a name is a word for a person, with a number, 'id' or 'name' or without: 'worker_id', 'Ann1'."""
    words = [word for word in names.words(name.rpartition(".")[2] or name) if not word.isdigit()]
    before = names.words(name)
    if not NUMBER.isdisjoint(words):
        return False
    if words[-1:] == ["by"]:
        return len(words) == 1 or words[-2] in BY
    while words and words[-1] in ("id", "ids", "uuid", "name", "names", "email", "key"):
        words.pop()
    if not words and "." in name:  # 'annotator.id'
        return is_person(name.rpartition(".")[0])
    return bool(words) and (words[-1] in names.ANNOTATOR or "".join(before) in SYNONYMS["annotator"])


def names_a_person(key: str) -> bool:
    """Whether a key is the name of a person: 'annotator 1', 'rater_ann', 'Coder B'."""
    return _any_word(key, names.ANNOTATOR)


def are_people(keys: Iterable[str]) -> bool:
    """Whether all of some keys are names of people, as their words or their first names say."""
    spelled = {key: names.words(key)[:1] for key in keys}
    given = {key for key, first in spelled.items() if not names.given_names().isdisjoint(first)}
    return all(key in given or names_a_person(key) for key in spelled) and not {("min",), ("max",)} <= {
        *spelled.values()
    }


def is_value(name: str) -> bool:
    """Whether a name ends in a word for a value; that of 'label' in 'label_time' does not count."""
    words = [word for word in names.words(name) if not word.isdigit()]
    return bool(words) and words[-1] in VALUE and NUMBER.isdisjoint(words)


def is_vote(name: str) -> bool:
    """Whether a name says that each entry of a list is one annotator's: 'annotator_labels', 'votes'."""
    return names_a_person(name) or _any_word(name, VOTES)


def _is_beside(name: str) -> bool:
    words = [word for word in names.words(name) if not word.isdigit()]
    return bool(words) and words[-1] in BESIDE


def _is_code(key: str) -> bool:
    """Whether a key is a number, an address or a long code, which questions are never called."""
    return bool(re.fullmatch(r"\d+|[0-9a-fA-F-]{12,}|[^@\s]+@[^@\s]+", key))
