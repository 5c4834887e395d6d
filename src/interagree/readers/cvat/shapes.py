"""The shapes of CVAT: boxes, polygons, points, skeletons, ellipses and masks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from interagree.errors import FormatError
from interagree.gather.gatherer import Gatherer
from interagree.gather.shapes import FIGURE, MASK, POLYGON, Shape, box_about_centre, ellipse
from interagree.readers._images import number

SHAPES = ("box", "polygon", "points", "skeleton", "ellipse", "mask")
NOT_READ = ("polyline", "cuboid")
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

    def __init__(self, gathered: Gatherer, joints: Mapping[str, Sequence[str]]) -> None:
        self.gathered, self.joints = gathered, joints  # those of skeletons by label

    def shape(self, element: Element, label: str, size: tuple[int, int] | None, where: str) -> Shape | None:
        """The region that an element is; None for one that is not read."""
        made = self._made(element, label, size, where)
        return None if made is None else made._replace(labels=(label,) if label else ())

    def _made(self, element: Element, label: str, size: tuple[int, int] | None, where: str) -> Shape | None:
        kind = element.tag
        if kind in {"box", "ellipse"}:
            names = ("xtl", "ytl", "xbr", "ybr") if kind == "box" else ("cx", "cy", "rx", "ry")
            first, second, third, fourth = (number(element.get(name), where) for name in names)
            degrees = number(element.get("rotation", "0"), where)
            return (box_about_centre if kind == "box" else ellipse)(first, second, third, fourth, degrees)
        if kind == "skeleton":
            return Shape(FIGURE, self._skeleton(element, label, where))
        if kind == "mask" and size is not None:
            return Shape(MASK, mask_of(element, size, where))
        if kind == "mask":
            self.gathered.left_out("mask", "in an image of unknown size not read")
            return None
        points = points_of(element.get("points"), where)
        if kind == "points":
            return Shape(FIGURE, tuple((x, y, VISIBLE) for x, y in points))
        if len(points) < 3:
            self.gathered.left_out("polygon", "of fewer than three points not read")
            return None
        return Shape(POLYGON, points)

    def _skeleton(self, element: Element, label: str, where: str) -> tuple[tuple[float, float, int], ...]:
        placed: dict[str, tuple[float, float, int]] = {}
        for point in element.iterfind("points"):
            ((x, y),) = points_of(point.get("points"), where)[:1]
            visibility = HIDDEN if point.get("occluded") == "1" else VISIBLE
            placed[point.get("label", "")] = UNSEEN if point.get("outside") == "1" else (x, y, visibility)
        return tuple(placed.get(name, UNSEEN) for name in self.joints[label])


def joints_of(roots: Sequence[Element]) -> dict[str, list[str]]:
    """The joints of each skeleton, by its label, in order of their names."""
    joints: dict[str, set[str]] = {}
    for holder in (holder for root in roots for holder in root.iter()):
        for skeleton in holder.iterfind("skeleton"):
            label = skeleton.get("label") or holder.get("label") or ""
            joints.setdefault(label, set()).update(point.get("label", "") for point in skeleton.iterfind("points"))
    return {label: sorted(names, key=_by_number) for label, names in joints.items()}


def _by_number(name: str) -> tuple[int, str]:
    return (int(name) if name.isascii() and name.isdecimal() and len(name) < 9 else 0, name)


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
