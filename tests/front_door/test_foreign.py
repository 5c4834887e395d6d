"""Exports of tools: read by the names of their fields, or refused by the name of the tool."""

import csv
import io
import json
import re
import shlex

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree import read
from interagree.cli import main
from interagree.errors import DoubtfulReading, FormatError


@pytest.fixture
def file(tmp_path):
    def write(name, data):
        path = tmp_path / name
        if name.endswith(".json"):
            text = json.dumps(data)
        elif name.endswith(".jsonl"):
            text = "\n".join(map(json.dumps, data))
        else:
            out = io.StringIO(newline="")
            csv.writer(out, delimiter="\t" if name.endswith("tsv") else ",").writerows(data)
            text = out.getvalue()
        path.write_text(text, encoding="utf-8")
        return path

    return write


def follow(error):
    """Take the calls that an error shows, in Python and on the command line."""
    python = re.findall(r"interagree\.(read\('[^']*'(?:, \w+='[^']*')*\))", str(error))
    shell = re.findall(r"interagree (measure .*)", error.for_command_line())
    assert python
    assert shell
    for call in python:
        assert len(eval(call, {"read": ia.read}).single()) > 0
    for call in shell:
        result = CliRunner().invoke(main, shlex.split(call))
        assert result.exit_code == 0, result.output


COCO = {
    "images": [{"id": 1}, {"id": 2}],
    "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}],
    "annotations": [
        {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1]},
        {"id": 2, "image_id": 2, "category_id": 2, "bbox": [0, 0, 1, 1]},
    ],
}
LABELME = {"version": "4", "shapes": [{"label": "a", "points": [[0, 0], [1, 1]]}], "imagePath": "a.jpg"}
UIMA = {"%OTHER": {}, "text": "Google"}
POTATO = {"user_id": "ann", "instance_id_to_label_to_value": {"r1": [[{"schema": "s"}, "true"]]}}
TOLOKA = [{"id": "1", "user_id": "u", "tasks": [{"id": 1}], "solutions": [{"output_values": {"r": "OK"}}]}]
DOCCANO = [
    {"text": "EU rejects German call", "spans": [[0, 2, "ORG"], [11, 17, "MISC"]]},
    {"text": "Peter Blackburn", "spans": [[0, 15, "PERSON"]]},
]
ENTITIES = [{"text": "Google", "ents": [{"id": 0, "start_offset": 0, "end_offset": 6, "label": "ORG"}]}]
DRAFTS = [
    {"id": n, "q.responses": [1, 2], "q.responses.users": ["u", "v"], "q.responses.status": ["submitted", "draft"]}
    for n in range(4)
]


@pytest.mark.parametrize(
    ("name", "data", "tool"),
    [
        ("a.json", COCO, "a COCO file"),
        ("a.json", LABELME, "a LabelMe file"),
        ("a.json", UIMA, "a UIMA CAS"),
        ("a.jsonl", DOCCANO, "doccano or spaCy"),
        ("a.json", ENTITIES, "doccano or spaCy"),
        ("a.jsonl", [{"tokens": ["a"] * n, "ner_tags": [0] * n} for n in (2, 3, 4)], "a tagged text"),
        ("a.json", {"categories": [{"id": 0, "name": "a"}], "info": {"year": 2026}}, "a list of categories"),
    ],
)
def test_exports_that_would_be_misread_are_refused_by_name(file, name, data, tool):
    with pytest.raises(FormatError, match=tool):
        read(file(name, data))


def test_drafts_are_refused_where_records_of_argilla_are_to_be_read_as_any_others(file):
    path = file("a.json", DRAFTS)
    assert "4 drafts left out" in read(path).policy()
    with pytest.raises(FormatError, match="some of the responses are 'draft'"):
        read(path, format="json")


def test_the_state_of_an_annotator_of_potato_is_refused_where_it_is_to_be_read_as_any_other(file):
    with pytest.raises(FormatError, match="Potato"):
        read(file("a.json", POTATO), format="json")


def test_assignments_of_toloka_are_refused_where_they_are_to_be_read_as_any_others(file):
    with pytest.raises(FormatError, match="assignments of Toloka"):
        read(file("a.json", TOLOKA), format="json")


def test_what_is_advised_for_spans_and_boxes_is_read(tmp_path):
    for kind, value in (("spans", '[[0, 2, ""ORG""], [11, 17, ""MISC""]]'), ("boxes", "[[10, 20, 60, 90]]")):
        path = tmp_path / f"{kind}.csv"
        path.write_text(f'item,annotator,value\n1,ann,"{value}"\n1,bo,"{value}"\n', encoding="utf-8")
        assert len(read(path, kind=kind).single()) == 2


SCORES = [
    {
        "id": str(n),
        "traceId": f"t{n // 2}",
        "name": "helpful",
        "value": n % 3,
        "stringValue": None,
        "dataType": "NUMERIC",
        "source": "ANNOTATION",
        "authorUserId": f"u{n % 2}",
    }
    for n in range(12)
]


@pytest.mark.parametrize("data", [SCORES, {"data": SCORES, "meta": {"page": 1}}])
def test_scores_of_langfuse_are_refused_with_calls_that_read_them(file, data):
    with pytest.raises(DoubtfulReading, match="scores of Langfuse") as caught:
        read(file("a.json", data), format="json")
    follow(caught.value)


