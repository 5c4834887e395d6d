"""Charts as characters: for a terminal, which colours them, and for plain text.

A line is made of pieces, each with a style: ``series-0``, …, a shade as `colours.shades` names it, ``quiet``, or none.
`characters` gives their text alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from interagree.errors import visible
from interagree.results.cells import cut_to, width_of
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
from interagree.results.charts.axes import Axis, across, along, cut, short, written
from interagree.results.charts.colours import EMPTY, STEPS, shades
from interagree.results.charts.words import estimate

BLOCKS = "▁▂▃▄▅▆▇█"
EIGHTHS = "▏▎▍▌▋▊▉█"
NONE, BAR, DOT, LINE, MARK, CROSSED = "·", "█", "●", "━", "┆", "┿"
SHADES = " ░▒▓█"
QUIET = "quiet"
STRIP, SHORT = 21, 15  # cells of the drawing of a coefficient, and of one with little room
ROWS, COLUMNS = 40, 20  # drawn at most
LABELS = 28  # cells of a name at most
LEAST, LONG, LONGEST = 10, 41, 60  # cells of a drawing: least, most of a coefficient, most of all others


class Piece(NamedTuple):
    """Some characters of a line, and how they look."""

    text: str
    style: str = ""


def characters(chart: Chart, width: int = 100) -> list[str]:
    """A chart as lines of plain characters, within a width where that can be."""
    return ["".join(piece.text for piece in line).rstrip() for line in pieces(chart, width)]


def pieces(chart: Chart, width: int = 100) -> list[list[Piece]]:
    """A chart as lines of characters with their styles."""
    kept, left_out = cut(chart, ROWS, COLUMNS)
    if isinstance(kept, Forest):
        made = _forest(kept, width)
    elif isinstance(kept, Bars):
        made = _bars(kept, width)
    elif isinstance(kept, Heat):
        made = _heat(kept, width)
    elif isinstance(kept, LineChart):
        made = _lines(kept, width)
    else:
        made = _histogram(kept)
    if not made:
        return []
    title = [Piece(visible(chart.axis), QUIET)]
    return [title, *made, *([[Piece(f"{left_out.capitalize()}.", QUIET)]] if left_out else [])]


def _forest(chart: Forest, width: int) -> list[list[Piece]]:
    groups = list(dict.fromkeys(row.group for row in chart.rows))
    numbers = [estimate(row.value, row.low, row.high) for row in chart.rows]
    names = [row.label if len(groups) < 2 else f"{row.label} ({row.group})" for row in chart.rows]
    labels, axis = _column(names), across(chart)
    room = min(_room(width, labels, numbers), LONG)
    lines = [
        [
            Piece(f"{label}  "),
            Piece(strip(row, axis, room, chart.marks), f"series-{groups.index(row.group)}"),
            Piece(f"  {number}"),
        ]
        for row, label, number in zip(chart.rows, labels, numbers, strict=True)
    ]
    return [*lines, *_below(axis, _blank(labels), room, _told(chart.marks))] if lines else []


def _told(marks: Sequence[ThresholdLine]) -> str:
    """What the lines across a drawing are."""
    named = [
        mark.label if any(map(str.isdecimal, mark.label)) else f"{mark.label} {short(mark.at)}".strip()
        for mark in marks
    ]
    return f"{MARK} {', '.join(named)}" if named else ""


def strip(row: DrawnEstimate, axis: Axis, width: int = STRIP, marks: Sequence[ThresholdLine] = ()) -> str:
    """A coefficient as characters along an axis: a line for its interval, a dot for its value."""
    if math.isnan(row.value):
        return " " * width
    crossed = {_place(axis, mark.at, width) for mark in marks}
    cells = [MARK if at in crossed else NONE for at in range(width)]
    if not math.isnan(row.low) and not math.isnan(row.high):
        for at in range(_place(axis, row.low, width), _place(axis, row.high, width) + 1):
            cells[at] = CROSSED if at in crossed else LINE
    cells[_place(axis, row.value, width)] = DOT
    return "".join(cells)


def strips_of(chart: Forest, width: int = STRIP) -> tuple[str, list[str]]:
    """The coefficients of a chart, each as a strip, and the ends of their axis as the head of the column."""
    axis = across(chart)
    left, right = axis.words[0], axis.words[-1]
    return left + right.rjust(width - len(left)), [strip(row, axis, width, chart.marks) for row in chart.rows]


def _place(axis: Axis, value: float, width: int) -> int:
    return round(axis.at(value) * (width - 1))


def _bars(chart: Bars, width: int) -> list[list[Piece]]:
    names = list(chart.series)
    heads = [label if place == 0 else "" for label in chart.labels for place, _ in enumerate(names)]
    labels = _column(heads)
    amounts = [float(chart.series[name][place]) for place in range(len(chart.labels)) for name in names]
    told = [short(amount) for amount in amounts]
    wide = max(map(len, told), default=0)
    numbers = [
        f"{number.rjust(wide)}  {visible(name)}".rstrip()
        for number, name in zip(told, names * len(chart.labels), strict=True)
    ]
    axis, room, series = across(chart), _room(width, labels, numbers), max(len(names), 1)
    return [
        [Piece(f"{label}  "), Piece(bar(amount, axis, room), f"series-{place % series}"), Piece(f"  {number}")]
        for place, (label, amount, number) in enumerate(zip(labels, amounts, numbers, strict=True))
    ]


def bar(amount: float, axis: Axis, width: int) -> str:
    """An amount as a bar: to the right of zero in eighths of a cell, to the left of it in whole cells."""
    if not math.isfinite(amount):
        return " " * width
    zero = axis.at(0.0) * width
    if amount < 0:
        start = round(axis.at(amount) * width)
        return (" " * start + BAR * (round(zero) - start)).ljust(width)
    eighths = round((axis.at(amount) * width - zero) * len(EIGHTHS)) or (amount > 0)
    whole, rest = divmod(int(eighths), len(EIGHTHS))
    return (" " * round(zero) + BAR * whole + (EIGHTHS[rest - 1] if rest else "")).ljust(width)[: max(width, 1)]


def _heat(chart: Heat, width: int) -> list[list[Piece]]:
    cells = np.asarray(chart.cells, dtype=float).reshape(len(chart.rows), len(chart.columns))
    if not cells.size:
        return []
    labels = _column(chart.rows)
    numbers = [[written(float(value), chart.digits) for value in row] for row in cells]
    room = (width - width_of(labels[0]) - 2) // len(chart.columns) - 1
    longest = max(width_of(visible(name)) for name in chart.columns)
    wide = max(min(room, max(longest, 2 + max(len(told) for row in numbers for told in row))), 2)
    fits = wide >= 2 + max(len(told) for row in numbers for told in row)
    head = [Piece(_blank(labels)), *(Piece(_right(name, wide) + " ", QUIET) for name in chart.columns)]
    lines = [head]
    for label, texts, classes in zip(labels, numbers, shades(chart), strict=True):
        line = [Piece(f"{label}  ")]
        for told, shade in zip(texts, classes, strict=True):
            sign = SHADES[_depth(shade)]
            line += [Piece(_right(f"{told} {sign}", wide) if fits else sign * wide, shade), Piece(" ")]
        lines.append(line)
    return lines


def _depth(shade: str) -> int:
    """How dense the character of a shade is."""
    if shade == EMPTY:
        return 0
    name, step = shade.rsplit("-", 1)
    most = STEPS if name == "shade" else STEPS // 2
    return round(int(step) / most * (len(SHADES) - 1))


def _lines(chart: LineChart, width: int) -> list[list[Piece]]:
    labels = _column(line.name for line in chart.lines)
    ends = [_ends(line) for line in chart.lines]
    known = [float(y) for line in chart.lines for y in line.y if math.isfinite(y)]
    if not known:
        return []
    below, room = along(chart), _room(width, labels, ends)
    lines = [
        [
            Piece(f"{label}  "),
            Piece(spark(line, below, (min(known), max(known)), room), f"series-{place}"),
            Piece(f"  {told}"),
        ]
        for place, (line, label, told) in enumerate(zip(chart.lines, labels, ends, strict=True))
    ]
    scale = f"{chart.across}; {BLOCKS[0]} {short(min(known))}, {BLOCKS[-1]} {short(max(known))}"
    return [*lines, *_below(below, _blank(labels), room, scale)]


def _ends(line: DrawnLine) -> str:
    known = [float(y) for y in line.y if math.isfinite(y)]
    return f"{short(known[0])} → {short(known[-1])}" if known else "–"


def spark(line: DrawnLine, across: Axis, ends: tuple[float, float], width: int) -> str:
    """A line as blocks, each as high as the line is there; it is broken where a number is undefined."""
    x = np.array([across.at(float(value)) if math.isfinite(value) else np.nan for value in line.x])
    y = np.asarray(line.y, dtype=float)
    order = np.argsort(x[known := np.isfinite(x)], kind="stable")
    x, y = x[known][order], y[known][order]
    if not len(x):
        return " " * width
    places = np.linspace(0, 1, width)
    heights = np.interp(places, x, y, left=np.nan, right=np.nan)
    low, high = ends
    steps = (heights - low) / ((high - low) or 1.0) * (len(BLOCKS) - 1)
    drawn = [" " if math.isnan(step) else BLOCKS[round(step)] for step in steps]
    if len(x) == 1 and math.isfinite(y[0]):
        drawn[round(float(x[0]) * (width - 1))] = DOT
    return "".join(drawn)


def _histogram(chart: Histogram) -> list[list[Piece]]:
    labels = _column(chart.series)
    room = max(len(chart.edges) - 1, LEAST)
    lines = [
        [Piece(f"{label}  "), Piece(blocks(shares), f"series-{place}")]
        for place, (label, shares) in enumerate(zip(labels, chart.series.values(), strict=True))
    ]
    if not lines:
        return []
    first, last = short(float(chart.edges[0])), short(float(chart.edges[-1]))
    marks = _told(chart.marks)
    below = f"{first}{last.rjust(max(room - len(first), len(last) + 1))}" + (f"  {visible(marks)}" if marks else "")
    return [*lines, [Piece(_blank(labels) + below, QUIET)]]


def blocks(shares: Iterable[float]) -> str:
    """A histogram as characters: a dot for an empty bin, else a block as high as its share."""
    known = [float(share) if math.isfinite(share) else 0.0 for share in shares]
    top = max(known, default=0.0)
    if not top > 0:
        return NONE * len(known)
    return "".join(BLOCKS[max(math.ceil(share / top * len(BLOCKS)), 1) - 1] if share > 0 else NONE for share in known)


def _below(axis: Axis, before: str, room: int, title: str = "") -> list[list[Piece]]:
    """The ends of an axis below a drawing."""
    first, last = axis.words[0], axis.words[-1]
    start, end = _place(axis, axis.ticks[0], room), _place(axis, axis.ticks[-1], room) + 1
    between = max(end - start - len(first) - len(last), 1)
    told = f"{' ' * start}{first}{' ' * between}{last}" if len(axis.ticks) > 1 else first
    return [[Piece(before + told + (f"  {visible(title)}" if title else ""), QUIET)]]


def _column(labels: Iterable[str]) -> list[str]:
    """Names of one width."""
    shown = [cut_to(visible(label), LABELS) for label in labels]
    wide = max(map(width_of, shown), default=0)
    return [label + " " * (wide - width_of(label)) for label in shown]


def _blank(labels: Sequence[str]) -> str:
    return " " * (width_of(labels[0]) + 2)


def _right(text: str, width: int) -> str:
    shown = cut_to(visible(text), width)
    return " " * (width - width_of(shown)) + shown


def _room(width: int, labels: Sequence[str], numbers: Sequence[str]) -> int:
    beside = width_of(labels[0]) + max(map(width_of, numbers)) + 4 if labels else 0
    return min(max(width - beside, LEAST), LONGEST)
