"""The tree edit distance: against the recursive definition, against zss and apted, and either way round."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from interagree.kernels.tree_edit import edits, tree_edit
from interagree.plugins import KINDS

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "complex_trees.json").read_text(encoding="utf-8"))


def drawn(rng: random.Random, most: int = 12):
    """A random tree as nested tuples."""
    nodes = [[rng.choice("AB")]]
    reach = rng.choice([1, 2, most])
    for _ in range(rng.randrange(most)):
        node = [rng.choice("AB")]
        parent = rng.choice(nodes[-reach:])
        parent.insert(rng.choice([1, len(parent)]), node)
        nodes.append(node)
    return frozen(nodes[0])


def frozen(tree):
    return (tree[0], *map(frozen, tree[1:]))


@cache
def by_definition(a, b) -> int:
    """The edit distance of two forests: delete, insert or match the root of the last tree."""
    if not a or not b:
        return sum(map(nodes_in, a + b))
    (label, *children), (other, *others) = a[-1], b[-1]
    return min(
        by_definition(a[:-1] + tuple(children), b) + 1,
        by_definition(a, b[:-1] + tuple(others)) + 1,
        by_definition(a[:-1], b[:-1]) + by_definition(tuple(children), tuple(others)) + (label != other),
    )


def nodes_in(tree) -> int:
    return 1 + sum(map(nodes_in, tree[1:]))


def mirrored(tree):
    return (tree[0], *map(mirrored, reversed(tree[1:])))


def laid_out(values, *, words: bool = False):
    return KINDS["trees"].packed(values).laid_out(words=words)


def test_distances_are_those_of_the_definition() -> None:
    rng = random.Random(1)
    values = [drawn(rng) for _ in range(40)]
    i, j = np.triu_indices(len(values))
    expected = [by_definition((values[a],), (values[b],)) for a, b in zip(i, j, strict=True)]
    assert edits(laid_out(values), i, j).tolist() == expected


def test_zss_and_apted_say_the_same() -> None:
    pairs = ORACLE["pairs"]
    trees = laid_out([pair[side] for side in "ab" for pair in pairs])
    i = np.arange(len(pairs))
    found = edits(trees, i, i + len(pairs)).tolist()
    assert found == [pair["zss"] for pair in pairs]
    assert found == [pair["apted"] for pair in pairs]


def test_mirrored_trees_are_as_far_apart() -> None:
    rng = random.Random(2)
    values = [drawn(rng, 30) for _ in range(60)]
    i, j = np.arange(30), np.arange(30, 60)
    trees, others = laid_out(values), laid_out(list(map(mirrored, values)))
    assert edits(trees, i, j).tolist() == edits(others, i, j).tolist()
    assert trees.left.work.tolist() == others.right.work.tolist()
    assert (trees.left.work != trees.right.work).any()  # so the cheaper way is taken for some, the other for others


def test_the_compiled_loop_is_the_plain_one(need) -> None:
    need("numba")
    rng = random.Random(3)
    trees = laid_out([drawn(rng, 25) for _ in range(40)])
    i, j = np.arange(20), np.arange(20, 40)
    readings = [(one.label, one.first, one.root, one.root_start, one.work) for one in (trees.left, trees.right)]
    plain = tree_edit.plain(trees.start, *readings, i, j)
    assert plain.tolist() == tree_edit.fast(trees.start, *readings, i, j).tolist()


def test_deep_trees_need_no_recursion() -> None:
    deep = "(A " * 5000 + ")" * 5000
    deeper = "(A " * 5003 + ")" * 5003
    trees = laid_out([deep, deeper])
    assert trees.left.work.tolist() == [5000, 5003]
    nested = ("A",)
    for _ in range(5000):
        nested = ("A", nested)
    assert laid_out([nested]).leaves.tolist() == [1]


@pytest.mark.parametrize(("words", "expected"), [(False, 1), (True, 3)])
def test_words_count_where_they_are_kept(words, expected) -> None:
    values = ["(S (NP (DT The) (NN firm)) (VP (VBD left)))", "(S (NP (DT A) (NN man)) (VP (VBZ left)))"]
    place = np.arange(2)
    assert edits(laid_out(values, words=words), place[:1], place[1:]).tolist() == [expected]
