"""Studies made at random for every measure there is, with what can go wrong in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from interagree import Annotations
from interagree.plugins import KINDS, MEASURES
from interagree.stats.documents import segment_chance, span_chance, unit_chance

PEOPLE = "abcdefgh"

# Each measure as it is called without options, and further ways to call it that take another path.
FURTHER: list[tuple[str, dict[str, Any]]] = [
    *(("alpha", {"distance": d}) for d in ("interval", "ordinal", "ratio", "circular:period=6", "polar:low=0,high=6")),
    ("alpha", {"weights": "radical"}),
    ("percent", {"weights": "linear"}),
    ("fleiss_kappa", {"weights": "quadratic"}),
    ("fleiss_kappa", {"distance": "ordinal"}),
    ("conger_kappa", {"weights": "ratio"}),
    ("conger_kappa", {"distance": "ordinal"}),
    ("bennett_s", {"distance": "ordinal"}),
    ("ac2", {"distance": "ordinal"}),
    ("ac2", {"weights": "ordinal"}),
    ("cohen_kappa", {"weights": "linear"}),
    ("cohen_kappa", {"missing": "gwet"}),
    ("cohen_kappa", {"missing": "category"}),
    ("scott_pi", {"weights": "bipolar"}),
    ("light_kappa", {"weights": "quadratic"}),
    ("light_kappa", {"distance": "ordinal"}),
    ("van_oest", {"prior": 0.0}),
    ("van_oest", {"weights": "quadratic", "prior": 3.0}),
    ("augmented_kappa", {"p": 0.8}),
    ("f_score", {"average": "macro"}),
    ("f_score", {"annotator": "b", "against": "a", "beta": 2.0}),
    ("f_score", {"annotator": "b", "against": "a", "average": "macro"}),
    ("f_score", {"positive": 2}),
    *(("icc", {"form": form}) for form in ("ICC(1,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")),
]
CASES = [*((name, {}) for name in MEASURES), *FURTHER]

# Means over pairs of annotations, with chance that of the whole study whatever part of it is looked at; copies of one
# item are not paired with each other, and what is resampled is counted to first order.  tests/stats/test_pairs.py
# holds them to their own definitions.
OF_PAIRS = {name for name in MEASURES if MEASURES[name].facts.chance == "annotations of different items"}


# Each document is aligned once for each draw of chance, in a time that grows with the power of its annotators: their
# studies have three of them and few items, where these are drawn at random.
ALIGNED = frozenset(("gamma", "gamma_cat"))


@pytest.fixture(scope="module", autouse=True)
def few_draws() -> Iterator[None]:
    """Few draws of chance for measures that sample it: what holds of every measure holds with any number of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unit_chance, "START", 4)
        patch.setattr(unit_chance, "MOST", 4)
        patch.setattr(segment_chance, "ROUNDS", 1)  # always as many, whatever the study
        patch.setattr(span_chance, "MOST", 3)  # always as many, whatever the study: no error is known of so few
        yield


def named(case: tuple[str, dict[str, Any]]) -> str:
    name, options = case
    return " ".join([name, *(f"{key}={value}" for key, value in options.items())])


def values_for(name: str) -> list[Any]:
    """Values that a measure takes: the examples of their kind."""
    taken = MEASURES[name].facts.values
    return [*KINDS[{"any": "ordered", "pairs": "tuples"}.get(taken, taken)].examples]


def people_for(name: str) -> str:
    if name in ALIGNED:
        return PEOPLE[:3]
    return PEOPLE[:2] if MEASURES[name].facts.annotators == "two" else PEOPLE[:4]


def rows_for(
    name: str, rng: np.random.Generator, items: int = 8, gaps: float | None = None, faithful: float = 0.6
) -> list[tuple[str, str, Any]]:
    """Annotations of some items; complete ones mostly where a measure leaves out the others."""
    values, people = values_for(name), people_for(name)
    if gaps is None:
        gaps = 0.05 if MEASURES[name].facts.complete else 0.25
    truth = rng.integers(len(values), size=items)
    guess = rng.integers(len(values), size=(items, len(people)))
    right, there = rng.random(guess.shape) < faithful, rng.random(guess.shape) >= gaps
    there[:3] = True  # some are complete
    return [
        (f"item {i}", people[a], values[truth[i] if right[i, a] else guess[i, a]])
        for i, a in zip(*np.nonzero(there), strict=True)
    ]


def study_for(name: str, rng: np.random.Generator, **how: Any) -> Annotations:
    return Annotations.of(rows_for(name, rng, **how), values=values_for(name))


def repeated(study: Annotations, times: Iterator[int] | list[int]) -> Annotations:
    """The study with each item as often as ``times`` says."""
    often = dict(zip(study.items, times, strict=True))
    rows = [((i, copy), a, v) for i, a, v in study.rows() for copy in range(often[i])]
    return Annotations.of(rows, values=list(study.values), ordered=study.ordered)
