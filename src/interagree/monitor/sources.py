"""What `watch` follows: something that gives the rows that are new, and its *place*.

The place is what a source must know to go on after a restart.  Place and labels are saved together, so that a row is
counted once, whenever the watching stops.  A source compares what was counted to what is there, and raises `Changed`
where rows that were counted are gone or others.

Growing files are in `files`, tables in `databases`; standard input is here.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import nullcontext
from typing import Any, BinaryIO, Protocol

from interagree.data.provenance import Step
from interagree.errors import DataError
from interagree.monitor.lines import NewRows, RowStream

SELDOM = 20  # comparing, or saving, takes up one part in so many of the time, at most


class Changed(DataError):
    """What was counted is no longer there as it was.

    Args:
        message: What happened, without advice.
        now: What the source looks like at this moment, to see whether it is still being written.
    """

    def __init__(self, message: str = "", *, now: Hashable = None) -> None:
        super().__init__(message)
        self.now = now


class WatchedSource(Protocol):
    """Something that gets longer."""

    name: str
    ended: bool  # whether nothing more can come
    patient: bool  # whether somebody looks again soon, so that what looks odd for a moment may wait
    remarks: list[str]  # what happened to it that a person should know
    failures: tuple[type[Exception], ...]  # what it raises when it cannot be reached

    def read(self, *, whole: bool = False) -> Iterator[NewRows]:
        """The rows that are new, block by block; ``whole``: a last line without an end counts too."""

    def place(self) -> dict[str, object]:
        """How far it was read, after the last block that was asked for."""

    def go_on(self, place: dict[str, Any]) -> None:
        """Go on from a place."""

    def restart(self) -> None:
        """Forget all that was read: everything that is there is new."""

    def accept(self) -> None:
        """After `Changed`: go on with what is there, as additional to what was counted."""

    def passing(self, error: Exception) -> bool:
        """Whether a failure may pass if one waits."""

    def steps(self) -> list[Step]:
        """What was assumed about its form, and which rows were left out."""

    def waiting(self) -> str:
        """What is there and cannot be counted yet, as a sentence; empty where there is nothing."""

    def close(self) -> None:
        """Let go of it."""


class Seldom:
    """When something that costs time is due again, so that it takes up a small part of the time."""

    def __init__(self) -> None:
        self._last = self._cost = 0.0
        self.never = True

    def due(self) -> bool:
        """Whether enough time has passed."""
        return self.never or time.monotonic() - self._last > SELDOM * self._cost

    def done(self, start: float) -> None:
        """It was done, beginning at a time of `time.monotonic`."""
        self._last = time.monotonic()
        self._cost = self._last - start
        self.never = False


class Piped:
    """Standard input, or a pipe with a name: what has arrived so far, without waiting for more.

    There is no way back to what was read, so after a restart only the state counts and reading goes on with
    whatever comes.
    """

    failures: tuple[type[Exception], ...] = ()

    def __init__(
        self,
        name: str = "standard input",
        opened: Callable[[], BinaryIO] | None = None,
        *,
        delimiter: str | None = None,
    ) -> None:
        self.name = name
        self.ended = False
        self.patient = True
        self.remarks: list[str] = []
        self._opened = opened
        self._lines = RowStream(self.name, delimiter=delimiter)
        self._left = b""
        self._arrived: queue.SimpleQueue[bytes | OSError] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def _listen(self) -> None:
        try:
            with nullcontext(sys.stdin.buffer) if self._opened is None else self._opened() as stream:
                piece = getattr(stream, "read1", stream.read)
                while text := piece(1 << 16):
                    self._arrived.put(text)
        except OSError as error:
            self._arrived.put(error)
        self._arrived.put(b"")

    def read(self, *, whole: bool = False) -> Iterator[NewRows]:
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
            if isinstance(text, OSError):
                raise text
            self.ended = not text
            pieces.append(text)
        text = b"".join(pieces)
        rows, end = self._lines.take(text, whole=self.ended)
        self._left = text[end:]
        self.remarks += self._lines.remarks
        self._lines.remarks.clear()
        if len(rows):
            yield rows

    def steps(self) -> list[Step]:
        """What was assumed about the text, and which rows were left out."""
        return self._lines.steps()

    def place(self) -> dict[str, object]:
        """Nothing."""
        return {}

    def go_on(self, place: dict[str, Any]) -> None:
        """Whatever comes is new."""

    def restart(self) -> None:
        """There is no way back."""

    accept = restart

    def passing(self, error: Exception) -> bool:  # noqa: ARG002 -- a pipe that broke stays broken
        """Never."""
        return False

    def waiting(self) -> str:
        """A line that has no end yet."""
        return str(self._lines.open or "") or ("the last line has no end yet and waits" if self._left else "")

    def close(self) -> None:
        """Nothing to close."""
