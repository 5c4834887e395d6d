"""Preferences between two answers: position, consistency and ties, counted by hand."""

import math
import random

import numpy as np
import pytest
from scipy import stats

from interagree.data import Annotations
from interagree.errors import DataError, KindError, UnknownName
from interagree.judging import preferences
from interagree.judging.preferences import binomial, share
from interagree.measures.alpha import alpha
from interagree.measures.percent import percent


def table(rows, **options):
    """Rows (item, annotator, preferred, shown first) as a study that keeps repeated judgements."""
    names = ("item", "annotator", "value", "order")
    return Annotations.of([dict(zip(names, row, strict=True)) for row in rows], duplicates="keep", **options)


# A model that judged each item in both orders: what it said where A came first, and where B came first.
BOTH = {1: "AA", 2: "BB", 3: "AB", 4: "AB", 5: "BA", 6: "AT", 7: "TT", 8: "AB"}


def swapped():
    """The judgements of the model above, with T for a tie, and of a person who always saw A first."""
    said = {"A": "A", "B": "B", "T": "tie"}
    rows = [(i, "llm", said[two[k]], "AB"[k]) for i, two in BOTH.items() for k in (0, 1)]
    return table([*rows, *((i, "ann", "A" if i % 2 else "B", "A") for i in BOTH)])


def by_name(found):
    return {one.annotator: one for one in found.positions}


@pytest.mark.parametrize(("ties", "alike", "of"), [("half", 3 + 0.5, 8), ("label", 3, 8), ("left out", 2, 6)])
def test_items_judged_in_both_orders_are_counted(ties, alike, of):
    llm = by_name(preferences(swapped(), ties=ties))["llm"]
    assert llm.swapped == 8
    assert (llm.consistent.value, llm.consistent.of) == (pytest.approx(alike / of), of)
    assert (llm.first_twice, llm.second_twice) == (3, 1)
    assert llm.swap_p_value == pytest.approx(stats.binomtest(3, 4).pvalue)


def test_the_first_place_is_counted_without_ties():
    llm = by_name(preferences(swapped()))["llm"]
    # First shown and preferred: A where A came first, B where B came first.
    firsts = sum(two[0] == "A" for two in BOTH.values()) + sum(two[1] == "B" for two in BOTH.values())
    decided = sum(letter != "T" for two in BOTH.values() for letter in two)
    assert (llm.first.value, llm.first.of) == (pytest.approx(firsts / decided), decided)
    exact = stats.binomtest(firsts, decided)
    assert llm.p_value == pytest.approx(exact.pvalue)
    assert (llm.first.low, llm.first.high) == pytest.approx(tuple(exact.proportion_ci()))


@pytest.mark.parametrize(("count", "of"), [(0, 5), (5, 5), (3, 9), (40, 60), (500, 1000)])
def test_shares_and_tests_are_exact(count, of):
    exact = stats.binomtest(count, of)
    assert binomial(count, of) == pytest.approx(exact.pvalue)
    found = share(count, of, 0.9)
    assert (found.low, found.high) == pytest.approx(tuple(exact.proportion_ci(0.9)), abs=1e-9)


def test_who_has_judged_an_item_differently_has_said_a_tie():
    """Of the model: A, B, tie, tie, tie, tie, tie, tie, beside A, B, A, B, A, B, A, B of the person."""
    model = ["A", "B", *["tie"] * 6]
    person = ["A", "B"] * 4
    for ties in ("half", "label", "left out"):
        found = preferences(swapped(), models="llm", ties=ties)
        (row,) = found.pairs.rows()
        keep = [i for i in range(8) if ties != "left out" or model[i] != "tie"]
        rows = [(i, who, side[i]) for i in keep for who, side in (("llm", model), ("ann", person))]
        study = Annotations.of(rows, values=["A", "tie", "B"])
        distance = [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]] if ties == "half" else "nominal"
        assert row["items"] == len(keep)
        assert row["agreement"] == pytest.approx(percent(study, distance=distance).value)
        assert row["α"] == pytest.approx(alpha(study, distance=distance).value)
        assert found.models.rows()[0]["agreement"] == pytest.approx(row["agreement"])
        assert found.notes[0]