def test_scores_of_langfuse_in_a_text_file_are_refused_too(file):
    path = file("a.csv", [list(SCORES[0]), *(list(score.values()) for score in SCORES)])
    with pytest.raises(DoubtfulReading, match="scores of Langfuse") as caught:
        read(path, format="csv")
    follow(caught.value)


def batch(*answers, status="Approved"):
    heads = ["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "AcceptTime", "Input.text", *answers]
    rows = [
        [f"h{n}", f"a{n}{who}", who, status, f"9:0{n}", f"text {n}", *("xy"[n % 2] for _ in answers)]
        for n in range(6)
        for who in ("w1", "w2")
    ]
    return [heads, *rows]


def test_a_batch_of_mechanical_turk_with_one_answer_is_read(file):
    study = read(file("a.csv", batch("Answer.label")))
    assert set(study.single().rows()) == {(f"h{n}", who, "xy"[n % 2]) for n in range(6) for who in ("w1", "w2")}
    assert "results of Mechanical Turk: item from 'HITId'" in study.policy()


@pytest.mark.parametrize(
    ("rows", "why"),
    [(batch("Answer.a", "Answer.b"), "there are 2 answers"), (batch("Answer.a", status="Rejected"), "rejected")],
)
def test_a_batch_that_leaves_something_open_is_refused_with_calls_that_read_it(file, rows, why):
    with pytest.raises(DoubtfulReading, match=f"Mechanical Turk.*{why}") as caught:
        read(file("a.csv", rows), format="csv")
    follow(caught.value)


def report(*answers):
    heads = ["_unit_id", "_created_at", "_id", "_trust", "_worker_id", "sentence", *answers]
    rows = [
        [n, f"9:0{n}", f"{n}{who}", 0.9, who, f"text {n}", *("xy"[(n + who) % 2] for _ in answers)]
        for n in range(6)
        for who in (1, 2)
    ]
    return [heads, *rows]


def test_the_report_of_appen_is_read_by_the_one_column_that_differs_within_a_unit(file):
    for form in (None, "csv"):
        study = read(file("a.csv", report("relation")), format=form)
        assert len(study.single().items) == 6
        assert study.single().values == ("x", "y")
    with pytest.raises(DoubtfulReading, match="'relation', 'sure' differ between the workers of a unit") as caught:
        read(file("b.csv", report("relation", "sure")), format="csv")
    follow(caught.value)


def test_rows_that_appen_marks_are_mentioned(file):
    rows = report("relation")
    marked = [[*row, "_tainted" if n == 0 else "true" if n == 1 else "false"] for n, row in enumerate(rows)]
    assert "with the rows that '_tainted' marks" in read(file("a.csv", marked), format="csv").policy()


def results(inputs=("INPUT:image",), golden="", status="APPROVED"):
    heads = [*inputs, "OUTPUT:result", "GOLDEN:result", "ASSIGNMENT:worker_id", "ASSIGNMENT:status"]
    rows = [
        [*(f"p{n}.jpg" for _ in inputs), "xy"[n % 2], golden, who, status] for n in range(6) for who in ("w1", "w2")
    ]
    return [heads, *rows]


def test_results_of_toloka_are_read_or_refused_with_calls_that_read_them(file):
    for form in (None, "csv"):
        study = read(file("a.tsv", results()), format=form)
        assert len(study.single()) == 12
        assert len(study.single().items) == 6
    for rows, why in (
        (results(("INPUT:image", "INPUT:text")), "are the item and the value"),
        (results(golden="x"), "known answer"),
        (results(status="REJECTED"), "some assignments are 'REJECTED'"),
    ):
        with pytest.raises(DoubtfulReading, match=why) as caught:
            read(file("b.tsv", rows), format="csv")
        follow(caught.value)


def test_what_the_caller_says_goes_before_what_a_tool_is_known_for(file):
    path = file("a.csv", batch("Answer.a", "Answer.b"))
    assert list(read(path, item="HITId", annotator="WorkerId", value=["Answer.a", "Answer.b"])) == [
        "Answer.a",
        "Answer.b",
    ]


READ = {
    "argilla/records_flat.json": (40, 13, 164),
    "argilla/records_to_json.json": (40, 13, 164),
    "mturk/platform_amt1.csv": None,
    "appen_crowdflower/platform_cf1.csv": None,
}
REFUSED = {
    "coco": "COCO",
    "labelme": "LabelMe",
    "label_studio_converted/rect_coco": "COCO",
    "label_studio_converted/rect_yolo": "categories",
}


@pytest.mark.parametrize("name", READ)
def test_real_exports_with_a_row_for_each_annotation_are_read(shared, name):
    found = read(shared / "data/formats" / name).single()
    size = len(found.items), len(found.annotators), len(found)
    assert READ[name] in (None, size)
    assert size[1] < size[2]


@pytest.mark.parametrize("folder", REFUSED)
def test_real_exports_that_would_be_misread_are_refused(shared, folder):
    place = shared / "data/formats" / folder
    for path in [place] if place.is_file() else sorted(place.rglob("*.*s*")):
        with pytest.raises(ia.errors.DataError, match=REFUSED[folder]):
            read(path)
