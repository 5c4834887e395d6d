"""Tests hold their level: where there is nothing to find, they find it no more often than they say.

For every measure in the registry whose p-value is against what independent annotators get, and for every function that
calls something sure: the share of simulated studies in which it is sure at the null must not be above its level by more
than three Monte-Carlo errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from independent import DESIGNS, RARE, UNEVEN, Design, Rng, corrected, drawn, labels, stock

import interagree as ia
from interagree.judging import noise_ceiling
from interagree.people.groups.in_group import groups_agreement
from interagree.plugins import KINDS, MEASURES

LEVEL = 0.05
OF_LABELS = [name for name in corrected() if MEASURES[name].facts.values in ("any", "numbers")]
SLOW_TESTS = ("auc", "ks")  # they deal the values anew 999 times


def most(level: float, studies: int) -> float:
    """The largest share that a level allows."""
    return level + 3 * math.sqrt(level * (1 - level) / studies)


def share(sure: Callable[[Rng], bool | None], studies: int) -> float:
    """How often something is sure, of the studies in which there is something to say."""
    answers = [sure(np.random.default_rng([number, 71])) for number in range(studies)]
    told = [answer for answer in answers if answer is not None]
    assert len(told) > studies / 2
    return float(np.mean(told))


def copying(rng: Rng, design: Design, copy: float, of: str = "") -> ia.Annotations:
    """Annotators who are all alike: each gives the true value with a probability, else any."""
    truth = labels(design._replace(shares=design.shares[:1]), list("xyz"), rng).value
    blind = labels(design, list("xyz")[: len(design.shares[0])], rng)
    value = np.where(rng.random(len(blind.value)) < copy, truth[blind.item], blind.value)
    items = [f"{of}{item}" for item in range(design.items)]
    return ia.Annotations.from_codes(
        blind.item, blind.annotator, value, items, blind.annotators, blind.values, values=blind.values
    )


# P-values of coefficients


def coefficient(name: str, which: str) -> Callable[[Rng], bool | None]:
    design = DESIGNS[which].of(2) if MEASURES[name].facts.annotators == "two" else DESIGNS[which]
    values = ([1, 2, 4, 7, 8] if MEASURES[name].facts.values == "numbers" else list("vwxyz"))[: len(design.shares[0])]

    def sure(rng: Rng) -> bool | None:
        result = MEASURES[name](labels(design, values, rng))
        if result.undefined:
            return None
        own = result.engine.published.p_value is not None
        if not own and abs(result.measure.under_chance.alike(result)) > 0.1:
            return None  # its p-value is against a true value of 0, which independent annotators do not have
        p = result.p_value()
        return None if p is None else p <= LEVEL

    return sure


@pytest.mark.parametrize("name", ["icc", "kendall_w", "alpha"])
def test_independent_annotators_are_seldom_said_to_agree(name: str) -> None:
    assert share(coefficient(name, "many items"), 60) <= most(LEVEL, 60)


ZERO_AT_NULL = [
    name
    for name in OF_LABELS
    if name != "sigma" and MEASURES[name].facts.chance not in {"guessing", "all values alike"}
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ZERO_AT_NULL)
@pytest.mark.parametrize("which", ["few items", "many items", "rare value", "five annotators"])
def test_independent_annotators_are_seldom_said_to_agree_in_many_studies(name: str, which: str) -> None:
    if name == "van_oest" and which == "rare value":
        pytest.skip("its prior gives independent annotators more than 0 there")
    studies = 80 if name in SLOW_TESTS else 400
    assert share(coefficient(name, which), studies) <= most(LEVEL, studies)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW_TESTS)
@pytest.mark.parametrize("kind", KINDS)
def test_values_of_any_kind_given_blindly_are_seldom_said_to_agree(name: str, kind: str) -> None:
    values = stock(kind, np.random.default_rng(7))
    assert share(lambda rng: MEASURES[name](drawn(kind, values, rng)).p_value() <= LEVEL, 60) <= most(LEVEL, 60)


# Differences


def difference(design: Design, copy: float, measure: str, *, paired: bool) -> Callable[[Rng], bool | None]:
    def sure(rng: Rng) -> bool | None:
        if paired:
            study = copying(rng, design._replace(shares=design.shares[:1] * 4), copy)
            people = study.annotators
            sides = study.only(annotators=people[:2]), study.only(annotators=people[2:])
        else:
            two = design._replace(shares=design.shares[:1] * 2)
            sides = copying(rng, two, copy, "a"), copying(rng, two, copy, "b")
        found = ia.compare(*sides, measure=measure)
        return None if found.undefined or math.isnan(found.p_value) else found.p_value <= LEVEL

    return sure


@pytest.mark.parametrize("paired", [True, False])
def test_equal_annotators_are_seldom_said_to_differ(*, paired: bool) -> None:
    assert share(difference(Design(40, (UNEVEN,)), 0.6, "alpha", paired=paired), 60) <= most(LEVEL, 60)


@pytest.mark.slow
@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("measure", ["alpha", "cohen_kappa", "ac1", "percent"])
@pytest.mark.parametrize(("items", "shares"), [(20, UNEVEN), (200, UNEVEN), (50, (0.9, 0.1)), (200, RARE)], ids=str)
def test_equal_annotators_are_seldom_said_to_differ_in_many_studies(
    items: int, shares: tuple[float, ...], measure: str, *, paired: bool
) -> None:
    assert share(difference(Design(items, (shares,)), 0.6, measure, paired=paired), 400) <= most(LEVEL, 400)


# People and models


def flagged(design: Design, copy: float) -> Callable[[Rng], bool | None]:
    return lambda rng: bool(ia.annotators(copying(rng, design, copy)).reasons)


def test_equal_annotators_are_seldom_flagged() -> None:
    assert share(flagged(Design(30, (UNEVEN,) * 4), 0.5), 30) <= most(LEVEL, 30)


@pytest.mark.slow
@pytest.mark.parametrize("copy", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("design", [Design(20, (UNEVEN,) * 3), Design(100, (UNEVEN,) * 8), Design(100, (RARE,) * 5)])
def test_equal_annotators_are_seldom_flagged_in_many_studies(design: Design, copy: float) -> None:
    assert share(flagged(design, copy), 200) <= most(LEVEL, 200)


def beside_people(design: Design, copy: float, side: str) -> Callable[[Rng], bool | None]:
    def sure(rng: Rng) -> bool | None:
        study = copying(rng, design, copy)
        model = study.annotators[0]
        return bool(getattr(noise_ceiling(study, models=model).models[0], side))

    return sure


@pytest.mark.parametrize("side", ["above", "below"])
def test_a_model_that_is_like_people_is_seldom_called_above_or_below_them(side: str) -> None:
    assert share(beside_people(Design(60, (UNEVEN,) * 4), 0.5, side), 60) <= most(LEVEL / 2, 60)


@pytest.mark.slow
@pytest.mark.parametrize("side", ["above", "below"])
@pytest.mark.parametrize("copy", [0.3, 0.6, 0.9])
@pytest.mark.parametrize(
    "design", [Design(20, (UNEVEN,) * 4), Design(100, (UNEVEN,) * 4), Design(60, ((0.9, 0.1),) * 4)]
)
def test_a_model_that_is_like_people_is_seldom_called_above_or_below_them_in_many_studies(
    design: Design, copy: float, side: str
) -> None:
    assert share(beside_people(design, copy, side), 400) <= most(LEVEL / 2, 400)


@pytest.mark.slow
@pytest.mark.parametrize("people", [6, 8])
def test_groups_of_equal_annotators_are_seldom_said_to_differ(people: int) -> None:
    def sure(rng: Rng) -> bool | None:
        study = copying(rng, Design(25, (UNEVEN,) * people), 0.6)
        return groups_agreement(study, groups={who: k % 2 for k, who in enumerate(study.annotators)}).p_value <= LEVEL

    assert share(sure, 150) <= most(LEVEL, 150)
