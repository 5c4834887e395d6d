"""Random cuts: expectations over all of them, what they get, and the error where they are drawn."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.errors import KindError
from interagree.stats.documents.segment_chance import expected_edits


def cut(places: Any, length: int) -> list[int]:
    return [int(b - a) for a, b in itertools.pairwise([0, *sorted(places), length])]


def all_cuts(length: int, first: int, second: int) -> ia.Annotations:
    """One document for every way in which two annotators can put so many boundaries."""
    both = itertools.product(*(itertools.combinations(range(1, length), many) for many in (first, second)))
    rows = [
        (k, who, cut(places, length)) for k, pair in enumerate(both) for who, places in zip("ab", pair, strict=True)
    ]
    return ia.Annotations.of(rows, kind="segments")


def at_random(seed: int, documents: int, length: Any, rates: tuple[float, ...]) -> ia.Annotations:
    """Annotators who cut without looking, each as often as they like."""
    rng = np.random.default_rng(seed)
    rows = []
    for k in range(documents):
        long = length(rng)
        for who, rate in enumerate(rates):
            rows.append((k, who, cut(np.flatnonzero(rng.random(long - 1) < rate) + 1, long)))
    return ia.Annotations.of(rows, kind="segments")


@pytest.mark.parametrize("near", [1, 2])
@pytest.mark.parametrize(
    ("length", "first", "second"), [(6, 2, 2), (7, 3, 2), (8, 1, 4), (8, 3, 3), (7, 6, 2), (2, 1, 0), (9, 2, 5)]
)
def test_expected_edits_are_the_mean_over_all_cuts(length: int, first: int, second: int, near: int) -> None:
    data = all_cuts(length, first, second)
    details = ia.measures.boundary_similarity(data, near=near).details
    documents = len(data.items)
    cost, pairs = (
        float(one[0]) for one in expected_edits(*(np.array([float(n)]) for n in (first, second, length - 1)), near=near)
    )
    edits = details["alike"] + details["near misses"] + details["additions"]
    assert pairs == pytest.approx(edits / documents)
    assert cost == pytest.approx((details["additions"] + details["near misses"] / near) / documents)
    assert ia.measures.corrected_boundary_similarity(data, near=near).value == pytest.approx(0, abs=1e-12)


def test_what_is_drawn_agrees_with_the_mean_over_all_cuts() -> None:
    data = all_cuts(8, 3, 2)
    found = ia.measures.corrected_boundary_similarity(data, near=3, precision=0.004)
    error = found.details["error of the expected similarity"]
    assert 0 < error <= 0.004
    assert found.details["draws"] > 0
    assert found.details["expected under random cuts"] == pytest.approx(
        found.details["pooled similarity"], abs=4 * error
    )


def test_the_error_of_drawn_cuts_is_what_they_differ_by_from_seed_to_seed() -> None:
    values = [("x", (2, 5)), ("y", (4,)), ("z", (7,))]
    rows = [(k, who, {"boundaries": dict(values[k % 2 : 2 + k % 2]), "length": 12}) for k in range(40) for who in "ab"]
    data = ia.Annotations.of(rows, kind="segments")
    drawn = [
        ia.measures.corrected_boundary_similarity(data, precision=0.02, seed=seed, types="nominal").details
        for seed in range(30)
    ]
    spread = np.std([one["expected under random cuts"] for one in drawn], ddof=1)
    assert 0.6 < spread / np.mean([one["error of the expected similarity"] for one in drawn]) < 1.6


@pytest.mark.parametrize("rates", [(0.2, 0.2), (0.1, 0.5), (0.3, 0.2, 0.1)])
def test_random_cuts_get_nothing_and_kappa_says_what_it_gives_them(rates: tuple[float, ...]) -> None:
    values, kappas, told = [], [], []
    for seed in range(12):
        data = at_random(seed, 40, lambda rng: int(rng.integers(5, 60)), rates)
        values.append(ia.measures.corrected_boundary_similarity(data).value)
        kappa = ia.measures.boundary_kappa(data)
        kappas.append(kappa.value)
        random = kappa.details["agreement under random cuts"]
        expected = kappa.details["expected agreement (kappa)"]
        told.append((random - expected) / (1 - expected))
        assert any(f"would get {told[-1]:.2f}" in note for note in kappa.notes)
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert abs(np.mean(values)) < 4 * error
    assert np.mean(kappas) > 0.05
    assert np.mean(kappas) == pytest.approx(np.mean(told), abs=4 * error)


@pytest.mark.slow
@pytest.mark.parametrize("near", [1, 2, 3])
@pytest.mark.parametrize("rates", [(0.05, 0.05), (0.2, 0.2), (0.5, 0.5), (0.1, 0.5), (0.3, 0.2, 0.1)])
@pytest.mark.parametrize("longest", [10, 60, 300])
def test_random_cuts_get_nothing_in_many_studies(near: int, rates: tuple[float, ...], longest: int) -> None:
    values = [
        ia.measures.corrected_boundary_similarity(
            at_random(seed, 60, lambda rng: int(rng.integers(4, longest)), rates), near=near
        ).value
        for seed in range(60)
    ]
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert abs(np.mean(values)) < 4 * np.hypot(error, 0.002)
    assert abs(np.mean(values)) < 0.02


def test_equal_segmentations_agree_fully_and_full_ones_leave_nothing_to_chance() -> None:
    same = {"a": [[2, 3, 6], [5, 5]], "b": [[2, 3, 6], [5, 5]]}
    assert ia.measures.corrected_boundary_similarity(*same.values(), kind="segments").value == 1
    full = [("d", who, [1, 1, 1]) for who in "ab"]
    assert ia.measures.corrected_boundary_similarity(ia.Annotations.of(full, kind="segments")).undefined
    silent = [("d", who, [3]) for who in "ab"]
    found = ia.measures.corrected_boundary_similarity(ia.Annotations.of(silent, kind="segments"))
    assert "nobody put a boundary anywhere" in str(found.undefined)
    assert found.details == {}


@pytest.mark.parametrize("wrong", [{"precision": 0}, {"precision": "a"}, {"seed": -1}, {"seed": 2**70}])
def test_options_that_say_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(KindError):
        ia.measures.corrected_boundary_similarity([[2, 3]], [[2, 3]], kind="segments", **wrong)
