"""Boxes at an angle: a list of [cx, cy, w, h, degrees], maybe with a label as a sixth entry.

One alone is a list of one.  (cx, cy) is the centre.  Degrees turn the box about it, from the first axis towards the
second; a turn by 180 is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from interagree.arrays import Floats, Indices, Int32s
from interagree.data.types import Json
from interagree.kernels.regions import turned_overlap
from interagree.kinds._kind import Kind, told_by, written
from interagree.kinds._objects import Box, labels_of, objects, one_box, without_pixel, wrong_boxes
from interagree.kinds._views import Drawing, flat, shape


@dataclass(frozen=True, slots=True)
class Rotated:
    """The boxes of all values, end to end; those of value k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    corner: Floats  # four corners for each box, counter-clockwise
    reach: Floats  # centre and half diagonal
    area: Floats
    label: Int32s | None

    def overlap(self, x: Indices, y: Indices) -> Floats:
        """The intersection over the union of aligned pairs of boxes; one without area overlaps its equals only."""
        result = np.empty(len(x))
        turned_overlap.for_steps(100 * len(x))(self.corner, self.reach, self.area, x, y, result)
        return result

    def regions(self, pixel: float) -> Rotated:
        without_pixel(pixel, "boxes at an angle")
        return self


def _wrong_box(box: tuple[Any, ...]) -> str | None:
    wrong = box[2] < 0 or box[3] < 0
    return f"the box {list(box)} has a width or height below 0" if wrong else None


def _pack(values: Sequence[tuple[Box, ...]]) -> Rotated:
    start, things = objects(values, one_box)
    written = np.array([thing[:5] for thing in things], dtype=np.float64).reshape(-1, 5)
    half = written[:, 2:4] / 2
    turn = np.deg2rad(np.mod(written[:, 4], 180))
    signs = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    across, along = signs[:, 0] * half[:, :1], signs[:, 1] * half[:, 1:]
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    corner = written[:, None, :2] + np.stack([across * cos - along * sin, across * sin + along * cos], axis=-1)
    reach = np.column_stack([written[:, :2], np.hypot(half[:, 0], half[:, 1])])
    return Rotated(start, np.ascontiguousarray(corner), reach, written[:, 2] * written[:, 3], labels_of(things, 5))


def _likely(values: Sequence[tuple[Box, ...]]) -> bool:
    return any(isinstance(value[0], tuple) for value in values if value)


def _drawn(value: tuple[Box, ...], page: Drawing) -> Json:
    things = [value] if one_box(value) else value
    corners = _pack([value]).corner.tolist()
    return [
        shape("polygon", [flat(four)], page.label((*box, None)[5])) for box, four in zip(things, corners, strict=True)
    ]


rotated = Kind(
    **written("rotated", "a list of [cx, cy, w, h, degrees]", title="boxes at an angle"),
    **told_by(partial(wrong_boxes, width=5, wrong=_wrong_box), _likely, _pack, rank=270),
    object_labels=lambda value: [(*box, None)[5] for box in ([value] if one_box(value) else value)],
    distance="iou",
    distances=("count_diff", "iou"),
    nothing="nothing marked",
    empty=(),
    view="image",
    drawn=_drawn,
    group="Objects in images",
    examples=(((4, 4, 4, 2, 0),), ((4, 5, 4, 2, 30), (9, 9, 2, 2, 90)), ((9, 9, 2, 3, 90),), ()),
)
