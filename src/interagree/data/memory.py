"""Memory: what there is of it, what may be taken, and millions of small objects made without a stop.

What may be taken is bounded by the machine, the container, the limits of the process, and what the user allows, with
`memory_limit` in Python, ``--memory`` on the command line, or ``INTERAGREE_MEMORY`` for both.
"""

from __future__ import annotations

import gc
import math
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from interagree.errors import Advice, Hint, OptionError, TooLarge, Wording

PAGE = 4096  # bytes, as Linux counts memory in statm
VARIABLE = "INTERAGREE_MEMORY"
UNITS = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12} | {
    f"{letter}I": 1024.0**power for power, letter in enumerate("KMGT", start=1)
}
SIZE = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*([KMGT]I?)?B?", re.IGNORECASE)
SMALL = 1_000_000  # bytes and cells up to which a table is simply read
PER_BYTE, PER_CELL = 4, 50  # bytes of memory for each byte and each cell of a table that is read
ENDS = (b",", b";", b":", b"\t", b"\n")  # what ends a cell of CSV, or a key or value of JSON
LEAST = 1_000_000  # bytes; a smaller bound is a unit left out


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


class Allowed(NamedTuple):
    """How many bytes the user allows the process to hold, and how they said so."""

    size: float
    words: Wording


_ALLOWED: ContextVar[Allowed | None] = ContextVar("allowed", default=None)


def memory_limit(size: str | float) -> AbstractContextManager[None]:
    """Refuse, inside a ``with``, what would make the process hold more memory than that.

    What is known to need more is an error before it starts, `interagree.errors.TooLarge`, that names the need and the
    bound.  ``INTERAGREE_MEMORY=4GB`` in the environment holds for a whole session, ``--memory 4GB`` for a
    command.

    Args:
        size: As in ``"500MB"``, ``"4GB"`` or ``"2GiB"``, or a number of bytes.

    Examples:
        >>> import interagree as ia
        >>> with ia.memory_limit("4GB"):
        ...     round(ia.alpha({"ann": ["a", "b", "b"], "bo": ["a", "b", "a"]}).value, 3)
        0.444
    """
    allowed = in_bytes(size)
    return _held(Allowed(allowed, Wording(f"memory_limit({size!r})", f"--memory {size}")))


@contextmanager
def _held(allowed: Allowed) -> Iterator[None]:
    token = _ALLOWED.set(allowed)
    try:
        yield
    finally:
        _ALLOWED.reset(token)


def in_bytes(size: object, name: str = "size=") -> float:
    """A size as people write it, in bytes: 500MB, 4GB and 2GiB, or a number of bytes.

    Args:
        size: The size.
        name: What the error says was given a wrong one.
    """
    number = math.nan
    if isinstance(size, str):
        if (parts := SIZE.fullmatch(size.strip())) is not None:
            number = float(parts[1]) * UNITS[(parts[2] or "").upper()]
    elif isinstance(size, int | float) and not isinstance(size, bool) and size < sys.float_info.max:
        number = float(size)
    if not LEAST <= number < math.inf:
        raise OptionError(
            f"{name} takes a size of memory from 1MB up, such as '500MB', '4GB' or '2GiB', not {size!r:.60}"
        )
    return number


def allowed() -> Allowed | None:
    """What the user allows, if anything."""
    inner = _ALLOWED.get()
    said = os.environ.get(VARIABLE) if inner is None else None
    if not said:
        return inner
    return Allowed(in_bytes(said, VARIABLE), Wording(f"{VARIABLE}={said}", f"{VARIABLE}={said}"))


def must_fit(size: float, what: str, *instead: str | Hint | Wording) -> None:
    """Raise an error before work begins that needs more memory than there is, or than the user allows.

    Args:
        size: How many bytes it needs.
        what: What needs them.
        instead: What to do instead, as parts of a sentence.
    """
    there = free()
    if size <= there:
        return
    bound, machine = allowed(), _there()
    said: tuple[str | Wording, ...] = (f"{in_words(there)} are free; ",)
    more: tuple[str | Wording, ...] = ()
    if bound is not None and there < machine:
        said = (f"{in_words(there)} are left of the {in_words(bound.size)} that ", bound.words, " allows; ")
        if size < machine:
            enough = f"{math.ceil((size + _held_now()) * 1.1 / 1e8) / 10:g}GB"
            more = ("; or allow more: ", Wording(f"memory_limit({enough!r})", f"--memory {enough}"))
    raise TooLarge(Advice.of(f"{what} would need about {in_words(size)} of memory, and ", *said, *instead, *more))


def table_must_fit(name: str, size: float, cells: float = 0.0) -> None:
    """Raise an error before a table is read that needs more memory than there is.

    Tables of 100,000 to 2,000,000 rows as CSV, JSON lines, JSON, Parquet and Excel took 9 to 60 times the size of the
    file; what is asked for here is about the least of that.

    Args:
        name: The file.
        size: How many bytes its content has.
        cells: How many cells it has, as far as is known.
    """
    if size + cells > SMALL:
        must_fit(
            PER_BYTE * size + PER_CELL * cells,
            f"reading {name}, which holds {in_words(size)},",
            "keep only the rows and the columns that are needed, or leave the table in a database and count it there "
            "with interagree.scan",
        )


