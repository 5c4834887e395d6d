"""What stands below a table in a sheet or a text file: totals, means, figures of agreement and notes."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from interagree.data.values import number
from interagree.reading.cells import Cell, FileColumn, Row, filled, is_empty, listed
from interagree.reading.headers import ENOUGH, SAMPLE

LEAST = 2  # rows of a table
BOTTOM = 12  # last rows among which totals and legends are looked for

TOTALS = re.compile(
    r"(grand )?(all|totals?|sums?|means?|averages?|avg\.?|medians?|std\.?( ?dev\.?)?|sd|st\.? ?dev\.?|count|"
    r"summen?|gesamt|insgesamt|mittelwert|mittel|durchschnitt|total(es)?|moyenne|somme|media|promedio|totale|suma|"
    r"n|anzahl|(percent )?agreement|übereinstimmung|accord|acuerdo|accordo|"
    r"((cohen|fleiss|scott|krippendorff|gwet)('?s|')? ?)?(kappa|alpha|pi|ac1|icc)|[κα])"
    r"( \w+)?[:.]?",
    re.IGNORECASE,
)


def last_rows(columns: Sequence[FileColumn], size: int) -> list[Row]:
    """The last rows of a table, which has at least so many."""
    return list(zip(*(listed(column[len(column) - size :]) for column in columns), strict=True))


def footer_rows(columns: Sequence[FileColumn], names: Sequence[Hashable]) -> int:
    """How many rows at the bottom are totals, means or notes."""
    rows = len(columns[0]) if columns else 0
    some = min(BOTTOM, rows - LEAST)
    if some < 1 or len(columns) < 2:
        return 0
    sample = [listed(column[: min(SAMPLE, rows - some)]) for column in columns]
    below = 0
    for row in reversed(last_rows(columns, some)):
        last = rows - below - 1
        if not (
            _is_total(row, sample) or _is_figure(row, sample) or _is_note(row, sample) or _adds_up(row, columns, last)
        ):
            break
        below += 1
    margins = (cut for cut in range(below) if _has_margins([column[: rows - cut] for column in columns], names))
    return next(margins, below)


def _is_total(row: Row, sample: Sequence[Sequence[Cell]]) -> bool:
    """Whether a row says in words that it holds totals or means, and holds numbers."""
    place, *others = filled(row)
    cell = row[place]
    return (
        isinstance(cell, str)
        and bool(others)
        and bool(TOTALS.fullmatch(cell.strip()))
        and not any(isinstance(entry, str) and TOTALS.fullmatch(entry.strip()) for entry in sample[place])
        and all(number(str(row[other]).strip().rstrip("%").replace(",", ".")) is not None for other in others)
    )


def _is_figure(row: Row, sample: Sequence[Sequence[Cell]]) -> bool:
    """Whether a row holds a word and then only numbers, in columns that hold words and no numbers."""
    place, *others = filled(row)
    if not others or number(row[place]) is not None or any(number(row[other]) is None for other in others):
        return False
    above = [cell for other in others for cell in sample[other] if not is_empty(cell)]
    return len(above) >= ENOUGH and all(number(cell) is None for cell in above) and row[place] not in sample[place]


def _is_note(row: Row, sample: Sequence[Sequence[Cell]]) -> bool:
    """Whether a row is a sentence in its first cell alone, where the column holds none."""
    places = filled(row)
    if places != [0] or len(row) < ENOUGH or not isinstance(row[0], str):
        return False
    text = row[0].strip()
    longest = max((len(str(entry)) for entry in sample[0]), default=0)
    return bool(re.search(r"\s|[:=]", text)) and len(text) > 2 * longest


def _adds_up(row: Row, columns: Sequence[FileColumn], rows: int) -> bool:
    """Whether a row without a name holds the sums or the means of the columns above it."""
    places = filled(row)
    if not is_empty(row[0]) or not places or any(number(row[place]) is None for place in places):
        return False
    if any(map(is_empty, listed(columns[0][:SAMPLE])[: rows - 1])):
        return False
    new = False
    for place in places:
        above = [n for cell in listed(columns[place][:rows]) if (n := number(cell)) is not None]
        total, own = sum(above), number(row[place]) or 0.0
        if len(above) < 2 or not any(abs(own - figure) < 0.01 for figure in (total, total / len(above))):
            return False
        new = new or own not in above
    return new  # and not just one more row


def _has_margins(columns: Sequence[FileColumn], names: Sequence[Hashable]) -> bool:
    """Whether the last column holds the sums of the rows: the totals of a contingency table belong to its reader."""
    if not TOTALS.fullmatch(str(names[-1])) or len(columns) < ENOUGH:
        return False
    body = [[number(cell) for cell in listed(column[:SAMPLE])] for column in columns[1:]]
    return all(None not in row and sum(n or 0.0 for n in row[:-1]) == row[-1] for row in zip(*body, strict=True))
