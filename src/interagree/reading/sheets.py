"""Workbooks: which sheets hold tables, and what their cells hold.

Whole numbers, which spreadsheets keep as reals, are whole numbers.  A date without a time is midnight.  Formulas count
by their last value.  Errors such as ``#N/A`` and formulas that were never calculated are empty cells; in the formats
of Excel 2007 and later they are counted.  Whole numbers of more than 15 digits, such as ids of posts, are not kept
exactly by any spreadsheet, and are noticed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TypeAlias

from interagree.data.apart import Failed
from interagree.data.files import Source
from interagree.data.provenance import Step, counted, noted
from interagree.data.values import spelled_integer
from interagree.errors import Advice, FormatError, Hint, InteragreeError, UnknownName, extra, listing, suggestion
from interagree.reading.cells import Cell, Row
from interagree.reading.columnar import shortened
from interagree.reading.evidence import sample
from interagree.reading.grid import table_from_grid
from interagree.reading.native import SheetCells
from interagree.reading.tables import NamedColumns
from interagree.reading.workbooks import read_workbook, uncalculated

AS_TEXT = Hint("format", "csv")
EXACT = 2**53  # up to here every whole number is a real of its own
COLUMN = 5  # cells from which on a single column may be the answers of somebody
HEAD = 6  # rows among which merged cells are those of a header
Grid: TypeAlias = list[list[Cell]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a workbook."""

    name: str
    rows: Grid
    hidden: bool = False
    steps: tuple[Step, ...] = ()
    skipped: int = 0  # rows on top that were left out

    @property
    def filled(self) -> int:
        """How many cells hold something."""
        return sum(cell is not None for row in self.rows for cell in row)

    @property
    def tabular(self) -> bool:
        """Whether two rows or more have two cells or more; a title with some remarks does not."""
        return sum(sum(cell is not None for cell in row) > 1 for row in self.rows) > 1


def tables(
    source: Source, sheet: str | int | Sequence[str | int] | None = None, *, header: bool | None = None, skip: int = 0
) -> NamedColumns | Mapping[str, NamedColumns]:
    """The table of a workbook, or where several sheets hold tables, each by the name of its sheet.

    Args:
        source: The file.
        sheet: The name or number of a sheet, or several; by default those that hold tables.
        header: Whether the first row that is not empty names the columns; told by contents where it is not said.
        skip: How many rows on top to leave out.
    """
    every = [replace(read, rows=read.rows[skip:], skipped=skip) for read in _workbook(source)]
    if sheet is not None:
        asked = [sheet] if isinstance(sheet, str | int) else sheet
        wanted = [_named(source, every, name) for name in asked]
        empty = [sheet.name for sheet in wanted if not sheet.filled]
        if empty:
            raise FormatError(f"{source.name}: the sheet {listing(empty)} is empty; expected a table")
        made = {sheet.name: _table(source, sheet, header=header) for sheet in wanted}
        return made if len(made) > 1 else next(iter(made.values()))
    filled = [each for each in every if each.filled]
    shown = [each for each in filled if not each.hidden] or filled
    tabular = [each for each in shown if each.tabular]
    holding = tabular or [each for each in shown if each.filled >= COLUMN] or shown[:1]
    if not holding:
        raise FormatError(f"{source.name}: all sheets are empty; expected a table with a row that names the columns")
    if len(holding) > 1:
        return {each.name: _table(source, each, *_aside(filled, holding), header=header) for each in holding}
    (only,) = holding
    chosen = Step("taken", f"the sheet {only.name!r}, the only one of {len(filled)} that was taken for a table")
    taken = [chosen] if len(filled) > 1 else []
    return _table(source, only, *taken, *_aside(filled, holding), header=header)


def _aside(filled: Sequence[Sheet], holding: Sequence[Sheet]) -> list[Step]:
    """What to say about the sheets that are not read."""
    left = [sheet for sheet in filled if sheet not in holding]
    hidden = [sheet.name for sheet in left if sheet.hidden]
    notes = [f"{sheet.name!r} ({counted(sheet.filled, 'cell')})" for sheet in left if not sheet.hidden]
    steps = noted("dropped", f"sheets without a table left out: {listing(notes, quote=False)}", len(notes))
    if not hidden:
        return steps
    unread = f"{counted(len(hidden), 'hidden sheet')} not read: {listing(hidden)}; to read it, pass "
    return [Step("noticed", Advice.of(unread, Hint("sheet", hidden[0])), len(hidden)), *steps]


