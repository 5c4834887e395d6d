"""What several kinds share: numbers inside values, objects with named fields, and lists of unequal length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeGuard

import numpy as np

from interagree.arrays import Indices, Int32s
from interagree.data.types import Value

LARGEST = 1e300  # what arithmetic can still be done with


class Lists(Protocol):
    """Packed values that are lists of something; those of value k are from ``start[k]`` to ``start[k + 1]``."""

    @property
    def start(self) -> Indices:
        """Where each list begins, and where the last one ends."""


def is_number(part: object) -> TypeGuard[float]:
    """Whether a part of a value is a finite number."""
    return isinstance(part, (int, float)) and type(part) in {int, float} and abs(part) <= LARGEST


def fields(value: object) -> dict[str, Any] | None:
    """The named fields of a value that was written as an object; None where it was not.

    An object {"start": 3, "end": 5} is kept as the sorted pairs (("end", 5), ("start", 3)).
    """
    if isinstance(value, dict):
        return value
    if not isinstance(value, tuple) or not value:
        return None
    if not all(isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], str) for part in value):
        return None
    return dict(value)


def starts(sizes: Sequence[int]) -> Indices:
    """Where each of some lists begins when all are laid end to end, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)


def numbered(names: Sequence[Value]) -> Int32s:
    """A whole number for each distinct name."""
    place: dict[Value, int] = {}
    return np.array([place.setdefault(name, len(place)) for name in names], dtype=np.int32)
