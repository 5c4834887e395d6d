"""Polygons: a list of them, each a list of three or more points [x, y]; one alone is a list of one.

One with a label is written {"label": "car", "points": [[x, y], …]}; the label is a string or a whole number.  Where
several outlines are one object, as of a car behind a pole, ``points`` is a list of lists of points, and the object is
what any of them encloses.

The last point is joined to the first, whether or not it repeats it.  A polygon that crosses itself, as happens when it
is drawn by hand, is taken as the region its line encloses (shapely's ``make_valid``).

Keypoints are written likewise.  Values are taken for keypoints where the points of an object cannot well be the corners
of a polygon, as `interagree.kinds.keypoints` says, and for polygons otherwise; ``kind="polygons"`` settles it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interagree.arrays import Array, Floats, Indices, Int32s
from interagree.data.types import Json
from interagree.errors import extra, listing
from interagree.kinds._kind import Kind, told_by, written
from interagree.kinds._objects import (
    Figure,
    is_figure,
    is_place,
    numbered_labels,
    objects,
    without_pixel,
    wrong_label,
    wrong_list,
)
from interagree.kinds._parts import fields, numbered
from interagree.kinds._views import Drawing, flat, shape
from interagree.tables import cell

ENTRIES = frozenset({"label", "points"})


@dataclass(frozen=True, slots=True)
class Polygons:
    """The polygons of all values, end to end; those of value k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    shape: Array  # of shapely
    box: Floats  # x0, y0, x1, y1 around each
    area: Floats
    same: Int32s  # one number for polygons written alike
    label: Int32s | None

    def overlap(self, x: Indices, y: Indices) -> Floats:
        """The intersection over the union of aligned pairs of polygons; one without area overlaps its equals only."""
        shapely = _shapely()
        result: Floats = (self.same[x] == self.same[y]).astype(np.float64)
        low = np.maximum(self.box[x, :2], self.box[y, :2])
        high = np.minimum(self.box[x, 2:], self.box[y, 2:])
        meet = np.flatnonzero((low < high).all(axis=1) & (result == 0) & (self.area[x] > 0) & (self.area[y] > 0))
        x, y = x[meet], y[meet]
        shared = shapely.area(shapely.intersection(self.shape[x], self.shape[y]))
        result[meet] = np.clip(shared / (self.area[x] + self.area[y] - shared), 0, 1)
        return result

    def regions(self, pixel: float) -> Polygons:
        without_pixel(pixel, "polygons")
        return self


def _shapely() -> Any:
    try:
        import shapely
    except ImportError:
        raise extra("shapely", "complex", purpose="comparing polygons") from None
    return shapely


def _wrong_polygon(polygon: object) -> str | None:
    named = fields(polygon)
    if named is None:
        return _wrong_outline(polygon)
    if "points" not in named or not named.keys() <= ENTRIES:
        return f"a polygon has the entries {listing(sorted(named))}, and not 'points', or 'points' and 'label'"
    if named.get("label") is not None and (reason := wrong_label(named["label"], "a polygon")) is not None:
        return reason
    points = named["points"]
    if not isinstance(points, tuple) or is_figure(points):
        return _wrong_outline(points)
    return next(filter(None, map(_wrong_outline, points)), None) if points else "a polygon has 0 points"


def _wrong_outline(outline: object) -> str | None:
    if not isinstance(outline, tuple):
        return f"{outline!r} is not a polygon"
    if len(outline) < 3:
        return f"a polygon has {len(outline)} points"
    for point in outline:
        if not isinstance(point, tuple) or len(point) != 2 or not all(map(is_place, point)):
            return f"a polygon has the point {list(point) if isinstance(point, tuple) else point!r}"
    return None


def _why_not(value: object) -> str | None:
    return wrong_list(value, is_figure, _wrong_polygon)


def outlines_of(polygon: Any) -> tuple[Figure, ...]:
    """The outlines of a polygon, most often one."""
    named = fields(polygon)
    points = polygon if named is None else named["points"]
    return (points,) if is_figure(points) else points


def label_of(polygon: object) -> str | int | None:
    """The label of a polygon; None where it has none."""
    named = fields(polygon)
    return None if named is None else named.get("label")


def _pack(values: Sequence[tuple[Any, ...]]) -> Polygons:
    shapely = _shapely()
    start, things = objects(values, is_figure)
    outlines = [outlines_of(thing) for thing in things]
    rings = [ring for some in outlines for ring in some]
    points = np.array([point for ring in rings for point in ring], dtype=np.float64).reshape(-1, 2)
    belongs = np.repeat(np.arange(len(rings)), [len(ring) for ring in rings])
    shape = shapely.polygons(shapely.linearrings(points, indices=belongs)) if rings else np.empty(0, dtype=object)
    crossed = ~shapely.is_valid(shape)
    shape[crossed] = shapely.make_valid(shape[crossed])
    if len(rings) > len(things):
        ends = np.cumsum([len(some) for some in outlines])[:-1]
        joined = [some[0] if len(some) == 1 else shapely.union_all(some) for some in np.split(shape, ends)]
        shape = np.array(joined, dtype=object)
    box = shapely.bounds(shape).reshape(-1, 4)
    return Polygons(
        start, shape, box, shapely.area(shape), numbered(outlines), numbered_labels([*map(label_of, things)])
    )


def _likely(values: Sequence[tuple[Any, ...]]) -> bool:
    return any(value and (not is_figure(value) or fields(value) is not None) for value in values)


def _in_words(value: object, _: str | None) -> str:
    if not isinstance(value, tuple):
        return cell(value)
    return "; ".join(map(_polygon_in_words, [value] if is_figure(value) else value))


def _polygon_in_words(polygon: object) -> str:
    if _wrong_polygon(polygon) is not None:
        return cell(polygon)
    label, points = label_of(polygon), [point for outline in outlines_of(polygon) for point in outline]
    (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*points, strict=True))
    where = f"{len(points)} points in [{left:g}, {top:g}, {right:g}, {bottom:g}]"
    return where if label is None else f"{label} {where}"


def _drawn(value: tuple[Any, ...], page: Drawing) -> Json:
    things = [value] if is_figure(value) else value
    return [shape("polygon", [*map(flat, outlines_of(thing))], page.label(label_of(thing))) for thing in things]


polygons = Kind(
    **written("polygons", "a list of them, each a list of at least three [x, y]"),
    **told_by(_why_not, _likely, _pack, rank=290),
    words=_in_words,
    nothing="nothing marked",
    empty=(),
    object_labels=lambda value: [*map(label_of, [value] if is_figure(value) else value)],
    distance="iou",
    distances=("count_diff", "iou"),
    view="image",
    drawn=_drawn,
    group="Objects in images",
    examples=((((0, 0), (4, 0), (0, 4)),), (((1, 0), (5, 0), (1, 4)),), (((0, 0), (4, 0), (4, 4), (0, 4)),), ()),
)
