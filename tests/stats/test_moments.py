"""Alpha of scales with many distinct values, summed and not tabulated: the same numbers, in little memory."""

from __future__ import annotations

import importlib
import tracemalloc
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.stats.labels.moments import Numeric

module = importlib.import_module("interagree.measures.alpha")

DISTANCES: list[Any] = ["ordinal", "interval", "circular:period=9", "ratio", "polar:low=0,high=9", "linear", "radical"]
SUMMED = {"ordinal", "interval", "circular:period=9"}  # with these, resamples are exact without a table, too
each = pytest.mark.parametrize("distance", DISTANCES)


def study(seed: int, items: int = 25, decimals: int = 0, gaps: float = 0.2) -> ia.Annotations:
    rng = np.random.default_rng(seed)
    truth = rng.uniform(0, 9, items)
    given = np.clip(truth[:, None] + rng.normal(0, 1.5, (items, 4)), 0, 9).round(decimals)
    there = rng.random(given.shape) >= gaps
    rows = [(int(i) % items, "abcd"[j], float(given[i, j])) for i, j in zip(*np.nonzero(there), strict=True)]
    columns = dict(zip(("item", "annotator", "value"), map(list, zip(*rows, strict=True)), strict=True))
    return ia.Annotations.of({**columns, "document": [item // 3 for item in columns["item"]]})


@pytest.fixture
def summed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Alpha without a table of values, however few there are."""

    def measure(data: ia.Annotations, **options: Any) -> ia.Agreement:
        with monkeypatch.context() as patch:
            patch.setattr(module, "MANY", 0)
            result = ia.alpha(data, **options)
        assert isinstance(result.engine.statistic, Numeric)
        return result

    return measure


@each
@pytest.mark.parametrize("seed", range(4))
def test_sums_give_what_the_table_gives(summed: Any, distance: Any, seed: int) -> None:
    data = study(seed)
    one, two = ia.alpha(data, distance=distance), summed(data, distance=distance)
    assert not isinstance(one.engine.statistic, Numeric)
    close = {"rel": 1e-9, "abs": 1e-12}
    assert two.value == pytest.approx(one.value, **close)
    assert two.disagreement.observed == pytest.approx(one.disagreement.observed, **close)
    assert two.disagreement.expected == pytest.approx(one.disagreement.expected, **close)
    assert two.n == one.n
    assert two.notes == one.notes
    for method in ("analytic", "jackknife"):
        assert two.standard_error(method=method) == pytest.approx(one.standard_error(method=method), **close)
        assert two.interval(method=method)[:2] == pytest.approx(one.interval(method=method)[:2], **close)
    error = {"method": "analytic", "cluster": "document"}
    assert two.standard_error(**error) == pytest.approx(one.standard_error(**error), **close)
    mine, theirs = (result.engine.item_influence()[result.engine.statistic.pattern] for result in (one, two))
    assert theirs == pytest.approx(mine, **close)
    for table in ("by_item", "by_pair", "by_annotator"):
        for column in set(getattr(one, table)().columns) - {"item", "annotator", "first", "second", "most common"}:
            assert getattr(two, table)()[column] == pytest.approx(getattr(one, table)()[column], nan_ok=True)


@each
def test_resamples_are_the_same_or_nearly_so(summed: Any, distance: Any) -> None:
    data = study(5, items=12)
    one, two = ia.alpha(data, distance=distance), summed(data, distance=distance)
    if distance in SUMMED:
        rng = np.random.default_rng(0)
        times = rng.integers(0, 3, len(data.items))
        values = []
        for result in (one, two):
            pattern = result.engine.statistic.pattern
            rows = np.bincount(pattern[pattern >= 0], weights=times[pattern >= 0], minlength=len(result.engine.times))
            weights = ia_many(rows)
            values.append(result.engine.values_of(result.engine.statistic.weighted(weights)))
        assert values[0] == pytest.approx(values[1])
        assert two.standard_error(method="bootstrap") == pytest.approx(one.standard_error(method="bootstrap"), rel=0.1)
        assert two.standard_error(method="jackknife", cluster="document") == pytest.approx(
            one.standard_error(method="jackknife", cluster="document")
        )
    else:  # pairs of items are counted to first order
        data = study(6, items=60)
        one, two = ia.alpha(data, distance=distance), summed(data, distance=distance)
        for how in ({"method": "bootstrap"}, {"method": "jackknife", "cluster": "document"}):
            assert two.standard_error(**how) == pytest.approx(one.standard_error(**how), rel=0.1)


def ia_many(row: np.ndarray) -> Any:
    from interagree.stats.engine.weights import Many

    return Many(row[None, :])


@each
def test_what_is_undefined_is_undefined_either_way(summed: Any, distance: Any) -> None:
    for rows in (
        [(1, "a", 0.3), (1, "b", 0.3), (2, "a", 0.3), (2, "b", 0.3)],
        [(1, "a", 0.1), (1, "b", 0.1), (1, "c", 0.1), (2, "a", 0.7)],
        [(1, "a", 0.1), (2, "a", 0.7)],
    ):
        data = ia.Annotations.of(rows, values=[0, 0.1, 0.3, 0.7])
        one, two = ia.alpha(data, distance=distance), summed(data, distance=distance)
        assert one.undefined is not None
        assert one.undefined == two.undefined
    # Without the second item one value is left, which the sums must notice although they only subtract.
    for value in (0.1, 1 / 3, 7.7):
        data = ia.Annotations.of([(i, w, value) for i in range(2) for w in "abc"] + [(9, w, 0.7) for w in "abc"])
        one, two = ia.alpha(data, distance=distance), summed(data, distance=distance)
        assert two.value == pytest.approx(one.value)
        data = ia.Annotations.of([(1, w, value) for w in "abc"] + [(9, w, 0.7) for w in "abc"])
        assert np.isnan(summed(data, distance=distance).engine.left_out()).all()


def test_ordinal_alpha_is_interval_alpha_of_mean_ranks() -> None:
    from scipy.stats import rankdata

    data = study(3, items=300, decimals=2)
    paired = data.sizes()[data.item] > 1
    values = np.array(data.values)[data.value]
    ranks = np.zeros(len(data))
    ranks[paired] = rankdata(values[paired])
    ranked = [(i, a, r) for (i, a, _), r, keep in zip(data.rows(), ranks, paired, strict=True) if keep]
    assert len(data.values) > module.MANY
    assert ia.alpha(data, distance="ordinal").value == pytest.approx(ia.alpha(ranked, distance="interval").value)


@pytest.mark.parametrize("distance", ["interval", "circular:period=100", "linear"])
@pytest.mark.parametrize("offset", [1e6, 1e9, -3e8])
def test_where_zero_is_does_not_matter(distance: str, offset: float) -> None:
    rng = np.random.default_rng(0)
    rows = [
        (i, w, float(v))
        for i, row in enumerate(rng.integers(0, 100, (60, 3)) + np.arange(60)[:, None])
        for w, v in zip("abc", row, strict=True)
    ]
    moved = [(i, w, v + offset) for i, w, v in rows]
    one, two = ia.alpha(rows, distance=distance), ia.alpha(moved, distance=distance)
    assert two.value == pytest.approx(one.value, abs=1e-9)
    for method in ("analytic", "jackknife"):
        assert two.standard_error(method=method) == pytest.approx(one.standard_error(method=method), rel=1e-7)


@pytest.mark.parametrize("distance", ["interval", "ordinal", "circular:period=24", "ratio"])
def test_a_hundred_thousand_distinct_numbers_take_little_memory(distance: str) -> None:
    rng = np.random.default_rng(0)
    items = 33_334
    numbers = rng.permutation(np.linspace(1, 1000, items))[:, None] + rng.normal(0, 0.01, (items, 3))
    data = ia.Annotations(
        np.repeat(np.arange(items), 3),
        np.tile(np.arange(3), items),
        np.argsort(np.argsort(numbers.reshape(-1))),
        range(items),
        ("a", "b", "c"),
        tuple(np.sort(numbers.reshape(-1)).tolist()),
    )
    assert len(data.values) == 3 * items
    tracemalloc.start()
    found = ia.alpha(data, distance=distance)
    assert found.value > 0.9
    assert 0 < found.standard_error() < 0.01
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200e6


@pytest.mark.parametrize("distance", ["interval", "ordinal", "ratio"])
def test_tables_by_item_and_annotator_need_no_table_of_values(distance: str) -> None:
    rng = np.random.default_rng(0)
    rows = [
        (i, w, float(v)) for i, row in enumerate(rng.random((2500, 3)) + 1) for w, v in zip("abc", row, strict=True)
    ]
    found = ia.alpha(rows, distance=distance)
    items = found.by_item()
    assert np.mean(items["disagreement"]) == pytest.approx(found.disagreement.observed)
    away = found.by_annotator()["distance from the rest"]
    assert np.mean(away) == pytest.approx(found.disagreement.observed)
