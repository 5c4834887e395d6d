"""Where labels come from while annotation runs: growing files and standard input (databases are in `databases`).

A source gives the rows that are new, and its *place*: what it must know to go on from there after a restart.  Place
and labels are saved together, so that a row is counted once, whenever the watching stops.

**Files.**  Only whole lines count; the rest of a line may still be on its way.  If the file is replaced by another
(its number on the disk or its first bytes change) or shorter than what was read, that is said and reading starts at
the top of the new one; labels counted so far stay counted.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import queue
import sys
import threading
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from interagree.data.files import json_lines
from interagree.errors import DataError, FormatError, listing

BLOCK = 8_000_000  # bytes or so that are read at once
HEAD = 1024  # bytes at the top of a file by which it is known again
DELIMITERS = ",;\t|"


class Rows(NamedTuple):
    """New rows: the names of their columns, and the columns."""

    names: list[str]
    columns: dict[str, list[Hashable]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))


class Source(Protocol):
    """Something that gets longer."""

    name: str
    ended: bool  # whether nothing more can come
    remarks: list[str]  # what happened to it that a person should know

    def read(self, *, whole: bool = False) -> Iterator[Rows]:
        """The rows that are new, block by block; ``whole``: a last line without an end counts too."""

    def place(self) -> dict[str, object]:
        """How far it was read, after the last block that was asked for."""

    def go_on(self, place: dict[str, Any]) -> None:
        """Go on from a place."""

    def close(self) -> None:
        """Let go of it."""


class Lines:
    """Text that arrives in pieces, as rows: JSON lines where it starts with a brace or a bracket, else CSV."""

    def __init__(self, name: str, *, delimiter: str | None = None) -> None:
        self.name = name
        self.delimiter = delimiter
        self.kind: str | None = None
        self.header: list[str] | None = None
        self.line = 0  # lines seen so far

    def cut(self, text: bytes) -> int:
        """Where the last whole record ends: at the end of a line, and outside quotes."""
        end = text.rfind(b"\n") + 1
        if self.kind != "csv" and not self._looks_like_csv(text):
            return end
        while end and text.count(b'"', 0, end) % 2:
            end = text.rfind(b"\n", 0, end - 1) + 1
        return end

    def _looks_like_csv(self, text: bytes) -> bool:
        return self.kind is None and text.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"[", b"")

    def rows(self, text: bytes) -> Rows:
        """The rows of some whole lines."""
        if not text.strip():
            self.line += text.count(b"\n")
            return Rows([], {})
        if self.kind is None:
            self.kind = "csv" if self._looks_like_csv(text) else "jsonl"
        decoded = self._decoded(text)
        rows = self._csv(decoded) if self.kind == "csv" else self._jsonl(decoded)
        self.line += text.count(b"\n")
        return rows

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

    def _csv(self, text: str) -> Rows:
        if self.header is None and self.delimiter is None:
            first = text.lstrip().partition("\n")[0]
            self.delimiter = max(DELIMITERS, key=first.count)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter or ",")
        rows = []
        try:
            for row in reader:
                if not row:
                    continue
                if self.header is None:
                    self.header = row
                    continue
                if len(row) != len(self.header):
                    raise FormatError(
                        f"{self.name}, line {self.line + reader.line_num}: expected {len(self.header)} cells "
                        f"({listing(self.header, most=6)}), found {len(row)}: {listing(row, most=6)}"
                    )
                rows.append(row)
        except csv.Error as error:
            raise FormatError(f"{self.name}, line {self.line + reader.line_num}: {error}") from None
        header = self.header or []
        cells: list[list[str]] = [[*column] for column in zip(*rows, strict=True)] or [[] for _ in header]
        # An empty cell means that there is no annotation.
        return Rows(
            header, {name: [cell or None for cell in column] for name, column in zip(header, cells, strict=True)}
        )

    def place(self) -> dict[str, object]:
        """What must be known to read on in the middle."""
        return {"kind": self.kind, "header": self.header, "delimiter": self.delimiter, "line": self.line}

    def go_on(self, place: dict[str, Any]) -> None:
        """Go on in the middle."""
        self.kind, self.header, self.delimiter, self.line = (
            place[name] for name in ("kind", "header", "delimiter", "line")
        )


class File:
    """A file that gets longer."""

    def __init__(self, path: str, *, delimiter: str | None = None) -> None:
        self.path = Path(path)
        self.name = str(path)
        self.ended = False
        self.remarks: list[str] = []
        self._given = delimiter
        self._lines = Lines(self.name, delimiter=delimiter)
        self._offset = 0
        self._head = b""
        self._number: int | None = None  # of the file on the disk
        self._stream: Any = None
        if self.path.suffix in {".gz", ".bz2", ".xz", ".zst", ".zip", ".parquet", ".xlsx", ".arrow"}:
            raise DataError(
                f"{path}: a file of this kind cannot be followed while it grows; watch plain JSON lines or CSV, or "
                "read it as a whole: interagree measure"
            )

    def read(self, *, whole: bool = False) -> Iterator[Rows]:
        """The rows of the lines that are new."""
        if self._stream is not None and self._replaced():
            yield from self._rest(whole=True)  # what the old file got before it was put aside
            self._restart("was replaced by another file")
        if self._stream is None:
            self._open()
        size = os.fstat(self._stream.fileno()).st_size
        if size < self._offset or self._top(len(self._head)) != self._head:
            self._restart("is shorter than what was read of it" if size < self._offset else "was written anew")
            self._open()
        yield from self._rest(whole=whole)

    def _open(self) -> None:
        self._stream = self.path.open("rb")
        self._number = os.fstat(self._stream.fileno()).st_ino

    def _replaced(self) -> bool:
        try:
            return self.path.stat().st_ino != self._number
        except FileNotFoundError:
            return False  # between the old and the new one

    def _restart(self, why: str) -> None:
        self.remarks.append(f"{self.name} {why}; reading starts at its top, and what was counted stays counted")
        self.close()
        self._lines = Lines(self.name, delimiter=self._given)
        self._offset, self._head = 0, b""

    def _top(self, size: int) -> bytes:
        self._stream.seek(0)
        top: bytes = self._stream.read(size)
        return top

    def _rest(self, *, whole: bool) -> Iterator[Rows]:
        size = BLOCK
        while True:
            self._stream.seek(self._offset)
            text: bytes = self._stream.read(size)
            end = self._lines.cut(text)
            last = len(text) < size
            if last and whole:
                end = len(text)
            if not end and not last:
                size *= 2  # a line longer than a block
                continue
            if end:
                rows = self._lines.rows(text[:end])
                self._offset += end
                self._head = self._top(min(HEAD, self._offset))
                if len(rows):
                    yield rows
            if last:
                return

    def waiting(self) -> int:
        """How many bytes there are of a line that has no end yet."""
        return 0 if self._stream is None else os.fstat(self._stream.fileno()).st_size - self._offset

    def place(self) -> dict[str, object]:
        """The offset, and what the file is known by."""
        return {
            "offset": self._offset,
            "head": [len(self._head), hashlib.sha256(self._head).hexdigest()],
            "lines": self._lines.place(),
        }

    def go_on(self, place: dict[str, Any]) -> None:
        """Go on from an offset, if it is still the same file."""
        self._offset = place["offset"]
        self._lines.go_on(place["lines"])
        size, mark = place["head"]
        self._open()
        top = self._top(size)
        if hashlib.sha256(top).hexdigest() != mark:
            self._restart("is not the file that was read before")
        else:
            self._head = top

    def close(self) -> None:
        """Close the file."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


