"""Projects of REFI-QDA in, studies out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from readers.sample_files.texts import QDE, TEXT, qdpx, zipped

from interagree.errors import FormatError, KindError
from interagree.readers import read


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def made(project: str = QDE, text: str = TEXT, name: str = "study.qdpx") -> Path:
        path = tmp_path / name
        path.write_bytes(qdpx(project, text))
        return path

    return made


def rows(annotations: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in annotations.rows()}


def test_codings_are_spans_of_the_users_who_made_them(file: Any) -> None:
    study = read(file())
    assert rows(study["spans"]) == {
        ("letter", "ann"): ((0, 7, "People > Known"),),
        ("letter", "bo"): ((0, 7, "People"),),
    }
    assert rows(study["document codes"]) == {("letter", "bo"): frozenset({"People"})}
    assert set(study["spans"].attributes["text"]) == {TEXT}
    assert "1 selection of a picture not read" in study.policy()
    assert read(file(), item="guid")["spans"].items == ["s1"]


def test_who_coded_nothing_in_a_source_did_not_look(file: Any) -> None:
    second = '<TextSource guid="s9" name="note"><PlainTextContent>Ann Lee</PlainTextContent>'
    second += '<PlainTextSelection guid="p9" startPosition="0" endPosition="7" creatingUser="u1">'
    second += '<Coding guid="k9"><CodeRef targetGUID="c1"/></Coding></PlainTextSelection></TextSource></Sources>'
    path = file(QDE.replace("</Sources>", second))
    assert ("note", "bo") not in rows(read(path)["spans"])
    assert rows(read(path, looked="all")["spans"])["note", "bo"] == ()


NOBODY = QDE.replace(' creatingUser="u1"', "").replace(' creatingUser="u2"', "")
ONE = NOBODY.replace('<User guid="u2" name="bo"/>', "")


def test_codings_that_do_not_say_who_made_them(file: Any) -> None:
    with pytest.raises(
        FormatError, match=r"3 of 3 codings do not say who made them.*'ann', 'bo'.*annotator='\{file\}'"
    ):
        read(file(NOBODY))
    assert read(file(NOBODY), annotator="{file}")["spans"].annotators == ["study"]
    with pytest.raises(FormatError, match="1 of 3 codings do not say"):
        read(file(QDE.replace(' creatingUser="u1"', "")))
    study = read(file(ONE))
    assert study["spans"].annotators == ["ann"]
    assert "codings without a user taken as those of the only user of the project, 'ann'" in study.policy()


def test_a_project_for_each_coder(file: Any) -> None:
    paths = [file(NOBODY, name=f"{who}.qdpx") for who in ("cy", "di")]
    study = read(paths, annotator="{file}")
    assert sorted(study["spans"].annotators) == ["cy", "di"]
    assert study["spans"].items == ["letter"]


def test_ends_that_include_their_last_character(file: Any) -> None:
    inclusive = QDE.replace('endPosition="7"', 'endPosition="6"')
    study = read(file(inclusive))
    assert rows(study["spans"])["letter", "bo"] == ((0, 7, "People"),)
    assert "ends of selections include their last character, as 1 name of selections of 'letter' show" in study.policy()
    unnamed = inclusive.replace('name="Ann Lee"', 'name=""')
    study = read(file(unnamed))
    assert rows(study["spans"])["letter", "bo"] == ((0, 6, "People"),)
    assert "which nothing shows (ends='inclusive' takes the opposite)" in study.policy()
    assert rows(read(file(unnamed), ends="inclusive")["spans"])["letter", "bo"] == ((0, 7, "People"),)
    with pytest.raises(KindError, match="ends= takes one of"):
        read(file(), ends="x")


@pytest.mark.parametrize(("start", "end"), [(8, 15), (9, 16)])
def test_line_ends_of_one_character_or_of_two(file: Any, start: int, end: int) -> None:
    moved = QDE.replace('startPosition="0" endPosition="7"', f'startPosition="{start}" endPosition="{end}"')
    study = read(file(moved, "\ufeffDear me,".replace(" me,", "me!") + "\r\n" + "Ann Lee\r\n"))
    assert rows(study["spans"])["letter", "bo"] == ((8, 15, "People"),)
    assert ("line ends as two characters" in study.policy()) is (start == 9)


def test_texts_of_pdf_files(file: Any) -> None:
    pdf = QDE.replace(
        '<TextSource guid="s1" name="letter" plainTextPath="internal://s1.txt">',
        '<PDFSource guid="s1" name="letter"><PDFSelection guid="x"/><Representation guid="r" plainTextPath="internal://s1.txt">',
    )
    pdf = pdf.replace("</PlainTextSelection>", "</PlainTextSelection></Representation>").replace(
        "</TextSource>", "</PDFSource>"
    )
    study = read(file(pdf))
    assert rows(study["spans"])["letter", "ann"] == ((0, 7, "People > Known"),)
    assert "1 selection of a page not read" in study.policy()


def test_a_text_that_is_not_there(file: Any, tmp_path: Path) -> None:
    study = read(file(text="\n"))
    assert rows(study["spans"])["letter", "ann"] == ((0, 7, "People > Known"),)
    assert "the text of 'letter' is not in the project" in study.policy()
    path = tmp_path / "study.qde"
    path.write_text(QDE, encoding="utf-8")
    assert rows(read(path)["spans"])["letter", "ann"] == ((0, 7, "People > Known"),)


def test_two_sources_of_one_name_are_told_apart(file: Any) -> None:
    start, _, rest = QDE.partition("<TextSource")
    source, end, rest = rest.partition("</TextSource>")
    twice = f"{start}<TextSource{source}{end}<TextSource{source.replace('s1', 's7', 1)}{end}{rest}"
    assert read(file(twice))["spans"].items == ["letter (s1)", "letter (s7)"]


def test_a_project_without_codings(file: Any) -> None:
    bare = QDE.replace("CodeRef", "NoteRef")
    with pytest.raises(
        FormatError, match=r"no coding of a text to read; it has 2 users, 2 codes and 2 sources \(1 selection"
    ):
        read(file(bare))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('endPosition="7"', 'endPosition="99"', "from 0 to 99 does not lie in its text, which has 23 characters"),
        ('startPosition="0"', 'startPosition="8"', "starts at 8 and ends at 7, before it starts"),
        ('startPosition="0"', 'startPosition="-1"', "expected a whole number for 'startPosition', found '-1'"),
        ('targetGUID="c2"', 'targetGUID="c5"', "a coding names the code 'c5', which the codebook does not have"),
        ('<Code guid="c2" ', "<Code ", "expected codes with 'guid' and 'name'"),
        ("<Project ", "<Other ", "this is not XML"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(file: Any, old: str, new: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(file(QDE.replace(old, new)))


def test_an_archive_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "a.qdpx"
    path.write_bytes(zipped({"a.txt": b"x"}))
    with pytest.raises(FormatError, match="expected one project"):
        read(path)
    path.write_bytes(zipped({"a.txt": b"x"})[:-30])
    with pytest.raises(FormatError):
        read(path)


def test_a_project_of_one_user(shared: Path) -> None:
    study = read(shared / "data/formats/refi_qda/demo_qc.qdpx")
    assert list(study) == ["spans"]
    ((item, who, value),) = study["spans"].rows()
    assert (item, who, len(value)) == ("board_2017", "cp", 205)
    assert len({span[:2] for span in value}) == 158
    assert (320, 400) in {span[:2] for span in value}


def test_a_project_of_nvivo_without_codings(shared: Path) -> None:
    with pytest.raises(FormatError, match="no coding of a text to read; it has 2 users, 262 codes and 2 sources"):
        read(shared / "data/formats/refi_qda/nvivo_project.qdpx")
