r"""An exact test of the mean of numbers that are -1, 0 or 1.

Of $n$ numbers $n_+$ are 1 and $n_-$ are -1.  The null hypothesis is that their mean $\mu$ is at least $\varepsilon$.
They are held against it by the score statistic

$$T = \frac{(n_+ - n_-) / n - \varepsilon}{\sqrt{(2 \hat q + \varepsilon - \varepsilon^2) / n}}$$

where $\hat q$ is the likeliest share of -1 among those with which the mean would be $\varepsilon$; the root holds the
variance that goes with it.  What share $q$ really is nobody knows, so the p-value is the largest over all of them:

$$p = \max_q P(T \le t \mid q, \mu = \varepsilon)$$

That is an exact unconditional test: no more than a share $p$ of studies at the border look this good, whatever $q$
and however small $n$.  A t test is about the mean as well, but takes its error from the data, and numbers that happen
to be all alike then prove anything; Wilcoxon's test is about a distribution that is symmetric around $\varepsilon$,
which three values never are.

Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the paired-sample
design. Statistics in Medicine 17(8), 891-908.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np

from interagree.arrays import Floats

MOST = 10_000  # numbers up to which all outcomes are counted; beyond, the statistic is as good as normal
GRID = 64  # shares that are tried at least, and in one block
EQUAL = 1e-9  # statistics that differ by less are equal


@lru_cache(maxsize=4096)
def mean_is_less(above: int, below: int, count: int, bound: float) -> float:
    """The p-value of the test that the mean of -1, 0 and 1 is less than a bound.

    Args:
        above: How many numbers are 1.
        below: How many are -1.
        count: How many there are.
        bound: What the mean is held against, from 0 to below 1.
    """
    observed = float(statistic(np.array(above), np.array(below), count, bound))
    if count > MOST:
        return NormalDist().cdf(observed)
    limits = _limits(observed, count, bound)
    angles = np.linspace(0, math.pi / 2, GRID + 8 * math.isqrt(count))
    shares = _probabilities(angles, limits, count, bound)
    top = int(shares.argmax())
    near = np.linspace(angles[max(top - 1, 0)], angles[min(top + 1, len(angles) - 1)], GRID)
    closer = _probabilities(near, limits, count, bound)
    return min(1.0, float(max(shares[top], closer.max())))


def statistic(above: Any, below: Any, count: int, bound: float) -> Floats:
    """The score statistic of some counts of 1 and of -1."""
    neither = count - above - below
    lean = (above + below) * (1 - bound) - 2 * (below + neither) * bound
    root = np.sqrt(lean**2 + 8 * count * below * bound * (1 - bound))
    share = np.clip((lean + root) / (4 * count), 0, (1 - bound) / 2)
    variance = 2 * share + bound - bound**2
    gap = (above - below) / count - bound
    found: Floats = np.where(variance > 0, gap / np.sqrt(np.where(variance > 0, variance, 1) / count), 0.0)
    return found


def _limits(observed: float, count: int, bound: float) -> Any:
    """For each number of -1 the largest number of 1 with which the statistic is no larger; -1 where there is none."""
    below = np.arange(count + 1)
    low, high = np.full(count + 1, -1), count - below
    while (low < high).any():  # the statistic grows with the number of 1
        middle = (low + high + 1) // 2
        within = statistic(middle, below, count, bound) <= observed + EQUAL
        low, high = np.where(within, middle, low), np.where(within, high, middle - 1)
    return low


def _probabilities(angles: Floats, limits: Any, count: int, bound: float) -> Floats:
    """How likely a statistic as small is, for shares of -1 on a scale on which they differ alike."""
    from scipy.special import bdtr, gammaln, xlog1py, xlogy

    found = []
    for start in range(0, len(angles), GRID):
        share = (1 - bound) / 2 * np.sin(angles[start : start + GRID, None]) ** 2
        least, most = (count * float(end) for end in (share.min(), share.max()))
        least, most = least - 9 * math.sqrt(least) - 20, most + 9 * math.sqrt(most) + 20
        below = np.arange(max(0, math.floor(least)), min(count, math.ceil(most)) + 1)
        log = gammaln(count + 1) - gammaln(below + 1) - gammaln(count - below + 1)
        log = log + xlogy(below, share) + xlog1py(count - below, -share)
        limit = limits[below]
        rest = np.minimum((share + bound) / (1 - share), 1.0)  # of 1 among those that are not -1
        inside = np.where(limit >= 0, bdtr(np.maximum(limit, 0), count - below, rest), 0.0)
        found.append((np.exp(log) * inside).sum(axis=1))
    return np.concatenate(found)
