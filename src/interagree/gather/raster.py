"""Polygons as masks: the pixels whose centres lie inside, as run lengths column by column.

A centre lies inside an outline that a ray from it crosses an odd number of times, and inside a polygon of several
outlines where it lies inside one of them.  pycocotools draws outlines a little thicker, so that its masks may have
further pixels along the edge.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from interagree.arrays import Booleans, Int64s
from interagree.errors import FormatError, expected
from interagree.kinds._objects import is_figure

LETTERS = re.compile(r"(?:[P-o]{0,9}+[0-O])*+")  # run lengths as pycocotools spells them, the last letter below P
MOST = 1 << 40  # pixels that run lengths may be of
DRAWN = 1 << 28  # pixels that may be drawn one by one
CROSSED = 1 << 24  # how often the edges of an outline may cross the middle of a column
Mask: TypeAlias = tuple[tuple[str, Any], ...]


def mask_of_polygon(place: tuple[Any, ...], size: tuple[int, int], where: str) -> Mask:
    """The mask of a polygon in an image.

    Args:
        place: Its corners, or those of each of its outlines.
        size: Height and width of the image.
        where: The place in the file.
    """
    outlines = (place,) if is_figure(place) else place
    stretches = np.concatenate([_stretches(outline, *size, where) for outline in outlines])
    return as_mask(_runs(stretches, size[0] * size[1]), size)


def mask_of_pixels(inside: Booleans, size: tuple[int, int], top: int = 0, left: int = 0) -> Mask:
    """The mask of a part of an image, whose first pixel is at (left, top); what lies outside of the image is cut off.

    Args:
        inside: Which pixels of the part are inside, by row and column.
        size: Height and width of the image.
        top: The row of the first pixel.
        left: The column of the first pixel.
    """
    high, wide = size
    inside = inside[max(-top, 0) : max(high - top, 0), max(-left, 0) : max(wide - left, 0)]
    top, left = max(top, 0), max(left, 0)
    columns = np.pad(inside.T.astype(np.int8), ((0, 0), (1, 1)))
    column, edge = np.nonzero(np.diff(columns, axis=1))
    return as_mask(_runs(((column + left) * high + edge + top).reshape(-1, 2), high * wide), size)


def mask_of_runs(counts: object, size: object, where: str) -> Mask:
    """The mask that run lengths say, as COCO writes them: whole numbers, or the string that pycocotools spells."""
    if not isinstance(size, list) or len(size) != 2 or not all(type(side) is int and side > 0 for side in size):
        raise expected(where, "a mask with the 'size' [height, width]", size)
    high, wide = size
    runs = _spelled(counts, where) if isinstance(counts, str) else counts
    return as_mask(checked_runs(runs, high, wide, where), (high, wide))


def checked_runs(counts: object, high: int, wide: int, where: str) -> list[int]:
    """Run lengths, which must be those of a mask of so many pixels."""
    if not isinstance(counts, list) or not all(type(count) is int and count >= 0 for count in counts):
        raise expected(where, "whole numbers for the run lengths of a mask", counts)
    if sum(counts) != high * wide or high * wide > MOST:
        raise FormatError(
            f"{where}: the counts of a mask that is {high} pixels high and {wide} wide must add up to {high * wide}, "
            f"and these add up to {sum(counts)}"
        )
    return counts


def _spelled(counts: str, where: str) -> list[int]:
    """The run lengths that a string spells: five bits a letter, from the third on differences to the last but one."""
    if not LETTERS.fullmatch(counts):
        raise FormatError(f"{where}: the counts {counts!r:.40} of a mask do not spell run lengths, or are cut off")
    runs: list[int] = []
    run = shift = 0
    for letter in counts:
        bits = ord(letter) - 48
        run |= (bits & 31) << shift
        shift += 5
        if not bits & 32:
            run -= 1 << shift if bits & 16 else 0
            runs.append(run + (runs[-2] if len(runs) > 2 else 0))
            run = shift = 0
    return runs


def as_mask(counts: Sequence[int], size: tuple[int, ...]) -> Mask:
    """Run lengths as the kind masks has them."""
    return (("counts", tuple(counts)), ("size", tuple(size)))


def _stretches(outline: Sequence[tuple[float, float]], high: int, wide: int, where: str) -> Int64s:
    """The first pixel of each stretch of a column that lies inside, and the one after its last."""
    points = np.asarray(outline, dtype=np.float64)
    x0, y0 = points.T
    x1, y1 = np.roll(points, -1, axis=0).T
    # An edge crosses the middle of the columns from `first` up to but not including `end`.
    first = np.clip(np.ceil(np.minimum(x0, x1) - 0.5), 0, wide).astype(np.int64)
    end = np.clip(np.ceil(np.maximum(x0, x1) - 0.5), 0, wide).astype(np.int64)
    counts = end - first
    if int(counts.sum()) > CROSSED:
        raise FormatError(
            f"{where}: a polygon of {len(points):,} corners in an image of {wide} × {high} pixels has too many edges "
            "above each other to be drawn as a mask"
        )
    edge = np.repeat(np.arange(len(points)), counts)
    column = np.arange(len(edge)) - np.repeat(np.cumsum(counts) - counts, counts) + first[edge]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        y = y0[edge] + (column + 0.5 - x0[edge]) * ((y1 - y0) / (x1 - x0))[edge]
    row = np.clip(np.ceil(y - 0.5), 0, high).astype(np.int64)
    at = np.sort(column * high + row)  # every column is crossed an even number of times
    return at.reshape(-1, 2)


def _runs(stretches: Int64s, pixels: int) -> list[int]:
    """Run lengths of what is outside and inside in turn, of stretches that may overlap."""
    inside = stretches[stretches[:, 1] > stretches[:, 0]]
    inside = inside[np.argsort(inside[:, 0], kind="stable")]
    if not len(inside):
        return [pixels]
    furthest = np.maximum.accumulate(inside[:, 1])
    new = np.concatenate([[True], inside[1:, 0] > furthest[:-1]])
    last = furthest[np.concatenate([new[1:], [True]])]
    edges = np.stack([inside[new, 0], last], axis=1).ravel()
    counts: list[int] = np.diff(np.concatenate([[0], edges, [pixels]])).tolist()
    return counts if counts[-1] else counts[:-1]
