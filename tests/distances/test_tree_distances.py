"""Distances of trees: what they are made of, what holds of them, and what they give on real parses."""

from __future__ import annotations

import itertools
import json
import random

import numpy as np
import pytest

from interagree.distances import find
from interagree.plugins import KINDS
from interagree.stats.pairs.pair_distances import PairDistances

NAMES = ("ted", "ted_norm", "ted_diff")


def drawn(rng: random.Random) -> str:
    """A random parse, in which nodes without children bear a word."""
    nodes = [[rng.choice("ABC")]]
    for _ in range(rng.randrange(9)):
        node = [rng.choice("ABC")]
        rng.choice(nodes).append(node)
        nodes.append(node)
    return spelled(nodes[0], rng)


def spelled(tree, rng) -> str:
    inside = [spelled(child, rng) for child in tree[1:]] or [rng.choice("xy")]
    return "(" + " ".join([tree[0], *inside]) + ")"


def some(seed: int, count: int):
    rng = random.Random(seed)
    return list(dict.fromkeys(drawn(rng) for _ in range(count)))


@pytest.mark.parametrize("words", [0, 1])
@pytest.mark.parametrize("name", NAMES)
def test_tree_distances_are_symmetric_and_0_on_equals(name, words) -> None:
    values = some(1, 40)
    distance = find(name, words=words)
    i, j = map(np.ravel, np.indices((len(values), len(values))))
    found = distance.between(distance.prepared(KINDS["trees"].packed(values)), i, j, words=words)
    table = found.reshape(len(values), -1)
    assert (table == table.T).all()
    assert (np.diag(table) == 0).all()
    assert table.min() >= 0


@pytest.mark.parametrize("words", [0, 1])
def test_two_distances_are_made_of_the_first(words) -> None:
    values = some(2, 40)
    plain, norm, diff = (find(name, words=words).among(values) for name in NAMES)
    leaves = np.array([sum(value[place] in "xy" for place in range(len(value))) for value in values])
    assert np.allclose(norm, plain / (leaves[:, None] + leaves), rtol=1e-15, atol=0)
    assert (diff == plain - abs(leaves[:, None] - leaves)).all()


@pytest.mark.parametrize("words", [0, 1])
def test_the_edit_distance_keeps_the_triangle_inequality(words) -> None:
    far = find("ted", words=words).among(some(3, 40))
    for a, b, c in itertools.product(range(len(far)), repeat=3):
        assert far[a, c] <= far[a, b] + far[b, c]


def test_what_is_declared_of_tree_distances() -> None:
    assert find("ted").metric
    assert not find("ted_norm").metric
    assert not find("ted_diff").metric
    assert not any(find(name).bounded for name in NAMES)


def test_the_difference_in_size_may_hide_that_trees_differ() -> None:
    one, two, other = "(A (B x))", "(A (B x) (B x))", "(A (B x) (C x))"
    diff = find("ted_diff")
    assert (diff(one, two), diff(one, other), diff(two, other)) == (0, 0, 1)


def test_normed_distances_break_the_triangle_inequality() -> None:
    far = find("ted_norm").among(some(4, 60))
    detour = (far[:, :, None] + far[None, :, :]).min(axis=1)
    assert (far > detour + 1e-12).any()


def test_relabelling_and_inserting_cost_1() -> None:
    ted = find("ted")
    assert ted("(S (NP x) (VP y))", "(S (NP x) (PP y))") == 1
    assert ted("(S (NP x) (VP y))", "(S (X (NP x) (VP y)))") == 1
    assert ted("(S (NP x) (VP y))", "(S (NP y) (VP x))") == 0
    assert find("ted:words=1")("(S (NP x) (VP y))", "(S (NP y) (VP x))") == 2
    assert ted(["S", ["NP", "x"]], "(S (VP x))") == 1


@pytest.mark.parametrize(("name", "alpha"), [("ted", 0.8684), ("ted_norm", 0.8505), ("ted_diff", 0.8223)])
def test_parses_agree_as_they_did(shared, name, alpha) -> None:
    # Expected disagreement is of a sample of the pairs, here and in the reproduction that these figures come from.
    with (shared / "data" / "complex" / "trees_easy.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    values, place = np.unique([row["value"] for row in rows], return_inverse=True)
    item = np.unique([row["item"] for row in rows], return_inverse=True)[1]
    i, j = np.triu_indices(len(rows), 1)
    apart = PairDistances(find(name), values.tolist())
    within = item[i] == item[j]
    between = np.random.default_rng(1).choice(np.flatnonzero(~within), 8000, replace=False)
    observed = apart(place[i[within]], place[j[within]]).mean()
    expected = apart(place[i[between]], place[j[between]]).mean()
    assert 1 - observed / expected == pytest.approx(alpha, abs=0.004)
