"""Axes of charts: what they cover, where their ticks stand, how numbers on them are written, and what is left out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import numpy as np

from interagree.results.charts import Bars, Chart, Forest, Heat, Histogram, LineChart

Scale = Literal["linear", "log", "time"]
# Steps of axes of time in seconds, and how their ticks are written.
MINUTE, DAY, MONTH = 60.0, 86400.0, 365.25 * 86400 / 12
TIMES = (
    *((step, "%H:%M:%S") for step in (1.0, 5.0, 15.0, 30.0)),
    *((step * MINUTE, "%H:%M") for step in (1, 5, 15, 30, 60, 180, 360, 720)),
    *((step * DAY, "%d %b") for step in (1, 2, 7, 14)),
    *((step * MONTH, "%b %Y") for step in (1, 3, 6)),
    *((step * 12 * MONTH, "%Y") for step in (1, 2, 5, 10, 20, 50, 100, 200, 500)),
)
HUGE, TINY = 1e300, 1e-250  # what is beyond is taken for infinite, what is nearer to 0 for 0
EARLIEST, LATEST = -62135596800.0, 253402300799.0  # the seconds that have a date


class Axis(NamedTuple):
    """An axis from one number to another, and its ticks."""

    low: float
    high: float
    ticks: Sequence[float]
    words: Sequence[str]
    log: bool = False

    def at(self, value: float) -> float:
        """Where a number stands, from 0 to 1; those beyond an end stand on it."""
        low, high, value = self.low, self.high, min(max(value, self.low), self.high)
        if self.log:
            low, high, value = math.log10(low), math.log10(high), math.log10(value)
        return (value - low) / (high - low)


def axis(values: Iterable[float], covers: Sequence[float] = (), *, scale: Scale = "linear", count: int = 6) -> Axis:
    """The axis for some numbers, which covers others as well; those that are undefined or infinite do not count.

    Args:
        values: What is drawn.
        covers: What the axis covers at least.
        scale: How numbers stand along it.
        count: About how many ticks there are.
    """
    known = [float(value) if abs(value) > TINY else 0.0 for value in (*values, *covers) if abs(value) < HUGE]
    if scale == "time":
        return _time_axis([min(max(value, EARLIEST), LATEST) for value in known] or [0.0], count)
    if scale == "log":
        return _log_axis([value for value in known if value > 0] or [1.0], count)
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        # All numbers are the same: the axis begins at 0 or lies around them.
        low, high = (min(low, 0.0), max(high, 0.0)) if low else (0.0, 1.0)
    step = _step((high - low) / max(count - 1, 1))
    if all(map(_whole, known)):
        step = max(step, 1.0)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    last = max(last, first + 1)  # numbers so near to one another, and to a whole one, that they are all but the same
    ticks = [number * step for number in range(first, last + 1)]
    digits = max(0, -math.floor(math.log10(step) + 1e-9)) + (not _whole(step * 10 ** max(0, -_power(step))))
    return Axis(ticks[0], ticks[-1], ticks, [written(tick, digits) for tick in ticks])


def _power(step: float) -> int:
    return math.floor(math.log10(step) + 1e-9)


def _whole(number: float) -> bool:
    return abs(number - round(number)) < 1e-6


def _step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next((factor * power for factor in (1.0, 2.0, 2.5, 5.0) if factor * power >= least * (1 - 1e-9)), 10 * power)


def _log_axis(known: Sequence[float], count: int) -> Axis:
    low, high = min(known), max(known)
    if high <= low * (1 + 1e-9):
        low, high = low / 2, high * 2
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for factors in ((1, 2, 5), (1,)):
        ticks = [factor * 10.0**power for power in powers for factor in factors]
        ticks = [tick for tick in ticks if low * 0.999 <= tick <= high * 1.001]
        if len(ticks) <= count + 2:
            break
    ticks = ticks[:: math.ceil(len(ticks) / (count + 2))] if ticks else [low, high]
    return Axis(low, high, ticks, [short(tick) for tick in ticks], log=True)


def _time_axis(known: Sequence[float], count: int) -> Axis:
    low, high = min(known), max(known)
    if low == high:
        low, high = max(low - DAY / 2, EARLIEST), min(low + DAY / 2, LATEST)
    least = (high - low) / max(count, 1)
    step, form = next(((step, form) for step, form in TIMES if step >= least), TIMES[-1])
    if step < MONTH:
        ticks = [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
    else:
        ticks = [tick for tick in _months(low, high, round(step / MONTH)) if low <= tick <= high]
    ticks = ticks or [low]
    words = [moment(tick).strftime(form) for tick in ticks]
    return Axis(low, high, ticks, words)


def _months(low: float, high: float, step: int) -> list[float]:
    """When every so many months begin."""
    first, last = ((moment(end).year * 12 + moment(end).month - 1) // step for end in (low, high))
    months = (divmod(number * step, 12) for number in range(first, last + 1))
    return [datetime(year, month + 1, 1, tzinfo=UTC).timestamp() for year, month in months if year]


def moment(seconds: float) -> datetime:
    """The date of so many seconds since 1970, in UTC."""
    return datetime.fromtimestamp(seconds, UTC)


def written(number: float, digits: int) -> str:
    """A number with so many digits, and never minus zero; an undefined one as a dash."""
    if math.isnan(number):
        return "–"
    if math.isinf(number):
        return "∞" if number > 0 else "-∞"
    if abs(number) >= 1e7 or (0 < abs(number) < 1e-4):
        return f"{number:.3g}"
    return f"{0.0 if abs(number) < 0.5 * 10**-digits else number:,.{digits}f}"


def short(number: float) -> str:
    """A number in few letters: whole ones whole, others with three digits that count."""
    if not math.isfinite(number) or abs(number) >= 1e7 or 0 < abs(number) < 1e-4:
        return written(number, 0)
    if _whole(number):
        return f"{round(number):,}"
    return written(number, max(0, 2 - math.floor(math.log10(abs(number)))) if abs(number) < 100 else 0)


def across(chart: Forest | Bars | Histogram) -> Axis:
    """The axis below coefficients, amounts and bins."""
    marks = [mark.at for mark in chart.marks]
    if isinstance(chart, Forest):
        ends = [end for row in chart.rows for end in (row.value, row.low, row.high)]
        return axis(ends, (*chart.covers, *marks))
    if isinstance(chart, Bars):
        return axis([amount for amounts in chart.series.values() for amount in amounts], (0.0, *marks))
    return axis(chart.edges, marks)


def upwards(chart: LineChart | Histogram) -> Axis:
    """The axis on the left of lines and bins."""
    if isinstance(chart, Histogram):
        return axis([share for shares in chart.series.values() for share in shares], (0.0,), count=5)
    values = [value for line in chart.lines for side in (line.y, line.low, line.high) for value in side]
    known = [value for value in values if math.isfinite(value)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    covers = [*chart.covers, *(mark.at for mark in chart.marks)]
    # Amounts are seen from 0, unless they are far from it.
    made = axis(known, (*covers, *((0.0,) if 0 < low <= 2 * (high - low) else ())), count=5)
    return _trimmed(made, min((low, *covers)), max((high, *covers)))


def _trimmed(axis: Axis, low: float, high: float) -> Axis:
    """An axis without the room that nothing is drawn in."""
    spare = 0.15 * (axis.ticks[1] - axis.ticks[0]) if len(axis.ticks) > 1 else 0.0
    low, high = max(axis.low, low - spare), min(axis.high, high + spare)
    kept = [(tick, word) for tick, word in zip(axis.ticks, axis.words, strict=True) if low <= tick <= high]
    return Axis(low, high, [tick for tick, _ in kept], [word for _, word in kept]) if len(kept) > 2 else axis


def along(chart: LineChart) -> Axis:
    """The axis below lines."""
    values = [value for line in chart.lines for value in line.x]
    made = axis(values, scale=chart.scale)
    known = [value for value in values if math.isfinite(value)]
    if chart.scale != "linear" or len(set(known)) < 2:
        return made
    low, high = min(known), max(known)  # lines run from edge to edge
    kept = [(tick, word) for tick, word in zip(made.ticks, made.words, strict=True) if low <= tick <= high]
    return Axis(low, high, [tick for tick, _ in kept], [word for _, word in kept]) if len(kept) > 1 else made


def cut(chart: Chart, rows: int, columns: int) -> tuple[Chart, str]:
    """A chart with so many rows, columns or lines at most, and a sentence on what was left out."""
    if isinstance(chart, Forest):
        return chart._replace(rows=chart.rows[:rows]), _left_out(len(chart.rows), rows, "rows")
    if isinstance(chart, Bars):
        names = list(chart.series)[:columns]
        kept = max(1, rows // max(len(names), 1))
        series = {name: chart.series[name][:kept] for name in names}
        told = (_left_out(len(chart.labels), kept, "rows"), _left_out(len(chart.series), columns, "series"))
        return chart._replace(labels=chart.labels[:kept], series=series), _both(*told)
    if isinstance(chart, Heat):
        cells = np.asarray(chart.cells, dtype=float)[:rows, :columns]
        told = (_left_out(len(chart.rows), rows, "rows"), _left_out(len(chart.columns), columns, "columns"))
        return chart._replace(rows=chart.rows[:rows], columns=chart.columns[:columns], cells=cells), _both(*told)
    if isinstance(chart, LineChart):
        return chart._replace(lines=chart.lines[:columns]), _left_out(len(chart.lines), columns, "lines")
    names = list(chart.series)[:columns]
    told_of = _left_out(len(chart.series), columns, "series")
    return chart._replace(series={name: chart.series[name] for name in names}), told_of


def _left_out(there: int, shown: int, what: str) -> str:
    return f"the first {shown:,} of {there:,} {what} are shown" if there > shown else ""


def _both(*sentences: str) -> str:
    return "; ".join(sentence for sentence in sentences if sentence)
