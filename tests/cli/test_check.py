"""`interagree check`: the gate says by its exit code whether agreement is enough."""

import json

import pytest


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
    [
        (["agree", "agree2"], 0),
        (["agree", "differ"], 1),
        (["agree", "one_value"], 3),
        (["differ", "one_value"], 1),
    ],
)
def test_of_several_files_the_worst_counts(files, code, run, folder):
    (folder / "agree2.csv").write_bytes((folder / "agree.csv").read_bytes())
    run("check", *(f"{name}.csv" for name in files), "--at-least", "0.8", code=code)
