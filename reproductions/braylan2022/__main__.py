"""The command: reads the data sets, redraws chance many times, writes the table and prints paper against ours."""

from __future__ import annotations

import argparse
import csv
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

import interagree as ia
from interagree.measures.alpha import alpha
from interagree.measures.auc import auc
from interagree.measures.ks import ks
from interagree.measures.sigma import sigma
from interagree.stats.pairs.braylan2022 import table_row
from interagree.stats.pairs.item_pairs import Pairs
from reproductions.braylan2022.rows import ROWS, Row, distance_of, read

PRINTED = Path(__file__).parents[2] / "tests" / "published" / "braylan2022_table1.toml"
THREE = ("alpha", "KS", "sigma")
HEAD = [
    "task",
    "distance",
    *(f"{name}, {which}" for name in THREE for which in ("paper", "ours", "sd")),
    "true alpha",
    "true KS",
    "AUC",
    "true sigma",
    "note",
]


def printed() -> dict[tuple[str, str], list[float]]:
    """The three numbers of each row as the paper prints them."""
    rows = tomllib.loads(PRINTED.read_text(encoding="utf-8"))["row"]
    return {(row["task"], row["distance"]): row["printed"] for row in rows}


def redrawn(study: ia.Annotations, row: Row, draws: int) -> tuple[Any, Any]:
    """The mean of the three numbers over redraws of chance, and their standard deviation."""
    pairs = Pairs.of(study, distance_of(row))
    found = np.array([table_row(pairs, seed=seed)[:3] for seed in range(draws)])
    return found.mean(axis=0), found.std(axis=0, ddof=1)


def mended(study: ia.Annotations, row: Row) -> list[float]:
    """Under the same distance: Krippendorff's alpha, the KS statistic, AUC and sigma by the quantile."""
    distance = distance_of(row)
    return [measure(study, distance=distance).value for measure in (alpha, ks, auc, sigma)]


def line(study: ia.Annotations, row: Row, draws: int) -> list[str]:
    """One row of the table."""
    paper = printed()[row.task, row.distance]
    mean, sd = redrawn(study, row, draws)
    three = [f"{value:.4f}" for triple in zip(paper, mean, sd, strict=True) for value in triple]
    return [row.task, row.distance, *three, *(f"{value:.4f}" for value in mended(study, row)), row.note]


def markdown(lines: list[list[str]]) -> str:
    """The table for a page: paper, ours ± standard deviation, and what the numbers should have been."""
    head = ["task", "distance", *(f"{name}: paper / ours" for name in THREE), *HEAD[11:]]
    body = [
        [*one[:2], *(f"{one[place]} / {one[place + 1]} ± {one[place + 2]}" for place in (2, 5, 8)), *one[11:]]
        for one in lines
    ]
    rule = ["---", "---", *["---:"] * 7, "---"]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *body)) + "\n"


def run(folder: Path, output: Path, draws: int) -> list[list[str]]:
    """All rows whose data are in a folder, written to another; the lines of the table."""
    output.mkdir(parents=True, exist_ok=True)
    lines, kept = [], {}
    for row in ROWS:
        path = folder / f"{row.file}.jsonl"
        if path.exists():
            study = kept.setdefault(row.file, None) or read(path)
            kept[row.file] = study
            lines.append(line(study, row, draws))
            sys.stdout.write(" ".join(lines[-1]) + "\n")
    with (output / "table1.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEAD, *lines])
    (output / "table1.md").write_text(markdown(lines), encoding="utf-8")
    return lines


def main(arguments: list[str] | None = None) -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m reproductions.braylan2022", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the data sets are")
    parser.add_argument("-o", "--output", type=Path, default=Path("braylan2022"), help="the folder to write to")
    parser.add_argument("-d", "--draws", type=int, default=20, help="how often chance is drawn anew")
    given = parser.parse_args(arguments)
    run(given.folder, given.output, given.draws)


if __name__ == "__main__":
    main()
