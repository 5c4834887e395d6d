"""Scores of Langfuse and assessments of MLflow in, studies out."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from interagree.errors import FormatError
from interagree.readers import langfuse, mlflow, read


def rows(annotations: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in annotations.rows()}


# -- Langfuse -------------------------------------------------------------------------------------------------


def score(trace: int, value: Any, **more: Any) -> dict[str, Any]:
    usual = {"id": f"s{trace}", "traceId": f"t{trace}", "name": "helpful", "value": value, "stringValue": None}
    return {**usual, "dataType": "NUMERIC", "source": "ANNOTATION", "authorUserId": "ann", **more}


SCORES = [
    score(1, 3),
    score(1, 4, authorUserId="bo"),
    score(1, 5, source="EVAL", authorUserId=None),
    score(2, 1),
    score(2, 0, name="toxic", dataType="BOOLEAN", stringValue="False"),
    score(2, None, name="tone", dataType="CATEGORICAL", stringValue="kind"),
    score(2, "better words", name="output", dataType="CORRECTION"),
    score(3, None),
]


def as_table(scores: list[dict[str, Any]], spelled: dict[str, str] | None = None) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([(spelled or {}).get(name, name) for name in scores[0]])
    writer.writerows([["" if cell is None else cell for cell in one.values()] for one in scores])
    return out.getvalue()


SNAKE = {
    "traceId": "trace_id",
    "stringValue": "string_value",
    "dataType": "data_type",
    "authorUserId": "author_user_id",
}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", json.dumps(SCORES)),
        ("a.json", json.dumps({"data": SCORES, "meta": {"page": 1}})),
        ("a.json", json.dumps({"data": SCORES})),
        ("a.jsonl", "\n".join(map(json.dumps, SCORES))),
        ("a.csv", as_table(SCORES)),
        ("a.csv", as_table(SCORES, SNAKE)),
    ],
)
def test_scores_in_every_form(file: Any, name: str, content: str) -> None:
    path = file(name, content)
    assert langfuse.recognised(path)
    study = read(path)
    assert list(study) == ["helpful", "toxic", "tone"]
    assert rows(study["helpful"]) == {("t1", "ann"): 3, ("t1", "bo"): 4, ("t1", "EVAL"): 5, ("t2", "ann"): 1}
    assert rows(study["toxic"]) == {("t2", "ann"): "false"}
    assert rows(study["tone"]) == {("t2", "ann"): "kind"}
    for sentence in ("1 correction of an output left out", "1 score without a value left out", "1 of EVAL"):
        assert sentence in study.policy()
    people = read(path, sources="ANNOTATION", questions="helpful")
    assert set(people.single().annotators) == {"ann", "bo"}
    assert "1 score of the source EVAL left out" in people.policy()


def test_the_newest_score_counts_and_observations_are_items_of_their_own(file: Any) -> None:
    old, new = {"timestamp": "2026-01-01T00:00:00Z"}, {"timestamp": "2026-01-02T00:00:00Z"}
    path = file("a.json", json.dumps([score(1, 2, **new), score(1, 1, **old), score(1, 5, observationId="o1", **old)]))
    assert rows(read(path).single()) == {("t1", "ann"): 2, ("o1", "ann"): 5}
    assert rows(read(path, item="trace").single()) == {("t1", "ann"): 2}


def third(number: int, value: Any, kind: str, subject: dict[str, str] | None, **more: Any) -> dict[str, Any]:
    """A score as version 3 of the programming interface gives it."""
    usual = {
        "dataType": kind,
        "value": value,
        "id": f"s{number}",
        "projectId": "p",
        "name": "ok",
        "source": "ANNOTATION",
    }
    times = dict.fromkeys(("timestamp", "createdAt", "updatedAt"), f"2026-01-0{number}T00:00:00Z")
    made = {**usual, **times, "environment": "default", "authorUserId": "ann", "subject": subject, **more}
    return {name: entry for name, entry in made.items() if entry is not None}


def test_scores_name_their_subject(file: Any) -> None:
    inner = {"kind": "observation", "id": "o1", "traceId": "t1"}
    scores = [
        third(1, True, "BOOLEAN", {"kind": "trace", "id": "t1"}),  # noqa: FBT003 -- a value
        third(2, False, "BOOLEAN", inner),  # noqa: FBT003 -- a value
        third(3, "kind", "CATEGORICAL", {"kind": "session", "id": "n1"}, name="tone"),
        third(4, 0.5, "NUMERIC", {"kind": "experiment", "id": "r1"}, name="recall", source="API"),
    ]
    for content in (scores, {"data": scores, "meta": {"limit": 50}}):
        path = file("a.json", json.dumps(content))
        assert langfuse.recognised(path)
        study = read(path)
        assert rows(study["ok"]) == {("t1", "ann"): "true", ("o1", "ann"): "false"}
        assert rows(study["tone"]) == {("n1", "ann"): "kind"}
        assert rows(study["recall"]) == {("r1", "API"): 0.5}
        assert rows(read(path, item="trace")["ok"]) == {("t1", "ann"): "false"}  # the newest of the trace
    path = file("b.json", json.dumps([third(1, 3, "NUMERIC", None, authorUserId=None)]))
    assert langfuse.recognised(path)
    with pytest.raises(
        FormatError, match=r"b.json, /0: expected what was scored.*get_many\(fields='subject,annotation'"
    ):
        read(path)


def test_scores_of_people_without_authors(file: Any) -> None:
    path = file("a.json", json.dumps([score(1, 2, authorUserId=None), score(2, 2, authorUserId=None)]))
    study = read(path)
    assert set(study.single().annotators) == {"ANNOTATION"}
    assert "2 scores of people without an author taken as those of one annotator" in study.policy()
    with pytest.raises(FormatError, match="neither says by whom"):
        read(file("b.json", json.dumps([score(1, 2, authorUserId=None), score(1, 3, authorUserId=None)])))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"source": "MAGIC"}, "expected a source that is"),
        ({"value": "x"}, "expected a number in 'value'"),
        ({"dataType": "BOOLEAN", "value": 7}, "expected true or false"),
        ({"traceId": None}, r"expected what was scored.*fields='subject,annotation'"),
    ],
)
def test_what_is_wrong_with_scores_is_said(file: Any, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=f"a.json, /0.*{message}"):
        read(file("a.json", json.dumps([{**score(1, 2), **wrong}])))


# -- MLflow ---------------------------------------------------------------------------------------------------


def assessment(name: str, value: Any, who: str, kind: str = "HUMAN", **more: Any) -> dict[str, Any]:
    source = {"source_type": kind, "source_id": who}
    return {"assessment_name": name, "source": source, "feedback": {"value": value}, "valid": True, **more}


def trace(number: int, *assessments: dict[str, Any]) -> dict[str, Any]:
    info = {"trace_id": f"tr-{number}", "request_preview": f"question {number}", "assessments": list(assessments)}
    return {"info": info, "data": {"spans": []}}


TRACES = [
    trace(
        n,
        assessment("correct", n > 1, "ann@example.org"),
        assessment("correct", n > 0, "openai:/gpt-4o", "LLM_JUDGE"),
        assessment("length", 10 * n, "default", "CODE"),
        {
            "assessment_name": "correct",
            "source": {"source_type": "LLM_JUDGE", "source_id": "m"},
            "error": {"code": "X"},
        },
        assessment("correct", n < 0, "ann@example.org", valid=False),
        {"assessment_name": "answer", "source": {"source_type": "HUMAN"}, "expectation": {"value": "yes"}},
    )
    for n in (1, 2)
]


def test_traces_with_assessments(file: Any) -> None:
    path = file("traces.json", json.dumps(TRACES))
    assert mlflow.recognised(path)
    study = read(path)
    assert list(study) == ["correct", "length"]
    assert rows(study["correct"]) == {
        ("tr-1", "ann@example.org"): "false",
        ("tr-2", "ann@example.org"): "true",
        ("tr-1", "openai:/gpt-4o"): "true",
        ("tr-2", "openai:/gpt-4o"): "true",
    }
    assert rows(study["length"]) == {("tr-1", "CODE"): 10, ("tr-2", "CODE"): 20}
    assert set(study["correct"].attributes["text"]) == {"question 1", "question 2"}
    for sentence in (
        "2 assessments that ended with an error left out",
        "2 assessments that a later one overrides left out",
        "2 expectations (known answers) left out (gold='keep' keeps them)",
        "6 assessments: 2 of HUMAN, 2 of LLM_JUDGE, 2 of CODE",
    ):
        assert sentence in study.policy()
    assert set(read(path, sources="HUMAN").single().annotators) == {"ann@example.org"}
    assert rows(read(path, gold="keep")["answer"]) == {("tr-1", "HUMAN"): "yes", ("tr-2", "HUMAN"): "yes"}


def test_tables_of_traces_and_lists_of_assessments(file: Any) -> None:
    expected = rows(read(file("a.json", json.dumps(TRACES)))["correct"])
    table = [{"trace_id": one["info"]["trace_id"], "assessments": one["info"]["assessments"]} for one in TRACES]
    columns = {name: {str(n): row[name] for n, row in enumerate(table)} for name in ("trace_id", "assessments")}
    alone = [{**one, "trace_id": row["trace_id"]} for row in table for one in row["assessments"]]
    forms = [
        ("b.json", json.dumps(table)),
        ("c.json", json.dumps(columns)),
        ("d.json", json.dumps(alone)),
        ("e.jsonl", "\n".join(map(json.dumps, table))),
        ("f.json", json.dumps([{**row, "assessments": json.dumps(row["assessments"])} for row in table])),
    ]
    for name, content in forms:
        path = file(name, content)
        assert mlflow.recognised(path), name
        assert rows(read(path)["correct"]) == expected, name


def test_a_table_of_traces_that_pandas_wrote_as_csv(file: Any) -> None:
    """Cells with lists are as Python prints them, and the trace in the cell beside them is JSON."""
    whole = [
        {"trace_id": one["info"]["trace_id"], "trace": json.dumps(one), "assessments": str(one["info"]["assessments"])}
        for one in TRACES
    ]
    path = file("a.csv", as_table(whole))
    assert mlflow.recognised(path)
    assert rows(read(path)["correct"]) == rows(read(file("a.json", json.dumps(TRACES)))["correct"])
    empty = {"trace_id": "tr-3", "trace": "", "assessments": ""}
    assert rows(read(file("b.csv", as_table([*whole, empty])))["correct"]) == rows(read(path)["correct"])
    with pytest.raises(FormatError, match=r"line 2: expected assessments as JSON.*to_json\('traces.json'"):
        read(file("c.csv", as_table([{**one, "trace": "Trace(trace_id=1)"} for one in whole])))


def test_objects_are_not_judgements(file: Any) -> None:
    both = trace(1, assessment("ok", "yes", "ann"), assessment("parts", {"a": 1.0}, "ann"))
    study = read(file("a.json", json.dumps([both])))
    assert list(study) == ["ok"]
    assert "1 answer that is an object left out" in study.policy()


def test_spans_of_a_trace_are_items_where_one_source_assessed_several(file: Any) -> None:
    def one(span: str | None, who: str) -> dict[str, Any]:
        return assessment("ok", "yes", who, span_id=span)

    root = read(file("a.json", json.dumps([trace(1, one("root", "judge"), one(None, "ann"))])))
    assert set(root.single().items) == {"tr-1"}
    several = read(file("b.json", json.dumps([trace(1, one("s1", "ann"), one("s2", "ann"), one("s1", "bo"))])))
    assert set(several.single().items) == {"tr-1/s1", "tr-1/s2"}


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (trace(1, assessment("a", 1, "x", "MAGIC")), "expected a source that is"),
        ({"info": {"trace_id": "t", "assessments": "x"}}, "expected assessments as JSON"),
        ({"info": {"trace_id": "t", "assessments": [3]}}, "expected an object, found 3"),
        ({"info": {"trace_id": 3, "assessments": []}}, "expected a text in 'trace_id', found 3"),
    ],
)
def test_what_is_wrong_with_traces_is_said(file: Any, one: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=f"a.json, /0.*{message}"):
        read(file("a.json", json.dumps([one])))


# -- any other ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["judge", "judge_model", "judge_name"])
def test_lines_of_a_judge(file: Any, who: str) -> None:
    lines = [{"item": n, who: name, "verdict": "AB"[n % 2]} for n in range(6) for name in ("gpt-4o", "claude")]
    found = read(file("a.jsonl", "\n".join(map(json.dumps, lines)))).single()
    assert set(found.annotators) == {"gpt-4o", "claude"}
    assert len(found) == 12
