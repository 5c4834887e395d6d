"""The difference of two coefficients: paired where items are shared, added up where none are."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_studies import study_for, values_for
from scipy import stats

import interagree as ia
from interagree.choose import chosen
from interagree.errors import OptionError
from interagree.plugins import MEASURES
from interagree.results.document import render
from interagree.studies.compare import compare_sides


def study(seed: int, faithful: float, prefix: str = "", items: int = 80, gaps: float = 0) -> ia.Annotations:
    rows = study_for("alpha", np.random.default_rng(seed), items=items, faithful=faithful, gaps=gaps).rows()
    return ia.Annotations.of([(prefix + item, who, v) for item, who, v in rows], values=values_for("alpha"))


def left_out(first: ia.Annotations, second: ia.Annotations, one: Any, two: Any) -> np.ndarray:
    """The difference without each item of either, found by measuring again."""
    found = []
    for item in dict.fromkeys([*first.items, *second.items]):
        rest = [s.only(items=[i for i in s.items if i != item]) for s in (first, second)]
        found.append(two(rest[1]).value - one(rest[0]).value)
    return np.array(found)


def jackknife(left: np.ndarray) -> float:
    n = len(left)
    return math.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())


@pytest.mark.parametrize("name", ["percent", "alpha", "fleiss_kappa", "ac1", "conger_kappa", "light_kappa", "f_score"])
def test_two_rounds_on_the_same_items_are_compared_item_by_item(name: str) -> None:
    measure = MEASURES[name]
    first, second = study(1, 0.5, items=60), study(1, 0.8, items=60)
    found = ia.compare(first, second, measure=name)
    assert found.value == pytest.approx(measure(second).value - measure(first).value)
    assert found.paired
    assert found.shared == 60
    assert found.error == pytest.approx(jackknife(left_out(first, second, measure, measure)), rel=0.05)
    assert found.df <= 59  # as many as the influences tell


@pytest.mark.parametrize("pair", [("fleiss_kappa", "ac1"), ("alpha", "percent"), ("light_kappa", "conger_kappa")])
def test_two_coefficients_of_one_study_move_together(pair: tuple[str, str]) -> None:
    one, two = (MEASURES[name] for name in pair)
    data = study(2, 0.7, items=60)
    found = ia.compare(one(data), two(data))
    assert found.error == pytest.approx(jackknife(left_out(data, data, one, two)), rel=0.1, abs=1e-4)
    assert found.error < math.hypot(one(data).standard_error(), two(data).standard_error())


def test_a_coefficient_does_not_differ_from_itself() -> None:
    found = ia.compare(ia.alpha(study(3, 0.7)), ia.alpha(study(3, 0.7)))
    assert found.value == 0
    assert found.error == pytest.approx(0, abs=1e-15)
    assert found.p_value is None


@pytest.mark.parametrize("name", ["alpha", "ac1", "light_kappa"])
def test_the_variances_of_studies_without_common_items_add_up(name: str) -> None:
    first, second = (MEASURES[name](study(s, 0.7, prefix=f"{s} ")) for s in (1, 2))
    found = ia.compare(first, second)
    assert not found.paired
    assert found.error == pytest.approx(math.hypot(first.standard_error(), second.standard_error()), rel=1e-6)
    assert found.interval().method == "independent"


@pytest.mark.parametrize("name", ["percent", "fleiss_kappa", "alpha"])
def test_items_that_only_one_study_has_count_for_it_alone(name: str) -> None:
    measure = MEASURES[name]
    whole = study(4, 0.6, items=70)
    first = whole.only(items=list(whole.items)[:50])
    second = study(4, 0.8, items=70).only(items=list(whole.items)[20:])
    found = ia.compare(first, second, measure=measure)
    assert found.shared == 30
    assert found.error == pytest.approx(jackknife(left_out(first, second, measure, measure)), rel=0.06)


def test_the_interval_and_the_p_value_belong_together() -> None:
    found = ia.compare(study(5, 0.5), study(6, 0.8), measure="alpha", level=0.9)
    t = stats.t(found.df)  # the ends lie near those of value ± t × error, which holds where values are common
    assert found.low == pytest.approx(found.value - t.ppf(0.95) * found.error, abs=0.02)
    assert found.high == pytest.approx(found.value + t.ppf(0.95) * found.error, abs=0.02)
    edge = found.interval(1 - found.p_value)
    assert min(abs(edge.low), abs(edge.high)) == pytest.approx(0, abs=1e-6)
    assert float(found) == found.value


def test_the_second_is_held_against_the_first() -> None:
    one, two = (
        ia.compare(study(5, 0.5), study(6, 0.8), measure="ac1"),
        ia.compare(study(6, 0.8), study(5, 0.5), measure="ac1"),
    )
    assert one.value == -two.value > 0
    assert one.error == pytest.approx(two.error)
    assert one.low == pytest.approx(-two.high)
    assert "+" in str(one)


def test_a_difference_can_be_printed_and_sent() -> None:
    found = ia.compare(study(5, 0.5), study(6, 0.8), measure="alpha")
    sent = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert sent["schema"] == 1
    assert sent["difference"] == found.value
    assert sent["shared_items"] == 80
    assert "paired on 80 items" in str(found)
    assert sent["first"]["measure"] == "alpha"


def test_the_difference_from_what_is_undefined_is_undefined() -> None:
    found = ia.compare([(1, "a", "x"), (1, "b", "x")], study(1, 0.5), measure="alpha")
    assert found.undefined is not None
    assert math.isnan(found.value)
    assert found.interval() is None
    assert math.isnan(found.low)
    assert found.p_value is None
    json.dumps(found.to_dict(), allow_nan=False)
    assert "undefined" in str(found)


def test_studies_that_are_only_counted_are_taken_to_be_independent() -> None:
    first, second = (
        ia.Annotations.from_counts(table) for table in ([[3, 0], [1, 2], [0, 3], [2, 1]], [[3, 0], [0, 3], [2, 1]])
    )
    found = ia.compare(first, second, measure="fleiss_kappa")
    assert found.error > 0


def test_data_without_a_measure_are_compared_by_alpha() -> None:
    first, second = study(1, 0.5), study(2, 0.5)
    assert ia.compare(first, second).value == ia.compare(first, second, measure="alpha").value


def test_two_coefficients_take_no_options_of_data() -> None:
    result = ia.alpha(study(1, 0.5))
    with pytest.raises(OptionError, match="nothing is left to do for 'banana'"):
        ia.compare(result, result, banana=3)


def test_under_no_difference_the_interval_holds_zero_as_often_as_it_says() -> None:
    """Two rounds of the same annotators: a hundred times over, and not a proof but a check for gross mistakes."""
    held = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        truth = rng.integers(0, 3, 60)
        rounds = []
        for _ in range(2):
            given = np.where(rng.random((60, 3)) < 0.7, truth[:, None], rng.integers(0, 3, (60, 3)))
            rounds.append(
                ia.Annotations.of([(i, f"a{j}", int(v)) for i, row in enumerate(given) for j, v in enumerate(row)])
            )
        found = ia.compare(*rounds, measure="alpha")
        held += found.low <= 0 <= found.high
    assert 88 <= held <= 100


def copied(
    rng: np.random.Generator, items: int, shares: tuple[float, float], skill: float, prefix: str = ""
) -> ia.Annotations:
    """Two annotators who each see the true value with a probability, and guess otherwise."""
    seen, guess = rng.choice(2, size=(items, 1), p=shares), rng.choice(2, size=(items, 2), p=shares)
    codes = np.where(rng.random((items, 2)) < skill, seen, guess)
    rows = [(f"{prefix}{item}", who, int(codes[item, who])) for item in range(items) for who in range(2)]
    return ia.Annotations.of(rows, item=0, annotator=1, value=2)


def test_rounds_that_are_alike_are_not_called_different_where_a_value_is_rare() -> None:
    """Value ± error called 15 to 38 % of such pairs different."""
    p_values = []
    for seed in range(80):
        rng = np.random.default_rng(seed)
        rounds = [copied(rng, 50, (0.95, 0.05), 0.75**0.5, prefix) for prefix in "ab"]
        p = ia.compare(*rounds, measure="alpha").p_value
        p_values += [] if p is None else [p]
    assert np.mean(np.array(p_values) < 0.05) <= 0.07


def test_a_difference_of_few_items_is_found_about_as_often_as_a_bootstrap_finds_it() -> None:
    """A bootstrap finds 83 % of these; an interval made of the intervals of the two coefficients found 55 %."""
    p_values = []
    for seed in range(100):
        rng = np.random.default_rng([seed, 30])
        rounds = [copied(rng, 30, (0.5, 0.5), skill, prefix) for skill, prefix in ((0.95, "a"), (0.6, "b"))]
        p_values.append(ia.compare(*rounds, measure="alpha").p_value)
    assert np.mean(np.array(p_values) < 0.05) >= 0.7


def test_a_difference_without_an_interval_is_printed_without_one() -> None:
    rows = [(item, who, f"{item}{who}") for item in range(6) for who in "ab"]
    found = ia.compare(rows, rows, measure="alpha")
    assert "nan" not in str(found)


def test_rounds_that_never_differ_have_the_interval_of_exact_bounds() -> None:
    rows = [(item, who, item % 3) for item in range(40) for who in "ab"]
    found = ia.compare(rows, rows, measure="percent", paired=False)
    bound = ia.percent(rows).interval().low
    assert (found.low, found.high) == (pytest.approx(bound - 1), pytest.approx(1 - bound))
    assert found.p_value is None


def test_rows_without_a_name_are_paired_only_where_there_are_as_many(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    for name, rows in (("first", 40), ("second", 40), ("third", 52)):
        labels = rng.choice(["cat", "dog"], (rows, 2))
        table = "\n".join(["coder_1,coder_2", *(",".join(row) for row in labels.tolist())])
        (tmp_path / f"{name}.csv").write_text(table, encoding="utf-8")
    first, second, third = (ia.read(tmp_path / f"{name}.csv")["value"] for name in ("first", "second", "third"))
    alike, apart = (compare_sides([("first", first), ("then", then)], chosen(["alpha"])) for then in (second, third))
    assert alike.compared[0].difference.shared == 40
    assert "row by row taken as the same items" in render(alike.document(), "text")
    assert apart.compared[0].difference.shared == 0
    assert "there are 40 and 52" in " ".join(render(apart.document(), "text").split())
    named = ia.Annotations.from_columns([f"i{k // 2}" for k in range(80)], ["a", "b"] * 40, ["x", "y", "y", "y"] * 20)
    assert not compare_sides([("one", named), ("other", named)], chosen(["alpha"])).notes
