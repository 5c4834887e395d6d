"""The annotations inside nested records as rows of a table, with the fields of the records around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from interagree.data.provenance import Step, counted
from interagree.data.types import Json
from interagree.data.values import in_order, plain
from interagree.errors import Advice, Hint, ReaderHint, listing
from interagree.reading import names
from interagree.reading.levels import KEYS, Level, is_person
from interagree.reading.parts import SYNONYMS
from interagree.reading.paths import Above, Reached, last_field, reached_by, written
from interagree.reading.records import Record, fields_of, flattened, unused
from interagree.reading.tables import Table

PARTS = ("item", "annotator", "value", "question")
Parts: TypeAlias = Mapping[str, str | list[str]]  # the columns that play each part


class Nested(NamedTuple):
    """A table made of nested records, and the parts of its columns that the nesting tells."""

    table: Table
    parts: Parts


def extracted(root: Json, levels: Sequence[Level]) -> Nested:
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
    step = Step("taken", f"{counted(len(rows), 'annotation')} found at {places}: {columns_taken}", len(rows))
    return Nested(Table.of(columns, steps=(step,)), parts)


def counts_of_votes(root: Json, level: Level) -> Nested:
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
    step = Step(
        "taken",
        Advice.of(
            f"{counted(len(rows), 'annotation')} found at {path!r}, and nothing says whose they are, so the annotators "
            "are unknown; if places in the lists are annotators, pass ",
            ReaderHint("at", path),
            ", ",
            Hint("annotator", "position"),
            ", ",
            Hint("value", field),
        ),
        len(rows),
    )
    return Nested(Table.of(columns, steps=(step,)), {"item": column, "layout": "counts"})


def _rows(root: Json, level: Level) -> tuple[list[dict[str, Json]], str]:
    """A row for each annotation at a level, and the column that names the item."""
    nodes = list(reached_by(root, level.tokens[:-1]))
    around = [_around(reached.above, level) for reached in nodes]
    item, ids = _items(nodes, around)
    rows: list[dict[str, Json]] = []
    for reached, outside, item_name in zip(nodes, around, ids, strict=True):
        entries = list(_entries(reached, level))
        if level.unnamed or not (level.annotator or level.tokens[-1] == KEYS):
            entries = [{**entry, "position": place} for place, entry in enumerate(entries, start=1)]
        for entry in entries:
            kept = {(f"parent.{name}" if name in entry else name): cell for name, cell in outside.items()}
            rows.append({item: item_name, **{k: v for k, v in kept.items() if k != item}, **entry})
    if level.swapped:
        rows = [{**row, item: row["annotator"], "annotator": row[item]} for row in rows]
    return rows, item


def _parts(level: Level) -> dict[str, str | list[str]]:
    """The columns of annotators and values."""
    parts: dict[str, str | list[str]] = {}
    field = last_field(level.tokens)
    by_place = level.annotator.lstrip("-").isdigit() and not level.beside
    if level.tokens[-1] == KEYS:
        parts["annotator"] = "annotator"
    elif level.annotator:
        parts["annotator"] = f"{field}[{level.annotator}]" if by_place else level.annotator
    values = [f"{field}[{place}]" for place in level.values] if by_place else list(level.values)
    if values:
        parts["value"] = values[0] if len(values) == 1 else values
    return parts


def _entries(reached: Reached, level: Level) -> Iterator[dict[str, Json]]:
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
            yield _entry(entry, last_field(level.tokens), level)


def _entry(entry: Json, field: str, level: Level) -> dict[str, Json]:
    if isinstance(entry, dict):
        return flattened(entry)
    if not isinstance(entry, list):
        return {field: entry}
    cells = {f"{field}[{place}]": cell for place, cell in enumerate(entry)}
    if "-1" in (level.annotator, *level.values):
        cells[f"{field}[-1]"] = cells.pop(f"{field}[{len(entry) - 1}]")
    return cells


def _around(above: Above, level: Level) -> dict[str, Json]:
    """The simple fields of the records around an annotation, those nearer to it before those farther off."""
    around: dict[str, Json] = {}
    aside = {*level.beside, level.annotator}
    for record, way in above:
        rest = {field: cell for field, cell in record.items() if field != way}
        around |= {
            field: cell
            for field, cell in flattened(rest).items()
            if not isinstance(cell, dict | list) and field not in aside
        }
    return around


def _items(nodes: Sequence[Reached], around: Sequence[Record]) -> tuple[str, list[Json]]:
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
    places = [reached.place for reached in nodes]
    numbers: list[Json] = [
        place[0] if len(place) == 1 else ".".join(map(str, place)) if place else 1 for place in places
    ]
    return unused("item", common), numbers
