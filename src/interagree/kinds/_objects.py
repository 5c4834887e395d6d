"""What the kinds of objects in images share: coordinates, lists of objects, and labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from interagree.arrays import Indices, Int32s
from interagree.errors import KindError
from interagree.kinds._parts import is_number, numbered, starts

NUMBERS = frozenset({int, float})
FAR = 1e100  # beyond which areas are no longer numbers


def is_place(part: Any) -> bool:
    """Whether a part of a value is a coordinate."""
    return (part.__class__ in NUMBERS or is_number(part)) and -FAR < part < FAR


def wrong_list(value: Any, one: Callable[[Any], bool], wrong: Callable[[Any], str | None]) -> str | None:
    """What is the matter with a list of objects, or with an object that stands alone."""
    if not isinstance(value, tuple):
        return "it is not a list"
    return next(filter(None, map(wrong, [value] if one(value) else value)), None)


def objects(values: Iterable[Any], one: Callable[[Any], bool]) -> tuple[Indices, list[Any]]:
    """Where the objects of each value begin, and the objects of all values end to end."""
    lists = [[value] if one(value) else value for value in values]
    return starts([len(some) for some in lists]), [thing for some in lists for thing in some]


def labels_of(things: Sequence[Any], width: int) -> Int32s | None:
    """Numbers for the labels that stand after so many coordinates; None where no object has one."""
    if all(len(thing) == width for thing in things):
        return None
    return numbered([thing[width] if len(thing) > width else None for thing in things])


def without_pixel(pixel: float, what: str) -> None:
    """Refuse to widen regions that have no pixel at their edge."""
    if pixel:
        raise KindError(f"pixel={pixel:g} widens boxes, and these are {what}; leave it out")
