"""Whatever holds annotations as a table of named columns."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from interagree.arrays import Array
from interagree.data.columns import coded
from interagree.data.provenance import Step
from interagree.errors import ColumnNotFound, DataError, DoubtfulReading, Hint, KindError, ReadingAdvice, listing
from interagree.reading import names
from interagree.reading.cells import Column, Columns, is_arrow
from interagree.reading.choices import Choices, Layout, single
from interagree.reading.orders import item_first, side_by_side

Nested: TypeAlias = Mapping[Hashable, Mapping[Hashable, object]]
ENOUGH = 8  # entries of each key from which on it tells that keys have nothing in common
SHARED = 0.5  # share of cells whose entry others have, from which on keys may be annotators
_SAYS_WHO = names.ANNOTATOR | names.MODEL
FRAMES = names.lexicon("cudf dask duckdb ibis modin narwhals pandas polars pyarrow pyspark sqlframe")


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """Named columns that are fetched when they are needed."""

    names: Sequence[Hashable]
    fetch: Callable[[Sequence[Hashable]], Columns]
    index: Column | None = None  # names of the rows, where the table has them apart from its columns
    index_names: tuple[Hashable, ...] = ()  # columns that were the index of a frame; in a wide table, the item
    columns_name: Hashable | None = None  # what a frame calls its columns, such as 'worker' after a pivot
    layout: Layout | None = None  # where the table itself says what it is, as a crosstab does
    array: bool = False  # whether the columns are those of an array, without names of their own
    listed: bool = False  # whether it came as a dict from each annotator to a list
    lazy: bool = False  # whether fetching a column costs a query
    peek: Callable[[], Columns] | None = None  # some rows, where fetching all of them costs too much
    lines: Sequence[int] | None = None  # the line of a file in which each row stands
    steps: tuple[Step, ...] = ()

    @classmethod
    def of(cls, columns: Columns, **more: Any) -> NamedColumns:
        """A table of columns that are there."""
        sizes = {name: len(column) for name, column in columns.items()}
        if len(set(sizes.values())) > 1:
            raise DataError(
                "the columns of a table must be of one length, and these are not: "
                + listing((f"{name!r} has {size}" for name, size in sizes.items()), quote=False)
            )

        def fetch(names: Sequence[Hashable]) -> Columns:
            absent = next((name for name in names if name not in columns), None)
            if absent is not None:
                raise ColumnNotFound(f"there is no column {absent!r} in this table, which has {listing(columns)}")
            return {name: columns[name] for name in names}

        return cls(list(columns), fetch, **more)

    def row(self, number: int) -> str:
        """How a person would find a row."""
        return f"row {number + 1}" if self.lines is None else f"line {self.lines[number]}"


def table_of(data: object, c: Choices) -> NamedColumns:
    """The table that some data are."""
    if isinstance(data, str | bytes | os.PathLike):
        raise DataError(
            f"{data!r} is text, not annotations; if it is the path of a file, read it first: interagree.read({data!r})"
        )
    if isinstance(data, NamedColumns):
        return data
    if isinstance(data, Mapping):
        if _is_nested(data):
            return _nested(data, c)
        return NamedColumns.of({name: column_of(name, column) for name, column in data.items()}, listed=True)
    if isinstance(data, np.ndarray):
        if data.dtype.names:
            return NamedColumns.of({name: data[name] for name in data.dtype.names})
        return _positions(data, c)
    if type(data).__module__.partition(".")[0] in FRAMES or hasattr(data, "__arrow_c_stream__"):
        from interagree.reading.frames import table

        return table(data, c)
    if not isinstance(data, Iterable):
        raise KindError(f"annotations cannot be read from {type(data).__name__}; {_FORMS}")
    return _rows(list(data), c)


_FORMS = (
    "give rows (item, annotator, value), a dict of columns, a dict from each annotator to a list of values, or a data "
    "frame"
)


def _is_nested(data: Mapping[Hashable, object]) -> TypeGuard[Nested]:
    return bool(data) and all(isinstance(inner, Mapping) for inner in data.values())


def _nested(data: Nested, c: Choices) -> NamedColumns:
    """A dict of dicts: from items to annotators, the other way round, or from ids to records."""
    from interagree.reading.parts import fitting

    fields = list(dict.fromkeys(name for inner in data.values() for name in inner))
    if fitting("value", fields):
        columns: dict[Hashable, list[object]] = {"id": list(data)}
        columns |= {name: [inner.get(name) for inner in data.values()] for name in fields}
        return NamedColumns.of(columns)
    rows = [(outer, name, value) for outer, inner in data.items() for name, value in inner.items()]
    three = [coded(column) for column in _transposed(rows, range(3)).values()]
    called: Hashable = "item"
    if _is_place(c.item):
        if c.item not in (0, 1):
            given, outer, inner = hints = [Hint("item", c.item), Hint("item", 0), Hint("item", 1)]
            raise DataError(
                f"a dict of dicts has two levels, and {given} names neither: pass {outer} if the outer keys are the "
                f"items, {inner} if the inner keys are",
                hints=hints,
            )
        first, called = c.item == 0, c.item  # the column of the items is called as it was asked for
    else:
        verdict = item_first(*three)
        if verdict.item_first is None:
            raise DataError(
                f"a dict of dicts may go from items to annotators or from annotators to items, and this one, with "
                f"{len(three[0].names)} outer and {len(three[1].names)} inner keys, does not tell: "
                f"{_both(rows, 'item=0', 'item=1')}"
            )
        first = verdict.item_first
        _check_people(data if first else by_inner(data))
    keys = (called, "annotator") if first else ("annotator", called)
    order = "item, then annotator" if first else "annotator, then item"
    taken = Step("taken", f"a dict of dicts: {order}, then value")
    return NamedColumns.of(dict(zip((*keys, "value"), three, strict=True)), steps=(taken,))


def by_inner(data: Nested) -> dict[Hashable, dict[Hashable, object]]:
    """A dict of dicts the other way round."""
    turned: dict[Hashable, dict[Hashable, object]] = {}
    for outer, inner in data.items():
        for name, value in inner.items():
            turned.setdefault(name, {})[outer] = value
    return turned


def are_fields(data: Nested) -> bool:
    """Whether the inner keys of a dict of dicts are fields of records rather than people: they do not answer alike.

    People who are not called like people have a vocabulary in common; fields hold each something of its own.
    """
    from interagree.reading.evidence import Profile, shared

    columns = by_inner(data)
    asked = sum(names.has(name, names.RESULT | names.ASKED) for name in columns)
    if len(columns) >= 2 and 2 * asked > len(columns):
        return True  # results of an analysis, or what is asked
    if len(columns) < 2 or all(
        isinstance(name, str) and not _SAYS_WHO.isdisjoint(names.words(name)) for name in columns
    ):
        return False
    profiles = [Profile(name, [*cells.values()], place) for place, (name, cells) in enumerate(columns.items())]
    kinds = [{_sort(cell) for cell in cells.values() if cell is not None} for cells in columns.values()]
    own = [kind for kind in kinds if kind]
    if all(len(kind) == 1 for kind in own) and len(set(map(frozenset, own))) > 1:
        return True  # texts under one key, numbers under another
    return min(map(len, columns.values())) >= ENOUGH and shared(profiles) < SHARED


def _sort(cell: object) -> str:
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return type(cell).__name__
    return "number"


def _check_people(data: Nested) -> None:
    if not are_fields(data):
        return
    fields = listing(dict.fromkeys(name for inner in data.values() for name in inner), most=4)
    keys = listing(data, most=3)
    raise DoubtfulReading(
        f"{fields} look like the fields of a record under each of {keys}, by their names or by what they hold, and not "
        "like the answers of several people. If they are questions, nothing says who answered: give rows (item, "
        "annotator, value) of one of them. If they are not, it may be",
        [
            ReadingAdvice(f"The annotators are {fields}, the items {keys}", options={"item": 0}),
            ReadingAdvice(f"The annotators are {keys}, the items {fields}", options={"item": 1}),
        ],
    )


def _both(rows: Sequence[Sequence[object]], items_first: str, annotators_first: str) -> str:
    """The first rows in both readings, and what to pass for each."""
    readings = [
        ", ".join(f"item {row[i]!r} annotator {row[a]!r} value {row[2]!r}" for row in rows[:2])
        for i, a in ((0, 1), (1, 0))
    ]
    return (
        f"pass {items_first} for items first ({readings[0]}, …), or {annotators_first} for annotators first "
        f"({readings[1]}, …)"
    )


def column_of(name: Hashable, column: object) -> Column:
    """What was given as a column, in a form in which it can be read; ``name`` is what errors call it."""
    if type(column).__module__.partition(".")[0] in FRAMES and not hasattr(column, "type"):
        from interagree.reading.frames import series

        return series(column)
    if isinstance(column, str | bytes) or not isinstance(column, Iterable):
        raise DataError(f"the column {name!r} must be a list or an array, and it is {column!r}; {_FORMS}")
    if isinstance(column, np.ndarray | range | list) or is_arrow(column):
        return column
    return list(column)


def _transposed(rows: Sequence[Sequence[object]], names: Sequence[Hashable]) -> dict[Hashable, list[object]]:
    columns = list(map(list, zip(*rows, strict=True))) if rows else [[] for _ in names]
    return dict(zip(names, columns, strict=True))


def _records(rows: Sequence[object]) -> NamedColumns:
    records = [row for row in rows if isinstance(row, Mapping)]
    if len(records) < len(rows):
        number, strange = next((n, row) for n, row in enumerate(rows, 1) if not isinstance(row, Mapping))
        raise DataError(f"row 1 is a dict and row {number} is {strange!r}; give dicts throughout")
    names = list(dict.fromkeys(name for record in records for name in record))
    return NamedColumns.of({name: [record.get(name) for record in records] for name in names})


def _even(rows: Iterable[object]) -> list[Sequence[object]]:
    even: list[Sequence[object]] = []
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Sequence) or isinstance(row, str | bytes):
            raise DataError(f"expected rows (item, annotator, value), and row {number} is {row!r}; {_FORMS}")
        if even and len(row) != len(even[0]):
            raise DataError(
                f"rows must be of one length, and row 1 has {len(even[0])} entries, row {number} has {len(row)}: "
                f"{row!r}; {_FORMS}"
            )
        even.append(row)
    return even


def _rows(data: Sequence[object], c: Choices) -> NamedColumns:
    if not data:
        places = [single(c.item), single(c.annotator), single(c.value)]
        names = places if all(map(_is_place, places)) else ["item", "annotator", "value"]
        return NamedColumns.of({name: [] for name in names})
    if isinstance(data[0], Mapping):
        return _records(data)
    rows = _even(tuple(row.tolist()) if isinstance(row, np.ndarray) else row for row in data)
    first = rows[0]
    if hasattr(first, "_fields"):
        return NamedColumns.of(_transposed(rows, first._fields))
    stated = c.layout not in ("auto", "long") or any(part is not None for part in (c.item, c.annotator, c.value))
    if len(first) == 3 and not stated:
        long = triples(list(_transposed(rows, range(3)).values()), c)
        if long is not None:
            return long
    matrix = np.empty((len(rows), len(first)), dtype=object)
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            matrix[number, place] = cell
    return _positions(matrix, c)


def triples(columns: Sequence[Sequence[object]], c: Choices) -> NamedColumns | None:
    """Three columns as items, annotators and values, in one order or the other; None where they may be annotators."""
    three = [coded(column) for column in columns]
    if c.layout != "long" and c.duplicates == "error" and side_by_side(three):
        return None
    verdict = item_first(*three)
    if verdict.item_first is None:
        rows = list(zip(*(column[:2] for column in columns), strict=True))
        raise DataError(
            "rows of three entries may be (item, annotator, value) or (annotator, item, value), and these, with "
            f"{len(three[0].names)} different entries in the first place and {len(three[1].names)} in the second, do "
            f"not tell: {_both(rows, 'item=0, annotator=1, value=2', 'item=1, annotator=0, value=2')}"
        )
    names = ("item", "annotator", "value") if verdict.item_first else ("annotator", "item", "value")
    taken = Step("taken", f"rows of (annotator, item, value), {verdict.reason}")
    return NamedColumns.of(dict(zip(names, three, strict=True)), steps=() if verdict.item_first else (taken,))


def _positions(matrix: Array, c: Choices) -> NamedColumns:
    """A two-dimensional array: long where the columns are given by place, else with the axis of the items named."""
    if matrix.ndim != 2:
        raise DataError(f"an array of annotations has two dimensions, and this has {matrix.ndim}; {_FORMS}")
    long = c.layout == "long" or (_is_place(c.annotator) and _is_place(c.value))
    by_item = 0 if c.item is None and c.layout in ("counts", "contingency") else c.item
    if long:
        by_item = 0
    elif not _is_place(by_item) or by_item not in (0, 1):
        rows, columns = matrix.shape
        down, across, counts = hints = [Hint("item", 0), Hint("item", 1), Hint("layout", "counts")]
        raise DataError(
            f"an array does not tell whether its rows or its columns are the items, and this one has {rows} rows and "
            f"{columns} columns: pass {down} if "
            f"each row is one item and each column one annotator, {across} if it is the other way round; for a table "
            f"of counts add {counts}; for rows of one annotation each say where its parts stand, as in item=0, "
            "annotator=1, value=2, or item=1, annotator=0, value=2",
            hints=hints,
        )
    lying = matrix if by_item == 0 else matrix.T
    names = range(lying.shape[1])
    return NamedColumns.of({place: lying[:, place] for place in names}, array=not long)


def _is_place(name: object) -> TypeGuard[int]:
    return isinstance(name, int) and not isinstance(name, bool)
