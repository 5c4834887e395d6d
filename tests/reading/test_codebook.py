"""Codebooks as people keep them: which tables are one, and what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interagree as ia
from interagree.data.codebook import Codebook, Variable
from interagree.reading.codebook import codebook, codebook_of, is_codebook
from interagree.reading.tables import NamedColumns
from interagree.results.document import write_document

WIDE = ["id", "tone_Marta", "tone_Jonas", "topic_Marta", "topic_Jonas", "harm_Marta", "harm_Jonas"]
LONG = ["id", "coder", "tone", "topic", "harm"]
SAID = {
    "tone": Variable("How does it sound?", "ordinal", ("negative", "neutral", "positive")),
    "topic": Variable("What is it about?", "nominal", ("1", "2"), {"1": "economy, labour", "2": "climate"}, ("99",)),
    "harm": Variable("How bad is it?", "interval", ("1", "5"), {"1": "not at all", "5": "very"}, ("-9",)),
}
IN_GERMAN = {
    "Merkmal": ["tone", "topic", "harm"],
    "Frage": ["How does it sound?", "What is it about?", "How bad is it?"],
    "Skala": ["ordinal", "kategorial", "Intervall"],
    "Werte": ["negative; neutral; positive", "1 = economy, labour, 2 = climate", "1: not at all; 5: very"],
    "fehlend": [None, 99, -9],
}
BY_VALUE: dict[str, list[Any]] = {
    "Var": ["tone", None, None, "topic", None],
    "level": ["ordinal", None, None, "nominal", None],
    "Code": ["negative", "neutral", "positive", 1, 2],
    "Meaning": ["sounds bad", "sounds like nothing", "sounds good", "economy, labour", "climate"],
}


@pytest.mark.parametrize("columns", [WIDE, LONG])
@pytest.mark.parametrize("table", [IN_GERMAN, BY_VALUE], ids=["a row for each question", "a row for each value"])
def test_a_codebook_is_told_by_its_cells(table: dict[str, list[Any]], columns: list[str]) -> None:
    assert is_codebook(NamedColumns.of(table), columns)
    assert is_codebook(
        NamedColumns.of({f"column {place}": cells for place, cells in enumerate(table.values())}), columns
    )


def test_tables_of_answers_are_no_codebooks() -> None:
    long: dict[str, list[Any]] = {
        "question": ["tone", "topic", "harm"] * 4,
        "item": [1, 1, 1, 2, 2, 2] * 2,
        "who": ["a"] * 6 + ["b"] * 6,
        "value": [1, 2, 3, 1, 2, 1, 2, 2, 1, 1, 2, 3],
    }
    assert not is_codebook(NamedColumns.of(long), LONG)
    assert not is_codebook(NamedColumns.of({"id": ["x", "y"], "tone": ["good", "bad"], "harm": [1, 2]}), LONG)
    assert not is_codebook(NamedColumns.of(IN_GERMAN), ["id", "clarity", "length"])
    people = {"mean": [2.5, 3.5, 2.0], "Person 1": [2, 4, 1], "Person 2": [3, 3, 3]}
    assert not is_codebook(NamedColumns.of(people), ["Person 1", "Person 2", "Person 3"])


def test_it_says_the_same_with_a_row_for_each_question_or_value() -> None:
    assert dict(codebook_of(NamedColumns.of(IN_GERMAN), WIDE)) == SAID
    by_value = codebook_of(NamedColumns.of(BY_VALUE), WIDE)
    assert by_value["tone"].level == "ordinal"
    assert by_value["tone"].in_order() == ("negative", "neutral", "positive")
    assert by_value["topic"].labels == SAID["topic"].labels


def test_what_is_written_reads_back_the_same() -> None:
    rows = Codebook(SAID).rows()
    written = NamedColumns.of({name: [row[name] for row in rows] for name in rows[0]})
    assert dict(codebook_of(written)) == SAID


def test_a_dict_says_as_much() -> None:
    given = {"tone": "ordinal", "topic": {"values": {1: "economy, labour", 2: "climate"}, "missing": 99}}
    assert dict(codebook(given)) == {
        "tone": Variable(level="ordinal"),
        "topic": Variable(values=("1", "2"), labels=SAID["topic"].labels, missing=("99",)),
    }


@pytest.mark.parametrize(
    ("cell", "values"),
    [
        ("1=low, 2=high", {"1": "low", "2": "high"}),
        ("0: no; 1: yes", {"0": "no", "1": "yes"}),
        ("(1) low (2) high", {"1": "low", "2": "high"}),
        ("1 - poor\n2 - fair", {"1": "poor", "2": "fair"}),
        ("1, Yes, mostly | 0, No", {"1": "Yes, mostly", "0": "No"}),
        ("-1 = against | 0 = neither | 1 = for", {"-1": "against", "0": "neither", "1": "for"}),
    ],
)
def test_lists_of_values_are_read_as_people_write_them(cell: str, values: dict[str, str]) -> None:
    table = NamedColumns.of({"variable": ["a", "b"], "codes": [cell, cell]})
    assert codebook_of(table)["a"] == Variable(values=tuple(values), labels=values)


def test_codes_for_no_answer_are_taken_out_and_odd_values_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(
        "id,ann,bo,cy\n1,1,2,1\n2,3,3,4\n3,5,5,99\n4,2,1,2\n5,4,4,3\n6,1,99,2\n7,1,-9,2\n", encoding="utf-8"
    )
    both = ia.read(path, codebook={"value": {"level": "ordinal", "missing": [99, -9]}})
    assert both.single().rows() == ia.read(path, missing=["99", "-9"]).single().rows()
    assert "3 annotations '-9', '99' taken as no answer" in both.policy()
    assert "may mean" not in both.policy()
    one = ia.read(path, codebook={"value": {"values": {1: "bad", 5: "good"}, "missing": 99}})
    assert "'-9' given and not listed in the codebook" in one.policy()


def test_doctor_writes_a_codebook_that_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("id,ann,bo\n" + "".join(f"{n},{n % 4},{(n + n // 5) % 4}\n" for n in range(40)), encoding="utf-8")
    given = {"value": {"title": "How good?", "level": "ordinal", "values": {0: "bad", 1: "poor", 2: "fair", 3: "good"}}}
    for options in ({}, {"codebook": given}):
        study = ia.read(path, **options)
        written = ia.doctor(path, **options).codebook_document()
        write_document(written, tmp_path / "book.csv")
        again = ia.read(path, codebook=tmp_path / "book.csv")
        assert ia.alpha(again) == ia.alpha(study)
        assert again.level() == study.level()
        assert again.single().value_labels == study.single().value_labels


def test_a_variable_that_no_question_is_called_is_said(tmp_path: Path) -> None:
    rows = [f"{item},{who},{'xy'[(item + (who == 'b')) % 2]}" for item in range(8) for who in "ab"]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["item,annotator,tone", *rows]), encoding="utf-8")
    study = ia.read(path, codebook={"tone": "nominal", "tune": "ordinal", "annotator": "nominal"})
    assert "no question is called: 'tune'" in study.provenance.policy()
    assert "'annotator'" not in study.provenance.policy()
    assert "no question is called" not in ia.read(path, codebook={"tone": "nominal"}).provenance.policy()
