"""Excel: a workbook to decide in, with what each annotator said and a list to choose from in every row.

The column ``decision`` is for the one who decides; it holds what is suggested where something is.  The workbook reads
back as right answers: ``interagree consensus labels.csv --gold decided.xlsx``.  Spans, boxes, trees and other values
that do not fit into a cell are chosen by a letter; what each letter stands for is told in words beside it.
"""

from __future__ import annotations

from interagree.declare.writers import writer
from interagree.people.deciding import decision_sheet
from interagree.people.decisions import Decisions
from interagree.plugins import KINDS
from interagree.results.workbook import workbook


@writer("Excel", suffix=".xlsx", kinds=tuple(KINDS))
def excel(decisions: Decisions) -> bytes:
    """A workbook with a row for each item.

    Args:
        decisions: The items.
    """
    return workbook(decision_sheet(decisions))
