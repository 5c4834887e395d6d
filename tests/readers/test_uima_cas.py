"""CAS of UIMA in, studies out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from readers.sample_files.texts import CAS_JSON, TEXT, XMI_BODY, type_system, xmi

from interagree.errors import DuplicateAnnotation, FormatError, UnknownName
from interagree.readers import read
from interagree.readers._cas import Types, is_aside
from interagree.readers.uima_cas import recognised

POS = "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos."
EXPECTED = {
    "Entity.certain": ((0, 7, "true"), (12, 14, "false")),
    "Entity.value": ((0, 7, "PER"), (12, 14, "PER")),
    "Frame": ((8, 11, None),),
    "Same.referenceType": ((0, 7, "nam"),),
    "Knows": (((0, 7, "PER"), (12, 14, "PER"), "well"),),
    "Frame.roles": (((8, 11, None), (0, 7, "PER"), "who"),),
    "Same": (((0, 7), (12, 14)),),
    "Genre": "letter",
}


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    def made(types: bytes | None = type_system(), suffix: str = ".xmi", **files: bytes) -> Path:
        if types is not None:
            (tmp_path / "TypeSystem.xml").write_bytes(types)
        for name, content in files.items():
            (tmp_path / "letter.txt").mkdir(exist_ok=True)
            (tmp_path / "letter.txt" / f"{name}{suffix}").write_bytes(content)
        return tmp_path

    return made


def values(study: Any, who: str = "ann") -> dict[str, Any]:
    return {
        name: value
        for name in study
        for item, annotator, value in study[name].rows()
        if (item, annotator) == ("letter.txt", who)
    }


def test_layers_relations_slots_chains_and_documents(folder: Any) -> None:
    study = read(folder(ann=xmi(), bo=xmi(members="10")))
    found = values(study)
    assert {name: found[name] for name in sorted(found)} == {name: EXPECTED[name] for name in sorted(EXPECTED)}
    assert values(study, "bo")["Entity.value"] == ((0, 7, "PER"),)
    assert values(study, "bo")["Knows"] == ()
    assert set(study["Entity.value"].attributes["tokens"]) == {((0, 3),)}
    assert "documents from {folder}, annotators from {file}" in study.policy()


def test_json_says_the_same_as_xmi(folder: Any) -> None:
    study = read(folder(types=None, suffix=".json", ann=json.dumps(CAS_JSON).encode()))
    found = values(study)
    assert {name: found[name] for name in sorted(found)} == {name: EXPECTED[name] for name in sorted(EXPECTED)}


def test_structures_of_json_may_be_an_object(folder: Any) -> None:
    listed: list[dict[str, Any]] = CAS_JSON["%FEATURE_STRUCTURES"]  # type: ignore[assignment]
    by_id = {str(entry["%ID"]): {key: value for key, value in entry.items() if key != "%ID"} for entry in listed}
    content = json.dumps({**CAS_JSON, "%FEATURE_STRUCTURES": by_id}).encode()
    assert values(read(folder(types=None, suffix=".json", ann=content)))["Knows"] == EXPECTED["Knows"]


def test_without_a_type_system_ids_are_told_by_what_they_name(folder: Any) -> None:
    study = read(folder(types=None, ann=xmi()))
    assert values(study) == EXPECTED
    assert "1 file without TypeSystem.xml" in study.policy()


def test_offsets_count_utf16_units(folder: Any) -> None:
    body = '<custom:Entity xmi:id="10" sofa="1" begin="3" end="6" value="PER" certain="true"/>'
    study = read(folder(ann=xmi(body, text="\U0001f600 Ann", members="10")))
    assert values(study)["Entity.value"] == ((2, 5, "PER"),)


def test_what_was_removed_from_the_index_is_not_read(folder: Any) -> None:
    assert values(read(folder(ann=xmi(members="10"))))["Entity.value"] == ((0, 7, "PER"),)


def test_other_views_are_left_out(folder: Any) -> None:
    other = '<custom:Entity xmi:id="30" sofa="9" begin="0" end="3" value="X" certain="true"/>'
    sofa = '<cas:Sofa xmi:id="9" sofaNum="2" sofaID="translation" sofaString="Anne"/><cas:View sofa="9" members="30"/>'
    study = read(folder(ann=xmi(XMI_BODY + other + sofa)))
    assert values(study)["Entity.value"] == EXPECTED["Entity.value"]
    assert "1 annotation of another view than _InitialView left out" in study.policy()


def test_a_relation_without_an_end_is_counted(folder: Any) -> None:
    study = read(folder(ann=xmi(XMI_BODY.replace(' Governor="10"', ""))))
    assert "Knows" not in study
    assert "1 relation or slot without one of its ends left out" in study.policy()


def test_types_that_dkpro_derives_are_those_they_are_derived_from(folder: Any) -> None:
    body = '<pos:POS_NOUN xmi:id="10" sofa="1" begin="0" end="3" PosValue="NN" coarseValue="NOUN"/>'
    study = read(folder(ann=xmi(body, members="10")))
    assert list(study) == ["POS.PosValue", "POS.coarseValue"]
    types = Types({f"{POS}POS_X": f"{POS}POS", "mine.B": "mine.A"})
    assert types.layer(f"{POS}POS_X") == f"{POS}POS"
    assert types.layer("mine.B") == "mine.B"
    assert is_aside("uima.tcas.DocumentAnnotation")
    assert not is_aside("de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Lemma")


def test_curated_and_empty_documents(folder: Any) -> None:
    path = folder(ann=xmi(), CURATION_USER=xmi(members="10"), INITIAL_CAS=xmi(members="2"), bo=xmi(members="2"))
    study = read(path)
    assert study["Genre"].annotators == ["ann"]
    assert study["Entity.value"].annotators == ["ann", "bo"]
    assert "1 curated document left out" in study.policy()
    assert "1 document before annotation left out" in study.policy()
    assert "1 document without any annotation taken as looked at" in study.policy()
    assert values(read(path, gold="apart"), "ground truth")["Entity.value"] == ((0, 7, "PER"),)
    assert read(path, empty="unseen")["Entity.value"].annotators == ["ann"]


def test_one_person_has_a_document_twice(folder: Any) -> None:
    path = folder(ann=xmi())
    (path / "letter.txt/ann.json").write_text(json.dumps(CAS_JSON), encoding="utf-8")
    with pytest.raises(DuplicateAnnotation, match=r"'ann' has document 'letter\.txt' twice"):
        read(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (xmi()[:-20], "this is not XML"),
        (
            xmi().replace(b'begin="0" end="7" value', b'begin="0" end="99" value'),
            "lies outside its text|does not lie in its text",
        ),
        (
            xmi().replace(b'begin="0" end="7" value', b'begin="x" end="7" value'),
            "expected a whole number for 'begin', found 'x'",
        ),
        (
            xmi()
            .replace(b'first="15"', b'first="16"')
            .replace(b'begin="12" end="14"/>', b'begin="12" end="14" next="16"/>'),
            "a chain comes back to its link 16",
        ),
        (b'<!DOCTYPE x [<!ENTITY a "b">]>' + xmi().partition(b"?>")[2], "declares the document type"),
        (xmi().replace(b"letter", b"&#1;"), "this is not XML"),
    ],
)
def test_what_is_wrong_in_xmi(folder: Any, content: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(folder(ann=content) / "letter.txt/ann.xmi", format="uima_cas")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "expected a CAS in JSON, an object"),
        ({"_context": {}, "_views": {}}, "old form of JSON"),
        ({"%VIEWS": {}}, "expected '%FEATURE_STRUCTURES'"),
        ({"%FEATURE_STRUCTURES": 3}, "expected a list in"),
        ({"%FEATURE_STRUCTURES": [3]}, "expected an object for each structure"),
        ({"%FEATURE_STRUCTURES": [{"%ID": 1}]}, "expected the name of a type"),
        ({"%FEATURE_STRUCTURES": [{"%ID": 1, "%TYPE": "x"}, {"%ID": 1, "%TYPE": "x"}]}, "two structures have the id 1"),
        (
            {"%FEATURE_STRUCTURES": [{"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": 3}]},
            "expected a text in 'sofaString'",
        ),
    ],
)
def test_what_is_wrong_in_json(folder: Any, content: Any, message: str) -> None:
    path = folder(types=None, suffix=".json", ann=json.dumps(content).encode()) / "letter.txt/ann.json"
    with pytest.raises(FormatError, match=message):
        read(path, format="uima_cas")


def test_binary_files_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "ann.ser"
    path.write_bytes(b"\xac\xed\x00\x05sr\x00\x10")
    with pytest.raises(FormatError, match=r"a binary CAS.*export the documents as UIMA CAS XMI"):
        read(path)
    with pytest.raises(FormatError, match="is a binary CAS, which only Java reads"):
        read(path, format="uima_cas")


def test_damaged_types_are_named(folder: Any) -> None:
    with pytest.raises(FormatError, match=r"TypeSystem.xml: the type system, line 1: this is not XML"):
        read(folder(types=b"<types>", ann=xmi()))


def test_other_json_is_not_recognised(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"text": TEXT, "label": "x"}), encoding="utf-8")
    assert not recognised(path)
    with pytest.raises(UnknownName, match="the reader 'uima_cas' has no option 'states'"):
        read(path, format="uima_cas", states="x")


def test_the_files_of_an_example_project(shared: Path) -> None:
    study = read(shared / "data/formats/uima_cas_xmi")
    assert list(study) == ["POS"]
    assert {who: len(value) for _, who, value in study["POS"].rows()} == {
        "ia-test1": 40,
        "ia-test2": 65,
        "ia-test3": 64,
        "zesch": 0,
    }
    assert study["POS"].items == ["test1.txt"]


def test_emoji_and_slots_of_cassis_own_tests(shared: Path) -> None:
    folder = shared / "data/formats/uima_cas_json"
    places = [
        (0, 1), (2, 6), (7, 12), (13, 15), (16, 17), (18, 19), (20, 25), (26, 30), (31, 32),
    ]  # fmt: skip
    for name in ("emoji.json", "emoji.xmi"):
        (value,) = (value for *_, value in read(folder / name).single().rows())
        assert [span[:2] for span in value] == places
    study = read(folder / "tsv3-testSimpleSlotFeature.json")
    (value,) = (value for *_, value in study["SimpleLinkHost.links"].rows())
    assert value == (((0, 4, None), (5, 7, None), "p1"), ((0, 4, None), (8, 9, None), "p2"))


def test_positions_are_those_of_cassis(shared: Path) -> None:
    cassis = pytest.importorskip("cassis", reason="dkpro-cassis, which reads XMI too, is not installed")
    folder = shared / "data/formats/uima_cas_xmi"
    with (folder / "TypeSystem.xml").open("rb") as stream:
        types = cassis.load_typesystem(stream)
    mine = {who: value for _, who, value in read(folder)["POS"].rows()}
    for file in sorted(folder.glob("test1.txt/*.xmi")):
        with file.open("rb") as stream:
            cas = cassis.load_cas_from_xmi(stream, typesystem=types)
        theirs = sorted(((at.begin, at.end, at.coarseValue) for at in cas.select(f"{POS}POS")), key=str)
        assert sorted(mine[file.stem], key=str) == theirs
