"""Answers: what every result can do, and how a command shows one."""

import json
import pickle

import click
import pytest
from click.testing import CliRunner

from interagree.cli.options import OUTPUT, Output, options
from interagree.cli.show import show
from interagree.errors import Advice, Hint, KindError, Wording
from interagree.results.answer import Answer
from interagree.results.document import Document, Section
from interagree.tables import Table

ORDERED = Hint("ordered", value=True)
ALL = Wording(".table()", "--csv")


class Toy(Answer):
    def __init__(self, undefined=None):
        self.undefined = undefined

    def tables(self):
        return {"rows": Table({"name": ["a"], "value": [0.5]})}

    def document(self, top=1):
        advice = Advice(f"if it is a scale, pass {ORDERED}; {ALL} has the rest of {top}", [ORDERED, ALL])
        return Document("Toy", [Section(table=self.table(), foot=[advice])], {"rows": self.table(), "notes": [advice]})


@click.command("toy")
@click.option("--undefined")
@options(OUTPUT)
def toy(undefined, **given):
    answer = Toy(undefined)
    show(answer, Output.take(given), answer.document(top=7), policy="1 row dropped")


def run(*words):
    return CliRunner().invoke(toy, words)


def test_an_answer_is_printed_and_turned_into_plain_data():
    assert "pass ordered=True; .table() has the rest of 1" in str(Toy())
    assert Toy().to_dict()["rows"] == list(Toy().table().rows())
    assert "<td" in Toy()._repr_html_()
    with pytest.raises(KindError, match="no picture"):
        Toy().plot()


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.txt", "Toy"),
        ("a.md", "# Toy"),
        ("a.html", "<!DOCTYPE html>"),
        ("a.tex", "%"),
        ("a.json", "{"),
        ("a.csv", "name"),
    ],
)
def test_the_suffix_of_a_file_says_how_it_is_written(name, start, tmp_path):
    assert Toy().write(tmp_path / name) == tmp_path / name
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_a_command_spells_the_advice_of_an_answer_in_its_own_words():
    result = run()
    assert result.exit_code == 0
    assert "if it is a scale, pass --ordered; --csv has the rest of 7\n" in result.stdout
    assert "Policy: 1 row dropped.\n" in result.stdout


def test_the_json_of_an_answer_names_the_command_and_the_policy():
    data = json.loads(run("--json").stdout)
    assert data["command"] == "toy"
    assert data["rows"] == [{"name": "a", "value": 0.5}]
    assert data["policy"] == "1 row dropped"
    assert data["notes"] == ["if it is a scale, pass --ordered; --csv has the rest of 7"]


def test_an_undefined_answer_is_shown_and_exits_with_three():
    result = run("--undefined", "no item has two annotators")
    assert result.exit_code == 3
    assert "Policy" in result.stdout


def test_advice_survives_pickling_and_composition():
    advice = Advice(f"pass {ORDERED}", [ORDERED])
    again = pickle.loads(pickle.dumps(advice))
    assert (again, again.hints) == (advice, advice.hints)
    assert Advice.around(f"alpha: {advice}", advice).hints == (ORDERED,)
