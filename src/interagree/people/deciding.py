"""A sheet to decide in: what each annotator said of an item, and a list to choose from in every row.

The column ``decision`` is for the one who decides; it holds what is suggested where something is.  A workbook with such
a sheet reads back as right answers (`interagree.aggregation.gold`).
"""

from __future__ import annotations

from interagree.aggregation.gold import DECISION, QUESTION
from interagree.people.decisions import Decisions, listed
from interagree.results.workbook import LETTERS, Choice, Sheet, units
from interagree.tables import cell

NAME = "decide"
KINDS = ("labels", "ordered", "numbers", "text", "sets")  # whose values fit into a cell
MOST = 500  # labels that a list to choose from offers
MOST_PEOPLE = 100  # annotators who have a column of their own
NARROW, WIDE = 18, 70  # letters
ROUNDED = ("worth", "difficulty")
BETWEEN = "; "  # the labels of a set


def decision_sheet(decisions: Decisions, *, question: str = "", texts: bool = True) -> Sheet:
    """A sheet with a row for each item.

    Args:
        decisions: The items.
        question: The question that is decided, where there are several in a workbook.
        texts: Whether the texts of the items are shown.
    """
    people = list(dict.fromkeys(who for row in decisions.rows for who in row.said))
    people = people if len(people) <= MOST_PEOPLE else []  # a sheet as wide as a crowd helps nobody
    about = list(decisions.rows[0].about) if decisions.rows else []
    shown = ["text"] if texts and any(row.text is not None for row in decisions.rows) else []
    asked = [QUESTION] if question else []
    taken = ("item", "text", QUESTION, DECISION, *about)
    heads = [who if who not in taken else f"annotator {who}" for who in people]
    header: list[object] = ["item", *asked, *shown, *heads, *about, DECISION]
    rows: list[list[object]] = [header]
    for row in decisions.rows:
        said = [_shown(row.said.get(who)) for who in people]
        before = [_shown(row.item), *([question] if asked else []), *([_fitting(row.text)] if shown else [])]
        rows.append([*before, *said, *(row.about[name] for name in about), _shown(row.value)])
    options = [option for value in decisions.labels if (option := _shown(value)) is not None]
    choosing = decisions.kind in {"labels", "ordered"} and 0 < len(options) <= MOST
    first = 1 + len(asked) + len(shown)
    choice = Choice(len(header) - 1, options, range(first, first + len(people))) if choosing else None
    wide = [WIDE if name == "text" else NARROW for name in header]
    rounded = frozenset(header.index(name) for name in about if name in ROUNDED)
    return Sheet(NAME, rows, wide, choice, rounded=rounded)


def _shown(value: object) -> str | float | None:
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    return BETWEEN.join(map(str, listed(value))) if isinstance(value, frozenset) else cell(value)


def _fitting(text: str | None) -> str | None:
    """A text that a cell holds; where it is cut, it says so itself."""
    if text is None or units(text) <= LETTERS:
        return text
    return f"{text[: LETTERS // 2 - 50]} … (cut: the text has {len(text):,} letters)"
