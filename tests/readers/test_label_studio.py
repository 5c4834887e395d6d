"""Exports of Label Studio in, studies out."""

from __future__ import annotations

import gc
import gzip
import json
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from readers.spoiling import outcome, spoiled

from interagree import span_f1
from interagree.errors import DataError, DuplicateAnnotation, FormatError, KindError, UnknownName
from interagree.plugins import KINDS
from interagree.readers import read
from interagree.readers.label_studio.recognise import recognised

TEXT = "Ann met Bo in Rome."


def span(start: int, end: int, *labels: str, text: str = TEXT, **more: Any) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": text[start:end], "labels": list(labels)}
    return {"value": value, "from_name": "label", "to_name": "text", "type": "labels", "origin": "manual", **more}


def answer(question: str, kind: str, value: Any, **more: Any) -> dict[str, Any]:
    entry = {"textarea": "text", "pairwise": "selected"}.get(kind, kind)
    return {"value": {entry: value}, "from_name": question, "to_name": "text", "type": kind, **more}


def box(x: float, y: float, width: float, height: float, *labels: str, **more: Any) -> dict[str, Any]:
    value = {"x": x, "y": y, "width": width, "height": height, "rotation": 0, "rectanglelabels": list(labels)}
    value |= {key: more.pop(key) for key in ("rotation",) if key in more}
    size = {"original_width": 200, "original_height": 50, "image_rotation": 0}
    return {"value": value, "from_name": "box", "to_name": "image", "type": "rectanglelabels", **size, **more}


def annotation(who: Any, *result: dict[str, Any], **more: Any) -> dict[str, Any]:
    usual = {"was_cancelled": False, "ground_truth": False, "created_at": "2024-03-01T10:00:00.5Z"}
    return {"id": 7, "completed_by": who, "result": list(result), "lead_time": 3.5, **usual, **more}


def task(number: int, *annotations: dict[str, Any], **more: Any) -> dict[str, Any]:
    usual = {"drafts": [], "predictions": [], "data": {"text": TEXT, "source": "x"}, "inner_id": 1, "project": 3}
    return {"id": number, "annotations": list(annotations), **usual, **more}


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def made(content: Any, name: str = "export.json") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return made


def rows(study: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in study.rows()}


# -- spans --------------------------------------------------------------------------------------------------


def test_spans_come_in_the_order_of_the_text_and_nothing_marked_is_an_empty_list(file: Any) -> None:
    clicked = [span(14, 18, "PLACE", id="b"), span(0, 3, "PERSON", id="a")]
    study = read(file([task(1, annotation(1, *clicked), annotation(2), annotation(3, span(0, 3)))]))
    found = study.single()
    assert rows(found) == {(1, "1"): ((0, 3, "PERSON"), (14, 18, "PLACE")), (1, "2"): (), (1, "3"): ((0, 3, None),)}
    assert list(study) == ["label"]
    assert found.of_kind == "spans"
    assert set(found.attributes["text"]) == {TEXT}
    assert set(found.attributes["positions"]) == {"characters"}
    assert set(found.attributes["lead_time"]) == {3.5}
    assert "1 time somebody looked and marked nothing" in study.policy()
    assert "offsets" not in study.policy()
    assert gc.isenabled()


def test_spans_that_cover_nothing_are_left_out_and_said_with_every_number(file: Any) -> None:
    first = task(1, annotation(7, span(0, 3, "PER"), span(5, 5, "PER")), annotation(8, span(0, 3, "PER")))
    path = file([first, task(2, annotation(7, span(4, 9, "PER")), annotation(8, span(6, 6, "PER")))])
    study = read(path)
    said = "2 units without length left out (points='keep' keeps them)"
    assert said in study.provenance.policy()
    assert said in study["label"].provenance.policy()
    assert study.policy().count(said) == 1
    assert said in str(span_f1(study))
    assert "marked nothing, as the file says" not in study["label"].provenance.policy()
    kept = read(path, points="keep")
    assert "without length" not in kept.provenance.policy()
    assert rows(kept["label"])[2, "8"] == ((6, 6, "PER"),)


def test_what_is_not_a_number_for_one_annotation_is_kept_for_the_others(file: Any) -> None:
    told = [annotation(1, span(0, 3, "x"), lead_time=2.5), annotation(2, span(0, 3, "x"), lead_time=float("nan"))]
    kept = read(file([task(1, *told)])).single().attributes["lead_time"].tolist()
    assert (kept[0], str(kept[1])) == (2.5, "nan")


def test_several_labels_are_one_span_each(file: Any) -> None:
    study = read(file([task(1, annotation(1, span(0, 3, "b", "a")))]))
    assert rows(study.single()) == {(1, "1"): ((0, 3, "a"), (0, 3, "b"))}
    assert "1 region with several labels taken as one for each label" in study.policy()


def test_answers_about_a_region_are_its_features(file: Any) -> None:
    about = [
        answer("certain", "choices", ["no"], id="a"),
        answer("topics", "choices", ["z", "c"], id="a"),
        answer("stars", "rating", 3, id="a"),
        answer("whole", "choices", ["good"], id="c"),
    ]
    study = read(file([task(1, annotation(1, *about, span(0, 3, "PERSON", id="a")))]))
    assert list(study) == ["label", "whole"]
    [value] = rows(study["label"]).values()
    assert dict(value[0]) == {
        "start": 0,
        "end": 3,
        "label": "PERSON",
        "features": (("certain", "no"), ("stars", 3), ("topics", ("c", "z"))),
    }
    assert rows(study["whole"]) == {(1, "1"): "good"}


