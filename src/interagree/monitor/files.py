"""A file that grows.

Only whole lines count; the rest of a line may still be on its way.  What was read must stay as it is: all of it is
hashed, and compared again before reading on, whenever the file has changed.  (While watching goes on, comparing takes
up one part in twenty of the time at most, so a change in the middle of a huge file may be noticed a little later.)

* Another file in its place that begins with all that was read is read on, unless the old one has another name now and
  got more.
* A file that was put aside under another name (rotated) is read to its end, and the new one from its top, if they
  have no line in common and no third file was put aside in between.
* Anything else (cut short, rewritten, replaced) raises `Changed`.
"""

from __future__ import annotations

import glob
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from interagree.data.files import PACKED
from interagree.data.provenance import Step
from interagree.errors import DataError, FormatError
from interagree.monitor.lines import NewRows, RowStream
from interagree.monitor.sources import Changed, Seldom

BLOCK = 8_000_000  # bytes or so that are read at once
RECENT = 2.0  # seconds in which a change may not show in the time of a file
NOT_TEXT = {".gz", ".bz2", ".xz", ".zst", ".zip", ".parquet", ".feather", ".arrow", ".xlsx", ".xls", ".ods"}
BEGINNINGS = (b"PAR1", b"ARROW1", b"PK\x03\x04", *PACKED.values())
LONG = 4096  # bytes of a header that are compared
MANY = 100  # files put aside that are remembered

Identity = tuple[int, int]  # device and number on the disk


