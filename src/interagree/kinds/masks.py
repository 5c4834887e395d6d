"""Masks: {"size": [height, width], "counts": …} as COCO writes them, one or a list of them.

The counts are run lengths of pixels outside and inside in turn, column by column from the top left: a list of whole
numbers, or the string that pycocotools makes of it.  Masks of images of different size are laid on one another at the
top left corner.  One with a label has it as the entry "label", a string or a whole number.

Where the kind is stated, a mask may also be written as its rows of pixels, lists of 0 and 1.

The masks are unpacked here, and need no further library.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np

from interagree.arrays import Floats, Indices, Int32s, Int64s
from interagree.data.types import Json, Value
from interagree.errors import KindError
from interagree.kernels.regions import mask_overlap, spelled_out, stretches
from interagree.kinds._kind import Kind, told_by, written
from interagree.kinds._objects import numbered_labels, objects, without_pixel, wrong_label, wrong_list
from interagree.kinds._parts import fields, starts
from interagree.kinds._views import Drawing, outlines, shape
from interagree.tables import cell

CELLS = 96  # across and down that the outline of a mask is drawn on
SIDE = 1 << 30  # pixels; longer sides would make areas too large for whole numbers


Mask = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Masks:
    """The masks of all values, end to end; those of value k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    begin: Indices  # where the stretches of each mask begin
    first: Int64s  # the first pixel of each stretch, column by column in the tallest image
    last: Int64s  # … and the one after its last
    area: Int64s
    label: Int32s | None

    def overlap(self, x: Indices, y: Indices) -> Floats:
        """The intersection over the union of aligned pairs of masks; two empty ones overlap fully."""
        result = np.empty(len(x))
        each = len(self.first) // max(len(self.area), 1) + 1
        mask_overlap.for_steps(5 * len(x) * each)(self.first, self.last, self.begin, self.area, x, y, result)
        return result

    def regions(self, pixel: float) -> Masks:
        without_pixel(pixel, "masks")
        return self


def _one(value: object) -> TypeGuard[Mask]:
    return fields(value) is not None


def _wrong_mask(mask: object) -> str | None:
    named = fields(mask)
    if named is None or not {"size", "counts"} <= named.keys():
        return "a mask lacks its 'size' or its 'counts'"
    size, counts = named["size"], named["counts"]
    if not isinstance(size, tuple) or len(size) != 2 or not all(_is_count(side) and 0 < side < SIDE for side in size):
        return f"a mask has the size {list(size) if isinstance(size, tuple) else size!r}"
    if named.get("label") is not None and (reason := wrong_label(named["label"], "a mask")) is not None:
        return reason
    if isinstance(counts, str | bytes):
        return None
    if not isinstance(counts, tuple) or not all(map(_is_count, counts)):
        return "the counts of a mask are neither a string nor whole numbers from 0 up"
    return None


def _is_count(part: object) -> bool:
    return isinstance(part, int | float) and not isinstance(part, bool) and part >= 0 and part == part // 1


def _why_not(value: object) -> str | None:
    return wrong_list(value, _one, _wrong_mask)


def _pack(values: Sequence[tuple[Mask, ...]]) -> Masks:
    start, things = objects(values, _one)
    written = [fields(thing) or {} for thing in things]
    size = np.array([thing["size"] for thing in written], dtype=np.int64).reshape(-1, 2)
    begin, counts = _counts([thing["counts"] for thing in written])
    _check(size, begin, counts)
    tall = int(size[:, 0].max(initial=1))
    # A run that goes on for several columns is cut where they are shorter than the tallest.
    room = int(np.where(size[:, 0] == tall, np.diff(begin), np.diff(begin) + size[:, 1]).sum())
    first, last = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    end = np.empty(len(written), dtype=np.intp)
    height = np.ascontiguousarray(size[:, 0])
    stretches.for_steps(5 * room)(counts, begin, height, tall, first, last, end)
    begin = np.concatenate([[0], end]).astype(np.intp)
    first, last = first[: begin[-1]].copy(), last[: begin[-1]].copy()
    covered = np.concatenate([[0], np.cumsum(last - first)])
    label = numbered_labels([thing.get("label") for thing in written])
    return Masks(start, begin, first, last, covered[begin[1:]] - covered[begin[:-1]], label)


def _counts(written: Sequence[Any]) -> tuple[Indices, Int64s]:
    """The run lengths of all masks end to end, and where those of each begin."""
    letters = [_letters(counts) for counts in written]
    begin = starts([len(some) for some in letters])
    runs = np.empty(int(begin[-1]), dtype=np.int64)
    end = np.empty(len(written), dtype=np.intp)
    spelled_out.for_steps(5 * len(runs))(
        np.frombuffer(b"".join(letters) + b" ", dtype=np.uint8)[:-1].copy(), begin, runs, end
    )
    spelled = np.split(runs[: end[-1] if len(end) else 0], end[:-1])
    lists = [
        made if isinstance(counts, str | bytes) else np.array(counts, dtype=np.int64)
        for made, counts in zip(spelled, written, strict=False)
    ]
    return starts([len(some) for some in lists]), np.concatenate([np.empty(0, dtype=np.int64), *lists])


