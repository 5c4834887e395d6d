"""From two parts to a coefficient.

This is the only place that forms the ratio, decides that it is undefined, and says how sure it is.  A
measure hands over a statistic and a function ``parts`` of it.  The same function is called with other
weights to get the bootstrap (many resampled weights at once), the exact jackknife (each pattern left out)
and the influence of each item (the derivative, by a complex step), so no formula is written twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import Annotations
from interagree.data.values import FEW, numbers
from interagree.declare import facts_of
from interagree.errors import KindError
from interagree.kinds import Recognised
from interagree.results.agreement import Agreement, Interval, Method, Parts, Random, Remark
from interagree.stats.engine.compress import ranks, table_of
from interagree.stats.engine.quantiles import t_quantile, t_tail
from interagree.stats.engine.weights import (
    STEP,
    GroupsLeftOut,
    LeftOut,
    Many,
    Nudged,
    Recorded,
    Tangent,
    Unrecordable,
    Weights,
)
from interagree.stats.labels import drill
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.distance_table import Spread
from interagree.tables import Table

NOTHING = 1e-12  # an error or a disagreement below this is none but for rounding
LARGE = 1e150  # above this squares are beyond the numbers of a computer, and below its inverse they are 0
BLOCK = 4_000_000  # numbers that one block of resamples may hold
SCALES = {"ordered": "an ordered scale", "numbers": "numbers"}
QUADRATIC = {"ordered": {"weights": "quadratic"}, "numbers": {"weights": "quadratic"}}


Count = Callable[..., Parts]


def estimate(
    measure: Callable[..., Agreement],
    statistic: Any,
    parts: Count,
    *,
    linear: Count | None = None,
    influence: Callable[[], Floats] | None = None,
    own_interval: Callable[[float], Interval | None] | None = None,
    errors: Mapping[str, Callable[[], tuple[float, float]]] | None = None,
    logit: bool = False,
    portable: bool = True,
    null_error: Callable[[], float] | None = None,
    p_value: Callable[[], float | None] | None = None,
    one_tailed: bool = False,
    lay_out: Callable[[Any], Spread] | None = None,
    call: Mapping[str, Any] | None = None,
    show: Mapping[str, Any] | None = None,
    scale: Mapping[str, Mapping[str, Any]] | None = None,
    undefined: str | None = None,
    notes: Sequence[str] = (),
    more: Callable[[], dict[str, Any]] | None = None,
    tables: drill.Tables | None = None,
) -> Agreement:
    """A coefficient from a statistic and its parts.

    Args:
        measure: The measure itself; it names the result, and drill-down calls it again on other tables.
        statistic: What the parts are counted from.
        parts: The observed and the expected disagreement of a statistic, also under many weights at once.
        linear: The parts to take the derivative of, where the published error is that of another form.
        influence: The influence of each pattern, where it is known in closed form.
        own_interval: The published interval of a given level, where it is not value ± t × error.
        errors: Published standard errors and their degrees of freedom for other things being random than items.
        logit: Whether the interval is made on the logit scale, for a coefficient between 0 and 1.
        portable: Whether the parts hold for any statistic of their kind, and not for this study alone.
        null_error: The standard error if there were no agreement.
        p_value: The published test against no agreement, where it is not that of value / error.
        one_tailed: Whether that test has one tail, as those of F and χ² have.
        lay_out: How the distance lies on the values of a statistic or study, for drill-down.
        call: The keywords to call the measure with on another table.
        show: The options that the result names.
        scale: The keyword that takes values as "ordered" or "numbers"; quadratic weights where it is not given.
        undefined: Why there is no number, where the measure knows already.
        notes: What was left out or assumed.
        more: Further quantities, computed when they are asked for.
        tables: Drill-down of its own, where the usual one does not fit the statistic.
    """
    facts = facts_of(measure)
    why: str | None
    if undefined:
        found, why = Parts(math.nan, math.nan), _beyond_floats(statistic) or undefined
    else:
        with np.errstate(all="ignore"):
            found = _floats(parts(statistic))
        why = _why_undefined(statistic, found)
    value = math.nan if why else _ratio(found)
    engine = Estimate(
        measure,
        statistic,
        parts,
        linear or parts,
        value,
        dict(call or {}),
        influence,
        own_interval,
        dict(errors or {}),
        logit,
        portable,
        null_error,
        p_value,
        one_tailed,
        lay_out,
        tables,
    )
    said = (*_noted(statistic), *_as_wholes(statistic, lay_out), *notes)
    if not why and facts.chance != "none" and {"distance", "weights"} <= engine.call.keys():
        said += _as_scale(engine, facts.symbol, scale or QUADRATIC)
    return Agreement(facts, value, found, statistic.n, engine, why, said, dict(show or {}), more)


def _floats(parts: Parts) -> Parts:
    return Parts(*(None if part is None else float(np.real(part)) for part in parts))


def _ratio(parts: Parts) -> Any:
    if parts.value is not None:
        return parts.value
    return 1 - parts.observed if parts.expected is None else 1 - parts.observed / parts.expected


def _why_undefined(statistic: Any, parts: Parts) -> str | None:
    study = statistic.source
    if not statistic.n.annotations and not (statistic.unpaired if study is None else len(study)):
        return "there are no annotations"
    beyond = None if all(map(_finite, parts)) else _beyond_floats(statistic)
    if beyond is not None:
        return beyond
    if math.isnan(parts.observed):
        if statistic.n.annotators == 1 or (
            study is not None and len(np.unique(study.annotator)) == 1 and not study.anonymous
        ):
            return "there is only one annotator, so there is nobody to agree with"
        return "no item has annotations by two annotators, so there is nothing to compare"
    if parts.value is not None:
        return (
            None
            if math.isfinite(parts.value)
            else _nothing_apart(statistic)
            if hasattr(statistic, "whole")
            else "the annotations do not vary, so there is nothing to compare with"
        )
    if parts.expected is None:
        return None
    if math.isnan(parts.expected):
        return "chance agreement cannot be computed from these data"
    if parts.expected <= 0:
        return _nothing_apart(statistic)
    return None


def _finite(part: float | None) -> bool:
    return part is None or math.isfinite(part)


def _beyond_floats(statistic: Any) -> str | None:
    """What to say of numbers so large that squares and sums of them cannot be held, or so small that they vanish."""
    data = statistic if statistic.source is None else statistic.source
    found = numbers(getattr(data, "values", ())) or []
    low, high = min(found, default=0.0), max(found, default=0.0)
    most = max(-low, high)
    if low < high and most > LARGE:
        return (
            f"the values reach {most:.3g}, and their squares or sums are more than a computer's numbers can hold; "
            "divide all values by one number, such as the largest"
        )
    if low < high and high / 2 - low / 2 < 1 / LARGE:
        return (
            f"the values differ by {high - low:.3g} at most, and squares of that are less than a computer's numbers "
            "can hold; multiply all values by one number"
        )
    return None


def _nothing_apart(statistic: Any) -> str:
    """Why chance could not have disagreed."""
    beyond = _beyond_floats(statistic)
    if beyond is not None:
        return beyond
    whole = getattr(statistic, "whole", None)
    if whole is None or len(whole.used) < 2:
        return "all annotations have the same value, so chance could not have disagreed"
    return f"all annotations are at distance 0 from each other by {whole.distance}, so chance could not have disagreed"


def _as_wholes(statistic: Any, lay_out: Callable[[Any], Spread] | None) -> list[str]:
    """What to say where complex values were compared as if they were labels."""
    study = statistic.source
    if study is None or hasattr(statistic, "grouped"):
        return []
    if not study.kind.structured:
        return []
    if lay_out is not None and not lay_out(study).distance.equality:
        return []
    return [f"the values are {study.kind} and were compared as wholes: the same or not"]


def _as_scale(engine: Estimate, symbol: str, scale: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """What a scale would give, where values are one or may be one, and nobody said how far apart they are."""
    data = engine.statistic if engine.source is None else engine.source
    look: Recognised | None = getattr(data, "recognised", None)
    kind = "" if look is None else str(look.doubt or look.kind)
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


def _noted(statistic: Any) -> list[str]:
    gone, shares = statistic.unpaired, 0
    if statistic.paired is not None:
        shares = int(statistic.weights.sum(1 - statistic.paired))
    said = (
        (gone, "was left out", "were left out"),
        (shares, "counts towards chance alone", "count towards chance alone"),
    )
    return [
        f"{count:,} item{'s' if count > 1 else ''} with one annotation {many if count > 1 else one}"
        for count, one, many in said
        if count
    ]


@dataclass(frozen=True)
class Estimate:
    """What stands behind a coefficient: its statistic, its parts, and how to count them again."""

    measure: Callable[..., Agreement]
    statistic: Any
    parts: Count
    linear: Count
    value: float
    call: dict[str, Any]
    own_influence: Callable[[], Floats] | None
    own_interval: Callable[[float], Interval | None] | None
    own_errors: dict[str, Callable[[], tuple[float, float]]]
    logit: bool
    portable: bool
    null_error: Callable[[], float] | None
    own_p_value: Callable[[], float | None] | None
    own_is_one_tailed: bool
    lay_out: Callable[[Any], Spread] | None
    tables: drill.Tables | None = None
    _cache: dict[Any, Any] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """What is pickled: the data and the call, since the parts are functions made for them."""
        return _measured_again, (self.measure, self._data, self.call)

    @property
    def _data(self) -> Any:
        """What to measure to stand here again: the annotations, or the statistic where they are elsewhere."""
        return self.statistic if self.source is None else self.source

    # -- counting again ------------------------------------------------------------------------------------

    @property
    def source(self) -> Annotations | None:
        """The annotations behind the statistic; None for a table that stays where it is."""
        source: Annotations | None = self.statistic.source
        return source

    @property
    def policy(self) -> str:
        """What was dropped, merged or assumed on the way to the table."""
        return str(self.statistic.provenance.policy())

    @property
    def remarks(self) -> list[str]:
        """What was set aside or assumed when the data were read."""
        return [
            step.sentence for step in self.statistic.provenance.steps if step.what in ("set aside", "assumed")
        ]

    def spread(self, study: Annotations) -> Spread | None:
        """The distance of the measure laid out on the values of a study; None where it has none."""
        return None if self.lay_out is None else self.lay_out(study)

    def again(self, study: Annotations) -> Agreement:
        """The same measure of another table."""
        return self.measure(study, **self.call)

    @property
    def times(self) -> Floats:
        """How many items show each pattern."""
        times: Floats = self.statistic.weights.matrix()
        return times

    def _blocks(self, count: int) -> Iterator[Indices]:
        step = max(1, BLOCK // max(self.statistic.width, 1))
        for start in range(0, count, step):
            yield np.arange(start, min(start + step, count))

    def _values(self, parts: Count, weights: Weights) -> Any:
        return self.values_of(self.statistic.weighted(weights), parts)

    def values_of(self, statistic: Any, parts: Count | None = None) -> Any:
        """The coefficients of a statistic that holds many weights at once; nan where undefined."""
        with np.errstate(all="ignore"):
            found = (parts or self.parts)(statistic)
            ratio = _ratio(found)
            if found.expected is None or found.value is not None:
                return ratio
            return np.where(np.real(found.expected) > 0, ratio, np.nan)

    def influence(self) -> Floats:
        """How the coefficient moves as items of each pattern gain weight; zero on average over the items."""
        if "influence" not in self._cache:
            self._cache["influence"] = (
                self.own_influence() if self.own_influence is not None else self._slopes()
            )
        found: Floats = self._cache["influence"]
        return found

    def _slopes(self) -> Floats:
        recorded = Recorded(self.times)
        try:
            self._values(self.linear, recorded)
        except Unrecordable:
            return self._nudged()
        if not recorded.sums:  # nothing that could be moved
            return self._nudged()
        sizes = [np.size(total) for total in recorded.sums]
        count = sum(sizes)
        step = max(1, BLOCK // max(count, 1))
        blocks = [
            np.imag(self._values(self.linear, Tangent(recorded, np.arange(start, min(start + step, count)))))
            / STEP
            for start in range(0, count, step)
        ]
        slopes = np.split(np.concatenate(blocks), np.cumsum(sizes)[:-1])
        moves = [
            move(slope.reshape(np.shape(total)))
            for move, slope, total in zip(recorded.moves, slopes, recorded.sums, strict=True)
        ]
        return np.asarray(sum(moves), dtype=np.float64)

    def _nudged(self) -> Floats:
        """The influence found by moving towards items of each pattern in turn."""
        return np.concatenate(
            [
                np.imag(self._values(self.linear, Nudged(self.times, which))) / STEP
                for which in self._blocks(len(self.times))
            ]
        )

    def left_out(self) -> Floats:
        """For each pattern the coefficient without one item of it."""
        if "left out" not in self._cache:
            self._cache["left out"] = np.concatenate(
                [
                    np.real(self._values(self.parts, LeftOut(self.times, which)))
                    for which in self._blocks(len(self.times))
                ]
            )
        found: Floats = self._cache["left out"]
        return found

    @property
    def linearised(self) -> bool:
        """Whether the published error is made of what each item adds to it."""
        return facts_of(self.measure).analytic and self.own_interval is None

    def item_moves(self, *, linearised: bool = True) -> Floats:
        """What an item of each pattern adds to the error: its influence, or the same from leaving it out."""
        if linearised and self.linearised:
            return self._published_influence()
        left, items = self.left_out(), float(self.times.sum())
        moves: Floats = (items - 1) * (float(self.times @ left) / items - left)
        return moves

    def resampled(self, resamples: int, seed: int, cluster: str | None) -> Floats:
        """The coefficient of each of many resamples of the items."""
        known = ("resampled", resamples, seed, cluster)
        if known not in self._cache:
            rng = np.random.default_rng(seed)
            times = self.times
            members = None if cluster is None else self._members(cluster)
            # Patterns are drawn in an order that the order of rows does not decide, and put back in their places.
            order = self._order() if members is None else np.arange(members.shape[0])
            back = np.argsort(order)
            width = max(len(times), self.statistic.width)
            step = max(1, min(resamples, BLOCK // max(width, 1)))
            found = []
            for start in range(0, resamples, step):
                size = min(step, resamples - start)
                rows = (
                    _draw(rng, times[order], size)[:, back]
                    if members is None
                    else _draw(rng, np.ones(members.shape[0]), size) @ members
                )
                found.append(np.real(self._values(self.parts, Many(np.asarray(rows, dtype=np.float64)))))
            self._cache[known] = np.concatenate(found)
        values: Floats = self._cache[known]
        return values

    def _order(self) -> Indices:
        """The patterns in an order that does not depend on that of rows: as they are, or by names of items."""
        pattern, count = self.statistic.pattern, len(self.times)
        if self.source is None or pattern is None or isinstance(self.statistic, Counts):
            return np.arange(count)  # counts are sorted by what they hold
        first = np.full(count, len(pattern))
        there = np.flatnonzero(pattern >= 0)
        np.minimum.at(first, pattern[there], ranks(self.source.items)[there])
        return np.argsort(first, kind="stable")

    def _known(self, resamples: int, seed: int, cluster: str | None) -> Floats:
        """The resampled coefficients that are defined, in order; none where there is but one item or group."""
        drawn = self.times.sum() if cluster is None else self._members(cluster).shape[0]
        values = self.resampled(resamples, seed, cluster) if drawn > 1 else np.zeros(0)
        return np.sort(values[np.isfinite(values)])

    def _members(self, cluster: str) -> Any:
        """Groups × patterns: how many items of each group show each pattern."""
        if self.source is None or self.statistic.pattern is None:
            raise KindError("cluster= needs the annotations themselves, not counts or a table in a database")
        group, groups = self.source.item_attribute(cluster)
        pattern = self.statistic.pattern
        here = (pattern >= 0) & (group >= 0)
        shape = (len(groups), len(self.times))
        named = ranks(groups)[group[here]]  # in the order of their names, whatever that of rows
        table = table_of(named, pattern[here], np.ones(int(here.sum())), shape)
        return table[np.flatnonzero(table.sum(axis=1))]

    def _in_groups(self, cluster: str) -> Estimate:
        """The same with groups of items as what is resampled, where the statistic can be counted so."""
        known = ("in groups", cluster)
        if known not in self._cache:
            if self.source is None:
                raise KindError("cluster= needs the annotations themselves, not a table in a database")
            group, _ = self.source.item_attribute(cluster)
            grouped = self.statistic.grouped(group)
            own = self.own_influence if self.own_influence is None else getattr(grouped, "moves", None)
            self._cache[known] = replace(self, statistic=grouped, own_influence=own, _cache={})
        made: Estimate = self._cache[known]
        return made

    # -- how sure --------------------------------------------------------------------------------------------

    def standard_error(self, method: Method, random: Random, cluster: str | None) -> tuple[float, float]:
        """The standard error and its degrees of freedom; an error below rounding is none."""
        error, df = self._error(method, random, cluster)
        return self._but_for_rounding(error), df

    def _but_for_rounding(self, error: float) -> float:
        return 0.0 if error <= NOTHING * max(1.0, abs(self.value)) else error

    def _error(self, method: Method, random: Random, cluster: str | None) -> tuple[float, float]:
        if random not in ("items", "annotators", "both", "labels"):
            raise KindError(f"random must be 'items', 'annotators', 'both' or 'labels', got {random!r}")
        if random in self.own_errors and method in ("auto", "analytic") and cluster is None:
            return self.own_errors[random]()
        if random == "labels":
            raise KindError(
                f"{facts_of(self.measure).title} has no published error for other labels of the same items"
            )
        if cluster is not None and hasattr(self.statistic, "grouped"):
            return self._in_groups(cluster).standard_error(method, random, None)
        if random == "items":
            return self._items_error(self._method(method, random), cluster)
        if method not in ("auto", "analytic", "jackknife"):
            raise KindError(
                f"with random={random!r} the error is found by leaving annotators out; leave method as it is"
            )
        whose, their_df = self._annotators_error()
        if random == "annotators":
            return whose, their_df
        what, df = self._items_error(self._method(method, random), cluster)
        both = whose**2 + what**2
        # Satterthwaite's degrees of freedom of a sum of two variances.
        return math.sqrt(both), both**2 / (whose**4 / their_df + what**4 / df) if both > 0 else df

    def _method(self, method: Method, random: Random) -> str:
        facts = facts_of(self.measure)
        if method in ("bootstrap", "bca") and random != "items":
            raise KindError("the bootstrap resamples items; for random annotators take method='auto'")
        if method == "auto":
            if facts.resampled and random == "items":
                return "bootstrap" if self.own_interval is None else "analytic"
            return "analytic" if facts.analytic else "jackknife"
        if method not in ("analytic", "jackknife", "bootstrap", "bca", "table", "null"):
            raise KindError(
                f"method must be 'auto', 'analytic', 'jackknife', 'bootstrap', 'bca', 'table' or 'null', got {method!r}"
            )
        return method

    def _items_error(self, method: str, cluster: str | None) -> tuple[float, float]:
        items = float(self.times.sum())
        if method == "null":
            if self.null_error is None:
                raise KindError(f"{facts_of(self.measure).title} has no published error under no agreement")
            if cluster is not None:
                raise KindError(
                    "the error under no agreement is for items that are independent; leave out cluster="
                )
            return self.null_error(), math.inf
        if items < 2:
            return math.nan, math.nan
        if method in ("bootstrap", "bca"):
            known = self._known(2000, 0, cluster)
            return float(np.std(known, ddof=1)) if len(known) > 1 else math.nan, items - 1
        if cluster is not None:
            return self._cluster_error(method, cluster)
        if method == "jackknife":
            left = self.left_out()
            known = np.isfinite(left)
            if not known.all():
                return math.nan, math.nan
            mean = float(self.times @ left) / items
            return math.sqrt(max((items - 1) / items * float(self.times @ (left - mean) ** 2), 0)), items - 1
        by_n = method == "table" or facts_of(self.measure).divisor == "n"
        moves = self._published_influence()
        variance = float(self.times @ moves**2) / (items * (items if by_n else items - 1))
        return math.sqrt(variance), items + self.statistic.unpaired - 1

    def _published_influence(self) -> Floats:
        moves = self.influence()
        paired = self.statistic.paired
        if paired is None or paired.all() or not facts_of(self.measure).widened:
            return moves
        # Gwet counts an item with one annotation as one whose agreement, unknown, is zero around the mean.
        items, pairs = float(self.times.sum()), float(self.times @ paired)
        tweaked: Floats = moves + self.value * (paired * items / pairs - 1)
        return tweaked

    def _cluster_error(self, method: str, cluster: str) -> tuple[float, float]:
        members = self._members(cluster)
        groups = members.shape[0]
        if groups < 2:
            return math.nan, math.nan
        if method == "jackknife":
            left = self._groups_left_out(members)
            return math.sqrt((groups - 1) / groups * float(((left - left.mean()) ** 2).sum())), groups - 1
        together = members @ self._published_influence() / float(self.times.sum())
        return math.sqrt(groups / (groups - 1) * float(together @ together)), groups - 1

    def _groups_left_out(self, members: Any) -> Floats:
        """For each group of items the coefficient without it."""
        return np.asarray(np.real(self._values(self.parts, GroupsLeftOut(self.times, members))))

    def _annotators_error(self) -> tuple[float, float]:
        if "annotators" not in self._cache:
            values = np.array(list(drill.left_out(self).values()))
            if not len(values) or not np.isfinite(values).all():
                self._cache["annotators"] = (math.nan, math.nan)
            else:
                count = len(values)
                spread = (count - 1) / count * float(((values - values.mean()) ** 2).sum())
                self._cache["annotators"] = (math.sqrt(spread), count - 1)
        error, df = self._cache["annotators"]
        return error, df

    def interval(  # noqa: PLR0917 -- called in one place
        self, level: float, method: Method, random: Random, cluster: str | None, resamples: int, seed: int
    ) -> Interval | None:
        """The confidence interval, or None where there is no error to make it from."""
        chosen = self._method(method, random)
        if cluster is not None and hasattr(self.statistic, "grouped"):
            return self._in_groups(cluster).interval(level, method, random, None, resamples, seed)
        if chosen in ("bootstrap", "bca"):
            return self._bootstrap(level, chosen, cluster, resamples, seed)
        if self.own_interval is not None and chosen == "analytic" and random == "items" and cluster is None:
            return self.own_interval(level)
        error, df = self.standard_error(method, random, cluster)
        if math.isnan(error):
            return None
        low, high = facts_of(self.measure).range
        low = low if self.value >= low else -math.inf  # some go lower on odd data, and the interval with them
        if self.logit:
            return self._on_logit_scale(level, chosen, error, df)
        if not error:
            if chosen == "analytic" and random == "items" and cluster is None:
                # A slope of nothing need not mean that items are alike: leaving them out tells.
                left, df = self._items_error("jackknife", None)
                if left > NOTHING:
                    return self.interval(level, "jackknife", random, cluster, resamples, seed)
            return self._all_alike(level, chosen, df)
        reach = t_quantile(0.5 + level / 2, df) * error
        return Interval(max(low, self.value - reach), min(high, self.value + reach), level, chosen, error, df)

    def _all_alike(self, level: float, method: str, df: float) -> Interval | None:
        """The interval where no item differs from the others, so that no error can be told from them.

        Annotators who never differ on so many items might still differ on some: if they did on a share x of all
        items, that many items without a difference would be seen with probability (1 - x) to the power of their
        number.  Where they differ alike on all items there is nothing to go by, and no interval.
        """
        found = _floats(self.parts(self.statistic))
        if found.observed > NOTHING:
            return None
        far = drill.largest_distance(self)
        if far is None:
            return None
        share = 1 - ((1 - level) / 2) ** (1 / float(self.times.sum()))
        low = 1 - far * share / (1.0 if found.expected is None else found.expected)
        note = "the annotators never differ: the exact bound for so many items alike"
        return Interval(max(facts_of(self.measure).range[0], low), 1.0, level, method, 0.0, df, note=note)

    def _alike(self, level: float, method: str) -> Interval | None:
        """The interval where all resamples are the same."""
        if facts_of(self.measure).range == (0.0, 1.0):
            return self._on_logit_scale(level, method, 0.0, math.inf)
        return self._all_alike(level, method, math.inf)

    def _on_logit_scale(self, level: float, method: str, error: float, df: float) -> Interval:
        """The interval between 0 and 1; where no item differs from the others, what so many alike still allow."""
        if error <= NOTHING or not 0 < self.value < 1:
            least = ((1 - level) / 2) ** (1 / float(self.times.sum()))
            low = (
                self.value * least
            )  # at most a share 1 - least of all items is unlike these, and may be 0 or 1
            note = "no item differs from the others: the exact bound for so many items alike"
            return Interval(low, low + 1 - least, level, method, error, df, note=note)
        middle = math.log(self.value / (1 - self.value))
        reach = t_quantile(0.5 + level / 2, df) * error / (self.value * (1 - self.value))
        low, high = (1 / (1 + math.exp(-end)) for end in (middle - reach, middle + reach))
        return Interval(low, high, level, method, error, df, note="on the logit scale")

    def _bootstrap(
        self, level: float, method: str, cluster: str | None, resamples: int, seed: int
    ) -> Interval | None:
        known = self._known(resamples, seed, cluster)
        if len(known) < 2:
            return None
        alike = self._alike(level, method) if np.ptp(known) <= NOTHING else None
        if alike is not None:
            return alike
        ends = np.array([0.5 - level / 2, 0.5 + level / 2])
        if method == "bca":
            ends = self._corrected(known, ends, cluster)
        low, high = np.quantile(known, ends)
        lost = resamples - len(known)
        note = (
            f"{lost} of {resamples} resamples set aside, which left the coefficient undefined" if lost else ""
        )
        error = self._but_for_rounding(float(np.std(known, ddof=1)))
        return Interval(float(low), float(high), level, method, error, math.inf, seed, resamples, note)

    def _corrected(self, values: Floats, ends: Floats, cluster: str | None) -> Floats:
        """Efron's bias-corrected and accelerated ends."""
        from statistics import NormalDist

        normal = NormalDist()
        below = (np.count_nonzero(values < self.value) + np.count_nonzero(values == self.value) / 2) / len(
            values
        )
        bias = normal.inv_cdf(min(max(below, 0.5 / len(values)), 1 - 0.5 / len(values)))
        left = self.left_out() if cluster is None else self._groups_left_out(self._members(cluster))
        times = self.times if cluster is None else np.ones(len(left))
        lean = float(times @ left) / float(times.sum()) - left
        spread = float(times @ lean**2)
        skew = float(times @ lean**3) / (6 * spread**1.5) if spread > 0 else 0.0

        def moved(end: float) -> float:
            z = bias + normal.inv_cdf(end)
            return normal.cdf(bias + z / (1 - skew * z))

        return np.array([moved(float(end)) for end in ends])

    def p_value(self, method: Method, random: Random, cluster: str | None) -> float | None:
        """The two-sided p-value against a true value of zero."""
        if self.own_p_value is not None and self._own_test(method, random, cluster):
            return self.own_p_value()
        error, df = self.standard_error(method, random, cluster)
        return t_tail(self.value / error, df) if error > 0 else None

    def one_tailed(self, method: Method, random: Random, cluster: str | None) -> bool:
        """Whether the p-value is that of a test with one tail, which has no other side."""
        return self.own_is_one_tailed and self._own_test(method, random, cluster)

    def _own_test(self, method: Method, random: Random, cluster: str | None) -> bool:
        if facts_of(self.measure).resampled:  # no agreement is not at zero, and only their own test knows
            return True
        return method in ("auto", "analytic") and random == "items" and cluster is None

    # -- where ---------------------------------------------------------------------------------------------

    def by_item(self) -> Table:
        """The disagreement of each item."""
        return self.tables.by_item() if self.tables is not None else drill.by_item(self)

    def by_annotator(self) -> Table:
        """The coefficient without each annotator, and each one's agreement with the rest."""
        return self.tables.by_annotator() if self.tables is not None else drill.by_annotator(self)

    def by_value(self) -> Table:
        """The coefficient of each value against the rest."""
        own: Callable[[], Table] | None = getattr(self.tables, "by_value", None)
        if own is not None:
            return own()
        if self.tables is not None and self.source is not None and self.source.kind.complex:
            raise KindError(
                f"{facts_of(self.measure).title} of complex values has no table by value: hardly a value occurs twice; "
                "take by_item, by_annotator or by_pair"
            )
        return drill.by_value(self)

    def by_pair(self) -> Table:
        """The coefficient of each two annotators alone."""
        return self.tables.by_pair() if self.tables is not None else drill.by_pair(self)


def _measured_again(measure: Callable[..., Agreement], data: Any, call: dict[str, Any]) -> Any:
    return measure(data, **call).engine


def _draw(rng: np.random.Generator, times: Floats, size: int) -> Any:
    """How often each pattern occurs in each of ``size`` resamples of the items."""
    items = int(times.sum())
    if len(times) * 4 <= items or items > 2_000_000:
        return rng.multinomial(items, times / times.sum(), size=size).astype(np.float64)
    drawn = rng.integers(0, items, size=(size, items))
    if len(times) < items:  # else each pattern is one item
        drawn = np.searchsorted(np.cumsum(times), drawn, side="right")
    drawn += np.arange(size)[:, None] * len(times)
    return (
        np.bincount(drawn.reshape(-1), minlength=size * len(times))
        .reshape(size, len(times))
        .astype(np.float64)
    )
