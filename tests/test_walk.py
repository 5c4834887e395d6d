"""The walk in docs/architecture.md: one label from the file to the printed table, in the order the page says."""

from __future__ import annotations

import re
import sys
from itertools import groupby
from pathlib import Path
from types import FrameType

import click.testing

from interagree.cli import main

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
STEPS = re.findall(r"^\| \d+ \| `([\w.]+:[\w.]+)` \|", PAGE, re.MULTILINE)


def room(step: str) -> str:
    """The room of a step; those of the statistics are rooms of their own."""
    parts = step.partition(":")[0].split(".")
    return ".".join(parts[:2]) if parts[0] == "stats" else parts[0]


def test_the_walk_is_short_and_never_returns_to_a_room() -> None:
    assert 10 < len(STEPS) <= 20
    rooms = [name for name, _ in groupby(map(room, STEPS))]
    assert len(rooms) == len(set(rooms))


def test_a_real_call_takes_the_steps_in_this_order(tmp_path: Path) -> None:
    rows = [f"{item},{who},{'yes' if (item + len(who)) % 3 else 'no'}" for item in range(9) for who in ("a", "bb", "c")]
    file = tmp_path / "labels.csv"
    file.write_text("\n".join(["item,annotator,value", *rows]), encoding="utf-8")
    marker = f"{Path('src') / 'interagree'}/"
    first: dict[str, None] = {}

    def follow(frame: FrameType, event: str, _: object) -> None:
        _, inside, path = frame.f_code.co_filename.rpartition(marker)
        if event == "call" and inside:
            module = path.removesuffix(".py").replace("/", ".")
            first.setdefault(f"{module}:{frame.f_code.co_qualname}")

    sys.setprofile(follow)
    try:
        result = click.testing.CliRunner().invoke(main, ["--no-config", "report", str(file), "-m", "alpha"])
    finally:
        sys.setprofile(None)
    assert result.exit_code == 0, result.output
    assert [step for step in first if step in STEPS] == STEPS
