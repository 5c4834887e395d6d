"""Where disagreement stands: a batch, late work and texts that come twice are named, and chance makes none of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import interagree as ia
from interagree.findings.finding import Finding
from interagree.reports.story import told

LABELS = ("apple", "bread", "cheese", "dates")
PEOPLE = ("ann", "bo", "cy", "dee", "eli")
START = 1.7e9


def answers(rng: np.random.Generator, items: int, each: int = 1) -> np.ndarray:
    """Answers of five people to items of different difficulty, some of which are the same: items × people."""
    truth = np.repeat(rng.integers(0, 4, items), each)[:items]
    hard = rng.beta(2, 5, items)[:, None]
    right = rng.random((items, 5)) < np.clip(0.93 - 0.5 * hard, 0.2, 0.98)
    return np.where(right, truth[:, None], rng.integers(0, 4, (items, 5)))


def study(given: np.ndarray, **columns: Callable[[int], object]) -> ia.Annotations:
    cells = [(item, who) for item in range(len(given)) for who in range(5)]
    return ia.Annotations.from_columns(
        [f"i{item}" for item, _ in cells],
        [PEOPLE[who] for _, who in cells],
        [LABELS[given[cell]] for cell in cells],
        attributes={name: [entry(item) for item, _ in cells] for name, entry in columns.items()},
    )


def batch(rng: np.random.Generator) -> ia.Annotations:
    given, of = answers(rng, 160), rng.integers(0, 5, 160)
    lost = (of == 3)[:, None] & (rng.random((160, 5)) < 0.85)
    return study(np.where(lost, rng.integers(0, 4, (160, 5)), given), batch=lambda item: f"b{of[item]}")


def fatigue(rng: np.random.Generator) -> ia.Annotations:
    given = answers(rng, 200)
    tired = rng.random((200, 5)) < np.clip((np.arange(200) - 50) / 220, 0, 1)[:, None]
    given = np.where(tired, rng.integers(0, 4, (200, 5)), given)
    return study(given, timestamp=lambda item: START + 60 * item)


def twice(rng: np.random.Generator) -> ia.Annotations:
    given = answers(rng, 150)
    changed = rng.random(50) < 0.5
    given[100:] = np.where(changed[:, None], (given[:50] + 1) % 4, given[:50])
    return study(given, text=lambda item: f"the text of place {item % 100}")


def plain(rng: np.random.Generator) -> ia.Annotations:
    given, of = answers(rng, int(rng.integers(60, 200)), each=2), rng.integers(0, 5, 200)
    columns = {"timestamp": lambda item: START + 60 * item, "text": lambda item: f"the text of place {item // 2}"}
    return study(given, batch=lambda item: f"b{of[item]}", **columns)


def found(data: ia.Annotations) -> list[Finding]:
    report = ia.report(data)
    return [finding for finding in told(report.parts[0], report.intervals).findings if finding.kind == "place"]


FLAWS = {"place.group": batch, "place.time": fatigue, "place.texts": twice}


@pytest.mark.parametrize("code", FLAWS)
def test_where_disagreement_stands_is_named_and_nobody_is_accused(code: str) -> None:
    named = [[finding.code for finding in found(FLAWS[code](np.random.default_rng(seed)))] for seed in range(6)]
    assert sum(codes == [code] for codes in named) >= 5


def test_a_group_is_told_with_both_coefficients_and_a_call() -> None:
    data = batch(np.random.default_rng(0))
    (finding,) = found(data)
    inside = np.array([entry == "b3" for entry in data.attributes["batch"]])
    kept = np.zeros(len(data.items), dtype=bool)
    kept[data.item[inside]] = True
    assert finding.subject == ("batch", "b3")
    assert finding.about["here"] == pytest.approx(ia.alpha(data.items_where(kept)).value)
    assert finding.about["elsewhere"] == pytest.approx(ia.alpha(data.items_where(~kept)).value)
    assert "Agreement is lower where batch is b3: α" in finding.sentence
    assert finding.command is not None
    call = str(finding.command)
    assert "b3" in str(eval(call, {"interagree": ia, "study": data}))


def test_one_annotator_who_drifts_or_guesses_is_not_the_time_of_all() -> None:
    rng = np.random.default_rng(5)
    given = answers(rng, 200)
    late = rng.random(200) < np.clip((np.arange(200) - 50) / 150, 0, 1)
    given[late, 2] = rng.integers(0, 4, int(late.sum()))
    assert not found(study(given, timestamp=lambda item: START + 60 * item))


def test_chance_makes_no_place_look_odd() -> None:
    assert sum(bool(found(plain(np.random.default_rng(seed)))) for seed in range(25)) <= 1


@pytest.mark.slow
def test_chance_makes_a_place_look_odd_in_5_of_100_at_most() -> None:
    assert sum(bool(found(plain(np.random.default_rng(seed)))) for seed in range(1000, 1200)) <= 10


def test_odd_columns_are_passed_over_and_gaps_in_a_column_are_no_group() -> None:
    rng = np.random.default_rng(0)
    given, of = answers(rng, 160), rng.integers(0, 5, 160)
    lost = (of == 3)[:, None] & (rng.random((160, 5)) < 0.85)
    given = np.where(lost, rng.integers(0, 4, (160, 5)), given)
    named = {0: None, 3: "b3", 4: ""}
    data = study(given, lists=lambda item: [item % 3], batch=lambda item: named.get(int(of[item]), "other"))
    assert [finding.subject for finding in found(data)] == [("batch", "b3")]
    alone = study(given, batch=lambda item: "b3" if of[item] == 3 else None)
    assert not found(alone)  # one group beside items of which nothing is known


def test_texts_of_numbers_without_end_are_not_compared() -> None:
    rng = np.random.default_rng(1)
    cells = [(item, who, float(rng.normal())) for item in range(120) for who in "abc"]
    data = ia.Annotations.from_columns(
        *zip(*cells, strict=True), attributes={"text": [f"the text of place {item // 2}" for item, *_ in cells]}
    )
    assert not found(data)
