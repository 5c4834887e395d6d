"""The best alignment against all alignments, by every route, and against published examples."""

import json
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from interagree.stats.documents import alignment
from interagree.stats.documents.alignment import Alignment, best, costs
from interagree.stats.documents.continuum import Continuum, Dissimilarity

NOMINAL = Dissimilarity(1 - np.eye(4))


def cost_of(c, d, cluster):
    """The mean unlikeness of the pairs of annotators, by definition."""
    pairs = c.annotators * (c.annotators - 1) // 2
    i, j = np.array(list(combinations(cluster, 2)), dtype=int).reshape(-1, 2).T
    return (d.pairs(c, i, j).sum() + d.empty * (pairs - len(i))) / pairs


def every_alignment(c):
    """All ways to put units into clusters, at most one of an annotator in each."""

    def add(u, clusters):
        if u == len(c):
            yield clusters
            return
        for k, cluster in enumerate(clusters):
            if all(c.who[v] != c.who[u] for v in cluster):
                yield from add(u + 1, [*clusters[:k], (*cluster, u), *clusters[k + 1 :]])
        yield from add(u + 1, [*clusters, (u,)])

    return add(0, [])


def by_program(c, d, soft):
    """The least cost, by a solver over all sets of units."""
    groups = [[None, *np.flatnonzero(c.who == a)] for a in range(c.annotators)]
    sets = [tuple(int(u) for u in s if u is not None) for s in product(*groups)]
    sets = [(s, cost_of(c, d, s)) for s in sets if s]
    sets = [(s, cost) for s, cost in sets if np.isfinite(cost)]
    matrix = np.zeros((len(c), len(sets)))
    for k, (s, _) in enumerate(sets):
        matrix[list(s), k] = 1
    found = milp(
        [1e4 * cost for _, cost in sets],
        constraints=LinearConstraint(matrix, 1, np.inf if soft else 1),
        integrality=1,
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    return found.fun / 1e4


def made(rng, annotators, units):
    """Overlapping, nested and identical units, some without length; annotators may have none."""
    begin = rng.integers(0, 12, units).astype(float) + (rng.random(units) if rng.random() < 0.5 else 0)
    who = rng.integers(0, annotators, units)
    return Continuum.of(annotators, who, begin, begin + rng.integers(0, 6, units), rng.integers(0, 3, units))


def unlikeness(rng, alpha=None):
    table = rng.random((3, 3))
    table = (table + table.T) / 2 * (1 - np.eye(3)) if rng.random() < 0.5 else 1 - np.eye(3)
    alpha = float(rng.choice([0.3, 1, 3])) if alpha is None else alpha
    return Dissimilarity(table, alpha, float(rng.choice([0, 1, 2])), float(rng.choice([0.5, 1, 2])))


def noisy(rng, annotators, units, *, independent=False):
    """Copies of the same units with mistakes, or units of their own."""
    who, begin, end, category = [], [], [], []
    for a in range(annotators):
        own = rng if independent or not a else np.random.default_rng(units)
        length = own.gamma(4, 2.5, units) + 1
        first = np.cumsum(length + own.exponential(5, units)) - length
        keep = rng.random(units) > 0.08
        who += [a] * int(keep.sum())
        begin += list((first + rng.normal(0, 0.2, units) * length)[keep])
        end += list((first + length + rng.normal(0, 0.2, units) * length)[keep])
        category += list(np.where(rng.random(units) < 0.15, rng.integers(0, 4, units), own.integers(0, 4, units))[keep])
    end = np.maximum(end, np.array(begin) + 0.5)
    return Continuum.of(annotators, who, begin, end, category)


def check(c, d, found, *, soft=False):
    """The clusters are an alignment, and cost what is said."""
    seen = np.bincount([u for cluster in found.clusters for u in cluster], minlength=len(c))
    assert (seen >= 1).all() if soft else (seen == 1).all()
    assert all(len(set(c.who[list(s)])) == len(s) for s in found.clusters)
    assert found.cost == pytest.approx(sum(cost_of(c, d, s) for s in found.clusters), abs=1e-9)
    assert found.disorder == pytest.approx(found.cost / c.mean_units)


@pytest.mark.parametrize("seed", range(200))
def test_no_alignment_is_cheaper_and_none_as_cheap_has_fewer_clusters(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    c, d = made(rng, n, int(rng.integers(1, 8))), unlikeness(rng, 0.0 if seed % 8 == 0 else None)
    found = best(c, d)
    check(c, d, found)
    all_costs = [(sum(cost_of(c, d, s) for s in a), len(a)) for a in every_alignment(c)]
    least = min(all_costs)[0]
    assert found.gap == 0
    assert found.cost == pytest.approx(least, abs=1e-7)
    assert len(found.clusters) == min(count for cost, count in all_costs if cost < least + 1e-10)


ROUTES = {"usual": {}, "sweep": {"FEW": 6}, "prices": {"FEW": 1}, "search": {"FEW": 1, "SETS": 0}}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("soft", [False, True])
def test_every_route_agrees_with_a_solver(monkeypatch, route, soft):
    for name, value in ROUTES[route].items():
        monkeypatch.setattr(alignment, name, value)
    for seed in range(25):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2 if soft else 3, 6))
        c, d = made(rng, n, int(rng.integers(1, 10))), unlikeness(rng, 0.0 if seed % 5 == 0 else None)
        found = best(c, d, soft=soft)
        check(c, d, found, soft=soft)
        assert found.cost == pytest.approx(by_program(c, d, soft), abs=1e-6)
        assert found.gap == 0


