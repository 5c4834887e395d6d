"""How often the default interval of 95 % holds the true value, over a grid of studies whose true value is known.

``pytest -m slow tests/stats/test_coverage_grid.py`` also writes docs/files/coverage_grid.csv, which the docs show.
"""

from __future__ import annotations

import csv
import itertools
import math
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import interagree as ia
from interagree.plugins import MEASURES

FILE = Path(__file__).parents[2] / "docs" / "files" / "coverage_grid.csv"
TIMES = 400  # so that chance moves a share of 0.95 by 0.011
SHARES = ((0.5, 0.5), (0.7, 0.3), (0.9, 0.1), (0.95, 0.05), (0.5, 0.3, 0.2))
AGREEMENT = (0.2, 0.5, 0.75, 0.9, 0.98)  # chance-corrected
ITEMS = (20, 50, 150, 500)
PEOPLE = {"alpha": 3, "ac1": 3, "cohen_kappa": 2, "percent": 3}


class Setting(NamedTuple):
    """What is simulated."""

    what: str
    shares: str
    agreement: float
    units: int  # items, documents or annotators


class Held(NamedTuple):
    """How often the default interval and the published one held the true value, and how wide they were."""

    default: float
    published: float
    width: float
    published_width: float


class Drawn(NamedTuple):
    """A coefficient, and how its interval is asked for."""

    result: ia.Agreement
    options: dict[str, Any]


def study(values: Any, count: int) -> ia.Annotations:
    """Items × annotators of codes as a study."""
    items, people = values.shape
    item, who = np.divmod(np.arange(items * people), people)
    return ia.Annotations(item, who, values.reshape(-1), range(items), range(people), tuple(range(count)))


def copied(rng: np.random.Generator, shares: Any, skill: Any, items: int, people: int) -> Any:
    """Annotators who see the truth as often as ``skill`` says and otherwise draw from the shares."""
    count = len(shares)
    seen, drawn = rng.choice(count, size=(items, 1), p=shares), rng.choice(count, size=(items, people), p=shares)
    return np.where(rng.random((items, people)) < skill, seen, drawn)


@cache
def true_value(name: str, shares: tuple[float, ...], agreement: float) -> float:
    """The coefficient of endlessly many items: all patterns of values as often as they occur."""
    people, skill, p = PEOPLE[name], math.sqrt(agreement), np.array(shares)
    patterns = np.array(list(itertools.product(range(len(p)), repeat=people)))
    chance = sum(
        p[seen] * np.prod(skill * (patterns == seen) + (1 - skill) * p[patterns], axis=1) for seen in range(len(p))
    )
    times = np.round(np.asarray(chance) * 400_000).astype(int)
    return float(MEASURES[name](study(np.repeat(patterns, times, axis=0), len(p))))


def tokens(rng: np.random.Generator, documents: int, spread: float) -> ia.Annotations:
    """Labels of tokens in documents of unequal length, which annotators find easy or hard as a whole."""
    shares = np.array([0.8, 0.12, 0.08])
    lengths = np.maximum(3, np.round(np.exp(rng.normal(3, spread, documents)))).astype(int)
    document = np.repeat(np.arange(documents), lengths)
    values = copied(rng, shares, rng.beta(4.8, 1.2, documents)[document][:, None], len(document), 2)
    made = study(values, 3)
    return ia.Annotations.of(
        {
            "item": [str(item) for item in made.item.tolist()],
            "annotator": [str(who) for who in made.annotator.tolist()],
            "value": made.value.tolist(),
            "document": document[made.item].tolist(),
        }
    )


def spans(rng: np.random.Generator, documents: int, spread: float) -> ia.Annotations:
    """Spans of two annotators in documents that have few of them or many: equal, a little off, or missed by one."""
    rows = []
    for document in range(documents):
        count = max(1, round(math.exp(rng.normal(1.5, spread))))
        equal = float(np.clip(rng.normal(0.6, 0.12), 0.02, 0.98))
        marked: dict[str, list[dict[str, Any]]] = {"a": [], "b": []}
        for place, drawn in enumerate(rng.random(count).tolist()):
            span = {"start": 10 * place, "end": 10 * place + 5, "label": "x"}
            if drawn < equal + (1 - equal) * 0.75:
                marked["a"].append(span)
            if drawn < equal:
                marked["b"].append(span)
            elif drawn < equal + (1 - equal) / 2:
                marked["b"].append(span | {"start": 10 * place + 1})
            elif drawn >= equal + (1 - equal) * 0.75:
                marked["b"].append(span)
        rows += [(document, who, made) for who, made in marked.items()]
    return ia.Annotations.of(rows, kind="spans")


def people(rng: np.random.Generator, count: int, items: int) -> ia.Annotations:
    """Annotators who differ in skill."""
    return study(copied(rng, (0.5, 0.3, 0.2), rng.beta(8, 2, count), items, count), 3)


def labels_of(name: str, shares: tuple[float, ...], agreement: float, items: int) -> Callable[[Any], Drawn]:
    skill = math.sqrt(agreement)

    def draw(rng: np.random.Generator) -> Drawn:
        return Drawn(MEASURES[name](study(copied(rng, shares, skill, items, PEOPLE[name]), len(shares))), {})

    return draw


