"""Boxes: a list of [x0, y0, x1, y1], maybe with a label as a fifth entry; one box alone is a list of one.

A label is a string or a whole number.  A box that ends before it begins is refused, since it is most often one that
was written as a corner with width and height.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from interagree.arrays import Floats, Indices, Int32s
from interagree.data.types import Json
from interagree.data.values import canonical
from interagree.kernels.regions import IOU, box_likeness, corners_apart
from interagree.kinds._kind import Kind, stored_noise, told_by, written
from interagree.kinds._merging import Matched, Matching, Middle
from interagree.kinds._objects import FAR, NUMBERS, Box, labels_of, objects, one_box, wrong_boxes
from interagree.kinds._parts import starts
from interagree.kinds._views import Drawing, flat, shape
from interagree.tables import cell


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
        result = np.empty(len(x))
        box_likeness.for_steps(10 * len(x))(self.box, x, y, form, result)
        return result

    def corners(self, x: Indices, y: Indices) -> Floats:
        """How far apart the corners of aligned pairs of boxes are."""
        result = np.empty(len(x))
        corners_apart.for_steps(10 * len(x))(self.box, x, y, result)
        return result

    def regions(self, pixel: float) -> Boxes:
        """The same boxes, so much wider and higher: by 1 where the last pixel belongs to a box."""
        return replace(self, box=self.box + np.array([0, 0, pixel, pixel])) if pixel else self


def _wrong_box(box: tuple[Any, ...]) -> str | None:
    wrong = box[2] < box[0] or box[3] < box[1]
    return f"the box {list(box)} ends before it begins (width and height are not corners)" if wrong else None


def _pack(values: Sequence[tuple[Box, ...]]) -> Boxes:
    start, things = objects(values, one_box)
    box = np.array([thing[:4] for thing in things], dtype=np.float64).reshape(-1, 4)
    return Boxes(start, box, labels_of(things, 4))


def _quick(values: Sequence[tuple[Box, ...]]) -> Boxes | None:
    """Lists of four numbers each, looked at all together; None where one has to be looked at closely."""
    if not all(type(value) is tuple for value in values):
        return None
    things = list(chain.from_iterable(values))
    if not all(type(thing) is tuple and len(thing) == 4 for thing in things):
        return None
    if not NUMBERS.issuperset(map(type, chain.from_iterable(things))):
        return None
    try:
        box = np.array(things, dtype=np.float64).reshape(-1, 4)
    except OverflowError:  # a whole number that no float can hold
        return None
    if not (np.abs(box) < FAR).all() or (box[:, 2:] < box[:, :2]).any():
        return None
    return Boxes(starts([len(value) for value in values]), box, None)


def _likely(values: Sequence[tuple[Box, ...]]) -> bool:
    return any(isinstance(value[0], tuple) for value in values if value)


def _in_words(value: object, _: str | None) -> str:
    return "; ".join(map(_box_in_words, value)) if isinstance(value, tuple | list) else cell(value)


def _box_in_words(box: object) -> str:
    if not (isinstance(box, tuple | list) and len(box) >= 4):
        return cell(box)
    left, top, right, bottom, *label = box
    where = f"[{left:g}, {top:g}, {right:g}, {bottom:g}]"
    return f"{label[0]} {where}" if label and label[0] is not None else where


def _drawn(value: tuple[Box, ...], page: Drawing) -> Json:
    things = [value] if one_box(value) else value
    return [shape("box", flat([box[:2], box[2:4]]), page.label((*box, None)[4])) for box in things]


def _merged(objects: Matched, middle: Middle) -> list[tuple[object, ...]]:
    corners = objects.middles(objects.packed.box, middle).tolist()
    return [
        (*box, label) if label is not None else tuple(box) for box, label in zip(corners, objects.labels(), strict=True)
    ]


boxes = Kind(
    **written("boxes", "a list of [x0, y0, x1, y1]"),
    **told_by(partial(wrong_boxes, width=4, wrong=_wrong_box), _likely, _pack, _quick, rank=260, certainty="plain"),
    words=_in_words,
    nothing="nothing marked",
    empty=(),
    merge=Matching(
        objects=lambda value: (value,) if one_box(value) else value,
        distance="iou:labels=ignore",
        make=_merged,
        order=lambda box: (*box[:4], canonical(box[4:])),
        label=lambda box: box[4] if len(box) == 5 else None,
    ),
    object_labels=lambda value: [(*box, None)[4] for box in ([value] if one_box(value) else value)],
    distance="giou",
    distances=("count_diff", "l2", "iou", "giou", "diou"),
    noise=stored_noise("boxes"),
    view="image",
    drawn=_drawn,
    group="Objects in images",
    examples=(((0, 0, 4, 4),), ((1, 0, 5, 4), (8, 8, 9, 9)), ((8, 7, 9, 9),), ()),
)
