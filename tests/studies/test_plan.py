"""Plans: the closed forms against enumeration, drawn labels and simulated studies."""

import itertools
import json
import math
import re
from collections import Counter
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interagree as ia
from interagree.errors import InteragreeError, KindError, UnknownName
from interagree.plugins import MEASURES
from interagree.stats.engine.adjusted import LOGIT
from interagree.stats.labels.item_agreement import TYPICAL_BETWEEN, TYPICAL_WITHIN, Moments
from interagree.stats.labels.width import Width
from interagree.studies.plan import PLANNED
from interagree.studies.plan.closed import coherent, concentration, dirichlet_moments
from interagree.studies.plan.spending import spending

Z = NormalDist().inv_cdf(0.975)
SHARES = np.array([0.5, 0.3, 0.2])
BEST = {  # labels per item that cost least in published data
    "mbic_bias": 6.2,
    "mbic_opinion": 6.7,
    "weather_amt": 2.9,
    "sentiment_polarity_amt": 3.0,
    "bluebird": 10.1,
    "adult3": 5.4,
    "wordsense_work_n": 6.0,
}


def labels(rng, items, n, shares=SHARES, agreement=0.7):
    """Codes of labels, items × labels; items have shares of their own."""
    own = rng.dirichlet(concentration(np.asarray(shares), agreement) * np.asarray(shares), size=items)
    return (rng.random((items, n, 1)) > np.cumsum(own, axis=1)[:, None, :-1]).sum(axis=2)


def study(codes):
    """A study of a table of codes in which -1 is no label."""
    item, who = np.nonzero(codes >= 0)
    return ia.Annotations(item, who, codes[item, who], range(len(codes)), range(codes.shape[1]), (0, 1, 2))


def agreements(codes):
    """The agreement of each item of a full table of codes."""
    n = codes.shape[1]
    return sum((codes[:, a] == codes[:, b]) for a, b in itertools.combinations(range(n), 2)) / (n * (n - 1) / 2)


# -- the closed forms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("agreement", [0.2, 0.5, 0.8, 0.97])
def test_one_over_the_square_of_the_half_width_times_the_variance_is_the_items(agreement):
    plan = ia.plan(agreement=agreement, half_width=0.01)
    pair = agreement * (1 - agreement)
    # With two labels an item agrees or not; the default interval asks for a few items more than the normal quantile.
    assert 1 <= plan.table()["items"][0] / (Z**2 * pair / 0.01**2) < 1.06
    for row in plan.table():
        variance, n = float(plan.moments.variance(row["labels per item"])), row["labels per item"]
        width = Width(agreement, 0.95, LOGIT)
        assert width.half(variance, row["items"], n) <= 0.01 < width.half(variance, row["items"] - 1, n)
        assert row["labels"] == row["items"] * row["labels per item"]
        assert row["times the least"] == row["labels"] / min(plan.table()["labels"])
    assert plan.moments.between == pytest.approx(TYPICAL_BETWEEN * pair)
    assert plan.moments.one == pytest.approx(TYPICAL_WITHIN * pair)


@pytest.mark.parametrize(("agreement", "between"), [(0.8, 0.01), (0.8, 0.03), (0.5, 0.002), (0.4, 0.1)])
def test_the_best_number_of_labels_costs_least_of_all(agreement, between):
    moments = ia.plan(agreement=agreement, between=between, half_width=0.02).moments
    best = moments.best()
    assert moments.between == pytest.approx(between)

    def cost(n):
        return n * moments.variance(n)

    assert all(cost(best) <= cost(n) + 1e-12 for n in np.linspace(2, 40, 400))
    assert cost(4) == pytest.approx(4 * between + 4 * moments.one + 2 * (moments.two - 2 * moments.one) / 3, rel=1e-12)


def test_a_budget_gives_what_the_half_width_needs():
    needs = ia.plan(agreement=0.8, half_width=0.02)
    gives = ia.plan(agreement=0.8, budget=needs.labels)
    assert (gives.per_item, gives.items, gives.labels) == (needs.per_item, needs.items, needs.labels)
    assert gives.row["half-width"] == pytest.approx(0.02, rel=0.005)
    assert gives.row["half-width"] <= 0.02
    both = ia.plan(agreement=0.8, half_width=0.02, budget=needs.labels - 1)
    assert both.notes[-1] == f"the budget of {needs.labels - 1:,} labels is too small for ± 0.02"
    assert min(both.table()["half-width of the budget"]) > 0.02


