"""The part of each column as it is chosen on the page, and what is read by it."""

import json
import shlex

import pytest

import interagree as ia
from interagree.errors import InteragreeError
from interagree.serve.columns import options_of, parts_of

NAMES = ["id", "who", "tone", "topic", "ann", "bo", "text", "n"]
LAYOUTS = [
    ({"id": "item", "who": "annotator", "tone": "answer"}, {"item": "id", "annotator": "who", "value": "tone"}),
    (
        {"id": "item", "text": "item", "who": "annotator", "tone": "answer", "topic": "answer"},
        {"item": ["id", "text"], "annotator": "who", "value": ["tone", "topic"]},
    ),
    (
        {"id": "item", "who": "annotator", "tone": "answer", "topic": "question"},
        {"item": "id", "annotator": "who", "value": "tone", "question": "topic"},
    ),
    ({"who": "annotator", "tone": "answer"}, {"item": "{row}", "annotator": "who", "value": "tone"}),
    ({"id": "item", "ann": "person", "bo": "person"}, {"item": "id", "annotator": ["ann", "bo"]}),
    (
        {"id": "item", "ann": "person", "bo": "person", "n": "times"},
        {"item": "id", "annotator": ["ann", "bo"], "times": "n"},
    ),
    (
        {"who": "annotator", "ann": "annotator", "tone": "answer", "topic": "answer"},
        {"annotator": ["who", "ann"], "value": ["tone", "topic"]},
    ),
    (
        {"who": "annotator", "tone": "of item", "topic": "of item"},
        {"layout": "transposed", "annotator": "who", "value": ["tone", "topic"]},
    ),
    (
        {"id": "item", "ann": "count", "bo": "count"},
        {"item": "id", "layout": "counts", "attributes": ["who", "tone", "topic", "text", "n"]},
    ),
]


def numbered(parts):
    return {str(NAMES.index(name)): part for name, part in parts.items()}


@pytest.mark.parametrize(("parts", "options"), LAYOUTS)
def test_parts_are_options_and_options_parts(parts, options):
    assert options_of(NAMES, numbered(parts)) == options
    assert parts_of(NAMES, options) == numbered(parts)


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({}, "no column says the answer"),
        ({"who": "annotator"}, "no column says the answer"),
        ({"tone": "answer"}, "no column says who answered"),
        ({"ann": "person"}, "two columns or more"),
        ({"ann": "person", "bo": "person", "who": "annotator"}, "then no column says who answered"),
        ({"ann": "person", "bo": "person", "tone": "answer"}, "a table has one layout"),
        ({"ann": "person", "bo": "count", "who": "count"}, "a table has one layout"),
        ({"ann": "count"}, "two columns or more"),
        ({"ann": "of item", "bo": "of item", "id": "item"}, "none is the item"),
        ({"ann": "person", "bo": "person", "topic": "question"}, "a column says which question only beside"),
        ({"who": "annotator", "tone": "answer", "n": "times", "id": "times"}, "only one column"),
        ({"who": "nobody"}, "a part is one of"),
        ({"who": ["item"]}, "a part is one of"),
    ],
)
def test_parts_that_do_not_go_together_are_told_apart(parts, why):
    with pytest.raises(InteragreeError, match=why):
        options_of(NAMES, numbered(parts))


def test_what_a_pattern_says_is_not_said_by_parts():
    assert parts_of(NAMES, {"columns": "{question}_{annotator}", "annotator": ["a", "b"]}) is None


@pytest.fixture
def codes(tmp_path):
    path = tmp_path / "codes.csv"
    rows = [f"text {k},{k % 3},{k % 4 % 3},{k % 5 % 3}\n" for k in range(30)]
    path.write_text("text,a,b,c\n" + "".join(rows), encoding="utf-8")
    return path


