"""Probabilities of the t and F distributions, without the second that importing scipy.stats takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

_NORMAL = NormalDist()
_TINY = 1e-300


def beta_share(x: float, a: float, b: float, rest: float | None = None) -> float:
    """The regularised incomplete beta function, by Lentz's continued fraction.

    ``rest`` is 1 - x, for callers who know it to more digits than that difference has.
    """
    rest = 1 - x if rest is None else rest
    if x <= 0 or rest <= 0:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast only on this side
        return 1 - beta_share(rest, b, a, x)
    front = math.exp(a * _log(x, rest) + b * _log(rest, x) - _log_beta(a, b))
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > _TINY else _TINY)
    fraction = d
    for m in range(1, 10_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + step * d
            d = 1 / (d if abs(d) > _TINY else _TINY)
            c = 1 + step / c
            c = c if abs(c) > _TINY else _TINY
            fraction *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return front * fraction / a


def _log(x: float, rest: float) -> float:
    return math.log(x) if x < rest else math.log1p(-rest)


def _log_beta(a: float, b: float) -> float:
    """The logarithm of the beta function; a difference of large logarithms would lose its digits."""
    small, large = min(a, b), max(a, b)
    if large < 100:
        return math.lgamma(small) + math.lgamma(large) - math.lgamma(small + large)
    both = small + large
    stirling = (1 / large - 1 / both) / 12 - (large**-3 - both**-3) / 360
    return math.lgamma(small) - (large - 0.5) * math.log1p(small / large) - small * (math.log(both) - 1) + stirling


def t_tail(t: float, df: float) -> float:
    """The probability that a t variable is further from zero than ``t``, on both sides together."""
    if math.isinf(df):
        return 2 * _NORMAL.cdf(-abs(t))
    whole = df + t * t
    return beta_share(df / whole, df / 2, 0.5, t * t / whole)


@lru_cache(maxsize=4096)  # many results of one study ask for the same one
def t_quantile(p: float, df: float) -> float:
    """The value below which a t variable lies with probability ``p``."""
    if math.isinf(df):
        return _NORMAL.inv_cdf(p)
    if p < 0.5:
        return -t_quantile(1 - p, df)
    return _solve(lambda t: (1 - p) - t_tail(t, df) / 2, 0.0, 1.0)


def f_tail(f: float, df1: float, df2: float) -> float:
    """The probability that an F variable is above ``f``."""
    whole = df2 + df1 * f
    return beta_share(df2 / whole, df2 / 2, df1 / 2, df1 * f / whole) if f > 0 else 1.0


def f_quantile(p: float, df1: float, df2: float) -> float:
    """The value below which an F variable lies with probability ``p``."""
    if p < 0.5:  # the same from the other side: one over F is F with its degrees of freedom exchanged
        return 1 / f_quantile(1 - p, df2, df1)
    return _solve(lambda f: (1 - p) - f_tail(f, df1, df2), 0.0, 1.0)


def _solve(function: Callable[[float], float], low: float, high: float) -> float:
    # Bisection to the last bit: a hundred cheap steps, and nothing that can diverge.
    while function(high) < 0:
        low, high = high, 2 * high
        if high > 1e300:
            return math.inf
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