def test_an_answer_about_a_region_that_is_not_there_is_counted(file: Any) -> None:
    lost = answer("certain", "choices", ["no"], id="gone")
    lost["value"] |= {"start": 0, "end": 3}
    study = read(file([task(1, annotation(1, lost, span(0, 3, "PERSON", id="a")))]))
    assert list(study) == ["label"]
    assert "1 answer about regions that are not there not read" in study.policy()


EMOJI = "😀 Ann met Bo 😀 in Rome."


def test_offsets_in_utf_16_units_become_characters(file: Any) -> None:
    def wide(start: int, end: int, covered: str) -> dict[str, Any]:
        made = span(start, end, "x")
        made["value"]["text"] = covered
        return made

    told = [wide(3, 6, "Ann"), wide(20, 24, "Rome")]
    data = {"note": "short", "text": EMOJI}
    study = read(file([task(1, annotation(1, *told), data=data), task(2, annotation(1, span(0, 3, "x")))]))
    found = study.single()
    assert rows(found) == {(1, "1"): ((2, 5, "x"), (18, 22, "x")), (2, "1"): ((0, 3, "x"),)}
    assert [EMOJI[start:end] for start, end, _ in rows(found)[1, "1"]] == ["Ann", "Rome"]
    assert "offsets of 2 spans in UTF-16 units, as their text shows; made characters" in study.policy()


def test_annotators_may_count_offsets_differently(file: Any) -> None:
    text = "😀😀 Ana met Bo."

    def over(start: int, end: int, covered: str | None) -> dict[str, Any]:
        made = span(start, end, "x")
        made["value"]["text"] = covered
        return made

    wide = annotation(1, over(5, 8, "Ana"), over(13, 15, None), over(9, 12, "MET"))
    points = annotation(2, over(3, 6, "Ana"), over(11, 13, None), over(7, 10, "MET"))
    study = read(file([task(1, wide, points, annotation(3, over(13, 15, None)), data={"text": text})]))
    assert rows(study.single()) == {
        (1, "1"): ((3, 6, "x"), (7, 10, "x"), (11, 13, "x")),
        (1, "2"): ((3, 6, "x"), (7, 10, "x"), (11, 13, "x")),
        (1, "3"): ((13, 15, "x"),),  # nothing tells what it counts, and as many others count characters
    }
    assert "offsets of 3 spans in UTF-16 units, as their text shows; made characters" in study.policy()
    assert "2 of 4 spans do not cover the text that they state; kept" in study.policy()


def test_offsets_in_characters_stay_where_they_fit(file: Any) -> None:
    told = span(2, 5, "x", text=EMOJI)
    study = read(file([task(1, annotation(1, told), data={"text": EMOJI})]))
    assert rows(study.single()) == {(1, "1"): ((2, 5, "x"),)}
    assert "UTF-16" not in study.policy()


def test_spans_that_cover_another_text_are_counted(file: Any) -> None:
    odd = span(4, 7, "x")
    odd["value"]["text"] = "xyz"
    study = read(file([task(1, annotation(1, span(0, 3, "x"), odd))]))
    assert "1 of 2 spans do not cover the text that they state; kept" in study.policy()
    assert len(rows(study.single())[1, "1"]) == 2


def test_the_text_is_found_by_what_spans_cover(file: Any) -> None:
    data = {"title": "A title that is longer than the text itself is", "body": TEXT}
    study = read(file([task(1, annotation(1, span(0, 3, "x")), data=data)]))
    assert study.single().attributes["text"].tolist() == [TEXT]


@pytest.mark.parametrize("covered", ["a\nb", "a\\nb"])
def test_breaks_of_lines_may_be_written_differently(file: Any, covered: str) -> None:
    one = span(0, 3, "x")
    one["value"]["text"] = covered
    study = read(file([task(1, annotation(1, one), data={"text": "a\r\nb"})]))
    assert study.single().attributes["text"].tolist() == ["a\nb"]
    assert "do not cover the text" not in study.policy()


def test_a_text_that_is_elsewhere_is_said(file: Any) -> None:
    study = read(file([task(1, annotation(1, span(0, 3, "x")), data={"text": "s3://bucket/1.txt"})]))
    assert "text" not in study.single().attributes
    assert "no text of the tasks holds what 1 span should cover; offsets not checked" in study.policy()
    study = read(file([task(1, annotation(1, span(0, 3, "x")), data={"page": 3})]))
    assert "the text of 'text' is not in the file, so offsets are not checked" in study.policy()


def test_html_is_read_by_its_global_offsets(file: Any) -> None:
    value = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 0, "endOffset": 3}
    html = {"from_name": "label", "to_name": "html", "type": "hypertextlabels"}
    read_ = {**html, "value": {**value, "hypertextlabels": ["x"], "globalOffsets": {"start": 5, "end": 8}}}
    study = read(file([task(1, annotation(1, read_, {**html, "value": value}), data={"html": "<p>Ann"})]))
    assert rows(study.single()) == {(1, "1"): ((5, 8, "x"),)}
    assert "text" not in study.single().attributes
    assert "1 region of HTML or dialogues without a place in the text not read" in study.policy()


