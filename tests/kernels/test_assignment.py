"""The heaviest pairing of any graph: as heavy as scipy's, and as trying all of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from interagree.kernels.assignment import _numbered, augmented, heaviest, peeled

SHAPES = ("path", "tree", "caterpillar", "star", "cycle", "ladder", "sparse", "dense", "full", "uneven", "forest")
WEIGHTS = ("real", "few", "same", "hair", "steep")


def edges_of(shape, rng, size):
    """Edges of a random graph of a shape; its things are numbered at random, with gaps."""
    if shape in ("path", "tree", "caterpillar", "star"):
        before = {
            "path": lambda k: k - 1,
            "tree": lambda k: rng.integers(0, k),
            "caterpillar": lambda k: k - 1 if k < size else rng.integers(0, size),
            "star": lambda _: 0,
        }[shape]
        nodes = 2 * size
        side = [(0, 0)]
        found = []
        for k in range(1, nodes):
            other = side[int(before(k))]
            side.append((1 - other[0], k))
            found.append((side[k][1], other[1]) if other[0] else (other[1], side[k][1]))
        u, v = np.array(found).T
    elif shape == "cycle":
        u, v = np.repeat(np.arange(size), 2), (np.arange(1, 2 * size + 1) // 2) % size
        u, v = np.unique(np.stack([u, v]), axis=1)
    elif shape == "ladder":
        u, v = np.nonzero(np.abs(np.subtract.outer(np.arange(size), np.arange(size))) <= 1)
    elif shape == "forest":
        parts = [edges_of(SHAPES[rng.integers(len(SHAPES) - 1)], rng, 3) for _ in range(5)]
        u, v = (np.concatenate([part[side] + 100 * k for k, part in enumerate(parts)]) for side in (0, 1))
        return u, v
    else:
        share = {"sparse": 1.5 / size, "dense": 0.6, "full": 1.0, "uneven": 0.5}[shape]
        table = rng.random((size, 3 * size if shape == "uneven" else size)) < share
        u, v = np.nonzero(table)
    names = rng.permutation(3 * size + 5), rng.permutation(3 * size + 5)
    order = rng.permutation(len(u))
    return names[0][u[order]], names[1][v[order]]


def weights_of(kind, rng, many):
    return {
        "real": lambda: rng.random(many) + 1e-3,
        "few": lambda: rng.integers(1, 4, many).astype(float),
        "same": lambda: np.ones(many),
        "hair": lambda: rng.integers(1, 3, many) + 1e-9 * rng.random(many),
        "steep": lambda: np.sort(rng.random(many)) + 0.5,
    }[kind]()


def by_scipy(u, v, weight):
    rows, columns = _numbered(u), _numbered(v)
    table = np.zeros((rows.max(initial=0) + 1, columns.max(initial=0) + 1))
    table[rows, columns] = weight
    return table[linear_sum_assignment(table, maximize=True)].sum()


def by_trying(edges):
    """The weight of the best pairing: without the first edge, or with it and without all that meet it."""
    if not edges:
        return 0.0
    (u, v, weight), *rest = edges
    free = [one for one in rest if one[0] != u and one[1] != v]
    return max(by_trying(rest), weight + by_trying(free))


def is_pairing(u, v, chosen):
    return len(set(u[chosen].tolist())) == chosen.sum() == len(set(v[chosen].tolist()))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_no_pairing_is_heavier(shape, compiled, monkeypatch):
    for loop in (peeled, augmented):
        how = loop.fast if compiled else loop.plain
        monkeypatch.setattr(loop, "for_steps", lambda _, how=how: how)
    rng = np.random.default_rng(SHAPES.index(shape))
    for k in range(100):
        u, v = edges_of(shape, rng, int(rng.integers(2, 14)))
        weight = weights_of(WEIGHTS[k % len(WEIGHTS)], rng, len(u))
        chosen = heaviest(u, v, weight)
        assert is_pairing(u, v, chosen)
        assert weight[chosen].sum() == pytest.approx(by_scipy(u, v, weight), abs=1e-12, rel=1e-13)


@pytest.mark.parametrize("shape", SHAPES[:-1])
def test_it_is_the_best_of_all_pairings(shape):
    rng = np.random.default_rng(100 + SHAPES.index(shape))
    for k in range(20):
        u, v = edges_of(shape, rng, int(rng.integers(2, 5)))
        u, v = u[:14], v[:14]
        weight = weights_of(WEIGHTS[k % len(WEIGHTS)], rng, len(u))
        chosen = heaviest(u, v, weight)
        wanted = by_trying(list(zip(u.tolist(), v.tolist(), weight.tolist(), strict=True)))
        assert weight[chosen].sum() == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_order_of_edges_does_not_matter_even_where_many_are_as_good(shape):
    rng = np.random.default_rng(200 + SHAPES.index(shape))
    for _ in range(20):
        u, v = edges_of(shape, rng, 7)
        order = rng.permutation(len(u))
        chosen = heaviest(u, v, np.ones(len(u)))
        assert heaviest(u[order], v[order], np.ones(len(u))).tolist() == chosen[order].tolist()


def test_what_is_chosen_does_not_depend_on_other_components():
    rng = np.random.default_rng(3)
    parts = [edges_of(SHAPES[k % (len(SHAPES) - 1)], rng, 6) for k in range(40)]
    u, v = (np.concatenate([part[side] + 100 * k for k, part in enumerate(parts)]) for side in (0, 1))
    together = heaviest(u, v, np.ones(len(u)))
    alone = [heaviest(*part, np.ones(len(part[0]))) for part in parts]
    assert together.tolist() == np.concatenate(alone).tolist()


@pytest.mark.parametrize("shape", ["ladder", "dense", "sparse", "tree", "path"])
def test_large_graphs_too(shape):
    rng = np.random.default_rng(9)
    u, v = edges_of(shape, rng, 300)
    for kind in WEIGHTS:
        weight = weights_of(kind, rng, len(u))
        chosen = heaviest(u, v, weight)
        assert is_pairing(u, v, chosen)
        assert weight[chosen].sum() == pytest.approx(by_scipy(u, v, weight), abs=1e-10)


def test_hairs_decide_among_a_hundred_thousand():
    # A path of as many edges from left to right as from right to left: it is best to turn somewhere on the way.
    n = 100_000
    u, v = np.repeat(np.arange(n), 2), (np.arange(1, 2 * n + 1)) // 2
    weight = np.ones(2 * n)
    weight[[0, -1]] += 1e-11
    chosen = heaviest(u, v, weight)
    assert (int(chosen.sum()), bool(chosen[0]), bool(chosen[-1])) == (n, True, True)


@pytest.mark.parametrize("width", [1, 3])
def test_long_chains_need_no_table(width):
    n = 100_000  # a table of all pairs would take 80 GB
    u = np.repeat(np.arange(n), 2 * width)
    v = u + np.tile(np.arange(2 * width), n)
    weight = np.random.default_rng(1).random(len(u)) + 0.1
    chosen = heaviest(u, v, weight)
    assert is_pairing(u, v, chosen)


def test_nothing_is_paired_where_there_is_nothing():
    none = np.zeros(0, dtype=np.intp)
    assert heaviest(none, none, np.zeros(0)).tolist() == []
