"""Keypoints: a list of objects, each a list of the same number of [x, y] or [x, y, visibility].

An object alone is a list of one.  Every joint has its place in the list.  [0, 0] or a visibility of 0 says that it is
not labelled.

Polygons are written likewise.  Values are taken for keypoints where all objects have the same number of points, and
either a visibility is given, or an object has two points at [0, 0] (a polygon has no corner twice), or there are three
or more objects of five or more points (polygons drawn by hand would differ).  ``kind="keypoints"`` settles it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.data.types import Json
from interagree.errors import Hint, KindError, listing
from interagree.kernels.keypoints import joint_likeness
from interagree.kinds._kind import Kind, stored_noise, told_by, written
from interagree.kinds._merging import ALIKE, Matched, Matching, Middle, median, middles, sums
from interagree.kinds._objects import Figure, is_figure, is_place, objects, wrong_list
from interagree.kinds._parts import starts
from interagree.kinds._views import Drawing, flat, shape
from interagree.kinds.boxes import Boxes

AS_POLYGONS = Hint("kind", "polygons")


@dataclass(frozen=True, slots=True)
class Keypoints:
    """The objects of all values, end to end; those of value k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    point: Floats  # objects × joints × 2; 0, 0 where not labelled
    labelled: Booleans  # objects × joints
    label: None = None

    @property
    def box(self) -> Floats:
        """x0, y0, x1, y1 around the labelled points of each object; zeros where it has none."""
        seen = self.labelled[:, :, None]
        low = np.where(seen, self.point, np.inf).min(axis=1, initial=np.inf)
        high = np.where(seen, self.point, -np.inf).max(axis=1, initial=-np.inf)
        corners = np.hstack([low, high])
        corners[~np.isfinite(corners)] = 0.0
        return corners

    def overlap(self, x: Indices, y: Indices) -> Floats:
        """The intersection over the union of the boxes around aligned pairs of objects."""
        return Boxes(self.start, self.box, None).overlap(x, y)

    def regions(self, pixel: float) -> Boxes:
        """The boxes around objects; one without a labelled point has none and is left out."""
        seen = self.labelled.any(axis=1)
        belongs = np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))
        left = np.bincount(belongs[seen], minlength=len(self.start) - 1)
        return Boxes(starts(left.tolist()), np.ascontiguousarray(self.box[seen]), None).regions(pixel)

    def likeness(self, x: Indices, y: Indices, scale: Floats, weight: Floats, *, as_points: bool) -> Floats:
        """The mean over joints of exp(-d² / (s w)) for aligned pairs of objects; see `joint_likeness`."""
        result = np.empty(len(x))
        likeness = joint_likeness.for_steps(3 * len(x) * len(weight))
        likeness(self.point, self.labelled, scale, weight, x, y, as_points, result)
        return result


def _wrong_object(thing: object) -> str | None:
    if not isinstance(thing, tuple) or not thing:
        return f"{list(thing) if isinstance(thing, tuple) else thing!r} is not an object"
    for point in thing:
        if not isinstance(point, tuple) or len(point) not in {2, 3} or not all(map(is_place, point)):
            return f"an object has the point {list(point) if isinstance(point, tuple) else point!r}"
    return None


def _why_not(value: object) -> str | None:
    reason = wrong_list(value, is_figure, _wrong_object)
    if reason is not None or not isinstance(value, tuple) or is_figure(value):
        return reason
    sizes = set(map(len, value))
    return f"objects have {listing(sorted(sizes))} points" if len(sizes) > 1 else None


def _pack(values: Sequence[tuple[Figure, ...]]) -> Keypoints:
    start, things = objects(values, is_figure)
    sizes = {len(thing) for thing in things}
    if len(sizes) > 1:
        raise KindError(
            f"every object needs the same number of keypoints, and these have {listing(sorted(sizes))}; write one that "
            f"is not labelled as [0, 0], or say {AS_POLYGONS} if they are polygons",
            hints=[AS_POLYGONS],
        )
    marks = np.array([[(*point, 1)[:3] for point in thing] for thing in things], dtype=np.float64).reshape(
        len(things), max(sizes, default=0), 3
    )
    labelled = (marks[:, :, 2] != 0) & marks[:, :, :2].any(axis=2)
    point = np.where(labelled[:, :, None], marks[:, :, :2], 0.0)
    return Keypoints(start, np.ascontiguousarray(point), labelled)


def _likely(values: Sequence[tuple[Figure, ...]]) -> bool:
    things = [thing for value in values if value and not is_figure(value) for thing in value]
    if len({len(thing) for thing in things}) != 1:
        return False
    return (
        any(len(point) == 3 for point in things[0])
        or (len(things) >= 3 and len(things[0]) >= 5)
        or any(sum(not any(point) for point in thing) >= 2 for thing in things)
    )


def _drawn(value: tuple[Figure, ...], _: Drawing) -> Json:
    packed = _pack([value])
    drawn: list[Json] = []
    for points, seen in zip(packed.point.tolist(), packed.labelled.tolist(), strict=True):
        marks = [flat([point]) if there else [None, None] for point, there in zip(points, seen, strict=True)]
        drawn.append(shape("keypoints", [number for mark in marks for number in mark], -1))
    return drawn


def _merged(objects: Matched, middle: Middle) -> list[tuple[tuple[float, ...], ...]]:
    """An object of the middle of its labelled points; one is labelled where at least half of the objects have it."""
    packed: Keypoints = objects.packed
    with_visibility = any(len(point) == 3 for thing in objects.things for point in thing)
    heavy = sums(objects.cluster, objects.weight, objects.count)
    joints: list[list[tuple[float, ...]]] = [[] for _ in range(objects.count)]
    for joint in range(packed.point.shape[1]):
        seen = np.flatnonzero(packed.labelled[:, joint])
        weight = objects.weight[seen]
        some, of = np.unique(objects.cluster[seen], return_inverse=True)
        of = of.reshape(-1)
        places = np.zeros((objects.count, 2 + with_visibility))
        places[some, :2] = middles(of, packed.point[seen, joint], weight, len(some), middle)
        if with_visibility:
            visibility = [(*objects.things[k][joint], 1.0)[2] for k in seen.tolist()]
            places[some, 2] = median(of, np.array(visibility, dtype=np.float64), weight, len(some), lower=True)
        backed = np.zeros(objects.count)
        backed[some] = sums(of, weight, len(some))
        places[backed < heavy / 2 * (1 - ALIKE)] = 0.0
        for number, point in enumerate(places.tolist()):
            joints[number].append(tuple(point))
    return [tuple(points) for points in joints]


keypoints = Kind(
    **written("keypoints", "a list of objects, each a list of the same number of [x, y] or [x, y, visibility]"),
    **told_by(_why_not, _likely, _pack, rank=280),
    nothing="nothing marked",
    empty=(),
    merge=Matching(
        objects=lambda value: (value,) if value and is_figure(value) else value,
        distance="oks",
        make=_merged,
        order=lambda thing: thing,
        middle="mean",
    ),
    object_labels=lambda value: [None] * len(value),
    distance="oks",
    distances=("count_diff", "iou", "oks"),
    noise=stored_noise("keypoints"),
    view="image",
    drawn=_drawn,
    group="Objects in images",
    examples=(
        (((1, 2, 2), (5, 6, 2), (9, 9, 1)),),
        (((1, 3, 2), (5, 5, 2), (0, 0, 0)),),
        (((2, 2, 1), (6, 6, 2), (9, 8, 2)),),
        (),
    ),
)
