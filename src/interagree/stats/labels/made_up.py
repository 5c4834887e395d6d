"""Made-up items, which weigh little more than one item in all, for intervals that rest on few items of a rare value."""

from __future__ import annotations

from typing import NamedTuple, TypeGuard

import numpy as np

from interagree.arrays import Array, Floats, Indices

ALIKE, SPLIT = 0.75, 0.25  # what all items weigh that are alike, and all that are split between two values
MOST = 60  # values up to which items are made up: all pairs of them are patterns
CELLS = 4_000_000  # of a table with made-up items, above which none are added: so many patterns need none


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


def room_for(rows: object, values: int) -> TypeGuard[Array]:
    """Whether made-up items can be added to a table of patterns, which must not be sparse."""
    if not 2 <= values <= MOST or not isinstance(rows, np.ndarray):
        return False
    return bool((rows.shape[0] + values * values) * rows.shape[1] <= CELLS)
