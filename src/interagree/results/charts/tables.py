"""Charts of tables: estimates with their ends, amounts, shares, every two of a kind, and one list against another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from interagree.arrays import Floats
from interagree.errors import Hint, KindError, listing
from interagree.results.charts import Bars, Chart, DrawnEstimate, Forest, Heat, Histogram, ThresholdLine
from interagree.tables import Table, cell, to_right

BINS = 20  # of a histogram of a column
MANY = 30  # rows beyond which items are counted and not listed
TOTAL = "total"
# How many there are of something says less than what was measured of it.
COUNTED = frozenset({"items", "annotations", "n", "rank", "compared", "labels", "spans", "units", "pairs"})
# What a table is mostly about, where it has several columns of numbers.
TELLING = ("agreement", "disagreement", "value", "agreement with the rest", "confidence")


def chart_of(table: Table, column: str | None = None) -> Chart:
    """The chart of a table as its columns suggest, or of one column of numbers.

    Pairs (columns ``first`` and ``second``) and tables whose columns are called as their rows become shades, a column
    with the ends of its intervals (``low``, ``high``) dots and lines, a column of many items a histogram, and
    other numbers bars.
    """
    if not len(table):
        raise KindError("there is nothing to draw: the table has no rows")
    names = list(table.columns)
    if column is None and is_crossed(table):
        return crossed(table)
    chosen = _numeric(table, column)
    if names[:2] == ["first", "second"]:
        return pairs(table, chosen)
    place = names.index(chosen)
    if names[place + 1 : place + 3] == ["low", "high"]:
        return estimates(table, chosen)
    if names[0] in ("item", "document") and len(table) > MANY:
        return histogram(table, chosen)
    return bars(table, chosen)


def _numeric(table: Table, column: str | None) -> str:
    """The column to draw: the one that is named, or the only one that says what was measured."""
    numeric = [name for name in [*table.columns][1:] if to_right(table[name])]
    if column is not None:
        if column not in numeric:
            table[column]  # an error that names the columns there are
            raise KindError(f"the column {column!r} does not hold numbers; there are {listing(numeric) or 'none'}")
        return column
    with_ends = [name for name, low in pairwise(numeric) if low == "low"]
    measured = [name for name in numeric if name not in COUNTED]
    known = [name for name in TELLING if name in numeric]
    chosen = [*with_ends, *known] or (measured if len(measured) == 1 else numeric if len(numeric) == 1 else [])
    if chosen:
        return chosen[0]
    if not numeric:
        raise KindError("there is nothing to draw: no column but the first holds numbers")
    hint = Hint("column", numeric[0])
    raise KindError(f"say which column to draw, as in {hint}; there are {listing(numeric)}", hints=[hint])


def is_crossed(table: Table) -> bool:
    """Whether the columns of a table are called as its rows are."""
    (_, first), *rest = table.columns.items()
    heads = [name for name, _ in rest if name != TOTAL]
    return len(first) > 0 and heads in ([str(entry) for entry in first], [repr(entry) for entry in first])


def crossed(table: Table, *, axis: str = "", words: str = "", middle: float | None = None) -> Heat:
    """A table with a row and a column for each of the same things, as shades."""
    (head, first), *rest = table.columns.items()
    columns = [(name, column) for name, column in rest if name != TOTAL]
    cells = numbers([column for _, column in columns]).T
    whole = bool(np.all(np.isnan(cells) | (cells == np.round(cells))))
    axis = axis or ("how often" if np.nanmax(cells, initial=0) > 1 else "share")
    both = head.split(" \\ ") if " \\ " in head else ["the row", "the column"]
    words = words or f"{table.title or 'How often values meet'}: {both[0]} against {both[-1]}, as shades"
    names = [cell(name) for name, _ in columns]
    return Heat([*map(cell, first)], names, cells, axis, words, middle, digits=0 if whole else 2)


def pairs(
    table: Table, column: str = "agreement", *, people: Sequence[object] = (), axis: str = "", words: str = ""
) -> Heat:
    """Every two of those in the columns ``first`` and ``second``, as shades; ``people`` says in which order."""
    met = dict.fromkeys(name for both in zip(table["first"], table["second"], strict=True) for name in both)
    people = people or list(met)
    place = {name: code for code, name in enumerate(people)}
    cells = np.full((len(people), len(people)), np.nan)
    for first, second, number in zip(table["first"], table["second"], table[column], strict=True):
        here, there = place[first], place[second]
        cells[here, there] = cells[there, here] = math.nan if number is None else number
    names = [*map(cell, people)]
    whole = bool(np.all(np.isnan(cells) | (cells == np.round(cells))))
    words = words or f"{column.capitalize()} of every two of {len(people):,}"
    known = cells[~np.isnan(cells)]
    middle = 0.0 if column == "agreement" and known.size and known.min() < 0 else None  # below 0, less than by chance
    return Heat(names, names, cells, axis or column, words, middle, digits=0 if whole else 2)


def estimates(
    table: Table,
    column: str,
    ends: tuple[str, str] = ("low", "high"),
    *,
    axis: str = "",
    words: str = "",
    marks: Sequence[ThresholdLine] = (),
    covers: Sequence[float] = (0.0, 1.0),
) -> Forest:
    """A row for each row of a table: a number and the ends of its interval."""
    first = next(iter(table.columns))
    low, high = (_column(table, end) for end in ends)
    rows = [
        DrawnEstimate(cell(label), value, lowest, highest)
        for label, value, lowest, highest in zip(table[first], _column(table, column), low, high, strict=True)
    ]
    known = [row.value for row in rows if math.isfinite(row.value)]
    span = f": from {min(known):.2f} to {max(known):.2f}" if known else ""
    words = words or f"{axis or column} of {len(rows):,} {'row' if len(rows) == 1 else 'rows'}{span}"
    return Forest(rows, axis or column, words, marks, covers)


def bars(table: Table, *columns: str, axis: str = "", words: str = "", marks: Sequence[ThresholdLine] = ()) -> Bars:
    """A bar for each row of a table, or several beside one another where several columns are named."""
    first = next(iter(table.columns))
    series = {name if len(columns) > 1 else "": _column(table, name) for name in columns}
    known = [number for amounts in series.values() for number in amounts if math.isfinite(number)]
    span = f", from {min(known):.3g} to {max(known):.3g}" if known else ""
    words = words or f"{', '.join(columns)} of {len(table):,} rows{span}, by {first or 'name'}"
    return Bars([*map(cell, table[first])], series, axis or columns[0], words, marks)


def histogram(table: Table, column: str, *, axis: str = "", words: str = "") -> Histogram:
    """How the numbers of a column are spread."""
    return spread({"": _column(table, column)}, axis or column, words, what=next(iter(table.columns)) or "rows")


def spread(series: dict[str, Sequence[float]], axis: str, words: str = "", *, what: str = "rows") -> Histogram:
    """How numbers are spread, for each of several series: the share of each bin."""
    known = {
        name: (values := np.asarray(entries, dtype=float))[np.isfinite(values)] for name, entries in series.items()
    }
    together = np.concatenate([*known.values(), np.zeros(0)])
    low, high = (float(together.min()), float(together.max())) if together.size else (0.0, 1.0)
    low = 0.0 if 0 <= low < high else low
    high = 1.0 if low >= 0 and 0.5 < high <= 1 else high if high > low else low + 1.0
    edges = np.linspace(low, high, BINS + 1)
    shares = {name: np.histogram(entries, edges)[0] / max(len(entries), 1) for name, entries in known.items()}
    middle = f"; half of them at {float(np.median(together)):.3g} or less" if together.size else ""
    words = words or f"How {axis} is spread over {len(together):,} {what}{'' if what.endswith('s') else 's'}{middle}"
    return Histogram(edges.tolist(), {name: share.tolist() for name, share in shares.items()}, axis, words)


def numbers(columns: Sequence[Sequence[object]]) -> Floats:
    """Columns as numbers; what is not there is nan."""
    return np.array([[_number(entry) for entry in column] for column in columns], dtype=np.float64)


def _column(table: Table, name: str) -> list[float]:
    return [_number(entry) for entry in table[name]]


def _number(entry: object) -> float:
    return float(entry) if isinstance(entry, int | float | np.number) else math.nan
