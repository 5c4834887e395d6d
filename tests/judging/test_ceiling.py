"""The noise ceiling by its definition."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from interagree.data import Annotations
from interagree.errors import KindError, UnknownName
from interagree.judging import noise_ceiling
from interagree.judging.ceiling import correlations


def random_rows(seed, people="abcd", items=15, values=3):
    """Random values with gaps, and a model."""
    rng = random.Random(seed)
    return [
        (f"i{i:02}", who, rng.randrange(values))
        for i in range(items)
        for who in (*people, "llm")
        if rng.random() < 0.85
    ]


def cells(rows):
    """Each judgement of a person with those of the others and of the model."""
    for item, who, value in rows:
        if who == "llm":
            continue
        others = [v for i, a, v in rows if i == item and a not in (who, "llm")]
        model = [v for i, a, v in rows if i == item and a == "llm"]
        if others:
            yield value, others, model[0] if model else None


def majority(value, others):
    """The share of the most frequent values that a value is."""
    often = Counter(others)
    top = [v for v, count in often.items() if count == max(often.values())]
    return (value in top) / len(top)


@pytest.mark.parametrize("seed", range(5))
def test_labels_are_held_against_the_majority_of_the_others(seed):
    rows = random_rows(seed)
    found = noise_ceiling(rows, models="llm", distance="nominal", resamples=20)
    everybody = [majority(value, others) for value, others, _ in cells(rows)]
    judged = [(majority(v, others), majority(m, others)) for v, others, m in cells(rows) if m is not None]
    assert found.bounded
    assert found.value.value == pytest.approx(np.mean(everybody))
    (llm,) = found.models
    assert llm.value.value == pytest.approx(np.mean([m for _, m in judged]))
    assert llm.ceiling == pytest.approx(np.mean([p for p, _ in judged]))
    assert llm.difference.value == pytest.approx(llm.value.value - llm.ceiling)


@pytest.mark.parametrize("seed", range(3))
def test_numbers_are_held_against_the_mean_of_the_others(seed):
    rows = random_rows(seed, values=9)
    found = noise_ceiling(rows, models="llm", distance="interval", resamples=20, raw=True)
    assert not found.bounded
    assert found.value.value == pytest.approx(np.mean([(v - np.mean(others)) ** 2 for v, others, _ in cells(rows)]))
    expected = [(m - np.mean(others)) ** 2 for _, others, m in cells(rows) if m is not None]
    assert found.models[0].value.value == pytest.approx(np.mean(expected))


@pytest.mark.parametrize("seed", range(3))
def test_other_values_are_held_against_the_nearest_of_the_others(seed):
    rows = random_rows(seed, values=6)

    def far(value, others):
        total = [sum(abs(a - b) for b in others) for a in others]
        best = [a for a, one in zip(others, total, strict=True) if one <= min(total) + 1e-9]
        return np.mean([abs(value - a) for a in best])

    found = noise_ceiling(rows, models="llm", distance="linear", resamples=20, raw=True)
    assert found.value.value == pytest.approx(np.mean([far(v, others) for v, others, _ in cells(rows)]))
    expected = [far(m, others) for _, others, m in cells(rows) if m is not None]
    assert found.models[0].value.value == pytest.approx(np.mean(expected))


def test_with_two_people_the_halves_are_the_people():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=400)
    noisy = truth[:, None] + rng.normal(size=(400, 2))
    rows = [(i, who, float(noisy[i, k])) for i in range(400) for k, who in enumerate("ab")]
    found = noise_ceiling(rows, resamples=100)
    # Either person may be in either half, so the two halves have one mean and one spread: a correlation within classes.
    centred = noisy - noisy.mean()
    assert found.split_half == pytest.approx((centred[:, 0] * centred[:, 1]).mean() / (centred**2).mean(), abs=0.01)
    assert found.reliability == pytest.approx(2 * found.split_half / (1 + found.split_half), abs=0.01)
    assert found.interval.low < 2 / 3 < found.interval.high  # variance 1 of truth, 1/2 of the mean of two
    assert found.correlation == pytest.approx(math.sqrt(found.reliability))


def test_the_correlation_of_points_is_the_plain_one_in_one_dimension():
    rng = np.random.default_rng(1)
    one, two = rng.normal(size=(2, 30, 1)) + 1e6
    assert correlations(one, two, np.ones((1, 30)))[0] == pytest.approx(np.corrcoef(one[:, 0], two[:, 0])[0, 1])
    assert math.isnan(correlations(one, np.ones((30, 1)), np.ones((1, 30)))[0])


def test_a_model_above_the_ceiling_is_said_to_be():
    rng = random.Random(0)
    rows = []
    for i in range(200):
        truth = rng.randrange(2)
        rows += [(i, who, truth if rng.random() < 0.75 else 1 - truth) for who in "abcde"]
        rows += [(i, "good", truth), (i, "bad", 1 - truth)]
    good, bad = noise_ceiling(rows, models=["good", "bad"], resamples=50).models
    assert good.above
    assert "good is above the noise ceiling" in str(good)
    assert "nearer to the others than a person is" in str(good)
    assert bad.below
    assert "bad is below the noise ceiling" in str(bad)
    twin = [(i, "twin" if who == "a" else who, v) for i, who, v in rows if who == "a"]
    same = noise_ceiling([*rows, *twin], models=["twin"], humans=[*"bcde"], resamples=20).models[0]
    assert "not told apart from the noise ceiling" in str(same)


def test_a_model_that_shares_the_noise_of_people_is_above_what_a_flawless_one_could_reach():
    rng = np.random.default_rng(2)
    truth = rng.normal(size=300)
    noisy = truth[:, None] + rng.normal(size=(300, 4))
    said = {"parrot": noisy.mean(axis=1), "flawless": truth, **{who: noisy[:, k] for k, who in enumerate("abcd")}}
    rows = [(i, who, float(given[i])) for who, given in said.items() for i in range(300)]
    found = noise_ceiling(rows, models=["parrot", "flawless"], resamples=100)
    halves, parrot, flawless = found.correlating()
    assert f"a flawless model would correlate {found.correlation:.3f}" in halves
    assert parrot.startswith("parrot correlates 1.000, above what a flawless model would")
    assert flawless == f"flawless correlates {found.models[1].correlation:.3f}"
    assert found.models[1].correlation == pytest.approx(found.correlation, abs=0.03)


def test_rows_in_another_order_change_nothing_at_all():
    rows = random_rows(4)
    mixed = random.Random(2).sample(rows, len(rows))
    first, second = (noise_ceiling(one, models="llm", resamples=30).to_dict() for one in (rows, mixed))
    assert first == second


def test_undefined_cases_are_sentences():
    alone = noise_ceiling([(1, "ann", 1), (1, "llm", 1)], models="llm")
    assert str(alone) == "there is no noise ceiling: there is one person, 'ann'"
    apart = noise_ceiling([(1, "ann", 1), (2, "bo", 1), (1, "llm", 1)], models="llm")
    assert "no two people judged the same item" in str(apart)
    elsewhere = noise_ceiling([(1, "a", 1), (1, "b", 1), (2, "llm", 1)], models="llm")
    assert not elsewhere.models
    assert any("llm judged no item that two people judged" in note for note in elsewhere.notes)
    assert any("fewer than three items" in note for note in elsewhere.notes)
    flat = noise_ceiling([(i, who, 1) for i in range(5) for who in "ab"])
    assert any("every item has the same mean" in note for note in flat.notes)
    assert flat.value.value == 1
    text = Annotations.of([(i, who, f"some words {i} {who}") for i in range(5) for who in "ab"], kind="text")
    assert any("values have no mean" in note for note in noise_ceiling(text, distance="levenshtein").notes)
    assert flat.to_dict()["reliability"] is None


def test_wrong_use_says_what_to_do():
    rows = random_rows(1)
    with pytest.raises(UnknownName, match="there is no annotator 'gpt' to take as a model; there are"):
        noise_ceiling(rows, models="gpt")
    with pytest.raises(KindError, match="level= takes a number between 0 and 1"):
        noise_ceiling(rows, level=95)
