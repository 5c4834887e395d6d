"""Alignments of 5 to 20 annotators: against a solver that is given all sets, bounds, limits, and prices of sets."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array

from interagree.stats.documents.alignment import Sweep, best, costs
from interagree.stats.documents.alignment import _near as near_pairs
from interagree.stats.documents.continuum import Continuum, Dissimilarity
from interagree.stats.documents.pricing import Neighbors

STORED = Path(__file__).with_name("many_annotators.json")  # the least cost of each seed, by `least_cost`


def drawn(seed: int) -> tuple[Continuum, Dissimilarity]:
    """A document of 5 to 20 annotators: noisy copies of a few units, or units anywhere."""
    rng = np.random.default_rng([seed, 20])
    n = 5 + seed % 16
    units = int(rng.integers(8, 41))
    who = rng.integers(0, n, units)
    length = rng.integers(2, 12, units)
    if seed % 3:
        places = 9.0 * np.arange(2 + units // 4)
        begin = np.round(rng.choice(places, units) + rng.normal(0, 1.5, units), 1)
    else:
        begin = rng.integers(0, 3 * units, units).astype(float)
    table = 1.0 - np.eye(3) if seed % 2 else np.abs(np.subtract.outer(np.arange(3), np.arange(3))) / 2
    alpha, beta = float(rng.choice([1, 1, 3])), float(rng.choice([0, 1, 2]))
    return Continuum.of(n, who, begin, begin + length, rng.integers(0, 3, units)), Dissimilarity(table, alpha, beta)


def every_set(c: Continuum, d: Dissimilarity, most: int) -> tuple[list[tuple[int, ...]], list[float]] | None:
    """The sets of units that cost less than their units alone, and what they save; None where there are many.

    A set is left out only if it has a unit, or a part of two, that would save no less outside.
    """
    pairs = c.annotators * (c.annotators - 1) / 2
    i, j = np.meshgrid(np.arange(len(c)), np.arange(len(c)), indexing="ij")
    w = (d.pairs(c, i.ravel(), j.ravel()) / d.empty - 1).reshape(i.shape)
    w[c.who[:, None] == c.who[None]] = np.inf
    found: list[tuple[int, ...]] = []
    saved: list[float] = []
    level = [(k,) for k in range(len(c))]
    while level:
        wider = []
        for some in level:
            inside = list(some)
            near = (w[some[-1] + 1 :, inside] < pairs + c.annotators - 2).all(axis=1)
            wider += [(*some, some[-1] + 1 + int(k)) for k in np.flatnonzero(near)]
        if len(wider) > most:
            return None
        for some in wider:
            inside = list(some)
            between = np.where(np.eye(len(some), dtype=bool), 0.0, w[np.ix_(inside, inside)])
            gain = (len(some) - 1) * pairs - between.sum() / 2
            if gain > 0 and (between.sum(axis=1) < pairs).all():
                found.append(some)
                saved.append(gain)
        level = wider
    return found, saved


def least_cost(c: Continuum, d: Dissimilarity, most: int = 40_000) -> float | None:
    """The least cost of an alignment, by a solver that is given all sets."""
    pairs = c.annotators * (c.annotators - 1) / 2
    sets = every_set(c, d, most)
    if sets is None:
        return None
    found, saved = sets
    if not found:
        return d.empty * len(c)
    rows = np.concatenate([np.array(one) for one in found])
    columns = np.repeat(np.arange(len(found)), [len(one) for one in found])
    matrix = csc_array((np.ones(len(rows)), (rows.astype(np.int32), columns.astype(np.int32))), (len(c), len(found)))
    solution = milp(
        -1e3 * np.array(saved),
        constraints=LinearConstraint(matrix, -np.inf, 1),
        integrality=1,
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    assert solution.status == 0
    return float(d.empty * (len(c) * pairs + solution.fun / 1e3) / pairs)


def cost_of(c: Continuum, d: Dissimilarity, cluster: tuple[int, ...]) -> float:
    pairs = c.annotators * (c.annotators - 1) // 2
    i, j = np.array(list(combinations(cluster, 2)), dtype=int).reshape(-1, 2).T
    return float((d.pairs(c, i, j).sum() + d.empty * (pairs - len(i))) / pairs)


def check(seed: int, least: float) -> None:
    c, d = drawn(seed)
    found = best(c, d)
    assert sorted(u for s in found.clusters for u in s) == list(range(len(c)))
    assert all(len({int(c.who[u]) for u in s}) == len(s) for s in found.clusters)
    assert found.cost == pytest.approx(sum(cost_of(c, d, s) for s in found.clusters), abs=1e-9)
    assert found.cost >= least - 1e-6, seed
    assert found.cost - found.gap <= least + 1e-6, seed
    assert found.cost <= 1.02 * least + 1e-6, seed
    quick = best(c, d, tolerance=0.05)
    assert quick.cost - quick.gap <= least + 1e-6 <= quick.cost + 2e-6, seed
    assert quick.gap <= max(0.05 * quick.cost, found.gap) + 1e-6


STORED_COSTS: list[tuple[int, float]] = json.loads(STORED.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("seed", "least"), STORED_COSTS[::20])
def test_alignments_and_bounds_against_a_full_solver(seed: int, least: float) -> None:
    check(seed, least)


@pytest.mark.slow
def test_all_alignments_and_bounds_against_a_full_solver() -> None:
    assert len(STORED_COSTS) == 200
    assert {drawn(seed)[0].annotators for seed, _ in STORED_COSTS} == set(range(5, 21))
    for seed, least in STORED_COSTS:
        check(seed, least)


@pytest.mark.parametrize(("seed", "least"), STORED_COSTS[3::50])
def test_stored_costs_are_those_of_the_solver(seed: int, least: float) -> None:
    assert least_cost(*drawn(seed)) == pytest.approx(least, abs=1e-6)


def large(annotators: int, units: int, seed: int = 0) -> Continuum:
    """Noisy copies of a text full of units, 15 % of them left out."""
    rng = np.random.default_rng(seed)
    length = np.maximum(rng.normal(8, 2, units), 2)
    begin = np.cumsum(length + np.maximum(rng.normal(2, 1, units), 0.2)) - length
    category = rng.integers(0, 4, units)
    seen = rng.random((annotators, units)) > 0.15
    who, unit = np.nonzero(seen)
    start = begin[unit] + rng.normal(0, 1.5, len(who))
    end = np.maximum(begin[unit] + length[unit] + rng.normal(0, 1.5, len(who)), start + 0.5)
    other = np.where(rng.random(len(who)) < 0.15, rng.integers(0, 4, len(who)), category[unit])
    return Continuum.of(annotators, who, start, end, other)


NOMINAL = Dissimilarity(1 - np.eye(4))


@pytest.mark.parametrize(("annotators", "units"), [(8, 30), (20, 8)])
def test_annotators_who_agree_are_aligned_and_proven(annotators: int, units: int) -> None:
    c = large(annotators, units)
    found = best(c, NOMINAL)
    assert found.gap == 0
    # Nearly all copies of a unit are together.
    assert np.median([len(s) for s in found.clusters]) >= 0.8 * annotators


def test_sets_below_a_limit_are_all_found_and_others_bounded() -> None:
    for seed in range(6):
        c, d = drawn(seed)
        sweep = Sweep.of([c])
        near = Neighbors.of(sweep.who, near_pairs(sweep, d), sweep.annotators, sweep.price)
        sets = every_set(sweep.continuum, d, 12_000)
        if sets is None:
            continue
        worth = np.random.default_rng(seed).uniform(0.2, 0.7, len(c)) * sweep.price
        # What sets cost above their worth: each unit alone costs the price.
        over = {
            s: len(s) * sweep.price - gain - (len(s) - 1) * 1e-8 - worth[list(s)].sum()
            for s, gain in zip(*sets, strict=True)
        }
        slack = 0.05 * sweep.price
        found = near.cheap(worth, slack, each=100_000, beam=100_000)
        assert found.complete.all()
        rows = {
            tuple(int(u) for u in row[row >= 0]): value for row, value in zip(found.member, found.over, strict=True)
        }
        for s, value in over.items():
            if value < slack - 1e-4:
                assert rows[s] == pytest.approx(value, abs=1e-5)
        for s, value in rows.items():
            assert found.least[s[0]] <= value
        few = near.cheap(worth, slack, each=2, beam=3)
        least = np.full(len(c), slack)
        for s, value in rows.items():
            least[s[0]] = min(least[s[0]], value)
        assert (few.least <= least + 1e-6).all()


@pytest.mark.parametrize("limit", [1e-6, 0.2])
def test_a_limit_gives_an_alignment_with_its_bound(limit: float) -> None:
    c = large(20, 8)
    least = best(c, NOMINAL)
    hurried = best(c, NOMINAL, limit=limit)
    assert sorted(u for s in hurried.clusters for u in s) == list(range(len(c)))
    assert hurried.cost - hurried.gap <= least.cost + 1e-9 <= hurried.cost + 2e-9
    assert hurried.cost < 1.3 * least.cost


def test_documents_together_and_each_alone_cost_the_same() -> None:
    cs = [large(9, 6, seed) for seed in range(4)] + [
        Continuum.of(9, [], [], [], []),
        Continuum.of(9, [3], [0], [1], [0]),
    ]
    together, gaps = costs(cs, NOMINAL).T
    assert together == pytest.approx([best(c, NOMINAL).cost for c in cs], abs=1e-9)
    assert not gaps.any()


@pytest.mark.parametrize("annotators", [3, 5])
def test_pairs_that_are_looked_up_are_those_of_the_table(annotators: int, monkeypatch: pytest.MonkeyPatch) -> None:
    c = large(annotators, 20)
    sweep = Sweep.of([c])
    arguments = (sweep.who, near_pairs(sweep, NOMINAL), annotators, sweep.price)
    one, other = (axis.ravel() for axis in np.indices((len(c), len(c))))
    apart = np.flatnonzero(one != other)
    table = Neighbors.of(*arguments)
    monkeypatch.setattr("interagree.stats.documents.pricing.DENSE", 0)
    monkeypatch.setattr("interagree.stats.documents.pricing.SMALL", 0)
    looked_up = Neighbors.of(*arguments)
    assert len(table.band)
    assert not len(looked_up.band)
    np.testing.assert_array_equal(looked_up.between(one[apart], other[apart]), table.between(one[apart], other[apart]))


def uneven(annotators: int, units: int) -> Continuum:
    """Copies of units of very different lengths and gaps, some left out, some added."""
    rng = np.random.default_rng([1, annotators, units])
    length, gap = rng.gamma(4, 2.5, units), rng.exponential(5, units)
    begin = np.cumsum(length + gap) - length
    category, parts = rng.integers(0, 4, units), []
    for _ in range(annotators):
        seen, added = rng.random(units) > 0.08, rng.binomial(units, 0.08)
        off = rng.normal(0, 0.25, (2, int(seen.sum()))) * length[seen]
        start = np.append(begin[seen] + off[0], rng.uniform(0, begin[-1], added))
        end = np.append(begin[seen] + length[seen] + off[1], start[len(off[0]) :] + rng.choice(length, added))
        parts.append((start, np.maximum(end, start + 0.5), np.append(category[seen], rng.integers(0, 4, added))))
    who = np.repeat(np.arange(annotators), [len(start) for start, _, _ in parts])
    return Continuum.of(annotators, who, *map(np.concatenate, zip(*parts, strict=True)))


@pytest.mark.parametrize("annotators", [3, 4])
def test_a_long_document_of_few_annotators_is_proven(annotators: int) -> None:
    assert best(uneven(annotators, 200), NOMINAL).gap == 0
