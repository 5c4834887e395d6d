"""A coefficient that can be counted again: under other weights, and of other tables.

The function that gives the parts of a coefficient is called with other weights to get the bootstrap (many resampled
weights at once), the exact jackknife (each pattern left out) and the influence of each item (the derivative, by a
complex step), so no formula is written twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple, Self, TypeAlias, TypeVar, cast

import numpy as np

from interagree.arrays import Array, Floats, Indices
from interagree.data import Annotations
from interagree.data.levels import LEVELS, Level
from interagree.data.unnamed import Unnamed
from interagree.declare import Facts, facts_of
from interagree.errors import Advice, Hint, KindError
from interagree.results.agreement import Agreement, IntervalOptions, Parts
from interagree.stats.engine.compress import ranks, table_of
from interagree.stats.engine.statistic import DrillDown, Published, S
from interagree.stats.engine.value import ratio
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

T = TypeVar("T")
BLOCK = 4_000_000  # numbers that one block of resamples may hold
LONGEST = 500_000_000  # patterns × numbers up to which each pattern is left out in turn, or as many are resampled


class ItemGroups(NamedTuple):
    """Groups of items that are resampled unless the caller says otherwise, such as the documents of tokens."""

    name: str  # the attribute of the items
    group: Array | None = None  # the group of each item, where that is known already


Measure: TypeAlias = Callable[..., Agreement]


@dataclass(frozen=True)
class Measured(Generic[S]):
    """The measure, what it was computed from, and what its papers give beyond the ratio."""

    measure: Measure
    statistic: S
    parts: Callable[[S], Parts]
    value: float
    published: Published[S]
    call: Mapping[str, object] | None = None  # the options; None until the call is over
    clusters: ItemGroups | None = None
    _cache: dict[object, object] = field(default_factory=dict)

    @property
    def facts(self) -> Facts:
        return facts_of(self.measure)

    @property
    def level(self) -> Level | None:
        """On which level values were compared; None where the caller gave a distance or weights, or they are complex.

        A coefficient that takes values as the same or not does so on whatever level they are.
        """
        options = self.call or {}
        if any(options.get(name) is not None for name in ("distance", "weights")):
            return None
        level = self.statistic.level
        if level is None or level.name not in LEVELS or self.facts.values not in ("any", "sets"):
            return None
        return level if self.facts.by_level or level == "nominal" else Level("nominal", "nominal", "measure")

    @property
    def source(self) -> Annotations | None:
        return self.statistic.source

    @property
    def data(self) -> object:
        """What to measure to get here again: the annotations, or the statistic where they are elsewhere."""
        return self.statistic if self.source is None else self.source

    def again(self, study: object, **options: object) -> Agreement:
        """The same measure of another table, or under other options."""
        return self.measure(study, **{**(self.call or {}), **options})

    def drill_down(self) -> DrillDown:
        return self._once("drill", lambda: self.statistic.drill(self))

    def _once(self, name: object, make: Callable[[], T]) -> T:
        if name not in self._cache:
            self._cache[name] = make()
        return cast("T", self._cache[name])

    # -- under other weights -------------------------------------------------------------------------------

    @property
    def times(self) -> Floats:
        """How many items show each pattern."""
        times: Floats = self.statistic.weights.matrix()
        return times

    @property
    def items(self) -> float:
        return float(self.times.sum())

    def values_of(self, statistic: S) -> Array:
        """The coefficients of a statistic that holds many weights at once; nan where undefined."""
        with np.errstate(all="ignore"):
            return ratio(self.parts(statistic))

    def _values(self, weights: Weights) -> Array:
        return self.values_of(self.statistic.weighted(weights))

    def linear_values_of(self, statistic: S) -> Array:
        """The same in the form whose derivative is taken for the published error."""
        with np.errstate(all="ignore"):
            return ratio((self.published.linear or self.parts)(statistic))

    def _linear_values(self, weights: Weights) -> Array:
        return self.linear_values_of(self.statistic.weighted(weights))

    def _blocks(self, count: int) -> Iterator[Indices]:
        return _in_steps(count, BLOCK // max(self.statistic.width, 1))

    def influence(self) -> Floats:
        """How the coefficient changes as items of each pattern gain weight; zero on average over the items."""
        own = self.published.influence
        return self._once("influence", lambda: self._slopes() if own is None else own(self.statistic))

    def _slopes(self) -> Floats:
        found = slopes(self._linear_values, self.times)
        return self._nudged() if found is None else found

    def _nudged(self) -> Floats:
        """The influence found by a step towards items of each pattern in turn."""
        return np.concatenate(
            [np.imag(self._linear_values(Nudged(self.times, which))) / STEP for which in self._blocks(len(self.times))]
        )

    @property
    def widened(self) -> bool:
        """Whether items with one annotation widen the published error."""
        paired = self.statistic.paired
        return self.facts.widened and paired is not None and not paired.all()

    def published_influence(self) -> Floats:
        """The influence of each pattern as the published error has it."""
        influence, paired = self.influence(), self.statistic.paired
        if paired is None or not self.widened:
            return influence
        # Gwet counts an item with one annotation as one whose agreement, unknown, is zero around the mean.
        widened: Floats = influence + self.value * (paired * self.items / float(self.times @ paired) - 1)
        return widened

    @property
    def many_left_out(self) -> bool:
        """Whether it would take too long to leave out items of each pattern in turn."""
        return len(self.times) * float(self.statistic.width) > LONGEST

    @property
    def many_resampled(self) -> bool:
        """Whether a bootstrap would take too long to be the default."""
        return bootstraps_too_long(self.statistic.width)

    def left_out(self) -> Floats:
        """For each pattern the coefficient without one item of it."""

        def without() -> Floats:
            if self.many_left_out:
                raise KindError(
                    Advice.of(
                        f"leaving out each of {len(self.times):,} different items in turn takes too long for a "
                        f"coefficient of {self.statistic.width:,} numbers; take ",
                        Hint("method", "bootstrap"),
                    )
                )
            blocks = self._blocks(len(self.times))
            return np.concatenate([np.real(self._values(LeftOut(self.times, which))) for which in blocks])

        return self._once("left out", without)

    def revalued(self, weights: Floats) -> Floats:
        """The coefficient under each of many weights of the patterns."""
        return np.asarray(np.real(self._values(Many(weights))))

    def groups_left_out(self, cluster: str) -> Floats:
        """For each group of items the coefficient without it."""
        return np.asarray(np.real(self._values(GroupsLeftOut(self.times, self.members(cluster)))))

    @property
    def linearised(self) -> bool:
        """Whether the published error is made of the influence of each item."""
        return self.facts.analytic

    def item_influence(self, *, linearised: bool = True) -> Floats:
        """What an item of each pattern adds to the error: its influence, or the same from leaving it out."""
        if linearised and self.linearised:
            return self.influence()
        left = self.left_out()
        influence: Floats = (self.items - 1) * (float(self.times @ left) / self.items - left)
        return influence

    def resampled(self, resamples: int, seed: int, cluster: str | None) -> Floats:
        """The coefficient of each of many resamples of the items."""

        def draw() -> Floats:
            rng = np.random.default_rng(seed)
            times = self.times
            members = None if cluster is None else self.members(cluster)
            # Patterns are drawn in an order that the order of rows does not decide, and put back in their places.
            order = self._order() if members is None else np.arange(members.shape[0])
            back = np.argsort(order)
            step = min(resamples, BLOCK // max(len(times), self.statistic.width, 1))
            values = []
            for block in _in_steps(resamples, step):
                rows = (
                    _draw(rng, times[order], len(block))[:, back]
                    if members is None
                    else _draw(rng, np.ones(members.shape[0]), len(block)) @ members
                )
                values.append(np.real(self._values(Many(np.asarray(rows, dtype=np.float64)))))
            return np.concatenate(values)

        return self._once(("resampled", resamples, seed, cluster), draw)

    def defined_resamples(self, resamples: int, seed: int, cluster: str | None) -> Floats:
        """The resampled coefficients that are defined, in order; empty where there is only one item or group."""
        units = self.items if cluster is None else self.members(cluster).shape[0]
        values = self.resampled(resamples, seed, cluster) if units > 1 else np.zeros(0)
        return np.sort(values[np.isfinite(values)])

    def _order(self) -> Indices:
        """The patterns in an order that does not depend on that of rows: as they are, or by names of items."""
        pattern, count = self.statistic.pattern, len(self.times)
        if self.source is None or pattern is None or self.statistic.ordered() or isinstance(self.source.items, Unnamed):
            return np.arange(count)
        first = np.full(count, len(pattern))
        counted = np.flatnonzero(pattern >= 0)
        np.minimum.at(first, pattern[counted], ranks(self.source.items)[counted])
        return np.argsort(first, kind="stable")

    # -- groups of items -----------------------------------------------------------------------------------

    def members(self, cluster: str) -> Array:
        """Groups × patterns: how many items of each group show each pattern."""
        pattern = self.statistic.pattern
        if self.source is None or pattern is None:
            raise KindError("cluster= needs the annotations themselves, not counts or a table in a database")
        if self.clusters is not None and self.clusters.name == cluster and self.clusters.group is not None:
            group = self.clusters.group
            count, place = int(group.max()) + 1, np.arange(int(group.max()) + 1)
        else:
            group, groups = self.source.item_attribute(cluster)
            count, place = len(groups), ranks(groups)  # in the order of their names, whatever that of rows
        here = (pattern >= 0) & (group >= 0)
        shape = (count, len(self.times))
        table = table_of(place[group[here]], pattern[here], np.ones(int(here.sum())), shape)
        return table[np.flatnonzero(table.sum(axis=1))]

    def in_groups(self, cluster: str) -> Self | None:
        """The same with groups of items as what is resampled; None where sums over the members of groups will do."""
        if self.source is None:
            return None
        group, _ = self.source.item_attribute(cluster)
        grouped = self._once(("groups", cluster), lambda: self.statistic.grouped(group))
        if grouped is None:
            return None
        return self._once(("in groups", cluster), lambda: replace(self, statistic=grouped, clusters=None, _cache={}))


def bootstraps_too_long(width: int) -> bool:
    """Whether a bootstrap of a coefficient of so many numbers would take too long to be the default."""
    return IntervalOptions().resamples * float(width) > LONGEST


def slopes(value: Callable[[Weights], Array], times: Floats, *, exchangeable: bool = False) -> Floats | None:
    """The influence of each pattern, from how the coefficient changes along each sum that it is made of.

    Args:
        value: The coefficient under weights.
        times: How often each pattern occurs.
        exchangeable: Whether it makes no difference which value is which, as where values are equal or not.  The
            coefficient then changes alike along sums that are alike, and one of them is moved for all: with 20,000
            distinct labels of which most occur once or twice that is a few steps instead of 20,000.

    Returns:
        None where the coefficient is not made of sums.
    """
    recorded = Recorded(times)
    try:
        value(recorded)
    except Unrecordable:
        return None
    if not recorded.sums:  # nothing that could be changed
        return None
    sizes = [np.size(total) for total in recorded.sums]
    count = sum(sizes)
    moved, place = np.arange(count), np.arange(count)
    if exchangeable:
        moved, place = _alike(recorded.sums)
    blocks = [
        np.imag(value(Tangent(recorded, moved[which]))) / STEP
        for which in _in_steps(len(moved), BLOCK // max(count, 1))
    ]
    each = np.split(np.concatenate(blocks)[place], np.cumsum(sizes)[:-1])
    changes = [
        change(slope.reshape(np.shape(total)))
        for change, slope, total in zip(recorded.changes, each, recorded.sums, strict=True)
    ]
    return np.asarray(sum(changes), dtype=np.float64)


def _alike(sums: Sequence[Array]) -> tuple[Indices, Indices]:
    """One sum of each sort, numbered as if all sums were laid end to end, and for every sum its sort.

    Sums by value are of one sort where all sums of the two values are the same but for rounding.
    """
    starts = np.r_[0, np.cumsum([np.size(total) for total in sums])]
    longest = max(np.size(total) for total in sums)
    by_value = [np.size(total) == longest > 1 and np.ndim(total) == 1 for total in sums]
    table = np.array([np.asarray(total) for total, of_values in zip(sums, by_value, strict=True) if of_values])
    if not len(table):
        return np.arange(starts[-1]), np.arange(starts[-1])
    scale = np.abs(table).max(axis=1, keepdims=True)
    _, first, sort = np.unique(
        np.round(table / np.where(scale > 0, scale, 1), 13), axis=1, return_index=True, return_inverse=True
    )
    moved: list[Indices] = []
    place: list[Indices] = []
    for start, end, of_values in zip(starts, starts[1:], by_value, strict=False):
        begin = sum(map(len, moved))
        moved.append(start + first if of_values else np.arange(start, end))
        place.append(begin + (sort.reshape(-1) if of_values else np.arange(end - start)))
    return np.concatenate(moved), np.concatenate(place)


def _in_steps(count: int, step: int) -> Iterator[Indices]:
    step = max(1, step)
    for start in range(0, count, step):
        yield np.arange(start, min(start + step, count))


def _draw(rng: np.random.Generator, times: Floats, size: int) -> Floats:
    """How often each pattern occurs in each of ``size`` resamples of the items."""
    items = int(times.sum())
    if len(times) * 4 <= items or items > 2_000_000:
        return rng.multinomial(items, times / times.sum(), size=size).astype(np.float64)
    drawn = rng.integers(0, items, size=(size, items))
    if len(times) < items:  # else each pattern is one item
        drawn = np.searchsorted(np.cumsum(times), drawn, side="right")
    drawn += np.arange(size)[:, None] * len(times)
    counts = np.bincount(drawn.reshape(-1), minlength=size * len(times))
    return counts.reshape(size, len(times)).astype(np.float64)