def _letters(counts: Any) -> bytes:
    if isinstance(counts, bytes):
        return counts
    return counts.encode("ascii", "replace") if isinstance(counts, str) else b""


def _check(size: Int64s, begin: Indices, counts: Int64s) -> None:
    running = np.concatenate([[0], np.cumsum(counts)])
    pixels = running[begin[1:]] - running[begin[:-1]]
    for k in np.flatnonzero(pixels != size.prod(axis=1))[:1]:
        raise KindError(
            f"the counts of a mask of {size[k, 0]} × {size[k, 1]} pixels must add up to {size[k].prod()}, and those of "
            f"one add up to {pixels[k]}; check that size is [height, width] and that the counts are whole"
        )
    if (counts < 0).any():
        raise KindError("the counts of a mask spell a run of fewer than 0 pixels; check that the string is whole")


def _from_pixels(value: Value) -> Value:
    """A mask written as rows of pixels, 0 or 1, by its run lengths; what is written otherwise stays as it is."""
    rows = value if isinstance(value, tuple) else ()
    if not rows or not all(isinstance(row, tuple) and row and len(row) == len(rows[0]) for row in rows):
        return value
    if not all(isinstance(pixel, int | float) and pixel in (0, 1) for row in rows for pixel in row):
        return value
    pixels = np.array(rows, dtype=bool).ravel(order="F")
    changes = np.flatnonzero(np.diff(pixels.astype(np.int8))) + 1
    ends = [0] * bool(pixels[0]) + [*changes.tolist(), len(pixels)]
    counts = tuple(np.diff(ends, prepend=0).tolist())
    return (("counts", counts), ("size", (len(rows), len(rows[0]))))


def _likely(values: Sequence[tuple[Mask, ...]]) -> bool:
    return any(values)


def _in_words(value: object, _: str | None) -> str:
    if not isinstance(value, tuple):
        return cell(value)
    return "; ".join(map(_mask_in_words, [value] if _one(value) else value))


def _mask_in_words(mask: object) -> str:
    named = fields(mask)
    if named is None or _wrong_mask(mask) is not None:
        return cell(mask)
    (high, wide), counts = named["size"], named["counts"]
    inside = "" if isinstance(counts, str | bytes) else f" of {sum(counts[1::2]):,} pixels"
    what = f"mask{inside} in {wide} × {high}"
    return what if named.get("label") is None else f"{named['label']} {what}"


def _drawn(value: tuple[Any, ...], page: Drawing) -> Json:
    drawn: list[Json] = []
    for mask in [value] if _one(value) else value:
        named = fields(mask) or {}
        high, wide = map(int, named["size"])
        page.size = (max(wide, page.size[0]), max(high, page.size[1])) if page.size else (wide, high)
        drawn.append(shape("mask", _outlined(_pack([(mask,)]), high), page.label(named.get("label"))))
    return drawn


def _outlined(mask: Masks, high: int) -> list[list[int]]:
    """The outlines of one mask, on a grid that is coarser than its pixels where it is large."""
    if not len(mask.first):
        return []
    left, right = int(mask.first[0]) // high, (int(mask.last[-1]) - 1) // high + 1
    several = ((mask.last - 1) // high > mask.first // high).any()  # a stretch goes on in the next column
    top = 0 if several else int((mask.first % high).min())
    bottom = high if several else int(((mask.last - 1) % high).max()) + 1
    step = max(-(-max(right - left, bottom - top) // CELLS), 1)
    x, y = np.arange(left, right, step), np.arange(top, bottom, step)
    middle = (np.minimum(x + step // 2, right - 1)[:, None] * high + np.minimum(y + step // 2, bottom - 1)).ravel()
    last_before = np.searchsorted(mask.first, middle, side="right") - 1
    inside = (last_before >= 0) & (middle < mask.last[last_before])
    loops = outlines(inside.reshape(len(x), len(y)))
    return [
        [side for i, j in loop for side in (min(left + i * step, right), min(top + j * step, bottom))] for loop in loops
    ]


masks = Kind(
    **written("masks", 'one {"size": [height, width], "counts": …} or a list of them'),
    **told_by(_why_not, _likely, _pack, rank=220, certainty="plain"),
    as_stated=_from_pixels,
    words=_in_words,
    nothing="nothing marked",
    empty=(),
    object_labels=lambda value: [(fields(mask) or {}).get("label") for mask in ([value] if _one(value) else value)],
    distance="iou",
    distances=("count_diff", "iou"),
    view="image",
    drawn=_drawn,
    group="Objects in images",
    examples=(
        ((("counts", (0, 4, 12)), ("size", (4, 4))),),
        ((("counts", (2, 4, 10)), ("size", (4, 4))),),
        ((("counts", (0, 16)), ("size", (4, 4))),),
        (),
    ),
)
