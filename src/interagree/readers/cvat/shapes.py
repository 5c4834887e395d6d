"""The shapes of CVAT: boxes, polygons, points, skeletons, ellipses and masks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias
from xml.etree.ElementTree import Element

from interagree.errors import FormatError
from interagree.gather.gatherer import Gatherer
from interagree.gather.shapes import FIGURE, MASK, Shape, box_about_centre, ellipse
from interagree.readers._images import number, polygon

SHAPES = ("box", "polygon", "points", "skeleton", "ellipse", "mask")
NOT_READ = ("polyline", "cuboid")
VISIBLE, HIDDEN = 2, 1
UNSEEN = (0, 0, 0)
Joints: TypeAlias = Mapping[str, Sequence[str]]  # of skeletons by their labels


def label_of(element: Element, where: str) -> str:
    """The label of a shape, a tag or a track."""
    label = element.get("label")
    if label is None:
        raise FormatError(f"{where}: expected a <{element.tag}> with a label, found one without")
    return label


def _points(text: str | None, where: str) -> tuple[tuple[float, float], ...]:
    """Points that are written as 'x,y;x,y'."""
    points = []
    for pair in (text or "").split(";"):
        x, comma, y = pair.partition(",")
        if not comma:
            raise FormatError(f"{where}: expected points as 'x,y;x,y', found {text!r:.60}")
        points.append((number(x, where), number(y, where)))
    return tuple(points)


def shape_of(
    element: Element, size: tuple[int, int] | None, joints: Joints, where: str, gathered: Gatherer
) -> Shape | None:
    """The region that an element is; None for one that is not read, which is counted."""
    kind = element.tag
    if kind in {"box", "ellipse"}:
        names = ("xtl", "ytl", "xbr", "ybr") if kind == "box" else ("cx", "cy", "rx", "ry")
        first, second, third, fourth = (number(element.get(name), where) for name in names)
        degrees = number(element.get("rotation", "0"), where)
        return (box_about_centre if kind == "box" else ellipse)(first, second, third, fourth, degrees)
    if kind == "skeleton":
        return Shape(FIGURE, _skeleton(element, joints, where))
    if kind == "mask" and size is not None:
        return Shape(MASK, _mask(element, size, where))
    if kind == "mask":
        gathered.left_out("mask", "in an image of unknown size not read")
        return None
    points = _points(element.get("points"), where)
    return Shape(FIGURE, tuple((x, y, VISIBLE) for x, y in points)) if kind == "points" else polygon(points, gathered)


def _skeleton(element: Element, joints: Joints, where: str) -> tuple[tuple[float, float, int], ...]:
    placed: dict[str, tuple[float, float, int]] = {}
    for point in element.iterfind("points"):
        ((x, y),) = _points(point.get("points"), where)[:1]
        visibility = HIDDEN if point.get("occluded") == "1" else VISIBLE
        placed[point.get("label", "")] = UNSEEN if point.get("outside") == "1" else (x, y, visibility)
    return tuple(placed.get(name, UNSEEN) for name in joints[element.get("label", "")])


def joints_of(roots: Iterable[Element]) -> Joints:
    """The joints of each skeleton, by its label, in order of their names."""
    joints: dict[str, set[str]] = {}
    for skeleton in (skeleton for root in roots for skeleton in root.iter("skeleton")):
        names = (point.get("label", "") for point in skeleton.iterfind("points"))
        joints.setdefault(skeleton.get("label", ""), set()).update(names)
    return {label: sorted(names, key=_by_number) for label, names in joints.items()}


def _by_number(name: str) -> tuple[int, str]:
    return (int(name) if name.isascii() and name.isdecimal() and len(name) < 9 else 0, name)


def _mask(element: Element, size: tuple[int, int], where: str) -> tuple[tuple[str, object], ...]:
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
