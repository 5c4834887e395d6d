"""Credit: what every two annotations of an item have in common, out of what they could have.

F1 of two annotations is hits over size: twice what was matched, over how much there is on both sides.  Sums over items
give the pooled F1; the other averages are sums as well, and so all of them are resampled without matching anything
again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from interagree.arrays import Booleans, Floats, Indices, Integers
from interagree.errors import KindError, listing
from interagree.results.agreement import Parts, Sizes
from interagree.stats.documents.checks import is_finite
from interagree.stats.engine.compress import distinct_rows, totals
from interagree.stats.engine.passed_on import PassedOn
from interagree.stats.engine.remeasured import Repeatable
from interagree.stats.engine.statistic import ItemSums, Published
from interagree.stats.engine.weights import LeftOut, Observed
from interagree.tables import Table

if TYPE_CHECKING:
    from interagree.stats.engine.measured import Measured

AVERAGES = ("micro", "documents", "labels", "pairs")


@dataclass(frozen=True)
class ByLabel:
    """The credit of pairs of annotations label by label; an entry for each pair and label that occurs."""

    names: tuple[str | None, ...]
    label: Indices
    pair: Indices
    hit: Floats
    size: Floats

    def of_pairs(self, keep: Booleans) -> ByLabel:
        """The same of some of the pairs, which are numbered anew."""
        inside = keep[self.pair]
        place = np.cumsum(keep) - 1
        return ByLabel(self.names, self.label[inside], place[self.pair[inside]], self.hit[inside], self.size[inside])

    def of_label(self, label: int) -> ByLabel:
        """The same of one label."""
        mine = self.label == label
        return ByLabel(self.names, self.label[mine], self.pair[mine], self.hit[mine], self.size[mine])


@dataclass(frozen=True, kw_only=True)
class Credit(ItemSums):
    """Pairs of annotations of one item, with what each has in common."""

    features: Floats
    item: Indices  # of each pair
    first: Indices  # the annotators
    second: Indices
    hit: Floats
    size: Floats
    find_labels: Callable[[], ByLabel]  # called when labels are needed
    average: str = "micro"
    empty: float | None = None  # what two empty annotations of an item count in the mean over documents
    chance: Floats | None = None  # the hits that chance would have given
    things: str = "spans"  # what is matched

    def folded(self) -> Self:
        """The same with its features and patterns, made of the pairs."""
        if self.average not in AVERAGES:
            raise KindError(f"average must be {listing(AVERAGES)}, got {self.average!r}")
        if self.empty is not None and not (is_finite(self.empty) and 0 <= self.empty <= 1):
            raise KindError(f"empty= is what two empty annotations count, from 0 to 1, got {self.empty!r}")
        source, rows = self.source, self.rows()
        # An item in which nobody marked anything says nothing, and does not make anything surer.
        informative = totals(self.item, self.size if self.empty is None else None, len(source.items))
        used = np.flatnonzero(informative)
        distinct = distinct_rows(_codes(rows[used]))
        pattern = np.full(len(source.items), -1, dtype=np.intp)
        pattern[used] = distinct.inverse
        given = np.bincount(source.item, minlength=len(source.items))
        people = len(np.unique(np.concatenate([self.first, self.second]))) or len(np.unique(source.annotator))
        return replace(
            self,
            features=rows[used][distinct.first],
            weights=Observed(distinct.times),
            pattern=pattern,
            n=Sizes(len(used), people, int(given[used].sum())),
            unpaired=int(np.count_nonzero(given == 1)),
        )

    @cached_property
    def labels(self) -> ByLabel:
        return self.find_labels()

    def rows(self) -> Floats:
        """For each item the sums that the coefficient is made of: hits, then sizes, then the hits of chance."""
        count = len(self.source.items)
        if self.average == "documents":
            share, known = self._each()
            parts = [totals(self.item[known], share[known], count), totals(self.item[known], None, count)]
        elif self.average == "labels":
            by = self.labels
            shape = (count, len(by.names))
            parts = [_dense(self.item[by.pair], by.label, entry, shape) for entry in (by.hit, by.size)]
        elif self.average == "pairs":
            place, names = self.couples
            shape = (count, len(names))
            parts = [_dense(self.item, place, entry, shape) for entry in (self.hit, self.size)]
        else:
            parts = [totals(self.item, entry, count) for entry in (self.hit, self.size)]
            if self.chance is not None:
                parts.append(totals(self.item, self.chance, count))
        return np.column_stack(parts)

    def _each(self) -> tuple[Floats, Booleans]:
        """F1 of each pair, and which pairs have one."""
        known = self.size > 0
        share = np.divide(self.hit, self.size, out=np.zeros(len(self.hit)), where=known)
        if self.empty is not None:
            share, known = np.where(known, share, self.empty), np.ones(len(share), dtype=bool)
        return share, known

    @cached_property
    def couples(self) -> tuple[Indices, list[tuple[int, int]]]:
        """Of each pair which two annotators it is of, and all those couples."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        people = len(self.source.annotators)
        cells, place = np.unique(low.astype(np.int64) * people + high, return_inverse=True)
        return place.reshape(-1), [(int(cell // people), int(cell % people)) for cell in cells]

    def parts(self) -> Parts:
        """One minus F1, and one minus that of chance."""
        sums = self.sums()
        if self.average in ("labels", "pairs"):
            half = self.width // 2
            hit, size = sums[..., :half], sums[..., half:]
            there = np.real(size) > 0
            each = np.where(there, hit / np.where(there, size, 1), 0)
            return Parts(1 - each.sum(-1) / there.sum(-1))
        hit, size = sums[..., 0], sums[..., 1]
        return Parts(1 - hit / size, None if self.chance is None else 1 - sums[..., 2] / size)

    def jackknife_influence(self) -> Floats:
        """What an item of each pattern adds to the error, from leaving it out.

        A mean of ratios changes with its last item, and its derivative does not know of it: with one item a ratio is
        the same whatever that weighs.
        """
        times = np.asarray(self.weights.matrix())
        items = float(times.sum())
        with np.errstate(all="ignore"):
            left = 1 - np.asarray(self.weighted(LeftOut(times, np.arange(len(times)))).parts().observed)
        left = np.where(np.isfinite(left), left, np.nanmean(left) if np.isfinite(left).any() else 0.0)
        influence: Floats = (items - 1) * (float(times @ left) / items - left)
        return influence

    def published(self) -> Published[Credit]:
        """The influence of items, where the derivative does not give it."""
        by_jackknife = self.average in ("labels", "pairs")
        return Published(influence=Credit.jackknife_influence if by_jackknife else None)

    def undefined(self) -> str | None:
        """Why there is no coefficient, where items have annotations by several annotators."""
        if not len(self.item) or (self.size > 0).any():
            return None
        return "nobody marked anything, so there is nothing to find"

    @property
    def silent(self) -> int:
        """How many items nobody marked anything in, of those that several looked at."""
        count = len(self.source.items)
        looked, marked = np.bincount(self.item, minlength=count), totals(self.item, self.size, count)
        return int(np.count_nonzero((looked > 0) & (marked == 0)))

    def of_pairs(self, keep: Booleans) -> float:
        """The coefficient of some of the pairs, chance being theirs."""
        some = replace(
            self,
            item=self.item[keep],
            first=self.first[keep],
            second=self.second[keep],
            hit=self.hit[keep],
            size=self.size[keep],
            find_labels=lambda: self.labels.of_pairs(keep),
            chance=None if self.chance is None else self.chance[keep],
        )
        rows = some.rows()
        return replace(some, features=rows, weights=Observed(np.ones(len(rows)))).value

    def drill(self, measured: Measured[Self]) -> CreditTables:
        return CreditTables(self, measured)


def precision_and_recall(right: float, given: int, gold: int) -> dict[str, float | None]:
    """Precision and recall against a gold standard; None where there is nothing to divide by."""
    return {"precision": right / given if given else None, "recall": right / gold if gold else None}


def _dense(row: Indices, column: Indices, entry: Floats, shape: tuple[int, int]) -> Floats:
    return totals(row * shape[1] + column, entry, shape[0] * shape[1]).reshape(shape)


def _codes(rows: Floats) -> Integers:
    """Rows of numbers as rows of whole numbers, the same for the same."""
    if not rows.size:
        return np.zeros((len(rows), 1), dtype=np.int64)
    return np.column_stack([np.unique(column, return_inverse=True)[1].reshape(-1) for column in rows.T])


def half(number: float) -> float:
    """Half of a number, as a whole number where it is one."""
    return int(number / 2) if number % 2 == 0 else number / 2


@dataclass(frozen=True)
class CreditTables:
    """Where annotators have little in common."""

    credit: Credit
    measured: Repeatable

    things = PassedOn[str]("credit")

    def _alone(self, first: int, second: int, theirs: Booleans) -> float:
        """The coefficient of two annotators alone, ``theirs`` being their pairs."""
        if self.credit.chance is None:
            return self.credit.of_pairs(theirs)
        # Chance depends on who takes part, so it is drawn anew.
        names = self.credit.source.annotators
        return self.measured.again(self.credit.source.only(annotators=(names[first], names[second]))).value

    def _without(self, code: int) -> float:
        if self.credit.chance is None:
            return self.credit.of_pairs(~self._pairs_with(code))
        return self.measured.again(self.credit.source.without(self.credit.source.annotators[code])).value

    def by_item(self) -> Table:
        """For each item: its annotations, what there is to match on average, and its coefficient."""
        c = self.credit
        count = len(c.source.items)
        pairs = np.bincount(c.item, minlength=count)
        there = np.flatnonzero(pairs)
        rows = np.bincount(c.source.item, minlength=count)
        hit, size = totals(c.item, c.hit, count), totals(c.item, c.size, count)
        with np.errstate(all="ignore"):
            share = hit / size
            table = {
                "item": [c.source.items[code] for code in there.tolist()],
                "annotations": rows[there].tolist(),
                self.things: (size / pairs / 2)[there].tolist(),
                "disagreement": (1 - share)[there].tolist(),
                "agreement": share[there].tolist(),
            }
            foot = f"{self.things}: how many an annotator has on average"
            if c.chance is not None:
                expected = totals(c.item, c.chance, count) / size
                table["expected"] = (1 - expected)[there].tolist()
                table["agreement"] = ((share - expected) / (1 - expected))[there].tolist()
        return Table(table, foot=foot)

    @cached_property
    def _annotators(self) -> list[int]:
        return sorted(set(self.credit.first.tolist()) | set(self.credit.second.tolist()))

    def by_pair(self) -> Table:
        """For each two annotators with items in common: how many, and the coefficient of the two alone."""
        c = self.credit
        place, couples = c.couples
        rows = []
        for k, (first, second) in enumerate(couples):
            theirs = place == k
            rows.append(
                {
                    "first": c.source.annotators[first],
                    "second": c.source.annotators[second],
                    "items": int(np.count_nonzero(theirs)),
                    self.things: half(float(c.size[theirs].sum())),
                    "agreement": self._alone(first, second, theirs),
                }
            )
        return Table.of(
            rows,
            names=("first", "second", "items", self.things, "agreement"),
            foot=f"{self.things}: how many the two have on average",
        )

    def left_out(self) -> dict[Hashable, float]:
        """For each annotator the coefficient of the pairs of the others."""
        c = self.credit
        if len(self._annotators) < 3:
            return {}
        return {c.source.annotators[code]: self._without(code) for code in self._annotators}

    def _pairs_with(self, code: int) -> Booleans:
        return np.asarray((self.credit.first == code) | (self.credit.second == code))

    def by_annotator(self) -> Table:
        """For each annotator: the coefficient without them, and that of their pairs."""
        c, out = self.credit, self.left_out()
        overall = c.of_pairs(np.ones(len(c.hit), dtype=bool))
        given = np.bincount(c.source.annotator, minlength=len(c.source.annotators))
        rows = []
        for code in self._annotators:
            name = c.source.annotators[code]
            without = out.get(name, math.nan)
            rows.append(
                {
                    "annotator": name,
                    "annotations": int(given[code]),
                    "left out": without,
                    "change": without - overall,
                    "agreement with the rest": c.of_pairs(self._pairs_with(code)),
                }
            )
        return Table.of(rows, names=("annotator", "annotations", "left out", "change", "agreement with the rest"))

    def by_value(self) -> Table:
        """For each label: how many there are on average, and the F1 of it alone."""
        by = self.credit.labels
        hit, size = totals(by.label, by.hit, len(by.names)), totals(by.label, by.size, len(by.names))
        pairs = max(len(self.credit.hit), 1)
        order = sorted(np.flatnonzero(size), key=lambda k: (by.names[k] is None, str(by.names[k])))
        rows = [
            {
                "label": by.names[k],
                self.things: float(size[k]) / 2 / pairs,
                "share": float(size[k] / size.sum()),
                "F1": float(hit[k] / size[k]),
            }
            for k in order
        ]
        return Table.of(
            rows,
            names=("label", self.things, "share", "F1"),
            foot=f"{self.things}: how many an annotator has in a document on average",
        )

    def largest(self) -> float:
        """The largest disagreement there can be."""
        return 1.0
