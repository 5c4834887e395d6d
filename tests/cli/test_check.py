"""`interagree check`: the gate says by its exit code whether agreement is enough."""

import json
from pathlib import Path

import pytest

ENOUGH = {  # enough items for the interval to lie on one side of 0.8
    "agree": ["aa", "bb", "cc"] * 40,
    "differ": [*["ab", "ba"] * 20, "aa", "bb"],
    "one_value": ["aa"] * 60,
}


def long_table(rows):
    lines = [f"{item},{who},{value}" for item, pair in rows for who, value in zip("xy", pair, strict=True)]
    return "\n".join(["item,annotator,label", *lines]) + "\n"


@pytest.fixture(autouse=True)
def enough(folder):
    for name, pairs in ENOUGH.items():
        rows = [(str(i), pair) for i, pair in enumerate(pairs)]
        (folder / f"{name}.csv").write_text(long_table(rows), encoding="utf-8")


@pytest.mark.parametrize(
    ("study", "options", "code", "word"),
    [
        ("agree", ["--at-least", "0.8"], 0, "pass"),
        ("differ", ["--at-least", "0.8"], 1, "fail"),
        ("mixed", ["--at-least", "0.5"], 1, "cannot tell"),
        ("mixed", ["--at-least", "0.5", "--inconclusive", "pass"], 0, "cannot tell"),
        ("mixed", ["--at-least", "0.3", "--on", "value"], 0, "pass"),
        ("mixed", ["--at-least", "0.6", "--on", "value"], 1, "fail"),
        ("mixed", ["--at-least", "-1"], 0, "pass"),
        ("one_value", ["--at-least", "0.8"], 3, "undefined"),
        ("alone", ["--at-least", "0.8"], 3, "undefined"),
        ("alone", ["--at-least", "0.8", "--inconclusive", "pass"], 3, "undefined"),
        ("one_value", ["--at-least", "0.8", "-m", "percent"], 0, "pass"),
        ("agree", ["--at-least", "0.8", "-m", "percent", "-m", "alpha", "-m", "ac1"], 0, "pass"),
    ],
)
def test_the_exit_code_says_whether_agreement_is_enough(study, options, code, word, run):
    result = run("check", f"{study}.csv", *options, code=code)
    assert result.stdout.startswith(f"{word}: ")
    found = json.loads(run("check", f"{study}.csv", *options, "--json", code=code).stdout)
    assert found["exit_code"] == code
    assert found["checks"][0]["outcome"] == word


@pytest.mark.parametrize(
    ("files", "code"),
    [(["agree", "agree2"], 0), (["agree", "differ"], 1), (["agree", "one_value"], 3), (["differ", "one_value"], 1)],
)
def test_of_several_files_the_worst_counts(files, code, run, folder):
    (folder / "agree2.csv").write_bytes((folder / "agree.csv").read_bytes())
    run("check", *(f"{name}.csv" for name in files), "--at-least", "0.8", code=code)


@pytest.mark.parametrize("number", ["2", "-1.5"])
def test_a_threshold_that_nothing_can_reach_or_miss_is_refused(number, run):
    assert "-1<=x<=1" in run("check", "mixed.csv", "--at-least", number, code=2).stderr


def test_the_distance_suits_the_kind_of_value(run, folder):
    numbers = [("1", ("1.5", "1.7")), ("2", ("3", "3.5")), ("3", ("4", "4.4"))]
    (folder / "numbers.csv").write_text(long_table(numbers), encoding="utf-8")
    title = "Krippendorff's alpha, interval"
    assert title in run("check", "numbers.csv", "--at-least", "0", "--on", "value").stdout
    assert run("explain", "alpha", "numbers.csv").stdout.startswith(title)
    assert run("explain", "alpha", "numbers.csv", "--distance", "nominal").stdout.startswith(
        "Krippendorff's alpha, nominal"
    )
    assert "alpha, ordinal" in run("explain", "alpha", "mixed.csv", "--values", "a,b", "--ordered").stdout


def test_two_items_without_a_difference_are_not_enough_to_pass(run):
    Path("two.csv").write_text("item,ann,bo\n1,a,a\n2,b,b\n", encoding="utf-8")
    found = run("check", "two.csv", "--at-least", "0.8", code=1)
    assert "cannot tell" in found.stdout


LIKERT = ["12", "21", "23", "32", "34", "43", "45", "54", "11", "22", "33", "44", "55", "12"] * 12


@pytest.mark.parametrize(
    ("at_least", "options", "code", "word"),
    [
        ("0.7", [], 2, "in doubt"),  # labels fail, and a scale passes
        ("0.05", [], 0, "pass"),  # both pass
        ("0.95", [], 1, "fail"),  # both fail
        ("0.7", ["--ordered"], 0, "pass"),
        ("0.7", ["--distance", "interval"], 0, "pass"),
        ("0.7", ["--kind", "labels"], 1, "fail"),
        ("0.7", ["--not-ordered"], 1, "fail"),
        ("0.7", ["-m", "alpha"], 1, "fail"),
    ],
)
def test_whole_numbers_pass_or_fail_only_where_labels_and_a_scale_say_the_same(
    at_least, options, code, word, run, folder
):
    rows = [(str(i), pair) for i, pair in enumerate(LIKERT)]
    (folder / "likert.csv").write_text(long_table(rows), encoding="utf-8")
    said = " ".join(run("check", "likert.csv", "--at-least", at_least, *options, code=code).stdout.split())
    assert said.startswith(f"{word}: ")
    assert ("as an ordered scale, α = " in said) == (not options or options == ["-m", "alpha"])
    if word == "in doubt":
        assert "pass --ordered if they are a scale, or --kind labels if they are not" in said
