"""Text that arrives in pieces, as rows: JSON lines where it starts with a brace or a bracket, else CSV.

CSV is cut, and its header found, as in files that are read as a whole (`reading.delimited`, `reading.headers`).  Only
whole records count.  A quote at the start of a cell of CSV opens text that may run over many lines, so a quote
that is meant literally swallows the rows after it.  That is said: where the lines after it look like rows, it is an
error that names the line of the quote, and such text never grows beyond `LONGEST`.  Each text is gone through once.
"""

from __future__ import annotations

import io
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from interagree.data.files import json_lines
from interagree.data.provenance import Step
from interagree.data.values import plain
from interagree.errors import ColumnNotFound, FormatError
from interagree.reading.delimited import BLANKS, Uncut, apostrophes, as_it_grows, table_in
from interagree.reading.formulas import restored
from interagree.reading.grid import Body
from interagree.reading.headers import SAMPLE, GridShape, shape_of
from interagree.reading.parts import roles

LONGEST = 131_072  # characters of a cell of CSV
SWALLOWED = 3  # lines within a closed cell that all look like rows
QUOTE = "if the quote is part of the text, put the cell in quotes and write the quote twice"


class NewRows(NamedTuple):
    """New rows: the names of their columns, and the columns."""

    names: list[str]
    columns: dict[str, list[Hashable]]
    text: bool = False  # whether cells are text, where an empty one means nothing

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))


class Open(NamedTuple):
    """A quote that is not closed in the text so far."""

    line: int
    after: int  # whole lines behind that of the quote
    rows: bool  # whether they look like rows, every one

    def __str__(self) -> str:
        behind = f"; the {self.after:,} lines after it wait and are not counted" if self.after else " and waits"
        return f"line {self.line:,}: a quote opens a cell and is not closed yet{behind}"


