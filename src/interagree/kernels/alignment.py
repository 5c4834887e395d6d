"""Loops that find which units of several annotators may belong together, and what that costs.

Units are laid out in the order of a sweep (document by document, by centre), and what sets of units cost is counted
from leaving every unit alone: with C the pairs of annotators and w(u, v) = d(u, v) / empty - 1, the set S saves
(|S| - 1) C - Σ w, its pairs summed.  So the best alignment is the packing of sets that saves most.  ``price`` is C
and a little more, so that of alignments that cost the same the one with the fewest clusters is found.

A set may be left out where two parts of it cost no more apart, that is where the w between them sum to ``price`` or
more; the sets that remain are of units near to one another.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from interagree.kernels.compiled import compiled


@compiled
def within_reach(begin: Any, end: Any, who: Any, stop: Any, reach: float) -> Any:
    """The pairs of units of different annotators whose centres are near for their lengths, as first and second units.

    Args:
        begin: Where units begin, in the order of the sweep.
        end: Where they end.
        who: Their annotators.
        stop: For each unit the end of its document in the sweep.
        reach: How many mean lengths centres may be apart.
    """
    units = len(begin)
    room = 4 * units + 16
    first = np.empty(room, np.int32)
    second = np.empty(room, np.int32)
    count = 0
    document = 0
    for u in range(units):
        if u > 0 and stop[u] != stop[u - 1]:
            document = u
        long = end[u] - begin[u]
        centre = begin[u] + end[u]
        for side in range(2):
            v = u
            while True:
                v += 1 if side == 0 else -1
                if v < document or v >= stop[u]:
                    break
                # The longer unit finds the shorter one: they are apart by no more than its own length allows.
                apart = abs(begin[v] + end[v] - centre)
                if apart > 2.0 * reach * long * (1.0 + 1e-9):
                    break
                other = end[v] - begin[v]
                if who[v] == who[u] or other > long or (other == long and v < u):
                    continue
                if apart > reach * (long + other) * (1.0 + 1e-9):
                    continue
                if count == room:
                    room *= 2
                    grown = np.empty(room, np.int32)
                    grown[:count] = first
                    first = grown
                    grown = np.empty(room, np.int32)
                    grown[:count] = second
                    second = grown
                first[count] = min(u, v)
                second[count] = max(u, v)
                count += 1
    return first[:count], second[:count]


@compiled
def assigned(who: Any, start: Any, second: Any, unlike: Any, price: float) -> Any:  # noqa: C901, PLR0912, PLR0915  # one loop over arrays, for a compiled function calls no other
    """The best partner of each unit of two annotators (-1: none), by shortest augmenting paths.

    Every unit of the first annotator is led, one after the other, along the cheapest path that ends at a unit without
    partner or leaves one alone; only units near to it are ever looked at.
    """
    units = len(who)
    # The neighbours of the units of annotator 0.
    head = np.zeros(units + 2, np.int64)
    for u in range(units):
        for e in range(start[u], start[u + 1]):
            if unlike[e] < price:
                head[(u if who[u] == 0 else second[e]) + 2] += 1
    for u in range(units):
        head[u + 2] += head[u + 1]
    column = np.empty(head[units + 1], np.int32)
    cost = np.empty(head[units + 1], np.float64)
    for u in range(units):
        for e in range(start[u], start[u + 1]):
            if unlike[e] < price:
                v = second[e]
                row = u if who[u] == 0 else v
                column[head[row + 1]] = v if who[u] == 0 else u
                cost[head[row + 1]] = unlike[e] - price
                head[row + 1] += 1
    partner = np.full(units, -1, np.int64)
    paid = np.zeros(units, np.float64)  # of rows: the cost of their partner
    dual = np.zeros(units, np.float64)  # of columns
    seen = np.full(units, -1, np.int64)
    done = np.full(units, -1, np.int64)
    least = np.zeros(units, np.float64)
    parent = np.zeros(units, np.int64)
    parent_cost = np.zeros(units, np.float64)
    scanned = np.empty(units, np.int64)
    key = np.empty(64, np.float64)
    heap = np.empty(64, np.int64)
    for source in range(units):
        if who[source] != 0 or head[source] == head[source + 1]:
            continue
        size = 0
        closed = 0
        row = source
        base = 0.0  # what comes on top of the costs of this row
        alone = 0.0  # the cheapest way to leave a unit alone
        alone_row = source
        target = -1
        final = 0.0
        while True:
            for e in range(head[row], head[row + 1]):
                v = column[e]
                if done[v] == source:
                    continue
                way = base + cost[e] - dual[v]
                if seen[v] != source or way < least[v] - 1e-12:
                    seen[v] = source
                    least[v] = way
                    parent[v] = row
                    parent_cost[v] = cost[e]
                    if size == len(key):
                        wider = np.empty(2 * size, np.float64)
                        wider[:size] = key
                        key = wider
                        grown = np.empty(2 * size, np.int64)
                        grown[:size] = heap
                        heap = grown
                    k = size
                    size += 1
                    while k > 0:
                        up = (k - 1) // 2
                        if key[up] < way or (key[up] == way and heap[up] <= v):
                            break
                        key[k] = key[up]
                        heap[k] = heap[up]
                        k = up
                    key[k] = way
                    heap[k] = v
            nearest = -1
            while size > 0:
                v = heap[0]
                way = key[0]
                size -= 1
                last = key[size]
                last_v = heap[size]
                k = 0
                while True:
                    down = 2 * k + 1
                    if down >= size:
                        break
                    if down + 1 < size and (
                        key[down + 1] < key[down]
                        or (key[down + 1] == key[down] and heap[down + 1] < heap[down])
                    ):
                        down += 1
                    if last < key[down] or (last == key[down] and last_v <= heap[down]):
                        break
                    key[k] = key[down]
                    heap[k] = heap[down]
                    k = down
                key[k] = last
                heap[k] = last_v
                if done[v] != source and way == least[v]:
                    nearest = v
                    break
            if nearest < 0 or least[nearest] >= alone:
                final = alone
                break
            v = nearest
            done[v] = source
            scanned[closed] = v
            closed += 1
            if partner[v] < 0:
                target = v
                final = least[v]
                break
            row = partner[v]
            base = least[v] - (paid[row] - dual[v])
            if base < alone:
                alone = base
                alone_row = row
        for k in range(closed):
            dual[scanned[k]] += least[scanned[k]] - final
        if target < 0:
            if alone_row == source:
                continue
            target = partner[alone_row]
            partner[alone_row] = -1
        while True:
            row = parent[target]
            before = partner[row]
            partner[row] = target
            partner[target] = row
            paid[row] = parent_cost[target]
            if row == source:
                break
            target = before
    return partner


@compiled
def clusters(  # noqa: C901, PLR0912, PLR0915, PLR0917  # one loop over arrays, for a compiled function calls no other
    who: Any,
    start: Any,
    second: Any,
    unlike: Any,
    annotators: int,
    price: float,
    most: int,
) -> Any:
    """The sets of near units, at most one of an annotator, that are no dearer than any two parts of them.

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


