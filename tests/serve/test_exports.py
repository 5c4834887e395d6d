"""What is decided comes back as it was decided: by every writer, for every kind, with where each answer comes from."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest

import interagree as ia
from interagree.serve import export
from interagree.serve.edited import stored

FILES = Path(__file__).parents[2] / "docs" / "files"
SEVERITY = ["none", "mild", "moderate", "severe"]
KINDS = {
    "labels": ("posts.csv", {}),
    "ordered": ("severity.csv", {"values": SEVERITY, "ordered": True}),
    "sets": ("topics.csv", {"split": ";"}),
    "numbers": ("lengths.csv", {}),
    "text": ("captions.jsonl", {}),
    "spans": ("notices.jsonl", {}),
    "boxes": ("boxes.jsonl", {}),
    "keypoints": ("birds.jsonl", {}),
    "vectors": ("emotions.jsonl", {}),
    "rankings": ("fruit.jsonl", {}),
    "trees": ("parses.csv", {}),
}


def gold(client, question, to="jsonl"):
    answer = client.get("/gold", question=question, to=to)
    assert answer.status == 200, answer.body
    return answer.body


def decided(client, question, most=4):
    """Take the last of the answers to each of some items; what was taken, by item."""
    taken = {}
    for row in client.get("/queue.json", question=question).json["rows"][:most]:
        choice = client.get("/decide.json", question=question, item=row["item"]).json["choices"][-1]
        answer = client.decide(question, row["item"], stored=choice["stored"], comment="by hand")
        assert answer.status == 201, answer.body
        taken[row["item"]] = choice["stored"]
    return taken


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_that_is_taken_whole_is_read_back(kind, opened, tmp_path):
    name, options = KINDS[kind]
    client = opened(FILES / name, options=options)
    (question,) = client.get("/state.json").json["questions"]
    taken = decided(client, question)
    assert taken
    for form in ("jsonl", "json"):
        path = tmp_path / f"gold.{form}"
        path.write_bytes(gold(client, question, form))
        further = {"values": SEVERITY, "ordered": True} if kind == "ordered" else {"kind": kind}
        further = {} if kind in ("labels", "numbers") else further
        back = ia.read(path, item="item", annotator="annotator", value="value", **further).single()
        assert back.kind == client.workspace.asked[question].study.kind
        values = {stored(item): stored(value) for item, _, value in back.rows()}
        assert {item: values[item] for item in taken} == taken


EDITED = {  # what the page sends, and what it becomes
    "labels": (lambda item: item["options"].index("spam"), lambda value: value == "spam"),
    "ordered": (lambda item: item["options"].index("severe"), lambda value: value == "severe"),
    "sets": (lambda _: [0, 2], lambda value: len(value) == 2 and isinstance(value, frozenset)),
    "numbers": (lambda _: 12.5, lambda value: value == 12.5),
    "text": (lambda _: "A dog, asleep \u05d0\U0001f600", lambda value: value == "A dog, asleep \u05d0\U0001f600"),
    "spans": (lambda _: [[0, 4, 0], [5, 9, 1]], lambda value: [span[:2] for span in value] == [(0, 4), (5, 9)]),
}


@pytest.mark.parametrize("kind", EDITED)
def test_an_edited_answer_is_read_back(kind, opened, tmp_path):
    name, options = KINDS[kind]
    client = opened(FILES / name, options=options)
    (question,) = client.get("/state.json").json["questions"]
    key = client.get("/queue.json", question=question).json["rows"][0]["item"]
    item = client.get("/decide.json", question=question, item=key).json
    send, right = EDITED[kind]
    answer = client.decide(question, key, value=send(item))
    assert answer.status == 201, answer.body
    path = tmp_path / "gold.jsonl"
    path.write_bytes(gold(client, question))
    further = {"kind": kind} if kind in ("sets", "spans", "text") else {}
    back = ia.read(path, item="item", annotator="annotator", value="value", **further).single()
    values = {stored(item): value for item, _, value in back.rows()}
    assert right(values[key]), values[key]


TEXT = "\u05e9\u05dc\u05d5\u05dd Ann \U0001f468\u200d\U0001f469\u200d\U0001f467 met \u674e\u56db in Rome"


@pytest.fixture
def marked(tmp_path):
    """A text of several scripts, in which two annotators marked different people."""
    ann, li = TEXT.index("Ann"), TEXT.index("\u674e")
    rows = [
        {"item": "d1", "annotator": "a", "value": [[ann, ann + 3, "PER"]]},
        {"item": "d1", "annotator": "b", "value": [{"fragments": [[ann, ann + 3], [li, li + 2]], "label": "PER"}]},
    ]
    path = tmp_path / "marked.jsonl"
    path.write_text("".join(json.dumps(row | {"text": TEXT}) + "\n" for row in rows), encoding="utf-8")
    return path


def in_units(text, part):
    begin = len(text[: text.index(part)].encode("utf-16-le")) // 2
    return [begin, begin + len(part.encode("utf-16-le")) // 2]


def test_what_is_marked_is_what_is_stored(opened, marked):
    """Also behind emoji and letters from right to left: the page counts UTF-16 units, the log code points."""
    client = opened(marked)
    (question,) = client.get("/state.json").json["questions"]
    parts = ["\u05e9\u05dc\u05d5\u05dd", "Ann", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u674e\u56db", "Rome"]
    sent = [[*in_units(TEXT, part), 0] for part in parts]
    answer = client.decide(question, '"d1"', value=sent)
    assert answer.status == 201, answer.body
    spans = json.loads(answer.json["event"]["value"])
    assert [TEXT[begin:end] for begin, end, _ in spans] == parts
    assert {label for *_, label in spans} == {"PER"}


def test_a_span_in_pieces_that_nobody_touched_stays_as_it_was_given(opened, marked):
    client = opened(marked)
    (question,) = client.get("/state.json").json["questions"]
    item = client.get("/decide.json", question=question, item='"d1"').json
    (pieces,) = [choice for choice in item["choices"] if choice["people"] == [1]]
    answer = client.decide(question, '"d1"', value=pieces["edit"])
    assert answer.json["event"]["value"] == pieces["stored"]


@pytest.mark.parametrize(
    "wrong",
    [
        [[0, 0, 0]],
        [[3, 1, 0]],
        [[0, 10_000, 0]],
        [[0, 3, 9]],
        [[0, 3]],
        [["0", 3, 0]],
        [[-1, 3, 0]],
        "x",
        [[10, 11, 0]],
    ],
)
def test_spans_that_cannot_be_are_refused(opened, marked, wrong):
    """The last one cuts an emoji in two."""
    client = opened(marked)
    (question,) = client.get("/state.json").json["questions"]
    answer = client.decide(question, '"d1"', value=wrong)
    assert answer.status == 422, answer.body


def test_spans_of_tokens_are_of_whole_tokens(opened, tmp_path):
    path = tmp_path / "words.conll"
    path.mkdir()
    for name, tags in (("ann", "B-PER O O B-LOC"), ("bo", "B-PER O O O")):
        rows = zip(["Ann", "lives", "in", "Rome"], tags.split(), strict=True)
        (path / f"{name}.conll").write_text("".join(f"{word}\t{tag}\n" for word, tag in rows) + "\n", encoding="utf-8")
    client = opened(path)
    assert client.workspace.state == "ready", client.workspace.error
    (question,) = client.get("/state.json").json["questions"]
    (row,) = client.get("/queue.json", question=question).json["rows"]
    item = client.get("/decide.json", question=question, item=row["item"]).json
    assert item["editor"] == "spans"
    assert item["whole_tokens"]
    text = item["drawn"]["text"]
    low, high = text.index("lives"), text.index("in") + 1
    answer = client.decide(question, row["item"], value=[[low, high, item["options"].index("LOC")]])
    assert [span[:2] for span in json.loads(answer.json["event"]["value"])] == [[1, 3]]


def test_each_row_says_where_it_comes_from(opened):
    client = opened(FILES / "posts.csv")
    rows = client.get("/queue.json", question="value").json["rows"]
    client.decide("value", rows[0]["item"], stored='"rude"', reason="Slip", comment="=1+1", who="zoë", blind=True)
    client.decide("value", rows[1]["item"], "nothing")
    client.decide("value", rows[2]["item"], "cannot")
    client.decide("value", rows[3]["item"], "skip")
    origins = client.get("/export.json").json["exports"][0]["origins"]
    assert origins == {
        "unanimous": 30,
        "decided": 1,
        "nothing right, left out": 1,
        "cannot be decided": 1,
        "skipped": 1,
        "open": 86,
    }
    table = [*csv.DictReader(io.StringIO(gold(client, "value", "csv").decode("utf-8-sig")))]
    assert len(table) == 31
    assert {row["annotator"] for row in table} == {"gold"}
    (row,) = [row for row in table if row["origin"] == "decided"]
    assert (row["value"], row["decided by"], row["reason"]) == ("rude", "zoë", "Slip")
    assert row["blind"].lower() == "true"
    assert row["decided at"].endswith("Z")
    study = client.workspace.asked["value"].study
    agreed = {item: {value for other, _, value in study.rows() if other == item} for item in study.items}
    for row in table:
        if row["origin"] == "unanimous":
            assert agreed[row["item"]] == {row["value"]}


def test_nothing_right_is_an_empty_answer_where_there_is_one(opened):
    client = opened(FILES / "notices.jsonl")
    (question,) = client.get("/state.json").json["questions"]
    key = client.get("/queue.json", question=question).json["rows"][1]["item"]
    client.decide(question, key, "nothing")
    rows = [json.loads(line) for line in gold(client, question).decode().splitlines()]
    (row,) = [row for row in rows if json.dumps(row["item"]) == key]
    assert row["value"] == []
    assert row["origin"] == "nothing right"


WRITTEN = {
    "labels": ("excel", "label_studio", "prodigy", "doccano"),
    "spans": ("label_studio", "prodigy", "doccano", "brat", "webanno"),
}


@pytest.mark.parametrize(("kind", "tool"), [(kind, tool) for kind, tools in WRITTEN.items() for tool in tools])
def test_gold_is_written_for_tools_and_read_back(kind, tool, opened, tmp_path):
    name, options = KINDS[kind]
    client = opened(FILES / name, options=options)
    (question,) = client.get("/state.json").json["questions"]
    if tool == "doccano" and kind == "labels":
        answer = client.get("/gold", question=question, to=tool)
        assert answer.status == 422  # the file has no texts, which doccano cannot do without
        assert "text" in answer.json["error"]
        return
    decided(client, question, most=500)
    content = gold(client, question, tool)
    expected = {
        item: value
        for item, _, value in export.as_annotations(
            client.workspace.asked[question], export.gold_of(client.workspace, client.workspace.asked[question]).rows
        ).rows()
    }
    if tool in ("brat", "webanno"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            assert len(archive.namelist()) >= len(expected)
        return
    if tool == "excel":
        assert content[:2] == b"PK"
        return
    records = (
        json.loads(content) if tool == "label_studio" else [json.loads(line) for line in content.decode().splitlines()]
    )
    assert len(records) == len(expected)
    for record, (item, value) in zip(records, expected.items(), strict=True):
        if tool == "prodigy" and kind == "labels":
            assert (record["meta"]["item"], record["accept"]) == (item, [value])
        elif tool == "prodigy":
            assert [(s["start"], s["end"], s["label"]) for s in record["spans"]] == sorted(value)
        elif tool == "doccano":
            assert [tuple(span) for span in record["label"]] == sorted(value)
        else:
            assert record["data"]["item"] == item
            assert record["annotations"][0]["ground_truth"]


def test_a_tool_that_cannot_take_it_is_said_to(opened):
    client = opened(FILES / "posts.csv")
    (one,) = client.get("/export.json").json["exports"]
    assert {tool["name"] for tool in one["tools"] if not tool["able"]} == {"brat", "coco", "conll", "webanno"}
    answer = client.get("/gold", question="value", to="brat")
    assert answer.status == 422
    assert client.get("/gold", question="value", to="../x").status == 422


def test_new_answers_do_not_take_old_decisions(opened, tmp_path):
    path = tmp_path / "labels.csv"
    given = [("ann", "a"), ("bo", "b"), ("cy", "c")]
    rows = [f"i{item},{who},{label if item % 2 else 'a'}\n" for item in range(20) for who, label in given]
    path.write_text("item,annotator,label\n" + "".join(rows))
    client = opened(path)
    (question,) = client.get("/state.json").json["questions"]
    client.decide(question, '"i1"', stored='"b"')
    client.decide(question, '"i3"', stored='"b"')
    path.write_text(path.read_text().replace("i1,bo,b", "i1,bo,a"))
    client.workspace.open(client.workspace._files, {}, wait=True)
    assert client.get("/decide.json", question=question, item='"i1"').json["status"] == "changed"
    assert client.get("/decide.json", question=question, item='"i3"').json["status"] == "decided"
    origins = client.get("/export.json").json["exports"][0]["origins"]
    assert (origins["changed"], origins["decided"]) == (1, 1)
    waiting = client.get("/queue.json", question=question, show="waiting", limit=100).json["rows"]
    assert '"i1"' in [row["item"] for row in waiting]
    # What stands is shown until somebody decides again.
    assert client.get("/decide.json", question=question, item='"i1"').json["standing"]["words"] == "b"


def test_names_are_hidden_and_answers_shuffled(opened):
    client = opened(FILES / "posts.csv")
    rows = client.get("/queue.json", question="value", limit=40).json["rows"]
    orders = set()
    for row in rows:
        blind = client.get("/decide.json", question="value", item=row["item"], blind="1")
        open_ = client.get("/decide.json", question="value", item=row["item"]).json
        for name in client.workspace.asked["value"].study.annotators:
            assert f'"{name}"'.encode() not in blind.body
        hidden = blind.json
        assert hidden["drawn"]["suggested"] is None
        assert not any(choice["suggested"] for choice in hidden["choices"])
        assert {c["stored"]: len(c["people"]) for c in hidden["choices"]} == {
            c["stored"]: len(c["people"]) for c in open_["choices"]
        }
        shown = [value for _, value in hidden["drawn"]["answers"]]
        given = [value for _, value in open_["drawn"]["answers"]]
        assert sorted(shown) == sorted(given)
        orders.add(shown == given)
    assert False in orders


def test_a_file_that_can_be_read_in_several_ways_is_asked_about(opened, tmp_path):
    path = tmp_path / "codes.csv"
    path.write_text("a,b,c\n" + "".join(f"{k % 3},{k % 4 % 3},{k % 5 % 3}\n" for k in range(30)))
    client = opened(path)
    reading = client.get("/reading.json").json
    assert reading["state"] == "doubtful", reading
    assert reading["doubt"]["message"].endswith(".")
    assert "It may be" not in reading["doubt"]["message"]
    assert client.get("/overview.json").json["state"] == "doubtful"
    assert client.get("/decide.json", question="value").status == 422
    readings = reading["doubt"]["readings"]
    assert readings
    assert all(one["command"].startswith("interagree serve") for one in readings)
    assert client.post("/reading.json", {"choice": 99}).status == 422
    assert client.post("/reading.json", {"choice": 0}).status == 202
    client.workspace._thread.join()
    assert client.get("/state.json").json["state"] == "ready"
    # The choice is kept with the project.
    (file,) = client.project.files()
    assert file.options


def test_what_nobody_can_decide_is_said(opened, tmp_path):
    alone = tmp_path / "alone.csv"
    alone.write_text("item,annotator,value\n" + "".join(f"i{k},ann,{k % 2}\n" for k in range(9)))
    agreed = tmp_path / "agreed.csv"
    agreed.write_text("item,ann,bo\n" + "".join(f"i{k},{'xy'[k % 2]},{'xy'[k % 2]}\n" for k in range(9)))
    broken = tmp_path / "broken.json"
    broken.write_text('{"a": [')
    for path in (alone, agreed):
        client = opened(path)
        assert client.workspace.state == "ready", client.workspace.error
        (card,) = client.get("/overview.json").json["cards"]
        assert "nothing to decide" in card["why_not"]
        assert client.get("/decide.json", question=card["question"]).json["item"] is None
        assert len(gold(client, card["question"]).splitlines()) == 9
    client = opened(broken)
    assert client.get("/state.json").json["state"] == "failed"
    assert "broken.json" in client.get("/reading.json").json["error"]


def test_the_sample_and_a_dropped_file_are_kept_in_the_project(opened, tmp_path):
    client = opened()
    assert client.post("/sample.json", {}).status == 202
    client.workspace._thread.join()
    assert client.get("/overview.json").json["cards"][0]["level"] == "ordinal"
    octets = {"content-type": "application/octet-stream"}
    content = (FILES / "notices.jsonl").read_bytes()
    assert client.post("/upload.json", content, octets, name="notices.jsonl").status == 202
    client.workspace._thread.join()
    state = client.get("/state.json").json
    assert (state["state"], state["name"]) == ("ready", "notices.jsonl")
    (file,) = client.project.files()
    assert file.content == content


def ruled(client, rule, number=1, **more):
    event = {
        "op": f"a rule, number {number}",
        "base": 2**40,
        "question": "value",
        "item": "",
        "kind": "rule",
        "value": rule,
    }
    return client.post("/decide.json", event | {"fingerprint": ""} | more)


def test_a_rule_decides_many_items_and_is_taken_back_as_one(opened):
    client = opened(FILES / "posts.csv")
    study = client.workspace.asked["value"].study
    votes = {item: [value for other, _, value in study.rows() if other == item] for item in study.items}
    expected = {}  # by hand: what at least three gave, and more than gave anything else
    for item, values in votes.items():
        ranked = sorted({value: values.count(value) for value in values}.items(), key=lambda pair: -pair[1])
        if len(ranked) > 1 and ranked[0][1] >= 3 and ranked[0][1] > ranked[1][1]:
            expected[item] = ranked[0][0]
    shown = client.get("/rule.json", question="value", rule='{"agree": 3}').json
    assert shown["settles"] == len(expected)
    assert {one["id"]: one["words"] for one in shown["first"]}.items() <= expected.items()
    own = next(iter(expected))
    assert client.decide("value", stored(own), stored='"spam"').status == 201
    assert ruled(client, {"agree": 3}).status == 201
    rows = [json.loads(line) for line in gold(client, "value").decode().splitlines()]
    made = {row["item"]: row["value"] for row in rows if row["origin"] == "by rule"}
    assert made == {item: value for item, value in expected.items() if item != own}
    assert {row["value"] for row in rows if row["item"] == own} == {"spam"}  # what was decided by itself goes before
    counts = client.get("/queue.json", question="value").json["counts"]
    assert (counts["by rule"], counts["decided"], counts["open"]) == (len(made), 1, 90 - len(made) - 1)
    waiting = client.get("/queue.json", question="value", show="waiting", limit=200).json["rows"]
    assert not {row["id"] for row in waiting} & {*expected}
    # A newer rule goes before an older one, and either is taken back alone.
    assert ruled(client, {"annotator": "hal"}, 2).status == 201
    hal = {item: value for item, who, value in study.rows() if who == "hal"}
    rows = [json.loads(line) for line in gold(client, "value").decode().splitlines()]
    newer = {row["item"]: row["value"] for row in rows if row["origin"] == "by rule"}
    assert newer == {**made, **{item: hal[item] for item in hal if len({*votes[item]}) > 1 and item != own}}
    for number, left in ((3, made), (4, {})):
        undo = {"op": f"take back {number}", "base": 2**40, "question": "value", "item": "", "kind": "undo"}
        assert client.post("/decide.json", undo | {"fingerprint": ""}).status == 201
        rows = [json.loads(line) for line in gold(client, "value").decode().splitlines()]
        assert {row["item"]: row["value"] for row in rows if row["origin"] == "by rule"} == left


@pytest.mark.parametrize(
    "rule",
    [
        None,
        {},
        [],
        {"agree": 1},
        {"agree": 99},
        {"agree": True},
        {"annotator": "nobody"},
        {"agree": 2, "annotator": "ann"},
        {"agree": "2"},
    ],
)
def test_what_is_not_a_rule_is_refused(rule, opened):
    client = opened(FILES / "posts.csv")
    assert ruled(client, rule).status == 422
    assert client.get("/rule.json", question="value", rule=json.dumps(rule)).status == 422
    assert client.project.last == 0
