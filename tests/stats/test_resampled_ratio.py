"""The bootstrap of ratio and polar alpha with many distinct values."""

import numpy as np
import pytest

from interagree.data import Annotations
from interagree.measures.alpha import alpha
from interagree.stats.engine.measured import _draw
from interagree.stats.labels import moments


def study(items, seed=0):
    rng = np.random.default_rng(seed)
    table = np.round(rng.gamma(3, 10, (items, 1)) * np.exp(0.3 * rng.normal(size=(items, 3))), 3) + 0.001
    table /= table.max()
    return Annotations.of((i, "abc"[k], float(table[i, k])) for i in range(items) for k in range(3)), table


@pytest.mark.parametrize("distance", ["ratio", "polar:low=0,high=1"])
def test_each_resample_is_alpha_of_the_resampled_items(distance):
    data, table = study(15)
    result = alpha(data, distance=distance)
    found = result.engine.resampled(20, 4, None)
    rows = _draw(np.random.default_rng(4), np.ones(15), 20).astype(int)
    for times, value in zip(rows, found, strict=True):
        drawn = np.repeat(np.arange(15), times)
        again = Annotations.of((j, "abc"[k], float(table[i, k])) for j, i in enumerate(drawn) for k in range(3))
        assert value == pytest.approx(alpha(again, distance=distance).value)


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_it_has_the_interval_that_the_table_of_methods_lists(method):
    interval = alpha(study(40)[0], distance="ratio").interval(method=method, resamples=300)
    assert interval.method == method
    assert interval.low < interval.high


def test_with_very_many_values_chance_is_resampled_to_first_order(monkeypatch):
    data, _ = study(200)
    exact = alpha(data, distance="ratio").interval(method="bootstrap", resamples=400)
    monkeypatch.setattr(moments, "BLOCK", 1000)
    close = alpha(data, distance="ratio").interval(method="bootstrap", resamples=400)
    assert close.error != exact.error
    assert (close.low, close.high, close.error) == pytest.approx((exact.low, exact.high, exact.error), rel=0.03)
