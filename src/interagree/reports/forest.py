"""Coefficients and their intervals drawn: as a picture with Matplotlib, or as a strip of characters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from interagree.errors import DataError, extra
from interagree.reports.parts import How, Part
from interagree.results.pictures import COLOURS

# From the palette of Okabe and Ito, whose colours people with colour-blindness can tell apart.


def forest(parts: Sequence[Part], how: How, path: Path) -> Path:
    """A forest plot: one line for each coefficient, a dot for its value, a bar for its interval."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise extra("matplotlib", "plot", purpose="a picture of the coefficients") from None
    rows = [
        (part.name, title, result, how.interval(result))
        for part in parts
        for title, result in zip(part.titles, part.results, strict=True)
        if not result.undefined
    ]
    if not rows:
        raise DataError("there is nothing to draw: every coefficient is undefined")
    figure = Figure(figsize=(7, 0.9 + 0.38 * len(rows)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    names = list(dict.fromkeys(name for name, *_ in rows))
    for height, (name, _, result, interval) in enumerate(rows):
        colour = COLOURS[names.index(name) % len(COLOURS)]
        if interval is not None:
            axes.plot(
                [interval.low, interval.high],
                [height, height],
                color=colour,
                linewidth=2,
                solid_capstyle="butt",
            )
        axes.plot(result.value, height, "o", color=colour)
    labels = [title if len(names) == 1 else f"{title} ({name})" for name, title, *_ in rows]
    axes.set_yticks(range(len(rows)), labels)
    axes.invert_yaxis()
    axes.axvline(0, color="0.6", linewidth=0.8)
    ends = [
        end
        for *_, result, interval in rows
        for end in ((interval.low if interval else result.value), result.value)
    ]
    axes.set_xlim(min(-0.02, *ends) - 0.03, 1.03)
    axes.set_xlabel(f"coefficient and {how.level:.0%} interval")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    figure.savefig(path, dpi=150)
    return path


def strip(value: float, low: float, high: float, *, left: float = 0.0, width: int = 21) -> str:
    """A coefficient as characters, from ``left`` to 1: a line for its interval, a dot for its value."""
    if math.isnan(value):
        return " " * width

    def place(number: float) -> int:
        return round((min(max(number, left), 1.0) - left) / (1 - left) * (width - 1))

    cells = ["·"] * width
    if not math.isnan(low) and not math.isnan(high):
        for at in range(place(low), place(high) + 1):
            cells[at] = "━"
    cells[place(value)] = "●"
    return "".join(cells)
