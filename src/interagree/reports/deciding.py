"""The sheets of a report in which its disagreements are decided: the adjudication queue of each question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from interagree.data import Annotations, Study
from interagree.data.privacy import without_text
from interagree.data.provenance import counted
from interagree.errors import DataError
from interagree.people.deciding import IN_CELLS, LETTERS_OF_ANSWERS, NAME, decision_sheet, too_long
from interagree.people.decisions import Decisions
from interagree.people.queue import disagreements

if TYPE_CHECKING:
    from interagree.reports.parts import Part
    from interagree.results.workbook import RowSheet

MOST = 10_000  # items of a sheet
MOST_ANSWERS = len(LETTERS_OF_ANSWERS)


def decision_sheets(parts: Sequence[Part], *, texts: bool = True) -> list[RowSheet]:
    """A sheet for each question on which annotators differ.

    Args:
        parts: The questions.
        texts: Whether the texts of the items are shown.
    """
    sheets = []
    for part in parts:
        if part.lead is None or part.lead.undefined or part.study.anonymous or (not texts and _is_text(part.study)):
            continue
        queue = disagreements(part.study)
        if not len(queue):
            continue
        first = replace(queue, rows=queue.head(MOST))
        asked = part.source.get("question", part.name) if len(parts) > 1 else ""
        decisions = Decisions.of(first)
        refused = {row.item for row in too_long(decisions)}
        rows = [row for row in decisions.rows if row.item not in refused]
        if not rows:
            continue
        sheet = decision_sheet(replace(decisions, rows=rows), question=asked, texts=texts)
        about = _about(len(first), len(queue), lettered=part.study.kind.name not in IN_CELLS)
        if refused:
            about.append(f"{counted(len(refused), 'item')} left out, whose answers are too long for a cell.")
        sheets.append(sheet._replace(name=f"{NAME} {part.name}".strip(), about=about))
    return sheets


def _is_text(study: Annotations) -> bool:
    """Whether answers repeat what was annotated."""
    if study.kind.name in {"text", "trees"}:
        return True
    try:
        return without_text(Study({"": study}))[""].values != study.values
    except DataError:
        return True


def _about(shown: int, count: int, *, lettered: bool) -> list[str]:
    which = f"the {shown:,} worth most of {count:,} items" if shown < count else f"all {counted(count, 'item')}"
    told = f"{which[0].upper()}{which[1:]} with disagreement. The column 'decision' holds what is suggested; choose "
    told += "another where it is wrong, and empty it where you cannot tell."
    told += (
        f" Its letters stand for the answers in the columns of that name, at most {MOST_ANSWERS}." if lettered else ""
    )
    return [told, "Saved, the workbook is a file of right answers: interagree consensus LABELS --gold THIS_FILE."]
