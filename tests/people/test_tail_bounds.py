"""Tails of sums of independent draws, against every outcome one by one."""

from itertools import product

import numpy as np
import pytest

import interagree
from interagree.distances import find
from interagree.findings.leave_one_out import LeaveOneOut
from interagree.findings.pairs import _draws, _pairs
from interagree.findings.tail_bounds import ROUNDING, GroupDraws, _exact, high_tail, low_tail, opposite_tail
from interagree.stats.engine.shares import familywise


def drawn(rng, parts):
    """A few draws of one group: of each the numbers that it gives, and how likely they are."""
    made = []
    for _ in range(int(rng.integers(2, 6))):
        many = int(rng.integers(2, 4))
        numbers = rng.choice(np.arange(-3, 7), many, replace=False) / parts
        made.append((numbers, rng.dirichlet(np.ones(many))))
    return made


def draws_of(made, unit=1.0):
    of = np.repeat(np.arange(len(made)), [len(numbers) for numbers, _ in made])
    numbers = unit * np.concatenate([numbers for numbers, _ in made])
    return GroupDraws(
        np.zeros(len(made), dtype=np.intp), np.ones(len(made)), of, numbers, np.concatenate([w for _, w in made])
    )


def outcomes(made):
    """All sums, and how likely each is."""
    places = [*product(*(range(len(numbers)) for numbers, _ in made))]
    sums = [sum(made[k][0][at] for k, at in enumerate(place)) for place in places]
    chances = [np.prod([made[k][1][at] for k, at in enumerate(place)]) for place in places]
    return np.array(sums), np.array(chances)


@pytest.mark.parametrize("parts", [1, 2, 3, 4, 6])
def test_the_exact_tail_is_that_of_all_outcomes_in_any_unit(parts):
    rng = np.random.default_rng(parts)
    for _ in range(30):
        made = drawn(rng, parts)
        sums, chances = outcomes(made)
        for at in rng.choice(sums, 3):
            true = chances[sums <= at + 1e-9].sum()
            for unit in (1.0, 1024.0, 0.3):
                exact = _exact(draws_of(made, unit), 0, unit * at)
                assert exact == pytest.approx(true, abs=2 * ROUNDING) or exact == 1.0
    # Numbers of halves, thirds and whole ones have a common part, so that the exact tail is there to be had.
    assert (
        _exact(draws_of([(np.array([0, 1 / 2]), np.array([0.5, 0.5])), (np.array([0, 1 / 3]), np.ones(2) / 2)]), 0, 0)
        < 1
    )


def test_equal_distances_of_an_item_are_one_number_that_is_as_likely_as_all_of_them():
    rng = np.random.default_rng(8)
    sets = [frozenset(part) for part in ("a", "b", "ab", "abc")]
    rows = [(item, who, sets[rng.integers(4)]) for item in range(12) for who in range(6) if rng.random() < 0.8]
    rest = LeaveOneOut(interagree.Annotations.of(rows, kind="sets"), find("masi"))
    first, _, far = _pairs(rest)
    item = rest.item[first]
    draws = _draws(rest, np.arange(len(far)), item, far)
    for draw in range(len(far)):
        own = draws.of == draw
        assert len(set(draws.x[own])) == own.sum() < (item == item[draw]).sum()
        pool = far[item == item[draw]]
        for number, share in zip(draws.x[own], draws.w[own], strict=True):
            assert share == pytest.approx(np.mean(pool == number))


def test_no_tail_is_smaller_than_the_truth():
    rng = np.random.default_rng(5)
    for _ in range(100):
        made = [(numbers + rng.normal(0, 0.1), w) for numbers, w in drawn(rng, 1)]
        sums, chances = outcomes(made)
        draws = draws_of(made)
        for at in rng.choice(sums, 3):
            assert low_tail(draws, np.array([at]))[0] >= chances[sums <= at + 1e-12].sum() * (1 - 1e-9) - 1e-12
            assert high_tail(draws, np.array([at]))[0] >= chances[sums >= at - 1e-12].sum() * (1 - 1e-9) - 1e-12


def test_the_tail_of_opposite_numbers_is_at_least_that_of_all_signs():
    rng = np.random.default_rng(6)
    for _ in range(40):
        size = rng.normal(rng.normal(0, 1), 1, int(rng.integers(3, 11)))
        signs = np.array([*product((-1, 1), repeat=len(size))])
        true = np.mean(np.abs(signs @ size) >= abs(size.sum()) - 1e-12)
        assert opposite_tail(np.zeros(len(size), dtype=np.intp), size, 1)[0] >= true - 1e-12


def test_p_values_are_raised_as_holm_has_it():
    assert familywise([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert familywise([0.5, 0.9]).tolist() == [1.0, 1.0]
