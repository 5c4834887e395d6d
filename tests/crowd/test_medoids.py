"""Medoids, best annotators and weighted medoids against their definitions, and what must hold of all three."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interagree.crowd.consensus import Consensus
from interagree.crowd.medoids import Within, canonical, shrink
from interagree.crowd.objects import best_annotator, medoid, weighted_medoid
from interagree.data import Annotations
from interagree.distances import find
from interagree.errors import DataError, KindError

METHODS = [medoid, best_annotator, weighted_medoid]

rows = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("abcde"), st.integers(0, 6)),
    min_size=1,
    max_size=18,
    unique_by=lambda row: row[:2],
)


def study_of(some, duplicates="error"):
    items, people, values = zip(*some, strict=True)
    return Annotations.from_columns(items, people, values, duplicates=duplicates)


def summed(some, item, value):
    """By definition: the sum of squared differences to the annotations of an item."""
    return sum((value - other) ** 2 for i, _, other in some if i == item)


@given(some=rows)
def test_the_medoid_has_the_smallest_sum_of_distances(some):
    for item, value in medoid(study_of(some), distance="interval").values.items():
        given_values = [v for i, _, v in some if i == item]
        assert value in given_values
        assert summed(some, item, value) == min(summed(some, item, v) for v in given_values)


@pytest.mark.parametrize("method", METHODS)
@given(some=rows, data=st.data())
def test_neither_the_order_of_rows_nor_names_matter(method, some, data):
    shuffled = data.draw(st.permutations(some))
    names = dict(zip("abcde", data.draw(st.permutations("vwxyz")), strict=True))
    other = method(study_of([(i * 10, names[a], v) for i, a, v in shuffled]), distance="interval")
    assert {i * 10: v for i, v in method(study_of(some), distance="interval").values.items()} == other.values


@pytest.mark.parametrize("method", METHODS)
@given(some=rows)
def test_no_item_is_lost_and_unanimous_ones_give_their_value(method, some):
    found = method(study_of(some), distance="nominal")
    assert found.values.keys() == {i for i, _, _ in some}
    for item, value in found.values.items():
        given_values = {v for i, _, v in some if i == item}
        assert value in given_values
        assert len(given_values) > 1 or {value} == given_values


@given(
    triples=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=5),
    order=st.permutations("abc"),
)
def test_an_outlier_never_wins_against_two_equal_ones(triples, order):
    some = [
        (i, who, v)
        for i, (twice, once) in enumerate(triples)
        for who, v in zip(order, (twice, twice, once), strict=True)
    ]
    assert medoid(study_of(some), distance="interval").values == dict(enumerate(t for t, _ in triples))


def test_sets_and_callables_have_medoids_too():
    sets = [(1, "a", {"x"}), (1, "b", {"x", "y"}), (1, "c", {"x", "y", "z"})]
    assert medoid(study_of(sets), distance="jaccard").values == {1: frozenset("xy")}
    texts = [(1, "a", "aaaa"), (1, "b", "aa"), (1, "c", "aaa")]
    assert medoid(study_of(texts), distance=lambda a, b: abs(len(a) - len(b))).values == {1: "aaa"}
    assert medoid({"ann": [3, 4], "bo": [3, 9], "cy": [8, 4]}).values == {0: 3, 1: 4}


def test_ties_go_by_support_then_by_nearness_then_by_order_and_are_counted():
    support = [(1, who, v) for who, v in zip("abcd", (0, 0, 2, 1), strict=True)]
    found = medoid(study_of(support), distance=lambda a, b: float(abs(a - b) > 0))
    assert found.values == {1: 0}
    assert not any("several values" in note for note in found.notes)  # 0 has itself at distance 0
    flat = medoid(study_of(support), distance=lambda _a, _b: 0.0)
    assert flat.values == {1: 0}
    assert flat.notes == (
        "1 item had several values equally near to the annotations, settled: 1 by the number of annotators",
    )
    # a agrees with c wherever they meet and b does not, so between a and b alone a wins.
    nearness = [(0, "a", 7), (0, "b", 5), *((i, who, v) for i in range(1, 9) for who, v in (("a", 1), ("c", 1)))]
    nearness += [(i, "b", 3 + i % 2) for i in range(1, 9)]
    found = medoid(study_of(nearness), distance="interval")
    assert found.values[0] == 7
    assert "1 by how near the annotators are to others" in found.notes[0]
    order = medoid(study_of([(0, "a", "y"), (0, "b", "x")]))
    assert order.values == {0: "x"}
    assert "1 by sorted order" in order.notes[0]


def test_an_annotator_counts_once_however_often_she_judged():
    some = [(1, "a", 0), (1, "a", 0), (1, "a", 0), (1, "b", 9), (1, "c", 9)]
    found = medoid(study_of(some, "keep"), distance="nominal")
    assert found.values == {1: 9}
    assert found.table()["annotations"] == [5]
    assert found.table()["support"] == [2]
    assert found.table()["distance"] == pytest.approx([1 / 3])


def test_nearness_is_the_mean_over_items_of_the_mean_distance_to_others():
    rng = np.random.default_rng(3)
    some = [(i, who, int(rng.integers(9))) for i in range(12) for who in "abcde" if rng.random() < 0.7]
    some += [(0, "f", 4), (0, "f", 8)]
    study = study_of(some, "keep")
    near = Within(study, find("interval")).nearness()
    for place, who in enumerate(study.annotators):
        means = []
        for item in study.items:
            mine = [v for i, a, v in some if i == item and a == who]
            others = [(a, v) for i, a, v in some if i == item and a != who]
            often = {a: sum(b == a for b, _ in others) for a, _ in others}
            if mine and others:
                total = sum((x - v) ** 2 / often[a] for x in mine for a, v in others) / len(mine)
                means.append(total / len(often))
        assert near.items[place] == len(means)
        assert near.mean[place] == pytest.approx(np.mean(means))


def test_means_of_few_are_pulled_further_to_the_mean():
    rng = np.random.default_rng(0)
    sizes = [2, 2, 40, 40, 40, 40]
    who = np.repeat(np.arange(6), sizes)
    found = np.array([1.0, 9.0, 3.0, 5.0, 6.0, 8.0])[who] + rng.normal(0, 2, len(who))
    near = shrink(found, who, 7)
    pulled = np.abs(near.mean[:6] - near.shrunk[:6]) / np.abs(near.mean[:6] - near.overall)
    assert (pulled[:2] > pulled[2:].max()).all()
    assert ((pulled > 0) & (pulled < 1)).all()
    assert np.isnan(near.mean[6])
    assert near.shrunk[6] == near.overall
    # The formula, by hand.
    n, total = np.array(sizes, dtype=float), len(who)
    within = sum(((found[who == u] - near.mean[u]) ** 2).sum() for u in range(6)) / (total - 6)
    between = sum(n[u] * (near.mean[u] - found.mean()) ** 2 for u in range(6)) / 5
    tau = (between - within) / ((total - (n**2).sum() / total) / 5)
    mu = np.average(near.mean[:6], weights=1 / (tau + within / n))
    assert near.overall == pytest.approx(mu)
    assert near.shrunk[:6] == pytest.approx(mu + tau / (tau + within / n) * (near.mean[:6] - mu))


def test_the_best_annotator_is_taken_where_she_took_part():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 100, 40)
    noise = {"good": 1, "fair": 5, "poor": 40}
    some = [(i, who, int(truth[i] + rng.normal(0, noise[who]))) for i in range(40) for who in noise]
    some = [row for row in some if row[:2] != (0, "good")]
    found = best_annotator(study_of(some), distance="linear")
    said = {(i, a): v for i, a, v in some}
    assert found.values == {i: said[i, "good" if i else "fair"] for i in range(40)}
    assert [*found.annotators()["annotator"]] == ["good", "fair", "poor"]
    weighted = weighted_medoid(study_of(some), distance="linear")
    weight = weighted.annotators().to_dict("weight")
    assert weight["good"] > weight["fair"] > weight["poor"] > 0
    assert weighted.notes[-1].startswith("weights of annotators found ")
    gold = dict(enumerate(truth.tolist()))
    assert found.score(gold).value < medoid(study_of(some), distance="linear").score(gold).value


def test_weights_are_a_fixed_point_of_their_own_definition():
    rng = np.random.default_rng(5)
    some = [(i, w, float(rng.normal(0, s))) for i in range(30) for s, w in enumerate("abcd", 1)]
    within = Within(study_of(some), find("linear"))
    weight, near, rounds = within.reliability()
    assert 1 < rounds < 50
    assert weight == pytest.approx(np.minimum(near.overall / near.shrunk, 10), rel=1e-5)


def test_a_single_annotation_is_kept_and_said():
    found = medoid(study_of([(1, "a", 5), (2, "a", 6), (2, "b", 6)]))
    assert found.values == {1: 5, 2: 6}
    assert found.notes == ("1 item with one annotator kept unchanged",)
    assert np.isnan(found.table()["confidence"][0])
    assert found.table()["confidence"][1] == 1


def test_confidence_falls_with_disagreement():
    some = [(i, who, v * i) for i in range(6) for who, v in (("a", 0), ("b", 1), ("c", 2))]
    sure = medoid(study_of(some), distance="linear").table()["confidence"]
    assert sure[0] == 1
    assert all(a > b for a, b in itertools.pairwise(sure))


def test_a_score_stands_beside_a_random_annotator_and_the_best_choice():
    some = [(1, "a", 0), (1, "b", 2), (1, "c", 4), (2, "a", 1), (2, "b", 1), (3, "a", 5), (3, "b", 5)]
    found = medoid(study_of(some), distance="linear")
    score = found.score({1: 4, 2: 1, 9: 7})
    assert (score.value, score.random, score.oracle) == pytest.approx((1.0, 1.0, 0.0))
    assert (score.items, score.missing, score.unseen) == (2, 1, 1)
    assert score.gain == 0
    assert float(score) == 1.0
    assert score.interval.low == 0
    assert score.interval.df == 1
    assert score.table()["answer"] == ["consensus", "random annotator", "best choice"]
    assert "1 item without a gold answer left out; 1 gold answer for items" in score.table().foot
    assert score.by_item()["consensus"] == [2, 0]
    assert found.score({1: 4, 2: 1}, "interval").value == 2
    assert str(score).startswith("linear distance to gold (1 is chance) = 0.404")
    gold = Annotations.from_columns([1, 2], ["gold", "gold"], [4, 1])
    assert found.score(gold).value == 1
    assert found.score(found).value == 0


def test_a_consensus_is_a_study_again(tmp_path):
    import interagree as ia

    some = [(1, "a", 3), (1, "b", 3), (2, "a", 5), (2, "b", 9)]
    found = medoid(study_of(some))
    assert isinstance(found, Consensus)
    again = found.to_annotations()
    assert again.rows() == [(i, "medoid", v) for i, v in found.values.items()]
    assert {*again.attributes} == {"annotations", "support", "distance", "confidence"}
    ia.write(again, tmp_path / "consensus.jsonl")
    assert len(ia.read(tmp_path / "consensus.jsonl", value="value").single()) == 2
    assert "medoid of 2 items by nominal distance" in str(found)


def test_counts_have_medoids_but_no_annotators():
    study = Annotations.from_counts([[2, 1], [0, 3]], values=["x", "y"])
    assert medoid(study).values == {0: "x", 1: "y"}
    for refused in (best_annotator, weighted_medoid):
        with pytest.raises(KindError, match="made from counts"):
            refused(study)
    with pytest.raises(KindError, match="made from counts"):
        medoid(study).annotators()


def test_what_cannot_be_done_is_said():
    found = medoid(study_of([(1, "a", 3), (1, "b", 3)]))
    with pytest.raises(DataError, match="0 of 1 item of gold are in the study: the study has 1, and gold has 'one'"):
        found.score({"one": 3})
    assert found.score({"01": "3"}).value == 0  # items and values meet by what they mean
    with pytest.raises(DataError, match="item 1 has several"):
        found.score(study_of([(1, "a", 3), (1, "b", 4)]))
    scale = [(1, "a", "low"), (1, "b", "high"), (1, "c", "high")]
    ordered = Annotations.of(scale, values=["low", "high"], ordered=True)
    assert medoid(ordered).score({1: "low"}).value > 0
    with pytest.raises(DataError, match="'mid' is not on the scale of the study"):
        medoid(ordered).score({1: "mid"})
    with pytest.raises(KindError, match="level= takes a number between 0 and 1"):
        found.score({1: 3}, level=95)


def test_equal_values_have_one_text():
    assert canonical((1, 2.0)) == canonical((1.0, 2))
    assert canonical(frozenset("ab")) == canonical(frozenset("ba"))
    assert canonical(1) != canonical(True)  # noqa: FBT003 -- a value like any other
    assert canonical(-0.0) == canonical(0)
