"""Label Studio: several projects, dialogues, HTML, rankings and reviews."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from readers.test_label_studio import TEXT, annotation, answer, box, rows, span, task

from interagree import alpha, doctor
from interagree.errors import DataError, FormatError, KindError
from interagree.readers import read


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def made(content: Any, name: str = "export.json") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
        return path

    return made


def judged(number: int, who: int, text: str, label: str, **more: Any) -> dict[str, Any]:
    return task(number, annotation(who, answer("tone", "choices", [label])), data={"text": text}, **more)


# -- whether tasks are the same -----------------------------------------------------------------------------


def test_numbers_that_stand_for_different_tasks_are_an_error(file: Any) -> None:
    ann = file([judged(1, 1, "First.", "x"), judged(2, 1, "Second.", "y")], "round/ann.json")
    bo = file([judged(1, 2, "Second.", "y"), judged(2, 2, "First.", "x")], "round/bo.json")
    said = (
        r"bo\.json, task 1: the task shows 'Second\.', and task 1 in .*ann\.json shows 'First\.'; .* pass item='data'"
    )
    with pytest.raises(DataError, match=said) as error:
        read([ann, bo])
    assert "pass --item data" in error.value.for_command_line()
    study = read(ann.parent, item="data")
    assert (len(study.single().items), alpha(study).value) == (2, 1.0)
    with pytest.raises(DataError, match="task 1: the task shows"):
        read(file([judged(1, 1, "First.", "x"), judged(1, 2, "Second.", "y")]))


def test_numbers_of_tasks_that_show_the_same_are_trusted(file: Any) -> None:
    here = judged(1, 1, TEXT, "x")
    there = judged(1, 2, TEXT, "x")
    here["data"] |= {"image": "/data/upload/1/0a1b2c3d-a.png", "note": "new"}
    there["data"] |= {"image": "/data/upload/2/ffffffff-a.png"}
    assert len(read([file([here], "a.json"), file([there], "b.json")]).single().items) == 1


SIGNED = "https://bucket.s3.amazonaws.com/a.png?X-Amz-Date={}&X-Amz-Signature={}"
PROXIED = "/tasks/{}/resolve/?fileuri=czM6Ly9idWNrZXQvYS5wbmc={}"


@pytest.mark.parametrize("shown", [SIGNED, PROXIED.replace("={}", "=")])
def test_files_in_the_cloud_are_the_same_however_they_are_handed_out(file: Any, shown: str) -> None:
    def labelled(number: int, who: int) -> dict[str, Any]:
        mark = answer("tone", "choices", ["x"])
        return task(number, annotation(who, mark), data={"image": shown.format(number, who)}, project=who)

    paths = [file([labelled(1, 1)], "a.json"), file([labelled(9, 2)], "b.json")]
    assert len(read(paths).single().items) == 1
    later = labelled(1, 2)
    later["data"]["image"] = shown.format(2, 77)
    assert len(read([paths[0], file([later], "later.json")]).single().items) == 1
    later["data"]["image"] = shown.format(2, 77).replace("a.png", "b.png").replace("czM6", "czM7")
    with pytest.raises(DataError, match="pass item='data'"):
        read([paths[0], file([later], "later.json")])


def test_projects_without_a_number_in_common_are_joined_by_what_they_show(file: Any) -> None:
    ann = file([judged(1, 1, "First.", "x"), judged(2, 1, "Second.", "y")], "round/ann.json")
    bo = file([judged(11, 2, "Second.", "y"), judged(12, 2, "First.", "x")], "round/bo.json")
    study = read([ann, bo])
    assert alpha(study).value == 1.0
    assert "tasks of different files show the same, 2 in all, and have different numbers" in study.policy()
    assert rows(study.single()) == rows(read([ann, bo], item="data").single())
    assert len(read([ann, bo], item="id").single().items) == 4
    assert "item='id' parts them" in " ".join(str(doctor(ann.parent)).split())


def test_projects_that_one_account_exported_are_left_apart_and_doctor_says_what_joins_them(file: Any) -> None:
    ann = file([judged(1, 1, "First.", "x"), judged(2, 1, "Second.", "y")], "round/ann.json")
    bo = file([judged(11, 1, "Second.", "y"), judged(12, 1, "First.", "x")], "round/bo.json")
    study = read([ann, bo])
    assert len(study.single().items) == 4
    said = (
        "by the same annotators: with item='data' they are one, and with annotator='{file}' files are annotators, too"
    )
    assert said in study.policy()
    assert said in " ".join(str(doctor(ann.parent)).split())
    assert alpha(read([ann, bo], item="data", annotator="{file}")).value == 1.0


def test_a_project_that_shows_the_same_twice_is_not_joined(file: Any) -> None:
    ann = file([judged(1, 1, "First.", "x"), judged(2, 1, "First.", "y")], "ann.json")
    bo = file([judged(11, 2, "First.", "x")], "bo.json")
    assert len(read([ann, bo]).single().items) == 3


# -- what was asked -----------------------------------------------------------------------------------------


def test_a_question_of_one_project_is_not_asked_in_another(file: Any) -> None:
    texts = [task(n, annotation(1, span(0, 3, "x")), annotation(2)) for n in (1, 2)]
    images = [
        task(n, *(annotation(who, box(1, 2, 3, 4, "c")) for who in (3, 4)), data={"image": f"{n}.png"}, project=4)
        for n in (11, 12)
    ]
    study = read([file(texts, "texts.json"), file(images, "images.json")])
    assert {name: len(question) for name, question in study.items()} == {"label": 4, "box": 4}
    assert "'box' was not asked of 4 annotations in projects where nobody answered it" in study.policy()
    both = read(file([*texts, *images]))
    assert {name: len(question) for name, question in both.items()} == {"label": 4, "box": 4}


def test_an_empty_project_has_the_questions_of_those_whose_tasks_it_shows(file: Any) -> None:
    ann = file([task(1, annotation(1, span(0, 3, "x"), answer("tone", "choices", ["a"])), project=1)], "ann.json")
    bo = file([task(1, annotation(2, answer("tone", "choices", ["b"])), project=2)], "bo.json")
    cy = file([task(1, annotation(3), project=3)], "cy.json")
    study = read([ann, bo, cy])
    assert rows(study["label"]) == {(1, "1"): ((0, 3, "x"),), (1, "2"): (), (1, "3"): ()}
    assert "1 annotation without an answer to 'tone'" in study.policy()


# -- where it is --------------------------------------------------------------------------------------------


def test_every_annotation_keeps_its_place_in_the_file(file: Any) -> None:
    path = file([task(1, annotation(1, span(0, 3, "x"))), task(2, annotation(1), annotation(2))])
    study = read(path).single()
    assert study.attributes["where"].tolist() == [
        f"{path}, /0/annotations/0",
        f"{path}, /1/annotations/0",
        f"{path}, /1/annotations/1",
    ]
    models = [{"model_version": "m", "result": [span(0, 3, "x")]}]
    one = file(task(1, annotation(1, span(0, 3, "x")), predictions=models), "one.json")
    pointers = read(one, predictions=True).single().attributes["where"].tolist()
    assert pointers == [f"{one}, /annotations/0", f"{one}, /predictions/0"]
    short = {"text": TEXT, "id": 4, "tone": "good", "annotator": "a", "annotation_id": 1, "lead_time": 1}
    assert read(file([short])).single().attributes["where"].tolist() == [f"{path}, /0"]


TALK = [{"author": "A", "text": "Hello 😀 you."}, {"author": "B", "text": "Dear Bo."}]


def in_talk(start: tuple[int, int], end: tuple[int, int], text: str | None, **more: Any) -> dict[str, Any]:
    value = {"start": str(start[0]), "startOffset": start[1], "end": str(end[0]), "endOffset": end[1], **more}
    value |= {} if text is None else {"text": text}
    named = {"from_name": "label", "to_name": "talk", "type": "paragraphlabels"}
    return {"value": {**value, "paragraphlabels": ["x"]}, **named}


def test_regions_of_dialogues_are_offsets_into_the_paragraphs_one_below_the_other(file: Any) -> None:
    marks = [
        in_talk((0, 0), (0, 5), "Hello", globalOffsets={"start": 17, "end": 22}),
        in_talk((0, 9), (0, 12), "you"),  # in UTF-16 units
        in_talk((1, 5), (1, 7), "Bo"),
        in_talk((0, 8), (1, 4), "you.\\nDear"),
    ]
    study = read(file([task(1, annotation(1, *marks), annotation(2), data={"talk": TALK})]))
    whole = "Hello 😀 you.\nDear Bo."
    places = [whole[start:end] for start, end, _ in rows(study.single())[1, "1"]]
    assert places == ["Hello", "you", "you.\nDear", "Bo"]
    assert set(study.single().attributes["text"]) == {whole}
    assert rows(study.single())[1, "2"] == ()
    assert "not read" not in study.policy()
    assert "do not cover" not in study.policy()


def test_regions_of_dialogues_that_are_elsewhere_count_by_their_global_offsets_or_are_counted(file: Any) -> None:
    known = in_talk((0, 0), (0, 5), "Hello", globalOffsets={"start": 17, "end": 22})
    unknown = in_talk((0, 0), (0, 5), "Hello")
    study = read(file([task(1, annotation(1, known, unknown), data={"talk": "s3://talk.json"})]))
    assert rows(study.single()) == {(1, "1"): ((17, 22, "x"),)}
    assert "1 region of HTML or dialogues without a place in the text not read" in study.policy()
    beyond = in_talk((7, 0), (7, 5), "Hello")
    other = read(file([task(1, annotation(1, beyond, in_talk((1, 0), (1, 4), None)), data={"talk": TALK})]))
    assert rows(other.single()) == {(1, "1"): ((13, 17, "x"),)}
    assert "1 region of HTML or dialogues without a place in the text not read" in other.policy()


def test_the_text_of_a_paragraph_may_have_any_name(file: Any) -> None:
    talk = [{"who": "Hello", "says": "Dear Bo."}, {"who": "Dear Bo", "says": "Hello."}]
    study = read(file([task(1, annotation(1, in_talk((0, 0), (0, 4), "Dear")), data={"talk": talk})]))
    assert rows(study.single()) == {(1, "1"): ((0, 4, "x"),)}
    assert set(study.single().attributes["text"]) == {"Dear Bo.\nHello."}


HTML = "<html><head><title>Bo</title></head><p>Ann met &amp; saw</p><script>Ann</script><p>Bo and Bo.</p>"


def in_page(text: str, *ends: int) -> dict[str, Any]:
    value = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 0, "endOffset": 3, "text": text}
    value |= {"globalOffsets": {"start": ends[0], "end": ends[1]}} if ends else {}
    named = {"from_name": "label", "to_name": "page", "type": "hypertextlabels"}
    return {"value": {**value, "hypertextlabels": ["x"]}, **named}


def test_regions_of_html_without_offsets_are_found_by_their_text_where_it_occurs_once(file: Any) -> None:
    marks = [in_page("met & saw"), in_page("Bo"), in_page("Ann", 0, 3)]
    study = read(file([task(1, annotation(1, *marks), data={"page": HTML})]))
    assert rows(study.single()) == {(1, "1"): ((0, 3, "x"), (4, 13, "x"))}
    assert "1 region of HTML or dialogues without a place in the text not read" in study.policy()


def test_regions_of_html_are_not_found_by_their_text_where_others_count_another_text(file: Any) -> None:
    marks = [in_page("met & saw"), in_page("Ann", 5, 8)]
    study = read(file([task(1, annotation(1, *marks), data={"page": HTML})]))
    assert rows(study.single()) == {(1, "1"): ((5, 8, "x"),)}
    assert "1 region of HTML or dialogues without a place in the text not read" in study.policy()


# -- rankings and reviews -----------------------------------------------------------------------------------


def ranked(**lists: list[Any]) -> dict[str, Any]:
    return {"value": {"ranker": lists}, "from_name": "rank", "to_name": "answers", "type": "ranker"}


def test_a_ranking_is_an_order_of_items(file: Any) -> None:
    old = {"value": {"items": ["b", "a"]}, "from_name": "rank", "to_name": "answers", "type": "ranker"}
    study = read(file([task(1, annotation(1, ranked(rank=["a", "b"])), annotation(2, old))])).single()
    assert (study.of_kind, rows(study)) == ("rankings", {(1, "1"): ("a", "b"), (1, "2"): ("b", "a")})


def test_items_put_into_several_lists_are_sets(file: Any) -> None:
    one, two = ranked(good=["a", "b"], bad=[], _=["c"]), ranked(good=["b", "a"], bad=["c"], _=[])
    study = read(file([task(1, annotation(1, one), annotation(2, two))]))
    assert {name: question.of_kind for name, question in study.items()} == {"rank (good)": "sets", "rank (bad)": "sets"}
    assert rows(study["rank (good)"]) == {(1, "1"): frozenset("ab"), (1, "2"): frozenset("ab")}
    assert rows(study["rank (bad)"]) == {(1, "1"): frozenset(), (1, "2"): frozenset("c")}


@pytest.mark.parametrize("lists", [{"rank": ["a", "a"]}, {"rank": 3}])
def test_a_ranking_that_is_none_is_an_error(file: Any, lists: Any) -> None:
    with pytest.raises(FormatError, match=r"annotation 7, 'rank': (expected lists|an item occurs twice)"):
        read(file([task(1, annotation(1, ranked(**lists)))]))


def review(*, accepted: bool, day: int = 1, fixed: int | None = None, before: Any = None) -> dict[str, Any]:
    times = {"created_at": f"2024-03-0{day}T10:00:00Z"}
    history = {"fixed_annotation_history": fixed, "previous_annotation_history_result": before}
    return {"id": day, "accepted": accepted, **times, **history}


def test_what_reviewers_said_can_count(file: Any) -> None:
    def tone(label: str) -> dict[str, Any]:
        return answer("tone", "choices", [label])

    changed = review(accepted=True, fixed=9, before=[tone("old")])
    turned = [review(accepted=True, day=1), review(accepted=False, day=2)]
    path = file(
        [
            task(
                1,
                annotation(1, tone("new"), reviews=[changed]),
                annotation(2, tone("b"), reviews=turned),
                annotation(3, tone("c")),
            )
        ]
    )
    study = read(path)
    assert rows(study.single()) == {(1, "1"): "new", (1, "2"): "b", (1, "3"): "c"}
    assert "3 reviews left out" in study.policy()
    said = "1 annotation that a reviewer changed kept as it is now (reviews='before' takes what it was)"
    assert said in study.policy()
    before = read(path, reviews="before")
    assert rows(before.single())[1, "1"] == "old"
    assert "1 annotation that a reviewer changed taken as it was before" in before.policy()
    accepted = read(path, reviews="accepted")
    assert rows(accepted.single()) == {(1, "1"): "new"}
    assert "2 annotations that no reviewer accepted left out" in accepted.policy()
    with pytest.raises(KindError, match="reviews= takes one of 'keep', 'accepted', 'before', not 'yes'"):
        read(path, reviews="yes")


def test_the_order_of_clicks_does_not_matter(file: Any) -> None:
    one, two = answer("topics", "choices", ["a", "b"]), answer("topics", "choices", ["b", "a"])
    study = read(
        file([task(1, annotation(1, one), annotation(2, two)), task(2, annotation(1, one), annotation(2, one))])
    )
    assert study.single().of_kind == "sets"
    assert len({value for _, _, value in study.single().rows()}) == 1


def test_numbers_without_end_are_no_times_and_no_paragraphs(file: Any) -> None:
    far = in_talk((0, 0), (0, 5), "Hello")
    far["value"]["start"] = far["value"]["end"] = "1" * 5000
    tone = answer("tone", "choices", ["x"])
    path = file([task(1, annotation(1, far, tone, created_at=10**400, updated_at=10**400), data={"talk": TALK})])
    study = read(path)
    assert rows(study["tone"]) == {(1, "1"): "x"}
    assert "1 region of HTML or dialogues without a place in the text not read" in study.policy()