def test_a_recording_is_marked_in_seconds(file: Any) -> None:
    value = {"start": 0.5, "end": 2.25, "channel": 0, "labels": ["speech"]}
    told = {"from_name": "label", "to_name": "audio", "type": "labels", "value": value, "original_length": 9.5}
    study = read(file([task(1, annotation(1, told), data={"audio": "/data/upload/1/a.wav"})]))
    assert rows(study.single()) == {(1, "1"): ((0.5, 2.25, "speech"),)}
    assert set(study.single().attributes["positions"]) == {"seconds"}


@pytest.mark.parametrize(
    ("direction", "expected"),
    [("right", (14, 0, "lives")), ("left", (0, 14, "lives")), ("bi", (0, 14, "lives", False))],
)
def test_relations_between_spans_are_a_question(file: Any, direction: str, expected: Any) -> None:
    relation = {"from_id": "b", "to_id": "a", "type": "relation", "direction": direction, "labels": ["lives"]}
    marked = [span(0, 3, "PERSON", id="a"), span(14, 18, "PLACE", id="b")]
    study = read(file([task(1, annotation(1, relation, *marked), annotation(2, *marked))]))
    found = rows(study["relations"])
    [one] = found[1, "1"]
    told = dict(zip(("head", "tail", "label"), one, strict=True)) if direction != "bi" else dict(one)
    assert (told["head"][0], told["tail"][0], told["label"], *[told[k] for k in told if k == "directed"]) == expected
    assert KINDS["relations"].why_not(found[1, "1"]) is None
    assert study["relations"].of_kind == "relations"
    assert found[1, "2"] == ()
    assert len(study["label"].attributes["text"]) == len(study["relations"].attributes["text"]) == 2


def test_relations_without_spans_at_their_ends_are_counted(file: Any) -> None:
    relation = {"from_id": "a", "to_id": "nowhere", "type": "relation", "direction": "right"}
    study = read(file([task(1, annotation(1, relation, span(0, 3, "PERSON", id="a")))]))
    assert list(study) == ["label"]
    assert "1 relation without both ends not read" in study.policy()


# -- answers ------------------------------------------------------------------------------------------------


def test_a_choice_is_a_label_and_several_are_a_set(file: Any) -> None:
    one = [answer("tone", "choices", ["good"]), answer("topics", "choices", ["b", "a"])]
    two = [answer("tone", "choices", ["bad"]), answer("topics", "choices", ["a"])]
    study = read(file([task(1, annotation(1, *one), annotation(2, *two)), task(2, annotation(1))]))
    assert rows(study["tone"]) == {(1, "1"): "good", (1, "2"): "bad"}
    assert study["tone"].of_kind == "labels"
    assert rows(study["topics"]) == {(1, "1"): frozenset("ab"), (1, "2"): frozenset("a")}
    assert study["topics"].of_kind == "sets"
    assert set(study["tone"].attributes["text"]) == {TEXT}
    assert "1 annotation without an answer to 'tone'" in study.policy()


def test_a_question_of_several_answers_can_be_stated(file: Any) -> None:
    told = [task(1, annotation(1, answer("topics", "choices", ["a"])), annotation(2, answer("topics", "choices", [])))]
    assert rows(read(file(told), multiple=["topics"]).single()) == {(1, "1"): frozenset("a"), (1, "2"): frozenset()}
    study = read(file(told))
    assert rows(study.single()) == {(1, "1"): "a"}
    assert "1 answer to 'topics' without a choice left out" in study.policy()


def test_further_kinds_of_answers(file: Any) -> None:
    told = [
        answer("category", "taxonomy", [["Killed", "By accident"], ["Suspect"]]),
        answer("stars", "rating", 4),
        answer("age", "number", 31.5),
        answer("summary", "textarea", ["They met.", "In Rome."]),
        answer("day", "datetime", "2024-03-01"),
        answer("better", "pairwise", "left"),
    ]
    study = read(file([task(1, annotation(1, *told))]))
    assert {name: rows(study[name])[1, "1"] for name in study} == {
        "category": frozenset({"Killed > By accident", "Suspect"}),
        "stars": 4,
        "age": 31.5,
        "summary": "They met.\nIn Rome.",
        "day": "2024-03-01",
        "better": "left",
    }
    assert study["summary"].of_kind == "text"


def test_questions_can_be_chosen(file: Any) -> None:
    path = file([task(1, annotation(1, span(0, 3, "x"), answer("tone", "choices", ["good"])))])
    assert list(read(path, questions="tone")) == ["tone"]
    assert list(read(path, value=["tone", "label"])) == ["tone", "label"]
    with pytest.raises(UnknownName, match=r"no question 'tune'; there are 'label', 'tone'.*Did you mean 'tone'"):
        read(path, questions=["tune"])


# -- pictures -----------------------------------------------------------------------------------------------


