"""Where annotators of complex values differ: by item, by annotator, by pair of annotators.

A coefficient of pairs is the mean of what each pair within an item adds to it, with chance as in the whole study; so
the coefficient of some pairs, or without some, is a mean over those pairs, and no distance is computed again.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.errors import KindError
from interagree.stats.engine.compress import totals
from interagree.stats.engine.passed_on import PassedOn
from interagree.stats.engine.remeasured import Repeatable, no_table_by_value
from interagree.stats.labels.drill import table_by_value
from interagree.stats.pairs.item_pairs import Pairs
from interagree.stats.pairs.study_distances import StudyDistances
from interagree.tables import Table

FOOT = "chance is that of the whole study"


@dataclass(frozen=True)
class PairTables:
    """The drill-down of a coefficient of pairs."""

    pairs: Pairs
    measured: Repeatable

    distances = PassedOn[StudyDistances]("pairs")

    @cached_property
    def far(self) -> Floats:
        """The distance of each pair that counts."""
        return self.distances.far[self.distances.counted]

    @cached_property
    def scores(self) -> Floats:
        """What each pair adds to the coefficient; nan where there is no chance to compare with."""
        if self.pairs.score is None or not self.pairs.comparable:
            return np.full(len(self.far), np.nan)
        return self.pairs.score(self.pairs, self.far)

    @cached_property
    def weight(self) -> Floats:
        return self.distances.weight(self.pairs.weighting)

    def by_item(self) -> Table:
        """For each item: its annotations, their mean distance, and its coefficient."""
        distances = self.distances
        pairs = distances.pairs_of_item
        names = [distances.study.items[code] for code in np.flatnonzero(self.pairs.pattern >= 0).tolist()]
        return Table(
            {
                "item": names,
                "annotations": distances.size.astype(int).tolist(),
                "disagreement": (totals(distances.pair_item, self.far, distances.items) / pairs).tolist(),
                "agreement": (totals(distances.pair_item, self.scores, distances.items) / pairs).tolist(),
            },
            foot=FOOT,
        )

    def _sides(self) -> tuple[Indices, Indices]:
        counted = self.distances.counted
        who = self.distances.who
        return who[self.distances.first[counted]], who[self.distances.second[counted]]

    def _of_annotators(self, entry: Floats) -> Floats:
        """For each annotator the weighted sum over their pairs."""
        count = len(self.distances.study.annotators)
        first, second = self._sides()
        return totals(first, entry * self.weight, count) + totals(second, entry * self.weight, count)

    def _known(self, what: str) -> None:
        if self.distances.study.anonymous and len(self.distances.study):
            raise KindError(f"a table {what} needs to know who gave which value, and this study was made from counts")

    def left_out(self) -> dict[Hashable, float]:
        """For each annotator the coefficient of the pairs of the others, who keep the weight of their items."""
        self._known("by annotator")
        study = self.distances.study
        there = np.flatnonzero(np.bincount(study.annotator, minlength=len(study.annotators)))
        if len(there) < 3:
            return {}
        weight, score = self._moved_without()
        with np.errstate(all="ignore"):
            values = np.where(weight > 0, score / weight, np.nan)
        return {study.annotators[code]: float(values[code]) for code in there.tolist()}

    def _moved_without(self) -> tuple[Floats, Floats]:
        """For each annotator what all items weigh without their annotations, and the weighted score."""
        distances, people = self.distances, len(self.distances.study.annotators)
        cell, place = np.unique(distances.item * people + distances.who, return_inverse=True)
        place = place.reshape(-1)
        item, who = np.divmod(cell, people)
        sides = [place[side[distances.counted]] for side in (distances.first, distances.second)]
        own = sum(np.bincount(side, minlength=len(cell)) for side in sides)
        score = sum(totals(side, self.scores, len(cell)) for side in sides)
        every, pairs = totals(distances.pair_item, self.scores, distances.items), distances.pairs_of_item
        left = pairs[item] - own
        each, before = left, pairs
        if self.pairs.weighting == "annotations":
            each = np.where(left > 0, distances.size[item] - np.bincount(place), 0)
            before = distances.size
        mean = np.where(left > 0, (every[item] - score) / np.maximum(left, 1), 0)
        old = before * every / pairs
        return (
            float(before.sum()) + totals(who, each - before[item], people),
            float(old.sum()) + totals(who, each * mean - old[item], people),
        )

    def by_annotator(self) -> Table:
        """For each annotator: the coefficient without them, and how far they are from the others."""
        self._known("by annotator")
        study = self.distances.study
        out = self.left_out()
        with np.errstate(all="ignore"):
            each = self._of_annotators(np.ones(len(self.far)))
            far = self._of_annotators(self.far) / each
            agreement = self._of_annotators(self.scores) / each
        overall = float(self.scores @ self.weight) / float(self.weight.sum()) if len(self.scores) else math.nan
        without = [out.get(name, math.nan) for name in study.annotators]
        return Table(
            {
                "annotator": list(study.annotators),
                "annotations": np.bincount(study.annotator, minlength=len(study.annotators)).tolist(),
                "left out": without,
                "change": [value - overall for value in without],
                "distance from the rest": far.tolist(),
                "agreement with the rest": agreement.tolist(),
            },
            foot=FOOT,
        )

    def by_pair(self) -> Table:
        """For each two annotators with items in common: how many, their mean distance and their coefficient."""
        self._known("by pair")
        study, count = self.distances.study, len(self.distances.study.annotators)
        first, second = (side.astype(np.int64) for side in self._sides())
        cell = np.minimum(first, second) * count + np.maximum(first, second)
        cells, place = np.unique(cell, return_inverse=True)
        place = place.reshape(-1)
        times = np.bincount(place, minlength=len(cells))
        both = np.unique(place * self.distances.items + self.distances.pair_item) // max(self.distances.items, 1)
        return Table(
            {
                "first": [study.annotators[code] for code in (cells // count).tolist()],
                "second": [study.annotators[code] for code in (cells % count).tolist()],
                "items": np.bincount(both, minlength=len(cells)).tolist(),
                "distance": (totals(place, self.far, len(cells)) / times).tolist(),
                "agreement": (totals(place, self.scores, len(cells)) / times).tolist(),
            },
            foot=FOOT,
        )

    def by_value(self) -> Table:
        """The coefficient of each value against the rest, where values are simple."""
        if self.distances.study.kind.complex:
            raise no_table_by_value(self.measured.facts)
        return table_by_value(self.measured, self.distances.study)

    def largest(self) -> float | None:
        """The largest distance there can be, where that is known."""
        return 1.0 if self.distances.distance.bounded else None
