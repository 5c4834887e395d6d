"""Probabilities of the t and F distributions, without the second that importing scipy.stats takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

_NORMAL = NormalDist()
_TINY = 1e-300


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by Lentz's continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast only on this side
        return 1 - beta_share(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
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


def t_tail(t: float, df: float) -> float:
    """The probability that a t variable is further from zero than ``t``, on both sides together."""
    if math.isinf(df):
        return 2 * _NORMAL.cdf(-abs(t))
    return beta_share(df / (df + t * t), df / 2, 0.5)


def t_quantile(p: float, df: float) -> float:
    """The value below which a t variable lies with probability ``p``."""
    if math.isinf(df):
        return _NORMAL.inv_cdf(p)
    if p < 0.5:
        return -t_quantile(1 - p, df)
    return _solve(lambda t: 1 - t_tail(t, df) / 2 - p, 0.0, 1.0)


def f_tail(f: float, df1: float, df2: float) -> float:
    """The probability that an F variable is above ``f``."""
    return beta_share(df2 / (df2 + df1 * f), df2 / 2, df1 / 2) if f > 0 else 1.0


def f_quantile(p: float, df1: float, df2: float) -> float:
    """The value below which an F variable lies with probability ``p``."""
    return _solve(lambda f: 1 - f_tail(f, df1, df2) - p, 0.0, 1.0)


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
