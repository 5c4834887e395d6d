"""Exit codes: 1 says that agreement is too low, and nothing else does."""

import shlex

import pytest
from click.testing import CliRunner

from interagree.cli import main

ROWS = "item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n3,a,y\n3,b,y\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "my labels.csv").write_text(ROWS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("INTERAGREE_TRACEBACK", raising=False)


@pytest.fixture
def broken(monkeypatch):
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("nothing to divide by")

    monkeypatch.setattr("interagree.reports.parts.measured", fails)


CHECK = ["check", "my labels.csv", "--at-least", "0.5"]


def test_an_error_that_was_not_foreseen_is_a_sentence_and_exit_code_70(broken):
    result = CliRunner().invoke(main, CHECK)
    assert result.exit_code == 70
    assert result.stdout == ""
    assert "ZeroDivisionError: nothing to divide by" in result.stderr
    assert "Traceback" not in result.stderr
    assert "interagree --traceback check 'my labels.csv' --at-least 0.5" in result.stderr


def test_the_advice_shows_where_it_happened(broken):
    advice = CliRunner().invoke(main, CHECK).stderr.partition("To see where it happened: ")[2]
    result = CliRunner().invoke(main, shlex.split(advice)[1:])
    assert result.exit_code == 70
    assert "Traceback" in result.stderr
    assert "in fails" in result.stderr


def test_the_environment_asks_for_the_same(broken):
    result = CliRunner().invoke(main, CHECK, env={"INTERAGREE_TRACEBACK": "1"})
    assert result.exit_code == 70
    assert "in fails" in result.stderr


def test_memory_that_runs_out_is_not_low_agreement(monkeypatch):
    def fails(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("interagree.reports.parts.measured", fails)
    assert CliRunner().invoke(main, CHECK).exit_code == 71


def test_an_interruption_is_130(monkeypatch):
    def fails(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("interagree.reports.parts.measured", fails)
    assert CliRunner().invoke(main, CHECK).exit_code == 130


def test_agreement_that_is_too_low_is_one():
    assert CliRunner().invoke(main, [*CHECK[:-1], "0.99"]).exit_code == 1
