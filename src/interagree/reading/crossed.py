"""Tables whose columns are values: counts of each item's values, and two annotators set against each other.

Columns that are or spell numbers stand in the order of the numbers.  Words stand as they do in the table, which is not
an order that a measure may use: that takes declared values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

import numpy as np

from interagree.arrays import Array
from interagree.data.annotations import Annotations
from interagree.data.columns import as_array, whole
from interagree.data.provenance import Step
from interagree.data.types import Value
from interagree.data.values import check_order, is_missing, plain
from interagree.data.values import numbers as numbers_of
from interagree.errors import DataError, Hint, listing
from interagree.reading.cells import Column
from interagree.reading.choices import Choices, several
from interagree.reading.footers import TOTALS
from interagree.reading.tables import NamedColumns

LEFT_OUT = Step("dropped", "the last row and the last column are totals and were left out")
UNNAMED = ("row_0", "col_0")  # what a crosstab of columns without names calls them


def counts(table: NamedColumns, c: Choices, *, item: Hashable | None) -> Annotations:
    """Annotations from a table with a row for each item and a column for each value."""
    more = {*(several(c.attributes) or ()), *table.index_names}
    names = [name for name in table.names if name != item and name not in more]
    columns = table.fetch([*names, *([] if item is None else [item])])
    if not names:
        raise DataError(f"there is no column left to be a value; the table has {listing(table.names)}")
    numbers = np.column_stack([_cells(columns[name], name, table) for name in names])
    labels: list[Value] = bare(names)
    called = table.index if item is None else columns[item]
    items = None if called is None else as_array(called).tolist()
    steps: list[Step] = []
    if TOTALS.fullmatch(str(labels[-1]).strip()) and _has_totals(numbers):
        numbers, labels, items = numbers[:-1, :-1], labels[:-1], None if items is None else items[:-1]
        steps.append(LEFT_OUT)
    if c.values is None:
        order = _by_number(labels)
        numbers, labels = numbers[:, order], [labels[at] for at in order]
    else:
        numbers, labels = _declared(numbers, labels, c.values, array=table.array)
    made = Annotations.from_counts(
        numbers,
        values=labels,
        items=items,
        ordered=_in_stated_order(labels, c),
        provenance=c.provenance.then(*table.steps, *steps),
    )
    if len(set(made.items)) < len(made.items):
        raise DataError("an item has two rows in the table of counts; add them up, so that each item has one")
    return made if c.values is not None else replace(made, stated=False)


def bare(names: Sequence[Hashable]) -> list[Hashable]:
    """Names of columns as the values that they count: 'label.yes' and 'label.no' of one object are 'yes' and 'no'."""
    cuts = [str(name).rpartition(".") for name in names]
    inside = len(names) > 1 and cuts[0][0] and len({path for path, _, _ in cuts}) == 1
    plain = inside and all(
        isinstance(name, str) and last and not last.isdigit() for name, (_, _, last) in zip(names, cuts, strict=True)
    )
    return [last for _, _, last in cuts] if plain else list(names)


def _declared(
    numbers: Array, labels: list[Value], values: Sequence[Value], *, array: bool
) -> tuple[Array, list[Value]]:
    """The columns of counts in the order of declared values, with empty ones for those that nobody gave."""
    declared = [plain(value) for value in values]
    if array and len(declared) == len(labels):
        return numbers, declared
    spelled = {str(value): value for value in declared}
    stray = [name for name in labels if name not in declared and str(name) not in spelled]
    if stray:
        item = Hint("item")
        raise DataError(
            f"there are counts of {listing(stray)}, which is not among the declared values {listing(declared)}; "
            f"declare all of them, or name the column that holds the item with {item}",
            hints=[item],
        )
    place = {str(name): at for at, name in enumerate(labels)}
    none = np.zeros(len(numbers), dtype=np.int64)
    return np.column_stack([numbers[:, place[str(v)]] if str(v) in place else none for v in declared]), declared


def _cells(column: Column, name: Hashable, table: NamedColumns) -> Array:
    item, attribute = hints = [Hint("item", name), Hint("attributes", [name])]
    counted = [0 if is_missing(entry) or entry == "" else entry for entry in as_array(column).tolist()]
    return whole_numbers(
        counted,
        lambda entry, row: (
            f"a table of counts holds whole numbers from 0 up, and column {name!r} holds {entry!r} in "
            f"{table.row(row)}; if the column is not a value, name it with {item} or {attribute}"
        ),
        hints,
    )


def whole_numbers(column: Column, complaint: Callable[[object, int], str], hints: Sequence[Hint] = ()) -> Array:
    """A column of whole numbers from 0 up, or an error that names the first entry that is not one."""
    entries = as_array(column).tolist()
    numbers = whole(entries)
    if numbers is None:
        bad = next(number for number, entry in enumerate(entries) if whole([entry]) is None)
        raise DataError(complaint(entries[bad], bad), hints=hints)
    return np.array(numbers, dtype=np.int64)


def contingency(table: NamedColumns, c: Choices) -> Annotations:
    """Annotations from a table with a row for each value of one annotator and a column for each of another."""
    columns = dict(table.fetch(table.names))
    rows = _row_labels(table, c, columns)
    labels = list(columns)
    numbers = np.column_stack([_cells(column, name, table) for name, column in columns.items()])
    if rows is None and len(numbers) + 1 == len(labels):
        rows, labels, numbers = numbers[:, 0].tolist(), labels[1:], numbers[:, 1:]
    steps: list[Step] = []
    if _has_totals(numbers, named=bool(TOTALS.fullmatch(str(labels[-1])))):
        numbers, labels = numbers[:-1, :-1], labels[:-1]
        rows = None if rows is None else rows[:-1]
        steps.append(LEFT_OUT)
    elif numbers.shape == (len(numbers), len(numbers) + 1) and (numbers[:, :-1].sum(axis=1) == numbers[:, -1]).all():
        numbers, labels = numbers[:, :-1], labels[:-1]  # the row of totals has gone as a footer
        steps.append(LEFT_OUT)
    if rows is not None and list(map(str, rows)) != list(map(str, labels)):
        numbers, labels = _squared(numbers, rows, labels)
    if len(numbers) != len(labels):
        raise DataError(
            f"a contingency table has as many rows as columns, and this one has {len(numbers)} rows and {len(labels)} "
            f"columns ({listing(labels, most=8)})"
        )
    if c.values is None:
        order = _by_number(labels)
        numbers, labels = numbers[np.ix_(order, order)], [labels[at] for at in order]
    elif len(c.values) != len(labels):
        raise DataError(
            f"the contingency table has {len(labels)} values, {listing(labels)}, and {len(c.values)} were declared"
        )
    else:
        order = _order(labels, c.values)
        numbers, labels = numbers[np.ix_(order, order)], list(c.values)
    made = Annotations.from_contingency(
        numbers,
        values=labels,
        annotators=_two(table, c),
        ordered=_in_stated_order(labels, c),
        provenance=c.provenance.then(*table.steps, *steps),
    )
    return made if c.values is not None else replace(made, stated=False)


def _row_labels(table: NamedColumns, c: Choices, columns: dict[Hashable, Column]) -> list[Value] | None:
    """The labels of the rows, their column removed from the others; None where there are none."""
    first = next(iter(columns), None)
    if c.item is not None and c.item in columns:
        chosen = c.item
    elif table.index_names:
        chosen = table.index_names[0]
    elif first is not None and (_word_among_numbers(list(columns)) or whole(as_array(columns[first]).tolist()) is None):
        chosen = first
    else:
        return None if table.index is None else list(as_array(table.index).tolist())
    return list(as_array(columns.pop(chosen)).tolist())


def _word_among_numbers(names: Sequence[object]) -> bool:
    """Whether only the name of the first column is not a number, so that it holds the labels of the rows."""
    return len(names) > 1 and numbers_of(names[:1]) is None and numbers_of(names[1:]) is not None


def _squared(numbers: Array, rows: Sequence[Value], labels: Sequence[Value]) -> tuple[Array, list[Value]]:
    """The table with a row and a column for every label; a label that one annotator never gave has zeros."""
    every = {str(name): name for name in (*labels, *rows)}
    place = {name: at for at, name in enumerate(every)}
    full = np.zeros((len(every), len(every)), dtype=np.int64)
    across, down = ([place[str(name)] for name in names] for names in (labels, rows))
    full[np.ix_(down, across)] = numbers
    return full, list(every.values())


def _two(table: NamedColumns, c: Choices) -> Sequence[Hashable]:
    """The names of the annotators: as stated, or as a frame calls its rows and its columns."""
    if isinstance(c.annotator, list | tuple):
        return c.annotator
    if len(table.index_names) == 1 and table.columns_name is not None:
        names = (table.index_names[0], table.columns_name)
        if names != UNNAMED and names[0] != names[1]:
            return names
    return ("first", "second")


def _by_number(labels: Sequence[Value]) -> list[int]:
    """The places of labels in the order of the numbers that they are or spell; as they stand where they are words."""
    numbers = numbers_of(labels)
    places = list(range(len(labels)))
    return places if numbers is None else sorted(places, key=numbers.__getitem__)


def _in_stated_order(labels: Sequence[Value], c: Choices) -> bool | None:
    if c.ordered and c.values is None:
        check_order(labels)
    return c.ordered


def _order(labels: Sequence[Value], declared: Sequence[Value]) -> list[int]:
    place = {str(name): at for at, name in enumerate(labels)}
    if labels == list(range(len(labels))):  # an array has no names of its own
        return list(range(len(labels)))
    stray = [value for value in declared if str(value) not in place]
    if stray:
        raise DataError(f"{listing(stray)} is declared and not in the table, which has {listing(labels)}")
    return [place[str(value)] for value in declared]


def _has_totals(numbers: Array, *, named: bool = False) -> bool:
    inner = numbers[:-1, :-1]
    return bool(
        inner.size > (not named)
        and inner.sum() > 0
        and (inner.sum(axis=0) == numbers[-1, :-1]).all()
        and (inner.sum(axis=1) == numbers[:-1, -1]).all()
        and inner.sum() == numbers[-1, -1]
    )
