"""The sparse probability of agreement: against its definition, its relatives, and what its errors promise."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interagree as ia
from interagree import reference
from interagree.errors import KindError, UnknownName
from interagree.results.agreement import Interval
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.item_agreement import SCHEMES, Moments, weigh

module = sys.modules[ia.spa.__module__]

MIXED = ["112", "222", "3", "13", "1231", "33", "2213", "11"]


def rows(words: list[str]) -> list[tuple[int, str, str]]:
    return [(i, who, v) for i, word in enumerate(words) for who, v in zip("abcdefgh", word, strict=False)]


words = st.lists(st.text("123", min_size=1, max_size=5), min_size=2, max_size=8)


# The definition


@pytest.mark.parametrize("scheme", SCHEMES)
@given(table=words)
def test_it_is_the_weighted_mean_of_the_shares_of_agreeing_pairs(scheme: str, table: list[str]) -> None:
    found, exact = ia.spa(rows(table), weigh=scheme), reference.spa(rows(table), weigh=scheme)
    if exact is None:
        assert found.undefined
    else:
        assert found.value == pytest.approx(float(exact), rel=0, abs=1e-12)


@given(table=words)
def test_inverse_variance_is_edges_to_the_last_bit(table: list[str]) -> None:
    one, two = (ia.spa(rows(table), weigh=scheme) for scheme in ("inv_var", "edges"))
    assert one.value == two.value or (one.undefined and two.undefined)
    assert one.standard_error() == two.standard_error() or math.isnan(one.standard_error())


@pytest.mark.parametrize("p", [(1,), (1 / 2, 1 / 2), (1 / 3,) * 3, (0.7, 0.2, 0.1), (0.9, 0.1)], ids=str)
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_variance_is_that_of_all_ways_to_annotate(p: tuple[float, ...], n: int) -> None:
    found = [
        (math.prod(p[v] for v in way), sum(a == b for a, b in itertools.combinations(way, 2)) / math.comb(n, 2))
        for way in itertools.product(range(len(p)), repeat=n)
    ]
    mean = sum(often * agree for often, agree in found)
    variance = sum(often * (agree - mean) ** 2 for often, agree in found)
    assert ia.studies.variance_of_item_agreement(n, p) == pytest.approx(variance, abs=1e-12)


def test_the_variance_with_a_distance_and_unlike_items_is_that_of_all_ways_to_annotate() -> None:
    near = np.array([[1, 0.5, 0], [0.5, 1, 0.25], [0, 0.25, 1]])
    kinds = [(0.7, 0.2, 0.1), (0.1, 0.1, 0.8)]  # two kinds of items, as many of one as of the other
    first, second, third, double = [], [], [], []
    for p in map(np.array, kinds):
        met = near @ p
        first.append(p @ met)
        second.append(p @ near**2 @ p)
        third.append(p @ met**2)
        double.append((p @ met) ** 2)
    moments = Moments(*(float(np.mean(one)) for one in (first, third, double, second)))
    for n in (2, 3, 4):
        found = []
        for p in kinds:
            for way in itertools.product(range(3), repeat=n):
                pairs = list(itertools.combinations(way, 2))
                found.append((math.prod(p[v] for v in way) / 2, sum(near[a, b] for a, b in pairs) / len(pairs)))
        mean = sum(often * agree for often, agree in found)
        variance = sum(often * (agree - mean) ** 2 for often, agree in found)
        assert moments.variance(n) == pytest.approx(variance, abs=1e-12)
        assert moments.within(n) == pytest.approx(variance - np.var(first), abs=1e-12)


@pytest.mark.parametrize("near", [None, np.array([[1, 0.5, 0], [0.5, 1, 0.25], [0, 0.25, 1]])], ids=["equal", "near"])
def test_moments_are_means_over_pairs_threes_and_fours_of_annotations(near: Any) -> None:
    table = ["1123", "2222", "131", "33", "12312", "1"]
    alike = np.eye(3) if near is None else near

    def mean(size: int, term: Any) -> float:
        per_item = []
        for word in table:
            code = [int(letter) - 1 for letter in word]
            chosen = list(itertools.permutations(code, size))
            if chosen:
                per_item.append(np.mean([term(*way) for way in chosen]))
        return float(np.mean(per_item))

    found = ia.studies.item_moments(ia.Annotations.of(rows(table), values=list("123")), near)
    assert found.m2 == pytest.approx(mean(2, lambda a, b: alike[a, b]))
    assert found.m3 == pytest.approx(mean(3, lambda a, b, c: alike[a, b] * alike[a, c]))
    assert found.m22 == pytest.approx(mean(4, lambda a, b, c, d: alike[a, b] * alike[c, d]))
    if near is not None:
        assert found.square == pytest.approx(mean(2, lambda a, b: alike[a, b] ** 2))


def test_the_variance_of_two_or_three_annotations_needs_no_item_with_four() -> None:
    moments = ia.studies.item_moments(rows(["11", "12", "112", "123", "222"]))
    assert math.isnan(moments.m22)
    assert moments.variance(2) == pytest.approx(moments.m2 * (1 - moments.m2))
    assert moments.variance(3) == pytest.approx((4 * moments.m3 + 2 * moments.m2) / 6 - moments.m2**2)
    assert math.isnan(moments.variance(4))
    assert math.isnan(ia.spa(rows(["11", "12", "112"])).standard_error(random="labels"))


def test_items_that_seem_to_differ_less_than_not_at_all_are_taken_as_alike() -> None:
    odd = Moments(0.6, 0.4, 0.3)  # below 0.36
    assert odd.between == 0
    assert odd.variance(2) == pytest.approx(0.24)
    assert odd.best() == math.inf
    with pytest.raises(KindError, match="fewer than two"):
        odd.variance([3, 1])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_an_item_with_one_annotation_weighs_nothing(scheme: str) -> None:
    assert weigh(scheme, np.array([0.0, 1.0, 2.0, 7.0]), r=1.0)[:2].tolist() == [0, 0]
    found = ia.spa(rows(MIXED), weigh=scheme)
    assert found.n.items == 7
    assert "1 item with one annotation was left out" in found.notes
    if scheme != "inv_var_class":  # whose shares are of all annotations
        assert found.value == ia.spa(rows([word for word in MIXED if len(word) > 1]), weigh=scheme).value


def test_a_weighing_that_is_not_there_is_named_with_a_similar_one() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'edges'"):
        ia.spa(rows(MIXED), weigh="edge")


# Its relatives


@given(table=st.lists(st.text("123", min_size=4, max_size=4), min_size=2, max_size=8))
def test_on_complete_data_all_weighings_are_the_observed_agreement_of_fleiss(table: list[str]) -> None:
    fleiss = ia.fleiss_kappa(rows(table))
    for scheme in SCHEMES:
        assert ia.spa(rows(table), weigh=scheme).value == pytest.approx(1 - fleiss.disagreement.observed)
    if fleiss.undefined is None:
        chance = 1 - fleiss.disagreement.expected
        assert (ia.spa(rows(table)).value - chance) / (1 - chance) == pytest.approx(fleiss.value)


@given(table=words)
def test_weighed_by_annotations_and_with_krippendorffs_chance_it_is_alpha(table: list[str]) -> None:
    alpha = ia.alpha(rows(table))
    if alpha.undefined is None:
        counts = Counter("".join(word for word in table if len(word) > 1))
        n = counts.total()
        chance = sum(m * (m - 1) for m in counts.values()) / (n * (n - 1))
        found = ia.spa(rows(table), weigh="annotations").value
        assert (found - chance) / (1 - chance) == pytest.approx(alpha.value)


def test_corrected_it_comes_to_fleiss_kappa_as_items_grow_in_number() -> None:
    few = rows(["1122", "1111", "2223", "3333", "1233"])
    gaps = []
    for times in (1, 10, 100):
        many = [((i, copy), who, v) for i, who, v in few for copy in range(times)]
        gaps.append(abs(ia.spa(many, corrected=True).value - ia.fleiss_kappa(many).value))
    assert gaps[0] > 5 * gaps[1] > 25 * gaps[2] > 0


@given(table=words, scheme=st.sampled_from(SCHEMES))
def test_chance_is_that_of_two_annotations_of_different_items(table: list[str], scheme: str) -> None:
    study = ia.Annotations.of(rows(table), values=list("123"))
    found, exact = ia.spa(study, weigh=scheme, corrected=True), reference.spa(rows(table), weigh=scheme, corrected=True)
    if exact is None:
        assert found.undefined
    else:
        assert found.value == pytest.approx(float(exact))
        seen = reference.spa(rows(table), weigh=scheme)
        assert found.observed_agreement == pytest.approx(float(seen))


def _nominal(study: ia.Annotations) -> Any:
    from interagree.distances import on_values

    return on_values(None, None)(study)


@pytest.mark.parametrize("options", [{}, {"weigh": "annotations_m1"}, {"corrected": True}], ids=str)
def test_equality_as_a_table_of_distances_changes_nothing(options: dict[str, Any]) -> None:
    study = ia.Annotations.of(rows(MIXED), values=list("123"))
    plain, given_table = ia.spa(study, **options), ia.spa(study, distance=1 - np.eye(3), **options)
    assert given_table.value == pytest.approx(plain.value)
    for random in ("items", "both") if "corrected" in options else ("items", "both", "labels"):
        assert given_table.standard_error(random=random) == pytest.approx(plain.standard_error(random=random))
    assert given_table.interval(method="bootstrap")[:2] == pytest.approx(plain.interval(method="bootstrap")[:2])
    figures = {name: figure for name, figure in plain.details.items() if name != "assumption"}
    assert {name: given_table.details[name] for name in figures} == pytest.approx(figures, nan_ok=True)


@pytest.mark.parametrize("distance", ["ordinal", "interval", "linear"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_under_a_distance_annotations_agree_in_part(distance: str, scheme: str) -> None:
    study = ia.Annotations.of([(i, who, int(v)) for i, who, v in rows(MIXED)], values=[1, 2, 3])
    found = ia.spa(study, distance=distance, weigh=scheme)
    if scheme == "flat":
        assert found.value == pytest.approx(ia.percent(study, distance=distance).value)
    assert ia.spa(study, weigh=scheme).value < found.value < 1
    interval = found.interval(method="bootstrap")
    assert interval.low < found.value < interval.high
    assert found.by_pair()["agreement"][0] == pytest.approx(
        ia.spa(study.only(annotators=["a", "b"]), distance=distance, weigh=scheme).value
    )


def test_on_the_middle_of_two_values_no_distance_is_lost_when_chance_is_taken_off() -> None:
    study = ia.Annotations.of([(i, who, int(v)) for i, who, v in rows(MIXED)], values=[1, 2, 3])
    ordinal = ia.spa(study, distance="ordinal", corrected=True)
    # The same distances as a table that does not know of the counts.
    frequency = Counts.of(study).at_least(2).frequency
    from interagree.plugins import DISTANCES

    table = DISTANCES["ordinal"].among([1, 2, 3], frequency)
    assert ordinal.value == pytest.approx(ia.spa(study, distance=table, corrected=True).value)


# Errors


def test_the_error_of_items_does_not_count_items_that_say_nothing() -> None:
    few = rows(["11", "12", "113", "22"])
    with_singles = [*few, *(((9, i), "a", "1") for i in range(100))]
    one, two = ia.spa(few), ia.spa(with_singles)
    assert one.interval() == two.interval()
    assert one.interval().df == 3


@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_error_is_close_to_the_jackknife(scheme: str, *, corrected: bool) -> None:
    rng = np.random.default_rng(0)
    table = ["".join(rng.choice(list("1123"), size=rng.integers(2, 6), p=p)) for p in rng.dirichlet([1] * 4, 300)]
    found = ia.spa(rows(table), weigh=scheme, corrected=corrected)
    for other in ("jackknife", "bootstrap"):
        assert found.standard_error() == pytest.approx(found.standard_error(method=other), rel=0.05)


def test_the_influence_of_the_corrected_form_is_the_derivative_in_a_large_study() -> None:
    rng = np.random.default_rng(1)
    table = ["".join(rng.choice(list("123"), size=rng.integers(2, 6), p=p)) for p in rng.dirichlet([1] * 3, 2000)]
    found = ia.spa(rows(table), weigh="annotations", corrected=True).engine
    ours, derived = found.influence(), found._slopes()
    assert float(found.times @ ours) == pytest.approx(0, abs=1e-8)
    assert np.abs(ours - derived).max() < 0.02 * np.abs(ours).max()


def two_way_by_hand(study: ia.Annotations, k_of: Any) -> float:
    """The formula as it is printed, one annotation at a time."""
    votes: dict[Any, list[tuple[Any, Any]]] = {}
    for item, who, value in study.rows():
        votes.setdefault(item, []).append((who, value))
    votes = {item: given for item, given in votes.items() if len(given) > 1}

    def agreement(given: list[tuple[Any, Any]]) -> float:
        pairs = list(itertools.combinations([value for _, value in given], 2))
        return sum(a == b for a, b in pairs) / len(pairs)

    whole = sum(k_of(len(given)) for given in votes.values())
    mean = sum(k_of(len(given)) * agreement(given) for given in votes.values()) / whole
    of_items = [k_of(len(given)) * (agreement(given) - mean) / whole for given in votes.values()]
    of_people: Counter[Any] = Counter()
    of_cells: Counter[Any] = Counter()
    for item, one in votes.items():
        n = len(one)
        for who, value in one:
            d = (sum(v == value for _, v in one) - 1) / (n - 1)
            of_cells[item, who] += 2 * k_of(n) * (d - mean) / (n * whole)
    for (_, who), u in of_cells.items():
        of_people[who] += u
    cells = sum(u**2 for u in of_cells.values())
    i, r = len(votes), len(of_people)
    items = i / (i - 1) * sum(u**2 for u in of_items)
    people = r / (r - 1) * sum(u**2 for u in of_people.values())
    return math.sqrt(max(items + people - cells, items))


@pytest.mark.parametrize(("scheme", "k_of"), [("flat", lambda _: 1), ("annotations_m1", lambda n: n - 1)])
@pytest.mark.parametrize("twice", [False, True], ids=["once", "some twice"])
def test_the_error_with_other_annotators_is_the_two_way_formula(scheme: str, k_of: Any, *, twice: bool) -> None:
    rng = np.random.default_rng(3)
    skill = rng.uniform(0, 1, 12)
    table = [
        (item, int(who), int(truth) if rng.random() < skill[who] else int(rng.integers(3)))
        for item, truth in enumerate(rng.integers(3, size=300))
        for who in rng.choice(12, size=rng.integers(1, 6), replace=twice)
    ]
    study = ia.Annotations.of(table, duplicates="keep" if twice else "error")
    found = ia.spa(study, weigh=scheme)
    assert found.standard_error(random="both") == pytest.approx(two_way_by_hand(study, k_of))
    assert found.standard_error(random="both") > 1.1 * found.standard_error()
    assert found.interval(random="both", method="analytic").df == 11


def test_an_error_that_needs_names_is_not_made_up_from_counts() -> None:
    assert ia.spa(ia.Annotations.from_counts([[2, 1], [3, 0], [1, 2]])).interval(random="both") is None
    with pytest.raises(KindError, match="no published error"):
        ia.spa(rows(MIXED), corrected=True).interval(random="labels")


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [
        (["11", "222", "1111", "33"], 0.025**0.25, 1.0),
        (["12", "123", "31", "23"], 0.0, 1 - 0.025**0.25),
        (["112", "331", "122", "223"], 0.025**0.25 / 3, 0.025**0.25 / 3 + 1 - 0.025**0.25),
    ],
    ids=["all agree", "none agree", "all in part"],
)
def test_where_no_item_differs_the_bound_is_exact(table: list[str], low: float, high: float) -> None:
    found = ia.spa(rows(table)).interval()
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.error == 0
    assert "exact" in found.note


def test_the_interval_stays_between_zero_and_one() -> None:
    found = ia.spa(rows(["11"] * 12 + ["12"])).interval()
    assert 0 < found.low < 12 / 13 < found.high < 1


def test_few_items_that_differ_are_remarked_upon_when_chance_is_taken_off() -> None:
    note = "few items show any disagreement (3)"
    some = rows(["11", "22"] * 20 + ["12"] * 3)
    assert any(note in said for said in ia.spa(some, corrected=True).notes)
    assert not any("disagreement" in said for said in ia.spa(some).notes)
    assert not any("disagreement" in said for said in ia.spa(rows(["11", "12", "22"] * 10), corrected=True).notes)


# What all weighings assume


def hc3(n: np.ndarray, agree: np.ndarray) -> tuple[float, float]:
    """The slope and its error, by matrices."""
    x = np.column_stack([np.ones(len(n)), n])
    inverse = np.linalg.inv(x.T @ x)
    slope = inverse @ x.T @ agree
    left = (agree - x @ slope) / (1 - np.einsum("ij,jk,ik->i", x, inverse, x))
    covariance = inverse @ (x.T * left**2) @ x @ inverse
    return float(slope[1]), math.sqrt(covariance[1, 1])


def test_items_with_more_annotations_that_agree_less_are_remarked_upon() -> None:
    table = ["11", "22"] * 20 + ["12"] * 5 + ["1123", "1212", "1132"] * 8
    found = ia.spa(rows(table))
    n = np.array([len(word) for word in table])
    agree = np.array([float(reference.spa(rows([word]))) for word in table])
    slope, error = hc3(n, agree)
    assert found.details["slope"] == pytest.approx(slope)
    assert found.details["slope_error"] == pytest.approx(error)
    assert found.details["slope_p"] < 1e-4
    assert found.details["flat"] > found.details["edges"]
    (note,) = found.notes
    assert "items with more annotations agree less" in note
    assert found.details["assumption"] == note


@pytest.mark.parametrize(
    "table",
    [["11", "12"] * 20 + ["1112"] * 4, ["11", "22"] * 20 + ["111"] * 20, ["112", "221"] * 20],
    ids=["four items with more", "no item differs", "all have as many"],
)
def test_a_slope_that_would_mean_nothing_is_not_told(table: list[str]) -> None:
    found = ia.spa(rows(table))
    assert math.isnan(found.details["slope_p"])
    assert found.details["assumption"] == "nothing speaks against it"


def asked_again(rng: np.random.Generator, items: int, *, because: bool) -> dict[str, list[Any]]:
    """Two annotations of each item, and three more where they differ, or where a coin says so."""
    table: dict[str, list[Any]] = {"item": [], "annotator": [], "label": [], "time": []}
    for item in range(items):
        p = rng.dirichlet([1, 1])
        labels = rng.choice(2, size=5, p=p)
        more = labels[0] != labels[1] if because else rng.random() < 0.4
        size = 5 if more else 2
        table["item"] += [item] * size
        table["annotator"] += [f"a{place}" for place in range(size)]
        table["label"] += labels[:size].tolist()
        table["time"] += [f"2026-01-{1 + place:02}" for place in range(size)]
    mixed = rng.permutation(len(table["item"]))
    return {name: [column[row] for row in mixed] for name, column in table.items()}


def test_annotations_asked_for_because_the_first_differed_are_remarked_upon() -> None:
    rng = np.random.default_rng(5)
    found = ia.spa(asked_again(rng, 500, because=True), order="time")
    assert found.details["first_two_items"] == 500
    assert found.details["first_two"] == pytest.approx(2 / 3, abs=0.06)  # what it is of all items
    assert found.value > 0.72
    assert found.details["first_two_all"] == pytest.approx(found.value)
    assert found.details["first_two_p"] < 1e-6
    assert any("the first two annotations of an item agree less often" in note for note in found.notes)


def test_the_first_two_pass_where_nobody_looked_at_them() -> None:
    rng = np.random.default_rng(6)
    p = [ia.spa(asked_again(rng, 80, because=False), order="time").details["first_two_p"] for _ in range(200)]
    assert 0.01 <= np.mean(np.array(p) < 0.05) <= 0.10


@pytest.mark.parametrize(
    ("times", "items", "share"),
    [
        (["1", "2", "10", "1", "2", "3"], 2, 0.5),  # numbers written as words
        ([3, 2, 1, 1, 2, 3], 2, 0.0),
        ([1, 2, 2, 1, 2, 3], 1, 0.0),  # who was the second?
        ([1, 1, 2, 1, 2, 3], 2, 0.5),
        ([None, 2, 3, 1, 2, 3], 1, 0.0),
        ([math.nan, 2.0, 3.0, 1.0, 2.0, 3.0], 1, 0.0),
        (["b", "a", "c", "x", "y", ""], 1, 1.0),
    ],
    ids=str,
)
def test_the_first_two_are_found_by_any_attribute_that_has_an_order(times: list[Any], items: int, share: float) -> None:
    table = {"item": [1, 1, 1, 2, 2, 2], "annotator": list("abcabc"), "label": list("xxyxyy"), "when": times}
    details = ia.spa(table, order="when").details
    assert (details["first_two_items"], details["first_two"]) == (items, share)
    assert math.isnan(details["first_two_p"])  # two items are not enough for a test


def test_an_order_that_is_none_is_refused() -> None:
    table = {"item": [1, 1], "annotator": list("ab"), "label": list("xy"), "when": [1, "x"]}
    with pytest.raises(KindError, match="no order among them"):
        ia.spa(table, order="when")
    with pytest.raises(UnknownName, match="Did you mean 'when'"):
        ia.spa(table, order="wen")


# Like every measure


@given(table=words, seed=st.integers(0, 9), scheme=st.sampled_from(SCHEMES))
def test_neither_order_nor_names_matter(table: list[str], seed: int, scheme: str) -> None:
    rng = np.random.default_rng(seed)
    mixed = [rows(table)[place] for place in rng.permutation(len(rows(table)))]
    renamed = [(f"item {i}", f"~{who}", {"1": "z", "2": "x", "3": "y"}[v]) for i, who, v in mixed]
    for options in ({}, {"corrected": True}):
        one, two = (ia.spa(study, weigh=scheme, **options) for study in (rows(table), renamed))
        assert two.value == pytest.approx(one.value, nan_ok=True)
        for random in ("items", "both"):
            assert two.standard_error(random=random) == pytest.approx(
                one.standard_error(random=random), nan_ok=True, abs=1e-12
            )


@pytest.mark.parametrize("options", [{"weigh": "edges"}, {"corrected": True}, {"weights": "quadratic"}], ids=str)
def test_a_result_can_be_drilled_into(options: dict[str, Any]) -> None:
    study = ia.Annotations.of([(i, who, int(v)) for i, who, v in rows(MIXED)], values=[1, 2, 3])
    found = ia.spa(study, **options)
    assert found.by_item().to_dict("annotations")[0] == 3
    for row in found.by_pair():
        two = study.only(annotators=[row["first"], row["second"]])
        assert row["agreement"] == pytest.approx(ia.spa(two, **options).value, nan_ok=True)
    for row in found.by_annotator():
        without = ia.spa(study.without(row["annotator"]), **options)
        assert row["left out"] == pytest.approx(without.value, nan_ok=True)
    assert len(found.by_value()) == 3


def test_a_wide_table_of_values_is_not_laid_out_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    study = ia.Annotations.of([(i, who, v) for i, who, v in rows(MIXED * 3)])
    dense = ia.spa(study, weigh="inv_var_class"), ia.spa(study, corrected=True)
    monkeypatch.setattr("interagree.stats.labels.counts.DENSE", 0)
    again = ia.Annotations.of([(i, who, v) for i, who, v in rows(MIXED * 3)])
    assert hasattr(Counts.of(again).rows, "toarray")
    for one, two in zip(dense, (ia.spa(again, weigh="inv_var_class"), ia.spa(again, corrected=True)), strict=True):
        assert two.value == pytest.approx(one.value)
        for random in ("items", "both"):
            assert two.standard_error(random=random) == pytest.approx(one.standard_error(random=random))
    assert dense[0].standard_error(random="labels") == pytest.approx(
        ia.spa(again, weigh="inv_var_class").standard_error(random="labels")
    )


@pytest.mark.parametrize(("name", "value"), [("spa", "0.547"), ("spa:weigh=edges", "0.440")])
def test_the_command_line_knows_it(name: str, value: str, tmp_path: Path) -> None:
    table = ["111", "112", "123", "22", "1", "111123"]
    lines = ["item,annotator,label", *(f"{i},{who},{v}" for i, who, v in rows(table))]
    (tmp_path / "labels.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "interagree", "measure", "labels.csv", "-m", name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert value in done.stdout
    assert "1 item with one annotation was left out" in done.stdout + done.stderr


def test_an_interval_says_how_it_was_made() -> None:
    found = ia.spa(rows(MIXED)).interval()
    assert isinstance(found, Interval)
    assert found.method == "adjusted"


def test_the_p_value_is_against_no_agreement_and_not_against_one_half() -> None:
    rows = [(i, who, "x" if who == "a" or i % 2 else "y") for i in range(40) for who in "ab"]
    result = ia.spa(rows)
    assert result.value == 0.5
    assert result.p_value() < 1e-6
    assert result.p_value(random="both") == pytest.approx(result.p_value(method="analytic", random="both"))
