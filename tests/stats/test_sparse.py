"""Tables too large to be kept whole are kept sparse, and give the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from random_studies import CASES, OF_PAIRS, named, rows_for, values_for

import interagree as ia
from interagree.plugins import KINDS, MEASURES
from interagree.stats.labels import ballots, counts

Case = tuple[str, dict[str, Any]]
NUMBERS = {"icc", "kendall_w", "lin_ccc"}  # these keep a full table of numbers
UNITS = {name for name in MEASURES if MEASURES[name].facts.values in KINDS}  # these keep no table of values


def study(name: str) -> ia.Annotations:
    rows = rows_for(name, np.random.default_rng(11), items=14)
    columns = dict(zip(("item", "annotator", "value"), map(list, zip(*rows, strict=True)), strict=True))
    documents = [int(item.split()[1]) // 3 for item in columns["item"]]
    return ia.Annotations.of({**columns, "document": documents}, values=values_for(name))


def quantities(case: Case) -> dict[str, Any]:
    name, options = case
    found = MEASURES[name](study(name), **options)
    answers: dict[str, Any] = {
        "value": found.value,
        "error": found.standard_error(),
        "jackknife": found.standard_error(method="jackknife"),
        "bootstrap": found.engine.values_of(
            found.engine.statistic.weighted(_twice(found.engine.times, found.engine.statistic.pattern))
        ),
        "clusters": found.standard_error(method="jackknife", cluster="document"),
        "of clusters": found.standard_error(cluster="document"),
        "by_item": found.by_item()["disagreement"],
        "share": found.by_item()["share"],
        "by_pair": found.by_pair()["agreement"],
        "by_annotator": found.by_annotator()["left out"],
    }
    if MEASURES[name].facts.values == "any":
        answers["by_value"] = found.by_value()["agreement"]
        answers["specific"] = found.by_value()["specific"]
    return answers


def _twice(times: np.ndarray, pattern: np.ndarray) -> Any:
    """The first half of the items twice, the others once."""
    from interagree.stats.engine.weights import Many

    places = np.flatnonzero(pattern >= 0)
    first = places[: len(places) // 2]
    return Many((times + np.bincount(pattern[first], minlength=len(times)))[None, :])


@pytest.mark.parametrize("case", [case for case in CASES if case[0] not in NUMBERS | OF_PAIRS | UNITS], ids=named)
@pytest.mark.parametrize("what", ["counts", "ballots", "votes", "all"])
def test_sparse_tables_give_what_whole_ones_give(case: Case, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = quantities(case)
    if what in {"counts", "all"}:
        monkeypatch.setattr(counts, "DENSE", 0)
    if what in {"ballots", "all"}:
        monkeypatch.setattr(ballots, "DENSE", 0)
    if what in {"votes", "all"}:
        monkeypatch.setattr(ballots, "WHOLE", 0)
    found = quantities(case)
    for name, answer in wanted.items():
        assert found[name] == pytest.approx(answer, rel=1e-9, abs=1e-12, nan_ok=True), name


def test_coincidences_of_a_sparse_table_are_those_of_a_whole_one(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ia.studies.coincidences(study("alpha"))
    monkeypatch.setattr(counts, "DENSE", 0)
    assert ia.studies.coincidences(study("alpha")).to_dict() == whole.to_dict()


def test_thousands_of_labels_take_no_table_of_their_pairs() -> None:
    rng = np.random.default_rng(0)
    items, labels = 30_000, 2_000
    truth = rng.integers(0, labels, items)
    given = np.where(rng.random((items, 3)) < 0.7, truth[:, None], rng.integers(0, labels, (items, 3)))
    made = ia.Annotations(
        np.repeat(np.arange(items), 3),
        np.tile(np.arange(3), items),
        given.reshape(-1),
        range(items),
        tuple("abc"),
        tuple(f"label {number}" for number in range(labels)),
    )
    for name in ("alpha", "fleiss_kappa", "percent", "ac1"):
        found = MEASURES[name](made)
        assert found.value == pytest.approx(0.49, abs=0.02)
        assert found.standard_error() == pytest.approx(0.0023, rel=0.1)


def test_votes_kept_as_places_multiply_like_the_table_they_stand_for() -> None:
    from interagree.stats.labels.ballots import SparseVotes

    rng = np.random.default_rng(3)
    row, cell = np.divmod(rng.choice(30 * 12, size=80, replace=False), 12)
    votes = SparseVotes(row, cell, (30, 12))
    table = votes.toarray()
    left, right, many = rng.random(30), rng.random(12), rng.random((4, 30))
    keep = rng.random(30) < 0.5
    assert np.allclose(left @ votes, left @ table)
    assert np.allclose(votes @ right, table @ right)
    assert np.allclose(many @ votes, many @ table)
    assert np.allclose(votes[keep].toarray(), table[keep])
    assert np.allclose(votes[np.array([3, 7])].toarray(), table[[3, 7]])
    assert np.allclose(votes.sparse.toarray(), table)