def test_models_stand_beside_people_and_people_beside_each_other():
    rng = random.Random(0)
    rows = [(i, who, rng.choice(["A", "B", "tie"]), rng.choice(["AB", "BA"])) for i in range(30) for who in "xyzm"]
    found = preferences(table(rows), models="m", ties="label")
    given = {(i, who): value for i, who, value, _ in rows}
    with_people = np.mean([given[i, "m"] == given[i, who] for i in range(30) for who in "xyz"])
    among = np.mean([given[i, a] == given[i, b] for i in range(30) for a, b in ("xy", "xz", "yz")])
    model, people = found.models.rows()
    assert (model["agreement"], people["agreement"]) == pytest.approx((with_people, among))
    assert model["low"] < model["agreement"] < model["high"]


@pytest.mark.parametrize("spelled", ["{0}{1}", "{0}, {1}", "{0}", "{0} vs {1}", "{0}>{1}"])
def test_the_order_may_be_spelled_in_several_ways(spelled):
    rows = [(1, "m", "A", spelled.format("A", "B")), (2, "m", "A", spelled.format("B", "A")), (3, "m", "B", None)]
    (found,) = preferences(table(rows)).positions
    assert (found.first.value, found.first.of) == (0.5, 2)


def test_a_judge_that_looks_at_the_place_alone_is_found_out():
    rows = [(i, "m", shown, shown) for i in range(40) for shown in "AB"]
    found = preferences(table(rows))
    (position,) = found.positions
    assert position.first.value == 1
    assert position.consistent.value == 0
    assert position.swap_p_value < 1e-9
    assert "leans to the answer shown first" in str(found)


def test_an_order_that_is_not_balanced_is_said():
    rows = [(i, "m", "A" if i % 3 else "B", "A") for i in range(20)]
    assert any("'A' was shown first in 100%" in note for note in preferences(table(rows)).notes)


def test_rows_in_another_order_and_other_names_change_nothing():
    rng = random.Random(3)
    rows = [(i, who, rng.choice(["A", "B", "tie"]), shown) for i in range(20) for who in "xy" for shown in "AB"]
    mixed = [
        (i, who, value.replace("A", "C"), shown.replace("A", "C"))
        for i, who, value, shown in rng.sample(rows, len(rows))
    ]
    first, second = (preferences(table(one), models="x").to_dict() for one in (rows, mixed))
    assert first["positions"] == second["positions"]
    assert first["models"] == second["models"]


def test_undefined_cases_are_sentences():
    ties = table([(1, "m", "tie", "A"), (2, "m", "tie", "B")], values=["A", "B", "tie"])
    with pytest.raises(KindError, match="between two answers"):
        preferences(ties)
    only = preferences(table([(1, "m", "tie", "A"), (1, "x", "A", "A"), (2, "x", "B", "A")]))
    m = by_name(only)["m"]
    assert math.isnan(m.p)
    assert "cannot be tested" in str(m)
    assert only.to_dict()["positions"][0]["p"] is None


def test_wrong_use_says_what_to_do():
    study = swapped()
    with pytest.raises(UnknownName, match=r"no column 'ordre' .*Did you mean 'order'"):
        preferences(study, order="ordre")
    with pytest.raises(UnknownName, match="there is no annotator 'gpt' to take as a model"):
        preferences(study, models="gpt")
    with pytest.raises(KindError, match="'half', 'label', 'left out'"):
        preferences(study, ties="drop")
    with pytest.raises(KindError, match="between two answers, and the values are"):
        preferences(study, tie="none")
    with pytest.raises(DataError, match=r"must say which of 'A' and 'B' was shown first.*it holds 'left'"):
        preferences(table([(1, "m", "A", "left"), (2, "m", "B", "A")]))
