"""In-group against cross-group agreement, tested by dealing the group names anew.

The mean distance of two annotators of one group is compared with that of one annotator in the group and one outside it,
over all items they share.  Whether the groups matter is tested by dealing the group names to the annotators anew: every
deal where there are few, else a random 4,999 of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, Unpack

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import IntoAnnotations, ReadingOptions
from interagree.data.types import Annotator, Values
from interagree.declare import takes_data
from interagree.distances import IntoDistance
from interagree.errors import KindError
from interagree.people.groups.cross_reliability import CrossReliability, cross
from interagree.people.groups.membership import IntoGroups, membership
from interagree.people.judgement_pairs import JudgementPairs, identified
from interagree.results.answer import Answer
from interagree.results.charts import DrawnEstimate, Forest
from interagree.results.document import Document, Section
from interagree.stats.engine.shares import check_level
from interagree.tables import Table, cell, finite

DEALS = 4_999  # random deals of group names; up to as many are enumerated
LARGE = 3_000  # annotators for whom a table of all pairs is made


@dataclass(frozen=True, slots=True)
class GroupsAgreement(Answer):
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

    def to_dict(self) -> dict[str, object]:
        return {
            "groups": self.groups.rows(),
            "cross": [pair.to_dict() for pair in self.cross],
            "in_group_distance": finite(self.inside),
            "cross_group_distance": finite(self.across),
            **self.plain("p_value", "deals", "exact", "distance", "undefined", "notes"),
        }

    def chart(self) -> Forest | None:
        """The coefficients across every two groups, with their intervals."""
        rows = [
            DrawnEstimate(f"{cell(pair.first)} and {cell(pair.second)}", pair.value, pair.low, pair.high)
            for pair in self.cross
            if not pair.undefined
        ]
        return Forest(rows, "κx across groups", str(self)) if rows and not self.undefined else None

    def tables(self) -> dict[str, Table]:
        """The groups, and every two of them."""
        return {"groups": self.groups, "cross": Table.of([pair.table().rows()[0] for pair in self.cross])}

    def document(self) -> Document:
        """The verdict, the groups, and every two of them."""
        sections = [self.section(), Section(foot=[f"{note}." for note in self.notes])]
        return Document("", sections, self.to_dict(), self.groups)

    def section(self) -> Section:
        """The groups as a section of a larger document."""
        return Section("Groups", [f"{self}."], self.groups, [f"{pair}." for pair in self.cross])

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
    groups: IntoGroups,
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
            in no group are set aside.
        distance: How far apart values are; by default the usual one for the kind of value.
        level: The level of the intervals.
        resamples: How many resamples of items the intervals of xRR are made of.
        seed: Where random numbers start.
        raw: Whether distances that may be above one stay in their own units; by default they are divided by what
            chance gives, so that 1 is as far apart as chance.

    Returns:
        Agreement within each group and with the others, the p-value of the groups, and xRR of every two groups.

    Examples:
        >>> import interagree as ia
        >>> labels = {"ann": ["a", "b", "b"], "bo": ["a", "b", "b"], "cy": ["b", "b", "a"], "di": ["b", "b", "a"]}
        >>> teams = {"ann": "new", "bo": "new", "cy": "old", "di": "old"}
        >>> ia.people.groups_agreement(labels, groups=teams).inside
        0.0
    """
    check_level(level)
    study = identified(data)
    grouping = membership(study, groups)
    names = sorted(grouping.members, key=str)
    grouped = grouping.grouped
    if len(grouped) > LARGE:
        raise KindError(f"there are {len(grouped):,} annotators, and groups of up to {LARGE:,} can be compared")
    judged = JudgementPairs.of(study.only(annotators=grouped), distance, unit=1.0 if raw else None)
    members = {name: grouping.members[name] for name in names}
    code = {who: place for place, name in enumerate(names) for who in members[name]}
    label = np.array([code[who] for who in judged.annotators])
    test = _Deals.of(judged, label, len(names), seed)
    rows = [_row(judged, members, name, test, place, level) for place, name in enumerate(names)]
    pairs = tuple(
        cross(judged, members[a], members[b], names=(a, b), level=level, resamples=resamples, seed=seed)
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
        judged.scaled.name,
        why if lost else None,
        (*judged.scaled.notes, *grouping.notes),
    )


def _row(  # noqa: PLR0917 -- called in one place
    judged: JudgementPairs,
    members: Mapping[Hashable, list[Annotator]],
    name: Hashable,
    test: _Deals,
    place: int,
    level: float,
) -> dict[str, object]:
    ours = judged.by(members[name])
    theirs = judged.by([who for group, some in members.items() if group != name for who in some])
    bounded = judged.scaled.bounded
    inside, outside = (judged.scaled.mean(*judged.sums(judged.between(ours, side)), level) for side in (ours, theirs))
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


class _Deals(NamedTuple):
    """The observed groups beside the same names dealt anew."""

    observed: Floats  # mean distance inside all groups together, then inside each
    across: float
    p: list[float]  # two-sided
    deals: int
    exact: bool

    @classmethod
    def of(cls, judged: JudgementPairs, label: Indices, groups: int, seed: int) -> _Deals:
        people = len(label)
        distances, counts = np.zeros((people, people)), np.zeros((people, people))
        a, b = judged.who[judged.first], judged.who[judged.second]
        np.add.at(distances, (a, b), judged.distances)
        np.add.at(counts, (a, b), 1)
        distances, counts = distances + distances.T, counts + counts.T

        def gaps(deal: Indices) -> Floats:
            inside, across = _means(distances, counts, np.eye(groups)[deal])
            return np.asarray(inside - across)

        member = np.eye(groups)[label]
        inside, across = _means(distances, counts, member)
        observed = gaps(label)
        ways = math.factorial(people) // math.prod(math.factorial(n) for n in Counter(label.tolist()).values())
        exact = ways <= DEALS
        dealt = np.array([gaps(deal) for deal in (_every(label) if exact else _random(label, seed))])
        with np.errstate(invalid="ignore"):
            as_far = (np.abs(dealt) >= np.abs(observed) - 1e-12).sum(axis=0)
        valid = np.isfinite(dealt).sum(axis=0)
        p = (as_far + (not exact)) / np.maximum(valid + (not exact), 1)
        p = np.where(np.isfinite(observed), p, math.nan)
        return cls(inside, float(across[0]), p.tolist(), len(dealt), exact)


def _means(distances: Floats, counts: Floats, member: Floats) -> tuple[Floats, Floats]:
    """Mean distances inside and across groups, of all groups together and then of each."""
    total, count = member.T @ distances @ member, member.T @ counts @ member
    inside = np.r_[np.trace(total), np.diag(total)], np.r_[np.trace(count), np.diag(count)]
    across = [np.r_[table.sum() - np.trace(table), table.sum(axis=1) - np.diag(table)] for table in (total, count)]
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
