"""Files of units in, lists of spans out: tables, RTTM, TextGrid and ELAN."""

from __future__ import annotations

import gzip
import time
from pathlib import Path
from typing import Any

import pytest

import interagree as ia
from interagree.errors import ColumnNotFound, DoubtfulReading, FormatError, KindError, UnknownName
from interagree.readers import read

NAMED = """doc,annotator,start,end,category,team
d1,ann,10,14,b,own
d1,ann,0,5,a,own
d1,bo,0,6,a,student
d2,ann,3,3,a,own
d2,ann,2,8,,own
"""
BARE = "ann,a,0,5\nann,b,10,14\nbo,a,0,6\n"
SIX = "A0,ann,a,,0,5\r\nA1,ann,b,,10,14\r\nB0,bo,a,,0,6\r\n"
FIRST = ((0, 5, "a"), (10, 14, "b"))


def rows(study: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in study.single().rows()}


# -- tables -------------------------------------------------------------------------------------------------


def test_a_table_of_units_is_recognised_and_gathered(file: Any) -> None:
    study = read(file("units.csv", NAMED))
    assert rows(study) == {("d1", "ann"): FIRST, ("d1", "bo"): ((0, 6, "a"),), ("d2", "ann"): ((2, 8, None),)}
    assert study.single().of_kind == "spans"
    policy = study.policy()
    assert "document from 'doc', annotator from 'annotator', start from 'start', end from 'end'" in policy
    assert "1 unit without length left out" in policy
    assert "who has no row for a document did not look at it" in policy


def test_a_further_column_that_says_one_thing_of_an_annotator_is_kept(file: Any) -> None:
    study = read(file("units.csv", NAMED), looked="all").single()
    where = {
        (item, who): team for (item, who, _), team in zip(study.rows(), study.attributes["team"].tolist(), strict=True)
    }
    assert where["d2", "bo"] == "student"
    assert set(where.values()) == {"own", "student"}


@pytest.mark.parametrize("content", [BARE, SIX], ids=["four columns", "six columns"])
def test_a_table_without_names_is_one_document_called_as_its_file(file: Any, content: str) -> None:
    study = read(file("letter.csv", content))
    assert rows(study) == {("letter", "ann"): FIRST, ("letter", "bo"): ((0, 6, "a"),)}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "doc,annotator,label\nd,ann,x\nd,bo,y\n"),
        ("a.csv", "doc,annotator,label,start,end\nd,ann,x,5,9\nd,bo,y,6,9\n"),  # when they worked, perhaps
        ("a.csv", "item,ann,bo,cy\nd,4,4,3\ne,3,3,4\nf,5,5,5\n"),
    ],
    ids=["no places", "one row each", "a wide table"],
)
def test_other_tables_are_read_as_before(file: Any, name: str, content: str) -> None:
    assert list(read(file(name, content))) != ["units"]


def test_such_a_table_is_one_of_units_where_that_is_said(file: Any) -> None:
    path = file("a.csv", "doc,annotator,label,start,end\nd,ann,x,5,9\nd,bo,y,6.5,9\n")
    assert rows(read(path, format="units")) == {("d", "ann"): ((5, 9, "x"),), ("d", "bo"): ((6.5, 9, "y"),)}


def test_columns_can_be_named(file: Any) -> None:
    text = "text,coder,a,b,what,note\nt,ann,1,2,x,n\n"
    study = read(file("a.tsv", text.replace(",", "\t")), format="units", start="a", end="b", label="what")
    assert rows(study) == {("t", "ann"): ((1, 2, "x"),)}
    study = read(file("b.csv", "1;ann;5;2;x\n"), format="units", annotator=1, start=3, end=2, label=4)
    assert rows(study) == {("b", "ann"): ((2, 5, "x"),)}
    packed = file("c.csv.gz", gzip.compress(BARE.encode()))
    assert rows(read(packed))["c", "ann"] == FIRST


def test_who_looked_can_be_said_in_three_ways(file: Any) -> None:
    path = file("units.csv", NAMED)
    assert ("d2", "bo") not in rows(read(path))
    everybody = read(path, looked="all")
    assert rows(everybody)["d2", "bo"] == ()
    assert f"everybody of {path} looked at every document" in everybody.policy()
    named = rows(read(path, looked=["bo", "cy"]))
    assert named["d1", "cy"] == named["d2", "cy"] == named["d2", "bo"] == ()
    said = read(file("more.csv", NAMED + "d2,bo,,,,student\n"))
    assert rows(said)["d2", "bo"] == ()
    assert "1 time somebody looked and marked nothing" in said.policy()