@pytest.mark.parametrize("seed", range(12))
def test_routes_agree_on_longer_documents(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    n = 3 + seed % 4
    c = noisy(rng, n, int(rng.integers(5, 30)), independent=seed % 2 == 0)
    found = []
    for given in ROUTES.values():
        with monkeypatch.context() as patch:
            patch.setattr(alignment, "STATES", 2000 if n < 6 else 300)
            for name, value in given.items():
                patch.setattr(alignment, name, value)
            found.append(best(c, NOMINAL))
    for one in found:
        check(c, NOMINAL, one)
        assert (one.cost, one.gap, len(one.clusters)) == (
            pytest.approx(found[0].cost, abs=1e-8),
            0,
            len(found[0].clusters),
        )


def read(path):
    """A published example: its units, how unlike they are, and what is expected."""
    given = json.loads(path.read_text("utf-8"))
    params = given["params"]
    labels = params["categories"]
    if params["categorical"] == "matrix":
        table = np.array(params["matrix"], dtype=float)
    elif params["categorical"] == "numerical":
        numbers = np.array([float(label) for label in labels])
        table = np.abs(numbers[:, None] - numbers) / np.ptp(numbers)
    else:
        table = 1 - np.eye(len(labels))
    d = Dissimilarity(table, params["alpha"], params["beta"], params["delta_empty"])
    who, begin, end, category = zip(*given["units"], strict=True)
    names = sorted({*who, *params["annotators_without_units"]})
    c = Continuum.of(len(names), [names.index(x) for x in who], begin, end, [labels.index(x) for x in category])
    return c, d, given["expected"]


def test_published_examples(shared):
    paths = sorted((shared / "published" / "gamma").glob("*.json"))
    assert len(paths) > 20
    for path in paths:
        c, d, expected = read(path)
        found = best(c, d)
        check(c, d, found)
        assert found.disorder == pytest.approx(expected["observed_disorder"], abs=1e-6), path.name
        assert found.gap == 0
        if len(c) < 1000 and "pygamma_soft_disorder_float32" in expected:
            soft = best(c, d, soft=True)
            assert soft.disorder == pytest.approx(expected["pygamma_soft_disorder_float32"], abs=2e-5), path.name


def test_of_alignments_as_cheap_the_one_with_fewest_clusters_is_taken(shared):
    c, d, _ = read(shared / "published" / "gamma" / "alex_paul_suzan.json")
    assert len(best(c, d).clusters) == 6


@pytest.mark.parametrize("n", [2, 3, 5])
def test_order_names_and_place_do_not_matter(n):
    rng = np.random.default_rng(n)
    c = noisy(rng, n, 15)
    found = best(c, NOMINAL)

    def said(of, alignment, rename=lambda a: a, shift=0.0):
        return {
            frozenset((rename(int(of.who[u])), round(of.begin[u] + shift, 6), of.category[u]) for u in s)
            for s in alignment.clusters
        }

    order, other = rng.permutation(len(c)), rng.permutation(n)
    mixed = Continuum.of(n, other[c.who][order], c.begin[order] + 1e4, c.end[order] + 1e4, c.category[order])
    again = best(mixed, NOMINAL)
    assert again.cost == pytest.approx(found.cost, abs=1e-8)
    assert said(mixed, again, lambda a: int(np.argsort(other)[a])) == said(c, found)


def test_many_documents_at_once():
    rng = np.random.default_rng(0)
    cs = [noisy(rng, int(rng.integers(2, 6)), int(rng.integers(3, 25)), independent=k % 2 == 0) for k in range(30)]
    cs += [Continuum.of(3, [], [], [], []), Continuum.of(1, [0], [0], [1], [0]), Continuum.of(2, [1], [0], [1], [0])]
    for soft in (False, True):
        one_by_one = [best(c, NOMINAL, soft=soft).cost for c in cs]
        found, gaps = costs(cs, NOMINAL, soft=soft).T
        assert found == pytest.approx(one_by_one, abs=1e-9)
        assert not gaps.any()
    flat = replace(NOMINAL, alpha=0.0)
    assert costs(cs, flat)[:, 0] == pytest.approx([best(c, flat).cost for c in cs], abs=1e-9)
    assert costs([], NOMINAL).shape == (0, 2)


def test_too_many_sets_in_a_batch_are_taken_document_by_document(monkeypatch):
    rng = np.random.default_rng(1)
    cs = [noisy(rng, 3, 6) for _ in range(4)]
    wanted = costs(cs, NOMINAL)[:, 0]
    monkeypatch.setattr(alignment, "SETS", 25)
    assert costs(cs, NOMINAL)[:, 0] == pytest.approx(wanted, abs=1e-9)


def test_perfect_agreement_costs_nothing():
    who, begin = np.repeat(np.arange(5), 3), np.tile([0.1, 7.3, 20.7], 5)
    found = best(Continuum.of(5, who, begin, begin + 3.3, np.tile([0, 1, 1], 5)), NOMINAL)
    assert (found.cost, found.gap, len(found.clusters)) == (0.0, 0.0, 3)


def test_points_at_different_places_are_never_together():
    c = Continuum.of(2, [0, 1, 0, 1], [1, 1.5, 3, 3], [1, 1.5, 3, 3], [0, 0, 0, 0])
    assert best(c, NOMINAL).clusters == ((0,), (2,), (1, 3))
    assert best(replace_all(c, 3), NOMINAL).cost == pytest.approx(2 + 2 / 3)


def replace_all(c, annotators):
    return Continuum(annotators, c.who, c.begin, c.end, c.category)


def test_nothing_to_align():
    assert best(Continuum.of(3, [], [], [], []), NOMINAL) == Alignment((), 0.0, 0.0)
    assert best(Continuum.of(1, [0, 0], [0, 2], [1, 3], [0, 0]), NOMINAL) == Alignment(((0,), (1,)), 0.0, 0.0)


@pytest.mark.parametrize("soft", [False, True])
def test_a_limit_gives_the_best_so_far_and_how_far_it_may_be_off(monkeypatch, soft):
    c = noisy(np.random.default_rng(3), 5, 25)
    least = best(c, NOMINAL, soft=soft)
    assert least.gap == 0
    for sets in (alignment.SETS, 0):
        monkeypatch.setattr(alignment, "SETS", sets)
        hurried = best(c, NOMINAL, soft=soft, limit=0.0)
        check(c, NOMINAL, hurried, soft=soft)
        assert 0 < hurried.gap <= hurried.cost
        assert hurried.cost - hurried.gap <= least.cost + 1e-9 <= hurried.cost + 2e-9
    monkeypatch.undo()
    assert best(c, NOMINAL, soft=soft, limit=100.0).cost == pytest.approx(least.cost)
