"""After deciding: who gave what otherwise than the gold, how confused labels were solved, why, and an audit."""

import csv
import io
import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

import interagree as ia
from interagree.serve.edited import stored

FILES = Path(__file__).parents[2] / "docs" / "files"


def of(client, question="value"):
    (found,) = [one for one in client.get("/after.json").json["after"] if one["question"] == question]
    return found


def rows_of(table):
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def draw(client, size, number=1, question="value"):
    event = {"op": f"a sample {number}", "base": 0, "question": question, "item": "", "kind": "audit"}
    return client.post("/decide.json", event | {"fingerprint": "", "value": {"size": size}})


@pytest.fixture
def decided(opened):
    """Twenty items of which the least common answer was right, and four others."""
    client = opened(FILES / "posts.csv")
    keys = [row["item"] for row in client.get("/queue.json", question="value", limit=24).json["rows"]]
    for number, key in enumerate(keys[:20]):
        choice = client.get("/decide.json", question="value", item=key).json["choices"][-1]
        reason = ["Slip", "Guideline unclear"][number % 2]
        assert (
            client.decide("value", key, stored=choice["stored"], reason=reason, comment=f"see § {number}").status == 201
        )
    for key, kind in zip(keys[20:], ("nothing", "cannot", "skip", "skip"), strict=True):
        assert client.decide("value", key, kind).status == 201
    return client


@pytest.fixture
def study():
    return ia.read(FILES / "posts.csv").single()


def right_answers(client):
    lines = client.get("/gold", question="value", to="jsonl").body.decode().splitlines()
    return {row["item"]: row for row in map(json.loads, lines)}


def test_each_annotator_is_told_what_was_decided_otherwise(decided, study):
    gold = right_answers(decided)
    people = rows_of(of(decided)["people"])
    assert {row["annotator"] for row in people} == {*study.annotators}
    assert [row["otherwise"] for row in people] == sorted((row["otherwise"] for row in people), reverse=True)
    for row in people:
        who = row["annotator"]
        mine = {item: value for item, name, value in study.rows() if name == who and item in gold}
        wrong = {item: value for item, value in mine.items() if value != gold[item]["value"]}
        assert (row["items with gold"], row["otherwise"]) == (len(mine), len(wrong))
        on_decided = [item for item in mine if gold[item]["origin"] == "decided"]
        assert row["items decided"] == len(on_decided)
        told = decided.get("/after.json", question="value", annotator=who).json
        assert {one["id"]: (one["given"], one["gold"]) for one in told["rows"]} == {
            item: (value, gold[item]["value"]) for item, value in wrong.items()
        }
        assert {one["comment"] for one in told["rows"]} <= {f"see § {number}" for number in range(20)}
    assert any(row["otherwise"] for row in people)
    assert decided.get("/after.json", question="value", annotator="nobody").status == 404


def test_accuracy_is_that_of_the_annotators_table(decided, study):
    """The same numbers as `interagree.annotators` gives with these right answers, here over all items with gold."""
    gold = {item: row["value"] for item, row in right_answers(decided).items()}
    table = {row["annotator"]: row for row in ia.annotators(study, gold=gold).table()}
    for row in rows_of(of(decided)["people"]):
        expected = table[row["annotator"]]
        assert row["items with gold"] == expected["gold n"]
        assert row["right of items with gold"] == pytest.approx(expected["gold"])
        assert row["right low of items with gold"] == pytest.approx(expected["gold low"])


def test_accuracy_does_not_come_into_agreement(decided, opened):
    before = opened(FILES / "posts.csv").get("/overview.json").json["cards"][0]
    after = decided.get("/overview.json").json["cards"][0]
    assert [after[name] for name in ("value", "low", "high")] == [before[name] for name in ("value", "low", "high")]
    assert "is not agreement" in decided.get("/after.json").json["note"]