class RowStream:
    """Text that arrives in pieces, as rows."""

    def __init__(self, name: str, *, delimiter: str | None = None) -> None:
        self.name = name
        self.delimiter = delimiter  # as the caller said, or as the text says
        self.kind: str | None = None
        self.header: list[str] | None = None
        self.line = 0  # lines seen so far
        self.open: Open | None = None  # a quote that holds up what was handed over last
        self.remarks: list[str] = []
        self._given = delimiter
        self._width: int | None = None  # cells of a row
        self._above = 0  # lines above the table
        self._top = ""  # the text up to the header, as long as there is no row below it
        self._body: Body | None = None  # once there is
        self._steps: list[Step] = []
        self._restored = 0  # cells that were kept from being formulas

    def take(self, text: bytes, *, whole: bool = False) -> tuple[NewRows, int]:
        """The rows of all whole records, and how many bytes these take up; ``whole``: the last one needs no end."""
        self.open = None
        end = len(text) if whole else _end(text)
        if not text[:end].strip():
            self.line += text.count(b"\n", 0, end)
            return NewRows([], {}), end
        kind = self.kind or ("csv" if text.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"[") else "jsonl")
        decoded = self._decoded(text[:end])
        rows, left = self._csv(decoded, whole=whole) if kind == "csv" else (self._jsonl(decoded), "")
        end -= len(left.encode())
        if end:
            self.kind = kind
        self.line += text.count(b"\n", 0, end)
        return rows, end

    def steps(self) -> list[Step]:
        """What was assumed about the text, and which rows were left out."""
        counted = [] if self._body is None else self._body.steps()
        return [*self._steps, *apostrophes(self._restored), *counted]

    def _decoded(self, text: bytes) -> str:
        try:
            return text.decode("utf-8-sig" if not self.line else "utf-8")
        except UnicodeDecodeError as error:
            line = self.line + text.count(b"\n", 0, error.start) + 1
            raise FormatError(f"{self.name}, line {line}: this is not UTF-8 ({error.reason})") from None

    def _jsonl(self, text: str) -> NewRows:
        records = []
        for number, line, record in json_lines(self.name, text, self.line + 1):
            row = record
            if isinstance(row, list) and len(row) == 3:
                row = dict(zip(("item", "annotator", "value"), row, strict=True))
            if not isinstance(row, dict):
                raise FormatError(
                    f"{self.name}, line {number}: expected an object with the columns as keys, or a list of item, "
                    f"annotator and value, found {line[:60]!r}"
                )
            records.append(row)
        names = list(dict.fromkeys(name for record in records for name in record))
        columns = {name: [record.get(name) for record in records] for name in names}
        return NewRows(names, {name: _hashable(column) for name, column in columns.items()})

    # -- CSV --------------------------------------------------------------------------------------------------

    def _csv(self, text: str, *, whole: bool) -> tuple[NewRows, str]:
        """The rows of all whole records, and the text of a record that is not whole."""
        body, start = self._body, self.line
        if body is None:
            text, start = self._top + text, 0
            self._see_delimiter(text)
        rows, ends, left = self._cut(text, start, whole=whole)
        if body is None:
            below = self._find_header(rows, ends)
            body = self._body
            if body is None:
                self._top = text[: len(text) - len(left)]
                return NewRows(self.header or [], {}), left
            rows, ends, self._top = rows[below:], ends[below:], ""
        return self._taken(body, rows, ends), left

    def _see_delimiter(self, text: str) -> None:
        table = table_in(text, sign=self._given)
        blanks = bool(table.steps) or self._given == BLANKS
        self.delimiter, self._steps, self._above = BLANKS if blanks else table.sign, [*table.steps], table.above

    def _cut(self, text: str, start: int, *, whole: bool) -> tuple[list[list[str]], list[int], str]:
        """The whole records of a text that begins behind a line, the line in which each ends, and what is left."""
        given, ended = 0, False
        sign = self.delimiter or ","

        def lines() -> Iterator[str]:
            nonlocal given, ended
            for line in io.StringIO(text, newline=""):
                given += len(line)
                yield "\t".join(line.split()) if sign == BLANKS else line
            ended = True

        reader = as_it_grows(lines(), "\t" if sign == BLANKS else sign)
        rows: list[list[str]] = []
        ends: list[int] = []
        done = seen = 0
        try:
            for row in reader:
                if self.header is None and self._width is None and any(map(str.strip, row)):
                    self._width = len(row)
                if reader.line_num > seen + 1:
                    self._look_inside(row, start + seen + 1)
                done, seen = given, reader.line_num
                rows.append(row)
                ends.append(start + seen)
        except Uncut as error:
            if not ended:
                raise self._wrong(error, start + seen + 1, text[done:given]) from None
            self._wait(text[done:], start + seen + 1, whole=whole)
        return rows, ends, text[done:] if self.open else ""

    def _find_header(self, rows: Sequence[list[str]], ends: Sequence[int]) -> int:
        """Where the rows below the header begin; a header alone is one until there is a row below it."""
        above = sum(end <= self._above for end in ends)
        head, lines = rows[above : above + SAMPLE], ends[above : above + SAMPLE]
        filled = [row for row in head if any(map(str.strip, row))]
        if len(filled) < 2:
            self.header = [cell.strip() for cell in filled[0]] if filled else None
            return len(rows)
        try:
            roles(filled[0])
        except ColumnNotFound:
            shape = shape_of(head, lines, name=self.name)
        else:
            shape = shape_of(head, lines, name=self.name, header=True)
        self._steps += shape.steps
        self._go_below(shape)
        return above + shape.start

    def _go_below(self, shape: GridShape) -> None:
        self.header = [str(name) for name in shape.names]
        self._width = len(self.header)
        self._body = Body(shape, self.name)

    def _taken(self, body: Body, rows: list[list[str]], ends: Sequence[int]) -> NewRows:
        """Rows as columns, each of its length."""
        header = self.header or []
        body.columns, body.lines = [[] for _ in header], []
        body.extend(rows, ends)
        if body.short:  # cells at the end that are left out, not one before it
            self._steps.append(body.steps()[0])
            body.short = []
        columns: list[list[Any]] = [*body.columns]
        if any("'" in cell[:1] for column in columns for cell in column):
            columns = [[*map(self._as_meant, column)] for column in columns]
        return NewRows(header, dict(zip(header, columns, strict=True)), text=True)

    def _as_meant(self, cell: str) -> str:
        """The text of a cell that was perhaps kept from being a formula."""
        meant = restored(cell)
        self._restored += meant != cell
        return meant

    def _looks_like_a_row(self, line: str) -> bool:
        width = self._width
        return width is None or (width > 1 and line.count(self.delimiter or ",") == width - 1)

    def _look_inside(self, row: list[str], line: int) -> None:
        """Say so where a cell of several lines holds what look like rows."""
        for cell in row:
            inside = cell.split("\n")[1:-1]
            if inside and all(map(self._looks_like_a_row, inside)):
                found = (
                    f"{self.name}, line {line:,}: a cell in quotes runs over {len(inside) + 2:,} lines, and those in "
                    f"it look like rows"
                )
                if len(inside) >= SWALLOWED:
                    raise FormatError(f"{found}; {QUOTE}")
                self.remarks.append(f"{found}; they count as text. Otherwise: {QUOTE}")

    def _wait(self, text: str, line: int, *, whole: bool) -> None:
        """A quote is open where the text ends: wait for what comes, unless nothing can come or the cell is too long."""
        after = text.split("\n")[1:-1]
        self.open = Open(line, len(after), rows=bool(after) and all(map(self._looks_like_a_row, after)))
        if whole or len(text) > LONGEST:
            raise self.unclosed()

    def unclosed(self) -> FormatError:
        """What is wrong with the quote that is open."""
        line, after = (self.open.line, self.open.after) if self.open else (self.line, 0)
        behind = f", so that the {after:,} lines after it cannot be counted" if after else ""
        return FormatError(f"{self.name}, line {line:,}: a quote opens a cell and is not closed{behind}; {QUOTE}")

    def _wrong(self, error: Exception, line: int, text: str) -> FormatError:
        if "field limit" in str(error):
            lines = text.count("\n")
            found = f"a cell has more than {LONGEST:,} characters" + (f" in {lines:,} lines" if lines else "")
            return FormatError(
                f"{self.name}, line {line:,}: {found}; where a quote opens it and is never closed: {QUOTE}"
            )
        found = f"a cell in quotes is not closed as it should be ({error})"
        return FormatError(f"{self.name}, line {line:,}: {found}; {QUOTE}")

    def place(self) -> dict[str, object]:
        """What must be known to read on in the middle."""
        known = {name: getattr(self, name) for name in ("kind", "header", "delimiter", "line")}
        return {**known, "top": self._top, "steps": [[*map(str, (step.what, step.sentence))] for step in self.steps()]}

    def go_on(self, place: dict[str, Any]) -> None:
        """Go on in the middle."""
        self.kind, header, self.delimiter, self.line = (place[name] for name in ("kind", "header", "delimiter", "line"))
        self._top, self._steps = place.get("top", ""), [Step(*step) for step in place.get("steps", ())]
        self.header = header
        if header and not self._top:
            self._go_below(GridShape(0, tuple(header), header=tuple(header)))


def _hashable(column: list[Any]) -> list[Hashable]:
    """A column with lists and objects as tuples."""
    return [*map(plain, column)] if {list, dict} & set(map(type, column)) else column


def _end(text: bytes) -> int:
    """Where the last whole line ends; old programs end lines with a carriage return alone."""
    end = text.rfind(b"\n") + 1
    return end if end or b"\r" not in text[:-1] else text.rfind(b"\r") + 1