def test_boxes_are_in_pixels_with_their_labels(file: Any) -> None:
    study = read(file([task(1, annotation(1, box(10, 20, 30, 40, "cat")), annotation(2))]))
    assert rows(study.single()) == {(1, "1"): ((20, 10, 80, 30, "cat"),), (1, "2"): ()}
    assert study.single().of_kind == "boxes"


def test_a_turned_box_turns_about_its_upper_left_corner(file: Any) -> None:
    told = [box(10, 20, 30, 40, "cat", rotation=90), box(0, 0, 10, 40, "dog")]
    found = read(file([task(1, annotation(1, *told))])).single()
    assert found.of_kind == "rotated"
    turned, straight = sorted(rows(found)[1, "1"], key=lambda one: one[5])
    # From (20, 10) the width of 60 goes down and the height of 20 to the left.
    assert turned[:5] == pytest.approx((10, 40, 60, 20, 90))
    assert straight == (10, 10, 20, 20, 0, "dog")


def test_a_region_and_its_label_are_one(file: Any) -> None:
    bare = box(10, 20, 30, 40, id="r", from_name="rect", type="rectangle")
    named = box(10, 20, 30, 40, id="r", from_name="what", type="labels")
    named["value"]["labels"] = ["cat"]
    alone = box(0, 0, 10, 10, id="s", from_name="rect", type="rectangle")
    study = read(file([task(1, annotation(1, named, bare, alone))]))
    assert rows(study["what"]) == {(1, "1"): ((20, 10, 80, 30, "cat"),)}
    assert rows(study["rect"]) == {(1, "1"): ((0, 0, 20, 5),)}


def test_polygons_bear_their_labels(file: Any) -> None:
    def polygon(label: str) -> dict[str, Any]:
        value = {"points": [[0, 0], [50, 0], [50, 100]], "polygonlabels": [label]}
        return box(0, 0, 0, 0, value=value, type="polygonlabels", from_name="shape")

    study = read(file([task(1, annotation(1, polygon("cat")), annotation(2, polygon("dog")), annotation(3))]))
    corners = ((0, 0), (100, 0), (100, 50))
    assert rows(study["shape"]) == {
        (1, "1"): ((("label", "cat"), ("points", corners)),),
        (1, "2"): ((("label", "dog"), ("points", corners)),),
        (1, "3"): (),
    }
    assert study["shape"].of_kind == "polygons"


def test_keypoints_of_one_object_belong_together(file: Any) -> None:
    def point(label: str, x: float, parent: str | None) -> dict[str, Any]:
        value = {"x": x, "y": 10, "width": 0.3, "keypointlabels": [label]}
        return box(0, 0, 0, 0, value=value, type="keypointlabels", from_name="points", parentID=parent)

    told = [point("nose", 10, "p"), point("ear", 20, "p"), point("nose", 30, "q")]
    study = read(file([task(1, annotation(1, *told), annotation(2, point("ear", 1, None), point("ear", 2, None)))]))
    assert study.single().of_kind == "keypoints"
    assert rows(study.single()) == {
        (1, "1"): (((0, 0), (60, 5)), ((40, 5), (20, 5))),
        (1, "2"): (((2, 5), (0, 0)), ((4, 5), (0, 0))),
    }


def test_boxes_and_polygons_under_one_control_are_two_questions(file: Any) -> None:
    shape = {"points": [[0, 0], [50, 0], [50, 100]], "labels": ["cat"]}
    rectangle = box(0, 0, 10, 10, from_name="what", type="labels", id="r")
    polygon = box(0, 0, 0, 0, value=shape, type="labels", from_name="what", id="p")
    assert list(read(file([task(1, annotation(1, rectangle, polygon))]))) == ["what (box)", "what (polygon)"]


def test_what_is_not_read_is_counted(file: Any) -> None:
    brush = {"from_name": "b", "to_name": "image", "type": "brushlabels", "value": {"format": "rle", "rle": [0]}}
    ellipse = {"from_name": "e", "to_name": "image", "type": "ellipselabels", "value": {"x": 1, "y": 2, "radiusX": 3}}
    study = read(file([task(1, annotation(1, brush, brush, ellipse, span(0, 3, "x")))]))
    assert "2 brush strokes in an image of unknown size not read" in study.policy()
    assert "1 ellipse without both radii not read" in study.policy()


# -- whose annotation it is, and of what --------------------------------------------------------------------


def person(number: int, email: str) -> dict[str, Any]:
    return {"id": number, "email": email, "first_name": ""}


def test_people_are_called_by_email_where_that_tells_them_apart(file: Any) -> None:
    apart = file([task(1, annotation(person(1, "a@x"), span(0, 3)), annotation(person(2, "b@x")))])
    assert set(read(apart).single().annotators) == {"a@x", "b@x"}
    assert set(read(apart, annotator="id").single().annotators) == {"1", "2"}
    alike = file([task(1, annotation(person(1, "m@x"), span(0, 3)), annotation(person(2, "m@x")))])
    study = read(alike)
    assert set(study.single().annotators) == {"1", "2"}
    assert "by the id of who completed an annotation (e-mail addresses do not tell people apart)" in study.policy()
    with pytest.raises(DataError, match="task 1, annotation 7: who completed it has no email"):
        read(file([task(1, annotation(1, span(0, 3)))]), annotator="email")
    for wrong in ("name", ["ann", "bo"]):
        with pytest.raises(KindError, match=r"annotator( must be 'email', 'id'|= takes a word)"):
            read(apart, annotator=wrong)