def test_confused_labels_are_told_with_how_they_were_solved(decided, study):
    gold, given = right_answers(decided), {}
    for item, _, value in study.rows():
        given.setdefault(item, set()).add(value)
    solved, pairs = Counter(), Counter()
    for item, row in gold.items():
        if row["origin"] == "decided":
            for pair in combinations(sorted(given[item], key=[*study.values].index), 2):
                pairs[pair] += 1
                solved[pair, row["value"]] += 1
    told = rows_of(of(decided)["solved"])
    assert {(row["label"], row["confused with"]): row["items"] for row in told} == dict(pairs)
    for row in told:
        one, two = pair = row["label"], row["confused with"]
        assert (row["solved as the first"], row["solved as the second"]) == (solved[pair, one], solved[pair, two])
        assert row["as something else"] == pairs[pair] - solved[pair, one] - solved[pair, two]
    assert [row["items"] for row in told] == sorted(pairs.values(), reverse=True)


def test_the_guideline_log_holds_every_reason_and_comment(decided):
    answer = decided.get("/file", what="guideline", question="value", form="csv")
    table = [*csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig")))]
    assert len(table) == of(decided)["guideline"] == 20
    assert {row["comment"] for row in table} == {f"see § {number}" for number in range(20)}
    counts = Counter((row["decided"], row["reason"]) for row in table)
    reasons = rows_of(of(decided)["reasons"])
    assert {(row["decided"], row["reason"]): row["items"] for row in reasons} == dict(counts)
    for form in ("docx", "xlsx", "md", "html", "json"):
        assert decided.get("/file", what="guideline", question="value", form=form).status == 200
    for what, form in (("nothing", "csv"), ("guideline", "exe")):
        assert decided.get("/file", what=what, question="value", form=form).status == 422


def test_the_page_for_an_annotator_names_nobody_else(decided, study):
    who = next(row["annotator"] for row in rows_of(of(decided)["people"]) if row["otherwise"])
    answer = decided.get("/file", what="annotator", question="value", annotator=who, form="html")
    page = answer.body.decode()
    assert answer.headers["content-disposition"].endswith(f"annotator-{who}.html")
    assert f"<title>{who}: decided otherwise (value)" in page
    assert page.count("see §") == len(decided.get("/after.json", question="value", annotator=who).json["rows"])
    for other in {*study.annotators} - {who}:
        assert f">{other}<" not in page


def test_an_audit_says_how_often_all_are_wrong(decided, study):
    from scipy.stats import binomtest

    assert of(decided)["audit"] == {"size": 0, "agreed": 30, "sentence": "No sample was drawn yet."}
    assert decided.get("/queue.json", question="value", audit=1).status == 404
    assert draw(decided, 12).status == 201
    sample = [row["item"] for row in decided.get("/queue.json", question="value", audit=1).json["rows"]]
    votes = {}
    for item, _, value in study.rows():
        votes.setdefault(item, []).append(value)
    assert len(sample) == 12
    assert all(len({*votes[json.loads(key)]}) == 1 < len(votes[json.loads(key)]) for key in sample)
    before = decided.get("/export.json").json["exports"][0]["origins"]
    for number, key in enumerate(sample[:10]):
        item = decided.get("/decide.json", question="value", item=key).json
        assert (item["audit"], item["type"], len(item["choices"])) == (True, "all agree", 1)
        agreed = json.loads(item["choices"][0]["stored"])
        other = item["options"].index(next(label for label in item["options"] if label != agreed))
        sent = {"value": other} if number < 2 else {"stored": item["choices"][0]["stored"]}
        kind = ["decide", "nothing"][number == 2]
        assert decided.decide("value", key, kind, **(sent if kind == "decide" else {})).status == 201
    following = decided.get("/decide.json", question="value", after=sample[9]).json
    assert (following["item"], following["audit"]) == (sample[10], True)
    decided.decide("value", sample[10], "skip")
    decided.decide("value", sample[11], "cannot")
    assert decided.get("/decide.json", question="value", audit=1).json["item"] is None
    found = of(decided)["audit"]
    assert (found["size"], found["judged"], found["wrong"]) == (12, 10, 3)
    interval = binomtest(3, 10).proportion_ci(0.95, method="exact")
    assert (found["low"], found["high"]) == pytest.approx((interval.low, interval.high), abs=1e-9)
    assert "drawn at random" in found["sentence"]
    # What was found goes into the gold, and what was skipped stays what all agree on.
    after = decided.get("/export.json").json["exports"][0]["origins"]
    assert before["unanimous"] - after["unanimous"] == 11
    assert after["decided"] - before["decided"] == 9
    assert after["nothing right, left out"] - before["nothing right, left out"] == 1
    gold = right_answers(decided)
    assert [gold[json.loads(key)]["value"] != votes[json.loads(key)][0] for key in sample[:2]] == [True, True]


def test_a_larger_sample_holds_the_smaller_one(decided, opened):
    draw(decided, 5)
    small = [row["item"] for row in decided.get("/queue.json", question="value", audit=1).json["rows"]]
    draw(decided, 15, 2)
    large = [row["item"] for row in decided.get("/queue.json", question="value", audit=1).json["rows"]]
    assert large[:5] == small
    draw(decided, 9_999, 3)
    assert decided.get("/queue.json", question="value", audit=1).json["total"] == 30
    other = opened(FILES / "posts.csv")
    draw(other, 5, 4)
    assert [row["item"] for row in other.get("/queue.json", question="value", audit=1).json["rows"]] != small


def test_rules_do_not_decide_on_a_sample(decided):
    draw(decided, 10)
    rule = {"op": "operation rule", "base": 2**40, "question": "value", "item": "", "kind": "rule", "fingerprint": ""}
    assert decided.post("/decide.json", rule | {"value": {"agree": 2}}).status == 201
    counts = decided.get("/queue.json", question="value", audit=1).json["counts"]
    assert counts["open"] == 10


@pytest.mark.parametrize("value", [None, 5, {"size": 0}, {"size": "5"}, {"size": True}, {"size": 10**6}, {"n": 5}])
def test_what_is_no_size_of_a_sample_is_refused(decided, value):
    event = {"op": "a sample x", "base": 0, "question": "value", "item": "", "kind": "audit", "fingerprint": ""}
    assert decided.post("/decide.json", event | {"value": value}).status == 422


def test_where_all_agree_there_is_still_an_audit(opened, tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("item,annotator,label\n" + "".join(f"i{k},{w},{'xy'[k % 2]}\n" for k in range(20) for w in "ab"))
    client = opened(path)
    (question,) = client.get("/state.json").json["questions"]
    assert draw(client, 6, question=question).status == 201
    key = client.get("/decide.json", question=question, audit=1).json["item"]
    assert client.decide(question, key, "nothing").status == 201
    audit = of(client, question)["audit"]
    assert (audit["agreed"], audit["size"], audit["judged"], audit["wrong"]) == (20, 6, 1, 1)


@pytest.mark.parametrize("name", ["notices.jsonl", "boxes.jsonl", "lengths.csv", "topics.csv", "fruit.jsonl"])
def test_every_kind_is_told_of(name, opened):
    client = opened(FILES / name, options={"split": ";"} if name == "topics.csv" else {})
    (question,) = client.get("/state.json").json["questions"]
    key = client.get("/queue.json", question=question).json["rows"][0]["item"]
    item = client.get("/decide.json", question=question, item=key).json
    assert client.decide(question, key, stored=item["choices"][0]["stored"]).status == 201
    found = of(client, question)
    assert (found["solved"], found["decided"]) == (None, 1)
    asked = client.workspace.asked[question]
    place = asked.places[key]
    for row in rows_of(found["people"]):
        told = client.get("/after.json", question=question, annotator=row["annotator"]).json
        code = [*map(str, asked.study.annotators)].index(row["annotator"])
        given = [stored(value) for who, value in asked.answers(place) if who == code]
        otherwise = [one for one in told["rows"] if one["item"] == key]
        assert len(otherwise) == (len(given) == 1 and given[0] != item["choices"][0]["stored"])
        assert told["total"] == row["otherwise"]


def test_where_nobody_agrees_there_is_nothing_to_draw(opened):
    client = opened(FILES / "notices.jsonl")
    (question,) = client.get("/state.json").json["questions"]
    assert draw(client, 5, question=question).status == 201
    audit = of(client, question)["audit"]
    assert (audit["agreed"], audit["size"]) == (0, 0)
    assert "no item on which several annotators agree" in audit["sentence"]
    assert client.get("/decide.json", question=question, audit=1).json["item"] is None


def test_of_counts_nothing_is_told(opened, tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("item,yes,no\n" + "".join(f"i{k},{k % 4},{3 - k % 4}\n" for k in range(12)))
    client = opened(path)
    (found,) = client.get("/after.json").json["after"]
    assert "not by whom" in found["why_not"]
    assert draw(client, 5, question=found["question"]).status == 422
