"""The alternative annotator test at the border: a model exactly epsilon worse than people seldom passes."""

import itertools

import numpy as np
import pytest
from scipy import stats

from interagree.errors import KindError
from interagree.judging import alt_test, judge
from interagree.stats.engine.score import mean_is_less, statistic

PEOPLE = 3


def study(rng, items, right, model_right):
    """Three people who say yes with one probability, and a model with another."""
    said = np.column_stack([rng.random((items, PEOPLE)) < right, rng.random(items) < model_right])
    return [(i, who, "ny"[int(said[i, k])]) for i in range(items) for k, who in enumerate(("p0", "p1", "p2", "llm"))]


def behind(right, model_right):
    """How much less often the model is at least as near to the other two as a person, over all outcomes."""
    total = 0.0
    for person, model, *others in itertools.product((0, 1), repeat=2 + 2):
        chances = [right if one else 1 - right for one in (person, *others)]
        chance = np.prod(chances) * (model_right if model else 1 - model_right)
        own, its = (sum(one == other for other in others) for one in (person, model))
        total += chance * ((own >= its) - (its >= own))
    return total


def border(right, epsilon):
    """How often the model must be right to be exactly epsilon behind."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if behind(right, middle) > epsilon else (low, middle)
    return low


def passing(studies, items, right, epsilon, seed=0, **options):
    """The share of studies at the border in which the model passes."""
    rng = np.random.default_rng(seed)
    at = border(right, epsilon)
    assert behind(right, at) == pytest.approx(epsilon)
    return np.mean(
        [alt_test(study(rng, items, right, at), model="llm", epsilon=epsilon, **options).passed for _ in range(studies)]
    )


@pytest.mark.parametrize(("items", "right", "epsilon"), [(10, 1.0, 0.1), (20, 0.95, 0.2), (29, 1.0, 0.1)])
def test_a_model_at_the_border_seldom_passes_however_few_items_there_are(items, right, epsilon):
    assert passing(120, items, right, epsilon) <= 0.1


def test_the_published_tests_let_it_pass_in_a_third_of_studies():
    assert passing(60, 10, 1.0, 0.1, compat="calderon2025") >= 0.2


@pytest.mark.slow
@pytest.mark.parametrize("items", [5, 10, 15, 20, 29, 30, 60, 100])
@pytest.mark.parametrize("right", [1.0, 0.95, 0.85, 0.7])
@pytest.mark.parametrize("epsilon", [0.1, 0.2])
def test_the_level_holds_at_any_number_of_items(items, right, epsilon):
    assert passing(600, items, right, epsilon) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 600)


@pytest.mark.parametrize("count", [1, 2, 5, 15])
@pytest.mark.parametrize("bound", [0.0, 0.1, 0.2, 0.5])
def test_no_distribution_at_the_border_is_rejected_more_often_than_the_p_value_says(count, bound):
    # All outcomes with their p-values: the probability of a p-value of at most x is at most x, for every share of -1.
    outcomes = [(a, b) for a in range(count + 1) for b in range(count + 1 - a)]
    p = np.array([mean_is_less(a, b, count, bound) for a, b in outcomes])
    for share in np.linspace(0, (1 - bound) / 2, 13):
        chances = [share + bound, share, max(0.0, 1 - bound - 2 * share)]
        chance = stats.multinomial.pmf([(a, b, count - a - b) for a, b in outcomes], count, chances)
        for level in (0.001, 0.01, 0.05, 0.2):
            assert chance[p <= level].sum() <= level * 1.001


@pytest.mark.parametrize("count", [1, 2, 5, 25, 60])
@pytest.mark.parametrize("bound", [0.0, 0.01, 0.1, 0.5, 0.9])
def test_the_statistic_grows_with_every_difference_for_the_person(count, bound):
    for below in range(count + 1):
        row = statistic(np.arange(count - below + 1), below, count, bound)
        assert (np.diff(row) > -1e-9).all()


def test_items_that_are_all_alike_prove_no_more_than_so_many_can():
    # Differences that are all 0 come up in 0.8 ** n of studies at the border with no -1 at all; t takes them as proof.
    for count in (5, 10, 20, 40):
        assert mean_is_less(0, 0, count, 0.2) >= 0.8**count
    assert mean_is_less(0, 0, 40, 0.2) < 0.002
    assert mean_is_less(0, 0, 5, 0.0) == 1


def test_many_items_are_as_good_as_normal():
    few, many = mean_is_less(1150, 250, 10_000, 0.1), mean_is_less(1150, 250, 10_001, 0.1)
    assert many == pytest.approx(few, rel=0.03)


def test_a_winning_rate_that_the_published_tests_would_raise_is_said():
    rng = np.random.default_rng(1)
    rows = [(i, who, "y") for i in range(12) for who in ("a", "b", "c", "llm")]
    found = alt_test(rows, model="llm", epsilon=0.1)
    assert not found.passed  # 12 items alike would be seen in 28 % of studies at the border
    assert found.people["p"] == pytest.approx([0.9**12] * 3)
    assert any("would give a winning rate of 1.000" in note for note in found.notes)
    published = alt_test(rows, model="llm", epsilon=0.1, compat="calderon2025")
    assert published.passed
    assert {*published.people["test"]} == {"Wilcoxon"}
    assert judge(rows, models="llm", epsilon=0.1, compat="calderon2025").passed == ("llm",)
    many = study(rng, 40, 0.9, 0.9)
    assert {*alt_test(many, model="llm", compat="calderon2025").people["test"]} == {"t"}


def test_a_name_that_is_not_a_procedure_is_refused():
    with pytest.raises(KindError, match="compat= takes 'calderon2025'"):
        alt_test([(1, "a", 1), (1, "b", 1), (1, "llm", 1)], model="llm", compat="calderon")
