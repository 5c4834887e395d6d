"""Small files to run commands on, and a way to run them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interagree.cli import main

Run = Callable[..., Result]

AGREE = [("1", "aa"), ("2", "bb"), ("3", "aa"), ("4", "bb"), ("5", "cc")]
MIXED = [(str(i), pair) for i, pair in enumerate(["aa", "bb", "ab", "aa", "bb", "ba", "aa", "bb", "aa", "ab"])]
DIFFER = [(str(i), pair) for i, pair in enumerate(["ab", "ba"] * 20)]
ONE_VALUE = [("1", "aa"), ("2", "aa"), ("3", "aa")]
ALONE = [("1", "a"), ("2", "b")]

STUDIES = {"agree": AGREE, "mixed": MIXED, "differ": DIFFER, "one_value": ONE_VALUE, "alone": ALONE}


def long_table(rows: list[tuple[str, str]]) -> str:
    """Items with a letter for each annotator, as CSV."""
    lines = [f"{item},{who},{value}" for item, values in rows for who, value in zip("xyz", values, strict=False)]
    return "\n".join(["item,annotator,label", *lines]) + "\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with one file for each small study, as the current one."""
    for name, rows in STUDIES.items():
        (tmp_path / f"{name}.csv").write_text(long_table(rows), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INTERAGREE_TRACEBACK", "1")  # an error that nobody foresaw should say where it happened
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def run() -> Run:
    """Run a command; it must end as the test says (0 unless told), and never by an exception of its own."""

    def call(*words: Any, code: int = 0, stdin: str | None = None, env: dict[str, str] | None = None) -> Result:
        result = CliRunner().invoke(main, [str(word) for word in words], input=stdin, env=env)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, result.output
        return result

    return call