def test_the_level_widens_and_the_curve_falls_with_the_root_of_the_labels():
    wide, narrow = (ia.plan(agreement=0.8, budget=5000, level=level) for level in (0.99, 0.9))
    ratio = NormalDist().inv_cdf(0.995) / NormalDist().inv_cdf(0.95)
    assert wide.row["half-width"] / narrow.row["half-width"] == pytest.approx(ratio, rel=0.005)
    for row in wide.curve:
        first = wide.curve.where(lambda one, n=row["labels per item"]: one["labels per item"] == n).rows()[0]
        shrunk = first["half-width"] * math.sqrt(first["labels"] / row["labels"])
        assert 0.9 * shrunk < row["half-width"] <= shrunk  # a little faster: few items are less certain than that
    assert {row["labels per item"] for row in wide.curve} == set(range(2, 11))


@pytest.mark.parametrize("p", [[0.5, 0.5], [0.7, 0.2, 0.1], [0.9, 0.1, 0.0]])
@pytest.mark.parametrize("agreement", [0.84, 0.9, 0.99])
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_items_around_given_shares_vary_as_all_ways_to_label_them_say(p, agreement, n):
    total = concentration(np.array(p), agreement)
    moments = dirichlet_moments(np.array(p), total)
    mean = square = whole = 0.0
    for drawn in itertools.product(range(len(p)), repeat=n):
        chance, seen = 1.0, Counter()
        for place, value in enumerate(drawn):  # Pólya's urn: what was drawn is put back twice
            chance *= (total * p[value] + seen[value]) / (total + place)
            seen[value] += 1
        agree = sum(k * (k - 1) for k in seen.values()) / (n * (n - 1))
        mean, square, whole = mean + chance * agree, square + chance * agree**2, whole + chance
    assert whole == pytest.approx(1)
    assert mean == pytest.approx(agreement) == moments.m2
    assert square - mean**2 == pytest.approx(moments.variance(n))


def test_shares_alone_mean_items_that_are_alike():
    plan = ia.plan(shares={"yes": 0.9, "no": 0.1}, half_width=0.05)
    assert plan.value == pytest.approx(0.82)
    least = Z**2 * ia.studies.variance_of_item_agreement(3, [0.9, 0.1]) / 0.05**2
    assert least <= plan.table()["items"][1] < 1.05 * least
    assert math.isinf(plan.best)
    assert any("all items are taken to be alike" in note for note in plan.notes)
    assert plan.to_dict()["best"] is None


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_whatever_moments_are_made_coherent(numbers):
    found, _ = coherent(Moments(*numbers))
    assert found.m2**2 <= found.m22 + 1e-12
    assert found.m22 <= found.m3 <= found.m2
    assert found.variance(2) == pytest.approx(found.m2 * (1 - found.m2), abs=1e-12)


# -- from a pilot --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BEST)
def test_published_labels_have_the_best_number_known_for_them(name, shared):
    pilot = ia.read(shared / f"data/labels/{name}.csv.gz")
    plan = ia.plan(pilot, half_width=0.005)  # so many items that the fewest labels are those of the closed form
    assert plan.best == pytest.approx(BEST[name], abs=0.05)
    assert plan.per_item in {math.floor(plan.best), math.ceil(plan.best)}
    assert plan.value == pytest.approx(ia.spa(pilot).value)


@pytest.mark.parametrize("name", ["mbic_bias", "adult3", "bluebird"])
def test_the_variance_is_that_of_labels_drawn_from_each_item(name, shared):
    pilot = ia.read(shared / f"data/labels/{name}.csv.gz").single()
    moments = ia.plan(pilot, half_width=0.02).moments
    rng = np.random.default_rng(1)
    by_item = [pilot.value[pilot.item == i] for i in range(len(pilot.items))]
    for n in (2, 3, 5, 8):
        drawn = []
        for _ in range(30 if len(by_item) > 500 else 200):
            codes = np.array([rng.permutation(one)[:n] for one in by_item if len(one) >= n])
            drawn.append(n * agreements(codes).var(ddof=1))
        assert n * moments.variance(n) == pytest.approx(np.mean(drawn), rel=0.03)


