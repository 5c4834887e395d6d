"""Records of Argilla in, studies out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interagree.errors import DataError, DoubtfulReading, DuplicateAnnotation, FormatError, KindError, UnknownName
from interagree.readers import read
from interagree.readers.argilla import recognised

ANN, BO = "11111111-aaaa", "22222222-bbbb"


def nested(number: int, suggestions: dict[str, Any] | None = None, **answers: tuple[Any, ...]) -> dict[str, Any]:
    """A record as `records.to_json` writes it, with the answers of Ann and Bo to each question."""
    return {
        "id": f"r{number}",
        "fields": {"text": f"text {number}"},
        "metadata": {"source": "web"},
        "suggestions": suggestions or {},
        "responses": {
            name: [
                {"value": value, "user_id": who}
                for who, value in zip((ANN, BO), values, strict=False)
                if value is not None
            ]
            for name, values in answers.items()
        },
        "vectors": {},
        "status": "completed",
        "_server_id": f"s{number}",
    }


def flat(number: int, status: tuple[str | None, ...] = ("submitted", "submitted"), **answers: Any) -> dict[str, Any]:
    """The same as `records.to_datasets` writes it."""
    record: dict[str, Any] = {"id": f"r{number}", "status": "completed", "_server_id": f"s{number}", "text": "a text"}
    for name, values in answers.items():
        record |= {f"{name}.responses": list(values), f"{name}.responses.users": [ANN, BO][: len(values)]}
        record[f"{name}.responses.status"] = list(status)[: len(values)]
    return record


@pytest.fixture
def records(tmp_path: Path) -> Any:
    def made(*content: Any, name: str = "records.json") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        data = "\n".join(map(json.dumps, content)) if name.endswith("l") else json.dumps(list(content))
        path.write_text(data, encoding="utf-8")
        return path

    return made


def rows(annotations: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in annotations.rows()}


@pytest.mark.parametrize("name", ["records.json", "records.jsonl"])
@pytest.mark.parametrize("form", [nested, flat])
def test_labels_and_ratings_in_both_forms(records: Any, form: Any, name: str) -> None:
    path = records(*(form(n, mood=("good", "bad"), stars=(n, 5)) for n in (1, 2, 3)), name=name)
    assert recognised(path)
    study = read(path)
    assert list(study) == ["mood", "stars"]
    assert rows(study["mood"])["r2", ANN] == "good"
    assert rows(study["stars"])["r2", ANN] == 2
    assert len(study["stars"]) == 6


def test_the_order_in_which_labels_were_clicked_does_not_matter(records: Any) -> None:
    study = read(records(nested(1, topics=(["a", "b"], ["b", "a"])), nested(2, topics=(["c"], []))))
    assert study["topics"].of_kind == "sets"
    assert len({value for _, _, value in study["topics"].rows()}) == 3  # {a, b}, {c} and {}
    assert len(study["topics"]) == 4  # nothing chosen is an answer


def test_rankings_are_told_by_answers_with_the_same_options(records: Any) -> None:
    orders = [["a", "b", "c"], ["b", "a", "c"], ["c", "a", "b"]]
    study = read(records(*(nested(n, best=(order, orders[0])) for n, order in enumerate(orders))))
    assert study["best"].of_kind == "rankings"
    assert "taken as rankings, because all have the same options" in study.policy()


def test_few_answers_with_the_same_options_are_in_doubt_and_both_calls_work(records: Any) -> None:
    path = records(nested(1, best=(["a", "b"], ["b", "a"])))
    with pytest.raises(DoubtfulReading, match="rankings, or choices of several") as caught:
        read(path)
    assert "rankings='best'" in str(caught.value)
    assert "-O multiple=best" in caught.value.for_command_line()
    assert read(path, rankings="best")["best"].of_kind == "rankings"
    assert len(read(path, multiple="best")["best"].values) == 1


def test_rankings_of_the_server_with_ties_are_counted(records: Any) -> None:
    ranked = [[{"value": "a", "rank": 2}, {"value": "b", "rank": 1}], [{"value": "a", "rank": 1}] * 2]
    study = read(records(nested(1, best=tuple(ranked)), nested(2, best=(ranked[0], ranked[0]))))
    assert rows(study["best"])["r1", ANN] == ("b", "a")
    assert "1 ranking with ties, or of fewer than two options, left out" in study.policy()


def test_spans_with_the_text_that_they_are_marked_in(records: Any) -> None:
    first, second = {"label": "PER", "start": 0, "end": 4}, {"label": "LOC", "start": 2, "end": 6}
    study = read(records(nested(1, ents=([second, first], [])), nested(2, ents=([], [first]))))
    assert study["ents"].of_kind == "spans"
    assert rows(study["ents"])["r1", ANN] == ((0, 4, "PER"), (2, 6, "LOC"))
    assert rows(study["ents"])["r1", BO] == ()
    assert set(study["ents"].attributes["text"]) == {"text 1", "text 2"}
    assert "2 times somebody looked and marked nothing" in study.policy()


def test_drafts_and_discarded_answers_are_left_out_and_counted(records: Any) -> None:
    states = (("submitted", "draft"), ("submitted", "discarded"), ("submitted", "submitted"))
    path = records(*(flat(n, status=status, mood=("a", "b")) for n, status in enumerate(states)))
    study = read(path)
    assert len(study["mood"]) == 4
    assert "1 draft left out" in study.policy()
    assert "1 discarded answer left out" in study.policy()
    assert "does not say" not in study.policy()
    assert len(read(path, drafts="keep", discarded="keep")["mood"]) == 6


def test_the_nested_form_says_that_it_does_not_tell_drafts(records: Any) -> None:
    policy = read(records(nested(1, mood=("a", "b")), nested(2, mood=("a", "a")))).policy()
    assert policy.count("does not say which answers are drafts or discarded") == 1


def test_suggestions_are_models_on_request(records: Any) -> None:
    suggested = {"mood": {"value": "a", "score": 0.5, "agent": "gpt"}}
    path = records(nested(1, suggested, mood=("a", "b")), nested(2, suggested, mood=("a", "b")))
    assert "2 suggestions of a model left out" in read(path).policy()
    assert set(read(path).single().annotators) == {ANN, BO}
    assert set(read(path, predictions=True).single().annotators) == {ANN, BO, "gpt"}
    flats = [flat(n, mood=("a", "b")) | {"mood.suggestion": "b", "mood.suggestion.agent": None} for n in (1, 2)]
    for record in flats:
        record["mood.suggestion.score"] = None
    assert set(read(records(*flats), predictions=True).single().annotators) == {ANN, BO, "suggestion"}


def test_settings_beside_the_records_tell_the_sorts_of_questions(records: Any, tmp_path: Path) -> None:
    settings = {
        "questions": [
            {"name": "best", "settings": {"type": "ranking", "options": []}},
            {"name": "why", "settings": {"type": "text"}},
        ]
    }
    (tmp_path / ".argilla").mkdir()
    (tmp_path / ".argilla" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    study = read(records(nested(1, best=(["a", "b"], ["b", "a"]), why=("yes", "no"))))
    assert (study["best"].of_kind, study["why"].of_kind) == ("rankings", "text")


def test_long_answers_are_texts_and_that_is_said(records: Any) -> None:
    answers = [nested(n, why=(f"because of the word {n}", f"I cannot say why {n}")) for n in range(4)]
    study = read(records(*answers))
    assert study["why"].of_kind == "text"
    assert "compared as texts" in study.policy()


def test_answers_of_the_first_version_and_of_the_server(records: Any) -> None:
    record = {
        "id": "r1",
        "fields": {"text": "x"},
        "suggestions": [],
        "responses": [
            {"values": {"mood": {"value": "a"}}, "user_id": ANN, "status": "submitted"},
            {"values": {"mood": {"value": "b"}}, "user_id": BO, "status": "draft"},
            {"values": None, "user_id": "c", "status": "discarded"},
        ],
    }
    study = read(records(record))
    assert rows(study.single()) == {("r1", ANN): "a"}
    old = {"text": "x", "external_id": "e1", "mood-suggestion": None, "mood-suggestion-metadata": {"agent": None}}
    answers = [{"user_id": ANN, "value": "a", "status": "submitted"}, {"user_id": BO, "value": "b", "status": "draft"}]
    column = {"user_id": [ANN, BO], "value": ["a", "b"], "status": ["submitted", "draft"]}
    for cell in (answers, column):
        path = records(old | {"mood": cell})
        assert recognised(path)
        assert rows(read(path).single()) == {("e1", ANN): "a"}


def test_parquet_and_csv_of_the_flat_form(records: Any, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    spans = [[{"label": "A", "start": 0, "end": 1}], []]
    content = [flat(n, ("submitted", "draft"), topics=(["a", "b"], ["a"]), ents=spans, stars=(n, 3)) for n in (1, 2)]
    parquet.write_table(pa.Table.from_pylist(content), tmp_path / "a.parquet")
    head = list(content[0])
    lines = [",".join(head), *(",".join(f'"{cell}"' for cell in record.values()) for record in content)]
    (tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8")
    expected = read(records(*content))
    for name in ("a.parquet", "a.csv"):
        assert recognised(tmp_path / name)
        study = read(tmp_path / name)
        assert {question: rows(study[question]) for question in study} == {
            question: rows(expected[question]) for question in expected
        }
        assert "6 drafts left out" in study.policy()


def test_lists_that_numpy_wrote_into_a_table_are_refused(file: Any) -> None:
    header = "id,mood.responses,mood.responses.users,mood.responses.status\n"
    path = file("a.csv", header + "1,['a' 'b'],['u' 'v'],['submitted' 'submitted']\n")
    with pytest.raises(FormatError, match=r"a.csv, line 2.*export the records as JSON"):
        read(path)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (flat(1, mood=("a", "b")) | {"mood.responses.users": [ANN]}, "2 responses, 1 users and 2 states"),
        (
            flat(1, mood=("a", "b")) | {"mood.responses.users": [ANN, None]},
            "expected a text or a whole number in 'user_id', found None",
        ),
        (nested(1, mood=("a", {"x": 1})), "answers of one sort to 'mood'"),
        (nested(1, mood=("a", 3)), "answers of one sort to 'mood', found values of types int, str, such as 3"),
        (nested(1, ents=([{"start": 5, "end": 2, "label": "A"}],)), "before it starts"),
        (nested(1, ents=([{"start": "0", "end": 2, "label": "A"}],)), "expected a whole number in 'start', found '0'"),
        (nested(1, mood=()), "found no annotation to read"),
        (nested(1) | {"responses": "x"}, "expected an object or a list in 'responses'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(records: Any, record: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(records(record), format="argilla")


def test_options(records: Any) -> None:
    path = records(nested(1, mood=("a", "b"), stars=(1, 2)), nested(2, mood=("a", "b"), stars=(1, 2)))
    assert list(read(path, questions="stars")) == ["stars"]
    assert list(read(path, item="text")["mood"].items) == ["text 1", "text 2"]
    with pytest.raises(UnknownName, match="no entry 'title'"):
        read(path, item="title")
    with pytest.raises(UnknownName, match="no question 'x'"):
        read(path, questions="x")
    other = records(nested(1, mood=("b",), stars=(1, 2)), name="later.json")
    assert rows(read([path, other])["mood"])["r1", ANN] == "b"
    with pytest.raises(DuplicateAnnotation, match="pass duplicates='last'"):
        read([path, other], duplicates="error")
    with pytest.raises(FormatError, match="it is not the same item"):
        read(path, item="source")


def test_other_records_hold_no_answers(file: Any) -> None:
    path = file("a.json", json.dumps([{"item": 1, "annotator": "ann", "label": "x"}]))
    assert not recognised(path)
    with pytest.raises(FormatError, match=r"found no annotation to read .*no answers as Argilla writes them"):
        read(path, format="argilla")


def test_records_under_their_ids(file: Any) -> None:
    content = {f"r{n}": nested(n, mood=("a", "b")) for n in (1, 2)}
    path = file("a.json", json.dumps(content))
    assert recognised(path)
    assert list(read(path).single().items) == ["r1", "r2"]


@pytest.mark.parametrize("name", ["records_flat.json", "records_to_json.json"])
def test_real_ratings(shared: Path, name: str) -> None:
    found = read(shared / "data/formats/argilla" / name)["quality"]
    assert (len(found.items), len(found.annotators), len(found)) == (40, 13, 164)
    assert found.values == (1, 2, 3, 4, 5)
    assert rows(found)["item_1641", "be6e8d8e-3502-5c36-b9e3-a7bcaa0dabcc"] == 4


def test_what_is_said_of_values_is_said_of_those_it_can_mean(records: Any) -> None:
    spans = [{"label": "A", "start": 0, "end": 1}]
    path = records(*(nested(n, mood=("bad", "so-so"), stars=(n, 3), ents=(spans, [])) for n in (1, 2, 4)))
    study = read(path, ordered=True)
    assert [study[name].ordered for name in ("stars", "mood")] == [True, True]  # of two values either order will do
    study = read(path, values=["good", "so-so", "bad"], ordered=True)
    assert study["mood"].values == ("good", "so-so", "bad")
    assert study["stars"].ordered is not True
    assert read(path, questions="mood", kind="text").single().of_kind == "text"
    with pytest.raises(DataError, match="given and not declared"):
        read(path, values=["x", "y"])
    with pytest.raises(KindError, match="the values are spans"):
        read(path, questions="ents", ordered=True)
