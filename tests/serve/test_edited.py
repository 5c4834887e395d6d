"""Answers with parts that are edited: taken as they were given where nobody touched them, checked, and read back."""

import json

import pytest
from edited_files import ANSWERS, kind_of, written

import interagree as ia
from interagree.serve.edited import stored

# What the page sends of each, and how the library writes it.
SENT = {
    "boxes": ([[12, 20, 61, 84, 0], [100, 20, 130, 60, 1]], [[12, 20, 61, 84, "cat"], [100, 20, 130, 60, "dog"]]),
    "fractions": ([[0.1, 0.2, 0.5125, 0.6, -1]], [[0.1, 0.2, 0.5125, 0.6]]),
    "polygons": (
        [[0, [10, 10, 70, 14, 20, 50]], [1, [0, 0, 5, 0, 5, 5], [9, 9, 12, 9, 9, 12]]],
        [
            {"label": "car", "points": [[10, 10], [70, 14], [20, 50]]},
            {"label": "bus", "points": [[[0, 0], [5, 0], [5, 5]], [[9, 9], [12, 9], [9, 12]]]},
        ],
    ),
    "outlines": ([[-1, [0, 0, 5, 0, 5, 5.5]]], [[[0, 0], [5, 0], [5, 5.5]]]),
    "lengths": ([11, [7, -1], [3, -1]], [3, 4, 4]),
    "types": ([11, [4, 0], [5, 1], [1, 1]], {"boundaries": {"mood": [4], "topic": [1, 5]}, "length": 11}),
    "units": ([[1.5, 4.75, 0], [10, 12, 1]], [[1.5, 4.75, "claim"], [10, 12, "reason"]]),
    "rankings": ([2, 0, 3, 1], ["pear", "apple", "plum", "fig"]),
}
FIRST = '"i0"'


@pytest.fixture
def client(opened, tmp_path):
    def client(name):
        made = opened(written(name, tmp_path), options={"kind": kind_of(name)})
        assert made.workspace.state == "ready", made.workspace.error
        return made

    return client


def shown(client):
    return client.get("/decide.json", question="value", item=FIRST).json


def read_back(client, tmp_path, name):
    path = tmp_path / "gold.jsonl"
    path.write_bytes(client.get("/gold", question="value", to="jsonl").body)
    back = ia.read(path, item="item", annotator="annotator", value="value", kind=kind_of(name)).single()
    return {item: value for item, _, value in back.rows()}


@pytest.mark.parametrize("name", SENT)
def test_what_is_edited_is_what_is_read_back(name, client, tmp_path):
    sent, wanted = SENT[name]
    page = client(name)
    answer = page.decide("value", FIRST, value=sent)
    assert answer.status == 201, answer.body
    again = page.decide("value", FIRST, value=shown(page)["standing"]["edit"], op="what stands, edited on")
    assert again.json["event"]["value"] == answer.json["event"]["value"]
    path = tmp_path / "wanted.jsonl"
    path.write_text(json.dumps({"item": "i0", "annotator": "gold", "value": wanted}) + "\n", encoding="utf-8")
    expected = ia.read(path, item="item", annotator="annotator", value="value", kind=kind_of(name)).single()
    assert read_back(page, tmp_path, name)["i0"] == expected.values[0]


def as_in_a_browser(number):
    return int(float(number)) if float(number).is_integer() else float(number)


@pytest.mark.parametrize("name", SENT)
def test_an_answer_that_nobody_touched_stays_the_one_that_was_given(name, client):
    """Also its whole numbers, which a browser writes as 6 where the file has 6.0."""
    page = client(name)
    item = shown(page)
    assert len(item["choices"]) == 3
    for choice in item["choices"]:
        sent = json.loads(json.dumps(choice["edit"]), parse_float=as_in_a_browser)
        answer = page.decide("value", FIRST, value=sent, op=f"an operation {choice['letter']}")
        assert answer.json["event"]["value"] == choice["stored"]


AGREED = {
    "boxes": [[100, 20, 130, 60, "dog"]],
    "polygons": [ANSWERS["polygons"][2][0]],
    "types": {"boundaries": {"topic": [2]}, "length": 11},
    "units": [[6.0, 9.5, "reason"]],
}


@pytest.mark.parametrize("name", SENT)
def test_what_all_agree_on_is_offered(name, client, tmp_path):
    """Where it is something: rankings and the others of these have no part in common."""
    page = client(name)
    agreed = shown(page)["agreed"]
    if name not in AGREED:
        assert agreed is None
        return
    assert agreed["words"]
    assert page.decide("value", FIRST, value=agreed["edit"]).status == 201
    path = tmp_path / "wanted.jsonl"
    path.write_text(json.dumps({"item": "i0", "annotator": "gold", "value": AGREED[name]}) + "\n", encoding="utf-8")
    expected = ia.read(path, item="item", annotator="annotator", value="value", kind=kind_of(name)).single()
    assert read_back(page, tmp_path, name)["i0"] == expected.values[0]


