"""Means over items with their intervals, and intervals from resampled items."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats
from interagree.results.agreement import Interval, StandardError
from interagree.stats.engine.adjusted import ends_of_share
from interagree.stats.engine.quantiles import t_quantile

BLOCK = 4_000_000  # numbers in a block of resamples


class Mean(NamedTuple):
    """A mean with its interval."""

    value: float
    low: float
    high: float

    def complement(self) -> Mean:
        """A mean distance that is never above one, as a share of agreement."""
        return Mean(1 - self.value, 1 - self.high, 1 - self.low)


UNDEFINED = Mean(math.nan, math.nan, math.nan)


def ratio(total: Floats, size: Floats, level: float, *, within: tuple[float, float]) -> Mean:
    """A sum over items divided by another, with the linearised interval that takes items as drawn at random."""
    some = size > 0
    total, size = total[some], size[some]
    count = len(total)
    if not count:
        return UNDEFINED
    value = float(total.sum() / size.sum())
    if count < 2:
        return Mean(value, math.nan, math.nan)
    influence = (total - value * size) / size.sum()
    error = math.sqrt(float(influence @ influence) * count / (count - 1))
    low, high = within
    if low == 0 and high == 1:
        return Mean(value, *ends_of_share(value, StandardError(error, count - 1), count, level))
    margin = t_quantile(0.5 + level / 2, count - 1) * error
    return Mean(value, max(float(low), value - margin), min(float(high), value + margin))


def resampled(items: int, resamples: int, seed: int) -> Iterator[Floats]:
    """How often each item is drawn, in blocks of resamples."""
    rng = np.random.default_rng(seed)
    left = resamples
    while left > 0:
        block = min(left, max(1, BLOCK // max(items, 1)))
        yield rng.multinomial(items, np.full(items, 1 / items), size=block).astype(float)
        left -= block


def percentiles(draws: Floats, level: float, seed: int) -> Interval | None:
    """The interval of resamples, those without a value left out; None where hardly any have one."""
    finite = draws[np.isfinite(draws)]
    if len(finite) < max(2, len(draws) // 2):
        return None
    low, high = np.quantile(finite, [0.5 - level / 2, 0.5 + level / 2])
    error = float(finite.std(ddof=1))
    return Interval(float(low), float(high), level, "bootstrap", error, math.inf, seed=seed, resamples=len(draws))
