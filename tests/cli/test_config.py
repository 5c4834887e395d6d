"""Defaults from interagree.toml and pyproject.toml."""

import json
from pathlib import Path

import click
import pytest

from interagree.cli import COMMANDS, main
from interagree.config import EVERYWHERE, KEYS, RENAMED, defaults, load, written
from interagree.errors import InteragreeError

FILE = """measures = ["alpha"]
level = 0.9

[check]
at_least = 0.2
on = "value"
"""


def measured(run, *words):
    (study,) = json.loads(run("measure", "mixed.csv", *words, "--json").stdout)["studies"]
    return [one["measure"] for one in study["results"]], study["results"][0]["interval"]["level"]


def test_options_come_from_the_file_and_the_command_line_wins(run):
    Path("interagree.toml").write_text(FILE, encoding="utf-8")
    assert measured(run) == (["alpha"], 0.9)
    assert measured(run, "-m", "ac1", "--level", "0.8") == (["ac1"], 0.8)
    run("check", "mixed.csv")
    run("check", "mixed.csv", "--at-least", "0.9", code=1)


def test_no_config_and_another_config(run):
    Path("interagree.toml").write_text(FILE, encoding="utf-8")
    Path("other.toml").write_text('measures = "ac1"\n', encoding="utf-8")
    (study,) = json.loads(run("--no-config", "measure", "mixed.csv", "--json").stdout)["studies"]
    assert len(study["results"]) > 1
    (study,) = json.loads(run("--config", "other.toml", "measure", "mixed.csv", "--json").stdout)["studies"]
    assert [one["measure"] for one in study["results"]] == ["ac1"]


def test_the_nearest_file_upwards_counts(run, tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text('[tool.interagree]\nmeasures = ["percent"]\n', encoding="utf-8")
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    (inner / "pyproject.toml").write_text('[project]\nname = "x"\n', encoding="utf-8")
    assert defaults(start=inner).of("measure") == {"measures": ["percent"]}
    (inner / "interagree.toml").write_text('measures = ["ac1"]\n', encoding="utf-8")
    assert defaults(start=inner).of("measure") == {"measures": ["ac1"]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("distnce = 'ordinal'", "Did you mean 'distance'?"),
        ("[chek]\nat_least = 1", "Did you mean 'check'?"),
        ("[measure]\nat_least = 1", "'at_least' is not an option of measure"),
        ("measures = [", "is no TOML"),
    ],
)
def test_a_wrong_file_is_an_error_that_helps(text, says, run):
    Path("interagree.toml").write_text(text, encoding="utf-8")
    assert says in run("measure", "mixed.csv", code=2).stderr


def test_a_value_of_the_wrong_kind_is_an_error(run):
    Path("interagree.toml").write_text("level = 'high'", encoding="utf-8")
    assert "level" in run("measure", "mixed.csv", code=2).stderr


@pytest.mark.parametrize("name", KEYS)
def test_every_key_is_an_option_of_its_command(name):
    command = main.get_command(click.Context(main), name)
    assert {RENAMED.get(key, key) for key in KEYS[name]} <= {option.name for option in command.params}


def test_keys_for_all_commands_are_known_to_one_at_least():
    assert set(EVERYWHERE) <= {key for keys in KEYS.values() for key in keys}
    assert set(KEYS) <= set(COMMANDS)


def test_what_is_written_is_read_back(tmp_path):
    settings = {"item": 'the "item"', "values": ["a", "b"], "ordered": True, "level": 0.9, "seed": 3}
    (tmp_path / "interagree.toml").write_text(written(settings), encoding="utf-8")
    assert dict(load(tmp_path / "interagree.toml").everywhere) == settings


def test_options_named_in_the_singular_are_taken(tmp_path):
    (tmp_path / "interagree.toml").write_text('measure = "alpha"\nquestion = "mood"\n', encoding="utf-8")
    assert load(tmp_path / "interagree.toml").of("measure") == {"measures": ["alpha"], "questions": ["mood"]}


def test_errors_are_ours(tmp_path):
    (tmp_path / "x.toml").write_text("nonsense = 1\n", encoding="utf-8")
    with pytest.raises(InteragreeError, match="nonsense"):
        load(tmp_path / "x.toml")
