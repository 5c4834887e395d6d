"""Many rows that repeat, as few rows with how often each occurs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from interagree.arrays import Array, Floats, Indices, Integers
from interagree.data.memory import must_fit

BLOCK = 1 << 16  # entries that are counted at once
PER_PAIR = 40  # bytes that a pair takes while pairs are listed
SMALL = 2_000_000  # cells of a table that is kept whole; a sparse one costs an import


class SummableTable(Protocol):
    """A table that is not an array, of which sums over rows are taken."""

    @property
    def shape(self) -> tuple[int, int]: ...
    def toarray(self) -> Array: ...
    def __getitem__(self, key: Any, /) -> Any: ...
    def __matmul__(self, other: Array | SummableTable, /) -> Array: ...
    def __rmatmul__(self, other: Array, /) -> Array: ...


class SparseTable(SummableTable, Protocol):
    """What is asked of a sparse table of SciPy, which has no types of its own."""

    def sum(self, axis: int) -> Array: ...
    def multiply(self, other: Array | SparseTable) -> SparseTable: ...
    def power(self, exponent: int) -> SparseTable: ...
    def argmax(self, axis: int) -> Array: ...
    def nonzero(self) -> tuple[Indices, Indices]: ...
    def tocsr(self) -> SparseTable: ...


Rows: TypeAlias = Array | SparseTable
"""A table with a row for each pattern or group, an array or a sparse one."""


def dense(rows: Array | SummableTable) -> Array:
    return rows if isinstance(rows, np.ndarray) else rows.toarray()


def scaled(rows: Rows, factor: Floats) -> Rows:
    """The table with each row multiplied by a factor."""
    column = factor[:, None]
    return rows * column if isinstance(rows, np.ndarray) else rows.multiply(column).tocsr()


def row_sums(rows: Rows) -> Floats:
    return np.asarray(rows.sum(axis=1), dtype=np.float64).reshape(-1)


def product(rows: Rows, other: Rows) -> Rows:
    """Two tables multiplied entry by entry."""
    if isinstance(rows, np.ndarray):
        return np.asarray(rows * other)
    return rows.multiply(other)


def totals(codes: Integers, weights: Array | None, size: int) -> Floats:
    """The sum of the weights of each code."""
    return np.bincount(codes, weights=weights, minlength=size).astype(np.float64, copy=False)


def table_of(rows: Integers, columns: Integers, entries: Floats, shape: tuple[int, int]) -> Array:
    """A table of summed entries: an array while it is small, a sparse one where it is not."""
    if shape[0] * shape[1] <= SMALL:
        whole = np.zeros(shape)
        np.add.at(whole, (rows, columns), entries)
        return whole
    from scipy import sparse

    table: Array = sparse.csr_array((entries, (rows, columns)), shape=shape)
    return table


def count_cells(rows: Integers, columns: Integers, shape: tuple[int, int], *, most: int) -> Integers:
    """How often each pair of codes occurs, as a table; ``most`` is a number that no count can exceed."""
    kinds = (np.uint8, np.uint16, np.uint32, np.int64)
    narrow = np.dtype(next(kind for kind in kinds if most <= np.iinfo(kind).max))
    table: Integers = np.zeros(shape[0] * shape[1], dtype=narrow)
    fits = np.dtype(np.int32 if table.size < np.iinfo(np.int32).max else np.int64)
    for at in range(0, len(rows), BLOCK):
        cell: Integers = rows[at : at + BLOCK].astype(fits)
        cell *= fits.type(shape[1])
        cell += columns[at : at + BLOCK].astype(fits, copy=False)
        np.add.at(table, cell, narrow.type(1))
    return table.reshape(shape)


class Distinct(NamedTuple):
    """Distinct rows: the first place of each, how often each occurs, and which one each row is."""

    first: Indices
    times: Floats
    inverse: Indices


def distinct_rows(rows: Integers) -> Distinct:
    """The distinct rows of a matrix of whole numbers from 0 up.

    Each row is folded into one number where that fits, which is many times faster than sorting rows.
    """
    if not len(rows):
        empty = np.zeros(0, dtype=np.intp)
        return Distinct(empty, np.zeros(0), empty)
    radix = rows.max(axis=0, initial=0).astype(np.int64) + 1
    with np.errstate(over="ignore"):  # wide rows have room without end
        room = float(np.prod(radix.astype(np.float64)))
    if room < 2**62:
        place = np.cumprod(np.r_[1, radix[:-1]]).astype(np.int64)
        folded = np.zeros(len(rows), dtype=np.int64)
        for column in range(rows.shape[1]):
            if radix[column] > 1:
                folded += rows[:, column].astype(np.int64) * place[column]
        return _distinct(folded, room)
    # Too wide to fold exactly: a random fold decides, and equality with the first of its group confirms.
    multipliers = np.random.default_rng(0).integers(0, 2**62, size=(rows.shape[1],), dtype=np.uint64)
    multipliers = 2 * multipliers + np.uint64(1)  # odd, so that no value is folded away
    folded = np.zeros(len(rows), dtype=np.uint64)
    for column in range(rows.shape[1]):
        folded += rows[:, column].astype(np.uint64) * multipliers[column]
    distinct = _distinct(folded, np.inf)
    if np.array_equal(rows[distinct.first[distinct.inverse]], rows):
        return distinct
    _, first, inverse, times = np.unique(rows, axis=0, return_index=True, return_inverse=True, return_counts=True)
    return Distinct(first, times.astype(np.float64), inverse.reshape(-1))


def _distinct(keys: Array, room: float) -> Distinct:
    if room <= 8 * len(keys) + 1024:  # few possible keys: count them instead of sorting
        times = np.bincount(keys)
        there = np.flatnonzero(times)
        place = np.zeros(len(times), dtype=np.intp)
        place[there] = np.arange(len(there))
        inverse = place[keys]
        first = np.empty(len(there), dtype=np.intp)
        first[inverse[::-1]] = np.arange(len(keys) - 1, -1, -1)
        return Distinct(first, times[there].astype(np.float64), inverse)
    _, first, inverse, times = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    return Distinct(first, times.astype(np.float64), inverse.reshape(-1))


def ranks(names: Sequence[Hashable]) -> Indices:
    """The place of each name in an order of their own: short ones first, so that ``d9`` comes before ``d10``."""
    words = [str(name) for name in names]
    order = sorted(range(len(words)), key=lambda k: (len(words[k]), words[k], type(names[k]).__name__))
    rank = np.empty(len(words), dtype=np.intp)
    rank[order] = np.arange(len(words))
    return rank


def pairs_in_runs(codes: Integers) -> tuple[Indices, Indices]:
    """All pairs of places in each run of equal codes."""
    if not len(codes):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    starts = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]])
    ends = np.r_[starts[1:], len(codes)]
    after = np.repeat(ends, ends - starts) - np.arange(len(codes)) - 1
    if (pairs := float(after.sum(dtype=np.float64))) > SMALL:
        must_fit(PER_PAIR * pairs, f"all {pairs:,.0f} pairs of annotations of one item", "take fewer annotators")
    first = np.repeat(np.arange(len(codes)), after)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(after) - after, after)
    return first, second


def in_groups(pattern: Indices, group: Integers) -> tuple[Rows, Indices]:
    """Items put together in groups.

    Args:
        pattern: The pattern of each item, -1 where it does not count.
        group: The group of each item.

    Returns:
        Groups × patterns: how many items of each group show each pattern; and the group of each item, numbered anew.
    """
    there = np.flatnonzero(pattern >= 0)
    unit = np.unique(group[there], return_inverse=True)[1].reshape(-1).astype(np.intp)
    shape = (int(unit.max(initial=-1)) + 1, int(pattern.max(initial=-1)) + 1)
    members = table_of(unit, pattern[there], np.ones(len(there)), shape)
    numbered = np.full(len(pattern), -1, dtype=np.intp)
    numbered[there] = unit
    return members, numbered