def test_the_half_width_of_complete_data_is_that_of_their_own_error():
    pilot = study(labels(np.random.default_rng(3), 400, 5))
    plan = ia.plan(pilot, half_width=0.01)
    assert plan.now == pytest.approx(Z * ia.spa(pilot).standard_error(), rel=0.01)
    assert plan.budget is None
    assert ia.plan(pilot).budget == 2000  # as many labels as there are


def test_a_pilot_without_many_labels_says_what_it_takes_as_usual():
    codes = labels(np.random.default_rng(4), 200, 3)
    two = ia.plan(study(codes[:, :2]), half_width=0.05)
    assert [note.split(",")[0] for note in two.notes[:2]] == [
        "no item has four labels",
        "fewer than 10 items have three labels",
    ]
    pair = two.value * (1 - two.value)
    assert two.moments.between == pytest.approx(0.10 * pair)
    assert two.moments.one == pytest.approx(0.17 * pair)
    three = ia.plan(study(codes), half_width=0.05)
    assert "no item has four labels" in three.notes[0]
    assert three.moments.between == pytest.approx(0.10 * three.value * (1 - three.value))
    # With three labels nothing has to be assumed: the variance is that of the items themselves.
    assert three.moments.variance(3) == pytest.approx(agreements(codes).var(), rel=0.02)


def test_items_with_few_labels_that_agree_otherwise_do_not_bend_the_curve():
    rng = np.random.default_rng(5)
    many = labels(rng, 300, 5, agreement=0.5)
    few = np.full((600, 5), -1)
    few[:, :2] = labels(rng, 600, 2, agreement=0.95)
    alone, mixed = (ia.plan(study(codes), half_width=0.05) for codes in (many, np.r_[many, few]))
    assert mixed.value > alone.value + 0.2
    assert mixed.best == pytest.approx(alone.best)


def test_a_distance_has_its_own_closed_form():
    codes = labels(np.random.default_rng(6), 300, 4)
    numbers = study(codes)
    plan = ia.plan(numbers, half_width=0.02, distance="interval")
    near = 1 - ((np.arange(3)[:, None] - np.arange(3)[None, :]) / 2) ** 2
    each = np.mean([near[codes[:, a], codes[:, b]] for a, b in itertools.combinations(range(4), 2)], axis=0)
    assert plan.value == pytest.approx(each.mean()) == ia.spa(numbers, distance="interval").value
    assert plan.moments.variance(4) == pytest.approx(each.var(), rel=0.02)


def test_labels_that_are_there_add_up_where_items_are_weighed_by_what_they_tell():
    rng = np.random.default_rng(17)
    sizes = np.repeat([2, 3, 5], [400, 200, 100])
    found, widths = [], []
    moments = dirichlet_moments(SHARES, concentration(SHARES, 0.7))
    for _ in range(300):
        parts = [agreements(labels(rng, int((sizes == n).sum()), n)) for n in (2, 3, 5)]
        found.append(np.average(np.concatenate(parts), weights=1 / moments.variance(sizes)))
    for _ in range(10):
        codes = labels(rng, len(sizes), 5)
        codes[np.arange(5) >= sizes[:, None]] = -1
        widths.append(ia.plan(study(codes)).now)
    assert np.mean(widths) == pytest.approx(Z * np.std(found, ddof=1), rel=0.12)


def test_what_is_counted_in_a_database_is_planned_too(need):
    duckdb = need("duckdb")
    pilot = sparse(1, 2)
    table = duckdb.connect()
    table.execute("create table labels (item varchar, annotator varchar, label varchar)")
    table.executemany("insert into labels values (?, ?, ?)", [[*map(str, row)] for row in pilot.rows()])
    there = ia.scan(table.table("labels"), item="item", annotator="annotator", value="label")
    plan = ia.plan(there, half_width=0.03)
    assert plan.table()["items"] == ia.plan(pilot, half_width=0.03).table()["items"]
    assert plan.next["which"] == ia.plan(pilot, half_width=0.03).next["which"]
    with pytest.raises(KindError, match="needs the annotations themselves"):
        ia.plan(there, measure="alpha", half_width=0.03)


