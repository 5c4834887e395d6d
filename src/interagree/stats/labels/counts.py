"""Counts: how many annotators gave each item each value, with items that look alike taken together.

Everything that does not depend on *who* gave a value is a function of this table: percent agreement, Scott,
Fleiss, Gwet, Bennett, Krippendorff.  A million items of five annotators and five values have at most 252
different rows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, Self, TypeVar

import numpy as np

from interagree.arrays import Array, Booleans, Floats, Indices
from interagree.data import Annotations, as_annotations
from interagree.data.codes import occurring
from interagree.data.levels import Level
from interagree.data.provenance import Provenance, Step
from interagree.data.types import IntoAnnotations, Lazy, Value
from interagree.data.values import key
from interagree.errors import KindError
from interagree.kinds import Recognised, recognised
from interagree.results.agreement import Sizes
from interagree.stats.engine.compress import (
    Distinct,
    Rows,
    SparseTable,
    count_cells,
    dense,
    distinct_rows,
    row_sums,
    scaled,
)
from interagree.stats.engine.statistic import reweighted
from interagree.stats.engine.weights import Observed, Weights
from interagree.stats.labels.distance_table import DistanceTable, unequal_pairs
from interagree.stats.labels.made_up import made_up, room_for

DENSE = 50_000_000  # cells of a table of items and values above which it is kept sparse
LARGEST = 500_000_000  # cells of a table of items and pairs of values

T = TypeVar("T")
NOWHERE = Provenance()

Weigh = Callable[["Counts"], Floats]


class Placed(NamedTuple):
    """The patterns of a statistic of a table in its database, as the database tells them."""

    scan: Lazy | None  # None once it was pickled
    votes: bool  # whether they tell who gave what
    rows: Array


def annotations_of(data: IntoAnnotations) -> Annotations:
    """The annotations themselves, for what does not name items; of a database made of patterns, or else fetched."""
    if isinstance(data, Annotations):
        return data
    return data.unnamed() if isinstance(data, Lazy) else as_annotations(data)


@dataclass(frozen=True)
class Counts:
    """Distinct rows of counts per value, and how many items show each."""

    rows: Rows  # patterns × values
    weights: Weights
    values: Sequence[Value]
    in_order: bool
    n: Sizes
    pattern: Indices | None = None  # of each item of the source; -1 where it does not count
    source: Annotations | None = None
    provenance: Provenance = NOWHERE
    unpaired: int = 0  # items that were left out because they had one annotation
    least: int = 0  # how many annotations an item must have to count
    order_declared: bool = False  # whether somebody said that the order means something, where there is no source
    scan: Lazy | None = field(default=None, repr=False)  # the table that they were counted in, while it is open

    @classmethod
    def of(cls, data: IntoAnnotations | Counts) -> Counts:
        """The counts of anything that holds annotations, or of counts that are there already."""
        if isinstance(data, Counts):
            return data
        if isinstance(data, Lazy):
            if not data.fetches:
                return Counts.from_scan(data)
            data = data.fetch()
        study = as_annotations(data)
        counts: Counts = study.cached("counts", lambda: Counts._of(study))
        return counts

    @classmethod
    def _of(cls, study: Annotations) -> Counts:
        items, size = len(study.items), len(study.values)
        annotators = None if study.anonymous else present_annotators(study)
        if items * size <= DENSE:
            table = count_cells(study.item, study.value, (items, size), most=_most(study))
            distinct = distinct_rows(table)
            rows: Rows = table[distinct.first].astype(np.float64)
        else:
            distinct, rows = _sparse(study)
        some = row_sums(rows) > 0  # an item that nobody annotated does not count
        made = cls(
            rows,
            Observed(distinct.times),
            study.values,
            study.in_order,
            Sizes(items, annotators, len(study)),
            distinct.inverse,
            study,
            study.provenance,
        )
        return made if some.all() else made.keeping(some)

    @classmethod
    def from_scan(cls, scan: Lazy, patterns: tuple[Array, Array] | None = None) -> Counts:
        """The counts of a table that stays in its database; only the patterns are fetched, if they are not there."""
        rows, times = patterns or scan.patterns()
        first = distinct_rows(rows).first if patterns is None else slice(None)  # the order that they have in memory
        rows, weights = np.asarray(rows[first], dtype=np.float64), Observed(np.asarray(times[first], dtype=np.float64))
        return cls(
            rows,
            weights,
            scan.values,
            scan.in_order,
            Sizes(int(times.sum()), len(scan.annotators), int(weights.sum(rows.sum(axis=1)))),
            None,
            None,
            scan.provenance.then(Step("queried", scan.engine)),
            order_declared=scan.ordered,
            scan=scan,
        )

    @property
    def placed(self) -> Placed | None:
        """The rows of counts; None where the annotations themselves are there."""
        return Placed(self.scan, votes=False, rows=dense(self.rows)) if self.source is None else None

    def __getstate__(self) -> dict[str, object]:
        """What is pickled: all but the table in its database, whose connection stays where it is."""
        return {**self.__dict__, "scan": None}

    # -- what they hold ------------------------------------------------------------------------------------

    @cached_property
    def size(self) -> Floats:
        """How many annotations an item of each pattern has."""
        return row_sums(self.rows)

    @cached_property
    def paired(self) -> Floats:
        """1 for the patterns with two annotations or more, which can agree or not; 0 for the others."""
        return (self.size >= 2).astype(np.float64)

    @cached_property
    def pairs(self) -> Floats:
        """How many ordered pairs of annotations an item of each pattern has, and 1 where it has none."""
        return np.maximum(self.size * (self.size - 1), 1)

    @cached_property
    def unequal_pairs(self) -> Floats:
        """How many of them are of two values."""
        return unequal_pairs(self.rows)

    @property
    def recognised(self) -> Recognised:
        """What the values are, as the study decided it."""
        if self.source is not None:
            return self.source.recognised
        return recognised(self.values, ordered=self.order_declared or None, stated=self.in_order)

    @property
    def level(self) -> Level:
        """On which level the values are measured, as the study decided it."""
        if self.source is not None:
            return self.source.level
        return Level.of(self.recognised, "declaration" if self.in_order else "cells")

    @property
    def width(self) -> int:
        return len(self.values) + 8

    @property
    def items(self) -> Array:
        return self.weights.sum(np.ones(len(self.size)))

    @property
    def total(self) -> Array:
        return self.weights.sum(self.size)

    def once(self, name: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` gives, made once for these counts; a copy with other weights makes its own."""
        weights, made = self.__dict__.get("_made", (None, {}))
        if weights is not self.weights:
            made = {}
            self.__dict__["_made"] = self.weights, made
        if name not in made:
            made[name] = make()
        found: T = made[name]
        return found

    def at_least(self, annotations: int) -> Self:
        """Without the items that have fewer annotations than this."""
        return self.once(("at least", annotations), lambda: self._at_least(annotations))

    def _at_least(self, annotations: int) -> Self:
        keep = self.size >= annotations
        return replace(self if keep.all() else self.keeping(keep), least=annotations)

    def keeping(self, keep: Booleans) -> Self:
        """The counts of some patterns alone; the items that go are counted as unpaired."""
        times = self.weights.matrix()
        pattern = self.pattern
        if pattern is not None:
            place = np.where(keep, np.cumsum(keep) - 1, -1)
            pattern = np.where(pattern >= 0, place[pattern], -1)
        lost = ~keep & (self.size > 0)
        dropped = int(times[lost].sum())
        n = Sizes(int(times[keep].sum()), self.n.annotators, int((times * self.size)[keep].sum()))
        return replace(
            self,
            rows=self.rows[keep],
            weights=Observed(times[keep]),
            n=n,
            pattern=pattern,
            unpaired=self.unpaired + dropped,
        )

    def versus_rest(self, label: Value) -> Self:
        """The counts of one value and of all others together, which come first."""
        one = dense(self.rows)[:, [list(map(key, self.values)).index(key(label))]]
        return replace(self, rows=np.hstack([self.size[:, None] - one, one]), values=(False, label), in_order=False)

    def weighted(self, weights: Weights) -> Self:
        return reweighted(self, weights)

    def smoothed(self) -> Self | None:
        """The counts with made-up items that have as many annotations as most have."""
        size, rows = len(self.values), self.rows
        if not room_for(rows, size):
            return None
        made, times = made_up(size), self.weights.matrix()
        people = max(2, round(float(times @ self.size) / float(times.sum())))
        added = people // 2 * np.eye(size)[made.second] + (people - people // 2) * np.eye(size)[made.first]
        return replace(self, rows=np.vstack([rows, added]), weights=Observed(np.r_[times, made.times]))

    # -- what measures ask for -----------------------------------------------------------------------------

    def mean(self, per_pattern: Floats, weigh: Weigh) -> Array:
        """The weighted mean over items of a number that each pattern has."""
        weight = weigh(self)
        return self.weights.sum(weight * per_pattern) / self.weights.sum(weight)

    def shares(self, weigh: Weigh) -> Array:
        """How much of the annotations each value has; an item counts as it is weighed."""
        weight = weigh(self)
        return self.weights.sum(scaled(self.shares_of_items, weight)) / self.weights.sum(weight)[..., None]

    @cached_property
    def shares_of_items(self) -> Rows:
        """Each pattern's counts as shares."""
        return scaled(self.rows, 1 / np.maximum(self.size, 1))

    @property
    def frequency(self) -> Array:
        return self.weights.sum(self.rows)

    def disagreement(self, distances: DistanceTable, weigh: Weigh) -> Array:
        """The mean distance of two annotations of one item; an item counts as it is weighed."""
        weight = weigh(self) * self.paired
        return self.apart(distances, weight) / self.weights.sum(weight)

    def apart(self, distances: DistanceTable, weight: Floats) -> Array:
        """The same before it is divided: the sum over items of the mean distance in each, times its weight."""
        pairs = self.pairs
        if not distances.counted:
            within = self.unequal_pairs if distances.distance.equality else distances.within(self.rows)
            return self.weights.sum(weight * within / pairs)
        # The distances depend on the counts, and so change with the weights: keep all pairs of values apart.
        size = len(self.values)
        if len(self.size) * size * size > LARGEST:
            raise KindError(
                f"{len(self.size):,} different items with {size:,} distinct values are too many for the "
                f"{distances.distance.name} distance, which needs a cell for each pair of values in each (the most "
                f"is {LARGEST:,} cells); take alpha of the annotations themselves, which needs no such table"
            )
        rows = dense(self.rows)
        both = (rows[:, :, None] * rows[:, None, :]).reshape(len(rows), size * size)
        both *= (weight / pairs)[:, None]
        table = distances.table(self.frequency)
        together = self.weights.sum(both).reshape(*table.shape[:-2], size, size)
        return np.asarray((together * table).sum((-1, -2)))

    def coincidences(self) -> Floats:
        """How often two values meet in one item, each annotation counting once (Krippendorff's table)."""
        rows = dense(self.rows)
        weight = self.weights.matrix() * self.paired / np.maximum(self.size - 1, 1)
        table: Floats = (rows * weight[:, None]).T @ rows - np.diag(weight @ rows)
        return table


