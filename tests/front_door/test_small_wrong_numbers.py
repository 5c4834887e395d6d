"""Small numbers that were wrong: held against doing it the long way."""

import numpy as np
import pytest

import interagree as ia
from interagree.distances import find
from interagree.stats.labels.item_agreement import SCHEMES

CLOCK = find("circular", period=24)


@pytest.mark.parametrize("apart", [24, -24, 48, 240, 24.0e6])
@pytest.mark.parametrize("start", [0.0, 0.3, 7.0, 23.9])
def test_values_a_whole_period_apart_are_the_same_in_every_form_of_the_circular_distance(start, apart):
    other = start + apart
    assert CLOCK(start, other) == 0
    table = CLOCK.among([start, other])
    assert table[0, 1] == table[1, 0] == 0
    assert np.abs(np.diff(CLOCK.points([start, other]), axis=0)).max() < 1e-7


def test_hours_that_differ_by_whole_days_leave_alpha_undefined_and_are_not_a_ratio_of_rounding_errors():
    rows = [(1, "a", 0), (1, "b", 24), (2, "a", 48), (2, "b", 24)]
    assert ia.alpha(rows, distance="circular:period=24").undefined


def test_the_circular_distance_is_what_it_was_elsewhere():
    first, second = np.meshgrid(np.linspace(-30, 30, 61), np.linspace(-30, 30, 61))
    exact = np.sin(np.pi * (first - second) / 24) ** 2
    assert np.allclose(CLOCK.pairs(first, second, period=24), exact, rtol=0, atol=1e-13)
    tiny = CLOCK(5.0, 5.0 + 1e-9)
    assert tiny == pytest.approx((np.pi * 1e-9 / 24) ** 2, rel=1e-5)


def repeated(values: int, seed: int = 1) -> ia.Annotations:
    rng = np.random.default_rng(seed)
    rows = [
        (item, who, int(rng.integers(values))) for item in range(60) for who in "ab" for _ in range(rng.integers(1, 4))
    ]
    rows += [("all", "a", value) for value in range(values)]
    return ia.Annotations.of(rows, duplicates="keep")


@pytest.mark.parametrize("values", [39, 40, 41, 60])
def test_repeated_judgements_count_alike_below_and_above_forty_values(values):
    study = repeated(values)
    assert len(study.values) == values

    def steps(a: int, b: int) -> float:
        return abs(a - b)

    table = np.abs(np.subtract.outer(study.values, study.values)).astype(float)
    assert ia.alpha(study, distance=steps).value == pytest.approx(ia.alpha(study, distance=table).value)
    assert ia.alpha(study, distance="nominal").value == pytest.approx(
        ia.alpha(study, distance=1 - np.eye(values)).value
    )
    squares = find(lambda a, b: (a - b) ** 2)
    assert ia.alpha(study, distance=squares).value == pytest.approx(ia.alpha(study, distance="interval").value)


def grouped_numbers(distinct: int) -> ia.Annotations:
    rng = np.random.default_rng(distinct)
    item, who = np.divmod(np.arange(180), 3)
    return ia.Annotations.of(
        {
            "item": item,
            "annotator": np.array(["a", "b", "c"])[who],
            "value": np.rint(rng.gamma(2, distinct / 4, 180)) + item % 5,
            "document": item % 7,
        },
        item="item",
        annotator="annotator",
        value="value",
    )


@pytest.mark.parametrize("distance", ["ratio", "polar:low=0,high=2000", "interval", "ordinal"])
@pytest.mark.parametrize("distinct", [15, 400])
def test_leaving_a_group_out_is_measuring_without_it(distance, distinct):
    study = grouped_numbers(distinct)
    left = np.array(
        [ia.alpha(study.items_where(np.arange(60) % 7 != group), distance=distance).value for group in range(7)]
    )
    by_hand = np.sqrt(6 / 7 * ((left - left.mean()) ** 2).sum())
    found = ia.alpha(study, distance=distance).standard_error(method="jackknife", cluster="document")
    assert found == pytest.approx(by_hand, rel=1e-9)


@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize("distance", [None, "interval", "ordinal"])
@pytest.mark.parametrize("weigh", SCHEMES)
def test_leaving_an_item_out_of_spa_is_measuring_without_it(weigh, distance, corrected):
    rng = np.random.default_rng(5)
    rows = [
        (item, who, int(min(rng.geometric(0.5), 4))) for item in range(25) for who in "abcdef"[: rng.integers(1, 7)]
    ]
    study = ia.Annotations.of(rows, values=[1, 2, 3, 4])
    options = {"weigh": weigh, "distance": distance, "corrected": corrected}
    result = ia.spa(study, **options)
    left = result.engine.left_out()
    pattern = result.engine.statistic.pattern
    for item in range(25):
        if pattern[item] >= 0:
            without = ia.spa(study.items_where(np.arange(25) != item), **options)
            assert left[pattern[item]] == pytest.approx(without.value, abs=1e-12)
