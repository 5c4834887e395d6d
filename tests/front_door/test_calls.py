"""The usual calls: one sequence for each annotator, and reading options everywhere."""

from __future__ import annotations

import doctest
import inspect
import io
import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import interagree as ia
from interagree._rooms import everything
from interagree.data import ReadingOptions
from interagree.errors import DataError, KindError
from interagree.plugins import MEASURES
from interagree.reading.choices import Choices

ANN = ["a", "b", "a", "b", "c", "a"]
BO = ["a", "b", "b", "b", "c", "c"]
CY = ["a", "a", "a", "b", "c", None]
STUDY = ia.Annotations.of({"ann": ANN, "bo": BO, "cy": CY})
LONG = pd.DataFrame(
    [(i, who, one) for who, column in (("ann", ANN), ("bo", BO), ("cy", CY)) for i, one in enumerate(column)],
    columns=["text", "person", "said"],
).dropna()
NAMED: Any = {"item": "text", "annotator": "person", "value": "said"}


@pytest.mark.parametrize(
    "made",
    [list, tuple, lambda column: np.array(column, dtype=object), pd.Series, pl.Series, iter],
    ids=["list", "tuple", "array", "pandas", "polars", "iterator"],
)
def test_a_sequence_for_each_annotator_is_a_study(made: Callable[[list[Any]], Any]) -> None:
    assert ia.alpha(*map(made, (ANN, BO, CY))).value == ia.alpha(STUDY).value


def test_two_arrays_of_numbers_are_two_annotators_and_nan_is_no_annotation() -> None:
    first, second = np.array([1, 2, 3, 1, 2.0]), np.array([1, 2, 2, 1, np.nan])
    assert ia.cohen_kappa(first, second).value == ia.cohen_kappa([1, 2, 3, 1], [1, 2, 2, 1]).value


def test_series_name_the_annotators_and_their_index_the_items() -> None:
    frame = pd.DataFrame({"ann": ANN, "bo": BO}, index=[f"post {i}" for i in range(6)])
    result = ia.alpha(frame["ann"], frame["bo"])
    assert result.by_annotator()["annotator"] == ["ann", "bo"]
    assert result.by_item()["item"][0].startswith("post")


def test_annotators_without_names_are_numbered() -> None:
    assert ia.alpha(ANN, BO).by_annotator()["annotator"] == [1, 2]


def test_options_about_values_go_with_sequences() -> None:
    low, high = ["lo", "mid", "hi", "??"], ["mid", "mid", "hi", "lo"]
    result = ia.alpha(low, high, values=["lo", "mid", "hi"], missing=["??"], distance="ordinal")
    assert result.n.annotations == 6
    assert result.value == ia.alpha([1, 2, 3], [2, 2, 3], distance="ordinal").value


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ia.alpha(["a"], ["a", "b"]), r"one length, and these have 1, 2 values"),
        (lambda: ia.alpha(ANN, "ordinal"), r"by name, as in distance='ordinal'"),
        (lambda: ia.alpha(LONG, "ordinal"), r"by name, as in distance='ordinal'"),
        (lambda: ia.alpha(LONG, LONG), r"argument 2 is a DataFrame, not a sequence"),
        (lambda: ia.alpha(np.eye(2), np.eye(2)), r"argument 2 is a ndarray"),
        (lambda: ia.alpha(STUDY, STUDY), r"interagree\.compare\(first, second"),
        (lambda: ia.alpha(ANN, 3), r"got 3"),
        (lambda: ia.alpha(ANN, {"a", "b"}), r"argument 2 is a set"),
        (lambda: ia.alpha(ANN, BO, item=0), r"item= is about the columns of a table"),
        (lambda: ia.alpha(pd.Series(ANN), pd.Series(BO, index=range(3, 9))), r"different indexes"),
        (lambda: ia.alpha(STUDY, item="text"), r"item= says how a table is read.*Annotations"),
        (lambda: ia.alpha(LONG, **NAMED, distnace="ordinal"), r"does not take distnace=\. Did you mean distance="),
        (lambda: ia.alpha(LONG, itm="text"), r"does not take itm=\. Did you mean item="),
        (lambda: ia.alpha(LONG, provenance=None), r"does not take provenance="),
        (lambda: ia.judge(STUDY, model="cy"), r"judge does not take model=\. Did you mean models="),
        (lambda: ia.report(LONG, mesures=["alpha"]), r"report does not take mesures=\. Did you mean measures="),
        (ia.alpha, r"missing 1 required positional argument: 'data'"),
    ],
)
def test_calls_that_cannot_be_read_say_why(call: Callable[[], Any], said: str) -> None:
    with pytest.raises((DataError, KindError, TypeError), match=said):
        call()


# -- reading options ---------------------------------------------------------------------------------------------

