"""Polygons: a list of them, each a list of three or more points [x, y]; one alone is a list of one.

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
from interagree.errors import extra
from interagree.kinds._kind import Kind, told_by, written
from interagree.kinds._objects import Figure, is_figure, is_place, objects, without_pixel, wrong_list
from interagree.kinds._parts import numbered


@dataclass(frozen=True, slots=True)
class Polygons:
    """The polygons of all values, end to end; those of value k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    shape: Array  # of shapely
    box: Floats  # x0, y0, x1, y1 around each
    area: Floats
    same: Int32s  # one number for polygons written alike
    label: None = None

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
    if not isinstance(polygon, tuple):
        return f"{polygon!r} is not a polygon"
    if len(polygon) < 3:
        return f"a polygon has {len(polygon)} points"
    for point in polygon:
        if not isinstance(point, tuple) or len(point) != 2 or not all(map(is_place, point)):
            return f"a polygon has the point {list(point) if isinstance(point, tuple) else point!r}"
    return None


def _why_not(value: object) -> str | None:
    return wrong_list(value, is_figure, _wrong_polygon)


def _pack(values: Sequence[tuple[Figure, ...]]) -> Polygons:
    shapely = _shapely()
    start, things = objects(values, is_figure)
    points = np.array([point for thing in things for point in thing], dtype=np.float64).reshape(-1, 2)
    belongs = np.repeat(np.arange(len(things)), [len(thing) for thing in things])
    shape = shapely.polygons(shapely.linearrings(points, indices=belongs)) if things else np.empty(0, dtype=object)
    crossed = ~shapely.is_valid(shape)
    shape[crossed] = shapely.make_valid(shape[crossed])
    box = shapely.bounds(shape).reshape(-1, 4)
    return Polygons(start, shape, box, shapely.area(shape), numbered(things))


def _likely(values: Sequence[tuple[Figure, ...]]) -> bool:
    return any(value and not is_figure(value) for value in values)


polygons = Kind(
    **written("polygons", "a list of them, each a list of at least three [x, y]"),
    **told_by(_why_not, _likely, _pack, rank=290),
    nothing="nothing marked",
    distance="iou",
    distances=("count_diff", "iou"),
    group="Objects in images",
    examples=((((0, 0), (4, 0), (0, 4)),), (((1, 0), (5, 0), (1, 4)),), (((0, 0), (4, 0), (4, 4), (0, 4)),), ()),
)
