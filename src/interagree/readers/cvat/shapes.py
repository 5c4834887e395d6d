"""The shapes of CVAT: boxes, polygons, points, skeletons, ellipses and masks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from interagree.errors import FormatError
from interagree.gather.shapes import FIGURE, MASK, POLYGON, Shape, box_about_centre, ellipse
from interagree.readers._images import corners, number

SHAPES = ("box", "polygon", "points", "skeleton", "ellipse", "mask")
NOT_READ = {"polyline": "polyline", "cuboid": "cuboid"}
VISIBLE, HIDDEN = 2, 1
UNSEEN = (0, 0, 0)


def label_of(element: Element, where: str) -> str:
    """The label of a shape, a tag or a track."""
    label = element.get("label")
    if label is None:
        raise FormatError(f"{where}: expected a <{element.tag}> with a label, found one without")
    return label


def points_of(text: str | None, where: str) -> tuple[tuple[float, float], ...]:
    """Points that are written as 'x,y;x,y'."""
    points = []
    for pair in (text or "").split(";"):
        x, comma, y = pair.partition(",")
        if not comma:
            raise FormatError(f"{where}: expected points as 'x,y;x,y', found {text!r:.60}")
        points.append((number(x, where), number(y, where)))
    return tuple(points)


class ShapeReader:
    """Makes shapes of elements; what cannot be read is counted."""

    def __init__(self, joints: Mapping[str, Sequence[str]]) -> None:
        self.joints = joints  # of skeletons, by label
        self.not_read: Counter[str] = Counter()

    def shape(self, element: Element, label: str, size: tuple[int, int] | None, where: str) -> Shape | None:
        """The region that an element is; None for one that is not read."""
        made = self._made(element, label, size, where)
        return None if made is None else made._replace(labels=(label,) if label else ())

    def _made(self, element: Element, label: str, size: tuple[int, int] | None, where: str) -> Shape | None:
        kind = element.tag
        if kind == "box":
            return self._box(element, where)
        if kind == "ellipse":
            cx, cy, rx, ry = (number(element.get(name), where) for name in ("cx", "cy", "rx", "ry"))
            return ellipse(cx, cy, rx, ry, number(element.get("rotation", "0"), where))
        if kind == "polygon":
            points = points_of(element.get("points"), where)
            if len(points) < 3:
                self.not_read["polygon of fewer than three points"] += 1
                return None
            return Shape(POLYGON, points)
        if kind == "points":
            return Shape(FIGURE, tuple((x, y, VISIBLE) for x, y in points_of(element.get("points"), where)))
        if kind == "skeleton":
            return Shape(FIGURE, self._skeleton(element, label, where))
        if size is None:
            self.not_read["mask in an image of unknown size"] += 1
            return None
        return Shape(MASK, mask_of(element, size, where))

    @staticmethod
    def _box(element: Element, where: str) -> Shape:
        box = corners(*(number(element.get(name), where) for name in ("xtl", "ytl", "xbr", "ybr")))
        return box_about_centre(*box, number(element.get("rotation", "0"), where))

    def _skeleton(self, element: Element, label: str, where: str) -> tuple[tuple[float, float, int], ...]:
        placed: dict[str, tuple[float, float, int]] = {}
        for point in element.iterfind("points"):
            ((x, y),) = points_of(point.get("points"), where)[:1]
            outside = point.get("outside") == "1"
            visibility = HIDDEN if point.get("occluded") == "1" else VISIBLE
            placed[point.get("label", "")] = UNSEEN if outside else (x, y, visibility)
        return tuple(placed.get(name, UNSEEN) for name in self.joints[label])


def mask_of(element: Element, size: tuple[int, int], where: str) -> tuple[tuple[str, object], ...]:
    """A mask: run lengths of a part of the image, row by row, outside and inside in turn."""
    import numpy as np

    from interagree.gather.raster import mask_of_pixels

    left, top, wide, high = (int(number(element.get(name), where)) for name in ("left", "top", "width", "height"))
    try:
        counts = [int(count) for count in (element.get("rle") or "").split(",")]
    except ValueError:
        raise FormatError(f"{where}: expected run lengths in 'rle', found {element.get('rle')!r:.60}") from None
    if min(wide, high, *counts) < 0 or sum(counts) != wide * high or wide * high > size[0] * size[1] * 4:
        raise FormatError(
            f"{where}: the run lengths of a mask of {wide} × {high} pixels must add up to {wide * high}, and these add "
            f"up to {sum(counts)}"
        )
    inside = np.repeat(np.arange(len(counts)) % 2 == 1, counts).reshape(high, wide)
    return mask_of_pixels(inside, size, top, left)
