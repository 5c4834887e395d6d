"""What the Makefile does before anything is there: environments that were interrupted, met twice, or out of reach."""

from __future__ import annotations

import os
import runpy
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
import pythons

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the programs that stand for Python are shell scripts")


@pytest.fixture
def environments() -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(ROOT / "environments.py"), run_name="environments"))


def stand_in(folder: Path, *, pip: int = 0, said: str = "") -> None:
    """An environment whose Python is a script."""
    program = folder / "bin" / "python"
    program.parent.mkdir(parents=True, exist_ok=True)
    log = folder.parent / "log"
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {log}\n[ "$3" = --version ] && exit {pip}\necho "{said}" >&2\n[ -z "{said}" ]\n'
    )
    program.chmod(0o755)


def test_an_environment_that_can_install_is_used(environments, tmp_path, monkeypatch):
    stand_in(tmp_path / "venv")
    monkeypatch.setattr("venv.create", lambda *_, **__: pytest.fail("it is there"))
    assert environments.make(tmp_path / "venv", ["-e", "."]) == ""
    assert (
        (tmp_path / "log").read_text().splitlines()[-1].endswith("pip install --quiet --disable-pip-version-check -e .")
    )


def test_an_environment_without_pip_is_made_anew(environments, tmp_path, monkeypatch):
    stand_in(tmp_path / "venv", pip=1)
    made = []

    def create(folder, **options):
        made.append(options)
        stand_in(folder)

    monkeypatch.setattr("venv.create", create)
    assert environments.make(tmp_path / "venv", ["."]) == ""
    assert made == [{"with_pip": True, "clear": True}]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("WARNING: Retrying\nERROR: No matching distribution found for numpy", "the package index cannot be reached"),
        ("ERROR: it does not compile", "pip says:\nERROR: it does not compile"),
    ],
)
def test_what_pip_cannot_do_is_a_sentence(environments, tmp_path, said, sentence):
    stand_in(tmp_path / "venv", said=said)
    wrong = environments.make(tmp_path / "venv", ["."])
    assert wrong.startswith(f"{tmp_path / 'venv'} cannot be filled")
    assert sentence in wrong
    assert "WARNING" not in wrong


def test_two_that_make_one_environment_take_turns(environments, tmp_path):
    happened = []

    def second():
        with environments.alone(tmp_path / "venv"):
            happened.append("second")

    with environments.alone(tmp_path / "venv"):
        other = threading.Thread(target=second)
        other.start()
        other.join(0.2)
        happened.append("first")
    other.join(60)
    assert happened == ["first", "second"]


def test_pythons_are_found_once_each_and_others_are_passed_over(tmp_path, monkeypatch):
    for name, body in {
        "python3.20": "printf '3\\n20\\n/here\\n'",
        "python3.21": "exit 127",
        "python3.22": "printf '3\\n10\\n/old\\n'",
    }.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    found = pythons.pythons()
    assert found[3, 20] == "/here"
    assert len(found) == 2  # and the one that runs this
