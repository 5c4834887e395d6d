"""The JSON files of LabelMe: shapes of one image each."""

from __future__ import annotations

import base64
import binascii
import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from interagree.data.files import Source
from interagree.data.provenance import counted
from interagree.errors import FormatError
from interagree.gather.shapes import MASK, POINT, POLYGON, TURNED, Shape, box_about_centre, ellipse
from interagree.readers._images import ImageStudy, Sheet, corners, number, size_of
from interagree.readers._rows import field_of
from interagree.readers._whose import by_place

LINES = ("line", "linestrip")
ANGLED = ("oriented_rectangle", "rotation")
FLAGS = "flags"


def read_files(sources: Sequence[Source], gathered: ImageStudy, annotator: str | None) -> None:
    """All files, with who annotated each by the folders."""
    files, steps = by_place(sources, annotator, wanted="a folder of LabelMe's .json files for each annotator")
    gathered.answers.steps += steps
    counts: Counter[str] = Counter()
    for source, item, who in files:
        record = source.json()
        if not isinstance(record, dict):
            raise FormatError(f"{source.name}: expected an object with 'shapes', found {record!r:.60}")
        sheet = gathered.sheet(item, who, source.name)
        sheet.size = size_of(record, "imageHeight", "imageWidth")
        _Shapes(sheet, counts).read(field_of(record, "shapes", list, source.name))
        flags = record.get("flags")
        for name, is_set in (flags if isinstance(flags, dict) else {}).items():
            sheet.choices.setdefault(FLAGS, [])
            if is_set is True:
                sheet.choose(FLAGS, str(name))
    for noun, times in counts.items():
        if noun == FLAGS:
            gathered.answers.note("noticed", f"flags of {counted(times, 'shape')} not read", times)
        else:
            gathered.answers.left_out(noun, "not read", times)


class _Shapes:
    """The shapes of a file, put onto a sheet."""

    def __init__(self, sheet: Sheet, counts: Counter[str]) -> None:
        self.sheet, self.counts = sheet, counts
        self.outlines: dict[tuple[str, Hashable], list[Any]] = {}  # of polygons, by label and group

    def read(self, shapes: Sequence[object]) -> None:
        """All shapes."""
        for place, record in enumerate(shapes):
            where = f"{self.sheet.where}, /shapes/{place}"
            if not isinstance(record, dict):
                raise FormatError(f"{where}: expected an object with 'points', found {record!r:.60}")
            flags = record.get("flags")
            self.counts[FLAGS] += isinstance(flags, dict) and any(flags.values())
            label = str(field_of(record, "label", (str, int), where))
            shape = self._shape(record, label, place, where)
            if shape is not None:
                self.sheet.mark(shape._replace(labels=(label,)))
        for (label, _), several in self.outlines.items():
            place_ = several[0] if len(several) == 1 else tuple(several)
            self.sheet.mark(Shape(POLYGON, place_, (label,)))
        self.counts += Counter()

    def _shape(self, record: Mapping[str, Any], label: str, place: int, where: str) -> Shape | None:
        kind = str(record.get("shape_type") or "polygon")
        points = _points(record, where)
        group = record.get("group_id")
        if kind == "polygon" or (kind in ANGLED and len(points) != 4):
            if len(points) < 3:
                self.counts["polygon of fewer than three points"] += 1
                return None
            key = (label, ("alone", place) if not isinstance(group, str | int) else group)
            self.outlines.setdefault(key, []).append(points)
            return None
        if kind in LINES or kind not in {"rectangle", "circle", "point", "mask", *ANGLED}:
            self.counts["line" if kind in LINES else f"shape of the type {kind!r:.30}"] += 1
            return None
        needed = {"point": 1, "oriented_rectangle": 4, "rotation": 4}.get(kind, 2)
        if kind == "rectangle" and len(points) == 4:  # all four corners, as X-AnyLabeling writes them
            xs, ys = zip(*points, strict=True)
            return box_about_centre(min(xs), min(ys), max(xs), max(ys), 0)
        if len(points) != needed:
            raise FormatError(f"{where}: a {kind} has {needed} points, and this one {len(points)}")
        if kind == "rectangle":
            return box_about_centre(*corners(*points[0], *points[1]), 0)
        if kind == "circle":
            (x, y), rim = points
            radius = math.dist((x, y), rim)
            return ellipse(x, y, radius, radius)
        if kind == "point":
            return Shape(POINT, points[0], group=group if isinstance(group, str | int) else None)
        return self._mask(record, points, where) if kind == "mask" else _turned(points)

    def _mask(self, record: Mapping[str, Any], points: Sequence[tuple[float, float]], where: str) -> Shape | None:
        from interagree.gather.raster import mask_of_pixels
        from interagree.readers._png import pixels_inside

        if self.sheet.size is None:
            self.counts["mask in an image of unknown size"] += 1
            return None
        try:
            content = base64.b64decode(field_of(record, "mask", str, where), validate=True)
        except (binascii.Error, ValueError):
            raise FormatError(f"{where}: expected a mask as a PNG image in base64, and it is not base64") from None
        inside = pixels_inside(content, where)
        (left, top), (right, bottom) = ((int(x), int(y)) for x, y in points)
        if inside.shape != (bottom - top + 1, right - left + 1):
            raise FormatError(
                f"{where}: the mask has {inside.shape[1]} × {inside.shape[0]} pixels, and its corners say "
                f"{right - left + 1} × {bottom - top + 1}"
            )
        return Shape(MASK, mask_of_pixels(inside, self.sheet.size, top, left))


def _points(record: Mapping[str, Any], where: str) -> tuple[tuple[float, float], ...]:
    points = []
    for point in field_of(record, "points", list, where):
        if not isinstance(point, list) or len(point) != 2:
            raise FormatError(f"{where}: expected a point [x, y], found {point!r:.60}")
        points.append((number(point[0], where), number(point[1], where)))
    return tuple(points)


def _turned(points: Sequence[tuple[float, float]]) -> Shape:
    """The rectangle at an angle that four corners in a row make."""
    first, second, third, _ = points
    x, y = ((first[0] + third[0]) / 2, (first[1] + third[1]) / 2)
    degrees = math.degrees(math.atan2(second[1] - first[1], second[0] - first[0]))
    return Shape(TURNED, (x, y, math.dist(first, second), math.dist(second, third), degrees))
