"""Keywords and attributes that people know from other packages are answered with what they are called here."""

from __future__ import annotations

import copy
import inspect
import math
import pickle
import re

import pytest

import interagree as ia
from interagree.declare.measures import defaults_of
from interagree.errors import KindError
from interagree.errors.elsewhere import ATTRIBUTES, KEYWORDS
from interagree.plugins import MEASURES
from interagree.reading.choices import ReadingOptions

ANN, BO = ["x", "y", "x", "y", "x"], ["x", "y", "y", "y", "x"]
RESULT = ia.cohen_kappa(ANN, BO)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ia.alpha(ANN, BO, level_of_measurement="nominal"), "of krippendorff is distance= here"),
        (lambda: ia.cohen_kappa(ANN, BO, labels=["x", "y"]), "of scikit-learn is values= here"),
        (lambda: ia.alpha(reliability_data=[ANN, BO]), "come first and without a name"),
        (lambda: ia.cohen_kappa(y1=ANN, y2=BO), r"y1= of scikit-learn is the data"),
        (lambda: ia.cohen_kappa(ANN, BO, banana=3), r"does not take banana=\. \("),
    ],
)
def test_a_keyword_of_another_package_is_named_as_it_is_here(call, said) -> None:
    with pytest.raises(KindError, match=said):
        call()


def test_what_a_keyword_is_here_exists_and_the_keyword_does_not() -> None:
    named = {name for measure in MEASURES for name in defaults_of(MEASURES[measure])} | {
        *ReadingOptions.__annotations__
    }
    named |= {*inspect.signature(ia.Agreement.interval).parameters, "seed"}
    for keyword, (_, called) in KEYWORDS.items():
        assert {*re.findall(r"(\w+)=", called)} <= named, keyword
        assert keyword not in ReadingOptions.__annotations__


def test_an_attribute_of_another_package_is_named_as_it_is_here() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'pvalue'; here it is \.p,"):
        _ = RESULT.pvalue
    with pytest.raises(AttributeError, match=r"no attribute 'banana'$"):
        _ = RESULT.banana
    for name, called in ATTRIBUTES.items():
        assert not hasattr(RESULT, name)
        for path in re.findall(r"\.(\w+(?:\.\w+)*)", called):
            value = RESULT
            for part in path.split("."):
                value = getattr(value, part)


def test_the_ends_of_the_interval_and_the_p_value_are_at_hand() -> None:
    interval = RESULT.interval()
    assert RESULT.ci() == interval
    assert RESULT.ci(0.9) == RESULT.interval(0.9)
    assert (RESULT.low, RESULT.high, RESULT.p) == (interval.low, interval.high, RESULT.p_value())


def test_what_is_undefined_has_no_interval_and_no_p_value() -> None:
    undefined = ia.cohen_kappa(["x", "x"], ["x", "x"])
    assert all(map(math.isnan, (undefined.low, undefined.high, undefined.p)))


def test_a_result_is_still_copied_and_pickled() -> None:
    assert copy.deepcopy(RESULT) is RESULT
    assert pickle.loads(pickle.dumps(RESULT)).low == RESULT.low
