"""Options that are given more than once: all files of -o are written, and two values for one are refused."""

from pathlib import Path

import click
import pytest

from interagree.cli import main
from interagree.cli.command import refuse_repeated
from interagree.cli.registry import commands


def table(name, rows):
    Path(name).write_text("\n".join(["item,annotator,label", *rows]) + "\n", encoding="utf-8")


def pairs(*values):
    return [f"{i},{who},{value}" for i, row in enumerate(values) for who, value in zip("xyz", row, strict=False)]


@pytest.mark.parametrize("name", commands())
def test_an_option_that_takes_one_value_is_not_given_two(name):
    command = main.get_command(click.Context(main), name)
    ctx = click.Context(command)
    for option in command.params:
        if not isinstance(option, click.Option) or option.multiple or option.nargs > 1:
            continue
        if option.secondary_opts:
            with pytest.raises(click.UsageError, match="contradict each other"):
                refuse_repeated(command, ctx, [option.opts[0], option.secondary_opts[0]])
        elif not option.is_flag:
            with pytest.raises(click.UsageError, match=r"was given 2, 'x' and 'y'; give it once"):
                refuse_repeated(command, ctx, [option.opts[0], "x", option.opts[-1], "y"])
            refuse_repeated(command, ctx, [option.opts[0], "x", option.opts[-1], "x"])
        refuse_repeated(command, ctx, [option.opts[0], *([] if option.is_flag else ["x"])])


def test_an_option_that_is_given_twice_is_exit_code_two_and_one_of_a_file_is_overridden(run):
    table("labels.csv", pairs(["a", "b"], ["b", "b"], ["a", "a"]))
    said = run("measure", "labels.csv", "--level", "0.9", "--level=0.8", code=2).stderr
    assert "--level takes one value and was given 2, '0.9' and '0.8'; give it once" in said
    Path("interagree.toml").write_text("level = 0.8\n", encoding="utf-8")
    assert "90% interval" in run("measure", "labels.csv", "--level", "0.9").stdout
    Path("other.toml").write_text("level = 0.7\n", encoding="utf-8")
    twice = run("--config", "interagree.toml", "--config", "other.toml", "measure", "labels.csv", code=2).stderr
    assert "--config takes one value" in twice


@pytest.mark.parametrize("command", ["report", "measure", "annotators", "doctor"])
def test_an_answer_is_written_to_all_files_that_are_named(command, run):
    table("labels.csv", pairs(*[["a", "b"], ["b", "b"], ["a", "a"]] * 4))
    names = ["a.tex", "b.html", "c.json", "d.csv", "e.md", "e.md"]
    said = run(command, "labels.csv", *(word for name in names for word in ("-o", name))).stderr
    assert [line for line in said.splitlines() if line.startswith("written")] == [
        f"written: {name}" for name in dict.fromkeys(names)
    ]
    assert Path("a.tex").read_text(encoding="utf-8") != Path("e.md").read_text(encoding="utf-8")
    run(command, "labels.csv", "-o", "alone.tex")
    assert Path("alone.tex").read_text(encoding="utf-8") == Path("a.tex").read_text(encoding="utf-8")


def test_nothing_is_written_where_one_of_several_files_cannot_be(run):
    table("labels.csv", pairs(["a", "b"], ["b", "b"], ["a", "a"]))
    run("measure", "labels.csv", "-o", "a.md", "-o", "labels.csv", code=2)
    run("measure", "labels.csv", "-o", "a.md", "-o", "no/such/folder/b.md", code=2)
    run("measure", "labels.csv", "--json", "-o", "a.json", "-o", "b.md", code=2)
    assert not [*Path().glob("a.*")]


def test_consensus_and_queues_are_written_to_all_files_that_are_named(run):
    table("labels.csv", pairs(*[["a", "b"], ["b", "b"], ["a", "a"]] * 4))
    for command in ("consensus", "disagreements"):
        run(command, "labels.csv", "-o", f"{command}.csv", "-o", f"{command}.jsonl")
        assert Path(f"{command}.csv").exists()
        assert Path(f"{command}.jsonl").exists()


def test_values_with_commas_stand_in_quotes(run):
    table("labels.csv", pairs(*[['"no, never"', "yes"], ["yes", "yes"], ['"no, never"', "maybe"]] * 4))
    assert "ordinal" in run("measure", "labels.csv", "--values", '"no, never", maybe,yes', "--ordered").stdout
