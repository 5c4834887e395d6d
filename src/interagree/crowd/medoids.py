r"""Choosing one annotation for each item by distances alone.

The *medoid* of an item is the value with the smallest sum of distances to the annotations of the item,

$$v_i = \arg\min_{v} \sum_{r \in i} w_r\, d(v, x_r)$$

where an annotator counts once: of $m$ judgements that one gave the item, each weighs $1/m$.  The *best annotator* of an
item is the one who is nearest to their co-annotators in the whole study.  With $x_{iu}$ the mean distance of annotator
$u$ to the others of item $i$, $\bar x_u$ its mean over their $n_u$ items, and $\mu$ the mean of all, they are taken to
be

$$\hat\theta_u = \mu + \frac{\tau^2}{\tau^2 + \sigma^2 / n_u} (\bar x_u - \mu)$$

from the others.  $\sigma^2$ is the variance of $x_{iu}$ within annotators, and $\tau^2$ that between them, both from a
one-way analysis of variance, $\tau^2 = \max(0, (MS_b - MS_w) / n_0)$ with $n_0 = (N - \sum n_u^2 / N) / (U - 1)$; $\mu$
is the mean of the $\bar x_u$ weighted by $1 / (\tau^2 + \sigma^2 / n_u)$.  An annotator with few items is pulled to the
mean.  The *weighted medoid* weighs annotators by $\mu / \hat\theta_u$, at most 10, and finds the $x_{iu}$ again with
these weights until they change by less than one in a million, or 50 times.

Braylan, A., & Lease, M. (2020). Modeling and aggregation of complex annotations via annotation distances. WWW 2020,
1807-1818, where the medoid is called smallest average distance (SAD) and the best annotator best available user (BAU).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.data import Annotations, IntoAnnotations, as_annotations
from interagree.data.provenance import counted
from interagree.data.types import Value
from interagree.data.values import canonical, numbers
from interagree.declare import Distance
from interagree.errors import DataError, Hint, listing
from interagree.stats.engine.compress import totals
from interagree.stats.labels.ballots import all_within_items
from interagree.stats.pairs.by_chance import distance_by_chance
from interagree.stats.pairs.pair_distances import PairDistances

ALIKE = 1e-9  # sums that differ by less than this share differ by rounding, and are tied
STEADY = 1e-6  # the share by which weights still change when they are taken to be stable
ROUNDS = 50  # how often weights are found again at most
HEAVIEST = 10.0  # what the most reliable annotator weighs at most; the average one weighs 1


class CandidateValues(NamedTuple):
    """The distinct values of each item: what can be chosen."""

    item: Indices
    value: Indices
    of: Indices  # the cell of each annotation
    support: Floats  # how many annotators gave the value; of several judgements each counts in part


class Nearness(NamedTuple):
    """How near annotators are to their co-annotators."""

    items: Floats  # on how many items each of them has others to be compared with
    mean: Floats  # nan where there are none
    shrunk: Floats
    overall: float


class ChosenPlaces(NamedTuple):
    """A place among the cells for each item that has one, and how ties were settled."""

    cell: Indices
    tied: int
    by: tuple[int, ...]  # how many ties each rule settled


def collected(data: IntoAnnotations) -> Annotations:
    """The annotations to find a consensus of."""
    study = as_annotations(data)
    if not len(study):
        raise DataError("there is nothing to find a consensus of: the study has no annotations")
    return study


class Within:
    """The annotations of a study, and how far apart those of one item are."""

    def __init__(self, study: Annotations, distance: Distance, taken: tuple[str, ...] = ()) -> None:
        self.study = study
        self.distance = distance
        self.taken = taken  # what to say where nobody gave the distance
        self.item = study.item.astype(np.intp, copy=False)
        self.value = study.value.astype(np.intp, copy=False)
        # Where nobody knows who gave which value, every annotation counts as one annotator.
        self.person = np.arange(len(study)) if study.anonymous else study.annotator.astype(np.intp, copy=False)
        self.people = len(study) if study.anonymous else len(study.annotators)

    def apart(self, values: Sequence[Value]) -> PairDistances:
        """The distance on the values of the study, and maybe more behind them."""
        self._on_scale(values)
        often = np.bincount(self.value, minlength=len(values)).astype(np.float64)
        return PairDistances(
            self.distance, values, ordered=self.study.in_order, kind=self.study.of_kind, frequency=often
        )

    @cached_property
    def chance(self) -> float | None:
        """How far apart two annotations are by chance; None where no distance is above 1, or where they cannot differ.

        What people are shown is divided by it (`interagree.results.chance`).
        """
        distance, study = self.distance, self.study
        if distance.equality or distance.bounded:
            return None
        often = np.bincount(self.value, minlength=len(study.values)).astype(np.float64)
        points = None if distance.embed is None else distance.points(study.values, often, ordered=study.in_order)
        return distance_by_chance(self.apart(study.values), often, points)

    def _on_scale(self, values: Sequence[Value]) -> None:
        """Refuse further values where a distance goes by the places of values, of which they have none."""
        of, known = self.distance.of, self.study.values
        if len(values) > len(known) and (of == "scale" or (of == "numbers" and numbers(known) is None)):
            hint = Hint("values", [...])
            raise DataError(
                f"{values[len(known)]!r} is not on the scale of the study ({listing(known, most=5)}), so the "
                f"{self.distance.name} distance has no place for it; declare all values in order, with {hint}",
                hints=[hint],
            )

    @cached_property
    def share(self) -> Floats:
        """What an annotation counts: one over how many judgements of the item its annotator gave."""
        cell = self.item.astype(np.int64) * max(self.people, 1) + self.person
        _, place, often = np.unique(cell, return_inverse=True, return_counts=True)
        shares: Floats = 1.0 / often[place.reshape(-1)]
        return shares

    @cached_property
    def size(self) -> Floats:
        """How many annotators each item has."""
        return totals(self.item, self.share, len(self.study.items))

    @cached_property
    def pairs(self) -> tuple[Indices, Indices, Floats]:
        """All pairs of annotations of one item, each once, and how far apart they are."""
        first, second = all_within_items(self.study)
        return first, second, self.apart(self.study.values)(self.value[first], self.value[second])

    @cached_property
    def cells(self) -> CandidateValues:
        """The distinct values of each item."""
        count = max(len(self.study.values), 1)
        cell, of = np.unique(self.item.astype(np.int64) * count + self.value, return_inverse=True)
        of = of.reshape(-1)
        item, value = np.divmod(cell, count)
        return CandidateValues(item.astype(np.intp), value.astype(np.intp), of, totals(of, self.share, len(cell)))

    def scores(self, weight: Floats | None = None) -> Floats:
        """The mean distance of each cell's value to the annotations of its item, annotators weighed."""
        weigh = self.share if weight is None else self.share * weight[self.person]
        first, second, apart = self.pairs
        count = len(self.study)
        sums = totals(first, weigh[second] * apart, count) + totals(second, weigh[first] * apart, count)
        item = totals(self.item, weigh, len(self.study.items))
        of, cells = self.cells.of, len(self.cells.item)
        return totals(of, sums, cells) / np.bincount(of, minlength=cells) / item[self.cells.item]

    def nearness(self, weight: Floats | None = None) -> Nearness:
        """How near each annotator is to their co-annotators, these weighed; their own judgements are not compared."""
        weigh = self.share if weight is None else self.share * weight[self.person]
        first, second, apart = self.pairs
        others = self.person[first] != self.person[second]
        first, second, apart = first[others], second[others], apart[others]
        count = len(self.study)
        sums = totals(first, weigh[second] * apart, count) + totals(second, weigh[first] * apart, count)
        heavy = totals(first, weigh[second], count) + totals(second, weigh[first], count)
        there = np.flatnonzero(heavy > 0)
        mean = self.share[there] * sums[there] / heavy[there]
        cell = self.item[there].astype(np.int64) * max(self.people, 1) + self.person[there]
        distinct, place = np.unique(cell, return_inverse=True)
        by_item = totals(place.reshape(-1), mean, len(distinct))
        return shrink(by_item, (distinct % max(self.people, 1)).astype(np.intp), self.people)

    def reliability(self) -> tuple[Floats, Nearness, int]:
        """The weights of annotators, how near they are under these weights, and how often they were found."""
        weight = np.ones(self.people)
        near, rounds = self.nearness(weight), 0
        for rounds in range(1, ROUNDS + 1):
            if not near.overall > 0:  # everybody agrees, or nobody is compared
                return weight, near, rounds
            new = near.overall / np.maximum(near.shrunk, near.overall / HEAVIEST)
            done = bool(np.max(np.abs(new / weight - 1), initial=0.0) < STEADY)
            weight, near = new, self.nearness(new)
            if done:
                break
        return weight, near, rounds

    def choose(self, *keys: Floats) -> ChosenPlaces:
        """For each item the cell with the smallest key; ties go to the next key, at last to the first in order."""
        cells = self.cells
        items, left = len(self.study.items), np.ones(len(cells.item), dtype=bool)
        open_: list[int] = []
        for key in keys:
            left = _narrowed(cells.item, items, left, key)
            open_.append(int(np.count_nonzero(np.bincount(cells.item[left], minlength=items) > 1)))
        if open_[-1]:
            many = np.bincount(cells.item[left], minlength=items) > 1
            tied = np.flatnonzero(left & many[cells.item])
            order = np.zeros(len(cells.item))
            order[tied] = in_sorted_order([self.study.values[v] for v in cells.value[tied].tolist()])
            left = _narrowed(cells.item, items, left, order)
        _, first = np.unique(cells.item[left], return_index=True)
        settled = (*(a - b for a, b in pairwise(open_)), open_[-1])
        return ChosenPlaces(np.flatnonzero(left)[first], open_[0], settled)

    def nearest(self, by_person: Floats) -> Floats:
        """For each cell the smallest number among the annotators who gave the value."""
        best = np.full(len(self.cells.item), np.inf)
        np.minimum.at(best, self.cells.of, by_person[self.person])
        return best


