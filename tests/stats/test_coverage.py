"""How often 95 % intervals hold the true value, simulated where the true value is known.

``pytest -m slow -s tests/stats/test_coverage.py`` prints the table.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from interagree import Annotations
from interagree.plugins import MEASURES

MEASURED = ["alpha", "fleiss_kappa", "ac1", "cohen_kappa"]
METHODS = ["analytic", "jackknife", "bootstrap", "bca"]
SHARES = np.array([0.5, 0.3, 0.2])  # of three values
RIGHT = 0.7  # how often an annotator sees the truth; otherwise she draws from the shares
TIMES = 1000


def truth(name: str) -> float:
    """The coefficient of endlessly many items: agreement is 0.7² + (1 - 0.7²) times that of chance."""
    alike = RIGHT**2 + (1 - RIGHT**2) * (SHARES @ SHARES)
    chance = (SHARES @ (1 - SHARES)) / (len(SHARES) - 1) if name == "ac1" else SHARES @ SHARES
    return float((alike - chance) / (1 - chance))


def study(rng: np.random.Generator, items: int, people: int) -> Annotations:
    seen = rng.choice(3, size=items, p=SHARES)
    guess = rng.choice(3, size=(items, people), p=SHARES)
    value = np.where(rng.random(guess.shape) < RIGHT, seen[:, None], guess)
    return Annotations(
        np.repeat(np.arange(items), people),
        np.tile(np.arange(people), items),
        value.reshape(-1),
        range(items),
        tuple("abcde"[:people]),
        (0, 1, 2),
    )


@pytest.fixture(scope="module")
def shares(request: pytest.FixtureRequest) -> dict[tuple[str, int, str], float]:
    """How often each interval held the true value; also printed."""
    held: dict[tuple[str, int, str], float] = dict.fromkeys(product(MEASURED, (30, 100), METHODS), 0.0)
    for (name, items), seed in product(product(MEASURED, (30, 100)), range(TIMES)):
        people = 2 if name == "cohen_kappa" else 3
        result: Any = MEASURES[name](study(np.random.default_rng((seed, items)), items, people))
        for method in METHODS:
            interval = result.interval(method=method, resamples=1000, seed=seed)
            held[name, items, method] += (interval.low <= truth(name) <= interval.high) / TIMES
    lines = [f"{'':14}{'items':>6}" + "".join(f"{method:>11}" for method in METHODS)]
    for name, items in product(MEASURED, (30, 100)):
        lines.append(f"{name:14}{items:6}" + "".join(f"{held[name, items, method]:11.3f}" for method in METHODS))
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print("\n" + "\n".join(lines))  # noqa: T201
    return held


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.parametrize("items", [30, 100])
@pytest.mark.parametrize("method", METHODS)
def test_an_interval_holds_the_true_value_about_as_often_as_it_says(
    shares: dict[tuple[str, int, str], float], name: str, items: int, method: str
) -> None:
    assert 0.90 <= shares[name, items, method] <= 0.98


@pytest.mark.parametrize("name", MEASURED)
def test_the_true_value_is_that_of_very_many_items(name: str) -> None:
    found = MEASURES[name](study(np.random.default_rng(0), 200_000, 2 if name == "cohen_kappa" else 3))
    assert found.value == pytest.approx(truth(name), abs=0.006)
