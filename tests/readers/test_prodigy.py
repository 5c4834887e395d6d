"""Files of Prodigy in, studies out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from readers.spoiling import outcome, spoiled

from interagree.errors import DuplicateAnnotation, FormatError, KindError, UnknownName
from interagree.readers import read
from interagree.readers.prodigy import recognised

TEXT = "Ann met Bo."


def record(number: int, **more: Any) -> dict[str, Any]:
    usual = {"text": TEXT, "_input_hash": number, "_task_hash": -number, "answer": "accept", "_timestamp": 1700000000}
    return {**usual, **more}


def tokens(text: str) -> list[dict[str, Any]]:
    found, at = [], 0
    for number, word in enumerate(text.split(" ")):
        found.append({"text": word, "start": at, "end": at + len(word), "id": number})
        at += len(word) + 1
    return found


def marked(number: int, *spans: tuple[int, int, str], **more: Any) -> dict[str, Any]:
    listed = [{"start": start, "end": end, "label": label} for start, end, label in spans]
    more = {"_view_id": "ner_manual", "tokens": tokens(TEXT), **more}
    return record(number, **({"spans": listed} if spans else {}), **more)


def chosen(number: int, *accept: Any, **more: Any) -> dict[str, Any]:
    options = [{"id": name, "text": name} for name in ("a", "b", "c")]
    return record(number, **{"options": options, "accept": list(accept), "_view_id": "choice", **more})


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def made(*records: Any, name: str = "data.jsonl") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        lines = [one if isinstance(one, str) else json.dumps(one) for one in records]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return made


def rows(study: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in study.rows()}


def by(session: str) -> dict[str, str]:
    return {"_session_id": session, "_annotator_id": session}


# -- spans --------------------------------------------------------------------------------------------------


def test_spans_that_were_accepted_and_accepting_none(file: Any) -> None:
    ann = [marked(1, (8, 10, "PER"), (0, 3, "PER"), **by("ner-ann")), marked(2, **by("ner-ann"))]
    bo = [marked(1, **by("ner-bo")), marked(2, **by("ner-bo"), answer="ignore")]
    study = read(file(*ann, *bo))
    found = study.single()
    assert list(study) == ["spans"]
    assert rows(found) == {(1, "ann"): ((0, 3, "PER"), (8, 10, "PER")), (2, "ann"): (), (1, "bo"): ()}
    assert found.of_kind == "spans"
    assert set(found.attributes["text"]) == {TEXT}
    assert set(found.attributes["tokens"]) == {((0, 3), (4, 7), (8, 11))}
    assert set(found.attributes["positions"]) == {"characters"}
    assert set(found.attributes["timestamp"]) == {1700000000}
    assert "1 ignored record left out" in study.policy()
    assert "2 times somebody looked and marked nothing" in study.policy()


def test_who_never_marked_anything_looked_all_the_same(file: Any) -> None:
    assert rows(read(file(marked(1), marked(2))).single()) == {(1, "data"): (), (2, "data"): ()}


def test_a_rejected_input_is_refused_or_empty(file: Any) -> None:
    path = file(marked(1, (0, 3, "PER")), marked(2, answer="reject"), marked(3, (0, 3, "PER"), answer="reject"))
    study = read(path)
    assert rows(study.single()) == {(1, "data"): ((0, 3, "PER"),)}
    assert "2 rejected records left out (rejected='empty' takes them for nothing marked)" in study.policy()
    assert rows(read(path, rejected="empty").single())[3, "data"] == ()


def test_spans_of_patterns_are_counted(file: Any) -> None:
    one = marked(1, (0, 3, "PER"))
    one["spans"].append({"start": 4, "end": 7, "pattern": 3})
    study = read(file(one))
    assert rows(study.single()) == {(1, "data"): ((0, 3, "PER"),)}
    assert "1 span without a label left out, as found by patterns" in study.policy()


def test_old_files_without_a_view_have_inputs_without_spans(file: Any) -> None:
    old = [{"text": "x y", "spans": [{"start": 0, "end": 1, "label": "A"}], "answer": "accept"}]
    study = read(file(*old, {"text": "z", "answer": "accept"}))
    assert rows(study.single()) == {("x y", "data"): ((0, 1, "A"),), ("z", "data"): ()}


def test_offsets_in_utf_16_units_become_characters(file: Any) -> None:
    text = "😀 Ann met Bo"
    spans = [{"start": 3, "end": 6, "label": "PER", "text": "Ann"}]
    relation = {"head_span": {"start": 11, "end": 13}, "child_span": {"start": 3, "end": 6}, "label": "by"}
    one = record(1, text=text, spans=spans, relations=[relation], _view_id="relations")
    study = read(file(one))
    assert rows(study["spans"]) == {(1, "data"): ((2, 5, "PER"),)}
    assert rows(study["relations"]) == {(1, "data"): (((10, 12, None), (2, 5, None), "by"),)}
    assert "offsets of 3 spans in UTF-16 units, as their text shows; made characters" in study.policy()
    one["spans"].append({"start": 40, "end": 41, "label": "PER"})
    with pytest.raises(FormatError, match=r"data.jsonl, line 1: a span from 40 to 41 lies outside its text"):
        read(file(one))


def test_records_may_count_offsets_differently(file: Any) -> None:
    def over(start: int, end: int, who: str) -> dict[str, Any]:
        spans = [{"start": start, "end": end, "label": "PER", "text": "Ann"}]
        return record(1, text="😀 Ann met Bo", spans=spans, _view_id="ner_manual", **by(who))

    study = read(file(over(3, 6, "d-ann"), over(2, 5, "d-bo")))
    assert set(rows(study["spans"]).values()) == {((2, 5, "PER"),)}
    assert "offsets of 1 span in UTF-16 units" in study.policy()
    assert "do not cover the text" not in study.policy()


def test_identical_spans_count_once(file: Any) -> None:
    study = read(file(marked(1, (0, 3, "PER"), (0, 3, "PER"))))
    assert rows(study.single()) == {(1, "data"): ((0, 3, "PER"),)}
    assert "1 identical unit that somebody marked twice left out" in study.policy()


def test_what_covers_another_text_and_differing_tokens_are_noticed(file: Any) -> None:
    odd = marked(1, **by("d-ann"))
    odd["tokens"][0]["text"] = "Eve"
    other = marked(1, **by("d-bo"), tokens=tokens(TEXT)[:2])
    study = read(file(odd, other))
    assert "1 of 5 tokens and spans do not cover the text that they state; kept" in study.policy()
    assert "1 input cut into tokens in several ways; the first one is kept" in study.policy()


def test_a_recording_is_marked_in_seconds(file: Any) -> None:
    spans = [{"start": 0.5, "end": 1.5, "label": "speech"}]
    study = read(file(record(1, audio="a.wav", audio_spans=spans, _view_id="audio_manual")))
    assert rows(study["audio_spans"]) == {(1, "data"): ((0.5, 1.5, "speech"),)}
    assert set(study["audio_spans"].attributes["positions"]) == {"seconds"}


def test_regions_of_pictures_are_counted(file: Any) -> None:
    region = {"points": [[0, 0], [1, 1]], "label": "CAT", "type": "rect"}
    one = marked(1, (0, 3, "PER"))
    one["spans"].append(region)
    assert "1 region of pictures not read" in read(file(one)).policy()


# -- choices and verdicts -----------------------------------------------------------------------------------


def test_a_choice_is_a_label(file: Any) -> None:
    study = read(file(chosen(1, "a"), chosen(2), chosen(3, "b", answer="reject")))
    assert rows(study["choice"]) == {(1, "data"): "a"}
    assert study["choice"].of_kind == "labels"
    assert "1 answer to 'choice' without a choice left out" in study.policy()
    assert "1 rejected record left out" in study.policy()


@pytest.mark.parametrize("settings", [{}, {"config": {"choice_style": "multiple"}}])
def test_several_choices_are_a_set_in_no_order(file: Any, settings: dict[str, Any]) -> None:
    study = read(file(chosen(1, "c", "a", **settings), chosen(2, **settings)))
    assert rows(study["choice"]) == {(1, "data"): frozenset("ac"), (2, "data"): frozenset()}
    assert read(file(chosen(1, "a", config={"choice_style": "multiple"})))["choice"].of_kind == "sets"


def test_spans_that_are_shown_with_a_choice_are_no_question(file: Any) -> None:
    shown = {"spans": [{"start": 0, "end": 3, "label": "PER"}]}
    assert list(read(file(chosen(1, "a", **shown)))) == ["choice"]
    both = read(file(chosen(1, "a", **shown, _view_id="blocks", user_input="why")))
    assert list(both) == ["choice", "spans"]
    assert "1 typed text (user_input) not read" in both.policy()


def test_one_label_that_is_accepted_or_rejected_is_a_question(file: Any) -> None:
    told = [
        record(1, label="SPORT"),
        record(2, label="SPORT", answer="reject"),
        record(1, label="ART", answer="reject"),
    ]
    study = read(file(*told))
    assert rows(study["SPORT"]) == {(1, "data"): "accept", (2, "data"): "reject"}
    assert rows(study["ART"]) == {(1, "data"): "reject"}


def test_one_span_that_is_accepted_or_rejected_is_an_item(file: Any) -> None:
    span = {"spans": [{"start": 0, "end": 3, "label": "PER"}]}
    study = read(file(record(1, **span, _view_id="ner"), record(2, **span, _is_binary=True, answer="reject")))
    assert rows(study["answer"]) == {("1 0-3 PER", "data"): "accept", ("2 0-3 PER", "data"): "reject"}


def test_a_label_called_as_a_question_is_told_apart(file: Any) -> None:
    assert list(read(file(chosen(1, "a"), record(2, label="choice")))) == ["choice", "choice (label)"]


# -- items and annotators -----------------------------------------------------------------------------------


def test_shuffled_options_are_one_input(file: Any) -> None:
    told = [chosen(1, "a", _task_hash=5, **by("d-ann")), chosen(1, "b", _task_hash=6, **by("d-bo"))]
    assert rows(read(file(*told)).single()) == {(1, "ann"): "a", (1, "bo"): "b"}
    with pytest.raises(KindError, match="item='_task_hash' would take one input for several"):
        read(file(*told), item="_task_hash")


def test_items_may_be_called_by_another_entry(file: Any) -> None:
    assert set(rows(read(file(chosen(1, "a", id="x")), item="id").single())) == {("x", "data")}
    assert set(rows(read(file(chosen(1, "a", meta={"doc": 7})), item="doc").single())) == {(7, "data")}
    with pytest.raises(UnknownName, match=r"data.jsonl, line 1: there is no entry 'doc'"):
        read(file(chosen(1, "a")), item="doc")


@pytest.mark.parametrize(
    ("sessions", "expected"),
    [
        (["types-neu-ann", "types-neu-bo"], {"ann", "bo"}),
        (["types-ann"], {"ann"}),
        (["types-mary-ann"], {"types-mary-ann"}),
        (["data-mary-ann"], {"mary-ann"}),
        (["data-mary-ann", "data-mary-bo"], {"mary-ann", "mary-bo"}),
        (["ann", "bo"], {"ann", "bo"}),
        (["d-ann", "e-bo"], {"d-ann", "e-bo"}),
        (["2024-04-29_08-16-14"], {"data"}),
        (["2024-04-29_08-16-14", "2024-04-30_08-16-14"], {"data"}),
        ([None], {"data"}),
    ],
)
def test_annotators_are_sessions_less_their_dataset(file: Any, sessions: list[Any], expected: set[str]) -> None:
    told = [chosen(at, "a", **({} if name is None else by(name))) for at, name in enumerate(sessions)]
    assert set(read(file(*told)).single().annotators) == expected


def other(number: int, *accept: Any, **more: Any) -> dict[str, Any]:
    return chosen(number, *accept, options=[{"id": name} for name in ("yes", "no")], **more)


@pytest.mark.parametrize("names", [("my-types.jsonl", "my-sure.jsonl"), ("1.jsonl", "2.jsonl")])
def test_two_datasets_are_two_questions_of_the_same_people(file: Any, tmp_path: Path, names: tuple[str, str]) -> None:
    people = ("ann", "bo")
    file(*(chosen(1, "a", **by(f"my-types-{who}")) for who in people), name=f"round/{names[0]}")
    file(*(other(1, "yes", **by(f"my-sure-{who}")) for who in people), name=f"round/{names[1]}")
    study = read(tmp_path / "round")
    assert rows(study["choice my-types"]) == {(1, "ann"): "a", (1, "bo"): "a"}
    assert rows(study["choice my-sure"]) == {(1, "ann"): "yes", (1, "bo"): "yes"}
    for said in (
        "sessions of the datasets 'my-sure', 'my-types': one person where what follows is the same",
        "'choice' is a question for each dataset, since their options differ",
    ):
        assert said in study.policy()


def test_two_datasets_in_one_file_are_parted_where_the_same_people_answered_both(file: Any) -> None:
    told = [chosen(1, "a", **by(f"types-{who}")) for who in ("ann", "bo")]
    study = read(file(*told, *(other(1, "yes", **by(f"sure-{who}")) for who in ("ann", "bo"))))
    assert {name: set(study[name].annotators) for name in study} == {
        "choice types": {"ann", "bo"},
        "choice sure": {"ann", "bo"},
    }


def test_datasets_of_the_same_options_are_one_question_and_that_is_said(file: Any, tmp_path: Path) -> None:
    for at, name in enumerate(("r1", "r2")):
        file(*(chosen(at, "a", **by(f"{name}-{who}")) for who in ("ann", "bo")), name=f"round/{name}.jsonl")
    study = read(tmp_path / "round")
    assert set(rows(study.single())) == {(at, who) for at in (0, 1) for who in ("ann", "bo")}
    assert "'choice' of the datasets 'r1', 'r2' taken as one question" in study.policy()


def test_people_who_only_share_an_ending_stay_apart_and_that_is_said(file: Any, tmp_path: Path) -> None:
    for name in ("ann-lee", "bo-lee"):
        file(chosen(1, "a", **by(name)), name=f"round/{name[0]}.jsonl")
    study = read(tmp_path / "round")
    assert set(study.single().annotators) == {"ann-lee", "bo-lee"}
    assert "'ann-lee', 'bo-lee' taken as 2 annotators" in study.policy()


def test_sessions_of_no_name_that_answer_the_same_inputs_are_apart(file: Any) -> None:
    first, second = "2024-04-29_08-16-14", "2024-04-30_08-16-14"
    path = file(chosen(1, "a", **by(first)), chosen(1, "b", **by(second)))
    study = read(path)
    assert set(study.single().annotators) == {first, second}
    assert "2 sessions that nobody named taken as annotators, since they answer the same inputs" in study.policy()
    assert rows(read(path, annotator="{file}").single()) == {(1, "data"): "b"}
    assert set(read(path, annotator="{session}").single().annotators) == {first, second}


def test_a_folder_is_a_file_of_each_annotator(file: Any, tmp_path: Path) -> None:
    file(marked(1, (0, 3, "PER")), name="folder/ann.jsonl")
    file(marked(1, (0, 3, "ORG"), **by("2024-04-29_08-16-14")), name="folder/bo.jsonl")
    study = read(tmp_path / "folder")
    assert rows(study.single()) == {(1, "ann"): ((0, 3, "PER"),), (1, "bo"): ((0, 3, "ORG"),)}
    assert "annotators by the name of the file, since sessions are called by their time" in study.policy()
    file("item,annotator,value", name="folder/other.csv")
    beside = read(tmp_path / "folder", format="prodigy")
    assert len(beside.single()) == 2
    assert "1 file of the folder not read ('other.csv')" in beside.policy()
    paths = [tmp_path / "folder" / name for name in ("ann.jsonl", "bo.jsonl")]
    assert rows(read(paths).single()) == rows(study.single())


def test_the_newest_answer_counts(file: Any) -> None:
    told = [chosen(1, "a", _timestamp=20), chosen(1, "b", _timestamp=10), chosen(2, "a"), chosen(2, "b")]
    path = file(*told)
    study = read(path)
    assert rows(study.single()) == {(1, "data"): "a", (2, "data"): "b"}
    assert "2 repeated answers to 'choice' left out (the newest counts)" in study.policy()
    assert rows(read(path, duplicates="first").single()) == {(1, "data"): "b", (2, "data"): "a"}
    with pytest.raises(DuplicateAnnotation, match=r"data.jsonl, line 2: 'data' answered 'choice' for 1 before, in "):
        read(path, duplicates="error")


# -- recognising, and what is wrong -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"item": 1, "annotator": "ann", "value": "x"}', False),
        ('{"item": 1, "annotator": "ann", "answer": "yes", "text": "x"}', False),
        ('{"text": "x", "label": [[0, 1, "A"]]}', False),
        ('[1, "ann", "x"]', False),
        ("not JSON", False),
        ("", False),
        ('\n\n{"text": "x", "answer": "reject"}', True),
        ('{"_input_hash": 3, "_task_hash": 4}', True),
    ],
)
def test_files_are_recognised_by_their_first_record(file: Any, content: str, *, expected: bool) -> None:
    assert recognised(file(content)) == expected


def test_other_lines_of_json_are_read_as_before(file: Any) -> None:
    study = read(file('{"item": 1, "annotator": "ann", "value": "x"}', '{"item": 1, "annotator": "bo", "value": "y"}'))
    assert rows(study.single()) == {(1, "ann"): "x", (1, "bo"): "y"}


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (["", " "], "data.jsonl: found no annotation to read"),
        (["{oops"], "data.jsonl, line 1: expected one JSON record, found '{oops'"),
        (["3"], "data.jsonl, line 1: expected an object, found 3"),
        ([chosen(1, "a"), chosen(2, "a", answer="maybe")], "line 2: expected an answer that is 'accept', 'reject'"),
        ([{"answer": "accept", "image": "x"}], "line 1: there is neither '_input_hash' nor 'text'"),
        ([record(1)], r"data.jsonl: found no annotation to read \(.*1 record without anything to read"),
        ([chosen(1, "a", accept="a")], "line 1: expected a list of chosen options in 'accept', found 'a'"),
        ([chosen(1)], "found no annotation to read .*1 answer to 'choice' without a choice left out"),
        ([marked(1, (3, 0, "A"))], "line 1: a region starts at 3 and ends at 0, before it starts"),
        ([marked(1, (3, "x", "A"))], "line 1: expected a number for the place of a region, found 'x'"),
        ([marked(1, spans=[3])], r"line 1: expected a list of objects in 'spans', found \[3\]"),
        ([record(1, _view_id="relations", relations=[{"head": 1}])], "line 1: expected an object in 'head_span'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(file: Any, records: list[Any], said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read(file(*records), format="prodigy")


def test_options_have_their_words(file: Any) -> None:
    with pytest.raises(KindError, match="rejected= takes one of 'drop', 'empty', not 'no'"):
        read(file(chosen(1, "a")), rejected="no")
    with pytest.raises(UnknownName, match="the reader 'prodigy' has no option 'tiers'"):
        read(file(chosen(1, "a")), tiers=1)
    with pytest.raises(
        KindError, match=r"made of {file}, {folder} and {session}, as in annotator='{file}'; got '{who}'"
    ):
        read(file(chosen(1, "a")), annotator="{who}")


def of_everything() -> list[dict[str, Any]]:
    ends = {"head_span": {"start": 0, "end": 3}, "child_span": {"start": 4, "end": 7}, "label": "x"}
    spans = [{"start": 0, "end": 3, "label": "P", "text": "Ann"}]
    sounds = [{"start": 0.5, "end": 1.5, "label": "z"}]
    return [
        marked(1, (0, 3, "PER"), **by("d-a")),
        chosen(2, "a", **by("d-b"), config={"choice_style": "single"}, meta={"a": 1}),
        record(3, label="S"),
        record(4, _view_id="relations", relations=[ends], spans=spans),
        record(5, _view_id="ner", spans=spans),
        record(6, _view_id="audio_manual", audio="x", audio_spans=sounds),
    ]


def test_a_spoiled_file_is_read_or_gives_a_sentence(file: Any) -> None:
    assert len(read(file(*of_everything()))) == 6
    for seed in range(300):
        found = outcome(file(*map(json.dumps, spoiled(of_everything(), seed))), format="prodigy")
        if isinstance(found, str):
            assert "data.jsonl" in found, seed
        else:
            assert all(len(question.rows()) for question in found.values()), seed


# -- real files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind", "size"),
    [("choice_multi_3sessions.jsonl", "sets", (48, 16, 3)), ("choice_single_3sessions.jsonl", "labels", (180, 60, 3))],
)
def test_real_choices(shared: Path, name: str, kind: str, size: tuple[int, int, int]) -> None:
    study = read(shared / "data/formats/prodigy" / name).single()
    assert (len(study), len(study.items), len(study.annotators)) == size
    assert study.of_kind == kind
    assert set(study.annotators) == {"miriam", "mireia", "xavi"}


def test_real_datasets_of_one_folder(shared: Path) -> None:
    study = read(shared / "data/formats/prodigy")
    assert {name: (study[name].of_kind, len(study[name])) for name in study} == {
        "choice presto_types": ("sets", 48),
        "choice presto_distortion": ("labels", 180),
    }
    assert all(set(study[name].annotators) == {"miriam", "mireia", "xavi"} for name in study)
    assert "nothing read from the folder 'ner_manual_one_file_per_annotator'" in study.policy()


def test_real_spans_of_two_files(shared: Path) -> None:
    study = read(shared / "data/formats/prodigy/ner_manual_one_file_per_annotator")
    found = study.single()
    assert {who: sum(len(v) for _, w, v in found.rows() if w == who) for who in found.annotators} == {
        "bvi": 8,
        "sed": 9,
    }
    assert len(found.items) == 2
    assert "14 rejected records left out" in study.policy()
    text, tokens_ = found.attributes["text"][0], found.attributes["tokens"][0]
    assert text[slice(*tokens_[0])] == text.split(" ")[0]


def test_other_real_lines_are_not_taken(shared: Path) -> None:
    for path in (shared / "data").glob("**/*.jsonl"):
        expected = "prodigy" in path.parts or path.parent.parent.name == "prodigy"
        assert recognised(path) == expected, path
