r"""How likely a sum of independent draws is to be as small, or as large, as it is: a bound that always holds.

Each draw gives one number, $x$ with probability $w_x$.  For the sum $X$ of many draws and every $t < 0$

$$P(X \le s) \le e^{-ts} \prod_j \sum_x w_{jx} e^{t x}$$

and the smallest right side, near the true tail up to a factor that grows slowly, is taken (Chernoff 1952).  Where
numbers are multiples of one fraction and draws are few, as with labels, the tail is summed up exactly instead.  Nothing
is approximated, so that a p-value of one in a million may be believed, as it must be where a thousand annotators are
tested at once.

Draws that give one of two opposite numbers, $\pm a_j$ with equal chances, have tails of at most 3.18 times those of a
normal distribution with the variance $\sum_j a_j^2$ (Bentkus & Dzindzalieta 2015).

Chernoff, H. (1952). A measure of asymptotic efficiency for tests of a hypothesis based on the sum of observations.
Annals of Mathematical Statistics 23(4), 493-507.
Bentkus, V. K. & Dzindzalieta, D. (2015). A tight Gaussian bound for weighted sums of Rademacher random variables.
Bernoulli 21(2), 1231-1237.
Benjamini, Y. & Yekutieli, D. (2001). The control of the false discovery rate in multiple testing under dependency.
Annals of Statistics 29(4), 1165-1188.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from interagree.arrays import Floats, Indices
from interagree.stats.engine.compress import totals

STEPS = 30  # Newton steps at most; any point gives a bound that holds
STEEPEST = 60.0  # the largest exponent that a single draw gets
DOUBTFUL = (1e-8, 0.05)  # bounds that are replaced by the exact tail, where that can be had,
FRACTIONS = (1, 2, 3, 4, 6, 12, 60)  # parts of the smallest number of which all numbers may be multiples
MOST_GROUPS = 300  # … among so many groups,
MOST_SUMS = 4096  # different sums that draws may have for the exact tail,
MOST_TERMS = 500_000  # … and terms that it may take
ROUNDING = 1e-12  # more than the transform loses
RADEMACHER = 0.25 / float(special.ndtr(-np.sqrt(2)))


class GroupDraws(NamedTuple):
    """Independent draws by group: how often each is made, and which numbers it gives with what probability."""

    group: Indices  # of each draw
    times: Floats
    of: Indices  # the draw of each number
    x: Floats
    w: Floats


def bernoulli(group: Indices, rivals: Floats, k: Floats, m: Floats) -> GroupDraws:
    """Draws that give one over ``rivals`` with probability k / m and else nothing, equal ones put together."""
    columns = [part.astype(np.int64) for part in (group, rivals, k, m)]
    base = [int(part.max(initial=0)) + 1 for part in columns]
    code = columns[0]
    for part, size in zip(columns[1:], base[1:], strict=True):
        code = code * size + part
    code, times = np.unique(code, return_counts=True)
    parts = []
    for size in base[:0:-1]:
        code, part = np.divmod(code, size)
        parts.append(part)
    trials, successes, divisor = parts
    share, count = successes / trials, len(code)
    return GroupDraws(
        code.astype(np.intp),
        times.astype(np.float64),
        np.tile(np.arange(count), 2),
        np.r_[1 / divisor, np.zeros(count)],
        np.r_[share, 1 - share],
    )


def mean(draws: GroupDraws, groups: int) -> Floats:
    """The expected sum of each group."""
    each = totals(draws.of, draws.w * draws.x, len(draws.group))
    return totals(draws.group, draws.times * each, groups)


def low_tail(draws: GroupDraws, observed: Floats) -> Floats:
    """For each group a bound on the chance of a sum not above what was observed; 1 where it is not below the mean."""
    groups = len(observed)
    used, place = np.unique(draws.group, return_inverse=True)
    bound = np.ones(groups)
    if not len(used):
        return bound
    part = GroupDraws(place.reshape(-1).astype(np.intp), *draws[1:])
    bound[used] = np.exp(_log_bound(part, observed[used]))
    low, high = DOUBTFUL if len(used) <= MOST_GROUPS else (0.0, 0.0)
    for group in np.flatnonzero((bound > low) & (bound < high)).tolist():
        bound[group] = min(bound[group], _exact(draws, group, float(observed[group])))
    return bound


def _exact(draws: GroupDraws, group: int, observed: float) -> float:
    """The tail itself, by the transform of the distribution of the sum; 1 where numbers have no common part."""
    own = np.flatnonzero(draws.group == group)
    place = np.full(len(draws.group), -1, dtype=np.intp)
    place[own] = np.arange(len(own))
    of = place[draws.of]
    of, x, w, times = of[of >= 0], draws.x[of >= 0], draws.w[of >= 0], draws.times[own]
    unit = np.abs(x[x != 0]).min(initial=np.inf)  # the smallest number, so that the unit of a distance does not matter
    x, observed = x / unit, observed / unit
    for parts in FRACTIONS:
        steps = np.round(x * parts)
        if np.abs(x * parts - steps).max() < 1e-9:
            break
    else:
        return 1.0
    lowest = np.full(len(own), np.inf)
    np.minimum.at(lowest, of, steps)
    steps -= lowest[of]
    highest = np.zeros(len(own))
    np.maximum.at(highest, of, steps)
    sums = int(times @ highest) + 1
    if sums > MOST_SUMS or sums * len(x) > MOST_TERMS:
        return 1.0
    wave = np.exp(-2j * np.pi * np.outer(np.arange(sums // 2 + 1), steps) / sums)
    each = np.zeros((len(own), sums // 2 + 1), dtype=complex)
    np.add.at(each, of, (wave * w).T)
    chance = np.fft.irfft(np.prod(each ** times[:, None], axis=0), sums)
    below = int(np.floor(observed * parts - times @ lowest + 1e-6))
    return float(np.clip(chance[: below + 1].sum() + ROUNDING, 0.0, 1.0))


def opposite_tail(group: Indices, size: Floats, groups: int) -> Floats:
    """A bound on the chance of a sum as far from zero as that of ``size``, where each might have had the other sign."""
    count = len(size)
    draws = GroupDraws(group, np.ones(count), np.tile(np.arange(count), 2), np.r_[size, -size], np.full(2 * count, 0.5))
    sums = totals(group, size, groups)
    with np.errstate(all="ignore"):
        normal = RADEMACHER * special.ndtr(-np.abs(sums) / np.sqrt(totals(group, size**2, groups)))
    one_side = np.fmin(np.minimum(low_tail(draws, sums), high_tail(draws, sums)), normal)
    bound: Floats = np.minimum(2 * one_side, 1.0)
    return bound


def high_tail(draws: GroupDraws, observed: Floats) -> Floats:
    """The same for a sum not below what was observed."""
    return low_tail(draws._replace(x=-draws.x), -observed)


def _log_bound(draws: GroupDraws, observed: Floats) -> Floats:
    groups, number = len(observed), len(draws.group)
    owner = draws.group[draws.of]
    widest = np.zeros(groups)
    np.maximum.at(widest, owner, np.abs(draws.x))
    # In units of the largest number of each group, so that the bound does not depend on the unit of a distance.
    unit = np.where(widest > 0, widest, 1.0)
    draws, observed = draws._replace(x=draws.x / unit[owner]), observed / unit
    t, best = np.zeros(groups), np.zeros(groups)
    below = mean(draws, groups) > observed + 1e-9
    for _ in range(STEPS):
        weight = draws.w * np.exp(t[owner] * draws.x)
        total = totals(draws.of, weight, number)
        first = totals(draws.of, weight * draws.x, number) / total
        second = totals(draws.of, weight * draws.x**2, number) / total - first**2
        value = totals(draws.group, draws.times * np.log(total), groups) - t * observed
        best = np.minimum(best, np.where(below, value, 0.0))
        slope = totals(draws.group, draws.times * first, groups) - observed
        bend = totals(draws.group, draws.times * second, groups)
        step = slope / np.maximum(bend, 1e-12)
        new = np.clip(t - np.clip(step, -1 - np.abs(t), 1 + np.abs(t)), -STEEPEST, 0.0)
        if np.max(np.abs(new - t)[below], initial=0.0) < 1e-6:
            break
        t = np.where(below, new, 0.0)
    return best
