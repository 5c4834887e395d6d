"""A sheet on which SVG is drawn: words, lines, boxes and points, axes with their ticks, and what colours stand for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from interagree.errors import visible
from interagree.results.cells import cut_to, width_of
from interagree.results.charts import Mark
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


class Sheet:
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
        """Words that take so much room at most; those that are cut are whole in a title."""
        whole, (x, y) = visible(text), at
        shown = _cut(whole, most)
        title = f"<title>{safe(whole)}</title>" if shown != whole else ""
        marks = f' class="{classes}"' if classes else ""
        marks += f' text-anchor="{anchor}"' if anchor != "start" else ""
        marks += f' transform="rotate({turn} {number(x)} {number(y)})"' if turn else ""
        self.parts.append(f'<text x="{number(x)}" y="{number(y)}"{marks}>{title}{safe(shown)}</text>')

    def line(self, start: Point, end: Point, classes: str, dash: str = "") -> None:
        """A straight line."""
        self.path([start, end], classes, dash)

    def path(self, points: Sequence[Point], classes: str, dash: str = "", *, closed: bool = False) -> None:
        """A line through points."""
        course = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "z" * closed
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<path class="{classes}" d="{course}"{dashes}/>')

    def box(self, at: Point, size: Point, classes: str, title: str = "") -> None:
        """A rectangle; its title is shown to those who point at it."""
        place = f'x="{number(at[0])}" y="{number(at[1])}" width="{number(max(size[0], 0))}" height="{number(size[1])}"'
        self.parts.append(_titled(f'rect class="{classes}" {place}', title))

    def dot(self, at: Point, series: int, title: str = "", size: float = 4.5) -> None:
        """A point, whose shape tells series apart as its colour does."""
        shape, (x, y), r = SHAPES[series % len(SHAPES)], at, size
        courses = {
            "square": f"M{number(x - r)} {number(y - r)}h{2 * r}v{2 * r}h{-2 * r}z",
            "diamond": f"M{number(x)} {number(y - r - 1)}l{r + 1} {r + 1}l{-r - 1} {r + 1}l{-r - 1} {-r - 1}z",
            "triangle": f"M{number(x)} {number(y - r - 0.5)}l{r + 0.5} {2 * r}h{-2 * r - 1}z",
        }
        classes = f'class="dot {colour(series)}"'
        circle = f'circle {classes} cx="{number(x)}" cy="{number(y)}" r="{r}"'
        self.parts.append(_titled(f'path {classes} d="{courses[shape]}"' if shape in courses else circle, title))

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

    def marks_above(self, marks: Sequence[Mark], left: float, room: float, axis: Axis) -> None:
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

    def marks_across(self, marks: Sequence[Mark], field: Field) -> None:
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


def safe(text: str) -> str:
    """Text that is inert in HTML and in XML."""
    return escape(visible(text).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd"))


def _titled(element: str, title: str) -> str:
    name = element.split(" ", 1)[0]
    return f"<{element}><title>{safe(title)}</title></{name}>" if title else f"<{element}/>"
