"""What is new, told to every page that listens: server-sent events.

Each has an id: the last event of the log, and which reading of the files it belongs to.  Whoever comes back with the
last id that they heard (``Last-Event-ID``) is told all that they missed, once and in order.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from interagree.serve.workspace import Workspace
from interagree.tables import json_text

BEAT = 15.0  # seconds after which a line without news is sent, so that a line that broke is noticed
TOLD = ("seq", "question", "item", "kind")  # what is told of an event of the log


class Present(NamedTuple):
    """Who looks at which item."""

    who: str
    question: str
    item: str


class Bell:
    """Wakes those who listen; it may be rung from any thread."""

    def __init__(self) -> None:
        self.closed = False
        self._lock = threading.Lock()
        self._ears: dict[tuple[asyncio.AbstractEventLoop, asyncio.Event], Present | None] = {}

    def ring(self) -> None:
        """Something is new."""
        with self._lock:
            ears = [*self._ears]
        for loop, rung in ears:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(rung.set)

    def close(self) -> None:
        """Nothing more will be new."""
        self.closed = True
        self.ring()

    @contextmanager
    def listening(self, present: Present | None) -> Iterator[asyncio.Event]:
        """What is set when it rings; others hear that somebody is there."""
        ear = asyncio.get_running_loop(), asyncio.Event()
        with self._lock:
            self._ears[ear] = present
        if present is not None:
            self.ring()
        try:
            yield ear[1]
        finally:
            with self._lock:
                del self._ears[ear]
            if present is not None:
                self.ring()

    def others(self, present: Present | None) -> list[str]:
        """Who else looks at the item at which somebody looks."""
        with self._lock:
            there = [one for one in self._ears.values() if one is not None]
        same = {one.who for one in there if present is not None and one[1:] == present[1:]}
        return sorted(same - {present.who}) if present is not None else []


async def news(
    workspace: Workspace, bell: Bell, heard: str | None, present: Present | None = None
) -> AsyncIterator[str]:
    """What is new from now on, or since the last id that was heard.

    Args:
        workspace: What there are news of.
        bell: Rings when something is new.
        heard: An id, as ``Last-Event-ID`` has it.
        present: Who listens, and at which item they look; None where people have no names.
    """
    around: list[str] = []
    with bell.listening(present) as rung:  # from before the log is read, so that nothing falls between
        last, reading = _parsed(heard) or (workspace.project.last, workspace.reading)
        yield _message(last, reading, "here", {"seq": last})
        while not bell.closed:
            rung.clear()
            for event in await run_in_threadpool(workspace.project.since, last):
                last = event.seq
                yield _message(last, reading, "decision", {name: getattr(event, name) for name in TOLD})
            if workspace.reading != reading:
                reading = workspace.reading
                yield _message(last, reading, "study", {"seq": last})
            if around != (others := bell.others(present)):
                around = others
                yield _message(last, reading, "others", {"names": around})
            try:
                await asyncio.wait_for(rung.wait(), BEAT)
            except TimeoutError:
                yield ": nothing new\n\n"


def _parsed(heard: str | None) -> tuple[int, str] | None:
    number, _, reading = (heard or "").partition(" ")
    return (int(number), reading) if number.isascii() and number.isdigit() and len(number) < 18 and reading else None


def _message(last: int, reading: str, kind: str, data: dict[str, object]) -> str:
    return f"id: {last} {reading}\nevent: {kind}\ndata: {json_text(data)}\n\n"
