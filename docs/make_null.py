"""The tables of `explain/null.md`: what independent annotators get on average, by measure and study.

``python docs/make_null.py`` prints them as Markdown.  Studies are those of `tests/independent.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from independent import DESIGNS, MARKED, MARKINGS, Make, corrected, labels

from interagree.plugins import MEASURES

STUDIES = 300  # simulated for each cell of the first table
FEWER = 16  # and of the second
OF_LABELS = ("few items", "many items", "rare value", "own habits, three")
OF_DOCUMENTS = ("short documents", "long documents")


def cell(name: str, make: Make, studies: int) -> str:
    """The mean of a coefficient over studies, and its error."""
    results = [MEASURES[name](make(np.random.default_rng([number, 2026]))) for number in range(studies)]
    values = np.array([result.value for result in results if not result.undefined])
    error = values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():.3f} ± {error:.3f}"


def table(names: list[str], columns: dict[str, dict[str, str]]) -> str:
    """A Markdown table with a row for each measure."""
    head = "| measure | " + " | ".join(columns) + " | says |\n" + "|---" * (len(columns) + 2) + "|\n"
    rows = []
    for name in names:
        facts = MEASURES[name].facts
        cells = " | ".join(column[name] for column in columns.values())
        rows.append(f"| [{facts.title}](../measures/{name}.md) | {cells} | {facts.under_chance.words} |")
    return head + "\n".join(rows) + "\n"


def of_labels(which: str) -> dict[str, str]:
    """A column of the first table."""
    column = {}
    for name in LABELLED:
        facts, design = MEASURES[name].facts, DESIGNS[which]
        design = design.of(2) if facts.annotators == "two" else design
        values = ([1, 2, 4] if facts.values == "numbers" else list("xyz"))[: len(design.shares[0])]
        column[name] = cell(name, lambda rng, d=design, v=values: labels(d, v, rng), STUDIES)
    return column


def of_documents(which: str) -> dict[str, str]:
    """A column of the second table."""
    return {name: cell(name, getattr(MARKINGS[which], MEASURES[name].facts.values), FEWER) for name in MARKING}


LABELLED = [name for name in corrected() if MEASURES[name].facts.values in ("any", "numbers")]
MARKING = [name for name in corrected() if MEASURES[name].facts.values in MARKED]

if __name__ == "__main__":
    sys.stdout.write(table(LABELLED, {which: of_labels(which) for which in OF_LABELS}) + "\n")
    sys.stdout.write(table(MARKING, {which: of_documents(which) for which in OF_DOCUMENTS}))
