"""What --help shows: everyday options first, all of them with --help-all."""

import re

import click
import pytest
from click.testing import CliRunner

from interagree.cli import main
from interagree.cli.options import READING, params_of
from interagree.cli.registry import commands

READ = [
    name for name in commands() if "item" in {one.name for one in main.get_command(click.Context(main), name).params}
]
MAIN = ("doctor", "measure", "report", "check", "compare", "annotators", "disagreements", "explain", "convert")
LINES = {**dict.fromkeys(READ, 56), **dict.fromkeys(MAIN, 51)}


def call(*words, width=80):
    result = CliRunner().invoke(main, [*words], env={"COLUMNS": str(width)}, terminal_width=width)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("name", READ)
def test_help_fits_on_a_screen(name, width):
    text = call(name, "--help", width=width)
    assert len(text.splitlines()) <= LINES[name]
    options = text[re.search("^(Options|Reading the file):", text, re.MULTILINE).start() :].partition("In Python")[0]
    assert max(map(len, options.splitlines())) <= width


@pytest.mark.parametrize("name", READ)
def test_everyday_options_are_explained_and_all_others_named(name):
    text = call(name, "--help")
    assert text.index("--item COLUMN") < text.index("--values A,B,…")
    command = main.get_command(click.Context(main), name)
    for param in command.params:
        if isinstance(param, click.Option) and "--help" not in param.opts:
            assert re.search(rf"{param.opts[-1]}\b", text), param.opts


@pytest.mark.parametrize("name", sorted(set(READ) - {"watch", "serve"}))
def test_help_all_explains_every_option(name):
    assert f"{name} --help-all" in " ".join(call(name, "--help").split())
    text = " ".join(call(name, "--help-all", width=100).split())
    for param in params_of(READING):
        assert " ".join(param.help.split()) in text
    assert "Reading the file:" in text


def test_a_default_is_shown_beside_the_first_sentence():
    text = call("measure", "--help")
    assert "The level of the intervals [0.95]" in text
    assert "Rows of such a table [20]" in text


def test_an_option_that_only_shares_its_name_is_the_commands_own():
    text = call("consensus", "--help").partition("Options:")[2]
    assert text.index("--method") < text.index("--distance")


def test_little_known_names_are_explained_where_they_stand(tmp_path):
    file = tmp_path / "labels.csv"
    file.write_text("item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n", encoding="utf-8")
    sentence = "SPA: the chance that two annotators of an item agree"
    for words in (["measure", str(file), "-m", "spa"], ["report", str(file), "-m", "spa", "--full"]):
        assert sentence in " ".join(call(*words, width=100).split())
    assert "SPA:" not in call("measure", str(file), "-m", "alpha")
    text = " ".join(call("list", "measures", width=100).split())
    assert "SPA: sparse probability of agreement" in text
    assert "κx, in judge: agreement across two groups beyond chance" in text
    assert "chance: what annotators who do not look would draw from" in text
