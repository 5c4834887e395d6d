"""What doccano's own exporter writes, and what we read of it; `make tools` installs doccano and runs this."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import interagree as ia
from interagree.errors import FormatError

VENV = os.environ.get("INTERAGREE_TOOLS_VENV")
pytestmark = pytest.mark.skipif(VENV is None, reason="needs doccano; run by `make tools`")
SCRIPT = Path(__file__).with_name("doccano_project.py")
PEOPLE = ["ann", "bo.b", "cy@example.org"]


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("doccano")
    python = Path(f"{VENV}/doccano/bin/python")
    (site,) = (python.parent.parent / "lib").glob("python*/site-packages")
    places = {"DATABASE_URL": f"sqlite:///{folder}/db.sqlite3", "MEDIA_ROOT": f"{folder}/media"}
    environment = {**os.environ, **places, "PYTHONPATH": str(site / "backend")}
    done = subprocess.run(
        [str(python), str(SCRIPT), str(folder)],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def given(export: Path, name: str) -> dict[tuple[str, str], Any]:
    return {(str(item), who): value for item, who, value in json.loads((export / "answers.json").read_text())[name]}


def rows(annotations: ia.Annotations) -> dict[tuple[str, str], Any]:
    return {(str(item), str(who)): value for item, who, value in annotations.rows()}


@pytest.mark.parametrize("written", ["jsonl", "json", "csv"])
def test_labels(export: Path, written: str) -> None:
    question = ia.read(export / f"labels.{written}.zip")["label"]
    assert question.annotators == PEOPLE
    assert rows(question) == {cell: frozenset(value) for cell, value in given(export, "labels").items()}
    study = ia.read(export / f"labels.approved.{written}.zip")
    assert study["label"].annotators == PEOPLE[:2]
    assert (len(study["label"].items), len(study["label"])) == (2, 4)
    assert "2 files without an example left out" in study.policy()


def test_spans_and_relations(export: Path) -> None:
    for name in ("spans", "relations"):
        study = ia.read(export / f"{name}.jsonl.zip")
        expected = {cell: tuple(map(tuple, value)) for cell, value in given(export, name).items()}
        assert rows(study["spans"]) == expected
    assert set(map(str, rows(study["relations"]).values())) == {"(((0, 3, 'PER'), (8, 10, 'PER'), 'met'),)"}
    assert len(ia.read(export / "relations.approved.jsonl.zip")["relations"]) == 4


@pytest.mark.parametrize("written", ["jsonl", "json", "csv"])
def test_texts(export: Path, written: str) -> None:
    question = ia.read(export / f"texts.{written}.zip")["label"]
    assert question.of_kind == "text"
    assert rows(question) == given(export, "texts")


def test_what_does_not_say_who_answered_what_is_refused(export: Path) -> None:
    for written in ("jsonl", "json", "csv"):
        with pytest.raises(FormatError, match="does not say who annotated what"):
            ia.read(export / f"shared.{written}.zip")
    for name in ("labels", "shared"):
        with pytest.raises(FormatError, match="is written for fastText"):
            ia.read(export / f"{name}.fasttext.zip")
