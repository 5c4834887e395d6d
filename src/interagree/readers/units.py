"""Tables of units: a row for each stretch that an annotator marked, with its start, its end and its category.

    document,annotator,start,end,category
    letter 1,ann,0,12,claim

Columns are known by these names, by synonyms, or told with ``item=``, ``annotator=``, ``start=``, ``end=`` and
``label=``.  Without a column of documents a file is one document, called as the file is.  Tables without a line of
names are read where they have four columns (annotator, category, start, end) or six (an id, annotator, category,
nothing, start, end); for others the places of the columns are given, from 0.  The files of a folder are read together
with ``format="units"``.

A row with a document and an annotator and nothing else says that they looked and marked nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeGuard, cast

from interagree.data.files import Source
from interagree.data.paths import files_in, pattern_words
from interagree.data.provenance import Step, counted, noted
from interagree.data.study import Study
from interagree.data.values import spelled_integer
from interagree.declare import reader
from interagree.errors import ColumnNotFound, DataError, FormatError, Hint, KindError, listing, nearest
from interagree.gather import units as marked
from interagree.gather.marks import Span
from interagree.gather.units import Cell
from interagree.reading.delimited import all_rows, first_rows, table_in
from interagree.reading.parts import SYNONYMS

SUFFIXES = (".csv", ".tsv", ".tab")
START_OF_FILE = 65_536  # bytes that are looked at to recognise a table of units
# In a table of units 'unit' and 'id' are called after the unit, not after the document.
NAMES: dict[str, tuple[str, ...]] = {
    "item": ("file", "filename", "text", *(name for name in SYNONYMS["item"] if name not in {"unit", "unit_id", "id"})),
    "annotator": SYNONYMS["annotator"],
    "start": ("start", "begin", "from", "onset", "start_offset", "begin_offset", "start_time", "start_char", "xmin"),
    "end": ("end", "stop", "to", "end_offset", "stop_offset", "end_time", "end_char", "xmax"),
    "label": ("label", "category", "class", "tag", "type", "code", "value"),
}  # fmt: skip
BY_WIDTH = {
    4: {"annotator": 0, "label": 1, "start": 2, "end": 3},
    6: {"annotator": 1, "label": 2, "start": 4, "end": 5},
}


class Columns(NamedTuple):
    """Where everything stands in a row; None where there is no such column."""

    item: int | None
    annotator: int | None
    start: int
    end: int
    label: int | None
    further: tuple[int, ...]
    names: tuple[str, ...]  # of the further columns


def recognised(path: Path) -> bool:
    """Whether a text table can only be one of units.

    It is where it has starts and ends, and read as a table of annotations it would lack documents or repeat itself.
    """
    if path.is_dir():
        return False
    try:
        with Source.of(path).open() as stream:
            start = stream.read(START_OF_FILE).decode("utf-8-sig", errors="ignore")
        lines = start.split("\n")
        kept = lines if len(lines) == 1 or len(start) < START_OF_FILE else lines[:-1]
        rows = first_rows(table_in("\n".join(kept), suffix=path.suffix))
    except (OSError, EOFError, DataError):
        return False
    return bool(rows) and (_bare(rows) if _nameless(rows[0]) else _repeating(rows))


def _bare(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows without names are of a known width, with a start and an end in each, and could be nothing else."""
    where = BY_WIDTH.get(len(rows[0]))
    if where is None or any(len(row) != len(rows[0]) for row in rows):
        return False
    pairs = [(_float(row[where["start"]]), _float(row[where["end"]])) for row in rows]
    who = [row[where["annotator"]] for row in rows]
    telling = len(set(who)) < len(who) if len(rows[0]) == 4 else not any(row[3] for row in rows)
    return telling and all(start <= end for start, end in pairs) and any(math.isnan(_float(text)) for text in who)


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _repeating(rows: Sequence[Sequence[str]]) -> bool:
    called = {role: _called(role, rows[0]) for role in NAMES}
    if any(len(called[role]) != 1 for role in ("annotator", "start", "end")):
        return False
    numbered = any(name.strip().lower() in {"id", "unit", "unit_id"} for name in rows[0])
    return (not called["item"] and not numbered) or _again(rows, called, called["item"][:1])


def _again(rows: Sequence[Sequence[str]], called: Mapping[str, list[int]], item: Sequence[int]) -> bool:
    """Whether a document and an annotator come twice."""
    wanted = [*item, called["annotator"][0]]
    cells = [tuple(row[at] for at in wanted) for row in rows[1:] if len(row) == len(rows[0])]
    return len(set(cells)) < len(cells)


