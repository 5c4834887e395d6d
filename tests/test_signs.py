"""What is printed where standard output has no α, or none at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TABLE = "item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n3,a,y\n3,b,y\n"
PRINTED = """
import interagree as ia
study = ia.read("labels.csv")
for answer in (ia.alpha(study), ia.report(study), ia.explain("alpha", study), ia.confusion(study)):
    print(answer)
    print([answer])
named = ia.Annotations.of([(1, "Łukasz", "źle"), (1, "Ola", "źle")])
print(study, [ia.Study({'źródo': named}), named, ia.alpha(named).by_item()])
"""


def _run(folder: Path, *words: str, encoding: str = "utf-8", **how: object) -> subprocess.CompletedProcess[str]:
    (folder / "labels.csv").write_text(TABLE, encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, check=False, text=True, encoding=encoding, **how
    )


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_answers_are_printed_where_there_is_no_alpha(tmp_path: Path, encoding: str) -> None:
    done = _run(tmp_path, "-c", PRINTED, encoding=encoding, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("alpha = 0.444, 95% interval")
    assert "?" not in done.stdout


@pytest.mark.parametrize("encoding", ["cp1252", "cp850"])  # click writes UTF-8 where ASCII is all there is
def test_commands_print_where_there_is_no_alpha(tmp_path: Path, encoding: str) -> None:
    done = _run(tmp_path, "-m", "interagree", "report", "labels.csv", encoding=encoding, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert "alpha 0.44" in done.stdout
    assert "?" not in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="a shell closes standard output otherwise there")
def test_a_closed_standard_output_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(TABLE, encoding="utf-8")
    command = f"'{sys.executable}' -m interagree report labels.csv -o report.md >&-"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "α 0.44" in (tmp_path / "report.md").read_text(encoding="utf-8")
