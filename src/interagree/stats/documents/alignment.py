r"""The best alignment of the units of one document.

An alignment puts units into clusters, at most one unit of each annotator in one; with n annotators and
C = n (n - 1) / 2 pairs of them, a cluster S costs the mean dissimilarity of all pairs, a pair with an annotator who
has no unit in it costing ``empty``:

$$\delta(S) = \frac{\mathrm{empty}}{C} \Big(C + \sum_{\{u, v\} \subset S} w(u, v)\Big), \qquad
w(u, v) = \frac{d(u, v)}{\mathrm{empty}} - 1,$$

so that a unit alone costs ``empty``.  The best alignment is the one of least total cost.  It is found in steps:

1. Only sets of near units can be clusters: where the w between two parts of a set sum to C or more, the parts cost no
   more apart.  What is left are few sets of units near to one another, found in one sweep over the document.
2. Two annotators: an assignment, by shortest augmenting paths.
3. Three or four: the sets fall into parts that have no unit in common; each is solved by a sweep whose state is which
   of the next units are taken, as long as there are no more than a few hundred states.
4. More, and what the sweep leaves: prices of units, found together with the sets that matter, prove a bound and lead
   to an alignment (`interagree.stats.documents.partitioning`).  With many annotators a gap may remain between the two.
5. Soft alignments, where a unit may be in several clusters, and units without positions: a program of sets
   (`interagree.stats.documents.packing`).

Of alignments that cost the same (to 1e-8 of ``empty`` for a cluster and pair of annotators) one with the fewest
clusters is taken; among those the choice is a fixed one, made on the units in the order of their centre, begin,
category and annotator, and so does not depend on the order in which units are given.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from interagree.arrays import Booleans, Floats, Indices, Int32s, Int64s
from interagree.kernels import alignment as pair_loops
from interagree.kernels import alignment_sets, packing
from interagree.progress import steps
from interagree.stats.documents.continuum import Continuum, Dissimilarity
from interagree.stats.documents.packing import Listed, Packed, Program, Searched, Sets
from interagree.stats.documents.partitioning import Partitions
from interagree.stats.documents.pricing import Neighbors

Near = tuple[Indices, Int32s, Floats]  # starts by first unit, second units, their w
Listing = tuple[Int64s, Int32s, Floats, Floats, bool]  # what `alignment_sets.clusters` gives

TIE = 1e-8  # what one cluster more counts in addition, in units of what a pair of annotators costs
FEW = 4  # annotators for whom a sweep is tried
STATES = 300  # that a sweep may have
SETS = 1_000_000  # that are laid out in memory
MANY = 10  # annotators, beyond whom alignments of chance need not be proven the best
TOGETHER = 40_000  # units of documents, times their annotators, whose prices are found at once


@dataclass(frozen=True)
class Alignment:
    """Which units belong together.

    Attributes:
        clusters: Places of units in the document, at most one of an annotator in each; every unit is in one, or in
            several where the alignment is soft.
        cost: The sum over clusters of the mean dissimilarity of the pairs of annotators.
        disorder: The cost for one unit of the mean annotator.
        gap: How much lower the cost could be at most; 0 where it is proven to be the least.
    """

    clusters: tuple[tuple[int, ...], ...]
    cost: float
    disorder: float
    gap: float = 0.0


def best(
    c: Continuum, d: Dissimilarity, *, soft: bool = False, limit: float | None = None, tolerance: float = 0.0
) -> Alignment:
    """The alignment of least cost, or one whose ``gap`` tells how far from the least its cost may be.

    Args:
        c: The units of a document.
        d: How unlike units are.
        soft: A unit may be in several clusters.
        limit: Seconds after which the best alignment so far is taken.  Steps that are quick in themselves are not cut
            short.
        tolerance: How much more it may cost, as a share; the search ends there.
    """
    if c.annotators < 2 or not len(c):
        return Alignment(tuple((k,) for k in range(len(c))), 0.0, 0.0)
    deadline = np.inf if limit is None else time.monotonic() + limit
    sweep = Sweep.of([c])
    result = _aligned(sweep, d, Effort(soft, deadline, tolerance))
    cost = float(result.costs(sweep, d)[0])
    return Alignment(result.clusters(sweep), cost, cost / c.mean_units, min(float(result.gap[0]), max(cost, 0.0)))


def costs(
    cs: Sequence[Continuum],
    d: Dissimilarity,
    *,
    soft: bool = False,
    limit: float | None = None,
    tolerance: float = 0.0,
    quick: bool = False,
) -> Floats:
    """The costs of the best alignments of many documents, and their gaps, on all cores.

    ``limit`` is for each of them, ``tolerance`` for those with many annotators; the others take no longer without it.
    Where they need only be ``quick``, alignments of many annotators are some per cent from the best.
    """
    out = np.zeros((len(cs), 2))
    by_annotators: dict[int, list[int]] = {}
    for k, c in enumerate(cs):
        if c.annotators >= 2 and len(c):
            by_annotators.setdefault(c.annotators, []).append(k)
    jobs = [batch for n, places in by_annotators.items() for batch in _batches(cs, places, n)]

    def solve(batch: list[int]) -> None:
        sweep = Sweep.of([cs[k] for k in batch])
        deadline = np.inf if limit is None else time.monotonic() + limit * len(batch)
        found = _aligned(sweep, d, Effort(soft, deadline, tolerance if sweep.annotators > MANY else 0.0, quick))
        out[batch] = np.column_stack((found.costs(sweep, d), found.gap))

    if len(jobs) < 2:
        for job in jobs:
            solve(job)
        return out
    for loop in (pair_loops.within_reach, pair_loops.assigned, alignment_sets.clusters, packing.parts, packing.swept):
        _ = loop.fast  # made once, before there are threads
    with ThreadPoolExecutor(min(os.cpu_count() or 1, len(jobs))) as pool:
        for _ in steps(pool.map(solve, jobs), "alignments by chance", total=len(jobs)):
            pass
    return out


def _batches(cs: Sequence[Continuum], places: list[int], annotators: int) -> Iterator[list[int]]:
    """Documents to be aligned in one go: enough to be worth a thread, and not more than memory should hold."""
    total = sum(len(cs[k]) for k in places)
    each = min(max(total / (os.cpu_count() or 1), 32_000 / annotators**3), 20_000.0)
    if annotators > FEW:
        each = TOGETHER / annotators
    batch: list[int] = []
    size = 0
    for k in places:
        batch.append(k)
        size += len(cs[k])
        if size >= each:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@dataclass(frozen=True, slots=True)
class Sweep:
    """The units of documents with the same number of annotators, document by document, in the order of centres."""

    annotators: int
    documents: int
    document: Indices
    place: Indices  # of each unit in its document
    stop: Indices  # where the document of each unit ends
    who: Indices
    begin: Floats
    end: Floats
    category: Indices

    @classmethod
    def of(cls, cs: Sequence[Continuum]) -> Sweep:
        """Documents that have annotators in common number only."""
        sizes = np.array([len(c) for c in cs], dtype=np.intp)
        document = np.repeat(np.arange(len(cs)), sizes)
        who = np.concatenate([c.who for c in cs])
        category = np.concatenate([c.category for c in cs])
        begin, end = np.concatenate([c.begin for c in cs]), np.concatenate([c.end for c in cs])
        order = np.lexsort((who, category, begin, begin + end, document))
        ends = np.cumsum(sizes)
        place = order - (ends - sizes)[document]
        parts = (who[order], begin[order], end[order], category[order])
        return cls(cs[0].annotators, len(cs), document, place, ends[document], *parts)

    def __len__(self) -> int:
        return len(self.who)

    @property
    def continuum(self) -> Continuum:
        """All units as if they were of one document, to ask how unlike two of them are."""
        return Continuum(self.annotators, self.who, self.begin, self.end, self.category)

    @property
    def pairs(self) -> float:
        return self.annotators * (self.annotators - 1) / 2

    @property
    def price(self) -> float:
        """What a cluster counts before its pairs are looked at."""
        return self.pairs + TIE

    def some(self, units: Indices) -> Sweep:
        """Some of the units."""
        document = self.document[units]
        names = ("place", "who", "begin", "end", "category")
        stop = np.searchsorted(document, document, side="right")
        return replace(self, document=document, stop=stop, **{name: getattr(self, name)[units] for name in names})

    def only(self, document: int) -> Sweep:
        """One of the documents."""
        here = self.some(np.flatnonzero(self.document == document))
        return replace(here, documents=1, document=np.zeros(len(here), dtype=np.intp))


@dataclass(frozen=True, slots=True)
class Found:
    """The clusters of more than one unit, and how much lower the costs of documents could be."""

    member: Int32s  # units in the sweep, -1 where there are fewer
    total: Floats  # the sums of w over their pairs
    gap: Floats

    def alone(self, units: int) -> Booleans:
        """Which units are in none of them."""
        alone = np.ones(units + 1, dtype=np.bool_)
        alone[self.member] = False
        return alone[:units]

    def costs(self, sweep: Sweep, d: Dissimilarity) -> Floats:
        lone = np.bincount(sweep.document[self.alone(len(sweep))], minlength=sweep.documents)
        where = sweep.document[self.member[:, 0]]
        of = np.bincount(where, weights=1.0 + self.total / sweep.pairs, minlength=sweep.documents)
        return np.asarray(d.empty * (lone + of), dtype=np.float64)

    def clusters(self, sweep: Sweep) -> tuple[tuple[int, ...], ...]:
        """All clusters of a single document, in the order of their first unit."""
        sets = [tuple(row[row >= 0]) for row in self.member]
        sets += [(u,) for u in np.flatnonzero(self.alone(len(sweep)))]
        return tuple(tuple(sorted(int(sweep.place[u]) for u in s)) for s in sorted(sets))


@dataclass(frozen=True, slots=True)
class Effort:
    """What is looked for, and how hard."""

    soft: bool
    deadline: float
    tolerance: float  # of its cost, that an alignment may cost above the bound
    quick: bool = False  # whether an alignment made at once will do


def _aligned(sweep: Sweep, d: Dissimilarity, effort: Effort) -> Found:
    if not d.alpha:
        return _each(sweep, lambda some: _by_category(some, d, effort))
    near = _near(sweep, d)
    if sweep.annotators == 2 and not effort.soft:
        loop = pair_loops.assigned.for_steps(50 * len(near[1]))
        return _in_pairs(sweep, d, loop(sweep.who, *near, sweep.price))
    return _packing(sweep, d, near, effort)


def _each(sweep: Sweep, solve: Callable[[Sweep], Found]) -> Found:
    """The clusters of documents that are solved one by one."""
    results = [solve(sweep.only(k)) for k in range(sweep.documents)]
    first = np.searchsorted(sweep.document, np.arange(sweep.documents))
    member = [np.where(f.member >= 0, f.member + at, -1) for f, at in zip(results, first, strict=True)]
    return Found(
        np.concatenate(member), np.concatenate([f.total for f in results]), np.concatenate([f.gap for f in results])
    )


def _near(sweep: Sweep, d: Dissimilarity) -> Near:
    """The pairs of units that may be in one cluster: starts by first unit, second units, their w."""
    most = sweep.price + sweep.annotators - 2
    reach = float(np.sqrt((most + 1.0) / d.alpha))
    loop = pair_loops.within_reach.for_steps(100 * len(sweep))
    first, second = loop(sweep.begin, sweep.end, sweep.who, sweep.stop, reach)
    unlike = d.pairs(sweep.continuum, first, second) / d.empty - 1.0
    keep = np.flatnonzero(unlike < most)
    order = keep[np.lexsort((second[keep], first[keep]))]
    start = np.searchsorted(first[order], np.arange(len(sweep) + 1))
    return start, second[order], unlike[order]


def _in_pairs(sweep: Sweep, d: Dissimilarity, partner: Int64s) -> Found:
    u = np.flatnonzero(partner > np.arange(len(partner)))
    v = partner[u]
    total = d.pairs(sweep.continuum, u, v) / d.empty - 1.0
    return Found(np.column_stack((u, v)).astype(np.int32), total, np.zeros(sweep.documents))


def _packing(sweep: Sweep, d: Dissimilarity, near: Near, effort: Effort) -> Found:
    if not effort.soft and sweep.annotators > FEW:
        return _partitioned(sweep, d, near, effort)
    loop = alignment_sets.clusters.for_steps(_steps(near, sweep.annotators))
    listed = loop(sweep.who, *near, sweep.annotators, sweep.price, SETS)
    if listed[-1]:
        return _in_parts(sweep, d, listed, effort)
    if sweep.documents > 1:
        return _each(sweep, lambda some: _aligned(some, d, effort))
    sets = Searched.of(sweep.who, near, sweep.annotators, sweep.price, effort.deadline)
    count = np.ones(len(sweep), dtype=np.intp)
    packed = Program(sets, count, sweep.price, soft=effort.soft, deadline=effort.deadline).solved()
    found = Found(packed.member, packed.cost - sweep.price, _gap(sweep, d, packed.gap))
    return found if effort.soft or not packed.gap else _or_partitioned(sweep, d, near, effort, found)


def _or_partitioned(sweep: Sweep, d: Dissimilarity, near: Near, effort: Effort, found: Found) -> Found:
    """What was found in time, or what the search for many annotators finds, where that costs less."""
    other = _partitioned(sweep, d, near, effort)
    saved = found.costs(sweep, d) - other.costs(sweep, d)
    if saved[0] <= 0:
        return found
    return replace(other, gap=np.clip(found.gap - saved, 0.0, other.gap))


def _partitioned(sweep: Sweep, d: Dissimilarity, near: Near, effort: Effort) -> Found:
    neighbors = Neighbors.of(sweep.who, near, sweep.annotators, sweep.price)
    partitions = Partitions(neighbors, sweep.document, sweep.documents, effort.tolerance, effort.deadline)
    member, cost, gap = partitions.begun() if effort.quick else partitions.solved()
    return Found(member, cost - sweep.price, _gap(sweep, d, gap))


def _steps(near: Near, annotators: int) -> float:
    """About how many steps it takes to list the sets of near units: each annotator may join or not."""
    return 100.0 * len(near[1]) * 2.0 ** (annotators - 2)


def _gap(sweep: Sweep, d: Dissimilarity, gap: float | Floats) -> Floats:
    return np.atleast_1d(gap) * d.empty / sweep.pairs


def _in_parts(sweep: Sweep, d: Dissimilarity, listed: Listing, effort: Effort) -> Found:
    """The best of listed sets, part by part of those that have units in common."""
    _, member, total, saves, _ = listed
    units = len(sweep)
    root = packing.parts.for_steps(10 * len(member))(units, member)
    order = np.argsort(root, kind="stable")  # the units of a part one after the other
    rank = np.empty(units + 1, dtype=np.int32)
    rank[order], rank[units] = np.arange(units), -1
    bounds = np.append(np.flatnonzero(np.diff(root[order], prepend=-1)), units)
    by_first = np.argsort(rank[member[:, 0]], kind="stable")
    member, total = member[by_first], total[by_first]
    ranked = rank[member]
    head = np.searchsorted(ranked[:, 0], np.arange(units + 1))
    if not effort.soft and time.monotonic() < effort.deadline:
        gain = total - ((member >= 0).sum(axis=1) - 1) * sweep.price
        loop = packing.swept.for_steps(200 * len(member))
        picked, solved = loop(bounds, head, ranked, gain, saves[by_first], STATES)
    else:
        picked, solved = np.zeros(len(total), dtype=np.bool_), np.diff(bounds) == 1
    rows, sums, gap = [member[picked]], [total[picked]], np.zeros(sweep.documents)
    for part in np.flatnonzero(~solved):
        low, high = bounds[part], bounds[part + 1]
        here = slice(head[low], head[high])
        sets = Listed(
            np.where(ranked[here] >= 0, ranked[here] - np.int32(low), np.int32(-1)), total[here] + sweep.price
        )
        count = np.ones(high - low, dtype=np.intp)
        packed = Program(sets, count, sweep.price, soft=effort.soft, deadline=effort.deadline).solved()
        rows.append(np.append(order[low:high], -1).astype(np.int32)[packed.member])
        sums.append(packed.cost - sweep.price)
        gap[sweep.document[order[low]]] += _gap(sweep, d, packed.gap)[0]
    return Found(np.concatenate(rows), np.concatenate(sums), gap)


def _by_category(sweep: Sweep, d: Dissimilarity, effort: Effort) -> Found:
    """The alignment of units whose positions do not count: how many an annotator has of a category is all there is."""
    kind, of, count = np.unique(
        np.column_stack((sweep.who, sweep.category)), axis=0, return_inverse=True, return_counts=True
    )
    nowhere = np.zeros(len(kind))
    kinds = replace(
        sweep,
        document=np.zeros(len(kind), dtype=np.intp),
        place=np.arange(len(kind)),
        stop=np.full(len(kind), len(kind)),
        who=np.ascontiguousarray(kind[:, 0]),
        category=np.ascontiguousarray(kind[:, 1]),
        begin=nowhere,
        end=nowhere,
    )
    d = replace(d, alpha=1.0)
    near = _near(kinds, d)
    loop = alignment_sets.clusters.for_steps(_steps(near, sweep.annotators))
    _, member, total, _, complete = loop(kinds.who, *near, sweep.annotators, sweep.price, SETS)
    sets: Sets = Listed(member, total + sweep.price)
    if not complete:
        sets = Searched.of(kinds.who, near, sweep.annotators, sweep.price, effort.deadline)
    packed = Program(sets, count, sweep.price, soft=effort.soft, deadline=effort.deadline).solved()
    rows = _handed_out(packed, [np.flatnonzero(of.ravel() == k) for k in range(len(kind))])
    sums = np.repeat(packed.cost - sweep.price, packed.times)
    return Found(rows, sums, _gap(sweep, d, packed.gap))


def _handed_out(packed: Packed, units: list[Indices]) -> Int32s:
    """Sets of units from sets of kinds, the first units first; in a soft alignment they may come round again."""
    rows = np.repeat(packed.member, packed.times, axis=0)
    next_one = [0] * len(units)
    for row in rows:
        for m, k in enumerate(row[row >= 0]):
            row[m] = units[k][next_one[k] % len(units[k])]
            next_one[k] += 1
        row[row >= 0] = np.sort(row[row >= 0])
    return rows
