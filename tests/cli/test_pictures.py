"""Pictures on the command line: every answer is drawn where the name of the file asks for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interagree.cli import main

ROWS = "item,annotator,label\n" + "".join(
    f"{item},{who},{'xyz'[(item + (item % 4 == 0) * len(who)) % 3]}\n"
    for item in range(12)
    for who in ("ann", "bo", "c")
)


@pytest.mark.parametrize("command", ["measure", "report", "annotators"])
def test_the_suffix_asks_for_a_picture(command: str, tmp_path: Path, need: Any) -> None:
    need("matplotlib")
    data, picture = tmp_path / "labels.csv", tmp_path / "picture.svg"
    data.write_text(ROWS, encoding="utf-8")
    done = CliRunner().invoke(main, [command, str(data), "-o", str(picture)])
    assert done.exit_code == 0, done.output
    assert "<svg" in picture.read_text(encoding="utf-8")


def test_what_cannot_be_drawn_is_said_in_a_sentence(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["explain", "alpha", "-o", str(tmp_path / "picture.svg")])
    assert done.exit_code == 2
    assert "there is no picture of this Explanation; take" in done.output
