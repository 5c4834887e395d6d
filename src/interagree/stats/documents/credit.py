"""Credit: what every two annotations of an item have in common, out of what they could have.

F1 of two annotations is hits over size: twice what was matched, over how much there is on both sides.  Sums over items
give the pooled F1; the other averages are sums as well, and so all of them are resampled without matching anything
again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import Annotations
from interagree.data.provenance import Provenance
from interagree.errors import KindError, listing
from interagree.results.agreement import Parts, Sizes
from interagree.stats.documents.continuum import is_finite
from interagree.stats.engine.compress import distinct_rows, in_groups, table_of, totals
from interagree.stats.engine.weights import LeftOut, Observed, Weights
from interagree.tables import Table

AVERAGES = ("micro", "documents", "labels", "pairs")


@dataclass(frozen=True)
class ByLabel:
    """The credit of pairs of annotations label by label; an entry for each pair and label that occurs."""

    names: tuple[Any, ...]
    label: Indices
    pair: Indices
    hit: Floats
    size: Floats

    def of_pairs(self, keep: Any) -> ByLabel:
        """The same of some of the pairs, which are numbered anew."""
        inside = keep[self.pair]
        place = np.cumsum(keep) - 1
        return ByLabel(
            self.names, self.label[inside], place[self.pair[inside]], self.hit[inside], self.size[inside]
        )

    def of_label(self, label: int) -> ByLabel:
        """The same of one label."""
        mine = self.label == label
        return ByLabel(self.names, self.label[mine], self.pair[mine], self.hit[mine], self.size[mine])


@dataclass(frozen=True)
class Credit:
    """Pairs of annotations of one item, with what each has in common."""

    source: Annotations
    item: Indices  # of each pair
    first: Indices  # the annotators
    second: Indices
    hit: Floats
    size: Floats
    find_labels: Callable[[], ByLabel]  # asked when labels are needed
    average: str = "micro"
    empty: float | None = None  # what two empty annotations of an item count in the mean over documents
    chance: Floats | None = None  # the hits that chance would have given
    features: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    weights: Weights = field(default_factory=lambda: Observed(np.zeros(0)))
    pattern: Indices = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    unpaired: int = 0  # items with one annotation
    paired: None = None

    @classmethod
    def of(  # noqa: PLR0917 -- columns by place
        cls,
        source: Annotations,
        item: Indices,
        first: Indices,
        second: Indices,
        hit: Floats,
        size: Floats,
        find_labels: Callable[[], ByLabel],
        *,
        average: str = "micro",
        empty: float | None = None,
        chance: Floats | None = None,
    ) -> Credit:
        """The statistic of pairs of annotations; the arguments are told above."""
        if average not in AVERAGES:
            raise KindError(f"average must be {listing(AVERAGES)}, got {average!r}")
        if empty is not None and not (is_finite(empty) and 0 <= empty <= 1):
            raise KindError(f"empty= is what two empty annotations count, from 0 to 1, got {empty!r}")
        made = cls(source, item, first, second, hit, size, find_labels, average, empty, chance)
        rows = made._rows()
        # An item in which nobody marked anything says nothing, and does not make anything surer.
        told = totals(item, size if empty is None else None, len(source.items))
        there = np.flatnonzero(told)
        found = distinct_rows(_codes(rows[there]))
        pattern = np.full(len(source.items), -1, dtype=np.intp)
        pattern[there] = found.inverse
        sizes = np.bincount(source.item, minlength=len(source.items))
        return replace(
            made,
            features=rows[there][found.first],
            weights=Observed(found.times),
            pattern=pattern,
            unpaired=int(np.count_nonzero(sizes == 1)),
        )

    @cached_property
    def labels(self) -> ByLabel:
        """The credit label by label."""
        return self.find_labels()

    def _rows(self) -> Floats:
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

    def _each(self) -> tuple[Floats, Any]:
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

    @property
    def n(self) -> Sizes:
        """How much there is to compare."""
        rows = np.bincount(self.source.item, minlength=len(self.source.items))[self.pattern >= 0]
        people = len(np.unique(np.concatenate([self.first, self.second])))
        if not people:
            people = len(np.unique(self.source.annotator))
        return Sizes(int(np.count_nonzero(self.pattern >= 0)), people, int(rows.sum()))

    @property
    def provenance(self) -> Provenance:
        """How the annotations came to be."""
        return self.source.provenance

    @property
    def width(self) -> int:
        """How many numbers one resample holds."""
        return int(self.features.shape[1])

    def weighted(self, weights: Weights) -> Credit:
        """The same items, counted otherwise."""
        return replace(self, weights=weights)

    def grouped(self, group: Any) -> Credit:
        """The same items, with groups of them to be resampled; ``group`` is that of each item of the study."""
        members, pattern = in_groups(self.pattern, group)
        weights = Observed(np.ones(members.shape[0]))
        return replace(self, features=members @ self.features, pattern=pattern, weights=weights)

    def parts(self) -> Parts:
        """One minus F1, and one minus that of chance."""
        sums = np.asarray(self.weights.sum(self.features))
        if self.average in ("labels", "pairs"):
            half = self.width // 2
            hit, size = sums[..., :half], sums[..., half:]
            there = np.real(size) > 0
            each = np.where(there, hit / np.where(there, size, 1), 0)
            return Parts(1 - each.sum(-1) / there.sum(-1))
        hit, size = sums[..., 0], sums[..., 1]
        return Parts(1 - hit / size, None if self.chance is None else 1 - sums[..., 2] / size)

    def moves(self) -> Floats:
        """What an item of each pattern adds to the error, from leaving it out.

        A mean of ratios is moved by its last item, and its derivative does not know of it: with one item a ratio is the
        same whatever that weighs.
        """
        times = np.asarray(self.weights.matrix())
        items = float(times.sum())
        with np.errstate(all="ignore"):
            left = 1 - np.asarray(self.weighted(LeftOut(times, np.arange(len(times)))).parts().observed)
        left = np.where(np.isfinite(left), left, np.nanmean(left) if np.isfinite(left).any() else 0.0)
        moved: Floats = (items - 1) * (float(times @ left) / items - left)
        return moved

    @property
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

    def value(self, keep: Any) -> float:
        """The coefficient of some of the pairs, chance being theirs."""
        some = Credit(
            self.source,
            self.item[keep],
            self.first[keep],
            self.second[keep],
            self.hit[keep],
            self.size[keep],
            lambda: self.labels.of_pairs(keep),
            self.average,
            self.empty,
            None if self.chance is None else self.chance[keep],
        )
        rows = some._rows()
        with np.errstate(all="ignore"):
            found = replace(some, features=rows, weights=Observed(np.ones(len(rows)))).parts()
            value = 1 - found.observed if found.expected is None else 1 - found.observed / found.expected
        return float(value)


def _dense(row: Indices, column: Indices, entry: Floats, shape: tuple[int, int]) -> Floats:
    table = table_of(row, column, entry, shape)
    return np.asarray(table.toarray() if hasattr(table, "toarray") else table, dtype=np.float64)


def _codes(rows: Floats) -> Any:
    """Rows of numbers as rows of whole numbers, the same for the same."""
    if not rows.size:
        return np.zeros((len(rows), 1), dtype=np.int64)
    return np.column_stack([np.unique(column, return_inverse=True)[1].reshape(-1) for column in rows.T])


# -- drill-down ----------------------------------------------------------------------------------------------


def half(number: float) -> float:
    """Half of a number, whole where it is."""
    return int(number / 2) if number % 2 == 0 else number / 2


@dataclass(frozen=True)
class CreditTables:
    """Where annotators have little in common."""

    credit: Credit
    things: str = "spans"  # what is matched
    again: Callable[[Annotations], float] | None = (
        None  # for a coefficient whose chance depends on who takes part
    )

    def _alone(self, one: int, two: int, hers: Any) -> float:
        """The coefficient of two annotators alone, ``hers`` being their pairs."""
        if self.again is None:
            return self.credit.value(hers)
        names = self.credit.source.annotators
        return self.again(self.credit.source.only(annotators=(names[one], names[two])))

    def _without(self, code: int) -> float:
        if self.again is None:
            return self.credit.value(~self._hers(code))
        return self.again(self.credit.source.without(self.credit.source.annotators[code]))

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
    def _there(self) -> list[int]:
        return sorted(set(self.credit.first.tolist()) | set(self.credit.second.tolist()))

    def by_pair(self) -> Table:
        """For each two annotators with items in common: how many, and the coefficient of the two alone."""
        c = self.credit
        place, couples = c.couples
        rows = []
        for k, (one, two) in enumerate(couples):
            hers = place == k
            rows.append(
                {
                    "first": c.source.annotators[one],
                    "second": c.source.annotators[two],
                    "items": int(np.count_nonzero(hers)),
                    self.things: half(float(c.size[hers].sum())),
                    "agreement": self._alone(one, two, hers),
                }
            )
        return Table.of(
            rows,
            names=("first", "second", "items", self.things, "agreement"),
            foot=f"{self.things}: how many the two have on average",
        )

    def left_out(self) -> dict[Hashable, float]:
        """For each annotator the coefficient of the pairs without her."""
        c = self.credit
        if len(self._there) < 3:
            return {}
        return {c.source.annotators[code]: self._without(code) for code in self._there}

    def _hers(self, code: int) -> Any:
        return (self.credit.first == code) | (self.credit.second == code)

    def by_annotator(self) -> Table:
        """For each annotator: the coefficient without her, and that of her pairs."""
        c, out = self.credit, self.left_out()
        whole = c.value(np.ones(len(c.hit), dtype=bool))
        given = np.bincount(c.source.annotator, minlength=len(c.source.annotators))
        rows = []
        for code in self._there:
            name = c.source.annotators[code]
            without = out.get(name, math.nan)
            rows.append(
                {
                    "annotator": name,
                    "annotations": int(given[code]),
                    "left out": without,
                    "change": without - whole,
                    "agreement with the rest": c.value(self._hers(code)),
                }
            )
        return Table.of(
            rows, names=("annotator", "annotations", "left out", "change", "agreement with the rest")
        )

    def by_value(self) -> Table:
        """For each label: how many there are on average, and the F1 of it alone."""
        by = self.credit.labels
        hit, size = totals(by.label, by.hit, len(by.names)), totals(by.label, by.size, len(by.names))
        pairs = max(len(self.credit.hit), 1)
        order = sorted(np.flatnonzero(size), key=lambda k: (by.names[k] is None, str(by.names[k])))
        rows: Sequence[dict[str, Any]] = [
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
