"""Sets of units that cover each unit at least once, or each kind of units so often: linear programs and their proof.

For alignments in which each unit is in one set, see `interagree.stats.documents.partitioning`.

With cost c(S) of a set S, the program over all sets is relaxed to fractions of sets, and solved with few of them at
first; sets that cost less than their units are worth by its dual prices π are added until there are none.  A set then
costs r(S) = c(S) - Σ π(u) ≥ 0 too much, and any choice of sets costs Σ π(u) plus what its sets cost too much.

Where the solution has fractions, the sets that cost nothing too much fall into small parts, and a part p is solved
exactly; it costs the least g(p) ≥ 0 above the sum of its prices.  The whole is optimal as soon as every set outside has
r(S) ≥ Σ g(p) over the parts it touches: a better choice would have to use such sets, and they cost more than they
could save.  Sets that do not are added, and the parts they join are solved anew.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from interagree.arrays import Floats, Indices, Int32s
from interagree.kernels import packing
from interagree.stats.documents.pricing import Neighbors

if TYPE_CHECKING:
    from scipy.sparse import csc_array

ZERO = 1e-10  # what counts as nothing in costs, which are of the order of the pairs of annotators
WIDTH = 0.04  # what sets cost too much that are looked at first, where the solution has fractions
WHOLE = 100_000  # sets that are given to the solver at once
FOUND = 500_000  # sets that one search may bring
EACH = (20, 2000, FOUND)  # sets with the same first unit that one search brings, if need be more
BEAM = 20_000  # partial sets that a search looks at


class Sets(Protocol):
    """Sets of units, -1 standing for no member, and their costs; what is known of them may grow."""

    member: Int32s
    cost: Floats

    def cheap(self, worth: Floats, each: int = ..., slack: float = ...) -> tuple[Indices, bool]:
        """Places of sets that cost less than their units are worth and ``slack``, and whether that can be relied on.

        Of those with the same first unit the best ``each`` suffice.
        """


@dataclass
class Listed:
    """Sets that are all known."""

    member: Int32s
    cost: Floats

    def cheap(self, worth: Floats, each: int = 0, slack: float = 0.0) -> tuple[Indices, bool]:  # noqa: ARG002
        return np.flatnonzero(_over(self.member, self.cost, worth) < slack - ZERO), True


@dataclass
class Searched:
    """Sets that are too many to be listed: those wanted are searched for, and kept."""

    neighbors: Neighbors
    deadline: float
    member: Int32s
    cost: Floats
    known: dict[bytes, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, who: Indices, near: tuple[Indices, Int32s, Floats], annotators: int, price: float, deadline: float
    ) -> Searched:
        neighbors = Neighbors.of(who, near, annotators, price)
        return cls(neighbors, deadline, np.empty((0, annotators), dtype=np.int32), np.empty(0))

    def cheap(self, worth: Floats, each: int = EACH[0], slack: float = 0.0) -> tuple[Indices, bool]:
        found = self.neighbors.cheap(worth, slack, each, min(10 * each, BEAM), deadline=self.deadline)
        fresh = [k for k, row in enumerate(found.member) if row.tobytes() not in self.known]
        for k in fresh:
            self.known[found.member[k].tobytes()] = len(self.known)
        self.member = np.concatenate((self.member, found.member[fresh]))
        cost = found.over + np.append(worth, 0.0)[found.member].sum(axis=1)
        self.cost = np.append(self.cost, cost[fresh])
        return np.flatnonzero(_over(self.member, self.cost, worth) < slack - ZERO), bool(found.complete.all())


@dataclass(frozen=True)
class Packed:
    """How often sets are taken, and how much less they could cost at most."""

    member: Int32s
    cost: Floats
    times: Indices
    gap: float


def _over(member: Int32s, cost: Floats, worth: Floats) -> Floats:
    """What sets cost above the worth of their units."""
    padded = np.append(worth, 0.0)
    out = cost.copy()
    for m in range(member.shape[1]):
        out -= padded[member[:, m]]
    return out


@dataclass
class Program:
    """A choice of sets: ``count`` of each unit, or at least that where ``soft``; a unit alone costs ``price``."""

    sets: Sets
    count: Indices
    price: float
    soft: bool = False
    deadline: float = np.inf
    active: Indices = field(default_factory=lambda: np.zeros(0, dtype=np.intp))

    def solved(self) -> Packed:
        """The best choice, or what was found by the deadline."""
        self.active = self._to_start_with()
        worth, share, bound = self._relaxed()
        if share is None:
            return self._given_up(bound, worth)
        shares = np.zeros(len(self.sets.cost))
        shares[self.active] = share
        return self._rounded(worth, shares, bound)

    # ---------------------------------------------------------------------------------------- prices

    def _too_high(self, places: Indices, worth: Floats) -> Floats:
        """By how much to lower prices so that these sets cost no less than their units are worth."""
        member = self.sets.member[places]
        each = -_over(member, self.sets.cost[places], worth) / (member >= 0).sum(axis=1)
        lower = np.zeros(len(worth) + 1)
        for m in range(member.shape[1]):
            np.maximum.at(lower, member[:, m], each)
        return lower[:-1]

    # ------------------------------------------------------------------------------------- the relaxation

    def _late(self) -> bool:
        return time.monotonic() > self.deadline

    def _to_start_with(self) -> Indices:
        places, _ = self.sets.cheap(np.full(len(self.count), self.price))
        sets = self.sets
        if len(places) <= WHOLE:
            return places
        size = (sets.member[places] >= 0).sum(axis=1)
        gain = (sets.cost[places] - size * self.price) / size
        return places[_best_of_units(sets.member[places], gain, 6)]

    def _relaxed(self) -> tuple[Floats, Floats | None, float]:
        """Prices, the shares of active sets (none where time is up), and a bound of the cost."""
        bound = 0.0
        worth = np.zeros(len(self.count))
        while not self._late():
            solution = self._linear()
            if solution is None:
                break
            share, worth = solution
            new, complete = self.sets.cheap(worth)
            new = np.setdiff1d(new, self.active, assume_unique=True)
            over = _over(self.sets.member[new], self.sets.cost[new], worth)
            if complete:
                bound = max(bound, self._bound(worth, new))
            if not len(new):
                return (worth, share, bound) if complete else (worth, None, bound)
            self.active = np.concatenate((self.active, new[_best_of_units(self.sets.member[new], over, 20)]))
        return worth, None, bound

    def _bound(self, worth: Floats, places: Indices) -> float:
        """What every choice costs at least, by prices lowered until these sets are not worth more."""
        if self.soft:
            worth = np.maximum(worth, 0.0)
            value = -_over(self.sets.member[places], np.zeros(len(places)), worth)
            share = self.sets.cost[places] / np.where(value > 0, value, np.inf)
            return float(np.clip(share.min(initial=1.0), 0.0, 1.0) * (worth @ self.count))
        return float((np.minimum(worth, self.price) - self._too_high(places, worth)) @ self.count)

    def _linear(self) -> tuple[Floats, Floats] | None:
        """The shares of the active sets, and the prices of units."""
        from scipy.optimize import linprog

        if not len(self.active):
            return np.empty(0), np.full(len(self.count), self.price)
        member, cost = self.sets.member[self.active], self.sets.cost[self.active]
        matrix = _matrix(member, len(self.count), alone=self.soft)
        options: dict[str, float] = {
            "presolve": False,
            "dual_feasibility_tolerance": 1e-10,
            "primal_feasibility_tolerance": 1e-10,
        }
        if self.deadline < np.inf:
            options["time_limit"] = max(self.deadline - time.monotonic(), 0.01)
        if self.soft:
            costs = np.append(cost, np.full(len(self.count), self.price))
            solution = linprog(costs, A_ub=-matrix, b_ub=-self.count, method="highs", options=options)
        else:
            gain = cost - self.price * (member >= 0).sum(axis=1)
            solution = linprog(gain, A_ub=matrix, b_ub=self.count, method="highs", options=options)
        if solution.status != 0:
            return None
        dual = solution.ineqlin.marginals
        return solution.x[: len(cost)], -dual if self.soft else self.price + dual

    # ---------------------------------------------------------------------------------------- whole sets

    def _rounded(self, worth: Floats, shares: Floats, bound: float) -> Packed:
        """The best whole sets, from the solution of the relaxation."""
        sets, units = self.sets, len(self.count)
        lone = np.maximum(self.price - worth, 0.0)
        width = WIDTH
        inside, _ = sets.cheap(worth + width / sets.member.shape[1], EACH[-1])
        inside = np.union1d(inside, np.flatnonzero(shares > ZERO))
        parts: dict[bytes, tuple[Indices, float, bool]] = {}
        while True:
            shares = np.append(shares, np.zeros(len(sets.cost) - len(shares)))
            root = packing.parts.for_steps(10 * len(inside))(units, sets.member[inside])
            times, above, proven = self._parts(inside, root, worth, lone, shares, parts)
            if self._late() or not proven:
                return self._unproven(inside, times, bound)
            dispersed = above.sum() > 3 * above.max()
            relaxed, slack = (worth + above[root], 0.0) if dispersed else (worth, float(above.sum()))
            # What is inside may be too little to be near the best: then a few more sets come first, not all that might
            # be better.
            while width < above.max():
                width *= 4
                more, complete = sets.cheap(worth, EACH[-1], width)
                more = np.setdiff1d(more, inside, assume_unique=True)
                if len(more) or not complete:
                    break
            else:
                for each in EACH[1:]:
                    more, complete = sets.cheap(relaxed, each, slack)
                    more = np.setdiff1d(more, inside, assume_unique=True)
                    over = _over(sets.member[more], sets.cost[more], worth)
                    more = more[over < self._touched(sets.member[more], root, above) - ZERO]
                    if len(more):
                        break
            if len(more):
                inside = np.union1d(inside, more)
            elif complete:
                return self._result(inside, times, 0.0)
            else:
                return self._unproven(inside, times, bound)

    def _touched(self, member: Int32s, root: Indices, above: Floats) -> Floats:
        """For each set the sum of what the parts that it touches cost above their prices."""
        of = np.append(root, -1)[member]
        of.sort(axis=1)
        first = np.ones(of.shape, dtype=np.bool_)
        first[:, 1:] = of[:, 1:] != of[:, :-1]
        out: Floats = np.where(first & (of >= 0), np.append(above, 0.0)[of], 0.0).sum(axis=1)
        return out

    def _alone(self, places: Indices, times: Indices) -> float:
        return self.price * float(np.maximum(self.count - self._used(places, times), 0).sum())

    def _used(self, places: Indices, times: Indices) -> Indices:
        used = np.zeros(len(self.count) + 1, dtype=np.intp)
        for column in self.sets.member[places].T:
            np.add.at(used, column, times)
        return used[:-1]

    def _result(self, places: Indices, times: Indices, gap: float) -> Packed:
        taken = times > 0
        places = places[taken]
        return Packed(self.sets.member[places], self.sets.cost[places], times[taken], gap)

    def _parts(  # noqa: PLR0917
        self,
        inside: Indices,
        root: Indices,
        worth: Floats,
        lone: Floats,
        shares: Floats,
        known: dict[bytes, tuple[Indices, float, bool]],
    ) -> tuple[Indices, Floats, bool]:
        """How often the sets inside are taken, and for the first unit of each part what it costs too much."""
        sets = self.sets
        of = root[sets.member[inside, 0]]
        order = np.argsort(of, kind="stable")
        split = np.flatnonzero(np.diff(of[order])) + 1
        times = np.zeros(len(inside), dtype=np.intp)
        above = np.where(np.bincount(root, minlength=len(root)) == 1, lone, 0.0)  # units in none are alone
        proven = True
        units_of = np.argsort(root, kind="stable")
        starts = np.searchsorted(root[units_of], np.arange(len(root) + 1))
        for group in np.split(order, split) if len(order) else []:
            here = inside[group]
            share = shares[here]
            whole = np.rint(share)
            if self.active.size and np.abs(share - whole).max() < 1e-6:
                times[group] = whole.astype(np.intp)
                continue
            first = of[group[0]]
            units = units_of[starts[first] : starts[first + 1]]
            key = here.tobytes()
            if key not in known:
                known[key] = self._part(here, units, worth, lone)
            times[group], above[first], certain = known[key]
            proven = proven and certain
        return times, above, proven

    def _part(self, here: Indices, units: Indices, worth: Floats, lone: Floats) -> tuple[Indices, float, bool]:
        """The best whole sets of one part: how often they are taken, what they cost too much, and if that is proven."""
        sets = self.sets
        rank = np.full(len(worth) + 1, -1, dtype=np.int32)
        rank[units] = np.arange(len(units))
        member = rank[sets.member[here]]
        over = np.maximum(_over(sets.member[here], sets.cost[here], worth), 0.0)
        return self._whole(member, over, lone[units], worth[units], self.count[units])

    def _whole(
        self, member: Int32s, over: Floats, lone: Floats, worth: Floats, count: Indices
    ) -> tuple[Indices, float, bool]:
        from scipy.optimize import Bounds, LinearConstraint, milp

        matrix = _matrix(member, len(count), alone=True)
        # More than once covered, a unit costs its price in addition: what a set costs is counted in full then.
        costs = np.append(over, lone) + (matrix.T @ worth if self.soft else 0.0)
        scale = 2.0**20
        options: dict[str, float] = {"mip_rel_gap": 0.0}
        if self.deadline < np.inf:
            options["time_limit"] = max(self.deadline - time.monotonic(), 0.01)
        solution = milp(
            scale * costs,
            constraints=LinearConstraint(matrix, count, np.inf if self.soft else count),
            integrality=1,
            bounds=Bounds(0, np.inf),
            options=options,
        )
        if solution.x is None:
            size = (member >= 0).sum(axis=1)
            gain = over + _over(member, np.zeros(len(member)), -worth) - self.price * size
            times = packing.greedy.plain(member, np.argsort(gain / size, kind="stable"), count.copy())
            return times, 0.0, False
        times = np.rint(solution.x[: len(over)]).astype(np.intp)
        alone = np.rint(solution.x[len(over) :])
        total = float(costs[: len(over)] @ times + costs[len(over) :] @ alone)
        return times, total - (float(worth @ count) if self.soft else 0.0), solution.status == 0

    def _given_up(self, bound: float, worth: Floats) -> Packed:
        """What can be had at once, where time is up: the cheapest sets by their prices, one after the other."""
        sets = self.sets
        size = (sets.member >= 0).sum(axis=1)
        order = np.argsort(_over(sets.member, sets.cost, worth) / size, kind="stable")
        order = order[sets.cost[order] < size[order] * self.price]
        times = packing.greedy.for_steps(5 * len(order))(sets.member, order, self.count.astype(np.int64))
        return self._unproven(np.arange(len(sets.cost)), times, bound)

    def _unproven(self, places: Indices, times: Indices, bound: float) -> Packed:
        value = float(self.sets.cost[places] @ times) + self._alone(places, times)
        over = value - bound
        return self._result(places, times, over if over > ZERO * len(self.count) else 0.0)


def _best_of_units(member: Int32s, cost: Floats, each: int) -> Indices:
    """Places of the sets that are among the ``each`` cheapest of one of their units."""
    rows, columns = np.nonzero(member >= 0)
    unit = member[rows, columns]
    order = np.lexsort((rows, cost[rows], unit))
    unit = unit[order]
    rank = np.arange(len(unit)) - np.searchsorted(unit, unit)
    return np.unique(rows[order[rank < each]])


def _matrix(member: Int32s, units: int, *, alone: bool) -> csc_array:
    """Which units (rows) are in which sets (columns), units alone following where wanted."""
    from scipy.sparse import csc_array

    columns, members = np.nonzero(member >= 0)
    rows = member[columns, members]
    sets = len(member)
    if alone:
        rows, columns = np.append(rows, np.arange(units)), np.append(columns, sets + np.arange(units))
    # The solver of SciPy 1.13 refuses indices of 64 bits.
    places = (rows.astype(np.int32), columns.astype(np.int32))
    return csc_array((np.ones(len(rows)), places), shape=(units, sets + alone * units))
