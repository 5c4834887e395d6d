"""Chance for units: what a draw keeps, what it changes, and how many draws there are."""

from __future__ import annotations

import json
import math
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest

from interagree.errors import KindError
from interagree.stats.documents.alignment import costs
from interagree.stats.documents.continuum import Continuum, Dissimilarity
from interagree.stats.documents.unit_chance import (
    MOST,
    START,
    Law,
    Precision,
    UnitChance,
    draws,
    sampled,
    shuffled,
    spaced,
    statistical,
)


def document() -> Continuum:
    return Continuum.of(3, [0, 0, 0, 1, 1, 2], [0, 10, 30, 1, 12, 28], [4, 15, 33, 5, 20, 40], [0, 1, 0, 0, 1, 1])


def units_of(c: Continuum, who: int) -> list[tuple[float, int]]:
    mine = c.who == who
    return sorted(zip((c.end - c.begin)[mine].round(9).tolist(), c.category[mine].tolist(), strict=True))


def some(n: int, seed: int = 0, length: float = 40.0, c: Continuum | None = None) -> list[Continuum]:
    return list(islice(shuffled(c or document(), length, np.random.default_rng(seed)), n))


# Cut and swapped


def test_every_simulated_annotator_has_the_units_of_a_real_one() -> None:
    c = document()
    real = [units_of(c, who) for who in range(3)]
    for one in some(50):
        assert one.annotators == 3
        for who in range(3):
            assert units_of(one, who) in real


def test_units_keep_their_distances_around_the_document() -> None:
    c = document()
    hers = [c.begin[c.who == who] for who in range(3)]
    known = {tuple(np.sort((begins - first) % 40).tolist()) for begins in hers for first in begins}
    for one in some(50):
        for who in range(3):
            begins = one.begin[one.who == who]
            assert tuple(np.sort((begins - begins[0]) % 40).round(6).tolist()) in known


def test_a_unit_over_the_whole_document_stays() -> None:
    c = Continuum.of(2, [0, 1], [0, 0], [40, 40], [0, 0])
    assert all((one.begin == 0).all() and (one.end == 40).all() for one in some(20, c=c))


def test_annotators_who_marked_nothing_are_drawn_too_but_never_all_of_them() -> None:
    c = Continuum.of(3, [0, 0], [0, 8], [3, 12], [0, 0])
    drawn = some(300, length=12, c=c)
    assert all(len(one) for one in drawn)
    assert {len(one) for one in drawn} == {2, 4, 6}


def test_cuts_are_apart_and_uniform_where_there_is_room() -> None:
    rng = np.random.default_rng(1)
    places = np.sort(spaced(rng.random((4_000, 5)), 100.0, 12.0), axis=1)
    gaps = np.diff(places, axis=1, append=places[:, :1] + 100)
    assert gaps.min() >= 12 - 1e-9
    assert gaps.sum(axis=1) == pytest.approx(100)
    # The first gap beyond the least is a Beta(1, 3) share of what is left.
    assert ((gaps - 12) / 52).mean() == pytest.approx(0.25, abs=0.01)
    assert np.histogram(places, bins=10, range=(0, 100))[0] == pytest.approx(1_600, rel=0.12)


# Normal laws


def test_the_law_of_a_document_is_that_of_its_units() -> None:
    law = Law.of(document())
    assert law.units == (2.0, pytest.approx(math.sqrt(2 / 3)))
    # Between units 6, 15 and 7, before the first ones 1 and 28; the one at the very begin has none.
    assert law.gap[0] == pytest.approx(np.mean([6, 15, 7, 1, 28]))
    assert law.length[0] == pytest.approx(np.mean([4, 5, 3, 4, 8, 12]))
    assert law.share.tolist() == [0.5, 0.5]


def test_draws_follow_the_law() -> None:
    law = Law(2, (20.0, 0.0), (5.0, 1.0), (10.0, 2.0), np.array([0.25, 0.75]))
    made = list(islice(statistical(law, np.random.default_rng(0)), 100))
    assert {len(one) for one in made} == {40}
    lengths = np.concatenate([one.end - one.begin for one in made])
    gaps = np.concatenate(
        [b - a for one in made for w in (0, 1) for a, b in [(one.end[one.who == w][:-1], one.begin[one.who == w][1:])]]
    )
    assert lengths.mean() == pytest.approx(10, abs=0.1)
    assert gaps.mean() == pytest.approx(5, abs=0.1)
    assert np.concatenate([one.category for one in made]).mean() == pytest.approx(0.75, abs=0.02)


