"""Statistics that do not yet tell about themselves: what a measure says in their place, by keyword."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from interagree.errors import KindError
from interagree.plugins import DISTANCES, KINDS
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import Estimate
from interagree.stats.engine.statistic import Published, unpaired_notes
from interagree.stats.engine.value import out_of_range, plain, ratio, why_undefined
from interagree.stats.labels.distance_table import DistanceTable
from interagree.stats.labels.drill import LabelDrill
from interagree.stats.labels.labelled import Labels
from interagree.tables import Table


class _Told(Labels):
    """What a statistic would tell about itself."""

    def __init__(self, statistic: Any) -> None:
        self.statistic = statistic
        self.n, self.source, self.weights = statistic.n, statistic.source, statistic.weights
        self.pattern, self.width = statistic.pattern, statistic.width
        self.provenance = statistic.provenance

    @property
    def unpaired(self) -> int:
        return int(self.statistic.unpaired)

    def possible_values(self) -> Any:
        data = self.statistic if self.statistic.source is None else self.statistic.source
        return getattr(data, "values", ())

    def cannot_differ(self) -> str | None:
        whole = getattr(self.statistic, "whole", None)
        if whole is None:
            return None
        if len(whole.used) < 2:
            return "all annotations have the same value, so chance could not have disagreed"
        same = f"all annotations are at distance 0 from each other by {whole.distance}"
        return f"{same}, so chance could not have disagreed"

    def distance_table(self) -> DistanceTable:
        study = self.statistic.source
        return DistanceTable(DISTANCES["nominal"], study.values, in_order=study.in_order)


@dataclass(frozen=True)
class LegacyEstimate(Estimate[Any]):
    """An estimate that was told by keywords what its statistic does not tell."""

    tables: Any = None
    more: Callable[[], dict[str, Any]] | None = None
    show: Any = None

    @property
    def bounded(self) -> bool:
        return bool(self.show.get("bounded", True))

    def named_options(self) -> dict[str, object]:
        return {name: option for name, option in self.show.items() if name != "bounded"}

    def details(self) -> dict[str, object]:
        return {} if self.more is None else dict(self.more())

    def _labels(self) -> LabelDrill[Any]:
        return LabelDrill(replace(self, statistic=_Told(self.statistic), _cache={}))

    def drill_down(self) -> Any:
        return self.tables if self.tables is not None else self._labels()

    def by_value(self) -> Table:
        own = getattr(self.tables, "by_value", None)
        if own is not None:
            table: Table = own()
            return table
        if self.tables is not None and self.source is not None and self.source.kind in KINDS:
            raise KindError(
                f"{self.facts.title} of complex values has no table by value: hardly a value occurs twice; "
                "take by_item, by_annotator or by_pair"
            )
        return self._labels().by_value()

    def _ordered(self) -> bool:
        return False

    def in_groups(self, cluster: str) -> Self | None:
        return super().in_groups(cluster) if hasattr(self.statistic, "grouped") else None


def adapted(  # noqa: PLR0917
    measure: Any,
    statistic: Any,
    parts: Any,
    notes: Sequence[str],
    undefined: str | None,
    legacy: Mapping[str, Any],
) -> Agreement:
    """The result of a statistic that does not tell about itself."""
    told = _Told(statistic)
    reason = undefined
    if reason:
        found, reason = Parts(math.nan, math.nan), out_of_range(told) or reason
    else:
        with np.errstate(all="ignore"):
            found = plain(parts(statistic))
        reason = why_undefined(told, found)
    with np.errstate(all="ignore"):
        value = math.nan if reason else float(ratio(found))
    own: Any = legacy.get
    influence, interval, null, p = (
        own(name) for name in ("influence", "own_interval", "null_error", "p_value")
    )
    published: Published[Any] = Published(
        linear=own("linear"),
        influence=None
        if influence is None
        else lambda s: influence() if s is statistic or not hasattr(s, "moves") else s.moves(),
        interval=None if interval is None else lambda _, level: interval(level),
        errors={name: _ignoring(error) for name, error in (own("errors") or {}).items()},
        null_error=None if null is None else lambda _: null(),
        p_value=None if p is None else lambda _: p(),
        one_tailed=bool(own("one_tailed")),
        logit=bool(own("logit")),
    )
    engine = LegacyEstimate(
        measure,
        statistic,
        parts,
        value,
        published,
        dict(own("call") or {}),
        tables=own("tables"),
        more=own("more"),
        show=dict(own("show") or {}),
    )
    said = (*unpaired_notes(statistic), *notes)
    return Agreement(
        engine.facts, value, found, statistic.n, engine, reason, said, engine.named_options(), engine.details
    )


def _ignoring(error: Any) -> Callable[[Any], tuple[float, float]]:
    return lambda _: error()
