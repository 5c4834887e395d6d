"""Excel workbooks: one sheet, its first row naming the columns.  An empty cell means that there is no annotation."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.data.provenance import Step
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, UnknownName, extra, listing, suggestion
from interagree.reading.questions import study
from interagree.reading.tables import Table


@reader("Excel", suffixes=(".xlsx", ".xlsm"), tabular=True)
def excel(path: str | Path | Source, *, sheet: str | int | None = None, **options: Any) -> Study:
    """The sheet of that name or number, counted from 0; by default the first."""
    source = Source.of(path)
    rows, steps = _rows(source, sheet)
    header = next((number for number, row in enumerate(rows) if any(cell is not None for cell in row)), None)
    if header is None:
        raise FormatError(f"{source.name}: the sheet is empty; expected a row that names the columns")
    body = [
        (n + 1, row) for n, row in enumerate(rows) if n > header and any(cell is not None for cell in row)
    ]
    columns: dict[Any, list[Any]] = {}
    index = None
    for place, name in enumerate(rows[header]):
        column = [row[place] for _, row in body]
        if name is None and place == 0:
            index = column
        elif name in columns:
            raise FormatError(f"{source.name}, row {header + 1}: two columns are called {name!r}; rename one")
        elif name is not None or any(cell is not None for cell in column):
            columns[f"column {place + 1}" if name is None else name] = column
    table = Table.of(columns, index=index, lines=[number for number, _ in body], steps=steps)
    return study(source, table, text=True, **options)


def _rows(source: Source, sheet: str | int | None) -> tuple[list[tuple[Any, ...]], tuple[Step, ...]]:
    try:
        import openpyxl
    except ImportError:
        raise extra("openpyxl", "excel", purpose="an Excel workbook") from None
    import zipfile

    try:
        book = openpyxl.load_workbook(io.BytesIO(source.read()), read_only=True, data_only=True)
    except (zipfile.BadZipFile, KeyError, openpyxl.utils.exceptions.InvalidFileException) as error:
        raise FormatError(f"{source.name} is not an Excel workbook: {error}") from None
    names = book.sheetnames
    name = (
        names[0]
        if sheet is None
        else names[sheet]
        if isinstance(sheet, int) and sheet < len(names)
        else sheet
    )
    if name not in names:
        raise UnknownName(
            f"{source.name} has no sheet {sheet!r}; it has {listing(names)}.{suggestion(str(sheet), names)}"
        )
    steps = (
        (Step("taken", f"the sheet {name!r}, the first of {len(names)}"),)
        if sheet is None and len(names) > 1
        else ()
    )
    rows = list(book[name].iter_rows(values_only=True))
    book.close()
    return rows, steps