@reader("Tables of units", suffixes=SUFFIXES, sniff=recognised)
def units(
    path: str | Path | Source,
    *,
    item: Hashable | None = None,
    annotator: Hashable | None = None,
    start: Hashable | None = None,
    end: Hashable | None = None,
    label: Hashable | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8-sig",
    header: bool | None = None,
    looked: str | Sequence[Hashable] = "marked",
    points: str = "drop",
    **options: object,
) -> Study:
    """A row for each unit; what ``looked`` and ``points`` say is told in `interagree.gather.units`.

    Args:
        path: A file, or a folder of files.
        item: The column of the document; "{file}" (the default where there is none) and "{folder}" take a name.
        annotator: The column of the annotator, or "{file}" or "{folder}".
        start: The column of the start.
        end: The column of the end.
        label: The column of the category.
        delimiter: What separates the cells.
        encoding: How the text is written.
        header: Whether the first line names the columns; looked up where it is not said.
        looked: "marked", "all", or the annotators who looked at every document.
        points: "drop" or "keep" units without length.
        options: ``value`` is another word for ``label``.
    """
    label = options.pop("value", label)
    given = {"item": item, "annotator": annotator, "start": start, "end": end, "label": label}
    marked.check_options("a table of units", options, [*given, "delimiter", "encoding", "header"])
    sources = list(files_in(path, SUFFIXES))
    spans: dict[Cell, list[Span]] = {}
    further: dict[Cell, list[tuple[Hashable, ...]]] = {}
    silent: set[Cell] = set()
    steps: list[Step] = []
    kept: tuple[str, ...] | None = None
    for source in sources:
        rows = _rows(source, delimiter, encoding, steps)
        names = header if header is not None else not _nameless(next(iter(rows.values()), [""]))
        columns = _columns(source, rows, given, named=names)
        if kept is not None and kept != columns.names:
            columns = columns._replace(further=(), names=())
            kept, further = (), {cell: [()] for cell in further}
        kept = columns.names if kept is None else kept
        steps.append(_taken(rows, columns, named=names))
        for cell, span, entries in _units(source, rows, columns, given, steps, named=names):
            further.setdefault(cell, []).append(entries)
            spans.setdefault(cell, []).extend([] if span is None else [span])
            silent |= {cell} if span is None else set()
    how = marked.UnitOptions(looked, points, kept or ())
    made = marked.annotations_of_spans(sources, spans, silent, further, how, steps=dict.fromkeys(steps))
    return Study({marked.QUESTION: made}, made.provenance)


def _rows(source: Source, delimiter: str | None, encoding: str, steps: list[Step]) -> dict[int, list[str]]:
    """The rows that are not blank by the line in which they end."""
    text = source.text(encoding)
    lines = all_rows(table_in(text, suffix=source.suffix, sign=delimiter), source.name, steps)
    rows = {line: row for row, line in lines if row}
    if not rows:
        raise FormatError(f"{source.name} is empty; expected a row for each unit")
    width = len(next(iter(rows.values())))
    for line, row in rows.items():
        if len(row) != width:
            raise FormatError(
                f"{source.name}, line {line}: expected {width} cells as in the first line, found {len(row)}: "
                f"{listing(row, most=6)}"
            )
    return rows


def _nameless(first: Sequence[str]) -> bool:
    """Whether the first line holds data: it names no start and no end, and some of its cells are numbers."""
    named = _called("start", first) and _called("end", first)
    return not named and not all(math.isnan(_float(text)) for text in first)