class File:
    """A file that gets longer."""

    failures: tuple[type[Exception], ...] = ()

    def __init__(self, path: str, *, delimiter: str | None = None) -> None:
        self.path = Path(path)
        self.name = str(path)
        self.ended = False
        self.patient = True
        self.remarks: list[str] = []
        self._given = delimiter
        self._stream: BinaryIO | None = None
        self._identity: Identity | None = None
        self._finished: list[Identity] = []  # files that were put aside and read to their end
        self._compared = Seldom()
        self._as_compared: tuple[int, ...] | None = None  # what the file looked like then
        self._suspect = 0  # the line of a quote that was open at the last look
        self._gone = False  # whether it was said that the file is not there
        self.restart()
        if self.path.is_dir():
            raise DataError(f"{path} is a folder; watch one file that grows, or a table of a database")
        if self.path.suffix.lower() in NOT_TEXT or _starts(self.path).startswith(BEGINNINGS):
            raise DataError(
                f"{path}: a file of this kind cannot be followed while it grows; watch plain JSON lines or CSV, or "
                "read it as a whole: interagree measure"
            )

    def restart(self) -> None:
        """Read from the top."""
        self._lines = RowStream(self.name, delimiter=self._given)
        self._offset = 0
        self._hash = hashlib.sha256()
        self._mark: str | None = self._hash.hexdigest()  # what the bytes that were read hash to
        self._as_compared = None
        self._identity = None

    accept = restart

    def read(self, *, whole: bool = False) -> Iterator[NewRows]:
        """The rows of the lines that are new."""
        try:
            stream = self.path.open("rb")
        except FileNotFoundError:
            if not self._offset:
                raise
            if not self.patient:
                raise Changed(f"{self.name} is not there any more") from None
            if not self._gone:
                self.remarks.append(f"{self.name} does not exist at the moment; still watching")
            self._gone = True
            return
        self._gone = False
        try:
            if not self._is_same(stream) or self._left_behind(stream):
                yield from self._read_aside(stream)
        except BaseException:
            stream.close()
            raise
        self.close()
        self._stream, self._identity = stream, _identity(stream)
        try:
            yield from self._rest(stream, whole=whole)
        except FormatError:
            if self._begins(stream):
                raise
            raise self._changed(stream) from None  # it was rewritten after it was compared
        self._quote_left_open()

    def _read_aside(self, new: BinaryIO) -> Iterator[NewRows]:
        """The rest of the file that was put aside, where it was; after it, the new one is read from its top."""
        aside = self._put_aside(new)
        if aside is None:
            raise self._changed(new)
        with aside:
            yield from self._rest(aside, whole=True)
            self._finished = [*self._finished[-MANY:], _identity(aside)]
        self.restart()
        self.remarks.append(
            f"{self.name} was put aside and begun anew; it is read from its top, and what was counted stays counted"
        )

    def _is_same(self, stream: BinaryIO) -> bool:
        """Whether a file begins with what was read."""
        here = os.fstat(stream.fileno())
        looks = (here.st_dev, here.st_ino, here.st_size, here.st_mtime_ns, here.st_ctime_ns)
        if here.st_size < self._offset:
            return False
        moved = self._identity != (here.st_dev, here.st_ino)
        if not moved and (looks == self._as_compared or (self.patient and not self._compared.due())):
            return True
        start = time.monotonic()
        begins = self._begins(stream)
        self._compared.done(start)
        # A file that was written a moment ago may be written again without another time.
        settled = time.time() - here.st_mtime > RECENT
        self._as_compared = looks if begins and settled else None
        return begins

    def _begins(self, stream: BinaryIO) -> bool:
        """Whether the bytes that were read are there; they are hashed again."""
        found, left = hashlib.sha256(), self._offset
        stream.seek(0)
        while left and (text := stream.read(min(left, BLOCK))):
            found.update(text)
            left -= len(text)
        if left or found.hexdigest() != self._mark:
            return False
        self._hash = found
        return True

    def _changed(self, stream: BinaryIO) -> Changed:
        here = os.fstat(stream.fileno())
        if self._mark is None:
            what = "was followed by an earlier version of interagree, which kept too little to know it again"
        elif here.st_size < self._offset:
            what = "is shorter than what was read of it"
        elif self._identity is not None and self._identity != (here.st_dev, here.st_ino):
            what = "was replaced by another file"
        else:
            what = "was rewritten: what was read of it is no longer there as it was"
        return Changed(f"{self.name} {what}", now=(here.st_ino, here.st_size, here.st_mtime_ns))

    def _left_behind(self, new: BinaryIO) -> bool:
        """Whether another file took the place of the one that was read, and lacks what that one got since."""
        if self._identity in {None, _identity(new)} or (old := self._old()) is None:
            return False
        with old:
            new.seek(0)
            while text := old.read(BLOCK):
                if new.read(len(text)) != text:
                    return True
        return False

    def _put_aside(self, new: BinaryIO) -> BinaryIO | None:
        """The file that was read so far, where it has another name now and the new one goes on after it."""
        if self._mark is None or self._identity in {None, _identity(new)}:
            return None
        old = self._old()
        if old is None or (self._begins(old) and not self._in_common(old, new) and not self._between(old, new)):
            return old
        old.close()
        return None

    def _old(self) -> BinaryIO | None:
        """The file that was read so far, if it still has a name: that it has not where another was moved over it."""
        if self._stream is not None:
            kept = os.fstat(self._stream.fileno()).st_nlink > 0
            return os.fdopen(os.dup(self._stream.fileno()), "rb") if kept else None
        beside = (path for path in self.path.parent.iterdir() if path.is_file() and _identity(path) == self._identity)
        path = next(beside, None)
        return None if path is None else path.open("rb")

    def _in_common(self, old: BinaryIO, new: BinaryIO) -> bool:
        """Whether two files have a line in common other than the header; then one was made from the other."""
        new.seek(0)
        lines = {line.strip() for line in new} - {b""}
        old.seek(0)
        if self._lines.kind == "csv":
            lines.discard(old.readline().strip())
        return any(line.strip() in lines for line in old)

    def _between(self, old: BinaryIO, new: BinaryIO) -> bool:
        """Whether a file of the same family was written after one was put aside: that one was never looked at."""
        known, since = (*self._finished, _identity(old), _identity(new)), os.fstat(old.fileno()).st_mtime_ns
        old.seek(0)
        header = old.readline(LONG)
        for path in self.path.parent.glob(f"{glob.escape(self.path.stem)}*"):
            if path.is_file() and _identity(path) not in known and path.stat().st_mtime_ns >= since:
                start = _starts(path, LONG)
                alike = start.startswith(header) if self._lines.kind == "csv" else start[:1] == header[:1]
                if alike or start.startswith((*PACKED.values(),)):
                    return True
        return False

    def _rest(self, stream: BinaryIO, *, whole: bool) -> Iterator[NewRows]:
        size = BLOCK
        while True:
            stream.seek(self._offset)
            text = stream.read(size)
            last = len(text) < size
            rows, end = self._lines.take(text, whole=whole and last)
            self.remarks += self._lines.remarks
            self._lines.remarks.clear()
            if end:
                self._hash.update(text[:end])
                self._mark = self._hash.hexdigest()
                self._offset += end
                if len(rows):
                    yield rows
            elif not last:
                size *= 2  # a line longer than a block
            if last:
                return

    def _quote_left_open(self) -> None:
        """An open quote may be closed in a moment; one that was open before, or that nobody waits for, is an error."""
        quote = self._lines.open
        if quote is not None and quote.rows and (not self.patient or self._suspect == quote.line):
            raise self._lines.unclosed()
        if quote is not None and quote.after and self._suspect != quote.line:
            self.remarks.append(f"{self.name}, {quote}")
        self._suspect = 0 if quote is None else quote.line

    def steps(self) -> list[Step]:
        """What was assumed about the text, and which rows were left out."""
        return self._lines.steps()

    def waiting(self) -> str:
        """A line that has no end yet."""
        if self._lines.open is not None:
            return str(self._lines.open)
        some = self._stream is not None and os.fstat(self._stream.fileno()).st_size > self._offset
        return "the last line has no end yet and waits" if some else ""

    def place(self) -> dict[str, object]:
        """The offset, and what the file is known by."""
        return {
            "offset": self._offset,
            "mark": self._mark,
            "file": self._identity,
            "finished": self._finished,
            "lines": self._lines.place(),
        }

    def go_on(self, place: dict[str, Any]) -> None:
        """Go on from an offset; whether it is still the same file is seen when it is read."""
        self._offset, self._mark = place["offset"], place.get("mark")
        self._lines.go_on(place["lines"])
        self._identity = None if place.get("file") is None else (place["file"][0], place["file"][1])
        self._finished = [(device, number) for device, number in place.get("finished", ())]
        self._as_compared, self._compared = None, Seldom()

    def passing(self, error: Exception) -> bool:  # noqa: ARG002 -- a file is there or not
        """Never."""
        return False

    def close(self) -> None:
        """Close the file."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def _identity(file: BinaryIO | Path) -> Identity:
    here = file.stat() if isinstance(file, Path) else os.fstat(file.fileno())
    return here.st_dev, here.st_ino


def _starts(path: Path, size: int = 8) -> bytes:
    """The first bytes of a file; none where it is not there."""
    if not path.is_file():
        return b""
    with path.open("rb") as stream:
        return stream.read(size)
