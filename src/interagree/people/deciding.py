"""A sheet to decide in: what each annotator said of an item, and a list to choose from in every row.

The column ``decision`` is for the one who decides; it holds what is suggested where something is.  A workbook with such
a sheet reads back as right answers (`interagree.crowd.gold`).

Values that do not fit into a cell (spans, boxes, trees, …) are chosen by a letter: each different answer to an item has
one, the most common answer the first, and is told in words in a column of that name.  What letters stand for is in
hidden columns, as JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

from interagree.crowd.gold import DECISION, KIND, QUESTION, VALUE_OF, coded
from interagree.documents.texts import Documents
from interagree.errors import DataError
from interagree.people.decisions import Decision, Decisions, listed
from interagree.people.texts import worded
from interagree.results.workbook import LETTERS, Dropdown, RowSheet, units
from interagree.tables import cell

NAME = "decide"
IN_CELLS = ("labels", "ordered", "numbers", "text", "sets")  # whose values fit into a cell
MOST = 500  # labels that a list to choose from offers
MOST_PEOPLE = 100  # annotators who have a column of their own
NARROW, WIDE = 18, 70  # letters
ROUNDED = ("worth", "difficulty")
BETWEEN = "; "  # the labels of a set
LETTERS_OF_ANSWERS = ascii_uppercase[:20]  # different answers to an item that can be chosen
SAID_BY, SUGGESTED = "said by", "suggested"


def decision_sheet(decisions: Decisions, *, question: str = "", texts: bool = True) -> RowSheet:
    """A sheet with a row for each item.

    Args:
        decisions: The items.
        question: The question that is decided, where there are several in a workbook.
        texts: Whether the texts of the items are shown.
    """
    if decisions.kind not in IN_CELLS:
        return _lettered_sheet(decisions, question, texts=texts)
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
    choice = Dropdown(len(header) - 1, options, range(first, first + len(people))) if choosing else None
    wide = [WIDE if name == "text" else NARROW for name in header]
    rounded = frozenset(header.index(name) for name in about if name in ROUNDED)
    return RowSheet(NAME, rows, wide, choice, rounded=rounded)


def too_long(decisions: Decisions) -> list[Decision]:
    """Items whose answers a workbook cannot hold: too long for a cell, or not to be written as JSON."""
    if decisions.kind in IN_CELLS:
        return []
    return [row for row in decisions.rows if any(not _holds(value) for value, _ in _answers(row))]


def _holds(value: object) -> bool:
    text = coded(value)
    return text is not None and units(text) <= LETTERS


def _answers(row: Decision) -> list[tuple[Any, list[str]]]:
    """The different answers to an item with who gave each, the most common one first, and what is suggested."""
    said: dict[Any, list[str]] = {}
    for who, value in row.said.items():
        said.setdefault(value, []).append(who)
    if row.value is not None and row.value not in said:
        said[row.value] = [SUGGESTED]
    common = sorted(said.items(), key=lambda answer: -len(answer[1]))
    shown = common[: len(LETTERS_OF_ANSWERS)]
    beyond = [answer for answer in common[len(shown) :] if answer[0] == row.value]
    return [*shown[: len(shown) - len(beyond)], *beyond]


def _lettered_sheet(decisions: Decisions, question: str, *, texts: bool) -> RowSheet:
    refused = too_long(decisions)
    if refused:
        raise DataError(
            f"the answers to {refused[0].item!r:.60} do not fit into a workbook, whose cells hold {LETTERS:,} letters; "
            "decide such items in the tool where they were annotated, or as JSON"
        )
    answers = [_answers(row) for row in decisions.rows]
    letters = LETTERS_OF_ANSWERS[: max(map(len, answers), default=0)]
    about = list(decisions.rows[0].about) if decisions.rows else []
    shown = ["text"] if texts and any(row.text is not None for row in decisions.rows) else []
    asked = [QUESTION] if question else []
    programs = [KIND, *(f"{VALUE_OF}{letter}" for letter in letters)]
    header: list[object] = ["item", *asked, *shown, *letters, SAID_BY, *about, DECISION, *programs]
    in_text = texts and Documents.of(decisions.study).positions in {None, "characters"}
    rows: list[list[object]] = [header]
    for row, given in zip(decisions.rows, answers, strict=True):
        words = [_fitting(worded(value, decisions.study.kind, row.text if in_text else None)) for value, _ in given]
        people = BETWEEN.join(f"{letter}: {', '.join(who)}" for letter, (_, who) in zip(letters, given, strict=False))
        chosen = next((letter for letter, (value, _) in zip(letters, given, strict=False) if value == row.value), None)
        before = [_shown(row.item), *([question] if asked else []), *([_fitting(row.text)] if shown else [])]
        empty: Sequence[None] = [None] * (len(letters) - len(given))
        told = [*words, *empty, _fitting(people), *(row.about[name] for name in about), chosen]
        rows.append([*before, *told, decisions.kind, *(coded(value) for value, _ in given), *empty])
    wide = [WIDE if name == "text" or name in letters else NARROW for name in map(str, header)]
    rounded = frozenset(header.index(name) for name in about if name in ROUNDED)
    hidden = frozenset(range(len(header) - len(programs), len(header)))
    choice = Dropdown(header.index(DECISION), list(letters)) if letters else None
    return RowSheet(NAME, rows, wide, choice, rounded=rounded, hidden=hidden)


def _shown(value: object) -> str | float | None:
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    return BETWEEN.join(map(str, listed(value))) if isinstance(value, frozenset) else cell(value)


def _fitting(text: str | None) -> str | None:
    """A text that a cell holds; where it is cut, it says so itself."""
    if text is None or units(text) <= LETTERS:
        return text
    return f"{text[: LETTERS // 2 - 50]} … (cut: the text has {len(text):,} letters)"
