r"""Groups of annotators: how much they agree among themselves, and with one another.

**Cross-replication reliability** (xRR) compares two groups $X$ and $Y$ that judged the same items, whatever their
sizes:

$$\kappa_x = 1 - \frac{d_o(X, Y)}{d_e(X, Y)}, \qquad
d_o = \sum_i \frac{R_i + S_i}{R + S} \cdot \frac{1}{R_i S_i} \sum_{r, s} \delta(x_{ir}, y_{is}), \qquad
d_e = \frac{1}{R S} \sum_{i, j} \sum_{r, s} \delta(x_{ir}, y_{js})$$

$R_i$ and $S_i$ judgements of item $i$ come from the two groups, $R$ and $S$ in all; an item that one group did not
judge is left out.  A group that disagrees with itself cannot agree with another, so $\kappa_x$ is also given divided by
$\sqrt{\alpha_X\, \alpha_Y}$, with Krippendorff's alpha of each group on these items: near 1 the two groups differ no
more than each differs from itself.  Intervals resample items.

**In-group against cross-group**: the mean distance of two annotators of one group, and of one in the group and one
outside it, over all items they share.  Whether the groups matter is tested by dealing the group names to the annotators
anew: every deal where there are few, else a random 4,999 of them.

Wong, K., Paritosh, P. & Aroyo, L. (2021). Cross-replication Reliability: An Empirical Approach to Interpreting
Inter-rater Reliability. Proceedings of ACL-IJCNLP 2021, 7053-7065.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple, Unpack

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.data import Annotations, ReadingOptions
from interagree.data.types import IntoAnnotations, Values
from interagree.declare import takes_data
from interagree.distances import IntoDistance
from interagree.errors import DataError, KindError, UnknownName, listing, suggestion
from interagree.judging.together import (
    SAMPLE,
    Mean,
    Ruler,
    Together,
    agreeing,
    check_level,
    number,
    percentiles,
    ratio,
    read,
    resampled,
    sums,
)
from interagree.results.agreement import Interval
from interagree.tables import Table

DEALS = 4_999  # random deals of group names; up to as many are enumerated
LARGE = 3_000  # annotators for whom a table of all pairs is made


@dataclass(frozen=True, slots=True)
class CrossReliability:
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

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings, ready for JSON."""
        wide = self.normalized_interval
        return {
            "first": self.first,
            "second": self.second,
            "kappa_x": number(self.value),
            "low": number(self.low),
            "high": number(self.high),
            "observed": number(self.observed),
            "expected": number(self.expected),
            "normalized": number(self.normalized),
            "normalized_low": None if wide is None else number(wide.low),
            "normalized_high": None if wide is None else number(wide.high),
            "within": [number(one) for one in self.within],
            "items": self.items,
            "distance": self.distance,
            "undefined": self.undefined,
            "notes": [*self.notes],
        }

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        if self.undefined:
            return f"κx of {self.first} and {self.second} is undefined: {self.undefined}"
        sure = "" if self.interval is None else f", {self.interval}"
        against = "" if math.isnan(self.normalized) else f"; normalized {self.normalized:.3f}"
        return (
            f"κx of {self.first} and {self.second} = {self.value:.3f}{sure}{against} ({self.items:,} items)"
        )


