"""Statistics that do not yet tell about themselves: what a measure says in their place, by keyword."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from interagree.data import Annotations
from interagree.data.values import FEW, Recognised
from interagree.errors import KindError
from interagree.plugins import KINDS
from interagree.results.agreement import Agreement, Parts, Remark
from interagree.stats.engine.estimate import Estimate
from interagree.stats.engine.statistic import BaseStatistic, Published, unpaired_notes
from interagree.stats.engine.value import out_of_range, plain, ratio, why_undefined
from interagree.stats.labels import drill
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.distance_table import Spread
from interagree.tables import Table

SCALES = {"ordered": "an ordered scale", "numbers": "numbers"}
QUADRATIC = {"ordered": {"weights": "quadratic"}, "numbers": {"weights": "quadratic"}}


class _Told(BaseStatistic):
    """What a statistic would tell about itself."""

    def __init__(self, statistic: Any) -> None:
        self.statistic = statistic
        self.n, self.source, self.weights = statistic.n, statistic.source, statistic.weights
        self.pattern, self.width = statistic.pattern, statistic.width

    @property
    def unpaired(self) -> int:
        return int(self.statistic.unpaired)

    @property
    def values(self) -> Any:
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

    def drill(self, measured: Any) -> Any:
        raise NotImplementedError


@dataclass(frozen=True)
class LegacyEstimate(Estimate[Any]):
    """An estimate that was told by keywords what its statistic does not tell."""

    lay_out: Callable[[Any], Spread] | None = None
    tables: drill.Tables | None = None
    more: Callable[[], dict[str, Any]] | None = None
    show: Any = None
    portable: bool = True

    @property
    def bounded(self) -> bool:
        return bool(self.show.get("bounded", True))

    def named_options(self) -> dict[str, object]:
        return {name: option for name, option in self.show.items() if name != "bounded"}

    def details(self) -> dict[str, object]:
        return {} if self.more is None else dict(self.more())

    def spread(self, study: Annotations) -> Spread | None:
        return None if self.lay_out is None else self.lay_out(study)

    def drill_down(self) -> Any:
        return self.tables if self.tables is not None else _Drill(self)

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
        return drill.by_value(self)

    def _ordered(self) -> bool:
        return isinstance(self.statistic, Counts)

    def in_groups(self, cluster: str) -> Self | None:
        return super().in_groups(cluster) if hasattr(self.statistic, "grouped") else None


class _Drill:
    def __init__(self, estimate: LegacyEstimate) -> None:
        self.estimate = estimate

    def by_item(self) -> Table:
        return drill.by_item(self.estimate)

    def by_annotator(self) -> Table:
        return drill.by_annotator(self.estimate)

    def by_pair(self) -> Table:
        return drill.by_pair(self.estimate)

    def left_out(self) -> Any:
        return drill.left_out(self.estimate)

    def largest(self) -> float | None:
        return drill.largest_distance(self.estimate)


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
        lay_out=own("lay_out"),
        tables=own("tables"),
        more=own("more"),
        show=dict(own("show") or {}),
    )
    said = (*unpaired_notes(statistic), *_as_wholes(statistic, own("lay_out")), *notes)
    if not reason and engine.facts.chance != "none" and {"distance", "weights"} <= (engine.call or {}).keys():
        said += _as_scale(engine, engine.facts.symbol, own("scale") or QUADRATIC)
    return Agreement(
        engine.facts, value, found, statistic.n, engine, reason, said, engine.named_options(), engine.details
    )


def _ignoring(error: Any) -> Callable[[Any], tuple[float, float]]:
    return lambda _: error()


def _as_wholes(statistic: Any, lay_out: Callable[[Any], Spread] | None) -> list[str]:
    study = statistic.source
    if study is None or hasattr(statistic, "grouped"):
        return []
    if study.kind not in KINDS and study.kind not in ("tuples", "objects"):
        return []
    if lay_out is not None and not lay_out(study).distance.equality:
        return []
    return [f"the values are {study.kind} and were compared as wholes: the same or not"]


def _as_scale(engine: Any, symbol: str, scale: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    data = engine.statistic if engine.source is None else engine.source
    look: Recognised | None = getattr(data, "recognised", None)
    kind = "" if look is None else look.doubt or look.kind
    if look is None or kind not in scale or len(data.values) < 3:  # two values are as far apart on any scale
        return ()
    if any(engine.call[name] is not None for name in ("distance", "weights")):
        return ()
    given = ", ".join(f"{name}={entry!r}" for name, entry in scale[kind].items())
    taken, other = f"the values are {look.because} and were taken as labels", SCALES[kind]
    if len(data.values) > FEW:  # what costs nothing on few values may cost as much as the measure itself
        return (f"{taken}, the same or not; {given} compares them as {other}",)
    result = engine.measure(data, **{**engine.call, **scale[kind]})
    number = "undefined" if result.undefined else f"{result.value:.3f}"
    told = f"{taken}; as {other}, {symbol} = {number} ({given})"
    return (told if look.doubt is None else Remark(told),)
