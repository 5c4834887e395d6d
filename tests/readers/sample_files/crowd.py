"""Files of Argilla, of crowdsourcing platforms, of Potato, and of tools that keep the scores of judges."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from conftest import need

PEOPLE = ("ann", "bo", "cy")


def argilla(*, nested: bool) -> list[dict[str, Any]]:
    def answers(n: int) -> dict[str, list[Any]]:
        return {
            "mood": ["good" if (n + k) % 2 else "bad" for k in range(3)],
            "topics": [["a", "b"][: 1 + (n + k) % 2] for k in range(3)],
            "stars": [1 + (n * k) % 5 for k in range(3)],
            "ents": [[{"label": "PER", "start": 0, "end": 3 + k}] for k in range(3)],
        }

    made: list[dict[str, Any]] = []
    for n in range(6):
        about: dict[str, Any] = {"id": f"r{n}", "status": "completed", "_server_id": f"s{n}"}
        if nested:
            given = {
                q: [{"value": v, "user_id": w} for w, v in zip(PEOPLE, a, strict=True)] for q, a in answers(n).items()
            }
            suggested = {"mood": {"value": "good", "score": 0.5, "agent": "m"}}
            about |= {"fields": {"text": "Anna left"}, "metadata": {}, "suggestions": suggested, "responses": given}
        else:
            about["text"] = "Anna left"
            for question, values in answers(n).items():
                about |= {f"{question}.responses": values, f"{question}.responses.users": list(PEOPLE)}
                about[f"{question}.responses.status"] = ["submitted", "submitted", "draft" if n % 2 else "submitted"]
            about |= {"mood.suggestion": "good", "mood.suggestion.score": 0.5, "mood.suggestion.agent": "m"}
        made.append(about)
    return made


def mturk() -> list[dict[str, Any]]:
    return [
        {"HITId": f"h{n}", "AssignmentId": f"{n}{who}", "WorkerId": who, "AssignmentStatus": "Approved"}
        | {"Input.text": f"text {n}", "Answer.mood.good": str(n % 2 == k % 2), "Answer.mood.bad": str(n % 2 != k % 2)}
        | {"Answer.tags": "a|b" if n else "b", "Answer.taskAnswers": json.dumps([{"ok": {"yes": k > 0, "no": k < 1}}])}
        for n in range(6)
        for k, who in enumerate(PEOPLE)
    ]


def appen() -> list[dict[str, Any]]:
    return [
        {"_unit_id": n, "_golden": str(n == 5).lower(), "_tainted": str(who == "cy").lower(), "_worker_id": who}
        | {"text": f"text {n}", "options": "a b c", "mood": "abc"[(n + k) % 3], "tags": "a\nb" if k else "b"}
        for n in range(6)
        for k, who in enumerate(PEOPLE)
    ]


def toloka() -> list[dict[str, Any]]:
    return [
        {"INPUT:url": f"p{n}", "OUTPUT:label": "ab"[(n + k) % 2], "OUTPUT:tags": '["a","b"]', "GOLDEN:label": ""}
        | {"ASSIGNMENT:task_id": f"t{n}", "ASSIGNMENT:worker_id": who}
        | {"ASSIGNMENT:status": "REJECTED" if n == 5 else "APPROVED"}
        for n in range(6)
        for k, who in enumerate(PEOPLE)
    ]


def toloka_assignments() -> list[dict[str, Any]]:
    return [
        {"id": who, "user_id": who, "status": "APPROVED"}
        | {"tasks": [{"id": f"t{n}", "input_values": {"url": f"p{n}"}} for n in range(6)]}
        | {"solutions": [{"output_values": {"label": "ab"[(n + k) % 2], "tags": ["a"]}} for n in range(6)]}
        for k, who in enumerate(PEOPLE)
    ]


def potato(who: str) -> dict[str, Any]:
    answers = {
        f"r{n}": [[{"schema": "mood", "name": "good" if (n + len(who)) % 2 else "bad"}, "true"]]
        + [[{"schema": "topics", "name": name}, "true"] for name in "abc"[: n % 3]]
        for n in range(6)
    }
    spans = {"r1": [[{"schema": "ents", "name": "PER", "title": "PER", "start": 0, "end": 3}, "true"]]}
    return {
        "user_id": who,
        "instance_id_to_label_to_value": answers,
        "instance_id_to_span_to_value": spans,
        "phase_to_page_to_label_to_value": {"consent": {"page": [[{"schema": "ok", "name": "yes"}, "true"]]}},
    }


def potato_further() -> dict[str, Any]:
    """What later versions store: options by their names, orders, spans in parts and in fields, links, the origin."""

    def answers(n: int) -> list[list[Any]]:
        entries = [("ok", "false", "false"), ("order", "rank_order", "a,b,c" if n % 2 else "b,a,c")]
        entries += [("tree", "selected_labels", "x,y"), ("scale", "scale", f"{n}.5"), ("genre", "select-one", "drama")]
        entries += [("cards", "cards", '{"left": ["a"]}'), ("rates", "sound", str(n)), ("rates", "light", "2")]
        return [[{"schema": schema, "name": name}, entry] for schema, name, entry in entries]

    split = {"schema": "ents", "name": "PER", "title": "PER", "start": 8, "end": 10, "id": "s1"}
    spans = [{**split, "additional_parts": [{"start": 14, "end": 18}]}, {**split, "target_field": "title"}]
    return {
        "user_id": "ann",
        "instance_id_to_label_to_value": {f"r{n}": answers(n) for n in range(4)},
        "instance_id_to_span_to_value": {"r1": [[span, "PER"] for span in spans]},
        "instance_id_to_link_to_value": {"r1": {"l1": {"span_ids": ["s1", "s2"], "link_type": "met"}}},
        "origin": {"kind": "human"},
    }


def potato_lines() -> list[dict[str, Any]]:
    return [
        {"instance_id": f"r{n}", "user_id": who, "labels": {"mood": {"good" if (n + k) % 2 else "bad": "true"}}}
        | {"spans": {"ents": [{"start": 0, "end": 2 + k, "label": "PER", "text": "Ann"[: 2 + k]}]}}
        for n in range(6)
        for k, who in enumerate(PEOPLE)
    ]


def potato_rows(sign: str) -> list[dict[str, Any]]:
    return [
        {"user": who, "instance_id": f"r{n}", "displayed_text": "Ann"}
        | {f"mood{sign}good": "true" if (n + k) % 2 else "", f"mood{sign}bad": "" if (n + k) % 2 else "true"}
        for n in range(6)
        for k, who in enumerate(PEOPLE)
    ]


def langfuse() -> list[dict[str, Any]]:
    kinds = [("helpful", "NUMERIC", None), ("toxic", "BOOLEAN", None), ("tone", "CATEGORICAL", "kind")]
    return [
        {"id": f"{n}{who}{name}", "traceId": f"t{n}", "name": name, "value": (n + k) % 2, "stringValue": word}
        | {"dataType": kind, "source": "ANNOTATION" if k else "EVAL", "authorUserId": who if k else None}
        | {"timestamp": "2026-01-01T00:00:00Z"}
        for n in range(4)
        for k, who in enumerate(PEOPLE)
        for name, kind, word in kinds
    ]


def langfuse_third() -> list[dict[str, Any]]:
    subjects = [{"kind": "trace", "id": "t"}, {"kind": "observation", "id": "o", "traceId": "t"}]
    return [
        {"dataType": "BOOLEAN", "value": (n + k) % 2 == 0, "id": f"{n}{who}", "projectId": "p", "name": "ok"}
        | {"source": "ANNOTATION", "authorUserId": who, "environment": "default", "timestamp": "2026-01-01T00:00:00Z"}
        | {"subject": {**subjects[n % 2], "id": f"i{n}"}}
        for n in range(4)
        for k, who in enumerate(PEOPLE)
    ]


def mlflow() -> list[dict[str, Any]]:
    def one(name: str, value: Any, who: str, kind: str) -> dict[str, Any]:
        source = {"source_type": kind, "source_id": who}
        return {"assessment_name": name, "source": source, "feedback": {"value": value}, "create_time_ms": 1}

    return [
        {"info": {"trace_id": f"tr-{n}", "request_preview": f"text {n}"}
         | {"assessments": [one("ok", n % 2 == 0, "ann", "HUMAN"), one("ok", n > 0, "gpt", "LLM_JUDGE"),
                            one("size", n, "", "CODE"), one("tags", ["a", "b"], "ann", "HUMAN")]}}
        for n in range(4)
    ]  # fmt: skip


def mlflow_rows() -> list[dict[str, Any]]:
    return [
        {"trace_id": one["info"]["trace_id"], "trace": json.dumps(one), "assessments": one["info"]["assessments"]}
        for one in mlflow()
    ]


def as_json(records: Any) -> bytes:
    return json.dumps(records).encode()


def as_lines(records: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def as_table(records: Sequence[Mapping[str, Any]], sign: str = ",") -> bytes:
    import csv

    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=sign)
    writer.writerow(records[0])
    writer.writerows([[str(cell) for cell in record.values()] for record in records])
    return out.getvalue().encode()


def as_parquet(records: list[dict[str, Any]]) -> bytes:
    table, out = need("pyarrow").Table.from_pylist(records), io.BytesIO()
    need("pyarrow.parquet").write_table(table, out, compression="none")
    return out.getvalue()


def as_arrow(records: list[dict[str, Any]]) -> bytes:
    pa, out = need("pyarrow"), io.BytesIO()
    table = pa.Table.from_pylist(records)
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


SAMPLES: dict[str, dict[str, Callable[[], bytes]]] = {
    "argilla": {
        "nested.json": lambda: as_json(argilla(nested=True)),
        "flat.json": lambda: as_json(argilla(nested=False)),
        "a.jsonl": lambda: as_lines(argilla(nested=False)),
        "a.ndjson": lambda: as_lines(argilla(nested=True)),
        "a.csv": lambda: as_table(argilla(nested=False)),
        "a.parquet": lambda: as_parquet(argilla(nested=False)),
        "a.arrow": lambda: as_arrow(argilla(nested=False)),
    },
    "langfuse": {
        "a.csv": lambda: as_table(
            [{name: "" if cell is None else cell for name, cell in r.items()} for r in langfuse()]
        ),
        "a.json": lambda: as_json({"data": langfuse(), "meta": {"page": 1}}),
        "a.jsonl": lambda: as_lines(langfuse()),
        "a.ndjson": lambda: as_lines(langfuse()),
        "third.json": lambda: as_json(langfuse_third()),
    },
    "mlflow": {
        "a.json": lambda: as_json(mlflow()),
        "a.jsonl": lambda: as_lines(mlflow()),
        "a.ndjson": lambda: as_lines(mlflow()),
        "a.csv": lambda: as_table(mlflow_rows()),
    },
    "mturk": {"a.csv": lambda: as_table(mturk()), "a.tsv": lambda: as_table(mturk(), "\t")},
    "appen": {"a.csv": lambda: as_table(appen()), "a.tsv": lambda: as_table(appen(), "\t")},
    "potato": {
        "user_state.json": lambda: as_json(potato("ann")),
        "further.json": lambda: as_json(potato_further()),
        "a.jsonl": lambda: as_lines(potato_lines()),
        "a.ndjson": lambda: as_lines(potato_lines()),
        "a.csv": lambda: as_table(potato_rows(":::")),
        "a.tsv": lambda: as_table(potato_rows(":::"), "\t"),
    },
    "toloka": {
        "a.tsv": lambda: as_table(toloka(), "\t"),
        "a.csv": lambda: as_table(toloka()),
        "a.json": lambda: as_json(toloka_assignments()),
        "search.json": lambda: as_json({"items": toloka_assignments(), "has_more": False}),
        "a.parquet": lambda: as_parquet(toloka()),
        "a.jsonl": lambda: as_lines(toloka_assignments()),
        "a.ndjson": lambda: as_lines(toloka_assignments()),
    },
}
