"""A watched study while it runs: as one line, as plain data, and as a live view on a terminal."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypedDict

from interagree.data.provenance import counted
from interagree.errors import InteragreeError
from interagree.tables import Table, cell

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table as RichTable

    from interagree.monitor.standing import Standing
    from interagree.monitor.watching import Watch


class Limits(TypedDict):
    """What a standing is held to."""

    at_least: float | None
    level: float


BATCHES = 12  # of a chart that are shown while it runs
LONGEST_WAIT = 60.0  # seconds between two tries to reach a source


class Tries:
    """Looking at a source that may be away for a while: it is asked again, after waits that double up to a minute.

    Args:
        every: Seconds between two looks.
        say: What prints a remark.
    """

    def __init__(self, every: float, say: Callable[[str], None]) -> None:
        self.wait = self._every = every
        self._say = say
        self._failed = 0
        self._reached = False  # whether there was an answer before

    def step(self, watch: Watch) -> int:
        """Take in what is new; how many labels came."""
        try:
            new = watch.step()
        except watch.source.failures as error:
            watch.source.close()
            if not watch.source.passing(error) or not (watch.resumed or self._reached):
                raise
            self.wait = min(max(self._every, LONGEST_WAIT), self._every * 2**self._failed)
            self._failed += 1
            self._say(
                f"{shown(watch.source.name)} cannot be read now ({shown(reason(error))}); nothing is lost, trying "
                f"again in {self.wait:g} s"
            )
            new = 0
        else:
            if self._failed:
                self._say(
                    f"{shown(watch.source.name)} can be read again, after {counted(self._failed, 'failed attempt')}"
                )
            self.wait, self._failed, self._reached = self._every, 0, True
        for remark in watch.source.remarks:
            self._say(shown(remark))
        watch.source.remarks.clear()
        return new


def shown(text: str) -> str:
    """Text in which characters that a terminal would obey are spelled out."""
    return "".join(
        sign if sign.isprintable() or sign == "\n" else sign.encode("unicode_escape").decode() for sign in text
    )


def line(watch: Watch, level: float) -> str:
    """What is known so far, in one line."""
    monitor = watch.monitor
    n, parts = monitor.n, [time.strftime("%H:%M:%S")]
    parts.append(f"{n.annotations:,} labels, {n}")
    first = monitor.first_two(level)
    if first.items:
        spa, alpha = monitor.spa(), monitor.measure("alpha")
        interval = spa.interval(level)
        sure = f" ({interval.low:.3f} to {interval.high:.3f})" if interval is not None else ""
        parts.append(f"SPA {spa.value:.3f}{sure}")
        parts.append("α undefined" if alpha.undefined else f"α {alpha.value:.3f}")
        parts.append(f"first two {first.value:.3f} (at all times {first.low:.3f} to {first.high:.3f})")
    return "  ".join(parts)


def data(watch: Watch, standing: Standing, code: int) -> dict[str, object]:
    """Where things stand, for a program; ``code`` is the exit code."""
    return {
        "command": "watch",
        "exit_code": code,
        "source": watch.source.name,
        **standing.to_dict(),
        "columns": watch.taken,
        "policy": watch.policy(),
    }


def drawn(watch: Watch, standing: Standing) -> Group:
    """The live view: where things stand, the latest batches or days, and what to look at."""
    from rich.console import Group, RenderableType
    from rich.text import Text

    n = standing.n
    parts: list[RenderableType] = [
        Text.assemble(
            (shown(watch.source.name), "bold"), f"  {n.annotations:,} labels, {n}  ", (time.strftime("%H:%M:%S"), "dim")
        ),
        _table(standing.measures),
        Text(f"First two labels: {standing.first_two}"),
    ]
    by = next((by for by, chart in standing.charts.items() if len(chart) > 1), None)
    if by is not None:
        chart = standing.charts[by]
        # Annotators stand with the lowest first, batches and days with the latest last.
        latest = chart if by == "annotator" else Table.of(chart.rows()[-BATCHES:])
        parts.append(_table(latest.head(BATCHES)))
    alerts = [Text(shown(str(alert)), style="bold red") for alert in standing.alerts]
    return Group(*parts, *(alerts or [Text("no alerts", style="green")]))


def _table(table: Table) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for place, name in enumerate(table.columns):
        made.add_column(name, justify="right" if place else "left")
    for row in table.rows():
        # As Text, because in a plain string rich would take [x] for markup.
        cells = (Text(shown(cell(entry)).replace("\n", "\\n")) for entry in row.values())
        made.add_row(*cells, style="yellow" if row.get("out") == "below" else "")
    return made


def seen(watch: Watch, limits: Limits, *, json: bool, in_place: bool) -> Group | str:
    """What to show of the labels so far: a drawing to replace the last one, a line, or a line of JSON."""
    if not json and not in_place:
        return line(watch, limits["level"])
    standing = watch.monitor.standing(**limits)
    if in_place:
        return drawn(watch, standing)
    from json import dumps

    from interagree.tables import plain

    return dumps(plain(data(watch, standing, 0)), ensure_ascii=False, allow_nan=False)


class Stop:
    """Whether to stop, set by a signal while the same thread waits for it.

    An event of `threading` holds a lock while it waits, and to set it in the handler of a signal that comes just then
    would wait for that lock for ever; to put something into a simple queue is safe at any moment.
    """

    def __init__(self) -> None:
        self._asked: SimpleQueue[None] = SimpleQueue()
        self._set = False

    def set(self) -> None:
        """Ask to stop."""
        self._set = True
        self._asked.put(None)

    def is_set(self) -> bool:
        """Whether to stop."""
        return self._set

    def wait(self, seconds: float) -> None:
        """Wait so long, or until there is reason to stop."""
        if not self._set:
            with suppress(Empty):
                self._asked.get(timeout=seconds)


@contextmanager
def stopping() -> Iterator[Stop]:
    """What Ctrl-C and SIGTERM set, so that what was begun is finished."""
    stop = Stop()
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, lambda *_: stop.set())
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def reason(error: BaseException) -> str:
    """What went wrong, in a few words."""
    if isinstance(error, InteragreeError):
        return str(error)
    told = error.args[0] if error.args else error
    if isinstance(error, OSError):
        told = error.strerror or error
    return str(told.get("M", told)) if isinstance(told, dict) else str(told)
