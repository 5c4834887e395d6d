"""Memory: what there is of it, and millions of small objects made without a stop."""

from __future__ import annotations

import gc
import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from interagree.errors import Advice, Hint, TooLarge, Wording

PAGE = 4096  # bytes, as Linux counts memory in statm


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Make many small objects in no cycle without the collector, which would go through them again and again.

    An export of 50 MB is read in a third of the time.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def must_fit(size: float, what: str, *instead: str | Hint | Wording) -> None:
    """Raise an error before work begins that needs more memory than there is.

    Args:
        size: How many bytes it needs.
        what: What needs them.
        instead: What to do instead, as parts of a sentence.
    """
    there = free()
    if size > there:
        raise TooLarge(
            Advice.of(f"{what} would need about {_told(size)} of memory, and {_told(there)} are free; ", *instead)
        )


def free() -> float:
    """How many bytes of memory can still be had: of the machine, of the container, and of what the process may take."""
    return max(0.0, min(_of_machine(), _of_container(), _of_process()))


def _of_machine() -> float:
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return float(line.split()[1]) * 1024
    return math.inf


def _of_container() -> float:
    folder = Path("/sys/fs/cgroup")
    with suppress(OSError, ValueError):  # "max" where there is no bound
        return float((folder / "memory.max").read_text()) - float((folder / "memory.current").read_text())
    return math.inf


def _of_process() -> float:
    with suppress(ImportError, OSError, ValueError):
        import resource

        bound, _ = resource.getrlimit(resource.RLIMIT_AS)
        if bound != resource.RLIM_INFINITY:
            return bound - PAGE * float(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return math.inf


def _told(size: float) -> str:
    """A number of bytes as people say it."""
    for unit in ("kB", "MB", "GB"):
        size /= 1000
        if size < 1000:
            return f"{size:.3g} {unit}"
    return f"{size:,.0f} GB"
