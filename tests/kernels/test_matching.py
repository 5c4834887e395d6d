"""From the distance of two objects to that of two lists: against every possible pairing, and against SciPy."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from interagree.errors import KindError
from interagree.kernels import matching
from interagree.kernels.matching import laid_out, lift, reduced

RNG = np.random.default_rng(5)


@dataclass
class Points:
    """Lists of numbers; how far apart two of them are is their difference."""

    start: Any
    place: Any
    label: Any = None

    def single(self, x: Any, y: Any) -> Any:
        return np.abs(self.place[x] - self.place[y])


def made(lists: list[list[float]], labels: list[list[int]] | None = None) -> Points:
    start = np.cumsum([0, *map(len, lists)])
    label = None if labels is None else np.array([one for some in labels for one in some])
    return Points(start, np.array([one for some in lists for one in some], dtype=float), label)


def some_lists(count: int, most: int = 5, *, ties: bool = False) -> list[list[float]]:
    pick = (lambda n: RNG.integers(0, 5, n) / 4) if ties else RNG.random
    return [pick(RNG.integers(0, most + 1)).tolist() for _ in range(count)]


def apart(packed: Points, i: Any, j: Any, **how: Any) -> Any:
    how = {"matching": "optimal", "unmatched": 1.0, "labels": "strict", **how}
    return lift(packed, np.asarray(i), np.asarray(j), packed.single, **how)


def by_definition(a: list[float], b: list[float], matching: str, c: float) -> float:
    if not a or not b:
        return 0.0 if a == b else c
    if matching == "optimal":
        short, long = sorted([a, b], key=len)
        pairings = (
            sum(min(abs(p - q), c) for p, q in zip(short, chosen, strict=True))
            for chosen in permutations(long, len(short))
        )
        return (min(pairings) + c * (len(long) - len(short))) / len(long)
    forward = [min(abs(p - q) for q in b) for p in a]
    backward = [min(abs(p - q) for p in a) for q in b]
    if matching == "pooled":
        return sum(forward + backward) / (len(a) + len(b))
    return (sum(forward) / len(a) + sum(backward) / len(b)) / 2


@pytest.mark.parametrize("how", matching.WAYS)
@pytest.mark.parametrize("unmatched", [1.0, 0.3])
@pytest.mark.parametrize("ties", [False, True])
def test_lists_are_as_far_apart_as_the_definition_says(how: str, unmatched: float, *, ties: bool) -> None:
    lists = some_lists(30, ties=ties)
    i, j = np.triu_indices(30)
    found = apart(made(lists), i, j, matching=how, unmatched=unmatched)
    wanted = [by_definition(lists[a], lists[b], how, unmatched) for a, b in zip(i, j, strict=True)]
    assert found == pytest.approx(wanted, abs=1e-12)
    assert apart(made(lists), j, i, matching=how, unmatched=unmatched) == pytest.approx(found, abs=1e-12)
    assert (found[i == j] == 0).all()


@pytest.mark.parametrize("kernel", [reduced.plain, reduced.fast], ids=["plain", "compiled"])
def test_the_pairing_costs_what_scipy_finds(kernel: Any) -> None:
    for case in range(150):
        r, c = RNG.integers(1, 12, 2)
        table = RNG.random((r, c)) if case % 2 else RNG.integers(0, 6, (r, c)) / 4
        for cost in (1.0, 0.4):
            cut = np.minimum(table, cost)
            wanted = (cut[linear_sum_assignment(cut)].sum() + cost * abs(r - c)) / max(r, c)
            found = np.empty(1)
            kernel(table.ravel(), np.array([r]), np.array([c]), 0, cost, found)
            assert found[0] == pytest.approx(wanted, abs=1e-12)


def test_the_compiled_loops_do_as_the_plain_ones() -> None:
    rows, columns = RNG.integers(0, 6, 200), RNG.integers(0, 6, 200)
    total = int((rows * columns).sum())
    laid = [(np.empty(total, dtype=np.intp), np.empty(total, dtype=np.intp)) for _ in range(2)]
    first, second = RNG.integers(0, 99, 200), RNG.integers(0, 99, 200)
    for kernel, (x, y) in zip((laid_out.plain, laid_out.fast), laid, strict=True):
        kernel(first, second, rows, columns, x, y)
    assert (laid[0][0] == laid[1][0]).all()
    assert (laid[0][1] == laid[1][1]).all()
    table = RNG.random(total)
    for how in range(3):
        found = np.empty((2, 200))
        for k, kernel in enumerate((reduced.plain, reduced.fast)):
            kernel(table, rows, columns, how, 0.7, found[k])
        assert found[0] == pytest.approx(found[1], abs=1e-15)


def test_one_to_one_pairing_keeps_the_triangle_inequality() -> None:
    lists = some_lists(40)
    i, j = np.divmod(np.arange(1600), 40)
    for unmatched in (1.0, 0.2):
        far = apart(made(lists), i, j, unmatched=unmatched).reshape(40, 40)
        assert (far[:, None, :] <= far[:, :, None] + far[None, :, :] + 1e-12).all()


def test_empty_lists() -> None:
    packed = made([[], [], [0.5, 0.6]])
    for how in matching.WAYS:
        assert apart(packed, [0, 0, 2], [1, 2, 1], matching=how, unmatched=0.8).tolist() == [0, 0.8, 0.8]


def test_objects_of_different_labels_are_unmatched_apart() -> None:
    packed = made([[0.1, 0.2], [0.1, 0.2]], [[0, 1], [1, 0]])
    assert apart(packed, [0], [1], labels="strict") == pytest.approx([0.1])
    assert apart(packed, [0], [1], labels="ignore") == pytest.approx([0])
    assert apart(made([[0.1], [0.1]], [[0], [1]]), [0], [1], unmatched=0.9) == pytest.approx([0.9])


def test_lists_are_cut_into_parts_that_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = some_lists(25)
    i, j = np.triu_indices(25)
    whole = apart(made(lists), i, j)
    for at_once in (1, 7, 100):
        monkeypatch.setattr(matching, "AT_ONCE", at_once)
        assert (apart(made(lists), i, j) == whole).all()
    assert apart(made(lists), [], []).tolist() == []


def test_without_an_upper_limit_no_object_may_be_left_over() -> None:
    packed = made([[], [1.0, 7.0], [3.0]])
    assert apart(packed, [1], [2], matching="minima", unmatched=None) == pytest.approx([2.5])
    for how in matching.WAYS:
        with pytest.raises(KindError, match=r"a list of 0 and one of 2 objects .* as in 'l2:unmatched=500'"):
            apart(packed, [0], [1], matching=how, unmatched=None)
    with pytest.raises(KindError, match="a list of 2 and one of 1"):
        apart(packed, [1], [2], unmatched=None)
    assert apart(made([[1.0, 9.0], [8.0, 3.0]]), [0], [1], unmatched=None) == pytest.approx([1.5])
    with pytest.raises(KindError, match=r"different labels .* labels=ignore"):
        apart(made([[1.0], [2.0]], [[0], [1]]), [0], [1], unmatched=None)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"matching": "greedy"}, "'optimal', 'minima', 'pooled', and matching='greedy'"),
        ({"labels": "maybe"}, "'strict', 'ignore', and labels='maybe'"),
        ({"unmatched": 0.0}, r"costs something, and unmatched=0\.0"),
    ],
)
def test_what_cannot_be_asked_for_is_named(given: dict[str, Any], said: str) -> None:
    with pytest.raises(KindError, match=said):
        apart(made([[1.0], [2.0]]), [0], [1], **given)