def test_a_folder_of_tables_is_read_together(file: Any) -> None:
    file("round/one.csv", SIX)
    folder = file("round/two.csv", SIX.split("\r\n", maxsplit=1)[0]).parent
    together = read(folder, format="units", looked="all")
    assert rows(together)["two", "bo"] == ()
    assert "everybody looked at every document" in together.policy()
    assert ("two", "bo") not in rows(read(folder))


def test_identical_units_of_one_annotator_are_kept_and_said(file: Any) -> None:
    table = "doc,annotator,start,end,label\nd,ann,1,2,a\nd,bo,1,2,a\nd,ann,1,2,a\nd,ann,1,2,b\nd,ann,1,2,a\n"
    study = read(file("units.csv", table))
    assert rows(study) == {("d", "ann"): ((1, 2, "a"),) * 3 + ((1, 2, "b"),), ("d", "bo"): ((1, 2, "a"),)}
    assert "2 identical units that somebody marked twice kept: each counts" in study.policy()


def test_units_without_length_can_be_kept(file: Any) -> None:
    assert rows(read(file("units.csv", NAMED), points="keep"))["d2", "ann"] == ((2, 8, None), (3, 3, "a"))


@pytest.mark.parametrize(
    ("content", "error", "said"),
    [
        ("doc,annotator,start,end\nd,a,5,2\nd,a,1,2\n", FormatError, "line 2: a unit starts at 5 and ends at 2"),
        ("doc,annotator,start,end\nd,a,1,2\nd,a,x,2\n", FormatError, "line 3: expected a number"),
        ("doc,annotator,start,end\nd,a,1,nan\nd,a,1,2\n", FormatError, "line 2: expected a number"),
        ("doc,annotator,start,end\nd,,1,2\nd,a,1,2\n", FormatError, "line 2: the cell of the annotator"),
        ("doc,annotator,start,end\nd,a,1\n", FormatError, "line 2: expected 4 cells"),
        ("doc,annotator,start\nd,a,1\n", ColumnNotFound, "take the end of units from"),
        ("doc,start,end\nd,1,2\n", ColumnNotFound, "annotator='{file}'"),
        ("doc,annotator,start,end,begin\nd,a,1,2,3\n", None, ""),
        ("a,1,2\n", ColumnNotFound, "this has 3"),
        ("", FormatError, "is empty"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(file: Any, content: str, error: Any, said: str) -> None:
    path = file("a.csv", content)
    if error is None:
        assert rows(read(path, format="units")) == {("d", "a"): ((1, 2, None),)}
        return
    with pytest.raises(error) as caught:
        read(path, format="units")
    assert said in str(caught.value)
    assert "a.csv" in str(caught.value)


def test_options_are_checked(file: Any) -> None:
    path = file("units.csv", NAMED)
    for wrong, kind in (
        ({"looked": "some"}, KindError),
        ({"points": "maybe"}, KindError),
        ({"strat": "x"}, UnknownName),
        ({"start": "x"}, ColumnNotFound),
        ({"annotator": "{who}"}, KindError),
    ):
        with pytest.raises(kind):
            read(path, format="units", **wrong)
    with pytest.raises(KindError, match="both the annotator and the document"):
        read(file("b.csv", "start,end\n1,2\n"), format="units", annotator="{file}")


def test_a_row_without_a_place_is_counted_and_left_out(file: Any) -> None:
    study = read(file("a.csv", NAMED + "d2,ann,,9,a,own\n"))
    assert "1 row without a start or an end left out" in study.policy()


def test_labels_that_look_alike_are_kept_apart_and_said(file: Any) -> None:
    study = read(file("a.csv", BARE + "bo,a ,7,9\n"))
    assert "labels that differ only in case or spaces, kept apart: 'a', 'a '" in study.policy()


# -- RTTM ---------------------------------------------------------------------------------------------------

RTTM = """;; a comment
SPKR-INFO show 1 <NA> <NA> <NA> unknown s1 <NA> <NA>
SPEAKER show 1 0.678 1.533 <NA> <NA> s1 <NA> <NA>
SPEAKER show 1 3 1 <NA> <NA> <NA> <NA>
"""


def test_an_rttm_file_is_an_annotator(file: Any) -> None:
    study = read([file("ann.rttm", RTTM), file("bo.rttm", RTTM.replace("s1", "s2"))])
    found = rows(study)
    assert found["show", "ann"] == ((0.678, 2.211, "s1"), (3, 4, None))
    assert found["show", "bo"][0][2] == "s2"
    assert "2 lines of another type than SPEAKER left out" in study.policy()
    assert "a speaker who is called the same is the same" in study.policy()
    turned = read(file("ann.rttm", RTTM), item="{file}", annotator="{recording}")
    assert list(rows(turned)) == [("ann", "show")]


@pytest.mark.parametrize("line", ["SPEAKER show 1 x 1 <NA> <NA> s", "SPEAKER show 1 0 -1 <NA> <NA> s", "SPEAKER show"])
def test_a_bad_line_of_rttm_is_named(file: Any, line: str) -> None:
    with pytest.raises(FormatError, match="line 5"):
        read(file("ann.rttm", RTTM + line))
    with pytest.raises(KindError, match="are the same"):
        read(file("ann.rttm", RTTM), item="{file}")


TURNS = "".join(f"SPEAKER show 1 {turn} <NA> <NA> {{}} <NA>\n" for turn in ("0 10", "10 5", "20 3"))


def test_speakers_are_mapped_by_the_time_they_share(file: Any) -> None:
    paths = [file("ref.rttm", TURNS.format("a", "b", "c")), file("sys.rttm", TURNS.format("b", "a", "a"))]
    assert "speakers='map' maps them by shared time" in read(paths).policy()
    study = read(paths, speakers="map")
    assert rows(study)["show", "sys"] == ((0, 10, "a"), (10, 15, "b"), (20, 23, "b"))  # 5 s of b, and 3 s of c
    assert "2 speakers mapped to those of 'ref' by the time they share (show: sys's a is b, b is a)" in study.policy()
    other = rows(read(paths, speakers="map", reference="sys"))
    assert [label for _, _, label in other["show", "ref"]] == ["b", "a", "c"]
    extra = [file("one.rttm", TURNS.format("a", "a", "a")), file("two.rttm", TURNS.format("x", "a", "y"))]
    assert [label for _, _, label in rows(read(extra, speakers="map"))["show", "two"]] == ["a", "a (two)", "y"]
    with pytest.raises(UnknownName, match="no annotator 'rev' to map speakers to"):
        read(paths, speakers="map", reference="rev")


def test_scored_regions_cut_turns(file: Any) -> None:
    ref, sys_ = file("ref.rttm", TURNS.format("a", "b", "c")), file("sys.rttm", TURNS.format("a", "b", "c"))
    late = file("late.rttm", "SPEAKER show 1 20 3 <NA> <NA> c <NA>\nSPEAKER talk 1 0 1 <NA> <NA> c <NA>\n")
    region = file("other.uem", ";; scored\nshow 1 2 8\nshow 1 7 12.5\n")
    assert "'other.uem' lies beside and is not used" in read([ref, sys_]).policy()
    study = read([ref, sys_, late], uem=region)
    assert rows(study)["show", "ref"] == ((2, 10, "a"), (10, 12.5, "b"))
    assert rows(study)["show", "late"] == ()  # they looked, and heard nobody in what is scored
    assert ("talk", "late") not in rows(study)
    assert "3 turns outside left out, 4 cut at its ends" in study.policy()
    assert "1 turn of recordings that are not scored ('talk') left out" in study.policy()
    file("sys.uem", "show 1 0 5\n")
    assert rows(read([ref, sys_]))["show", "ref"] == ((0, 5, "a"),)
    file("ref.uem", "show 1 0 6\n")
    with pytest.raises(FormatError, match="all annotators of a recording are scored alike"):
        read([ref, sys_])


@pytest.mark.parametrize(
    ("content", "said"),
    [("show 1 0\n", "line 1: expected 'recording channel start end'"), ("show 1 5 5\n", "line 1: expected a stretch"),
     ("show 1 x 5\n", "line 1: expected a number"), ("\n", "there is no stretch to score")],
)  # fmt: skip
def test_a_bad_line_of_uem_is_named(file: Any, content: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read(file("ann.rttm", RTTM), uem=file("a.uem", content))


# -- TextGrid -----------------------------------------------------------------------------------------------

LONG = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 9 ! seconds
tiers? <exists>
size = 3
item []:
    item [1]:
        class = "IntervalTier"
        name = "ann"
        xmin = 0
        xmax = 9
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 2.5
            text = "say ""hm""
1 2"
        intervals [2]:
            xmin = 2.5
            xmax = 9
            text = ""
    item [2]:
        class = "TextTier"
        name = "ann"
        xmin = 0
        xmax = 9
        points: size = 1
        points [1]:
            number = 3
            mark = "p"
    item [3]:
        class = "IntervalTier"
        name = "cy"
        xmin = 0
        xmax = 9
        intervals: size = 0
"""
SHORT = (
    '"ooTextFile"\n"TextGrid"\n0\n9\n<exists>\n3\n"IntervalTier"\n"ann"\n0\n9\n2\n0\n2.5\n"say ""hm""\n1 2"\n2.5\n9\n'
    '""\n"TextTier"\n"ann"\n0\n9\n1\n3\n"p"\n"IntervalTier"\n"cy"\n0\n9\n0\n'
)


@pytest.mark.parametrize("text", [LONG, SHORT, LONG.replace("\n", "\r\n")], ids=["long", "short", "crlf"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
def test_text_grids_of_both_forms(file: Any, text: str, encoding: str) -> None:
    study = read(file("talk.TextGrid", text.encode(encoding)), points="keep", annotator="{tier}")
    break_ = "\r\n" if "\r" in text else "\n"
    assert rows(study) == {
        ("talk", "ann"): ((0, 2.5, f'say "hm"{break_}1 2'),),
        ("talk", "ann (2)"): ((3, 3, "p"),),
        ("talk", "cy"): (),
    }
    assert "several tiers are called 'ann'" in study.policy()
    assert "1 interval without a label left out" in study.policy()
    assert "1 time somebody looked and marked nothing" in study.policy()


def test_what_a_tier_means_can_be_said(file: Any) -> None:
    path = file("room/talk.TextGrid", SHORT)
    study = read(path, annotator="{file}", label="{tier}", tiers=["ann"])
    assert rows(study) == {("room", "talk"): ((0, 2.5, "ann"),)}
    assert list(rows(read(path, annotator="{folder}"))) == [("talk", "room")]
    with pytest.raises(UnknownName, match="has no tier 'an'"):
        read(path, tiers=["an"])
    with pytest.raises(KindError, match=r"made of \{file\}, \{folder\} and \{tier\}"):
        read(path, annotator="{person}")
    with pytest.raises(UnknownName, match="has no option 'tier'"):
        read(path, tier="ann")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"ooTextFile"\n"Sound"\n', "expected a TextGrid"),
        (SHORT.replace('"TextTier"', '"OtherTier"'), "line 19: expected 'IntervalTier'"),
        (SHORT.replace("2.5\n9", "2.5\n1"), "line 16: a unit starts at 2.5"),
        (SHORT.replace('"p"', "7"), "expected the label of a mark, found '7'"),
        (SHORT[:-4], "ends too early"),
    ],
)
def test_a_broken_text_grid_is_told(file: Any, text: str, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(file("a.TextGrid", text))
    assert said in str(caught.value)


def grid(**tiers: list[tuple[float, float, str]]) -> str:
    """A TextGrid in the short form."""
    parts = ['"ooTextFile"', '"TextGrid"', "0", "9", "<exists>", str(len(tiers))]
    for name, marks in tiers.items():
        parts += ['"IntervalTier"', f'"{name}"', "0", "9", str(len(marks))]
        parts += [str(part) for start, end, text in marks for part in (start, end, f'"{text}"')]
    return "\n".join(parts) + "\n"


def test_tiers_whose_labels_overlap_are_annotators(file: Any) -> None:
    study = read(file("talk.TextGrid", grid(ann=[(0, 1, "S"), (2, 3, "T")], bo=[(0, 2, "S")], cy=[])))
    assert set(rows(study)) == {("talk", "ann"), ("talk", "bo"), ("talk", "cy")}
    called = grid(coder1=[(0, 1, "S")], coder2=[(0, 1, "T")])
    assert len(rows(read(file("named.TextGrid", called)))) == 2


@pytest.mark.parametrize(
    ("tiers", "why"),
    [
        ({"phone": [(0, 1, "a")], "word": [(0, 2, "a")]}, "'phone', 'word' sound like layers"),
        ({"x": [(0, 1, "wave")], "y": [(0, 1, "yes")]}, "whose labels are not the same"),
        ({"x": [(0, 1, "wave")], "y": []}, "and only one of them has a label"),
    ],
)
def test_tiers_that_may_be_layers_are_asked_about(file: Any, tiers: Any, why: str) -> None:
    path = file("talk.TextGrid", grid(**tiers))
    with pytest.raises(DoubtfulReading) as caught:
        read(path)
    assert why in str(caught.value)
    assert "annotator='{tier}'" in str(caught.value)
    first, second = tiers
    assert f"tiers=['{first}'], annotator='{{file}}'" in str(caught.value)
    assert f"--tier {first} --annotator '{{file}}'" in caught.value.for_command_line()
    assert len(rows(read(path, annotator="{tier}"))) == 2
    assert len(rows(read(path, tiers=[first, second]))) == 2
    assert len(rows(read(path, tiers=[first], annotator="{file}"))) == 1


def test_very_many_tiers_are_asked_about_at_once(file: Any) -> None:
    tiers = "".join(f'"IntervalTier" "t{at}" 0 1 1 0 1 "x"\n' for at in range(5_000))
    path = file("a.TextGrid", f'"ooTextFile" "TextGrid" 0 1 <exists> 5000\n{tiers}')
    begun = time.process_time()
    with pytest.raises(DoubtfulReading, match="tiers may be annotators or layers"):
        read(path)
    assert time.process_time() - begun < 5


def test_groups_of_tiers_are_offered(file: Any) -> None:
    marks = {f"{what}-{who}": [(0, 1, what)] for what in ("wave", "yes") for who in ("ann", "bo")}
    with pytest.raises(DoubtfulReading, match=r"tiers=\['wave-ann', 'wave-bo'\], annotator='\{tier\}'"):
        read(file("talk.TextGrid", grid(**marks)))


def test_tiers_that_are_named_need_not_be_in_every_file(file: Any) -> None:
    paths = [
        file("a.TextGrid", grid(ann=[(0, 1, "S")], bo=[(0, 2, "S")])),
        file("b.TextGrid", grid(word=[(0, 1, "x")])),
    ]
    with pytest.raises(DoubtfulReading, match=r"tiers=\['ann', 'bo'\], annotator='\{tier\}'"):
        read(paths)
    assert set(rows(read(paths, tiers=["ann", "bo"], annotator="{tier}"))) == {("a", "ann"), ("a", "bo")}


def test_files_of_one_tier_and_files_of_one_name(file: Any) -> None:
    one = file("ann/talk.TextGrid", grid(gesture=[(0, 1, "S")]))
    two = file("bo/talk.TextGrid", grid(gesture=[(0, 2, "S")]))
    with pytest.raises(DoubtfulReading, match=r"would both be what 'gesture' marked in 'talk'") as caught:
        read([one, two])
    assert "annotator='{folder}'" in str(caught.value)
    assert set(rows(read([one, two], annotator="{folder}"))) == {("talk", "ann"), ("talk", "bo")}
    other = file("ann/song.TextGrid", grid(gesture=[(0, 1, "S")]))
    assert "the tier 'gesture' taken as one annotator (annotator='{file}' takes" in read([one, other]).policy()


def test_text_grids_in_other_encodings(file: Any) -> None:
    text = grid(ann=[(0, 1, "père"), (1, 2, "a")], bo=[(0, 1, "père"), (1, 2, "b")])
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-8"):
        study = read(file("talk.TextGrid", text.encode(encoding)))
        assert rows(study)["talk", "ann"] == ((0, 1, "père"), (1, 2, "a"))
    study = read(file("old.TextGrid", text.encode("cp1252")))
    assert rows(study)["old", "ann"][0][2] == "père"
    assert "text in cp1252" in study.policy()
    with pytest.raises(FormatError, match="save it in Praat as a text file"):
        read(file("binary.TextGrid", b"ooBinaryFile\x08TextGrid\0\0"))


# -- ELAN ---------------------------------------------------------------------------------------------------


def eaf(tiers: str, slots: str = "") -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT><TIME_ORDER>'
        '<TIME_SLOT TIME_SLOT_ID="t1" TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="t2"/>'
        '<TIME_SLOT TIME_SLOT_ID="t3"/><TIME_SLOT TIME_SLOT_ID="t4" TIME_VALUE="900"/>'
        f"{slots}</TIME_ORDER>{tiers}</ANNOTATION_DOCUMENT>"
    )


def aligned(name: str, start: str, end: str, text: str) -> str:
    return (
        f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="{name}" TIME_SLOT_REF1="{start}" TIME_SLOT_REF2="{end}">'
        f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
    )


def referring(name: str, parent: str, text: str) -> str:
    return (
        f'<ANNOTATION><REF_ANNOTATION ANNOTATION_ID="{name}" ANNOTATION_REF="{parent}">'
        f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>"
    )


CHAIN = aligned("a1", "t1", "t2", "x") + aligned("a2", "t2", "t3", "y") + aligned("a3", "t3", "t4", "")
TIERS = (
    '<TIER TIER_ID="default"/>'
    f'<TIER TIER_ID="words" ANNOTATOR="ann" PARTICIPANT="child">{CHAIN}</TIER>'
    f'<TIER TIER_ID="gloss" PARENT_REF="words">{referring("b1", "a2", "G")}{referring("b2", "b1", "H")}</TIER>'
    f'<TIER TIER_ID="other" ANNOTATOR="bo">{aligned("c1", "t1", "t4", "x")}{aligned("c2", "t9", "t4", "z")}</TIER>'
)


def test_elan_tiers_with_annotators(file: Any) -> None:
    path = file("talk.eaf", eaf(TIERS))
    study = read(path, tiers=["words", "other"])
    assert rows(study) == {
        ("talk", "ann"): ((0, 300, "x"), (300, 600, "y"), (600, 900, None)),
        ("talk", "bo"): ((0, 900, "x"),),
    }
    assert "annotator from {annotator}" in study.policy()
    assert "1 annotation whose time is not known left out" in study.policy()
    assert set(rows(read(path, annotator="{participant}", tiers="words"))) == {("talk", "child")}


def test_elan_annotations_of_annotations(file: Any) -> None:
    path = file("talk.eaf", eaf(TIERS))
    study = read(path)
    assert set(rows(study)) == {("talk", "ann"), ("talk", "bo")}
    assert "2 annotations without times of their own left out" in study.policy()
    taken = rows(read(path, references=True, annotator="{tier}"))
    assert taken["talk", "gloss"] == ((300, 600, "G"), (300, 600, "H"))
    lone = rows(read(path, references=True, tiers=["gloss"]))
    assert lone["talk", "gloss"] == ((300, 600, "G"), (300, 600, "H"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<a>", "this is not XML"),
        ("<a/>", "expected an ELAN file"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "declares the document type 'a'"),
        (eaf(f'<TIER TIER_ID="a">{aligned("a1", "t4", "t1", "x")}</TIER>'), "annotation a1: a unit starts at 900"),
        (eaf(""), "found no annotation to read"),
    ],
)
def test_a_broken_elan_file_is_told(file: Any, text: str, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(file("a.eaf", text))
    assert said in str(caught.value)


def test_elan_tiers_are_annotators_or_asked_about(file: Any) -> None:
    def tiers(first: str, second: str, labels: str) -> str:
        one = f'<TIER TIER_ID="{first}">{aligned("a1", "t1", "t4", labels[0])}</TIER>'
        return eaf(one + f'<TIER TIER_ID="{second}">{aligned("b1", "t1", "t4", labels[1])}</TIER>')

    assert set(rows(read(file("a.eaf", tiers("ann", "bo", "xx"))))) == {("a", "ann"), ("a", "bo")}
    for content in (tiers("ann", "bo", "xy"), tiers("words", "other", "xx")):
        with pytest.raises(DoubtfulReading, match="tiers may be annotators or layers"):
            read(file("a.eaf", content))
    wide = tiers("ann", "bo", "éé").replace("UTF-8", "UTF-16").encode("utf-16")
    assert rows(read(file("wide.eaf", wide)))["wide", "bo"] == ((0, 900, "é"),)


HEADER = '<HEADER TIME_UNITS="PAL-frames"/>'


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.rttm", RTTM + "SPEAKER show 1 -0.5 2 <NA> <NA> s1 <NA> <NA>\n", "line 5: expected a time from 0 up"),
        ("a.rttm", RTTM + "SPEAKER show 1 5 2 <NA> <NA> Ann Lee <NA> <NA>\n", "at most 10 fields, found 11"),
        ("a.TextGrid", SHORT.replace("2\n0\n2.5", "2\n-1\n2.5"), "expected a time from 0 up, found '-1'"),
        ("a.eaf", eaf(TIERS, '<TIME_SLOT TIME_SLOT_ID="t9" TIME_VALUE="-5"/>'), "time slot t9: expected a time from 0"),
        ("a.eaf", eaf(HEADER + TIERS), "expected times in milliseconds, found TIME_UNITS='PAL-frames'"),
        ("a.eaf", eaf(TIERS.replace('"other"', '"words"')), "several tiers are called 'words'"),
        ("a.eaf", eaf(TIERS.replace('"c2"', '"c1"')), "several annotations are called 'c1'"),
        ("a.eaf", eaf('<TIER TIER_ID="a"><ANNOTATION><NOTE/></ANNOTATION></TIER>'), "found 'NOTE'"),
    ],
)
def test_what_would_be_taken_wrongly_or_left_out_in_silence_is_refused(
    file: Any, name: str, text: str, said: str
) -> None:
    with pytest.raises(FormatError) as caught:
        read(file(name, text))
    assert said in str(caught.value)
    assert name in str(caught.value)


def test_starts_below_zero_are_said_where_they_may_be_meant(file: Any) -> None:
    table = "doc,annotator,start,end,label\nd,ann,-3,2,a\nd,bo,-2,2,a\nd,ann,5,6,a\n"
    assert "2 units with a start below 0, kept as they are" in read(file("units.csv", table)).policy()
    grid = SHORT.replace("0\n9\n", "-2\n9\n").replace("2\n0\n2.5", "2\n-1\n2.5")
    assert "1 unit with a start below 0" in read(file("a.TextGrid", grid), annotator="{tier}").policy()


def test_channels_that_are_taken_together_are_said(file: Any) -> None:
    path = file("ann.rttm", RTTM + "SPEAKER show 2 5 2 <NA> <NA> s1 <NA> <NA>\n")
    said = read(path).policy()
    assert "the channels of 'show' are taken together; item='{recording} {channel}' keeps them apart" in said
    apart = read(path, item="{recording} {channel}")
    assert set(rows(apart)) == {("show 1", "ann"), ("show 2", "ann")}
    assert "taken together" not in apart.policy()


# -- files of others ----------------------------------------------------------------------------------------


def test_real_files_of_units(shared: Path) -> None:
    formats = shared / "data" / "formats"
    praat = rows(read(formats / "textgrid" / "MaureenMarvinRobin.TextGrid"))
    with_elan = rows(read(formats / "elan" / "MaureenMarvinRobin.eaf"))
    assert praat.keys() == with_elan.keys()
    for cell, spans in praat.items():
        assert [(round(1000 * start), round(1000 * end), label) for start, end, label in spans] == [*with_elan[cell]]
    short, long = (
        rows(read(formats / "textgrid" / f"praatio_{name}.TextGrid", points="keep", item="mary", annotator="{tier}"))
        for name in ("mary", "mary_longfile")
    )
    assert short == long
    assert [len(spans) for spans in short.values()] == [14, 4, 4]
    speech = rows(read(sorted((formats / "rttm").glob("*.rttm"))))
    assert {cell: len(spans) for cell, spans in speech.items()} == {("FILE1", "ref"): 13, ("FILE1", "sys"): 11}
    uem = formats / "rttm" / "test_load.uem"
    scored = rows(read(sorted((formats / "rttm").glob("*.rttm")), uem=uem, speakers="map"))
    # In 0 to 15 and 25 to 30.4: the first five turns, the one from 22.93 to 25.12 cut, and two more, of which one cut.
    assert [(start, end) for start, end, _ in scored["FILE1", "ref"]][4:] == [
        (12.239, 14.48), (25, 25.12), (25.734, 28.945), (29.927, 30.4),
    ]  # fmt: skip
    for name in ("mary", "mary_longfile", "all_tiers_have_the_same_name"):
        with pytest.raises(DoubtfulReading, match="tiers may be annotators or layers"):
            read(formats / "textgrid" / f"praatio_{name}.TextGrid")
    table = rows(read(formats / "csv_continuum" / "3by100.csv"))
    assert sum(map(len, table.values())) == (
        (formats / "csv_continuum" / "3by100.csv").read_text(encoding="utf-8").count("\n")
    )
    guideline = read(shared / "data" / "santa" / "csv" / "SANTA1", format="units", looked="all")
    assert len(guideline.single()) == 26


TEXTS = {"d1": "The lights are out and the heat is off.", "d2": "Nothing to see in the old house."}


@pytest.mark.parametrize(
    ("spans", "known"),
    [
        (
            [
                ("d1", "ann", 4, 18),
                ("d1", "ann", 27, 31),
                ("d1", "bo", 4, 10),
                ("d2", "ann", 26, 31),
                ("d2", "bo", 22, 31),
            ],
            True,
        ),
        (
            [("d1", "ann", 1, 2), ("d1", "ann", 6, 7), ("d1", "bo", 1, 3), ("d2", "ann", 3, 5), ("d2", "bo", 4, 5)],
            False,
        ),  # tokens
    ],
)
def test_a_column_of_texts_is_the_text_of_the_documents_where_units_are_words_of_it(spans, known, tmp_path):
    path = tmp_path / "units.csv"
    lines = [f'{doc},{who},{start},{end},EVENT,"{TEXTS[doc]}"' for doc, who, start, end in spans]
    path.write_text("\n".join(["doc_id,annotator,start,end,label,text", *lines]), encoding="utf-8")
    study = read(path).single()
    assert [*study.items] == ["d1", "d2"]
    assert ("positions" in study.attributes) == known
    if known:
        assert [*study.attributes["text"]] == [TEXTS[study.items[code]] for code in study.item]
        assert "EVENT “lights”" in ia.disagreements(study).who_said_what()


def test_a_column_of_texts_that_differ_within_a_document_is_kept_as_it_is(tmp_path):
    path = tmp_path / "units.csv"
    rows = ["doc_id,annotator,start,end,label,text", "d1,ann,4,10,EVENT,lights", "d1,bo,15,18,EVENT,out"]
    path.write_text("\n".join(rows), encoding="utf-8")
    study = read(path).single()
    assert "positions" not in study.attributes


# -- boxes --------------------------------------------------------------------------------------------------

BOXES = """\
image_id,class_name,class_id,grader,x_min,y_min,x_max,y_max
a,Nodule,3,R1,10,20,30,40
a,Mass,4,R1,50,60,70,80.5
a,Nodule,3,R2,11,21,31,41
b,No finding,14,R1,,,,
b,Mass,4,R2,5,6,7,8
"""
DRAWN = {
    ("a", "R1"): {(10, 20, 30, 40, "Nodule"), (50, 60, 70, 80.5, "Mass")},
    ("a", "R2"): {(11, 21, 31, 41, "Nodule")},
    ("b", "R1"): set(),
    ("b", "R2"): {(5, 6, 7, 8, "Mass")},
}


def drawn(study: Any) -> dict[tuple[Any, Any], set[Any]]:
    return {where: set(value) for where, value in rows(study).items()}


@pytest.mark.parametrize("names", ["x_min,y_min,x_max,y_max", "xmin,ymin,xmax,ymax", "left,top,right,bottom"])
def test_a_row_for_each_box_gives_the_boxes_of_each_annotator(file: Any, names: str) -> None:
    study = read(file("boxes.csv", BOXES.replace("x_min,y_min,x_max,y_max", names)))
    assert list(study) == ["boxes"]
    assert study.single().of_kind == "boxes"
    assert drawn(study) == DRAWN
    policy = study.policy()
    assert "image from 'image_id', annotator from 'grader', category from 'class_name'" in policy
    assert "columns set aside: 'class_id'" in policy
    assert "1 row without corners taken as looked and marked nothing" in policy


def test_of_boxes_whose_annotator_is_not_known_by_its_name_the_column_is_asked_for(file: Any) -> None:
    path = file("boxes.csv", BOXES.replace("grader", "rad_id"))
    with pytest.raises(ColumnNotFound, match="annotator of boxes from") as error:
        read(path)
    assert "Name it, as in annotator='rad_id'" in str(error.value)
    assert drawn(read(path, annotator="rad_id")) == DRAWN
    assert drawn(read(path, item="image_id", annotator="rad_id")) == DRAWN


def test_boxes_of_one_annotator_for_each_file(file: Any, tmp_path: Path) -> None:
    own = [row.split(",") for row in BOXES.splitlines()]
    for who in ("R1", "R2"):
        kept = [[*row[:3], *row[4:]] for row in own if row[3] in ("grader", who)]
        path = file(f"{who}.csv", "".join(",".join(row) + "\n" for row in kept))
    assert drawn(read(path.parent, format="units", annotator="{file}")) == DRAWN


def test_everybody_may_have_looked_at_every_image(file: Any) -> None:
    path = file("boxes.csv", BOXES.replace("b,No finding,14,R1,,,,\n", ""))
    assert ("b", "R1") not in drawn(read(path))
    assert drawn(read(path, looked="all")) == DRAWN


def test_a_corner_that_is_no_number_is_told_with_its_line(file: Any) -> None:
    with pytest.raises(FormatError, match=r"line 2: .*a number for the place of a corner"):
        read(file("boxes.csv", BOXES.replace(",10,20,", ",ten,20,")), format="units")


def test_corners_beside_answers_of_several_people_are_no_boxes_of_theirs(file: Any) -> None:
    table = "id,text,coder1,coder2,x1,y1,x2,y2\n" + "".join(
        f"{n},word {n},{'ab'[n % 2]},{'ab'[n % 3 == 0]},{n},{n},{n + 5},{n + 9}\n" for n in range(30)
    )
    assert read(file("words.csv", table)).single().annotators == ("coder1", "coder2")
