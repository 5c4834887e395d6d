r"""The best alignment of many annotators: a partition into sets, by column generation, with its proof.

Units are put into sets, at most one unit of an annotator in each; a set S costs C + Σ w over its pairs, a unit alone C
(see `interagree.stats.documents.alignment`).  For prices $\pi$ by which no set costs less than its units are worth,
every alignment costs at least their sum:

$$\sum_{S} c(S) \ge \sum_u \pi(u), \qquad \sum_{u \in S} \pi(u) \le c(S) \text{ for all } S, \quad \pi(u) \le C$$

and the best such prices come within a fraction of a per cent of the best alignment.  They are found in rounds, for
many documents at once:

1. A first alignment: annotator by annotator, units are assigned to the sets of the others.  Sets cost a part of C at
   first, and more from pass to pass, as too few sets are found otherwise.  Each unit's share in the cost of its set is
   its first price.
2. Sets that cost less than their units are worth are looked for (`interagree.stats.documents.pricing`).  The price of
   their first unit lowered by what the worst of them lacks, prices are a bound, whether all sets were seen or not.
3. Prices are balanced over the sets known: unit by unit they are raised or lowered until the sets of each weigh 1
   together, a set weighing exp((π(S) - c(S)) / ε).  That is coordinate ascent on the smoothed bound; ε falls from round
   to round.  How far prices may rise in a round is limited, more so the more sets turned out too cheap.
4. A program of whole sets, of those that cost little above their prices, gives a better alignment.  If it was given
   all sets that cost less above their prices than the alignment above the bound, no alignment is better.

The gap is what an alignment costs above the bound: how much lower the least could be.

Desaulniers, G., Desrosiers, J. & Solomon, M. M. (eds.) (2005). Column Generation. Springer.
Cuturi, M. (2013). Sinkhorn distances: lightspeed computation of optimal transport. NeurIPS 26, 2292-2300.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from interagree.arrays import Booleans, Floats, Indices, Int32s
from interagree.stats.documents.pricing import Neighbors, Priced

# What a set costs in each pass of the first alignment, over C; and the same of further ones, in turn.
FIRST = (0.55, 0.55, 0.7, 0.85, 1.0, 1.0)
FURTHER = ((0.3, 0.5, 0.7, 0.85, 1.0, 1.0), FIRST)
POOR = 0.004  # of its cost: a larger gap makes further alignments worth while
TURNS = 2  # that are then made at a time
SMOOTH = (0.01, 0.004, 0.0015, 0.0005)  # ε over C, from stage to stage
FEASIBLE = 0.004  # of the bound: sets that are together too cheap by less end a stage
RISING = 0.0005  # by which the bound must not have risen then
ROUNDS = 80
BALANCING = 20, 80  # rounds of balancing while many sets are too cheap, and later
STEP = 0.35  # how far prices may rise at first, over C / annotators
NEAR = 40.0  # ε above its worth, beyond which a set has no weight
WIDE = 0.1  # of C that sets cost above their worth to be tried as whole sets
SMALL = 0.1  # of C that a gap may be for a proof to be tried
LARGE = 0.5  # the same in the end, but for documents with few units
SHORT = 100  # units that are few
EACH = 300  # sets with the same first unit that a proof takes
NARROW, WIDEST = 25, 200  # partial sets with the same first unit that are kept in a round, at first and at most
BEAM = 1_600  # the same in a proof
MOST = 2_000  # sets that a program takes
NODES = 500  # of its search


@dataclass
class Partitions:
    """Alignments of documents with the same number of annotators, made better until they are good enough."""

    neighbors: Neighbors
    document: Indices
    documents: int
    tolerance: float  # of its cost, that an alignment may cost above the bound
    deadline: float
    cluster: Indices = field(init=False)  # of each unit
    cost: Floats = field(init=False)  # of each document
    bound: Floats = field(init=False)
    worth: Floats = field(init=False)  # the prices that give the bounds
    member: Int32s = field(init=False)  # the sets that are known
    of_sets: Floats = field(init=False)  # and their costs
    turns: int = 0  # how many alignments there were besides the first

    def __post_init__(self) -> None:
        units, n = len(self.document), self.neighbors.annotators
        self.cluster = np.arange(units)
        self.cost = self._sums(np.full(units, self.neighbors.price))
        self.bound = np.zeros(self.documents)
        self.worth = np.zeros(units)
        self.member, self.of_sets = np.empty((0, n), dtype=np.int32), np.empty(0)

    def begun(self) -> tuple[Int32s, Floats, Floats]:
        """The same of the first alignments, and nothing said of how far they are from the best."""
        self._first()
        for turn in range(TURNS):
            self._reassigned(np.full(len(self.cluster), -1), FURTHER[turn], self._open(), turn + 1)
        return *self._sets(self.cluster), self.gap

    def solved(self) -> tuple[Int32s, Floats, Floats]:
        """The sets of more than one unit, their costs, and the gap of each document."""
        near = self.neighbors
        prices = self._first()
        stage = np.zeros(self.documents, dtype=np.intp)
        room = np.full(self.documents, STEP * near.price / near.annotators)
        held = np.ones(self.documents, dtype=np.bool_)  # whether some price could not rise as far as it would
        beam = NARROW
        for _ in range(ROUNDS):
            going = self._open() & (stage < len(SMOOTH))
            if not going.any():
                break
            here = going[self.document]
            found = near.cheap(prices, beam=beam, among=here, deadline=self.deadline)
            total = np.maximum(self._sums(np.minimum(prices, near.price)), 1e-9)
            before = self.bound
            lacking = self._bounded(prices, found, here) / total
            rising = self.bound > (1 + max(RISING, self.tolerance)) * before
            new = self._know(found, prices)
            # Where most of what lacks is of sets that were given up half way, more of these have to be looked at.
            seen = self._sums(np.where(here & found.complete, np.minimum(found.least, 0.0), 0.0))
            unseen = going & (lacking < 0.05) & (-seen < 0.5 * lacking * total)
            stuck = going & ~held & ~new & (lacking >= FEASIBLE)
            beam = min(2 * beam, WIDEST) if (stuck | unseen).any() else beam
            settled = going & ~held & ~rising & ((lacking < FEASIBLE) | (stuck & (beam == WIDEST)))
            self._improve(settled & (stage > 0))
            stage += settled
            going &= stage < len(SMOOTH)
            room *= np.where(lacking < 0.01, 4.0, np.where(lacking < 0.05, 2.0, np.where(lacking > 0.5, 0.5, 1.0)))
            highest = np.minimum(prices + room[self.document], near.price)
            often = BALANCING[int((lacking[going] < 0.01).mean() > 0.5)] if going.any() else 0
            smooth = np.append(SMOOTH, SMOOTH[-1])[stage] * near.price
            some = self._light(prices, smooth, going)
            balance(self.member[some], self.of_sets[some], near.who, prices, highest, smooth[self.document], often)
            at_most = (prices > highest - smooth[self.document]) & (highest < near.price)
            held = self._sums(at_most) > 0
        self._improve(self._open())
        short = self._sums(np.ones(len(self.document))) <= SHORT
        before = np.full(self.documents, np.inf)
        while ((self.gap < before) & self._open()).any():  # a better alignment makes a proof easier
            before = self.gap
            self._prove(self._open() & (short | (self.gap < LARGE * near.price)))
        return *self._sets(self.cluster), self.gap

    # -- state ---------------------------------------------------------------------------------------------------

    def _late(self) -> bool:
        return time.monotonic() > self.deadline

    def _open(self) -> Booleans:
        """Which documents are to be made better."""
        if self._late():
            return np.zeros(self.documents, dtype=np.bool_)
        return self.gap > np.maximum(self.tolerance * self.cost, 0)

    @property
    def gap(self) -> Floats:
        gap = self.cost - self.bound
        return np.where(gap > 1e-9 * self.neighbors.price * (1 + self.cost), gap, 0.0)

    def _sums(self, of_units: Floats) -> Floats:
        sums: Floats = np.bincount(self.document, weights=of_units, minlength=self.documents).astype(np.float64)
        return sums

    def _bounded(self, prices: Floats, found: Priced, here: Booleans) -> Floats:
        """What sets lacked together, by document; the better bounds are kept with their prices."""
        lowered = np.minimum(prices, self.neighbors.price) + np.minimum(found.least, 0.0)
        lowered[~here] = -np.inf
        with np.errstate(invalid="ignore"):
            bound = self._sums(lowered)
        better = bound > self.bound
        self.bound = np.where(better, bound, self.bound)
        self.worth = np.where(better[self.document], lowered, self.worth)
        return -self._sums(np.where(here & np.isfinite(found.least), np.minimum(found.least, 0.0), 0.0))

    def _know(self, found: Priced, prices: Floats) -> Booleans:
        """Sets are added to those that are known; the documents that have new ones."""
        return self._add(found.member, found.over + np.append(prices, 0.0)[found.member].sum(axis=1))

    def _add(self, member: Int32s, cost: Floats) -> Booleans:
        before = np.bincount(self.document[self.member[:, 0]], minlength=self.documents)
        member = np.concatenate((self.member, member))
        cost = np.append(self.of_sets, cost)
        if not len(member):
            return before > 0
        order = np.lexsort(member.T[::-1])
        rows = member[order]
        fresh = np.append(True, (rows[1:] != rows[:-1]).any(axis=1))  # the first row is new
        self.member, self.of_sets = rows[fresh], cost[order][fresh]
        return np.bincount(self.document[self.member[:, 0]], minlength=self.documents) > before

    def _over(self, prices: Floats) -> Floats:
        over: Floats = self.of_sets - np.append(prices, 0.0)[self.member].sum(axis=1)
        return over

    def _light(self, prices: Floats, smooth: Floats, going: Booleans) -> Indices:
        """The sets that have weight in a round."""
        over = self._over(np.minimum(prices, self.neighbors.price))
        of = self.document[self.member[:, 0]]
        return np.flatnonzero(going[of] & (over < NEAR * smooth[of]))

    def _costs(self, cluster: Indices) -> Floats:
        near = self.neighbors
        together = cluster[near.first] == cluster[near.second]
        pairs = np.bincount(self.document[near.first[together]], near.unlike[together], self.documents)
        heads = np.unique(cluster, return_index=True)[1]
        return pairs + near.price * np.bincount(self.document[heads], minlength=self.documents)

    def _sets(self, cluster: Indices) -> tuple[Int32s, Floats]:
        """The sets of more than one unit in an alignment, and their costs."""
        near = self.neighbors
        order = np.argsort(cluster, kind="stable")
        label = np.unique(cluster[order], return_inverse=True)[1]
        size = np.bincount(label)
        member = np.full((len(size), near.annotators), -1, dtype=np.int32)
        member[label, np.arange(len(label)) - np.repeat(np.cumsum(size) - size, size)] = order
        together = cluster[near.first] == cluster[near.second]
        back = np.empty(len(order), dtype=np.intp)
        back[order] = label
        total: Floats = near.price + np.bincount(back[near.first[together]], near.unlike[together], len(size)).astype(
            float
        )
        member, total = member[size > 1], total[size > 1]
        by_first = np.argsort(member[:, 0], kind="stable")
        return member[by_first], total[by_first]

    # -- the first alignment -------------------------------------------------------------------------------------

    def _first(self) -> Floats:
        """An alignment of each document, and the shares of units in its cost."""
        near, units = self.neighbors, len(self.document)
        self._reassigned(np.full(units, -1), FIRST, np.ones(self.documents, dtype=np.bool_))
        together = np.flatnonzero(self.cluster[near.first] == self.cluster[near.second])
        half = near.unlike[together] / 2
        pairs = np.bincount(near.first[together], half, units) + np.bincount(near.second[together], half, units)
        shares: Floats = near.price / np.bincount(self.cluster)[self.cluster] + pairs
        return shares

    def _reassigned(self, cluster: Indices, prices: tuple[float, ...], some: Booleans, turn: int = 0) -> None:
        """Assign the units of one annotator after the other, a set costing another part of C in each pass.

        Annotators come in the order of their first units, at further turns in other orders.  What is better than the
        alignments of these documents takes their place, and its sets are known.
        """
        near = self.neighbors
        here = some[self.document]
        seen, order = np.unique(near.who[here], return_index=True)
        seen = seen[np.argsort(order)]
        if turn:
            seen = np.random.default_rng(turn).permutation(seen)
        pairs = np.flatnonzero(here[near.first])
        annotators = [_Annotator.of(near, pairs, here, int(who)) for who in seen]
        for price in prices:
            if self._late() and (cluster[here] >= 0).all():
                break
            for one in annotators:
                one.assign(cluster, price * near.price)
        cluster = np.where(here, cluster, len(cluster) + np.arange(len(cluster)))
        _, heads, label = np.unique(cluster, return_index=True, return_inverse=True)
        cluster = heads[label]  # a set is called by its first unit
        cost = self._costs(cluster)
        better = some & (cost < self.cost)
        self.cost[better] = cost[better]
        self.cluster = np.where(better[self.document], cluster, self.cluster)
        self._add(*self._sets(cluster))

    # -- whole sets ----------------------------------------------------------------------------------------------

    def _improve(self, some: Booleans) -> None:
        """Better alignments of some documents, out of sets that cost little above their worth, and their proof."""
        some = some & self._open()
        if not some.any():
            return
        self._from_sets(some)
        poor = some & self._open() & (self.gap > POOR * self.cost)
        if poor.any() and not self._late():
            self._reassigned(self.cluster.copy(), FIRST[-1:], poor)
            for _ in range(TURNS):
                self.turns += 1
                self._reassigned(np.full(len(self.cluster), -1), FURTHER[self.turns % len(FURTHER)], poor, self.turns)
            self._from_sets(poor)
        self._prove(some & self._open() & (self.gap < SMALL * self.neighbors.price))

    def _from_sets(self, some: Booleans) -> None:
        """Better alignments of some documents, out of sets that cost little above their worth."""
        tried = some[self.document[self.member[:, 0]]] & (self._over(self.worth) < WIDE * self.neighbors.price)
        self._programs(some, self.member[tried], self.of_sets[tried])

    def _prove(self, open_: Booleans) -> None:
        """All sets by which an alignment could cost less, where there are few enough; the best of them is the best."""
        if not open_.any():
            return
        gap = self.gap
        slack, here = np.where(open_, gap, 0.0)[self.document], open_[self.document]
        found = self.neighbors.cheap(self.worth, slack, EACH, BEAM, here, self.deadline)
        cost = found.over + np.append(self.worth, 0.0)[found.member].sum(axis=1)
        many = np.bincount(found.member[:, 0], minlength=len(self.document)) >= EACH
        complete = np.bincount(self.document, many | ~found.complete, self.documents) == 0
        for document in self._programs(open_, found.member, cost):
            if complete[document]:
                self.bound[document] = self.cost[document]

    def _programs(self, some: Booleans, member: Int32s, cost: Floats) -> list[int]:
        """The best alignments of documents by these sets are taken where they are better; which are proven so."""
        order = np.argsort(self.document[member[:, 0]], kind="stable")
        member, cost = member[order], cost[order]
        head = np.searchsorted(self.document[member[:, 0]], np.arange(self.documents + 1))
        units = np.searchsorted(self.document, np.arange(self.documents + 1))
        proven = []
        for document in np.flatnonzero(some):
            mine, here = slice(head[document], head[document + 1]), slice(units[document], units[document + 1])
            if self._late():
                break
            over = cost[mine] - np.append(self.worth, 0.0)[member[mine]].sum(axis=1)
            cheapest = mine.start + np.argsort(over, kind="stable")[:MOST]
            solved = self._program(int(document), here, member[cheapest], cost[cheapest])
            if solved and len(cheapest) == len(over):
                proven.append(int(document))
        return proven

    def _program(self, document: int, here: slice, member: Int32s, cost: Floats) -> bool:
        """The same of one document."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csc_array

        if not len(member):
            return True
        price, units = self.neighbors.price, here.stop - here.start
        column, place = np.nonzero(member >= 0)
        # The solver of SciPy 1.13 refuses indices of 64 bits.
        cells = ((member[column, place] - here.start).astype(np.int32), column.astype(np.int32))
        matrix = csc_array((np.ones(len(column)), cells), shape=(units, len(member)))
        gain = cost - price * (member >= 0).sum(axis=1)
        least = self.tolerance / 10 * self.cost[document] / max(units * price - self.cost[document], 1e-9)
        options: dict[str, float] = {"mip_rel_gap": least, "node_limit": NODES}
        if self.deadline < np.inf:
            options["time_limit"] = max(self.deadline - time.monotonic(), 0.01)
        solution = milp(
            2.0**20 / price * gain,
            constraints=LinearConstraint(matrix, -np.inf, 1),
            integrality=1,
            bounds=Bounds(0, 1),
            options=options,
        )
        if solution.x is None:
            return False
        taken = solution.x > 0.5
        total = units * price + float(gain[taken].sum())
        if total < self.cost[document]:
            self.cost[document] = total
            self.cluster[here] = np.arange(here.start, here.stop)
            for row in member[taken]:
                self.cluster[row[row >= 0]] = row[0]
        return bool(solution.status == 0)