def _named(source: Source, every: Sequence[Sheet], asked: str | int) -> Sheet:
    by_name = {sheet.name: sheet for sheet in every}
    if asked in by_name:
        return by_name[asked]
    place = spelled_integer(asked) if isinstance(asked, str) else asked
    if isinstance(place, int) and 0 <= place < len(every):
        return every[place]
    raise UnknownName(
        f"{source.name} has no sheet {asked!r}; it has {listing(by_name)}.{suggestion(str(asked), by_name)}"
    )


def _table(source: Source, sheet: Sheet, *steps: Step, header: bool | None) -> NamedColumns:
    first = sheet.skipped + 1
    table = table_from_grid(
        sheet.rows,
        name=f"{source.name}, sheet {sheet.name!r}",
        lines=range(first, first + len(sheet.rows)),
        header=header,
    )
    return replace(table, steps=(*steps, *sheet.steps, *table.steps, *_dates(table)))


def _dates(table: NamedColumns) -> list[Step]:
    """Columns in which some cells are dates and others are not: spreadsheets make dates of '1,3' and of '3-4'."""
    steps = []
    for name, column in table.fetch(table.names).items():
        cells = [cell for cell in sample(column, None) if cell is not None]
        dates = sum(isinstance(cell, dt.datetime) for cell in cells)
        if dates and len(cells) - dates > 1:
            sentence = (
                f"{counted(dates, 'cell')} of the column {name!r} {'is a date' if dates == 1 else 'are dates'} and "
                f"{len(cells) - dates} are not; spreadsheets make dates of entries such as '1,3' or '3-4'"
            )
            steps.append(Step("noticed", sentence, dates))
    return steps


# -- the cells ----------------------------------------------------------------------------------------------


def _workbook(source: Source) -> list[Sheet]:
    if find_spec("python_calamine") is None:
        raise extra("python-calamine", "excel", purpose="a workbook")
    content = source.read()
    try:
        sheets = read_workbook(source, content)
        odd = uncalculated(content)
        return [_sheet(cells, odd.get(cells.name, ())) for cells in sheets]
    except InteragreeError:
        raise
    except Exception as error:  # noqa: BLE001 -- of the library, of zip files, of XML
        if isinstance(error, Failed) and error.kind == "PasswordError":
            raise FormatError(f"{source.name} is protected by a password; save it without one, or as CSV") from None
        raise FormatError(
            f"{source.name} is not an Excel workbook or an OpenDocument spreadsheet, or is damaged: "
            f"{shortened(error)}. If it is text under that name, read it with {AS_TEXT}",
            hints=[AS_TEXT],
        ) from None


def _sheet(sheet: SheetCells, steps: Sequence[Step]) -> Sheet:
    rows = [[_cell(cell) for cell in row] for row in sheet.rows or ()]
    below = 0
    for (top, left), (bottom, last) in sheet.merged:
        if top >= len(rows) or left >= len(rows[top]):
            continue  # outside of all that is filled
        right = min(last, len(rows[top]) - 1)
        if top == bottom and top < HEAD and not _whole_row(rows[top], left, right):
            rows[top][left : right + 1] = [rows[top][left]] * (right + 1 - left)
        elif bottom > top >= HEAD:
            below += 1
    merged = f"{counted(below, 'merged cell')} below the header: only the first row of each holds what it says"
    long = sum(type(cell) is float and cell.is_integer() and abs(cell) >= EXACT for row in rows for cell in row)
    rounded = (
        f"{counted(long, 'whole number')} too long for a spreadsheet, which keeps 15 digits; different "
        "ids may have become the same, so keep them as text"
    )
    steps = (*steps, *noted("noticed", merged, below), *noted("noticed", rounded, long))
    return Sheet(sheet.name, rows, sheet.hidden, steps)


def _whole_row(row: Row, left: int, right: int) -> bool:
    """Whether merged cells are all that a row holds, as those of a title are."""
    return all(cell is None for place, cell in enumerate(row) if not left <= place <= right)


def _cell(cell: Cell) -> Cell:
    if type(cell) is str:
        return cell or None
    if type(cell) is float:
        return int(cell) if cell.is_integer() and abs(cell) < EXACT else cell
    if type(cell) is dt.date:
        return dt.datetime.combine(cell, dt.time())
    return cell
