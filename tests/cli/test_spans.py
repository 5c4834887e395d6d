"""`spans`, and what reports say of marked text."""

import csv
import io
import json
from pathlib import Path

import pytest

import interagree as ia

TEXTS = {"a": "Ann Lee met Bo. They left Rome, at last.", "b": "Nothing here."}
MARKS = {
    ("a", "x"): [[0, 7, "PER"], [12, 14, "PER"], [26, 30, "LOC"]],
    ("a", "y"): [[0, 3, "PER"], [4, 7, "PER"], [12, 15, "PER"], [26, 31, "LOC"]],
    ("a", "z"): [[0, 7, "PER"], [12, 14, "LOC"]],
    ("b", "x"): [],
    ("b", "y"): [],
}


@pytest.fixture(autouse=True)
def marked(folder):
    """A small study of spans with its texts."""
    lines = [
        json.dumps({"item": item, "annotator": who, "value": spans, "text": TEXTS[item]})
        for (item, who), spans in MARKS.items()
    ]
    (folder / "marked.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_everything_is_shown(run):
    out = run("spans", "marked.jsonl").stdout
    assert out.startswith("9 spans by 3 annotators in 2 documents; positions count characters.\n")
    for title in (
        "From strict to lenient",
        "Types of disagreement",
        "Confused labels",
        "F1 of annotators (exact)",
        "F1 of labels (exact)",
        "disagreements",
    ):
        assert title in out
    assert "punctuation trimmed" in out
    assert "split" in out


def test_one_document_is_shown_with_all_marks(run):
    out = run("spans", "marked.jsonl", "--document", "a").stdout
    assert "Ann Lee met Bo." in out
    assert "[PER──" in out
    quiet = run("spans", "marked.jsonl", "--document", "a", "--no-text").stdout
    assert "Lee" not in quiet
    assert "split" in quiet or "merge" in quiet


def test_texts_can_be_left_out_of_everything(run):
    for more in ((), ("--csv",), ("--json",)):
        assert "Lee" not in run("spans", "marked.jsonl", "--no-text", *more).stdout
    assert "Ann Lee" in run("spans", "marked.jsonl").stdout


def test_tables_for_machines_hold_all_disagreements(run):
    rows = [*csv.DictReader(io.StringIO(run("spans", "marked.jsonl", "--csv", "--top", 1).stdout))]
    found = ia.spans.span_types(ia.read("marked.jsonl")).table(most=None)
    assert [row["type"] for row in rows] == [*found["type"]]
    run("spans", "marked.jsonl", "-o", "all.csv")
    assert len(Path("all.csv").read_text(encoding="utf-8").splitlines()) == len(found) + 1
    data = json.loads(run("spans", "marked.jsonl", "--json").stdout)
    assert data["panel"]["exact"]["pooled"]["value"] == pytest.approx(ia.span_f1(ia.read("marked.jsonl")).value)
    assert data["pairs"] == 4
    only = run("spans", "marked.jsonl", "--csv", "--types", "label,split").stdout
    assert {row["type"] for row in csv.DictReader(io.StringIO(only))} == {"label", "split"}


def test_against_a_gold_standard_and_by_token(run):
    out = run("spans", "marked.jsonl", "--gold", "x", "--match", "overlap", "--tokens", "alpha").stdout
    assert "F1 of labels (overlap)" in out
    assert "Tokens (alpha)" in out
    assert "binary" in out


def test_what_cannot_be_is_said(run):
    assert "no type of disagreement 'bounds'" in run("spans", "marked.jsonl", "--types", "bounds", code=2).stderr
    assert "no document 'c'" in run("spans", "marked.jsonl", "--document", "c", code=2).stderr
    assert "spans were expected" in run("spans", "mixed.csv", code=2).stderr
    assert "match='nearly'" in run("spans", "marked.jsonl", "--match", "nearly", code=2).stderr
    Path("one.jsonl").write_text('{"item": "a", "annotator": "x", "value": [[0, 1, "X"]]}\n', encoding="utf-8")
    assert "1 span by 1 annotator in 1 document" in run("spans", "one.jsonl", code=3).stdout


def test_the_question_of_spans_is_found_among_others(run):
    tasks = [
        {
            "id": 1,
            "data": {"text": TEXTS["a"]},
            "annotations": [
                {
                    "completed_by": who,
                    "result": [
                        {
                            "from_name": "names",
                            "to_name": "text",
                            "type": "labels",
                            "value": {"start": 0, "end": 7, "text": "Ann Lee", "labels": ["PER"]},
                        },
                        {"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": ["calm"]}},
                    ],
                }
                for who in (1, 2)
            ],
        }
    ]
    Path("export.json").write_text(json.dumps(tasks), encoding="utf-8")
    assert "2 spans by 2 annotators" in run("spans", "export.json").stdout
    assert "spans were expected" in run("spans", "export.json", "-q", "tone", code=2).stderr


def test_a_report_tells_of_boundaries_types_and_the_worst_text(run):
    out = run("report", "marked.jsonl", "--full").stdout
    assert "From strict to lenient" in out
    assert "Types of disagreement" in out
    assert "Most disputed document: a" in out
    assert "Ann Lee met Bo." in out
    assert "Lee" not in run("report", "marked.jsonl", "--no-text").stdout
    assert "Span F1, match overlap" in out
    same = [(item, "x", spans) for (item, _), spans in MARKS.items()][:1]
    agreed = ia.report(ia.Annotations.of([*same, (same[0][0], "y", same[0][2])], kind="spans")).to_text()
    assert "Most disputed document" not in agreed


def test_gold_changes_every_table_and_options_reach_the_reader(run):
    plain, gold = (run("spans", "marked.jsonl", *more).stdout for more in ((), ("--gold", "x")))
    first = [out.split("exact ")[1].split("\n")[0] for out in (plain, gold)]
    assert first[0] != first[1]
    assert "SemEval-2013 scores against x" in gold
    Path("two.conll").write_text("Ann B-PER O\nLee I-PER O\n\nBo O O\n", encoding="utf-8")
    out = run("spans", "two.conll", "-O", "columns=1,2").stdout
    assert "by 2 annotators" in out
    assert "-O takes NAME=VALUE" in run("spans", "two.conll", "-O", "columns", code=2).stderr


def test_spans_survive_every_format(run):
    for target in ("out.parquet", "out.csv", "out.jsonl", "out.xlsx"):
        run("convert", "marked.jsonl", target)
        assert ia.span_f1(ia.read(target)).value == pytest.approx(ia.span_f1(ia.read("marked.jsonl")).value)


def test_features_of_spans_that_overlap_are_compared(run):
    out = run("spans", "marked.jsonl", "--feature", "label", "--top", 0).stdout
    assert "The label of spans that overlap (alpha)" in out
    assert "α = " in out
    assert "no span has" in run("spans", "marked.jsonl", "--feature", "mood", code=2).stderr.lower()


def test_what_is_no_measure_and_what_is_no_json_is_said(run):
    said = run("measure", "marked.jsonl", "-m", "token_agreement", code=2).stderr
    assert "interagree spans FILE --tokens alpha" in said
    Path("py.csv").write_text("item,annotator,value\nd,a,\"[[0, 3, 'X']]\"\nd,b,\"[[0, 3, 'X']]\"\n", encoding="utf-8")
    assert "double quotes" in run("spans", "py.csv", code=2).stderr
