"""brat standoff in, spans, relations and clusters out."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from statistics import mean, pstdev
from typing import Any

import pytest

from interagree.errors import DataError, DuplicateAnnotation, FormatError, KindError, UnknownName
from interagree.readers import read

TEXT = "Ana Ek and Bo\nfounded Acme. She runs it."
FULL = """T1\tPER 0 6\tAna Ek
T2\tPER 0 3;11 13\tAna Bo
T3\tFound 14 21\tfounded
T4\tORG 22 26\tAcme
T5\tPER 28 31\tShe
T6\tORG 37 39\tit
R1\tOwns Arg1:T1 Arg2:T4\t
E1\tFound:T3 Agent:T1 Agent2:T2 Theme:T4
A1\tSure T1
A2\tGender T1 f
M1\tNegated E1
N1\tReference T4 Wiki:12\tAcme Corp
*\tEquiv T1 T5
*\tEquiv T4 T6
#1\tAnnotatorNotes T1\tnice
"""
ANA, BOTH, FOUND, ACME = (
    (0, 6, "PER"),
    (("end", 13), ("fragments", ((0, 3), (11, 13))), ("label", "PER"), ("start", 0)),
    (14, 21, "Found"),
    (22, 26, "ORG"),
)


def rows(study: Any, question: str = "spans") -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in study[question].rows()}


def two(ann: str | bytes, bo: str | bytes = "T1\tPER 0 3\tAna\n", text: str | bytes = TEXT) -> dict[str, str | bytes]:
    return {"ann/d.ann": ann, "ann/d.txt": text, "bo/d.ann": bo, "bo/d.txt": TEXT}


def test_everything_that_brat_can_say(folder: Any) -> None:
    study = read(folder(two(FULL)))
    assert list(study) == ["spans", "relations", "coreference"]
    spans = {(dict(span)["start"], dict(span)["end"]): dict(span) for span in rows(study)["d", "ann"] if len(span) > 3}
    spans |= {span[:2]: span for span in rows(study)["d", "ann"] if len(span) == 3}
    assert dict(spans[0, 6]["features"]) == {"Sure": True, "Gender": "f"}
    assert spans[0, 13]["fragments"] == ((0, 3), (11, 13))
    assert dict(spans[14, 21]["features"]) == {"Negated": True}
    assert dict(spans[22, 26]["features"]) == {"Wiki": "12"}
    assert spans[28, 31] == (28, 31, "PER")
    assert set(rows(study, "relations")["d", "ann"]) == {
        (ANA, ACME, "Owns"),
        (FOUND, ANA, "Found:Agent"),
        (FOUND, BOTH, "Found:Agent"),
        (FOUND, ACME, "Found:Theme"),
    }
    assert rows(study, "relations")["d", "bo"] == ()
    assert set(rows(study, "coreference")["d", "ann"]) == {((0, 6), (28, 31)), ((22, 26), (37, 39))}
    assert {name: study[name].kind for name in study} == {
        "spans": "spans",
        "relations": "relations",
        "coreference": "clusters",
    }
    assert study["spans"].attributes["text"].tolist() == [TEXT] * 2
    assert study["spans"].attributes["positions"].tolist() == ["characters"] * 2
    policy = study.policy()
    assert "1 note left out" in policy
    assert "1 event with arguments, which are taken as relations from the trigger, Type:Role" in policy


def test_clusters_that_share_a_span_are_one(folder: Any) -> None:
    lines = "T1\tA 0 3\tAna\nT2\tA 4 6\tEk\nT3\tA 11 13\tBo\n*\tEquiv T1 T2\n*\tEquiv T2 T3\n"
    study = read(folder(two(lines)))
    assert rows(study, "coreference")["d", "ann"] == (((0, 3), (4, 6), (11, 13)),)


def test_an_empty_file_was_looked_at_unless_it_is_said_otherwise(folder: Any) -> None:
    root = folder({**two("T1\tPER 0 3\tAna\n", ""), "bo/e.ann": "T1\tPER 0 3\tAna", "bo/e.txt": TEXT})
    looked = read(root)
    assert rows(looked)["d", "bo"] == ()
    assert "1 empty .ann file taken as looked at" in looked.policy()
    assert "as the file says" not in looked.policy()
    unseen = read(root, empty="unseen")
    assert ("d", "bo") not in rows(unseen)
    assert "1 empty .ann file left out as never looked at" in unseen.policy()
    with pytest.raises(KindError, match="empty= takes one of 'looked', 'unseen', not 'skip'"):
        read(root, empty="skip")
    (root / "ann/d.ann").write_text("")
    (root / "bo/e.ann").write_text("\n")
    with pytest.raises(FormatError, match=r"every .ann file is empty"):
        read(root, empty="unseen")


def test_a_file_that_is_not_there_was_not_looked_at(folder: Any) -> None:
    study = read(folder({**two("T1\tPER 0 3\tAna\n"), "ann/e.ann": "T1\tPER 0 3\tAna\n", "ann/e.txt": TEXT}))
    assert set(rows(study)) == {("d", "ann"), ("d", "bo"), ("e", "ann")}


def test_identical_spans_of_one_annotator_count_once(folder: Any) -> None:
    study = read(folder(two("T1\tPER 0 3\tAna\nT2\tPER 0 3\tAna\nT3\tLOC 0 3\tAna\n")))
    assert rows(study)["d", "ann"] == ((0, 3, "LOC"), (0, 3, "PER"))
    assert "1 identical unit that somebody marked twice left out" in study.policy()


# -- offsets ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (TEXT, "T1\tORG 22 26\tAcme"),
        ("\ufeff" + TEXT, "T1\tORG 23 27\tAcme"),  # the mark is counted
        ("\ufeff" + TEXT, "T1\tORG 22 26\tAcme"),  # it is not
        (TEXT.replace("\n", "\r\n"), "T1\tORG 23 27\tAcme"),
        (TEXT.replace("\n", "\r\n"), "T1\tORG 22 26\tAcme"),
        ("\ufeff" + TEXT.replace("\n", "\r\n"), "T1\tORG 24 28\tAcme"),
        (TEXT, "T1\tORG 11 26\tBo founded Acme"),  # brat writes a line end as a space
        (TEXT.replace("\n", "\r\n"), "T1\tORG 11 27\tBo  founded Acme"),
    ],
)
def test_marks_and_line_ends_do_not_move_spans(folder: Any, text: str, line: str) -> None:
    study = read(folder(two(line + "\r\n", text=text)))
    ((start, end, _),) = rows(study)["d", "ann"]
    assert (start, end) == ((22, 26) if "Bo" not in line else (11, 26))
    assert study["spans"].attributes["text"].tolist() == [TEXT] * 2


def test_utf16_offsets_are_brought_to_characters(folder: Any) -> None:
    text = "😀 Ana 😀 Bo"
    lines = {"ann/d.ann": "T1\tPER 10 12\tBo\n", "bo/d.ann": "T1\tPER 8 10\tBo\n", "cy/d.ann": "T1\tPER 10 12\tBo\n"}
    root = folder({**lines, "ann/d.txt": text})
    study = read(root)
    assert set(rows(study).values()) == {((8, 10, "PER"),)}
    assert "2 .ann files counted in UTF-16 units" in study.policy()


def test_a_file_may_mix_ways_of_counting(folder: Any) -> None:
    text = "😀 Ana 😀 Bo"
    lines = "T1\tPER 3 6\tAna\nT2\tPER 8 10\tBo\nT3\tPER 10 12\tBo\nT4\tORG 3 6;10 12\tAna Bo\n"
    study = read(folder({"ann/d.ann": lines, "ann/d.txt": text}))
    found = rows(study)["d", "ann"]
    assert [span for span in found if len(span) == 3] == [(2, 5, "PER"), (8, 10, "PER")]
    assert dict(next(span for span in found if len(span) > 3))["fragments"] == ((2, 5), (8, 10))
    assert "1 .ann file partly counted in UTF-16 units, each span taken as its text shows" in study.policy()


def test_an_end_that_is_included_is_asked_about(folder: Any) -> None:
    with pytest.raises(FormatError, match=r"is 'An', not 'Ana', .*; are ends inclusive here\? brat's are not"):
        read(folder(two("T1\tPER 0 2\tAna\n")))
    study = read(folder(two("T1\tPER 0 3\tAna\nT2\tPER 4 5\tEk\n")))
    assert "the text of 1 span is another than the file says, as in" in study.policy()
    assert "(are ends inclusive here? brat's are not: add 1 to every end)" in study.policy()


def test_a_span_that_covers_another_text_is_noticed_and_a_file_of_them_refused(folder: Any) -> None:
    study = read(folder(two("T1\tPER 0 3\tAna\nT2\tORG 22 26\tACME\n")))
    assert "the text of 1 span is another than the file says, as in" in study.policy()
    with pytest.raises(FormatError, match=r"d.ann, line 1: the text from 0 to 3 is 'Ana', not 'Bob', and no other"):
        read(folder(two("T1\tPER 0 3\tBob\n")))
    with pytest.raises(FormatError, match=r"d.ann, line 2: a span reaches to 90, and the text has 40 characters"):
        read(folder(two("T1\tPER 0 3\tAna\nT2\tPER 0 90\tAna\n")))


def test_annotators_must_have_the_same_text_where_they_have_one(folder: Any) -> None:
    with pytest.raises(DataError, match=r"'d' shows one text in .*ann/d.ann and another in .*bo/d.ann: they part at"):
        read(folder(two("", text=TEXT + " More.")))


def test_a_text_that_another_annotator_has_is_enough(folder: Any) -> None:
    files = two("T1\tPER 0 3\tAna\n")
    del files["bo/d.txt"]
    study = read(folder(files))
    assert study["spans"].attributes["text"].tolist() == [TEXT] * 2


# -- layouts ------------------------------------------------------------------------------------------------


def test_one_folder_and_one_file_are_of_one_annotator(folder: Any) -> None:
    root = folder({**two("T1\tPER 0 3\tAna\n"), "ann/deep/e.ann": "T1\tPER 0 3\tAna", "ann/deep/e.txt": TEXT})
    assert set(rows(read(root))) == {("d", "ann"), ("deep/e", "ann"), ("d", "bo")}
    assert set(rows(read(root / "ann"))) == {("d", "ann"), ("deep/e", "ann")}
    assert set(rows(read(root / "ann", annotator="Ann"))) == {("d", "Ann"), ("deep/e", "Ann")}
    assert set(rows(read(root / "ann/d.ann"))) == {("d", "ann")}
    assert set(rows(read([root / "ann/d.ann", root / "bo/d.ann"]))) == {("d", "ann"), ("d", "bo")}
    turned = folder({"one/ann.ann": "", "one/ann.txt": TEXT, "one/bo.ann": "", "one/bo.txt": TEXT}) / "one"
    assert set(rows(read(turned, annotator="{file}", item="{folder}"))) == {("one", "ann"), ("one", "bo")}


def test_what_lies_in_the_folder_and_is_not_read_is_said(folder: Any) -> None:
    files = {"ann/x.ann": "T1\tPER 0 3\tAna\n", "ann/x.txt": TEXT, "bo/x.conll": "Ana B-PER\nEk O\n"}
    root = folder({**files, "annotation.conf": "[entities]", ".cache": ""})
    study = read(root)
    assert set(rows(study)) == {("x", "ann")}
    assert "1 file of the folder not read ('bo/x.conll'), nothing read from the folder 'bo'" in study.policy()
    tags = read(root, format="conll")
    assert tags["spans"].annotators == ("bo",)
    assert "3 files of the folder not read ('ann/x.ann', 'ann/x.txt', 'annotation.conf')" in tags.policy()
    assert "nothing read from the folder 'ann'" in tags.policy()
    assert "not read" not in read(folder(two("T1\tPER 0 3\tAna\n")) / "ann", annotator="ann").policy()


@pytest.mark.parametrize("names", [("ann/x.ann", "bo/x.ann"), ("x.ann", "y.ann")])
def test_texts_may_be_unknown(folder: Any, names: tuple[str, str]) -> None:
    study = read(folder(dict.fromkeys(names, "T1\tPER 0 3\tAna\n")))
    assert len(rows(study)) == 2
    assert "2 .ann files without a .txt: offsets not checked" in study.policy()


def test_a_stray_file_does_not_make_a_folder_of_tables_one_of_brat(folder: Any) -> None:
    root = folder({"old/x.ann": "", "labels.csv": "item,annotator,value\n1,ann,a\n1,bo,b\n"})
    assert list(read(root)) == ["value"]


def test_a_document_that_somebody_has_twice_is_an_error(folder: Any) -> None:
    root = folder(two("T1\tPER 0 3\tAna\n"))
    with pytest.raises(DuplicateAnnotation, match=r"'ann' has document 'd' twice, in .*d.ann and in .*d.ann"):
        read([root / "ann", root / "ann/d.ann"])
    with pytest.raises(KindError, match=r"annotator= takes a word, not \['a', 'b'\]"):
        read(root, annotator=["a", "b"])


def test_a_folder_without_annotations_is_no_brat_folder(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"without .ann files; expected a folder for each annotator"):
        read(tmp_path, format="brat")
    with pytest.raises(UnknownName, match=r"the reader 'brat' has no option 'emtpy'. Did you mean 'empty'"):
        read(tmp_path, format="brat", emtpy="unseen")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("T1 PER 0 3 Ana", "line 1: expected 'T1<tab>Label start end<tab>text'"),
        ("T1\tPER 0\tAna", "line 1: expected 'T1<tab>Label start end<tab>text'"),
        ("T1\tPER 3 0\tAna", "line 1: a span ends before it starts"),
        ("X1\tPER 0 3\tAna", "line 1: expected a line that begins with T, R, E"),
        ("T1\tPER 0 3\tAna\nT1\tPER 0 3\tAna", "line 2: T1 is already used"),
        ("T1\tPER 0 3\tAna\nR1\tOwns Arg1:T1 Arg2:T9", "line 2: there is no span T9; the file has T1"),
        ("T1\tPER 0 3\tAna\nR1\tOwns Arg1:T1", "line 2: expected 'R1<tab>Type Arg1:T1 Arg2:T2'"),
        ("E1\tFound:T9", "line 1: there is no span T9; the file has none"),
        ("T1\tPER 0 3\tAna\nE1\tFound:T1 Theme:E2", "line 2: there is no span E2"),
        ("T1\tPER 0 3\tAna\nA1\tSure T7", "line 2: there is no span T7"),
        ("T1\tPER 0 3\tAna\nA1\tSure", "line 2: expected 'A1<tab>Name T1'"),
        ("T1\tPER 0 3\tAna\nN1\tReference T1", "line 2: expected 'N1<tab>Reference T1 resource:id"),
        ("T1\tPER 0 3\tAna\n*\tEquiv T1 T2", "line 2: there is no span T2"),
    ],
)
def test_a_line_that_is_wrong_is_named(folder: Any, lines: str, said: str) -> None:
    with pytest.raises(FormatError, match=said.replace("(", r"\(")):
        read(folder(two(lines)))


def test_what_is_left_aside_is_counted(folder: Any) -> None:
    lines = "T1\tA 0 3\tAna\nT2\tA 4 6\tEk\nR1\tr Arg1:T1 Arg2:T2\nA1\tSure R1\n*\tSame T1 T2\nT3\tA 7 7\t\n"
    policy = read(folder(two(lines))).policy()
    assert "1 attribute of relations left out" in policy
    assert "1 '*' line of another type than Equiv left out" in policy
    assert "1 unit without length left out" in policy


# -- the example project -----------------------------------------------------------------------------------


def test_the_sample_folder(shared: Path) -> None:
    study = read(shared / "data/formats/brat")
    spans = study.single()
    assert (len(spans), len(spans.items), len(spans.annotators)) == (12, 3, 4)
    found = json.loads((shared / "published/spans/bratiaa_example_project.json").read_text(encoding="utf-8"))
    listed = found["input"]["doc -> annotator -> [label,[start,end]...]"]
    for (document, who), value in rows(study).items():
        assert set(value) == {(*place, label) for label, place in listed[f"{document}.ann"][who]}


def test_figures_of_the_whole_example_project(shared: Path, folder: Any) -> None:
    found = json.loads((shared / "published/spans/bratiaa_example_project.json").read_text(encoding="utf-8"))
    files = {}
    for name, by in found["input"]["doc -> annotator -> [label,[start,end]...]"].items():
        for who, spans in by.items():
            lines = [f"T{at}\t{label} {start} {end}\t" for at, (label, (start, end)) in enumerate(spans, start=1)]
            files[f"{who}/{name}"] = "\n".join(lines)
    study = read(folder(files), format="brat")
    assert "28 .ann files without a .txt: offsets not checked" in study.policy()
    marked: dict[str, set[Any]] = {}
    for (document, who), value in rows(study).items():
        marked.setdefault(who, set()).update((document, *span) for span in value)
    f1 = [2 * len(marked[a] & marked[b]) / (len(marked[a]) + len(marked[b])) for a, b in combinations(marked, 2)]
    expected = found["expected"]["instance"]
    assert mean(f1) == pytest.approx(expected["mean_pairwise_F1"])
    assert pstdev(f1) == pytest.approx(expected["sd_pairwise_F1_population"])
