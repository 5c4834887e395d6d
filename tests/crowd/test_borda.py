"""Borda's points against a count by hand, on full and on partial lists."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interagree.crowd.objects import borda
from interagree.data import Annotations
from interagree.errors import KindError


def study_of(some):
    items, people, values = zip(*some, strict=True)
    return Annotations.from_columns(items, people, values)


def points(lists):
    """By definition: a point for each entry behind, those not listed at the mean of the places that are left."""
    entries = {entry for one in lists for entry in one}
    m = len(entries)
    total = dict.fromkeys(entries, 0.0)
    for one in lists:
        left = np.mean([m - 1 - place for place in range(len(one), m)]) if len(one) < m else 0.0
        for entry in entries:
            total[entry] += m - 1 - one.index(entry) if entry in one else left
    return total


partial = st.permutations("pqrstu").flatmap(lambda p: st.integers(2, 6).map(lambda k: tuple(p[:k])))
rows = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from("abcd"), partial), min_size=1, max_size=9, unique_by=lambda r: r[:2]
)


@settings(max_examples=60)
@given(some=rows)
def test_entries_stand_by_their_points(some):
    for item, ranking in borda(study_of(some)).values.items():
        total = points([one for i, _, one in some if i == item])
        assert {*ranking} == {*total}
        assert all(total[a] >= total[b] - 1e-9 for a, b in pairwise(ranking))


@settings(max_examples=60)
@given(some=rows, data=st.data())
def test_neither_the_order_of_rows_nor_names_matter(some, data):
    names = dict(zip("abcd", data.draw(st.permutations("wxyz")), strict=True))
    other = [(i, names[a], v) for i, a, v in data.draw(st.permutations(some))]
    assert borda(study_of(some)).values == borda(study_of(other)).values


@given(ranking=st.permutations("pqrs"), people=st.integers(1, 4))
def test_the_same_ranking_from_all_is_the_consensus(ranking, people):
    found = borda(study_of([(1, who, tuple(ranking)) for who in range(people)]))
    assert found.values == {1: tuple(ranking)}
    assert found.table()["distance"] == [0]


def test_equal_points_go_to_the_entry_listed_more_often_then_by_order():
    some = [(1, "a", ("p", "q")), (1, "b", ("q", "p")), (2, "a", ("x", "y", "z")), (2, "b", ("z", "y", "x"))]
    found = borda(study_of(some))
    assert found.values == {1: ("p", "q"), 2: ("x", "y", "z")}
    assert found.notes == ("2 items had entries with equal points",)
    lists = [("x", "y"), ("z", "y")]
    assert points(lists) == {"x": 2, "y": 2, "z": 2}
    backed = borda(study_of([(1, who, one) for who, one in enumerate(lists)]))
    assert backed.values == {1: ("y", "x", "z")}
    assert backed.table()["support"] == pytest.approx([4 / 3])


def test_the_top_and_the_weights_can_be_given():
    some = [(1, "a", ("p", "q", "r")), (1, "b", ("r", "q", "p"))]
    assert borda(study_of(some), top=2).values == {1: ("p", "q")}
    assert borda(study_of(some), weights={"a": 1, "b": 2}).values == {1: ("r", "q", "p")}


def test_values_that_are_no_rankings_are_refused():
    with pytest.raises(KindError, match="occurs twice"):
        borda(study_of([(1, "a", ("p", "p", "q"))]))
    with pytest.raises(KindError, match="top is how many entries to keep"):
        borda(study_of([(1, "a", ("p", "q"))]), top=0)
