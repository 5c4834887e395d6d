"""The text with the marks of every annotator, in a terminal and as HTML."""

from __future__ import annotations

import json
import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import interagree as ia
from interagree.documents.edges import in_tokens
from interagree.errors import DataError, KindError, UnknownName
from interagree.results.cells import cells
from interagree.spans.marked_html import MOST_LINES, colour_of
from interagree.spans.marked_text import MarkedText, marked_text
from interagree.spans.shown_text import ruler

TEXT = "Barack Obama visited New York City last Friday.\nHe met the mayor."
JIN = [[0, 12, "PER"], [21, 34, "LOC"], [40, 46, "DATE"]]
MAYA = [[0, 12, "PER"], [21, 29, "LOC"], [35, 46, "DATE"]]
CODE = re.compile(r"\x1b\[[0-9;]*m")


def study(text: str | None, **marked: list[Any]) -> ia.Annotations:
    columns: dict[str, Any] = {
        "item": ["d"] * len(marked), "annotator": list(marked), "value": list(marked.values()),
    }  # fmt: skip
    if text is not None:
        columns["text"] = [text] * len(marked)
    return ia.Annotations.of(columns, kind="spans")


def width_of(line: str) -> int:
    return sum(map(cells, line))


# -- in a terminal ----------------------------------------------------------------------------------------------


def test_marks_lie_under_the_text_one_annotator_below_the_other() -> None:
    assert str(marked_text(study(TEXT, Jin=JIN, Maya=MAYA, Cy=[]))).splitlines() == [
        "d",
        "        Barack Obama visited New York City last Friday.↵",
        "! Jin   [PER───────]         [LOC────────]      [DATE]",
        "! Maya  [PER───────]         [LOC───]      [DATE─────]",
        "  Cy",
        "        He met the mayor.",
        "6 spans, 6 not shared by all",
        "looked and marked nothing: Cy",
    ]


def test_what_all_marked_alike_has_no_sign_in_the_margin() -> None:
    made = marked_text(study(TEXT, Jin=JIN[:1], Maya=MAYA[:1]))
    assert "  Jin   [PER" in str(made)
    assert [mark.status for mark in made.spans] == ["agreed", "agreed"]
    assert "2 spans, 0 not shared by all" in str(made)
    assert not any(mark.differs for mark in marked_text(study(TEXT, Jin=JIN)).spans)


def test_spans_that_overlap_are_stacked_and_labels_find_room() -> None:
    lines = str(marked_text(study(TEXT, a=[[0, 12, "PER"], [0, 6, "GIVEN"], [7, 12, "FAMILY"], [13, 14, "V"]])))
    assert lines.splitlines()[2:6] == [
        "  a  [PER───────] |V",
        "     [────]GIVEN",
        "            [───]FAMILY",
        "     He met the mayor.",
    ]


def test_pieces_are_joined_and_lines_are_continued() -> None:
    pieces = {"start": 0, "end": 20, "fragments": [[0, 6], [13, 20]], "label": "X"}
    made = str(marked_text(study(TEXT, a=[pieces]), width=40))
    assert "[X───]·······[─────]" in made
    long = marked_text(study("word " * 30, a=[[2, 120, "LONG"]]), width=45)
    rows = [line for line in str(long).splitlines() if line.startswith("  a")]
    assert len(rows) > 2
    assert rows[0].startswith("  a    [LONG")
    assert rows[0].endswith(">")
    assert all(row.startswith("  a  <") for row in rows[1:])
    assert rows[-1].endswith("]")


def test_only_what_lies_near_marks_is_shown_where_that_is_asked() -> None:
    text = "one two three " * 40
    made = marked_text(study(text, a=[[14, 17, "X"], [400, 403, "Y"]]), context=6)
    shown = str(made)
    assert shown.count("…") == 3  # before, between and behind
    assert len(shown) < len(text)
    assert "[X]" in shown.replace("[─]X", "[X]")
    assert str(marked_text(study(text, a=[]), context=6)).splitlines()[1:] == [
        "     …", "0 spans, 0 not shared by all", "looked and marked nothing: a",
    ]  # fmt: skip


def test_words_for_how_annotators_differ_are_shown() -> None:
    data = study(TEXT, Jin=JIN, Maya=MAYA)
    made = marked_text(data, status={(0, 1): "boundary", (1, 1): "boundary", (0, 2): "label"})
    assert [line.rpartition("  (")[2] for line in str(made).splitlines()[2:4]] == ["boundary, label)", "boundary)"]
    assert made.table().to_dict("status")["Maya"] == "differs"
    assert list(made.table()["text"])[:2] == ["Barack Obama", "Barack Obama"]
    assert colour_of("boundary") != colour_of("agreed")
    assert colour_of("something else") == colour_of("something else")