def test_an_item_gets_no_more_labels_than_there_are_annotators_unless_asked_for():
    pilot = study(labels(np.random.default_rng(19), 17, 3)[:, :3])
    plan = ia.plan(pilot, budget=50)
    assert plan.table()["labels per item"] == [2, 3]
    assert any("an item gets 3 labels at most here" in note for note in plan.notes)
    assert plan.headline().split(": ")[1].startswith(f"{plan.labels} of 50 labels give")
    assert plan.labels == plan.per_item * plan.items
    asked = ia.plan(pilot, budget=50, per_item=[3, 5])
    assert asked.table()["labels per item"] == [3, 5]
    assert any("more than 3 labels per item need more annotators" in note for note in asked.notes)


@pytest.mark.parametrize("name", ["spa", "alpha"])
def test_what_there_is_stands_beside_the_interval_of_the_measure(name):
    pilot = study(labels(np.random.default_rng(20), 20, 3))
    plan, own = ia.plan(pilot, measure=name, level=0.9), MEASURES[name](pilot).interval(0.9)
    assert plan.interval == own
    assert f"Their interval is {own.low:.3f} to {own.high:.3f}." in plan.existing()


# -- where to put the next labels ----------------------------------------------------------------------------


def sparse(*sizes):
    """A study whose items have so many labels, with the moments of a hundred full items among them."""
    rng = np.random.default_rng(7)
    codes = labels(rng, 100 + len(sizes), 6)
    for row, size in enumerate(sizes):
        codes[row, size:] = -1
    return study(codes)


def test_single_labels_are_paired_first():
    plan = ia.plan(sparse(1, 1, 2, 1), spend=3, half_width=0.02)
    assert plan.next.rows()[0]["what"] == "a second label where there is one"
    assert plan.next["labels"] == [3]
    assert plan.next["which"] == ["0, 1, 3"]
    assert plan.next["before"][0] == pytest.approx(plan.now)
    assert plan.next["after"][0] < plan.now


def test_an_item_that_got_a_label_may_get_another_and_is_still_known_by_name():
    plan = ia.plan(sparse(1, 1), spend=4)
    assert plan.next["what"] == ["a second label where there is one", "one more label where there are 2"]
    assert plan.next["which"] == ["0, 1", "0, 1"]


@pytest.mark.parametrize("spend", [0, 1, 7, 100, 1234])
def test_no_more_labels_are_spent_than_there_are_and_none_is_kept(spend):
    plan = ia.plan(sparse(1, 1, 2, 3, 1), spend=spend)
    assert sum(plan.next["labels"]) == spend
    widths = [plan.now, *plan.next["after"]]
    assert widths == sorted(widths, reverse=True)
    assert plan.next["before"] == pytest.approx(widths[:-1])


def test_no_other_way_to_spend_six_labels_tells_more():
    moments = Moments(0.7, 0.56, 0.52)
    sizes = {1: (1, np.array([0])), 2: (2, np.array([1, 2])), 3: (1, np.array([3]))}
    tells = [0.0, 0.0, *(1 / moments.variance(n) for n in range(2, 11))]
    best = max(
        sum(tells[size + more] for size, more in zip((1, 2, 2, 3, 0, 0, 0), extra, strict=True))
        for extra in itertools.product(range(7), repeat=7)
        if sum(extra) == 6
    )
    assert spending(sizes, moments, 10, labels=6)[-1].after == pytest.approx(best, rel=0.02)
    assert spending(sizes, moments, 10, labels=6)[-1].after <= best + 1e-9


def test_as_many_labels_as_are_said_to_be_lacking_reach_the_half_width_and_one_fewer_do_not():
    pilot = sparse(1, 1, 2, 3, 1)
    plan = ia.plan(pilot, half_width=0.03)
    assert ia.plan(pilot, spend=plan.more).next["after"][-1] <= 0.03
    # One more item of the last kind may be needed than its labels alone would say.
    assert ia.plan(pilot, spend=plan.more - plan.per_item - 1).next["after"][-1] > 0.03
    assert ia.plan(pilot, half_width=0.2).more == 0
    assert "so no more are needed for ± 0.2" in str(ia.plan(pilot, half_width=0.2))


