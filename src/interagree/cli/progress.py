"""Progress on standard error, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


@contextmanager
def shown() -> Iterator[None]:
    """While it lasts, long work draws a bar on standard error; nothing where nobody reads that.

    A bar goes away when its work is done, so that only results stay.
    """
    if not sys.stderr.isatty():
        yield
        return
    from interagree import progress

    before = progress.show.set(_drawn)
    try:
        yield
    finally:
        progress.show.reset(before)


def _drawn(work: Iterable[object], what: str, total: int) -> Iterator[object]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from interagree import progress
    from interagree.errors import visible

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    inside = progress.show.set(None)  # one bar at a time
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
            task = bars.add_task(visible(what), total=total)
            for step in work:
                yield step
                bars.advance(task)
    finally:
        progress.show.reset(inside)