def xrr(
    data: IntoAnnotations,
    other: IntoAnnotations | None = None,
    *,
    groups: str | Mapping[Hashable, Hashable] | None = None,
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
            annotators to groups; annotators who are not in it are left out.
        distance: How far apart values are; by default the usual one for the kind of value.
        level: The level of the intervals.
        resamples: How many resamples of items the intervals are made of.
        seed: Where their random numbers start.
        reading: How data are read: ``item``, ``annotator``, ``value`` and the other options of `Annotations.of`.
    """
    check_level(level)
    if (other is None) == (groups is None):
        raise KindError(
            "xrr compares two studies or two groups of one: give a second study or groups=, one of them"
        )
    if other is None:
        study = read(data, **reading)
        of, notes = membership(study, groups)
    else:
        study, of, notes = *_both(read(data, **reading), read(other, **reading)), ()
    names = sorted(set(of.values()), key=str)
    if len(names) != 2:
        raise KindError(
            f"xrr compares two groups, and there are {len(names)} ({listing(names, most=4)}); groups_agreement "
            "compares any number"
        )
    together = Together.of(study.only(annotators=[*of]), distance)
    return cross(
        together,
        *_members(of, names),
        names=(names[0], names[1]),
        level=level,
        resamples=resamples,
        seed=seed,
        notes=notes,
    )


def _both(first: Annotations, second: Annotations) -> tuple[Annotations, dict[Hashable, Hashable]]:
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
    of: dict[Hashable, Hashable] = {name: name[0] for name in who}
    return made if first.of_kind is None else made.taken_as(first.of_kind), of


def membership(
    study: Annotations, groups: str | Mapping[Hashable, Hashable] | None
) -> tuple[dict[Hashable, Hashable], tuple[str, ...]]:
    """The group of each annotator, and what to say about those without one."""
    if isinstance(groups, str):
        return _column(study, groups), ()
    if not isinstance(groups, Mapping):
        raise KindError(
            f"groups= is the name of a column or a mapping from annotators to groups; got {type(groups).__name__}"
        )
    for name in groups:
        study.annotator_code(name)
    left = [name for name in study.annotators if name not in groups]
    said = (f"{listing(left, most=5)} in no group, and left out",) if left else ()
    return {name: groups[name] for name in study.annotators if name in groups}, said


def _column(study: Annotations, column: str) -> dict[Hashable, Hashable]:
    if column not in study.attributes:
        known = [str(name) for name in study.attributes]
        raise UnknownName(
            f"there is no column {column!r} to make groups of; "
            + (
                f"there are {listing(known)}." + suggestion(column, known)
                if known
                else "there is no further column: name the groups with a mapping from annotators to groups."
            )
        )
    found: dict[Hashable, Hashable] = {}
    for code, entry in zip(study.annotator.tolist(), study.attributes[column].tolist(), strict=True):
        name = study.annotators[code]
        if found.setdefault(name, entry) != entry:
            raise DataError(
                f"the column {column!r} must be the same throughout an annotator, and {name!r} has both "
                f"{found[name]!r} and {entry!r}"
            )
    return found


def _members(of: Mapping[Hashable, Hashable], names: list[Hashable]) -> Iterator[list[Hashable]]:
    return ([who for who, group in of.items() if group == name] for name in names)


class _Parts(NamedTuple):
    """What kappa_x is made of, one entry for each resample."""

    observed: Floats
    expected: Floats


def cross(
    together: Together,
    first: list[Hashable],
    second: list[Hashable],
    *,
    names: tuple[Hashable, Hashable] = ("first", "second"),
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    notes: tuple[str, ...] = (),
) -> CrossReliability:
    """Cross-replication reliability of two sets of annotators who lie side by side."""
    ours, theirs = together.by(first), together.by(second)
    common = np.intersect1d(together.item[ours], together.item[theirs])
    notes = (*together.ruler.notes, *notes)
    if not len(common):
        why = f"{names[0]} and {names[1]} judged no item in common"
        nothing = (math.nan, math.nan)
        return CrossReliability(
            *names,
            math.nan,
            math.nan,
            math.nan,
            math.nan,
            nothing,
            0,
            together.ruler.name,
            undefined=why,
            notes=notes,
        )
    x = _Half.of(together, ours, common)
    y = _Half.of(together, theirs, common)
    chance = _Chance(together.ruler, x, y, seed)
    here = together.between(ours, theirs)
    apart = sums(x.place[together.item[together.first[here]]], together.far[here], len(common))
    apart *= (x.size + y.size) / (x.size * y.size)

    def parts(weights: Floats) -> _Parts:
        return _Parts(weights @ apart / (weights @ (x.size + y.size)), chance(weights))

    once = np.ones((1, len(common)))
    observed, expected = (float(part[0]) for part in parts(once))
    alphas = (x.alpha(together.ruler), y.alpha(together.ruler))
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
        together.ruler.name,
        percentiles(np.concatenate(draws), level, seed),
        percentiles(np.concatenate(normal), level, seed),
        undefined,
        (*notes, *chance.notes, *_why_not(normalized, within, names, undefined)),
    )


def _normalized(kappa: Floats, one: Floats, two: Floats) -> Floats:
    good = (one > 0) & (two > 0)
    with np.errstate(invalid="ignore"):
        found: Floats = np.where(good, kappa / np.sqrt(np.where(good, one * two, 1)), math.nan)
    return found


def _why_not(
    normalized: float, within: tuple[float, ...], names: tuple[Hashable, Hashable], undefined: str | None
) -> tuple[str, ...]:
    if undefined or math.isfinite(normalized):
        return ()
    said = [
        f"{name} has no agreement of its own to divide by"
        + (" (nobody in it shares an item with another)" if math.isnan(alpha) else f" (α = {alpha:.3f})")
        for name, alpha in zip(names, within, strict=True)
        if not alpha > 0
    ]
    return ("κx is not normalized: " + " and ".join(said),)


class _Half(NamedTuple):
    """The judgements of one group on the items that both judged."""

    place: Indices  # of an item among those
    item: Indices
    value: Indices
    size: Floats  # judgements of each item
    pairs: Floats  # summed distance of the pairs within each item

    @classmethod
    def of(cls, together: Together, rows: Booleans, common: Indices) -> _Half:
        place = np.full(together.items, -1, dtype=np.intp)
        place[common] = np.arange(len(common))
        here = np.flatnonzero(rows & (place[together.item] >= 0))
        item = place[together.item[here]]
        both = together.between(rows, rows) & (place[together.item[together.first]] >= 0)
        inside = sums(place[together.item[together.first[both]]], together.far[both], len(common))
        size = np.bincount(item, minlength=len(common)).astype(float)
        return cls(place, item, together.value[here], size, inside)

    def alpha(self, ruler: Ruler) -> Any:
        """Krippendorff's alpha of the group, as a function of how often each item counts."""
        some = self.size > 1
        keep = some[self.item]
        part = self._replace(item=self.item[keep], value=self.value[keep])
        chance = _Chance(ruler, part, part, 0)
        size = np.where(some, self.size, 0)
        inside = np.where(some, 2 * self.pairs / np.maximum(self.size - 1, 1), 0)

        def of(weights: Floats) -> Floats:
            often = weights @ size
            with np.errstate(invalid="ignore", divide="ignore"):
                expected = (
                    chance(weights) * often / (often - 1)
                )  # without putting back; nothing is apart from itself
                found: Floats = 1 - (weights @ inside) / often / expected
            return found

        return of


class _Chance:
    """The mean distance of a value of the one side from a value of the other, whatever their items."""

    def __init__(self, ruler: Ruler, x: _Half, y: _Half, seed: int) -> None:
        self.x, self.y, self.ruler = x, y, ruler
        self.notes: tuple[str, ...] = ()
        self.fixed: float | None = None
        self.points = ruler.points if ruler.averaged else None
        self.equality = ruler.distance.equality
        if (
            self.points is None
            and not self.equality
            and ruler.table is None
            and len(x.value)
            and len(y.value)
        ):
            rng = np.random.default_rng((seed, 1))
            count = min(SAMPLE, ruler.distance.most)
            drawn = ruler.apart(rng.choice(x.value, count), rng.choice(y.value, count))
            self.fixed = float(drawn.mean())
            self.notes = (f"chance was drawn from {count:,} pairs, and held fixed in the interval",)
        if self.points is None and self.fixed is None:
            self._counts = tuple(_table(one, len(x.size), len(ruler.values)) for one in (x, y))

    def __call__(self, weights: Floats) -> Floats:
        if self.fixed is not None:
            return np.full(len(weights), self.fixed)
        if self.points is not None:
            (n, square, total), (m, squares, totals) = (
                self._moments(one, weights) for one in (self.x, self.y)
            )
            with np.errstate(invalid="ignore", divide="ignore"):
                found: Floats = square / n + squares / m - 2 * (total * totals).sum(axis=1) / (n * m)
            return np.maximum(found, 0)
        one, two = ((table @ weights.T).T for table in self._counts)
        if self.equality:
            apart = one.sum(axis=1) * two.sum(axis=1) - (one * two).sum(axis=1)
        else:
            apart = ((one @ self.ruler.table) * two).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(apart / (one.sum(axis=1) * two.sum(axis=1)))

    def _moments(self, side: _Half, weights: Floats) -> tuple[Floats, Floats, Floats]:
        points = np.asarray(self.points)[side.value] - np.asarray(self.points).mean(axis=0)
        count = weights.shape[1]
        size = np.bincount(side.item, minlength=count)
        square = np.bincount(side.item, (points**2).sum(axis=1), minlength=count)
        total = np.stack([np.bincount(side.item, column, minlength=count) for column in points.T], axis=1)
        return weights @ size, weights @ square, weights @ total


def _table(side: _Half, items: int, values: int) -> Any:
    """How often each item has each value: values × items."""
    from scipy import sparse

    return sparse.csr_array((np.ones(len(side.item)), (side.value, side.item)), shape=(values, items))


@dataclass(frozen=True, slots=True)
class GroupsAgreement:
    """How annotators agree within groups and across them."""

    groups: Table  # a row for each group
    cross: tuple[CrossReliability, ...]  # every two groups
    inside: float  # mean distance of two annotators of one group
    across: float  # mean distance of two annotators of different groups
    p_value: float  # of dealing the groups anew; nan where there is nothing to deal
    deals: int
    exact: bool
    distance: str
    undefined: str | None = None
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings, ready for JSON."""
        return {
            "groups": self.groups.rows(),
            "cross": [one.to_dict() for one in self.cross],
            "in_group_distance": number(self.inside),
            "cross_group_distance": number(self.across),
            "p_value": number(self.p_value),
            "deals": self.deals,
            "exact": self.exact,
            "distance": self.distance,
            "undefined": self.undefined,
            "notes": [*self.notes],
        }

    def __str__(self) -> str:
        if self.undefined:
            return f"in-group and cross-group agreement cannot be compared: {self.undefined}"
        nearer = "nearer to" if self.inside < self.across else "no nearer to"
        p = "p < 0.001" if self.p_value < 0.001 else f"p = {self.p_value:.3f}"
        return (
            f"annotators of one group are {nearer} each other than to other groups: mean distance {self.inside:.3f} "
            f"within, {self.across:.3f} across ({p}, {self.deals:,} {'' if self.exact else 'random '}deals of the "
            "group names)"
        )


@takes_data
def groups_agreement(
    data: IntoAnnotations,
    *others: Values,
    groups: str | Mapping[Hashable, Hashable],
    distance: IntoDistance | None = None,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    raw: bool = False,
    **reading: Unpack[ReadingOptions],
) -> GroupsAgreement:
    """In-group against cross-group agreement for any attribute of annotators, with permutation tests.

    Args:
        data: A study, or anything `Annotations.of` takes.
        groups: A column that is the same throughout each annotator, or a mapping from annotators to groups; annotators
            who are not in it are left out.
        distance: How far apart values are; by default the usual one for the kind of value.
        level: The level of the intervals.
        resamples: How many resamples of items the intervals of xRR are made of.
        seed: Where random numbers start.
        raw: Whether distances that may be above one stay in their own units; by default they are divided by what
            chance gives, so that 1 is as far apart as chance.
    """
    check_level(level)
    study = read(data)
    of, notes = membership(study, groups)
    names = sorted(set(of.values()), key=str)
    if len(names) < 2:
        raise DataError(f"there is one group, {listing(names)}, and nothing to compare it with")
    if len(of) > LARGE:
        raise KindError(f"there are {len(of):,} annotators, and groups of up to {LARGE:,} can be compared")
    together = Together.of(study.only(annotators=[*of]), distance, unit=1.0 if raw else None)
    label = np.array([names.index(of[who]) for who in together.annotators])
    test = _Deals.of(together, label, len(names), seed)
    members = {name: [who for who in of if of[who] == name] for name in names}
    rows = [_row(together, members, name, test, place, level) for place, name in enumerate(names)]
    pairs = tuple(
        cross(together, members[a], members[b], names=(a, b), level=level, resamples=resamples, seed=seed)
        for a, b in combinations(names, 2)
    )
    lost = math.isnan(test.observed[0] - test.across)
    why = (
        "no two annotators of one group share an item"
        if math.isnan(test.observed[0])
        else "no two annotators of different groups share an item"
    )
    return GroupsAgreement(
        Table.of(rows),
        pairs,
        float(test.observed[0]),
        test.across,
        math.nan if lost else test.p[0],
        test.deals,
        test.exact,
        together.ruler.name,
        why if lost else None,
        (*together.ruler.notes, *notes),
    )


def _row(  # noqa: PLR0917 -- called in one place
    together: Together,
    members: Mapping[Hashable, list[Hashable]],
    name: Hashable,
    test: _Deals,
    place: int,
    level: float,
) -> dict[str, Any]:
    ours = together.by(members[name])
    theirs = together.by([who for group, some in members.items() if group != name for who in some])
    bounded = together.ruler.bounded
    inside, outside = (_mean(together, ours, side, level) for side in (ours, theirs))
    what = "agreement" if bounded else "distance"
    return {
        "group": name,
        "annotators": len(members[name]),
        f"in-group {what}": inside.value,
        "low": inside.low,
        "high": inside.high,
        f"cross-group {what}": outside.value,
        "cross low": outside.low,
        "cross high": outside.high,
        "p": test.p[1 + place],
    }


def _mean(together: Together, ours: Booleans, theirs: Booleans, level: float) -> Mean:
    """The mean distance of all pairs of two sides, or the agreement, with its interval."""
    here = together.between(ours, theirs)
    item = together.item[together.first[here]]
    total = sums(item, together.far[here], together.items)
    often = np.bincount(item, minlength=together.items).astype(float)
    top = 1.0 if together.ruler.bounded else math.inf
    found = ratio(total, often, level, within=(0, top))
    return agreeing(found) if together.ruler.bounded else found


class _Deals(NamedTuple):
    """The observed groups beside the same names dealt anew."""

    observed: Floats  # mean distance inside all groups together, then inside each
    across: float
    p: list[float]  # two-sided
    deals: int
    exact: bool

    @classmethod
    def of(cls, together: Together, label: Indices, groups: int, seed: int) -> _Deals:
        people = len(label)
        far, often = np.zeros((people, people)), np.zeros((people, people))
        a, b = together.who[together.first], together.who[together.second]
        np.add.at(far, (a, b), together.far)
        np.add.at(often, (a, b), 1)
        far, often = far + far.T, often + often.T

        def gaps(deal: Indices) -> Floats:
            inside, across = _means(far, often, np.eye(groups)[deal])
            return np.asarray(inside - across)

        member = np.eye(groups)[label]
        inside, across = _means(far, often, member)
        observed = gaps(label)
        ways = math.factorial(people) // math.prod(
            math.factorial(n) for n in Counter(label.tolist()).values()
        )
        exact = ways <= DEALS
        found = np.array([gaps(deal) for deal in (_every(label) if exact else _random(label, seed))])
        with np.errstate(invalid="ignore"):
            as_far = (np.abs(found) >= np.abs(observed) - 1e-12).sum(axis=0)
        valid = np.isfinite(found).sum(axis=0)
        p = (as_far + (not exact)) / np.maximum(valid + (not exact), 1)
        p = np.where(np.isfinite(observed), p, math.nan)
        return cls(inside, float(across[0]), p.tolist(), len(found), exact)


def _means(far: Floats, often: Floats, member: Floats) -> tuple[Floats, Floats]:
    """Mean distances inside and across groups, of all groups together and then of each."""
    total, count = member.T @ far @ member, member.T @ often @ member
    inside = np.r_[np.trace(total), np.diag(total)], np.r_[np.trace(count), np.diag(count)]
    across = [
        np.r_[table.sum() - np.trace(table), table.sum(axis=1) - np.diag(table)] for table in (total, count)
    ]
    with np.errstate(invalid="ignore", divide="ignore"):
        return inside[0] / inside[1], across[0] / across[1]


def _every(label: Indices) -> Iterator[Indices]:
    """Every way to deal the names, the observed one among them."""
    left = Counter(label.tolist())
    deal = np.empty(len(label), dtype=np.intp)

    def further(place: int) -> Iterator[Indices]:
        if place == len(label):
            yield deal.copy()
            return
        for name in sorted(left):
            if left[name]:
                left[name] -= 1
                deal[place] = name
                yield from further(place + 1)
                left[name] += 1

    return further(0)


def _random(label: Indices, seed: int) -> Iterator[Indices]:
    rng = np.random.default_rng(seed)
    return (rng.permutation(label) for _ in range(DEALS))