def test_new_items_get_the_best_number_of_labels():
    plan = ia.plan(study(labels(np.random.default_rng(8), 400, 6)), spend=600)
    least = min(range(2, 7), key=lambda n: n * plan.moments.variance(n))
    assert plan.next["what"][0] == f"new items, {least} labels each"
    assert plan.next["which"][0] == ""


# -- every other coefficient ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(set(PLANNED) - {"spa", "icc"}))
def test_from_shares_and_from_a_pilot_made_of_them_comes_the_same_plan(name):
    n = 2 if MEASURES[name].facts.annotators == "two" else 4
    # ac2 takes numbers as a scale, here as there.
    pilot = study(labels(np.random.default_rng(9), 3000, n, agreement=0.8))
    drawn = ia.plan(pilot, measure=name, half_width=0.03, rounds=3)
    made_up = ia.plan(
        measure=name, half_width=0.03, shares=SHARES, agreement=0.8, per_item=drawn.table()["labels per item"]
    )
    assert drawn.table()["labels per item"] == list(range(2, n + 1))
    assert drawn.value == pytest.approx(made_up.value, abs=0.02)
    assert drawn.table()["items"] == pytest.approx(made_up.table()["items"], rel=0.1)


def test_percent_agreement_needs_as_much_as_the_closed_form_says():
    closed = ia.plan(shares=SHARES, agreement=0.8, half_width=0.01)
    made_up = ia.plan(measure="percent", shares=SHARES, agreement=0.8, half_width=0.01)
    assert made_up.table()["items"] == pytest.approx(closed.table()["items"], rel=0.03)
    pilot = study(labels(np.random.default_rng(10), 300, 6))
    drawn = ia.plan(pilot, measure="percent", half_width=0.01, rounds=100)
    assert drawn.table()["items"] == pytest.approx(ia.plan(pilot, half_width=0.01).table()["items"][:5], rel=0.05)


def test_at_its_own_number_of_labels_a_plan_is_the_error_of_the_pilot():
    pilot = study(labels(np.random.default_rng(11), 120, 3))
    error = ia.alpha(pilot).standard_error()
    plan = ia.plan(pilot, measure="alpha", half_width=0.02)
    assert plan.table()["items"][-1] == pytest.approx(120 * (Z * error / 0.02) ** 2, rel=0.002)
    assert plan.notes[0].startswith(f"with labels per item as in the pilot, {plan.table()['items'][-1]:,} items")
    assert plan.now == pytest.approx(Z * error, rel=0.03)


def test_one_more_label_is_judged_by_the_items_that_have_it():
    rng = np.random.default_rng(12)
    many = labels(rng, 400, 3, agreement=0.5)
    few = np.full((400, 3), -1)
    few[:, :2] = labels(rng, 400, 2, agreement=0.95)
    alone, mixed = (
        ia.plan(study(codes), measure="percent", half_width=0.05, rounds=60).table()["items"]
        for codes in (many, np.r_[many, few])
    )
    assert mixed[1] / mixed[0] == pytest.approx(alone[1] / alone[0], rel=0.05)


def test_the_same_seed_gives_the_same_plan():
    pilot = study(labels(np.random.default_rng(13), 60, 5))
    one, again, other = (ia.plan(pilot, measure="alpha", half_width=0.05, seed=s) for s in (1, 1, 2))
    assert one.to_dict() == again.to_dict()
    assert one.table()["items"] != other.table()["items"]


def test_how_many_labels_are_asked_for_does_not_change_the_other_rows():
    some, all_ = (
        ia.plan(measure="alpha", shares=SHARES, agreement=0.8, half_width=0.001, per_item=asked).table()
        for asked in (3, None)
    )
    assert some["items"] == [all_["items"][1]]


def test_agreement_beyond_chance_is_planned_by_drawing():
    pilot = study(labels(np.random.default_rng(18), 100, 3))
    plan = ia.plan(pilot, corrected=True, half_width=0.02)
    error = ia.spa(pilot, corrected=True).standard_error()
    assert plan.table()["items"][-1] == pytest.approx(100 * (Z * error / 0.02) ** 2, rel=0.002)
    assert plan.moments is None


