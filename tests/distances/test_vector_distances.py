"""Distances of vectors: against their definitions, against SciPy, and their sums against brute force."""

from __future__ import annotations

import json
import math
import operator
from typing import Any

import numpy as np
import pytest
from scipy.spatial import distance as scipy_distance

from interagree.distances import find
from interagree.errors import KindError
from interagree.kernels import vectors as kernel
from interagree.plugins import DISTANCES
from interagree.stats.pairs.pair_distances import PairDistances

RNG = np.random.default_rng(5)


def _cosine(a: Any, b: Any) -> float:
    if not any(a) or not any(b):
        return float(any(a) != any(b))
    return 1 - sum(map(operator.mul, a, b)) / (math.hypot(*a) * math.hypot(*b))


TWINS: dict[str, Any] = {
    "hamming": lambda a, b: sum(x != y for x, y in zip(a, b, strict=True)) / len(a),
    "l1": lambda a, b: sum(abs(x - y) for x, y in zip(a, b, strict=True)),
    "euclidean": math.dist,
    "squared_euclidean": lambda a, b: sum((x - y) ** 2 for x, y in zip(a, b, strict=True)),
    "rmse": lambda a, b: math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) / len(a)),
    "chebyshev": lambda a, b: max(abs(x - y) for x, y in zip(a, b, strict=True)),
    "cosine": _cosine,
}
PEERS = {
    "hamming": "hamming",
    "l1": "cityblock",
    "euclidean": "euclidean",
    "squared_euclidean": "sqeuclidean",
    "chebyshev": "chebyshev",
    "cosine": "cosine",
}
SUMMED = sorted(name for name in TWINS if DISTANCES[name].potential is not None)
every = pytest.mark.parametrize("name", sorted(TWINS))


def some(count: int, width: int) -> list[tuple[float, ...]]:
    """Distinct vectors with ties, negative numbers and zeros, the first of zeros alone."""
    drawn = {tuple(RNG.integers(-3, 4, width).tolist()) for _ in range(count)}
    drawn |= {tuple(np.round(RNG.normal(size=width), 2).tolist()) for _ in range(count)}
    return [(0,) * width, *(vector for vector in drawn if any(vector))]


def pairs(count: int) -> tuple[Any, Any]:
    return tuple(place.ravel() for place in np.indices((count, count)))


@every
def test_a_vector_distance_is_what_it_is_defined_as(name: str) -> None:
    for width in (2, 3, 7):
        values = some(12, width)
        expected = [[TWINS[name](a, b) for b in values] for a in values]
        assert find(name).among(values) == pytest.approx(np.array(expected), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", sorted(PEERS))
def test_a_vector_distance_is_that_of_scipy(name: str) -> None:
    values = RNG.normal(size=(30, 5))
    expected = scipy_distance.cdist(values, values, PEERS[name])
    assert find(name).among(values.tolist()) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@every
def test_a_vector_distance_is_symmetric_zero_at_home_and_as_declared(name: str) -> None:
    distance = find(name)
    values = some(20, 3)
    i, j = pairs(len(values))
    ready = distance.prepared(np.array(values, dtype=float))
    table = distance.between(ready, i, j).reshape(len(values), -1)
    assert np.array_equal(table, table.T)
    assert not np.diag(table).any()
    assert (table >= 0).all()
    if distance.bounded:
        assert (table <= 1).all()
    if distance.metric:
        assert (table[:, None, :] <= table[:, :, None] + table[None, :, :] + 1e-12).all()


@pytest.mark.parametrize(
    ("name", "values"), [("squared_euclidean", [(0, 0), (1, 0), (2, 0)]), ("cosine", [(1, 0), (1, 1), (0, 1)])]
)
def test_what_is_not_called_metric_breaks_the_triangle(name: str, values: Any) -> None:
    table = find(name).among(values)
    assert not DISTANCES[name].metric
    assert table[0, 2] > table[0, 1] + table[1, 2]


@pytest.mark.parametrize("name", SUMMED)
def test_summed_vector_distances_are_the_sums_of_the_distances(name: str) -> None:
    for width in (2, 6):
        values = some(30, width)
        apart = PairDistances(find(name), values)
        for frequency in (RNG.integers(0, 5, len(values)).astype(float), np.zeros(len(values))):
            assert apart.potential(frequency) == pytest.approx(apart.table() @ frequency, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("name", SUMMED)
def test_summed_distances_of_like_vectors_are_not_below_zero(name: str) -> None:
    for values in ([(0.1, 0.2, 0.7)], [(1e9 + 0.1, 0.3), (1e9 + 0.1, 0.3 + 1e-13)], [(0.0, 0.0)]):
        found = PairDistances(find(name), values).potential(np.array([7.0, 3.0][: len(values)]))
        assert (found >= 0).all()
        assert len(values) > 1 or found == [0]


def test_a_common_offset_does_not_eat_the_digits_of_a_sum() -> None:
    near = RNG.normal(size=(40, 3)).round(3)
    frequency = RNG.integers(1, 5, 40).astype(float)
    expected = ((near[:, None] - near[None]) ** 2).sum(-1) @ frequency
    assert kernel.squares_to_all(near + 2.0**30, frequency) == pytest.approx(expected, rel=1e-6)


def test_cosine_looks_at_direction_alone() -> None:
    cosine = find("cosine")
    assert cosine((1, 2), (1e-200, 2e-200)) == 0
    assert cosine((1e200, 0), (-1e-3, 0)) == 2
    assert cosine((0, 0), (3, 4)) == 1
    ready = cosine.prepared(np.zeros((2, 2)))
    assert cosine.between(ready, np.array([0]), np.array([1])) == [0]


@every
def test_wide_vectors_are_gathered_in_parts(name: str, monkeypatch) -> None:
    values = RNG.integers(0, 3, (20, 9)).tolist()
    whole = find(name).among(values)
    for entries in (1, 30):
        monkeypatch.setattr(kernel, "ENTRIES", entries)
        assert np.array_equal(find(name).among(values), whole)


@every
def test_a_vector_distance_refuses_what_is_no_vector(name: str) -> None:
    with pytest.raises(KindError, match="one has 2 numbers and another 3"):
        find(name).among([(1, 2), (1, 2, 3)])
    with pytest.raises(KindError, match="'x' is not a finite number"):
        find(name).among([(1, 2), (1, "x")])


@pytest.mark.parametrize(("name", "alpha"), [("hamming", 0.1288), ("rmse", 0.2035)])
def test_real_vectors_agree_as_published(shared, name: str, alpha: float) -> None:
    # Braylan et al. (2022), Table 1, print 0.1277 and 0.2146 from a random sample of the pairs taken here.
    with (shared / "data" / "complex" / "vectors.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    item = np.array([row["item"] for row in rows])
    i, j = np.triu_indices(len(rows), 1)
    far = find(name).between(np.array([row["value"] for row in rows], dtype=float), i, j)
    same = item[i] == item[j]
    assert 1 - far[same].mean() / far[~same].mean() == pytest.approx(alpha, abs=1e-4)