def test_a_reading_in_doubt_can_be_said_column_by_column(codes, opened):
    client = opened(codes)
    assert client.get("/state.json").json["state"] == "doubtful"
    form = client.get("/columns.json").json
    assert [column["name"] for column in form["columns"]] == ["text", "a", "b", "c"]
    assert form["columns"][0]["cells"] == [f"text {k}" for k in range(6)]
    assert set(form["parts"].values()) <= {part for part, _ in form["choices"]}
    parts = {"0": "item", "1": "person", "3": "person"}
    shown = client.get("/columns.json", parts=json.dumps(parts)).json
    assert shown["header"] == ["item", "annotator", "value"]
    assert shown["rows"][:3] == [["text 0", "a", "0"], ["text 0", "c", "0"], ["text 1", "a", "1"]]
    assert shown["sizes"] == "30 items, 2 annotators"
    assert client.get("/state.json").json["state"] == "doubtful"  # looked at, and nothing else
    assert client.get("/overview.json").json.get("cards") is None
    assert shlex.split(shown["command"]) == [
        *["interagree", "serve", "codes.csv", "--item", "text", "--annotator", "a", "--annotator", "c"]
    ]
    assert shown["python"] == "interagree.read('codes.csv', item='text', annotator=['a', 'c'])"
    answer = client.post("/reading.json", {"parts": parts})
    assert answer.status == 202, answer.body
    client.workspace._thread.join()
    study = client.workspace.study.single()
    assert study.annotators == ("a", "c")
    assert [*study.rows()] == [*ia.read(codes, item="text", annotator=["a", "c"]).single().rows()]


def test_the_project_remembers_how_it_was_read(codes, opened, tmp_path):
    client = opened(codes, project=tmp_path / "p.interagree")
    client.post("/reading.json", {"parts": {"0": "item", "1": "person", "3": "person"}})
    client.workspace._thread.join()
    (file,) = client.project.files()
    assert file.options == {"item": "text", "annotator": ["a", "c"]}


@pytest.mark.parametrize(
    "parts", ["nonsense", "[]", "{}", '{"1": "person"}', '{"1": "item", "2": "annotator", "3": "answer"}']
)
def test_what_cannot_be_read_is_said_beside_the_form(parts, codes, opened):
    """In the preview as a sentence; whoever sends it as a choice is refused."""
    client = opened(codes)
    shown = client.get("/columns.json", parts=parts)
    assert shown.status == 200
    assert shown.json["error"]
    if parts == "nonsense":
        return
    answer = client.post("/reading.json", {"parts": json.loads(parts)})
    if answer.status == 202:  # it states a reading that the rows are not of
        client.workspace._thread.join()
        assert client.workspace.state == "failed"
        assert client.get("/columns.json").json["columns"]  # so that it can be mended
    else:
        assert answer.status == 422, answer.body


def test_files_that_were_read_can_be_read_otherwise(opened, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(
        "item,annotator,label,mood\n" + "".join(f"i{k},{who},{k % 2},{k % 3}\n" for k in range(20) for who in "ab")
    )
    client = opened(path, options={"value": "label"})
    form = client.get("/columns.json").json
    assert form["parts"] == {"0": "item", "1": "annotator", "2": "answer"}
    answer = client.post("/reading.json", {"parts": {**form["parts"], "2": "", "3": "answer"}})
    assert answer.status == 202
    client.workspace._thread.join()
    assert client.workspace.study.single().values == ("0", "1", "2")


def test_files_that_are_no_table_have_no_columns_to_say(opened, tmp_path):
    path = tmp_path / "export.json"
    results = [{"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": ["good"]}}]
    tasks = [
        {
            "id": k,
            "data": {"text": f"t{k}"},
            "annotations": [{"completed_by": who, "result": results} for who in (1, 2)],
        }
        for k in range(3)
    ]
    path.write_text(json.dumps(tasks), encoding="utf-8")
    client = opened(path)
    assert client.workspace.state == "ready", client.workspace.error
    assert client.get("/columns.json").json["columns"] == []
    answer = client.post("/reading.json", {"parts": {"0": "item"}})
    assert answer.status == 422
    assert "not a table" in answer.json["error"]


def test_every_offered_reading_is_shown_with_its_rows(opened, tmp_path):
    """Also those of which nobody knows who said what, and the sheets of a workbook."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for number, name in enumerate(("one", "two")):
        sheet = book.active if not number else book.create_sheet()
        sheet.title = name
        sheet.append(["item", "annotator", "label"])
        for k in range(12):
            for who in "ab":
                sheet.append([f"{name} {k}", who, "xy"[k % 2]])
    path = tmp_path / "book.xlsx"
    book.save(path)
    counts = tmp_path / "counts.csv"
    counts.write_text("name,v1,v2,v3\n" + "".join(f"n{k},{k % 3},{(k + 1) % 3},{(k * k) % 3}\n" for k in range(20)))
    seen = []
    for file in (path, counts):
        client = opened(file)
        if client.workspace.state == "doubtful":
            readings = client.get("/reading.json").json["doubt"]["readings"]
            assert readings
            assert all(reading["rows"] and reading["header"] for reading in readings), readings
            seen += [reading["header"] for reading in readings]
    assert ["item", "value", "times"] in seen
