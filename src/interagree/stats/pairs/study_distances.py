"""All distances that a study of pairs rests on: computed once, whatever weights the items get.

`Pairs` explains how pairs between items are found and drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.data import Annotations
from interagree.declare import Distance
from interagree.stats.engine.compress import totals
from interagree.stats.pairs.pair_distances import PairDistances

BINS = 1_024  # of equal weight, in which distributions are kept for resampling
DIGITS = 12  # to which distances are distinguished
SURE = 0.95

Weighting = Literal["pairs", "annotations"]


def pairs_for(precision: float) -> int:
    """How many pairs bound the error of a distribution by so much, with 95 % certainty."""
    return math.ceil(math.log(2 / (1 - SURE)) / (2 * precision**2))


def precision_of(pairs: int) -> float:
    """The error of a distribution that so many pairs bound, with 95 % certainty."""
    return math.sqrt(math.log(2 / (1 - SURE)) / (2 * max(pairs, 1)))


class Between(NamedTuple):
    """Distances of annotations of different items."""

    far: Floats
    times: Floats  # how many pairs of annotations each stands for
    drawn: int  # how many pairs were drawn; 0 where all were computed
    first: Indices  # the annotations of each pair that was drawn
    second: Indices


class Spectrum(NamedTuple):
    """How often each distance occurs, within items and between them, the distances in rising order."""

    far: Floats
    within: Floats  # along the last axis, where there are resamples
    between: Floats


@dataclass(frozen=True)
class StudyDistances:
    """Everything that does not depend on how items are weighted; computed when it is first needed."""

    study: Annotations
    of_values: PairDistances
    rows: Indices  # of the study: the annotations that count
    item: Indices  # of each such annotation, from 0 up without gaps
    items: int
    first: Indices  # pairs of annotations of one item
    second: Indices
    far: Floats
    same: Booleans  # whether both are by one annotator
    seed: int
    precision: float

    @property
    def distance(self) -> Distance:
        return self.of_values.distance

    @cached_property
    def value(self) -> Indices:
        return np.asarray(self.study.value[self.rows], dtype=np.intp)

    @cached_property
    def who(self) -> Indices:
        """The annotator of each annotation."""
        return np.asarray(self.study.annotator[self.rows], dtype=np.intp)

    @cached_property
    def size(self) -> Floats:
        """How many annotations each item has."""
        return np.bincount(self.item, minlength=self.items).astype(np.float64)

    @cached_property
    def frequency(self) -> Floats:
        return np.bincount(self.value, minlength=len(self.study.values)).astype(np.float64)

    @cached_property
    def counted(self) -> Booleans:
        """The pairs within items that are of two annotators."""
        return ~self.same

    @cached_property
    def pair_item(self) -> Indices:
        """The item of each pair that counts."""
        return self.item[self.first[self.counted]]

    @cached_property
    def pairs_of_item(self) -> Floats:
        """How many pairs of two annotators each item has."""
        return np.bincount(self.pair_item, minlength=self.items).astype(np.float64)

    def weight(self, weighting: Weighting) -> Floats:
        """What each pair counts: one, or so much that an item counts once for each of its annotations."""
        if weighting == "pairs":
            return np.ones(len(self.pair_item))
        share: Floats = (self.size / self.pairs_of_item)[self.pair_item]
        return share

    @cached_property
    def own(self) -> Floats:
        """Of each item: the sum over all ordered pairs of its annotations."""
        return 2 * totals(self.item[self.first], self.far, self.items)

    # -- between items ---------------------------------------------------------------------------------------

    @cached_property
    def used(self) -> Indices:
        return np.flatnonzero(self.frequency)

    @property
    def exact(self) -> bool:
        """Whether the distances of all pairs of values are computed."""
        count = len(self.used)
        return count * (count - 1) // 2 <= self.distance.most

    @cached_property
    def table(self) -> Floats:
        """The distances of all values that were given."""
        first, second = np.triu_indices(len(self.used), 1)
        table = np.zeros((len(self.used), len(self.used)))
        table[first, second] = self.of_values(self.used[first], self.used[second])
        table += table.T
        np.fill_diagonal(table, self.of_values(self.used, self.used))
        return table

    @cached_property
    def place(self) -> Indices:
        """The place of each value among those that were given."""
        place = np.zeros(len(self.frequency), dtype=np.intp)
        place[self.used] = np.arange(len(self.used))
        return place

    @property
    def possible(self) -> float:
        """How many pairs of annotations of different items there are."""
        count = float(len(self.rows))
        return (count * count - float((self.size**2).sum())) / 2

    @cached_property
    def between(self) -> Between:
        """The distances of annotations of different items, all of them or some."""
        return self._all() if self.exact else self._drawn()

    def _all(self) -> Between:
        count = len(self.used)
        often = self.frequency[self.used]
        times = np.outer(often, often)
        np.fill_diagonal(times, often * (often - 1) / 2)
        low, high = np.sort([self.place[self.value[self.first]], self.place[self.value[self.second]]], axis=0)
        inside = np.bincount(low * count + high, minlength=count * count).reshape(count, count)
        times -= inside
        first, second = np.triu_indices(count)
        none = np.zeros(0, dtype=np.intp)
        return Between(self.table[first, second], times[first, second], 0, none, none)

    def _drawn(self) -> Between:
        wanted = min(pairs_for(self.precision), self.distance.most)
        first, second = self._laid_beside(wanted)
        far = self.of_values(self.value[first], self.value[second])
        each = self.possible / max(len(far), 1)
        return Between(far, np.full(len(far), each), len(far), first, second)

    def _laid_beside(self, wanted: int) -> tuple[Indices, Indices]:
        """A random order of the annotations beside itself, shifted, as often as it takes."""
        count = len(self.rows)
        order = np.random.default_rng(self.seed).permutation(count)
        firsts, seconds, drawn = [], [], 0
        for shift in range(1, count // 2 + 1):
            each = count // 2 if 2 * shift == count else count  # half-way round every pair comes twice
            here = order[: min(wanted - drawn, each)]
            there = np.roll(order, -shift)[: len(here)]
            differ = self.item[here] != self.item[there]
            firsts.append(here[differ])
            seconds.append(there[differ])
            drawn += int(differ.sum())
            if drawn >= wanted:
                break
        none = np.zeros(0, dtype=np.intp)
        return np.concatenate([none, *firsts]), np.concatenate([none, *seconds])

    @cached_property
    def closed(self) -> Floats | None:
        """Of each value: the sum of its distances to all annotations, where algebra gives it without pairs."""
        return self.of_values.potential(self.frequency)

    @cached_property
    def pull(self) -> Floats:
        """Of each item: the sum of the distances of its annotations to all annotations, its own included."""
        closed = self.closed
        if closed is None and self.exact:
            closed = np.zeros(len(self.frequency))
            closed[self.used] = self.table @ self.frequency[self.used] - np.diag(self.table)
        if closed is not None:
            return totals(self.item, closed[self.value], self.items)
        drawn = self.between
        sums = totals(self.item[drawn.first], drawn.far * drawn.times, self.items)
        sums += totals(self.item[drawn.second], drawn.far * drawn.times, self.items)
        pull: Floats = sums + self.own
        return pull

    def own_of(self, unit: Indices) -> Floats:
        """Of each unit of resampling: the sum over all ordered pairs of its annotations.

        Pairs of different items of one unit are summed where all distances are known, else taken to be as far apart
        as each of their annotations is from all others.
        """
        count = int(unit.max(initial=-1)) + 1
        if count == self.items:
            return totals(unit, self.own, count)
        if self.exact:
            given = self._given(unit, count)
            own: Floats = ((given @ self.table) * given).sum(axis=1)
            return own
        every, total = float(len(self.rows)), float(self.pull.sum())
        size, pull = totals(unit, self.size, count), totals(unit, self.pull, count)
        across = 2 * (size * pull - totals(unit, self.size * self.pull, count)) / every
        across -= (size**2 - totals(unit, self.size**2, count)) * total / every**2
        return totals(unit, self.own, count) + across

    def _given(self, unit: Indices, count: int) -> Floats:
        """Of each unit of resampling: how often it has each value that was given."""
        once = np.ones(len(self.item))
        return _table(unit[self.item], self.place[self.value], once, (count, len(self.used)))

    @property
    def sampled(self) -> bool:
        """Whether the mean distance between items rests on a sample."""
        return not self.exact and self.closed is None

    # -- distributions ---------------------------------------------------------------------------------------

    @cached_property
    def grid(self) -> tuple[Floats, Indices, Indices]:
        """The distinct distances in rising order, and the place of each pair within and between items."""
        within, between = self.far[self.counted], self.between.far
        both = np.concatenate([within, between])
        top = float(both.max(initial=0.0))
        step = 10.0 ** (math.floor(math.log10(top)) - DIGITS) if 0 < top < math.inf else 1.0
        _, first, place = np.unique(np.round(both / step), return_index=True, return_inverse=True)
        place = place.reshape(-1)
        return both[first], place[: len(within)], place[len(within) :]

    def spectrum(self, weighting: Weighting) -> Spectrum:
        """How often each distance occurs."""
        far, within, between = self.grid
        return Spectrum(
            far, totals(within, self.weight(weighting), len(far)), totals(between, self.between.times, len(far))
        )

    @cached_property
    def bins(self) -> Indices:
        """The bin of each distinct distance: bins of equal weight, half of it from within and half from between."""
        far, within, between = self.spectrum("pairs")
        if len(far) <= BINS:
            return np.arange(len(far))
        share = within / within.sum() + between / between.sum()
        middle = (np.cumsum(share) - share / 2) / 2
        bins = np.minimum((middle * BINS).astype(np.intp), BINS - 1)
        return np.unique(bins, return_inverse=True)[1].reshape(-1)

    def binned_within(self, unit: Indices, weighting: Weighting) -> Floats:
        """Of each unit of resampling: how much weight its pairs have in each bin."""
        _, within, _ = self.grid
        return _table(unit[self.pair_item], self.bins[within], self.weight(weighting), self._shape(unit))

    def binned_between(self, unit: Indices) -> Floats:
        """Of each unit of resampling: how many pairs with annotations of other items fall into each bin."""
        _, _, place = self.grid
        bins = self.bins[place]
        shape = self._shape(unit)
        if not self.exact:
            drawn = self.between
            sides = (unit[self.item[rows]] for rows in (drawn.first, drawn.second))
            first, second = (_table(side, bins, drawn.times, shape) for side in sides)
            return first + second
        # Each value meets all annotations, and the pairs inside its own item are taken off again.
        count, full = len(self.used), self._binned_table
        meets = np.zeros((count, shape[1]))
        often = self.frequency[self.used]
        for value in range(count):
            meets[value] = np.bincount(full[value], weights=often, minlength=shape[1])
            meets[value, full[value, value]] -= 1  # an annotation is not paired with itself
        counts: Floats = self._given(unit, shape[0]) @ meets
        counts -= self._binned_inside(unit, shape)
        return np.maximum(counts, 0)

    def binned_own(self, unit: Indices) -> Floats | None:
        """Of each unit of resampling: how many pairs between items of its own fall into each bin, from both sides.

        None where each item is a unit of its own.
        """
        shape = self._shape(unit)
        if shape[0] == self.items:
            return None
        if not self.exact:
            drawn = self.between
            first, second = (unit[self.item[rows]] for rows in (drawn.first, drawn.second))
            both = first == second
            bins = self.bins[self.grid[2][both]]
            return 2 * _table(first[both], bins, drawn.times[both], shape)
        full, given = self._binned_table, self._given(unit, shape[0])
        counts = np.zeros(shape)
        for row in range(shape[0]):
            here = np.flatnonzero(given[row])
            times = np.outer(given[row, here], given[row, here])
            np.fill_diagonal(times, given[row, here] * (given[row, here] - 1))
            bins = full[np.ix_(here, here)]
            counts[row] = np.bincount(bins.reshape(-1), weights=times.reshape(-1), minlength=shape[1])
        counts -= self._binned_inside(unit, shape)
        return np.maximum(counts, 0)

    @cached_property
    def _binned_table(self) -> Indices:
        """The bin of the distance of each two values that were given."""
        first, second = np.triu_indices(len(self.used))
        bins = np.empty((len(self.used), len(self.used)), dtype=np.intp)
        bins[first, second] = bins[second, first] = self.bins[self.grid[2]]
        return bins

    def _binned_inside(self, unit: Indices, shape: tuple[int, int]) -> Floats:
        """Of each unit of resampling: how many pairs inside its items fall into each bin, from both sides."""
        grid = self.grid[0]
        bins = self.bins[np.searchsorted((grid[1:] + grid[:-1]) / 2, self.far, side="right")]
        return 2 * _table(unit[self.item[self.first]], bins, np.ones(len(bins)), shape)

    def _shape(self, unit: Indices) -> tuple[int, int]:
        return int(unit.max(initial=-1)) + 1, int(self.bins.max(initial=-1)) + 1


def _table(row: Indices, column: Indices, weight: Floats, shape: tuple[int, int]) -> Floats:
    return totals(row * shape[1] + column, weight, shape[0] * shape[1]).reshape(shape)
