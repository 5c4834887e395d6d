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
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from interagree import progress

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:

        def draw(work: Iterable[object], what: str, total: int) -> Iterator[object]:
            task = bars.add_task(what, total=total)
            try:
                for step in work:
                    yield step
                    bars.advance(task)
            finally:
                bars.remove_task(task)

        before = progress.show.set(draw)
        try:
            yield
        finally:
            progress.show.reset(before)
