"""brat: a folder with a text and a file of annotations for each item; spans in pieces are written as such."""

from __future__ import annotations

import re

from interagree.declare.writers import writer
from interagree.errors import DataError
from interagree.people.decisions import Decision, Decisions

TYPE = re.compile(r"\s")  # what a label in brat cannot hold


@writer("brat", suffix="/", kinds=("spans",))
def brat(decisions: Decisions) -> dict[str, str]:
    """A ``.txt`` and an ``.ann`` for each item, by file name.

    Args:
        decisions: The items.
    """
    files: dict[str, str] = {}
    names = decisions.names(".txt")
    for row, text in zip(decisions.rows, decisions.texts("brat"), strict=True):
        files[names[row.item]] = text
        files[names[row.item].removesuffix(".txt") + ".ann"] = _annotations(decisions, row, text)
    return files


def _annotations(decisions: Decisions, row: Decision, text: str) -> str:
    lines = []
    for number, span in enumerate(decisions.spans(row, "brat"), start=1):
        label = span.label or decisions.question
        if TYPE.search(label):
            raise DataError(f"brat takes labels without spaces, and there is {label!r:.60}; rename it first")
        pieces = span.fragments if len(span.fragments) > 1 else ((span.start, span.end),)
        place = ";".join(f"{start} {end}" for start, end in pieces)
        covered = " ".join(text[start:end] for start, end in pieces).replace("\n", " ")
        lines.append(f"T{number}\t{label} {place}\t{covered}\n")
    return "".join(lines)