@pytest.mark.parametrize(
    ("name", "per_item", "times"),
    [
        *(pytest.param("spa", n, 400, id=f"spa {n}") for n in (2, 4, 8)),
        pytest.param("alpha", 3, 150, id="alpha 3"),
        *(
            pytest.param(name, n, 1500, id=f"{name} {n} slow", marks=pytest.mark.slow)
            for name, n in (("alpha", 2), ("alpha", 6), ("fleiss_kappa", 4), ("ac1", 3), ("cohen_kappa", 2))
        ),
    ],
)
def test_a_study_as_planned_is_as_sure_as_planned(name, per_item, times):
    plan = ia.plan(measure=name, shares=SHARES, agreement=0.7, half_width=0.04, per_item=per_item)
    rng = np.random.default_rng((14, per_item))
    found = [
        agreements(codes).mean() if name == "spa" else MEASURES[name](study(codes)).value
        for codes in (labels(rng, plan.items, per_item) for _ in range(times))
    ]
    # The standard deviation of so many is itself known to one part in the root of twice their number.
    assert Z * np.std(found, ddof=1) == pytest.approx(0.04, rel=3 / math.sqrt(2 * times) + 0.02)


def test_the_interval_of_a_study_as_planned_is_as_wide_as_planned():
    plan = ia.plan(shares=SHARES, agreement=0.7, half_width=0.04)
    rng = np.random.default_rng(15)
    widths = []
    for _ in range(20):
        interval = ia.spa(study(labels(rng, plan.items, plan.per_item))).interval()
        widths.append((interval.high - interval.low) / 2)
    assert np.mean(widths) == pytest.approx(0.04, rel=0.05)


# -- what cannot be planned ----------------------------------------------------------------------------------

ALL_AGREE = [(i, who, "x" if i % 2 else "y") for i in range(20) for who in "ab"]
ALL_DIFFER = [(i, who, who) for i in range(20) for who in "ab"]


@pytest.mark.parametrize(
    ("data", "measure", "why"),
    [
        (ALL_AGREE, "spa", "all pairs of labels of the pilot agree, so nothing varies"),
        (ALL_DIFFER, "spa", "all pairs of labels of the pilot differ, so nothing varies"),
        (ALL_AGREE, "alpha", "the items of the pilot do not differ (α = 1.000)"),
        ([(i, "a", "x") for i in range(5)], "spa", "no item of the pilot has two labels"),
        ([(i, "a", "x") for i in range(5)], "alpha", "only one annotator"),
        ([(i, who, "x") for i in range(5) for who in "ab"], "alpha", "all annotations have the same value"),
        ([(1, "a", "x"), (1, "b", "y")], "alpha", "too few items to estimate an error from"),
    ],
)
def test_what_leaves_nothing_to_plan_is_said_in_a_sentence(data, measure, why):
    plan = ia.plan(data, measure=measure, half_width=0.05)
    assert why in plan.undefined
    assert str(plan).startswith(f"there is no plan for {plan.measure.symbol}: ")
    assert (plan.items, plan.labels, plan.per_item, len(plan.table()), len(plan.curve)) == (None, None, None, 0, 0)
    json.dumps(plan.to_dict(), allow_nan=False)
    with pytest.raises(KindError, match="nothing to draw"):
        plan.plot("plan.png")


def test_perfect_agreement_still_has_an_exact_bound():
    plan = ia.plan(ALL_AGREE, half_width=0.05)
    assert "should all pairs of 36 items agree" in plan.undefined
    so_many, one_fewer = (
        ia.spa([(i, who, "x") for i in range(items) for who in "ab"]).interval() for items in (36, 35)
    )
    assert so_many.high - so_many.low <= 0.1 < one_fewer.high - one_fewer.low


def test_a_budget_below_two_items_is_none():
    assert "3 labels are fewer than two items with 2 labels each" in ia.plan(agreement=0.8, budget=3).undefined
    plan = ia.plan(agreement=0.8, budget=8)
    assert math.isnan(plan.table()["half-width"][-1])
    assert plan.row["half-width"] > 0.3  # four items tell next to nothing


