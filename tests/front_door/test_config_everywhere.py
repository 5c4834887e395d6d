"""A file of defaults is obeyed by every command that reads files, and every command says so."""

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from interagree.cli import main
from interagree.cli.registry import commands

CONFIG = 'item = "Nr"\nannotator = "Wer"\nvalue = "Urteil"\nmissing = ["-"]\n'
# Nobody could tell from the names which column is which.
ROWS = [(n, who, "xy"[(n * step) % 3 == 0]) for n in range(12) for step, who in enumerate("abc", start=1)]
LABELS = "Wer,Nr,Urteil,Zeit\n" + "".join(f"{who},{n},{value},{n}\n" for n, who, value in ROWS) + "a,99,-,3\n"
SPANS = "".join(
    json.dumps({"Nr": n, "Wer": who, "Urteil": [[n, n + 4 + place, "T"]]}) + "\n"
    for n in range(4)
    for place, who in enumerate("ab")
)
GOLD = "Wer,Nr,Urteil\n" + "".join(f"gold,{n},{'xy'[n % 2]}\n" for n in range(12))

# Every command that reads a file, as it is called where the file of defaults says the rest.
CALLS = {
    "doctor": ["doctor", "labels.csv"],
    "measure": ["measure", "labels.csv"],
    "report": ["report", "labels.csv"],
    "check": ["check", "labels.csv", "--at-least", "-1", "--on", "value"],
    "compare": ["compare", "labels.csv", "-m", "alpha", "-m", "ac1"],
    "distances": ["distances", "labels.csv"],
    "annotators": ["annotators", "labels.csv"],
    "disagreements": ["disagreements", "labels.csv"],
    "judge": ["judge", "labels.csv", "--model", "c"],
    "consensus": ["consensus", "labels.csv"],
    "shuffle": ["shuffle", "gold.csv", "--repeats", "1", "--magnitudes", "0,1"],
    "spans": ["spans", "spans.jsonl"],
    "timeline": ["timeline", "spans.jsonl"],
    "plan": ["plan", "labels.csv", "--half-width", "0.2"],
    "watch": ["watch", "labels.csv", "--once"],
    "explain": ["explain", "alpha", "labels.csv"],
    "convert": ["convert", "labels.csv", "out.csv"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name, text in (("labels.csv", LABELS), ("spans.jsonl", SPANS), ("gold.csv", GOLD), ("interagree.toml", CONFIG)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def call(*words, code=0):
    result = CliRunner().invoke(main, [*words])
    assert result.exit_code == code, result.output
    return result


def test_every_command_that_reads_a_file_is_tested_here():
    reading = {
        name
        for name in commands()
        if {"item", "annotator", "value"} <= {one.name for one in main.get_command(click.Context(main), name).params}
    }
    assert reading == {*CALLS, "serve"}  # which does not end; see tests/serve


@pytest.mark.parametrize("name", CALLS)
def test_the_file_is_obeyed_and_named(name):
    result = call(*CALLS[name])
    last = result.output.rstrip().rpartition("\n\n")[2]
    said = " ".join(last.split()).partition("Options from ")[2]
    assert said.startswith("interagree.toml (--no-config ignores it): ")
    for option in ('item = "Nr"', 'annotator = "Wer"', 'value = "Urteil"', 'missing = "-"'):
        assert option in said


@pytest.mark.parametrize("name", sorted(CALLS.keys() - {"convert"}))
def test_json_has_what_was_taken_from_the_file(name):
    found = json.loads(call(*CALLS[name], "--json").stdout)["config"]
    assert Path(found["file"]) == Path("interagree.toml").resolve()
    assert found["options"] == {"item": "Nr", "annotator": "Wer", "value": "Urteil", "missing": "-"}


@pytest.mark.parametrize("name", sorted(CALLS.keys() - {"convert", "doctor"}))
def test_the_result_is_that_of_the_same_options_on_the_command_line(name):
    words = ["--item", "Nr", "--annotator", "Wer", "--value", "Urteil", "--missing", "-"]
    taken = json.loads(call(*CALLS[name], "--json").stdout)
    del taken["config"]
    assert taken == json.loads(call("--no-config", *CALLS[name], *words, "--json").stdout)


def test_nothing_is_said_where_nothing_was_taken():
    words = ["--item", "Nr", "--annotator", "Wer", "--value", "Urteil", "--missing", "-"]
    result = call("measure", "labels.csv", *words)
    assert "interagree.toml" not in result.output
    assert "config" not in json.loads(call("measure", "labels.csv", *words, "--json").stdout)
    assert "interagree.toml" not in call("explain", "alpha").output


def test_a_file_in_a_folder_above_is_named_with_its_path(folder, monkeypatch):
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    text = " ".join(call("measure", "../labels.csv").stdout.split())
    assert f"Options from {folder / 'interagree.toml'} (--no-config" in text


def test_a_csv_on_standard_output_stays_a_csv():
    result = call("measure", "labels.csv", "--csv")
    assert "interagree.toml" not in result.stdout
    assert "Options from interagree.toml" in result.stderr


def test_options_that_a_command_does_not_have_are_named(folder):
    (folder / "interagree.toml").write_text(f'{CONFIG}layout = "long"\n', encoding="utf-8")
    assert "not for this command: layout" in " ".join(call("watch", "labels.csv", "--once").stdout.split())


def test_an_error_names_the_file_whose_options_led_to_it(folder):
    (folder / "interagree.toml").write_text('item = "Number"\n', encoding="utf-8")
    said = call("measure", "labels.csv", code=2).stderr
    assert "no column 'Number'" in said
    assert 'Options from interagree.toml (--no-config ignores it): item = "Number".' in said
