"""The command: reads tables, reruns the experiments, writes table and pictures, prints paper against ours."""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path
from typing import Any

import interagree as ia
from interagree.data import as_annotations
from reproductions.spa2022 import experiment, figures

# Table 1 of the paper, in units of 0.01, by the row that a file is.
PRINTED = {
    "mbic_bias": (
        "MBIC, label",
        {"flat": 0.0, "annotations": -0.8458, "annotations_m1": -1.0929, "edges": -0.4681, "inv_var_class": -0.8676},
    ),
    "mbic_opinion": (
        "MBIC, factual",
        {"flat": 0.0, "annotations": -0.9540, "annotations_m1": -1.2747, "edges": -0.7894, "inv_var_class": -1.0346},
    ),
}
HEAD = [
    "table",
    "weigh",
    "paper",
    "paper, of m1",
    "first hundred",
    "first hundred, of m1",
    "whole range",
    "error",
    "whole range, of m1",
]


def rows_of(name: str, first: experiment.Curves, whole: experiment.Curves) -> list[list[str]]:
    """Table 1 for one data set: what was printed, and the sums over two grids, in units of 0.01."""
    title, printed = PRINTED.get(name, (name, {}))

    def share(gain: dict[str, float], scheme: str) -> str:
        return f"{gain[scheme] / gain['annotations_m1'] + 0.0:.2f}" if gain["annotations_m1"] else ""

    return [
        [
            title,
            "edges = inv_var" if scheme == "edges" else scheme,
            f"{printed[scheme]:.4f}" if scheme in printed else "",
            share(printed, scheme) if scheme in printed else "",
            f"{100 * first.gain[scheme]:.3f}",
            share(first.gain, scheme),
            f"{100 * whole.gain[scheme]:.4f}",
            f"{100 * whole.error[scheme]:.4f}",
            share(whole.gain, scheme),
        ]
        for scheme in (*experiment.PAPER, *experiment.OURS)
        if scheme in whole.gain
    ]


def markdown(head: list[str], rows: list[list[str]]) -> str:
    """Rows as a Markdown table."""
    lines = [head, ["---", "---", *["---:"] * (len(head) - 2)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def stem(path: Path) -> str:
    """The name of a file without its endings."""
    return path.name.partition(".")[0]


def run(paths: list[Path], folder: Path, rounds: int, seed: int, ending: str) -> list[list[str]]:
    """All experiments on all tables, written to a folder; the rows of the table."""
    folder.mkdir(parents=True, exist_ok=True)
    say = sys.stdout.write
    moves = figures.figure4(folder / f"figure4.{ending}")
    say(f"figure 4: with 2 to 7 values the weights of inv_var differ by at most {moves:.1e}\n")
    entropy, r = figures.figure5(folder / f"figure5.{ending}")
    say(f"figure 5: rank correlation of the area with entropy {entropy:.2f}, with r {r:.3f}\n")
    rows: list[list[str]] = []
    for path in paths:
        name = stem(path)
        labels = experiment.Labels.of(as_annotations(ia.read(path, duplicates="keep")))
        begun = time.perf_counter()
        first, whole = experiment.curves(labels, rounds, seed)
        took = time.perf_counter() - begun
        constant = experiment.constant(labels, rounds, seed)
        best = labels.moments.best()
        say(
            f"{name}: {len(labels.size):,} items, {int(labels.size.sum()):,} annotations, {rounds:,} orders in "
            f"{took:.1f} s; the least variance for so many annotations is at {best:.1f} for each item\n"
        )
        figures.figure6(folder / f"figure6_{name}.{ending}", name, constant, whole)
        figures.figure7(folder / f"figure7_{name}.{ending}", name, first, whole)
        rows += rows_of(name, first, whole)
    with (folder / "table1.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEAD, *rows])
    text = markdown(HEAD, rows)
    (folder / "table1.md").write_text(text, encoding="utf-8")
    say(f"\nSum of (variance - variance of flat) over the grid, times 100:\n\n{text}")
    return rows


def main(arguments: list[str] | None = None) -> Any:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m reproductions.spa2022", description=__doc__)
    parser.add_argument("tables", nargs="+", type=Path, help="files with one annotation a row")
    parser.add_argument("-o", "--output", type=Path, default=Path("spa2022"), help="the folder to write to")
    parser.add_argument("-r", "--rounds", type=int, default=3000, help="random orders, 3000 as in the paper")
    parser.add_argument("-s", "--seed", type=int, default=0)
    parser.add_argument("--ending", choices=["svg", "png", "pdf"], default="svg", help="of the pictures")
    given = parser.parse_args(arguments)
    run(given.tables, given.output, given.rounds, given.seed, given.ending)


if __name__ == "__main__":
    main()
