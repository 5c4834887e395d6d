"""Intraclass correlations where not every annotator gave every item one number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import interagree as ia
from interagree.distances import on_values
from interagree.stats.labels.crossed import Annotating, Crossed, variances

FORMS = ["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]
ANNOTATING: dict[str, Annotating] = {"1": "one-way", "2": "random", "3": "fixed"}
SHROUT = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
Cells = list[tuple[int, Any, float]]


def study(cells: Cells, **how: Any) -> ia.Annotations:
    return ia.Annotations.of([{"item": i, "annotator": str(a), "value": value} for i, a, value in cells], **how)


def drawn(
    seed: int, items: int, people: int, missing: float, *, bias: float = 0.7, each: int = 0, error: float = 1.0
) -> Cells:
    """Numbers of items by a sample of annotators, with gaps or ``each`` annotators for every item."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(items, 1)) + bias * rng.normal(size=people) + error * rng.normal(size=(items, people))
    there = rng.random((items, people)).argsort(axis=1) < each if each else rng.random((items, people)) >= missing
    return [(int(i), int(a), round(float(table[i, a]), 3)) for i, a in zip(*np.nonzero(there), strict=True)]


def by_matrices(cells: Cells, annotating: Annotating) -> tuple[float, float, float]:
    """The variances of items, annotators and the rest that maximise the restricted likelihood, with full matrices."""
    y = np.array([value for *_, value in cells])
    item, who = (np.unique([cell[side] for cell in cells], return_inverse=True)[1] for side in (0, 1))
    of_item, by = np.eye(item.max() + 1)[item], np.eye(who.max() + 1)[who]
    fixed = by if annotating == "fixed" else np.ones((len(y), 1))

    def criterion(parts: np.ndarray) -> float:
        covariance = parts[0] * of_item @ of_item.T + parts[2] * np.eye(len(y))
        if annotating == "random":
            covariance += parts[1] * by @ by.T
        eigenvalues = np.linalg.eigvalsh(covariance)
        if eigenvalues.min() < 1e-9:
            return 1e9
        inverse = np.linalg.inv(covariance)
        normal = fixed.T @ inverse @ fixed
        left = y - fixed @ np.linalg.solve(normal, fixed.T @ inverse @ y)
        return float(np.log(eigenvalues).sum() + np.linalg.slogdet(normal)[1] + left @ inverse @ left)

    how = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 9000, "maxfev": 9000}
    starts = np.array([[0.5, 0.5, 1], [2, 0.1, 0.5], [0.01, 0.01, 1]]) * y.var()
    found = [minimize(criterion, start, method="Nelder-Mead", options=how) for start in starts]
    items, people, rest = min(found, key=lambda one: one.fun).x
    return items, people if annotating == "random" else 0.0, rest


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", [0, 3])
def test_the_variances_are_those_of_the_likelihood_with_full_matrices(form: str, seed: int) -> None:
    cells = drawn(seed, 9, 4, 0.35)
    items, people, rest = by_matrices(cells, ANNOTATING[form[4]])
    sizes = np.unique([i for i, *_ in cells], return_counts=True)[1]
    k = len(sizes) / (1 / sizes).sum() if form.endswith("k)") else 1.0
    found = ia.icc(study(cells), form=form)
    assert found.value == pytest.approx(items / (items + (people + rest) / k), abs=2e-6)
    assert found.details["variance_items"] == pytest.approx(items, rel=1e-5)
    assert found.n.annotations == len(cells)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("table", [SHROUT, np.random.default_rng(2).integers(0, 9, (7, 3)).tolist()], ids=["SF", "low"])
def test_of_a_full_table_they_are_what_the_mean_squares_say(form: str, table: list[list[float]]) -> None:
    full = study([(i, a, value) for i, row in enumerate(table) for a, value in enumerate(row)])
    v = variances(Crossed.of(full, on_values("interval", None), ANNOTATING[form[4]], title=""))
    k = v.annotations if form.endswith("k)") else 1.0
    known = ia.icc(full, form=form)
    if known.undefined is None:
        assert v.items / (v.items + (v.annotators + v.left) / k) == pytest.approx(known.value, abs=1e-10)


def test_items_with_annotators_of_their_own_have_the_first_form_of_shrout_and_fleiss() -> None:
    own = study([(i, f"{i} {a}", value) for i, row in enumerate(SHROUT) for a, value in enumerate(row)])
    full = study([(i, a, value) for i, row in enumerate(SHROUT) for a, value in enumerate(row)])
    for form, printed in (("ICC(1,1)", 0.17), ("ICC(1,k)", 0.44)):
        found, named = ia.icc(own, form=form), ia.icc(full, form=form)
        assert found.value == pytest.approx(printed, abs=0.005)
        assert found.value == pytest.approx(named.value, abs=1e-10)
        assert found.interval()[:2] == pytest.approx(named.interval()[:2], abs=1e-6)
    for form in ("ICC(2,1)", "ICC(3,1)"):
        assert "no annotator annotated two items" in ia.icc(own, form=form).undefined


