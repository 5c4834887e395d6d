"""From two disagreements to a coefficient.

A measure hands over a statistic and a function ``parts`` of it.  Here the ratio is formed, or the reason found why
there is none; how sure the result is (`errors`, `intervals`, `p_values`) and where the disagreement lies (the
drill-down of the statistic) are computed when they are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from interagree.declare import defaults_of
from interagree.results.agreement import Agreement, Interval, IntervalOptions, Parts, StandardError
from interagree.stats.engine import errors, intervals, p_values
from interagree.stats.engine.measured import ItemGroups, Measure, Measured
from interagree.stats.engine.statistic import Published, S
from interagree.stats.engine.value import out_of_range, plain, plain_ratio, why_undefined
from interagree.tables import Table

T = TypeVar("T")


def estimate(
    measure: Measure,
    statistic: S,
    parts: Callable[[S], Parts],
    published: Published[S] | None = None,
    *,
    notes: Sequence[str] = (),
    undefined: str | None = None,
) -> Agreement:
    """A coefficient from a statistic and its parts.

    Args:
        measure: The measure itself; it names the result, and drill-down calls it again on other tables.
        statistic: What the parts are counted from.
        parts: The observed and the expected disagreement of a statistic, also under many weights at once.
        published: What the papers give beyond the ratio.
        notes: What the measure left out or assumed, beside what the statistic did.
        undefined: Why there is no number, where the measure knows already.
    """
    published = published or Published()
    reason = undefined or statistic.undefined()
    if reason is not None:
        disagreement, reason = Parts(math.nan, math.nan), out_of_range(statistic) or reason
    else:
        with np.errstate(all="ignore"):
            disagreement = plain(parts(statistic))
        reason = why_undefined(statistic, disagreement)
    value = math.nan if reason else plain_ratio(disagreement)
    engine = Estimate(measure, statistic, parts, value, published)
    said = (*statistic.notes(), *notes)
    return Agreement(engine.facts, value, disagreement, statistic.n, engine, reason, said, more=engine.details)


@dataclass(frozen=True)
class Estimate(Measured[S]):
    """What stands behind a result."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """What is pickled: the data and the call, since the parts are functions made for them."""
        return _measured_again, (self.measure, self.data, self.call or {}, self.clusters)

    # -- the call ------------------------------------------------------------------------------------------

    def called_with(self, options: Mapping[str, object]) -> Estimate[S]:
        """The same with the options of the call; where it has some, they are those of the call that made it."""
        if self.call is not None:
            return self
        known = (self.measure, self.statistic, self.parts, self.value, self.published)
        return Estimate(*known, dict(options), self.clusters)

    def named_options(self) -> dict[str, object]:
        """The options that a result names: those given, and those its measure always names."""
        usual, named = defaults_of(self.measure), self.facts.named
        given = {
            name: option
            for name, option in (self.call or {}).items()
            if name in named or not _same(option, usual.get(name))
        }
        return {**given, **self.statistic.options()}

    def notes_on_options(self) -> Sequence[str]:
        """What to say once the options are known."""
        return () if math.isnan(self.value) else self.statistic.notes_on_options(self)

    @property
    def bounded(self) -> bool:
        """Whether no disagreement is above one."""
        return self.statistic.bounded

    @property
    def drillable(self) -> bool:
        """Whether the annotations are there, so that the disagreement of each item can be told."""
        return self.source is not None

    def details(self) -> dict[str, object]:
        """Further quantities: those of the statistic, and those that the measure publishes."""
        own = self.published.details
        return {**self.statistic.details(), **({} if own is None else own(self.statistic))}

    @property
    def policy(self) -> str:
        """What was dropped, merged or assumed on the way to the table."""
        return str(self.statistic.provenance.policy())

    @property
    def remarks(self) -> list[str]:
        """What was set aside or assumed when the data were read."""
        steps = self.statistic.provenance.steps
        return [step.sentence for step in steps if step.what in ("set aside", "assumed")]

    # -- how sure ------------------------------------------------------------------------------------------

    def standard_error(self, options: IntervalOptions) -> StandardError:
        """The standard error and its degrees of freedom."""
        return errors.standard_error(self, errors.on_usual_clusters(self, options))

    def interval(self, options: IntervalOptions) -> Interval | None:
        """The confidence interval, or None where there is no error to make it from."""
        return intervals.interval(self, errors.on_usual_clusters(self, options))

    def p_value(self, options: IntervalOptions) -> float | None:
        """The p-value against a true value of zero."""
        return p_values.p_value(self, errors.on_usual_clusters(self, options))

    def one_tailed(self, options: IntervalOptions) -> bool:
        """Whether the p-value is that of a test with one tail."""
        return p_values.one_tailed(self, errors.on_usual_clusters(self, options))

    # -- where ---------------------------------------------------------------------------------------------

    def by_item(self) -> Table:
        return self.drill_down().by_item()

    def by_annotator(self) -> Table:
        return self.drill_down().by_annotator()

    def by_value(self) -> Table:
        return self.drill_down().by_value()

    def by_pair(self) -> Table:
        return self.drill_down().by_pair()


def in_clusters(result: Agreement, cluster: str, group: Any = None) -> Agreement:
    """A coefficient with the errors of clusters of its items, unless the caller of the error says otherwise.

    Args:
        result: The coefficient.
        cluster: The attribute of the items that says which of them belong together.
        group: The cluster of each item, where it is known already.
    """
    if not isinstance(result.engine, Estimate):
        return result
    return replace(result, engine=replace(result.engine, clusters=ItemGroups(cluster, group), _cache={}), _cache={})


def statistic_behind(result: Agreement, kind: type[T]) -> T | None:
    """What a coefficient was computed from, where it is of a kind and there is a coefficient."""
    engine = result.engine
    statistic = engine.statistic if isinstance(engine, Estimate) and not result.undefined else None
    return statistic if isinstance(statistic, kind) else None


def _measured_again(measure: Measure, data: object, call: Mapping[str, object], clusters: ItemGroups | None) -> Any:
    result = measure(data, **call)
    return result.engine if clusters is None else in_clusters(result, *clusters).engine


def _same(option: object, usual: object) -> bool:
    """Whether an option is what it is when nobody gives it; a table never is."""
    return option is usual or (isinstance(option, str | int | float | tuple | list) and option == usual)