def test_colour_changes_nothing_but_colour() -> None:
    made = marked_text(study(TEXT, Jin=JIN, Maya=MAYA))
    assert "\x1b" not in str(made)
    assert "\x1b[" in made.render(colour=True)
    assert CODE.sub("", made.render(colour=True)) == str(made)


def test_without_text_positions_are_a_ruler() -> None:
    expected = [
        "d",
        "        0·········10········20········30········40····",
        "! Jin   [PER───────]         [LOC────────]      [DATE]",
        "! Maya  [PER───────]         [LOC───]      [DATE─────]",
    ]
    assert str(marked_text(study(None, Jin=JIN, Maya=MAYA))).splitlines()[:4] == expected
    assert ruler(12) == "0·········10"
    with_text = marked_text(study(TEXT, Jin=JIN, Maya=MAYA), text=False)
    for shown in (str(with_text), with_text.to_html(), str(with_text.table())):
        assert not any(word in shown for word in ("Obama", "York", "Friday", "mayor"))


def test_positions_that_are_no_whole_numbers_or_too_many_share_a_line() -> None:
    for spans in ([[0.5, 4.25, "X"], [18, 26.3, "Y"]], [[0, 900_000, "X"], [1_000_000, 2_000_000, "Y"]]):
        lines = str(marked_text(study(None, a=spans))).splitlines()
        assert len(lines) == 4
        assert "X" in lines[2]
        assert "Y" in lines[2]
    made = marked_text(study(None, a=[[900_000, 900_004, "XY"]]), context=5)
    assert "[XY]" in str(made)


def test_spans_of_tokens_are_shown_in_the_text() -> None:
    data = in_tokens(study(TEXT, Jin=JIN, Maya=MAYA))
    made = marked_text(data)
    assert made.shown == TEXT
    assert "! Jin   [PER───────]         [LOC────────]      [DATE]" in str(made)
    assert made.table()["end"][0] == 2


def test_characters_of_any_width_stay_above_their_marks() -> None:
    text = "東京 cafe\u0301 \u200fab\tשלום x"
    at = text.index("x")
    lines = marked_text(study(text, a=[[0, 2, "LOC"], [3, 8, "N"], [at, at + 1, "Z"]])).render().splitlines()
    assert lines[1].strip("\u202d\u202c ") == "東京 cafe\u0301 ab→שלום x"
    assert lines[2] == "  a  [──]LOC           |Z"  # LOC takes the room of the next one
    assert lines[3] == "          [N─]"


SIGNS = st.sampled_from("ab .\n\r\t\v東ｆ\u0301\u200d\u200f\u202eאبé\x1b\x00\x85\u00ad😀\u1161<&\"'")


@given(st.text(SIGNS, min_size=1, max_size=120), st.data())
def test_lines_are_aligned_whatever_the_text_is_made_of(text: str, data: st.DataObject) -> None:
    spans = []
    for _ in range(data.draw(st.integers(0, 4))):
        low = data.draw(st.integers(0, len(text) - 1))
        spans.append([low, data.draw(st.integers(low + 1, len(text))), data.draw(st.sampled_from(["X", "LONG NAME"]))])
    made = marked_text(study(text, a=sorted(spans), b=[]), width=44)
    rendered = made.render()
    assert all(width_of(line) <= 44 for line in rendered.splitlines()[:-2])
    assert not any(unicodedata.category(sign) == "Cc" for sign in rendered if sign != "\n")
    joined = ""
    for line, here in made.marked_lines(31):
        joined += text[line.low : line.high]
        for mark in here:
            start, bracket = made._bracket(mark, line, 39)
            low = max(mark.pieces[0][0], line.low)
            total = width_of(text[line.low : line.high])
            assert start == min(width_of(text[line.low : low]), max(total - 1, 0))
            assert width_of(bracket) >= 1
    assert joined == text
    check_html(made)


# -- as HTML ----------------------------------------------------------------------------------------------------


