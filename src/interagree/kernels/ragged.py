"""Lists of unequal length, laid end to end."""

from __future__ import annotations

import numpy as np

from interagree.arrays import Indices, Integers


def ragged(start: Integers, count: Integers) -> tuple[Indices, Indices]:
    """Stretches of ``count[k]`` whole numbers from ``start[k]`` on, end to end, after the k that each belongs to."""
    owner = np.repeat(np.arange(len(count)), count)
    before = np.cumsum(count) - count
    return owner, np.arange(len(owner)) + (np.asarray(start) - before)[owner]
