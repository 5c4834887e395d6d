"""Excel: a workbook to decide in, with what each annotator said and a list to choose from in every row.

The column ``decision`` is for the one who decides; it holds what is suggested where something is.  The workbook reads
back as right answers: ``interagree consensus labels.csv --gold decided.xlsx``.
"""

from __future__ import annotations

from interagree.declare.writers import writer
from interagree.people.deciding import KINDS, decision_sheet
from interagree.people.decisions import Decisions
from interagree.results.workbook import workbook


@writer("Excel", suffix=".xlsx", kinds=KINDS)
def excel(decisions: Decisions) -> bytes:
    """A workbook with a row for each item.

    Args:
        decisions: The items.
    """
    return workbook(decision_sheet(decisions))
