"""The table of annotators: columns by hand, flags that find the careless and spare the innocent."""

import math
import random

import numpy as np
import pytest
from scipy.stats import binom

import interagree as ia
from interagree.crowd.labels import dawid_skene
from interagree.data import Annotations
from interagree.errors import DataError, KindError, UnknownName
from interagree.findings.tail_bounds import bernoulli, high_tail, low_tail, mean
from interagree.people import annotators, wawa
from interagree.reports.parts import measured
from interagree.reports.story import told
from interagree.results.agreement import IntervalOptions
from interagree.stats.engine.shares import adjusted

LABELS = ("a", "b", "c")


def crowd(people, items, each, seed, *, time=True):
    """Annotators who are all alike, on items that are not; the truth beside."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, items, p=[0.6, 0.2, 0.2])
    item = np.repeat(np.arange(items), each)
    who = np.argsort(rng.random((items, people)), axis=1)[:, :each].reshape(-1)
    right = rng.random(len(item)) < rng.beta(6, 2, items)[item]
    value = np.where(right, truth[item], rng.integers(0, 3, len(item)))
    at = {"at": rng.permutation(len(item)) * 20.0 + 1.7e9} if time else {}
    return item, who, value, truth, at


def study(item, who, value, at):
    names = tuple(f"w{k}" for k in range(int(who.max()) + 1))
    return Annotations(item, who, value, range(int(item.max()) + 1), names, LABELS, attributes=at)


def gold_of(truth):
    return {item: LABELS[code] for item, code in enumerate(truth.tolist())}


@pytest.mark.parametrize(
    ("people", "items", "each", "rounds"), [(1000, 2500, 5, 12), (10, 100, 3, 60), (3, 150, 3, 60)]
)
def test_annotators_who_are_alike_are_not_accused(people, items, each, rounds):
    accused = 0
    for seed in range(rounds):
        item, who, value, truth, at = crowd(people, items, each, seed)
        found = annotators(study(item, who, value, at), time="at", gold=gold_of(truth))
        assert found.tests > 3 * people
        accused += bool(found.reasons)
    assert accused <= binom.ppf(0.999, rounds, 0.05)


def test_guessers_are_flagged_and_those_who_share_their_items_are_not():
    item, who, value, truth, at = crowd(60, 1500, 5, seed=1)
    rng = np.random.default_rng(2)
    careless = who < 5
    value[careless] = rng.integers(0, 3, int(careless.sum()))
    found = annotators(study(item, who, value, at), gold=gold_of(truth))
    assert set(found.reasons) == {f"w{k}" for k in range(5)}
    assert set(found.table()["annotator"][:5]) == set(found.reasons)
    assert all("is expected on these items" in said[0] for said in found.reasons.values())
    assert all("agreement, gold" in row["flags"] for row in found.flagged())


def two_who_share_a_bias(seed):
    rng = np.random.default_rng([seed, 7])
    truth = rng.integers(0, 3, 300)
    said = np.where(rng.random((5, 300)) < 0.85, truth, rng.integers(0, 3, (5, 300)))
    said[3:][rng.random((2, 300)) < 0.3] = 0
    return {f"p{k}": [LABELS[code] for code in said[k]] for k in range(5)}


@pytest.mark.parametrize("seed", range(8))
def test_a_bias_that_two_share_is_theirs_alone(seed):
    findings = told(measured(ia.Annotations.of(two_who_share_a_bias(seed))), IntervalOptions()).findings
    assert {name for finding in findings for name in finding.who} == {"p3", "p4"}


def test_flags_for_a_bias_that_two_share_are_wrong_as_seldom_as_the_level_says():
    wrong = 0
    for seed in range(60):
        found = annotators(two_who_share_a_bias(seed))
        biased = {who for who, why in found.reasons.items() if any("others give it" in one for one in why)}
        assert biased >= {"p3", "p4"}
        wrong += len(biased) > 2
    assert wrong <= 3  # at 5 %; the tests are exact, so that this happens


def test_a_bias_is_found_and_not_turned_against_the_others():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, 600)
    said = np.where(rng.random((3, 600)) < 0.85, truth, rng.integers(0, 3, (3, 600)))
    said[0, rng.random(600) < 0.4] = 2
    found = annotators({who: [LABELS[code] for code in said[k]] for k, who in enumerate(("lea", "mo", "nat"))})
    labels = {who: [one for one in why if "others give it" in one] for who, why in found.reasons.items()}
    assert labels["lea"][0].startswith("gives 'c' ")
    assert "of the time where others give it" in labels["lea"][0]
    assert not labels.get("mo")
    assert not labels.get("nat")
    row = found.table().rows()[0]
    assert (row["annotator"], row["label"]) == ("lea", "c")


def test_repeats_speed_and_drift_come_from_times():
    item, who, value, _, _ = crowd(8, 900, 4, seed=7, time=False)
    rng = np.random.default_rng(8)
    at = np.zeros(len(item))
    for one in range(8):
        mine = np.flatnonzero(who == one)
        at[mine] = 1.7e9 + np.arange(len(mine)) * (5.0 if one == 0 else 30.0)
        if one == 0:  # says the same many times over
            value[mine] = np.repeat(rng.integers(0, 3, len(mine) // 15 + 1), 15)[: len(mine)]
        if one == 1:  # tires
            late = mine[len(mine) // 2 :]
            value[late] = rng.integers(0, 3, len(late))
    found = annotators(study(item, who, value, {"at": at}), time="at")
    rows = {row["annotator"]: row for row in found.table()}
    assert rows["w0"]["seconds"] == 5
    assert rows["w3"]["seconds"] == 30
    assert "repeats" in rows["w0"]["flags"]
    assert rows["w0"]["repeats"] > 0.9 > rows["w0"]["repeats expected"]
    assert "drift" in rows["w1"]["flags"]
    assert rows["w1"]["first half"] > rows["w1"]["second half"] + 0.2
    assert [who for who, row in rows.items() if row["flags"]] == ["w0", "w1"] or set(found.reasons) == {"w0", "w1"}


def test_columns_are_what_they_say():
    rows = [
        (i, who, label)
        for i, labels in enumerate(["xxx", "xxy", "yyy", "xyy", "xx", "yx"])
        for who, label in zip("abc", labels, strict=False)
    ]
    found = annotators(rows, gold={0: "x", 1: "x", 2: "y", 3: "x", 9: "x"})
    table = {row["annotator"]: row for row in found.table()}
    one = wawa(rows)
    without = ia.alpha(rows).by_annotator().to_dict("left out")
    for who, row in table.items():
        assert row["agreement"] == pytest.approx(one.values[who])
        assert row["left out"] == pytest.approx(without[who])
    assert (table["a"]["n"], table["c"]["n"], table["a"]["compared"]) == (6, 4, 6)
    assert table["a"]["others"] == pytest.approx(10 / 6)
    assert [table[who]["gold"] for who in "abc"] == pytest.approx([1, 3 / 4, 2 / 4])
    assert "1 gold answer for items that nobody annotated left out" in found.notes
    # c against a and b on items 0 to 3: the others agree 1, 0, 1, ½; c says x once and y three times, they x 5 of 8.
    chance = 1 / 4 * 5 / 8 + 3 / 4 * 3 / 8
    assert table["c"]["kappa"] == pytest.approx((2.5 / 4 - chance) / (1 - chance))
    model = dawid_skene(rows, smoothing=0.1, correlation=0, tolerance=1e-6, rounds=200)
    scores = model.annotators().to_dict("spammer score")
    assert {who: row["spammer score"] for who, row in table.items()} == pytest.approx(scores)
    diagonal = [model.confusion("a")[label][place] for place, label in enumerate("xy")]
    assert table["a"]["dawid-skene"] == pytest.approx(np.mean(diagonal))
    assert found.undefined is None
    assert len(found.to_dict()["annotators"]) == len(found) == 3


def test_rows_and_names_do_not_matter():
    item, who, value, truth, at = crowd(12, 200, 3, seed=5)
    value[who == 3] = 0
    plain = study(item, who, value, at)
    order = np.random.default_rng(0).permutation(len(item))
    other = tuple(f"n{k:02}" for k in np.random.default_rng(1).permutation(12))
    swap = np.random.default_rng(2).permutation(200)
    mixed = Annotations(
        np.argsort(swap)[item[order]], who[order], value[order], tuple(swap.tolist()), other, LABELS,
        attributes={"at": at["at"][order]},
    )  # fmt: skip
    one = annotators(plain, time="at", gold=gold_of(truth))
    two = annotators(mixed, time="at", gold=gold_of(truth))
    named = {f"w{k}": name for k, name in enumerate(other)}
    second = {row["annotator"]: row for row in two.table()}
    assert {named[name] for name in one.reasons} == set(two.reasons) != set()
    for row in one.table():
        for column, entry in row.items():
            if column in ("annotator", "dawid-skene", "spammer score"):
                continue
            there = second[named[row["annotator"]]][column]
            assert there == (pytest.approx(entry, nan_ok=True) if isinstance(entry, float) else entry), column


def test_values_with_distances_have_alpha_and_no_labels():
    rng = random.Random(3)
    rows = [
        (i, who, round(rng.gauss(10 * i, 9 if who == "far" else 1), 2))
        for i in range(60)
        for who in ("a", "b", "c", "far")
    ]
    found = annotators(rows, gold={i: 10.0 * i for i in range(60)})
    table = {row["annotator"]: row for row in found.table()}
    assert next(iter(table)) == "far"
    assert set(found.reasons) == {"far"}
    assert "distance" in found.reasons["far"][0]
    assert "label" not in table["far"]
    assert table["far"]["alpha"] < table["a"]["alpha"] <= 1
    assert table["far"]["gold"] > table["a"]["gold"]
    assert any("are for labels" in note for note in found.notes)
    spans = [(i, who, [[0, 5 + (who == "c"), "PER"]]) for i in range(12) for who in "abc"]
    boxed = annotators(Annotations.of(spans, kind="spans"))
    assert boxed.table()["annotator"][0] == "c"


def test_times_are_read_in_many_forms():
    def at(column):
        rows = [(i, who, "x" if i % 2 else "y") for i in range(4) for who in "ab"]
        return annotators(rows, time=column).table().to_dict("seconds")

    wanted = {"a": 60.0, "b": 60.0}
    assert at([f"2026-03-31T09:{i:02}:00" for i in range(4) for _ in "ab"]) == wanted
    assert at([1.7e12 + 60_000 * i for i in range(4) for _ in "ab"]) == wanted
    assert (
        at(np.array([np.datetime64("2026-03-31T09:00") + np.timedelta64(i, "m") for i in range(4) for _ in "ab"]))
        == wanted
    )
    rows = [(i, who, "x" if i % 2 else "y") for i in range(4) for who in "ab"]
    found = annotators(rows, time=[*range(8)])
    assert "seconds" not in found.table().columns
    assert any("taken as an order" in note for note in found.notes)
    some = annotators(rows, time=["2026-03-31", "", *["2026-04-01"] * 6])
    assert any(note.startswith("1 annotation without a time") for note in some.notes)
    with pytest.raises(DataError, match="'noon' is not a time"):
        annotators(rows, time=["noon"] * 8)
    with pytest.raises(DataError, match="1 times for 8 annotations"):
        annotators(rows, time=["2026-03-31"])
    with pytest.raises(UnknownName, match="no column 'when' of times"):
        annotators(rows, time="when")


def test_what_is_undefined_is_said_in_a_sentence():
    found = annotators([(1, "a", "x"), (2, "b", "y")])
    assert found.headline() == (
        "Annotators cannot be compared: no item has two annotators, so that nobody has others to be compared with"
    )
    assert not found.reasons
    assert found.to_dict()["annotators"][0]["n"] == 1
    assert annotators([]).undefined
    same = annotators({"a": ["x", "x", "x"], "b": ["x", "x", "x"], "c": ["x", "x", "x"]})
    assert same.table()["agreement"] == [1, 1, 1]
    assert "kappa" not in same.table().columns
    with pytest.raises(KindError, match="made from counts"):
        annotators(Annotations.from_counts([[2, 1]], values=["x", "y"]))
    with pytest.raises(KindError, match="level"):
        annotators([], level=5)
    with pytest.raises(DataError, match="gold are in the study"):
        annotators({"a": ["x"], "b": ["x"]}, gold={"q": "x"})


def test_the_tail_is_bounded_and_the_bound_is_near():
    n = np.array([20, 200, 200])
    group = np.repeat(np.arange(3), n)
    k, m = np.where(group == 2, 3.0, 4.0), np.full(len(group), 5.0)
    draws = bernoulli(group, np.ones(len(group)), k, m)
    assert mean(draws, 3) == pytest.approx([16, 160, 120])
    low, high = np.array([9.0, 130.0, 90.0]), np.array([19.0, 180.0, 150.0])
    chance = np.array([0.8, 0.8, 0.6])
    for bound, exact in (
        (low_tail(draws, low), binom.cdf(low, n, chance)),
        (high_tail(draws, high), binom.sf(high - 1, n, chance)),
    ):
        assert (bound >= exact).all()
        assert (bound <= 30 * exact).all()
    assert low_tail(draws, np.array([16.0, 170.0, 120.0])).tolist() == [1, 1, 1]
    none = low_tail(draws, np.array([0.0, 0.0, 0.0]))
    assert none[0] == pytest.approx(0.2**20, rel=1e-6)


@pytest.mark.parametrize("unit", [1e-4, 1000.0])
def test_flags_do_not_depend_on_the_unit_of_numbers(unit):
    def measured(by):
        rng = np.random.default_rng(3)
        truth = rng.normal(50, 10, 40)
        rows = [
            (i, who, round(float(number), 1) * by)
            for who in "abcd"
            for i, number in enumerate(truth + rng.normal(0, 8 if who == "d" else 4, 40))
        ]
        return annotators(Annotations.of(rows, kind="numbers")).table()

    plain, other = measured(1), measured(unit)
    assert plain["flags"] == other["flags"] == ["distance", None, None, None]
    assert other["p"] == pytest.approx(plain["p"], rel=1e-6)


def test_adjusted_p_values_by_hand():
    p = np.array([0.01, 0.5, 0.001, 0.02])
    every = 1 + 1 / 2 + 1 / 3 + 1 / 4
    assert adjusted(p) == pytest.approx([0.01 * 2 * every, 1, 0.001 * 4 * every, 0.02 * 4 / 3 * every])
    assert not len(adjusted(np.zeros(0)))
    assert not math.isnan(adjusted(np.array([0.0]))[0])
