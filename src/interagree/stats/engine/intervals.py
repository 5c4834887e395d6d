"""Confidence intervals."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from interagree.arrays import Floats
from interagree.results.agreement import Interval, IntervalOptions, Method, StandardError
from interagree.stats.engine.adjusted import ends, ends_of_share, estimates, has_error, scale_of
from interagree.stats.engine.errors import NOTHING, but_for_rounding, chosen_method, items_error, standard_error
from interagree.stats.engine.measured import Measured
from interagree.stats.engine.quantiles import t_quantile
from interagree.stats.engine.statistic import S
from interagree.stats.engine.value import plain

FEW = 4  # degrees of freedom below which an interval states its effective sample size


def interval(measured: Measured[S], options: IntervalOptions) -> Interval | None:
    """The confidence interval, or None where there is no error to make it from."""
    level, method, random, cluster, *_ = options
    chosen = chosen_method(measured, method, random)
    grouped = None if cluster is None else measured.in_groups(cluster)
    if grouped is not None:
        return interval(grouped, options._replace(cluster=None))
    published, plain_items = measured.published, random == "items" and cluster is None
    if (method, chosen, plain_items) == ("auto", "adjusted", True) and measured.many_left_out:
        if not measured.facts.analytic and measured.many_resampled:
            return None
        chosen = chosen if measured.facts.analytic else "bootstrap"
    if chosen in ("bootstrap", "bca"):
        return _bootstrap(measured, options._replace(method=chosen))
    if published.interval is not None and chosen == "analytic" and plain_items:
        return published.interval(measured.statistic, level)
    found = standard_error(measured, options)
    adjusted = _adjusted(measured, options, found) if chosen == "adjusted" else None
    if adjusted is not None or math.isnan(found.error):
        return adjusted
    return _by_error(measured, level, chosen, found, plain_items=plain_items)


def _by_error(
    measured: Measured[S], level: float, chosen: Method, found: StandardError, *, plain_items: bool
) -> Interval | None:
    """The interval made of the error, or without one where no item differs from the others."""
    if measured.published.logit:
        return _on_logit_scale(measured, level, chosen, found)
    never = chosen == "adjusted" and plain_items and plain(measured.parts(measured.statistic)).observed <= NOTHING
    if found.error and not never:
        return _around(measured, level, chosen, found)
    if chosen in ("adjusted", "analytic") and plain_items and not measured.many_left_out:
        # A slope of nothing need not mean that items are alike: leaving them out tells.
        found = items_error(measured, "jackknife", None)
        if found.error > NOTHING:
            return _around(measured, level, "jackknife", found)
    return _never_differ(measured, level, chosen, found.df)


def _around(measured: Measured[S], level: float, method: Method, found: StandardError) -> Interval:
    """The value and its error on both sides."""
    value, (low, high) = measured.value, measured.facts.range
    low = low if value >= low else -math.inf  # some go lower on odd data, and the interval with them
    reach = t_quantile(0.5 + level / 2, found.df) * found.error
    return Interval(max(low, value - reach), min(high, value + reach), level, method, *found)


def _adjusted(measured: Measured[S], options: IntervalOptions, usual: StandardError) -> Interval | None:
    """The interval on a scale without ends; None where no item differs from the others, or the value is at an end."""
    if plain(measured.parts(measured.statistic)).observed <= NOTHING:
        return None
    estimated = estimates(measured, options)
    if not has_error(estimated):
        return None
    reached = ends(scale_of(measured), estimated, options.level)
    if reached is None:
        return None
    df = min(found.error.df for found in estimated)
    note = f"the interval has an effective sample size of only {df + 1:.0f}" if df < FEW else ""
    error = estimated[0].error.error if measured.widened else usual.error
    return Interval(*reached, options.level, "adjusted", error, df, note=note)


def _never_differ(measured: Measured[S], level: float, method: Method, df: float) -> Interval | None:
    """The interval where no item differs from the others, so that no error can be told from them.

    Annotators who never differ on so many items might still differ on some: if they did on a share x of all
    items, that many items without a difference would be seen with probability (1 - x) to the power of their
    number.  Where they differ alike on all items there is nothing to go by, and no interval.
    """
    parts = plain(measured.parts(measured.statistic))
    largest = measured.drill_down().largest() if parts.observed <= NOTHING else None
    if largest is None:
        return None
    share = 1 - ((1 - level) / 2) ** (1 / measured.items)
    low = 1 - largest * share / (1.0 if parts.expected is None else parts.expected)
    note = "the annotators never differ: the exact bound for this number of items"
    return Interval(max(measured.facts.range[0], low), 1.0, level, method, 0.0, df, note=note)


def _on_logit_scale(measured: Measured[S], level: float, method: Method, found: StandardError) -> Interval:
    """The interval between 0 and 1; where all items are the same, the exact bound for their number."""
    value, alike = measured.value, found.error <= NOTHING or not 0 < measured.value < 1
    note = "all items are the same: the exact bound for this number of items" if alike else "on the logit scale"
    low, high = ends_of_share(value, found, measured.items, level)
    return Interval(low, high, level, method, *found, note=note)


def _bootstrap(measured: Measured[S], options: IntervalOptions) -> Interval | None:
    level, method, _, cluster, resamples, seed = options
    values = measured.defined_resamples(resamples, seed, cluster)
    if len(values) < 2:
        return None
    if np.ptp(values) <= NOTHING:
        between_0_and_1 = measured.facts.range == (0.0, 1.0)
        same = (
            _on_logit_scale(measured, level, method, StandardError(0.0, math.inf))
            if between_0_and_1
            else _never_differ(measured, level, method, math.inf)
        )
        if same is not None:
            return same
    tails = np.array([0.5 - level / 2, 0.5 + level / 2])
    if method == "bca":
        tails = _corrected(measured, values, tails, cluster)
    low, high = np.quantile(values, tails)
    lost = resamples - len(values)
    note = f"{lost} of {resamples} resamples set aside, which left the coefficient undefined" if lost else ""
    error = but_for_rounding(measured, float(np.std(values, ddof=1)))
    return Interval(float(low), float(high), level, method, error, math.inf, seed, resamples, note)


def _corrected(measured: Measured[S], values: Floats, ends: Floats, cluster: str | None) -> Floats:
    """Efron's bias-corrected and accelerated ends."""
    normal, count = NormalDist(), len(values)
    below = np.count_nonzero(values < measured.value) + np.count_nonzero(values == measured.value) / 2
    bias = normal.inv_cdf(min(max(below / count, 0.5 / count), 1 - 0.5 / count))
    left = measured.left_out() if cluster is None else measured.groups_left_out(cluster)
    times = measured.times if cluster is None else np.ones(len(left))
    deviation = float(times @ left) / float(times.sum()) - left
    squares = float(times @ deviation**2)
    skew = float(times @ deviation**3) / (6 * squares**1.5) if squares > 0 else 0.0

    def corrected(end: float) -> float:
        z = bias + normal.inv_cdf(end)
        return normal.cdf(bias + z / (1 - skew * z))

    return np.array([corrected(float(end)) for end in ends])
