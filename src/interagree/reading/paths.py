"""Paths into nested records, and the annotations that lie at one as rows of a table.

``sentences[].responses[]`` takes the entries of *responses* in each of *sentences*, ``annotations{}`` the keys of
*annotations* as annotators.  The first step, into the records, goes without saying.  A row has the fields of the
records around it as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from interagree.data.provenance import Step, counted
from interagree.data.types import Json
from interagree.data.values import in_order, plain
from interagree.errors import Advice, FormatError, Hint, ReaderHint, listing, nearest
from interagree.reading import names
from interagree.reading.levels import NestedLevel, is_person, is_value, of_lists, of_objects, side_by_side
from interagree.reading.parts import SYNONYMS
from interagree.reading.records import (
    DEEPEST,
    KEYS,
    LIST,
    Record,
    Tokens,
    are_lists,
    by_id,
    cell_at,
    fields_of,
    flattened,
    step,
    unused,
)
from interagree.reading.tables import NamedColumns

PARTS = ("item", "annotator", "value", "question")
Parts: TypeAlias = Mapping[str, str | list[str]]  # the columns that play each part


class Nested(NamedTuple):
    """A table made of nested records, and the parts of its columns that the nesting tells."""

    table: NamedColumns
    parts: Parts


class FoundNode(NamedTuple):
    """A node at a path."""

    place: tuple[int | str, ...]  # positions and keys that lead to it
    above: tuple[tuple[Record, str], ...]  # records around it, each with the field that leads to it
    node: Json


# -- paths ----------------------------------------------------------------------------------------------------


def written(tokens: Tokens) -> str:
    """A path as a person writes it."""
    inside = tokens[1:] if tokens[:1] in ((LIST,), (KEYS,)) else tokens
    text = ""
    for token in inside:
        text += token if token in (LIST, KEYS) else f".{token}" if text else token
    return text or LIST


def level_at(root: Json, path: str, name: str) -> NestedLevel:
    """The level at a path that the caller named."""
    tokens = _parsed(root, path, name)
    above, last = tokens[:-1], tokens[-1]
    nodes = nodes_at(root, tokens)
    entries = step(nodes, last)
    if last == KEYS:
        objects = [entry for entry in entries if isinstance(entry, dict)]
        values = tuple(filter(is_value, fields_of(map(flattened, objects)))) if objects else ("value",)
        return NestedLevel(tokens, "", values)
    if are_lists(nodes):
        level = of_objects(nodes, above) or of_lists(nodes, above)
        if level is not None:
            return level
    if not entries:
        hint = ReaderHint("at", path)
        raise FormatError(f"{name}: {hint} leads to lists that are all empty", hints=[hint])
    if not above or any(isinstance(entry, dict | list) for entry in entries):
        return NestedLevel(tokens, "")
    parents = [node for node in nodes_at(root, above) if isinstance(node, dict)]
    beside = (level for level in side_by_side(parents, above[:-1]) if level.tokens == tokens)
    return next(beside, NestedLevel(tokens, "", (above[-1],), (above[-1],)))


def _parsed(root: Json, path: str, name: str) -> Tokens:
    """The steps that a path names."""
    nodes, rest = [root], path.strip()
    tokens: list[str] = []
    if isinstance(root, list) or (isinstance(root, dict) and not any(_begins(rest, field) for field in root)):
        tokens.append(LIST if isinstance(root, list) else KEYS)
        nodes = step(nodes, tokens[0])
    while rest:
        token = _first_step(nodes, rest)
        if token is None:
            raise _no_path(root, path, name, rest)
        tokens.append(token)
        nodes, rest = step(nodes, token), rest[len(token) :].removeprefix(".")
    if tokens[-1] not in (LIST, KEYS):
        tokens.append(LIST if any(isinstance(node, list) for node in nodes) else KEYS)
    return tuple(tokens)


def _first_step(nodes: Sequence[Json], path: str) -> str | None:
    """The step that a path begins with; fields are looked up, as their names may have dots in them."""
    if path.startswith((LIST, KEYS)):
        wanted = list if path.startswith(LIST) else dict
        return path[:2] if any(isinstance(node, wanted) for node in nodes) else None
    fields = fields_of(node for node in nodes if isinstance(node, dict))
    return max((field for field in fields if _begins(path, field)), key=len, default=None)


def _begins(path: str, field: str) -> bool:
    return path.startswith(field) and (len(path) == len(field) or path[len(field)] in ".[{")


def _no_path(root: Json, path: str, name: str, rest: str) -> FormatError:
    known = list(dict.fromkeys(map(written, _containers([root], ()))))
    close = nearest(path, known)
    hints = [ReaderHint("at", path), *([] if close is None else [ReaderHint("at", close)])]
    return FormatError(
        f"{name}: there is no {rest!r} on the way of {hints[0]}; lists and objects lie at {listing(known, most=8)}."
        + "".join(f" Did you mean {hint}?" for hint in hints[1:]),
        hints=hints,
    )


def _containers(nodes: Sequence[Json], tokens: Tokens) -> Iterator[Tokens]:
    """The paths of all lists and objects inside records."""
    objects = [node for node in nodes if isinstance(node, dict)]
    lists = any(isinstance(node, list) for node in nodes)
    if not (lists or objects) or len(tokens) > DEEPEST:
        return
    if tokens and (lists or tokens[-1] not in (LIST, KEYS)):
        yield (*tokens, LIST if lists else KEYS)
    keyed = not tokens and not lists and by_id(objects[0])
    for token in [LIST] if lists else [KEYS] if keyed else fields_of(objects):
        yield from _containers(step(nodes, token), (*tokens, token))


def nodes_at(root: Json, tokens: Tokens) -> list[Json]:
    """The lists or objects whose entries a path takes."""
    nodes = [root]
    for token in tokens[:-1]:
        nodes = step(nodes, token)
    return nodes


def _reached(reached: FoundNode, tokens: Tokens) -> Iterator[FoundNode]:
    """Every node at a path that goes on from a node."""
    place, above, node = reached
    if not tokens:
        yield reached
        return
    token = tokens[0]
    if token == LIST:
        below = enumerate(node, start=1) if isinstance(node, list) else ()
        inner = [FoundNode((*place, number), above, entry) for number, entry in below]
    elif not isinstance(node, dict):
        inner = []
    elif token == KEYS:
        inner = [FoundNode((*place, key), above, entry) for key, entry in node.items()]
    else:
        cell = cell_at(node, token)
        inner = [] if cell is None else [FoundNode(place, (*above, (node, token)), cell)]
    for entry in inner:
        yield from _reached(entry, tokens[1:])


# -- rows -----------------------------------------------------------------------------------------------------


def extracted(root: Json, levels: Sequence[NestedLevel]) -> Nested:
    """The table of the annotations at some levels, with the fields of the records around them."""
    rows: list[dict[str, Json]] = []
    parts: dict[str, str | list[str]] = {}
    for level in levels:
        part_rows, item = _rows(root, level)
        parts |= {"item": item, **_parts(level)}
        if len(levels) > 1:
            question = level.values[0] if level.beside else level.tokens[-2]
            renamed = {parts["annotator"]: "annotator", level.values[0]: "value"}
            part_rows = [
                {"question": question, **{renamed.get(name, name): cell for name, cell in row.items()}}
                for row in part_rows
            ]
            parts |= {"annotator": "annotator", "value": "value", "question": "question"}
        rows += part_rows
    columns: dict[Hashable, list[Json]] = {name: [row.get(name) for row in rows] for name in fields_of(rows)}
    columns_taken = ", ".join(f"{part} from {parts[part]!r}" for part in PARTS if part in parts)
    places = listing([written(level.tokens) for level in levels])
    sentence = f"{counted(len(rows), 'annotation')} found at {places}: {columns_taken}"
    return Nested(NamedColumns.of(columns, steps=(Step("taken", sentence, len(rows)),)), parts)


def counts_of_votes(root: Json, level: NestedLevel) -> Nested:
    """How often each item was given each value, where nothing says by whom."""
    rows, item = _rows(root, level)
    field = level.values[0]
    values = in_order([value for value in dict.fromkeys(row[field] for row in rows) if value is not None])
    items = dict.fromkeys(row[item] for row in rows)
    given = Counter((row[item], row[field]) for row in rows)
    column = unused(item, map(str, values))
    columns: dict[Hashable, list[Json]] = {column: list(items)}
    columns |= {value: [given[name, value] for name in items] for value in values}
    path = written(level.tokens)
    sentence = Advice.of(
        f"{counted(len(rows), 'annotation')} found at {path!r}, and nothing says whose they are, so the annotators "
        "are unknown; if places in the lists are annotators, pass ",
        ReaderHint("at", path),
        ", ",
        Hint("annotator", "position"),
        ", ",
        Hint("value", field),
    )
    table = NamedColumns.of(columns, steps=(Step("taken", sentence, len(rows)),))
    return Nested(table, {"item": column, "layout": "counts"})


def _rows(root: Json, level: NestedLevel) -> tuple[list[dict[str, Json]], str]:
    """A row for each annotation at a level, and the column that names the item."""
    nodes = list(_reached(FoundNode((), (), root), level.tokens[:-1]))
    around = [_around(reached, level) for reached in nodes]
    item, ids = _items(nodes, around)
    rows: list[dict[str, Json]] = []
    for reached, outside, item_name in zip(nodes, around, ids, strict=True):
        entries = list(_entries(reached, level))
        if level.unnamed or not (level.annotator or level.tokens[-1] == KEYS):
            entries = [{**entry, "position": place} for place, entry in enumerate(entries, start=1)]
        for entry in entries:
            kept = {(f"parent.{name}" if name in entry else name): cell for name, cell in outside.items()}
            kept.pop(item, None)
            rows.append({item: item_name, **kept, **entry})
    if level.swapped:
        rows = [{**row, item: row["annotator"], "annotator": row[item]} for row in rows]
    return rows, item


def _parts(level: NestedLevel) -> dict[str, str | list[str]]:
    """The columns of annotators and values."""
    by_place = level.annotator.lstrip("-").isdigit() and not level.beside
    who = "annotator" if level.tokens[-1] == KEYS else level.annotator

    def column(name: str) -> str:
        return f"{level.field}[{name}]" if by_place else name

    parts: dict[str, str | list[str]] = {"annotator": column(who)} if who else {}
    values = [column(name) for name in level.values]
    if values:
        parts["value"] = values[0] if len(values) == 1 else values
    return parts


def _entries(reached: FoundNode, level: NestedLevel) -> Iterator[dict[str, Json]]:
    """The annotations in a node."""
    if level.beside:
        fields = dict.fromkeys([level.annotator, *level.beside] if level.annotator else level.beside)
        flat = flattened(reached.above[-1][0])
        lists = [cell if isinstance(cell := flat.get(field), list) else [] for field in fields]
        for cells in zip_longest(*lists):
            yield dict(zip(fields, cells, strict=True))
    elif isinstance(reached.node, dict):
        for key, entry in reached.node.items():
            yield {"annotator": key, **(flattened(entry) if isinstance(entry, dict) else {"value": entry})}
    elif isinstance(reached.node, list):
        for entry in reached.node:
            yield _entry(entry, level)


def _entry(entry: Json, level: NestedLevel) -> dict[str, Json]:
    if isinstance(entry, dict):
        return flattened(entry)
    if not isinstance(entry, list):
        return {level.field: entry}
    cells = {f"{level.field}[{place}]": cell for place, cell in enumerate(entry)}
    if "-1" in (level.annotator, *level.values):
        cells[f"{level.field}[-1]"] = cells.pop(f"{level.field}[{len(entry) - 1}]")
    return cells


def _around(reached: FoundNode, level: NestedLevel) -> dict[str, Json]:
    """The simple fields of the records around an annotation, those nearer to it before those farther off."""
    around: dict[str, Json] = {}
    aside = {*level.beside, level.annotator}
    for record, way in reached.above:
        flat = flattened({field: cell for field, cell in record.items() if field != way})
        around |= {
            field: cell for field, cell in flat.items() if not isinstance(cell, dict | list) and field not in aside
        }
    return around


def _items(nodes: Sequence[FoundNode], around: Sequence[Record]) -> tuple[str, list[Json]]:
    """The column of the items and their names: an id that differs in all of them, else where they lie."""
    common = set.intersection(*(set(record) for record in around)) if around else set()
    for field in fields_of(around):
        words = names.words(field)
        if field not in common or is_person(field):
            continue
        if "_".join(words) in SYNONYMS["item"] or words[-1:] in (("id",), ("idx",), ("uuid",)):
            ids = [record[field] for record in around]
            if None not in ids and len(set(map(plain, ids))) == len(ids):
                return field, ids
    places = [reached.place or (1,) for reached in nodes]
    return unused("item", common), [place[0] if len(place) == 1 else ".".join(map(str, place)) for place in places]