def _narrowed(item: Indices, items: int, left: Booleans, key: Floats) -> Booleans:
    best = np.full(items, np.inf)
    np.minimum.at(best, item[left], key[left])
    scale = np.zeros(items)
    np.maximum.at(scale, item, np.abs(key))
    kept: Booleans = left & (key <= best[item] + ALIKE * scale[item])
    return kept


def shrink(scores: Floats, who: Indices, people: int) -> Nearness:
    """Means by annotator, each pulled to the mean of all as far as it is uncertain.

    Args:
        scores: One number for each item and annotator.
        who: The annotator of each.
        people: How many annotators there are, also such as have none.
    """
    n = np.bincount(who, minlength=people).astype(np.float64)
    there = n > 0
    mean = np.full(people, np.nan)
    mean[there] = totals(who, scores, people)[there] / n[there]
    if not there.any():
        return Nearness(n, mean, np.zeros(people), 0.0)
    total, annotators = float(n.sum()), int(there.sum())
    grand = float(scores.mean())
    within = float(((scores - mean[who]) ** 2).sum())
    # With one item for each annotator nothing tells luck from skill, and all are taken to be alike.
    noise = within / (total - annotators) if total > annotators else np.inf
    between = float((n[there] * (mean[there] - grand) ** 2).sum())
    skill = 0.0
    if annotators > 1 and np.isfinite(noise):
        usual = (total - float((n**2).sum()) / total) / (annotators - 1)
        skill = max(0.0, (between / (annotators - 1) - noise) / usual)
    if skill == 0.0:
        return Nearness(n, mean, np.full(people, grand), grand)
    error = skill + noise / n[there]
    overall = float((mean[there] / error).sum() / (1 / error).sum())
    shrunk = np.full(people, overall)
    shrunk[there] += skill / error * (mean[there] - overall)
    return Nearness(n, mean, shrunk, overall)