# What a function of labels needs beside the data.
BESIDE: dict[str, dict[str, Any]] = {
    "alt_test": {"model": "cy"},
    "judge": {"models": "cy"},
    "compare": {"second": ..., "measure": "alpha"},
    "explain": {},
    "groups_agreement": {"groups": {"ann": "x", "bo": "x", "cy": "y"}},
    "plan": {"half_width": 0.1},
    "xrr": {"groups": {"ann": "x", "bo": "x", "cy": "y"}},
    "groups": {"by": {"ann": "x", "bo": "x", "cy": "y"}, "measure": "alpha"},
    "confusion": {"first": "ann", "second": "bo"},
}
LABELS = [
    *(name for name in MEASURES if MEASURES[name].facts.values == "any" and MEASURES[name].facts.annotators == "any"),
    *("alt_test", "annotators", "best_annotator", "chance", "coincidences", "compare", "compare_distances"),
    *("confusion", "dawid_skene", "disagreements", "glad", "groups", "groups_agreement", "item_moments", "judge"),
    *("mace", "majority_vote", "medoid", "noise_ceiling", "one_coin", "plan", "report", "soft_labels", "wawa"),
    *("weighted_medoid", "weighted_vote", "xrr"),
]


@pytest.mark.parametrize("name", LABELS)
def test_a_function_of_data_takes_reading_options(name: str) -> None:
    function, beside = everything()[name], BESIDE.get(name, {})
    if name == "f_score":  # annotator= is whom it judges
        frame, told = LONG.rename(columns={"person": "annotator"}), {"item": "text", "value": "said"}
    else:
        frame, told = LONG, NAMED

    def result(data: Any, **options: Any) -> str:
        also = {key: data if one is ... else one for key, one in beside.items()}
        return re.sub(r"(?s)Policy:.*|.*pilot.*", "", str(function(data, **also, **options)))

    assert result(frame, **told) == result(STUDY)


def test_every_public_function_whose_first_argument_is_data_is_behind_the_door() -> None:
    functions = {name: one for name, one in everything().items() if inspect.isroutine(one)}
    data = {name for name, one in functions.items() if next(iter(inspect.signature(one).parameters)) == "data"}
    open_ended = {
        name
        for name in data
        if any(one.kind is one.VAR_KEYWORD for one in inspect.signature(functions[name]).parameters.values())
    }
    assert data == open_ended


def test_a_measure_shows_its_own_signature_and_the_options_of_reading() -> None:
    parameters = inspect.signature(ia.alpha).parameters
    assert [*parameters] == ["data", "others", "distance", "weights", "reading"]
    assert parameters["reading"].annotation == "Unpack[ReadingOptions]"
    assert ia.alpha.__module__ == "interagree.measures.alpha"
    assert "**reading: How data are read" in (ia.alpha.__doc__ or "")


def test_reading_options_are_those_of_annotations_of() -> None:
    options = set(ReadingOptions.__annotations__)
    assert options == {one.name for one in fields(Choices)} - {"question", "from_text", "provenance"}
    assert options >= inspect.signature(ia.Annotations.of).parameters.keys() - {"data"}


@pytest.mark.parametrize("name", MEASURES)
def test_the_example_in_the_help_of_a_measure_runs(name: str) -> None:
    text = inspect.getdoc(everything()[name]) or ""
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert example.examples, "help has an example"
    told = io.StringIO()
    doctest.DocTestRunner(verbose=False).run(example, out=told.write)
    assert not told.getvalue()


def test_options_that_measures_have_of_their_own_keep_their_meaning() -> None:
    first, second = ["a", "b", "a", None], ["a", "b", "b", "b"]
    codes = ["a", "b", "a", "N/A"]
    gwet = ia.cohen_kappa(first, second, missing="gwet")
    assert gwet.value != ia.cohen_kappa(first, second).value
    assert ia.cohen_kappa(codes, second, missing=["N/A"]).value == ia.cohen_kappa(first, second).value
    assert ia.measures.f_score(STUDY, annotator="ann", against="bo").n.annotators == 2


def test_values_and_kind_can_still_be_said_of_a_study() -> None:
    study = ia.Annotations.of({"ann": ["x", "y"], "bo": ["x", "y"]})
    assert ia.bennett_s(study, values=["x", "y", "z"]).value == 1
    assert ia.percent(study, values=["x", "y", "z"], tolerance=1).value == 1
    with pytest.raises(KindError, match=r"pass values=\[…\]"):
        ia.alpha(study, ordered=True)


def test_what_was_read_already_goes_to_the_measure_as_it_is() -> None:
    seen = []

    def spy(study: Any, *others: Any, **reading: Any) -> None:
        seen.append(study)

    from interagree.declare import takes_data

    scan = ia.scan(LONG, item="text", annotator="person", value="said")
    for one in (STUDY, ia.Study({"said": STUDY}), scan):
        takes_data(spy)(one)
        assert seen.pop() is one


def test_a_frame_may_have_a_column_called_provenance() -> None:
    frame = LONG.assign(provenance="web")
    assert ia.alpha(frame, **NAMED).value == ia.alpha(STUDY).value


def test_data_can_be_given_by_name() -> None:
    assert ia.alpha(data=LONG, **NAMED).value == ia.alpha(STUDY).value


def test_a_dict_of_studies_is_read_as_the_options_say() -> None:
    result = ia.report({"one": LONG, "two": LONG}, measures=["alpha"], **NAMED)
    assert [part.study.annotators for part in result.parts] == [("ann", "bo", "cy")] * 2
