"""The pictures in docs/pictures, drawn from docs/files: `python docs/make_pictures.py`.

Forest plots by interagree's own `Report.plot` (matplotlib, colours that colour-blind readers can tell apart),
histograms and a heat map of distances, curves under noise, the pictures of a study, a timeline, and a terminal by rich.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl

import interagree as ia

DOCS = Path(__file__).parent
FILES, PICTURES = DOCS / "files", DOCS / "pictures"


def same_every_time() -> None:
    """Have matplotlib write the same file whenever it draws the same."""
    mpl.rcParams["svg.hashsalt"] = "interagree"
    mpl.rcParams["svg.fonttype"] = "none"
    os.environ["SOURCE_DATE_EPOCH"] = "0"


def rounds() -> None:
    """Coefficients before and after the guidelines were rewritten."""
    studies = {"before": ia.read(FILES / "round1.csv"), "after": ia.read(FILES / "round2.csv")}
    ia.report(studies, measures=["percent", "alpha", "ac1", "fleiss_kappa"]).plot(PICTURES / "rounds.svg")


def distances() -> None:
    """Distances of spans within and between items, and those of some items."""
    compared = ia.studies.compare_distances(ia.read(FILES / "spans.jsonl"), ["count_diff", "spans_strict", "spans_tag"])
    compared.plot(PICTURES / "distances.svg", bins=20)
    compared.heatmap(PICTURES / "items.svg", items=8)


def noise() -> None:
    """Measures of spans under growing errors."""
    made = ia.studies.shuffle(ia.read(FILES / "spans_gold.jsonl", annotator="{file}"), distances="all")
    made.plot(PICTURES / "noise.svg")


def study() -> None:
    """Who gave which labels, how far annotators agree, every two of them, and which labels are confused."""
    made = ia.read(FILES / "round1.csv").single()
    made.plot(PICTURES / "study.svg")
    ia.annotators(made).plot(PICTURES / "people.svg")
    ia.alpha(made).by_pair().plot(PICTURES / "pairs.svg")
    ia.confusion(made).plot(PICTURES / "confusion.svg")


def timeline() -> None:
    """Who marked what in a letter, and which units are aligned."""
    ia.spans.timeline(ia.read(FILES / "units.csv"), "letter", path=PICTURES / "timeline.svg")


def terminal() -> None:
    """The command line on an ordered scale, as it looks on a terminal."""
    from rich.console import Console
    from rich.text import Text

    words = ["interagree", "measure", "severity.csv", "--values", "none,mild,moderate,severe", "--ordered"]
    found = shutil.which(words[0], path=f"{Path(sys.executable).parent}")
    if found is None:
        raise SystemExit("interagree is not installed beside this Python")
    done = subprocess.run(  # noqa: S603 -- our own command, with words from this file
        [found, *words[1:]],
        cwd=FILES,
        env=os.environ | {"FORCE_COLOR": "1", "COLUMNS": "112", "TERM": "xterm-256color"},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=112, file=nowhere, force_terminal=True)
        console.print(Text("$ " + " ".join(words), style="bold"))
        console.print(Text.from_ansi(done.stdout))
        drawn = console.export_svg(title="interagree", unique_id="interagree")
    # The reader's own fonts: a picture should ask no other host for anything.
    drawn = re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)
    (PICTURES / "terminal.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    same_every_time()
    rounds()
    distances()
    noise()
    study()
    timeline()
    terminal()
