"""Lists of ids, best first."""

from __future__ import annotations

import json

import pytest

from interagree.errors import KindError
from interagree.kinds import recognise
from interagree.plugins import KINDS

rankings = KINDS["rankings"]


@pytest.mark.parametrize(
    ("values", "fits"),
    [
        ([(3, 1, 2), (1, 2, 3)], True),
        ([(3, 1), (1, 2, 3)], True),
        ([tuple("abc"), tuple("cab")], True),
        ([tuple("ab"), tuple("cb")], False),  # labels, more likely
        ([tuple("abc"), tuple("ab")], False),
        ([(1.0, 2.0), (2.0, 1.0)], False),
        ([(1, "a", 3), (2, "b", 4)], False),
    ],
)
def test_rankings_are_recognised(values, fits) -> None:
    assert all(rankings.why_not(value) is None for value in values)
    assert rankings.likely(values) is fits


@pytest.mark.parametrize(
    ("value", "clause"),
    [
        ("abc", "it is not a list"),
        ((1, 2, 1), "the id 1 occurs twice"),
        ((1, 1.0), "the id 1.0 occurs twice"),
        ((1, -2), "-2 is neither a whole number from 0 up nor a string"),
        ((1, 2.5), "2.5 is neither"),
        ((1, (2,)), "neither"),
        ((1, None), "None is neither"),
        ((1,), "a ranking has 1 ids"),
        ((), "a ranking has 0 ids"),
    ],
)
def test_what_is_wrong_with_a_ranking_is_said(value, clause) -> None:
    with pytest.raises(KindError, match=clause):
        rankings.packed([(1, 2, 3), value])


def test_full_rankings_are_told_from_partial_ones() -> None:
    full = rankings.packed([(7, 3, 5), (3, 5, 7)])
    assert full.full
    assert full.ranks().tolist() == [[1, 2, 3], [3, 1, 2]]  # of 7, 3 and 5
    for values in ([(7, 3), (3, 5)], [(7, 3, 5), (3, 5)], [(1, 2), (3, 4)]):
        assert not rankings.packed(values).full
    mixed = rankings.packed([(1, "1"), ("1", 1)])
    assert mixed.known == 2
    assert mixed.length.tolist() == [2, 2]


def test_real_rankings_are_recognised(shared) -> None:
    with (shared / "data" / "complex" / "rankings.jsonl").open(encoding="utf-8") as lines:
        values = [tuple(json.loads(line)["value"]) for line in lines]
    assert recognise(values) == "rankings"
    packed = rankings.packed(values)
    assert not packed.full
    assert set(packed.length.tolist()) == {25}
