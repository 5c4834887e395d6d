"""Two ranked lists: what they share, and how far they keep the same order.

Lists lie end to end in ``ids``, that of value k from ``start[k]`` to ``start[k + 1]``, best first; ids are whole
numbers below ``known``.  ``pairs`` has a row for the places of the first lists and one for those of the second.
Loops look the ids of the second list up in a table that the first has filled.  It holds places in ``ids``, so what
another list left in it lies outside the first and is not a place in it; and it is filled only when the first list
changes, so that pairs in order of their first list are quickest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from interagree.arrays import Array, Floats, Indices, Int64s
from interagree.kernels.compiled import compiled

BLOCK = 1 << 22  # comparisons that are held at once


@compiled
def shared_places(start: Indices, ids: Array, known: int, pairs: Indices) -> Int64s:
    """Of the ids that both lists have: their number, the sums of r, s, rs and |r - s| (r, s: places from 1)."""
    sums = np.zeros((5, pairs.shape[1]), dtype=np.int64)
    place = np.zeros(known, dtype=np.int64)
    held = -1
    for pair in range(pairs.shape[1]):
        a, b = pairs[0, pair], pairs[1, pair]
        if a != held:
            held = a
            for x in range(start[a], start[a + 1]):
                place[ids[x]] = x + 1
        first = start[a + 1] - start[a]
        for y in range(start[b], start[b + 1]):
            r = place[ids[y]] - start[a]
            if 0 < r <= first:
                s = y - start[b] + 1
                sums[0, pair] += 1
                sums[1, pair] += r
                sums[2, pair] += s
                sums[3, pair] += r * s
                sums[4, pair] += abs(r - s)
    return sums


@compiled
def order_kept(start: Indices, ids: Array, known: int, pairs: Indices, top: int) -> Int64s:
    """How far two lists, each cut after ``top`` ids, keep the same order on the ids that either has.

    The result is the number of common ids, and the number of pairs of ids in the same order less that of pairs in
    opposite order; an id that a list does not have stands after all that it has, tied with its like.  Common ids are
    counted by a tree of sums over the places of the first list, in n log n steps.
    """
    kept = np.zeros((2, pairs.shape[1]), dtype=np.int64)
    place = np.zeros(known, dtype=np.int64)
    tree = np.empty(known + 1, dtype=np.int64)
    both = np.empty(known + 1, dtype=np.int64)
    held = -1
    for pair in range(pairs.shape[1]):
        a, b = pairs[0, pair], pairs[1, pair]
        first = min(top, start[a + 1] - start[a])
        second = min(top, start[b + 1] - start[b])
        if a != held:
            held = a
            for x in range(start[a], start[a] + first):
                place[ids[x]] = x + 1
        tree[: first + 1] = 0
        both[: first + 1] = 0
        common, alone, net = 0, 0, 0
        for y in range(start[b], start[b] + second):
            r = place[ids[y]] - start[a]
            if 0 < r <= first:
                net -= alone + common
                common += 1
                both[r] = 1
                x = r
                while x > 0:
                    net += 2 * tree[x]
                    x -= x & -x
                x = r
                while x <= first:
                    tree[x] += 1
                    x += x & -x
            else:  # after every common id before it, in both lists
                alone += 1
                net += common
        seen = 0
        for x in range(1, first + 1):
            seen += both[x]
            net += seen if both[x] == 0 else seen - x
        kept[0, pair] = common
        kept[1, pair] = net - (first - common) * alone  # each list puts its own ids before those of the other
    return kept


@compiled
def overlap_missing(start: Indices, ids: Array, known: int, pairs: Indices, p: float) -> Floats:
    """One minus the extrapolated rank-biased overlap of each pair of lists, as a sum of numbers from 0 up."""
    missing = np.zeros(pairs.shape[1])
    place = np.zeros(known, dtype=np.int64)
    new = np.empty(known + 1, dtype=np.int64)
    held = -1
    for pair in range(pairs.shape[1]):
        a, b = pairs[0, pair], pairs[1, pair]
        if a != held:
            held = a
            for x in range(start[a], start[a + 1]):
                place[ids[x]] = x + 1
        first, second = start[a + 1] - start[a], start[b + 1] - start[b]
        short, long = min(first, second), max(first, second)
        new[: long + 1] = 0
        for y in range(second):
            r = place[ids[start[b] + y]] - start[a]
            if 0 < r <= first:
                new[max(r, y + 1)] += 1  # the depth from which on both have it
        overlap, at_short, gap, weight = 0, 0, 0.0, 1.0
        for depth in range(1, long + 1):
            overlap += new[depth]
            if depth <= short:
                at_short = overlap
            beyond = at_short * max(depth - short, 0) / short
            gap = (depth - overlap - beyond) / depth
            missing[pair] += (1.0 - p) * weight * gap
            weight *= p
        missing[pair] += weight * gap
    return missing


def order_bits(rank: Array) -> NDArray[np.uint64]:
    """For each pair of ids whether the first stands before the second, 64 pairs to a word: one column per value."""
    count, width = rank.shape
    first, second = np.triu_indices(width, 1)
    words = -(-len(first) // 64)
    bits = np.zeros((words, count), dtype=np.uint64)
    step = max(1, BLOCK // max(len(first), 1))
    for begin in range(0, count, step):
        here = rank[begin : begin + step]
        packed = np.packbits(here[:, first] < here[:, second], axis=1)
        padded = np.zeros((len(here), words * 8), dtype=np.uint8)
        padded[:, : packed.shape[1]] = packed
        bits[:, begin : begin + step] = padded.view(np.uint64).T
    return bits


def opposite(bits: NDArray[np.uint64], i: Indices, j: Indices) -> Floats:
    """How many pairs of ids stand in opposite order in rankings i and j."""
    counts = np.zeros(len(i))
    for word in bits:
        counts += np.bitwise_count(word[i] ^ word[j])
    return counts


def opposite_to_all(rank: Array, frequency: Floats) -> Floats:
    """For each ranking the summed numbers of pairs in opposite order to all rankings, as often as they occur.

    It is enough to know for each pair of ids how many rankings put the first before the second.
    """
    count, width = rank.shape
    sums = np.zeros(count)
    total = frequency.sum()
    step = max(1, BLOCK // width)
    blocks = [slice(begin, begin + step) for begin in range(0, count, step)]
    for x in range(width - 1):
        first = np.zeros(width - 1 - x)  # how often x stands before each id after it
        for here in blocks:
            first += frequency[here] @ (rank[here, x, None] < rank[here, x + 1 :])
        for here in blocks:
            sums[here] += (rank[here, x, None] < rank[here, x + 1 :]) @ (total - 2 * first) + first.sum()
    return np.maximum(sums, 0.0)


def tau_distance(common: Int64s, net: Int64s, first: Indices, second: Indices, padding: int) -> Floats:
    r"""One minus Kendall's tau-b of the ids of two lists and of ``padding`` more that neither has.

    Args:
        common: The number of ids that both lists have.
        net: The number of pairs in the same order less that in opposite order, without the padding.
        first: How many ids the first list has.
        second: How many ids the second list has.
        padding: How many ids are missing from both.
    """
    every = first + second - common + padding
    pairs = every * (every - 1) / 2.0
    missing = [every - length for length in (first, second)]
    untied = [pairs - tied * (tied - 1) / 2.0 for tied in missing]
    scale = np.sqrt(untied[0] * untied[1])
    same = net + common * float(padding)
    distance: Floats = np.where(scale > 0, 1.0 - same / np.where(scale > 0, scale, 1.0), 0.0)
    return np.clip(distance, 0.0, 2.0)


def rho_distance(shared: Int64s, first: Indices, second: Indices, padding: int) -> Floats:
    """One minus Spearman's rho of the ids of two lists and of ``padding`` more that neither has.

    Args:
        shared: What `shared_places` gives: the number of common ids and the sums of their places.
        first: How many ids the first list has.
        second: How many ids the second list has.
        padding: How many ids are missing from both.
    """
    common, here, there, product, _ = shared
    every = first + second - common + padding
    middle = every + 1  # twice the mean rank; ranks are doubled, and measured from it, to stay whole numbers
    both = 4 * product - 2 * middle * (here + there) + common * middle * middle
    only_first = first * (first + 1 - middle) - (2 * here - common * middle)
    only_second = second * (second + 1 - middle) - (2 * there - common * middle)
    covariance = both + only_first * second + only_second * first + padding * first * second
    variance = [(_cubic(every) - _cubic(every - length)) // 3 for length in (first, second)]
    scale = np.sqrt(variance[0].astype(np.float64) * variance[1])
    distance: Floats = np.clip(1.0 - covariance / scale, 0.0, 2.0)
    return distance


def _cubic(n: Int64s) -> Int64s:
    return n * n * n - n