def test_a_value_near_the_end_of_the_scale_is_warned_of():
    assert "lopsided" in ia.plan(agreement=0.97, half_width=0.05).notes[-1]
    assert not any("lopsided" in note for note in ia.plan(agreement=0.9, half_width=0.05).notes)


@pytest.mark.parametrize(
    ("given_words", "complaint"),
    [
        ({"agreement": 0.8}, "say what the plan is for"),
        ({"half_width": 0.05}, "needs a pilot, or agreement=0.8"),
        ({"half_width": 0.05, "measure": "alpha", "agreement": 0.8}, "depends on how common the values are"),
        ({"half_width": 0.5, "agreement": 0.8}, "asks for nothing"),
        ({"half_width": 1.0, "agreement": 0.8, "shares": SHARES, "measure": "alpha"}, "wider than 2 in all"),
        ({"half_width": 0.0, "agreement": 0.8}, "above 0"),
        ({"half_width": 0.05, "agreement": 1.2}, "between 0 and 1"),
        ({"half_width": 0.05, "agreement": 0.3, "shares": SHARES}, "guess agree in 0.380 of all pairs"),
        ({"half_width": 0.05, "agreement": 0.8, "shares": [0.5, 0.4]}, "add up to 1"),
        ({"half_width": 0.05, "agreement": 0.8, "between": 0.2}, "lies between 0 and 0.16"),
        ({"half_width": 0.05, "shares": SHARES, "between": 0.02}, "settle how much items differ"),
        ({"half_width": 0.05, "agreement": 0.8, "moments": (0.8, 0.7, 0.65)}, "moments= say everything"),
        ({"half_width": 0.05, "moments": (1.8, 0.7, 0.65)}, "m2 = 1.8"),
        ({"half_width": 0.05, "moments": (0.8, 0.7, 0.65), "measure": "alpha"}, "is for plain SPA"),
        ({"half_width": 0.05, "agreement": 0.8, "data": ALL_AGREE}, "a pilot gives agreement itself"),
        ({"half_width": 0.05, "agreement": 0.8, "per_item": 1}, "two labels or more"),
        ({"half_width": 0.05, "measure": "cohen_kappa", "per_item": 3}, "is of two annotators"),
        (
            {"half_width": 0.05, "data": [*ALL_AGREE[:-1], (19, "b", "y")], "measure": "alpha", "per_item": 3},
            "0 have 3",
        ),
        ({"budget": 0, "agreement": 0.8}, "budget is a whole number from 1 up"),
        ({"budget": 10, "agreement": 0.8, "level": 1.0}, "level= takes a number between 0 and 1"),
        ({"budget": 10, "agreement": 0.8, "spendd": 3}, "Did you mean 'spend'"),
    ],
)
def test_a_wrong_question_is_answered_with_what_to_do(given_words, complaint):
    with pytest.raises(InteragreeError, match=complaint):
        ia.plan(**given_words)


def test_a_measure_without_a_plan_is_named():
    with pytest.raises(UnknownName, match="there is no plan for kendall_w"):
        ia.plan(measure="kendall_w", half_width=0.05)


def test_moments_of_a_study_may_be_handed_over():
    pilot = study(labels(np.random.default_rng(16), 200, 5))
    assert (
        ia.plan(moments=ia.studies.item_moments(pilot), half_width=0.02).table()["items"][:4]
        == (ia.plan(pilot, half_width=0.02).table()["items"])
    )


# -- how it looks --------------------------------------------------------------------------------------------


def test_a_plan_reads_as_a_page_and_as_json():
    plan = ia.plan(sparse(1, 1), half_width=0.03)
    text = str(plan)
    assert text.startswith(f"SPA near {plan.value:.3f}: ± 0.03 (95% interval) needs {plan.labels:,} labels, ")
    assert str(plan.table()) in text
    assert str(plan.next) in text
    assert plan.basis in text.replace("\n", " ")
    found = json.loads(json.dumps(plan.to_dict(), allow_nan=False))
    assert found["items"] * found["per_item"] == found["labels"]
    assert [row["labels per item"] for row in found["table"]] == [*range(2, 7)]
    assert found["more"] == plan.more


