"""Coefficients whose items come from documents: what is drawn anew is documents, unless somebody says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from interagree.results.agreement import Agreement, Interval, Method, Random
from interagree.stats.engine.compress import table_of
from interagree.stats.engine.estimate import Estimate


@dataclass(frozen=True)
class InClusters(Estimate):
    """What stands behind a coefficient of such items: its errors are those of clusters of them."""

    cluster: str = "document"
    group: Any = None  # the cluster of each item, where that is quicker to say than to look up

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """What is pickled: the data and the call, and what the clusters are."""
        return _clustered_again, (self.measure, self._data, self.call, self.cluster, self.group)

    def _named(self, method: str, cluster: str | None) -> str | None:
        # The closed forms of tables and of no agreement are for single items, and are asked for by name.
        return cluster if method in ("table", "null") else cluster or self.cluster

    def _members(self, cluster: str) -> Any:
        pattern = self.statistic.pattern
        if cluster != self.cluster or pattern is None or self.group is None:
            return super()._members(cluster)
        here = (pattern >= 0) & (self.group >= 0)
        shape = (int(self.group.max()) + 1, len(self.times))
        table = table_of(self.group[here], pattern[here], np.ones(int(here.sum())), shape)
        return table[np.flatnonzero(table.sum(axis=1))]

    def _in_groups(self, cluster: str) -> Estimate:
        """The groups as what is resampled, which have no cluster of their own."""
        return Estimate(**_parts_of(super()._in_groups(cluster)))

    def standard_error(self, method: Method, random: Random, cluster: str | None) -> tuple[float, float]:
        """The standard error for other clusters, and its degrees of freedom."""
        return super().standard_error(method, random, self._named(method, cluster))

    def interval(  # noqa: PLR0917 -- as it is called
        self, level: float, method: Method, random: Random, cluster: str | None, resamples: int, seed: int
    ) -> Interval | None:
        """The interval for other clusters like these; None where there is but one."""
        return super().interval(level, method, random, self._named(method, cluster), resamples, seed)

    def p_value(self, method: Method, random: Random, cluster: str | None) -> float | None:
        """The p-value with the error for other clusters."""
        return super().p_value(method, random, self._named(method, cluster))

    def one_tailed(self, method: Method, random: Random, cluster: str | None) -> bool:
        """Whether that test has one tail."""
        return super().one_tailed(method, random, self._named(method, cluster))


def _parts_of(engine: Estimate) -> Mapping[str, Any]:
    return {one.name: getattr(engine, one.name) for one in fields(Estimate) if one.name != "_cache"}


def _clustered_again(
    measure: Callable[..., Agreement], data: Any, call: dict[str, Any], cluster: str, group: Any
) -> Any:
    return in_clusters(measure(data, **call), cluster, group).engine


def in_clusters(result: Agreement, cluster: str, group: Any = None) -> Agreement:
    """A coefficient with the errors of clusters of its items.

    Args:
        result: The coefficient.
        cluster: The attribute of the items that says which of them belong together.
        group: The cluster of each item, where it is known already.
    """
    if not isinstance(result.engine, Estimate):
        return result
    behind = InClusters(**_parts_of(result.engine), cluster=cluster, group=group)
    return replace(result, engine=behind, _cache={})
