"""Tables in files: CSV, TSV, JSON, JSONL or Excel, by the ending of the path."""

from __future__ import annotations

import math
from collections.abc import Set as AbstractSet
from pathlib import Path

from interagree.data.writing import naming, write_file
from interagree.errors import FormatError, listing
from interagree.results.csv import delimited
from interagree.results.document import PICTURES, SUFFIXES
from interagree.results.workbook import RowSheet, workbook
from interagree.tables import Table, json_text

ENDINGS = (".csv", ".tsv", ".jsonl", ".json", ".xlsx")
DOCUMENTS = (frozenset(SUFFIXES) | PICTURES) - frozenset(ENDINGS)  # endings of documents and pictures, not tables


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
        content: str | bytes = delimited(_rows(table), "," if ending == ".csv" else "\t")
    elif ending == ".xlsx":
        with naming(place):
            content = workbook(RowSheet("table", _rows(table)))
    else:
        content = _json(table, lines=ending == ".jsonl")
    write_file(place, content)


def _json(table: Table, *, lines: bool) -> str:
    rows = [json_text(_plain(row)) for row in table.rows()]
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
    return json_text(plain)


def _rows(table: Table) -> list[list[str | float | None]]:
    return [[*table.columns], *([*map(_cell, row.values())] for row in table.rows())]
