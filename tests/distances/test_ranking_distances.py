"""Distances of rankings: against their definitions, against SciPy, and their sums against brute force."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

from interagree.distances import find
from interagree.distances import kendall as kendall_module
from interagree.errors import KindError
from interagree.kernels import rankings as kernel
from interagree.plugins import DISTANCES, KINDS
from interagree.stats.pairs.pair_distances import PairDistances

RNG = np.random.default_rng(11)


def laid_out(a: Any, b: Any, padding: int = 0) -> tuple[list[int], list[int]]:
    """The places of the ids of either list, and of more that are in none; those that are missing share the last."""
    ids = [*dict.fromkeys([*a, *b]), *(("none", k) for k in range(padding))]
    return tuple([ranking.index(x) if x in ranking else len(ranking) for x in ids] for ranking in (a, b))


def slow_tau(a: Any, b: Any, padding: int = 0) -> float:
    r, s = laid_out(a, b, padding)
    sign = [(np.sign(r[x] - r[y]), np.sign(s[x] - s[y])) for x, y in itertools.combinations(range(len(r)), 2)]
    scale = sum(u != 0 for u, _ in sign) * sum(v != 0 for _, v in sign)
    return 1 - sum(u * v for u, v in sign) / scale**0.5 if scale else 0.0


def slow_rho(a: Any, b: Any, padding: int = 0) -> float:
    return 1 - np.corrcoef(*map(stats.rankdata, laid_out(a, b, padding)))[0, 1]


def slow_footrule(a: Any, b: Any) -> float:
    end = max(len(a), len(b)) + 1
    ids = {*a, *b}

    def place(ranking: Any, x: Any) -> int:
        return ranking.index(x) + 1 if x in ranking else end

    most = sum(end - place(ranking, x) for ranking in (a, b) for x in ranking)
    return sum(abs(place(a, x) - place(b, x)) for x in ids) / most


def slow_rbo(a: Any, b: Any, p: float = 0.9) -> float:
    """Equation 32 of Webber, Moffat & Zobel (2010), term by term."""
    short, long = sorted((a, b), key=len)
    s, l = len(short), len(long)  # noqa: E741 - as in the paper
    x = [len({*short[:d]} & {*long[:d]}) for d in range(l + 1)]
    seen = sum(x[d] / d * p**d for d in range(1, l + 1))
    unseen = sum(x[s] * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    return 1 - ((1 - p) / p * (seen + unseen) + ((x[l] - x[s]) / l + x[s] / s) * p**l)


TWINS: dict[str, Any] = {
    "kendall": slow_tau,
    "kendall:padding=50": lambda a, b: slow_tau(a, b, 50),
    "kendall_at": lambda a, b: slow_tau(a[:5], b[:5]),
    "kendall_at:k=1": lambda a, b: slow_tau(a[:1], b[:1]),
    "kendall_at:k=3,padding=7": lambda a, b: slow_tau(a[:3], b[:3], 7),
    "spearman": slow_rho,
    "spearman:padding=50": lambda a, b: slow_rho(a, b, 50),
    "footrule": slow_footrule,
    "rbo": slow_rbo,
    "rbo:p=0.5": lambda a, b: slow_rbo(a, b, 0.5),
}


def full(count: int, width: int) -> list[tuple[int, ...]]:
    return sorted({tuple(RNG.permutation(width).tolist()) for _ in range(count)})


def partial(count: int) -> list[tuple[int, ...]]:
    """Lists of two to eight of twelve ids: some share all ids with another, some none."""
    drawn = {tuple(RNG.permutation(12)[: RNG.integers(2, 9)].tolist()) for _ in range(count)}
    return sorted(drawn | {(0, 1, 2), (2, 1, 0), (3, 4, 5), (0, 1)})


STUDIES = {"full": full(25, 6), "of two": [(0, 1), (1, 0)], "partial": partial(25), "long": full(6, 80)}
every = pytest.mark.parametrize("name", sorted(TWINS))
each = pytest.mark.parametrize("study", sorted(STUDIES))


@every
@each
def test_a_ranking_distance_is_what_it_is_defined_as(name: str, study: str) -> None:
    values = STUDIES[study]
    found = find(name).among(values)
    for (i, a), (j, b) in itertools.combinations(enumerate(values), 2):
        assert found[i, j] == pytest.approx(TWINS[name](a, b), rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("padding", [0, 50])
def test_tau_and_rho_are_those_of_scipy(padding: int) -> None:
    for values in (STUDIES["full"], STUDIES["partial"]):
        tau, rho = (find(name, padding=padding).among(values) for name in ("kendall", "spearman"))
        for (i, a), (j, b) in itertools.combinations(enumerate(values), 2):
            r, s = laid_out(a, b, padding)
            assert tau[i, j] == pytest.approx(1 - stats.kendalltau(r, s).statistic, abs=1e-12)
            assert rho[i, j] == pytest.approx(1 - stats.spearmanr(r, s).statistic, abs=1e-12)


@every
@each
def test_a_ranking_distance_is_symmetric_zero_at_home_and_as_declared(name: str, study: str) -> None:
    distance = find(name)
    values = STUDIES[study]
    i, j = (place.ravel() for place in np.indices((len(values), len(values))))
    ready = distance.prepared(KINDS["rankings"].packed(values))
    table = distance.between(ready, i, j, **{**distance.defaults, **distance.given}).reshape(len(values), -1)
    assert np.array_equal(table, table.T)
    assert not np.diag(table).any()
    assert (table >= 0).all()
    assert (table <= (1 if distance.bounded else 2)).all()
    equal_lengths = len({len(value) for value in values}) == 1
    if (equal_lengths and name.startswith(("footrule", "rbo"))) or (study != "partial" and name == "kendall"):
        assert (table[:, None, :] <= table[:, :, None] + table[None, :, :] + 1e-12).all()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("kendall", [(0, 1), (0, 1, 2), (1, 0)]),
        ("kendall_at", [(0, 1), (0, 1, 2), (1, 0)]),
        ("spearman", [(0, 1), (0, 1, 2), (1, 0)]),
        ("footrule", [(0, 1), (0, 2, 1), (2, 0)]),
        ("rbo", [(0, 1), (0, 1, 2), (1, 2)]),
    ],
)
def test_lists_of_unequal_length_break_the_triangle(name: str, values: Any) -> None:
    table = find(name).among(values)
    assert not DISTANCES[name].metric
    assert table[0, 2] > table[0, 1] + table[1, 2]


@pytest.mark.parametrize("name", ["kendall", "kendall:padding=3", "spearman", "spearman:padding=3"])
def test_summed_distances_of_full_rankings_are_the_sums_of_the_distances(name: str, monkeypatch) -> None:
    for values in (STUDIES["full"], STUDIES["long"], [(4, 2, 9)]):
        distance = find(name)
        frequency = RNG.integers(0, 5, len(values)).astype(float)
        ready = distance.prepared(KINDS["rankings"].packed(values))
        for block in (1 << 22, 10):
            monkeypatch.setattr(kernel, "BLOCK", block)
            found = distance.potential(ready, frequency, **{**distance.defaults, **distance.given})
            assert found == pytest.approx(distance.among(values) @ frequency, rel=1e-11, abs=1e-11)
            assert (found >= 0).all()


@pytest.mark.parametrize("name", ["kendall", "spearman"])
def test_partial_rankings_have_no_sum_without_pairs(name: str) -> None:
    distance = find(name)
    ready = distance.prepared(KINDS["rankings"].packed(STUDIES["partial"]))
    assert distance.potential(ready, np.ones(len(STUDIES["partial"])), padding=0) is None


def test_many_ids_are_compared_without_bits(monkeypatch) -> None:
    values = STUDIES["full"]
    kept = find("kendall:padding=2").among(values)
    monkeypatch.setattr(kernel, "BLOCK", 1)
    assert np.array_equal(find("kendall:padding=2").among(values), kept)
    monkeypatch.setattr(kendall_module, "MOST", 1)
    assert find("kendall:padding=2").among(values) == pytest.approx(kept, rel=1e-12, abs=1e-12)


@each
def test_the_compiled_loops_are_the_plain_ones(study: str) -> None:
    lists = KINDS["rankings"].packed(STUDIES[study])
    count = len(STUDIES[study])
    pairs = RNG.integers(0, count, (2, 200))
    here = (lists.start, lists.ids, lists.known, pairs)
    assert np.array_equal(kernel.shared_places.fast(*here), kernel.shared_places.plain(*here))
    for top in (1, 4, 100):
        assert np.array_equal(kernel.order_kept.fast(*here, top), kernel.order_kept.plain(*here, top))
    missing = kernel.overlap_missing.plain(*here, 0.9)
    assert kernel.overlap_missing.fast(*here, 0.9) == pytest.approx(missing, rel=1e-12, abs=1e-15)


def test_ends_of_the_scales() -> None:
    up, down, other = (1, 2, 3, 4), (4, 3, 2, 1), (5, 6, 7, 8)
    assert find("kendall")(up, down) == find("spearman")(up, down) == 2
    assert find("footrule")(up, down) == 8 / 20
    assert find("footrule")(up, other) == find("rbo")(up, other) == pytest.approx(1)
    assert find("rbo")(up, up[:2]) == 0
    assert find("kendall_at:k=1")((1, 2), (1, 3)) == 0
    assert find("kendall_at:k=1")((1, 2), (2, 1)) == 2
    assert find("kendall")(("x", "y", "z"), ("x", "z", "y")) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("kendall:padding=-1", "kendall distance needs a whole padding of at least 0, got -1"),
        ("spearman:padding=0.5", "spearman distance needs a whole padding of at least 0, got 0.5"),
        ("kendall_at:k=0", "kendall_at distance needs a whole k of at least 1, got 0"),
        ("kendall_at:padding=1.5", "kendall_at distance needs a whole padding"),
        ("rbo:p=1", "rbo distance needs a p between 0 and 1, both left out, got 1"),
    ],
)
def test_a_parameter_that_makes_no_sense_is_refused(name: str, message: str) -> None:
    with pytest.raises(KindError, match=message):
        find(name)((1, 2, 3), (2, 1, 3))


@pytest.mark.parametrize(
    ("name", "alpha"),
    [("kendall:padding=50", 0.4914), ("spearman:padding=50", 0.5419), ("kendall_at:padding=50", 0.2015)],
)
def test_real_rankings_agree_as_published(shared, name: str, alpha: float) -> None:
    # Braylan et al. (2022), Table 1, print 0.4915, 0.5413 and 0.2005 from a random sample of the pairs taken here.
    with (shared / "data" / "complex" / "rankings.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    values = [tuple(row["value"]) for row in rows]
    assert len(set(values)) == len(values)
    item = np.array([row["item"] for row in rows])
    i, j = np.triu_indices(len(rows), 1)
    far = PairDistances(find(name), values)(i, j)
    same = item[i] == item[j]
    assert 1 - far[same].mean() / far[~same].mean() == pytest.approx(alpha, abs=1e-4)
