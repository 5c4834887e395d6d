"""Advice can be pasted: every option and every command that an error names is given, and leads somewhere.

The tables are those that the tests show, whatever they show them for.  Each is read by some commands; where one fails,
each of its hints is given to the same command, and each command that it prints is run.  Neither may fail with the same
sentence again.  No word of Python stands in what the command line says, and no flag in what Python says.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import interagree as ia
from interagree import cli
from interagree.cli import main
from interagree.errors import Hint, InteragreeError, OneOf, _without

TESTS = Path(__file__).parents[1]
COMMANDS = (
    ("measure", "labels.csv"),
    ("measure", "labels.csv", "--distance", "ordinal"),
    ("check", "labels.csv", "--at-least", "0.5", "-m", "cohen_kappa"),
    ("measure", "labels.csv", "--item", "itm"),
    ("consensus", "labels.csv", "--method", "dawid-skene"),
    ("judge", "labels.csv", "--model", "nobody"),
    ("spans", "labels.csv"),
)
LONGEST = 2000  # letters of a table that is taken
PYTHON = re.compile(
    r"\b(?:study|interagree|ia|pandas|pd|data|table|frame)\.[a-z_]+[(\[]|\binteragree\.[a-z_]+\b(?!\.toml)"
    r"|(?<![-:=,\w])[a-z_]+=(?:'[^']*'|\"[^\"]*\"|\[|\{'|True\b|False\b|None\b|…)"
)
FLAGS = re.compile(r"(?<![\w-])--[a-z][a-z-]+|(?<![\w-])-[mqOo] \S")


@cache
def tables() -> tuple[str, ...]:
    """The tables that the tests show: texts of three lines or more with as many cells in each of the first two."""
    shown: dict[str, None] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            lines = text.strip().splitlines()
            if len(lines) >= 3 and lines[0].count(",") == lines[1].count(",") > 0 and len(text) < LONGEST:
                shown[text] = None
    return tuple(shown)


MET: list[InteragreeError] = []


def run(words: list[str]) -> tuple[int, str, InteragreeError | None]:
    """The exit code of a command, what it says and the error behind that."""
    MET.clear()
    result = CliRunner().invoke(main, words)
    return result.exit_code, result.stderr, MET[-1] if MET else None


def complete(hint: Hint) -> Iterator[Hint]:
    """A hint in each way in which it can be given; none where the reader is to choose what to give."""
    value = hint.value
    if value is ... or (isinstance(value, list | tuple) and ... in value) or "…" in str(value):
        return
    yield from ([type(hint)(hint.option, each) for each in value] if isinstance(value, OneOf) else [hint])


def advised(words: list[str], said: str, error: InteragreeError) -> Iterator[list[str]]:
    """The commands that an error advises, each as words."""
    for hint in error.hints:
        spelled = isinstance(hint, Hint) and hint.for_command_line() in said
        for each in complete(hint) if spelled else ():
            added = each.words()
            yield [*_without(words, added), *added]
    for line in said.splitlines():
        command = line.strip().removeprefix("interagree ")
        if command != line.strip() and "…" not in command and "FILE" not in command:
            yield shlex.split(command)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    said = cli._advised

    def remembered(error: InteragreeError, ctx: click.Context) -> str:
        MET.append(error)
        return said(error, ctx)

    monkeypatch.setattr(cli, "_advised", remembered)
    return tmp_path


def failures(commands: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, list[str], str, InteragreeError]]:
    for text in tables():
        Path("labels.csv").write_text(text, encoding="utf-8")
        for words in map(list, commands):
            code, said, error = run(words)
            assert code in (0, 1, 2, 3), f"{said}\n{text}"
            if code == 2 and error is not None:
                yield text, words, said, error


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_what_a_command_advises_leads_somewhere(words: tuple[str, ...]) -> None:
    wrong = []
    for text, given, said, error in failures((words,)):
        for command in advised(given, said, error):
            code, then, _ = run(command)
            if code == 70 or (code == 2 and then == said):
                wrong.append(f"{shlex.join(command)} leads to the same: {then}\n{text}")
        wrong += [f"in the words of Python: {found[0]!r} in {said}" for found in PYTHON.finditer(said)]
    assert not wrong, "\n\n".join(dict.fromkeys(wrong))


def test_what_python_advises_leads_somewhere() -> None:
    wrong = []
    for text in tables():
        Path("labels.csv").write_text(text, encoding="utf-8")
        try:
            ia.read("labels.csv")
        except InteragreeError as error:
            said, hints = str(error), error.hints
            calls = [line.strip() for line in said.splitlines() if line.strip().startswith("interagree.read(")]
            calls += [
                f"interagree.read('labels.csv', {each})"
                for hint in hints
                if isinstance(hint, Hint) and str(hint) in said
                for each in complete(hint)
            ]
            wrong += [f"in the words of the command line: {found[0]!r} in {said}" for found in FLAGS.finditer(said)]
            for call in calls:
                try:
                    eval(call, {"interagree": ia})
                except InteragreeError as next_error:
                    if str(next_error) == said:
                        wrong.append(f"{call} leads to the same: {said}\n{text}")
    assert not wrong, "\n\n".join(dict.fromkeys(wrong))


def test_there_are_tables_and_they_fail_in_many_ways() -> None:
    assert len(tables()) > 50
    Path("labels.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    assert len({type(error) for *_, error in failures(COMMANDS[:1])}) >= 3


SETS = "item,annotator,tags\n1,a,x;y\n1,b,x\n2,a,y;z\n2,b,y;z\n3,a,x\n3,b,x;y;z\n"


def test_a_method_that_does_not_take_sets_names_those_that_do() -> None:
    Path("labels.csv").write_text(SETS, encoding="utf-8")
    words = ["consensus", "labels.csv", "--split", ";", "--method", "dawid-skene"]
    code, said, _ = run(words)
    assert code == 2
    assert "take the sets whole with --method medoid" in said
    assert run([*words[:-1], "medoid"])[0] == 0
    with pytest.raises(InteragreeError, match=r"study\.versus_rest\(label\), or the sets whole with medoid"):
        ia.crowd.dawid_skene(ia.read("labels.csv", split=";"))


@pytest.mark.parametrize(
    ("first", "second"),
    [(["low", "high"], ["high", "low"]), (["low", "high"], ["low", "mid"]), (["low", "mid"], ["low", "high"])],
)
def test_orders_that_do_not_fit_are_declared_as_the_message_says(first: list[str], second: list[str], need) -> None:
    pd = need("pandas")
    need("pyarrow")
    for name, order, item in (("one", first, "1"), ("two", second, "2")):
        values = pd.Categorical([order[0], order[1]], categories=order, ordered=True)
        pd.DataFrame({"item": [item] * 2, "annotator": ["a", "b"], "label": values}).to_parquet(f"{name}.parquet")
    words = ["measure", "one.parquet", "two.parquet", "--together", "-m", "alpha"]
    code, said, _ = run(words)
    assert code == 2
    advice = re.search(r"as in (--values \S+)", said)
    assert advice is not None, said
    assert run([*words, *shlex.split(advice[1])])[0] == 0
    studies = [ia.read(f"{name}.parquet").single() for name in ("one", "two")]
    with pytest.raises(InteragreeError) as caught:
        ia.concat(studies)
    call = re.search(r"study\.declaring\(.*?\]\)", str(caught.value))
    assert call is not None, str(caught.value)
    assert len(ia.concat([eval(call[0], {"study": study}) for study in studies])) == 4


def test_gold_with_several_answers_is_told_in_the_words_of_the_command_line() -> None:
    Path("labels.csv").write_text("item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n", encoding="utf-8")
    Path("gold.csv").write_text("item,annotator,label\n1,g,x\n1,h,y\n2,g,y\n2,h,y\n", encoding="utf-8")
    code, said, _ = run(["consensus", "labels.csv", "--gold", "gold.csv"])
    assert code == 2
    assert not PYTHON.search(said), said


def test_advice_of_doctor_on_spans_is_in_the_words_of_the_command_line() -> None:
    rows = [
        {"item": "d", "annotator": who, "label": [[0, 4, "x"], [5, 9, "y"]], "text": "one two. six"} for who in "ab"
    ]
    Path("spans.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = CliRunner().invoke(main, ["doctor", "spans.jsonl"])
    assert "with whitespace" in result.stdout
    assert not PYTHON.search(result.stdout), result.stdout
    assert "interagree.spans.trimmed" in str(ia.doctor("spans.jsonl"))
