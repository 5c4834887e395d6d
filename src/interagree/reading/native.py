"""What libraries in machine code read, in a process of their own (`interagree.data.apart`); it loads nothing else."""

from __future__ import annotations

import io
from typing import Any, NamedTuple

ROOMY = 10_000_000  # cells that a sheet may span, however few of them are filled
SPARSE = 1000  # … and those that it may span for each that is filled


class SheetCells(NamedTuple):
    """A sheet of a workbook as it is."""

    name: str
    hidden: bool
    height: int
    width: int
    filled: int  # cells, where the sheet is large
    rows: list[list[Any]] | None  # None where few cells lie far apart
    merged: list[tuple[tuple[int, int], tuple[int, int]]]


def workbook(content: bytes) -> list[SheetCells]:
    """The sheets of a workbook, which the library lays out as whole rectangles."""
    import python_calamine as calamine

    sheets = []
    with calamine.CalamineWorkbook.from_filelike(io.BytesIO(content)) as book:
        for about in book.sheets_metadata:
            if about.typ != calamine.SheetTypeEnum.WorkSheet:
                continue
            sheet = book.get_sheet_by_name(about.name)
            height, width = (last + 1 for last in sheet.end or (-1, -1))
            large = height * width > ROOMY
            filled = sum(cell != "" for row in sheet.iter_rows() for cell in row) if large else 0
            rows = None if large and height * width > SPARSE * filled else sheet.to_python(skip_empty_area=False)
            hidden = about.visible != calamine.SheetVisibleEnum.Visible
            merged = [*(sheet.merged_cell_ranges or ())]
            sheets.append(SheetCells(about.name, hidden, height, width, filled, rows, merged))
    return sheets


class Variables(NamedTuple):
    """The columns of a file of SPSS, Stata or SAS, and what it says of each by its name."""

    columns: dict[str, Any]
    labels: dict[str, str]
    measures: dict[str, str]
    value_labels: dict[str, dict[Any, Any]]
    missing_ranges: dict[str, Any]
    missing_values: dict[str, Any]


def statistics(content: bytes, read: str, more: dict[str, bool]) -> Variables:
    """What a function of pyreadstat reads."""
    from pyreadstat import _readstat_parser, pyreadstat  # noqa: F401 -- the first is loaded late by the other

    columns, about = getattr(pyreadstat, read)(io.BytesIO(content), output_format="dict", **more)
    return Variables(
        dict(columns),
        dict(about.column_names_to_labels),
        dict(about.variable_measure),
        dict(about.variable_value_labels),
        dict(about.missing_ranges),
        dict(about.missing_user_values),
    )
