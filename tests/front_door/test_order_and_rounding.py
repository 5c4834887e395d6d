"""What must not move a result: the order of rows, rounding, and numbers at the edge of what floats hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.stats.engine.compress import ranks

Row = tuple[Any, str, Any]


def ratings(seed: int = 0) -> list[Row]:
    rng = np.random.default_rng(seed)
    return [(f"i{k}", f"r{a}", int(rng.integers(1, 6) + k % 3)) for k in range(30) for a in range(3)]


def shuffled(rows: list[Row], seed: int) -> list[Row]:
    return [rows[k] for k in np.random.default_rng(seed).permutation(len(rows))]


# The order of rows


@pytest.mark.parametrize(
    "name", ["alpha", "conger_kappa", "light_kappa", "hubert_kappa", "icc", "kendall_w", "ks", "sigma", "auc", "spa"]
)
@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_the_order_of_rows_does_not_move_the_ends_of_a_bootstrap(name: str, method: Any) -> None:
    rows = ratings()
    measure = getattr(ia.measures, name)
    ends = []
    for seed in range(3):
        interval = measure(ia.Annotations.of(shuffled(rows, seed))).interval(method=method, resamples=300)
        ends.append([interval.low, interval.high])
    assert np.ptp(ends, axis=0).max() < 1e-9


def test_nor_do_they_move_with_groups_of_items() -> None:
    groups = {f"i{k}": f"g{k % 7}" for k in range(30)}
    ends = []
    for seed in range(3):
        rows = [{"item": i, "annotator": a, "value": v, "doc": groups[i]} for i, a, v in shuffled(ratings(), seed)]
        study = ia.Annotations.of(rows, attributes=["doc"])
        for measure in (ia.alpha, ia.conger_kappa):
            interval = measure(study).interval(method="bootstrap", cluster="doc", resamples=300)
            ends.append([interval.low, interval.high])
    assert np.ptp(ends[::2], axis=0).max() < 1e-9
    assert np.ptp(ends[1::2], axis=0).max() < 1e-9


def test_names_are_ranked_short_ones_first() -> None:
    assert ranks(["d10", "d9", "d1", 9, "9"]).tolist() == [4, 3, 2, 0, 1]
    assert ranks([]).tolist() == []


# Rounding


@pytest.mark.parametrize("method", ["auto", "jackknife", "bootstrap"])
@pytest.mark.parametrize("name", ["ac1", "alpha", "fleiss_kappa", "percent", "bennett_s", "auc", "spa", "van_oest"])
def test_an_error_that_is_all_rounding_is_zero_and_has_no_p_value(name: str, method: Any) -> None:
    study = ia.Annotations.of(
        [(f"i{k}", who, value) for k in range(60) for who, value in zip("xyz", "abc", strict=True)]
    )
    found = getattr(ia.measures, name)(study)
    error = found.standard_error(method=method)
    assert error == 0 or math.isnan(error)
    p = found.p_value(method=method)
    assert p is None or p == 1 or math.isnan(p)


# Numbers at the edge


@pytest.mark.parametrize("large", [1e308, -1e308, 1e200])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("alpha", {"distance": "interval"}),
        ("alpha", {"weights": "quadratic"}),
        ("conger_kappa", {"distance": "interval"}),
        ("fleiss_kappa", {"weights": "quadratic"}),
        ("percent", {"distance": "interval"}),
        ("ks", {"distance": "interval"}),
        ("sigma", {"distance": "interval"}),
        ("icc", {}),
    ],
)
def test_numbers_too_large_to_be_squared_leave_it_undefined_and_are_named(
    name: str, options: dict[str, Any], large: float
) -> None:
    rows = [(k, who, float(value)) for k, who, value in ratings()]
    rows[0] = (*rows[0][:2], large)
    found = getattr(ia.measures, name)(ia.Annotations.of(rows), **options)
    assert math.isnan(found.value)
    assert f"the values reach {abs(large):.3g}" in str(found.undefined)


def test_numbers_too_small_to_be_squared_are_named_too() -> None:
    rows = [(k, who, value * 1e-200) for k, who, value in ratings()]
    found = ia.alpha(ia.Annotations.of(rows), distance="interval")
    assert "multiply all values" in str(found.undefined)
    scaled = ia.alpha(ia.Annotations.of(ratings()), distance="interval")
    again = ia.alpha(ia.Annotations.of([(k, who, value * 1e-100) for k, who, value in ratings()]), distance="interval")
    assert again.value == pytest.approx(scaled.value)


def test_large_numbers_that_are_compared_as_labels_or_all_the_same_are_as_before() -> None:
    rows = [(k, who, 1e308 if value > 3 else 1.0) for k, who, value in ratings()]
    assert math.isfinite(ia.alpha(ia.Annotations.of(rows), distance="nominal").value)
    same = ia.alpha(ia.Annotations.of([(k, who, 1e308) for k, who, _ in rows]), distance="interval")
    assert "same value" in str(same.undefined)
