"""The command: reads the files of round 2, measures each, and writes a row for each and tables of all guidelines."""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

from interagree.people.groups import Coefficient, tabled
from interagree.tables import Table, cell
from reproductions.santa.levels import Text, lengths, measured

HEAD = [
    *("guideline", "text", "units", "other categories", "without length", "twice"),
    *("observed", "expected", "gamma", "error", "note"),
]


def line(one: Text) -> list[str]:
    """One row of the list."""
    units = "+".join(map(str, one.units))
    lost = [str(one.other), str(one.points), str(one.twice)]
    if one.found is None:
        alone = len(one.units) < 2
        note = "one annotator" if alone else f"one annotator marked no level; taken as an answer, {one.anyway:.3f}"
        return [one.guideline, one.text, units, *lost, "", "", "", "", note]
    numbers = [f"{one.found.observed:.6f}", f"{one.found.expected:.3f}", f"{one.found.value:.3f}", f"{one.error:.3f}"]
    return [one.guideline, one.text, units, *lost, *numbers, one.found.undefined]


def tables(texts: list[Text]) -> list[tuple[str, Table]]:
    """Observed disorder, expected disorder and gamma: texts by guidelines."""
    found: dict[str, dict[str, Coefficient]] = {}
    for one in texts:
        if one.found is not None:
            found.setdefault(one.guideline, {})[one.text] = one.found
        else:
            found.setdefault(one.guideline, {})
    order = {name: dict(sorted(cells.items())) for name, cells in found.items()}
    titles = {"observed": "Observed disorder", "expected": "Expected disorder", "value": "Gamma"}
    return [(title, _sorted(tabled(order, what=what))) for what, title in titles.items()]  # type: ignore[arg-type]  # the three words


def _sorted(table: Table) -> Table:
    """Texts in order, what sums them up below."""
    last = len(table) - 4
    places = [*sorted(range(last), key=lambda place: str(table["document"][place])), *range(last, last + 4)]
    return Table({name: [column[place] for place in places] for name, column in table.columns.items()})


def markdown(title: str, table: Table) -> str:
    """A table for a page."""
    rows = [
        list(table.columns),
        ["---", *["---:"] * (len(table.columns) - 1)],
        *([cell(entry, 2) for entry in row.values()] for row in table.rows()),
    ]
    return f"### {title}\n\n" + "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def run(folder: Path, output: Path, samples: int, seed: int) -> list[Text]:
    """All files below a folder, written to another; what was found."""
    paths = sorted(folder.glob("SANTA*/*.csv"))
    if not paths:
        sys.exit(f"{folder} has no files such as SANTA1/01_Buechner.csv")
    output.mkdir(parents=True, exist_ok=True)
    texts, length = [], lengths(paths)
    for path in paths:
        texts.append(measured(path, length[path.stem], samples=samples, seed=seed))
        sys.stdout.write(" ".join(line(texts[-1])) + "\n")
    with (output / "round2.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEAD, *map(line, texts)])
    parts = [markdown(title, table) for title, table in tables(texts)]
    (output / "round2.md").write_text("\n".join(parts), encoding="utf-8")
    return texts


def main(arguments: list[str] | None = None) -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m reproductions.santa", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the folders SANTA1, SANTA2, … are")
    parser.add_argument("-o", "--output", type=Path, default=Path("santa"), help="the folder to write to")
    parser.add_argument("-n", "--samples", type=int, default=400, help="draws of chance for each text")
    parser.add_argument("-s", "--seed", type=int, default=0, help="where the random numbers start")
    given = parser.parse_args(arguments)
    run(given.folder, given.output, given.samples, given.seed)


if __name__ == "__main__":
    main()
