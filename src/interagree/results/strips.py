"""Coefficients drawn in a column of their table, as characters: for whatever shows text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interagree.results.charts.characters import SHORT, strips_of
from interagree.results.document import Section
from interagree.tables import Table


def with_strips(section: Section, fits: Callable[[Table], bool] | None = None) -> tuple[Section, str]:
    """A section whose chart is drawn in its table, before the last column, and the head of the new column.

    Args:
        section: What is shown; it is left alone, and the head is empty, where its chart is not about the table's rows.
        fits: Whether a table fits; columns that the section can do without are left out until it does.
    """
    drawn = None if section.chart is None or section.forest else section.estimates()
    if drawn is None:
        return section, ""
    head, strips = strips_of(drawn, SHORT)

    def beside(table: Table) -> Table:
        *most, last = table.columns.items()
        return replace(table, columns=dict([*most, (head, strips), last]))

    if fits is not None:
        section = section.within(lambda table: fits(beside(table)))
    return replace(section, table=None if section.table is None else beside(section.table), chart=None), head
