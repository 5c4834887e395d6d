"""Ratio distances summed in logarithms, against summing them one by one."""

from __future__ import annotations

import numpy as np
import pytest

from interagree.errors import KindError
from interagree.plugins import DISTANCES

RNG = np.random.default_rng(0)
SCALES = {
    "twelve decades": 10 ** RNG.uniform(-6, 6, 700),
    "a narrow band": 1e6 + RNG.random(400),
    "years": np.arange(1900.0, 2031),
    "with zero": np.r_[0, 10 ** RNG.uniform(-2, 2, 100)],
    "as far as numbers go": np.array([1e-300, 1e-10, 1, 3, 1e300]),
    "two close together": np.array([5, 5 * (1 + 1e-12)]),
    "on the ends of boxes": np.exp(np.arange(-3.0, 9)),
    "zero and one other": np.array([0.0, 3]),
    "zero alone": np.array([0.0]),
    "one alone": np.array([0.7]),
    "one octave": np.linspace(1, 2, 50),
}


@pytest.mark.parametrize("scale", SCALES)
def test_summed_ratio_distances_are_the_sums_of_the_distances(scale: str) -> None:
    where = np.unique(SCALES[scale])
    counts = RNG.integers(0, 9, len(where)).astype(float)
    far = DISTANCES["ratio"].among(where.tolist())
    found = DISTANCES["ratio"].potential(where, counts)
    assert found == pytest.approx(far @ counts, rel=1e-12, abs=0)


def test_a_negative_number_is_refused_either_way() -> None:
    for ask in (
        lambda: DISTANCES["ratio"](-1, 2),
        lambda: DISTANCES["ratio"].potential(np.array([-1.0, 2]), np.ones(2)),
    ):
        with pytest.raises(KindError, match="from 0 up, and -1 was given"):
            ask()


def test_the_ends_of_a_polar_scale_are_checked() -> None:
    for low, high in ((0, 5), (2, 9), (9, 0)):
        with pytest.raises(KindError, match="run from 1 to 7"):
            DISTANCES["polar"].with_(low=low, high=high).among([1, 3, 7])
    assert DISTANCES["polar"].with_(low=1, high=7)(1, 7) == 1
    with pytest.raises(KindError, match="above 0"):
        DISTANCES["circular"].with_(period=-1)(1, 2)


def test_far_from_zero_a_circle_is_still_a_circle() -> None:
    circular = DISTANCES["circular"].with_(period=24)
    where = 24.0 * 1e8 + np.array([0, 1, 7.5, 12, 23])
    points = circular.points(where.tolist())
    apart = ((points[:, None] - points[None]) ** 2).sum(-1)
    assert apart == pytest.approx(circular.among((where - where[0]).tolist()), abs=1e-12)


@pytest.mark.parametrize(
    ("where", "low", "high"),
    [
        (RNG.random(400), 0, 1),
        (np.r_[0, 1, RNG.random(100)], 0, 1),
        (np.r_[RNG.random(60) * 1e-9, 1 - RNG.random(60) * 1e-9], 0, 1),
        (np.arange(1.0, 8), 1, 7),
        (RNG.uniform(-50, 50, 300), -60, 70),
        (np.array([3.0]), 0, 9),
        (np.zeros(0), 0, 9),
    ],
)
def test_summed_polar_distances_are_the_sums_of_the_distances(where, low, high) -> None:
    where = np.unique(where)
    counts = RNG.integers(0, 9, len(where)).astype(float)
    polar = DISTANCES["polar"].with_(low=low, high=high)
    found = polar.potential(where, counts, low=low, high=high)
    assert found == pytest.approx(polar.among(where.tolist()) @ counts, rel=1e-11, abs=1e-12)
