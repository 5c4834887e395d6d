"""N-grams of many sequences, numbered once, so that what two sequences share is counted by one walk along both.

A multiset becomes a set: the second *the* of a text is a feature of its own, "the, for the second time".  The clipped
matches of BLEU, GLEU, chrF and Dice are then the size of the intersection of two sorted lists of whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from interagree.arrays import Array, Floats, Indices, Int64s
from interagree.kernels.compiled import compiled


@dataclass(frozen=True, slots=True)
class Sequences:
    """Symbols of all sequences, end to end; those of sequence k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    symbol: Int64s  # whole numbers from 0

    @property
    def size(self) -> Indices:
        """How many symbols each sequence has."""
        return np.diff(self.start)


@dataclass(frozen=True, slots=True)
class Grams:
    """The n-grams of one order of all sequences, as features in rising order within each sequence."""

    start: Indices
    size: Indices  # how many n-grams each sequence has
    feature: Array  # int32, or int64 where there are too many
    count: int  # of distinct features

    @property
    def row(self) -> Indices:
        """The sequence that each feature stands in."""
        return np.repeat(np.arange(len(self.start) - 1), self.size)


def grams(sequences: Sequences, order: int) -> tuple[Grams, ...]:
    """The n-grams of order 1, 2, … up to the given one."""
    _, first = np.unique(sequences.symbol, return_inverse=True)
    distinct = int(first.max(initial=-1)) + 1
    gram, orders = first.astype(np.int64), []
    for n in range(1, order + 1):
        size = np.maximum(sequences.size - n + 1, 0)
        begin = _laid_out(sequences.start[:-1], size)
        if n > 1:  # an n-gram is the one that is shorter by a symbol, and that symbol
            longer = gram[begin] * distinct + first[begin + n - 1]
            _, number = np.unique(longer, return_inverse=True)
            gram[begin] = number
        orders.append(_features(gram[begin], size))
    return tuple(orders)


def _laid_out(start: Indices, size: Indices) -> Indices:
    """The places start[k], start[k] + 1, … (size[k] of them) for each k in turn."""
    before = np.cumsum(size) - size
    places: Indices = np.arange(int(size.sum())) + np.repeat(start - before, size)
    return places


def _features(gram: Int64s, size: Indices) -> Grams:
    start = np.concatenate([[0], np.cumsum(size)]).astype(np.intp)
    distinct = int(gram.max(initial=-1)) + 1
    key = np.sort(np.repeat(np.arange(len(size)), size) * np.int64(distinct) + gram)
    gram = key % max(distinct, 1)
    fresh = np.ones(len(key), dtype=bool)
    fresh[1:] = key[1:] != key[:-1]
    place = np.arange(len(key))
    time = place - np.maximum.accumulate(np.where(fresh, place, 0))  # 0 where the n-gram occurs for the first time
    if not fresh.all():
        known, gram = np.unique(gram * (int(time.max()) + 1) + time, return_inverse=True)
        distinct = len(known)
    return Grams(start, size, gram.astype(np.int32 if distinct < 2**31 else np.int64), distinct)


def overlap(of: Grams, i: Indices, j: Indices) -> Floats:
    """How many n-grams aligned pairs of sequences share, counted as often as both have them."""
    steps = float(of.size[i].sum() + of.size[j].sum())
    return shared.for_steps(steps)(of.start, of.feature, i, j)


def overlaps(orders: Sequence[Grams], i: Indices, j: Indices) -> Floats:
    """How many n-grams of each order aligned pairs of sequences share; one row for each order.

    A shared n-gram begins and ends with a shared one that is shorter by a symbol, so where fewer than two of those are
    shared there is nothing to look for.
    """
    counts = np.zeros((len(orders), len(i)))
    may = np.arange(len(i))
    for n, of in enumerate(orders):
        counts[n, may] = overlap(of, i[may], j[may])
        may = may[counts[n, may] >= 2]
    return counts


@compiled
def shared(start: Indices, feature: Array, i: Indices, j: Indices) -> Floats:
    """The sizes of the intersections of aligned pairs of sorted lists."""
    sizes = np.empty(len(i))
    for p in range(len(i)):
        a, a_end = start[i[p]], start[i[p] + 1]
        b, b_end = start[j[p]], start[j[p] + 1]
        count = 0
        while a < a_end and b < b_end:
            x, y = feature[a], feature[b]
            # Three sums and no branch: which list is behind cannot be foretold, and a wrong guess costs more.
            count += x == y
            a += x <= y
            b += y <= x
        sizes[p] = count
    return sizes


def ratio(part: Array | float, whole: Array) -> Floats:
    """One array divided by another; 0 where there is nothing to divide by."""
    shape = np.broadcast_shapes(np.shape(part), np.shape(whole))
    divided: Floats = np.divide(part, whole, out=np.zeros(shape), where=whole > 0)
    return divided


def summed_over_larger(orders: Sequence[Grams], frequency: Floats) -> Floats:
    r"""For each sequence $i$ the sum over all $k$ of $f_k m_{ik} / \max(n_i, n_k)$, without going over pairs.

    $m$ counts shared n-grams of all orders and $n$ a sequence's own.  Of the sequences that have a feature, those no
    longer than $i$ count $f_k / n_i$ and those longer $f_k / n_k$: running sums in the order of length give both.
    """
    size = np.sum([of.size for of in orders], axis=0)
    sums = np.zeros(len(size))
    for of in orders:
        order = np.lexsort((size[of.row], of.feature))
        row, feature = of.row[order], of.feature[order]
        f, n = frequency[row], size[row]
        last = np.searchsorted(feature, np.arange(of.count), side="right") - 1
        first = np.searchsorted(feature, np.arange(of.count))
        up_to, beyond = np.cumsum(f), np.cumsum(f / n)
        before = (up_to - f)[first][feature]
        to_end = beyond[last][feature]
        sums += np.bincount(row, (up_to - before) / n + to_end - beyond, minlength=len(size))
    return sums


def summed(of: Grams, length: Indices, frequency: Floats, weight: Callable[[Floats, Floats], Floats]) -> Floats:
    """For each sequence the sum over all k of frequency[k] * shared n-grams * weight(its length, length[k]).

    Sequences of one length count alike, so a feature needs one sum for each length, not for each sequence.
    """
    from scipy.sparse import csr_array

    lengths, which = np.unique(length, return_inverse=True)
    row, known = of.row, np.maximum(lengths, 1)
    has = csr_array((np.ones(len(row)), of.feature, of.start), shape=(len(length), of.count))
    often = csr_array((frequency[row], (of.feature, which[row])), shape=(of.count, len(lengths)))
    sums = np.zeros(len(length))
    alike = np.split(np.argsort(which, kind="stable"), np.cumsum(np.bincount(which))[:-1])
    for own, here in zip(known, alike, strict=False):  # no sequences are one part and no length
        sums[here] = has[here] @ (often @ weight(own, known))
    return sums


def apart_from_all(alike: Floats, size: Indices, frequency: Floats) -> Floats:
    """The sums of distances that belong to sums of similarities; two empty sequences are at distance 0."""
    empty = size == 0
    apart: Floats = np.maximum(frequency.sum() - alike - np.where(empty, frequency[empty].sum(), 0), 0)
    return apart
