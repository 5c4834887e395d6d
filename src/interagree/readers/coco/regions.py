"""The regions of annotations of COCO: boxes, outlines, masks and keypoints."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any, TypeAlias

from interagree.errors import FormatError, listing
from interagree.gather.shapes import FIGURE, MASK, POLYGON, Shape, box_about_centre
from interagree.readers._images import number, numbers

PATHOLOGICAL = 1 << 40  # pixels that no image has
LONGEST = 9  # letters of one run length
Record: TypeAlias = Mapping[str, Any]
Joints: TypeAlias = Mapping[str, tuple[str, ...]]  # of each category that has some


def entry_of(record: Record, path: str) -> object:
    """An entry of a record, or of an object in it: 'attributes.annotator'; None where there is none."""
    found: object = record
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def shapes_of(record: Record, label: str | None, joints: Joints, where: str) -> list[Shape]:
    """The regions of an annotation: its box, its outline or mask, its keypoints."""
    labels = () if label is None else (label,)
    shapes = (_box(record, where), _segmentation(record, where), _figure(record, joints.get(label or "", ()), where))
    return [shape._replace(labels=labels) for shape in shapes if shape is not None]


def _box(record: Record, where: str) -> Shape | None:
    given = record.get("bbox")
    if given in (None, []):
        return None
    if not isinstance(given, list) or len(given) != 4:
        raise FormatError(f"{where}: expected [x, y, width, height] in 'bbox', found {given!r:.60}")
    x, y, width, height = numbers(given, where)
    if width < 0 or height < 0:
        raise FormatError(f"{where}: the box {given} has a width or height below 0")
    turned = entry_of(record, "attributes.rotation") or 0  # as CVAT writes it
    return box_about_centre(x, y, x + width, y + height, number(turned, where))


def _segmentation(record: Record, where: str) -> Shape | None:
    given = record.get("segmentation")
    if given in (None, [], [[]], {}):
        return None
    if isinstance(given, dict):
        return Shape(MASK, _mask(given, where))
    if not isinstance(given, list):
        raise FormatError(f"{where}: expected polygons or a mask in 'segmentation', found {given!r:.60}")
    outlines = [_outline(part, where) for part in (given if isinstance(given[0], list) else [given]) if part != []]
    return Shape(POLYGON, outlines[0] if len(outlines) == 1 else tuple(outlines))


def _outline(given: object, where: str) -> tuple[tuple[float, float], ...]:
    if isinstance(given, list) and given and isinstance(given[0], list):  # corners as pairs
        given = [part for corner in given if isinstance(corner, list) for part in corner]
    if not isinstance(given, list) or len(given) % 2 or len(given) < 6:
        raise FormatError(
            f"{where}: expected a polygon [x, y, x, y, x, y, …] of three corners or more in 'segmentation', found "
            f"{given!r:.60}"
        )
    places = numbers(given, where)
    return tuple(zip(places[::2], places[1::2], strict=True))


def _mask(given: Mapping[str, Any], where: str) -> tuple[tuple[str, Any], ...]:
    size, counts = given.get("size"), given.get("counts")
    if not isinstance(size, list) or len(size) != 2 or not all(type(side) is int and side > 0 for side in size):
        raise FormatError(f"{where}: expected a mask with the 'size' [height, width], found {size!r:.60}")
    if isinstance(counts, str):
        counts = _spelled_out(counts, where)
    if not isinstance(counts, list) or not all(type(count) is int and count >= 0 for count in counts):
        raise FormatError(f"{where}: expected whole numbers or a string in 'counts' of a mask, found {counts!r:.60}")
    pixels = size[0] * size[1]
    if sum(counts) != pixels or pixels > PATHOLOGICAL:
        raise FormatError(
            f"{where}: the counts of a mask of {size[0]} × {size[1]} pixels must add up to {pixels}, and these add up "
            f"to {sum(counts)}; the 'size' is [height, width]"
        )
    return (("counts", tuple(counts)), ("size", tuple(size)))


def _spelled_out(counts: str, where: str) -> list[int]:
    """The run lengths that a string of pycocotools spells: five bits a letter, from the third on differences."""
    runs: list[int] = []
    run = shift = 0
    for letter in counts:
        bits = ord(letter) - 48
        if not 0 <= bits < 64 or shift > 5 * LONGEST:
            raise FormatError(f"{where}: the 'counts' {counts!r:.40} of a mask do not spell run lengths")
        run |= (bits & 31) << shift
        shift += 5
        if not bits & 32:
            if bits & 16:
                run -= 1 << shift
            runs.append(run)
            run = shift = 0
    if shift:
        raise FormatError(f"{where}: the 'counts' {counts!r:.40} of a mask break off")
    for first in (1, 2):
        runs[first::2] = accumulate(runs[first::2])
    return runs


def _figure(record: Record, names: tuple[str, ...], where: str) -> Shape | None:
    given = record.get("keypoints")
    if given in (None, []):
        return None
    if not isinstance(given, list) or len(given) % 3:
        raise FormatError(f"{where}: expected [x, y, visibility, …] in 'keypoints', found {given!r:.60}")
    places = numbers(given, where)
    if any(seen not in (0, 1, 2) for seen in places[2::3]):
        raise FormatError(f"{where}: the visibility of a keypoint is 0, 1 or 2, found {listing(places[2::3])}")
    if names and len(names) * 3 != len(places):
        raise FormatError(f"{where}: its category has {len(names)} keypoints, and the annotation {len(places) // 3}")
    points = zip(places[::3], places[1::3], places[2::3], strict=True)
    return Shape(FIGURE, tuple(point if point[2] else (0, 0, 0) for point in points)) if any(places[2::3]) else None
