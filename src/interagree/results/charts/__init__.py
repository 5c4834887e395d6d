"""Charts: what is to be drawn, before anybody decides how it looks.

A section of a document may hold one.  Pages draw it as SVG (`svg`), LaTeX as TikZ (`tikz`), a terminal as characters
(`characters`), and ``plot()`` with Matplotlib (`figures`), all from the same few numbers.  Every chart says in words
what it shows, for those who cannot see it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from interagree.arrays import Floats


class ThresholdLine(NamedTuple):
    """A line across a chart with a name, such as a threshold."""

    at: float
    label: str


class DrawnEstimate(NamedTuple):
    """A number and its interval; its ends are nan where it has none."""

    label: str
    value: float
    low: float
    high: float
    group: str = ""  # what its colour stands for: the study, the question


class Forest(NamedTuple):
    """Coefficients with their intervals, one below the other."""

    rows: Sequence[DrawnEstimate]
    axis: str  # what is measured
    words: str  # what the chart shows
    marks: Sequence[ThresholdLine] = ()
    covers: Sequence[float] = (0.0, 1.0)  # what the axis covers at least


class Bars(NamedTuple):
    """Amounts side by side, those of several series in one group for each label."""

    labels: Sequence[str]
    series: Mapping[str, Sequence[float]]  # the name is empty where there is one
    axis: str
    words: str
    marks: Sequence[ThresholdLine] = ()


class Heat(NamedTuple):
    """A table of numbers as shades; nan is left empty."""

    rows: Sequence[str]
    columns: Sequence[str]
    cells: Floats
    axis: str  # what a number is
    words: str
    middle: float | None = None  # where colours part ways; None where they run from light to dark
    digits: int = 2


class DrawnLine(NamedTuple):
    """A line through points, and the band around it where there is one."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    dots: bool = False  # whether the points are drawn as well


class LineChart(NamedTuple):
    """What changes along an axis: over time, with the number of labels, with noise."""

    lines: Sequence[DrawnLine]
    across: str  # what the axis below is
    axis: str  # what the axis on the left is
    words: str
    marks: Sequence[ThresholdLine] = ()
    scale: Literal["linear", "log", "time"] = "linear"  # of the axis below; seconds since 1970 for time
    moments: Sequence[ThresholdLine] = ()  # where something happened along the axis below
    covers: Sequence[float] = ()  # what the axis on the left covers at least


class Histogram(NamedTuple):
    """Shares in bins, for each series."""

    edges: Sequence[float]
    series: Mapping[str, Sequence[float]]
    axis: str
    words: str
    marks: Sequence[ThresholdLine] = ()


Chart: TypeAlias = Forest | Bars | Heat | LineChart | Histogram
