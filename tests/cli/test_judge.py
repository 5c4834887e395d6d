"""`judge`."""

import json
import random
from pathlib import Path

import pytest

import interagree.cli
from interagree.judging import judge
from interagree.readers import read


@pytest.fixture(autouse=True)
def files(folder, monkeypatch):
    """Labels by three people and a model, and preferences judged in both orders."""
    rng = random.Random(0)
    lines = ["item,annotator,label,team"]
    for i in range(40):
        truth = rng.choice("ab")
        for who in ("ann", "bo", "cy", "gpt", "7"):
            value = truth if rng.random() < (0.95 if who == "gpt" else 0.8) else rng.choice("ab")
            lines.append(f"{i},{who},{value},{'north' if who in ('ann', 'bo') else 'south'}")
    Path("labels.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = ["item,annotator,better,first"]
    lines += [f"{i},gpt,{first},{first}" for i in range(12) for first in "AB"]
    lines += [f"{i},{who},{rng.choice(['A', 'B', 'tie'])},A" for i in range(12) for who in ("ann", "bo")]
    Path("preferred.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    known = interagree.cli.COMMANDS
    if "judge" not in known:
        monkeypatch.setitem(known, "judge", ("judge", ""))


def test_the_verdict_comes_first(run):
    done = run("judge", "labels.csv", "--model", "gpt", "--value", "label", "--epsilon", "0.1")
    found = judge(read("labels.csv", value="label").single(), models="gpt", epsilon=0.1)
    text = " ".join(done.stdout.split())
    assert f"{found.verdict[0]}." in text
    for title in ("Agreement", "gpt in the place of each person", "Noise ceiling", "Every two annotators"):
        assert title in done.stdout
    assert "Policy: " in done.stdout


def test_json_holds_everything(run):
    done = run(
        "judge",
        "labels.csv",
        "--model",
        "gpt",
        "--model",
        "7",
        "--value",
        "label",
        "--groups",
        "team",
        "--json",
    )
    found = json.loads(done.stdout)
    study = read("labels.csv", value="label").single()
    names = ["gpt", next(name for name in study.annotators if str(name) == "7")]
    expected = judge(study, models=names)
    assert found["command"] == "judge"
    assert found["verdict"] == list(expected.verdict)
    assert [one["winning_rate"] for one in found["alternative_annotator_test"]] == [
        one.winning_rate for one in expected.tests.values()
    ]
    assert len(found["pairs"]) == 10
    assert found["groups_of_annotators"]["deals"] == 10


def test_csv_is_the_table_of_groups(run):
    done = run("judge", "labels.csv", "--model", "gpt", "--value", "label", "--csv")
    head, *rows = done.stdout.splitlines()
    assert head.startswith("agreement of,annotators,items,agreement,low,high,coefficient")
    assert [row.partition(",")[0] for row in rows] == ["human-human", "human-gpt"]


def test_preferences_are_tested_for_position(run):
    done = run(
        "judge", "preferred.csv", "--model", "gpt", "--value", "better", "--order", "first", "--ties", "label"
    )
    assert "gpt: leans to the answer shown first (100% for the first, p < 0.001)" in " ".join(
        done.stdout.split()
    )
    assert "a tie is an answer of its own." in done.stdout
    assert "Everybody with herself" in done.stdout
    assert "Preferences beside those of people" in done.stdout


def test_ties_may_be_left_out(run):
    words = ("judge", "preferred.csv", "--model", "gpt", "--value", "better", "--order", "first")
    done = run(*words, "--ties", "left-out", "--json")
    assert json.loads(done.stdout)["preferences"]["ties"] == "left out"


def test_pairs_may_be_left_out(run):
    done = run("judge", "labels.csv", "--model", "gpt", "--value", "label", "--no-pairs")
    assert "Every two annotators" not in done.stdout


def test_what_cannot_be_said_ends_with_3(run):
    done = run("judge", "agree.csv", "--model", "x", code=3)
    assert "cannot be said: there is one person, 'y'" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "gtp"), "there is no annotator 'gtp' to take as a model; there are"),
        (("--model", "gpt", "--human", "eve"), "there is no annotator 'eve' to take as a person"),
        (("--model", "gpt", "--order", "shown"), "no column 'shown' that says which answer was shown first"),
        ((), "Missing option '--model'"),
    ],
)
def test_wrong_use_says_what_to_do(run, words, said):
    done = run("judge", "labels.csv", "--value", "label", *words, code=2)
    assert said in " ".join(done.stderr.split())


def test_several_questions_are_to_be_chosen_from(run):
    done = run("judge", "labels.csv", "--model", "gpt", "--value", "label", "--value", "team", code=2)
    assert "choose one with --question" in " ".join(done.stderr.split())
