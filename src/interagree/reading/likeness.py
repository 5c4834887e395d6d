"""What columns of a table may be instead of answers: counts, shares, pairs of annotators, names, something derived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from interagree.reading import names
from interagree.reading.evidence import Entry, Profile, canonical, folded
from interagree.reading.roles import person_level

ENOUGH = 12  # rows from which on agreement tells something
DERIVED = 0.85  # share of rows in which a derived column says what most others say …
APART = 0.08  # … and by how much it must exceed that of an annotator
LEAST = 6  # rows that tell something of it
MOSTLY = 0.95  # share of rows in which a mean is the mean …
ROUNDED = 0.006  # … but for rounding
FAR = 0.2  # by how much a column must say more often what most say than any annotator does, wherever it stands


def may_count(columns: Sequence[Profile], rows: Sequence[Sequence[Entry]]) -> bool:
    """Whether cells may be numbers of annotators: whole, from 0 up, and 0 in half of the rows or more."""
    return (
        all(column.whole and min(column.numbers) >= 0 for column in columns)
        and sum(0 in row for row in rows) >= len(rows) / 2
    )


def derived(columns: Sequence[Profile]) -> Profile | None:
    """The column that says what most others say far more often than they do; less is needed of the first or last."""
    if len(columns) < 3 or len(columns[0].cells) < ENOUGH:
        return None
    shares = _with_most(columns)
    best = max(shares)
    place = shares.index(best)
    second = max(share for at, share in enumerate(shares) if at != place)
    edge = place in (0, len(columns) - 1) and best >= DERIVED and best - second >= APART
    return columns[place] if edge or best - second >= FAR else None


def _with_most(columns: Sequence[Profile]) -> list[float]:
    """For each column how often it says what more than half of the others say, where that is more than one.

    Each row is counted once, and each column then leaves its own entry out.
    """
    clear, again = [0] * len(columns), [0] * len(columns)
    least = max(1, (len(columns) - 1) / 2)
    for row in zip(*(column.cells for column in columns), strict=True):
        # No others than the two most frequent entries can be those of more than half.
        likely = [(entry, times) for entry, times in Counter(row).most_common(2) if times > least and entry is not None]
        for place, own in enumerate(row) if likely else ():
            said = [entry for entry, times in likely if times - (own == entry) > least]
            if own is not None and said:
                clear[place] += 1
                again[place] += own == said[0]
    return [hits / rows if rows >= LEAST else 0.0 for hits, rows in zip(again, clear, strict=True)]


def figure_of(column: Profile, others: Sequence[Profile]) -> str:
    """What a column of numbers is of others in the same rows: their mean or their sum; empty where it is neither."""
    if len(others) < 2 or not column.numeric or not all(other.numeric for other in others):
        return ""
    rows = [
        (own, [cell for cell in row if isinstance(cell, float)])
        for own, *row in zip(column.cells, *(other.cells for other in others), strict=True)
        if isinstance(own, float)
    ]
    rows = [(own, row) for own, row in rows if row]
    if len(rows) < LEAST or len({own for own, _ in rows}) < 2 or all(len({*row, own}) == 1 for own, row in rows):
        return ""
    for name, size in (("mean", 1.0), ("sum", 0.0)):
        right = sum(abs(own - sum(row) / len(row) ** size) <= ROUNDED * max(1.0, abs(own)) for own, row in rows)
        if right >= MOSTLY * len(rows):
            return name
    return ""


def counts_up(column: Profile) -> bool:
    """Whether the entries are the whole numbers from 0 or 1 up."""
    first = column.numbers[0] if column.whole else -1.0
    return first in (0.0, 1.0) and column.numbers == [first + row for row in range(len(column.numbers))]


def adds_up(rows: Sequence[Sequence[Entry]]) -> bool:
    """Whether numbers with decimals add up to 1 or to 100 in every row."""
    if len(rows) < 3 or not all(isinstance(cell, float) for row in rows for cell in row):
        return False
    numbers = [[cell for cell in row if isinstance(cell, float)] for row in rows]
    if all(number.is_integer() for row in numbers for number in row):
        return False
    return any(all(abs(sum(row) - total) <= 0.02 * total for row in numbers) for total in (1.0, 100.0))


def is_matrix(columns: Sequence[Profile], others: Sequence[Profile]) -> bool:
    """Whether the rows are called as the columns are."""
    called = {folded(canonical(column.name)) for column in columns}
    return any(
        len(called & set(other.counts)) >= max(2, 0.6 * len(called))
        and other.distinct <= 2 * len(called)
        and other.share > 0.8
        for other in others
    )


def names_people(column: Profile) -> bool:
    """Whether a column names another person in each row."""
    if not column.unique or column.numeric or len(column.filled) < 2:
        return False
    named = sum(
        isinstance(entry, str) and len(names.words(entry)) <= 4 and _names_a_person(entry) for entry in column.filled
    )
    return named >= 0.6 * len(column.filled)


def _names_a_person(entry: str) -> bool:
    """Whether an entry names a person; with a number only beside a word for one, as '3 mai 2020' does not."""
    level = person_level(entry)
    return level == 3 or (level == 2 and ("@" in entry or not any(map(str.isdigit, entry))))
