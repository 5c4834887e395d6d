"""How often the 95 % intervals of SPA hold the true value, simulated where it is known.

``pytest -m slow tests/measures/test_spa_coverage.py`` also writes docs/files/spa_coverage.csv.
"""

from __future__ import annotations

import csv
import math
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import interagree as ia

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "files" / "spa_coverage.csv"
PAGE = ROOT / "docs" / "explain" / "spa.md"
TIMES = 2000  # so that chance moves a share of 0.95 by 0.005
SIZES = (2, 3, 4, 6, 10)  # annotations of an item, each as likely


class Setting(NamedTuple):
    """What is simulated: for ``annotators`` 0, items alone are random."""

    truth: float
    items: int
    annotators: int
    annotations: str
    weigh: str


ITEMS = [
    Setting(truth, items, 0, "2 to 10", weigh)
    for truth, items, weigh in product((0.36, 0.73, 0.985), (10, 30, 100, 400), ("flat", "annotations_m1", "edges"))
]
PEOPLE = [
    Setting(0.73, items, annotators, str(n), "flat")
    for annotators, n, items in ((5, 5, 200), (8, 3, 2000), (10, 2, 500), (10, 3, 500), (20, 5, 500), (30, 3, 500))
] + [Setting(0.73, 500, 200, "3", "flat")]


def of_items(rng: np.random.Generator, setting: Setting) -> ia.Annotations:
    """Items whose shares of three values are drawn from a Dirichlet distribution with the true agreement."""
    together = (1 - setting.truth) / (setting.truth - 1 / 3)
    gamma = np.maximum(rng.standard_gamma(together / 3, size=(setting.items, 3)), 1e-300)
    p = gamma / gamma.sum(axis=1, keepdims=True)
    return ia.Annotations.from_counts(rng.multinomial(rng.choice(SIZES, size=setting.items), p))


def of_people(rng: np.random.Generator, setting: Setting) -> ia.Annotations:
    """Annotators who see the truth, one of three values, each with a probability of her own, and guess otherwise."""
    mean = math.sqrt((setting.truth - 1 / 3) / (1 - 1 / 3))
    skill = rng.beta(12 * mean, 12 * (1 - mean), size=setting.annotators)
    n = int(setting.annotations)
    who = np.argsort(rng.random((setting.items, setting.annotators)), axis=1)[:, :n]
    value = np.where(
        rng.random(who.shape) < skill[who], rng.integers(3, size=(setting.items, 1)), rng.integers(3, size=who.shape)
    )
    item = np.repeat(np.arange(setting.items), n)
    names = range(setting.items), range(setting.annotators)
    return ia.Annotations(item, who.reshape(-1), value.reshape(-1), *names, (0, 1, 2))


def covered(setting: Setting) -> dict[str, float]:
    """How often each interval held the true value."""
    held: dict[str, float] = {"items": 0.0} | ({"both": 0.0} if setting.annotators else {})
    for seed in range(TIMES):
        rng = np.random.default_rng((seed, setting.items, setting.annotators))
        found = ia.spa((of_people if setting.annotators else of_items)(rng, setting), weigh=setting.weigh)
        for random in held:
            interval: Any = found.interval(random=random)
            held[random] += (interval.low <= setting.truth <= interval.high) / TIMES
    return held


@pytest.fixture(scope="module")
def shares() -> dict[Setting, dict[str, float]]:
    """The coverage in every setting; also written to the file that the docs show."""
    found = {setting: covered(setting) for setting in [*ITEMS, *PEOPLE]}
    with FILE.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["true SPA", "items", "annotators", "annotations", "weigh", "other items", "other annotators too"])
        for setting, held in found.items():
            people = setting.annotators or ""
            both = f"{held['both']:.3f}" if "both" in held else ""
            out.writerow([*setting[:2], people, *setting[3:], f"{held['items']:.3f}", both])
    return found


CHANCE = 0.01  # two standard errors of the simulation


@pytest.mark.slow
@pytest.mark.parametrize("setting", ITEMS, ids=str)
def test_an_interval_for_other_items_holds_the_true_value(shares: Any, setting: Setting) -> None:
    assert 0.92 - CHANCE <= shares[setting]["items"] <= 0.99 + CHANCE


@pytest.mark.slow
@pytest.mark.parametrize("setting", PEOPLE, ids=str)
def test_an_interval_for_other_annotators_holds_the_true_value(shares: Any, setting: Setting) -> None:
    assert 0.93 - CHANCE <= shares[setting]["both"] <= 0.98 + CHANCE


@pytest.mark.slow
def test_an_interval_for_other_items_is_too_narrow_for_other_annotators(shares: Any) -> None:
    assert min(shares[setting]["items"] for setting in PEOPLE) < 0.6


@pytest.mark.parametrize("setting", [ITEMS[4], PEOPLE[4]], ids=str)
def test_the_true_value_is_that_of_very_many_items_and_annotators(setting: Setting) -> None:
    many = setting._replace(items=100_000, annotators=2_000 if setting.annotators else 0, annotations="2")
    if setting.annotators:
        many = many._replace(items=20_000)
    rng = np.random.default_rng(0)
    found = ia.spa((of_people if setting.annotators else of_items)(rng, many))
    assert found.value == pytest.approx(setting.truth, abs=0.012)


def test_the_page_shows_the_table_that_was_written() -> None:
    with FILE.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    page = PAGE.read_text(encoding="utf-8")
    assert len(table) == len(ITEMS) + len(PEOPLE)
    cells = {(row["true SPA"], row["items"], row["annotators"], row["weigh"], row["annotations"]): row for row in table}
    for truth, items in product(("0.36", "0.73", "0.985"), ("10", "30", "100", "400")):
        held = [
            cells[truth, items, "", weigh, "2 to 10"]["other items"] for weigh in ("flat", "annotations_m1", "edges")
        ]
        assert f"| {truth} | {items} | {' | '.join(held)} |" in page
    for row in table[len(ITEMS) :]:
        line = [row[name] for name in ("annotators", "annotations", "items", "other items", "other annotators too")]
        assert f"| {' | '.join(line)} |" in page
