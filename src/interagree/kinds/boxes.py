"""Boxes: a list of [x0, y0, x1, y1], maybe with a label as a fifth entry; one box alone is a list of one.

A label is a string or a whole number.  A box that ends before it begins is refused, since it is most often one that
was written as a corner with width and height.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from interagree.arrays import Floats, Indices, Int32s
from interagree.kernels.regions import IOU, box_likeness, corners_apart
from interagree.kinds import Kind
from interagree.kinds._objects import FAR, NUMBERS, is_place, labels_of, objects, wrong_list
from interagree.kinds._parts import starts


@dataclass(frozen=True, slots=True)
class Boxes:
    """The boxes of all values, end to end; those of value k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    box: Floats  # x0, y0, x1, y1, the corners in rising order
    label: Int32s | None

    def overlap(self, x: Indices, y: Indices) -> Floats:
        """The intersection over the union of aligned pairs of boxes; one without area overlaps its equals only."""
        return self.likeness(x, y, IOU)

    def likeness(self, x: Indices, y: Indices, form: int) -> Floats:
        """IoU, GIoU or DIoU of aligned pairs of boxes."""
        found = np.empty(len(x))
        box_likeness.for_steps(10 * len(x))(self.box, x, y, form, found)
        return found

    def corners(self, x: Indices, y: Indices) -> Floats:
        """How far apart the corners of aligned pairs of boxes are."""
        found = np.empty(len(x))
        corners_apart.for_steps(10 * len(x))(self.box, x, y, found)
        return found

    def regions(self, pixel: float) -> Boxes:
        """The same boxes, so much wider and higher: by 1 where the last pixel belongs to a box."""
        return replace(self, box=self.box + np.array([0, 0, pixel, pixel])) if pixel else self


def _one(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and not isinstance(value[0], tuple)


def _wrong_box(box: Any) -> str | None:
    if not isinstance(box, tuple):
        return f"{box!r} is no box"
    if len(box) not in {4, 5}:
        return f"a box has {len(box)} entries"
    if not all(map(is_place, box[:4])):
        return f"the box {list(box)} has a corner that is no number"
    if len(box) == 5 and (isinstance(box[4], bool) or not isinstance(box[4], str | int)):
        return f"the label {box[4]!r} of a box is neither a string nor a whole number"
    if box[2] < box[0] or box[3] < box[1]:
        return f"the box {list(box)} ends before it begins (width and height are not corners)"
    return None


def _wrong(value: Any) -> str | None:
    return wrong_list(value, _one, _wrong_box)


def _pack(values: Sequence[Any]) -> Boxes:
    start, things = objects(values, _one)
    box = np.array([thing[:4] for thing in things], dtype=np.float64).reshape(-1, 4)
    return Boxes(start, box, labels_of(things, 4))


def _quick(values: Sequence[Any]) -> Boxes | None:
    """Lists of four numbers each, looked at all together; None where one has to be looked at closely."""
    if not all(type(value) is tuple for value in values):
        return None
    things = list(chain.from_iterable(values))
    if not all(type(thing) is tuple and len(thing) == 4 for thing in things):
        return None
    if not NUMBERS.issuperset(map(type, chain.from_iterable(things))):
        return None
    box = np.array(things, dtype=np.float64).reshape(-1, 4)
    if not (np.abs(box) < FAR).all() or (box[:, 2:] < box[:, :2]).any():
        return None
    return Boxes(starts([len(value) for value in values]), box, None)


def _fits(values: Sequence[Any]) -> bool:
    return any(isinstance(value[0], tuple) for value in values if value)


boxes = Kind(
    "boxes",
    "boxes",
    "a list of [x0, y0, x1, y1]",
    _wrong,
    _pack,
    _fits,
    "giou",
    ("count_diff", "l2", "iou", "giou", "diou"),
    _quick,
)
