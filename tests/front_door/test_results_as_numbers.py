"""A result compares, rounds, formats, copies and pickles as a number would."""

from __future__ import annotations

import copy
import doctest
import inspect
import math
import pickle
from dataclasses import replace
from typing import Any

import pytest

import interagree as ia
from interagree.plugins import MEASURES

HALF = ia.cohen_kappa(["a", "b", "a", "b"], ["a", "b", "b", "b"])
NONE = ia.alpha(["a", "a"], ["a", "a"])


def test_a_result_compares_with_numbers_and_results() -> None:
    whole = ia.alpha(["a", "b"], ["a", "b"])
    assert HALF == 0.5
    assert HALF > 0.4
    assert HALF < 0.6
    assert HALF >= 0.5
    assert HALF <= 0.5
    assert whole > HALF
    assert max(HALF, whole) is whole
    assert sorted([whole, HALF]) == [HALF, whole]
    assert HALF != "0.5"
    assert hash(HALF) == hash(0.5)
    with pytest.raises(TypeError):
        _ = HALF < "0.5"


def test_a_result_rounds_and_formats() -> None:
    third = ia.percent(["a", "b", "a"], ["a", "a", "b"])
    assert round(third, 2) == 0.33
    assert round(third) == 0
    assert f"{third:.2f}" == "0.33"
    assert float(third) == pytest.approx(1 / 3)


def test_an_undefined_result_is_neither_above_nor_below() -> None:
    same = NONE
    assert NONE.undefined
    assert not NONE > 0
    assert not NONE <= 0
    assert not same == NONE  # noqa: SIM201 -- as nan
    assert math.isnan(round(NONE, 2))


def example(name: str) -> Any:
    """The result that the help of a measure shows."""
    text = inspect.getdoc(getattr(ia.measures, name)) or ""
    *before, last = doctest.DocTestParser().get_examples(text)
    names: dict[str, Any] = {}
    for line in before:
        exec(line.source, names)
    return eval(last.source.strip().removeprefix("print(").removesuffix(")"), names)


@pytest.mark.parametrize("name", MEASURES)
def test_a_result_that_was_pickled_has_all_its_parts(name: str) -> None:
    before = example(name)
    after = pickle.loads(pickle.dumps(before))
    assert str(after) == str(before)
    assert repr(after.to_dict()) == repr(before.to_dict())
    assert repr(after.interval(0.9, method="jackknife")) == repr(before.interval(0.9, method="jackknife"))
    for table in ("by_item", "by_annotator", "by_pair"):
        assert str(getattr(after, table)()) == str(getattr(before, table)())
    assert pickle.loads(pickle.dumps(after)).notes == before.notes


def test_a_result_of_clusters_keeps_them_when_pickled() -> None:
    spans = [[[0, 3, "PER"], [10, 16, "LOC"]], [[4, 9, "PER"]], [[7, 11, "LOC"]]]
    other = [[[0, 3, "PER"], [10, 18, "LOC"]], [[4, 9, "ORG"]], [[7, 11, "LOC"]]]
    study = ia.Annotations.of({"ann": spans, "bo": other}, kind="spans")
    before = ia.spans.token_agreement(study, level="positions")
    assert pickle.loads(pickle.dumps(before)).interval() == before.interval()


def test_a_scan_leaves_a_result_that_can_be_pickled() -> None:
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame({"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "value": ["x", "x", "y", "x"]})
    before = ia.alpha(ia.scan(rows))
    assert pickle.loads(pickle.dumps(before)).interval() == before.interval()


def test_a_copy_of_a_result_is_the_result() -> None:
    assert copy.copy(HALF) is HALF
    assert copy.deepcopy({"kappa": HALF})["kappa"] is HALF


def test_a_report_is_pickled() -> None:
    before = ia.report(["a", "b", "a"], ["a", "b", "b"])
    assert str(pickle.loads(pickle.dumps(before))) == str(before)


def test_a_study_that_was_changed_forgets_what_was_counted_before() -> None:
    study = ia.Annotations.of({"ann": ["x", "y", "x"], "bo": ["x", "y", "y"]})
    before = ia.percent(study).value
    other = replace(study, value=study.value * 0)
    assert before < 1
    assert ia.percent(other).value == 1
    assert ia.percent(study).value == before


def test_a_study_with_other_values_forgets_what_depends_on_values() -> None:
    boxes = [[[0, 0, 4, 4]], [[0, 0, 2, 2]]]
    study = ia.Annotations.of({"ann": boxes, "bo": boxes[::-1]}, kind="boxes")
    ia.alpha(study)
    moved = replace(study, values=tuple(((9 * k, 0, 9 * k + 1, 1),) for k in range(len(study.values))))
    fresh = ia.Annotations.of(moved.rows(), kind="boxes")
    assert ia.measures.auc(moved).disagreement == ia.measures.auc(fresh).disagreement


def test_a_study_is_pickled_without_what_was_counted() -> None:
    study = ia.Annotations.of({"ann": ["x", "y", "x"], "bo": ["x", "y", "y"]})
    plain = len(pickle.dumps(study))
    ia.alpha(study).by_item()
    assert len(pickle.dumps(study)) == plain
    assert pickle.loads(pickle.dumps(study)).rows() == study.rows()