# Not where annotators often mark nothing: its first simulated annotator always marks something, and ours need not.
@pytest.mark.parametrize("name", ["alex_paul_suzan", "docs_quickstart", "dkpro_02_unequal_counts", "mathet_figure10"])
def test_the_statistical_sampler_is_that_of_pygamma_given_its_gaps(name: str, shared: Path) -> None:
    case = json.loads((shared / "published" / "gamma" / f"{name}.json").read_text(encoding="utf-8"))
    told, known = case["params"], case["expected"]["gamma_statistical"]
    people, labels = sorted({row[0] for row in case["units"]}), told["categories"]
    rows = sorted((people.index(w), b, e, labels.index(c)) for w, b, e, c in case["units"])
    c = Continuum.of(len(people), *zip(*rows, strict=True))
    gaps = [0.0]  # it puts in one, and counts the first gap from 0
    for who in range(len(people)):
        mine = [row for row in rows if row[0] == who]
        gaps += [mine[0][1]] if mine[0][1] > 0 else []
        gaps += [after[1] - before[2] for before, after in pairwise(mine)]
    own = Law.of(c)
    law = Law(own.annotators, own.units, (float(np.mean(gaps)), float(np.std(gaps))), own.length, own.share)
    unlike = Dissimilarity(1.0 - np.eye(len(labels)), told["alpha"], told["beta"], told["delta_empty"])
    made = list(islice(statistical(law, np.random.default_rng(1)), 1_000))
    found = costs(made, unlike)[:, 0] / [one.mean_units for one in made]
    error = math.hypot(float(found.std()) / math.sqrt(len(found)), known["expected_disorder_se"])
    assert abs(float(found.mean()) - known["expected_disorder"]) < 4 * error


# How many


def test_draws_depend_on_the_seed_and_go_on_where_they_stopped() -> None:
    def begins(sampler: str, seed: int, n: int) -> list[list[float]]:
        return [one.begin.tolist() for one in islice(draws(document(), 40.0, sampler, seed, (1, 2)), n)]

    for sampler in ("shuffle", "statistical"):
        assert begins(sampler, 0, 100)[:70] == begins(sampler, 0, 70)
        assert begins(sampler, 0, 5) != begins(sampler, 1, 5)


def test_there_are_as_many_draws_as_the_precision_takes() -> None:
    rng = np.random.default_rng(0)

    def noisy(spread: float) -> int:
        def measured(cs) -> np.ndarray:
            return np.column_stack([rng.normal(1.0, spread, len(cs)), np.ones(len(cs))])

        (found,) = sampled([draws(document(), 40.0, "shuffle", 0, (1,))], measured, Precision(0.02))
        return found.samples

    assert noisy(0.001) == START
    assert noisy(0.2) == pytest.approx((0.2 * 1.96 / 0.02) ** 2, rel=0.3)
    assert noisy(3.0) == MOST


def test_a_number_of_draws_is_kept_to() -> None:
    def measured(cs) -> np.ndarray:
        return np.column_stack([np.arange(len(cs), dtype=float), np.ones(len(cs))])

    (found,) = sampled([draws(document(), 40.0, "shuffle", 0, (1,))], measured, Precision(0.5, 7))
    assert found.samples == 7
    assert found.value == 3
    assert found.error == pytest.approx(np.std(range(7), ddof=1) / math.sqrt(7))


def test_the_error_of_a_ratio_is_that_of_its_linear_part() -> None:
    rng = np.random.default_rng(2)
    rows = rng.gamma(4, size=(2_000, 2))
    rows[:, 0] *= rows[:, 1]
    many = [UnitChance.of(rows[rng.integers(2_000, size=2_000)]).value for _ in range(400)]
    assert UnitChance.of(rows).error == pytest.approx(np.std(many), rel=0.1)


@pytest.mark.parametrize(("options", "wrong"), [((0.0,), "precision"), ((2,), "precision"), ((0.1, 1), "samples")])
def test_nonsense_is_refused(options: tuple[float, ...], wrong: str) -> None:
    with pytest.raises(KindError, match=wrong):
        Precision(*options)
