"""Text that arrives in pieces, as rows: JSON lines where it starts with a brace or a bracket, else CSV.

Only whole records count.  A quote at the start of a cell of CSV opens text that may run over many lines, so a quote
that is meant literally swallows the rows after it.  That is said: where the lines after it look like rows, it is an
error that names the line of the quote, and such text never grows beyond `LONGEST`.  Each text is gone through once.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from interagree.data.files import json_lines
from interagree.errors import FormatError, listing

DELIMITERS = ",;\t|"
LONGEST = 131_072  # characters of a cell of CSV
SWALLOWED = 3  # lines within a closed cell that all look like rows
QUOTE = "if the quote is part of the text, put the cell in quotes and write the quote twice"


class Rows(NamedTuple):
    """New rows: the names of their columns, and the columns."""

    names: list[str]
    columns: dict[str, list[Hashable]]

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


class Lines:
    """Text that arrives in pieces, as rows."""

    def __init__(self, name: str, *, delimiter: str | None = None) -> None:
        self.name = name
        self.delimiter = delimiter
        self.kind: str | None = None
        self.header: list[str] | None = None
        self.line = 0  # lines seen so far
        self.open: Open | None = None  # a quote that holds up what was handed over last
        self.remarks: list[str] = []

    def take(self, text: bytes, *, whole: bool = False) -> tuple[Rows, int]:
        """The rows of all whole records, and how many bytes these take up; ``whole``: the last one needs no end."""
        self.open = None
        end = len(text) if whole else _end(text)
        if not text[:end].strip():
            self.line += text.count(b"\n", 0, end)
            return Rows([], {}), end
        kind = self.kind or ("csv" if text.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"[") else "jsonl")
        decoded = self._decoded(text[:end])
        rows, left = self._csv(decoded, whole=whole) if kind == "csv" else (self._jsonl(decoded), "")
        end -= len(left.encode())
        if end:
            self.kind = kind
        self.line += text.count(b"\n", 0, end)
        return rows, end

    def _decoded(self, text: bytes) -> str:
        try:
            return text.decode("utf-8-sig" if not self.line else "utf-8")
        except UnicodeDecodeError as error:
            line = self.line + text.count(b"\n", 0, error.start) + 1
            raise FormatError(f"{self.name}, line {line}: this is not UTF-8 ({error.reason})") from None

    def _jsonl(self, text: str) -> Rows:
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
        return Rows(names, {name: [record.get(name) for record in records] for name in names})

    def _csv(self, text: str, *, whole: bool) -> tuple[Rows, str]:
        """The rows of all whole records, and the text of a record that is not whole."""
        self._see_delimiter(text)
        given, ended = 0, False

        def lines() -> Iterator[str]:
            nonlocal given, ended
            for line in io.StringIO(text, newline=""):
                given += len(line)
                yield line
            ended = True

        # Strict, so that a quote in the middle of a row cannot silently close one that was opened lines before.
        reader = csv.reader(lines(), delimiter=self.delimiter or ",", strict=True)
        rows, done, seen = [], 0, 0
        try:
            for row in reader:
                if reader.line_num > seen + 1:
                    self._look_inside(row, self.line + seen + 1)
                done, seen = given, reader.line_num
                if len(row) < 2 and not "".join(row).strip():
                    continue
                if self.header is None:
                    self.header = row
                else:
                    self._check(row, self.line + seen)
                    rows.append(row)
        except csv.Error as error:
            if not ended:
                raise self._wrong(error, self.line + seen + 1, text[done:given]) from None
            self._wait(text[done:], self.line + seen + 1, whole=whole)
        header = self.header or []
        cells: list[list[str]] = [[*column] for column in zip(*rows, strict=True)] or [[] for _ in header]
        # An empty cell means that there is no annotation.
        columns: dict[str, list[Hashable]] = {
            name: [cell or None for cell in column] for name, column in zip(header, cells, strict=True)
        }
        return Rows(header, columns), text[done:] if self.open else ""

    def _see_delimiter(self, text: str) -> None:
        if self.header is None and self.delimiter is None:
            first = text.lstrip().partition("\n")[0]
            self.delimiter = max(DELIMITERS, key=first.count)

    def _check(self, row: list[str], line: int) -> None:
        header = self.header or []
        if len(row) != len(header):
            raise FormatError(
                f"{self.name}, line {line}: expected {len(header)} cells ({listing(header, most=6)}), found {len(row)}"
                f": {listing(row, most=6)}"
            )

    def _looks_like_a_row(self, line: str) -> bool:
        return self.header is None or (
            len(self.header) > 1 and line.count(self.delimiter or ",") == len(self.header) - 1
        )

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

    def _wrong(self, error: csv.Error, line: int, text: str) -> FormatError:
        if "field limit" in str(error):
            lines = text.count("\n")
            found = f"a cell has more than {csv.field_size_limit():,} characters" + (
                f" in {lines:,} lines" if lines else ""
            )
            return FormatError(
                f"{self.name}, line {line:,}: {found}; where a quote opens it and is never closed: {QUOTE}"
            )
        found = f"a cell in quotes is not closed as it should be ({error})"
        return FormatError(f"{self.name}, line {line:,}: {found}; {QUOTE}")

    def place(self) -> dict[str, object]:
        """What must be known to read on in the middle."""
        return {"kind": self.kind, "header": self.header, "delimiter": self.delimiter, "line": self.line}

    def go_on(self, place: dict[str, Any]) -> None:
        """Go on in the middle."""
        self.kind, self.header, self.delimiter, self.line = (
            place[name] for name in ("kind", "header", "delimiter", "line")
        )


def _end(text: bytes) -> int:
    """Where the last whole line ends; old programs end lines with a carriage return alone."""
    end = text.rfind(b"\n") + 1
    return end if end or b"\r" not in text[:-1] else text.rfind(b"\r") + 1
