"""CSV and TSV: a table as text, the first line naming the columns.

Everything is read as text, so "NA", "None", "null" and "01" stay what they are; numbers become numbers where a scale
asks for them.  An empty cell means that there is no annotation.
"""

from __future__ import annotations

import csv as standard
import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, listing
from interagree.reading.questions import study
from interagree.reading.tables import Table

LARGE = 20_000_000  # bytes from which on Arrow reads the file, where it is installed
CHUNK = 4096  # rows that are dealt with at once
DELIMITERS = ",;\t|"


@reader("CSV and TSV", suffixes=(".csv", ".tsv", ".tab"), tabular=True)
def csv(
    path: str | Path | Source,
    *,
    delimiter: str | None = None,
    encoding: str = "utf-8-sig",
    header: bool = True,
    **options: Any,
) -> Study:
    """A table in a text file; without ``header`` the columns are called by their place, from 0."""
    source = Source.of(path)
    table = (
        _by_arrow(source, delimiter) if header and source.size > LARGE and encoding == "utf-8-sig" else None
    )
    if table is None:
        table = _by_hand(source, source.text(encoding), delimiter, header=header)
    return study(source, table, text=True, **options)


def _by_hand(source: Source, text: str, delimiter: str | None, *, header: bool) -> Table:
    lines = standard.reader(io.StringIO(text, newline=""), delimiter=delimiter or _delimiter(source, text))
    try:
        first = next((row for row in lines if row), None)
        if first is None:
            raise FormatError(f"{source.name} is empty; expected a line that names the columns")
        names: list[Any] = _names(source, first) if header else list(range(len(first)))
        columns: list[list[str]] = [[] if header else [cell] for cell in first]
        numbers = [] if header else [lines.line_num]
        last = lines.line_num
        while chunk := list(islice(lines, CHUNK)):  # few rows at a time, which spares the garbage collector
            if lines.line_num - last == len(chunk) and set(map(len, chunk)) == {len(names)}:
                numbers.extend(range(last + 1, lines.line_num + 1))
            else:
                numbers.extend(_placed(source, chunk, last, names))
            for column, cells in zip(columns, zip(*filter(None, chunk), strict=True), strict=False):
                column.extend(cells)
            last = lines.line_num
    except standard.Error as error:
        raise FormatError(f"{source.name}, line {lines.line_num}: {error}") from None
    return _table(dict(zip(names, columns, strict=True)), numbers)


def _placed(source: Source, rows: list[list[str]], line: int, names: list[Any]) -> Iterator[int]:
    """The line in which each row ends, blank ones left out, or an error where a row has too few or too many cells."""
    for row in rows:
        line += 1 + sum(cell.count("\n") for cell in row)
        if row and len(row) != len(names):
            raise FormatError(
                f"{source.name}, line {line}: expected {len(names)} cells ({listing(names, most=6)}), found "
                f"{len(row)}: {listing(row, most=6)}"
            )
        if row:
            yield line


def _table(columns: dict[Any, Any], lines: list[int] | None = None) -> Table:
    # A first column without a name holds the names of the rows, as frames write them.
    index = columns.pop("", None)
    return Table.of(columns, index=index, lines=lines)


def _names(source: Source, first: list[str]) -> list[str]:
    names = [name or (f"column {place + 1}" if place else "") for place, name in enumerate(first)]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise FormatError(
            f"{source.name}: the first line names the columns, and {listing(twice)} stands there twice; rename one, "
            "or put a line of names on top if the first line holds data"
        )
    return names


def _delimiter(source: Source, text: str) -> str:
    """The sign that cuts the first lines into the same number of cells, the more cells the better."""
    if source.suffix in (".tsv", ".tab"):
        return "\t"
    start = text[:20_000].splitlines()[:20]
    best, most = ",", 1
    for sign in DELIMITERS:
        widths = [len(row) for row in standard.reader(start[:-1] or start, delimiter=sign) if row]
        if widths and widths[0] > most and (len(set(widths)) == 1 or most == 1):
            best, most = sign, widths[0]
    return best


def _by_arrow(source: Source, delimiter: str | None) -> Table | None:
    try:
        import pyarrow as pa
        import pyarrow.csv as arrow_csv
    except ImportError:
        return None
    with source.open() as stream:
        start = stream.read(20_000).decode("utf-8-sig", errors="ignore")
    sign = delimiter or _delimiter(source, start)
    first = next((row for row in standard.reader(io.StringIO(start, newline=""), delimiter=sign) if row), [])
    names = _names(source, first)
    try:
        with source.open() as stream:
            table = arrow_csv.read_csv(
                stream,
                parse_options=arrow_csv.ParseOptions(delimiter=sign, newlines_in_values=True),
                convert_options=arrow_csv.ConvertOptions(
                    column_types=dict.fromkeys(first, pa.string()), null_values=[], strings_can_be_null=False
                ),
            )
    except pa.ArrowInvalid as error:
        raise FormatError(f"{source.name}: {error}") from None
    return _table({name: table.column(place) for place, name in enumerate(names)})
