"""The JSON files of LabelMe: shapes of one image each."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from interagree.errors import FormatError
from interagree.gather.gatherer import CHOICES, Gatherer
from interagree.gather.marks import Mark
from interagree.gather.shapes import MASK, POINT, POLYGON, TURNED, Shape, box_around, ellipse
from interagree.readers._images import number, size_of
from interagree.readers._rows import field_of

Points: TypeAlias = tuple[tuple[float, float], ...]
LINES = ("line", "linestrip")
ANGLED = ("oriented_rectangle", "rotation")
FLAGS = "flags"


def read_files(gathered: Gatherer, annotator: str | None) -> None:
    """All files, with who annotated each by the folders."""
    wanted = "a folder of LabelMe's .json files for each annotator"
    for source, item, who in gathered.images_of(annotator, wanted=wanted):
        record = source.json()
        if not isinstance(record, dict):
            raise FormatError(f"{source.name}: expected an object with 'shapes', found {record!r:.60}")
        size = size_of(record, "imageHeight", "imageWidth")
        gathered.sized(item, source.name, size)
        mark = Mark("", item, who, None, source.name)
        for shape in _shapes(field_of(record, "shapes", list, source.name), size, source.name, gathered):
            gathered.add(mark._replace(value=shape))
        if isinstance(flags := record.get("flags"), dict) and flags:
            chosen = tuple(str(name) for name, is_set in flags.items() if is_set is True)
            gathered.add(mark._replace(question=FLAGS, value=chosen), CHOICES)


def _shapes(records: Sequence[object], size: tuple[int, int] | None, file: str, gathered: Gatherer) -> Iterator[Shape]:
    """The shapes of a file; polygons of one label and one group are one."""
    outlines: dict[tuple[str, Hashable], list[Any]] = {}
    for place, record in enumerate(records):
        where = f"{file}, /shapes/{place}"
        if not isinstance(record, dict):
            raise FormatError(f"{where}: expected an object with 'points', found {record!r:.60}")
        flags = record.get("flags")
        if isinstance(flags, dict) and any(flags.values()):
            gathered.noticed("shape", "with flags, which are not read")
        label = str(field_of(record, "label", (str, int), where))
        made = _shape(record, size, where)
        if isinstance(made, str):
            gathered.left_out(made, "not read")
        elif made.form == POLYGON and made.group is not None:
            outlines.setdefault((label, made.group), []).append(made.place)
        else:
            yield made._replace(labels=(label,))
    for (label, _), several in outlines.items():
        yield Shape(POLYGON, several[0] if len(several) == 1 else tuple(several), (label,))


def _shape(record: Mapping[str, Any], size: tuple[int, int] | None, where: str) -> Shape | str:
    """A shape, or what it is that is not read."""
    kind = str(record.get("shape_type") or "polygon")
    points = _points(record, where)
    group = record["group_id"] if isinstance(record.get("group_id"), str | int) else None
    if kind == "polygon" or (kind in ANGLED and len(points) != 4):
        return Shape(POLYGON, points, group=group) if len(points) > 2 else "polygon of fewer than three points"
    if kind in LINES:
        return "line"
    if kind not in {"rectangle", "circle", "point", "mask", *ANGLED}:
        return f"shape of the type {kind!r:.30}"
    if kind == "rectangle" and len(points) == 4:  # all four corners, as X-AnyLabeling writes them
        return box_around(points)
    needed = {"point": 1, "oriented_rectangle": 4, "rotation": 4}.get(kind, 2)
    if len(points) != needed:
        raise FormatError(f"{where}: a {kind} has {needed} points, and this one {len(points)}")
    if kind == "rectangle":
        return box_around(points)
    if kind == "circle":
        radius = math.dist(*points)
        return ellipse(*points[0], radius, radius)
    if kind == "point":
        return Shape(POINT, points[0], group=group)
    if kind in ANGLED:
        return _turned(points)
    return _mask(record, points, size, where) if size is not None else "mask in an image of unknown size"


def _mask(record: Mapping[str, Any], points: Points, size: tuple[int, int], where: str) -> Shape:
    from interagree.gather.png import pixels_of_base64
    from interagree.gather.raster import mask_of_pixels

    inside = pixels_of_base64(field_of(record, "mask", str, where), where)
    (left, top), (right, bottom) = ((int(x), int(y)) for x, y in points)
    if inside.shape != (bottom - top + 1, right - left + 1):
        raise FormatError(
            f"{where}: the mask has {inside.shape[1]} × {inside.shape[0]} pixels, and its corners say "
            f"{right - left + 1} × {bottom - top + 1}"
        )
    return Shape(MASK, mask_of_pixels(inside, size, top, left))


def _points(record: Mapping[str, Any], where: str) -> Points:
    points = []
    for point in field_of(record, "points", list, where):
        if not isinstance(point, list) or len(point) != 2:
            raise FormatError(f"{where}: expected a point [x, y], found {point!r:.60}")
        points.append((number(point[0], where), number(point[1], where)))
    return tuple(points)


def _turned(points: Points) -> Shape:
    """The rectangle at an angle that four corners in a row make."""
    first, second, third, _ = points
    x, y = ((first[0] + third[0]) / 2, (first[1] + third[1]) / 2)
    degrees = math.degrees(math.atan2(second[1] - first[1], second[0] - first[0]))
    return Shape(TURNED, (x, y, math.dist(first, second), math.dist(second, third), degrees))