@dataclass(frozen=True, slots=True)
class _Annotator:
    """The units of one annotator, and what they cost with those of others."""

    units: Indices
    row: Indices  # of pairs: which of these,
    other: Indices  # the unit of another annotator,
    unlike: Floats  # and their w

    @classmethod
    def of(cls, near: Neighbors, pairs: Indices, here: Booleans, who: int) -> _Annotator:
        units = np.flatnonzero(here & (near.who == who))
        one, two = pairs[near.who[near.first[pairs]] == who], pairs[near.who[near.second[pairs]] == who]
        own = np.concatenate((near.first[one], near.second[two]))
        other = np.concatenate((near.second[one], near.first[two]))
        return cls(units, np.searchsorted(units, own), other, near.unlike[np.concatenate((one, two))])

    def assign(self, cluster: Indices, price: float) -> None:
        """Put these units, each into one of the others' sets or a new one, so that it costs least; -1 is in none."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import min_weight_full_bipartite_matching

        cluster[self.units] = -1
        sets, label = np.unique(cluster, return_inverse=True)
        size = np.bincount(label, minlength=len(sets))
        key = self.row * len(sets) + label[self.other]
        order = np.argsort(key, kind="stable")
        heads = np.flatnonzero(np.diff(key[order], prepend=-1))
        if len(heads):
            total = np.add.reduceat(self.unlike[order], heads)
            row, column = np.divmod(key[order][heads], len(sets))
            count = np.diff(np.append(heads, len(key)))
            good = np.flatnonzero((count == size[column]) & (total < price) & (sets[column] >= 0))
            row, column, total = row[good], column[good], total[good]
        else:
            row, column, total = heads, heads, np.empty(0)
        # Each unit may also be put with none, which is a column of its own; what is saved is counted from there.
        mine = np.arange(len(self.units))
        offset = 1.0 + price - total.min(initial=0.0)
        weights = csr_array(
            (
                np.append(total - price + offset, np.full(len(mine), offset)),
                (np.append(row, mine), np.append(column, len(sets) + mine)),
            ),
            shape=(len(mine), len(sets) + len(mine)),
        )
        of, chosen = min_weight_full_bipartite_matching(weights)
        known = chosen < len(sets)
        cluster[self.units[of[known]]] = sets[chosen[known]]
        # A set is called by one of its units, so that of a new one is not taken: that unit may have gone elsewhere.
        alone = self.units[of[~known]]
        free = np.setdiff1d(np.arange(len(cluster)), cluster, assume_unique=False)
        cluster[alone] = free[: len(alone)]


def balance(  # noqa: PLR0917
    member: Int32s, cost: Floats, who: Indices, worth: Floats, highest: Floats, smooth: Floats, rounds: int = 1_000
) -> None:
    """Prices, changed in place until the sets of each unit weigh 1, a unit alone costing ``highest`` with them.

    A set weighs exp((worth - cost) / smooth).  The prices of one annotator's units are brought to that at once,
    annotator by annotator, until none is off by more than 2 % or there were so many ``rounds``.
    """
    if not len(member):
        return
    column, place = np.nonzero(member >= 0)
    unit = member[column, place]
    touched = np.zeros(len(worth), dtype=np.bool_)
    touched[unit] = True
    np.minimum(worth, highest, out=worth, where=touched)
    rank = np.zeros(len(worth), dtype=np.intp)
    groups = []
    for annotator in np.unique(who[unit]):
        own = np.flatnonzero(touched & (who == annotator))
        rank[own] = np.arange(len(own))
        mine = who[unit] == annotator
        groups.append((own, smooth[own], column[mine], rank[unit[mine]]))
    by_set = smooth[member[:, 0]]
    done = 0
    while done < rounds:
        power = (np.append(worth, 0.0)[member].sum(axis=1) - cost) / by_set
        beyond = bool((power > 300).any())  # weights are then made anew from prices after each round
        weight = np.exp(np.clip(power, -600, 600))
        for _ in range(1 if beyond else 10):
            off = 0.0
            for own, step, sets, place in groups:
                total = np.exp(np.maximum((worth[own] - highest[own]) / step, -600))
                total += np.bincount(place, weight[sets], len(own))
                change = np.log(np.maximum(total, 1e-280))
                off = max(off, float(np.abs(change).max()))
                worth[own] -= step * change
                weight[sets] *= np.exp(-change)[place]
            done += 1
            if off < 0.02:
                break
        if off < 0.02 and not beyond:
            break
