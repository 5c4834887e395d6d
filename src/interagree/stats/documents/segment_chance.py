r"""Random cuts: what it would take to turn one segmentation into the other if both had their boundaries anywhere.

Every annotator puts as many boundaries into a document as they did, at places that are drawn without putting any back;
types that stand at one place are moved together.

With one type, and near misses at most one place off, the expectation needs no draws.  Of $n$ and $n'$ boundaries at $p$
places $n n' / p$ are expected to be alike.  Of the others, neighbouring places that one and the other have in turn are
paired from the left: a run of $l$ such places has $\lfloor l / 2 \rfloor$ near misses.  So there are as many as there
are stretches of 2 places that alternate, less those of 3, plus those of 4, and so on:

$$E[\text{near misses}] = \sum_{m \ge 2} (-1)^m (p - m + 1)\, a_m$$

with $a_m$ the probability that $m$ given places alternate.

Elsewhere cuts are drawn.  Pairs with as many boundaries of each type, in documents of one length, have one
expectation and are drawn together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices, Int32s, Int64s
from interagree.kernels.ragged import ragged
from interagree.kernels.segments import edits
from interagree.progress import steps
from interagree.stats.documents.segment_pairs import SegmentationPairs, Types
from interagree.stats.engine.compress import distinct_rows

LEAST = 20  # draws; each round of draws doubles them
ROUNDS = 12
WORK = 10_000_000  # places that are drawn from
TINY = 1e-18


class RandomCuts(NamedTuple):
    """The expected edits of each pair of segmentations under random cuts."""

    cost: Floats
    pairs: Floats  # of boundaries
    draws: int  # 0 where nothing was drawn
    error: float  # of the expected agreement


def in_closed_form(cuts: SegmentationPairs, near: int) -> bool:
    """Whether the expectation needs no draws."""
    return cuts.types == 1 and near <= 2


def random_cuts(cuts: SegmentationPairs, near: int, types: Types, *, precision: float, seed: int) -> RandomCuts:
    """The expected edits of every two segmentations of a document under random cuts.

    Args:
        cuts: The segmentations.
        near: Boundaries fewer than so many places apart are near misses.
        types: What one type of boundary for another costs.
        precision: The standard error that is wanted of the expected agreement, where it is drawn.
        seed: Where the random numbers start.
    """
    places = cuts.length - 1
    if in_closed_form(cuts, near):
        rows = np.column_stack([*np.sort(cuts.boundaries[cuts.value], axis=0), places])
        distinct = distinct_rows(rows)
        cost, pairs = expected_edits(*rows[distinct.first].T.astype(np.float64), near=near)
        inverse = distinct.inverse
        return RandomCuts(cost[inverse], pairs[inverse], 0, 0.0)
    return _drawn(cuts, near, types, precision=precision, seed=seed)


def expected_edits(first: Floats, second: Floats, places: Floats, *, near: int) -> tuple[Floats, Floats]:
    """The expected cost of edits and number of pairs of boundaries, of one type.

    Args:
        first: How many boundaries one annotator puts.
        second: How many the other one does.
        places: At how many places.
        near: 1 where there are no near misses, or 2.
    """
    same = first * second / places
    moved = _near_misses(first, second, places) if near > 1 else np.zeros(len(first))
    added = first + second - 2 * (same + moved)
    return added + moved / near, added + moved + same


def _near_misses(first: Floats, second: Floats, places: Floats) -> Floats:
    """How many near misses are expected of boundaries next to each other."""
    moved = np.zeros(len(first))
    for begins, follows in ((first, second), (second, first)):
        # The probability that m places alternate, the first of them with a boundary of the one alone.
        alternate = np.ones(len(first))
        for m in range(1, int(places.max(initial=0)) + 1):
            here, there = (begins, follows) if m % 2 else (follows, begins)
            before, left = (m - 1) // 2, np.maximum(places - m + 1, 1.0)
            alternate *= np.maximum(here - before, 0) / left * np.maximum(places - there - before, 0) / left
            if not alternate.max(initial=0.0) > TINY:
                break
            if m > 1:
                moved += (-1) ** m * np.maximum(places - m + 1, 0) * alternate
    return moved


Sets = tuple[tuple[int, ...], ...]  # the types at each place that has a boundary


class _Pattern(NamedTuple):
    """Boundaries of two annotators that are moved, and the places they are moved to."""

    first: Sets
    second: Sets
    places: int

    @classmethod
    def of(cls, first_sets: Sets, second_sets: Sets, places: int) -> tuple[_Pattern, tuple[int, ...]]:
        """The pattern in an order that does not depend on the names of types, and numbers for that order."""
        orders = []
        for mine, theirs in ((first_sets, second_sets), (second_sets, first_sets)):
            role = {
                kind: tuple(sorted(len(some) for some in sets if kind in some) for sets in (mine, theirs))
                for kind in {kind for some in (*mine, *theirs) for kind in some}
            }
            rank = {kind: place for place, kind in enumerate(sorted(role, key=lambda kind: (role[kind], kind)))}
            renamed = [sorted((sorted(rank[kind] for kind in some), some) for some in sets) for sets in (mine, theirs)]
            form = [[len(names), *names] for sets in renamed for names, _ in [([], ()), *sets]]
            orders.append((form, [tuple(some for _, some in sets) for sets in renamed]))
        form, (first, second) = min(orders)
        return cls(first, second, places), (places, *(number for names in form for number in names))

    def drawn(self, rng: np.random.Generator, often: int) -> Iterator[tuple[Indices, Int64s, Int32s]]:
        """For each of the two: how many boundaries each draw has, where, and their types."""
        for sets in (self.first, self.second):
            start = np.cumsum([0, *map(len, sets)])
            types = np.array([kind for some in sets for kind in some], dtype=np.int32)
            where = rng.random((often, self.places)).argsort(axis=1)[:, : len(sets)] + 1
            order = where.argsort(axis=1)
            size = np.diff(start)[order].reshape(-1)
            at = np.repeat(np.take_along_axis(where, order, axis=1).reshape(-1), size)
            _, boundary = ragged(start[order.reshape(-1)], size)
            yield np.full(often, len(types)), at.astype(np.int64), types[boundary]


def _drawn(cuts: SegmentationPairs, near: int, types: Types, *, precision: float, seed: int) -> RandomCuts:
    """The same from draws, until the error is small enough."""
    sets = {value: _sets(cuts, value) for value in np.unique(cuts.value).tolist()}
    place: dict[tuple[Sets, Sets, int], int] = {}
    of = np.array(
        [
            place.setdefault((min(sets[first], sets[second]), max(sets[first], sets[second]), long - 1), len(place))
            for first, second, long in zip(*cuts.value.tolist(), cuts.length.tolist(), strict=True)
        ],
        dtype=np.intp,
    )
    if not len(of):
        return RandomCuts(np.zeros(0), np.zeros(0), 0, math.nan)
    times = np.bincount(of).astype(np.float64)
    patterns, forms = zip(*(_Pattern.of(*known) for known in place), strict=True)
    numbered = {form: number for number, form in enumerate(dict.fromkeys(forms))}
    group = np.array([numbered[form] for form in forms])  # those that are moved by the same random numbers
    streams = [np.random.default_rng([seed, *form]) for form in forms]
    scale, reach = cuts.scale(types)
    once = 2 * sum(pattern.places for pattern in patterns)
    seen: list[Floats] = []
    often, error = LEAST, math.nan
    for _ in steps(range(ROUNDS), "drawing cuts"):
        parts = [part for rng, pattern in zip(streams, patterns, strict=True) for part in pattern.drawn(rng, often)]
        counts, at, type_ = (np.concatenate(some) for some in zip(*parts, strict=True))
        start = np.append(0, np.cumsum(counts)).astype(np.intp)
        trial = np.arange(len(patterns) * often)
        first = trial // often * 2 * often + trial % often
        loop = edits.for_steps(float(len(at)) * (near + 2))
        same, added, replaced, moved, far, unlike = loop(
            start, at, type_, np.stack([first, first + often]), near, scale, reach
        )
        cost, pairs = added + far / near + unlike, same + added + replaced + moved
        seen.append(np.stack([cost, pairs]).reshape(2, len(patterns), often))
        cost, pairs = np.concatenate(seen, axis=2)
        error = _error(cost, pairs, times, group)
        often = cost.shape[1]
        if not error > precision or once * 2 * often > WORK:
            break
    return RandomCuts(cost.mean(axis=1)[of], pairs.mean(axis=1)[of], cost.shape[1], error)


def _sets(cuts: SegmentationPairs, value: int) -> Sets:
    """The types at each place at which a value has a boundary."""
    own = slice(cuts.segments.start[value], cuts.segments.start[value + 1])
    sets: dict[int, list[int]] = {}
    for at, kind in zip(cuts.segments.at[own].tolist(), cuts.segments.type[own].tolist(), strict=True):
        sets.setdefault(at, []).append(kind)
    return tuple(sorted(map(tuple, sets.values())))


def _error(cost: Floats, pairs: Floats, times: Floats, group: Indices) -> float:
    """The standard error of the ratio of the two sums."""
    over = float(times @ pairs.mean(axis=1))
    if not over:
        return math.nan
    ratio = float(times @ cost.mean(axis=1)) / over
    off = np.zeros((int(group.max()) + 1, cost.shape[1]))
    np.add.at(off, group, times[:, None] * (cost - ratio * pairs))
    return math.sqrt(float(np.var(off, axis=1, ddof=1).sum()) / cost.shape[1]) / over
