"""Shares: how sure one is, and how sure many tests are together."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np

from interagree.arrays import Floats
from interagree.errors import KindError
from interagree.stats.engine.quantiles import beta_share


def wilson(share: Any, n: Any, level: float) -> tuple[Floats, Floats]:
    """Wilson's interval of shares of n, also of means of numbers between 0 and 1; nan where there is nothing.

    It stays between 0 and 1 for a handful of items, and no numbers with that mean make it too narrow.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    value, n = np.asarray(share, dtype=np.float64), np.asarray(n, dtype=np.float64)
    with np.errstate(all="ignore"):
        middle = (value + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * np.sqrt(np.maximum(value * (1 - value), 0) / n + z * z / (4 * n * n))
        low, high = np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)
    return np.where(n > 0, low, math.nan), np.where(n > 0, high, math.nan)


def at_least(count: int, of: int, p: float) -> float:
    """The probability of so many successes or more among independent trials."""
    return 1.0 if count <= 0 else beta_share(p, count, of - count + 1)


def exact(count: int, of: int, level: float) -> tuple[float, float]:
    """Clopper and Pearson's exact interval of a share; nan where there is nothing."""
    if not of:
        return math.nan, math.nan
    tail = (1 - level) / 2
    low = 0.0 if count == 0 else _solve(lambda p: at_least(count, of, p) - tail)
    high = 1.0 if count == of else _solve(lambda p: at_least(count + 1, of, p) - (1 - tail))
    return low, high


def _solve(function: Callable[[float], float]) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):  # a rising function, to the last digits
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2


def adjusted(p: Any) -> Floats:
    """P-values adjusted for their number, for a false discovery rate under any dependence of the tests.

    Benjamini, Y. & Yekutieli, D. (2001). The control of the false discovery rate in multiple testing under dependency.
    Annals of Statistics 29(4), 1165-1188.
    """
    p = np.asarray(p, dtype=np.float64)
    number = len(p)
    order = np.argsort(p, kind="stable")
    ranks = np.arange(1, number + 1)
    raised = p[order] * number * float((1 / ranks).sum()) / ranks
    found = np.empty(number)
    found[order] = np.minimum(np.minimum.accumulate(raised[::-1])[::-1], 1.0)
    return found


def familywise(p: Any) -> Floats:
    """P-values adjusted for their number, so that any false rejection at all is as rare as the level says.

    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6(2),
    65-70.
    """
    p = np.asarray(p, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    raised = p[order] * np.arange(len(p), 0, -1)
    found = np.empty(len(p))
    found[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return found


def check_level(level: float) -> None:
    """An error where a level of intervals is not between 0 and 1."""
    if not 0 < level < 1:
        raise KindError(f"a level lies between 0 and 1, such as 0.95; got {level!r}")