def rows_must_fit(name: str, rows: int, columns: int) -> None:
    """Raise an error while rows are fetched, once what they are turned into would not fit beside them.

    Args:
        name: What gives the rows.
        rows: How many are held by now.
        columns: How many cells each has.
    """
    must_fit(
        PER_CELL * float(rows) * columns, f"{name} gives at least {rows:,} rows, which", "ask for fewer rows or columns"
    )


def cell_density(start: bytes | bytearray) -> float:
    """How many cells a text has for each byte, told from its start."""
    return sum(map(start.count, ENDS)) / max(len(start), 1)


def free() -> float:
    """How many bytes of memory can still be had: of the machine, the container, the process, and what is allowed."""
    bound = allowed()
    return max(0.0, min(_there(), math.inf if bound is None else bound.size - _held_now()))


def _there() -> float:
    return min(_of_machine(), _of_container(), _of_process())


def _held_now() -> float:
    """How many bytes of memory the process holds."""
    with suppress(OSError, ValueError, IndexError):
        return PAGE * float(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return _of_windows().held if sys.platform == "win32" else _told_by_ps()


def _of_machine() -> float:
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return float(line.split()[1]) * 1024
    return _of_windows().free if sys.platform == "win32" else _told_by_vm_stat()


class Windows(NamedTuple):
    """What Windows says of memory, in bytes."""

    free: float = math.inf
    held: float = 0.0  # by this process


def _of_windows() -> Windows:
    import ctypes

    library = getattr(ctypes, "windll", None)
    if library is None:
        return Windows()
    word, size = ctypes.c_ulong, ctypes.c_size_t
    # MEMORYSTATUSEX: its size, the load, then eight numbers of which the second is what is available, and
    # PROCESS_MEMORY_COUNTERS: its size, faults, then eight numbers of which the second is the working set.
    machine = type("Machine", (ctypes.Structure,), {"_fields_": [("head", word * 2), ("bytes", ctypes.c_uint64 * 7)]})()
    process = type("Process", (ctypes.Structure,), {"_fields_": [("head", word * 2), ("bytes", size * 8)]})()
    machine.head[0], process.head[0] = ctypes.sizeof(machine), ctypes.sizeof(process)
    here = ctypes.c_void_p(-1)  # what GetCurrentProcess gives
    with suppress(OSError, AttributeError):
        known = bool(library.kernel32.GlobalMemoryStatusEx(ctypes.byref(machine)))
        told = bool(library.kernel32.K32GetProcessMemoryInfo(here, ctypes.byref(process), ctypes.sizeof(process)))
        return Windows(float(machine.bytes[1]) if known else math.inf, float(process.bytes[1]) if told else 0.0)
    return Windows()


def _said(*command: str) -> str:
    """What a program of the system writes; nothing where there is none.  It is asked once a second at most."""
    return _said_then(command, int(time.monotonic()))


@lru_cache(maxsize=4)
def _said_then(command: tuple[str, ...], _second: int) -> str:
    import subprocess

    with suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(command, capture_output=True, check=True, text=True, timeout=10).stdout  # noqa: S603
    return ""


def _told_by_ps() -> float:
    """How many bytes this process holds, where there is no /proc, as on macOS."""
    words = _said("ps", "-o", "rss=", "-p", str(os.getpid())).split()
    return 1024 * float(words[0]) if words and words[0].isdigit() else 0.0


def _told_by_vm_stat() -> float:
    """How many bytes macOS can give: pages that are free, inactive, or thrown away at once."""
    told = _said("vm_stat")
    size = re.search(r"page size of (\d+) bytes", told)
    pages = re.findall(r"Pages (?:free|inactive|speculative|purgeable): +(\d+)\.", told)
    return float(size[1]) * sum(map(float, pages)) if size and pages else math.inf


def _of_container(folder: Path = Path("/sys/fs/cgroup")) -> float:
    """What is left of the bound of the container: what it holds less the files in it that can be given back at once."""
    for inside, bound, used in (
        (folder, "memory.max", "memory.current"),  # cgroup 2
        (folder / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),  # cgroup 1
    ):
        with suppress(OSError, ValueError):  # "max" where there is no bound
            limit = float((inside / bound).read_text(encoding="ascii"))
            held = float((inside / used).read_text(encoding="ascii"))
            cached = re.search(
                r"^(?:total_)?inactive_file (\d+)$", (inside / "memory.stat").read_text(encoding="ascii"), re.MULTILINE
            )
            return max(0.0, limit - held + (float(cached[1]) if cached else 0.0))
    return math.inf


def _of_process() -> float:
    with suppress(ImportError, OSError, ValueError):
        import resource

        bound, _ = resource.getrlimit(resource.RLIMIT_AS)
        if bound != resource.RLIM_INFINITY:
            return bound - PAGE * float(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return math.inf


def in_words(size: float) -> str:
    """A number of bytes as people say it."""
    for unit in ("kB", "MB", "GB"):
        size /= 1000
        if size < 1000:
            return f"{size:.3g} {unit}"
    return f"{size:,.0f} GB"
