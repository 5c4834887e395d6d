"""The lines of YOLO's files: a class and places, as shares of the width and the height of the image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from interagree.data.files import Source
from interagree.errors import FormatError, ReaderHint
from interagree.gather.gatherer import Gatherer
from interagree.gather.shapes import FIGURE, POLYGON, Shape, box_about_centre

BOX, SCORED = 4, 5  # numbers after the class: of a box, and of one with the confidence of a model
OUTSIDE = 0.5  # of the image, by which a place may lie outside of it
SCORE = "with the confidence of a model, which is not read"
KEYPOINTS = ReaderHint("keypoints", "17,3")


class Line(NamedTuple):
    """A line of a file."""

    cls: int
    numbers: tuple[float, ...]
    where: str


def lines_of(source: Source) -> list[Line]:
    """The lines of a file."""
    lines = []
    for number, text in enumerate(source.text().splitlines(), start=1):
        where = f"{source.name}, line {number}"
        words = text.split()
        if not words:
            continue
        try:
            cls, numbers = float(words[0]), tuple(map(float, words[1:]))
        except ValueError:
            raise FormatError(f"{where}: expected a class and numbers, found {text[:60]!r}") from None
        if cls != cls // 1 or not 0 <= cls < 1e6 or len(numbers) < BOX:
            raise FormatError(f"{where}: expected a class and four numbers or more, found {text[:60]!r}")
        lines.append(Line(int(cls), numbers, where))
    return lines


def ambiguous(lines: Sequence[Line]) -> bool:
    """Whether lines may be boxes with keypoints, whose every third number is a visibility, and nothing says so."""
    long = [line.numbers for line in lines if len(line.numbers) > SCORED]
    if not long or len({len(numbers) for numbers in long}) > 1:
        return False
    return (len(long[0]) - BOX) % 3 == 0 and all(seen in (0, 1, 2) for numbers in long for seen in numbers[6::3])


def shapes_of(line: Line, keypoints: tuple[int, int] | None, gathered: Gatherer) -> list[Shape]:
    """The regions of a line: a box, a polygon, or a box with so many keypoints of so many numbers each."""
    numbers, where = line.numbers, line.where
    if len(numbers) in {BOX, SCORED}:
        gathered.noticed("line", SCORE, len(numbers) - BOX)
        return [_box(numbers[:BOX], where)]
    if keypoints is None and len(numbers) % 2:
        raise FormatError(
            f"{where}: expected a box (4 numbers after the class) or a polygon (x and y of each corner), found "
            f"{len(numbers)} numbers; for keypoints say how many there are, as in {KEYPOINTS}",
            hints=[KEYPOINTS],
        )
    if keypoints is None:
        places = [_check(place, where) for place in numbers]
        return [Shape(POLYGON, tuple(zip(places[::2], places[1::2], strict=True)))]
    count, width = keypoints
    end = BOX + count * width
    if len(numbers) - end not in {0, 1}:
        raise FormatError(
            f"{where}: expected a box and {count} keypoints of {width} numbers, {end} in all, found {len(numbers)}"
        )
    gathered.noticed("line", SCORE, len(numbers) - end)
    points = []
    for at in range(BOX, end, width):
        x, y, seen = (*numbers[at : at + width], 2)[:3]
        unseen = seen == 0 or (width == 2 and x == y == 0)
        points.append((0, 0, 0) if unseen else (_check(x, where), _check(y, where), seen))
    figure = [Shape(FIGURE, tuple(points))] if any(point[2] for point in points) else []
    return [_box(numbers[:BOX], where), *figure]


def _box(numbers: Sequence[float], where: str) -> Shape:
    x, y, wide, high = (_check(place, where) for place in numbers)
    if wide < 0 or high < 0:
        raise FormatError(f"{where}: a box has the width {wide} and the height {high}")
    return box_about_centre(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


def _check(place: float, where: str) -> float:
    if not -OUTSIDE <= place <= 1 + OUTSIDE:
        raise FormatError(
            f"{where}: expected places as shares of the width and the height, from 0 to 1, found {place:g}; divide "
            "pixels by the size of the image"
        )
    return place
