"""Scores of two annotators, made of sums over items.

Each two annotators of each item have a few numbers, such as the mentions that both linked and those that either did.
The score of the two is a function of the sums of these over their items.  For a study it is the mean over pairs of
annotators of their scores (``average="pairs"``), the score of the sums over all pairs, each taken both ways round
(``"pooled"``), or the mean over items of the mean score of the item's pairs (``"items"``).  Everything is a sum over
items, so that resampling them computes nothing again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import Annotations
from interagree.data.provenance import Provenance
from interagree.errors import KindError
from interagree.results.agreement import Parts, Sizes
from interagree.stats.engine.compress import in_groups, table_of
from interagree.stats.engine.remeasured import Remeasured
from interagree.stats.engine.weights import Observed, Weights
from interagree.stats.labels.ballots import within_items
from interagree.tables import Table

Average = Literal["pairs", "pooled", "items"]


class AnnotatorPairs(NamedTuple):
    """Every two annotators of every item: the item, the two, and the values that they gave."""

    item: Indices
    first: Indices  # annotators
    second: Indices
    value: Indices  # of the first
    other: Indices  # of the second

    @classmethod
    def of(cls, study: Annotations) -> AnnotatorPairs:
        """The meetings of a study in which nobody judged an item twice."""
        blocks = list(within_items(study))
        rows = [np.concatenate([np.zeros(0, dtype=np.intp), *some]) for some in zip(*blocks, strict=True)]
        one, two = rows or [np.zeros(0, dtype=np.intp)] * 2
        swap = study.annotator[one] > study.annotator[two]
        one, two = np.where(swap, two, one), np.where(swap, one, two)
        return cls(
            study.item[one].astype(np.intp),
            study.annotator[one].astype(np.intp),
            study.annotator[two].astype(np.intp),
            study.value[one].astype(np.intp),
            study.value[two].astype(np.intp),
        )

    def take(self, keep: Any) -> AnnotatorPairs:
        """Some of them."""
        return AnnotatorPairs(*(column[keep] for column in self))


def of_kind(data: Annotations, kind: str, who: str) -> tuple[Annotations, Any]:
    """A study taken as one of a kind, with the first judgement of each annotator, and its values packed."""
    if data.anonymous and len(data):
        raise KindError(
            f"{who} needs to know who gave which value, and this study was made from counts; read the annotations "
            "themselves"
        )
    study = data.first_judgements()
    if study.of_kind is None:
        study.check_kind(kind, who=who)
        study = study.cached(("taken as", kind), lambda: _taken(study, kind))

    return study, study.packed(kind, who=who)


def _taken(study: Annotations, kind: str) -> Annotations:
    if any(isinstance(value, str) for value in study.values):
        return study.taken_as(kind)  # which reads JSON
    return replace(study, of_kind=kind)


@dataclass(frozen=True)
class PairSums:
    """The numbers of each two annotators of each item, and how often each item counts."""

    source: Annotations
    meetings: AnnotatorPairs
    cells: Floats  # meetings × numbers
    score: Callable[[Any], Any]  # of sums, numbers along the last axis; nan where there is nothing to score
    swap: Sequence[int]  # the numbers as they are with the two annotators the other way round
    average: Average
    features: Any  # items × what is summed
    weights: Weights
    pattern: Indices  # of each item of the source; -1 where it does not count
    n: Sizes
    unpaired: int
    paired: Floats | None = None

    @classmethod
    def of(
        cls,
        study: Annotations,
        meetings: AnnotatorPairs,
        cells: Floats,
        score: Callable[[Any], Any],
        *,
        swap: Sequence[int],
        average: Average,
    ) -> PairSums:
        """What two annotators of an item have in common, ready to be summed."""
        there = np.unique(meetings.item)
        pattern = np.full(len(study.items), -1, dtype=np.intp)
        pattern[there] = np.arange(len(there))
        sizes = np.bincount(study.item, minlength=len(study.items))
        made = cls(
            study,
            meetings,
            cells,
            score,
            swap,
            average,
            None,
            Observed(np.ones(len(there))),
            pattern,
            Sizes(len(there), len(np.unique(study.annotator)), int(sizes[there].sum())),
            int((sizes == 1).sum()),
        )
        return replace(made, features=made.summands())

    def summands(self) -> Any:
        """Items × what is summed over them."""
        row, count = self.pattern[self.meetings.item], self.n.items
        width = self.cells.shape[1]
        if self.average == "items":
            return _per_item(row, self.alone(), count)
        if self.average == "pooled":
            both = self.cells + self.cells[:, list(self.swap)]
            return np.stack([np.bincount(row, one, count) for one in both.T], axis=1).reshape(count, width)
        pair, pairs = self.pair
        columns = (pair[:, None] * width + np.arange(width)).reshape(-1)
        return table_of(np.repeat(row, width), columns, self.cells.reshape(-1), (count, pairs * width))

    @cached_property
    def pair(self) -> tuple[Indices, int]:
        """Which pair of annotators each meeting is of, and how many pairs there are."""
        known, pair = np.unique(
            self.meetings.first * (len(self.source.annotators) + 1) + self.meetings.second,
            return_inverse=True,
        )
        return pair.reshape(-1), len(known)

    def alone(self) -> Floats:
        """The score of each meeting by itself; nan where there is nothing to score."""
        with np.errstate(all="ignore"):
            return np.asarray(self.score(self.cells), dtype=np.float64)

    @property
    def provenance(self) -> Provenance:
        """How the annotations came to be."""
        return self.source.provenance

    @property
    def width(self) -> int:
        """How many numbers one resample holds."""
        return int(self.features.shape[1])

    def weighted(self, weights: Weights) -> PairSums:
        """The same items, counted otherwise."""
        return replace(self, weights=weights)

    def grouped(self, group: Any) -> PairSums:
        """The same items, with groups of them to be resampled; ``group`` is that of each item of the study."""
        members, pattern = in_groups(self.pattern, group)
        weights = Observed(np.ones(members.shape[0]))
        return replace(self, features=members @ self.features, pattern=pattern, weights=weights)

    def parts(self) -> Parts:
        """One minus the score."""
        sums = np.asarray(self.weights.sum(self.features))
        if self.average == "items":
            return Parts(1 - sums[..., 0] / sums[..., 1])
        if self.average == "pooled":
            return Parts(1 - self.score(sums))
        width = self.cells.shape[1]
        scores = self.score(sums.reshape(*sums.shape[:-1], sums.shape[-1] // width, width))
        known = ~np.isnan(np.real(scores))
        return Parts(1 - np.where(known, scores, 0).sum(-1) / known.sum(-1))

    @property
    def value(self) -> float:
        """The coefficient; nan where there is nothing to score."""
        with np.errstate(all="ignore"):
            return float(1 - np.real(self.parts().observed))

    def empty(self) -> int:
        """How many items have nothing to score."""
        known = np.bincount(self.pattern[self.meetings.item], ~np.isnan(self.alone()), minlength=self.n.items)
        return int((known == 0).sum())


def _per_item(row: Indices, scores: Floats, count: int) -> Floats:
    """For each item the mean of the scores that are known, and whether there is one."""
    known = ~np.isnan(scores)
    many = np.bincount(row[known], minlength=count)
    total = np.bincount(row[known], scores[known], minlength=count)
    return np.stack([total / np.maximum(many, 1), many > 0], axis=1).astype(np.float64)


# -- drill-down ----------------------------------------------------------------------------------------------


class Counted(Protocol):
    """A statistic of annotations by known annotators."""

    @property
    def source(self) -> Annotations: ...
    @property
    def value(self) -> float: ...


@dataclass(frozen=True)
class StudyTables(Remeasured):
    """Drill-down by measuring parts of the study: ``again`` measures one, ``items`` has the rows by item."""

    statistic: Counted
    again: Callable[[Annotations], float]
    items: Callable[[], Table]

    def by_item(self) -> Table:
        """For each item its size and its agreement."""
        return self.items()

    @property
    def study(self) -> Annotations:
        """The annotations."""
        return self.statistic.source

    @property
    def whole(self) -> float:
        """The coefficient of all of them."""
        return self.statistic.value


def items_of_pairs(sums: PairSums, name: str, sizes: Floats) -> Table:
    """For each item: who looked, how much there is of what is called ``name``, and the mean score of its pairs."""
    row = sums.pattern[sums.meetings.item]
    count = sums.n.items
    mean, known = _per_item(row, sums.alone(), count).T
    study = sums.source
    people = np.bincount(study.item, minlength=len(study.items))
    there = np.flatnonzero(sums.pattern >= 0)
    rows = [
        {
            "item": study.items[item],
            "annotations": int(people[item]),
            name: float(sizes[item]),
            "disagreement": float(1 - mean[place]) if known[place] else math.nan,
            "agreement": float(mean[place]) if known[place] else math.nan,
        }
        for place, item in enumerate(there.tolist())
    ]
    names = ("item", "annotations", name, "disagreement", "agreement")
    return Table.of(
        rows, names=names, foot=f"{name}: the mean over annotators; agreement: the mean over pairs"
    )
