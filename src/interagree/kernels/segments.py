"""Two segmentations of one document: what it takes to turn one into the other, and windows that see them differ.

Boundaries lie end to end in ``at`` (the unit after which a boundary comes) and ``type``, those of value k from
``start[k]`` to ``start[k + 1]``, in order of places and then of types.  ``pairs`` has a row for the first values and
one for the second.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats, Indices, Int32s, Int64s
from interagree.kernels.compiled import compiled


@compiled
def edits(  # noqa: C901, PLR0912, PLR0915, PLR0917  # one loop over arrays, for a compiled function calls no other
    start: Indices, at: Int64s, type_: Int32s, pairs: Indices, near: int, scale: Floats, reach: float
) -> Floats:
    """The edits between two segmentations, one row for each of six sums.

    Rows: boundaries that both have; additions (or deletions); substitutions of one type by another at one place;
    transpositions, a boundary of one that the other has fewer than ``near`` places away; by how many places, summed;
    and the sum of what substitutions cost, the difference on the ``scale`` of types over ``reach``, or 1 each where
    reach is 0.

    Near ones are paired before farther ones, and those on the left before those on the right.  No transposition is
    made out of two substitutions.  Of the types at one place those are substituted that lie nearest together.
    """
    edits = np.zeros((6, pairs.shape[1]))
    most = 0
    for pair in range(pairs.shape[1]):
        a, b = pairs[0, pair], pairs[1, pair]
        most = max(most, start[a + 1] - start[a] + start[b + 1] - start[b])
    where = np.empty(most, dtype=np.int64)
    what = np.empty(most, dtype=np.int64)
    mine = np.empty(most, dtype=np.bool_)
    free = np.empty(most, dtype=np.bool_)
    group = np.empty(most, dtype=np.int64)
    left = np.zeros((2, most + 1), dtype=np.int64)  # of each place: what the first and the second alone have
    few = np.empty(most + 1, dtype=np.float64)
    many = np.empty(most + 1, dtype=np.float64)
    best = np.empty(most + 1, dtype=np.float64)
    for pair in range(pairs.shape[1]):
        a, b = pairs[0, pair], pairs[1, pair]
        x, y, count = start[a], start[b], 0
        end_x, end_y = start[a + 1], start[b + 1]
        while x < end_x or y < end_y:
            if x < end_x and y < end_y and at[x] == at[y] and type_[x] == type_[y]:
                edits[0, pair] += 1
                x += 1
                y += 1
                continue
            first = y >= end_y or (x < end_x and (at[x] < at[y] or (at[x] == at[y] and type_[x] < type_[y])))
            which = x if first else y
            where[count], what[count], mine[count], free[count] = at[which], type_[which], first, True
            if first:
                x += 1
            else:
                y += 1
            count += 1
        groups = 0
        for e in range(count):
            if e and where[e] != where[e - 1]:
                groups += 1
            if not e or where[e] != where[e - 1]:
                left[0, groups] = 0
                left[1, groups] = 0
            group[e] = groups
            left[0 if mine[e] else 1, groups] += 1
        for far in range(1, near):
            q = 0
            for e in range(count):
                while q < count and (where[q] < where[e] + far or (where[q] == where[e] + far and what[q] < what[e])):
                    q += 1
                if q == count:
                    break
                if where[q] != where[e] + far or what[q] != what[e]:
                    continue
                if not free[e] or not free[q] or mine[e] == mine[q]:
                    continue
                g, h = group[e], group[q]
                if min(left[0, g], left[1, g]) > 0 and min(left[0, h], left[1, h]) > 0:
                    continue
                free[e] = False
                free[q] = False
                left[0 if mine[e] else 1, g] -= 1
                left[0 if mine[q] else 1, h] -= 1
                edits[3, pair] += 1
                edits[4, pair] += far
        e = 0
        while e < count:
            g = group[e]
            edits[1, pair] += abs(left[0, g] - left[1, g])
            less = min(left[0, g], left[1, g])
            edits[2, pair] += less
            if not less or not reach:
                edits[5, pair] += less
                while e < count and group[e] == g:
                    e += 1
                continue
            fewer_first = left[0, g] <= left[1, g]
            p, q = 0, 0
            while e < count and group[e] == g:
                if free[e] and mine[e] == fewer_first:
                    few[p] = scale[what[e]]
                    p += 1
                elif free[e]:
                    many[q] = scale[what[e]]
                    q += 1
                e += 1
            # best[j]: the least cost of the few so far among the first j of the many
            for j in range(q + 1):
                best[j] = 0.0
            for i in range(p):
                before = best[i]
                best[i] = np.inf
                for j in range(i + 1, q + 1):
                    taken = before + abs(few[i] - many[j - 1])
                    before = best[j]
                    best[j] = min(taken, best[j - 1])
            edits[5, pair] += best[q] / reach
    return edits


def differing_in_any(start: Indices, ends: Int64s, length: Int64s, pairs: Indices, window: Int64s) -> Int64s:
    """In how many windows one of two segmentations has a boundary and the other has none.

    A window of size k reaches from one unit to the k-th after it.  In a segment of L units L - k windows see no
    boundary, if L is above k.  Those that see none of both lie in the segments of both cuts together; the windows that
    see none of the first, and those that see none of the second, less twice these are the windows that differ.
    ``ends`` are the ends of all segments, the last of a document included.
    """
    units, count = length[pairs[0]], pairs.shape[1]
    if not count:
        return np.zeros(0, dtype=np.int64)
    sizes, place = _laid(start + np.arange(len(start)), ends, pairs.reshape(-1))
    total = np.cumsum(units)
    before = total - units
    place += np.concatenate([before, before + total[-1]]).repeat(sizes)  # documents one behind the other
    each = _within(place, sizes, np.concatenate([window, window]))
    place[int(sizes[:count].sum()) :] -= total[-1]  # the second cuts into the documents of the first
    place.sort()
    both = _within(place, sizes[:count] + sizes[count:], window)
    return each[:count] + each[count:] - 2 * both


def _within(ends: Int64s, sizes: Indices, window: Int64s) -> Int64s:
    """How many windows lie within one segment, of documents one behind the other with so many segments each."""
    inside = ends - window.repeat(sizes)
    inside[1:] -= ends[:-1]
    windows: Int64s = np.add.reduceat(np.maximum(inside, 0, out=inside), sizes.cumsum() - sizes)
    return windows


def _laid(start: Indices, at: Int64s, values: Indices) -> tuple[Indices, Int64s]:
    """How many places each of some values has, and all of them end to end."""
    begin = start[values]
    sizes = start[values + 1] - begin
    after = sizes.cumsum()
    return sizes, at[np.arange(int(after[-1]) if len(after) else 0) + (begin - after + sizes).repeat(sizes)]


def differing_in_number(
    start: Indices, at: Int64s, length: Int64s, pairs: Indices, window: Int64s, *, padded: bool
) -> Int64s:
    """In how many windows two segmentations have different numbers of boundaries.

    With ``padded`` windows reach over both ends of the document by up to k units.  The windows of all pairs lie one
    behind the other.  A boundary is in k of them, in fewer near an end: it is counted from the first on until after the
    last, upwards if it is of the first segmentation and downwards if it is of the second.  Between two such places the
    count stays as it is, and is not 0 where the numbers differ.
    """
    units = length[pairs[0]]
    windows = units + window if padded else np.maximum(units - window, 0)
    before = np.cumsum(windows) - windows
    sizes, place = _laid(start, at, pairs.reshape(-1))
    half, mine = len(place), int(sizes[: len(units)].sum())  # those of the first segmentations come first
    size, base = (np.concatenate([part, part]).repeat(sizes) for part in (window, before))
    place += base
    edges = np.empty(2 * half, dtype=np.int64)
    if padded:
        edges[:half] = place
        edges[half:] = place + size
    else:
        last = before + windows
        edges[:half] = np.maximum(place - size, base)
        edges[half:] = np.minimum(place, np.concatenate([last, last]).repeat(sizes))
    # Whether the count goes up is kept as the last bit of a place, so that places alone are sorted.
    edges <<= 1
    edges[:mine] += 1
    edges[half + mine :] += 1
    edges.sort()
    uneven = 2 * np.cumsum(edges & 1) != np.arange(1, len(edges) + 1)
    edges >>= 1
    stretch = np.diff(edges) * uneven[:-1]
    pair = np.arange(len(units)).repeat(2 * sizes.reshape(2, -1).sum(axis=0))
    return np.bincount(pair[:-1], stretch, len(units)).astype(np.int64)
