"""Tables of each layout as annotations."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.columns import Coded, Column, Columns, Kept, as_array, coded, whole
from interagree.data.provenance import Step, counted
from interagree.errors import DataError, listing
from interagree.reading.choices import Choices
from interagree.reading.crossed import contingency, counts
from interagree.reading.parts import _doubtful, check, fitting, layout_of, roles
from interagree.reading.tables import Table
from interagree.reading.values import finished, present


def from_table(table: Table, c: Choices) -> Annotations:
    """Annotations from named columns."""
    match layout_of(table, c):
        case "wide":
            return _wide(table, c)
        case "counts":
            return counts(table, c, item=_item_column(table, c))
        case "contingency":
            return contingency(table, c)
        case _:
            return _long(table, c)


def _long(table: Table, c: Choices) -> Annotations:
    part = roles(table.names, item=c.item, annotator=c.annotator, value=c.value)
    more = _further(table, c, used={part.item, part.annotator, part.value})
    columns = table.fetch([*dict.fromkeys([part.item, part.annotator, part.value, *more])])
    value, steps = present(coded(columns[part.value]), c)
    keep = Kept(value.codes >= 0) if value.gaps else None
    item, annotator = (
        _named(columns[getattr(part, role)], role, keep, table, c) for role in ("item", "annotator")
    )
    if keep is not None:
        lost = len(value) - len(item)
        what = f"{counted(lost, 'empty cell')} taken as no annotation" if c.text and not c.missing else ""
        steps.append(Step("dropped", what or f"{counted(lost, 'row')} without a value left out", lost))
        value = replace(value.where(keep), gaps=False)
    return finished(
        item,
        annotator,
        value,
        c,
        steps=(*table.steps, *part.step(), *steps),
        attributes=Columns({str(name): columns[name] for name in more}).taking(keep),
    )


def _named(
    column: Any, role: str, keep: Kept | None, table: Table, c: Choices, *, rows: Column | None = None
) -> Coded:
    """The column of items or of annotators, where every row that counts must have an entry."""
    names = coded(column, keep)
    if c.text and "" in (small := names.names):
        names = names.renamed([name or None for name in small])
    if names.gaps and len(names) and int(names.codes.min()) < 0:
        without = np.flatnonzero(names.codes < 0)
        places = rows if keep is None else keep.rows
        first = int(without[0] if places is None else places[without[0]])
        raise DataError(
            f"{counted(len(without), 'row')} with a value and no {role}, the first being {table.row(first)}; "
            f"fill in the {role}, or leave the rows out"
        )
    return names.compact()


def _further(table: Table, c: Choices, *, used: set[Any]) -> list[Hashable]:
    if c.attributes is None:
        return [] if table.lazy else [name for name in table.names if name not in used]
    chosen: list[Hashable] = [c.attributes] if isinstance(c.attributes, str) else list(c.attributes)
    for name in chosen:
        check("attribute", name, table.names)
    return chosen


def _wide(table: Table, c: Choices) -> Annotations:
    item = _item_column(table, c)
    if c.times is not None:
        check("number of items", c.times, table.names)
    if isinstance(c.annotator, list | tuple):
        people = list(c.annotator)
        for name in people:
            check("annotator", name, table.names)
    else:
        apart = {item, c.times, *table.index_names, *(c.attributes or ())}
        people = [name for name in table.names if name not in apart]
    if not people:
        raise DataError(f"there is no column left to be an annotator; the table has {listing(table.names)}")
    more = _further(table, c, used={item, c.times, *people})
    columns = table.fetch(
        [*dict.fromkeys(name for name in (item, c.times, *people, *more) if name is not None)]
    )
    given = [coded(columns[name]) for name in people]
    rows = len(given[0])
    names = columns[item] if item is not None else _row_names(table, rows)
    who = np.repeat(np.arange(len(people), dtype=np.int32), rows)
    row = np.tile(np.arange(rows, dtype=np.int32), len(people))
    value, steps = present(_stacked(given), c)
    taken = Step(
        "taken",
        f"a wide table: one row for each item{f' ({item!r})' if item is not None else ''}, and "
        f"{counted(len(people), 'annotator')} in the columns {listing(people, most=6)}",
    )
    steps = [taken, *_suspicious(given, people, names), *steps]
    keep = np.flatnonzero(value.codes >= 0)
    if len(keep) < len(value):
        lost = len(value) - len(keep)
        steps.append(Step("dropped", f"{counted(lost, 'empty cell')} taken as no annotation", lost))
    row, who, codes = row[keep], who[keep], value.codes[keep]
    if c.times is None:
        items = _items(names, row, table, c)
    else:
        often = _frequencies(columns[c.times], table)
        copies = often[row]
        start = np.cumsum(often) - often
        within = np.arange(copies.sum()) - np.repeat(np.cumsum(copies) - copies, copies)
        again = np.repeat(np.arange(len(row)), copies)
        items = coded(start[row][again] + within)
        row, who, codes = row[again], who[again], codes[again]
        steps.append(
            Step(
                "taken",
                f"{counted(rows, 'row')} for {counted(int(often.sum()), 'item')}, by {c.times!r}",
                int(often.sum()),
            )
        )
    return finished(
        items,
        Coded(who, people).compact(),
        Coded(codes, value.names, ordered=value.ordered),
        c,
        steps=(*table.steps, *steps),
        attributes=Columns({str(name): columns[name] for name in more}, row),
    )


def _row_names(table: Table, rows: int) -> Any:
    if table.index is None:
        return range(rows) if table.lines is None else _consecutive(table.lines)
    called = coded(table.index)
    return (
        called if len(called.names) == rows else range(rows)
    )  # names that repeat are left over from cutting and pasting


def _consecutive(lines: Sequence[int]) -> Sequence[int]:
    """The numbers of lines, as a range where they follow each other."""
    found = range(lines[0], lines[0] + len(lines)) if len(lines) else range(0)
    return found if list(found) == list(lines) else lines


def _items(names: Any, row: Column, table: Table, c: Choices) -> Coded:
    if isinstance(names, range):
        return Coded(row, names).compact()
    called = coded(names)
    if called.gaps or (c.text and "" in called.names):
        return _named(np.asarray(as_array(names), dtype=object)[row], "item", None, table, c, rows=row)
    return Coded(called.codes[row], called.names).compact()


def _frequencies(column: Any, table: Table) -> Column:
    entries = as_array(column).tolist()
    often = whole(entries)
    if often is None:
        bad = next(number for number, entry in enumerate(entries) if whole([entry]) is None)
        raise DataError(
            f"the column that says how many items a row stands for must hold whole numbers, and {table.row(bad)} holds "
            f"{entries[bad]!r}"
        )
    return np.array(often, dtype=np.int64)


def _stacked(columns: Sequence[Coded]) -> Coded:
    """Columns of values one below the other, under common names."""
    first = columns[0].names
    if all(isinstance(column.names, range) and column.names == first for column in columns):
        names: Sequence[Any] = first
        codes = np.concatenate([column.codes for column in columns])
        return Coded(codes, names, any(column.gaps for column in columns))
    ordered = columns[0].ordered and all(list(column.names) == list(first) for column in columns)
    starts = np.cumsum([0, *(len(column.names) for column in columns)])
    pieces = [
        np.where(column.codes < 0, -1, column.codes + np.int32(start))
        for start, column in zip(starts, columns, strict=False)
    ]
    names = [name for column in columns for name in column.names]
    return Coded(np.concatenate(pieces), names, any(column.gaps for column in columns), ordered).renamed(
        names
    )


def _suspicious(given: Sequence[Coded], people: Sequence[Hashable], names: Any) -> list[Step]:
    """What a wide table may be instead, from its first rows."""
    rows = len(given[0])
    steps = [
        Step(
            "noticed",
            f"the column {name!r} is different for every item; if it is no annotator, pass attributes=[{name!r}]",
        )
        for name, column in zip(people, given, strict=True)
        if rows >= 10
        and len(column.names) == rows
        and all(isinstance(entry, str) for entry in column.names[:20])
        and any(len(other.names) < rows for other in given)
    ]
    sizes = [whole(list(column.names)) if len(column.names) <= 1000 else None for column in given]
    if rows < 2 or len(given) < 2 or any(column.gaps for column in given) or None in sizes:
        return steps
    table = np.array([np.array(size)[column.codes] for size, column in zip(sizes, given, strict=True)])
    sums = table.sum(axis=0)
    if rows == len(given) and list(map(str, as_array(names))) == list(map(str, people)):
        steps.append(
            Step(
                "noticed",
                "rows and columns have the same names; for a table of two annotators pass layout='contingency'",
            )
        )
    elif rows >= 3 and (sums == sums[0]).all() and sums[0] > max(2, len(given) - 1) and (table == 0).any():
        steps.append(
            Step(
                "noticed",
                f"every row adds up to {int(sums[0])}; if the cells say how many annotators gave a value, pass "
                "layout='counts'",
            )
        )
    return steps


def _item_column(table: Table, c: Choices) -> Hashable | None:
    if table.array:
        return None  # the axis of the items was named
    if c.item is not None:
        check("item", c.item, table.names)
        found: Hashable = c.item
        return found
    if table.index_names:
        return table.index_names[0] if len(table.index_names) == 1 else None
    fits = fitting("item", table.names)
    if len(fits) > 1:
        raise _doubtful("item", fits, table.names)
    return fits[0] if fits and fits[0] != c.times else None
