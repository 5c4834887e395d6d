"""`consensus`."""

import json
from pathlib import Path

import pytest

import interagree as ia
import interagree.cli
from interagree.crowd.objects import best_annotator, medoid, merge, weighted_medoid

ROWS = [
    ("1", "ann", 3.5), ("1", "bo", 4.5), ("1", "cy", 9.5),
    ("2", "ann", 7.5), ("2", "bo", 7.5), ("2", "cy", 1.5),
    ("3", "ann", 5.5),
]  # fmt: skip
GOLD = {"1": 4.5, "2": 7.5}


@pytest.fixture(autouse=True)
def files(folder, monkeypatch):
    """Numbers by three annotators, with the right answers to two items."""
    names = ("item", "annotator", "value")
    lines = [json.dumps(dict(zip(names, row, strict=True))) for row in ROWS]
    Path("numbers.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    right = [json.dumps({"item": item, "value": value}) for item, value in GOLD.items()]
    Path("gold.jsonl").write_text("\n".join(right) + "\n", encoding="utf-8")


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
    ("method", "function"), [("best-annotator", best_annotator), ("weighted-medoid", weighted_medoid), ("merge", merge)]
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


@pytest.mark.parametrize(
    ("values", "options", "method", "said"),
    [
        (["a", "a", "b"], (), "majority_vote", "the values are labels: the one that most annotators gave was taken"),
        (
            ["low", "mid", "high"],
            ("--values", "low,mid,high", "--ordered"),
            "median",
            "the values have an order: the one in the middle was taken",
        ),
        ([1.5, 2.5, 90.0], (), "number", "the values are numbers: the one in the middle was taken"),
        (
            [[[0, 4, "x"]], [[0, 4, "x"]], []],
            ("--kind", "spans"),
            "medoid",
            "the values are spans: the annotation nearest",
        ),
    ],
)
def test_the_usual_method_follows_the_kind_of_value_and_is_said(run, values, options, method, said):
    lines = [
        json.dumps({"item": item, "annotator": who, "value": value})
        for item in ("1", "2")
        for who, value in zip(("ann", "bo", "cy"), values, strict=True)
    ]
    Path("study.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = json.loads(run("consensus", "study.jsonl", *options, "--json").stdout)
    assert found["method"] == {"number": "median"}.get(method, method)
    assert found["notes"][0].startswith(said)
    assert "(--method takes another)" in " ".join(run("consensus", "study.jsonl", *options).stdout.split())
    expected = {"majority_vote": "a", "median": "mid", "number": 2.5, "medoid": [[0, 4, "x"]]}[method]
    assert [row["value"] for row in found["items"]] == [expected] * 2


def test_a_stated_distance_asks_for_the_medoid(run):
    assert json.loads(run("consensus", "mixed.csv", "--distance", "nominal", "--json").stdout)["method"] == "medoid"


def test_the_vote_shows_ties_and_shares(run):
    found = json.loads(run("consensus", "mixed.csv", "--ties", "none", "--json").stdout)
    assert found["method"] == "majority_vote"
    assert [row["value"] for row in found["items"]].count(None) == 3


def test_a_spammer_score_says_that_one_is_good(run):
    done = run("consensus", "mixed.csv", "--method", "dawid-skene")
    assert "spammer score (1 = good)" in done.stdout
    assert "1 is good (they never err), 0 is a spammer" in " ".join(done.stdout.split())
    found = json.loads(run("consensus", "mixed.csv", "--method", "dawid-skene", "--json").stdout)
    assert "spammer score" in found["annotators"][0]