WRONG = {
    "boxes": [
        ([[10, 20, 5, 80, 0]], "ends before it begins"),
        ([[10, 20, 10, 80, 0]], "has no area"),
        ([[10, 20, "x", 80, 0]], "a position is a number"),
        ([[10, 20, True, 80, 0]], "a position is a number"),
        ([[10, 20, 1e200, 80, 0]], "a position is a number"),
        ([[10, 20, 50, 80, 7]], "a label is its number, from 0 to 1"),
        ([[10, 20, 50, 80]], "x0, y0, x1, y1, label"),
        ([7], "x0, y0, x1, y1, label"),
        ({"a": 1}, "a list of"),
    ],
    "polygons": [
        ([[0, [1, 1, 2, 2]]], "at least three points"),
        ([[0, [1, 1, 2, 2, 1, 1]]], "at least three points"),
        ([[0, [1, 1, 2, 2, 3, 1, 9]]], "at least three points"),
        ([[0]], "has 0 points"),
        ([[0, [1, 1, 2, 2, 3, None]]], "a position is a number"),
        ([[5, [1, 1, 2, 2, 3, 1]]], "a label is its number"),
        ([[]], "has 0 points"),
        ("x", "a list of"),
    ],
    "lengths": [
        ([12, [3, -1]], "as long as some annotator says"),
        ([11, [0, -1]], "one of the units 1 to 10"),
        ([11, [11, -1]], "one of the units 1 to 10"),
        ([11, [2.5, -1]], "one of the units 1 to 10"),
        ([11, [3, -1], [3, -1]], "0 units long"),
        ([11, [3, 0]], "a label is its number"),
        ([], "as long as some annotator says"),
        ([11, 3], "a list of a length and of"),
    ],
    "types": [
        ([11, [3, -1], [4, 0]], "some boundaries have a type and some have none"),
        ([11, [3, 0], [3, 0]], "occurs twice"),
    ],
    "units": [
        ([[4, 4, 0]], "has no length"),
        ([[5, 4, 0]], "has no length"),
        ([[1, "x", 0]], "a position is a number"),
        ([[1, 2]], "begin, end, label"),
        ([[1, 2, 9]], "a label is its number"),
    ],
    "rankings": [
        ([0, 0, 1], "occurs twice"),
        ([0], "1 ids instead of at least 2"),
        ([0, 9], "a label is its number"),
        ("x", "a list of"),
    ],
}


@pytest.mark.parametrize(("name", "sent", "why"), [(name, *case) for name, cases in WRONG.items() for case in cases])
def test_what_cannot_be_is_refused_in_words(name, sent, why, client):
    page = client(name)
    answer = page.decide("value", FIRST, value=sent)
    assert answer.status == 422, answer.body
    assert why in answer.json["error"]
    assert page.project.last == 0


def test_a_study_of_too_many_labels_is_chosen_whole(opened, tmp_path):
    path = tmp_path / "many.jsonl"
    rows = [
        {"item": f"i{item}", "annotator": who, "value": [[0, 0, 5 + add, 5, f"label {2 * item + add}"]]}
        for item in range(1100)
        for add, who in enumerate(("ann", "bo"))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    item = opened(path).get("/decide.json", question="value", item='"i5"').json
    assert (item["editor"], item["options"], item["agreed"]) == (None, [], None)
    assert {choice["stored"] for choice in item["choices"]} == {
        stored(value) for value in (((0, 0, 5, 5, "label 10"),), ((0, 0, 6, 5, "label 11"),))
    }


def test_what_stands_and_nobody_says_any_more_is_not_edited_on(opened, tmp_path):
    """The file changed: the entry that was ranked is gone from it."""
    path = tmp_path / "ranked.jsonl"
    rows = [
        {"item": f"i{item}", "annotator": who, "value": order}
        for item in range(3)
        for who, order in (("ann", ["fig", "pear", "plum"]), ("bo", ["pear", "fig", "plum"]))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    project = tmp_path / "w.interagree"
    page = opened(path, options={"kind": "rankings"}, project=project)
    assert page.decide("value", FIRST, value=[2, 1, 0]).status == 201
    path.write_text(path.read_text(encoding="utf-8").replace("plum", "kiwi"), encoding="utf-8")
    page.workspace.open(page.project.files(), {"kind": "rankings"}, wait=True)
    item = shown(page)
    assert item["status"] == "changed"
    assert item["standing"]["edit"] is None
    assert item["standing"]["words"] == "plum > pear > fig"
