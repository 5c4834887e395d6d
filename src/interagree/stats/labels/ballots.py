"""Ballots: who gave which item which value, with items that look alike taken together."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from interagree.arrays import Array, Booleans, Floats, Indices, Integers
from interagree.data import Annotations
from interagree.data.memory import must_fit
from interagree.data.provenance import Provenance
from interagree.data.types import IntoAnnotations, Lazy
from interagree.errors import Wording
from interagree.results.agreement import Sizes
from interagree.stats.engine.compress import (
    Rows,
    SparseTable,
    SummableTable,
    count_cells,
    dense,
    distinct_rows,
    pairs_in_runs,
    ranks,
    row_sums,
    totals,
)
from interagree.stats.engine.passed_on import PassedOn
from interagree.stats.engine.weights import Observed, Weights
from interagree.stats.labels.counts import Counts, Placed, annotations_of, need_annotators, present_annotators
from interagree.stats.labels.made_up import made_up, room_for

DENSE = 30_000_000  # cells of a table of items and annotators above which items are not taken together
PER_LABEL = 24  # bytes that a label of an item takes where each label is compared by itself
PER_CELL = 16  # bytes that a cell of the tables of all pairs of annotators takes
PER_VOTE = 32  # bytes that an annotator and a value take while chance is told from what each annotator gave
PER_PAIR = 80  # bytes that a pair of annotations takes while its distance is found
WHOLE = 4_000_000  # cells of a table of patterns and votes above which it is kept sparse


@dataclass(frozen=True)
class Ballots:
    """Counts that also know who gave which value: one 0/1 column for each annotator and value."""

    counts: Counts
    votes: Array | SummableTable  # patterns × (annotators · values)
    annotators: Sequence[Hashable]
    left_out: int = 0  # items that not everybody annotated, where only complete ones count
    unpaired: int = 0

    @classmethod
    def of(cls, data: IntoAnnotations | Ballots, *, title: str = "this coefficient") -> Ballots:
        """The ballots of anything that holds annotations."""
        if isinstance(data, Ballots):
            return data
        if isinstance(data, Lazy) and data.in_place:
            return Ballots.from_scan(data)
        study = annotations_of(data)
        need_annotators(study, title)
        ballots: Ballots = study.cached("ballots", lambda: Ballots._of(study.first_judgements()))
        return ballots

    @classmethod
    def _of(cls, study: Annotations) -> Ballots:
        items, people, size = len(study.items), len(study.annotators), len(study.values)
        columns = people * size
        if items * people <= DENSE and people * np.log2(size + 1) < 62:
            table = np.zeros((items, people), dtype=np.int32)
            table[study.item, study.annotator] = study.value + 1
            first, times, pattern = distinct_rows(table)
            rows_of, cells = _cells(table[first], size)
        else:
            first, times, pattern = np.arange(items), np.ones(items), np.arange(items)
            rows_of, cells = (
                study.item.astype(np.intp, copy=False),
                study.annotator.astype(np.int64) * size + study.value,
            )
        count = len(times)
        votes = SparseVotes(rows_of, cells, (count, columns))
        rows: Rows
        if count * columns <= WHOLE:
            rows = votes.toarray().reshape(count, people, size).sum(axis=1)
        elif count * size <= DENSE:
            rows = count_cells(rows_of, cells % size, (count, size), most=people).astype(np.float64)
        else:
            rows = SparseVotes(rows_of, cells % size, (count, size)).sparse
        present = present_annotators(study)
        counts = Counts(
            rows,
            Observed(times),
            study.values,
            study.in_order,
            Sizes(items, present, len(study)),
            pattern,
            study,
            study.provenance,
        )
        made = cls(counts, votes.toarray() if count * columns <= WHOLE else votes, study.annotators)
        some = counts.size > 0
        return made if some.all() else made.keeping(some)

    @classmethod
    def from_scan(cls, scan: Lazy) -> Ballots:
        """The ballots of a table that stays in its database; only the patterns of who gave what are fetched."""
        table, times = scan.votes()
        first = distinct_rows(table).first  # the order that they have in memory
        size = len(scan.values)
        shape = (len(first), len(scan.annotators) * size)
        votes = SparseVotes(*_cells(table[first], size), shape)
        rows = count_cells(votes.row, votes.cell % max(size, 1), (shape[0], size), most=len(scan.annotators))
        counts = Counts.from_scan(scan, (rows, times[first]))
        return cls(counts, votes.toarray() if shape[0] * shape[1] <= WHOLE else votes, scan.annotators)

    @property
    def placed(self) -> Placed | None:
        """Who gave what, as the database tells it; None where the annotations themselves are there."""
        if self.source is not None:
            return None
        size = len(self.counts.values)
        given = dense(self.votes).reshape(-1, len(self.annotators), size) @ np.arange(1, size + 1)
        return Placed(self.counts.scan, votes=True, rows=given)

    def keeping(self, keep: Booleans, *, count_others: bool = False) -> Self:
        """The ballots of some patterns alone; the others may be counted as left out."""
        lost = int(self.counts.weights.matrix()[~keep & (self.counts.size > 0)].sum()) if count_others else 0
        counts = replace(self.counts.keeping(keep), unpaired=0)
        return replace(self, counts=counts, votes=self.votes[keep], left_out=self.left_out + lost)

    def by_all(self) -> Self:
        """Only the items that every annotator annotated."""
        complete = self.keeping(self.counts.size >= len(self.annotators), count_others=True)
        return replace(complete, counts=replace(complete.counts, least=len(self.annotators)))

    def voted(self) -> Array:
        """For each annotator how often they gave each value: (…, annotators, values)."""
        people, size = len(self.annotators), len(self.counts.values)
        cells = float(people) * size
        if cells > WHOLE:
            must_fit(
                PER_VOTE * cells,
                f"how often each of {people:,} annotators gave each of {size:,} values",
                "take fewer annotators, or a coefficient that does not ask who gave which value, such as alpha",
            )
        given = self.counts.weights.sum(self.votes)
        return given.reshape(*given.shape[:-1], len(self.annotators), len(self.counts.values))

    def weighted(self, weights: Weights) -> Self:
        return replace(self, counts=self.counts.weighted(weights))

    def smoothed(self) -> Self | None:
        """The ballots with made-up items that all annotators annotated, every other one as the first."""
        size, votes, rows = len(self.counts.values), self.votes, self.counts.rows
        if not room_for(rows, size) or not room_for(votes, size):
            return None
        made, times = made_up(size), self.counts.weights.matrix()
        people = len(self.annotators)
        here = self.voted().sum(-1) > 0
        by_name = np.argsort(ranks(self.annotators))  # which does not depend on the order of rows
        odd = np.empty(people, dtype=bool)
        odd[by_name] = np.cumsum(here[by_name]) % 2 == 1
        given = np.where(odd[:, None], np.eye(size)[made.first][:, None], np.eye(size)[made.second][:, None])
        given = np.where(here[:, None], given, 0.0)
        weights = Observed(np.r_[times, made.times])
        counts = replace(self.counts, rows=np.vstack([rows, given.sum(axis=1)]), weights=weights)
        return replace(self, counts=counts, votes=np.vstack([votes, given.reshape(len(given), people * size)]))

    @property
    def multipliable(self) -> Rows:
        """The votes as an array or a sparse table, for products of them with themselves."""
        return self.votes.sparse if isinstance(self.votes, SparseVotes) else self.votes  # type: ignore[return-value]

    weights = PassedOn[Weights]("counts")
    n = PassedOn[Sizes]("counts")
    source = PassedOn[Annotations | None]("counts")
    pattern = PassedOn[Indices | None]("counts")
    provenance = PassedOn[Provenance]("counts")
    paired = PassedOn[Floats]("counts")

    @property
    def width(self) -> int:
        return int(self.votes.shape[1])


def _cells(table: Integers, size: int) -> tuple[Indices, Indices]:
    """The pattern and the column of the votes of each cell of patterns × annotators that holds a value, from 1 up."""
    rows, who = np.nonzero(table)
    return rows, who * size + table[rows, who] - 1


class SparseVotes:
    """A table of patterns × (annotators · values) with ones where an annotator gave a value, kept as where they are.

    Its products with a vector are sums over annotations; for everything else it becomes a sparse table.
    """

    __array_ufunc__ = None  # an array on the left leaves the product to us

    def __init__(self, row: Array, cell: Array, shape: tuple[int, int]) -> None:
        self.row = row
        self.cell = cell
        self.shape = shape

    @cached_property
    def sparse(self) -> SparseTable:
        from scipy import sparse

        table: SparseTable = sparse.csr_array((np.ones(len(self.row)), (self.row, self.cell)), shape=self.shape)
        return table

    def toarray(self) -> Floats:
        table = np.zeros(self.shape)
        np.add.at(table, (self.row, self.cell), 1)
        return table

    def __rmatmul__(self, left: Array) -> Array:
        if np.ndim(left) == 1 and not np.iscomplexobj(left):
            return totals(self.cell, np.asarray(left)[self.row], self.shape[1])
        return np.asarray(left @ self.sparse)

    def __matmul__(self, right: Array | SummableTable) -> Array:
        if isinstance(right, np.ndarray) and right.ndim == 1 and not np.iscomplexobj(right):
            return totals(self.row, right[self.cell], self.shape[0])
        return self.sparse @ right

    def __getitem__(self, which: Array) -> SummableTable:
        if np.asarray(which).dtype.kind != "b":
            rows: SparseTable = self.sparse[which]
            return rows
        place = np.cumsum(which) - 1
        keep = which[self.row]
        return SparseVotes(place[self.row[keep]], self.cell[keep], (int(which.sum()), self.shape[1]))


class Cells(NamedTuple):
    """Every cell that is not empty in the tables of two annotators."""

    row: Indices  # the first annotator and their value, as a column of the votes
    column: Indices  # the second annotator and theirs
    times: Floats  # how often it occurs


def pair_cells(votes: Rows, times: Floats, size: int) -> Cells:
    """How often two annotators gave two values to one item, the annotators in their order.

    All of it is one product, that of the votes with themselves.
    """
    many = float(votes.shape[1]) ** 2
    if not isinstance(votes, np.ndarray):
        many = min(many, float((row_sums(votes) ** 2).sum()))
    must_fit(
        PER_CELL * many,
        f"the tables of all pairs of annotators, with up to {many:,.0f} cells,",
        "take fewer annotators, as in ",
        Wording("study.only(annotators=[…])", "--only NAME,…"),
    )
    if isinstance(votes, np.ndarray):
        square = (votes * times[:, None]).T @ votes
        row, column = np.nonzero(square)
        often = square[row, column]
    else:
        from scipy import sparse

        both = sparse.coo_array(sparse.csr_array(votes.multiply(times[:, None])).T @ votes)
        row, column, often = both.row, both.col, both.data
    in_order = (row // size) < (column // size)
    return Cells(row[in_order], column[in_order], often[in_order])


def pair_tables(study: Annotations) -> tuple[Indices, Floats]:
    """For each two annotators with an item in common: who they are, and their table of values × values.

    Repeated judgements of one annotator are not compared with each other, nor with anybody but the first.
    """
    people, size = len(study.annotators), len(study.values)
    ballots = Ballots.of(study)
    cells = pair_cells(ballots.multipliable, ballots.weights.matrix(), size)
    pair = (cells.row // size).astype(np.int64) * people + cells.column // size
    distinct, place = np.unique(pair, return_inverse=True)
    must_fit(
        8.0 * len(distinct) * size**2,
        f"the tables of {len(distinct):,} pairs of annotators and {size:,} values",
        "take fewer annotators, as in ",
        Wording("study.only(annotators=[…])", "--only NAME,…"),
    )
    tables = np.zeros((len(distinct), size, size))
    tables[place.reshape(-1), cells.row % size, cells.column % size] = cells.times
    return np.stack(np.divmod(distinct, people), axis=1).astype(np.intp), tables


def labels_must_fit(title: str, patterns: int, values: int, labels: int) -> None:
    """An error where tables of patterns × values and of patterns × labels do not fit into memory."""
    must_fit(
        PER_LABEL * (float(patterns) * (values + labels) + float(values) * labels),
        f"{title} of {patterns:,} different items and {labels:,} labels",
        "if the values are numbers or texts, a distance compares them, as in ",
        Wording("interagree.alpha(data, distance='interval')", "-m alpha --distance interval"),
        "; else read fewer values",
    )


def all_within_items(study: Annotations) -> tuple[Indices, Indices]:
    """All pairs of rows of one item at once; an error where they would not fit into memory."""
    sizes = np.bincount(study.item, minlength=len(study.items)).astype(np.float64)
    pairs = float((sizes * (sizes - 1) / 2).sum())
    must_fit(
        PER_PAIR * pairs,
        f"all {pairs:,.0f} pairs of annotations of one item",
        "take fewer annotators, as in ",
        Wording("study.only(annotators=[…])", "--only NAME,…"),
        ", or what counts values and needs no pairs, such as alpha and majority_vote",
    )
    blocks = [*within_items(study)]
    first, second = (
        np.concatenate([block[side] for block in blocks] or [np.zeros(0, dtype=np.intp)]) for side in (0, 1)
    )
    return first, second


def within_items(
    study: Annotations, block: int = 4_000_000, *, whole: bool = False
) -> Iterator[tuple[Indices, Indices]]:
    """All pairs of rows of one item, each pair once, in blocks of bounded size.

    Args:
        study: The annotations.
        block: How many pairs a block may have.
        whole: Whether an item with more pairs than that is a block of its own, instead of several.
    """
    order = np.argsort(study.item, kind="stable")
    sizes = np.bincount(study.item, minlength=len(study.items))
    starts = np.r_[0, np.cumsum(sizes)]
    pairs = np.cumsum(sizes * (sizes - 1) // 2)
    begin = 0
    while begin < len(sizes):
        done = pairs[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(pairs, done + block, side="right")))
        rows = order[starts[begin] : starts[end]]
        if whole or pairs[end - 1] - done <= block:
            first, second = pairs_in_runs(study.item[rows])
            yield rows[first], rows[second]
        else:  # one item
            for at in range(0, len(rows), step := max(1, block // len(rows))):
                first = np.repeat(np.arange(at, min(at + step, len(rows))), len(rows))
                second = np.tile(np.arange(len(rows)), len(first) // len(rows))
                later = second > first
                yield rows[first[later]], rows[second[later]]
        begin = end


def from_the_others(study: Annotations, table: Array | None) -> tuple[Floats, Floats]:
    """For each annotation the summed distance from those of others to its item, and how many these are.

    Counts of values tell it, so that an item of many annotators needs no list of its pairs.

    Args:
        study: The annotations.
        table: The distances of all values; None where values are equal or not.
    """
    own = np.unique(study.item.astype(np.int64) * len(study.annotators) + study.annotator, return_inverse=True)[1]
    far, count = _from_group(study.item, study.value, len(study.values), table)
    same, again = _from_group(own.reshape(-1), study.value, len(study.values), table)
    return far - same, count - again


def _from_group(group: Array, value: Array, size: int, table: Array | None) -> tuple[Floats, Floats]:
    """For each row the summed distance from all rows of its group, itself among them, and how many these are."""
    cell, of, often = np.unique(group.astype(np.int64) * size + value, return_inverse=True, return_counts=True)
    of = of.reshape(-1)
    count = np.bincount(group).astype(np.float64)[group]
    if table is None:
        return count - often[of], count
    from scipy import sparse

    row, column = np.divmod(cell, size)
    start = np.flatnonzero(np.diff(row, prepend=-1))
    groups = np.cumsum(np.diff(row, prepend=-1) > 0) - 1
    counts = sparse.csr_array((often.astype(np.float64), (groups, column)), shape=(len(start), size))
    far = np.empty(len(cell))
    bounds = np.r_[start, len(cell)]
    for at in range(0, len(start), step := max(1, WHOLE // max(size, 1))):
        here = slice(bounds[at], bounds[min(at + step, len(start))])
        far[here] = (counts[at : at + step] @ table)[groups[here] - at, column[here]]
    return far[of], count
