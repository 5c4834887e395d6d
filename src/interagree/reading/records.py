"""Objects and lists inside one another, as JSON has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeGuard

from interagree.data.types import Json
from interagree.reading import names
from interagree.reading.parts import SYNONYMS

Record: TypeAlias = Mapping[str, Json]
LIST, KEYS = "[]", "{}"  # steps of a path: over the entries of a list, over the keys of an object
Tokens: TypeAlias = tuple[str, ...]  # the steps of a path: these, and fields
DEEPEST = 32  # steps into records in which annotations are looked for


def are_objects(nodes: Sequence[Json]) -> TypeGuard[Sequence[dict[str, Json]]]:
    """Whether all nodes are objects."""
    return all(isinstance(node, dict) for node in nodes)


def are_lists(nodes: Sequence[Json]) -> TypeGuard[Sequence[list[Json]]]:
    """Whether all nodes are lists."""
    return all(isinstance(node, list) for node in nodes)


def lists_objects(node: Json) -> TypeGuard[list[Json]]:
    """Whether a node is a list of objects or lists, with something in it."""
    return isinstance(node, list) and bool(node) and all(isinstance(entry, dict | list) for entry in node)


def members(nodes: Iterable[Json]) -> Iterator[Json]:
    """What lies directly in some objects and lists."""
    for node in nodes:
        if isinstance(node, dict):
            yield from node.values()
        elif isinstance(node, list):
            yield from node


def fields_of(records: Iterable[Record]) -> list[str]:
    """The fields of some records, in the order in which they are met."""
    return list(dict.fromkeys(field for record in records for field in record))


def step(nodes: Iterable[Json], token: str) -> list[Json]:
    """What lies one step further on a path."""
    if token == LIST:
        return [entry for node in nodes if isinstance(node, list) for entry in node]
    objects = [node for node in nodes if isinstance(node, dict)]
    if token == KEYS:
        return [cell for node in objects for cell in node.values()]
    return [cell for node in objects if (cell := cell_at(node, token)) is not None]


def flattened(record: Record, before: str = "", depth: int = 0) -> dict[str, Json]:
    """A record with the fields of objects inside it as its own: 'user.id'; those that lie deepest stay whole."""
    flat: dict[str, Json] = {}
    for field, cell in record.items():
        if isinstance(cell, dict) and cell and depth < DEEPEST:
            flat |= flattened(cell, f"{before}{field}.", depth + 1)
        else:
            flat[f"{before}{field}"] = cell
    return flat


def cell_at(record: Record, field: str) -> Json:
    """The cell of a field such as 'user.id', in whichever way its dots are meant; None where there is none."""
    if field in record:
        return record[field]
    first, _, rest = field.partition(".")
    while rest:
        inner = record.get(first)
        if isinstance(inner, dict):
            cell = cell_at(inner, rest)
            if cell is not None:
                return cell
        more, _, rest = rest.partition(".")
        first = f"{first}.{more}"
    return None


def mostly_alike(records: Sequence[Record]) -> bool:
    """Whether most records have the fields of the first one."""
    first = frozenset(records[0])
    return sum(frozenset(record) == first for record in records) >= 0.8 * len(records)


def by_id(data: Record) -> bool:
    """Whether the keys of an object are names of records, not of columns or of fields."""
    inner = [node for node in data.values() if node is not None]
    if not inner or not are_objects(inner):
        return False
    fields = Counter(field for record in inner for field in record)
    deep = any(isinstance(cell, dict | list) for cell in members(inner))
    known = {word for words in SYNONYMS.values() for word in words} | {"text", "sentence", "comment", "title"}
    alike = fields.total() >= 0.8 * len(inner) * len(fields)
    return alike and (deep or any("_".join(names.words(field)) in known for field in fields)) and len(inner) > 1


def records_of(data: Json) -> list[dict[str, Json]]:
    """The records that a list, or an object with a key for each, holds; none where the data are something else."""
    if isinstance(data, list):
        return list(data) if are_objects(data) else []
    if isinstance(data, dict) and by_id(data):
        return [record for record in data.values() if isinstance(record, dict)]
    return []


def simple_fields(data: Json) -> list[str]:
    """The fields of the records, if the data are records, that hold neither objects nor lists."""
    simple: dict[str, bool] = {}
    for record in records_of(data):
        for field, cell in flattened(record).items():
            simple[field] = simple.get(field, True) and not isinstance(cell, dict | list)
    return [field for field, holds in simple.items() if holds]


def unused(name: str, taken: Iterable[object]) -> str:
    """A name that none of others is, made by adding underscores."""
    known = set(taken)
    while name in known:
        name += "_"
    return name
