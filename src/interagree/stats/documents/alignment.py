r"""The best alignment of the units of one document, exactly.

An alignment puts units into clusters, at most one unit of each annotator in one; with n annotators and
C = n (n - 1) / 2 pairs of them, a cluster S costs the mean dissimilarity of all pairs, a pair with an annotator who
has no unit in it costing ``empty``:

$$\delta(S) = \frac{\mathrm{empty}}{C} \Big(C + \sum_{\{u, v\} \subset S} w(u, v)\Big), \qquad
w(u, v) = \frac{d(u, v)}{\mathrm{empty}} - 1,$$

so that a unit alone costs ``empty``.  The best alignment is the one of least total cost.  It is found in steps:

1. Only sets of near units can be clusters: where the w between two parts of a set sum to C or more, the parts cost no
   more apart.  What is left are few sets of units near to one another, found in one sweep over the document.
2. Two annotators: an assignment, by shortest augmenting paths.
3. A few annotators: the sets fall into parts that have no unit in common; each is solved by a sweep whose state is
   which of the next units are taken, as long as there are no more than a few hundred states.
4. Else a packing of sets, solved and proven by prices of units (`interagree.stats.documents.packing`).

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
from interagree.stats.documents.continuum import Continuum, Dissimilarity
from interagree.stats.documents.merged_units import UNITS, merged
from interagree.stats.documents.packing import Listed, Packed, Program, Searched, Sets

Near = tuple[Indices, Int32s, Floats]  # starts by first unit, second units, their w
Listing = tuple[Int64s, Int32s, Floats, Floats, bool]  # what `alignment_sets.clusters` gives

TIE = 1e-8  # what one cluster more counts in addition, in units of what a pair of annotators costs
FEW = 6  # annotators for whom a sweep is tried
STATES = 300  # that a sweep may have
SETS = 1_000_000  # that are laid out in memory
NEAR = 2_000  # pairs of units that may be in one cluster, up to which a search beyond so many sets ends in minutes


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


def best(c: Continuum, d: Dissimilarity, *, soft: bool = False, limit: float | None = None) -> Alignment:
    """The alignment of least cost.

    Args:
        c: The units of a document.
        d: How unlike units are.
        soft: A unit may be in several clusters.
        limit: Seconds after which the best alignment so far is taken; ``gap`` then tells how far from the least its
            cost may be.  Steps that are quick in themselves are not cut short.
    """
    if c.annotators < 2 or not len(c):
        return Alignment(tuple((k,) for k in range(len(c))), 0.0, 0.0)
    deadline = np.inf if limit is None else time.monotonic() + limit
    sweep = Sweep.of([c])
    result = _aligned(sweep, d, soft=soft, deadline=deadline)
    cost = float(result.costs(sweep, d)[0])
    return Alignment(result.clusters(sweep), cost, cost / c.mean_units, min(float(result.gap[0]), cost))


def costs(cs: Sequence[Continuum], d: Dissimilarity, *, soft: bool = False, limit: float | None = None) -> Floats:
    """The costs of the best alignments of many documents, on all cores; ``limit`` seconds for each of them."""
    out = np.zeros(len(cs))
    by_annotators: dict[int, list[int]] = {}
    for k, c in enumerate(cs):
        if c.annotators >= 2 and len(c):
            by_annotators.setdefault(c.annotators, []).append(k)
    jobs = [batch for n, places in by_annotators.items() for batch in _batches(cs, places, n)]

    def solve(batch: list[int]) -> None:
        sweep = Sweep.of([cs[k] for k in batch])
        deadline = np.inf if limit is None else time.monotonic() + limit * len(batch)
        out[batch] = _aligned(sweep, d, soft=soft, deadline=deadline).costs(sweep, d)

    if len(jobs) < 2:
        for job in jobs:
            solve(job)
        return out
    for loop in (pair_loops.within_reach, pair_loops.assigned, alignment_sets.clusters, packing.parts, packing.swept):
        _ = loop.fast  # made once, before there are threads
    with ThreadPoolExecutor(min(os.cpu_count() or 1, len(jobs))) as pool:
        list(pool.map(solve, jobs))
    return out


def _batches(cs: Sequence[Continuum], places: list[int], annotators: int) -> Iterator[list[int]]:
    """Documents to be aligned in one go: enough to be worth a thread, and not more than memory should hold."""
    total = sum(len(cs[k]) for k in places)
    each = min(max(total / (os.cpu_count() or 1), 32_000 / annotators**3), 20_000.0)
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

    def only(self, document: int) -> Sweep:
        """One of the documents."""
        here = slice(*np.searchsorted(self.document, (document, document + 1)))
        names = ("place", "who", "begin", "end", "category")
        units = here.stop - here.start
        return replace(
            self,
            documents=1,
            document=np.zeros(units, dtype=np.intp),
            stop=np.full(units, units),
            **{name: getattr(self, name)[here] for name in names},
        )


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


def _aligned(sweep: Sweep, d: Dissimilarity, *, soft: bool, deadline: float) -> Found:
    if not d.alpha:
        return _each(sweep, lambda some: _by_category(some, d, soft=soft, deadline=deadline))
    near = _near(sweep, d)
    if sweep.annotators == 2 and not soft:
        loop = pair_loops.assigned.for_steps(50 * len(near[1]))
        return _in_pairs(sweep, d, loop(sweep.who, *near, sweep.price))
    return _packing(sweep, d, near, soft=soft, deadline=deadline)


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


def _packing(sweep: Sweep, d: Dissimilarity, near: Near, *, soft: bool, deadline: float) -> Found:
    loop = alignment_sets.clusters.for_steps(_steps(near, sweep.annotators))
    listed = loop(sweep.who, *near, sweep.annotators, sweep.price, SETS)
    if listed[-1]:
        return _in_parts(sweep, d, listed, soft=soft, deadline=deadline)
    if sweep.documents > 1:
        return _each(sweep, lambda some: _aligned(some, d, soft=soft, deadline=deadline))
    sets = _searched(sweep, near, deadline)
    count = np.ones(len(sweep), dtype=np.intp)
    packed = Program(sets, count, sweep.price, soft, deadline, sweep.who).solved()
    found = Found(packed.member, packed.cost - sweep.price, _gap(sweep, d, packed))
    return found if not found.gap[0] > 0 or len(sweep) > UNITS else _or_merged(sweep, d, found)


def _or_merged(sweep: Sweep, d: Dissimilarity, found: Found) -> Found:
    """What was found in time, or clusters merged one by one where these cost less."""
    units = np.arange(len(sweep))
    first, second = (axis.ravel() for axis in np.meshgrid(units, units, indexing="ij"))
    between = (d.pairs(sweep.continuum, first, second) / d.empty - 1.0).reshape(len(sweep), len(sweep))
    quick = Found(*merged(sweep.who, between, sweep.annotators, sweep.pairs), found.gap)
    saved = found.costs(sweep, d) - quick.costs(sweep, d)
    return replace(quick, gap=np.maximum(found.gap - saved, 0.0)) if saved[0] > 0 else found


def beyond_reach(c: Continuum, d: Dissimilarity) -> bool:
    """Whether the units of a document lie so close that the search for their best alignment may take hours."""
    if c.annotators <= FEW or not d.alpha:
        return False
    sweep = Sweep.of([c])
    near = _near(sweep, d)
    if len(near[1]) <= NEAR:
        return False
    loop = alignment_sets.clusters.for_steps(_steps(near, sweep.annotators))
    return not loop(sweep.who, *near, sweep.annotators, sweep.price, SETS)[-1]


def _steps(near: Near, annotators: int) -> float:
    """About how many steps it takes to list the sets of near units: each annotator may join or not."""
    return 100.0 * len(near[1]) * 2.0 ** (annotators - 2)


def _searched(sweep: Sweep, near: Near, deadline: float) -> Searched:
    return Searched.of((sweep.who, *near), sweep.annotators, sweep.price, deadline)


def _gap(sweep: Sweep, d: Dissimilarity, packed: Packed) -> Floats:
    return np.array([packed.gap * d.empty / sweep.pairs])


def _in_parts(sweep: Sweep, d: Dissimilarity, listed: Listing, *, soft: bool, deadline: float) -> Found:
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
    if sweep.annotators <= FEW and not soft and time.monotonic() < deadline:
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
        packed = Program(sets, count, sweep.price, soft, deadline, sweep.who[order[low:high]]).solved()
        rows.append(np.append(order[low:high], -1).astype(np.int32)[packed.member])
        sums.append(packed.cost - sweep.price)
        gap[sweep.document[order[low]]] += _gap(sweep, d, packed)[0]
    return Found(np.concatenate(rows), np.concatenate(sums), gap)


def _by_category(sweep: Sweep, d: Dissimilarity, *, soft: bool, deadline: float) -> Found:
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
    sets: Sets = Listed(member, total + sweep.price) if complete else _searched(kinds, near, deadline)
    packed = Program(sets, count, sweep.price, soft, deadline, kinds.who).solved()
    rows = _handed_out(packed, [np.flatnonzero(of.ravel() == k) for k in range(len(kind))])
    sums = np.repeat(packed.cost - sweep.price, packed.times)
    return Found(rows, sums, _gap(sweep, d, packed))


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
