"""Scores of two annotators, made of sums over items.

Each two annotators of each item have a few numbers, such as the mentions that both linked and those that either did.
The score of the two is a function of the sums of these over their items.  For a study it is the mean over pairs of
annotators of their scores (``average="pairs"``), the score of the sums over all pairs, each taken both ways round
(``"pooled"``), or the mean over items of the mean score of the item's pairs (``"items"``).  Everything is a sum over
items, so that resampling them computes nothing again.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np

from interagree.arrays import Array, Booleans, Floats, Indices
from interagree.data import Annotations
from interagree.errors import KindError
from interagree.results.agreement import Parts, Sizes
from interagree.stats.engine.compress import Rows, table_of
from interagree.stats.engine.remeasured import Remeasured
from interagree.stats.engine.statistic import ItemSums
from interagree.stats.engine.weights import Observed
from interagree.stats.labels.ballots import all_within_items
from interagree.tables import Table

if TYPE_CHECKING:
    from interagree.stats.engine.measured import Measured

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
        """The pairs of a study in which nobody judged an item twice."""
        first, second = all_within_items(study)
        swap = study.annotator[first] > study.annotator[second]
        first, second = np.where(swap, second, first), np.where(swap, first, second)
        return cls(
            study.item[first].astype(np.intp),
            study.annotator[first].astype(np.intp),
            study.annotator[second].astype(np.intp),
            study.value[first].astype(np.intp),
            study.value[second].astype(np.intp),
        )

    def take(self, keep: Booleans) -> AnnotatorPairs:
        return AnnotatorPairs(*(column[keep] for column in self))


def known_annotators(study: Annotations, who: str) -> Annotations:
    """The first judgements of a study whose annotators are known, or an error that names what needs them."""
    if study.anonymous and len(study):
        raise KindError(
            f"{who} needs to know who gave which value, and this study was made from counts; read the annotations "
            "themselves"
        )
    return study.first_judgements()


def of_kind(data: Annotations, kind: str, who: str) -> tuple[Annotations, Any]:
    """A study taken as one of a kind, with the first judgement of each annotator, and its values packed."""
    study = known_annotators(data, who)
    if study.of_kind is None:
        study.check_kind(kind, who=who)
        study = study.cached(("taken as", kind), lambda: _taken(study, kind))
    return study, study.packed(kind, who=who)


def _taken(study: Annotations, kind: str) -> Annotations:
    if any(isinstance(value, str) for value in study.values):
        return study.taken_as(kind)  # which reads JSON
    return replace(study, of_kind=kind)


@dataclass(frozen=True, kw_only=True)
class PairSums(ItemSums):
    """The numbers of each two annotators of each item, and how often each item counts."""

    pairs: AnnotatorPairs
    cells: Floats  # pairs × numbers
    swap: Sequence[int]  # the numbers as they are with the two annotators the other way round
    average: Average
    sizes: Floats  # of each item of the study: how much an annotator has there on average
    things: str  # what that is called

    @classmethod
    def of(
        cls,
        study: Annotations,
        pairs: AnnotatorPairs,
        cells: Floats,
        *,
        swap: Sequence[int],
        average: Average,
        **further: Any,
    ) -> Self:
        """What two annotators of an item have in common, ready to be summed; ``further`` are fields of a subclass."""
        used = np.unique(pairs.item)
        pattern = np.full(len(study.items), -1, dtype=np.intp)
        pattern[used] = np.arange(len(used))
        given = np.bincount(study.item, minlength=len(study.items))
        made = cls(
            source=study,
            pairs=pairs,
            cells=cells,
            swap=swap,
            average=average,
            features=np.zeros((0, 0)),
            weights=Observed(np.ones(len(used))),
            pattern=pattern,
            n=Sizes(len(used), len(np.unique(study.annotator)), int(given[used].sum())),
            unpaired=int((given == 1).sum()),
            **further,
        )
        return replace(made, features=made._summands())

    @staticmethod
    @abstractmethod
    def score(sums: Array) -> Array:
        """The score of sums, numbers along the last axis; nan where there is nothing to score."""

    def _summands(self) -> Rows:
        """Items × what is summed over them."""
        row, count = self.pattern[self.pairs.item], self.n.items
        width = self.cells.shape[1]
        if self.average == "items":
            return _per_item(row, self.scores, count)
        if self.average == "pooled":
            both = self.cells + self.cells[:, list(self.swap)]
            return np.stack([np.bincount(row, column, count) for column in both.T], axis=1).reshape(count, width)
        pair, pairs = self.pair
        columns = (pair[:, None] * width + np.arange(width)).reshape(-1)
        return table_of(np.repeat(row, width), columns, self.cells.reshape(-1), (count, pairs * width))

    @cached_property
    def pair(self) -> tuple[Indices, int]:
        """Which two annotators each entry is of, and how many such couples there are."""
        known, pair = np.unique(
            self.pairs.first * (len(self.source.annotators) + 1) + self.pairs.second, return_inverse=True
        )
        return pair.reshape(-1), len(known)

    @cached_property
    def scores(self) -> Floats:
        """The score of each two annotators on each item by itself; nan where there is nothing to score."""
        with np.errstate(all="ignore"):
            return np.asarray(self.score(self.cells), dtype=np.float64)

    def parts(self) -> Parts:
        """One minus the score."""
        sums = self.sums()
        if self.average == "items":
            return Parts(1 - sums[..., 0] / sums[..., 1])
        if self.average == "pooled":
            return Parts(1 - self.score(sums))
        width = self.cells.shape[1]
        scores = self.score(sums.reshape(*sums.shape[:-1], sums.shape[-1] // width, width))
        known = ~np.isnan(np.real(scores))
        return Parts(1 - np.where(known, scores, 0).sum(-1) / known.sum(-1))

    def empty(self) -> int:
        """How many items have nothing to score."""
        known = np.bincount(self.pattern[self.pairs.item], ~np.isnan(self.scores), minlength=self.n.items)
        return int((known == 0).sum())

    def drill(self, measured: Measured[Self]) -> PairSumTables:
        return PairSumTables(self, measured)


def _per_item(row: Indices, scores: Floats, count: int) -> Floats:
    """For each item the mean of the scores that are known, and whether there is one."""
    known = ~np.isnan(scores)
    many = np.bincount(row[known], minlength=count)
    total = np.bincount(row[known], scores[known], minlength=count)
    return np.stack([total / np.maximum(many, 1), many > 0], axis=1).astype(np.float64)


@dataclass(frozen=True)
class PairSumTables(Remeasured[PairSums]):
    """The drill-down of a score of two annotators."""

    def by_item(self) -> Table:
        """For each item: its annotations, how much there is of what is scored, and the mean score of its pairs."""
        sums = self.statistic
        study, things = sums.source, sums.things
        mean, known = _per_item(sums.pattern[sums.pairs.item], sums.scores, sums.n.items).T
        given = np.bincount(study.item, minlength=len(study.items))
        rows = [
            {
                "item": study.items[item],
                "annotations": int(given[item]),
                things: float(sums.sizes[item]),
                "disagreement": float(1 - mean[place]) if known[place] else math.nan,
                "agreement": float(mean[place]) if known[place] else math.nan,
            }
            for place, item in enumerate(np.flatnonzero(sums.pattern >= 0).tolist())
        ]
        names = ("item", "annotations", things, "disagreement", "agreement")
        foot = f"{things}: the mean over annotators; agreement: the mean over pairs"
        return Table.of(rows, names=names, foot=foot)
