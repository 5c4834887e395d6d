"""Tables whose columns are values: counts of each item's values, and two annotators set against each other."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.columns import Column, as_array, whole
from interagree.data.provenance import Step
from interagree.data.values import plain
from interagree.errors import DataError, listing
from interagree.reading.choices import Choices
from interagree.reading.tables import Table


def counts(table: Table, c: Choices, *, item: Hashable | None) -> Annotations:
    """Annotations from a table with a row for each item and a column for each value."""
    more = list(c.attributes or ())
    found = [name for name in table.names if name != item and name not in more]
    columns = table.fetch([*found, *([] if item is None else [item])])
    if not found:
        raise DataError(f"there is no column left to be a value; the table has {listing(table.names)}")
    numbers = np.column_stack([_cells(columns[name], name, table) for name in found])
    labels: list[Any] = list(found)
    if c.values is not None and table.array and len(c.values) == len(found):
        labels = list(c.values)
    elif c.values is not None:
        declared = [plain(value) for value in c.values]
        spelled = {str(value): value for value in declared}
        stray = [name for name in labels if name not in declared and str(name) not in spelled]
        if stray:
            raise DataError(
                f"there are counts of {listing(stray)}, which is not among the declared values {listing(declared)}; "
                "declare all of them, or name the column that holds the item with item=…"
            )
        place = {str(name): at for at, name in enumerate(labels)}
        none = np.zeros(len(numbers), dtype=np.int64)
        numbers = np.column_stack([numbers[:, place[str(v)]] if str(v) in place else none for v in declared])
        labels = declared
    names = columns[item] if item is not None else table.index
    made = Annotations.from_counts(
        numbers,
        values=labels,
        items=None if names is None else as_array(names).tolist(),
        ordered=c.ordered,
        provenance=c.provenance.then(*table.steps),
    )
    if len(set(made.items)) < len(made.items):
        raise DataError(
            "an item stands in two rows of the table of counts; add the rows up, or give items one row each"
        )
    return made


def _cells(column: Any, name: Hashable, table: Table) -> Column:
    entries = as_array(column).tolist()
    found = whole(entries)
    if found is None:
        bad = next(number for number, entry in enumerate(entries) if whole([entry]) is None)
        raise DataError(
            f"a table of counts holds whole numbers from 0 up, and column {name!r} holds {entries[bad]!r} in "
            f"{table.row(bad)}; if the column is no value, name it with item={name!r} or attributes=[{name!r}]"
        )
    return np.array(found, dtype=np.int64)


def contingency(table: Table, c: Choices) -> Annotations:
    """Annotations from a table with a row for each value of one annotator and a column for each of another."""
    columns = dict(table.fetch(table.names))
    steps: list[Step] = []
    rows: list[Any] | None = None
    labels = list(table.names)
    if c.item is not None and c.item in labels:
        rows = as_array(columns.pop(c.item)).tolist()
    elif labels and whole(as_array(columns[labels[0]]).tolist()) is None:
        rows = as_array(columns.pop(labels[0])).tolist()
    elif table.index is not None:
        rows = as_array(table.index).tolist()
    labels = list(columns)
    numbers = np.column_stack([_cells(column, name, table) for name, column in columns.items()])
    if rows is None and len(numbers) + 1 == len(labels):
        rows, labels, numbers = numbers[:, 0].tolist(), labels[1:], numbers[:, 1:]
    if _has_totals(numbers):
        numbers, labels = numbers[:-1, :-1], labels[:-1]
        rows = None if rows is None else rows[:-1]
        steps.append(Step("dropped", "the last row and the last column are totals and were left out"))
    if rows is not None and list(map(str, rows)) != list(map(str, labels)):
        every = list(dict.fromkeys([*map(str, labels), *map(str, rows)]))
        full = np.zeros((len(every), len(every)), dtype=np.int64)
        across, down = ([every.index(str(name)) for name in names] for names in (labels, rows))
        full[np.ix_(down, across)] = numbers
        numbers, labels = full, list(every)
    if c.values is not None:
        if len(c.values) != len(labels):
            raise DataError(
                f"the contingency table has {len(labels)} values, {listing(labels)}, and {len(c.values)} were declared"
            )
        order = _order(labels, c.values)
        numbers, labels = numbers[np.ix_(order, order)], list(c.values)
    who = c.annotator if isinstance(c.annotator, list | tuple) else ("first", "second")
    return Annotations.from_contingency(
        numbers,
        values=labels,
        annotators=who,
        ordered=c.ordered,
        provenance=c.provenance.then(*table.steps, *steps),
    )


def _order(labels: list[Any], declared: Sequence[Any]) -> list[int]:
    place = {str(name): at for at, name in enumerate(labels)}
    if labels == list(range(len(labels))):  # an array has no names of its own
        return labels
    stray = [value for value in declared if str(value) not in place]
    if stray:
        raise DataError(f"{listing(stray)} is declared and not in the table, which has {listing(labels)}")
    return [place[str(value)] for value in declared]


def _has_totals(numbers: Column) -> bool:
    inner = numbers[:-1, :-1]
    return bool(
        inner.size > 1
        and inner.sum() > 0
        and (inner.sum(axis=0) == numbers[-1, :-1]).all()
        and (inner.sum(axis=1) == numbers[:-1, -1]).all()
        and inner.sum() == numbers[-1, -1]
    )
