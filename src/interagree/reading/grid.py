"""Cells as they stand in a sheet or a text file become a table of named columns.

Above the table there may be titles (`headers`) and below it totals and legends (`footers`); people also leave rows and
columns empty.  Whatever was set aside or assumed is a step of the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from interagree.data.arrow import entries
from interagree.data.provenance import Step, counted, noted
from interagree.data.values import number, spelled_integer
from interagree.errors import FormatError, listing
from interagree.reading.cells import Cell, FileColumn, Row, extent, is_arrow, is_empty
from interagree.reading.footers import footer_rows, last_rows
from interagree.reading.headers import SAMPLE, GridShape, shape_of
from interagree.reading.tables import NamedColumns

NAMING = ("item", "annotator", "value", "attributes", "times", "question")  # options that name columns


def table_from_grid(
    rows: Sequence[Row], *, name: str, lines: Sequence[int] | None = None, header: bool | None = None
) -> NamedColumns:
    """A table from raw cells, None or "" where a cell is empty.

    Args:
        rows: The cells, row by row; rows may be of different length.
        name: What errors call the table.
        lines: The line or row of the file in which each row stands.
        header: Whether the first row that is not empty names the columns; told by contents where it is not said.
    """
    where = range(1, len(rows) + 1) if lines is None else lines
    shape = shape_of(rows[:SAMPLE], where[:SAMPLE], name=name, header=header)
    body = Body(shape, name)
    body.extend(rows[shape.start :], where[shape.start :])
    return finish(body.columns, shape, steps=body.steps(), lines=body.lines)


def by_place(table: NamedColumns, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that name columns, with "1" taken as the place 1 where columns have no names."""
    if not all(isinstance(name, int) for name in table.names):
        return dict(options)
    return {name: _placed(entry) if name in NAMING else entry for name, entry in options.items()}


def _placed(entry: object) -> object:
    if isinstance(entry, list | tuple):
        return [_placed(name) for name in entry]
    place = spelled_integer(entry) if isinstance(entry, str) else None
    return entry if place is None else place


class Body:
    """The rows below the header, taken in some at a time, as columns."""

    def __init__(self, shape: GridShape, name: str) -> None:
        self.name = name
        self.names = shape.names
        self.header = None if shape.header is None else list(shape.header)
        self.columns: list[list[Cell]] = [[] for _ in shape.names]
        self.lines: list[int] = []
        self.short: list[tuple[int, Row]] = []  # rows that end early, with their place among the rows
        self.blank = 0
        self.again = 0

    def extend(self, rows: Sequence[Row], lines: Sequence[int]) -> None:
        """Take in some rows."""
        width = len(self.names)
        plain = set(map(len, rows)) == {width} and all(row[0] for row in rows) and self.header not in rows
        if not plain:
            kept = [
                (even, line)
                for row, line in zip(rows, lines, strict=True)
                if (even := self._even(row, line)) is not None
            ]
            if not kept:
                return
            rows, lines = zip(*kept, strict=True)
        self.lines.extend(lines)
        for column, cells in zip(self.columns, zip(*rows, strict=True), strict=True):
            column.extend(cells)

    def _even(self, row: Row, line: int) -> Row | None:
        """A row of the right length; None where it is empty or the header again."""
        width = len(self.names)
        length = extent(row)
        if not length:
            self.blank += bool(row)
            return None
        if self.header is not None and list(row) == self.header:
            self.again += 1
            return None
        if length > width:
            raise self._uneven(row[:length], line)
        if len(row) < width:
            self.short.append((line, row))
            return [*row, *[""] * (width - len(row))]
        return row[:width]

    def _uneven(self, row: Row, line: int) -> FormatError:
        return FormatError(
            f"{self.name}, line {line}: expected {len(self.names)} cells ({listing(self.names, most=6)}), found "
            f"{len(row)}: {listing(row, most=6)}"
        )

    def _check_short(self) -> None:
        """An error where a row has lost a cell before its end, so that its cells stand in wrong columns."""
        reached = max(len(row) for _, row in self.short) + 1
        usual = [
            Counter(map(str, column[:SAMPLE])) - Counter(str(row[place]) for _, row in self.short if place < len(row))
            for place, column in enumerate(self.columns[:reached])
        ]
        numeric = [
            bool(entries) and sum(number(entry) is not None for entry in entries) >= 0.8 * len(entries)
            for entries in usual
        ]
        for line, row in self.short:
            for place, cell in enumerate(row):
                if number(cell) is not None or is_empty(cell) or str(cell) in usual[place]:
                    continue
                if numeric[place] or (place + 1 < len(usual) and str(cell) in usual[place + 1]):
                    raise self._uneven(row, line)

    def steps(self) -> list[Step]:
        """What was done to the rows; an error where a row that ends early has lost a cell before its end."""
        steps = []
        if self.short:
            self._check_short()
            sentence = (
                f"{counted(len(self.short), 'row')} shorter than the header, the first being line "
                f"{self.short[0][0]}: the cells at the end are taken as empty"
            )
            steps = [Step("assumed", sentence, len(self.short))]
        again = f"the header, {counted(self.again, 'time')} more among the rows, left out"
        steps += noted("dropped", again, self.again)
        return steps + noted("dropped", f"{counted(self.blank, 'empty row')} left out", self.blank)


def finish(
    columns: Sequence[FileColumn], shape: GridShape, *, steps: Iterable[Step] = (), lines: Sequence[int] | None = None
) -> NamedColumns:
    """The table of columns, lists or Arrow's, without rows and columns that hold no data, under distinct names."""
    all_steps = [*shape.steps, *steps]
    cut = footer_rows(columns, shape.names)
    if cut:
        size = len(columns[0]) - cut
        shown = [next(str(cell) for cell in row if not is_empty(cell)) for row in last_rows(columns, cut)]
        columns = [column[:size] for column in columns]
        lines = None if lines is None else lines[:size]
        sentence = f"{counted(cut, 'row')} at the bottom left out as totals or notes: {listing(shown, most=3)}"
        all_steps.append(Step("dropped", sentence, cut))
    kept = [place for place, name in enumerate(shape.names) if name != "" or not _is_blank(columns[place])]
    inside = kept[-1] + 1 - len(kept) if kept else 0
    all_steps += noted("dropped", f"{counted(inside, 'empty column')} left out", inside)
    index = None
    if kept and shape.names[kept[0]] == "":
        index = columns[kept.pop(0)]
    named: dict[Hashable, FileColumn] = {}
    renamed: list[Hashable] = []
    for place in kept:
        name = shape.names[place]
        own = _own(name if name != "" else f"column {place + 1}", named)
        if name not in (own, ""):
            renamed.append(own)
        named[own] = columns[place]
    all_steps += noted("assumed", f"columns of the same name numbered: {listing(renamed, most=6)}", len(renamed))
    return NamedColumns.of(named, index=index, lines=lines, steps=tuple(all_steps))


def _own(name: Hashable, taken: Container[Hashable]) -> Hashable:
    """A name that no column has yet."""
    if name not in taken:
        return name
    return next(own for n in count(2) if (own := f"{name} ({n})") not in taken)


def _is_blank(column: FileColumn) -> bool:
    return all(map(is_empty, entries(column.unique()) if is_arrow(column) else column))
