"""Spreadsheets: Excel workbooks (.xlsx, .xlsm, .xlsb, .xls) and OpenDocument (.ods).

An empty cell means that there is no annotation.  Rows above the header, empty rows and columns, and headers of two
rows are dealt with as in text files.  Whole numbers are whole numbers, formulas count by their last value, and errors
such as ``#N/A`` are empty cells, counted.

**Several sheets.** A sheet with a title and some remarks is left out, and so is a hidden one; both are said.  Where
several sheets hold tables, they are taken together if their columns say how, such as one sheet for each annotator; else
name the sheet, or several of them:

    interagree.read("coding.xlsx", sheet="round 2")
    interagree.read("coding.xlsx", sheet=["Ann", "Bo"])

A sheet can also be given by its number, counted from 0.  Where it is not plain whether the first row names the columns,
say so by ``header=True`` or ``header=False``; ``skip=3`` leaves out the first three rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.data.study import Study
from interagree.declare import reader
from interagree.reading.questions import study
from interagree.reading.sheets import tables


@reader("Excel and OpenDocument", suffixes=(".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), tabular=True)
def excel(
    path: str | Path | Source,
    *,
    sheet: str | int | Sequence[str | int] | None = None,
    header: bool | None = None,
    skip: int = 0,
    **options: Any,
) -> Study:
    """Tables in a workbook.

    Args:
        path: The file.
        sheet: The sheet of that name or number, counted from 0, or several; by default those that hold tables.
        header: Whether the first row names the columns; told from the cells by default.
        skip: How many rows at the top to leave out.
        options: What `interagree.read` takes.
    """
    source = Source.of(path)
    return study(source, tables(source, sheet, header=header, skip=skip), from_text=True, **options)
