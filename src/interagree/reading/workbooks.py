"""The file of a workbook: that it can be read without harm, and what its sheets say beside the values of cells.

The library that reads workbooks lays the cells of a sheet out as a whole rectangle, so one cell at a place far away, or
a cell repeated a billion times, fills the memory and ends the process.  It reads in a process of its own, which may
have so much memory and no more.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Sequence

from interagree.data.apart import apart
from interagree.data.files import Source
from interagree.data.memory import table_must_fit
from interagree.data.provenance import Step, counted, noted
from interagree.data.unpacking import CHUNK, allowed, too_large
from interagree.errors import FormatError
from interagree.reading.native import SheetCells, workbook


def read_workbook(source: Source, content: bytes) -> list[SheetCells]:
    """The sheets of a workbook; an error where cells stand at one place, or one of them far away from the others."""
    _check_places(source, content)
    advice = "delete cells that stand far away from the table, or save it as CSV"
    sheets = apart(workbook, content, file=source.name, what="a workbook", advice=advice)
    for sheet in sheets:
        if sheet.rows is None:
            raise FormatError(
                f"{source.name}, sheet {sheet.name!r}: {counted(sheet.filled, 'cell')} lie in {sheet.height:,} rows "
                f"and {sheet.width:,} columns, so one of them stands far away from the table; delete it, or save the "
                "table as CSV"
            )
    return sheets


def _check_places(source: Source, content: bytes) -> None:
    """An error where a packed workbook would fill the memory, or has two cells at one place."""
    if not content.startswith(b"PK"):
        return
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        unpacked = sum(part.file_size for part in book.infolist())
        if unpacked > allowed(len(content)):
            raise too_large(source.name, len(content), "save its tables as CSV")
        table_must_fit(source.name, unpacked)
        for part in book.namelist():
            inside, where = _part(book, part), f"{source.name}, {part}"
            if part.startswith("xl/worksheets/") and part.endswith(".xml"):
                _check_single(where, _NAMED.findall(inside))
            elif part.startswith("xl/worksheets/") and part.endswith(".bin"):
                _check_single(where, _binary_places(where, inside))


def _part(book: zipfile.ZipFile, name: str) -> bytes:
    """A part of a workbook; one that is damaged, or larger than it states, is an error before it fills the memory."""
    with book.open(name) as stream:
        return b"".join(iter(lambda: stream.read(CHUNK), b""))


def _check_single(where: str, places: Sequence[bytes]) -> None:
    """An error where two cells stand at one place, of which the library that reads them keeps the last."""
    if len(set(places)) < len(places):
        twice = next(place for place, times in Counter(places).items() if times > 1).decode("ascii", "replace")
        raise FormatError(
            f"{where}: two cells are at the place {twice}, and only one of them would be read; the file is damaged, so "
            "open it in a spreadsheet program and save it again"
        )


# A cell and its place, such as B7.
_NAMED = re.compile(rb"""<(?:\w+:)?c\s[^>]*?\br=["']([A-Za-z]+\d+)""")

# -- records of .xlsb ---------------------------------------------------------------------------------------

_ROW, _CELL_KINDS, _END = 0, range(1, 12), 0x92  # numbers of records: a row, cells in it, the end of the cells
_ROWS_OF_A_SHEET = 1 << 20


def _binary_places(where: str, sheet: bytes) -> list[bytes]:
    """The places of the filled cells of an .xlsb sheet; an error where they would not all be read.

    The library that reads them stops at a row that no sheet has, and at the end of the cells, whatever follows.
    """
    places: list[bytes] = []
    at, row, ended = 0, 0, False
    while at < len(sheet):
        kind, at = _compressed(sheet, at, 2)
        size, at = _compressed(sheet, at, 4)
        content, at = sheet[at : at + 4], at + size
        if at > len(sheet):
            break  # which is said when the sheet is read
        number = int.from_bytes(content, "little")
        if kind == _ROW:
            row = number
        elif kind == _END:
            ended = True
        if kind == _ROW and row >= _ROWS_OF_A_SHEET:
            raise FormatError(
                f"{where}: a row has the number {row + 1:,}, and a sheet has {_ROWS_OF_A_SHEET:,} rows; the file is "
                "damaged, so what follows would be lost"
            )
        if kind in _CELL_KINDS:
            if ended:
                raise FormatError(f"{where}: cells follow after the end of the sheet; the file is damaged")
            if kind > 1:  # the first kind is an empty cell
                places.append(f"row {row + 1}, column {number + 1}".encode())
    return places


def _compressed(sheet: bytes, at: int, most: int) -> tuple[int, int]:
    """A number written in up to so many bytes of seven bits each, the lowest first; and where it ends."""
    number = 0
    for place, byte in enumerate(sheet[at : at + most]):
        number |= (byte & 0x7F) << 7 * place
        at += 1
        if byte < 0x80:
            break
    return number, at


# -- cells without a value ----------------------------------------------------------------------------------

# Cells that hold an error, and formulas without a value.
_ERROR = re.compile(rb'<c\b[^>]*\bt="e"')
_NEVER = re.compile(rb"<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)(?:<v\s*/>|<v></v>)?</c>")
_PART = re.compile(rb"<sheet\b[^>]*?>")
_TARGET = re.compile(rb"<Relationship\b[^>]*?>")


def uncalculated(content: bytes) -> dict[str, list[Step]]:
    """What to say about errors and formulas without a value, by the name of the sheet; of .xlsx and .xlsm only."""
    if not content.startswith(b"PK"):
        return {}
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        if "xl/workbook.xml" not in packed.namelist():
            return {}
        targets = {
            _attribute(tag, "Id"): _attribute(tag, "Target").removeprefix("/xl/")
            for tag in _TARGET.findall(packed.read("xl/_rels/workbook.xml.rels"))
        }
        steps: dict[str, list[Step]] = {}
        for tag in _PART.findall(packed.read("xl/workbook.xml")):
            part = f"xl/{targets.get(_attribute(tag, 'r:id'))}"
            if part in packed.namelist():
                steps[_attribute(tag, "name")] = _odd(packed.read(part))
        return steps


def _attribute(tag: bytes, name: str) -> str:
    import html

    match = re.search(rb"\b" + name.encode() + rb'="([^"]*)"', tag)
    return html.unescape(match[1].decode("utf-8", "replace")) if match else ""


def _odd(sheet: bytes) -> list[Step]:
    errors, never = len(_ERROR.findall(sheet)), len(_NEVER.findall(sheet))
    wrong = f"{counted(errors, 'cell')} with an error such as #N/A taken as empty"
    open_formulas = (
        f"{counted(never, 'formula')} without a value taken as empty; open the file in a spreadsheet "
        "program and save it, and they have one"
    )
    return [*noted("dropped", wrong, errors), *noted("noticed", open_formulas, never)]
