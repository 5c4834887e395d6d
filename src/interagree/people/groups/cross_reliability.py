r"""Cross-replication reliability (xRR): two groups that judged the same items, whatever their sizes.

$$\kappa_x = 1 - \frac{d_o(X, Y)}{d_e(X, Y)}, \qquad
d_o = \sum_i \frac{R_i + S_i}{R + S} \cdot \frac{1}{R_i S_i} \sum_{r, s} \delta(x_{ir}, y_{is}), \qquad
d_e = \frac{1}{R S} \sum_{i, j} \sum_{r, s} \delta(x_{ir}, y_{js})$$

$R_i$ and $S_i$ judgements of item $i$ come from the two groups, $R$ and $S$ in all; an item that one group did not
judge is left out.  A group that disagrees with itself cannot agree with another, so $\kappa_x$ is also given divided by
$\sqrt{\alpha_X\, \alpha_Y}$, with Krippendorff's alpha of each group on these items: near 1 the two groups differ no
more than each differs from itself.  Intervals resample items.

Wong, K., Paritosh, P. & Aroyo, L. (2021). Cross-replication Reliability: An Empirical Approach to Interpreting
Inter-rater Reliability. Proceedings of ACL-IJCNLP 2021, 7053-7065.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.data import Annotations, IntoAnnotations, ReadingOptions
from interagree.data.types import Annotator
from interagree.distances import IntoDistance
from interagree.errors import DataError, Hint, KindError, listing
from interagree.errors.options import checks_options
from interagree.people.groups.membership import IntoGroups, Membership, membership
from interagree.people.item_means import percentiles, resampled
from interagree.people.judgement_pairs import JudgementPairs, ScaledDistance, identified
from interagree.results.agreement import Interval
from interagree.results.answer import Answer
from interagree.results.charts import DrawnEstimate, Forest
from interagree.results.document import Document, Section
from interagree.stats.engine.compress import totals
from interagree.stats.engine.shares import check_level
from interagree.stats.pairs.by_chance import SAMPLE
from interagree.tables import Table, cell, finite

if TYPE_CHECKING:
    from scipy import sparse


COLUMNS = ("first", "second", "items", "kappa_x", "low", "high", "normalized", "normalized_low", "normalized_high")


@dataclass(frozen=True, slots=True)
class CrossReliability(Answer):
    """How two groups agree with each other."""

    first: Hashable
    second: Hashable
    value: float  # kappa_x; nan where undefined
    observed: float  # mean distance across, of one item
    expected: float  # mean distance across, of any two items
    normalized: float  # nan where a group's own alpha is not above 0
    within: tuple[float, float]  # alpha of each group
    items: int
    distance: str
    interval: Interval | None = None
    normalized_interval: Interval | None = None
    undefined: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def low(self) -> float:
        """The lower end of the interval; nan where there is none."""
        return math.nan if self.interval is None else self.interval.low

    @property
    def high(self) -> float:
        """The upper end of the interval; nan where there is none."""
        return math.nan if self.interval is None else self.interval.high

    def to_dict(self) -> dict[str, object]:
        wide = self.normalized_interval
        return {
            **self.plain("first", "second"),
            "kappa_x": finite(self.value),
            **self.plain("low", "high", "observed", "expected", "normalized"),
            "normalized_low": None if wide is None else finite(wide.low),
            "normalized_high": None if wide is None else finite(wide.high),
            **self.plain("within", "items", "distance", "undefined", "notes"),
        }

    def tables(self) -> dict[str, Table]:
        """The coefficient as a table of one row."""
        row = self.to_dict()
        return {"xrr": Table.of([{name: row[name] for name in COLUMNS}])}

    def chart(self) -> Forest | None:
        """The coefficient across the groups, with its interval, beside those within them."""
        if self.undefined:
            return None
        rows = [DrawnEstimate(f"{cell(self.first)} and {cell(self.second)}", self.value, self.low, self.high)]
        names = (self.first, self.second)
        rows += [
            DrawnEstimate(f"within {cell(name)}", value, math.nan, math.nan)
            for name, value in zip(names, self.within, strict=True)
        ]
        return Forest(rows, "κx across groups, α within them", str(self))

    def document(self) -> Document:
        """The coefficient as a sentence and a row."""
        table = self.table()
        section = Section(lines=[f"{self}."], table=table, foot=[f"{note}." for note in self.notes])
        return Document("", [section], self.to_dict(), table)

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        if self.undefined:
            return f"κx of {self.first} and {self.second} is undefined: {self.undefined}"
        interval = "" if self.interval is None else f", {self.interval}"
        against = "" if math.isnan(self.normalized) else f"; normalized {self.normalized:.3f}"
        return f"κx of {self.first} and {self.second} = {self.value:.3f}{interval}{against} ({self.items:,} items)"


@checks_options
def xrr(
    data: IntoAnnotations,
    other: IntoAnnotations | None = None,
    *,
    groups: IntoGroups | None = None,
    distance: IntoDistance | None = None,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    **reading: Unpack[ReadingOptions],
) -> CrossReliability:
    """Cross-replication reliability of two groups of annotators, or of two studies of the same items.

    Args:
        data: A study, or anything `Annotations.of` takes.
        other: A second study of the same items; everybody in it counts as another annotator than those in the first.
        groups: In place of a second study: a column that is the same throughout each annotator, or a mapping from
            annotators to groups; annotators in no group are set aside.
        distance: How far apart values are; by default the usual one for the kind of value.
        level: The level of the intervals.
        resamples: How many resamples of items the intervals are made of.
        seed: Where their random numbers start.
        reading: How data are read: ``item``, ``annotator``, ``value`` and the other options of `Annotations.of`.

    Returns:
        The coefficient with its interval, also normalized by the agreement within each group.

    Examples:
        >>> import interagree as ia
        >>> labels = {"ann": ["a", "b", "b", "a"], "bo": ["a", "b", "a", "a"], "cy": ["b", "b", "a", "a"]}
        >>> round(ia.people.xrr(labels, groups={"ann": "new", "bo": "new", "cy": "old"}).value, 3)
        0.25
    """
    check_level(level)
    study = identified(data, **reading)
    if groups is not None and other is None:
        grouping = membership(study, groups)
    elif other is not None and groups is None:
        study, grouping = _both(study, identified(other, **reading))
    else:
        hint = Hint("groups")
        raise KindError(
            f"xrr compares two studies or two groups of one: give a second study or {hint}, one of them", hints=[hint]
        )
    names = sorted(grouping.members, key=str)
    if len(names) != 2:
        raise KindError(
            f"xrr compares two groups, and there are {len(names)} ({listing(names, most=4)}); groups_agreement "
            "compares any number"
        )
    return cross(
        JudgementPairs.of(study.only(annotators=grouping.grouped), distance),
        *(grouping.members[name] for name in names),
        names=(names[0], names[1]),
        level=level,
        resamples=resamples,
        seed=seed,
        notes=grouping.notes,
    )


def _both(first: Annotations, second: Annotations) -> tuple[Annotations, Membership]:
    """Two studies as one in which nobody is in both, and which annotator is of which."""
    sides = (("first", first.first_judgements()), ("second", second.first_judgements()))
    rows = [(item, (side, who), value) for side, study in sides for item, who, value in study.rows()]
    if not rows:
        raise DataError("both studies are empty")
    item, who, value = zip(*rows, strict=True)
    declared = first.values if first.in_order and first.values == second.values else None
    made = Annotations.from_columns(
        item, who, value, values=declared, ordered=(first.ordered and declared is not None) or None
    )
    members: dict[Hashable, list[Annotator]] = {side: [] for side, _ in sides}
    for name in dict.fromkeys(who):
        members[name[0]].append(name)
    grouping = Membership(members, [])
    return made if first.of_kind is None else made.taken_as(first.of_kind), grouping


class _Parts(NamedTuple):
    """What kappa_x is made of, one entry for each resample."""

    observed: Floats
    expected: Floats


def cross(
    judged: JudgementPairs,
    first: Sequence[Annotator],
    second: Sequence[Annotator],
    *,
    names: tuple[Hashable, Hashable] = ("first", "second"),
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    notes: tuple[str, ...] = (),
) -> CrossReliability:
    """Cross-replication reliability of two sets of annotators, from their pairs of judgements."""
    ours, theirs = judged.by(first), judged.by(second)
    common = np.intersect1d(judged.item[ours], judged.item[theirs])
    notes = (*judged.scaled.notes, *notes)
    if not len(common):
        why = f"{names[0]} and {names[1]} judged no item in common"
        nan = math.nan
        return CrossReliability(
            *names, nan, nan, nan, nan, (nan, nan), 0, judged.scaled.name, undefined=why, notes=notes
        )
    x = _Half.of(judged, ours, common)
    y = _Half.of(judged, theirs, common)
    chance = _Chance(judged.scaled, x, y, seed)
    here = judged.between(ours, theirs)
    distances_across = totals(x.place[judged.item[judged.first[here]]], judged.distances[here], len(common))
    distances_across *= (x.size + y.size) / (x.size * y.size)

    def parts(weights: Floats) -> _Parts:
        return _Parts(weights @ distances_across / (weights @ (x.size + y.size)), chance(weights))

    once = np.ones((1, len(common)))
    observed, expected = (float(part[0]) for part in parts(once))
    alphas = (x.alpha(judged.scaled), y.alpha(judged.scaled))
    within = (float(alphas[0](once)[0]), float(alphas[1](once)[0]))
    same = expected <= 0 or len(np.unique(np.r_[x.value, y.value])) == 1
    undefined = "all values of both groups are the same, so chance could not have disagreed" if same else None
    value = math.nan if undefined else 1 - observed / expected
    normalized = float(_normalized(np.array([value]), np.array([within[0]]), np.array([within[1]]))[0])
    draws, normal = [np.zeros(0)], [np.zeros(0)]
    for weights in resampled(len(common), resamples, seed) if len(common) > 1 and not undefined else ():
        drawn = parts(weights)
        with np.errstate(invalid="ignore", divide="ignore"):
            draws.append(1 - drawn.observed / drawn.expected)
        if math.isfinite(normalized):
            normal.append(_normalized(draws[-1], alphas[0](weights), alphas[1](weights)))
    return CrossReliability(
        *names,
        value,
        observed,
        expected,
        normalized,
        within,
        len(common),
        judged.scaled.name,
        percentiles(np.concatenate(draws), level, seed),
        percentiles(np.concatenate(normal), level, seed),
        undefined,
        (*notes, *chance.notes, *_why_not(normalized, within, names, undefined)),
    )


def _normalized(kappa: Floats, one: Floats, two: Floats) -> Floats:
    good = (one > 0) & (two > 0)
    with np.errstate(invalid="ignore"):
        return np.where(good, kappa / np.sqrt(np.where(good, one * two, 1)), math.nan)


def _why_not(
    normalized: float, within: tuple[float, ...], names: tuple[Hashable, Hashable], undefined: str | None
) -> tuple[str, ...]:
    if undefined or math.isfinite(normalized):
        return ()
    reasons = [
        f"{name} has no agreement of its own to divide by"
        + (" (nobody in it shares an item with another)" if math.isnan(alpha) else f" (α = {alpha:.3f})")
        for name, alpha in zip(names, within, strict=True)
        if not alpha > 0
    ]
    return ("κx is not normalized: " + " and ".join(reasons),)


class _Half(NamedTuple):
    """The judgements of one group on the items that both judged."""

    place: Indices  # of an item among those
    item: Indices
    value: Indices
    size: Floats  # judgements of each item
    pairs: Floats  # summed distance of the pairs within each item

    @classmethod
    def of(cls, judged: JudgementPairs, rows: Booleans, common: Indices) -> _Half:
        place = np.full(judged.items, -1, dtype=np.intp)
        place[common] = np.arange(len(common))
        here = np.flatnonzero(rows & (place[judged.item] >= 0))
        item = place[judged.item[here]]
        both = judged.between(rows, rows) & (place[judged.item[judged.first]] >= 0)
        inside = totals(place[judged.item[judged.first[both]]], judged.distances[both], len(common))
        size = np.bincount(item, minlength=len(common)).astype(float)
        return cls(place, item, judged.value[here], size, inside)

    def alpha(self, scaled: ScaledDistance) -> Callable[[Floats], Floats]:
        """Krippendorff's alpha of the group, as a function of how often each item counts."""
        some = self.size > 1
        keep = some[self.item]
        part = self._replace(item=self.item[keep], value=self.value[keep])
        chance = _Chance(scaled, part, part, 0)
        size = np.where(some, self.size, 0)
        inside = np.where(some, 2 * self.pairs / np.maximum(self.size - 1, 1), 0)

        def of(weights: Floats) -> Floats:
            often = weights @ size
            with np.errstate(invalid="ignore", divide="ignore"):
                # Draws are without replacement, and a judgement is at no distance from itself.
                expected = chance(weights) * often / (often - 1)
                alpha: Floats = 1 - (weights @ inside) / often / expected
            return alpha

        return of


