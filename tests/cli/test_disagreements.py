"""`disagreements`."""

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest

import interagree as ia
from interagree.people import disagreements

pytestmark = pytest.mark.usefixtures("folder")


def test_the_queue_is_shown_and_written(run):
    done = run("disagreements", "mixed.csv", "-o", "queue.csv")
    assert "3 of 10 items with disagreement: tie 3." in done.stdout
    assert done.stderr == "written: queue.csv\n"
    written = [*csv.DictReader(io.StringIO(Path("queue.csv").read_text(encoding="utf-8")))]
    queue = disagreements(ia.read("mixed.csv").single()).table()
    assert [row["item"] for row in written] == [*queue["item"]]
    assert written[0]["answers"] == queue["answers"][0]


def test_other_formats_have_the_same_rows(run):
    run("disagreements", "mixed.csv", "-o", "queue.xlsx")
    heads, *rows = openpyxl.load_workbook("queue.xlsx").active.iter_rows(values_only=True)
    run("disagreements", "mixed.csv", "-o", "queue.jsonl")
    lines = [json.loads(line) for line in Path("queue.jsonl").read_text(encoding="utf-8").splitlines()]
    data = json.loads(run("disagreements", "mixed.csv", "--json").stdout)
    table = [*csv.DictReader(io.StringIO(run("disagreements", "mixed.csv", "--csv").stdout))]
    assert [*heads] == [*lines[0]] == [*data["items"][0]] == [*table[0]]
    assert len(rows) == len(lines) == len(data["items"]) == len(table) == 3
    assert data["types"] == {"tie": 3}


def test_top_cuts_what_is_shown(run):
    done = run("disagreements", "differ.csv", "--top", 3)
    assert "The first 3 of 40 items" in done.stdout
    assert run("disagreements", "agree.csv").stdout.startswith("There is nothing to adjudicate: on all 5 items")


def test_what_cannot_be_exits_with_its_code(run):
    done = run("disagreements", "alone.csv", code=3)
    assert "There is nothing to adjudicate: no item has two annotators." in done.stdout
    bad = run("disagreements", "mixed.csv", "-o", "queue.doc", code=2)
    assert "the ending says how to write" in bad.stderr


def test_who_said_what_and_the_text_are_shown(run):
    lines = ["item,annotator,label,tweet", "1,ann,pos,So it goes", "1,bo,neg,So it goes", "2,ann,pos,And on"]
    Path("tweets.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = run("disagreements", "tweets.csv")
    assert "1. 1 (tie)\n   “So it goes”\n   ann: pos\n   bo: neg\n" in done.stdout
    assert json.loads(run("disagreements", "tweets.csv", "--json").stdout)["text"] == "tweet"


def test_a_column_may_be_stated_to_be_the_text(run):
    Path("wide.csv").write_text("item,q,ann,bo\n1,x y,a,b\n2,z w,a,a\n", encoding="utf-8")
    done = run("disagreements", "wide.csv", "--text", "q")
    assert "   “x y”\n   ann: a\n   bo: b\n" in done.stdout
    assert "1 of 2 items" in done.stdout
    bad = run("disagreements", "wide.csv", "--text", "qq", code=2)
    assert "'qq'" in bad.stderr


def test_ordered_values_are_told_apart_by_steps(run):
    done = run("disagreements", "mixed.csv", "--values", "a,b,c", "--ordered")
    assert "3 of 10 items with disagreement: adjacent 3." in done.stdout
    assert "steps" in done.stdout
