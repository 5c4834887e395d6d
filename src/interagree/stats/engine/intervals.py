"""Confidence intervals."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from interagree.arrays import Floats
from interagree.results.agreement import Interval, IntervalOptions, Method
from interagree.stats.engine.errors import NOTHING, but_for_rounding, chosen_method, items_error, standard_error
from interagree.stats.engine.measured import Measured
from interagree.stats.engine.quantiles import t_quantile
from interagree.stats.engine.statistic import S
from interagree.stats.engine.value import plain


def interval(measured: Measured[S], level: float, options: IntervalOptions) -> Interval | None:
    """The confidence interval, or None where there is no error to make it from."""
    method, random, cluster, *_ = options
    chosen = chosen_method(measured, method, random)
    grouped = None if cluster is None else measured.in_groups(cluster)
    if grouped is not None:
        return interval(grouped, level, options._replace(cluster=None))
    if chosen in ("bootstrap", "bca"):
        return _bootstrap(measured, level, options._replace(method=chosen))
    published, value = measured.published, measured.value
    plain_items = chosen == "analytic" and random == "items" and cluster is None
    if published.interval is not None and plain_items:
        return published.interval(measured.statistic, level)
    error, df = standard_error(measured, options)
    if math.isnan(error):
        return None
    if published.logit:
        return _on_logit_scale(measured, level, chosen, error, df)
    if not error:
        if plain_items:
            # A slope of nothing need not mean that items are alike: leaving them out tells.
            jackknifed, df = items_error(measured, "jackknife", None)
            if jackknifed > NOTHING:
                return interval(measured, level, options._replace(method="jackknife"))
        return _never_differ(measured, level, chosen, df)
    low, high = measured.facts.range
    low = low if value >= low else -math.inf  # some go lower on odd data, and the interval with them
    reach = t_quantile(0.5 + level / 2, df) * error
    return Interval(max(low, value - reach), min(high, value + reach), level, chosen, error, df)


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
    note = "the annotators never differ: the exact bound for so many items alike"
    return Interval(max(measured.facts.range[0], low), 1.0, level, method, 0.0, df, note=note)


def _on_logit_scale(measured: Measured[S], level: float, method: Method, error: float, df: float) -> Interval:
    """The interval between 0 and 1; where no item differs from the others, what so many alike still allow."""
    value = measured.value
    if error <= NOTHING or not 0 < value < 1:
        least = ((1 - level) / 2) ** (1 / measured.items)
        low = value * least  # at most a share 1 - least of all items is unlike these, and may be 0 or 1
        note = "no item differs from the others: the exact bound for so many items alike"
        return Interval(low, low + 1 - least, level, method, error, df, note=note)
    middle = math.log(value / (1 - value))
    reach = t_quantile(0.5 + level / 2, df) * error / (value * (1 - value))
    low, high = (1 / (1 + math.exp(-end)) for end in (middle - reach, middle + reach))
    return Interval(low, high, level, method, error, df, note="on the logit scale")


def _bootstrap(measured: Measured[S], level: float, options: IntervalOptions) -> Interval | None:
    method, _, cluster, resamples, seed = options
    values = measured.defined_resamples(resamples, seed, cluster)
    if len(values) < 2:
        return None
    if np.ptp(values) <= NOTHING:
        between_0_and_1 = measured.facts.range == (0.0, 1.0)
        same = (
            _on_logit_scale(measured, level, method, 0.0, math.inf)
            if between_0_and_1
            else _never_differ(measured, level, method, math.inf)
        )
        if same is not None:
            return same
    ends = np.array([0.5 - level / 2, 0.5 + level / 2])
    if method == "bca":
        ends = _corrected(measured, values, ends, cluster)
    low, high = np.quantile(values, ends)
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