class _Chance:
    """The mean distance of a value of the one side from a value of the other, whatever their items."""

    def __init__(self, scaled: ScaledDistance, x: _Half, y: _Half, seed: int) -> None:
        self.x, self.y, self.scaled = x, y, scaled
        self.notes: tuple[str, ...] = ()
        self.fixed: float | None = None
        self.points = scaled.points if scaled.averaged else None
        self.equality = scaled.distance.equality
        if self.points is None and not self.equality and scaled.table is None and len(x.value) and len(y.value):
            rng = np.random.default_rng((seed, 1))
            count = min(SAMPLE, scaled.distance.most)
            drawn = scaled.of_pairs(rng.choice(x.value, count), rng.choice(y.value, count))
            self.fixed = float(drawn.mean())
            self.notes = (f"chance was drawn from {count:,} pairs, and held fixed in the interval",)
        if self.points is None and self.fixed is None:
            self._counts = tuple(_table(one, len(x.size), len(scaled.values)) for one in (x, y))

    def __call__(self, weights: Floats) -> Floats:
        if self.fixed is not None:
            return np.full(len(weights), self.fixed)
        if self.points is not None:
            (n, square_x, sum_x), (m, square_y, sum_y) = (self._moments(side, weights) for side in (self.x, self.y))
            with np.errstate(invalid="ignore", divide="ignore"):
                distance: Floats = square_x / n + square_y / m - 2 * (sum_x * sum_y).sum(axis=1) / (n * m)
            return np.maximum(distance, 0)
        one, two = ((table @ weights.T).T for table in self._counts)
        if self.equality:
            distances_across = one.sum(axis=1) * two.sum(axis=1) - (one * two).sum(axis=1)
        else:
            distances_across = ((one @ self.scaled.table) * two).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(distances_across / (one.sum(axis=1) * two.sum(axis=1)))

    def _moments(self, side: _Half, weights: Floats) -> tuple[Floats, Floats, Floats]:
        points = np.asarray(self.points)[side.value] - np.asarray(self.points).mean(axis=0)
        count = weights.shape[1]
        size = np.bincount(side.item, minlength=count)
        square = np.bincount(side.item, (points**2).sum(axis=1), minlength=count)
        total = np.stack([np.bincount(side.item, column, minlength=count) for column in points.T], axis=1)
        return weights @ size, weights @ square, weights @ total


def _table(side: _Half, items: int, values: int) -> sparse.csr_array:
    """How often each item has each value: values × items."""
    from scipy import sparse

    return sparse.csr_array((np.ones(len(side.item)), (side.value, side.item)), shape=(values, items))
