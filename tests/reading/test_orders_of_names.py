"""What is said of a table is the same in every run, whatever order sets of names have in it."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

COLUMNS = [f"coder{who}_{label}" for who in (1, 2, 3) for label in ("joy", "fear", "anger")]
NOTES = ["journal", "venue", "colour", "shape", "weather"]
SAID = """
import json, sys
import interagree
said = []
for path in sys.argv[1:]:
    try:
        said.append(str(interagree.read(path).policy()))
    except interagree.errors.InteragreeError as error:
        said.append(str(error))
print(json.dumps(said))
"""


def said(paths: list[Path], seed: str) -> list[str]:
    run = subprocess.run(
        [sys.executable, "-c", SAID, *map(str, paths)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[str] = json.loads(run.stdout)
    return found


def test_offers_and_sentences_do_not_depend_on_the_order_of_hashes(tmp_path: Path) -> None:
    source = random.Random(1)
    counts = tmp_path / "counts.csv"
    rows = [[f"item {n}", *(source.choice("01") for _ in COLUMNS)] for n in range(40)]
    counts.write_text("\n".join(map(",".join, [["id", *(f"{c[5]}label{c[7:]}" for c in COLUMNS)], *rows])))
    files = tmp_path / "people"
    files.mkdir()
    for who in ("anna", "ben"):
        rows = [[str(n), source.choice(["yes", "no"]), *(f"{who} {source.random()}" for _ in NOTES)] for n in range(40)]
        (files / f"{who}.csv").write_text("\n".join(map(",".join, [["item", "label", *NOTES], *rows])))
    first, second = (said([counts, files], seed) for seed in ("1", "77"))
    assert first == second
    assert "counting how often" in first[0]
    assert "columns set aside: 'journal'" in first[1]
