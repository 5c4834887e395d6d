"""Projects of INCEpTION in, studies out."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from readers.sample_files.texts import CAS_JSON, inception_project, type_system, webanno, xmi, zipped

from interagree.errors import DuplicateAnnotation, FormatError, KindError
from interagree.readers import read


@pytest.fixture
def project(tmp_path: Path) -> Any:
    def made(change: Callable[[dict[str, bytes]], None] | None = None, **states: str) -> Path:
        files: dict[str, bytes] = {}
        with zipfile.ZipFile(io.BytesIO(inception_project(**states))) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        if change is not None:
            change(files)
        path = tmp_path / "letters.zip"
        path.write_bytes(zipped({f"letters_project/{name}": content for name, content in files.items()}))
        return path

    return made


def people(study: Any) -> list[str]:
    return sorted(study["Entity.value"].annotators)


def test_an_archive_or_the_folder_in_it(project: Any, tmp_path: Path) -> None:
    path = project()
    study = read(path)
    assert people(study) == ["ann", "bo"]
    assert study["Entity.value"].items == ["letter.txt"]
    assert "1 curated document left out" in study.policy()
    assert people(read(path, gold="apart")) == ["ann", "bo", "ground truth"]
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "unpacked")
    assert people(read(tmp_path / "unpacked")) == ["ann", "bo"]
    where = set(study["Entity.value"].attributes["where"])
    assert where == {
        f"{path}/letters_project/annotation/letter.txt/webanno{number}export.zip/{who}.xmi"
        for number, who in enumerate(("ann", "bo"))
    }


def test_states_say_who_looked(project: Any) -> None:
    path = project(ann="FINISHED", bo="IN_PROGRESS", cy="NEW", di="IGNORE")
    study = read(path)
    assert people(study) == ["ann"]
    for state in ("IN_PROGRESS", "NEW", "IGNORE"):
        assert f"1 document in the state {state} left out (states=['FINISHED', '{state}'] takes them)" in study.policy()
    assert people(read(path, states=["FINISHED", "IN_PROGRESS"])) == ["ann", "bo"]
    assert people(read(path, states="finished,ignore")) == ["ann", "di"]
    with pytest.raises(KindError, match="states must be 'NEW', 'IN_PROGRESS'"):
        read(path, states="done")


def empty(files: dict[str, bytes], number: int, who: str) -> None:
    files[f"annotation/letter.txt/webanno{number}export.zip"] = zipped(
        {f"{who}.xmi": xmi(members="2"), "TypeSystem.xml": type_system()}
    )


def test_a_finished_document_with_nothing_in_it_was_looked_at(project: Any) -> None:
    study = read(project(lambda files: empty(files, 1, "bo")))
    assert people(study) == ["ann", "bo"]
    assert {who: len(value) for _, who, value in study["Entity.value"].rows()} == {"ann": 2, "bo": 0}


def test_where_nobody_finished_what_is_marked_counts(project: Any) -> None:
    path = project(lambda files: empty(files, 1, "bo"), ann="IN_PROGRESS", bo="IN_PROGRESS")
    study = read(path)
    assert people(study) == ["ann"]
    assert "1 document that nobody finished and nothing is marked in left out" in study.policy()
    assert "nobody finished a document, so 1 document in progress taken as looked at" in study.policy()


def test_a_finished_document_without_a_file_is_noticed(project: Any) -> None:
    path = project(lambda files: [files.pop("annotation/letter.txt/webanno1export.zip")])
    assert "1 finished document without a file of annotations, as 'letter.txt' of 'bo'" in read(path).policy()


def test_other_forms_inside(project: Any) -> None:
    def change(files: dict[str, bytes]) -> None:
        del files["annotation/letter.txt/webanno0export.zip"], files["annotation/letter.txt/webanno1export.zip"]
        files["annotation/letter.txt/ann.json"] = json.dumps(CAS_JSON).encode()
        inside = {"letter.xmi": xmi(), "TypeSystem.xml": type_system()}
        files["annotation/letter.txt/bo.zip"] = zipped(inside)
        files["annotation/letter.txt/ann.ser"] = b"\xac\xed\x00\x05"
        files["annotation/letter.txt/notes.pdf"] = b"%PDF"

    study = read(project(change))
    assert people(study) == ["ann", "bo"]
    assert "1 binary file (.ser) not read" in study.policy()
    assert "1 file of unknown kind among annotations not read" in study.policy()

    def tables(files: dict[str, bytes]) -> None:
        change(files)
        del (
            files["annotation/letter.txt/ann.json"],
            files["annotation/letter.txt/bo.zip"],
            files["curation/letter.txt/webanno9export.zip"],
        )
        files |= {f"annotation/letter.txt/{who}.tsv": webanno() for who in ("ann", "bo")}

    assert people(read(project(tables))) == ["ann", "bo"]


def test_binary_files_alone_are_refused_by_name(project: Any) -> None:
    def change(files: dict[str, bytes]) -> None:
        for name in [name for name in files if name.endswith(".zip")]:
            del files[name]
        files["annotation_ser/letter.txt/ann.ser"] = b"\xac\xed\x00\x05"

    with pytest.raises(FormatError, match=r"binary files \(.ser\) alone, .* secondary format UIMA CAS XMI"):
        read(project(change))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("exportedproject1.json", b"{", "this is not JSON"),
        ("exportedproject1.json", b"[]", "expected the description of a project"),
        ("exportedproject1.json", b'{"annotation_documents": [3]}', "/annotation_documents/0: expected an object"),
        ("exportedproject1.json", b'{"annotation_documents": [{"name": 3}]}', "expected a text in 'name'"),
        ("annotation/letter.txt/webanno0export.zip", zipped({"a.txt": b""}), "expected the document of one annotator"),
        ("annotation/letter.txt/webanno0export.zip", b"PK\x03\x04", "is an archive and cannot be unpacked"),
        ("annotation/letter.txt/cy.xmi", b"<x/>", "expected a UIMA CAS in XMI"),
        ("annotation/letter.txt/cy.json", b"{}", "expected '%FEATURE_STRUCTURES'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(project: Any, name: str, content: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(project(lambda files: files.update({name: content})))


def test_one_person_has_a_document_twice(project: Any) -> None:
    with pytest.raises(DuplicateAnnotation, match=r"'ann' has document 'letter\.txt' twice"):
        read(project(lambda files: files.update({"annotation/letter.txt/ann.xmi": xmi()})))


def test_another_archive_is_not_a_project(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"x/a.txt": b"", "y/b.txt": b""}))
    with pytest.raises(FormatError, match="expected a project of INCEpTION"):
        read(path, format="inception")


def test_an_example_project(shared: Path) -> None:
    path = shared / "data/formats/inception_project/Example_Project_POS.zip"
    study = read(path)
    assert list(study) == ["POS"]
    assert {(item, who): len(value) for item, who, value in study["POS"].rows()} == {
        ("test1.txt", "ia-test1"): 40,
        ("test1.txt", "ia-test2"): 65,
        ("test1.txt", "ia-test3"): 64,
        ("test2.txt", "ia-test1"): 44,
        ("test2.txt", "ia-test2"): 47,
        ("test2.txt", "ia-test3"): 47,
        ("test3.txt", "ia-test1"): 16,
        ("test3.txt", "ia-test2"): 16,
        ("test3.txt", "ia-test3"): 16,
    }
    assert "1 document in the state IN_PROGRESS left out" in study.policy()
    curated = read(path, gold="apart")["POS"]
    assert [(item, len(value)) for item, who, value in curated.rows() if who == "ground truth"] == [("test3.txt", 16)]
    assert len(list(read(path, states=["FINISHED", "IN_PROGRESS"])["POS"].rows())) == 10
