"""Loops that pack sets of units so that the packing saves most.

Sets are laid out with what each saves beside leaving its units alone, see `interagree.kernels.alignment_sets`.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Booleans, Floats, Indices, Int32s, Int64s
from interagree.kernels.compiled import compiled


@compiled
def parts(units: int, member: Int32s) -> Indices:
    """For each unit the root of its connected component, units of one set being connected."""
    root = np.arange(units)
    for k in range(len(member)):
        a = member[k, 0]
        while root[a] != a:
            root[a] = root[root[a]]
            a = root[a]
        for m in range(1, member.shape[1]):
            b = member[k, m]
            if b < 0:
                break
            while root[b] != b:
                root[b] = root[root[b]]
                b = root[b]
            if b < a:
                root[a] = b
                a = b
            elif a < b:
                root[b] = a
    for u in range(units):
        root[u] = root[root[u]]
    return root


@compiled
def swept(  # noqa: C901, PLR0912, PLR0915, PLR0917  # one loop over arrays, for a compiled function calls no other
    bounds: Indices, head: Indices, member: Int32s, gain: Floats, saves: Floats, most: int
) -> tuple[Booleans, Booleans]:
    """The best sets of each part, unit by unit: which later units are used already is all that has to be known.

    A state is left out where another one costs no more even after it has paid for the units that it used in addition,
    each with the most it can still save in sets that are to come.

    Args:
        bounds: Where parts begin and, at last, end; the units of a part stand together.
        head: Where the sets of each first unit begin.
        member: The members of sets.
        gain: What sets cost more than their units alone (below 0).
        saves: What each member saves in its set.
        most: How many states there may be.

    Returns:
        Which sets are chosen, and which parts were solved (there were no more than ``most`` states, and no set
        reaches beyond 62 units).
    """
    picked = np.zeros(len(gain), np.bool_)
    solved = np.ones(len(bounds) - 1, np.bool_)
    unit_bit = np.int64(1)
    table = 16 * most
    slot = np.zeros(table, np.int64)
    stamp = np.full(table, -1, np.int64)
    room = 4 * most
    used = np.zeros(room, np.int64)
    value = np.zeros(room)
    origin = np.zeros(room, np.int64)
    by_set = np.zeros(room, np.int64)
    order = np.zeros(room, np.int64)
    now_used = np.zeros(most, np.int64)
    now_value = np.zeros(most)
    masks = np.zeros(64, np.int64)
    kept_origin = np.zeros(1024, np.int64)
    kept_set = np.zeros(1024, np.int64)
    for part in range(len(bounds) - 1):
        if bounds[part + 1] - bounds[part] == 1:
            continue
        now_used[0] = 0
        now_value[0] = 0.0
        states = 1
        kept = 1  # of all steps; the first is the state before the first unit
        before = 0  # where the states of the last step begin among them
        good = True
        # The most that a unit can save in sets whose first unit is so many units before it, or fewer.
        low = bounds[part]
        most_saved = np.zeros((bounds[part + 1] - low, 63))
        for k in range(head[low], head[bounds[part + 1]]):
            for m in range(member.shape[1]):
                v = member[k, m]
                if v < 0:
                    break
                back = v - member[k, 0]
                if back > 62:
                    good = False
                    break
                most_saved[v - low, back] = max(most_saved[v - low, back], saves[k, m])
        for v in range(bounds[part + 1] - low):
            for back in range(1, 63):
                most_saved[v, back] = max(most_saved[v, back], most_saved[v, back - 1])
        if not good:
            solved[part] = False
            continue
        for u in range(bounds[part], bounds[part + 1]):
            sets = head[u + 1] - head[u]
            if sets > len(masks):
                masks = np.zeros(2 * sets, np.int64)
            for k in range(sets):
                mask = unit_bit
                for m in range(1, member.shape[1]):
                    v = member[head[u] + k, m]
                    if v < 0:
                        break
                    mask |= unit_bit << np.int64(v - u)
                masks[k] = mask
            count = 0
            for a in range(states):
                tries = 0 if now_used[a] & unit_bit else sets
                for k in range(-1, tries):
                    if k < 0:
                        mask = now_used[a] >> unit_bit
                        way = now_value[a]
                    else:
                        if now_used[a] & masks[k]:
                            continue
                        mask = (now_used[a] | masks[k]) >> unit_bit
                        way = now_value[a] + gain[head[u] + k]
                    h = (mask ^ (mask >> 7) ^ (mask >> 17) ^ (mask >> 31) ^ (mask >> 45)) % table
                    while stamp[h] == u and used[slot[h]] != mask:
                        h = h + 1 if h + 1 < table else 0
                    if stamp[h] != u:
                        if count == room:
                            good = False
                            break
                        stamp[h] = u
                        slot[h] = count
                        used[count] = mask
                        value[count] = way
                        origin[count] = before + a
                        by_set[count] = -1 if k < 0 else head[u] + k
                        count += 1
                    elif way < value[slot[h]] - 1e-12:
                        s = slot[h]
                        value[s] = way
                        origin[s] = before + a
                        by_set[s] = -1 if k < 0 else head[u] + k
                if not good:
                    break
            if not good:
                break
            for k in range(count):
                order[k] = k
            step = count // 2
            while step > 0:  # sorted by value in ever smaller steps
                for k in range(step, count):
                    a = order[k]
                    m = k
                    while m >= step:
                        b = order[m - step]
                        if value[b] < value[a] or (value[b] == value[a] and b < a):
                            break
                        order[m] = b
                        m -= step
                    order[m] = a
                step //= 2
            before = kept
            states = 0
            for k in range(count):
                a = order[k]
                beaten = False
                for b in range(states):
                    spare = value[a] - now_value[b] + 1e-12
                    more = now_used[b] & ~used[a]
                    back = 0
                    while more and spare >= 0:
                        if more & unit_bit:
                            spare -= most_saved[u + 1 + back - low, back]
                        more >>= unit_bit
                        back += 1
                    if spare >= 0:
                        beaten = True
                        break
                if beaten:
                    continue
                if states == most:
                    good = False
                    break
                if kept == len(kept_origin):
                    grown = np.zeros(2 * kept, np.int64)
                    grown[:kept] = kept_origin
                    kept_origin = grown
                    grown = np.zeros(2 * kept, np.int64)
                    grown[:kept] = kept_set
                    kept_set = grown
                now_used[states] = used[a]
                now_value[states] = value[a]
                kept_origin[kept] = origin[a]
                kept_set[kept] = by_set[a]
                states += 1
                kept += 1
            if not good:
                break
        solved[part] = good
        if good:
            k = before
            while k > 0:
                if kept_set[k] >= 0:
                    picked[kept_set[k]] = True
                k = kept_origin[k]
    return picked, solved


@compiled
def greedy(member: Int32s, order: Indices, left: Int64s) -> Int64s:
    """How often each set is taken where sets are taken in this order as long as their units are left."""
    times = np.zeros(len(member), np.int64)
    for k in order:
        most = left[member[k, 0]]
        for m in range(1, member.shape[1]):
            if member[k, m] < 0:
                break
            most = min(most, left[member[k, m]])
        if most > 0:
            times[k] = most
            for m in range(member.shape[1]):
                if member[k, m] < 0:
                    break
                left[member[k, m]] -= most
    return times