def settings() -> Iterator[tuple[Setting, float, Callable[[Any], Drawn]]]:
    """Every setting, its true value and how a study of it is drawn and measured."""
    for name, shares, agreement, items in itertools.product(PEOPLE, SHARES, AGREEMENT, ITEMS):
        written = " ".join(f"{share:g}" for share in shares)
        truth = true_value(name, shares, agreement)
        yield Setting(name, written, agreement, items), truth, labels_of(name, shares, agreement, items)
    rng = np.random.default_rng(7)
    for spread in (0.5, 1.2):
        truth = float(ia.alpha(tokens(rng, 10_000, 0.5)))
        f1 = float(ia.span_f1(spans(rng, 4_000, spread)))
        for count in (5, 10, 20, 50):
            yield (
                Setting("alpha of tokens by document", f"length e^{spread:g}", round(truth, 3), count),
                truth,
                lambda rng, n=count, s=spread: Drawn(ia.alpha(tokens(rng, n, s)), {"cluster": "document"}),
            )
            yield (
                Setting("span F1", f"spans e^{spread:g}", round(f1, 3), count),
                f1,
                lambda rng, n=count, s=spread: Drawn(ia.span_f1(spans(rng, n, s)), {}),
            )
    for measure, items, count in itertools.product((ia.alpha, ia.ac1, ia.spa), (50, 300), (4, 5, 10, 20)):
        truth = float(measure(people(np.random.default_rng(7), 400, 4_000)))
        yield (
            Setting(f"{measure.__name__} for other annotators too", f"{items} items", round(truth, 3), count),
            truth,
            lambda rng, m=measure, n=count, i=items: Drawn(m(people(rng, n, i)), {"random": "both"}),
        )


def coverage(setting: Setting, truth: float, draw: Callable[[Any], Drawn]) -> Held:
    """How often the intervals held the true value, of the studies that have a coefficient and an interval."""
    found: dict[str, list[tuple[bool, float]]] = {"auto": [], "analytic": []}
    for seed in range(TIMES):
        result, options = draw(np.random.default_rng((seed, zlib.crc32(repr(setting).encode()))))
        for method, rows in found.items():
            interval = result.interval(method=method, **options)  # type: ignore[arg-type]
            if interval is not None:
                rows.append((interval.low - 1e-9 <= truth <= interval.high + 1e-9, interval.high - interval.low))
    (default, width), (published, published_width) = (np.mean(rows, axis=0) for rows in found.values())
    return Held(float(default), float(published), float(width), float(published_width))


@pytest.fixture(scope="module")
def grid() -> dict[Setting, Held]:
    """The coverage in every setting; also written to the file that the docs show."""
    shares = {setting: coverage(setting, truth, draw) for setting, truth, draw in settings()}
    with FILE.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*Setting._fields, *Held._fields])
        for setting, held in shares.items():
            out.writerow([*setting, *(f"{number:.3f}" for number in held)])
    return shares


CHANCE = 0.028  # two and a half standard errors of the simulation


@pytest.mark.slow
def test_the_default_interval_holds_the_true_value_in_every_setting(grid: dict[Setting, Held]) -> None:
    low = {setting: held.default for setting, held in grid.items() if held.default < 0.93 - CHANCE}
    assert not {setting for setting in low if not few_rare_items(setting)}
    assert all(share > 0.85 for share in low.values())


def few_rare_items(setting: Setting) -> bool:
    """Whether one or two items decide everything: 20 with a rare value, or nearly perfect agreement."""
    return setting.units == 20 and (setting.agreement > 0.95 or min(map(float, setting.shares.split())) < 0.2)


@pytest.mark.slow
def test_it_is_not_much_wider_than_it_needs_to_be(grid: dict[Setting, Held]) -> None:
    assert 0.94 < float(np.median([held.default for held in grid.values()])) < 0.97
    many = [held for setting, held in grid.items() if setting.what in PEOPLE and setting.units == 500]
    assert float(np.mean([held.width / held.published_width for held in many])) < 1.1


@pytest.mark.parametrize("name", PEOPLE)
def test_the_default_interval_holds_rare_values_where_the_published_one_does_not(name: str) -> None:
    setting = Setting(name, "0.95 0.05", 0.75, 50)
    truth = true_value(name, (0.95, 0.05), 0.75)
    draw = labels_of(name, (0.95, 0.05), 0.75, 50)
    held = []
    for seed in range(60):
        interval = draw(np.random.default_rng((seed, 1))).result.interval()
        held.append(interval is None or interval.low <= truth <= interval.high)
    assert np.mean(held) > 0.88, setting  # the published one: 0.70


def test_the_page_shows_a_grid_of_every_setting() -> None:
    with FILE.open(encoding="utf-8", newline="") as file:
        shown = {(row["what"], row["shares"], row["agreement"], row["units"]) for row in csv.DictReader(file)}
    wanted = {
        (name, " ".join(f"{share:g}" for share in shares), str(agreement), str(items))
        for name, shares, agreement, items in itertools.product(PEOPLE, SHARES, AGREEMENT, ITEMS)
    }
    assert wanted <= shown
