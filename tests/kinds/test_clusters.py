"""Clusters of mentions: how they are written, what is wrong with some, and the distance between two."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.data.values import plain
from interagree.errors import KindError
from interagree.kinds import recognise
from interagree.plugins import DISTANCES, KINDS

GOOD = [
    [],
    [["Ann", "she"], ["it"]],
    [[1, 2], [3]],
    [[[0, 3], [10, 13]], [[5, 8]]],
    [[[[0, 3], [5, 6]], [10, 13]]],  # a mention in two pieces
]


@pytest.mark.parametrize("value", GOOD, ids=str)
def test_mentions_are_strings_numbers_or_places(value: Any) -> None:
    kind = KINDS["clusters"]
    assert kind.why_not(plain(value)) is None
    packed = kind.packed([plain(value)])
    assert packed.size.tolist() == [len(cluster) for cluster in value]
    assert len(packed.mention) == sum(map(len, value))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("abc", "it is not a list"),
        (["Ann", "she"], "'Ann' is not a list of mentions"),
        ([["Ann"], []], "a cluster has no mentions"),
        ([["Ann", None]], "a mention is None"),
        ([["Ann", True]], "a mention is True"),
        ([["Ann", []]], "a mention is ()"),
        ([["Ann", "she"], ["it", "she"]], "the mention 'she' is in two clusters"),
        ([["Ann", "she", "Ann"]], "the mention 'Ann' is twice in one cluster"),
        ([[[0, 3], [5, 8]], [[0, 3]]], "the mention [0, 3] is in two clusters"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said(value: Any, said: str) -> None:
    kind = KINDS["clusters"]
    assert said in (kind.why_not(plain(value)) or "")
    with pytest.raises(KindError, match="clusters of mentions were expected"):
        kind.packed([plain([["x"]]), plain(value)])


def test_an_error_names_the_document_and_the_annotator() -> None:
    rows = [("d1", "ann", [["x", "y"]]), ("d1", "bo", [["x"], ["x", "y"]])]
    with pytest.raises(KindError, match=r"'x' is in two clusters.*item 'd1' by 'bo'"):
        ia.Annotations.of(rows, kind="clusters")


def test_clusters_are_not_recognised_unless_stated() -> None:
    assert recognise([plain(value) for value in GOOD[1:2]]) != "clusters"
    study = ia.Annotations.of([("d1", "ann", [["x", "y"]]), ("d1", "bo", [["x"], ["y"]])], kind="clusters")
    assert study.kind == "clusters"


def test_clusters_may_be_spelled_as_json_in_a_cell() -> None:
    rows = [("d1", "ann", '[["x", "y"], ["z"]]'), ("d1", "bo", '[["x", "y", "z"]]')]
    assert ia.Annotations.of(rows, kind="clusters").rows()[0][2] == (("x", "y"), ("z",))


def test_what_is_linked_leaves_out_single_mentions() -> None:
    packed = KINDS["clusters"].packed([plain([["a"], ["b", "c"]]), plain([["d"]]), (), plain([["a", "b"], ["c"]])])
    linked = packed.linked()
    assert linked.size.tolist() == [2, 2]
    assert linked.start.tolist() == [0, 2, 2, 2, 4]
    assert linked.first.tolist() == [0, 1, 1, 1, 2]
    assert linked.cluster.tolist() == [0, 0, 1, 1]


def b_cubed(a: Any, b: Any) -> float:
    """By definition: for each mention, how far its two clusters are the same."""
    mine = {mention: set(cluster) for cluster in a for mention in cluster}
    yours = {mention: set(cluster) for cluster in b for mention in cluster}
    if not mine and not yours:
        return 0.0
    both = mine.keys() & yours.keys()
    if not both:
        return 1.0
    recall = sum(len(mine[m] & yours[m]) / len(mine[m]) for m in both) / len(mine)
    precision = sum(len(mine[m] & yours[m]) / len(yours[m]) for m in both) / len(yours)
    return 1 - 2 * precision * recall / (precision + recall)


def drawn(rng: random.Random) -> tuple[tuple[str, ...], ...]:
    groups: dict[int, list[str]] = {}
    for mention in "abcdefg":
        if rng.random() < 0.7:
            groups.setdefault(rng.randrange(4), []).append(mention)
    return tuple(map(tuple, groups.values()))


def test_the_distance_is_that_of_its_definition() -> None:
    rng = random.Random(5)
    values = list(dict.fromkeys([(), *(drawn(rng) for _ in range(40))]))
    table = DISTANCES["b_cubed"].among(values)
    wanted = [[b_cubed(a, b) for b in values] for a in values]
    assert table == pytest.approx(np.array(wanted), abs=1e-12)
    # It is not a metric: b lies between a and c, and the way through b is shorter.
    a, b, c = (("x",),), (("x",), ("y",), ("z",)), (("y",), ("z",))
    far = DISTANCES["b_cubed"].among([a, b, c])
    assert far[0, 2] > 0.9
    assert DISTANCES["b_cubed"](a, b) + DISTANCES["b_cubed"](b, c) < far[0, 2]


def test_dice_is_twice_the_common_part() -> None:
    dice = DISTANCES["dice"]
    assert dice(frozenset("ab"), frozenset("bcd")) == pytest.approx(1 - 2 / 5)
    assert dice(frozenset(), frozenset()) == 0
    assert dice(frozenset(), frozenset("a")) == 1
