"""Options that messages advise: in Python and on the command line."""

import inspect
import pickle
import re
import shlex

import pytest
from click.testing import CliRunner

from interagree.cli import main
from interagree.cli.options import READING, params_of
from interagree.errors import Advice, ColumnNotFound, DoubtfulReading, Hint, OneOf, ReaderHint, ReadingAdvice, Wording
from interagree.plugins import READERS
from interagree.studies.doctor.advice import as_flags

READINGS = [
    ReadingAdvice(
        "3 annotators in columns; 'Text' set aside",
        rows=[["1", "rater 1", "pos"], ["1", "rater2", "a cell that\nhas " + "many " * 20 + "words"]],
        header=["item", "annotator", "value"],
        options={"item": "ID", "annotator": ["rater 1", "rater2"], "attributes": ["Text"]},
    ),
    ReadingAdvice("one row for each annotation", options={"layout": "long", "questions": ["mood"]}),
]


@pytest.mark.parametrize(
    ("hint", "python", "command"),
    [
        (Hint("item", "ID"), "item='ID'", "--item ID"),
        (Hint("item", "task id"), "item='task id'", "--item 'task id'"),
        (Hint("item", "it's"), 'item="it\'s"', "--item 'it'\"'\"'s'"),
        (Hint("item", "$HOME"), "item='$HOME'", "--item '$HOME'"),
        (Hint("item", 0), "item=0", "--item 0"),
        (ReaderHint("question", "skill"), "question='skill'", "-O question=skill"),
        (Hint("item"), "item=…", "--item …"),
        (Hint("annotator", ["a", "b c"]), "annotator=['a', 'b c']", "--annotator a --annotator 'b c'"),
        (Hint("annotator", "{file}"), "annotator='{file}'", "--annotator '{file}'"),
        (Hint("values", ["low", "very high"]), "values=['low', 'very high']", "--values 'low,very high'"),
        (Hint("values", [...]), "values=[…]", "--values …"),
        (Hint("ordered", value=True), "ordered=True", "--ordered"),
        (Hint("ordered", value=False), "ordered=False", "--not-ordered"),
        (Hint("missing", ["", "-", "99"]), "missing=['', '-', '99']", "--missing '' --missing=- --missing 99"),
        (Hint("attributes", ["x"]), "attributes=['x']", "--attribute x"),
        (Hint("half_width", 0.05), "half_width=0.05", "--half-width 0.05"),
        (Hint("delimiter", "\t"), "delimiter='\\t'", "--delimiter tab"),
        (ReaderHint("scheme", "iob1"), "scheme='iob1'", "-O scheme=iob1"),
        (ReaderHint("columns", [2, 3]), "columns=[2, 3]", "-O columns=2,3"),
        (ReaderHint("predictions", value=True), "predictions=True", "-O predictions=true"),
        (
            Hint("duplicates", OneOf(("first", "last", "keep"))),
            "duplicates='first', 'last' or 'keep'",
            "--duplicates first|last|keep",
        ),
    ],
)
def test_an_option_is_spelled_for_python_and_for_a_shell(hint, python, command):
    assert str(hint) == python
    assert hint.for_command_line() == command


def test_an_error_carries_its_options_and_the_command_line_spells_them_anew():
    hints = (Hint("item", "task"), Hint("item", "task id"))
    error = ColumnNotFound(f"name it: {hints[0]} or {hints[1]}", hints=hints)
    assert str(error) == "name it: item='task' or item='task id'"
    assert error.for_command_line() == "name it: --item task or --item 'task id'"
    assert isinstance(error, KeyError)


def test_a_doubt_shows_every_reading_with_the_call_that_chooses_it():
    text = str(DoubtfulReading("labels.csv can be read in 2 ways:", READINGS, source="labels.csv"))
    assert text.splitlines()[0] == "labels.csv can be read in 2 ways:"
    assert "  1. 3 annotators in columns; 'Text' set aside\n       item  annotator  value\n" in text
    assert (
        "     interagree.read('labels.csv', item='ID', annotator=['rater 1', 'rater2'], attributes=['Text'])\n" in text
    )
    assert text.endswith("interagree.read('labels.csv', layout='long')['mood']")
    assert max(map(len, text.splitlines())) < 110
    assert "interagree.Annotations.of(data, item='ID'" in str(DoubtfulReading("2 ways:", READINGS))


