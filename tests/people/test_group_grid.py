"""Groups of annotators, and tables of documents and schemes."""

from __future__ import annotations

import math
from statistics import fmean, stdev
from typing import Any

import pytest

import interagree as ia
from interagree.errors import DataError, KindError, UnknownName
from interagree.people.groups import documents, grid, groups, membership

LABELS = {"a": "xxyyxyxx", "b": "xxyyxyxy", "c": "xyyyxxxx", "d": "yyyxxyxx"}
KINDS = {"a": "own", "b": "own", "c": "student", "d": "student"}
SPANS = [
    ("d1", "a", [[0, 40, "f"], [12, 20, "t"]]),
    ("d1", "b", [[0, 40, "f"], [14, 22, "t"]]),
    ("d1", "c", [[0, 38, "f"]]),
    ("d2", "a", [[0, 90, "f"], [30, 60, "t"]]),
    ("d2", "c", [[5, 90, "f"], [30, 61, "t"]]),
    ("d3", "a", [[0, 9, "f"]]),
    ("d3", "b", [[0, 9, "f"]]),
]


@pytest.fixture
def study() -> ia.Annotations:
    rows = [(i, who, value, KINDS[who]) for who, values in LABELS.items() for i, value in enumerate(values)]
    return ia.Annotations.of([dict(zip(("item", "annotator", "value", "kind"), row, strict=True)) for row in rows])


@pytest.mark.parametrize("by", ["kind", KINDS], ids=["a column", "a mapping"])
def test_all_within_and_between(study: Any, by: Any) -> None:
    table = groups(study, by, measure="alpha")
    found = {row["comparison"]: row for row in table.rows()}
    assert list(found) == ["all", "within own", "within student", "own and student"]
    assert found["all"]["value"] == pytest.approx(ia.alpha(study).value)
    assert found["within own"]["value"] == pytest.approx(ia.alpha(study.only(annotators=["a", "b"])).value)
    pairs = [ia.alpha(study.only(annotators=[one, other])).value for one in "ab" for other in "cd"]
    between = found["own and student"]
    assert between["value"] == pytest.approx(fmean(pairs))
    assert (between["lowest"], between["highest"]) == pytest.approx((min(pairs), max(pairs)))
    assert between["pairs"] == 4
    interval = ia.alpha(study).interval()
    assert (found["all"]["lowest"], found["all"]["highest"]) == pytest.approx((interval.low, interval.high))


def test_a_group_of_one_has_nothing_within(study: Any) -> None:
    table = groups(study, {**KINDS, "b": "student"}, measure="alpha")
    assert table["comparison"] == ["all", "within student", "own and student"]
    assert "One annotator alone: 'own'" in table.foot


def test_pairs_that_are_undefined_are_left_out_and_counted() -> None:
    rows = [
        (i, who, value) for who, values in {"a": "xx", "b": "xy", "c": "xx"}.items() for i, value in enumerate(values)
    ]
    table = groups(rows, {"a": "one", "b": "one", "c": "two"}, measure="alpha")
    between = table.rows()[-1]
    assert between["pairs"] == 1
    assert between["value"] == pytest.approx(ia.alpha([row for row in rows if row[1] != "a"]).value)


def test_annotators_in_no_group_are_set_aside_and_named(study: Any) -> None:
    grouped = {name: group for name, group in KINDS.items() if name != "d"}
    table = groups(study, grouped, measure="alpha")
    others = groups(study.only(annotators=[*grouped]), grouped, measure="alpha")
    assert table.rows() == others.rows()
    assert "1 annotator in no group set aside: 'd'." in table.foot
    assert membership(study, grouped).ungrouped == ["d"]


def test_what_makes_no_groups_is_told(study: Any) -> None:
    with pytest.raises(DataError, match="no annotator has a group"):
        membership(study, {})
    with pytest.raises(DataError, match="there is one group"):
        membership(study, dict.fromkeys("abcd", 1))
    with pytest.raises(UnknownName, match="Did you mean 'kind'"):
        membership(study, "knid")
    mixed = ia.Annotations.of(
        {"item": [1, 2, 1], "annotator": ["a", "a", "b"], "value": ["x", "y", "x"], "team": ["r", "s", "r"]}
    )
    with pytest.raises(DataError, match="'a' is in both 'r' and 's'"):
        membership(mixed, "team")
    with pytest.raises(KindError, match="nobody knows who"):
        membership(ia.Annotations.from_counts([[2, 0]]), "kind")


def test_a_table_of_documents_and_schemes() -> None:
    one = ia.Annotations.of(SPANS, kind="spans")
    other = ia.Annotations.of([row for row in SPANS if row[0] != "d2"], kind="spans")
    table = grid({"one": one, "other": other}, what="observed", samples=20)
    assert table["document"] == ["d1", "d2", "d3", "min", "mean", "max", "sd"]
    seen = {item: found.observed for item, found in documents(one, samples=20).items()}
    defined = [value for value in seen.values() if not math.isnan(value)]
    column = table["one"]
    assert column[:2] == pytest.approx([seen["d1"], seen["d2"]])
    assert column[3:] == pytest.approx([min(defined), fmean(defined), max(defined), stdev(defined)])
    assert table["other"][1] is None


def test_between_two_groups_in_each_document() -> None:
    study = ia.Annotations.of(SPANS, kind="spans")
    kinds = {"a": "own", "b": "own", "c": "student"}
    table = grid({"one": study}, what="observed", by=kinds, between=("own", "student"), samples=20)
    assert table["document"][:2] == ["d1", "d2"]  # nobody of the students annotated the third
    pairs = [documents(study.only(annotators=[who, "c"], items=["d1"]), samples=20)["d1"].observed for who in "ab"]
    assert table["one"][0] == pytest.approx(fmean(pairs))
    with pytest.raises(UnknownName, match=r"no group 'studnet'.* Did you mean 'student'"):
        grid({"one": study}, by=kinds, between=("own", "studnet"))
    with pytest.raises(KindError, match="give both or neither"):
        grid({"one": study}, by=kinds)
    with pytest.raises(KindError, match="what= takes one of"):
        grid({"one": study}, what="gamma")
