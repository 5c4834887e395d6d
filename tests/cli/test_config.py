"""Defaults from interagree.toml and pyproject.toml."""

import json
from pathlib import Path

import click
import pytest

from interagree.cli import main
from interagree.cli.config import defaults, load
from interagree.cli.defaults import OF_ONE_RUN, options_of, shared
from interagree.cli.registry import commands
from interagree.errors import InteragreeError
from interagree.results.toml import toml

FILE = """measures = ["alpha"]
level = 0.9

[check]
at_least = 0.2
on = "value"
"""


def command(name):
    return main.get_command(click.Context(main), name)


def given(config, name):
    return dict(config.of(name, options_of(command(name)), shared()).given)


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


def test_the_nearest_file_upwards_counts(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.interagree]\nmeasures = ["percent"]\n', encoding="utf-8")
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    (inner / "pyproject.toml").write_text('[project]\nname = "x"\n', encoding="utf-8")
    assert given(defaults(start=inner), "measure") == {"measures": ["percent"]}
    (inner / "interagree.toml").write_text('measures = ["ac1"]\n', encoding="utf-8")
    assert given(defaults(start=inner), "measure") == {"measures": ["ac1"]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("distnce = 'ordinal'", "Did you mean 'distance'?"),
        ("[chek]\nat_least = 1", "Did you mean 'check'?"),
        ("[measure]\nat_least = 1", "'at_least' is not an option of measure"),
        ("[check]\nat_leest = 1", "Did you mean 'at_least'?"),
        ("top = 3", "one of a single command goes under its name, such as [measure]"),
        ("measures = [", "is not valid TOML"),
    ],
)
def test_a_wrong_file_is_an_error_that_helps(text, says, run):
    Path("interagree.toml").write_text(text, encoding="utf-8")
    assert says in run("measure", "mixed.csv", code=2).stderr


def test_a_value_of_the_wrong_kind_is_an_error_that_names_the_file(run):
    Path("interagree.toml").write_text("level = 'high'", encoding="utf-8")
    said = run("measure", "mixed.csv", code=2).stderr
    assert "--level" in said
    assert "interagree.toml" in said


def test_a_list_for_an_option_that_takes_one_is_an_error_unless_the_command_says_otherwise(run):
    Path("interagree.toml").write_text("annotator = ['a', 'b']", encoding="utf-8")
    assert "annotator is a list of 2, and watch takes one" in run("watch", "mixed.csv", code=2).stderr
    Path("interagree.toml").write_text("annotator = ['a', 'b']\n[watch]\nannotator = 'annotator'", encoding="utf-8")
    run("watch", "mixed.csv", "--once")


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_option_of_a_command_but_those_of_one_run_may_be_given_in_a_file(name):
    params = {one.name for one in command(name).params if isinstance(one, click.Option)}
    assert {one.name for one in options_of(command(name))} == params - OF_ONE_RUN


def test_an_option_that_means_something_else_in_a_command_is_not_taken_from_the_top(run):
    Path("interagree.toml").write_text("method = 'bootstrap'", encoding="utf-8")
    assert given(load(Path("interagree.toml")), "measure") == {"method": "bootstrap"}
    assert given(load(Path("interagree.toml")), "consensus") == {}
    run("consensus", "mixed.csv")


def test_what_is_written_is_read_back(tmp_path):
    settings = {"item": 'the "item"', "values": ["a", "b"], "ordered": True, "level": 0.9, "seed": 3}
    text = toml(settings, [("a reason", {"split": "|"})])
    assert '# a reason\n# split = "|"\n' in text
    (tmp_path / "interagree.toml").write_text(text, encoding="utf-8")
    assert dict(load(tmp_path / "interagree.toml").everywhere) == settings


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ('measure = "alpha"\nquestion = "mood"\n', {"measures": ["alpha"], "questions": ["mood"]}),
        ('format = "csv"\noptions = "x=1"\n', {"reader": "csv", "reader_options": ["x=1"]}),
        ('looked = ["a", "b"]\nvalues = [1, 2]\n', {"looked": "a,b", "values": [1, 2]}),
        ("[measure]\nscale = 'altman'\nby = 'item'\n", {"scales": ["altman"], "by": ["item"]}),
        ("[measure]\nhelp_all = true\n", None),
    ],
)
def test_options_are_taken_by_the_names_of_python_and_of_the_command_line(text, taken, tmp_path):
    (tmp_path / "interagree.toml").write_text(text, encoding="utf-8")
    config = load(tmp_path / "interagree.toml")
    if taken is None:
        with pytest.raises(InteragreeError, match="help_all"):
            given(config, "measure")
    else:
        assert given(config, "measure") == taken


def test_errors_are_ours(tmp_path):
    (tmp_path / "x.toml").write_text("nonsense = 1\n", encoding="utf-8")
    with pytest.raises(InteragreeError, match="nonsense"):
        given(load(tmp_path / "x.toml"), "measure")
