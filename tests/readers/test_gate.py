"""Documents of GATE in, studies out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from readers.sample_files.texts import BDOC, GATE, TEXT

from interagree.errors import DuplicateAnnotation, FormatError, UnknownName
from interagree.readers import read
from interagree.readers.gate import recognised


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def made(content: Any = GATE, name: str = "letter.xml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return made


def rows(annotations: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in annotations.rows()}


def test_named_sets_are_annotators_and_types_questions(file: Any) -> None:
    study = read(file())
    assert rows(study["Person"]) == {
        ("letter", "ann"): ((0, 7, "yes"), (12, 14, None)),
        ("letter", "bo"): ((0, 7, None),),
    }
    assert rows(study["Verb"]) == {("letter", "ann"): (), ("letter", "bo"): ((7, 12, None),)}
    assert set(study["Person"].attributes["text"]) == {TEXT}
    assert "1 annotation of the set without a name left out" in study.policy()
    assert "1 annotation of the set 'Original markups' left out" in study.policy()
    assert "'ann' marked nothing of 'Verb' in any document, taken as having looked for it" in study.policy()


def test_a_type_that_somebody_was_not_asked_for(file: Any) -> None:
    study = read(file(), asked="marked")
    assert study["Verb"].annotators == ["bo"]
    assert "taken as not asked for it (asked='all' takes the opposite)" in study.policy()


def test_types_as_labels_of_one_question(file: Any) -> None:
    study = read(file(), types="labels")
    assert list(study) == ["spans"]
    assert rows(study["spans"])["letter", "bo"] == ((0, 7, "Person"), (7, 12, "Verb"))
    (known, plain) = rows(study["spans"])["letter", "ann"]
    assert dict(known)["features"] == (("known", "yes"),)
    assert plain == (12, 14, "Person")


def test_nodes_are_places_in_the_text_whatever_they_count(file: Any) -> None:
    wide = GATE.replace("Ann Lee", "\U0001f600 Lee").replace('id="7"', 'id="6"').replace('Node="7"', 'Node="6"')
    assert rows(read(file(wide))["Person"])["letter", "ann"] == ((0, 5, "yes"), (10, 12, None))


def test_the_consensus_is_not_an_annotator(file: Any) -> None:
    path = file(GATE.replace('Name="bo"', 'Name="consensus"'))
    study = read(path)
    assert study["Person"].annotators == ["ann"]
    assert "1 set 'consensus' left out" in study.policy()
    assert read(path, gold="apart")["Person"].annotators == ["ann", "ground truth"]


def test_sets_by_name(file: Any) -> None:
    assert read(file(), sets="ann")["Person"].annotators == ["ann"]
    assert list(read(file(), sets=[""], annotator="machine")) == ["Token"]
    with pytest.raises(UnknownName, match="there is no annotation set 'cy'"):
        read(file(), sets="cy")
    with pytest.raises(DuplicateAnnotation, match=r"'x' has the document 'letter' twice.*sets=\['bo'\]"):
        read(file(), annotator="x", sets=["ann", "bo"])


NAMELESS = (
    GATE.replace('<AnnotationSet Name="ann">', "<Other>")
    .replace('</AnnotationSet>\n<AnnotationSet Name="bo">', "</Other><Other>")
    .replace("</AnnotationSet>\n</GateDocument>", "</Other></GateDocument>")
)


def test_files_are_annotators_where_sets_have_no_names(file: Any, tmp_path: Path) -> None:
    file(NAMELESS, "letter/ann.xml")
    file(NAMELESS, "letter/bo.xml")
    study = read(tmp_path / "letter")
    assert rows(study["Token"]) == {("letter", "ann"): ((0, 7, None),), ("letter", "bo"): ((0, 7, None),)}
    with pytest.raises(FormatError, match=r"does not say who made them; pass annotator='\{folder\}'"):
        read(tmp_path / "letter/ann.xml")
    assert read(tmp_path / "letter/ann.xml", annotator="{folder}")["Token"].annotators == ["letter"]


def test_json(file: Any) -> None:
    study = read(file(BDOC, "letter.bdocjs"))
    assert rows(study["Person"]) == {("letter", "ann"): ((0, 7, "1"),), ("letter", "bo"): ((12, 14, None),)}
    wide = {**BDOC, "text": "\U0001f600" + TEXT}
    assert rows(read(file(wide, "letter.bdocjs"))["Person"])["letter", "bo"] == ((11, 13, None),)
    assert rows(read(file({**wide, "offset_type": "p"}, "letter.bdocjs"))["Person"])["letter", "bo"] == (
        (12, 14, None),
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('StartNode="12"', 'StartNode="13"', "the annotation '3': there is no node '13' in the text"),
        ('StartNode="12" EndNode="14"', 'StartNode="14" EndNode="12"', "the annotation '3': it ends before it starts"),
        ('Node id="7"', 'Node id="0"', "expected nodes with ids of their own"),
        ('Name="bo"', 'Name="ann"', "two annotation sets are called 'ann'"),
        ('Type="Verb" ', "", "the annotation '5': expected a type, found none"),
        ("TextWithNodes", "Text", "expected the text in an element 'TextWithNodes'"),
        ("</GateDocument>", "", "this is not XML"),
    ],
)
def test_what_is_wrong_in_xml(file: Any, old: str, new: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(file(GATE.replace(old, new)))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "expected a document, an object"),
        ({**BDOC, "offset_type": "x"}, "expected 'j' or 'p'"),
        ({**BDOC, "offset_type": ["j"]}, r"expected 'j' or 'p' in 'offset_type', found \['j'\]"),
        ({**BDOC, "annotation_sets": {"a": 3}}, "/annotation_sets: expected an object in 'a'"),
        ({**BDOC, "annotation_sets": {"a": {"annotations": [3]}}}, "/annotations/0: expected an object"),
        (
            {**BDOC, "annotation_sets": {"a": {"annotations": [{"type": "T", "start": 0, "end": 99}]}}},
            "does not lie in its text",
        ),
        ({**BDOC, "annotation_sets": {"a": {"annotations": [{"start": 0, "end": 9}]}}}, "expected a text in 'type'"),
    ],
)
def test_what_is_wrong_in_json(file: Any, content: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(file(content, "a.bdocjs"), format="gate")


def test_other_xml_is_not_recognised(file: Any) -> None:
    assert not recognised(file("<document><title>x</title></document>", "a.xml"))


def test_the_document_of_gates_own_test_of_agreement(shared: Path) -> None:
    study = read(shared / "data/formats/gate_xml/beijing-opera.xml")
    found = {name: {who: len(value) for _, who, value in study[name].rows()} for name in study}
    assert found == {
        "sent": {"ann1": 19, "ann2": 19, "ann3": 19},
        "Os": {"ann1": 5, "ann2": 3, "ann3": 4},
        "Location": {"ann1": 14, "ann2": 0, "ann3": 0},
    }
    labels = {who: sorted(str(label) for *_, label in value) for _, who, value in study["sent"].rows()}
    assert labels["ann2"] == sorted(["None"] * 10 + ["false"] * 5 + ["true"] * 4)
    assert labels["ann1"] == sorted(["None"] * 10 + ["false"] * 3 + ["true"] * 5 + [""])


def test_the_document_of_gatenlps_own_tests(shared: Path) -> None:
    study = read(shared / "data/formats/gate_xml/gatenlp_testdoc1.bdocjs", points="keep")
    assert {name: [value for *_, value in study[name].rows()] for name in study} == {
        "LONG": [((0, 20, None),)],
        "SHORT": [((5, 10, None),)],
        "ZERO1": [((5, 5, None),)],
        "ZERO2a": [((7, 7, None),)],
        "ZERO2b": [((7, 7, None),)],
    }
    assert "2 annotations of the set without a name left out" in study.policy()
