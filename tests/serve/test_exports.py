"""What is decided comes back as it was decided: by every writer, for every kind, with where each answer comes from."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest

import interagree as ia
from interagree.plugins import KINDS as KINDS_OF_VALUES
from interagree.serve import export
from interagree.serve.edited import stored
from interagree.serve.project import NotSavedError, Project

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
    why = {tool["name"]: tool["why_not"] for tool in one["tools"] if tool["why_not"]}
    assert {*why} == {"brat", "coco", "conll", "doccano", "webanno"}
    assert "takes no labels" in why["brat"]
    assert "shows the text of each item" in why["doccano"]  # which the file does not hold
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
    assert client.get("/decide.json", question="value").status == 503
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
    # A newer rule decides on what still waited, and either is taken back alone.
    assert ruled(client, {"annotator": "hal"}, 2).status == 201
    hal = {item: value for item, who, value in study.rows() if who == "hal"}
    rows = [json.loads(line) for line in gold(client, "value").decode().splitlines()]
    newer = {row["item"]: row["value"] for row in rows if row["origin"] == "by rule"}
    assert newer == {**{item: hal[item] for item in hal if len({*votes[item]}) > 1 and item != own}, **made}
    assert any(hal.get(item, value) != value for item, value in made.items())  # what nothing may rewrite
    for number, left in ((3, made), (4, {})):
        undo = {"op": f"take back {number}", "base": 2**40, "question": "value", "item": "", "kind": "undo"}
        assert client.post("/decide.json", undo | {"fingerprint": ""}).status == 201
        rows = [json.loads(line) for line in gold(client, "value").decode().splitlines()]
        assert {row["item"]: row["value"] for row in rows if row["origin"] == "by rule"} == left


def test_a_rule_says_how_many_items_it_settles(opened, tmp_path):
    """An item that was decided and changed since waits, and no rule settles it."""
    path = tmp_path / "labels.csv"
    path.write_text(
        "item,annotator,label\n"
        + "".join(f"i{k},{w},{v}\n" for k in range(9) for w, v in zip("abc", "xxy", strict=True))
    )
    client = opened(path)
    (question,) = client.get("/state.json").json["questions"]
    client.decide(question, '"i1"', stored='"y"')
    path.write_text(path.read_text().replace("i1,a,x", "i1,a,z"))
    client.workspace.open(client.workspace._files, {}, wait=True)
    shown = client.get("/rule.json", question=question, rule='{"annotator": "c"}').json
    assert shown["settles"] == 8
    assert "i1" not in {one["id"] for one in shown["first"]}
    assert ruled(client, {"annotator": "c"}, question=question).status == 201
    counts = client.get("/queue.json", question=question).json["counts"]
    assert (counts["by rule"], counts["changed"], counts["open"]) == (8, 1, 0)


def test_hidden_names_are_hidden_in_rules_and_remarks(opened, tmp_path):
    path = tmp_path / "labels.jsonl"
    rows = [
        {"item": f"i{k}", "annotator": who, "label": label, "comment": f"said {number}"}
        for k in range(20)
        for number, (who, label) in enumerate([("ann", "x"), ("bob", "y"), ("cyd", "x"), ("dan", "z")])
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    client = opened(path)
    (question,) = client.get("/state.json").json["questions"]
    assert ruled(client, {"annotator": "bob"}, question=question).status == 201
    said = set()
    for key in client.workspace.asked[question].keys:
        blind = client.get("/decide.json", question=question, item=key, blind="1")
        assert b"bob" not in blind.body
        assert blind.json["ruled"] is None
        assert [who for who, *_ in blind.json["remarks"]] == [0, 1, 2, 3]
        said.add(tuple(text for *_, text in blind.json["remarks"]))
        assert client.get("/decide.json", question=question, item=key).json["ruled"]["rule"] == "what bob gave"
    assert len(said) > 1
    queue = client.get("/queue.json", question=question, blind="1")
    assert [rule["words"] for rule in queue.json["rules"]] == ["a rule"]
    assert b"bob" not in queue.body
    assert [rule["words"] for rule in client.get("/queue.json", question=question).json["rules"]] == ["what bob gave"]


def test_of_counts_there_is_no_gold(opened, tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("item,yes,no\n" + "".join(f"i{k},{k % 4},{3 - k % 4}\n" for k in range(12)))
    client = opened(path)
    assert client.workspace.state == "ready", client.workspace.error
    (question,) = client.get("/state.json").json["questions"]
    assert client.workspace.asked[question].study.anonymous
    for to in ("jsonl", "csv", "prodigy"):
        answer = client.get("/gold", question=question, to=to)
        assert answer.status == 422, answer.body
        assert "not by whom" in answer.json["error"]


def test_several_answers_of_one_annotator_are_not_gold(opened, tmp_path):
    path = tmp_path / "labels.csv"
    given = [("i1", "ann", "x"), ("i1", "ann", "y"), ("i2", "ann", "x"), ("i2", "ann", "x"), ("i3", "ann", "y")]
    given += [(f"j{k}", who, "xy"[k % 2]) for k in range(6) for who in ("ann", "bob")]
    path.write_text("item,annotator,label\n" + "".join(f"{','.join(row)}\n" for row in given))
    client = opened(path, options={"duplicates": "keep"})
    assert client.workspace.state == "ready", client.workspace.error
    (question,) = client.get("/state.json").json["questions"]
    (made,) = client.get("/export.json").json["exports"]
    assert made["origins"] == {"several answers of one annotator, left out": 1, "one answer": 2, "unanimous": 6}
    rows = [json.loads(line) for line in gold(client, question).decode().splitlines()]
    assert {row["item"] for row in rows} == {"i2", "i3", *(f"j{k}" for k in range(6))}


EMPTY = {
    "boxes.jsonl": [],
    "birds.jsonl": [],  # keypoints
    "topics.csv": [],
    "notices.jsonl": [],
}


@pytest.mark.parametrize("name", EMPTY)
def test_nothing_right_is_the_empty_answer_where_there_is_one(name, opened):
    client = opened(FILES / name, options={"split": ";"} if name == "topics.csv" else {})
    (question,) = client.get("/state.json").json["questions"]
    key = client.get("/queue.json", question=question).json["rows"][0]["item"]
    assert client.get("/decide.json", question=question, item=key).json["nothing"]
    client.decide(question, key, "nothing")
    rows = {json.dumps(row["item"]): row for row in map(json.loads, gold(client, question).decode().splitlines())}
    assert (rows[key]["value"], rows[key]["origin"]) == (EMPTY[name], "nothing right")


def test_kinds_with_an_empty_answer_name_it():
    """Where an example of a kind is empty, that is its empty answer; "()" is no tree, and no answer of two parts."""
    for name in KINDS_OF_VALUES:
        kind = KINDS_OF_VALUES[name]
        assert kind.empty == next((value for value in kind.examples if value in ((), frozenset())), None), name
        assert kind.empty is None or kind.why_not(kind.empty) is None


def test_what_comes_again_is_recognised_also_when_the_answers_changed(opened, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,label\n" + "".join(f"i{k},{w},{w}\n" for k in range(9) for w in "ab"))
    client = opened(path)
    (question,) = client.get("/state.json").json["questions"]
    item = client.get("/decide.json", question=question, item='"i1"').json
    event = {name: item[name] for name in ("base", "question", "item", "fingerprint")}
    event |= {"op": "an operation", "kind": "decide", "stored": '"a"', "project": client.project.id}
    first = client.post("/decide.json", event)
    assert first.status == 201
    path.write_text(path.read_text().replace("i1,a,a", "i1,a,c"))
    client.workspace.open(client.workspace._files, {}, wait=True)
    again = client.post("/decide.json", event)
    assert (again.status, again.json) == (200, first.json)
    assert client.post("/decide.json", event | {"op": "another operation"}).status == 409


def test_what_was_decided_in_another_project_is_kept_for_that_one(opened):
    client = opened(FILES / "posts.csv")
    assert client.get("/state.json").json["id"] == client.project.id
    item = client.get("/decide.json", question="value").json
    event = {name: item[name] for name in ("base", "question", "item", "fingerprint")}
    event |= {"op": "an operation", "kind": "cannot", "project": "0123456789abcdef"}
    answer = client.post("/decide.json", event)
    assert answer.status == 421  # which the page keeps
    assert "in another project" in answer.json["error"]
    assert not [*client.project.events()]


def test_a_conflict_says_in_words_what_stands(opened):
    client = opened(FILES / "posts.csv")
    assert ruled(client, {"annotator": "hal"}, 1).status == 201
    event = {"op": "operation late", "base": 0, "question": "value", "item": "", "kind": "rule", "fingerprint": ""}
    answer = client.post("/decide.json", event | {"value": {"agree": 3}})
    assert answer.status == 409
    assert answer.json["theirs"]["words"] == "what hal gave"
    for number, (kind, words) in enumerate([("nothing", "nothing right"), ("decide", "rude")]):
        key = client.get("/queue.json", question="value").json["rows"][number]["item"]
        client.decide("value", key, kind, **({"stored": '"rude"'} if kind == "decide" else {}))
        item = client.get("/decide.json", question="value", item=key).json
        event |= {"item": key, "fingerprint": item["fingerprint"], "kind": "cannot", "op": f"operation {key}"}
        answer = client.post("/decide.json", event)
        assert (answer.status, answer.json["theirs"]["words"]) == (409, words)


def test_what_goes_wrong_with_data_is_said_as_data(opened, monkeypatch):
    client = opened(FILES / "posts.csv")

    def failing():
        raise NotSavedError("the log cannot be read")

    monkeypatch.setattr(client.project, "lines", failing)
    assert client.get("/log.jsonl").json == {"error": "the log cannot be read"}
    assert "there is no question" in client.get("/gold", question="none", to="csv").json["error"]
    assert client.get("/none").body.startswith(b"<!doctype html>")


def test_a_dropped_file_that_a_log_does_not_hold_is_asked_for(opened, tmp_path):
    client = opened()
    assert client.post("/sample.json", {}).status == 202
    client.workspace._thread.join()
    lines = [*client.project.lines()]
    Project.rebuilt(tmp_path / "again.interagree", lines).close()
    again = opened(project=tmp_path / "again.interagree")
    known = again.project.files()
    again.workspace.open(known, known[0].options, wait=True)
    assert again.workspace.state == "failed"
    assert again.workspace.error.startswith("the project does not hold reviews.csv")
    assert "name it in the command" in again.workspace.error


def test_the_same_files_are_noted_once(opened, tmp_path):
    """Also where options are tuples, which a project gives back as lists."""
    options = {"values": ("none", "mild", "moderate", "severe"), "ordered": True}
    project = tmp_path / "one.interagree"
    for _ in range(2):
        client = opened(FILES / "severity.csv", options=options, project=project)
        assert client.workspace.state == "ready"
        client.workspace.close()
        lines = [line for line in client.project.lines() if "source" in line]
        client.project.close()
    assert len(lines) == 1


def exports(client, question):
    (made,) = [one for one in client.get("/export.json").json["exports"] if one["question"] == question]
    return made


def test_gold_goes_back_to_label_studio_with_all_that_its_tasks_hold(opened, tmp_path):
    """Also where the file was dropped on the page."""
    tasks = json.loads((FILES / "label_studio.json").read_text(encoding="utf-8"))
    for number, task in enumerate(tasks):
        task["data"]["ref.no"] = number
    client = opened()
    body = json.dumps(tasks).encode()
    headers = {"content-type": "application/octet-stream"}
    assert client.post("/upload.json", body, headers, name="export.json").status == 202
    client.workspace._thread.join()
    for question in client.get("/state.json").json["questions"]:
        taken = decided(client, question)
        assert exports(client, question)["back"] == {"tool": "label_studio", "said": ""}
        path = tmp_path / f"{question}.json"
        path.write_bytes(gold(client, question, "label_studio"))
        back = {task["id"]: task for task in json.loads(path.read_text(encoding="utf-8"))}
        assert all(task["data"] == back[task["id"]]["data"] for task in tasks if task["id"] in back)
        values = {stored(item): stored(value) for item, _, value in ia.read(path)[question].rows()}
        assert taken
        assert {item: values[item] for item in taken} == taken


def test_a_real_project_goes_back_with_all_its_questions(opened, shared):
    """Spans and a taxonomy, with the numbers of the tasks and every entry of their data."""
    path = shared / "data" / "formats" / "label_studio" / "leoka_team3_full.json"
    before = {task["id"]: task["data"] for task in json.loads(path.read_text(encoding="utf-8"))}
    client = opened(path)
    for question in ("label", "Category"):
        assert exports(client, question)["back"] == {"tool": "label_studio", "said": ""}
        assert decided(client, question, most=3)
    tasks = json.loads(client.get("/gold", to="label_studio").body)
    assert {result["type"] for task in tasks for result in task["annotations"][0]["result"]} == {"labels", "taxonomy"}
    assert all(before[task["id"]] == task["data"] and "id.num" in task["data"] for task in tasks)


def test_all_questions_go_back_to_label_studio_in_one_file(opened, tmp_path):
    """What is read back is what was decided; a task is ground truth once all of its questions are answered."""
    client = opened(FILES / "label_studio.json")
    questions = client.get("/state.json").json["questions"]
    assert len(questions) > 1
    assert client.get("/export.json").json["together"]
    taken = {question: decided(client, question, most=100) for question in questions}
    path = tmp_path / "gold.json"
    path.write_bytes(client.get("/gold", to="label_studio").body)
    tasks = json.loads(path.read_text(encoding="utf-8"))
    assert len({task["id"] for task in tasks}) == len(tasks)
    assert all(task["annotations"][0]["ground_truth"] for task in tasks)
    again = ia.read(path)
    for question in questions:
        values = {stored(item): stored(value) for item, _, value in again[question].rows()}
        assert taken[question]
        assert {item: values[item] for item in taken[question]} == taken[question]
    undone = next(iter(taken[questions[0]]))
    assert client.decide(questions[0], undone, "undo").status == 201
    tasks = json.loads(client.get("/gold", to="label_studio").body)
    assert [task["id"] for task in tasks if not task["annotations"][0]["ground_truth"]] == [json.loads(undone)]
    assert not opened(FILES / "posts.csv").get("/export.json").json["together"]
    assert opened(FILES / "posts.csv").get("/gold", to="label_studio").status == 422


@pytest.mark.parametrize(
    ("file", "tool"),
    [
        ("posts.csv", None),  # a table goes back as a table
        ("prodigy.jsonl", "prodigy"),
    ],
)
def test_the_page_says_where_gold_goes_back_to(file, tool, opened):
    client = opened(FILES / file)
    (question, *_) = client.get("/state.json").json["questions"]
    assert exports(client, question)["back"] == {"tool": tool, "said": ""}


CVAT = """<?xml version="1.0" encoding="utf-8"?><annotations><version>1.1</version>
<image id="0" name="a.png" width="100" height="80">
<box label="cat" xtl="1" ytl="2" xbr="30" ybr="40" occluded="0" z_order="0"></box></image></annotations>"""


def test_where_there_is_no_writer_the_page_says_so_first(opened, tmp_path):
    folder = tmp_path / "jobs"
    folder.mkdir()
    for number, who in enumerate("ab"):
        (folder / f"{who}.xml").write_text(CVAT.replace('xbr="30"', f'xbr="{30 + 5 * number}"'), encoding="utf-8")
    client = opened(folder, options={"annotator": "{file}"})
    assert client.workspace.state == "ready", client.workspace.error
    (question, *_) = client.get("/state.json").json["questions"]
    made = exports(client, question)
    assert made["back"]["tool"] is None
    assert made["back"]["said"] == "CVAT is read here and not written; JSON lines hold every answer."
    why = {tool["name"]: tool["why_not"] for tool in made["tools"]}
    assert "takes no boxes" in why["brat"]
    assert "whose size the study does not say" in why["label_studio"]  # with which it was tried


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_offered_can_be_had(kind, opened):
    name, options = KINDS[kind]
    client = opened(FILES / name, options=options)
    (question,) = client.get("/state.json").json["questions"]
    decided(client, question)
    made = exports(client, question)
    for tool in made["tools"]:
        answer = client.get("/gold", question=question, to=tool["name"])
        assert (answer.status == 200) == (not tool["why_not"]), (tool, answer.body)
    answer = client.get("/file", what="soft", question=question, form="csv")
    assert (answer.status == 200) == made["soft"], answer.body


def test_soft_labels_are_those_of_the_annotations(opened):
    client = opened(FILES / "posts.csv")
    decided(client, "value")
    text = client.get("/file", what="soft", question="value", form="csv").body.decode("utf-8-sig")
    table = [*csv.DictReader(io.StringIO(text))]
    expected = ia.crowd.soft_labels(ia.read(FILES / "posts.csv")).table()
    assert [row["item"] for row in table] == [*expected["item"]]
    for label in ("fine", "rude", "spam"):
        assert [float(row[label]) for row in table] == pytest.approx(expected[label], abs=1e-3)


def test_the_methods_say_how_gold_was_made(opened):
    client = opened(FILES / "posts.csv")
    rows = client.get("/queue.json", question="value").json["rows"]
    client.decide("value", rows[0]["item"], stored='"rude"', who="zoë", blind=True)
    client.decide("value", rows[1]["item"], stored='"rude"', who="ann")
    client.decide("value", rows[2]["item"], "cannot")
    ruled(client, {"agree": 3}, 3)
    origins = exports(client, "value")["origins"]
    text = client.get("/file", what="methods", form="md").body.decode()
    kept = 32 + origins["by rule"]
    assert f"of 120 items the gold holds {kept}: 30 as all annotators gave them, 2 decided one by one, " in text
    assert f"{origins['by rule']} decided by a rule, by " in text
    assert "1 of them with names hidden" in text
    assert f"{origins['open']} that wait for a decision" in text
    assert "1 that cannot be decided." in text
    assert "is not agreement" in text
    assert "Krippendorff" in text
    for form in ("docx", "html"):
        assert client.get("/file", what="methods", form=form).status == 200


def test_the_page_to_send_on_is_the_report_with_what_was_decided(opened):
    client = opened(FILES / "posts.csv")
    key = client.get("/queue.json", question="value").json["rows"][0]["item"]
    client.decide("value", key, stored='"rude"', comment="as in § 4 of the guideline")
    page = client.get("/file", what="page", form="html").body.decode()
    assert page.startswith("<!DOCTYPE html>")
    assert "as in § 4 of the guideline" in page
    assert "Gold: value" in page
    assert 'src="/' not in page  # a file of its own


@pytest.mark.parametrize("state", ["reading", "failed", "doubtful"])
def test_a_decision_that_comes_before_the_files_are_read_is_to_be_sent_again(state, opened):
    """The page keeps what was answered by a server that cannot take it now, and drops what was refused."""
    client = opened(FILES / "posts.csv")
    item = client.get("/decide.json", question="value").json
    event = {name: item[name] for name in ("base", "question", "item", "fingerprint")}
    event |= {"op": "an operation", "kind": "cannot"}
    client.workspace.state = state
    answer = client.post("/decide.json", event)
    assert answer.status == 503
    assert "no file is read yet" in answer.json["error"]
    client.workspace.state = "ready"
    assert client.post("/decide.json", event).status == 201


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
