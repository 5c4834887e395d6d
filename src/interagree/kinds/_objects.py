"""What the kinds of objects in images share: coordinates, lists of objects, and labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeGuard, TypeVar

from interagree.arrays import Floats, Indices, Int32s
from interagree.errors import KindError
from interagree.kinds._parts import is_number, numbered, starts

T = TypeVar("T")

Box = tuple[float | str, ...]  # numbers, and maybe a label
Figure = tuple[tuple[float, ...], ...]  # points
NUMBERS = frozenset({int, float})
FAR = 1e100  # beyond which areas are no longer numbers


class Regions(Protocol):
    """Packed regions of an image, whose overlap is known."""

    def overlap(self, x: Indices, y: Indices) -> Floats:
        """The intersection over the union of aligned pairs."""


class HasRegions(Protocol):
    """Packed objects that are regions of an image or have a box around them."""

    def regions(self, pixel: float) -> Regions:
        """The regions, so much wider and higher."""


def is_place(part: object) -> TypeGuard[float]:
    """Whether a part of a value is a coordinate."""
    return is_number(part) and -FAR < part < FAR


def is_figure(value: object) -> TypeGuard[Figure]:
    """Whether a value is one object made of points and not a list of them: its first entry is a point."""
    return (
        isinstance(value, tuple)
        and bool(value)
        and isinstance(value[0], tuple)
        and bool(value[0])
        and not isinstance(value[0][0], tuple)
    )


def one_box(value: object) -> TypeGuard[Box]:
    """Whether a box stands alone, and not in a list."""
    return isinstance(value, tuple) and bool(value) and not isinstance(value[0], tuple)


def wrong_boxes(value: object, width: int, wrong: Callable[[tuple[Any, ...]], str | None]) -> str | None:
    """Why something is not a list of boxes of so many numbers, for which ``wrong`` looks at the numbers."""

    def wrong_box(box: object) -> str | None:
        reason = wrong_entries(box, width)
        return wrong(box) if reason is None and isinstance(box, tuple) else reason

    return wrong_list(value, one_box, wrong_box)


def wrong_entries(box: object, width: int) -> str | None:
    """Why something is not so many numbers, maybe with a label after them."""
    if not isinstance(box, tuple):
        return f"{box!r} is not a box"
    if len(box) not in {width, width + 1}:
        return f"a box has {len(box)} entries"
    if not all(map(is_place, box[:width])):
        return f"the box {list(box)} has an entry that is not a number"
    return wrong_label(box[width], "a box") if len(box) > width else None


def wrong_label(label: object, of: str) -> str | None:
    """Why something is not the label of an object."""
    if isinstance(label, bool) or not isinstance(label, str | int):
        return f"the label {label!r} of {of} is neither a string nor a whole number"
    return None


def wrong_list(value: object, alone: Callable[[object], bool], wrong: Callable[[object], str | None]) -> str | None:
    """What is the matter with a list of objects, or with an object that stands alone."""
    if not isinstance(value, tuple):
        return "it is not a list"
    return next(filter(None, map(wrong, [value] if alone(value) else value)), None)


def objects(values: Iterable[tuple[T, ...]], alone: Callable[[object], TypeGuard[T]]) -> tuple[Indices, list[T]]:
    """Where the objects of each value begin, and the objects of all values end to end."""
    lists: list[Sequence[T]] = [[value] if alone(value) else value for value in values]
    return starts([len(some) for some in lists]), [thing for some in lists for thing in some]


def labels_of(things: Sequence[tuple[Any, ...]], width: int) -> Int32s | None:
    """Numbers for the labels that stand after so many coordinates; None where no object has one."""
    return numbered_labels([thing[width] if len(thing) > width else None for thing in things])


def numbered_labels(labels: Sequence[str | int | None]) -> Int32s | None:
    """Numbers for labels; None where no object has one."""
    return None if all(label is None for label in labels) else numbered(labels)


def without_pixel(pixel: float, what: str) -> None:
    """Refuse to widen regions that have no pixel at their edge."""
    if pixel:
        raise KindError(f"pixel={pixel:g} widens boxes, and these are {what}; leave it out")
