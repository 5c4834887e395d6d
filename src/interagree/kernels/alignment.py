"""Loops over pairs of units of different annotators: which are near, and which are the best partners.

Units are laid out in the order of a sweep (document by document, by centre).
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats, Indices, Int32s, Int64s
from interagree.kernels.compiled import compiled


@compiled
def within_reach(begin: Floats, end: Floats, who: Indices, stop: Indices, reach: float) -> tuple[Int32s, Int32s]:
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
def assigned(  # noqa: C901, PLR0912, PLR0915  # one loop over arrays, for a compiled function calls no other
    who: Indices, start: Indices, second: Int32s, unlike: Floats, price: float
) -> Int64s:
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
                        key[down + 1] < key[down] or (key[down + 1] == key[down] and heap[down + 1] < heap[down])
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
