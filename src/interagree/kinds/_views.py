"""How values are drawn on a page: what each drawing takes, and what a value says of itself to become that.

| view       | a value is                                                                                        |
|------------|---------------------------------------------------------------------------------------------------|
| labels     | the number of a label                                                                             |
| sets       | numbers of labels                                                                                 |
| number     | a number                                                                                          |
| marks      | [begin, end, label] for each span, in UTF-16 units of the text; its pieces as a fourth entry       |
| timeline   | the same in the positions of the data, where there is no text to mark                             |
| relations  | [begin, end, begin, end, label, directed] for each relation: its head, its tail, 1 or 0           |
| clusters   | numbers of mentions for each cluster                                                              |
| image      | {"shape", "points", "label"} for each object; see below                                           |
| tree       | [label, child, …], in which a word is a string                                                    |
| arcs       | [head, label] for each token                                                                      |
| ranking    | numbers of labels, best first                                                                     |
| text       | a string                                                                                          |
| vector     | numbers                                                                                           |
| plain      | a string, whatever the value is                                                                   |

Labels are numbered over the whole page, and -1 stands for none.  The points of an object are x0, y0, x1, y1 of a box;
x, y, x, y, … of keypoints, null where one is not labelled; and of a polygon or a mask a list of such lists, one for
each outline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from interagree.arrays import Booleans
from interagree.data.types import Json, Value
from interagree.data.values import key
from interagree.tables import cell

VIEWS = frozenset(
    {"labels", "sets", "number", "marks", "timeline", "relations", "clusters", "image"}
    | {"tree", "arcs", "ranking", "text", "vector", "plain"}
)
DIGITS = 6  # of a coordinate
Number = int | float


class Drawing:
    """What values are drawn into: the labels of a page by their numbers, and the text of the item at hand."""

    def __init__(self, labels: Iterable[Value] = ()) -> None:
        self.names: list[str] = []
        self._numbers: dict[tuple[bool, Value], int] = {}
        self.place: Callable[[Number, Number], tuple[Number, Number]] | None = None  # a position in the text
        self.size: tuple[int, int] | None = None  # of the image, wide and high, where values say so
        for name in labels:
            self.label(name)

    def label(self, name: Value) -> int:
        """The number of a label, which a new one gets; -1 where there is none."""
        if name is None:
            return -1
        number = self._numbers.setdefault(key(name), len(self._numbers))
        if number == len(self.names):
            self.names.append(without_halves(name if isinstance(name, str) else cell(name)))
        return number

    def between(self, begin: Number, end: Number) -> tuple[Number, Number]:
        """Where a stretch lies: in UTF-16 units of the text, or in the positions of the data."""
        return (rounded(begin), rounded(end)) if self.place is None else self.place(begin, end)


def rounded(number: Number) -> Number:
    """A number with as many digits as can be drawn."""
    if isinstance(number, int):
        return number
    short = float(f"{number:.{DIGITS}g}") if abs(number) < 1e5 else round(number, 1)
    return int(short) if short.is_integer() else short


def without_halves(text: str) -> str:
    """A text that can be written as UTF-8: half of a character becomes the sign for one that cannot be read."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def shape(form: str, points: Sequence[Any], label: int) -> dict[str, Json]:
    """An object in an image."""
    return {"shape": form, "points": list(points), "label": label}


def flat(points: Iterable[Sequence[Any]]) -> list[Json]:
    """Points one after the other, as x, y, x, y, …."""
    return [rounded(number) for point in points for number in point[:2]]


def outlines(inside: Booleans) -> list[list[tuple[int, int]]]:
    """The outlines of the cells of a grid (columns × rows) that are inside, as corners; holes have outlines, too."""
    padded = np.pad(inside, 1)
    steps: dict[tuple[int, int], list[tuple[int, int]]] = {}
    # Along each border between a cell inside and one outside, with the inside on the right.
    for dx, dy, begin, end in (
        (0, -1, (0, 0), (1, 0)),
        (1, 0, (1, 0), (1, 1)),
        (0, 1, (1, 1), (0, 1)),
        (-1, 0, (0, 1), (0, 0)),
    ):
        beside = np.roll(padded, (-dx, -dy), axis=(0, 1))
        for x, y in (np.argwhere(padded & ~beside) - 1).tolist():
            steps.setdefault((x + begin[0], y + begin[1]), []).append((x + end[0], y + end[1]))
    return _loops(steps)


def _loops(steps: dict[tuple[int, int], list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    loops = []
    while steps:
        start = at = next(iter(steps))
        corners: list[tuple[int, int]] = []
        before = (0, 0)
        while True:
            ways = steps[at]
            onward = ways.pop()
            if not ways:
                del steps[at]
            step = onward[0] - at[0], onward[1] - at[1]
            if step != before:
                corners.append(at)
            before, at = step, onward
            if at == start:
                break
        loops.append(corners)
    return loops
