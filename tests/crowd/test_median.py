"""The middle of ordered values and of numbers, and the usual way for each kind."""

from statistics import median as middle
from statistics import median_high, median_low

import pytest
from hypothesis import given
from hypothesis import strategies as st

import interagree as ia
from interagree.crowd.objects import median
from interagree.data import Annotations
from interagree.errors import KindError

SCALE = ["very low", "low", "mid", "high", "very high"]


def study_of(places):
    rows = [("i", f"w{k}", SCALE[place]) for k, place in enumerate(places)]
    return Annotations.of(rows, values=SCALE, ordered=True)


@given(places=st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_the_median_of_ordered_values_is_one_in_the_middle(places):
    found = SCALE.index(median(study_of(places)).values["i"])
    assert median_low(places) <= found <= median_high(places)
    assert found in places


def test_an_outlier_does_not_move_it_and_the_plurality_is_not_it():
    assert median(study_of([0, 0, 1, 2, 3])).values == {"i": "low"}
    assert ia.crowd.usual_consensus(study_of([0, 0, 1, 2, 3])).values == {"i": "low"}


def test_of_two_in_the_middle_the_more_common_is_taken():
    assert median(study_of([0, 1, 1, 2, 3, 4])).values == {"i": "low"}
    assert median(study_of([0, 1, 2, 2])).values == {"i": "mid"}


@given(numbers=st.lists(st.integers(0, 1000).map(lambda n: n / 8 + 0.0625), min_size=1, max_size=8))
def test_the_median_of_numbers_is_that_of_statistics(numbers):
    found = median([("i", f"w{k}", number) for k, number in enumerate(numbers)])
    assert found.method == "median"
    assert found.values["i"] == pytest.approx(middle(numbers))


def test_labels_without_an_order_have_no_median():
    with pytest.raises(KindError, match="a median needs values in an order, or numbers, and these are labels"):
        median({"a": ["x", "y"], "b": ["x", "z"]})


def test_the_usual_consensus_says_what_it_took():
    votes = ia.crowd.usual_consensus({"a": ["x", "y"], "b": ["x", "y"], "c": ["y", "y"]})
    assert votes.method == "majority_vote"
    assert votes.values == {0: "x", 1: "y"}
    assert votes.notes[0] == "the values are labels: the one that most annotators gave was taken"
    boxes = Annotations.of([("i", who, ((0, 0, 9, 9, "cat"),)) for who in "ab"]).taken_as("boxes")
    assert (
        ia.crowd.usual_consensus(boxes).notes[0]
        == "the values are boxes: the annotation nearest to the others was taken"
    )


def test_codes_and_scales_of_whole_numbers_are_told_apart_by_the_user():
    ratings = {"a": ["1", "2", "5"], "b": ["1", "3", "5"], "c": ["5", "4", "5"]}
    votes = ia.crowd.usual_consensus(ratings)
    assert votes.method == "majority_vote"  # whole numbers may be codes
    assert votes.notes[0].endswith("if the numbers are a scale and not codes, take the median")
    assert ia.crowd.usual_consensus({"a": ["0", "1"], "b": ["0", "1"]}).notes[0].endswith("gave was taken")