def flat(counts: Counts) -> Floats:
    """Every item counts once."""
    return np.ones(len(counts.size))


def per_annotation(counts: Counts) -> Floats:
    """Every item counts once for each of its annotations."""
    return counts.size


def _most(study: Annotations) -> int:
    """How many annotations of one value an item can have at the most."""
    once = study.occasion is None and not study.anonymous
    return len(study.annotators) if once else len(study)


def present_annotators(study: Annotations) -> int:
    """How many annotators gave at least one annotation."""
    return int(occurring(study.annotator, len(study.annotators)).present.sum())


def _sparse(study: Annotations) -> tuple[Distinct, SparseTable]:
    from scipy import sparse

    items, size = len(study.items), len(study.values)
    ones = np.ones(len(study))
    table = sparse.csr_array((ones, (study.item, study.value)), shape=(items, size))
    table.sum_duplicates()
    # One random number per row decides which rows are alike; equality with the first of the group confirms.
    fold = np.random.default_rng(0).random(size)
    keys = table @ fold
    _, first, inverse, times = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    if (table - table[first][inverse]).count_nonzero():  # pragma: no cover -- a collision of random numbers
        first = inverse = np.arange(items)
        times = np.ones(items, dtype=np.intp)
    return Distinct(first, times.astype(np.float64), inverse.reshape(-1)), table[first].tocsr()


def need_annotators(study: Annotations, title: str) -> None:
    """Stop where nobody knows who gave which value."""
    if study.anonymous and len(study):
        raise KindError(
            f"{title} must know who gave which value, and this study was made from counts; read the annotations "
            "themselves, or take a coefficient that does without, such as fleiss_kappa or alpha"
        )
