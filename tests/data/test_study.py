"""Studies of several questions, without some annotators or with labels merged."""

from __future__ import annotations

import pytest

import interagree as ia
from interagree.errors import DataError, UnknownName

TONE = ia.Annotations.of([(1, "x", "p"), (1, "y", "q"), (2, "x", "p"), (2, "z", "q")])
TOPIC = ia.Annotations.of([(1, "x", "p"), (1, "y", "q"), (2, "x", "p"), (2, "y", "q")])
STUDY = ia.Study.of(tone=TONE, topic=TOPIC)


def test_an_annotator_is_left_out_of_the_questions_that_they_answered() -> None:
    left = STUDY.without("z")
    assert left["tone"].annotators == ("x", "y")
    assert left["topic"].rows() == TOPIC.rows()


def test_an_annotator_who_answered_no_question_is_an_error() -> None:
    with pytest.raises(UnknownName, match=r"no annotator 'Z'; there are 'x', 'y', 'z'"):
        STUDY.without("Z")


def test_labels_are_merged_in_the_only_question() -> None:
    assert ia.Study.of(tone=TONE).merge_labels("p", "q")["tone"].values == ("p",)
    with pytest.raises(DataError, match="choose one of them"):
        STUDY.merge_labels("p", "q")


def test_the_example_is_the_study_of_the_demo() -> None:
    study = ia.example()
    assert study.level().name == "ordinal"
    assert len(study.single().items) == 60
    assert round(ia.alpha(study.without("a5")).value, 3) == 0.819
