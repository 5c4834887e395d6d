"""Standard errors: for other items, for other annotators, or for both."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from interagree.arrays import Floats
from interagree.errors import Advice, Hint, KindError, OneOf, Wording
from interagree.results.agreement import IntervalOptions, Method, Random, StandardError
from interagree.stats.engine.measured import Measured
from interagree.stats.engine.statistic import S

NOTHING = 1e-12  # an error or a disagreement below this is 0 but for rounding
NO_ERROR = StandardError(math.nan, math.nan)
METHODS = OneOf(("auto", "adjusted", "analytic", "jackknife", "bootstrap", "bca", "table", "null"))
RANDOM = OneOf(("items", "annotators", "both", "labels"))


def on_usual_clusters(measured: Measured[S], options: IntervalOptions) -> IntervalOptions:
    """The options with the usual clusters of the items, where the caller names none."""
    # The closed forms of tables and of no agreement are for single items, and are asked for by name.
    if measured.clusters is None or options.cluster is not None or options.method in ("table", "null"):
        return options
    return options._replace(cluster=measured.clusters.name)


def chosen_method(measured: Measured[S], method: Method, random: Random) -> Method:
    """The method that is meant by "auto"; any other as it is."""
    if method in ("bootstrap", "bca") and random != "items":
        auto = Hint("method", "auto")
        raise KindError(f"the bootstrap resamples items; for random annotators take {auto}", hints=[auto])
    if method not in METHODS:
        raise KindError(f"method must be {listed(METHODS)}, got {method!r}")
    if method != "auto":
        return method
    if random == "items" and measured.published.only:
        return "analytic"
    return "bootstrap" if measured.facts.resampled and random == "items" else "adjusted"


def listed(words: Sequence[object]) -> str:
    """Words to choose from."""
    return ", ".join(map(repr, words[:-1])) + f" or {words[-1]!r}"


def standard_error(measured: Measured[S], options: IntervalOptions) -> StandardError:
    """The standard error and its degrees of freedom; one below rounding is 0."""
    found = usual_error(measured, options)
    return StandardError(but_for_rounding(measured, found.error), found.df)


def but_for_rounding(measured: Measured[S], error: float) -> float:
    """A standard error, 0 where it is no more than rounding."""
    return 0.0 if error <= NOTHING * max(1.0, abs(measured.value)) else error


def usual_error(measured: Measured[S], options: IntervalOptions) -> StandardError:
    """The error that the papers give, or that of the derivative or the jackknife."""
    _, method, random, cluster, *_ = options
    if random not in RANDOM:
        raise KindError(f"random must be {listed(RANDOM)}, got {random!r}")
    if random in measured.published.errors and method in ("auto", "adjusted", "analytic") and cluster is None:
        return StandardError(*measured.published.errors[random](measured.statistic))
    if random == "labels":
        raise KindError(f"{measured.facts.title} has no published error for other labels of the same items")
    grouped = None if cluster is None else measured.in_groups(cluster)
    if grouped is not None:
        return standard_error(grouped, options._replace(cluster=None))
    if random == "items":
        return items_error(measured, _of_errors(measured, method), cluster)
    if method not in ("auto", "adjusted", "analytic", "jackknife"):
        raise KindError(
            Advice.of(
                "with ", Hint("random", random), " the error is found by leaving annotators out; leave method as it is"
            )
        )
    annotators = annotators_error(measured)
    if random == "annotators":
        return annotators
    return sum_of(annotators, items_error(measured, _of_errors(measured, method), cluster))


def _of_errors(measured: Measured[S], method: Method) -> Method:
    """The method of an error that is meant by "auto" and by "adjusted", which is one of intervals."""
    chosen = chosen_method(measured, method, "items")
    if chosen != "adjusted":
        return chosen
    return "analytic" if measured.facts.analytic else "jackknife"


def annotators_error(measured: Measured[S]) -> StandardError:
    """The standard error for other annotators: each is left out in turn."""
    left = np.array(list(measured.drill_down().left_out().values()), dtype=np.float64)
    return jackknife(left, np.ones(len(left)))


def sum_of(one: StandardError, other: StandardError) -> StandardError:
    """The error of a sum, with Satterthwaite's degrees of freedom of a sum of two variances."""
    variance = one.error**2 + other.error**2
    if not variance > 0:
        return StandardError(math.sqrt(variance), other.df)
    df = variance**2 / (one.error**4 / one.df + other.error**4 / other.df)
    return StandardError(math.sqrt(variance), df)


def items_error(measured: Measured[S], method: Method, cluster: str | None) -> StandardError:
    """The standard error for other items, or other groups of items."""
    items, times = measured.items, measured.times
    if method == "null":
        return _null_error(measured, cluster)
    if items < 2:
        return NO_ERROR
    if method in ("bootstrap", "bca"):
        usual = IntervalOptions()
        values = measured.defined_resamples(usual.resamples, usual.seed, cluster)
        return StandardError(float(np.std(values, ddof=1)) if len(values) > 1 else math.nan, items - 1)
    if cluster is not None:
        return _groups_error(measured, method, cluster)
    if method == "jackknife":
        return jackknife(measured.left_out(), times)
    by_n = method == "table" or (method == "analytic" and measured.facts.divisor == "n")
    influence = measured.influence() if method == "adjusted" else measured.published_influence()
    variance = float(times @ influence**2) / (items * (items if by_n else items - 1))
    # By a published error items with one annotation count; where chance needs no shares, they tell nothing.
    alone = 0 if method == "adjusted" and measured.facts.chance == "none" else measured.statistic.unpaired
    return StandardError(math.sqrt(variance), items + alone - 1)


def jackknife(left_out: Floats, times: Floats) -> StandardError:
    """The error from the coefficients with each unit left out, each as often as ``times`` says."""
    if not len(left_out) or not np.isfinite(left_out).all():
        return NO_ERROR
    units = float(times.sum())
    mean = float(times @ left_out) / units
    variance = (units - 1) / units * float(times @ (left_out - mean) ** 2)
    return StandardError(math.sqrt(max(variance, 0)), units - 1)


def _null_error(measured: Measured[S], cluster: str | None) -> StandardError:
    null_error = measured.published.null_error
    if null_error is None:
        raise KindError(f"{measured.facts.title} has no published error under no agreement")
    if cluster is not None:
        raise KindError(
            Advice.of(
                "the error under no agreement is for independent items; leave out ", Wording("cluster=", "--cluster")
            )
        )
    return StandardError(null_error(measured.statistic), math.inf)


def _groups_error(measured: Measured[S], method: Method, cluster: str) -> StandardError:
    members = measured.members(cluster)
    groups = members.shape[0]
    if groups < 2:
        return NO_ERROR
    if method == "jackknife":
        left = measured.groups_left_out(cluster)
        variance = (groups - 1) / groups * float(((left - left.mean()) ** 2).sum())
        return StandardError(math.sqrt(variance), groups - 1)
    influence = members @ measured.published_influence() / measured.items
    return StandardError(math.sqrt(groups / (groups - 1) * float(influence @ influence)), groups - 1)
