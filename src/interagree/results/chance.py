"""Distances on a scale that people read.

A distance that is never above 1 says by itself how large it is.  One without an upper end (squared points of a scale,
squared ranks, edits, metres) does not: 7,123 may be little or much.  So what people are shown is divided by what
chance gives: 0 is the same, 1 as far apart as chance.  Its column says so (``disagreement / chance``), and so does the
foot of the table.  What programs get (``.tables()``, ``.to_dict()``, JSON, CSV) keeps the numbers as they are, under
their names.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from interagree.tables import Table

if TYPE_CHECKING:
    from interagree.results.agreement import Agreement

BY_CHANCE = " / chance"  # what the heads of columns in units of chance end with
OF_CHANCE = "/ chance: 0 is the same, 1 as far apart as chance"
OF_BOUNDED = "{}: 0 is the same, 1 as far apart as can be"
DISTANCES = ("disagreement", "distance", "distance from the rest", "expected")  # in the drill-down of a coefficient


def chance_of(result: Agreement) -> float | None:
    """What the distances in the drill-down of a coefficient are divided by; None where they are never above 1.

    The coefficient of an item, 1 minus its disagreement over this number, then averages to the coefficient of the study
    where all items count alike.
    """
    observed, expected = float(result.disagreement.observed), float(result.disagreement.expected or 0)
    if result.engine.bounded or not _usable(expected):
        return None
    if result.measure.values != "numbers" or not _usable(observed):
        return expected
    # Mean squares and sums of ranks count more than the squared differences that the items have.
    there = [entry for entry in result.by_item()["disagreement"] if math.isfinite(entry)]
    mean = math.fsum(there) / len(there) if there else 0.0
    return expected * mean / observed if _usable(mean) else expected


def _usable(number: float) -> bool:
    return math.isfinite(number) and number > 0


def relative(
    table: Table,
    chance: float | None,
    names: Iterable[str] = DISTANCES,
    *,
    along: Sequence[str] = (),
    foot: bool = True,
) -> Table:
    """A table for people: its distances divided by chance where they have no upper end.

    Args:
        table: The numbers as they are.
        chance: What chance gives; None for distances that are never above 1, which are left alone.
        names: The columns of distances, whose heads then say so.
        along: Columns that belong to them, such as the ends of an interval, and keep their heads.
        foot: Whether the foot of the table says what 1 means.
    """
    there = [name for name in names if name in table.columns]
    if not there:
        return table
    means = OF_BOUNDED.format(", ".join(there)) if chance is None else OF_CHANCE
    columns = {
        f"{name}{BY_CHANCE}" if chance is not None and name in there else name: (
            divided(column, chance) if name in there or name in along else column
        )
        for name, column in table.columns.items()
    }
    return Table(columns, table.title, "; ".join(part for part in (table.foot, means if foot else "") if part))


def divided(column: Iterable[object], chance: float | None) -> list[object]:
    """The numbers of a column divided by what chance gives, where that is given."""
    if chance is None:
        return [*column]
    return [entry / chance if isinstance(entry, int | float) else entry for entry in column]
