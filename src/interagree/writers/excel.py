"""Excel: a workbook to decide in, with what each annotator said and a list to choose from in every row.

The column ``decision`` is for the one who decides; it holds what is suggested where something is.  The workbook reads
back as right answers: ``interagree consensus labels.csv --gold decided.xlsx``.
"""

from __future__ import annotations

from interagree.declare.writers import writer
from interagree.results.workbook import Choice, workbook
from interagree.tables import cell
from interagree.writers._decisions import Decisions, listed

DECISION = "decision"
MOST = 500  # labels that a list to choose from offers
NARROW, WIDE = 18, 70  # letters
BETWEEN = "; "  # the labels of a set


@writer("Excel", suffix=".xlsx", kinds=("labels", "ordered", "numbers", "text", "sets"))
def excel(decisions: Decisions) -> bytes:
    """A workbook with a row for each item.

    Args:
        decisions: The items.
    """
    people = list(dict.fromkeys(who for row in decisions.rows for who in row.said))
    taken = ("item", "text", DECISION, *decisions.rows[0].about) if decisions.rows else ()
    heads = [who if who not in taken else f"annotator {who}" for who in people]
    about = list(decisions.rows[0].about) if decisions.rows else []
    header: list[object] = ["item", "text", *heads, *about, DECISION]
    rows: list[list[object]] = [header]
    for row in decisions.rows:
        said = [_shown(row.said.get(who)) for who in people]
        rows.append([_shown(row.item), row.text, *said, *(row.about[name] for name in about), _shown(row.value)])
    options = [str(_shown(value)) for value in decisions.labels]
    choosing = decisions.kind in {"labels", "ordered"} and 0 < len(options) <= MOST
    widths = [WIDE if name == "text" else NARROW for name in header]
    choice = Choice(len(header) - 1, options) if choosing else None
    return workbook("decide", rows, widths=widths, choice=choice)


def _shown(value: object) -> str | float | None:
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    return BETWEEN.join(map(str, listed(value))) if isinstance(value, frozenset) else cell(value)