def test_a_project_of_each_annotator_is_joined_by_what_tasks_show(file: Any) -> None:
    def shown(upload: str) -> dict[str, str]:
        return {"text": TEXT, "image": f"/data/upload/{upload}-a.png"}

    here = file([task(5, annotation(1, span(0, 3, "x")), data=shown("1/0a1b2c3d"))], "ann.json")
    there = file([task(9, annotation(1, span(4, 7, "x")), data=shown("2/ffffffff"))], "bo.json")
    study = read([here, there], item="data", annotator="{file}").single()
    assert len(study.items) == 1
    assert {who: value for _, who, value in study.rows()} == {"ann": ((0, 3, "x"),), "bo": ((4, 7, "x"),)}
    folder = read(here.parent, format="label_studio", item="text", annotator="{file}")
    assert set(rows(folder.single())) == {(TEXT, "ann"), (TEXT, "bo")}
    assert "items by what the task shows" in study.provenance.policy()
    with pytest.raises(UnknownName, match=r"task 5: what it shows has no entry 'txt'.*it has 'text', 'image'"):
        read(here, item="txt")


def test_several_exports_are_read_as_one(file: Any) -> None:
    ann = [task(1, annotation(1, span(0, 3, "x"), answer("topics", "choices", ["a", "b"])))]
    bo = [task(9, annotation(1, answer("topics", "choices", ["a"])))]
    paths = [file(ann, "round/ann.json"), file(bo, "round/bo.json"), file([task(5, annotation(1))], "round/cy.json")]
    how: dict[str, Any] = {"item": "text", "annotator": "{file}"}
    folder = read(paths[0].parent, **how)
    assert rows(folder["label"]) == {(TEXT, "ann"): ((0, 3, "x"),), (TEXT, "bo"): (), (TEXT, "cy"): ()}
    assert rows(folder["topics"]) == {(TEXT, "ann"): frozenset("ab"), (TEXT, "bo"): frozenset("a")}
    for where in (paths, paths[0].parent / "*.json"):
        study = read(where, **how)
        assert {name: rows(study[name]) for name in study} == {name: rows(folder[name]) for name in folder}
    assert folder.provenance.sources == tuple(map(str, paths))
    assert "not read" not in folder.policy()


def test_what_lies_beside_exports_is_said(file: Any) -> None:
    path = file([task(1, annotation(1, span(0, 3, "x")))], "round/ann.json")
    file("x", "round/notes.docx")
    file("x", "round/.hidden")
    file("x", "round/README.md")
    (path.parent / "old").mkdir()
    said = "1 file of the folder not read ('notes.docx'), nothing read from the folder 'old'"
    assert said in read(path.parent).policy()
    assert said in read(path.parent, format="label_studio").policy()
    assert "not read" not in read(path).policy()


def test_a_folder_of_tables_is_read_where_there_is_no_json(file: Any) -> None:
    head = "annotation_id,annotator,id,lead_time,label\n"
    spans = json.dumps([{"start": 0, "end": 3, "text": "Ann", "labels": ["x"]}]).replace('"', '""')
    file(f'{head}1,1,5,2,"{spans}"\n', "round/a.csv")
    path = file(f'{head}2,2,5,2,"{spans}"\n', "round/b.csv")
    assert set(rows(read(path.parent).single())) == {("5", "1"), ("5", "2")}
    file([task(5, annotation(3, span(0, 3, "x")))], "round/c.json")
    study = read(path.parent, format="label_studio")
    assert set(rows(study.single())) == {(5, "3")}
    assert "2 files of the folder not read ('a.csv', 'b.csv')" in study.policy()


def test_identical_spans_count_once(file: Any) -> None:
    study = read(file([task(1, annotation(1, *[span(0, 3, "x")] * 3, span(0, 3, "y")))]))
    assert rows(study.single()) == {(1, "1"): ((0, 3, "x"), (0, 3, "y"))}
    assert "2 identical units that somebody marked twice left out" in study.policy()


def test_without_names_a_file_is_of_one_annotator(file: Any) -> None:
    def nameless(*results: dict[str, Any]) -> dict[str, Any]:
        return {"id": 1, "result": list(results), "created_at": 1597000000, "lead_time": 1.5}

    old = {"id": 1, "completions": [nameless(span(0, 3, "x"))], "predictions": [], "data": {"text": TEXT}}
    study = read(file([old]))
    assert rows(study.single()) == {(1, "export"): ((0, 3, "x"),)}
    assert "nobody is named, so all annotations are those of 'export'" in study.policy()
    with pytest.raises(DataError, match="task 1, annotation 1: the file does not say who completed it"):
        read(file([{**old, "completions": [nameless(span(0, 3, "x"))] * 2}]))