@compiled
def priced(  # noqa: C901, PLR0912, PLR0915, PLR0917  # one loop over arrays, for a compiled function calls no other
    who: Any,
    start: Any,
    second: Any,
    unlike: Any,
    annotators: int,
    price: float,
    worth: Any,
    slack: float,
    each: int,
    most: int,
    nodes: int,
) -> Any:
    """The sets that cost less than their units are worth and ``slack``, the best ``each`` of every first unit.

    Returns:
        The members of sets, the sums of w over their pairs, how many nodes of the search were seen, and whether it was
        completed with no more than ``most`` sets and ``nodes`` nodes.
    """
    units = len(who)
    room = 1024
    member = np.full((room, annotators), -1, np.int32)
    total = np.empty(room, np.float64)
    value = np.empty(room, np.float64)
    count = 0
    seen = 0
    rows = np.zeros((annotators + 1, annotators))
    chosen = np.zeros(annotators, np.int64)
    sizes = np.zeros(annotators + 1, np.int64)
    choice = np.zeros(annotators + 1, np.int64)
    group = np.zeros(annotators + 1, np.int64)
    filled = np.zeros(annotators + 1, np.int64)
    local = np.full(units, -1, np.int64)  # the place of a unit among the neighbours of the one at hand
    sums = np.zeros(annotators + 1)
    values = np.zeros(annotators + 1)
    for u in range(units):
        near_by = start[u + 1] - start[u]
        if near_by == 0:
            continue
        group[:] = 0
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
        off_rest = np.zeros((near_by + 1, levels + 1))
        for x in range(near_by + 1):
            for level in range(levels - 1, -1, -1):
                best = 0.0
                for y in range(group[level], group[level + 1]):
                    best = min(best, w[x, y])
                off_rest[x, level] = off_rest[x, level + 1] + best
        # What joining the units chosen so far would cost each candidate.
        join = np.empty((levels + 1, near_by + 1))
        for x in range(1, near_by + 1):
            join[0, x] = w[0, x] - worth[names[x]]
        chosen[0] = 0
        sizes[0] = 1
        rows[0, 0] = 0.0
        sums[0] = 0.0
        values[0] = price - worth[u]
        level = 0
        choice[0] = group[0] - 1
        begun = count
        limit = slack - 1e-10
        while level >= 0:
            choice[level] += 1
            size = sizes[level]
            k = choice[level]
            if k > group[level + 1]:
                level -= 1
                continue
            seen += 1
            good = True
            if k == group[level + 1]:
                for m in range(size):
                    row = rows[level, m]
                    rows[level + 1, m] = row
                    if row + off_rest[chosen[m], level + 1] >= price:
                        good = False
                        break
                sizes[level + 1] = size
                sums[level + 1] = sums[level]
                values[level + 1] = values[level]
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
                values[level + 1] = values[level] + own - worth[names[k]]
            if not good:
                continue
            bound = values[level + 1]
            for after in range(level + 1, levels):
                best = 0.0
                for y in range(group[after], group[after + 1]):
                    here = join[level, y] if k == group[level + 1] else join[level, y] + w[k, y]
                    join[level + 1, y] = here
                    best = min(best, here + 0.5 * off_rest[y, level + 1])
                bound += best
            if bound >= limit:
                continue
            if seen > nodes:
                return member[:count], total[:count], seen, False
            if level + 1 < levels:
                level += 1
                choice[level] = group[level] - 1
                continue
            size = sizes[level + 1]
            if size < 2:
                continue
            if count >= most:
                return member[:count], total[:count], seen, False
            if count == room:
                room *= 2
                more = np.full((room, annotators), -1, np.int32)
                more[:count] = member
                member = more
                wider = np.empty(room, np.float64)
                wider[:count] = total
                total = wider
                wider = np.empty(room, np.float64)
                wider[:count] = value
                value = wider
            # The best so far, in order; the worst makes room.
            at = count
            if count - begun == each:
                at -= 1
            else:
                count += 1
            while at > begun and value[at - 1] > values[level + 1]:
                value[at] = value[at - 1]
                total[at] = total[at - 1]
                member[at] = member[at - 1]
                at -= 1
            value[at] = values[level + 1]
            total[at] = sums[level + 1]
            member[at] = -1
            for m in range(size):
                v = names[chosen[m]]
                o = m
                while o > 0 and member[at, o - 1] > v:
                    member[at, o] = member[at, o - 1]
                    o -= 1
                member[at, o] = v
            if count - begun == each:
                limit = value[count - 1]
    return member[:count], total[:count], seen, True
