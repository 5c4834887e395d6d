"""Gamma: many annotators, chance in short documents, and the number of another package."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.errors import DataError, KindError
from interagree.stats.documents import units
from interagree.stats.documents.alignment import best
from interagree.stats.documents.continuum import Continuum, Dissimilarity
from interagree.stats.documents.partitioning import balance
from interagree.stats.documents.unit_chance import placed

Marked = list[list[list[Any]]]


def independent(annotators: int, documents: int, units: int, length: int, seed: int) -> list[Marked]:
    """Annotators who put units anywhere, none over another, whatever the others do."""
    rng = np.random.default_rng(seed)

    def marks() -> list[list[Any]]:
        size = rng.integers(1, 8, units)
        free = length - int(size.sum())
        gap = np.sort(rng.choice(free + units, units, replace=False)) - np.arange(units)
        begin = gap + np.cumsum(size) - size
        return [[int(b), int(b + s), str(rng.choice(["A", "B"]))] for b, s in zip(begin, size, strict=True)]

    return [[marks() for _ in range(documents)] for _ in range(annotators)]


def dense(annotators: int, units: int, seed: int) -> Continuum:
    rng = np.random.default_rng(seed)
    total = annotators * units
    begin = rng.integers(0, 10 * units, total)
    who = np.repeat(np.arange(annotators), units)
    return Continuum.of(annotators, who, begin, begin + rng.integers(3, 12, total), rng.integers(0, 3, total))


UNLIKE = Dissimilarity(1.0 - np.eye(3))

# Many annotators


@pytest.mark.parametrize(("annotators", "units"), [(8, 8), (10, 6)])
def test_dense_units_of_many_annotators_are_aligned_and_proven(annotators: int, units: int) -> None:
    c = dense(annotators, units, 0)
    found = best(c, UNLIKE)
    assert found.gap == 0
    assert sorted(u for s in found.clusters for u in s) == list(range(len(c)))
    assert found.cost < len(c)


@pytest.mark.slow
@pytest.mark.parametrize(("annotators", "units"), [(8, 30), (10, 15)])
def test_as_many_as_crashed_are_aligned_and_proven(annotators: int, units: int) -> None:
    for seed in range(3):
        assert best(dense(annotators, units, seed), UNLIKE).gap == 0


def crowded(annotators: int, units: int) -> ia.Annotations:
    c = dense(annotators, units, 0)
    marked = [
        [[float(c.begin[u]), float(c.end[u]), "ABC"[c.category[u]]] for u in np.flatnonzero(c.who == who)]
        for who in range(annotators)
    ]
    return ia.Annotations.of([("d", who, units) for who, units in enumerate(marked)], kind="spans")


def test_many_annotators_are_measured_and_what_is_not_proven_is_said() -> None:
    result = ia.gamma(crowded(12, 4), samples=3)
    assert 0 < result.disagreement.observed < 12
    details = result.details
    assert 0 <= details["unproven"] < 0.01
    assert 0 <= details["unproven by chance"] <= 0.01
    said = any("not all alignments of draws of chance are proven" in note for note in result.notes)
    assert said == (details["unproven by chance"] > 0)


def test_of_large_documents_a_few_draws_are_solved_and_the_others_corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    study = crowded(11, 3)
    solved = ia.gamma(study, samples=12)
    monkeypatch.setattr(units, "LARGE", 10)
    found = ia.gamma(study, samples=12)
    assert any("6 draws of chance of each large document were solved" in note for note in found.notes)
    assert not any("were solved" in note for note in solved.notes)
    assert found.disagreement.observed == pytest.approx(solved.disagreement.observed)
    apart = found.disagreement.expected - solved.disagreement.expected
    assert abs(apart) < 4 * found.details["error of the expected disorder"]
    assert found.details["error of the expected disorder"] > solved.details["error of the expected disorder"]


def test_a_limit_gives_an_alignment_that_is_not_proven_and_says_so() -> None:
    c = dense(20, 8, 0)
    found = best(c, UNLIKE, limit=1e-6)
    assert sorted(u for s in found.clusters for u in s) == list(range(len(c)))
    assert all(len({int(c.who[u]) for u in s}) == len(s) for s in found.clusters)
    assert 0 < found.gap <= found.cost < 0.3 * len(c)  # all units alone would cost as many as there are
    result = ia.gamma(crowded(12, 4), limit=1e-6, samples=3)
    assert "the alignment is not proven the best: the observed disorder could be up to 100.00% lower" in result.notes
    assert any("the expected disorder could be up to 100.00% lower" in note for note in result.notes)


def test_prices_are_balanced_where_weights_are_beyond_what_numbers_hold() -> None:
    # Two units that are much cheaper together, in steps so small that their weights are beyond e to the 700.
    member, cost = np.array([[0, 1], [2, 3]], dtype=np.int32), np.array([1.0, 1.0])
    who, worth = np.array([0, 1, 0, 1]), np.array([1e4, -1e4, 1e6, 5.0])
    highest, smooth = np.full(4, 45.0), np.full(4, 0.02)
    balance(member, cost, who, worth, highest, smooth, 20_000)
    weight = np.exp((worth[member].sum(axis=1) - cost) / 0.02)
    alone = np.exp((worth - 45.0) / 0.02)
    assert np.repeat(weight, 2) + alone == pytest.approx(1.0, abs=0.03)


# Chance in short documents


def test_uniform_chance_keeps_units_whole_inside_and_apart() -> None:
    c = Continuum.of(2, [0, 0, 0, 1, 1], [0, 2, 9, 1, 8], [4, 6, 12, 3, 15], [0, 1, 0, 1, 1])
    begins = set()
    for one in islice(placed(c, 20.0, np.random.default_rng(0)), 300):
        assert (one.begin == np.rint(one.begin)).all()
        assert one.end.max() - one.begin.min() <= 20
        for who in (0, 1):
            mine = one.who == who
            kept = sorted(zip((one.end - one.begin)[mine], one.category[mine], strict=True))
            real = c.who == who
            assert kept == sorted(zip((c.end - c.begin)[real], c.category[real], strict=True))
        begins.add(float(one.begin[one.who == 1][0]))
        assert one.begin[4] >= one.end[3]  # those of the second annotator never come to overlap
    assert len(begins) > 5


def test_uniform_places_are_all_equally_likely() -> None:
    c = Continuum.of(2, [0, 0, 1], [0, 2, 0], [1, 4, 4], [0, 0, 0])  # sizes 1 and 2 in a document of 4; and all of it
    seen: dict[tuple[float, ...], int] = {}
    for one in islice(placed(c, 4.0, np.random.default_rng(1)), 6_000):
        key = (*one.begin[one.who == 0].tolist(), *one.end[one.who == 0].tolist())
        seen[key] = seen.get(key, 0) + 1
    assert len(seen) == 6  # two orders, three ways to split the one place that is free
    assert min(seen.values()) > 880


@pytest.mark.parametrize(("units", "length"), [(1, 20), (3, 40)])
def test_independent_annotators_get_zero_by_uniform_chance_in_short_documents(units: int, length: int) -> None:
    values = [
        ia.gamma(*independent(2, 60, units, length, seed), kind="spans", length=length, sampler="uniform", samples=60)
        for seed in range(5)
    ]
    error = np.sqrt(sum(one.standard_error() ** 2 for one in values)) / len(values)
    assert abs(np.mean([one.value for one in values])) < 3 * error


@pytest.mark.slow
@pytest.mark.parametrize("annotators", [2, 3])
@pytest.mark.parametrize(("units", "length"), [(1, 20), (2, 30), (4, 60), (20, 300)])
def test_independent_annotators_get_zero_by_uniform_chance(annotators: int, units: int, length: int) -> None:
    values = []
    covered = 0
    for seed in range(40):
        marked = independent(annotators, 30, units, length, seed)
        found = ia.gamma(*marked, kind="spans", length=length, sampler="uniform", samples=100)
        interval = found.interval()
        values.append(found.value)
        covered += interval.low <= 0 <= interval.high
    assert abs(np.mean(values)) < 3.5 * np.std(values) / np.sqrt(len(values))
    assert covered >= 33


def test_the_result_says_what_independent_annotators_would_get() -> None:
    marked = independent(2, 40, 1, 20, 0)
    found = ia.gamma(*marked, kind="spans", length=20, samples=100)
    (said,) = [note for note in found.notes if "independently" in note]
    assert "would get about 0." in said
    assert "sampler='uniform'" in said
    by_uniform = ia.gamma(*marked, kind="spans", length=20, samples=100, sampler="uniform")
    assert not any("independently" in note for note in by_uniform.notes)
    assert by_uniform.value < found.value


def test_long_documents_need_no_such_word() -> None:
    found = ia.gamma(*independent(2, 4, 40, 600, 0), kind="spans", length=600, samples=30)
    assert not any("independently" in note for note in found.notes)


def test_uniform_chance_asks_how_long_documents_are() -> None:
    marked = independent(2, 3, 2, 30, 0)
    with pytest.raises(DataError, match=r"how long document 0 and 2 more is; .* length=\d+ or more") as caught:
        ia.gamma(*marked, kind="spans", sampler="uniform")
    (hint,) = caught.value.hints
    assert ia.gamma(*marked, kind="spans", sampler="uniform", samples=30, **{hint.option: hint.value}).value < 1
    with pytest.raises(KindError, match=r"one of 'shuffle', 'statistical', 'uniform'"):
        ia.gamma(*marked, kind="spans", sampler="other")


def test_uniform_chance_takes_the_length_of_texts_that_are_known() -> None:
    rows = [
        {"item": f"d{k}", "annotator": who, "value": value, "text": "x" * 30}
        for who, marked in zip("ab", independent(2, 3, 2, 30, 0), strict=True)
        for k, value in enumerate(marked)
    ]
    study = ia.Annotations.of(rows, kind="spans", attributes=["text"])
    assert ia.gamma(study, sampler="uniform", samples=40).value == pytest.approx(
        ia.gamma(study, sampler="uniform", samples=40, length=30).value
    )


# The number of another package


def test_an_empty_unit_weighs_the_same_in_every_cluster_as_in_pygamma(shared: Path) -> None:
    # Five annotators: clusters of three and more units that some have no unit in.
    case = json.loads((shared / "published" / "gamma" / "issue30_5annotators.json").read_text(encoding="utf-8"))
    marked: dict[str, list[Any]] = {}
    for who, begin, end, label in case["units"]:
        marked.setdefault(who, []).append([begin, end, label])
    study = ia.Annotations.of([("document", who, units) for who, units in marked.items()], kind="spans")
    found = ia.measures.gamma_cat(study, unaligned=True, samples=2, alpha=case["params"]["alpha"])
    theirs = case["expected"]["pygamma_gamma_cat_observed_disorder"]
    assert found.disagreement.observed == pytest.approx(theirs, abs=1e-6)


def test_units_none_of_which_are_aligned_are_said_to_count_otherwise_elsewhere() -> None:
    apart = [[[[0, 5, "A"], [90, 95, "B"]]], [[[40, 45, "A"]]]]
    found = ia.measures.gamma_cat(*apart, kind="spans", unaligned=True, samples=20)
    assert found.disagreement.observed == 1
    assert any("pygamma-agreement takes that for a disorder of 0" in note for note in found.notes)
