"""What every command has in common: help, errors, output, and one sentence that is true of it."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import click
import pytest

from interagree.cli import main
from interagree.cli.registry import commands

EXAMPLES = {
    "doctor": ["mixed.csv"],
    "measure": ["mixed.csv"],
    "report": ["mixed.csv"],
    "check": ["mixed.csv", "--at-least", "0.1", "--on", "value"],
    "compare": ["mixed.csv", "-m", "alpha", "-m", "ac1"],
    "explain": ["alpha", "mixed.csv"],
    "list": ["measures"],
}


@pytest.mark.parametrize("name", commands())
def test_the_list_of_commands_says_what_each_says_itself(name, run):
    command = main.get_command(click.Context(main), name)
    assert command.help.partition("\n")[0] == commands()[name].summary
    assert command.name == name
    assert commands()[name].summary in " ".join(run("--help").output.split())


@pytest.mark.parametrize("name", commands())
def test_help_ends_with_the_same_in_python(name, run):
    text = run(name, "--help").output
    assert "In Python:" in text
    assert text.rstrip().rpartition("In Python:")[2].count("\n") <= 3


@pytest.mark.parametrize("name", commands())
def test_the_options_that_help_only_names_are_not_broken_at_their_hyphens(name, run):
    known = {flag for param in main.get_command(click.Context(main), name).params for flag in param.opts}
    for width in range(40, 121, 4):
        text = run(name, "--help", env={"COLUMNS": str(width)}).output
        named = text.partition("Special cases")[2].partition(":\n")[2].partition("\n\n")[0]
        assert set(named.split()) <= known


@pytest.mark.parametrize("name", EXAMPLES)
def test_json_has_a_version(name, run):
    found = json.loads(run(name, *EXAMPLES[name], "--json").stdout)
    assert found["schema"] == 1
    assert found["interagree"]


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("suffix", ["md", "tex", "json", "csv", "txt"])
def test_every_command_writes_what_the_suffix_says(name, suffix, run):
    result = run(name, *EXAMPLES[name], "-o", f"out.{suffix}")
    assert result.stdout == ""
    assert result.stderr == f"written: out.{suffix}\n"
    text = Path(f"out.{suffix}").read_text(encoding="utf-8")
    assert text.strip()
    if suffix == "json":
        json.loads(text)


@pytest.mark.parametrize("name", EXAMPLES)
def test_piped_output_has_no_colour_and_no_boxes(name, run):
    result = run(name, *EXAMPLES[name])
    assert "\x1b" not in result.stdout
    assert not set("─│┃") & set(result.stdout)  # drawn intervals are characters, and no boxes
    assert result.stderr == ""


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("columns", ["40", "80", "140"])
def test_a_terminal_gets_colour_and_no_line_too_long(name, columns, run):
    text = run(name, *EXAMPLES[name], env={"FORCE_COLOR": "1", "COLUMNS": columns}).stdout
    assert "\x1b[" in text
    plain = click.unstyle(text).splitlines()
    loose = {"explain", "doctor", "report"}  # formulas and commands are to be copied, so they stay on one line
    assert name in loose or max(map(len, plain)) <= int(columns)


def test_no_color_is_respected(run):
    text = run("measure", "mixed.csv", env={"FORCE_COLOR": "1", "NO_COLOR": "1", "COLUMNS": "120"}).stdout
    assert "\x1b[3" not in text  # bold may stay, colours may not


def test_a_real_terminal_is_noticed(folder):
    parent, child = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}
    code = "from interagree.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "measure", "mixed.csv"],
        stdout=child,
        env=env,
        cwd=folder,
        check=True,
        timeout=60,  # a terminal that nobody reads takes so much and no more
    )
    os.close(child)
    shown = os.read(parent, 65536).decode()
    os.close(parent)
    assert done.returncode == 0
    assert "\x1b[" in shown
    assert "Krippendorff's alpha" in shown


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in {"list", "explain"}])
def test_every_table_ends_with_the_policy_line(name, run):
    text = " ".join(run(name, *EXAMPLES[name]).stdout.split()).casefold()
    assert "columns taken: item from 'item', annotator from 'annotator', value from 'label'" in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["measur", "mixed.csv"], "Did you mean 'measure'?"),
        (["mixed.csv"], "interagree measure mixed.csv"),
        (["measure", "mixed.csv", "-m", "alfa"], "Did you mean 'alpha'?"),
        (["measure", "mixed.csv", "-m", "alpha:distnce=ordinal"], "Did you mean 'distance'?"),
        (["measure", "mixed.csv", "-m", "percent:x"], "it takes: distance, weights"),
        (["measure", "mixed.csv", "--distance", "ordnal"], "Did you mean 'ordinal'?"),
        (["measure", "mixed.csv", "-m", "icc", "--distance", "ordinal"], "takes no distance"),
        (["measure", "mixed.csv", "--distance", "ordinal"], "pass --values"),
        (["measure", "mixed.csv", "--weights", "quadratic", "--distance", "nominal"], "give one of them"),
        (["measure", "mixed.csv", "--cluster", "document"], "no attribute 'document'"),
        (["measure", "mixed.csv", "--scale", "landis"], "Did you mean 'landis_koch'?"),
        (["measure", "mixed.csv", "-q", "mood"], "no question 'mood'"),
        (["measure", "mixed.csv", "--annotator", "annotater"], "Did you mean --annotator annotator?"),
        (["measure", "nothing.csv"], "nothing.csv"),
        (["measure", "-", "-"], "named twice"),
        (["measure", "mixed.csv", "--json", "--csv"], "give one of them"),
        (["measure", "mixed.csv", "--json", "-o", "x.csv"], "do not go together"),
        (["report", "mixed.csv", "-o", "x.doc"], "the suffix '.doc'"),
        (["report", "mixed.csv", "-o", "x"], "no suffix"),
        (["report", "mixed.csv", "-o", "there/is/none.md"], "there is no such folder"),
        (["compare", "mixed.csv"], "name a second file, a second -m, or --groups COLUMN"),
        (["compare", "mixed.csv", "--groups", "language"], "no column 'language'"),
        (["compare", "mixed.csv", "agree.csv", "differ.csv"], "one file or two"),
        (["check", "mixed.csv"], "--at-least"),
        (["explain", "alfa"], "Did you mean 'alpha'?"),
        (["convert", "mixed.csv", "mixed.xyz"], "mixed.xyz"),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_code_two(words, says, run):
    result = run(*words, code=2)
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_duplicates_are_an_error_in_the_words_of_the_command_line(folder, run):
    Path("twice.csv").write_text("item,annotator,label\n1,x,a\n1,x,b\n1,y,a\n2,x,a\n2,y,a\n", encoding="utf-8")
    assert "--duplicates first" in run("measure", "twice.csv", code=2).stderr
    assert "1 repeated" in run("measure", "twice.csv", "--duplicates", "last").stdout


def test_standard_input_is_a_file(run):
    text = Path("mixed.csv").read_text(encoding="utf-8")
    assert run("measure", "-", stdin=text).stdout == run("measure", "mixed.csv").stdout


def test_a_plug_in_that_cannot_be_imported_is_named(run, monkeypatch):
    class Broken:
        name = "broken"

        def load(self):
            raise ImportError("no module called moon")

    monkeypatch.setattr("interagree.cli.registry.plug_ins", lambda: {"broken": Broken()})
    assert "broken" in run("--help").output
    assert "no module called moon" in run("broken", code=2).stderr


def test_a_plug_in_adds_a_command(run, monkeypatch):
    @click.command()
    def moon() -> None:
        click.echo("full")

    point = type("Point", (), {"name": "moon", "load": lambda _: moon})()
    monkeypatch.setattr("interagree.cli.registry.plug_ins", lambda: {"moon": point})
    assert run("moon").stdout == "full\n"


def test_version(run):
    assert run("--version").stdout.startswith("interagree 0.")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell, run):
    assert "_INTERAGREE_COMPLETE" in run("completion", shell).stdout


def test_a_shell_completes_commands_and_measures(folder):
    code = "from interagree.cli import main; main(prog_name='interagree')"
    env = {**os.environ, "_INTERAGREE_COMPLETE": "bash_complete"}

    def complete(words: str, position: int) -> str:
        more = {**env, "COMP_WORDS": words, "COMP_CWORD": str(position)}
        return subprocess.run(
            [sys.executable, "-c", code], env=more, cwd=folder, capture_output=True, text=True, check=False, timeout=60
        ).stdout

    assert "plain,measure" in complete("interagree mea", 1)
    assert "plain,fleiss_kappa" in complete("interagree measure -m fl", 3)
