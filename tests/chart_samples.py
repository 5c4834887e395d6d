"""Charts of every type for tests, with names that try to break out."""

from __future__ import annotations

import math

import numpy as np

from interagree.results.charts import (
    Bars,
    Chart,
    DrawnEstimate,
    DrawnLine,
    Forest,
    Heat,
    Histogram,
    LineChart,
    ThresholdLine,
)

HOSTILE = (
    "<script>alert(1)</script>",
    "$x_1$ & \"quoted\" 'name'",
    "שלום עולם",
    "日本語のとても長いラベル名がここに続きます、まだ続く",
    "👩‍👩‍👧 😀",
    "a\x1b[31mred\u202eevil\x00",
    "\ud800 \ufffe",
    "a label that goes on and on without an end in sight",
)


def names(count: int) -> list[str]:
    """Some hostile names, then plain ones."""
    return [HOSTILE[place] if place < len(HOSTILE) else f"name {place}" for place in range(count)]


def forest(count: int) -> Forest:
    rows = [
        DrawnEstimate(name, 0.3 + 0.6 * place / count, 0.2, 0.95, f"study {place % 2}")
        for place, name in enumerate(names(count))
    ]
    return Forest(
        rows, "coefficient", "Coefficients & <b>intervals</b>", (ThresholdLine(0.667, "a"), ThresholdLine(0.8, "<b>"))
    )


def bars(count: int, series: int = 1) -> Bars:
    amounts = {(f"s{place}" if series > 1 else ""): np.arange(count) * 1.5 - place for place in range(series)}
    return Bars(names(count), amounts, "items", "How often <i>labels</i> were given")


def heat(rows: int, columns: int, middle: float | None = None) -> Heat:
    cells = np.linspace(-1 if middle is not None else 0, 1, rows * columns).reshape(rows, columns)
    cells[0, 0] = math.nan
    return Heat(names(rows), names(columns), cells, "share", "Who <agrees> with whom", middle)


def lines(count: int, scale: str = "linear") -> LineChart:
    x = np.linspace(1, 1e6, 12) + (1.6e9 if scale == "time" else 0)
    y = np.where(np.arange(12) == 4, np.nan, np.linspace(0.4, 0.7, 12))
    drawn = [
        DrawnLine(name, x, y + 0.02 * place, y - 0.1, y + 0.1, place % 2 == 0)
        for place, name in enumerate(names(count))
    ]
    marks, moments = (ThresholdLine(0.667, HOSTILE[0]),), (ThresholdLine(float(x[3]), HOSTILE[1]),)
    return LineChart(drawn, "labels", "alpha", "Agreement over <time>", marks, scale, moments)  # type: ignore[arg-type]


def histogram(series: int) -> Histogram:
    edges = np.linspace(0, 2, 11)
    shares = {name: np.linspace(0, 0.2, 10) * (place + 1) for place, name in enumerate(names(series))}
    return Histogram(edges, shares, "distance", "Distances <within> and between", (ThresholdLine(0.5, "threshold"),))


EMPTY: tuple[Chart, ...] = (
    Forest((), "coefficient", "nothing"),
    Bars((), {"": ()}, "items", "nothing"),
    Heat((), (), np.empty((0, 0)), "share", "nothing"),
    LineChart((), "labels", "alpha", "nothing"),
    Histogram((0.0, 1.0), {}, "distance", "nothing"),
    Forest([DrawnEstimate("none", math.nan, math.nan, math.nan)], "coefficient", "undefined"),
    Forest([DrawnEstimate("far", 3.0, -math.inf, math.inf)], "coefficient", "endless"),
    Bars(["none", "far"], {"": [math.nan, -math.inf]}, "items", "undefined"),
    Heat(["r"], ["c"], np.array([[math.nan]]), "share", "undefined"),
    LineChart([DrawnLine("", [1.0], [math.nan]), DrawnLine("", [2.0], [0.5])], "labels", "alpha", "one point"),
    LineChart([DrawnLine("", [0.0, -1.0], [0.1, 0.2])], "labels", "alpha", "no logarithm", (), "log"),
    LineChart([DrawnLine("", [1e20, 2e20], [0.1, 0.2])], "labels", "alpha", "after the last date", (), "time"),
    Histogram((0.0, 1.0), {"": [math.nan]}, "distance", "undefined"),
)
FULL: tuple[Chart, ...] = (
    *(forest(count) for count in (1, 2, 9, 60)),
    *(bars(count, series) for count, series in ((1, 1), (2, 2), (9, 3), (60, 1), (60, 30))),
    *(heat(*size) for size in ((1, 1), (2, 2), (9, 9, 0.0), (60, 60))),
    *(lines(count, scale) for count, scale in ((1, "linear"), (2, "log"), (9, "time"), (60, "linear"))),
    *(histogram(series) for series in (1, 2, 9, 60)),
)
EVERY = FULL + EMPTY
