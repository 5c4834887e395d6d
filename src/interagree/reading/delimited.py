"""Text tables: what separates the cells, and the rows of cells in a text.

Every text table is split here, whichever format it belongs to and whether it is read as a whole or while it grows.

A quotation mark at the start of a cell that is meant as a sign, not as the start of a quoted cell, makes one cell of
all that follows up to the next one.  Where there is no next one, the marks are taken as they are if the rows are even
then, and else it is an error; where there is one, cells that hold what looks like rows are noticed.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, BinaryIO

from interagree.data.provenance import Step, counted
from interagree.errors import FormatError
from interagree.reading.formulas import ANYWHERE, restored

if TYPE_CHECKING:
    from _csv import Reader

END = "\ue000 end of the table \ue001"  # stands behind the last row; a cell that holds it was never closed
LARGEST = 2**31 - 1  # characters of a cell, as many as the parser can count on every machine
CHUNK = 4096  # rows that are dealt with at once
SWALLOWED = 3  # lines in a row inside a cell that look like rows
WIDEST = 300  # cells of a row up to which this is looked for
LINE_END = re.compile(r"\r\n|\r|\n")
QUOTED = re.compile(r'"(?:[^"\r\n]|"")*"')
SIGNS = "\t;,|"  # what may separate cells
BLANKS = " "  # any number of blanks between two cells
TEXT = 20_000  # characters from which the sign is told
LINES = 60  # … and rows


@dataclass(frozen=True, slots=True)
class DelimitedText:
    """The part of a text that holds a table."""

    text: str
    sign: str  # what separates cells
    above: int = 0  # lines above it
    steps: tuple[Step, ...] = ()
    quoted: bool = True  # whether quotation marks hold cells together


def table_in(text: str, *, suffix: str = "", sign: str | None = None, skip: int = 0) -> DelimitedText:
    """The part of a text that holds the table, and what separates its cells.

    Args:
        text: The whole text, or its beginning.
        suffix: What the name of the file ends in.
        sign: What separates the cells, where that is known.
        skip: How many lines at the top to leave out.
    """
    above = 0
    for _ in range(skip):
        end = LINE_END.search(text)
        text, above = (text[end.end() :], above + 1) if end else ("", above)
    stated = re.match(r'"?sep=(.)"?(?:\r\n|\r|\n)', text, re.IGNORECASE)  # for Excel
    if stated:
        text, above = text[stated.end() :], above + 1
    whole = [] if sign or stated else [Step("assumed", "each line stood in quotation marks as a whole")]
    inner = _unwrapped(text) if whole else None
    text, steps = (text, []) if inner is None else (inner, whole)
    told = sign or (stated[1] if stated else separator(text, suffix))
    if told != BLANKS:
        return DelimitedText(text, told, above, tuple(steps))
    notes = () if sign else (Step("assumed", "cells separated by blanks"),)
    once = re.sub(r"[ \t]+", "\t", text)  # first of all, since a long run of blanks would be gone over again and again
    return DelimitedText(re.sub(r"(?m)^\t|\t$", "", once), "\t", above, notes)


def _unwrapped(text: str) -> str | None:
    """The lines of a text of which each is quoted as a whole and holds a row; None of any other text."""
    if not text.startswith('"'):
        return None
    lines = LINE_END.split(text[:TEXT])[:LINES]
    lines = [line for line in (lines if len(text) <= TEXT else lines[:-1]) if line]
    if len(lines) < 2 or not all(map(QUOTED.fullmatch, lines)):
        return None
    start = "\n".join(line[1:-1].replace('""', '"') for line in lines)
    widths = {len(row) for row in first_rows(DelimitedText(start, separator(start)))}
    if len(widths) != 1 or widths == {1}:
        return None
    return re.sub(rf"(?m)^{QUOTED.pattern}\r?$", lambda line: line[0].strip()[1:-1].replace('""', '"'), text)


def separator(text: str, suffix: str = "") -> str:
    """The sign that cuts most of the first rows, and the first one, into the same number of cells: the most cells."""
    start = text[:TEXT]
    if suffix in (".tsv", ".tab") and "\t" in start:
        return "\t"
    best, most = ",", (0, False, 1)
    for sign in SIGNS:
        rows = first_rows(DelimitedText(start, sign), LINES + 1) if sign in start else []
        widths = [len(row) for row in (rows[:-1] or rows if len(text) > TEXT else rows)[:LINES]]
        if not widths or max(widths) == 1:
            continue
        width, times = Counter(width for width in widths if width > 1).most_common(1)[0]
        share = times / len(widths)
        merit = (2 if share >= 0.9 else 1 if share >= 0.5 else 0, widths[0] == width, width)
        if merit > most:
            best, most = sign, merit
    if most[2] > 1:
        return best
    words = {len(line.split()) for line in LINE_END.split(start)[:LINES] if line.strip()}
    return BLANKS if len(words) == 1 and words.pop() > 2 else ","


def first_rows(table: DelimitedText, most: int | None = None) -> list[list[str]]:
    """The first rows that are not blank, of a beginning of a table; none where it cannot be cut."""
    with cells_of_any_size():
        try:
            cells = csv.reader(io.StringIO(table.text, newline=""), delimiter=table.sign)
            return list(islice(filter(None, cells), most))
        except csv.Error:
            return []


def header_in(text: str, suffix: str = "") -> list[str]:
    """The first row of a table of which a text is the beginning; none where it is no table."""
    return next(iter(first_rows(table_in(text, suffix=suffix), 1)), [])


@contextmanager
def cells_of_any_size() -> Iterator[None]:
    """Meanwhile the standard library takes cells of more than 131,072 characters, as texts may be."""
    before = csv.field_size_limit(LARGEST)
    try:
        yield
    finally:
        csv.field_size_limit(before)


class Unclosed(FormatError):
    """A quotation mark opens a cell that is never closed, in this line."""

    line = 0


class DelimitedRows:
    """The rows of a text, with the line in which each of them ends."""

    def __init__(self, text: DelimitedText, name: str) -> None:
        self.above, self.name = text.above, name
        lines = chain(io.StringIO(text.text, newline=""), [END])
        if text.quoted:
            self.cells = csv.reader(lines, delimiter=text.sign)
        else:
            self.cells = csv.reader(lines, delimiter=text.sign, quoting=csv.QUOTE_NONE)
        self.sign = text.sign
        self.restored = 0  # cells that were kept from being formulas, and are themselves again
        self.defused = bool(ANYWHERE.search(text.text))
        self.swallowing: list[int] = []  # lines in which cells end that hold what looks like rows

    @property
    def line(self) -> int:
        """The line in which the last row ended."""
        return self.cells.line_num + self.above

    def one_by_one(self, most: int) -> Iterator[tuple[list[str], int]]:
        """The next rows with their lines."""
        last = self.line
        for row in islice(self.cells, most):
            if self._is_end(row, last):
                return
            if self.line - last > 1:
                self._notice(row, self.line)
            last = self.line
            yield self._restored(row), last

    def _restored(self, row: list[str]) -> list[str]:
        if not self.defused:
            return row
        cells = [*map(restored, row)]
        self.restored += sum(cell != written for cell, written in zip(cells, row, strict=True))
        return cells

    def chunks(self) -> Iterator[tuple[list[list[str]], Sequence[int]]]:
        """Few rows at a time, which spares the garbage collector."""
        last = self.line
        while chunk := list(islice(self.cells, CHUNK)):
            places: Sequence[int] = range(last + 1, self.line + 1)
            if len(places) != len(chunk):
                places = list(_placed(chunk, last))
                for row, line in zip(chunk, places, strict=True):
                    self._notice(row, line)
            before = places[-2] if len(places) > 1 else last
            if self._is_end(chunk[-1], before):
                chunk.pop()
                places = places[:-1]
            last = self.line
            if chunk:
                yield [*map(self._restored, chunk)] if self.defused else chunk, places

    def _is_end(self, row: Sequence[str], before: int) -> bool:
        if not row or not row[-1].endswith(END):
            return False
        if len(row) > 1 or row[0] != END:
            error = Unclosed(
                f"{self.name}, line {before + 1}: a quotation mark opens a cell that is never closed, so that all that "
                "follows would be one cell; the file is not complete, or the mark is meant as a sign: then write it "
                "twice, and the cell in quotation marks"
            )
            error.line = before + 1
            raise error
        return True

    def _notice(self, row: Sequence[str], line: int) -> None:
        pattern = rows_in_cell(self.sign, len(row))
        if pattern is not None and any(re.search(pattern, cell) for cell in row):
            self.swallowing.append(line)

    def steps(self) -> list[Step]:
        """What to say about cells that hold rows, and about those that were kept from being formulas."""
        held = swallowing(len(self.swallowing), self.swallowing[0]) if self.swallowing else []
        return [*held, *apostrophes(self.restored)]


Uncut = csv.Error  # text that cannot be cut into rows


def as_it_grows(lines: Iterator[str], sign: str) -> Reader:
    """The rows of a text that goes on; a quote within a cell never closes one that was opened lines before."""
    return csv.reader(lines, delimiter=sign, strict=True)


def all_rows(text: DelimitedText, name: str, steps: list[Step]) -> list[tuple[list[str], int]]:
    """All rows of a text with the line in which each ends; ``steps`` takes up what is to be said about them."""
    with cells_of_any_size():
        try:
            rows = DelimitedRows(text, name)
            told = list(rows.one_by_one(sys.maxsize))
        except Unclosed as error:
            text = without_quoting(text, error)
            rows = DelimitedRows(text, name)
            told = list(rows.one_by_one(sys.maxsize))
    steps += [*text.steps, *rows.steps()]
    return told


def rows_in_cell(sign: str, width: int) -> str | None:
    """A regular expression for a cell with lines inside that look like rows; None where there is no telling."""
    if not 1 < width <= WIDEST:
        return None
    cut, other = re.escape(sign), rf"[^\n{re.escape(sign)}]*"
    return rf"(?:\n{other}(?:{cut}{other}){{{width - 1}}}){{{SWALLOWED}}}\n"


def swallowing(cells: int, line: int | None = None) -> list[Step]:
    """What to say about cells with lines inside that look like rows."""
    where = "" if line is None else f", the first ending in line {line}"
    sentence = (
        f"{counted(cells, 'cell')} in quotation marks with lines inside that look like rows of the table{where}; if a "
        "quotation mark is meant as a sign there, rows are missing"
    )
    return [Step("noticed", sentence, cells)]


def apostrophes(cells: int) -> list[Step]:
    """What to say about cells that were kept from being formulas."""
    sentence = f"the apostrophe that keeps {counted(cells, 'cell')} from being a formula left out"
    return [Step("assumed", sentence, cells)] if cells else []


def _placed(rows: Sequence[Sequence[str]], line: int) -> Iterator[int]:
    """The line in which each row ends, where cells hold line ends."""
    for row in rows:
        line += 1 + sum(len(LINE_END.findall(cell)) for cell in row)
        yield line


def without_quoting(text: DelimitedText, unclosed: Unclosed) -> DelimitedText:
    """The same text with quotation marks taken as they are, if all rows are even then and no cell stands in such marks.

    Else the error for the one that is never closed.
    """
    plain = replace(text, quoted=False)
    width = 0
    for chunk, _ in DelimitedRows(plain, "").chunks():
        for row in chunk:
            width = width or len(row)
            if (row and len(row) != width) or any(_in_quotes(cell) for cell in row):
                raise unclosed
    step = Step("assumed", f"quotation marks taken as they are, because one in line {unclosed.line} is never closed")
    return replace(plain, steps=(*text.steps, step))


def _in_quotes(cell: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == '"'


class Closed:
    """A stream of bytes with a last row behind it, by which whoever parses it can tell that every cell was closed.

    Args:
        stream: The text of a table.
        sign: What separates its cells.
        width: How many cells a row has.
    """

    def __init__(self, stream: BinaryIO, sign: str, width: int) -> None:
        self.stream = stream
        self.last = sign.join([END] * width).encode() + b"\n"
        self.broken = False  # whether there are zeros in it, which no text has
        self.quoted = False
        self.closed = False
        self._line_end = b"\n"

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        part = self.stream.read(size)
        if not part:
            part, self.last = self.last and self._line_end + self.last, b""
            return part
        self.broken = self.broken or b"\0" in part
        self.quoted = self.quoted or b'"' in part
        self._line_end = b"" if part[-1:] in (b"\n", b"\r") else b"\n"
        return part

    def close(self) -> None:
        """The stream is closed by whoever opened it."""
        self.closed = True