@pytest.mark.parametrize("aim", [{"half_width": 0.05}, {"budget": 500}])
def test_a_plan_is_drawn(aim, tmp_path, need):
    need("matplotlib")
    path = ia.plan(agreement=0.8, **aim).plot(tmp_path / "plan.png")
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("agreement", "half_width"), [(0.8, 0.05), (0.92, 0.1), (0.97, 0.05)])
def test_a_study_as_planned_has_an_interval_as_wide_as_planned(agreement, half_width):
    """Plans promised ±0.05 and gave ±0.055 to ±0.066, near 1 and with few items."""
    p = np.array([0.5, 0.3, 0.2])
    plan = ia.plan(shares=p.tolist(), agreement=agreement, half_width=half_width)
    total = concentration(p, agreement)
    widths = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        shares = rng.dirichlet(total * p, size=plan.items)
        interval = ia.spa(ia.Annotations.from_counts(rng.multinomial(plan.per_item, shares))).interval()
        widths.append((interval.high - interval.low) / 2)
    assert 0.85 * half_width < np.mean(widths) < 1.03 * half_width


@pytest.mark.parametrize("n", [2, 3, 4, 6])
@pytest.mark.parametrize("items", [12, 40, 300])
def test_the_width_that_is_planned_is_that_of_the_interval(items, n):
    """The plan has the made-up items in a formula of its own, and the interval counts them."""
    codes = labels(np.random.default_rng(items + n), items, n)
    result = ia.spa(study(codes))
    interval = result.interval()
    width = Width(result.value, 0.95, LOGIT).half(items * result.standard_error() ** 2, items, n)
    half = (interval.high - interval.low) / 2
    assert half * (1 - 1e-9) <= width <= half * (1 + 0.5 / items)  # the plan takes n where the interval takes n - 1


@pytest.mark.parametrize("agreement", [0.6, 0.8, 0.9])
def test_a_plan_says_what_it_comes_to_where_items_differ_more(agreement: float) -> None:
    usual = ia.plan(agreement=agreement, half_width=0.05)
    told = usual.notes[1]
    assert "items differ twice as much" in told
    between = float(re.search(r"between=([\d.]+)", told).group(1))
    differing = ia.plan(agreement=agreement, half_width=0.05, between=between)
    rows = {row["labels per item"]: row["items"] for row in differing.table().rows()}
    assert f"needs {rows[usual.per_item]} items" in told
    reached = ia.plan(agreement=agreement, budget=usual.labels, per_item=usual.per_item, between=between)
    assert f"± {reached.row['half-width']:.3f}" in told
    assert reached.row["half-width"] > 0.053
    for known in (differing, ia.plan(shares=[0.5, 0.5], agreement=agreement, half_width=0.05)):
        assert "twice as much" not in " ".join(known.notes)


# Numbers


def numbers(seed: int, items: int, people: int) -> ia.Annotations:
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(items, 1)) + 0.4 * (np.arange(people) % 2) + rng.normal(size=(items, people))
    rows = [(i, f"a{a}", round(float(table[i, a]), 3)) for i in range(items) for a in range(people)]
    return ia.Annotations.of([{"item": i, "annotator": a, "value": value} for i, a, value in rows])


@pytest.mark.parametrize("form", ["ICC(1,1)", "ICC(2,1)", "ICC(3,1)"])
def test_a_plan_for_an_intraclass_correlation_gives_the_width_it_says(form: str) -> None:
    planned = ia.plan(numbers(0, 200, 4), measure="icc", form=form, half_width=0.06)
    for row in planned.table().rows():
        widths = []
        for seed in range(4):
            made = ia.icc(numbers(seed + 1, row["items"], row["labels per item"]), form=form).interval()
            widths.append((made.high - made.low) / 2)
        assert np.mean(widths) == pytest.approx(0.06, rel=0.15)
    assert "shares=" not in " ".join(planned.notes)


def test_an_intraclass_correlation_is_planned_from_a_pilot_and_for_one_annotator() -> None:
    with pytest.raises(KindError, match="needs a pilot"):
        ia.plan(measure="icc", agreement=0.5, half_width=0.1)
    with pytest.raises(KindError, match=r"plan for form='ICC\(2,1\)'"):
        ia.plan(numbers(0, 20, 3), measure="icc", form="ICC(2,k)", half_width=0.1)
