"""Votes, weighted votes, what every consensus of labels has, and what must hold of all of them."""

import math
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interagree.crowd.labels import dawid_skene, glad, mace, majority_vote, one_coin, weighted_vote
from interagree.crowd.medoids import Within
from interagree.data import Annotations
from interagree.distances import find
from interagree.errors import DataError, KindError, UnknownName
from interagree.stats.engine.shares import wilson


def hierarchical(data, **more):
    return dawid_skene(data, prior="hierarchical", **more)


MODELS = [dawid_skene, hierarchical, one_coin, mace, glad]
METHODS = [majority_vote, weighted_vote, *MODELS]

some_rows = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from("abcde"), st.sampled_from("xyz")),
    min_size=1,
    max_size=20,
    unique_by=lambda row: row[:2],
)


def by_name(found):
    return {
        (item, label): found.posterior[i, k]
        for i, item in enumerate(found.items)
        for k, label in enumerate(found.labels)
    }


@given(rows=some_rows)
def test_a_vote_is_the_most_frequent_label(rows):
    found = majority_vote(rows)
    for item, label in found.values.items():
        counts = Counter(value for one, _, value in rows if one == item)
        assert counts[label] == max(counts.values())
        assert label == min(other for other, often in counts.items() if often == counts[label])
    assert found.posterior.sum(axis=1) == pytest.approx(1)


@given(rows=some_rows)
def test_ties_are_split_or_left_or_go_by_the_order_of_labels(rows):
    split, none, order = (majority_vote(rows, ties=how) for how in ("split", "none", "order"))
    assert split.values == order.values
    assert set(split.values) - set(none.values) == set(split.tied())
    gold = dict.fromkeys(split.values, "x")
    expected = []
    for item in split.values:
        counts = Counter(value for one, _, value in rows if one == item)
        front = [label for label, often in counts.items() if often == max(counts.values())]
        expected.append(Fraction("x" in front, len(front)))
    assert split.score(gold).value == pytest.approx(float(sum(expected) / len(expected)))
    assert order.score(gold).value == pytest.approx(sum(label == "x" for label in order.values.values()) / len(gold))


@given(rows=some_rows, seed=st.integers(0, 99))
@pytest.mark.parametrize("method", [majority_vote, weighted_vote])
def test_votes_do_not_depend_on_the_order_of_rows(method, rows, seed):
    shuffled = random.Random(seed).sample(rows, len(rows))
    assert method(shuffled).values == method(rows).values
    assert by_name(method(shuffled)) == pytest.approx(by_name(method(rows)))


@given(rows=some_rows)
def test_weights_are_those_of_the_weighted_medoid(rows):
    study = Annotations.of(rows)
    weight, _, _ = Within(study, find("nominal")).reliability()
    assert weighted_vote(study).by_annotator["weight"] == pytest.approx(weight, rel=1e-4)


def test_weights_are_those_of_the_weighted_medoid_where_judgements_are_repeated():
    chance = np.random.default_rng(3)
    rows = [(int(i), f"p{a}", f"v{v if a < 2 else i % 3}") for i, a, v in chance.integers(0, (12, 5, 3), (150, 3))]
    study = Annotations.of(rows, duplicates="keep")
    weight, _, _ = Within(study, find("nominal")).reliability()
    found = weighted_vote(study)
    assert found.by_annotator["weight"] == pytest.approx(weight, rel=1e-4)
    assert np.ptp(weight) > 0


def test_an_annotator_has_one_vote_however_often_she_judged():
    rows = [(1, "ann", "x"), (1, "ann", "x"), (1, "ann", "y"), (1, "bo", "y")]
    found = majority_vote(Annotations.of(rows, duplicates="keep"))
    assert by_name(found) == pytest.approx({(1, "x"): 1 / 3, (1, "y"): 2 / 3})


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_order_of_rows_and_names_do_not_matter(method, seed, crowd):
    rows, _ = crowd(seed)
    found = by_name(method(rows))
    turned = dict(zip("xyz", "czb", strict=True))
    shuffled = random.Random(seed).sample(rows, len(rows))
    again = by_name(method([(i, f"{9 - int(a[1:])}!", turned[v]) for i, a, v in shuffled]))
    assert {(item, turned[label]): p for (item, label), p in found.items()} == pytest.approx(again, abs=1e-4)


@pytest.mark.parametrize("method", MODELS)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_maximised_never_goes_down(method, seed, crowd):
    found = method(crowd(seed)[0])
    assert np.all(np.diff(found.trace) >= -1e-10 * abs(found.trace[-1]))
    assert found.converged
    assert found.log_likelihood < 0


@pytest.mark.parametrize("method", METHODS)
def test_every_consensus_has_the_same_parts(method, study):
    found = method(study)
    assert len(found) == len(found.values) == 60
    assert found.posterior.sum(axis=1) == pytest.approx(1)
    assert found.confidence() == pytest.approx(found.posterior.max(axis=1))
    assert found.table()["value"] == [*found.values.values()]
    assert [*found.probabilities().columns] == ["item", "x", "y", "z"]
    assert len(found.annotators()) == 8
    taken = found.to_annotations()
    assert {item: value for item, _, value in taken.rows()} == found.values
    assert taken.annotators == [method.__name__ if method is not hierarchical else "dawid_skene"]
    assert found.headline() in str(found)
    assert found.headline() in repr(found)
    assert "<table>" in found._repr_html_()


@pytest.mark.parametrize("method", MODELS)
@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([(1, "ann", "x"), (2, "ann", "y")], "'ann' is the only annotator"),
        ([(1, "ann", "x"), (1, "bo", "x")], "every annotation is 'x'"),
        ([(1, "ann", "x"), (2, "bo", "y")], "no item has two annotators"),
    ],
)
def test_where_nothing_can_be_learnt_the_votes_stand_and_a_sentence_says_why(method, rows, sentence):
    found = method(rows)
    assert found.values == {item: value for item, _, value in rows}
    assert any(sentence in note for note in found.notes)
    assert math.isnan(found.log_likelihood)
    assert not found.converged
    assert len(found.annotators()) == len({who for _, who, _ in rows})


