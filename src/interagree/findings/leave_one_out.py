r"""Each annotation beside what the others said of its item.

Of item $i$ let $c_{iv}$ annotators have given value $v$, $m_i$ in all.  Without the annotation at hand its value has
one vote less, so what the majority of the others said follows from three numbers of the item: how many votes the front
has, how many values share it, and the same of the second place.  With distances the majority becomes the medoid of the
others, $\arg\min_s \sum_{t \ne r} d(s, t) = \arg\min_s (S_s - d(s, r))$, where $S_s$ is the summed distance of $s$ to
the whole item; it takes the pairs of each item once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from interagree.arrays import Booleans, Floats, Indices, Int64s
from interagree.crowd.medoids import ALIKE, Within, in_sorted_order
from interagree.data import Annotations, IntoAnnotations
from interagree.data.memory import must_fit
from interagree.declare import Distance
from interagree.distances import IntoDistance, find, taken_as, usual
from interagree.errors import KindError, Wording
from interagree.kernels.ragged import ragged
from interagree.stats.engine.compress import totals
from interagree.stats.labels.counts import annotations_of

Ties = Literal["split", "skip", "order"]
MANY = 100_000  # annotations from which on memory is asked for
PER_ANNOTATION = 200  # bytes of memory that comparing an annotation with the others takes
DENSE = 8  # cells for each annotation up to which counting in a table beats sorting


class ItemValues(NamedTuple):
    """The distinct values of each item, by item and then by value."""

    key: Int64s  # item times the number of values, plus the value
    item: Indices
    value: Indices
    votes: Floats
    start: Indices  # where the cells of each item begin; one more entry for the end


class Front(NamedTuple):
    """For each item the largest number of votes, how many values have it, and the same of the second place."""

    votes: Floats
    shared: Floats
    second: Floats
    also: Floats


class Scores(NamedTuple):
    """How far each annotation agrees with an aggregate, and whether the aggregate was one of several."""

    score: Floats
    tied: Booleans


class LeaveOneOut:
    """The annotations of a study, each to be compared with the others of its item.

    Where the distance is bounded, or that of a scale, which is divided by its largest value, scores are one minus
    distance; else they are distances.
    """

    def __init__(self, study: Annotations, distance: Distance, notes: tuple[str, ...] = ()) -> None:
        self.study = study
        self.distance = distance
        self.notes = notes
        self.item = study.item.astype(np.intp, copy=False)
        self.value = study.value.astype(np.intp, copy=False)
        self.who = study.annotator.astype(np.intp, copy=False)
        self.people = len(study.annotators)
        self.size = study.sizes().astype(np.float64)

    @classmethod
    def of(
        cls, data: IntoAnnotations, distance: IntoDistance | None, what: str, *, each: int = PER_ANNOTATION
    ) -> LeaveOneOut:
        """The first judgements of a study under a distance, by default the usual one for the kind of value.

        Args:
            data: The study.
            distance: How far apart values are.
            what: What they are compared for.
            each: How many bytes of memory that takes for each annotation.
        """
        study = annotations_of(data)
        if len(study) > MANY:
            must_fit(
                float(each) * len(study),
                f"{what} of {len(study):,} annotations",
                "take a sample of the items, fewer annotators as in ",
                Wording("study.only(annotators=[…])", "--only NAME,…"),
                ", or a coefficient, which takes a fraction of that",
            )
        if study.anonymous and len(study):
            raise KindError(
                f"{what} needs to know who gave which value, and this study was made from counts; read the annotations "
                "themselves"
            )
        first = study.first_judgements()
        notes: tuple[str, ...] = ()
        if first is not study:
            notes = tuple(step.sentence for step in first.provenance.steps if step not in study.provenance.steps)
        if distance is not None:
            return cls(first, find(distance), notes)
        distance = usual(first)
        return cls(first, distance, (*notes, *taken_as(first, distance)))

    @property
    def labels(self) -> bool:
        """Whether values are the same or not, and nothing between."""
        return self.distance.equality

    @cached_property
    def within(self) -> Within:
        """The same with distances."""
        return Within(self.study, self.distance)

    @cached_property
    def compared(self) -> Booleans:
        """Which annotations are of items with others."""
        return np.greater(self.size[self.item], 1)

    @cached_property
    def largest(self) -> float:
        """What distances are divided by so that none is above one; nan where there is no such number."""
        if self.distance.equality or self.distance.bounded:
            return 1.0
        if self.distance.table is None or not len(self.study.values):
            return np.nan
        often = np.bincount(self.value, minlength=len(self.study.values)).astype(np.float64)
        table = self.distance.among(self.study.values, often, ordered=self.study.in_order)
        return float(table.max()) or 1.0

    @property
    def bounded(self) -> bool:
        """Whether scores are agreements between 0 and 1, and not distances."""
        return not np.isnan(self.largest)

    @property
    def chance(self) -> float | None:
        """What people are shown distances divided by; None where scores are agreements."""
        return None if self.bounded else self.within.chance

    @cached_property
    def cells(self) -> ItemValues:
        """The distinct values of each item and how many annotators gave them."""
        values, items = max(len(self.study.values), 1), len(self.study.items)
        key = self.item.astype(np.int64) * values + self.value
        if items * values <= DENSE * len(key) + 1024:
            count = np.bincount(key, minlength=items * values)
            there = np.flatnonzero(count)
            often = count[there]
        else:
            there, often = np.unique(key, return_counts=True)
        item, value = np.divmod(there, values)
        start = np.searchsorted(item, np.arange(items + 1))
        return ItemValues(there, item, value, often.astype(np.float64), start)

    @cached_property
    def cell(self) -> Indices:
        """The cell of each annotation."""
        values = max(len(self.study.values), 1)
        return np.searchsorted(self.cells.key, self.item.astype(np.int64) * values + self.value)

    @cached_property
    def count(self) -> Floats:
        """How many annotators gave the value of each annotation to its item, its own annotator among them."""
        return self.cells.votes[self.cell]

    @cached_property
    def front(self) -> Front:
        """What is in front in each item, and in the second place."""
        cells, items = self.cells, len(self.study.items)
        votes, second = np.zeros(items), np.zeros(items)
        np.maximum.at(votes, cells.item, cells.votes)
        top = cells.votes == votes[cells.item]
        behind = np.where(top, 0.0, cells.votes)
        np.maximum.at(second, cells.item, behind)
        also = (behind == second[cells.item]) & ~top
        return Front(votes, totals(cells.item, top, items), second, totals(cells.item, also.astype(float), items))

    def others(self, ties: Ties) -> Scores:
        """How far each annotation agrees with the aggregate of the others; nan where there are none."""
        return self._compared_only(self._label_others(ties) if self.labels else self._medoid_of_others(ties))

    def everybody(self, ties: Ties) -> Scores:
        """The same with the aggregate of all, the annotation itself among them."""
        return self._compared_only(self._label_all(ties) if self.labels else self._medoid_of_all(ties))

    def _compared_only(self, scores: Scores) -> Scores:
        return Scores(np.where(self.compared, scores.score, np.nan), scores.tied & self.compared)

    def _label_others(self, ties: Ties) -> Scores:
        front, item = self.front, self.item
        mine = self.count == front.votes[item]
        alone = mine & (front.shared[item] == 1)
        caught = alone & (front.votes[item] - 1 == front.second[item])
        rivals = np.where(alone, np.where(caught, front.also[item] + 1, 1), front.shared[item] - mine)
        if ties == "order":
            first = self._first(front.second, ~self._top)[item] > self.order[self.value]
            return Scores((alone & (first | ~caught)).astype(np.float64), rivals > 1)
        return Scores(np.where(alone, 1 / np.maximum(rivals, 1), 0.0), rivals > 1)

    def _label_all(self, ties: Ties) -> Scores:
        front, item = self.front, self.item
        mine = self.count == front.votes[item]
        shared = front.shared[item]
        if ties == "order":
            best = self._first(front.votes, self._top)[item] == self.order[self.value]
            return Scores((mine & best).astype(np.float64), shared > 1)
        return Scores(np.where(mine, 1 / shared, 0.0), shared > 1)

    @cached_property
    def _top(self) -> Booleans:
        return np.equal(self.cells.votes, self.front.votes[self.cells.item])

    @cached_property
    def order(self) -> Floats:
        """The place of each value in an order that does not depend on how the rows came."""
        if self.study.in_order:
            return np.arange(len(self.study.values), dtype=np.float64)
        return in_sorted_order(self.study.values)

    def _first(self, votes: Floats, among: Booleans) -> Floats:
        """For each item the first in order of the values that have so many votes."""
        first = np.full(len(self.study.items), np.inf)
        here = among & (self.cells.votes == votes[self.cells.item])
        np.minimum.at(first, self.cells.item[here], self.order[self.cells.value[here]])
        return first

    @cached_property
    def _both_ways(self) -> tuple[Indices, Indices, Floats]:
        first, second, distance = self.within.pairs
        return np.r_[first, second], np.r_[second, first], np.r_[distance, distance]

    @cached_property
    def _sums(self) -> Floats:
        one, _, distance = self._both_ways
        return totals(one, distance, len(self.study))

    def cells_of(self, rows: Indices) -> tuple[Indices, Indices]:
        """All cells of the items of some annotations, after the place among ``rows`` that each belongs to."""
        start, item = self.cells.start, self.item[rows]
        return ragged(start[item], start[item + 1] - start[item])

    def distance_to_others(self) -> Floats:
        """The mean distance of each annotation to the others of its item, divided where scores are bounded."""
        with np.errstate(all="ignore"):
            rest = self.size[self.item] - 1
            if self.labels:
                return np.where(rest > 0, 1 - (self.count - 1) / rest, np.nan)
            by = self.largest if self.bounded else 1.0
            return np.where(rest > 0, self._sums / rest / by, np.nan)

    def _medoid_of_others(self, ties: Ties) -> Scores:
        one, other, distance = self._both_ways
        key = self._sums[other] - distance
        same = self.value[one] == self.value[other]
        return self._nearest(one, other, distance, key, 1 / np.maximum(self.count[other] - same, 1), ties)

    def _medoid_of_all(self, ties: Ties) -> Scores:
        one, other, distance = self._both_ways
        rows = np.arange(len(self.study))
        one, other, distance = np.r_[one, rows], np.r_[other, rows], np.r_[distance, np.zeros(len(rows))]
        return self._nearest(one, other, distance, self._sums[other], 1 / self.count[other], ties)

    def _nearest(  # noqa: PLR0917 -- the columns of one table of pairs
        self, one: Indices, other: Indices, distance: Floats, key: Floats, part: Floats, ties: Ties
    ) -> Scores:
        """Scores against those of ``other`` that have the smallest key; ``part`` makes equal values count once."""
        rows = len(self.study)
        best, scale = np.full(rows, np.inf), np.zeros(rows)
        np.minimum.at(best, one, key)
        np.maximum.at(scale, one, np.abs(key))
        front = key <= best[one] + ALIKE * scale[one]
        one, other, distance, part = one[front], other[front], distance[front], part[front]
        number = totals(one, part, rows)
        if ties == "order":
            place = self.order[self.value[other]]
            first = np.full(rows, np.inf)
            np.minimum.at(first, one, place)
            part = np.where(place == first[one], part, 0.0)
        with np.errstate(all="ignore"):
            mean = totals(one, part * distance, rows) / totals(one, part, rows)
        return Scores(1 - mean / self.largest if self.bounded else mean, number > 1.5)


def of_labels(rest: LeaveOneOut) -> bool:
    """Whether tables of labels make sense: values that are the same or not, and not one for each annotation."""
    return rest.labels and len(rest.study.values) <= 200


def by_name(names: Sequence[object]) -> Indices:
    """The places of names in an order that depends on the names alone."""
    return np.array(sorted(range(len(names)), key=lambda code: (str(names[code]), code)), dtype=np.intp)