def test_what_is_no_annotation_is_left_out_and_counted(file: Any) -> None:
    skipped = annotation(1, span(0, 3, "x"), was_cancelled=True)
    models = [{"id": 1, "model_version": "bert-1", "result": [span(0, 3, "y")], "score": 0.5}]
    earlier = [{"result": [span(0, 3, "z")]}]
    gold = annotation(2, span(4, 7, "x"), ground_truth=True, history=earlier, reviews=[{}, {}])
    path = file([task(1, skipped, gold, predictions=models, drafts=[{"result": [span(0, 3, "w")]}])])
    study = read(path)
    assert rows(study.single()) == {(1, "2"): ((4, 7, "x"),)}
    for said in (
        "1 skipped annotation (was_cancelled) left out (cancelled='keep' keeps them)",
        "1 prediction of models left out (predictions=True adds them)",
        "1 draft left out",
        "2 reviews left out",
        "1 earlier state of annotations (history) left out",
        "1 annotation marked as ground truth kept as the author's (gold='apart' parts them)",
    ):
        assert said in study.policy()
    assert rows(read(path, predictions=True).single())[1, "bert-1"] == ((0, 3, "y"),)
    assert rows(read(path, cancelled="keep").single())[1, "1"] == ((0, 3, "x"),)
    assert set(read(path, gold="apart", cancelled="keep").single().annotators) == {"1", "ground truth"}
    with pytest.raises(FormatError, match="found no annotation to read"):
        read(path, gold="drop")


def test_of_two_annotations_by_one_person_the_newer_one_counts(file: Any) -> None:
    newer = annotation(1, span(0, 3, "new"), created_at="2024-01-01T10:00:00Z", updated_at="2024-03-05T10:00:00.25Z")
    older = annotation(1, span(0, 3, "old"), created_at="2024-02-01T10:00:00Z", updated_at="2024-02-01T10:00:00Z")
    path = file([task(1, newer, older)])
    study = read(path)
    assert rows(study.single()) == {(1, "1"): ((0, 3, "new"),)}
    assert "1 repeated annotation of a task by one person left out (the newest counts)" in study.policy()
    assert rows(read(path, duplicates="first").single()) == {(1, "1"): ((0, 3, "old"),)}
    with pytest.raises(DuplicateAnnotation, match="task 1, annotation 7: '1' annotated item 1 before"):
        read(path, duplicates="error")


# -- short forms --------------------------------------------------------------------------------------------

TWO = {"choices": ["bad", "sad"]}
SHORT = [
    {"text": TEXT, "id": 4, "label": [span(0, 3, "x")["value"]], "tone": "good", "annotator": "a@x"},
    {"text": TEXT, "id": 4, "label": [span(4, 7, "y")["value"]], "tone": TWO, "annotator": "b@x"},
    {"text": TEXT, "id": 5, "tone": "good", "annotator": "a@x"},
]  # fmt: skip
SHORT = [{**row, "annotation_id": at, "created_at": "2024-03-01", "lead_time": 1.5} for at, row in enumerate(SHORT)]


def test_json_min_is_read(file: Any) -> None:
    study = read(file(SHORT))
    assert rows(study["label"]) == {(4, "a@x"): ((0, 3, "x"),), (4, "b@x"): ((4, 7, "y"),), (5, "a@x"): ()}
    assert rows(study["tone"])[4, "b@x"] == frozenset({"bad", "sad"})
    assert set(study["label"].attributes["text"]) == {TEXT}


def test_json_min_of_boxes_is_in_pixels(file: Any) -> None:
    one = box(10, 20, 30, 40, "cat")
    row = {"image": "/a", "id": 1, "box": [{**one["value"], "original_width": 200, "original_height": 50}]}
    study = read(file([{**row, "annotator": 1, "annotation_id": 2, "lead_time": 1}]))
    assert rows(study.single()) == {(1, "1"): ((20, 10, 80, 30, "cat"),)}


@pytest.mark.parametrize(("sign", "name"), [(",", "a.csv"), ("\t", "a.csv"), ("\t", "a.tsv")])
def test_the_table_is_read(file: Any, sign: str, name: str) -> None:
    import csv
    import io

    out = io.StringIO()
    names = sorted({key for row in SHORT for key in row})
    writer = csv.DictWriter(out, names, delimiter=sign, quoting=csv.QUOTE_ALL)
    writer.writeheader()
    for row in SHORT:
        writer.writerow(
            {key: json.dumps(entry) if isinstance(entry, list | dict) else entry for key, entry in row.items()}
        )
    study = read(file(out.getvalue(), name))
    assert rows(study["label"]) == {("4", "a@x"): ((0, 3, "x"),), ("4", "b@x"): ((4, 7, "y"),), ("5", "a@x"): ()}
    assert rows(study["tone"])["5", "a@x"] == frozenset({"good"})


def test_a_table_whose_answers_cannot_be_told_asks_for_them(file: Any) -> None:
    path = file("annotation_id,annotator,id,lead_time,text,tone\n1,ann,4,1.5,Ann met Bo.,good\n", "a.csv")
    with pytest.raises(
        FormatError, match=r"a.csv: no column is plainly one of answers; name it, as in value='sentiment'"
    ):
        read(path)
    assert rows(read(path, questions=["tone"]).single()) == {("4", "ann"): "good"}
    assert rows(read(path, value="tone").single()) == {("4", "ann"): "good"}
    with pytest.raises(UnknownName, match="has no column 'tune'"):
        read(path, questions=["tune"])


