"""A distance on the values of one study."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from interagree.arrays import Array, Floats
from interagree.data.memory import must_fit
from interagree.data.types import Value
from interagree.declare import Distance
from interagree.errors import KindError
from interagree.stats.engine.compress import Rows, product, row_sums

SMALL, PER_PAIR = 500, 24  # values whose table is simply made, and bytes for each pair of more
LARGEST = 6_000  # values for which a table of all pairs is still made


class ValueScale(Protocol):
    """The values of a study or a statistic, and whether they stand in order."""

    @property
    def values(self) -> Sequence[Value]: ...
    @property
    def in_order(self) -> bool: ...


class Counted(Protocol):
    """What knows how often each value occurs."""

    @property
    def frequency(self) -> Array: ...


def unequal_pairs(rows: Rows) -> Floats:
    """For each row of counts how many ordered pairs in it are of two values."""
    return row_sums(rows) ** 2 - row_sums(product(rows, rows))


class DistanceTable:
    """How far apart the values of a study are: without a table where only equality counts, else with one.

    ``scaled`` divides all distances by the largest, as Gwet's weights do; it matters to the coefficients for which
    chance does not draw from the data.
    """

    def __init__(self, distance: Distance, values: Sequence[Value], *, in_order: bool, scaled: bool = False) -> None:
        self.distance = distance
        self.values = values
        self.in_order = in_order
        self.scaled = scaled
        if not distance.equality and len(values) > LARGEST:
            raise KindError(
                f"there are {len(values):,} distinct values, too many for a table of the {distance.name} distances "
                f"of all pairs (the most is {LARGEST:,}); take alpha, which needs no table on a numeric scale, or icc"
            )
        if not distance.equality and len(values) > SMALL:
            must_fit(
                PER_PAIR * float(len(values)) ** 2,
                f"a table of the {distance.name} distances of all pairs of {len(values):,} values",
                "take alpha, which needs no table on a numeric scale, or icc",
            )

    @property
    def counted(self) -> bool:
        """Whether distances depend on how often values occur."""
        return self.distance.counted

    @property
    def bounded(self) -> bool:
        return self.distance.bounded or self.scaled

    @cached_property
    def _fixed(self) -> Floats:
        return self._scaled(self.distance.among(self.values, ordered=self.in_order))

    def _scaled(self, table: Floats) -> Floats:
        if not self.scaled or not table.size:
            return table
        largest = table.max(axis=(-1, -2), keepdims=True)
        return table / np.where(largest > 0, largest, 1)

    def frequency(self, counts: Counted) -> Array | None:
        """How often each value occurs in counts, where that matters."""
        return counts.frequency if self.counted else None

    def table(self, frequency: Array | None) -> Array:
        """The distances of all pairs of values, given how often each occurs."""
        if not self.counted:
            return self._fixed
        return self._scaled(self.distance.among(self.values, frequency, ordered=self.in_order))

    def within(self, rows: Rows) -> Floats:
        """For each row of counts the sum of the distances of all ordered pairs in it."""
        if self.distance.equality:
            return unequal_pairs(rows)
        return row_sums(product(rows, rows @ self._fixed))

    def between(self, p: Array, r: Array, frequency: Array | None = None) -> Array:
        """The mean distance of a value drawn with shares ``p`` and one drawn with shares ``r``."""
        if self.distance.equality:
            return np.asarray(p.sum(-1) * r.sum(-1) - (p * r).sum(-1))
        table = self.table(frequency)
        if table.ndim == 2:
            return np.asarray(((p @ table) * r).sum(-1))
        return np.asarray(np.einsum("...k,...kl,...l->...", p, table, r))

    def mean(self, frequency: Array | None = None) -> Array:
        """The mean distance of two values drawn from the declared ones, all alike."""
        size = len(self.values)
        even = np.full(size, 1 / max(size, 1))
        return self.between(even, even, frequency)
