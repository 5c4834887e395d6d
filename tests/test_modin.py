"""Modin's frames; in an environment of their own, because Modin asks for an older pandas (`make modin`)."""

from __future__ import annotations

import pytest

import interagree as ia

pd = pytest.importorskip("modin.pandas")

ROWS = [(i, a, v) for i, row in enumerate(["aab", "abb", "bbb", "aaa", "ab*"]) for a, v in enumerate(row) if v != "*"]


def frame():
    return pd.DataFrame(
        {name: list(column) for name, column in zip(("task", "worker", "label"), zip(*ROWS, strict=True), strict=True)}
    )


def test_a_frame_of_modin_is_a_study():
    assert ia.alpha(frame()).value == pytest.approx(ia.alpha(ROWS).value)


def test_missing_labels_of_modin_are_no_annotations():
    table = frame()
    table["label"] = [None, *table["label"].tolist()[1:]]
    study = ia.Annotations.of(table)
    assert len(study) == len(ROWS) - 1
    assert "1 row without a value left out" in study.provenance.policy()


def test_a_wide_frame_of_modin_has_an_annotator_in_each_column():
    wide = pd.DataFrame({"ann": ["a", "b", None], "bo": ["a", "a", "b"], "cy": ["a", "b", "b"]})
    assert ia.fleiss_kappa(wide).n.annotators == 3
