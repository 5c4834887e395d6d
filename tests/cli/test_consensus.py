"""`consensus`."""

import json
from pathlib import Path

import pytest

import interagree as ia
import interagree.cli
from interagree.consensus import best_annotator, medoid, merge, weighted_medoid

ROWS = [
    ("1", "ann", 3.0), ("1", "bo", 4.0), ("1", "cy", 9.0),
    ("2", "ann", 7.0), ("2", "bo", 7.0), ("2", "cy", 1.0),
    ("3", "ann", 5.0),
]  # fmt: skip
GOLD = {"1": 4.0, "2": 7.0}


@pytest.fixture(autouse=True)
def files(folder, monkeypatch):
    """Numbers by three annotators, with the right answers to two items."""
    names = ("item", "annotator", "value")
    lines = [json.dumps(dict(zip(names, row, strict=True))) for row in ROWS]
    Path("numbers.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    right = [json.dumps({"item": item, "value": value}) for item, value in GOLD.items()]
    Path("gold.jsonl").write_text("\n".join(right) + "\n", encoding="utf-8")
    known = interagree.cli.COMMANDS
    if "consensus" not in known:
        monkeypatch.setitem(known, "consensus", ("consensus", ""))


def test_a_consensus_is_shown_scored_and_written(run):
    done = run("consensus", "numbers.jsonl", "--gold", "gold.jsonl", "-o", "out.jsonl")
    study = ia.read("numbers.jsonl").single()
    assert f"{medoid(study).score(GOLD)}." in " ".join(done.stdout.split())
    assert "Annotators, the nearest to others first" in done.stdout
    assert "1 item with one annotator kept unchanged." in done.stdout
    assert "1 item without a gold answer left out" in done.stdout
    assert done.stderr == "written: out.jsonl\n"
    written = ia.read("out.jsonl", value="value").single()
    assert {item: value for item, _, value in written.rows()} == medoid(study).values


@pytest.mark.parametrize(
    ("method", "function"),
    [("best-annotator", best_annotator), ("weighted-medoid", weighted_medoid), ("merge", merge)],
)
def test_every_method_gives_what_the_library_gives(run, method, function):
    words = ("consensus", "numbers.jsonl", "--method", method, "--distance", "linear", "--json")
    found = json.loads(run(*words).stdout)
    made = function(ia.read("numbers.jsonl"), distance="linear")
    assert found["distance"] == "linear"
    assert {row["item"]: row["value"] for row in found["items"]} == made.values
    assert found["notes"] == [*made.notes]
    assert found["score"] is None


def test_merging_takes_its_options(run):
    boxes = [("1", who, [[x, 0, x + 10, 10]]) for who, x in (("a", 0), ("b", 1), ("c", 50))]
    lines = [json.dumps({"item": i, "annotator": a, "value": v}) for i, a, v in boxes]
    Path("boxes.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ("consensus", "boxes.jsonl", "--method", "merge", "--distance", "iou")
    (row,) = json.loads(run(*words, "--json").stdout)["items"]
    assert row["value"] == [[0.5, 0, 10.5, 10]]
    (row,) = json.loads(run(*words, "--quorum", 1, "--cutoff", 0.01, "--json").stdout)["items"]
    assert len(row["value"]) == 3
    (row,) = json.loads(run(*words, "--how", "mean", "--reliability", "--json").stdout)["items"]
    assert len(row["value"]) == 1


def test_rankings_are_put_together(run):
    lists = [["p", "q", "r"], ["p", "r", "q"], ["q", "p", "r"]]
    lines = [json.dumps({"item": "1", "annotator": k, "value": one}) for k, one in enumerate(lists)]
    Path("ranks.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (row,) = json.loads(run("consensus", "ranks.jsonl", "--method", "borda", "--json").stdout)["items"]
    assert row["value"] == ["p", "q", "r"]


def test_a_row_for_each_item_as_csv(run):
    lines = run("consensus", "numbers.jsonl", "--csv").stdout.splitlines()
    assert lines[0] == "item,value,annotations,support,distance,confidence"
    assert len(lines) == 4


def test_only_the_least_certain_items_are_shown(run):
    text = run("consensus", "numbers.jsonl", "--top", 1).stdout
    assert "The 1 least certain of 3 items" in text
    assert "The 1 farthest from others of 3 annotators" in text
    assert "Items\n" not in run("consensus", "numbers.jsonl", "--top", 0).stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("agree.csv", "--method", "merge"), "can be merged, and these are labels"),
        (("numbers.jsonl", "--distance", "giuo"), "Did you mean 'giou'?"),
        (("numbers.jsonl", "--gold", "mixed.csv"), "one for each item"),
    ],
)
def test_wrong_use_ends_with_two(run, words, complaint):
    assert complaint in run("consensus", *words, code=2).stderr
