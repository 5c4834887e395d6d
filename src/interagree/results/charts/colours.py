"""Colours of charts: for series and for shades, on a light and on a dark ground, as rules for pages and as numbers.

The series are from the palette of Okabe and Ito, which people with colour-blindness can tell apart, darkened or
lightened until each has a contrast of 3 to 1 with its ground; what stands on a shade has 4.5 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from interagree.results.charts import Heat

# As published: blue, vermilion, green, purple, orange, sky.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
STEPS = 8  # of shades from least to most; half of them on each side of a middle
EMPTY = "shade-none"


class Theme(NamedTuple):
    """The colours of one ground."""

    ground: str
    ink: str  # of words
    quiet: str  # of words that matter less
    grid: str
    series: tuple[str, ...]
    least: str  # where shades begin
    most: str  # where they end
    below: str  # where they end on the other side of a middle

    def shades(self) -> dict[str, tuple[str, str]]:
        """The classes of shades, each with its colour and that of what stands on it."""
        named = {f"shade-{step}": mixed(self.least, self.most, step / STEPS) for step in range(STEPS + 1)}
        sides = {"above": self.most, "below": self.below}
        half = STEPS // 2
        for side, end in sides.items():
            named |= {f"{side}-{step}": mixed(self.least, end, step / half) for step in range(1, half + 1)}
        return {name: (colour, self._on(colour)) for name, colour in named.items()}

    def _on(self, colour: str) -> str:
        return max("#000000", "#ffffff", key=lambda ink: contrast(ink, colour))

    def rules(self) -> str:
        """What the variables of the style sheet are on this ground."""
        named = {"ground": self.ground, "ink": self.ink, "quiet": self.quiet, "grid": self.grid}
        named |= {f"series-{place}": colour for place, colour in enumerate(self.series)}
        for name, (colour, on) in self.shades().items():
            named |= {name: colour, f"on-{name}": on}
        return "".join(f"--ia-{name}:{colour};" for name, colour in named.items())


LIGHT = Theme(
    "#ffffff", "#1a1c20", "#54585f", "#dcdfe4",
    ("#0072B2", "#D55E00", "#008A64", "#BC5F8F", "#A66F00", "#555555"),
    "#f2f5f9", "#084a7d", "#9a3f00",
)  # fmt: skip
DARK = Theme(
    "#16181d", "#eceef1", "#aab0b9", "#3a3f48",
    ("#56B4E9", "#F07B3A", "#2BBF95", "#D98CB7", "#F0E442", "#C8C8C8"),
    "#23272f", "#7cc6f2", "#f59a5f",
)  # fmt: skip


def shades(chart: Heat) -> Iterator[list[str]]:
    """The class of every cell of a heat map, row by row: ``shade-0`` to ``shade-8``, or ``above-…`` and ``below-…``."""
    low, high = extent(chart)
    reach = max(abs(low - (chart.middle or 0.0)), abs(high - (chart.middle or 0.0))) or 1.0
    for row in chart.cells:
        yield [_shade(float(value), chart.middle, low, high, reach) for value in row]


def _shade(value: float, middle: float | None, low: float, high: float, reach: float) -> str:
    if not math.isfinite(value):
        return EMPTY
    if middle is None:
        return f"shade-{round((value - low) / ((high - low) or 1.0) * STEPS)}"
    step = round(abs(value - middle) / reach * (STEPS // 2))
    return f"{'above' if value > middle else 'below'}-{step}" if step else "shade-0"


def extent(chart: Heat) -> tuple[float, float]:
    """The least and the greatest number of a heat map, from 0 where none is below it."""
    known = np.asarray(chart.cells, dtype=float)
    known = known[np.isfinite(known)]
    if not known.size:
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    return (min(low, 0.0), high) if chart.middle is None else (low, high)


def mixed(start: str, end: str, share: float) -> str:
    """A colour between two others."""
    channels = zip(_channels(start), _channels(end), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in channels)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as the Web Content Accessibility Guidelines define it, from 1 to 21."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [channel / 255 for channel in _channels(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
