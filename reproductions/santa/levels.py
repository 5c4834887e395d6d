"""Which annotations of each guideline are narrative levels, and the study that they make.

The guidelines of SANTA mark more than levels: focalization, flashbacks, speech, changes of the narrator.  No source at
hand says which categories count.  The rule below was recovered from the number of units in the computation that the
results are held against, so that these numbers agree says nothing for it.  It leaves out eight rows of two texts of
SANTA 1 that name a level without a number, and a misspelt one of SANTA 2; docs/explain/santa.md tells what it changes.

Units without length, and a unit that one annotator marked twice with one category, are left out and counted;
categories stand as they were written, with their blanks.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import interagree as ia
from interagree.measures.gamma import gamma
from interagree.people.groups import Coefficient

LEVELS = {
    "SANTA1": r"original|(embedded|interruptive)_\d+",
    "SANTA2": r"level degree=",
    "SANTA6": r"narrative_level number=\d+$",
    "SANTA7": r"(narrator|characters)_\d+",
}  # of the others every category is a level


class Text(NamedTuple):
    """A text under a guideline: what was left out, and what was found."""

    guideline: str
    text: str
    units: tuple[int, ...]  # of each annotator
    other: int  # annotations of other things than levels
    points: int  # units without length
    twice: int
    found: Coefficient | None  # None where an annotator marked no level
    error: float = float("nan")  # of gamma, by sampling chance
    anyway: float = float("nan")  # gamma where an annotator marked no level, as she had looked


def lengths(paths: list[Path]) -> dict[str, float]:
    """How long each text is at least: from 0 to the last end of anything marked in it under any guideline."""
    found: dict[str, float] = {}
    for path in paths:
        for _, _, spans in ia.read(path, format="units", points="keep").single().rows():
            found[path.stem] = max(found.get(path.stem, 0.0), *(float(span[1]) for span in spans))
    return found


def read(path: Path) -> tuple[list[tuple[Any, Any, list[Any]]], dict[str, int]]:
    """The levels in a file by annotator, and how much was left out."""
    level = re.compile(LEVELS.get(path.parent.name, ""))
    kept, lost = [], {"other": 0, "points": 0, "twice": 0}
    for text, who, spans in ia.read(path, format="units", points="keep").single().rows():
        levels = [span for span in spans if level.match(span[2])]
        long = [span for span in levels if span[0] < span[1]]
        once = list(dict.fromkeys(long))
        kept.append((text, who, once))
        lost["other"] += len(spans) - len(levels)
        lost["points"] += len(levels) - len(long)
        lost["twice"] += len(long) - len(once)
    return kept, lost


def measured(path: Path, length: float, *, samples: int = 400, seed: int = 0) -> Text:
    """Gamma of one text under one guideline, with the weights of the slides: alpha = beta = 1."""
    rows, lost = read(path)
    sizes = tuple(len(spans) for _, _, spans in rows)
    made = Text(path.parent.name, path.stem, sizes, lost["other"], lost["points"], lost["twice"], None)
    if len(rows) < 2:
        return made
    study = ia.Annotations.of(rows, kind="spans")
    result = gamma(study, alpha=1, beta=1, empty=1, samples=samples, seed=seed, length=length)
    if not all(sizes):
        return made._replace(anyway=result.value)
    return made._replace(found=Coefficient.of(result), error=float(result.details["error that sampling chance adds"]))
