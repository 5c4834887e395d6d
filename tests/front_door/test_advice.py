"""Options that messages advise: in Python and on the command line."""

import pickle
import shlex

import pytest

from interagree.errors import ColumnNotFound, DoubtfulReading, Hint, OneOf, ReadingAdvice

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
        (Hint("item"), "item=…", "--item …"),
        (Hint("annotator", ["a", "b c"]), "annotator=['a', 'b c']", "--annotator a --annotator 'b c'"),
        (Hint("annotator", "{file}"), "annotator='{file}'", "--annotator '{file}'"),
        (Hint("values", ["low", "very high"]), "values=['low', 'very high']", "--values 'low,very high'"),
        (Hint("values", [...]), "values=[…]", "--values …"),
        (Hint("ordered", value=True), "ordered=True", "--ordered"),
        (Hint("ordered", value=False), "ordered=False", "--not-ordered"),
        (
            Hint("missing", ["", "-", "99"]),
            "missing=['', '-', '99']",
            "--missing '' --missing=- --missing 99",
        ),
        (Hint("attributes", ["x"]), "attributes=['x']", "--attribute x"),
        (Hint("half_width", 0.05), "half_width=0.05", "--half-width 0.05"),
        (Hint("delimiter", "\t"), "delimiter='\\t'", "--delimiter tab"),
        (Hint("scheme", "iob1"), "scheme='iob1'", "-O scheme=iob1"),
        (Hint("columns", [2, 3]), "columns=[2, 3]", "-O columns=2,3"),
        (Hint("predictions", value=True), "predictions=True", "-O predictions=true"),
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
        "     interagree.read('labels.csv', item='ID', annotator=['rater 1', 'rater2'], attributes=['Text'])\n"
        in text
    )
    assert text.endswith("interagree.read('labels.csv', layout='long')['mood']")
    assert max(map(len, text.splitlines())) < 110
    assert "interagree.Annotations.of(data, item='ID'" in str(DoubtfulReading("2 ways:", READINGS))


def test_a_doubt_on_the_command_line_repeats_the_command_with_the_options_that_decide():
    error = DoubtfulReading("2 ways:", READINGS, source="my labels.csv")
    given = ["interagree", "measure", "my labels.csv", "--item", "x", "--json", "-q", "old", "--annotator=y"]
    first, second = (
        line.strip() for line in error.for_command_line(given).splitlines() if "interagree" in line
    )
    assert first == (
        "interagree measure 'my labels.csv' --json -q old --item ID --annotator 'rater 1' --annotator rater2 "
        "--attribute Text"
    )
    assert second == (
        "interagree measure 'my labels.csv' --item x --json --annotator=y --layout long --question mood"
    )
    assert shlex.split(first)[2] == "my labels.csv"


def test_errors_survive_pickling():
    for error in (
        DoubtfulReading("2 ways:", READINGS, source="a.csv"),
        ColumnNotFound("name it: item='x'", hints=[Hint("item", "x")]),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.for_command_line()) == (str(error), error.for_command_line())