def medoids(within: Within) -> ChosenPlaces:
    """The medoid of each item."""
    near = within.nearness().shrunk
    return within.choose(within.scores(), -within.cells.support, within.nearest(near))


def best_annotators(within: Within, near: Nearness) -> ChosenPlaces:
    """The annotation of the annotator of each item who is nearest to the others overall."""
    return within.choose(within.nearest(near.shrunk), within.scores(), -within.cells.support)


def weighted_medoids(within: Within, weight: Floats, near: Nearness) -> ChosenPlaces:
    """The medoid of each item, annotators weighed."""
    return within.choose(within.scores(weight), -within.cells.support, within.nearest(near.shrunk))


def settled(chosen: ChosenPlaces, first: str, rules: Sequence[str]) -> str:
    """How ties were settled, as a sentence; empty where there were none."""
    if not chosen.tied:
        return ""
    how = [f"{number:,} by {rule}" for number, rule in zip(chosen.by, rules, strict=True) if number]
    return f"{counted(chosen.tied, 'item')} had several values {first}, settled: {', '.join(how)}"


def in_sorted_order(values: Sequence[Value]) -> Floats:
    """The place of each value in an order that depends on the values alone, not on how they came."""
    texts = [canonical(value) for value in values]
    place = {text: rank for rank, text in enumerate(sorted(set(texts)))}
    return np.array([place[text] for text in texts], dtype=np.float64)