@pytest.mark.parametrize("form", FORMS)
def test_repeated_judgements_add_how_far_they_differ(form: str) -> None:
    rng = np.random.default_rng(1)
    n, k, m = 12, 3, 2
    table = (rng.normal(size=(n, 1, 1)) + rng.normal(size=(n, k, 1)) + 0.5 * rng.normal(size=(n, k, m))).round(3)
    cells = [(i, a, float(value)) for i in range(n) for a in range(k) for value in table[i, a]]
    mean = table.mean(axis=2)
    own = mean - mean.mean(axis=1, keepdims=True)
    own_bias = mean.mean(axis=0) - mean.mean()
    pure = ((table - mean[:, :, None]) ** 2).sum() / (n * k * (m - 1))
    between = k * mean.mean(axis=1).var(ddof=1)
    bias, left = 0.0, (own**2).sum() / (n * (k - 1))
    if form[4] != "1":
        left = ((own - own_bias) ** 2).sum() / ((n - 1) * (k - 1))
        bias = (n * (own_bias**2).sum() / (k - 1) - left) / n if form[4] == "2" else 0.0
    items, error = (between - left) / k, bias + left + pure * (1 - 1 / m)
    expected = items / (items + error / (k if form.endswith("k)") else 1))
    assert ia.icc(study(cells, duplicates="keep"), form=form).value == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("each", [0, 3])
def test_the_error_is_that_of_moving_each_item(form: str, each: int) -> None:
    cells = drawn(5, 40, 12 if each else 5, 0.3, each=each)
    engine = ia.icc(study(cells), form=form).engine
    influence = engine.influence()
    towards = 1e-5 * (40 * np.eye(40)[:4] - 1)
    moved = engine.revalued(1 + np.vstack([towards, -towards]))
    assert influence[:4] == pytest.approx((moved[:4] - moved[4:]) / 2e-5, rel=1e-4, abs=1e-4)
    left = engine.left_out()
    without = ia.icc(study([cell for cell in cells if cell[0] != 7]), form=form)
    assert left[7] == pytest.approx(without.value, abs=1e-8)


@pytest.mark.parametrize("form", FORMS)
def test_all_annotations_tell_more_than_complete_items(form: str) -> None:
    values, complete = [], []
    for seed in range(30):
        cells = drawn(seed, 60, 6, 0.3, bias=0.0)
        values.append(ia.icc(study(cells), form=form).value)
        sizes = {i: sum(cell[0] == i for cell in cells) for i in range(60)}
        whole = ia.icc(study([cell for cell in cells if sizes[cell[0]] == 6]), form=form)
        complete.append(whole.value)
    truth = 0.5 if form.endswith("1)") else 0.8  # the harmonic mean of sizes is about 4
    assert np.sqrt(np.mean((np.array(values) - truth) ** 2)) < 0.085
    assert np.nanstd(complete) > 1.7 * np.std(values)


@pytest.mark.parametrize("form", FORMS)
def test_three_annotators_of_many_are_enough(form: str) -> None:
    found = ia.icc(study(drawn(0, 120, 20, 0, each=3)), form=form)
    low, high = found.interval()[:2]
    assert low < found.value < high < low + 0.4


def test_where_nothing_is_left_there_is_perfect_agreement_or_consistency() -> None:
    cells = [(i, a, float(i % 7)) for i, a, _ in drawn(0, 20, 4, 0.3)]
    biased = [(i, a, value + 2.0 * a) for i, a, value in cells]
    for form in FORMS:
        assert ia.icc(study(cells), form=form).value == 1
        assert ia.icc(study(cells), form=form).interval().low < 0.7
        same = ia.icc(study(biased), form=form)
        assert (same.value == 1) == form.startswith("ICC(3")
    items, people = np.var([i % 7 for i in range(20)], ddof=1), np.var([0, 2, 4, 6], ddof=1)
    assert ia.icc(study(biased)).value == pytest.approx(items / (items + people))


def test_too_few_annotations_are_said_to_be() -> None:
    few = study([(0, "a", 1), (0, "b", 2), (1, "a", 3)])
    assert "too few annotations" in ia.icc(few).undefined
    assert ia.icc(few, form="ICC(1,1)").undefined is None
    alone = study([(0, "a", 1), (1, "b", 2), (2, "c", 3)])
    assert ia.icc(alone, form="ICC(1,1)").undefined == "no item was annotated by two annotators"
    alike = study([(i, a, 3) for i, a, _ in drawn(0, 10, 4, 0.3)])
    assert ia.icc(alike).undefined == "all annotations have the same value, so chance could not have disagreed"


def test_the_order_of_rows_does_not_matter_where_annotators_hardly_differ() -> None:
    given = {"i0": [2, 2], "i1": [4, 1, 3], "i2": [2, 4, 4], "i3": [1, 2, 2]}
    rows = [(item, f"a{who}", value) for item, row in given.items() for who, value in enumerate(row)]
    orders = [rows, rows[::-1], rows[5:] + rows[:5], rows[1::2] + rows[::2], sorted(rows, key=lambda row: row[1:])]
    found = [ia.icc(ia.Annotations.of(order, kind="numbers")).value for order in orders]
    assert found == pytest.approx([found[0]] * len(found), abs=1e-9)