class Tables(HTMLParser):
    """The rows of all tables of a page: for each cell its text and over how many columns it goes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tables: list[list[list[tuple[str, int]]]] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append(("", int(dict(attrs).get("colspan") or 1)))

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            text, over = self.tables[-1][-1][-1]
            self.tables[-1][-1][-1] = (text + data, over)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_html(made: MarkedText) -> Tables:
    page = Tables()
    page.feed(made.to_html())
    assert not page.open
    assert page.tags <= {"div", "style", "p", "b", "span", "table", "tr", "th", "td"}
    for table in page.tables:
        columns = sum(over for _, over in table[0])
        assert all(sum(over for _, over in row) <= columns for row in table)
    return page


def test_html_has_the_text_and_a_row_for_each_annotator() -> None:
    made = marked_text(study(TEXT, Jin=JIN, Maya=MAYA))
    page = check_html(made)
    first = page.tables[0]
    assert "".join(text for text, _ in first[0]) == "Barack Obama visited New York City last Friday.↵"
    assert [row[0][0] for row in first[1:]] == ["Jin", "Maya"]
    assert [text for text, _ in first[1] if text] == ["Jin", "PER", "LOC", "DATE"]
    assert made._repr_html_() == made.to_html()
    assert 'class="ia-m ia-agreed" title="0–12 PER (agreed)"' in made.to_html()
    assert 'class="ia-m ia-differs"' in made.to_html()


def test_html_is_escaped_and_has_no_script() -> None:
    bad = "<script>alert(1)</script>"
    columns = {"item": [bad], "annotator": [bad], "value": [[[0, 8, bad], [9, 12, '"x']]], "text": [bad]}
    made = marked_text(ia.Annotations.of(columns, kind="spans"), status={(0, 0): bad, (0, 1): '"><b>'})
    page = check_html(made)
    assert "script" not in page.tags
    assert "<script" not in made.to_html()


def test_html_of_a_long_document_is_bounded() -> None:
    text = "some words " * 20_000
    made = marked_text(study(text, a=[[0, 4, "X"]], b=[[len(text) - 5, len(text) - 1, "Y"]]))
    page = check_html(made)
    assert len(page.tables) == MOST_LINES
    assert "further characters" in made.to_html()
    assert len(made.to_html()) < 200_000


def test_html_of_a_text_from_right_to_left_runs_so() -> None:
    made = marked_text(study("שלום עולם", a=[[0, 4, "X"]]))
    assert '<table dir="rtl">' in made.to_html()
    assert "rtl" not in marked_text(study(TEXT, a=JIN)).to_html()


# -- which document, whose marks --------------------------------------------------------------------------------


def test_the_first_document_that_several_marked_is_shown() -> None:
    rows = [("d", "a", [[0, 1, "X"]]), ("e", "a", []), ("e", "b", []), (7, "a", [[0, 2, "X"]]), (7, "b", [[0, 2, "X"]])]
    data = ia.Annotations.of(rows, kind="spans")
    assert marked_text(data).name == 7
    assert marked_text(data, "7").name == 7
    alone = marked_text(data, "d")
    assert alone.annotators == ("a",)
    assert "did not look: b" in str(alone)
    assert marked_text(data, 7, annotators=["b", "a"]).annotators == ("b", "a")
    with pytest.raises(UnknownName, match="there is no document 'f'"):
        marked_text(data, "f")
    with pytest.raises(UnknownName, match="no annotator 'c'"):
        marked_text(data, annotators=["c"])


def test_of_repeated_judgements_the_first_is_shown() -> None:
    rows = [("d", "a", [[0, 1, "X"]]), ("d", "a", [[0, 2, "X"]]), ("d", "b", [[0, 1, "X"]])]
    made = marked_text(ia.Annotations.of(rows, kind="spans", duplicates="keep"))
    assert [(mark.begin, mark.end) for mark in made.spans] == [(0, 1), (0, 1)]


def test_one_span_alone_and_spans_without_labels() -> None:
    made = marked_text(study(TEXT, a=[0, 6], b=[[0, 6]]))
    assert [mark.label for mark in made.spans] == [None, None]
    assert "[–───]" in str(made)


def test_what_cannot_be_shown_is_said() -> None:
    with pytest.raises(KindError, match="spans"):
        marked_text([("d", "a", "yes"), ("d", "b", "no")])
    with pytest.raises(KindError, match="nobody knows who"):
        marked_text(ia.Annotations.from_counts([[1, 1]], values=[(), ((0, 1, "X"),)]))
    with pytest.raises(KindError, match="context"):
        marked_text(study(TEXT, a=JIN), context=-1)
    with pytest.raises(DataError, match="no annotations"):
        marked_text(ia.Annotations.of({"item": [], "annotator": [], "value": []}, kind="spans"))


def test_a_real_export(shared: Path) -> None:
    path = shared / "data/formats/label_studio/leoka_team3_full.json"
    columns: dict[str, list[Any]] = {"item": [], "annotator": [], "value": [], "text": []}
    for task in json.loads(path.read_text(encoding="utf-8")):
        for one in task["annotations"]:
            value = [r["value"] for r in one["result"] if r["type"] == "labels"]
            columns["item"].append(task["id"])
            columns["annotator"].append(one["completed_by"]["id"])
            columns["value"].append([[v["start"], v["end"], v["labels"][0]] for v in value])
            columns["text"].append(task["data"]["text"])
    data = ia.Annotations.of(columns, kind="spans")
    for document in data.items:
        made = marked_text(data, document)
        assert all(width_of(line) <= 80 for line in str(made).splitlines())
    check_html(made)
