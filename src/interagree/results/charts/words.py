"""The numbers of a chart in words, for those who cannot see it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from interagree.results.charts import Bars, Chart, Forest, Heat, Histogram, LineChart
from interagree.results.charts.axes import short, written
from interagree.tables import places

MOST = 12  # numbers that are read out
ROUNDING = 1e-9  # what arithmetic may leave of a coefficient of 0


def described(chart: Chart) -> str:
    """The numbers of a chart in a sentence or two; of many only some."""
    if isinstance(chart, Forest):
        told = [f"{row.label}{_of(row.group)}: {estimate(row.value, row.low, row.high)}" for row in chart.rows]
    elif isinstance(chart, Bars):
        told = [
            f"{label}{_of(name)}: {short(float(amounts[place]))}"
            for place, label in enumerate(chart.labels)
            for name, amounts in chart.series.items()
        ]
    elif isinstance(chart, Heat):
        told = _extremes(chart)
    elif isinstance(chart, LineChart):
        told = [f"{line.name or chart.axis}: {_course(line.x, line.y)}" for line in chart.lines]
    else:
        told = [f"{name or chart.axis}: {_mode(chart, shares)}" for name, shares in chart.series.items()]
    marks = [f"{mark.label} at {short(mark.at)}" for mark in getattr(chart, "marks", ())]
    more = [f"and {len(told) - MOST:,} more"] if len(told) > MOST else []
    sentence = "; ".join([*told[:MOST], *more, *marks])
    return f"{chart.axis}. {sentence}." if sentence else f"{chart.axis}."


def estimate(value: float, low: float, high: float) -> str:
    """A number with its interval, in as many digits as tell its ends apart."""
    digits = places(low, high)
    value, low, high = (0.0 if abs(number) < ROUNDING else number for number in (value, low, high))
    ends = [written(end, digits) for end in (low, high)]
    told = f" [{', '.join(ends)}]" if ends[0] != ends[1] and not (math.isnan(low) or math.isnan(high)) else ""
    return written(value, digits) + told


def _of(name: str) -> str:
    return f" ({name})" if name else ""


def _extremes(chart: Heat) -> list[str]:
    cells = np.asarray(chart.cells, dtype=float)
    if not np.isfinite(cells).any():
        return []
    told = []
    for word, place in (
        ("least", int(np.nanargmin(np.where(np.isfinite(cells), cells, np.nan)))),
        ("most", int(np.nanargmax(np.where(np.isfinite(cells), cells, np.nan)))),
    ):
        row, column = divmod(place, len(chart.columns))
        number = written(float(cells[row, column]), chart.digits)
        told.append(f"{word} {number} ({chart.rows[row]}, {chart.columns[column]})")
    return told


def _course(x: Sequence[float], y: Sequence[float]) -> str:
    known = [float(b) for a, b in zip(x, y, strict=True) if math.isfinite(a) and math.isfinite(b)]
    if not known:
        return "undefined"
    return f"from {short(known[0])} to {short(known[-1])}, between {short(min(known))} and {short(max(known))}"


def _mode(chart: Histogram, shares: Sequence[float]) -> str:
    known = [share if math.isfinite(share) else 0.0 for share in shares]
    if not known or not max(known) > 0:
        return "empty"
    place = known.index(max(known))
    return f"most between {short(float(chart.edges[place]))} and {short(float(chart.edges[place + 1]))}"