@pytest.mark.parametrize("method", METHODS)
def test_items_without_annotations_are_left_out(method, study):
    other = Annotations(
        study.item, study.annotator, study.value, [*study.items, "none"], study.annotators, study.values
    )
    found = method(other)
    assert found.posterior == pytest.approx(method(study).posterior)
    assert "1 item without annotations left out" in found.notes
    assert "none" not in found.values


@pytest.mark.parametrize("method", METHODS)
def test_what_is_no_label_is_refused(method):
    with pytest.raises(KindError, match=r"takes labels, and these are sets; .*versus_rest"):
        method(Annotations.of([(1, "a", {"x"}), (1, "b", {"x", "y"})]))
    with pytest.raises(KindError, match=r"these are boxes; medoid, weighted_medoid and merge"):
        method(Annotations.of([(1, "a", ((0, 0, 1, 1),)), (1, "b", ((0, 0, 1, 2),))], kind="boxes"))
    with pytest.raises(DataError, match="no annotations"):
        method(Annotations.from_columns([], [], []))


def test_counts_can_be_voted_on_and_not_modelled():
    study = Annotations.from_counts([[2, 1], [0, 3]], values=["x", "y"])
    assert majority_vote(study).values == {0: "x", 1: "y"}
    with pytest.raises(KindError, match="does not say who gave which value"):
        majority_vote(study).annotators()
    for method in (weighted_vote, *MODELS):
        with pytest.raises(KindError, match="must know who gave which value"):
            method(study)


def test_unknown_ways_with_ties_are_named():
    with pytest.raises(UnknownName, match="'split', 'none', 'order', not 'first'"):
        majority_vote([(1, "a", "x")], ties="first")


@pytest.mark.parametrize("method", MODELS)
def test_given_answers_are_kept_and_help(method, crowd):
    rows, truth = crowd(5, items=40, people=6, each=3)
    gold = {item: truth[item] for item in [*truth][:20]} | {"elsewhere": "x"}
    found = method(rows, gold=gold)
    for item in [*truth][:20]:
        assert found.values[item] == truth[item]
        assert found.posterior[found.items.index(item)].max() == 1
    assert np.all(np.diff(found.trace) >= -1e-10 * abs(found.trace[-1]))
    assert "the answers to 20 items were given" in found.notes
    with pytest.raises(DataError, match="0 of 1 item of gold are in the study"):
        method(rows, gold={"elsewhere": "x"})


def test_tied_items_without_a_label_are_not_scored():
    found = majority_vote([(1, "a", "x"), (1, "b", "y"), (2, "a", "x"), (3, "a", "x")], ties="none")
    score = found.score({1: "x", 2: "x"})
    assert (score.value, score.items, score.missing, score.unseen) == (1.0, 1, 1, 1)
    assert [value for _, _, value in found.to_annotations().rows()] == ["x", "x"]


def test_declared_labels_stay_declared_and_in_order():
    study = Annotations.of(
        [(1, "a", "lo"), (1, "b", "lo"), (2, "a", "hi"), (2, "b", "lo")], values=["lo", "mid", "hi"], ordered=True
    )
    found = dawid_skene(study, gold={2: "top"}).to_annotations()
    assert (found.values, found.ordered) == (("lo", "mid", "hi", "top"), True)
    assert majority_vote(study).labels == ("lo", "hi")


def test_a_label_that_only_gold_has_is_a_label():
    found = dawid_skene([(1, "a", "x"), (1, "b", "y"), (2, "a", "y"), (2, "b", "y")], gold={1: "new"})
    assert found.values[1] == "new"
    assert found.labels == ("x", "y", "new")


def test_the_score_is_an_accuracy_with_wilsons_interval(study):
    found = majority_vote(study, ties="order")
    gold = {item: "x" for item in found.values if item != "i0"} | {"elsewhere": "y"}
    score = found.score(gold)
    right = sum(label == "x" for item, label in found.values.items() if item != "i0")
    assert score.value == float(score) == pytest.approx(right / 59)
    assert (score.items, score.missing, score.unseen) == (59, 1, 1)
    z, p, n = 1.959963984540054, right / 59, 59
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    assert score.interval.high - score.interval.low == pytest.approx(2 * half)
    shares = found.posterior[[item != "i0" for item in found.items], found.labels.index("x")]
    assert score.random == pytest.approx(shares.mean())
    assert score.oracle == pytest.approx((shares > 0).mean())
    assert score.log_loss == pytest.approx(-np.log(np.maximum(shares, 1e-15)).mean())
    assert "1 item without a gold answer left out" in score.policy()
    assert score.table()["accuracy"] == [score.value, score.random, score.oracle]
    assert len(score.by_item()) == 59
    assert score.to_dict()["accuracy"] == score.value
    assert "accuracy against gold = " in str(score)
    with pytest.raises(KindError, match="between 0 and 1"):
        found.score(gold, level=95)


def test_wilsons_interval_stays_inside():
    assert wilson(1, 3, 0.95) == pytest.approx((0.4385, 1), abs=1e-4)  # 1 / (1 + z² / n)
    assert wilson(0, 3, 0.95) == pytest.approx((0, 0.5615), abs=1e-4)


def test_a_gold_label_that_nobody_gave_is_missed():
    score = majority_vote([(1, "a", "x"), (2, "a", "y")]).score({1: "x", 2: "q"})
    assert (score.value, score.oracle) == (0.5, 0.5)
