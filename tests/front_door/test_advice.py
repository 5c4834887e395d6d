"""What an error message advises works where the message is shown.

Each case is a call that fails.  The options that its message spells out (``item=0``, ``duplicates='first'``) are given
to the same call, and the expressions in it (``interagree.read('file.csv')``) are evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import interagree as ia
from interagree.errors import InteragreeError
from interagree.studies.explain import explain

EXPRESSION = re.compile(r"(?:interagree\.\w+|study\.\w+|study)(?:\([^()…]*\)|\[[^\]…]*\])")

ARRAY = np.array([[1, 1, 2], [2, 2, 2], [1, 1, 1], [2, 1, 2]])
COUNTS = np.array([[3, 0], [1, 2], [0, 3]])
TRIPLES = np.array([[who, item, (who * item) % 2] for who in (7, 8) for item in range(4)])  # annotator, item, value
MIXED = pd.DataFrame({"annotater": ["x", "y"] * 3, "item": [1, 1, 2, 2, 3, 3], "value": list("aabbab")})
TWICE = [(1, "ann", "a"), (1, "ann", "b"), (1, "bo", "a"), (2, "ann", "b"), (2, "bo", "b")]
WIDE = pd.DataFrame({"rater_1": list("abab"), "rater_2": list("abbb")})
WORDS = (["low", "high", "mid", "low"], ["low", "mid", "mid", "high"])


def told(call: Callable[..., Any]) -> str:
    with pytest.raises(InteragreeError) as error:
        call()
    return str(error.value)


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (lambda **more: ia.alpha(ARRAY, **more), ["item=0", "item=1"]),
        (lambda **more: ia.report(ARRAY, **more), ["item=0", "item=1"]),
        (lambda **more: ia.crowd.majority_vote(ARRAY, **more), ["item=0", "item=1"]),
        (lambda **more: ia.fleiss_kappa(COUNTS, **more), ["layout='counts'"]),
        (lambda **more: ia.alpha(TRIPLES, **more), ["item=1, annotator=0, value=2"]),
        (lambda **more: ia.alpha(MIXED, **more), ["annotator='annotater'"]),
        (lambda **more: ia.crowd.majority_vote(MIXED, **more), ["annotator='annotater'"]),
        (lambda **more: explain("alpha", MIXED, **more), ["annotator='annotater'"]),
        (lambda **more: ia.plan(MIXED, half_width=0.2, **more), ["annotator='annotater'"]),
        (lambda **more: ia.alpha(TWICE, **more), ["duplicates='first'"]),
        (lambda **more: ia.annotators(TWICE, **more), ["duplicates='first'"]),
        (lambda **more: ia.people.wawa(TWICE, **more), ["duplicates='first'"]),
    ],
)
def test_an_option_that_is_advised_is_taken(call: Callable[..., Any], advice: list[str]) -> None:
    message = told(call)
    for options in advice:
        assert options in message
        call(**eval(f"dict({options})"))


def test_the_order_that_is_asked_for_can_be_given() -> None:
    message = told(lambda: ia.alpha(*WORDS, distance="ordinal"))
    assert "values=[…]" in message
    assert ia.alpha(*WORDS, distance="ordinal", values=["low", "mid", "high"]).value < 1


def test_a_distance_is_given_as_the_message_spells_it() -> None:
    message = told(lambda: ia.alpha([1, 2, 3], [1, 2, 2], distance="circular"))
    spelled = re.search(r"distance='(circular:[^']*)'", message)
    assert spelled is not None
    assert ia.alpha([1, 2, 3], [1, 2, 2], distance=spelled[1].replace("…", "12")).value < 1


def run(message: str, names: Mapping[str, Any]) -> list[Any]:
    found = EXPRESSION.findall(message)
    assert found, message
    return [eval(one, dict(names)) for one in found]


def test_a_path_is_read_as_the_message_says(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("item,annotator,value\n1,x,a\n1,y,a\n2,x,b\n2,y,a\n", encoding="utf-8")
    for function in (ia.alpha, ia.report, ia.crowd.majority_vote):
        (study,) = run(told(lambda function=function: function(str(file))), {"interagree": ia})
        assert function(study) is not None


def test_a_question_is_chosen_as_the_message_says() -> None:
    study = ia.Study({"mood": ia.Annotations.of(WIDE), "topic": ia.Annotations.of(WIDE)})
    (question,) = run(told(lambda: ia.alpha(study)), {"study": study})
    assert ia.alpha(question).n.annotators == 2


def test_studies_are_compared_and_joined_as_the_message_says() -> None:
    first = ia.Annotations.of({"ann": list("abab"), "bo": list("abbb")})
    second = ia.Annotations.of({"cy": list("abab"), "di": list("aabb")})
    message = told(lambda: ia.alpha(first, second))
    difference, joined = run(message, {"interagree": ia, "first": first, "second": second})
    assert isinstance(difference.value, float)
    assert len(joined.annotators) == 4


def test_series_are_joined_as_the_message_says() -> None:
    first, second = pd.Series(list("abab"), name="x"), pd.Series(list("abbb"), name="y", index=[1, 2, 3, 4])
    message = told(lambda: ia.alpha(first, second))
    frame = re.search(r"pandas\.concat\(.*?\)", message)
    assert frame is not None
    assert ia.alpha(eval(frame[0], {"pandas": pd, "first": first, "second": second})).n.annotators == 2
    arrays = re.search(r"(first\.to_numpy\(\)), (second\.to_numpy\(\))", message)
    assert arrays is not None
    assert ia.alpha(*(eval(one, {"first": first, "second": second}) for one in arrays.groups())).n.items == 4


def test_the_measures_that_are_named_instead_take_the_same_data() -> None:
    three = ([*"abab"], [*"abbb"], [*"aabb"])
    message = told(lambda: ia.cohen_kappa(*three))
    named = re.findall(r"\b\w+_kappa\b", message)
    assert {"light_kappa", "conger_kappa", "fleiss_kappa"} <= set(named)
    for name in named:
        assert getattr(ia.measures, name)(*three).n.annotators == 3


def test_one_file_for_each_annotator_is_read_as_the_message_says(tmp_path: Path) -> None:
    for who in ("ann", "bo"):
        (tmp_path / f"{who}.csv").write_text("item,value\n1,a\n2,b\n", encoding="utf-8")
    message = told(lambda: ia.read(tmp_path / "ann.csv", layout="long"))
    (spelled,) = re.findall(r"annotator='\{file\}'", message)
    study = ia.read([tmp_path / "ann.csv", tmp_path / "bo.csv"], **eval(f"dict({spelled})"))
    assert ia.alpha(study).n.annotators == 2
