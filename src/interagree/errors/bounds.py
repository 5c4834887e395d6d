"""Within which bounds the numbers of an option lie, by the name of the option."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

MUCH = 10_000_000  # resamples, draws and rounds that nobody waits for


class Bounds(NamedTuple):
    """Between which numbers those of an option lie."""

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False

    def hold(self, number: float) -> bool:
        """Whether a number lies between them."""
        above = number > self.low if self.low_open else number >= self.low
        return above and (number < self.high if self.high_open else number <= self.high)

    def __str__(self) -> str:
        if self.low == -math.inf:
            return ""
        if self.high == math.inf:
            return f"above {self.low:,}" if self.low_open else f"from {self.low:,} up"
        if self.low_open and self.high_open:
            return f"between {self.low:,} and {self.high:,}"
        return f"{'above' if self.low_open else 'from'} {self.low:,} to {self.high:,}"


INSIDE = Bounds(0, 1, low_open=True, high_open=True)
SHARE = Bounds(0, 1)
ABOVE_ZERO = Bounds(0, low_open=True)
NOT_NEGATIVE = Bounds(0)
COUNT = Bounds(1, MUCH)

# What numbers of a name mean is said once, for all functions that take them.
BOUNDS: Mapping[str, Bounds] = {
    "alpha": NOT_NEGATIVE,
    "annotators": Bounds(1, 100_000),
    "beta": NOT_NEGATIVE,
    "bins": Bounds(1, 100_000),
    "certainty": INSIDE,
    "chance": INSIDE,
    "context": NOT_NEGATIVE,
    "digits": Bounds(0, 15),
    "drop": NOT_NEGATIVE,
    "every": Bounds(1),
    "half_width": ABOVE_ZERO,
    "items": NOT_NEGATIVE,
    "least": NOT_NEGATIVE,
    "length": Bounds(0, 10**15),
    "level": INSIDE,
    "limit": NOT_NEGATIVE,
    "most": NOT_NEGATIVE,
    "near": Bounds(1),
    "per_item": Bounds(1, 100_000),
    "precision": ABOVE_ZERO,
    "q": INSIDE,
    "repeat": NOT_NEGATIVE,
    "repeats": COUNT,
    "resamples": Bounds(2, MUCH),
    "restarts": COUNT,
    "rounds": COUNT,
    "samples": COUNT,
    "seed": NOT_NEGATIVE,
    "skip": NOT_NEGATIVE,
    "smoothing": NOT_NEGATIVE,
    "spend": Bounds(0, MUCH),
    "tolerance": NOT_NEGATIVE,
    "top": NOT_NEGATIVE,
    "width": Bounds(1, 100_000),
    "window": Bounds(1),
}
