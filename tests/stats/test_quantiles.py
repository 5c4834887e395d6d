"""The t and F distributions against SciPy, over wide grids."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special, stats

from interagree.stats.engine.quantiles import beta_share, f_quantile, f_tail, t_quantile, t_tail

DF = [1, 2, 2.5, 3, 7, 29, 99.5, 1e3, 1e5, 1e7, 1e9]
P = [1e-6, 0.001, 0.025, 0.3, 0.5, 0.51, 0.9, 0.975, 0.995, 0.99995, 1 - 1e-9]


@pytest.mark.parametrize("df", DF)
def test_quantiles_of_t_are_those_of_scipy(df: float) -> None:
    for p in P:
        assert t_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("df", DF)
def test_tails_of_t_are_those_of_scipy(df: float) -> None:
    for t in [0, 1e-8, 0.1, 1, 1.96, 3, 8, 25, 1e3, -2]:
        assert t_tail(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-7, abs=1e-300)


def test_without_end_of_freedom_t_is_normal() -> None:
    assert t_quantile(0.975, math.inf) == pytest.approx(1.959963984540054, rel=1e-12)
    assert t_tail(1.959963984540054, math.inf) == pytest.approx(0.05, rel=1e-12)


@pytest.mark.parametrize("df1", [1, 2, 5.5, 30, 1e4, 1e6])
@pytest.mark.parametrize("df2", [1, 2, 7.25, 60, 1e4, 1e6])
def test_quantiles_and_tails_of_f_are_those_of_scipy(df1: float, df2: float) -> None:
    for p in [0.001, 0.025, 0.5, 0.9, 0.975, 0.999]:
        assert f_quantile(p, df1, df2) == pytest.approx(stats.f.ppf(p, df1, df2), rel=1e-6)
    for f in [1e-3, 0.5, 1, 1.5, 4, 100]:
        assert f_tail(f, df1, df2) == pytest.approx(stats.f.sf(f, df1, df2), rel=1e-6, abs=1e-200)
    assert f_tail(0, df1, df2) == f_tail(-1, df1, df2) == 1


def test_the_incomplete_beta_function_is_that_of_scipy() -> None:
    for a in [0.5, 1, 3.3, 50, 1e4]:
        for b in [0.5, 1, 2.7, 80, 1e4]:
            for x in np.r_[0, 1e-10, np.linspace(0.01, 0.99, 23), 1 - 1e-10, 1]:
                assert beta_share(float(x), a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-8, abs=1e-290)
