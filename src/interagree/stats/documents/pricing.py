r"""Sets of units that cost less than their units are worth, however many sets there are.

Units have prices $\pi$.  A set S, at most one unit of each annotator in it, costs C + Σ w over its pairs (see
`interagree.stats.documents.alignment`) and is worth the sum of its prices; what it costs above that is

$$r(S) = C + \sum_{\{u, v\} \subset S} w(u, v) - \sum_{u \in S} \pi(u)$$

Wanted are the sets with r below a limit, and for each unit a bound of the least r among the sets of which it is the
first.  With the first unit fixed, each other annotator has a choice: one of their later units, or none.  That is a
graphical model of pairs of choices, and is treated as one:

1. Choices that cannot lead below the limit are left out, first by what every unit can save at most with each annotator.
2. Messages move what pairs cost to the choices, annotator pair by annotator pair.  Totals stay as they are, and the
   sum of the least of each annotator bounds r from below (MPLP++).  Further choices are left out by that bound.
3. What is left is enumerated, annotator by annotator, those with few choices first.  Where there are too many partial
   sets, the most promising are kept, and the least bound of the others holds for the first unit.

All first units go through these steps together, as the last axis of arrays, so that it takes no compiled loop.

Tourani, S., Shekhovtsov, A., Rother, C. & Savchynskyy, B. (2018). MPLP++: Fast, Parallel Dual Block-Coordinate Ascent
for Dense Graphical Models. ECCV, 264-281.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from interagree.arrays import Booleans, Floats, Indices, Int32s

LEFT_OUT = 1e9  # what a choice that is left out costs
CELLS = 2_000_000  # of the tables of pairs of choices that are held at once
TOGETHER = 4_096  # first units that are looked at together at most
NODES = 400_000  # choices of partial sets that are held at once
SWEEPS = (2, 6)  # of messages, before choices are laid out anew and at last enumerated
DENSE, SMALL = 20, 1_000_000  # cells of a table for each near pair, and in all, up to which it is made
STILL = 1e-3  # of C by which bounds have to rise for another sweep


@dataclass(frozen=True, slots=True)
class Priced:
    """Sets below a limit, and what is known of the others."""

    member: Int32s  # sets × annotators: units in the order of the sweep, -1 where there are fewer
    over: Floats  # what each costs above its worth
    least: Floats  # for each unit a bound of that for the sets of which it is the first, at most the limit
    complete: Booleans  # for each unit whether these are its cheapest sets below the limit


@dataclass(frozen=True, slots=True)
class Neighbors:
    """Which units may be in one set, and what it costs to have two of them there."""

    who: Indices
    annotators: int
    price: float
    first: Indices  # of the pairs, in the order of the sweep
    second: Indices
    unlike: Floats  # their w
    band: Floats  # w of every two units by the first and how far behind the second is, then what is too far
    width: int
    half: Floats  # of the pairs: half of what the second unit can save at most with all annotators but the first's
    by_annotator: Indices  # the pairs, sorted by first unit and second annotator
    heads: Indices  # where these begin there
    keys: Indices  # first unit × annotators + second annotator

    @classmethod
    def of(cls, who: Indices, near: tuple[Indices, Int32s, Floats], annotators: int, price: float) -> Neighbors:
        """From starts by first unit, second units and their w."""
        start, later, unlike = near
        units = len(who)
        first = np.repeat(np.arange(units), np.diff(start))
        second = later.astype(np.intp)
        width = int((second - first).max(initial=0)) + 2
        far = 4 * (price + annotators)
        band = np.empty(0)
        # Not where one unit is as long as many are together, so that near ones stand far apart.
        if not len(first) or units * width <= DENSE * len(first) + SMALL:
            band = np.full(units * width, far)
            band[first * width + second - first] = unlike
        half = np.zeros((units, annotators))
        np.minimum.at(half, (first, who[second]), unlike / 2)
        np.minimum.at(half, (second, who[first]), unlike / 2)
        key = first * annotators + who[second]
        order = np.argsort(key, kind="stable")
        heads = np.flatnonzero(np.diff(key[order], prepend=-1))
        saved = half.sum(axis=1)[second] - half[second, who[first]]
        return cls(who, annotators, price, first, second, unlike, band, width, saved, order, heads, key[order][heads])

    def between(self, one: Indices, other: Indices) -> Floats:
        """The w of units; those of one annotator, or far from one another, are too far apart for any set."""
        if not len(self.band):
            return self._looked_up(np.minimum(one, other), np.maximum(one, other))
        apart = np.abs(one - other)
        np.minimum(apart, self.width - 1, out=apart)
        w: Floats = self.band[np.minimum(one, other) * self.width + apart]
        return w

    def _looked_up(self, low: Indices, high: Indices) -> Floats:
        """The same where a table of all units by how far behind the second is would be too large."""
        units = len(self.who)
        pairs = self.first * units + self.second  # sorted
        wanted = low * units + high
        place = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
        return np.where(pairs[place] == wanted, self.unlike[place], 4 * (self.price + self.annotators))

    def cheap(  # noqa: PLR0917
        self,
        worth: Floats,
        slack: float | Floats = 0.0,
        each: int = 8,
        beam: int = 100,
        among: Booleans | None = None,
        deadline: float = np.inf,
    ) -> Priced:
        """The sets that cost less than their units are worth and ``slack``.

        Args:
            worth: The prices of units.
            slack: How much more a set may cost, in all or by its first unit.
            each: How many sets there may be of each first unit; the cheapest are taken.
            beam: How many partial sets may be kept of each first unit.
            among: The first units to look at, by default all; of others nothing is known.
            deadline: When to stop; of units not looked at by then nothing is known.
        """
        units, n = len(worth), self.annotators
        limit = np.broadcast_to(np.asarray(slack - 1e-9 * self.price, dtype=np.float64), units)
        cost = self.unlike - worth[self.second]
        low = cost + self.half
        saved = np.zeros(units * n)
        if len(self.keys):
            saved[self.keys] = np.minimum(np.minimum.reduceat(low[self.by_annotator], self.heads), 0.0)
        bound = self.price - worth + saved.reshape(units, n).sum(axis=1)
        least = limit.copy()
        complete = np.ones(units, dtype=np.bool_)
        wanted = bound[self.first] - saved[self.first * n + self.who[self.second]] + low < limit[self.first]
        if among is not None:
            wanted &= among[self.first]
            least[~among] = -np.inf
            complete[~among] = False
        kept = np.flatnonzero(wanted)
        found: list[tuple[Int32s, Floats]] = []
        for sweeps in SWEEPS:
            left = []
            for choices in self._laid_out(kept, cost):
                if time.monotonic() > deadline:
                    least[choices.first], complete[choices.first] = -np.inf, False
                    continue
                choices.send(self.price - worth[choices.first], limit[choices.first], sweeps, STILL * self.price)
                if sweeps != SWEEPS[-1]:
                    left.append(choices.remaining())
                    continue
                member, over, dropped = choices.enumerated(n, beam)
                np.minimum.at(least, dropped[0], dropped[1])
                complete[dropped[0]] = False
                np.minimum.at(least, member[:, 0], over)
                found.append((member, over))
            kept = np.concatenate(left) if left else kept[:0]
        member = np.concatenate([rows for rows, _ in found]) if found else np.empty((0, n), dtype=np.int32)
        over = np.concatenate([rows for _, rows in found]) if found else np.empty(0)
        order = np.lexsort((over, member[:, 0]))
        keep = order[_rank(member[order, 0]) < each]
        return Priced(_sorted(member[keep]), over[keep], least, complete)

    def _laid_out(self, kept: Indices, cost: Floats) -> Iterator[Additions]:
        """The choices of first units, so many at a time as fit into memory, those of like number together."""
        n = self.annotators
        first, row = np.unique(self.first[kept], return_inverse=True)
        count = np.bincount(row * n + self.who[self.second[kept]], minlength=len(first) * n).reshape(len(first), n)
        few_first = np.argsort(np.where(count > 0, count, len(kept) + 1), axis=1, kind="stable")
        slot = np.empty_like(few_first)
        np.put_along_axis(slot, few_first, np.arange(n)[None, :], axis=1)
        counts = np.take_along_axis(count, few_first, axis=1)  # first units × slots, none at the end
        slots = (counts > 0).sum(axis=1)
        at = slot[row, self.who[self.second[kept]]]
        order = np.lexsort((cost[kept], at, row))
        kept, row, at = kept[order], row[order], at[order]
        place = _rank(row * n + at)
        head = np.searchsorted(row, np.arange(len(first) + 1))
        by_size = np.lexsort((counts.max(axis=1, initial=0), slots))
        for some in _portions(by_size, counts, slots):
            many = head[some + 1] - head[some]
            column = np.repeat(np.arange(len(some)), many)
            mine = np.arange(len(column)) + np.repeat(head[some] - np.cumsum(many) + many, many)
            sizes = counts[some].max(axis=0)
            yield Additions.of(self, first[some], sizes[sizes > 0], (at[mine], place[mine], column), kept[mine], cost)


@dataclass
class Additions:
    """What the annotators may add to sets with given first units; the last axis of all tables is these."""

    first: Indices
    pair: list[Indices]  # of each slot, choices × first units: a pair of near units, -1 for none
    unit: list[Indices]  # the second units of these
    cost: list[Floats]  # what they cost
    table: dict[tuple[int, int], Floats]  # what two of them cost together
    base: Floats  # of each first unit: what it costs alone,
    limit: Floats  # what is too much,
    bound: Floats  # and what its sets cost at least

    @classmethod
    def of(  # noqa: PLR0917
        cls,
        neighbors: Neighbors,
        first: Indices,
        sizes: Indices,
        where: tuple[Indices, Indices, Indices],
        kept: Indices,
        cost: Floats,
    ) -> Additions:
        slot, place, column = where
        pairs, units, costs = [], [], []
        for k, size in enumerate(sizes):
            mine = slot == k
            cells = place[mine] + 1, column[mine]
            pair = np.full((size + 1, len(first)), -1)
            pair[cells] = kept[mine]
            own = np.full(pair.shape, LEFT_OUT)
            own[cells] = cost[kept[mine]]
            own[0] = 0.0
            pairs.append(pair)
            units.append(np.where(pair >= 0, neighbors.second[pair], -1))
            costs.append(own)
        table = {}
        for a, one in enumerate(units):
            for b, other in enumerate(units[:a]):
                both = np.zeros((len(other), len(one), len(first)))
                both[1:, 1:] = neighbors.between(np.maximum(other[1:, None], 0), np.maximum(one[None, 1:], 0))
                table[b, a] = both
        nothing = np.full(len(first), -np.inf)
        return cls(first, pairs, units, costs, table, nothing, nothing, nothing)

    def send(self, base: Floats, limit: Floats, sweeps: int, still: float) -> None:
        """Messages; choices that cannot lead below the limit are left out."""
        self.base, self.limit = base, limit
        for _ in range(sweeps):
            for a, b in self.table:
                both = self.table[a, b] + self.cost[a][:, None]
                both += self.cost[b][None]
                one = both.min(axis=1)
                one *= 0.5
                both -= one[:, None]
                other = both.min(axis=0)
                both -= other[None]
                more = both.min(axis=1)
                both -= more[:, None]
                one += more
                self.cost[a], self.cost[b], self.table[a, b] = one, other, both
            least = [own.min(axis=0) for own in self.cost]
            before, self.bound = self.bound, base + sum(least)
            for own, low in zip(self.cost, least, strict=True):
                own[own + (self.bound - low) >= limit] = LEFT_OUT
            open_ = self.bound < limit
            if not open_.any() or (self.bound - before)[open_].max() < still:
                return

    def remaining(self) -> Indices:
        """The pairs of a first unit and one that may be in a set with it."""
        open_ = self.bound < self.limit
        return np.concatenate(
            [pair[(own < LEFT_OUT / 2) & (pair >= 0) & open_] for pair, own in zip(self.pair, self.cost, strict=True)]
        )

    def enumerated(self, annotators: int, beam: int) -> tuple[Int32s, Floats, tuple[Indices, Floats]]:
        """The sets below the limit, what they cost above their worth; first units of dropped ones, and their bounds."""
        rows: list[tuple[Indices, Indices, Floats]] = []
        dropped: list[tuple[Indices, Floats]] = []
        open_ = np.flatnonzero(self.bound < self.limit)
        start = Partial(
            open_, self.base[open_], np.empty((0, len(open_)), dtype=np.intp), [c[:, open_] for c in self.cost]
        )
        stack = [start]
        while stack:
            partial = stack.pop()
            if not partial.ahead:
                rows.append((partial.column, partial.chosen, partial.value))
                continue
            if partial.cells > NODES and len(partial.column) > 1:
                stack += partial.halves()
                continue
            stack.append(self._extended(partial, beam, dropped))
        column = np.concatenate([c for c, _, _ in rows]) if rows else np.empty(0, dtype=np.intp)
        value = np.concatenate([v for _, _, v in rows]) if rows else np.empty(0)
        member = np.full((len(column), annotators), -1, dtype=np.int32)
        member[:, 0] = self.first[column]
        if rows:
            chosen = np.concatenate([s for _, s, _ in rows], axis=1)
            for slot, unit in enumerate(self.unit):
                member[:, slot + 1] = unit[chosen[slot], column]
            several = (chosen > 0).any(axis=0)
            member, value = member[several], value[several]
        lost = np.concatenate([c for c, _ in dropped]) if dropped else np.empty(0, dtype=np.intp)
        bounds = np.concatenate([b for _, b in dropped]) if dropped else np.empty(0)
        return member, value, (self.first[lost], bounds)

    def _extended(self, partial: Partial, beam: int, dropped: list[tuple[Indices, Floats]]) -> Partial:
        """The partial sets with a choice of the next slot."""
        slot = len(partial.chosen)
        value = partial.value + partial.ahead[0]
        choice, node = np.nonzero(value < LEFT_OUT / 2)
        column, value = partial.column[node], value[choice, node]
        bound = value.copy()
        ahead = []
        for k, after in enumerate(partial.ahead[1:], start=slot + 1):
            table = self.table[slot, k]
            width = table.shape[1] * table.shape[2]
            cells = (choice * width + column) + (np.arange(table.shape[1]) * table.shape[2])[:, None]
            joined = after[:, node]
            joined += table.ravel()[cells]
            bound += joined.min(axis=0)
            ahead.append(joined)
        keep = np.flatnonzero(bound < self.limit[column])
        if len(keep) > beam and np.bincount(column[keep]).max() > beam:
            order = keep[np.lexsort((bound[keep], column[keep]))]
            last = _rank(column[order]) >= beam
            dropped.append((column[order[last]], bound[order[last]]))
            keep = np.sort(order[~last])
        keep = keep[np.argsort(column[keep], kind="stable")]
        chosen = np.concatenate((partial.chosen[:, node[keep]], choice[None, keep]))
        return Partial(column[keep], value[keep], chosen, [a[:, keep] for a in ahead])


@dataclass
class Partial:
    """Sets that are not complete; all arrays end in an axis of these."""

    column: Indices  # the first unit of each
    value: Floats
    chosen: Indices  # choices by slot
    ahead: list[Floats]  # what the choices of further slots cost together with those chosen

    @property
    def cells(self) -> int:
        return sum(len(own) for own in self.ahead) * len(self.column)

    def halves(self) -> list[Partial]:
        middle = len(self.column) // 2
        return [
            Partial(self.column[part], self.value[part], self.chosen[:, part], [own[:, part] for own in self.ahead])
            for part in (slice(None, middle), slice(middle, None))
        ]


def _portions(order: Indices, counts: Indices, slots: Indices) -> Iterator[Indices]:
    """Rows in an order of their size, as many at a time as fit, and not much larger ones together with small ones."""
    own = ((counts.sum(axis=1) + slots) ** 2 // 2 + 1)[order]
    begin = 0
    while begin < len(order):
        some = order[begin : begin + TOGETHER]
        widest = np.maximum.accumulate(counts[some], axis=0)
        together = (widest.sum(axis=1) + (widest > 0).sum(axis=1)) ** 2 // 2 * np.arange(1, len(some) + 1)
        wasted = together > np.maximum(2.5 * np.cumsum(own[begin : begin + TOGETHER]), 20_000)
        count = max(int(np.argmax(np.append((together > CELLS) | wasted, True))), 1)  # a sentinel
        yield np.sort(some[:count])
        begin += count


def _rank(key: Indices) -> Indices:
    """How many equal keys stand before each, in sorted keys."""
    heads = np.flatnonzero(np.diff(key, prepend=-1))
    ranks: Indices = np.arange(len(key)) - np.repeat(heads, np.diff(np.append(heads, len(key))))
    return ranks


def _sorted(member: Int32s) -> Int32s:
    """The members of sets in the order of the sweep, -1 behind them."""
    last = np.iinfo(np.int32).max
    rows = np.sort(np.where(member < 0, last, member), axis=1)
    return np.where(rows == last, np.int32(-1), rows)
