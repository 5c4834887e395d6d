"""The mean over pairs of annotators of a coefficient of two.

Every two annotators have a table of values × values.  Leaving out an item takes one from one cell of the
table of each pair that annotated it, so the exact jackknife only needs each pair's coefficient with one
taken from each of its cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interagree.data import Annotations, as_annotations
from interagree.data.provenance import Provenance
from interagree.errors import KindError
from interagree.results import Parts, Sizes
from interagree.stats.ballots import Ballots, pair_cells
from interagree.stats.chance import observed, own_urns
from interagree.stats.compress import totals
from interagree.stats.counts import Counts, need_annotators, present_annotators
from interagree.stats.spread import Spread
from interagree.stats.weights import (
    Floats,
    GroupsLeftOut,
    LeftOut,
    Many,
    Nudged,
    Observed,
    Recorded,
    Weights,
)

BLOCK = 4_000_000


@dataclass(frozen=True)
class MeanOfPairs:
    """All pairs of annotations of one item by two annotators, and each two annotators' table."""

    item: NDArray[np.intp]  # of each pair of annotations
    cell: NDArray[np.intp]  # of each pair of annotations: which distinct (pair of annotators, value, value)
    pair: NDArray[np.intp]  # of each distinct cell: which pair of annotators
    place: NDArray[np.intp]  # of each distinct cell: where in the table of that pair
    spread: Spread
    weights: Weights
    n: Sizes
    source: Annotations
    width: int
    pattern: NDArray[np.intp]
    provenance: Provenance
    paired: Floats | None = None
    unpaired: int = 0

    @classmethod
    def of(cls, data: Any, on: Callable[[Any], Spread], *, title: str) -> MeanOfPairs:
        """The pairs of anything that holds annotations."""
        study = as_annotations(data.collect() if hasattr(data, "patterns") else data).first_judgements()
        need_annotators(study, title)
        spread = on(study)
        size = len(study.values)
        folded = list(pair_cells(study))
        items = np.concatenate([np.zeros(0, dtype=np.intp), *(item for item, _ in folded)])
        keys = np.concatenate([np.zeros(0, dtype=np.int64), *(key for _, key in folded)])
        distinct, cell = np.unique(keys, return_inverse=True)
        _, pair = np.unique(distinct // (size * size), return_inverse=True)
        counted = np.bincount(study.item, minlength=len(study.items)) > 0
        pattern = np.where(counted, np.cumsum(counted) - 1, -1)
        present = present_annotators(study)
        return cls(
            pattern[items],
            cell.reshape(-1),
            pair.reshape(-1),
            distinct % (size * size),
            spread,
            Observed(np.ones(int(counted.sum()))),
            Sizes(int(counted.sum()), present, len(study)),
            study,
            1,  # all items are left out in one go, in blocks of its own
            pattern,
            study.provenance,
        )

    def weighted(self, weights: Weights) -> MeanOfPairs:
        """The same pairs, counted otherwise."""
        return replace(self, weights=weights)

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.spread.values)

    @property
    def times(self) -> Floats:
        """How often each distinct cell occurs."""
        return np.bincount(self.cell, minlength=len(self.pair)).astype(np.float64)

    def tables(self, times: Floats) -> Floats:
        """Every pair's table from how often each cell occurs."""
        count = int(self.pair.max(initial=-1)) + 1
        tables = np.zeros((count, self.size * self.size))
        tables[self.pair, self.place] = times
        return tables

    def parts_of(self, tables: Floats) -> tuple[Floats, Floats]:
        """The observed and expected disagreement of each table."""
        first, second = np.divmod(np.arange(self.size * self.size), self.size)
        one, two = np.eye(self.size)[first], np.eye(self.size)[second]
        counts = Counts(one + two, Many(tables), self.spread.values, self.spread.in_order, Sizes(0, 2, 0))
        both = Ballots(counts, np.hstack([one, two]), ("first", "second"))
        with np.errstate(all="ignore"):
            return observed(counts, self.spread), own_urns(both, self.spread)

    def kappas(self, tables: Floats) -> Floats:
        """The coefficient of each table; nan where undefined."""
        with np.errstate(all="ignore"):
            seen, chance = self.parts_of(tables)
            return np.where(chance > 0, 1 - seen / chance, np.nan)

    @property
    def defined(self) -> NDArray[np.bool_]:
        """Which pairs have a coefficient."""
        return np.isfinite(self.kappas(self.tables(self.times)))

    @property
    def undefined(self) -> str | None:
        """Why there is no mean, if there is none."""
        if not len(self.pair):
            return "no item has annotations by two annotators, so there is nothing to compare"
        return (
            None
            if self.defined.any()
            else "no pair of annotators has a defined kappa: each pair used one value alone"
        )

    @property
    def notes(self) -> Sequence[str]:
        """What was left out of the mean."""
        if self.undefined:
            return ()
        lost = int((~self.defined).sum())
        return (
            (f"{lost:,} pairs of annotators have no kappa of their own and are left out of the mean",)
            if lost
            else ()
        )

    def left_out(self, which: NDArray[np.intp]) -> Floats:
        """The mean without each of some items."""
        times = self.times
        tables = self.tables(times)
        whole = self.kappas(tables)
        less = np.empty(len(self.pair))
        step = max(1, BLOCK // (self.size * self.size))
        for start in range(0, len(less), step):
            here = slice(start, start + step)
            some = tables[self.pair[here]]
            some[np.arange(len(some)), self.place[here]] -= 1
            less[here] = self.kappas(some)
        # What one item changes: its pairs' coefficients give way to those without it.
        old, new = whole[self.pair][self.cell], less[self.cell]
        items = len(self.weights.matrix())
        change = totals(self.item, np.nan_to_num(new) - np.nan_to_num(old), items)
        count = totals(self.item, np.isfinite(new) * 1.0 - np.isfinite(old), items)
        with np.errstate(all="ignore"):
            means: Floats = (np.nansum(whole) + change) / (np.isfinite(whole).sum() + count)
        return means[which]

    def reweighted(self, rows: Floats) -> Floats:
        """The mean under each of many weights of the items."""
        found = []
        for weights in rows:
            times = totals(self.cell, weights[self.item], len(self.pair))
            kappas = self.kappas(self.tables(times))
            known = kappas[np.isfinite(kappas)]
            found.append(float(known.mean()) if len(known) else math.nan)
        return np.array(found)


def mean_parts(pairs: MeanOfPairs) -> Parts:
    """The mean coefficient, and the mean disagreements behind it."""
    weights = pairs.weights
    if isinstance(weights, LeftOut):
        values = pairs.weighted(Observed(weights.times)).left_out(weights.which)
        return Parts(values, None, values)
    if isinstance(weights, Many | GroupsLeftOut):
        values = pairs.reweighted(weights.matrix())
        return Parts(values, None, values)
    if isinstance(weights, Nudged | Recorded):
        raise KindError(
            "there is no published analytic error for a mean over pairs; take method='jackknife' or 'bootstrap'"
        )
    tables = pairs.tables(pairs.times)
    seen, chance = pairs.parts_of(tables)
    return Parts(float(np.nanmean(seen)), float(np.nanmean(chance)), float(np.nanmean(pairs.kappas(tables))))
