"""Measures that are one number on all studies have one interval there, whatever they are called."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from interagree import Agreement, Annotations
from interagree.plugins import MEASURES

OF_LABELS = [name for name in MEASURES if MEASURES[name].facts.values in ("any", "numbers")]
COSTLY = {"ks", "sigma", "auc"}  # they compare distributions of distances, and are no other's number
WEIGHTED = [name for name in OF_LABELS if name.endswith(("kappa", "_pi", "_s")) and name != "augmented_kappa"]
CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in OF_LABELS if name not in COSTLY),
    *((name, {"weights": weights}) for name in [*WEIGHTED, "ac2", "percent"] for weights in ("quadratic", "identity")),
    *(
        ("spa", {"weigh": weigh, "corrected": corrected})
        for weigh in ("edges", "annotations")
        for corrected in (False, True)
    ),
    *(("icc", {"form": form}) for form in ("ICC(1,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")),
    *(("alpha", {"distance": distance}) for distance in ("nominal", "interval")),
]
# F has no published error: each item is left out, a made-up one as a whole, where others take the derivative.
WITHIN = {"f_score": 5e-3}
EXACT = 1e-9
STUDIES = 8


def ratings(seed: int, people: int, missing: float) -> Annotations:
    rng = np.random.default_rng(seed)
    items, values = int(rng.integers(8, 60)), int(rng.choice([2, 3, 5]))
    shape = (items, people)
    given = np.where(rng.random(shape) < 0.6, rng.integers(values, size=(items, 1)), rng.integers(values, size=shape))
    item, who = np.nonzero(rng.random(shape) >= missing)
    scale = range(1, values + 1)
    return Annotations.from_codes(item, who, given[item, who], range(items), "abcd"[:people], scale, values=scale)


def results(case: tuple[str, dict[str, Any]], studies: list[Annotations]) -> list[Agreement]:
    name, options = case
    if len(studies[0].annotators) > 2 and MEASURES[name].facts.annotators == "two":
        return []
    return [MEASURES[name](study, **options) for study in studies]


@pytest.mark.parametrize(("people", "missing", "least"), [(2, 0.0, 60), (2, 0.2, 40), (3, 0.0, 30), (4, 0.3, 10)])
def test_one_number_has_one_interval(people: int, missing: float, least: int) -> None:
    studies = [ratings(seed, people, missing) for seed in range(STUDIES)]
    found = [(case, results(case, studies)) for case in CASES]
    compared = 0
    for (one, left), (other, right) in itertools.combinations(found, 2):
        both = [(a, b) for a, b in zip(left, right, strict=False) if not a.undefined and not b.undefined]
        if len(both) < STUDIES - 2 or any(abs(a.value - b.value) > EXACT for a, b in both):
            continue
        within = max(WITHIN.get(one[0], EXACT), WITHIN.get(other[0], EXACT))
        for a, b in both:
            assert a.interval()[:2] == pytest.approx(b.interval()[:2], abs=within), (one, other)
        compared += 1
    assert compared >= least