def test_a_doubt_on_the_command_line_repeats_the_command_with_the_options_that_decide():
    error = DoubtfulReading("2 ways:", READINGS, source="my labels.csv")
    given = ["interagree", "measure", "my labels.csv", "--item", "x", "--json", "-q", "old", "--annotator=y"]
    first, second = (line.strip() for line in error.for_command_line(given).splitlines() if "interagree" in line)
    assert first == (
        "interagree measure 'my labels.csv' --json -q old --item ID --annotator 'rater 1' --annotator rater2 "
        "--attribute Text"
    )
    assert second == ("interagree measure 'my labels.csv' --item x --json --annotator=y --layout long --question mood")
    assert shlex.split(first)[2] == "my labels.csv"


def test_errors_survive_pickling():
    for error in (
        DoubtfulReading("2 ways:", READINGS, source="a.csv"),
        ColumnNotFound("name it: item='x'", hints=[Hint("item", "x")]),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.for_command_line()) == (str(error), error.for_command_line())


def run(*words, code=0):
    result = CliRunner().invoke(main, [*words])
    assert result.exit_code == code, result.output
    return result


ROWS = "nr,who's it,the $label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n"


@pytest.mark.parametrize(
    ("text", "words", "advised"),
    [
        (ROWS, ["--item", "nr", "--annotator", "whos it", "--value", "the $label"], r"--annotator '.*'(?=\?)"),
        (ROWS, ["--item", "nr", "--annotator", "who's it", "--value", "the label"], r"--value '.*'(?=\?)"),
        ("item,annotator,label\n1,a,x\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n", [], r"--duplicates \S+"),
        ("item,annotator,label\n1,a,low\n1,b,low\n2,a,high\n2,b,low\n", ["--distance", "ordinal"], r"--values \S+"),
    ],
)
def test_what_an_error_advises_works_when_it_is_pasted(text, words, advised, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my labels.csv").write_text(text, encoding="utf-8")
    said = run("measure", "my labels.csv", "-m", "alpha", *words, code=2).stderr
    found = re.search(advised, said)
    assert found is not None, said
    option, value = shlex.split(found[0].replace("…", "low,high"))
    kept = [word for pair in zip(words[::2], words[1::2], strict=True) if pair[0] != option for word in pair]
    for one in value.split("|"):
        run("measure", "my labels.csv", "-m", "alpha", *kept, option, one)


def test_a_doubt_met_by_a_command_repeats_the_command(tmp_path, monkeypatch):
    def doubt(*_: object, **__: object) -> None:
        raise DoubtfulReading("2 ways:", READINGS).at("labels.csv")

    monkeypatch.setattr("interagree.readers.read", doubt)
    said = run("measure", "labels.csv", "-m", "alpha", "--item", "x", code=2).stderr
    assert "labels.csv: 2 ways:" in said
    assert "interagree measure labels.csv -m alpha --item ID --annotator 'rater 1'" in said
    assert "interagree.read" not in said
    error = DoubtfulReading("2 ways:", READINGS).at("labels.csv")
    assert "interagree.read('labels.csv', item='ID'" in str(error)


def test_an_error_keeps_its_options_where_the_file_is_added():
    hint = Hint("item", "task id")
    error = ColumnNotFound(f"name it: {hint}", hints=[hint]).at("labels.csv")
    assert error.for_command_line() == "labels.csv: name it: --item 'task id'"


def test_options_of_single_readers_are_those_that_the_command_line_has_no_flag_for():
    flags = {param.name for param in params_of(READING)} - {"reader", "reader_options", "from_table"}
    flags |= {"format", "table"}
    named = {
        name
        for reader in READERS
        for name, param in inspect.signature(READERS[reader]).parameters.items()
        if param.kind is param.KEYWORD_ONLY
    }
    for name in flags:
        assert as_flags({name: "x"}).startswith(" --")
    for name in named - flags:
        assert as_flags({name: "x"}) == f" -O {name}=x"


def test_a_sentence_out_of_parts_keeps_its_hints():
    inner = Advice.of("pass ", Hint("missing", [""]))
    advice = Advice.of("in doubt: ", inner, ", ", ReaderHint("strict", value=True), " or ", Wording("only=", "--only"))
    assert advice == "in doubt: pass missing=[''], strict=True or only="
    assert ColumnNotFound(advice).for_command_line() == "in doubt: pass --missing '', -O strict=true or --only"