# -- recognising, and what is wrong -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        [{"item": 1, "annotator": "ann", "value": "cat"}],
        {"item": [1], "annotator": ["ann"], "value": ["cat"]},
        {"first": {"ann": "cat", "bo": "dog"}},
        {"images": [], "annotations": [{"id": 1, "bbox": [1, 2, 3, 4]}], "categories": []},
        [{"id": 1, "annotations": [{"label": 3, "user": 1}], "data": "x"}],
        [{"item": 1, "result": []}],
        [{"a": {"annotations": [{"result": []}]}}],
        {"item": list(range(30_000)), "data": list(range(30_000))},
        [],
        3,
        "result",
    ],
)
def test_other_json_is_left_to_others(file: Any, content: Any) -> None:
    assert not recognised(file(content))


@pytest.mark.parametrize(
    "content",
    [
        [task(1, annotation(1))],
        task(1, annotation(1)),
        [{"data": {"text": "x" * 100_000, "annotations": "y"}, **task(1), "id": 3}, task(2, annotation(1))],
        [task(1)],
        [{"id": 1, "data": {}, "completions": []}, {"id": 2, "completions": [{"id": 1, "result": []}]}],
        SHORT,
    ],
)
def test_exports_are_recognised(file: Any, content: Any) -> None:
    assert recognised(file(content))
    assert recognised(file(json.dumps(content, indent=4)))