class Piped:
    """Standard input: what has arrived so far, without waiting for more.

    There is no way back to what was read, so after a restart only the state counts and reading goes on with
    whatever comes.
    """

    def __init__(self, *, delimiter: str | None = None) -> None:
        self.name = "standard input"
        self.ended = False
        self.remarks: list[str] = []
        self._lines = Lines(self.name, delimiter=delimiter)
        self._left = b""
        self._arrived: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def _listen(self) -> None:
        stream = sys.stdin.buffer
        piece = getattr(stream, "read1", stream.read)
        while text := piece(1 << 16):
            self._arrived.put(text)
        self._arrived.put(b"")

    def read(self, *, whole: bool = False) -> Iterator[Rows]:
        """The rows that have arrived; ``whole``: all that will ever arrive."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._listen, daemon=True)
            self._thread.start()
        pieces = [self._left]
        while not self.ended:
            try:
                text = self._arrived.get(timeout=None if whole else 0.05)  # a writer may be in the middle of a line
            except queue.Empty:
                break
            self.ended = not text
            pieces.append(text)
        text = b"".join(pieces)
        end = len(text) if self.ended else self._lines.cut(text)
        self._left = text[end:]
        rows = self._lines.rows(text[:end])
        if len(rows):
            yield rows

    def place(self) -> dict[str, object]:
        """Nothing."""
        return {}

    def go_on(self, place: dict[str, Any]) -> None:
        """Whatever comes is new."""

    def close(self) -> None:
        """Nothing to close."""
