"""Progress of long work, shown by whoever has a terminal to show it in.

Work says ``for block in steps(blocks, "giou distances")``; nothing is shown unless a caller set `show`, as the command
line does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

Show = Callable[[Iterable[object], str, int], Iterator[object]]

show: ContextVar[Show | None] = ContextVar("show", default=None)


def steps(work: Iterable[T], what: str, *, total: int | None = None) -> Iterator[T]:
    """The steps of some work as they come, told to whoever shows progress."""
    shown = show.get()
    count = total if total is not None else len(work) if isinstance(work, Sized) else 0
    if shown is None or count < 2:
        yield from work
        return
    yield from shown(work, what, count)  # type: ignore[misc]  # it hands on what it is given
