"""One function of sums is its own bootstrap, jackknife and derivative: each is held to counting the study again."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from random_studies import (  # few_draws is a fixture for all
    CASES,
    OF_PAIRS,
    few_draws,  # noqa: F401
    named,
    repeated,
    rows_for,
    study_for,
)

import interagree as ia
from interagree.errors import KindError
from interagree.plugins import MEASURES
from interagree.stats.documents.coverage import Each
from interagree.stats.engine.weights import STEP, GroupsLeftOut, LeftOut, Many, Nudged, Observed
from interagree.stats.labels.labelled import LabelCounts

Case = tuple[str, dict[str, Any]]
each = pytest.mark.parametrize("case", CASES, ids=named)
each_exact = pytest.mark.parametrize("case", [case for case in CASES if case[0] not in OF_PAIRS], ids=named)
SEEDS = range(6)


def made(case: Case, seed: int, **how: Any) -> tuple[ia.Annotations, ia.Agreement]:
    name, options = case
    study = study_for(name, np.random.default_rng(seed), **how)
    return study, MEASURES[name](study, **options)


def again(case: Case, study: ia.Annotations) -> float:
    name, options = case
    return float(MEASURES[name](study, **options).value)


def without(study: ia.Annotations, *places: int) -> ia.Annotations:
    return study.items_where(~np.isin(np.arange(len(study.items)), places))


@each
def test_leaving_out_an_item_is_measuring_the_study_without_it(case: Case) -> None:
    compared = 0
    for seed in SEEDS:
        study, result = made(case, seed, items=5, faithful=[0.3, 0.6, 0.95][seed % 3])
        if result.undefined:
            continue
        engine: Any = result.engine
        left = engine.left_out()
        for place, pattern in enumerate(engine.statistic.pattern):
            if pattern >= 0:
                assert left[pattern] == pytest.approx(again(case, without(study, place)), abs=1e-10, nan_ok=True)
                compared += 1
    assert compared > 10


@each_exact
def test_whole_weights_are_items_repeated(case: Case) -> None:
    rng = np.random.default_rng(1)
    for seed in SEEDS:
        study, result = made(case, seed, items=6)
        if result.undefined:
            continue
        engine: Any = result.engine
        pattern = engine.statistic.pattern
        times = rng.integers(0, 4, size=(5, len(study.items)))
        times[:, 0] = 1
        rows = np.zeros((len(times), len(engine.times)))
        for place in np.flatnonzero(pattern >= 0):
            rows[:, pattern[place]] += times[:, place]
        found = engine.values_of(engine.statistic.weighted(Many(rows)))
        for value, often in zip(found, times, strict=True):
            assert value == pytest.approx(again(case, repeated(study, often.tolist())), abs=1e-9, nan_ok=True)


MEANS = {"light_kappa": "a mean over pairs has no sums over items to move"}


@pytest.mark.parametrize("case", [case for case in CASES if case[0] not in MEANS], ids=named)
def test_the_influence_of_an_item_is_the_slope_towards_it(case: Case) -> None:
    for seed in SEEDS:
        _, result = made(case, seed)
        if result.undefined:
            continue
        engine: Any = result.engine
        times = engine.times
        n, moves, step = times.sum(), engine.influence(), 1e-5
        towards = np.eye(len(times)) * n
        ahead, behind = (
            engine.linear_values_of(engine.statistic.weighted(Many((1 - s) * times + s * towards)))
            for s in (step, -step)
        )
        assert moves == pytest.approx((ahead - behind) / (2 * step), rel=1e-5, abs=1e-5)
        assert times @ moves == pytest.approx(0, abs=1e-9 * n)
        nudged = engine.linear_values_of(engine.statistic.weighted(Nudged(times, np.arange(len(times)))))
        assert moves == pytest.approx(np.imag(nudged) / STEP, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", MEANS)
def test_a_mean_over_pairs_has_no_analytic_error(name: str) -> None:
    _, result = made((name, {}), 0)
    with pytest.raises(KindError, match="jackknife"):
        result.standard_error(method="analytic")


def clustered(name: str, seed: int) -> ia.Annotations:
    rows = rows_for(name, np.random.default_rng(seed), items=9)
    columns = {"item": [], "annotator": [], "value": [], "document": []}
    for item, who, value in rows:
        for column, entry in zip(columns, (item, who, value, int(item.split()[1]) // 2), strict=True):
            columns[column].append(entry)
    return ia.Annotations.of(columns, values=study_for(name, np.random.default_rng(seed)).values)


@each_exact
def test_the_error_of_clusters_is_that_of_leaving_out_each(case: Case) -> None:
    name, options = case
    for seed in SEEDS:
        study = clustered(name, seed)
        result = MEASURES[name](study, **options)
        if result.undefined:
            continue
        group, _ = study.item_attribute("document")
        pattern = result.engine.statistic.pattern
        counted = sorted(set(group[pattern >= 0].tolist()))
        left = np.array([again(case, study.items_where(group != one)) for one in counted])
        g = len(left)
        wanted = math.sqrt((g - 1) / g * ((left - left.mean()) ** 2).sum())
        found = result.standard_error(method="jackknife", cluster="document")
        assert found == pytest.approx(wanted, abs=1e-10, nan_ok=True)
        interval = result.interval(method="jackknife", cluster="document")
        assert interval is not None or math.isnan(wanted) or wanted < 1e-12
        assert interval is None or interval.df == g - 1


@each
def test_an_item_to_a_cluster_is_no_cluster(case: Case) -> None:
    name, options = case
    rows = rows_for(name, np.random.default_rng(3), items=12)
    columns = {
        key: list(column) for key, column in zip(("item", "annotator", "value"), zip(*rows, strict=True), strict=True)
    }
    study = ia.Annotations.of(
        {**columns, "own": columns["item"]}, values=study_for(name, np.random.default_rng(0)).values
    )
    result = MEASURES[name](study, **options)
    assert result.standard_error(method="jackknife") == pytest.approx(
        result.standard_error(method="jackknife", cluster="own")
    )
    if name not in MEANS:
        ratio = math.sqrt(result.n.items / (result.n.items - 1)) if result.measure.divisor == "n" else 1
        assert ratio * result.standard_error(method="analytic") == pytest.approx(
            result.standard_error(method="analytic", cluster="own")
        )
    by_item, by_cluster = (result.engine.resampled(1000, 0, cluster) for cluster in (None, "own"))
    assert np.nanstd(by_item) == pytest.approx(np.nanstd(by_cluster), rel=0.15)


def test_the_kinds_of_weights_agree_about_sums_of_pairs() -> None:
    rng = np.random.default_rng(0)
    times, features = rng.integers(1, 5, 6).astype(float), rng.random((6, 3))
    far = rng.random((6, 6))
    far += far.T
    linear, own = far @ times, np.diag(far)
    total = float(times @ linear)
    assert Observed(times).quadratic(total, linear, own) == total
    which = np.arange(6)
    left = LeftOut(times, which)
    rows = left.matrix()
    assert left.sum(features) == pytest.approx(rows @ features)
    assert left.quadratic(total, linear, own) == pytest.approx(np.einsum("ik,kl,il->i", rows, far, rows))
    nudged = Nudged(times, which)
    assert nudged.sum(features) == pytest.approx(nudged.matrix() @ features)
    wanted = np.einsum("ik,kl,il->i", nudged.matrix(), far, nudged.matrix())
    assert np.imag(nudged.quadratic(total, linear, own)) == pytest.approx(np.imag(wanted))
    groups = GroupsLeftOut(times, np.eye(6)[:2])
    assert groups.sum(features) == pytest.approx(groups.matrix() @ features)


@each
def test_slopes_along_sums_are_the_slopes_towards_patterns(case: Case) -> None:
    name, options = case
    result = MEASURES[name](study_for(name, np.random.default_rng(5)), **options)
    if result.undefined or not result.measure.analytic or result.engine.published.influence is not None:
        return
    engine = result.engine
    assert engine._slopes() == pytest.approx(engine._nudged(), rel=1e-9, abs=1e-12)


@each
def test_annotators_left_out_at_once_are_those_left_out_one_by_one(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    name, options = case
    for seed in SEEDS:
        result = MEASURES[name](study_for(name, np.random.default_rng(seed)), **options)
        at_once = result.engine.drill_down().left_out()
        with monkeypatch.context() as patch:
            patch.setattr(LabelCounts, "without_each_annotator", lambda *_: None)
            one_by_one = result.engine.drill_down().left_out()
        assert at_once == pytest.approx(one_by_one, rel=1e-9, abs=1e-12, nan_ok=True)


def test_every_document_by_itself_is_one_row_of_weights_for_each() -> None:
    features = np.arange(12.0).reshape(4, 3)
    each_alone, rows = Each(4), Many(np.eye(4))
    assert each_alone.sum(features) == pytest.approx(rows.sum(features))
    assert each_alone.matrix() == pytest.approx(rows.matrix())
