"""Tests against no agreement."""

from __future__ import annotations

from interagree.results.agreement import IntervalOptions
from interagree.stats.engine import adjusted
from interagree.stats.engine.errors import chosen_method, standard_error
from interagree.stats.engine.measured import Measured
from interagree.stats.engine.quantiles import t_tail
from interagree.stats.engine.statistic import S


def p_value(measured: Measured[S], options: IntervalOptions) -> float | None:
    """The p-value against a true value of zero: that of the published test, or of value / error on two sides."""
    own = measured.published.p_value
    if own is not None and _published_test(measured, options):
        return own(measured.statistic)
    error, df = standard_error(measured, options)
    if not error > 0:
        return None
    found = None if adjusted.scale_of(measured) is adjusted.LOGIT else _adjusted(measured, options)
    return t_tail(measured.value / error, df) if found is None else found


def _adjusted(measured: Measured[S], options: IntervalOptions) -> float | None:
    """The p-value that goes with the adjusted interval, where that is the one meant."""
    if chosen_method(measured, options.method, options.random) != "adjusted":
        return None
    grouped = None if options.cluster is None else measured.in_groups(options.cluster)
    if grouped is not None:
        return _adjusted(grouped, options._replace(cluster=None))
    return adjusted.p_value(adjusted.scale_of(measured), adjusted.estimates(measured, options))


def one_tailed(measured: Measured[S], options: IntervalOptions) -> bool:
    """Whether the p-value is that of a test with one tail, which has no other side."""
    return measured.published.one_tailed and _published_test(measured, options)


def _published_test(measured: Measured[S], options: IntervalOptions) -> bool:
    if measured.facts.resampled:  # no agreement is not at zero, and only their own test knows
        return True
    # A test that goes with an interval that is asked for by name is asked for so, too.
    methods = (
        ("analytic",)
        if measured.published.interval is not None and not measured.published.only
        else ("auto", "adjusted", "analytic")
    )
    return options.method in methods and options.random == "items" and options.cluster is None