def _called(role: str, names: Sequence[str]) -> list[int]:
    plainly = [re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") for name in names]
    exact = [at for at, name in enumerate(plainly) if name in {role, "document" if role == "item" else role}]
    return exact if len(exact) == 1 else [at for at, name in enumerate(plainly) if name in NAMES[role]]


def _columns(source: Source, rows: dict[int, list[str]], given: Mapping[str, Hashable], *, named: bool) -> Columns:
    first = next(iter(rows.values()))
    if named:
        where = {role: _named(source, role, column, first) for role, column in given.items()}
    else:
        usual = BY_WIDTH.get(len(first), {})
        where = {
            role: usual.get(role) if column is None else _placed(source, role, column, len(first))
            for role, column in given.items()
        }
    for role in ("start", "end", "annotator"):
        if where[role] is None and not (role == "annotator" and _is_pattern(given[role])):
            raise _missing(source, role, first, named=named)
    used = {at for at in where.values() if at is not None}
    rest = tuple(at for at in range(len(first)) if named and at not in used and first[at].strip())
    start, end = cast("int", where["start"]), cast("int", where["end"])
    return Columns(where["item"], where["annotator"], start, end, where["label"], rest, tuple(first[at] for at in rest))


def _missing(source: Source, role: str, first: Sequence[str], *, named: bool) -> ColumnNotFound:
    if named:
        example, by_file = Hint(role, first[0]), Hint("annotator", "{file}")
        return ColumnNotFound(
            f"{source.name}: there is no column to take the {role} of units from; the table has {listing(first)}. Name "
            f"it, as in {example}" + (f"; for a file by one annotator pass {by_file}" if role == "annotator" else ""),
            hints=[example, by_file],
        )
    places = [Hint("annotator", 0), Hint("start", 1), Hint("end", 2)]
    return ColumnNotFound(
        f"{source.name}: the first line names no columns, and a table of units without names has 4 columns (annotator, "
        f"category, start, end) or 6 (id, annotator, category, nothing, start, end); this has {len(first)}. Put a line "
        f"of names on top, or give the places of the columns from 0, as in {', '.join(map(str, places))}",
        hints=places,
    )


def _is_pattern(column: object) -> TypeGuard[str]:
    return isinstance(column, str) and "{" in column


def _named(source: Source, role: str, column: Hashable, names: Sequence[str]) -> int | None:
    if _is_pattern(column):
        return None
    if column is not None:
        if isinstance(column, str) and column in names:
            return names.index(column)
        close = nearest(str(column), names)
        hints = [] if close is None else [Hint(role, close)]
        raise ColumnNotFound(
            f"{source.name}: there is no column {column!r} to take the {role} from; the table has {listing(names)}."
            + "".join(f" Did you mean {hint}?" for hint in hints),
            hints=hints,
        )
    fits = _called(role, names)
    if len(fits) > 1:
        example = Hint(role, names[fits[0]])
        raise ColumnNotFound(
            f"{source.name}: {listing(names[at] for at in fits)} could all be the {role}; say which, as in {example}",
            hints=[example],
        )
    return fits[0] if fits else None


def _placed(source: Source, role: str, column: Hashable, width: int) -> int | None:
    if _is_pattern(column):
        return None
    place = spelled_integer(str(column))
    if place is not None and 0 <= place < width:
        return place
    raise ColumnNotFound(
        f"{source.name}: the table has no line of names, so columns are called 0 to {width - 1}, and the {role} cannot "
        f"be taken from {column!r}"
    )


def _taken(rows: dict[int, list[str]], columns: Columns, *, named: bool) -> Step:
    first = next(iter(rows.values()))

    def called(at: int | None) -> str:
        return "no column" if at is None else repr(first[at]) if named else f"column {at}"

    document = "its file" if columns.item is None else called(columns.item)
    return Step(
        "taken",
        f"columns taken: document from {document}, annotator from {called(columns.annotator)}, start from "
        f"{called(columns.start)}, end from {called(columns.end)}, category from {called(columns.label)}",
    )


def _units(
    source: Source,
    rows: dict[int, list[str]],
    columns: Columns,
    given: Mapping[str, Hashable],
    steps: list[Step],
    *,
    named: bool,
) -> Iterator[tuple[Cell, Span | None, tuple[Hashable, ...]]]:
    """What rows hold: a unit of a document and an annotator, or that they looked, and entries of further columns."""
    by_file = marked.filled_in(
        given["item"] if _is_pattern(given["item"]) else "{file}",
        given["annotator"] if _is_pattern(given["annotator"]) else "",
        pattern_words(source),
    )
    if columns.item is None and columns.annotator is None and by_file[0] == by_file[1]:
        folder = Hint("item", "{folder}")
        raise KindError(
            f"{source.name}: the table has no column of documents, and {given['annotator']!r} cannot be both the "
            f"annotator and the document; say where the document is, as in {folder}",
            hints=[folder],
        )
    lost = 0
    for line, row in list(rows.items())[named:]:
        item = by_file[0] if columns.item is None else row[columns.item]
        who = by_file[1] if columns.annotator is None else row[columns.annotator]
        start, end = row[columns.start].strip(), row[columns.end].strip()
        label = None if columns.label is None else row[columns.label] or None
        if not who.strip() or not item.strip():
            raise FormatError(f"{source.name}, line {line}: the cell of the annotator or the document is empty")
        further = tuple(row[at] for at in columns.further)
        if not start and not end and label is None:
            yield (item, who), None, further
        elif not start or not end:
            lost += 1
        else:
            where = f"line {line}"
            low, high = marked.position(source.name, where, start), marked.position(source.name, where, end)
            marked.check_ends_after(source.name, where, low, high)
            yield (item, who), Span(low, high, label), further
    steps += noted("dropped", f"{source.name}: {counted(lost, 'row')} without a start or an end left out", lost)