def test_a_packed_export_is_recognised_and_a_broken_one_is_not(file: Any, tmp_path: Path) -> None:
    packed = tmp_path / "a.json.gz"
    packed.write_bytes(gzip.compress(json.dumps([task(1, annotation(1, span(0, 3, "x")))]).encode()))
    assert recognised(packed)
    assert len(read(packed).single()) == 1
    packed.write_bytes(packed.read_bytes()[:40])
    assert not recognised(packed)
    assert not recognised(file("}]"))
    assert not recognised(tmp_path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('[{"id": 1,', "export.json, line 1: this is not JSON"),
        ("3", "export.json: expected a list of tasks, as Label Studio exports them, found 3"),
        ([3], "export.json, task 1: expected an object, found 3"),
        ([{"id": 4, "data": {}}], "export.json, task 4: expected a list 'annotations', found none; the task has 'id'"),
        ([task(4, 17)], r"export.json, task 4, annotation \?: expected an object with a list 'result', found 17"),
        ([task(4)], "export.json: found no annotation to read"),
        ([task(4, annotation(1))], r"export.json: found no annotation to read \(.*; 1 annotation with nothing in it\)"),
        ([task(4, annotation(1, 3))], "task 4, annotation 7, result 1: expected an object with a 'value', found 3"),
        ([task(4, annotation(1, span(3, 0)))], "annotation 7, result 1: a region starts at 3 and ends at 0"),
        ([task(4, annotation(1, span(3, None)))], "expected a number for the place of a region, found None"),
        ([task(4, annotation(1, answer("s", "rating", "x")))], "annotation 7, 's': expected rating in 'rating', found"),
        (
            [{"id": 1, "annotator": 1, "annotation_id": 3}, {"id": 2}],
            "export.json, row 2: expected an object with 'id' and 'annotator'",
        ),
        (
            [task(1, annotation(1, box(10**12, 0, 0, 0)))],
            "result 1: expected a number for the place of a region, found 1000000000000",
        ),
        (
            [task(1, annotation(1, box(0, 0, 0, 0, value={"points": [[1, 2], [3], [4, 5]]})))],
            r"result 1: expected a corner \[x, y\] of a polygon, found \[3\]",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(file: Any, content: Any, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read(file(content), format="label_studio")


def test_an_offset_outside_a_text_of_utf_16_units_is_an_error(file: Any) -> None:
    one = span(3, 6, "x")
    one["value"]["text"] = "Ann"
    far = span(90, 93, "x")
    with pytest.raises(FormatError, match="/0/annotations/0: a span from 90 to 93 lies outside its text"):
        read(file([task(1, annotation(1, one, far), data={"text": EMOJI})]))


@pytest.mark.parametrize("option", [{"gold": "yes"}, {"cancelled": "no"}, {"duplicates": "keep"}])
def test_options_have_their_words(file: Any, option: dict[str, str]) -> None:
    with pytest.raises(KindError, match=f"{next(iter(option))}= takes one of "):
        read(file([task(1, annotation(1))]), **option)
    with pytest.raises(UnknownName, match="the reader 'label_studio' has no option 'tiers'"):
        read(file([task(1, annotation(1))]), tiers=1)


def of_everything() -> list[dict[str, Any]]:
    relation = {"from_id": "a", "to_id": "b", "type": "relation", "direction": "right", "labels": ["l"]}
    polygon = {"points": [[0, 0], [50, 0], [50, 100]], "polygonlabels": ["cat"]}
    point = {"x": 1, "y": 10, "width": 0.3, "keypointlabels": ["nose"]}
    told = [
        span(0, 3, "PERSON", id="a"),
        span(14, 18, "PLACE", id="b"),
        relation,
        box(1, 2, 3, 4, "c"),
        box(0, 0, 0, 0, value=polygon, type="polygonlabels", from_name="shape"),
        box(0, 0, 0, 0, value=point, type="keypointlabels", from_name="point", parentID="p"),
        answer("tone", "choices", ["good"]),
        answer("kind", "taxonomy", [["a", "b"]]),
        answer("stars", "rating", 3),
        answer("note", "textarea", ["u"]),
        answer("sure", "choices", ["z"], id="a"),
    ]
    models = [{"model_version": "m", "result": [span(0, 3, "q")]}]
    people = [annotation(person(1, "a@x"), *told), annotation(person(2, "b@x"))]
    return [task(1, *people, predictions=models, drafts=[{}], agreement=3.0)]


@pytest.mark.parametrize("content", [of_everything(), SHORT], ids=["JSON", "JSON_MIN"])
def test_a_spoiled_export_is_read_or_gives_a_sentence(file: Any, content: Any) -> None:
    read(file(content))
    for seed in range(300):
        found = outcome(file(spoiled(content, seed)), format="label_studio", predictions=True)
        if isinstance(found, str):
            assert "export.json" in found, seed
        else:
            assert all(len(question.rows()) for question in found.values()), seed


def test_numbers_and_words_under_one_name_are_labels(file: Any) -> None:
    about = {"annotation_id": 1, "lead_time": 1}
    told = [{"id": 1, "grade": 3, "annotator": "a", **about}, {"id": 1, "grade": "low", "annotator": "b", **about}]
    assert rows(read(file(told)).single()) == {(1, "a"): "3", (1, "b"): "low"}


# -- real exports -------------------------------------------------------------------------------------------


def test_a_real_export_of_spans_and_a_taxonomy(shared: Path) -> None:
    study = read(shared / "data/formats/label_studio/leoka_team3_full.json")
    spans, category = study["label"], study["Category"]
    assert (len(spans), len(spans.items), len(spans.annotators)) == (390, 130, 3)
    assert sum(len(value) for _, _, value in spans.rows()) == 3512
    assert sum(value == () for _, _, value in spans.rows()) == 1
    assert (len(category), category.of_kind) == (387, "sets")
    for said in ("do not tell people apart", "11 drafts left out", "4 reviews left out", "130 annotations marked"):
        assert said in study.policy()
    assert "do not cover the text" not in study.policy()
    agreement = dict(zip(spans.item.tolist(), spans.attributes["agreement"].tolist(), strict=True))
    assert mean(agreement.values()) == pytest.approx(79.1, abs=0.05)
    scores = []
    by_item: dict[Any, list[Any]] = {}
    for item, _, value in spans.rows():
        by_item.setdefault(item, []).append(set(value))
    for several in by_item.values():
        for one, other in combinations(several, 2):
            total = len(one) + len(other)
            scores.append(2 * len(one & other) / total if total else 1.0)
    assert mean(scores) == pytest.approx(0.487, abs=5e-4)


def test_a_real_export_with_skipped_and_repeated_annotations(shared: Path) -> None:
    study = read(shared / "data/formats/label_studio/text_spans_taxonomy_3annotators.json")
    assert {name: (len(one), len(one.items), len(one.annotators)) for name, one in study.items()} == {
        "label": (31, 12, 3),
        "Category": (31, 12, 3),
    }
    assert "2 skipped annotations (was_cancelled) left out" in study.policy()
    assert "2 repeated annotations of a task by one person left out" in study.policy()
    kept = rows(study["label"])
    assert len(kept[97057300, "annotator19148@example.org"]) == 12  # the older one has 13
    assert len(kept[97057282, "annotator19148@example.org"]) == 16  # and here 15


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("choices_history.json", {"sentiment": ("labels", 1)}),
        ("choices_task.json", {"uri_selection": ("labels", 1)}),
        ("for_json_min.json", {"label": ("polygons", 1)}),
        ("keypoints.json", {"keypoints": ("keypoints", 1), "bbox": ("boxes", 1)}),
        ("obb_rotation.json", {"label": ("rotated", 3)}),
        ("polygons.json", {"label": ("polygons", 1)}),
        ("rectanglelabels_2annotators.json", {"label": ("boxes", 3)}),
        ("../label_studio_converted/text_json_min.json", {"label": ("spans", 8), "Category": ("sets", 8)}),
        ("../label_studio_converted/text_csv.csv", {"label": ("spans", 8), "Category": ("sets", 8)}),
        ("../label_studio_converted/rect_json_min/result.json", {"label": ("boxes", 3)}),
        ("../label_studio_converted/rect_csv/result.csv", {"label": ("boxes", 3)}),
    ],
)
def test_further_real_exports(shared: Path, name: str, expected: dict[str, tuple[str, int]]) -> None:
    study = read(shared / "data/formats/label_studio" / name)
    assert {question: (one.of_kind, len(one)) for question, one in study.items()} == expected


def test_a_real_table_without_its_answers_is_refused(shared: Path) -> None:
    with pytest.raises(FormatError, match="no column is plainly one of answers"):
        read(shared / "data/formats/label_studio/export_csv_result.tsv_in_csv.csv")


def test_other_real_json_is_not_taken(shared: Path) -> None:
    for path in (shared / "data/formats").glob("**/*.json"):
        expected = path.parent.name in {"label_studio", "rect_json_min"} or path.name == "text_json_min.json"
        assert recognised(path) == expected, path
