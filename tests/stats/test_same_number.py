"""Measures that are one number on a study have one interval there, whatever they are called."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.plugins import MEASURES

QUADRATIC = {"weights": "quadratic"}
FAMILIES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "two annotators, own urns": [("cohen_kappa", {}), ("conger_kappa", {}), ("hubert_kappa", {})],
    "two annotators, own urns, squares": [("cohen_kappa", QUADRATIC), ("conger_kappa", QUADRATIC), ("lin_ccc", {})],
    "two annotators, one urn": [("scott_pi", {}), ("fleiss_kappa", {})],
    "two annotators, one urn, squares": [("scott_pi", QUADRATIC), ("fleiss_kappa", QUADRATIC)],
    "evenly": [("bennett_s", {}), ("randolph_kappa", {})],
    "guesses": [("ac1", {}), ("ac2", {"weights": "identity"})],
    "pairs": [("spa", {"weigh": "edges"}), ("spa", {"weigh": "annotations"})],
}


def ratings(seed: int) -> ia.Annotations:
    rng = np.random.default_rng(seed)
    items, values = int(rng.integers(6, 60)), int(rng.choice([2, 3, 5]))
    true = rng.integers(1, values + 1, items)
    cells = np.where(rng.random((items, 2)) < 0.6, true[:, None], rng.integers(1, values + 1, (items, 2)))
    return ia.Annotations.of({"ann": cells[:, 0].tolist(), "bo": cells[:, 1].tolist()}, values=range(1, values + 1))


@pytest.mark.parametrize("family", FAMILIES)
def test_one_number_has_one_interval(family: str) -> None:
    compared = 0
    for seed in range(12):
        results = [MEASURES[name](ratings(seed), **options) for name, options in FAMILIES[family]]
        for one, other in itertools.combinations(results, 2):
            if one.undefined or other.undefined:
                continue
            assert one.value == pytest.approx(other.value, abs=1e-12)
            assert one.interval()[:2] == pytest.approx(other.interval()[:2], abs=1e-9), (one, other)
            compared += 1
    assert compared >= 10
