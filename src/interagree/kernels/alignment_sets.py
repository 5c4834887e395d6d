"""Loops that find which sets of units of several annotators may be aligned, and what that costs.

Units are laid out in the order of a sweep (document by document, by centre), and what sets of units cost is counted
from leaving every unit alone: with C the pairs of annotators and w(u, v) = d(u, v) / empty - 1, the set S saves
(|S| - 1) C - Σ w, its pairs summed.  So the best alignment is the packing of sets that saves most.  ``price`` is C
and a little more, so that of alignments that cost the same the one with the fewest clusters is found.

A set may be left out where two parts of it cost no more apart, that is where the w between them sum to ``price`` or
more; the sets that remain are of units near to one another.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats, Indices, Int32s, Int64s
from interagree.kernels.compiled import compiled


@compiled
def clusters(  # noqa: C901, PLR0912, PLR0915, PLR0917  # one loop over arrays, for a compiled function calls no other
    who: Indices, start: Indices, second: Int32s, unlike: Floats, annotators: int, price: float, most: int
) -> tuple[Int64s, Int32s, Floats, Floats, bool]:
    """The sets of near units, at most one of an annotator, that cost no more than any two parts of them.

    Returns:
        For each unit where the sets begin of which it is the first, the members of sets in the order of the sweep
        (-1 where there are fewer), the sums of w over their pairs, what each member saves in its set, and whether
        there were no more than ``most`` sets, and 20 times as many steps to find them (else what was found is of no
        use).
    """
    units = len(who)
    room = 4 * units + 16
    member = np.full((room, annotators), -1, np.int32)
    total = np.empty(room, np.float64)
    count = 0
    seen = 0
    head = np.zeros(units + 1, np.int64)
    saves = np.zeros((room, annotators))
    rows = np.zeros((annotators + 1, annotators))
    chosen = np.zeros(annotators, np.int64)
    sizes = np.zeros(annotators + 1, np.int64)
    choice = np.zeros(annotators + 1, np.int64)
    group = np.zeros(annotators + 1, np.int64)
    filled = np.zeros(annotators + 1, np.int64)
    local = np.full(units, -1, np.int64)  # the place of a unit among the neighbours of the one at hand
    sums = np.zeros(annotators + 1)
    for u in range(units):
        near_by = start[u + 1] - start[u]
        if near_by == 0:
            head[u + 1] = count
            continue
        # Locally: 0 is the unit itself, then its later neighbours, annotator by annotator.
        for a in range(annotators + 1):
            group[a] = 0
        for e in range(start[u], start[u + 1]):
            group[who[second[e]] + 1] += 1
        place = 1
        for a in range(annotators):
            filled[a] = place
            place += group[a + 1]
        names = np.empty(near_by + 1, np.int64)
        names[0] = u
        for e in range(start[u], start[u + 1]):
            v = second[e]
            names[filled[who[v]]] = v
            filled[who[v]] += 1
        levels = 0
        group[0] = 1
        for k in range(1, near_by + 1):
            if k == near_by or who[names[k]] != who[names[k + 1]]:
                levels += 1
                group[levels] = k + 1
        w = np.full((near_by + 1, near_by + 1), np.inf)
        for x in range(near_by + 1):
            local[names[x]] = x
        for x in range(near_by + 1):
            for e in range(start[names[x]], start[names[x] + 1]):
                y = local[second[e]]
                if y >= 0:
                    w[x, y] = unlike[e]
                    w[y, x] = unlike[e]
        for x in range(near_by + 1):
            local[names[x]] = -1
        # What the units of the annotators still to come can take off the sum of a row at most.
        off_rest = np.zeros((near_by + 1, levels + 1))
        for x in range(near_by + 1):
            for level in range(levels - 1, -1, -1):
                best = 0.0
                for y in range(group[level], group[level + 1]):
                    best = min(best, w[x, y])
                off_rest[x, level] = off_rest[x, level + 1] + best
        chosen[0] = 0
        sizes[0] = 1
        rows[0, 0] = 0.0
        sums[0] = 0.0
        level = 0
        choice[0] = group[0] - 1
        while level >= 0:
            choice[level] += 1
            size = sizes[level]
            k = choice[level]
            if k > group[level + 1]:
                level -= 1
                continue
            seen += 1
            if seen > 20 * most:
                return head, member[:0], total[:0], saves[:0], False
            good = True
            if k == group[level + 1]:  # none of this annotator
                for m in range(size):
                    row = rows[level, m]
                    rows[level + 1, m] = row
                    if row + off_rest[chosen[m], level + 1] >= price:
                        good = False
                        break
                sizes[level + 1] = size
                sums[level + 1] = sums[level]
            else:
                own = 0.0
                for m in range(size):
                    apart = w[k, chosen[m]]
                    row = rows[level, m] + apart
                    rows[level + 1, m] = row
                    own += apart
                    if row + off_rest[chosen[m], level + 1] >= price:
                        good = False
                        break
                if own + off_rest[k, level + 1] >= price:
                    good = False
                chosen[size] = k
                rows[level + 1, size] = own
                sizes[level + 1] = size + 1
                sums[level + 1] = sums[level] + own
            if not good:
                continue
            if level + 1 < levels:
                level += 1
                choice[level] = group[level] - 1
                continue
            size = sizes[level + 1]
            if size < 2 or sums[level + 1] >= (size - 1) * price:
                continue
            if size > 3:
                for m in range(size):
                    for o in range(m):
                        cut = rows[level + 1, m] + rows[level + 1, o] - 2.0 * w[chosen[m], chosen[o]]
                        if cut >= price:
                            good = False
                if not good:
                    continue
            if count >= most:
                return head, member[:0], total[:0], saves[:0], False
            if count == room:
                room *= 2
                more = np.full((room, annotators), -1, np.int32)
                wider = np.empty(room, np.float64)
                broad = np.zeros((room, annotators))
                for s in range(count):
                    wider[s] = total[s]
                    for m in range(annotators):
                        more[s, m] = member[s, m]
                        broad[s, m] = saves[s, m]
                member = more
                total = wider
                saves = broad
            for m in range(size):
                v = names[chosen[m]]
                o = m
                while o > 0 and member[count, o - 1] > v:
                    member[count, o] = member[count, o - 1]
                    saves[count, o] = saves[count, o - 1]
                    o -= 1
                member[count, o] = v
                saves[count, o] = price - rows[level + 1, m]
            total[count] = sums[level + 1]
            count += 1
        head[u + 1] = count
    return head, member[:count], total[:count], saves[:count], True
