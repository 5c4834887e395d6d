"""Regions of images, as tools draw them, made values: boxes, turned boxes, polygons, keypoints, masks.

Boxes, polygons and masks bear their labels.  Figures do not, and those of another label may have other joints, so that
several labels of figures are several questions.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from interagree.data.provenance import Step, counted, noted
from interagree.errors import listing

BOX, TURNED, POLYGON, POINT, FIGURE, MASK = "box", "turned", "polygon", "keypoint", "figure", "mask"
KINDS_OF_FORMS = {
    BOX: "boxes",
    TURNED: "rotated",
    POLYGON: "polygons",
    POINT: "keypoints",
    FIGURE: "keypoints",
    MASK: "masks",
}
BOXES, POLYGONS, MASKS, KEYPOINTS = "boxes", "polygons", "masks", "keypoints"
QUESTIONS = {BOX: BOXES, TURNED: BOXES, POLYGON: POLYGONS, MASK: MASKS, POINT: KEYPOINTS, FIGURE: KEYPOINTS}
CORNERS = 72  # of the polygon that stands for an ellipse


class Shape(NamedTuple):
    """A region of an image.

    Attributes:
        form: What it is.
        place: Of a box (x0, y0, x1, y1); of a turned one (x and y of its centre, width, height, degrees clockwise);
            of a polygon its corners, or its outlines where it has several; of a point (x, y); of a figure one
            (x, y, visibility) for each joint; of a mask (("counts", …), ("size", (height, width))).
        labels: What was said of it.
        group: What points of one thing have in common.
    """

    form: str
    place: tuple[Any, ...]
    labels: tuple[str, ...] = ()
    group: Hashable = None

    def called(self, label: str | None) -> Shape:
        """The region with a label, where it has one."""
        return self._replace(labels=(label,) if label else ())


class ShapeQuestion(NamedTuple):
    """A question about regions: its kind, and the value of each row."""

    kind: str
    values: list[object]


def box_about_corner(x: float, y: float, width: float, height: float, degrees: float) -> Shape:
    """A rectangle that was turned about its upper left corner."""
    if not degrees % 360:
        return Shape(BOX, (x, y, x + width, y + height))
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    centre = (x + (width * cos - height * sin) / 2, y + (width * sin + height * cos) / 2)
    return Shape(TURNED, (*centre, width, height, degrees))


def box_about_centre(x0: float, y0: float, x1: float, y1: float, degrees: float = 0.0) -> Shape:
    """A rectangle by two opposite corners, in whatever order they were clicked, that was turned about its centre."""
    x0, y0, x1, y1 = min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
    if not degrees % 360:
        return Shape(BOX, (x0, y0, x1, y1))
    return Shape(TURNED, ((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0, degrees))


def box_around(points: Iterable[tuple[float, float]]) -> Shape:
    """The upright rectangle around points."""
    xs, ys = zip(*points, strict=True)
    return Shape(BOX, (min(xs), min(ys), max(xs), max(ys)))


def ellipse(x: float, y: float, across: float, down: float, degrees: float = 0.0) -> Shape:
    """An ellipse as the polygon of 72 corners that has its area; the radii are along x and y before it is turned."""
    step = 2 * math.pi / CORNERS
    grown = math.sqrt(step / math.sin(step))  # an inscribed polygon would be smaller
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    corners = []
    for at in range(CORNERS):
        right, below = grown * across * math.cos(at * step), grown * down * math.sin(at * step)
        corners.append((x + right * cos - below * sin, y + right * sin + below * cos))
    return Shape(POLYGON, tuple(corners))


def questions_of_shapes(name: str, rows: Sequence[Sequence[Shape]]) -> tuple[dict[str, ShapeQuestion], list[Step]]:
    """The questions that regions of images answer, by name, with a value for each row.

    Args:
        name: What the question is called; where there are several forms, or several labels of figures, each is a
            question of its own.
        rows: The regions of each row.
    """
    forms = dict.fromkeys(shape.form for row in rows for shape in row)
    if TURNED in forms:  # all boxes are turned ones, some by no angle
        forms.pop(BOX, None)
    made: dict[str, ShapeQuestion] = {}
    several = [shape for row in rows for shape in row if len(shape.labels) > 1]
    sentence = f"{counted(len(several), 'region')} with several labels taken as one for each label"
    steps = noted("noticed", sentence, len(several))
    for form in forms:
        fitting = {form, BOX} if form == TURNED else {form}
        chosen = [[shape for shape in row if shape.form in fitting] for row in rows]
        labels = sorted({label for row in chosen for shape in row for label in shape.labels})
        called = name if len(forms) == 1 else f"{name} ({form})"
        if form in {POLYGON, MASK}:
            made[called] = ShapeQuestion(KINDS_OF_FORMS[form], [_regions(sorted(row, key=_order)) for row in chosen])
        elif form == POINT:
            made[called] = ShapeQuestion("keypoints", [_grouped(row, labels) for row in chosen])
            steps.append(Step("taken", f"keypoints in the order {listing(labels)}"))
        elif form == FIGURE:
            made.update(_by_label(called, _of_one_length(chosen, steps), labels))
        else:
            values: list[object] = [sorted(_boxes(row, turned=form == TURNED), key=str) for row in chosen]
            made[called] = ShapeQuestion(KINDS_OF_FORMS[form], values)
    return made, steps


def _boxes(row: Iterable[Shape], *, turned: bool) -> list[tuple[object, ...]]:
    made: list[tuple[object, ...]] = []
    for shape in row:
        place = shape.place
        if turned and shape.form == BOX:
            x0, y0, x1, y1 = place
            place = ((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0, 0.0)
        made += [place if label is None else (*place, label) for label in shape.labels or (None,)]
    return made


def _regions(row: Iterable[Shape]) -> list[tuple[object, ...]]:
    """Polygons and masks, with their labels where they have some."""
    made: list[tuple[object, ...]] = []
    for form, place, labels, _ in row:
        several = form == POLYGON and isinstance(place[0][0], tuple)  # outlines
        named = dict(place) if form == MASK else {"points": place}
        for label in labels or (None,):
            if label is None and not several:
                made.append(place)
            else:
                made.append(tuple(sorted({**named, **({} if label is None else {"label": label})}.items())))
    return made


def _order(shape: Shape) -> tuple[object, ...]:
    """What polygons and masks are sorted by: their labels and places, which may be of one outline or of several."""
    nested = shape.form == POLYGON and isinstance(shape.place[0][0], tuple)
    return shape.labels, nested, shape.place


def _by_label(name: str, rows: Sequence[Sequence[Shape]], labels: Sequence[str]) -> dict[str, ShapeQuestion]:
    if len(labels) < 2:
        return {name: ShapeQuestion("keypoints", [sorted(shape.place for shape in row) for row in rows])}
    return {
        f"{name}: {label}": ShapeQuestion(
            "keypoints", [sorted(s.place for s in row if label in s.labels) for row in rows]
        )
        for label in labels
    }


def _of_one_length(rows: Sequence[Sequence[Shape]], steps: list[Step]) -> list[list[Shape]]:
    """Figures; of a label whose figures have different numbers of points, the points one by one."""
    numbers: dict[tuple[str, ...], set[int]] = {}
    for row in rows:
        for shape in row:
            numbers.setdefault(shape.labels, set()).add(len(shape.place))
    uneven = {labels for labels, several in numbers.items() if len(several) > 1}
    steps += [Step("taken", f"points of {listing(labels)} one by one, since their number differs") for labels in uneven]
    return [
        [
            shape._replace(place=place)
            for shape in row
            for place in ([(point,) for point in shape.place if point[2]] if shape.labels in uneven else [shape.place])
        ]
        for row in rows
    ]


def _grouped(row: Sequence[Shape], labels: Sequence[str]) -> list[list[object]]:
    """Objects of one point for each label; points belong together by their group, or where no label comes twice."""
    things: dict[Hashable, list[Shape]] = {}
    for shape in row:
        things.setdefault(shape.group, []).append(shape)
    alone = things.get(None, [])
    if len({shape.labels for shape in alone}) < len(alone):
        del things[None]
        things.update({at: [shape] for at, shape in enumerate(alone)})
    places: list[str | None] = [*labels] or [None]
    made = []
    for group in things.values():
        points: list[object] = [(0, 0)] * len(places)
        for shape in group:
            for label in shape.labels or (None,):
                points[places.index(label) if label in places else 0] = shape.place
        made.append(points)
    return sorted(made)
