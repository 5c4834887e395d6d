"""Alpha, AUC, KS and sigma of pairs against their definitions, pair by pair in exact fractions.

Studies are tiny, random and full of trouble: missing annotations, items with one
annotation, annotators who judged an item twice.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree import reference
from interagree.distances import find
from interagree.errors import KindError
from interagree.measures.alpha import _on_pairs, alpha
from interagree.measures.auc import auc
from interagree.measures.ks import ks
from interagree.measures.sigma import sigma
from interagree.reference.labels import comparable
from interagree.reference.objects import distances, separation
from interagree.stats.engine.kernel_density import rarer_smoothed
from interagree.stats.pairs.braylan2022 import table_row
from interagree.stats.pairs.item_pairs import Pairs

Row = tuple[int, str, int]
Far = Callable[[Any, Any], float]
PRECISE = 1e-12


def nominal(a: Any, b: Any) -> float:
    return float(a != b)


def interval(a: Any, b: Any) -> float:
    return float((a - b) ** 2)


def steps(a: Any, b: Any) -> float:
    """A distance with atoms: far is far."""
    return float(min(abs(a - b), 2))


# Each distance as it is written here, and as the package is asked for it.
DISTANCES: list[tuple[Far, Any]] = [(nominal, "nominal"), (interval, "interval"), (steps, steps)]


def tiny(seed: int, *, repeats: bool) -> list[Row]:
    """A tiny study: item, annotator, value."""
    rng = random.Random(seed)
    people, gaps, faithful = "abcd"[: rng.choice([1, 2, 2, 3, 4])], rng.choice([0, 0.3, 0.6]), rng.random()
    rows: list[Row] = []
    for item in range(rng.choice([2, 3, 4, 5, 6])):
        truth = rng.randrange(5)
        for who in people:
            times = rng.choice([1, 1, 2, 3]) if repeats else 1
            rows += [
                (item, who, truth if rng.random() < faithful else rng.randrange(5))
                for _ in range(times)
                if rng.random() >= gaps
            ]
    return rows


def studies(*, repeats: bool) -> Iterator[tuple[list[Row], ia.Annotations]]:
    for seed in range(60):
        rows = tiny(seed, repeats=repeats)
        yield rows, ia.Annotations.of(rows, duplicates="keep" if repeats else "error")


def alpha_on_pairs(study: ia.Annotations, distance: Any) -> Any:
    result = _on_pairs(Pairs.of(study, find(distance), weighting="annotations"), ())
    return result.called_with({"distance": distance, "weights": None})


@pytest.mark.parametrize(("far", "asked"), DISTANCES)
@pytest.mark.parametrize("repeats", [False, True])
def test_alpha_is_its_definition(far: Far, asked: Any, *, repeats: bool) -> None:
    defined = 0
    for rows, study in studies(repeats=repeats):
        true, found = reference.alpha(rows, distance=far), alpha_on_pairs(study, asked)
        if true is None:
            assert found.undefined
            continue
        defined += 1
        assert found.value == pytest.approx(float(true), abs=PRECISE)
        if not repeats:
            assert found.value == pytest.approx(alpha(study, distance=asked).value, abs=PRECISE)
    assert defined > 30


@pytest.mark.parametrize(("far", "asked"), DISTANCES)
@pytest.mark.parametrize("repeats", [False, True])
def test_auc_ks_and_sigma_are_their_definitions(far: Far, asked: Any, *, repeats: bool) -> None:
    defined = 0
    for rows, study in studies(repeats=repeats):
        within, between = distances(rows, far)
        found = [auc(study, distance=asked), ks(study, distance=asked), sigma(study, distance=asked, p=0.3)]
        if not within or not any(between):
            assert all(one.undefined for one in found)
            continue
        defined += 1
        how = {"distance": far}
        true = [reference.auc(rows, **how), reference.ks(rows, **how), reference.sigma(rows, **how, p=0.3)]
        assert [one.value for one in found] == pytest.approx([float(one) for one in true], abs=PRECISE)
        for one in found:
            assert one.disagreement.observed == pytest.approx(float(sum(within) / len(within)))
            assert one.disagreement.expected == pytest.approx(float(sum(between) / len(between)))
    assert defined > 25


def test_an_annotation_counts_the_same_in_every_item_where_that_is_asked_for() -> None:
    for rows, study in studies(repeats=True):
        kept = comparable(rows)
        _, between = distances(rows, interval)
        if not kept or not any(between):
            continue
        value = weight = Fraction(0)
        for item in {row[0] for row in kept}:
            here = [row for row in kept if row[0] == item]
            pairs = [Fraction(interval(a[2], b[2])) for a, b in combinations(here, 2) if a[1] != b[1]]
            value += len(here) * separation(pairs, between)
            weight += len(here)
        found = auc(study, distance="interval", weighting="annotations")
        assert found.value == pytest.approx(float(value / weight), abs=PRECISE)


def test_items_with_one_annotation_count_nowhere() -> None:
    rows = [(item, who, (3 * item + place) % 7) for item in range(6) for place, who in enumerate("ab")]
    more = [*rows, *((100 + k, "a", 40 * k) for k in range(5))]
    for measure in (alpha_on_pairs, auc, ks, sigma):
        with_them, without = (measure(ia.Annotations.of(some), distance="interval") for some in (more, rows))
        assert with_them.value == pytest.approx(without.value)
        assert with_them.n == without.n
        assert "5 items with one annotation were left out" in with_them.notes


def test_repeated_judgements_are_told() -> None:
    rows = [(0, "a", 1), (0, "a", 2), (0, "b", 1), (1, "a", 3), (1, "b", 3), (2, "a", 1), (2, "a", 1)]
    found = auc(ia.Annotations.of(rows, duplicates="keep"), distance="interval")
    assert any("1 pair of one annotator's own repeated judgements left out" in note for note in found.notes)
    assert any("1 item annotated repeatedly by one annotator alone left out" in note for note in found.notes)


@pytest.mark.parametrize("measure", [auc, ks, sigma])
@pytest.mark.parametrize(
    "rows",
    [
        [],
        [(0, "a", 1), (1, "a", 2)],
        [(0, "a", 1), (1, "b", 2)],
        [(0, "a", 1), (0, "b", 2), (1, "a", 1)],
        [(item, who, 1) for item in range(3) for who in "ab"],
    ],
)
@pytest.mark.parametrize("options", [{}, {"threshold": "kde"}, {"compat": "braylan2022"}])
def test_where_there_is_nothing_to_compare_the_result_says_so(
    measure: Any, rows: list[Row], options: dict[str, Any]
) -> None:
    if (options and measure is auc) or ("threshold" in options and measure is ks):
        return
    found = measure(ia.Annotations.of(rows), distance=steps, **options)
    assert math.isnan(found.value)
    assert found.undefined
    assert found.interval() is None


# -- where the annotators differ ---------------------------------------------------------------------------------


def uneven(seed: int = 5, items: int = 25) -> ia.Annotations:
    """Items with 1 to 5 annotations by five annotators, some of whom judged an item twice."""
    rng = random.Random(seed)
    rows = []
    for item in range(items):
        truth = rng.randrange(12)
        for who in rng.sample("abcde", rng.randrange(1, 6)):
            rows += [(item, who, truth + rng.randrange(-2, 3)) for _ in range(rng.choice([1, 1, 1, 2]))]
    return ia.Annotations.of(rows, duplicates="keep")


@pytest.mark.parametrize("measure", [alpha_on_pairs, auc, ks, sigma])
def test_tables_average_to_the_coefficient(measure: Any) -> None:
    study = uneven()
    found = measure(study, distance=steps)
    rows = comparable(study.rows())
    size = {item: len([1 for row in rows if row[0] == item]) for item, _, _ in rows}
    pairs = {item: len([1 for a, b in combinations(rows, 2) if a[0] == b[0] == item and a[1] != b[1]]) for item in size}
    table = found.by_item()
    weights = [(size if measure is alpha_on_pairs else pairs)[item] for item in table["item"]]
    assert np.average(table["agreement"], weights=weights) == pytest.approx(found.value)
    assert np.average(table["disagreement"], weights=weights) == pytest.approx(found.disagreement.observed)
    if measure is alpha_on_pairs:
        return
    table = found.by_pair()
    times = [
        len([1 for a, b in combinations(rows, 2) if a[0] == b[0] and {a[1], b[1]} == {first, second}])
        for first, second in zip(table["first"], table["second"], strict=True)
    ]
    assert np.average(table["agreement"], weights=times) == pytest.approx(found.value)
    both = found.by_annotator()
    each = [
        sum(t for t, *pair in zip(times, table["first"], table["second"], strict=True) if who in pair)
        for who in both["annotator"]
    ]
    assert np.average(both["agreement with the rest"], weights=each) == pytest.approx(found.value)


def test_without_an_annotator_the_others_are_counted_again() -> None:
    study = uneven()
    rows = list(study.rows())
    found = alpha_on_pairs(study, steps)
    for who, value in zip(*(found.by_annotator()[name] for name in ("annotator", "left out")), strict=True):
        left = alpha_on_pairs(ia.Annotations.of([row for row in rows if row[1] != who], duplicates="keep"), steps)
        assert value == pytest.approx(1 - left.disagreement.observed / found.disagreement.expected)
    for measure in (auc, ks, sigma):
        found = measure(study, distance=steps)
        assert len(found.by_annotator()["left out"]) == 5
    within, between = distances(rows, steps)
    found = auc(study, distance=steps)
    assert found.value == pytest.approx(float(separation(within, between)))
    for who, value in zip(*(found.by_annotator()[name] for name in ("annotator", "left out")), strict=True):
        less = distances([row for row in rows if row[1] != who], steps)[0]
        assert value == pytest.approx(float(separation(less, between)))


# -- smoothing, and the numbers as they were published ---------------------------------------------------------------


def numbers(seed: int, items: int = 12, people: int = 3) -> ia.Annotations:
    rng = np.random.default_rng(seed)
    rows = [
        (item, who, float(truth + rng.normal()))
        for item, truth in enumerate(rng.normal(scale=2, size=items))
        for who in range(people)
    ]
    return ia.Annotations.of(rows)


def gaps(study: ia.Annotations) -> tuple[Any, Any]:
    rows = list(study.rows())
    inside = [abs(a[2] - b[2]) for a, b in combinations(rows, 2) if a[0] == b[0]]
    return np.array(inside), np.array([abs(a[2] - b[2]) for a, b in combinations(rows, 2) if a[0] != b[0]])


def test_the_smoothed_threshold_is_that_of_scipy(need: Any) -> None:
    stats = need("scipy.stats")
    for seed in range(5):
        study = numbers(seed)
        within, between = gaps(study)
        kernel = stats.gaussian_kde(between)
        share = np.array([kernel.integrate_box_1d(-np.inf, d) for d in within])
        for p in (0.05, 0.2, 0.5):
            found = sigma(study, distance=lambda a, b: abs(a - b), p=p, threshold="kde")
            assert found.value == pytest.approx((share < p).mean(), abs=PRECISE)


def test_resamples_are_smoothed_one_by_one() -> None:
    rng = np.random.default_rng(1)
    far, times = np.sort(rng.random(40)), rng.integers(1, 9, (7, 40)).astype(float)
    together = rarer_smoothed(far, times, 50.0, 0.2)
    alone = [rarer_smoothed(far, row, 50.0, 0.2) for row in times]
    assert (together == np.array(alone)).all()
    assert together.any()
    assert not together.all()


# With 340 items of 8 annotations there are 9,520 pairs, and with 360 more than the 10,000 at which the formula changes.
@pytest.mark.parametrize("items", [20, 340, 360])
def test_the_published_numbers_are_those_of_scipy(need: Any, items: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from interagree.stats.pairs import braylan2022

    stats = need("scipy.stats")
    study = numbers(items, items=items, people=8)
    pairs = Pairs.of(study, find(lambda a, b: abs(a - b)))
    kept: dict[str, Any] = {}
    real = braylan2022._ks
    monkeypatch.setattr(braylan2022, "_ks", lambda o, e: kept.update(observed=o, expected=e) or real(o, e))
    found = table_row(pairs, seed=3)
    observed, expected = kept["observed"], kept["expected"]
    assert len(observed) == len(expected) == items * 28
    chosen = np.random.default_rng(0).choice(len(observed), 40, replace=False)
    p = [stats.ks_2samp([observed[k]], expected, alternative="greater").pvalue for k in chosen]
    ours = [real(observed[k : k + 1], expected) for k in chosen]
    assert ours == pytest.approx([1 - one for one in p], abs=1e-9)
    kernel = stats.gaussian_kde(expected)
    mass = np.array([kernel.integrate_box_1d(0, observed[k]) for k in chosen])
    edge = observed[round(found.sigma * len(observed)) - 1]
    assert ((mass < 0.05) == (observed[chosen] <= edge)).all()
    assert kernel.integrate_box_1d(0, edge) < 0.05
    assert found.alpha == pytest.approx(1 - observed.mean() / expected.mean())


def test_the_published_form_draws_anew_from_each_seed_and_has_no_interval() -> None:
    study = numbers(0)
    first, again, other = (ks(study, distance="interval", seed=s, compat="braylan2022") for s in (0, 0, 1))
    assert first.value == again.value != other.value
    assert first.interval() is None
    assert any("Table 1" in note for note in first.notes)
    with pytest.raises(KindError, match="compat= takes 'braylan2022'"):
        ks(study, distance="interval", compat="other")
