"""Dynamic time warping against its recursion."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from interagree.distances import find
from interagree.errors import KindError
from interagree.kernels.series import warped
from interagree.plugins import KINDS

RNG = np.random.default_rng(9)


def slow(a: Any, b: Any, window: float = np.inf) -> float:
    reach = max(window, abs(len(a) - len(b)))

    @cache
    def cost(x: int, y: int) -> float:
        if x < 0 and y < 0:
            return 0.0
        if x < 0 or y < 0 or abs(x - y) > reach:
            return np.inf
        return abs(a[x] - b[y]) + min(cost(x - 1, y), cost(x, y - 1), cost(x - 1, y - 1))

    return cost(len(a) - 1, len(b) - 1)


def some(count: int) -> list[tuple[float, ...]]:
    return [tuple(RNG.integers(-5, 6, RNG.integers(1, 9)).tolist()) for _ in range(count)]


@pytest.mark.parametrize("window", [None, 0, 1, 3])
def test_warping_is_what_it_is_defined_as(window: int | None) -> None:
    values = some(25)
    distance = find("dtw") if window is None else find(f"dtw:window={window}")
    packed = KINDS["series"].packed(values)
    i, j = (place.ravel() for place in np.indices((25, 25)))
    found = distance.between(packed, i, j, **{**distance.defaults, **distance.given}).reshape(25, 25)
    expected = [[slow(a, b, np.inf if window is None else window) for b in values] for a in values]
    assert np.array_equal(found, expected)
    assert np.array_equal(found, found.T)
    assert not np.diag(found).any()


def test_the_compiled_loop_is_the_plain_one() -> None:
    values = [tuple(RNG.normal(size=RNG.integers(1, 40)).tolist()) for _ in range(12)]
    packed = KINDS["series"].packed(values)
    i, j = np.triu_indices(12)
    for window in (-1, 0, 4):
        plain = warped.plain(packed.start, packed.number, i, j, window)
        assert warped.fast(packed.start, packed.number, i, j, window) == pytest.approx(plain, rel=1e-12)


def test_the_same_course_at_another_pace_is_no_distance() -> None:
    assert find("dtw")((1, 2, 3), (1, 1, 2, 2, 2, 3)) == 0
    assert find("dtw")((0,), (2, 2)) == 4
    assert find("dtw:window=0")((1, 5, 2), (5, 2, 1)) == 4 + 3 + 1  # no stretching is left
    assert find("dtw:window=none")((1, 5, 2), (5, 2, 1)) == find("dtw")((1, 5, 2), (5, 2, 1))


def test_warping_breaks_the_triangle() -> None:
    table = find("dtw").among([(0, 0), (0, 0, 1), (0, 1, 1)])
    assert table[0, 2] > table[0, 1] + table[1, 2]


@pytest.mark.parametrize("window", [-1, 1.5, "wide"])
def test_a_window_is_a_number_of_places(window: Any) -> None:
    with pytest.raises(KindError, match="needs a window of 0, 1, 2"):
        find("dtw").with_(window=window)((1, 2), (1, 2, 3))
