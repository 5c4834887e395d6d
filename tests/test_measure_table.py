"""Each cell of the table of all measures (`docs/measures/index.md`) holds of the measure.

That the table is up to date is tested in `test_promises.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_studies import ALIGNED, few_draws, rows_for, study_for, values_for  # noqa: F401 -- a fixture for all

import interagree as ia
from interagree.errors import InteragreeError, KindError
from interagree.plugins import MEASURES

PAGE = Path(__file__).parents[1] / "docs/measures/index.md"


def table() -> dict[str, dict[str, str]]:
    lines = [line.strip("| ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    head, _, *rows = ([cell.strip() for cell in line.split(" | ")] for line in lines)
    return {row[1].strip("`"): dict(zip(head, row, strict=True)) for row in rows}


TABLE = table()
PLAIN = {"sigma": {"p": 0.5}}  # with few values, nothing is as rare as it asks for otherwise
each = pytest.mark.parametrize("name", TABLE)


def random_study(name: str, seed: int = 0, **how: Any) -> ia.Annotations:
    return study_for(name, np.random.default_rng(seed), items=4 if name in ALIGNED else 8, **how)


@each
def test_a_measure_takes_as_many_annotators_as_the_table_says(name: str) -> None:
    values = values_for(name)
    three = ia.Annotations.of([(i, who, values[(i + k) % 3 // 2]) for i in range(4) for k, who in enumerate("abc")])
    if TABLE[name]["annotators"] == "two":
        with pytest.raises(KindError, match="two annotators"):
            MEASURES[name](three)
    else:
        assert MEASURES[name](three).n.annotators == 3


@each
def test_items_with_gaps_are_used_or_left_out_as_the_table_says(name: str) -> None:
    differ = []
    for seed in range(6):
        study = random_study(name, seed, gaps=0.4)
        people = len(study.annotators)
        sizes = dict(zip(study.items, study.sizes(), strict=True))
        complete = [row for row in study.rows() if sizes[row[0]] == people]
        found, without = (
            MEASURES[name](some, **PLAIN.get(name, {})).value
            for some in (study, ia.Annotations.of(complete, values=values_for(name)))
        )
        differ.append(found != pytest.approx(without, nan_ok=True))
    assert any(differ) == (TABLE[name]["gaps"] == "used")


@each
def test_counts_are_enough_where_the_table_says_so(name: str) -> None:
    counts = ia.Annotations.from_counts([[2, 0], [1, 1], [0, 3], [2, 1]], values=values_for(name)[:2])
    if TABLE[name]["counts"] == "enough":
        assert MEASURES[name](counts).undefined is None
    else:
        with pytest.raises(KindError, match="who gave which value"):
            MEASURES[name](counts)


@each
def test_a_measure_takes_the_values_that_the_table_says(name: str) -> None:
    labels = [
        (item, who, value) for item, row in enumerate(["pq", "pp", "qq"]) for who, value in zip("ab", row, strict=True)
    ]
    if TABLE[name]["values"] in {"any", "one or two labels"}:
        assert MEASURES[name](labels).n.items == 3
    else:
        with pytest.raises(InteragreeError):
            MEASURES[name](labels)


@each
def test_distances_and_weights_are_taken_where_the_table_says_so(name: str) -> None:
    study = random_study(name)
    for option, word in (("distance", "masi" if name == "coref_alpha" else "nominal"), ("weights", "identity")):
        if f"`{option}`" in TABLE[name]["compared by"]:
            assert MEASURES[name](study, **{option: word}).options[option] == word
        else:
            with pytest.raises((TypeError, InteragreeError)):
                MEASURES[name](study, **{option: word})


@each
def test_what_is_corrected_for_chance_has_an_expected_disagreement(name: str) -> None:
    expected = MEASURES[name](random_study(name)).disagreement.expected
    corrected = not TABLE[name]["chance draws from"].startswith("not corrected")
    assert (expected is not None) == corrected
    assert bool(TABLE[name]["by chance"]) == corrected


@each
def test_the_standard_error_is_found_as_the_table_says(name: str) -> None:
    found = MEASURES[name](random_study(name), **PLAIN.get(name, {}))
    error = found.standard_error()
    assert error > 0
    assert error == pytest.approx(found.standard_error(method=TABLE[name]["standard error"]))
