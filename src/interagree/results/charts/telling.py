"""Whether a chart shows anything: twenty bars of one length, a single cell or a line of one point do not."""

from __future__ import annotations

import math

import numpy as np

from interagree.results.charts import Bars, Chart, Heat, LineChart
from interagree.results.charts.axes import across

SEEN = 0.02  # share of an axis by which bars must differ to be seen to


def tells(chart: Chart) -> bool:
    """Whether a chart says more than one of its numbers would."""
    if isinstance(chart, Bars):
        known = [float(amount) for amounts in chart.series.values() for amount in amounts if math.isfinite(amount)]
        axis = across(chart)
        return len(known) < 2 or max(known) - min(known) > SEEN * (axis.high - axis.low)
    if isinstance(chart, Heat):
        cells = np.asarray(chart.cells, dtype=float)
        return len(np.unique(cells[np.isfinite(cells)])) > 1
    if isinstance(chart, LineChart):
        return any(
            len({x for x, y in zip(line.x, line.y, strict=True) if math.isfinite(y)}) > 1 for line in chart.lines
        )
    return True
