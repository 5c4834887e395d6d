"""Made-up items, which weigh little more than one item in all, for intervals that rest on few items of a rare value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices

ALIKE, SPLIT = 0.75, 0.25  # what all items weigh that are alike, and all that are split between two values
MOST = 60  # values up to which items are made up: all pairs of them are patterns


class MadeUp(NamedTuple):
    """For each made-up item the two values between which annotators are split, and what it weighs."""

    first: Indices
    second: Indices
    times: Floats


def made_up(values: int) -> MadeUp:
    """Annotators who agree on each value in turn, and who are split between two in each way."""
    first, second = (place.reshape(-1) for place in np.indices((values, values)))
    alike = first == second
    split = np.where(alike, ALIKE / values, SPLIT / max(values * (values - 1), 1))
    return MadeUp(first, second, split)
