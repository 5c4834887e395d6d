"""Repeated judgements: where it is known who gave a value the first one counts, elsewhere every one does."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_studies import OF_PAIRS, few_draws, values_for  # noqa: F401 -- a fixture for all

import interagree as ia
from interagree.data import Annotations
from interagree.plugins import KINDS, MEASURES
from interagree.stats.labels.ballots import from_the_others, within_items

Row = tuple[int, str, int]
IDENTITY = sorted(name for name in MEASURES if MEASURES[name].facts.identity)
COUNTING = sorted(set(MEASURES) - set(IDENTITY) - OF_PAIRS)
NUMBERS = {"icc", "lin_ccc", "kendall_w"}  # these refuse, since there is no first among numbers


def rows_of(seed: int, people: str) -> list[Row]:
    rng = random.Random(seed)
    return [
        (item, who, rng.choice([1, 2, 3]))
        for item in range(6)
        for who in people
        for _ in range(rng.choice([0, 1, 1, 2, 3]))
    ]


def study(name: str, seed: int, **how: Any) -> ia.Annotations:
    people = "ab" if MEASURES[name].facts.annotators == "two" else "abc"
    values = values_for(name)[:3] if MEASURES[name].facts.values in KINDS else [1, 2, 3]
    rows = [(item, who, values[value - 1]) for item, who, value in rows_of(seed, people)]
    return ia.Annotations.of(rows, values=values, **how)


@pytest.mark.parametrize("name", sorted(set(IDENTITY) - NUMBERS))
@pytest.mark.parametrize("seed", range(5))
def test_measures_that_ask_who_take_the_first_judgement(name: str, seed: int) -> None:
    kept, first = (MEASURES[name](study(name, seed, duplicates=how)) for how in ("keep", "first"))
    assert kept.value == pytest.approx(first.value, nan_ok=True)
    assert kept.standard_error(method="jackknife") == pytest.approx(
        first.standard_error(method="jackknife"), nan_ok=True
    )
    for column in ("items", "agreement"):
        assert kept.by_pair()[column] == pytest.approx(first.by_pair()[column], nan_ok=True)


def test_a_reading_of_missing_annotations_is_of_first_judgements_too() -> None:
    for missing in ("listwise", "gwet", "category"):
        kept, first = (
            ia.cohen_kappa(study("cohen_kappa", 3, duplicates=how), missing=missing) for how in ("keep", "first")
        )
        assert kept.value == pytest.approx(first.value)


@pytest.mark.parametrize("name", COUNTING)
@pytest.mark.parametrize("seed", range(3))
def test_measures_that_do_not_ask_who_count_every_judgement(name: str, seed: int) -> None:
    rows = rows_of(seed, "abc")
    apart = [(item, f"{who}{place}", value) for place, (item, who, value) in enumerate(rows)]
    kept, named = (
        MEASURES[name](ia.Annotations.of(some, values=[1, 2, 3], duplicates="keep")) for some in (rows, apart)
    )
    assert kept.value == pytest.approx(named.value)
    assert kept.standard_error() == pytest.approx(named.standard_error())
    assert kept.by_value()["specific"] == pytest.approx(named.by_value()["specific"])
    pairs = kept.by_pair()
    for row in pairs:
        both = {item for item, who, _ in rows if who == row["first"]} & {
            item for item, who, _ in rows if who == row["second"]
        }
        assert row["items"] == len(both)


@pytest.mark.parametrize("name", sorted({*NUMBERS} - {"icc"}))  # which has a place for them
def test_measures_of_one_number_for_each_refuse_two(name: str) -> None:
    with pytest.raises(TypeError, match="duplicates='first' or 'last'"):
        MEASURES[name](study(name, 0, duplicates="keep"))


def test_an_annotator_can_be_held_against_herself() -> None:
    rows = [(1, "a", "x"), (1, "a", "x"), (2, "a", "y"), (2, "a", "x"), (3, "b", "y"), (3, "b", "y"), (4, "b", "x")]
    own = ia.Annotations.of(rows, duplicates="keep").repeats()
    assert ia.percent(own).value == pytest.approx(2 / 3)
    assert len(own.items) == 4


@pytest.mark.parametrize("distance", ["nominal", "interval"])
@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30),
    block=st.integers(1, 9),
)
def test_distances_from_the_others_are_those_of_all_pairs(distance: str, rows: list[Any], block: int) -> None:
    item, annotator, value = np.array(rows, dtype=np.int32).T
    study = Annotations.from_codes(item, annotator, value, range(4), "abcd", range(4), duplicates="keep")
    places = np.arange(len(study.values))
    table = None if distance == "nominal" else np.abs(np.subtract.outer(places, places)).astype(float)
    far, count = np.zeros(len(study)), np.zeros(len(study))
    for first, second in within_items(study, block):
        others = study.annotator[first] != study.annotator[second]
        a, b = study.value[first], study.value[second]
        apart = others * ((a != b) if table is None else table[a, b])
        for side in (first, second):
            np.add.at(far, side, apart)
            np.add.at(count, side, others)
    told, among = from_the_others(study, table)
    assert told == pytest.approx(far)
    assert among.tolist() == count.tolist()
