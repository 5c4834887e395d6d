"""Files of Potato in, studies out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interagree.errors import FormatError
from interagree.readers import read
from interagree.readers.potato import recognised


def pair(schema: str, name: str, value: Any = "true", **more: Any) -> list[Any]:
    return [{"schema": schema, "name": name, **more}, value]


def state(who: str, labels: dict[str, Any], spans: dict[str, Any] | None = None, **more: Any) -> str:
    content = {"user_id": who, "instance_id_to_label_to_value": labels, "instance_id_to_span_to_value": spans or {}}
    return json.dumps({**content, **more})


def rows(annotations: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in annotations.rows()}


ANN = {"r1": [pair("mood", "good"), pair("topics", "plot"), pair("topics", "music")], "r2": [pair("mood", "bad")]}
BO = {"r1": [pair("mood", "good"), pair("topics", "music"), pair("topics", "plot")], "r2": [pair("mood", "good")]}


def test_folders_of_annotators_are_read_as_a_whole(folder: Any) -> None:
    path = folder({"ann/user_state.json": state("ann", ANN), "bo/user_state.json": state("bo", BO)})
    assert recognised(path)
    study = read(path)
    assert list(study) == ["mood", "topics"]
    assert rows(study["mood"]) == {
        ("r1", "ann"): "good",
        ("r2", "ann"): "bad",
        ("r1", "bo"): "good",
        ("r2", "bo"): "good",
    }
    assert study["topics"].of_kind == "sets"
    assert set(study["topics"].values) == {frozenset({"plot", "music"}), frozenset()}
    assert "2 times somebody answered another question and chose nothing for 'topics'" in study.policy()
    assert len(read(path, empty="drop")["topics"]) == 2


def test_other_forms_of_the_state(folder: Any) -> None:
    by_schema = {"r1": {"mood": {"good": "true"}}, "r2": {"mood": {"labels": {"bad": True, "good": False}}}}
    path = folder({"ann/user_state.json": state("ann", ANN), "bo/user_state.json": state("bo", by_schema)})
    assert rows(read(path)["mood"])["r2", "bo"] == "bad"
    assert rows(read(path)["mood"])["r1", "bo"] == "good"


def test_scales_fields_and_several_fields(folder: Any) -> None:
    def answers(n: int, who: str) -> list[Any]:
        fields = [pair("stars", f"scale_{n}", str(n)), pair("why", "text_box", f"a long reason of {who} {n}")]
        return [*fields, pair("rate", "tone", "low" if n < 3 else "high"), pair("rate", "style", "low")]

    path = folder(
        {f"{who}/user_state.json": state(who, {f"r{n}": answers(n, who) for n in (2, 3, 4)}) for who in ("ann", "bo")}
    )
    study = read(path)
    assert list(study) == ["stars", "why", "rate.tone", "rate.style"]
    assert set(study["stars"].values) == {"2", "3", "4"}
    assert rows(study["rate.tone"])["r2", "ann"] == "low"
    assert study["why"].of_kind == "text"


def test_marks_of_one_and_nought_beside_options(folder: Any) -> None:
    answers = {f"r{n}": {"mood": {"good": str(n % 2), "bad": str(1 - n % 2)}} for n in range(4)}
    study = read(folder({"ann/user_state.json": state("ann", answers)}))
    assert rows(study["mood"]) == {(f"r{n}", "ann"): "good" if n % 2 else "bad" for n in range(4)}


def test_spans_and_those_who_marked_none(folder: Any) -> None:
    marked = {"r1": [pair("ents", "PER", title="PER", start=0, end=3)]}
    path = folder({"ann/user_state.json": state("ann", ANN, marked), "bo/user_state.json": state("bo", BO)})
    study = read(path)
    assert study["ents"].of_kind == "spans"
    assert rows(study["ents"])["r1", "ann"] == ((0, 3, "PER"),)
    assert rows(study["ents"])["r1", "bo"] == ()
    assert len(study["ents"]) == 4
    by_schema = {"r1": {"ents": [{"start": 0, "end": 3, "label": "PER", "text": "Ann"}]}}
    assert rows(read(folder({"ann/user_state.json": state("ann", ANN, by_schema)}))["ents"])["r1", "ann"] == (
        (0, 3, "PER"),
    )


def test_what_is_left_out_is_counted(folder: Any) -> None:
    labels = {**ANN, "consent.html": [pair("ok", "yes")], "r3": [pair("boxes", "_data", "[]"), pair("mood", "good")]}
    phases = {
        "phase_to_page_to_label_to_value": {"consent": {"page": [pair("ok", "yes"), pair("age", "text_box", "3")]}}
    }
    study = read(folder({"ann/user_state.json": state("ann", labels, **phases), "bo/user_state.json": state("bo", BO)}))
    assert list(study) == ["mood", "topics"]
    for sentence in (
        "2 answers on pages of surveys or training left out",
        "1 page of instructions or a survey left out",
        "1 drawing (such as regions of an image) left out",
    ):
        assert sentence in study.policy()


def old(number: int, mood: str, *spans: dict[str, Any]) -> str:
    about = {"id": f"r{number}", "displayed_text": "Ann \N{GRINNING FACE} Bo", "span_annotations": list(spans)}
    return json.dumps({**about, "label_annotations": {"mood": {mood: "1"}}, "behavioral_data": {"time": 3}})


def test_annotated_instances_of_the_first_version(folder: Any) -> None:
    wide = {"start": 7, "end": 9, "annotation": "PER", "span": "Bo"}  # as JavaScript counts
    path = folder({
        "ann/annotated_instances.jsonl": old(1, "good", wide) + "\n" + old(2, "bad"),
        "bo/annotated_instances.jsonl": old(1, "good") + "\n" + old(2, "good"),
    })  # fmt: skip
    study = read(path)
    assert rows(study["mood"])["r2", "ann"] == "bad"
    assert rows(study["spans"])["r1", "ann"] == ((6, 8, "PER"),)
    assert "offsets of 1 span in UTF-16 units" in study.policy()
    assert set(study["mood"].attributes["text"]) == {"Ann \N{GRINNING FACE} Bo"}


def test_exported_tables(file: Any) -> None:
    first = "user,instance_id,displayed_text,mood:::good,mood:::bad\nann,r1,x,1,\nbo,r1,x,,2\n"
    assert rows(read(file("annotated_instances.csv", first))["mood"]) == {("r1", "ann"): "good", ("r1", "bo"): "bad"}
    spans = '"[{""start"": 0, ""end"": 2, ""label"": ""A"", ""text"": ""xy""}]"'
    second = f"instance_id,user_id,mood.good,mood.bad,ents._spans\nr1,ann,true,,{spans}\nr1,bo,,true,[]\n"
    study = read(file("annotations.csv", second))
    assert rows(study["mood"]) == {("r1", "ann"): "good", ("r1", "bo"): "bad"}
    assert rows(study["ents"]) == {("r1", "ann"): ((0, 2, "A"),), ("r1", "bo"): ()}


def test_exported_lines_and_machines(file: Any) -> None:
    def line(who: str, mood: str, **more: Any) -> str:
        return json.dumps(
            {"instance_id": "r1", "user_id": who, "labels": {"mood": {mood: "true"}}, "spans": {}, **more}
        )

    machine = line("gpt", "good", annotator_origin={"kind": "llm"})
    path = file("annotations.jsonl", "\n".join([line("ann", "good"), line("bo", "bad"), machine]))
    study = read(path)
    assert set(study.single().annotators) == {"ann", "bo"}
    assert "1 record of a machine left out (predictions=True takes it)" in study.policy()
    assert set(read(path, predictions=True).single().annotators) == {"ann", "bo", "gpt"}


def test_an_export_lies_beside_other_tables(folder: Any) -> None:
    table = "instance_id,user_id,annotator_origin,annotator_origin_detail,mood.good,mood.bad,mood\n"
    table += 'r1,ann,human,,good,bad,bad\nr1,bo,human,,good,,\nr1,gpt,llm,"{""kind"": ""llm""}",good,,\n'
    phases = "user_id,phase,page,sequence,schema,label_name,value\nann,consent,p,0,ok,yes,yes\n"
    path = folder({"annotations.csv": table, "phase_responses.csv": phases})
    study = read(path)
    assert rows(study["mood"]) == {("r1", "ann"): "bad", ("r1", "bo"): "good"}  # of two stored, the final one
    assert "1 record of a machine left out" in study.policy()
    assert "phase_responses.csv" in study.policy()
    with pytest.raises(FormatError, match=r"expected a folder for each annotator .* or annotations.jsonl, .csv"):
        read(folder({"other/a.txt": ""}) / "other", format="potato")


def test_machines_are_not_people_in_their_own_states_either(folder: Any) -> None:
    origin = {"kind": "llm", "id": "robot", "model": "some-model"}
    path = folder({
        "ann/user_state.json": state("ann", ANN, origin={}),
        "bo/user_state.json": state("bo", BO, origin={"kind": "human"}),
        "robot/user_state.json": state("robot", BO, origin=origin),
    })  # fmt: skip
    study = read(path)
    assert study["mood"].annotators == ["ann", "bo"]
    assert "2 records of a machine left out (predictions=True takes it)" in study.policy()
    assert study["mood"] != read(path, predictions=True)["mood"]
    assert read(path, predictions=True)["mood"].annotators == ["ann", "bo", "robot"]


@pytest.mark.parametrize("labels", [("true", "false"), ("0", "1"), ("good", "bad")])
def test_the_entry_of_an_option_may_be_its_name(folder: Any, labels: tuple[str, str]) -> None:
    answers = {f"r{n}": [pair("mood", labels[n % 2], labels[n % 2])] for n in range(4)}
    study = read(folder({"ann/user_state.json": state("ann", answers)}))
    assert rows(study["mood"]) == {(f"r{n}", "ann"): labels[n % 2] for n in range(4)}


def test_fields_in_which_everybody_entered_the_same(folder: Any) -> None:
    fields = [pair("genre", "select-one", "drama"), pair("better", "selection", "A"), pair("more", "scale_value", "2")]
    fields += [pair("liking", "liking", "50.5"), pair("film", "film", "true")]
    study = read(folder({"ann/user_state.json": state("ann", {"r1": fields})}))
    values = {name: list(question.values) for name, question in study.items()}
    assert values == {"genre": ["drama"], "better": ["A"], "more": ["2"], "liking": ["50.5"], "film": ["film"]}


def test_orders_and_options_in_one_field(folder: Any) -> None:
    def answers(order: str, picked: str) -> dict[str, Any]:
        return {"r1": [pair("order", "rank_order", order), pair("tree", "selected_labels", picked)]}

    ann, bo = answers("a,b,c", "x"), {**answers("b, a,c", "y,x"), "r2": [pair("order", "rank_order", "a")]}
    study = read(folder({"ann/user_state.json": state("ann", ann), "bo/user_state.json": state("bo", bo)}))
    assert study["order"].of_kind == "rankings"
    assert rows(study["order"]) == {("r1", "ann"): ("a", "b", "c"), ("r1", "bo"): ("b", "a", "c")}
    assert "1 ranking of fewer than two options left out" in study.policy()
    assert rows(study["tree"])["r1", "bo"] == frozenset({"x", "y"})
    assert rows(study["tree"])["r1", "ann"] == frozenset({"x"})


def test_free_text_instead_of_an_option(folder: Any) -> None:
    answers = {
        "r1": [pair("mood", "good", "good")],
        "r2": [pair("mood", "free_response", "sad"), pair("cards", "cards", '{"left": ["a"]}')],
        "r3": [pair("mood", "free_response", "dull")],
    }
    study = read(folder({"ann/user_state.json": state("ann", answers)}))
    assert list(study) == ["mood"]
    assert list(rows(study["mood"]).values()) == ["good", "free_response", "free_response"]
    assert "2 answers to 'mood' in free text instead of an option taken as 'free_response'" in study.policy()
    assert "1 structured answer (such as sorted cards or marked errors) left out" in study.policy()


def test_spans_in_parts_and_in_several_fields(folder: Any) -> None:
    split = pair("ents", "PER", title="PER", start=8, end=10, id="s2", additional_parts=[{"start": 14, "end": 18}])
    title = pair("ents", "LOC", title="LOC", start=1, end=2, id="s3", target_field="title")
    links = {"instance_id_to_link_to_value": {"r1": {"l1": {"span_ids": ["s1", "s2"]}}}}
    ann = state("ann", ANN, {"r1": [split], "r2": [title]}, **links)
    path = folder({"ann/user_state.json": ann, "bo/user_state.json": state("bo", BO, {"r1": [split]})})
    study = read(path)
    parts = (("end", 18), ("fragments", ((8, 10), (14, 18))), ("label", "PER"), ("start", 8))
    assert rows(study["ents"])["r1", "ann"] == rows(study["ents"])["r1", "bo"] == (parts,)
    assert rows(study["ents"])["r2", "ann"] == ()
    assert rows(study["ents.title"])["r2", "ann"] == ((1, 2, "LOC"),)
    assert "1 link between spans left out" in study.policy()
    assert set(rows(read(path, empty="drop")["ents.title"])) == {("r2", "ann")}
    wrong = pair("ents", "PER", start=8, end=10, additional_parts=[{"start": 3}])
    with pytest.raises(FormatError, match="expected a span with 'start' and 'end'"):
        read(folder({"cy/user_state.json": state("cy", ANN, {"r1": [wrong]})}))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (state("ann", {"r1": ["x"]}), "pairs of a label and its value"),
        (state("ann", {"r1": 3}), "expected answers by schema"),
        (state("ann", {"r1": [pair("m", "a")]}, {"r1": [pair("s", "A", start="x")]}), "expected a span"),
        (state("ann", {}), "found no annotation to read"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(folder: Any, content: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"user_state.json.*{message}"):
        read(folder({"ann/user_state.json": content}))


def test_a_real_project(shared: Path) -> None:
    study = read(shared / "data/formats/potato")
    assert list(study) == ["sentiment", "aspects"]
    for question in study.values():
        assert (len(question.items), len(question.annotators), len(question)) == (6, 2, 12)
    assert rows(study["aspects"])["r1", "alice"] == frozenset({"acting", "plot"})
    assert rows(study["sentiment"])["r3", "alice"] == "neutral"
    assert rows(study["sentiment"])["r3", "bob"] == "positive"
