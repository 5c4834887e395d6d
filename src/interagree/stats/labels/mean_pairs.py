"""The mean over pairs of annotators of a coefficient of two.

Every two annotators have a table of values × values.  All the tables together are one product: that of the votes with
themselves.  Leaving out an item takes one from one cell of the table of each pair that annotated it, so the exact
jackknife only needs each pair's coefficient with one taken from each of its cells.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.data import Annotations
from interagree.data.levels import Level
from interagree.data.provenance import Provenance
from interagree.data.types import IntoAnnotations, Value
from interagree.errors import Advice, Hint, KindError, OneOf
from interagree.kinds import Recognised
from interagree.results.agreement import Parts, Sizes
from interagree.stats.engine.compress import Rows, product, row_sums, table_of
from interagree.stats.engine.passed_on import PassedOn
from interagree.stats.engine.weights import GroupsLeftOut, LeftOut, Many, Nudged, Observed, Recorded, Weights
from interagree.stats.labels.ballots import Ballots, Cells, pair_cells
from interagree.stats.labels.chance import observed, own_urns
from interagree.stats.labels.counts import Counts, Placed
from interagree.stats.labels.distance_table import DistanceTable
from interagree.stats.labels.labelled import Labels, OnValues

BLOCK = 4_000_000  # numbers that are held at once


@dataclass(frozen=True)
class MeanOfPairs(Labels):
    """Ballots, and each two annotators' table."""

    ballots: Ballots
    distances: DistanceTable
    weights: Weights
    width: int = 1  # all patterns are left out in one go, in blocks of its own

    @classmethod
    def of(cls, data: IntoAnnotations | Ballots, on_values: OnValues, *, title: str) -> MeanOfPairs:
        """The pairs of anything that holds annotations."""
        ballots = Ballots.of(data, title=title)
        return cls(ballots, on_values(ballots.counts), ballots.weights)

    @property
    def bounded(self) -> bool:
        """A mean over pairs is not made of a mean disagreement, so none is shown as an agreement above one."""
        return True

    def distance_table(self) -> DistanceTable:
        return self.distances

    n = PassedOn[Sizes]("ballots")
    source = PassedOn[Annotations | None]("ballots")
    pattern = PassedOn[Indices | None]("ballots")
    provenance = PassedOn[Provenance]("ballots")

    placed = PassedOn[Placed | None]("ballots")

    def possible_values(self) -> Sequence[Value]:
        return self.distances.values

    def recognised_values(self) -> Recognised:
        return self.ballots.counts.recognised

    @property
    def level(self) -> Level:
        return self.ballots.counts.level

    @property
    def size(self) -> int:
        return len(self.distances.values)

    @cached_property
    def votes(self) -> Rows:
        """Patterns × (annotators · values)."""
        return self.ballots.multipliable

    @cached_property
    def cells(self) -> Cells:
        """The cells of all tables, as observed."""
        return pair_cells(self.votes, self.ballots.weights.matrix(), self.size)

    @cached_property
    def pair(self) -> Indices:
        """Which pair of annotators each cell belongs to."""
        people, size = len(self.ballots.annotators), self.size
        first, second = self.cells.row // size, self.cells.column // size
        pair: Indices = np.unique(first.astype(np.int64) * people + second, return_inverse=True)[1]
        return pair.reshape(-1)

    @cached_property
    def place(self) -> Indices:
        """Where in the table of its pair each cell is."""
        place: Indices = self.cells.row % self.size * self.size + self.cells.column % self.size
        return place

    def tables(self, times: Floats) -> Floats:
        """Every pair's table from how often each cell occurs."""
        tables = np.zeros((int(self.pair.max(initial=-1)) + 1, self.size * self.size))
        tables[self.pair, self.place] = times
        return tables

    def parts_of(self, tables: Floats) -> tuple[Floats, Floats]:
        """The observed and expected disagreement of each table."""
        first, second = np.divmod(np.arange(self.size * self.size), self.size)
        one, two = np.eye(self.size)[first], np.eye(self.size)[second]
        counts = Counts(one + two, Many(tables), self.distances.values, self.distances.in_order, Sizes(0, 2, 0))
        both = Ballots(counts, np.hstack([one, two]), ("first", "second"))
        with np.errstate(all="ignore"):
            return observed(counts, self.distances), own_urns(both, self.distances)

    def kappas(self, tables: Floats) -> Floats:
        """The coefficient of each table; nan where undefined."""
        with np.errstate(all="ignore"):
            seen, chance = self.parts_of(tables)
            return np.where(chance > 0, 1 - seen / chance, np.nan)

    @property
    def defined(self) -> Booleans:
        """Which pairs have a coefficient."""
        return np.isfinite(self.kappas(self.tables(self.cells.times)))

    def undefined(self) -> str | None:
        """Why there is no mean, if there is none."""
        if not len(self.pair):
            return "no item has annotations by two annotators, so there is nothing to compare"
        if self.defined.any():
            return None
        return "no pair of annotators has a defined kappa: each pair used one value alone"

    def notes(self) -> Sequence[str]:
        lost = 0 if self.undefined() else int((~self.defined).sum())
        note = f"{lost:,} pairs of annotators have no kappa of their own and are left out of the mean"
        return [*super().notes(), note] if lost else super().notes()

    def details(self) -> Mapping[str, object]:
        """How many pairs the mean is of."""
        return {"pairs": int(self.defined.sum())}

    def left_out(self, which: Indices) -> Floats:
        """The mean without one item of each of some patterns."""
        tables = self.tables(self.cells.times)
        whole = self.kappas(tables)
        less = np.empty(len(self.pair))
        step = max(1, BLOCK // (self.size * self.size))
        for start in range(0, len(less), step):
            here = slice(start, start + step)
            some = tables[self.pair[here]]
            some[np.arange(len(some)), self.place[here]] -= 1
            less[here] = self.kappas(some)
        # What one item changes: its pairs' coefficients give way to those without it.
        old = whole[self.pair]
        change = self._per_pattern(np.nan_to_num(less) - np.nan_to_num(old))
        count = self._per_pattern(np.isfinite(less) * 1.0 - np.isfinite(old))
        with np.errstate(all="ignore"):
            means: Floats = (np.nansum(whole) + change) / (np.isfinite(whole).sum() + count)
        return means[which]

    def smoothed(self) -> Self | None:
        """The same with made-up items, where every two annotators have a table to which they add."""
        people = len(self.ballots.annotators)
        if int(self.pair.max(initial=-1)) + 1 < people * (people - 1) // 2:
            return None
        ballots = self.ballots.smoothed()
        return None if ballots is None else type(self)(ballots, self.distances, ballots.weights)

    def _per_pattern(self, of_cell: Floats) -> Floats:
        """For each pattern the sum over its pairs of annotations of what their cell has."""
        votes, columns = self.votes, self.votes.shape[1]
        square = table_of(self.cells.row, self.cells.column, of_cell, (columns, columns))
        step = max(1, BLOCK // max(columns, 1))
        blocks = []
        for at in range(0, votes.shape[0], step):
            part = votes[at : at + step]
            blocks.append(row_sums(product(part, part @ square)))
        return np.concatenate([np.zeros(0), *blocks])

    def reweighted(self, rows: Floats) -> Floats:
        """The mean under each of many weights of the patterns."""
        cells, columns = self.cells, self.votes.shape[1]
        known = cells.row.astype(np.int64) * columns + cells.column
        order = np.argsort(known)
        means = []
        for weights in rows:
            row, column, often = pair_cells(self.votes, weights, self.size)
            times = np.zeros(len(known))
            times[order[np.searchsorted(known, row.astype(np.int64) * columns + column, sorter=order)]] = often
            kappas = self.kappas(self.tables(times))
            defined = kappas[np.isfinite(kappas)]
            means.append(float(defined.mean()) if len(defined) else math.nan)
        return np.array(means)


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
            Advice.of(
                "there is no published analytic error for a mean over pairs; take ",
                Hint("method", OneOf(("jackknife", "bootstrap"))),
            )
        )
    tables = pairs.tables(pairs.cells.times)
    seen, chance = pairs.parts_of(tables)
    return Parts(float(np.nanmean(seen)), float(np.nanmean(chance)), float(np.nanmean(pairs.kappas(tables))))
