r"""The default interval: on a scale without ends, and with made-up items where values may be rare.

A coefficient near 1 is skewed, and its error shrinks as it gets there; where a value is rare, the two or three items
that show it decide both the coefficient and its error.  So the interval is made

- on a scale that has no ends: Fisher's z for a coefficient between -1 and 1, the logit for one between 0 and 1, the
  logarithm of the disagreement relative to chance for one without a lower end (where that is above e, a straight line);
- for labels, twice: of the data, and of the data with made-up items that weigh little more than one item in all
  (`Statistic.smoothed`), as Agresti and Coull (1998) do for a proportion.  The interval holds both;
- for whatever else, and for groups of items, from the jackknife, with the degrees of freedom of as many normal
  observations as would tell the error as well: $1.5 (\sum u^2)^2 / \sum u^4$ over the influences $u$, so that one
  document as long as all others together does not count as many.

`docs/explain/coverage.md` has how often it holds the true value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.results.agreement import IntervalOptions, StandardError
from interagree.stats.engine.errors import NOTHING, annotators_error, items_error, jackknife, sum_of, usual_error
from interagree.stats.engine.measured import Measured
from interagree.stats.engine.quantiles import t_quantile, t_tail
from interagree.stats.engine.statistic import Published, S
from interagree.stats.engine.value import plain, ratio

FEW_PEOPLE = 50  # annotators up to which each is left out in turn: published errors are too small for few
FEW = 1_000  # units up to which each is left out in turn; of more, the derivative tells as much
NORMAL = 1.5  # what turns sums of squares and fourth powers into degrees of freedom: half those of normal influences


class OpenScale(NamedTuple):
    """A scale without ends, on which 0 is 0 where that is no agreement beyond chance."""

    name: str
    there: Callable[[float], float]
    slope: Callable[[float], float]
    back: Callable[[float], float]


def _logistic(place: float) -> float:
    return 1 / (1 + math.exp(-place)) if place > -700 else 0.0


FISHER = OpenScale("Fisher's z scale", math.atanh, lambda value: 1 / (1 - value * value), math.tanh)
LOGIT = OpenScale(
    "the logit scale", lambda value: math.log(value / (1 - value)), lambda value: 1 / (value * (1 - value)), _logistic
)
LOG = OpenScale(  # straight from 1 - e down, where a few documents would else give ends of minus millions
    "a logarithmic scale",
    lambda value: -math.log(1 - value) if value > 1 - math.e else (value - 1) / math.e,
    lambda value: 1 / min(1 - value, math.e),
    lambda place: 1 - math.exp(-place) if place > -1 else 1 + math.e * place,
)
STRAIGHT = OpenScale("the scale itself", float, lambda _: 1.0, float)  # of differences, whose skew cancels


class Estimated(NamedTuple):
    """A value with its error."""

    value: float
    error: StandardError


def scale_of(measured: Measured[S]) -> OpenScale:
    """The scale without ends of a coefficient."""
    return LOGIT if measured.published.logit else scale_from(measured.facts.range[0])


def scale_from(low: float) -> OpenScale:
    """The scale without ends of coefficients between a lowest value and 1."""
    return {0.0: LOGIT, -1.0: FISHER}.get(low, LOG)


def estimates(measured: Measured[S], options: IntervalOptions) -> list[Estimated]:
    """The value with its error, and for labels the same with made-up items."""
    random, published = options.random, measured.published
    many = (measured.statistic.n.annotators or math.inf) > FEW_PEOPLE
    if random in published.errors and options.cluster is None and (random == "labels" or (random != "items" and many)):
        return [Estimated(measured.value, usual_error(measured, options))]
    by_items = _for_other_items(measured, options._replace(random="items"))
    if random == "items":
        return by_items
    others = annotators_error(measured)
    return [Estimated(at, others if random == "annotators" else sum_of(others, error)) for at, error in by_items]


def _for_other_items(measured: Measured[S], options: IntervalOptions) -> list[Estimated]:
    published = "items" in measured.published.errors and options.cluster is None
    made = None if options.cluster is not None else smoothed(measured)
    if published:
        error = usual_error(measured, options)
    elif made is None:
        error = items_with_df(measured, options.cluster)
    else:
        error = items_error(measured, "adjusted" if measured.linearised else "jackknife", None)
    alike = not error.error > NOTHING
    if made is None or (alike and measured.facts.chance == "none"):
        return [Estimated(measured.value, error)]
    with_made_up = Estimated(made.value, _smoothed_error(measured, made, error.df))
    if alike:  # the items themselves tell no error, and the interval holds the value as it is
        error = StandardError(0.0, with_made_up.error.df)
    return [Estimated(measured.value, error), with_made_up]


def items_with_df(measured: Measured[S], cluster: str | None) -> StandardError:
    """The error for other items or groups of them, with as many degrees of freedom as their influences tell."""
    if cluster is None and measured.items > FEW and measured.facts.analytic:
        times, influence = measured.times, measured.influence()
        usual = items_error(measured, "adjusted", None)
    else:
        left = measured.left_out() if cluster is None else measured.groups_left_out(cluster)
        times = measured.times if cluster is None else np.ones(len(left))
        influence = left - float(times @ left) / max(float(times.sum()), 1)
        usual = items_error(measured, "jackknife", cluster)
    return StandardError(usual.error, min(usual.df, effective_df(influence, times)))


def effective_df(influence: Floats, times: Floats) -> float:
    """Of how many degrees of freedom an error is that is made of such influences; two at the least."""
    squares = float(times @ influence**2)
    fourth = float(times @ influence**4)
    return max(2.0, NORMAL * squares * squares / fourth) if fourth > 0 else math.inf


def smoothed(measured: Measured[S]) -> Measured[S] | None:
    """The coefficient of the data with made-up items; None where there are none."""
    statistic = measured.statistic.smoothed()
    if statistic is None:
        return None
    published = Published(linear=measured.published.linear)
    made = replace(measured, statistic=statistic, published=published, clusters=None, _cache={})
    with np.errstate(all="ignore"):
        value = float(ratio(plain(made.parts(statistic))))
    return replace(made, value=value) if math.isfinite(value) else None


def _smoothed_error(measured: Measured[S], made: Measured[S], df: float) -> StandardError:
    """The error of the coefficient of the data with made-up items."""
    df = df if df > 0 else float(measured.items + measured.statistic.unpaired - 1)
    if measured.linearised:
        return StandardError(items_error(made, "adjusted", None).error, df)
    data = len(measured.times)
    error = jackknife(made.left_out()[:data], measured.times).error
    # A made-up item weighs less than one and is left out as a whole; its influence grows as it weighs less.
    group = _made_up_groups(len(made.times) - data)
    rest = np.tile(made.times, (int(group.max()) + 1, 1))
    rest[group, data + np.arange(len(group))] = 0
    weight = float(made.times.sum()) - rest.sum(axis=1)
    moved = made.revalued(rest) - made.value
    return StandardError(math.hypot(error, math.sqrt(float(np.nansum(moved**2 / weight)))), df)


def _made_up_groups(items: int) -> Indices:
    """The group of each made-up item: those alike of each value, and those split with each value in turn.

    There is one for each two values, by the first and then the second; see `interagree.stats.labels.made_up`.
    """
    values = math.isqrt(items)
    first, second = np.divmod(np.arange(items), values)
    return np.asarray(first + values * (first == second), dtype=np.intp)


def has_error(estimated: Sequence[Estimated]) -> bool:
    """Whether the errors are known and one of them is above 0."""
    errors = [found.error.error for found in estimated]
    return not any(map(math.isnan, errors)) and max(errors) > NOTHING


def ends(scale: OpenScale, estimated: Iterable[Estimated], level: float) -> tuple[float, float] | None:
    """The ends of the interval that holds those of all estimates; None where one is at an end of the scale.

    An estimate without error, of items that all look alike, is held as it is.
    """
    found: list[float] = []
    for value, (error, df) in estimated:
        if error <= NOTHING:
            found.append(value)
            continue
        try:
            middle = scale.there(value)
            reach = t_quantile(0.5 + level / 2, df) * error * scale.slope(value)
        except (ValueError, ZeroDivisionError, OverflowError):
            return None
        found += [scale.back(middle - reach), scale.back(middle + reach)]
    return (min(found), max(found)) if found else None


def ends_of_share(value: float, found: StandardError, items: float, level: float) -> tuple[float, float]:
    """The ends of the interval of a mean between 0 and 1, on the logit scale; an exact bound where it is at an end."""
    inside = ends(LOGIT, [Estimated(value, found)], level) if found.error > NOTHING else None
    if inside is not None:
        return inside
    least = ((1 - level) / 2) ** (1 / items)
    low = value * least  # at most a share 1 - least of all items is unlike these, and may be 0 or 1
    return low, low + 1 - least


def p_value(scale: OpenScale, estimated: Sequence[Estimated]) -> float | None:
    """The largest p-value of the estimates against 0; 1 where they lie on both sides of it.

    It is below 0.05 where the interval of 95 % leaves 0 out.
    """
    if not has_error(estimated):
        return None
    try:
        t = [_t(scale, found) for found in estimated]
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    if min(t) < 0 < max(t):
        return 1.0
    return max(t_tail(one, found.error.df) for one, found in zip(t, estimated, strict=True))


def _t(scale: OpenScale, estimated: Estimated) -> float:
    """How many errors an estimate is from 0; endlessly many where it has no error."""
    value, (error, _) = estimated
    if error <= NOTHING:
        return math.copysign(math.inf, value) if abs(value) > NOTHING else 0.0
    return scale.there(value) / (error * scale.slope(value))
