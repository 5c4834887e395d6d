"""Everything that writes a file, by the ending of what it writes, on a study with awkward names."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import interagree as ia
from interagree.cli.doctor import CONFIG
from interagree.data.writing import write_file
from interagree.readers._write import ENDINGS
from interagree.results.document import PICTURES, SUFFIXES
from interagree.results.toml import toml
from interagree.spans.timeline import timeline

Write = Callable[[Path], object]
ROWS = [(f"item {i}", who, "yes" if (i * place) % 3 else "no") for i in range(12) for place, who in enumerate("abc")]
UNITS = [("letter", who, [(0, 4, "x"), (5, 9 + place, "y")]) for place, who in enumerate("ab")]


@cache
def study() -> ia.Study:
    return ia.Study({"value": ia.Annotations.of(ROWS)})


@cache
def report() -> object:
    return ia.report(study())


@cache
def queue() -> object:
    return ia.disagreements(study())


@cache
def soft() -> object:
    return ia.crowd.soft_labels(study())


@cache
def lanes() -> object:
    return timeline(ia.Annotations.of(UNITS, kind="spans"))


def writers() -> dict[str, Write]:
    """Each writer by a name that ends as its file does."""
    made: dict[str, Write] = {}
    for ending in (*SUFFIXES, *sorted(PICTURES)):
        made[f"report{ending}"] = lambda path: report().write(path)
    for ending in (".csv", ".tsv", ".jsonl", ".json", ".xlsx"):
        made[f"queue{ending}"] = lambda path: queue().write(path)
        made[f"soft{ending}"] = lambda path: soft().write(path)
    for ending in (*ENDINGS, ".csv.gz", ".jsonl.bz2", ".tsv.xz"):
        made[f"study{ending}"] = lambda path: ia.write(study(), path)
    made["lanes.svg"] = lambda path: lanes().plot(path)
    made[CONFIG.name] = lambda path: write_file(path, toml({"item": "id", "values": ["a"] * 50}))
    return made
