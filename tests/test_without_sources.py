"""interagree works where its files cannot be looked at: from a zip file, and compiled without its sources."""

from __future__ import annotations

import compileall
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import interagree as ia

PACKAGE = Path(ia.__file__).parent
TRIED = """
import sys
sys.path.insert(0, sys.argv[1])
import interagree as ia
assert sys.argv[1] in ia.__file__, ia.__file__
print(ia.alpha(["a", "b", "b", "b"], ["a", "b", "b", "a"], distance="nominal").value, ia.krippendorff_alpha is ia.alpha)
print(len(ia.read(sys.argv[2])["label"].annotators))
from interagree.cli import main
main(["--help"])
"""


@pytest.fixture(params=["zip", "compiled"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Where a copy of the package is that has no files to look at, or no sources."""
    shutil.copytree(PACKAGE, tmp_path / "copy" / "interagree", ignore=shutil.ignore_patterns("__pycache__"))
    copy = tmp_path / "copy"
    if request.param == "zip":
        return Path(shutil.make_archive(str(tmp_path / "interagree"), "zip", copy))
    compileall.compile_dir(copy, quiet=2, legacy=True)
    for source in copy.rglob("*.py*"):
        if source.suffix != ".pyc":
            source.unlink()
    return copy


def test_it_runs_from_a_zip_file_and_without_sources(place: Path, tmp_path: Path) -> None:
    table = tmp_path / "labels.csv"
    table.write_text("item,annotator,label\n1,ann,yes\n1,bo,no\n2,ann,no\n2,bo,no\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-c", TRIED, str(place), str(table)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("0.5333333333333333 True\n2\n"), done.stdout
    assert "measure " in done.stdout
