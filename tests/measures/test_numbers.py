"""Coefficients of numbers where numbers are difficult: no variance, much variance, far from zero, in thousands."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from scipy import stats

import interagree as ia
from interagree import reference

FORMS = ["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]


def study(table: np.ndarray | list[list[float]]) -> ia.Annotations:
    return ia.Annotations.of(
        [(i, f"a{j}", float(v)) for i, row in enumerate(np.asarray(table)) for j, v in enumerate(row)]
    )


# Intraclass correlation


@pytest.mark.parametrize("form", FORMS)
def test_numbers_that_never_vary_have_no_intraclass_correlation(form: str) -> None:
    for number in (0, 0.1, 1e9 + 0.1):
        found = ia.icc(study([[number] * 3] * 4), form=form)
        assert found.undefined == "all annotations have the same value, so chance could not have disagreed"


@pytest.mark.parametrize("form", ["ICC(1,k)", "ICC(2,k)", "ICC(3,k)"])
@pytest.mark.parametrize("unit", [1, 0.1, 1 / 3])
def test_items_that_do_not_differ_are_said_not_to(form: str, unit: float) -> None:
    found = ia.icc(study(np.array([[1, 2, 4], [2, 4, 1], [4, 1, 2]]) * unit), form=form)
    assert "differ within items and not between them" in found.undefined


@pytest.mark.parametrize("form", FORMS)
def test_small_differences_are_seen_beside_large_ones(form: str) -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 1e-4, (40, 3)).round(8)
    wide = ia.icc(study(np.arange(40)[:, None] * 1e6 + noise), form=form)
    d = wide.details
    own = noise - noise.mean(axis=1, keepdims=True)
    assert d["MSW"] == pytest.approx((own**2).sum() / 80, rel=1e-3)  # the numbers themselves keep no more digits
    assert d["MSC"] == pytest.approx(40 * (noise.mean(axis=0) - noise.mean()) @ own.mean(axis=0) / 2, rel=1e-3)
    low, high = wide.interval(method="analytic")[:2]
    assert low < wide.value < high or high == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("form", FORMS)
def test_where_zero_is_does_not_matter_to_an_intraclass_correlation(form: str) -> None:
    table = np.random.default_rng(1).integers(0, 20, (12, 3)) + np.arange(12)[:, None]
    one, two = ia.icc(study(table), form=form), ia.icc(study(table + 1e9), form=form)
    assert two.value == pytest.approx(one.value, abs=1e-9)
    assert two.interval()[:2] == pytest.approx(one.interval()[:2], abs=1e-7)


def test_annotators_who_never_differ_need_no_interval_from_f() -> None:
    found = ia.icc(study([[v] * 3 for v in (1, 5, 2, 8)]))
    assert found.value == 1
    assert found.interval(method="analytic")[:2] == (1, 1)
    assert found.p_value(method="analytic") == 0
    assert found.interval().low < found.interval().high == 1  # they might differ on other items


def test_an_interval_of_an_intraclass_correlation_holds_it() -> None:
    rng = np.random.default_rng(3)
    for form in FORMS:
        for seed in range(20):
            table = np.random.default_rng(seed).normal(0, 1, (8, 3)) + rng.uniform(0, 2) * np.arange(8)[:, None]
            found = ia.icc(study(table.round(3)), form=form)
            if found.undefined is None:
                assert found.interval().low <= found.value <= found.interval().high


# Concordance


def test_numbers_that_have_nothing_in_common_still_have_an_interval() -> None:
    x, y = np.array([1, 2, 1, 2, 1, 2, 1, 2.0]), np.array([1, 1, 2, 2, 1, 1, 2, 2.0])
    found = ia.lin_ccc(study(np.column_stack([x, y])))
    assert found.value == pytest.approx(0, abs=1e-12)
    assert found.interval().low < -0.3 < 0.3 < found.interval().high
    interval = found.interval(method="analytic")
    assert interval.low < -0.3 < 0.3 < interval.high
    assert found.p_value(method="analytic") == pytest.approx(1)
    # no step from almost nothing to nothing
    close = ia.lin_ccc(study(np.column_stack([x + 1e-7 * (np.arange(8) == 0), y]))).interval(method="analytic")
    assert interval[:2] == pytest.approx(close[:2], abs=1e-6)


def test_a_constant_annotator_has_no_concordance_and_no_interval() -> None:
    for number in (0.1, 1 / 3, 7):
        found = ia.lin_ccc(study([[number, v] for v in (1, 2, 4, 5)]))
        assert found.value == pytest.approx(0, abs=1e-12)
        assert found.interval(method="analytic") is None
        assert found.p_value(method="analytic") is None
        assert all(math.isnan(entry) for entry in found.details.values())
        both = ia.lin_ccc(study([[number, number]] * 5))
        assert both.undefined == "all annotations have the same value, so chance could not have disagreed"
        apart = ia.lin_ccc(study([[number, number + 1]] * 5))
        assert apart.value == pytest.approx(0, abs=1e-12)


def test_concordance_is_pearson_times_accuracy() -> None:
    table = np.random.default_rng(2).normal(0, 1, (30, 2)) + np.arange(30)[:, None] / 7 + [0, 0.4]
    found = ia.lin_ccc(study(table))
    d = found.details
    assert d["pearson"] == pytest.approx(stats.pearsonr(*table.T)[0])
    assert found.value == pytest.approx(d["pearson"] * d["accuracy"])
    x, y = table.T
    assert d["shift"] == pytest.approx((x.mean() - y.mean()) / math.sqrt(x.std() * y.std()))
    assert d["stretch"] == pytest.approx(x.std() / y.std())
    assert found.interval().error == pytest.approx(found.standard_error(method="jackknife"), rel=0.3)


def test_two_items_have_no_error() -> None:
    found = ia.lin_ccc(study([[1, 2], [3, 3]]))
    assert found.interval(method="analytic") is None
    assert found.interval().high - found.interval().low == pytest.approx(2)  # anything is possible
    assert math.isnan(found.standard_error(method="jackknife"))


# Concordance of orders


def test_annotators_who_see_no_order_are_said_not_to() -> None:
    for table in ([[1, 2]] * 4, [[3, 3]] * 4):
        assert "put all items in one place" in ia.kendall_w(study(table)).undefined
    assert ia.kendall_w(study([[1, 2], [1, 3], [1, 4]])).undefined is None


def test_two_orders_are_concordant_as_spearman_says() -> None:
    rng = np.random.default_rng(0)
    for _ in range(5):
        table = rng.permuted(np.tile(np.arange(9.0), (2, 1)), axis=1).T
        rho = stats.spearmanr(*table.T).statistic
        assert ia.kendall_w(study(table)).value == pytest.approx((1 + rho) / 2)


def test_orders_with_gaps_are_their_definition() -> None:
    rng = np.random.default_rng(4)
    table = np.round(np.arange(25)[:, None] / 6 + rng.normal(size=(25, 6)))
    table[rng.random(table.shape) < 0.4] = np.nan
    cells = [(i, a, table[i, a]) for i in range(25) for a in range(6) if not np.isnan(table[i, a])]
    found = ia.kendall_w([{"item": i, "annotator": a, "value": value} for i, a, value in cells])
    assert found.value == pytest.approx(float(reference.kendall_w(cells)))
    assert found.interval().low < found.value < found.interval().high


def test_orders_by_three_annotators_of_eight() -> None:
    values = {True: [], False: []}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        for shared in (True, False):
            table = np.arange(60)[:, None] * shared + rng.random((60, 8)) * 1e-3
            there = rng.random((60, 8)).argsort(axis=1) < 3
            rows = [{"item": i, "annotator": a, "value": table[i, a]} for i, a in np.argwhere(there).tolist()]
            result = ia.kendall_w(rows)
            values[shared].append(result.value)
            assert result.measure.under_chance.of(result) == pytest.approx(1 / 3)
    assert 0.9 < min(values[True]) < np.mean(values[True]) < 0.98  # places among own items differ a little
    assert np.mean(values[False]) == pytest.approx(1 / 3, abs=4 * np.std(values[False]) / 40**0.5)


def test_orders_of_thousands_take_little_memory() -> None:
    rng = np.random.default_rng(0)
    data = study(rng.random((4000, 2)))
    tracemalloc.start()
    found = ia.kendall_w(data)
    assert 0.4 < found.value < 0.6
    assert found.p_value() > 0
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6


@pytest.mark.parametrize("form", FORMS)
def test_items_that_do_not_differ_have_no_interval_from_f(form: str) -> None:
    rows = [("i", "a", 0), ("i", "b", 1), ("i", "c", 0), ("j", "a", 0), ("j", "b", 0), ("j", "c", 1)]
    found = ia.icc(rows, form=form)
    assert found.interval(method="analytic") is None
    assert str(found)


def test_a_denominator_below_zero_is_told_with_the_ratio_that_others_print() -> None:
    table = np.array([[1, 9, 2, 8.5], [8, 2, 9, 1], [2, 8, 1, 9]])
    found = ia.icc(study(table), form="ICC(2,k)")
    n, k = table.shape
    items, annotators = (table.mean(axis=axis) - table.mean() for axis in (1, 0))
    msr, msc = k * (items**2).sum() / (n - 1), n * (annotators**2).sum() / (k - 1)
    left = table - table.mean() - items[:, None] - annotators
    mse = (left**2).sum() / ((n - 1) * (k - 1))
    below = msr + (msc - mse) / n
    assert below < 0
    assert math.isnan(found.value)
    assert f"MSR + (MSC - MSE)/n, is {below:.4g}" in found.undefined
    assert f"the formula applied all the same gives {(msr - mse) / below:.3f}" in found.undefined
    assert found.interval() is None


@pytest.mark.parametrize("form", ["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(3,k)"])
def test_no_other_form_has_a_denominator_below_zero(form: str) -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        n, k = rng.integers(2, 5, 2)
        found = ia.icc(study(rng.integers(0, 3, (n, k))), form=form)
        assert "denominator" not in (found.undefined or "")
