"""Exports of tools: read by the names of their fields, or refused by the name of the tool."""

import csv
import io
import json

import pytest

import interagree as ia
from interagree import read
from interagree.errors import FormatError


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


def report(*answers):
    heads = ["_unit_id", "_created_at", "_id", "_trust", "_worker_id", "sentence", *answers]
    rows = [
        [n, f"9:0{n}", f"{n}{who}", 0.9, who, f"text {n}", *("xy"[(n + who) % 2] for _ in answers)]
        for n in range(6)
        for who in (1, 2)
    ]
    return [heads, *rows]


def results(inputs=("INPUT:image",), golden="", status="APPROVED"):
    heads = [*inputs, "OUTPUT:result", "GOLDEN:result", "ASSIGNMENT:worker_id", "ASSIGNMENT:status"]
    rows = [
        [*(f"p{n}.jpg" for _ in inputs), "xy"[n % 2], golden, who, status] for n in range(6) for who in ("w1", "w2")
    ]
    return [heads, *rows]


@pytest.mark.parametrize(
    ("name", "rows", "tool"),
    [
        ("a.csv", batch("Answer.label"), "mturk"),
        ("a.csv", report("relation"), "appen"),
        ("a.tsv", results(), "toloka"),
        ("a.csv", [list(SCORES[0]), *(list(score.values()) for score in SCORES)], "langfuse"),
        ("a.json", SCORES, "langfuse"),
    ],
)
def test_an_export_that_is_to_be_read_as_any_other_table_is_named(file, name, rows, tool):
    path = file(name, rows)
    assert read(path).policy() == read(path, format=tool).policy()
    plain = "json" if name.endswith("json") else "csv"
    try:
        said = read(path, format=plain, item=None).policy()
    except ia.errors.DataError:
        return
    assert f"to read it as such, pass format='{tool}'" in said


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
    "coco": "COCO|panoptic",
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
