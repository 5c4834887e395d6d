"""A distance laid out on the values of one study."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from interagree.arrays import Floats
from interagree.declare import Distance
from interagree.errors import KindError

LARGEST = 6_000  # values for which a table of all pairs is still made


class Spread:
    """How far apart the values of a study are: without a table where only equality counts, else with one.

    ``scaled`` divides all distances by the largest, as Gwet's weights do; it matters to the coefficients for which
    chance does not draw from the data.
    """

    def __init__(
        self, distance: Distance, values: Sequence[Any], *, in_order: bool, scaled: bool = False
    ) -> None:
        self.distance = distance
        self.values = values
        self.in_order = in_order
        self.scaled = scaled
        if not distance.equality and len(values) > LARGEST:
            raise KindError(
                f"there are {len(values):,} distinct values, too many for a table of the {distance.name} distances "
                f"of all pairs (the most is {LARGEST:,}); take alpha, which needs no table on a numeric scale, or icc"
            )

    @property
    def counted(self) -> bool:
        """Whether distances depend on how often values occur."""
        return self.distance.counted

    @property
    def bounded(self) -> bool:
        """Whether no distance is above one."""
        return self.distance.bounded or self.scaled

    @cached_property
    def _fixed(self) -> Floats:
        return self._scaled(self.distance.among(self.values, ordered=self.in_order))

    def _scaled(self, table: Floats) -> Floats:
        if not self.scaled or not table.size:
            return table
        largest = table.max(axis=(-1, -2), keepdims=True)
        return table / np.where(largest > 0, largest, 1)

    def frequency(self, counts: Any) -> Any:
        """How often each value occurs in counts, where that matters."""
        return counts.frequency if self.counted else None

    def table(self, frequency: Any) -> Any:
        """The distances of all pairs of values, given how often each occurs."""
        if not self.counted:
            return self._fixed
        return self._scaled(self.distance.among(self.values, frequency, ordered=self.in_order))

    def within(self, rows: Any) -> Floats:
        """For each row of counts the sum of the distances of all ordered pairs in it."""
        if self.distance.equality:
            size = np.asarray(rows.sum(axis=1)).reshape(-1)
            squares = (
                (rows * rows).sum(axis=1) if isinstance(rows, np.ndarray) else rows.multiply(rows).sum(axis=1)
            )
            return np.asarray(size * size - np.asarray(squares).reshape(-1))
        if isinstance(rows, np.ndarray):
            return np.asarray(((rows @ self._fixed) * rows).sum(axis=1))
        return np.asarray(rows.multiply(rows @ self._fixed).sum(axis=1)).reshape(-1)

    def between(self, p: Any, r: Any, frequency: Any = None) -> Any:
        """The mean distance of a value drawn with shares ``p`` and one drawn with shares ``r``."""
        if self.distance.equality:
            return p.sum(-1) * r.sum(-1) - (p * r).sum(-1)
        table = self.table(frequency)
        if table.ndim == 2:
            return ((p @ table) * r).sum(-1)
        return np.einsum("...k,...kl,...l->...", p, table, r)

    def mean(self, frequency: Any = None) -> Any:
        """The mean distance of two values drawn from the declared ones, all alike."""
        size = len(self.values)
        even = np.full(size, 1 / max(size, 1))
        return self.between(even, even, frequency)
