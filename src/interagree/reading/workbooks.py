"""The file of a workbook: that it can be read without harm, and what its sheets say beside the values of cells.

The library that reads workbooks lays the cells of a sheet out as a whole rectangle, so one cell at a place far away, or
a cell repeated a billion times, fills the memory and ends the process.  In .xlsx the places of cells are looked through
beforehand; files in other formats are first read by a process of their own, which may have so much memory and no more.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence

from interagree.data.files import Source
from interagree.data.memory import table_must_fit
from interagree.data.provenance import Step, counted, noted
from interagree.data.unpacking import CHUNK, allowed, too_large
from interagree.errors import FormatError

ROOMY = 10_000_000  # cells that a sheet may span, however few of them are filled
SPARSE = 1000  # … and those that it may span for each that is filled
MEMORY = 3 << 30  # bytes that a process may have to read a workbook, beside a multiple of its size
SECONDS = 5  # of processor time that it may take, beside some for each megabyte

# Reads all sheets, as the caller will, in a process that may fail.
PROBE = """
import io, json, sys
memory, seconds, paths = json.loads(sys.argv[1])
sys.path[:] = paths
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, OSError, ValueError):
    pass
import python_calamine as calamine
try:
    book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(sys.stdin.buffer.read()))
    spans = []
    for sheet in book.sheets_metadata:
        if sheet.typ == calamine.SheetTypeEnum.WorkSheet:
            read = book.get_sheet_by_name(sheet.name)
            height, width = (last + 1 for last in read.end or (-1, -1))
            filled = sum(cell != "" for row in read.iter_rows() for cell in row) if height * width > 10**7 else 0
            spans.append((sheet.name, height, width, filled))
    print(json.dumps(spans))
except BaseException:
    sys.exit(1)
"""


def check_workbook(source: Source, content: bytes) -> None:
    """An error where a workbook would fill the memory."""
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            unpacked = sum(part.file_size for part in book.infolist())
            if unpacked > allowed(len(content)):
                raise too_large(source.name, len(content), "save its tables as CSV")
            table_must_fit(source.name, unpacked)
            if "xl/workbook.xml" in book.namelist():
                for part in book.namelist():
                    inside = _part(book, part)
                    if part.startswith("xl/worksheets/") and part.endswith(".xml"):
                        where = f"{source.name}, {part}"
                        _check_span(where, *_span(inside))
                        _check_single(where, _NAMED.findall(inside))
                return
            for part in book.namelist():
                if part.startswith("xl/worksheets/") and part.endswith(".bin"):
                    _check_single(f"{source.name}, {part}", _binary_places(f"{source.name}, {part}", _part(book, part)))
    spans = _probed(content)
    if spans is None:
        raise FormatError(
            f"{source.name} is damaged, or too large for a workbook: reading it takes more memory or "
            "time than any table of its size; save its table as CSV"
        )
    for name, height, width, filled in spans:
        _check_span(f"{source.name}, sheet {name!r}", height, width, filled)


def _part(book: zipfile.ZipFile, name: str) -> bytes:
    """A part of a workbook; one that is damaged, or larger than it states, is an error before it fills the memory."""
    with book.open(name) as stream:
        return b"".join(iter(lambda: stream.read(CHUNK), b""))


def _check_span(where: str, height: int, width: int, filled: int) -> None:
    if height * width > max(ROOMY, SPARSE * filled):
        raise FormatError(
            f"{where}: {counted(filled, 'cell')} lie in {height:,} rows and {width:,} columns, so one of them stands "
            "far away from the table; delete it, or save the table as CSV"
        )


def _check_single(where: str, places: Sequence[bytes]) -> None:
    """An error where two cells stand at one place, of which the library that reads them keeps the last."""
    if len(set(places)) < len(places):
        twice = next(place for place, times in Counter(places).items() if times > 1).decode("ascii", "replace")
        raise FormatError(
            f"{where}: two cells are at the place {twice}, and only one of them would be read; the file is damaged, so "
            "open it in a spreadsheet program and save it again"
        )


def _probed(content: bytes) -> list[tuple[str, int, int, int]] | None:
    """How far each sheet reaches, told by another process; None where that did not survive."""
    seconds = SECONDS + 5 * (len(content) >> 20)
    limits = [MEMORY + 50 * len(content), seconds, sys.path]
    command = [sys.executable or "python", "-I", "-c", PROBE, json.dumps(limits)]
    try:
        done = subprocess.run(  # noqa: S603 -- this program, with what stands above
            command, input=content, capture_output=True, timeout=100 * seconds, check=False
        )
        return [tuple(sheet) for sheet in json.loads(done.stdout)] if done.returncode >= 0 else None
    except subprocess.TimeoutExpired:
        return None
    except (OSError, ValueError):  # no process can be started here, or the file is not a workbook, which is said later
        return []


# -- places of cells ----------------------------------------------------------------------------------------

_CELLS = re.compile(rb"<(?:\w+:)?c[\s>/]")
_ROWS = re.compile(rb"<(?:\w+:)?row[\s>/]")
_NAMED = re.compile(rb"""<(?:\w+:)?c\s[^>]*?\br=["']([A-Za-z]+\d+)""")


def _span(sheet: bytes) -> tuple[int, int, int]:
    """How many rows and columns the cells of a sheet span, or a harmless upper bound; and how many cells there are."""
    rows, cells = sheet.count(b"<row") or len(_ROWS.findall(sheet)), sheet.count(b"<c ") or len(_CELLS.findall(sheet))
    digits = len(str(rows)) + 1
    far = list(re.finditer(rb'\sr="(?:([A-Z]{3,})(\d+)|([A-Z]*)(\d{%d,}))"' % digits, sheet))
    height = max((int(match[2] or match[4]) for match in far), default=0)
    width = max((_column(match[1] or match[3]) for match in far), default=0)
    height, width = max(height, min(10 * rows, 10 ** (digits - 1))), max(width, 702)
    if height * width > max(ROOMY, SPARSE * cells):
        height, width = _exact(sheet)
    return height, width, cells


def _exact(sheet: bytes) -> tuple[int, int]:
    height = width = 0
    for column, row in _places(sheet):
        height, width = max(height, row), max(width, column)
    return height, width


def _places(sheet: bytes) -> Iterator[tuple[int, int]]:
    for match in re.finditer(rb'\sr="([A-Z]*)(\d+)"', sheet):
        yield _column(match[1]), int(match[2])


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


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
