"""A sheet to draw on: words, lines, boxes and points, axes with their ticks, and what colours stand for.

A language gives the four primitives (`svg.SvgSheet`, `tikz.TikzSheet`).  Their classes say what is drawn (``grid``,
``mark``, ``line series-0``, ``cell shade-3``), and the language what that looks like.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from interagree.errors import visible
from interagree.results.cells import cut_to, width_of
from interagree.results.charts import ThresholdLine
from interagree.results.charts.axes import Axis
from interagree.results.charts.colours import LIGHT

WIDTH = 480.0  # of every drawing, in its own units; a page makes it as wide as there is room
# How wide letters of 12 units are in a wide font, such as DejaVu Sans, which many systems take for their own.
LETTER, CAPITAL, NARROW, WIDE = 7.6, 9.1, 4.5, 11.5
NARROW_LETTERS, WIDE_LETTERS = frozenset("fijlrtI.,:;'|!()[]{}-/ "), frozenset("mwMW@%&#<>=+~…→—")
SLACK = 2.0  # around words
GAP = 8.0
LABELS = 200.0  # the most that a name takes
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2", "10 4")
SHAPES = ("circle", "square", "diamond", "triangle")
SERIES = len(LIGHT.series)

Point = tuple[float, float]


class Field(NamedTuple):
    """Where numbers are drawn: from left to right along one axis, from top to bottom along another."""

    left: float
    room: float
    top: float
    high: float
    across: Axis
    upwards: Axis | None = None

    def x(self, value: float) -> float:
        """Where a number stands along the axis below."""
        return self.left + self.across.at(value) * self.room

    def y(self, value: float) -> float:
        """Where a number stands along the axis on the left."""
        return self.top + (1 - (self.upwards.at(value) if self.upwards else 0.0)) * self.high

    def course(self, x: Iterable[float], y: Iterable[float]) -> list[list[Point]]:
        """Where a line runs, in pieces: it is broken where a number is undefined."""
        points = [(float(a), float(b)) for a, b in zip(x, y, strict=True)]
        pieces = (list(run) for known, run in groupby(points, lambda point: all(map(math.isfinite, point))) if known)
        return [[(self.x(a), self.y(b)) for a, b in piece] for piece in pieces]


class Canvas(ABC):
    """What has been drawn, and how far down."""

    def __init__(self, y: float = 0.0) -> None:
        self.parts: list[str] = []
        self.y = y

    def down(self, by: float) -> None:
        """Go on further below."""
        self.y += by

    def text(
        self, at: Point, text: str, classes: str = "", *, anchor: str = "start", most: float = LABELS, turn: int = 0
    ) -> None:
        """Words that take so much room at most; longer ones are cut."""
        whole = visible(text)
        self.words(at, _cut(whole, most), whole, classes, anchor=anchor, turn=turn)

    def line(self, start: Point, end: Point, classes: str, dash: str = "") -> None:
        """A straight line."""
        self.path([start, end], classes, dash)

    @abstractmethod
    def words(self, at: Point, shown: str, whole: str, classes: str, *, anchor: str, turn: int) -> None:
        """Words whose baseline begins, ends or has its middle at a point."""

    @abstractmethod
    def path(self, points: Sequence[Point], classes: str, dash: str = "", *, closed: bool = False) -> None:
        """A line through points."""

    @abstractmethod
    def box(self, at: Point, size: Point, classes: str, title: str = "") -> None:
        """A rectangle; its title says what it stands for, where a drawing can show it."""

    @abstractmethod
    def dot(self, at: Point, series: int, title: str = "", size: float = 4.5) -> None:
        """A point, whose shape tells series apart as its colour does."""

    def legend(self, names: Sequence[str], *, filled: bool) -> None:
        """What colours stand for, in as many lines as they take."""
        x, before = 0.0, 18 if filled else 26
        self.down(14)
        for place, name in enumerate(names):
            wide = min(wide_as(name), LABELS) + before + 14
            if x and x + wide - 14 > WIDTH:
                x = 0.0
                self.down(18)
            if filled:
                self.box((x, self.y - 9), (12, 10), f"fill {colour(place)}")
            else:
                self.line((x, self.y - 4), (x + 20, self.y - 4), f"line {colour(place)}", dash(place))
                self.dot((x + 10, self.y - 4), place, size=3.5)
            self.text((x + before, self.y), name)
            x += wide
        self.down(10)

    def marks_above(self, marks: Sequence[ThresholdLine], left: float, room: float, axis: Axis) -> None:
        """The names of lines that run from top to bottom, each in the first line where it has room."""
        ends: list[float] = []  # of each line of names
        top = self.y
        for mark in sorted(marks, key=lambda mark: mark.at):
            wide = min(wide_as(mark.label), WIDTH / 2)
            start = min(max(left + axis.at(mark.at) * room - wide / 2, 0), WIDTH - wide)
            level = next((place for place, end in enumerate(ends) if start > end + 6), len(ends))
            ends[level : level + 1] = [start + wide]
            at = start + wide / 2, top + 11 + 14 * level
            self.text(at, mark.label, "quiet", anchor="middle", most=WIDTH / 2)
        self.down(14 * len(ends) + 2 * bool(ends))

    def marks_across(self, marks: Sequence[ThresholdLine], field: Field) -> None:
        """Lines from top to bottom."""
        for mark in marks:
            x = field.x(mark.at)
            self.line((x, field.top), (x, field.top + field.high), "mark")

    def axis_below(self, field: Field, title: str) -> None:
        """The ticks of a field with their numbers and what they are, below it; its grid above them."""
        last, bottom = -math.inf, field.top + field.high
        for tick, word in zip(field.across.ticks, field.across.words, strict=True):
            x, half = field.x(tick), wide_as(word) / 2
            if x - half < last + 4:
                continue
            last = x + half
            at, anchor = (WIDTH, "end") if x + half > WIDTH else (x, "middle")
            self.line((x, field.top), (x, bottom), "grid")
            self.text((at, bottom + 14), word, "quiet", anchor=anchor)
        self.y = bottom + 34
        middle = field.left + field.room / 2
        most = 2 * min(middle, WIDTH - middle)
        self.text((middle, self.y - 2), title, "quiet", anchor="middle", most=most)

    def axis_beside(self, field: Field) -> None:
        """Lines from left to right with their numbers."""
        axis = field.upwards
        for tick, word in zip(axis.ticks, axis.words, strict=True) if axis else ():
            y = field.y(tick)
            self.line((field.left, y), (field.left + field.room, y), "grid")
            self.text((field.left - 6, y + 4), word, "quiet", anchor="end")


def room_for(labels: Iterable[str]) -> float:
    """What the names of rows take on the left."""
    return min(max(map(wide_as, labels), default=0.0), LABELS) + GAP


def wide_as(text: str) -> float:
    """About how wide words are; in most fonts they are narrower."""
    return _width(visible(text)) + (SLACK if text else 0.0)


def _width(text: str) -> float:
    return sum(map(_letter, text))


def _letter(letter: str) -> float:
    if letter in NARROW_LETTERS:
        return NARROW
    if letter in WIDE_LETTERS:
        return WIDE
    return CAPITAL if letter.isupper() else LETTER * width_of(letter)


def _cut(text: str, most: float) -> str:
    """As much of words as has room."""
    cells = min(width_of(text), int(most / NARROW))
    while cells > 1 and _width(cut_to(text, cells)) > most:
        cells -= 1
    return cut_to(text, max(cells, 1))


def colour(series: int) -> str:
    """The class of a series."""
    return f"series-{series % SERIES}"


def dash(series: int) -> str:
    """How the line of a series is broken, so that it is told apart without colour."""
    return DASHES[(series + series // SERIES) % len(DASHES)]


def number(value: float) -> str:
    """A number of a drawing."""
    return f"{value:.1f}".removesuffix(".0")
