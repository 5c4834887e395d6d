"""Coefficients and their intervals as a picture, drawn with Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interagree.errors import DataError, visible
from interagree.reports.parts import IntervalOptions, Part
from interagree.results.pictures import COLOURS, canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def forest(parts: Sequence[Part], intervals: IntervalOptions) -> Figure:
    """A forest plot: one line for each coefficient, a dot for its value, a bar for its interval."""
    rows = [
        (part.name, title, result, intervals.interval(result))
        for part in parts
        for title, result in part.titled()
        if not result.undefined
    ]
    if not rows:
        raise DataError("there is nothing to draw: every coefficient is undefined")
    figure = canvas((7, 0.9 + 0.38 * len(rows)), purpose="a picture of the coefficients")
    axes = figure.add_subplot()
    names = list(dict.fromkeys(name for name, *_ in rows))
    for height, (name, _, result, interval) in enumerate(rows):
        colour = COLOURS[names.index(name) % len(COLOURS)]
        if interval is not None:
            axes.plot([interval.low, interval.high], [height, height], color=colour, linewidth=2, solid_capstyle="butt")
        axes.plot(result.value, height, "o", color=colour)
    labels = [visible(title if len(names) == 1 else f"{title} ({name})") for name, title, *_ in rows]
    axes.set_yticks(range(len(rows)), labels)
    axes.invert_yaxis()
    axes.axvline(0, color="0.6", linewidth=0.8)
    ends = [
        end for *_, result, interval in rows for end in ((interval.low if interval else result.value), result.value)
    ]
    axes.set_xlim(min(-0.02, *ends) - 0.03, 1.03)
    axes.set_xlabel(f"coefficient and {intervals.level:.0%} interval")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    return figure
