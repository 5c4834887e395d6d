"""The sheets of a report in which its disagreements are decided: the adjudication queue of each question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from interagree.data.provenance import counted
from interagree.people.deciding import KINDS, NAME, decision_sheet
from interagree.people.decisions import Decisions
from interagree.people.queue import disagreements

if TYPE_CHECKING:
    from interagree.reports.parts import Part
    from interagree.results.workbook import Sheet

MOST = 10_000  # items of a sheet


def decision_sheets(parts: Sequence[Part], *, texts: bool = True) -> list[Sheet]:
    """A sheet for each question whose values fit into a cell and on which annotators differ.

    Args:
        parts: The questions.
        texts: Whether the texts of the items are shown.
    """
    sheets = []
    for part in parts:
        if part.study.kind.name not in KINDS or part.lead is None or part.lead.undefined:
            continue
        if part.study.kind == "text" and not texts:
            continue
        queue = disagreements(part.study)
        if not len(queue):
            continue
        first = replace(queue, rows=queue.head(MOST))
        asked = part.source.get("question", part.name) if len(parts) > 1 else ""
        sheet = decision_sheet(Decisions.of(first), question=asked, texts=texts)
        sheets.append(sheet._replace(name=f"{NAME} {part.name}".strip(), about=_about(len(first), len(queue))))
    return sheets


def _about(shown: int, count: int) -> list[str]:
    which = f"the {shown:,} worth most of {count:,} items" if shown < count else f"all {counted(count, 'item')}"
    told = f"{which[0].upper()}{which[1:]} with disagreement. The column 'decision' holds what is suggested; choose "
    told += "another where it is wrong, and empty it where you cannot tell."
    return [told, "Saved, the workbook is a file of right answers: interagree consensus LABELS --gold THIS_FILE."]
