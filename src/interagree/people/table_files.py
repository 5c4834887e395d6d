"""Tables in files: CSV, TSV, JSON, JSONL or Excel, by the ending of the path."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Set as AbstractSet
from pathlib import Path

from interagree.errors import FormatError, extra, listing
from interagree.results.document import SUFFIXES
from interagree.tables import Table

ENDINGS = (".csv", ".tsv", ".jsonl", ".json", ".xlsx")
DOCUMENTS = frozenset(SUFFIXES) - frozenset(ENDINGS)  # endings of documents that are not tables


def write_table(table: Table, path: str | Path) -> None:
    """Write a table; numbers are not rounded, and what is undefined is left empty."""
    place = Path(path)
    ending = place.suffix.lower()
    if ending not in ENDINGS:
        has = f"{ending!r}" if ending else "no ending"
        raise FormatError(
            f"{place}: the ending says how to write, and this has {has}; take {listing(ENDINGS, quote=False)}"
        )
    if ending in (".csv", ".tsv"):
        content = _text(table, "," if ending == ".csv" else "\t").encode("utf-8")
    elif ending == ".xlsx":
        content = _excel(table)
    else:
        content = _json(table, lines=ending == ".jsonl").encode("utf-8")
    place.write_bytes(content)


def _json(table: Table, *, lines: bool) -> str:
    rows = [json.dumps(_plain(row), ensure_ascii=False, allow_nan=False, default=str) for row in table.rows()]
    return "".join(f"{row}\n" for row in rows) if lines else "[\n" + ",\n".join(rows) + "\n]\n"


def _plain(entry: object) -> object:
    if isinstance(entry, dict):
        return {str(name): _plain(part) for name, part in entry.items()}
    if isinstance(entry, list | tuple):
        return [_plain(part) for part in entry]
    if isinstance(entry, AbstractSet):
        return sorted((_plain(part) for part in entry), key=str)
    return None if isinstance(entry, float) and not math.isfinite(entry) else entry


def _cell(entry: object) -> str | float | None:
    """An entry as one cell: JSON for what is neither text nor a number."""
    plain = _plain(entry)
    if plain is None or isinstance(plain, str | int | float):
        return plain
    return json.dumps(plain, ensure_ascii=False, default=str)


def _text(table: Table, delimiter: str) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([*map(_cell, row.values())] for row in table.rows())
    return out.getvalue()


def _excel(table: Table) -> bytes:
    try:
        import openpyxl
        from openpyxl.cell import WriteOnlyCell
    except ImportError:
        raise extra("openpyxl", "excel", purpose="writing Excel") from None
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("table")
    rows: list[list[str | float | None]] = [[*table.columns], *([*map(_cell, row.values())] for row in table.rows())]
    for row in rows:
        cells = [WriteOnlyCell(sheet, value=entry) for entry in row]
        for cell, entry in zip(cells, row, strict=True):
            if isinstance(entry, str):
                cell.data_type = "s"  # text that begins with = is not a formula
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
