"""What every definition begins with: rows, items, and means that are None where there is nothing to take them of."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

Rows = Iterable[tuple[Any, Any, Any]]  # (item, annotator, value)
Cells = dict[Any, dict[Any, Any]]  # item -> annotator -> value
Number = Fraction | None  # None where the definition divides by zero


def cells_of(rows: Rows) -> Cells:
    """The values of each item by annotator; a value of None is no annotation."""
    cells: Cells = {}
    for item, annotator, value in rows:
        if value is not None:
            cells.setdefault(item, {})[annotator] = value
    return cells


def annotators_of(cells: Cells) -> list[Any]:
    """All annotators, each once."""
    return sorted({annotator for given in cells.values() for annotator in given})


def paired(cells: Cells) -> Cells:
    """The items that two annotators or more annotated."""
    return {item: given for item, given in cells.items() if len(given) > 1}


def only(cells: Cells, *annotators: Any) -> Cells:
    """The annotations of some annotators."""
    kept = {item: {who: given[who] for who in annotators if who in given} for item, given in cells.items()}
    return {item: given for item, given in kept.items() if given}


def all_values(cells: Cells) -> list[Any]:
    """Every value as often as it was given."""
    return [value for given in cells.values() for value in given.values()]


def total(numbers: Iterable[Fraction]) -> Fraction:
    """A sum in fractions."""
    return sum(numbers, Fraction(0))


def mean(numbers: Iterable[Number]) -> Number:
    """The mean of those that are defined."""
    known = [number for number in numbers if number is not None]
    return total(known) / len(known) if known else None


def share(part: Fraction | int, whole: Fraction | int) -> Number:
    """A part of a whole; None of nothing."""
    return Fraction(part) / Fraction(whole) if whole else None


def one_minus(observed: Number, expected: Number) -> Number:
    """The coefficient from observed and expected disagreement."""
    return None if observed is None or not expected else 1 - observed / expected
