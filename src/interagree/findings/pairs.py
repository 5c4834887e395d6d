r"""Two annotators who agree much more, or much less, with each other than each of them does with the rest.

If annotators were alike, the distance of two of them on an item would be a draw from the distances of all pairs of its
annotations.  The summed distance of a pair of annotators is then a sum of independent draws, whose tails are bounded
(`interagree.findings.tail_bounds`).  But people differ: what each adds to any pair is fitted by least squares, and
taken off.  Of $h$, the share of its own residual that a pair explains by the fit, the residual is divided by
$\sqrt{1 - h}$.  A pair is named where it stands out both ways, with p-values times the number of pairs and two sides.
Three annotators have as many pairs as people, so four are needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import special

from interagree.arrays import Array, Booleans, Floats, Indices
from interagree.data.types import Annotator
from interagree.findings.annotators import Flagged
from interagree.findings.case import OF_OTHERS, Case
from interagree.findings.finding import Finding
from interagree.findings.leave_one_out import LeaveOneOut
from interagree.findings.swaps import Swap, givers, shared, swap_between
from interagree.findings.tail_bounds import GroupDraws, high_tail, low_tail
from interagree.kernels.ragged import ragged
from interagree.stats.engine.compress import totals
from interagree.stats.labels.ballots import all_within_items

FEWEST = 4  # annotators
SHARED = 20  # items that two must share
MOST_PEOPLE = 150
MOST_DRAWS = 5_000_000  # numbers that may be drawn in all
LEAST = 0.08  # the smallest difference that is named, in units of what chance would give
NAMED = 2  # pairs that are named
WORTH = 0.005  # what the coefficient must lose without one who copies for that to be mentioned


class PairApart(NamedTuple):
    """Two annotators whose distance is not explained by the items and by how each gets on with the rest."""

    first: Annotator
    second: Annotator
    items: int
    distance: float
    expected: float
    p: float

    @property
    def closer(self) -> bool:
        """Whether they agree more than expected."""
        return self.distance < self.expected


def findings(case: Case, pairs: Sequence[PairApart]) -> list[Finding]:
    """Pairs of annotators to look at, of those that stand out."""
    return [_finding(case, pair) for pair in pairs[:NAMED]]


def standing_out(case: Case) -> list[PairApart]:
    """The pairs of a study that stand out, the surest first."""
    same = case.beside_others is case.rest and case.lead.measure.name == "alpha"
    return among(case.beside_others, case.lead.disagreement.expected if same else None)


def beyond_habits(case: Case, pairs: Sequence[PairApart], people: Sequence[Flagged]) -> list[PairApart]:
    """Those that stand out also where labels that somebody gives for others are one, and without who is odd."""
    rest = case.beside_others
    for gives, instead in {person.swap[:2] for person in people if person.swap is not None}:
        merged = _as_one(rest, gives, instead)
        group = {person.name for person in people if person.swap is not None and person.swap[:2] == (gives, instead)}
        alike = len(merged.study.values) < 2  # of two labels nothing is left to tell who copies
        still = _names(among(merged))
        pairs = [
            pair
            for pair in pairs
            if not pair.closer
            or {pair.first, pair.second} in still
            or (alike and not {pair.first, pair.second} <= group)
        ]
    odd = [person.name for person in people if person.worse]
    if odd and rest.people - len(odd) >= FEWEST:
        still = _names(among(LeaveOneOut(rest.study.without(*odd), rest.distance)))
        pairs = [
            pair
            for pair in pairs
            if not pair.closer or {pair.first, pair.second} & {*odd} or {pair.first, pair.second} in still
        ]
    shifted = [person.name for person in people if person.habit == "shift"]
    if shifted and pairs:
        still = _names(among(LeaveOneOut(rest.study.without(*shifted), rest.distance)))
        pairs = [pair for pair in pairs if not pair.closer or {pair.first, pair.second} in still]
    return [*pairs]


def sharing(rest: LeaveOneOut, pairs: Sequence[PairApart]) -> list[tuple[Annotator, Swap, float]]:
    """Those of pairs who agree more because both give one label for another, with the p-value of the pair."""
    found: list[tuple[Annotator, Swap, float]] = []
    for pair in pairs[:NAMED]:
        one, two = (rest.study.annotator_code(name) for name in (pair.first, pair.second))
        for gives, instead in shared(rest, one, two) if pair.closer else []:
            if {pair.first, pair.second} in _names(among(_as_one(rest, gives, instead))):
                continue
            found += [
                (rest.study.annotators[u], swap_between(rest, u, gives, instead), pair.p)
                for u in givers(rest, gives, instead)[0]
            ]
            break
    return found


def _as_one(rest: LeaveOneOut, gives: int, instead: int) -> LeaveOneOut:
    values = rest.study.values
    return LeaveOneOut(rest.study.merge_labels(values[gives], values[instead]), rest.distance)


def _names(pairs: Sequence[PairApart]) -> list[set[Annotator]]:
    return [{pair.first, pair.second} for pair in pairs]


def too_many(rest: LeaveOneOut) -> str:
    """Why pairs are not tested; empty where they are."""
    people = len(np.unique(rest.who))
    pairs = rest.size * (rest.size - 1) / 2
    numbers = float((2 * pairs if rest.labels else pairs**2).sum())
    if people <= MOST_PEOPLE and numbers <= MOST_DRAWS:
        return ""
    much = f"{people:,} annotators" if people > MOST_PEOPLE else f"{pairs.sum():,.0f} pairs of annotations"
    return f"Pairs of annotators were not tested: there are {much}."


def among(rest: LeaveOneOut, chance: float | None = None) -> list[PairApart]:
    """The pairs of these annotations that stand out, the surest first."""
    present = np.unique(rest.who)
    if len(present) < FEWEST or too_many(rest):
        return []
    first, second, far = _pairs(rest)
    usual_distance = float(far.mean()) if len(far) else 0.0
    if not usual_distance > 0:
        return []
    unit = 1.0 if rest.labels else usual_distance
    far = far / unit  # so that the exponents of the bounds are of a size
    item = rest.item[first]
    items, people = len(rest.study.items), rest.people
    here = np.bincount(item, minlength=items)
    with np.errstate(all="ignore"):
        usual = totals(item, far, items) / here
    low, high = np.minimum(rest.who[first], rest.who[second]), np.maximum(rest.who[first], rest.who[second])
    codes, group = np.unique(low.astype(np.int64) * people + high, return_inverse=True)
    group = group.reshape(-1)
    n = np.bincount(group).astype(np.float64)
    observed, expected = totals(group, far, len(codes)), totals(group, usual[item], len(codes))
    one, two = np.divmod(codes, people)
    own, leverage = _own(one, two, (observed - expected) / n, n, people)
    left = (observed - expected - n * own) / np.sqrt(np.maximum(1 - leverage, 1e-6))
    draws = _draws(rest, group, item, far)
    p = np.maximum(_sides(draws, observed), _sides(draws, expected + left)) * len(codes)
    wide = np.abs(left / n) * unit >= LEAST * (chance or usual_distance)
    same_side = np.sign(left) == np.sign(observed - expected)
    usual_habits, explained = _habits(rest, one, two, n, observed * unit)
    expected, habits = expected + n * own, n * usual_habits / unit
    if rest.labels:
        expected = np.where(left < 0, np.minimum(expected, habits), np.maximum(expected, habits))
    beyond = np.sign(observed - expected) == np.sign(left)  # also of what their habits make likely
    kept = np.flatnonzero((p <= OF_OTHERS) & (n >= SHARED) & wide & same_side & (leverage < 0.95) & beyond & ~explained)
    names = rest.study.annotators
    made = [
        PairApart(
            names[int(one[k])],
            names[int(two[k])],
            int(n[k]),
            float(observed[k] / n[k]) * unit,
            max(float(expected[k] / n[k]), 0.0) * unit,
            float(p[k]),
        )
        for k in kept.tolist()
    ]
    return sorted(made, key=lambda pair: pair.p)


def _habits(rest: LeaveOneOut, one: Array, two: Array, n: Floats, apart: Floats) -> tuple[Floats, Booleans]:
    """How often two would differ who only give each label as often as they do, and whether that explains the pair."""
    if not rest.labels:
        return np.full(len(n), np.inf), np.zeros(len(n), dtype=bool)
    values = max(len(rest.study.values), 1)
    given = np.bincount(rest.who * values + rest.value, minlength=rest.people * values).reshape(rest.people, values)
    shares = given / np.maximum(given.sum(axis=1, keepdims=True), 1)
    differ: Floats = 1 - (shares[one] * shares[two]).sum(axis=1)
    k, whole = np.round(apart), n.astype(np.int64)
    closer = apart < n * differ
    p = np.where(closer, special.bdtr(k, whole, differ), special.bdtrc(k - 1, whole, differ)) * len(n)
    return differ, (p > OF_OTHERS) | (np.abs(differ - apart / n) < LEAST)


def _pairs(rest: LeaveOneOut) -> tuple[Indices, Indices, Floats]:
    """All pairs of annotations of one item, and their distances, none above one where there is a largest."""
    if rest.labels:
        first, second = all_within_items(rest.study)
        return first, second, (rest.value[first] != rest.value[second]).astype(np.float64)
    return rest.within.pairs


def _own(one: Array, two: Array, residual: Floats, n: Floats, people: int) -> tuple[Floats, Floats]:
    """What the two annotators of each pair add by themselves, and how much of its own residual a pair explains."""
    table = np.zeros((people, people))
    np.add.at(table, (one, one), n)
    np.add.at(table, (two, two), n)
    np.add.at(table, (one, two), n)
    np.add.at(table, (two, one), n)
    inverse = np.linalg.pinv(table, hermitian=True)
    summed = totals(one, n * residual, people) + totals(two, n * residual, people)
    effect = inverse @ summed
    leverage = n * (inverse[one, one] + inverse[two, two] + 2 * inverse[one, two])
    return effect[one] + effect[two], np.clip(leverage, 0.0, 1.0)


def _draws(rest: LeaveOneOut, group: Indices, item: Indices, far: Floats) -> GroupDraws:
    """For each pair of annotators and item a draw from the distances of all pairs of the item."""
    items = len(rest.study.items)
    here = np.bincount(item, minlength=items)
    if rest.labels:
        share = (totals(item, far / far.max(), items) / np.maximum(here, 1))[item]
        # Equal draws of one pair of annotators are put together.
        level, place = np.unique(share, return_inverse=True)
        code, times = np.unique(group.astype(np.int64) * len(level) + place.reshape(-1), return_counts=True)
        of, share = (code // len(level)).astype(np.intp), level[code % len(level)]
        count = len(code)
        return GroupDraws(
            of,
            times.astype(np.float64),
            np.tile(np.arange(count), 2),
            np.r_[np.full(count, far.max()), np.zeros(count)],
            np.r_[share, 1 - share],
        )
    # Equal distances of an item are one number that is drawn more often.
    order = np.lexsort((far, item))
    new = np.flatnonzero(np.r_[True, (np.diff(item[order]) != 0) | (np.diff(far[order]) != 0)])
    number, share = far[order[new]], np.diff(np.r_[new, len(order)]) / here[item[order[new]]]
    different = np.bincount(item[order[new]], minlength=items)
    start = np.cumsum(different) - different
    of, place = ragged(start[item], different[item])
    return GroupDraws(group, np.ones(len(item)), of, number[place], share[place])


def _sides(draws: GroupDraws, sums: Floats) -> Floats:
    """A bound on the chance of a sum as far out, on either side."""
    bound: Floats = np.minimum(2 * np.minimum(low_tail(draws, sums), high_tail(draws, sums)), 1.0)
    return bound


def _finding(case: Case, pair: PairApart) -> Finding:
    names = [pair.first, pair.second]
    without = case.without(names[1:])
    change = without - case.lead.value
    telling = change < -WORTH if pair.closer else change > WORTH
    about = {
        "annotators": names,
        "closer": pair.closer,
        "items": pair.items,
        "distance": pair.distance,
        "expected_distance": pair.expected,
        "p_value": pair.p,
        "shares": case.beside_others.labels,
        "coefficient": case.coefficient,
        "without": None if math.isnan(without) else without,
        "telling": telling,
    }
    gain = 0.0 if math.isnan(without) else abs(without - case.lead.value)
    people = len(case.study.annotators)
    calls = case.measuring(without=names[1:]) if telling else ()
    calls = calls or case.measuring(by="pair", top=people * (people - 1) // 2)
    return Finding("pair.closer" if pair.closer else "pair.apart", tuple(names), about, gain, calls)
