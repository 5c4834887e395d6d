"""`plan`."""

import json
from pathlib import Path

import pytest

import interagree as ia


def test_a_pilot_gives_a_table_and_what_to_do_next(run):
    text = run("plan", "mixed.csv", "--half-width", 0.05).stdout
    plan = ia.plan(ia.read("mixed.csv"), half_width=0.05)
    assert text.startswith(f"{plan.headline()}.\n")
    assert str(plan.table()) in text
    assert "The next 100 labels, and the half-width before and after\n---" in text
    assert "The pilot has 10 items with two labels or more, so the plan is rough." in text
    assert text.rstrip().endswith("value from 'label'.")


def test_what_is_assumed_does_without_a_file(run):
    found = json.loads(run("plan", "--agreement", 0.8, "--budget", 5000, "--json").stdout)
    assert found["command"] == "plan"
    assert found["plan"]["table"] == ia.plan(agreement=0.8, budget=5000).to_dict()["table"]


def test_shares_are_for_any_coefficient(run):
    words = ("-m", "alpha", "--shares", "0.5,0.3,0.2", "--agreement", 0.8, "--half-width", 0.05)
    lines = run("plan", *words, "--per-item", "2-3,5", "--csv").stdout.splitlines()
    plan = ia.plan(measure="alpha", shares=[0.5, 0.3, 0.2], agreement=0.8, half_width=0.05, per_item=[2, 3, 5])
    assert lines[0] == "labels per item,items,labels,times the least"
    assert [line.split(",")[:2] for line in lines[1:]] == [
        [str(row["labels per item"]), str(row["items"])] for row in plan.table()
    ]
    assert run("plan", *words, "-o", "plan.md").stderr == "written: plan.md\n"
    assert "α near " in Path("plan.md").read_text(encoding="utf-8")


def test_a_distance_reaches_the_measure(run):
    words = ("--shares", "0.5,0.3,0.2", "--agreement", 0.8, "--half-width", 0.05, "--per-item", 2, "--json")
    plain, linear = (
        json.loads(run("plan", "-m", name, *words).stdout)["plan"]["value"]
        for name in ("alpha", "alpha:distance=interval")
    )
    assert plain != linear
    assert linear == json.loads(run("plan", "-m", "alpha", "--distance", "interval", *words).stdout)["plan"]["value"]


def test_a_plan_is_drawn(run, need):
    need("matplotlib")
    run("plan", "mixed.csv", "--half-width", 0.05, "--plot", "plan.png")
    assert Path("plan.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["agree", "one_value", "alone"])
def test_what_cannot_be_planned_ends_with_three(run, name):
    assert run("plan", f"{name}.csv", "--half-width", 0.05, code=3).stdout.startswith("There is no plan for SPA: ")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "--half-width 0.05, or --budget 5000"),
        (("--half-width", 0.05, "-m", "alpha"), "give --shares 0.5,0.3,0.2 with --agreement 0.8, or a pilot"),
        (("mixed.csv", "--half-width", 0.05, "--agreement", 0.8), "give the data or --agreement, not both"),
        (("--half-width", 0.7, "--agreement", 0.8), "--half-width 0.7 asks for nothing"),
        (("--budget", 100, "--shares", "a,b"), "expected numbers"),
        (("--budget", 100, "--agreement", 0.8, "--per-item", "few"), "expected whole numbers"),
        (("--budget", 100, "--agreement", 0.8, "--per-item", "1"), "two labels or more"),
        (("--budget", 100, "-m", "kendall_w"), "there is no plan for kendall_w"),
    ],
)
def test_wrong_use_ends_with_two(run, words, complaint):
    assert complaint in run("plan", *words, code=2).stderr


def test_one_question_is_planned_at_a_time(run):
    Path("two.csv").write_text("item,annotator,a,b\n1,x,1,2\n1,y,1,1\n2,x,2,2\n2,y,1,1\n", encoding="utf-8")
    words = ("plan", "two.csv", "--value", "a", "--value", "b", "--half-width", 0.05)
    assert "choose one with --question" in run(*words, code=2).stderr
    assert "SPA near 0.500" in run(*words, "-q", "a").stdout


def test_defaults_may_stand_in_a_file(run):
    Path("interagree.toml").write_text("[plan]\nhalf_width = 0.1\nper_item = [2, 3]\n", encoding="utf-8")
    found = json.loads(run("plan", "mixed.csv", "--json").stdout)["plan"]
    assert found["half_width"] == 0.1
    assert [row["labels per item"] for row in found["table"]] == [2, 3]
