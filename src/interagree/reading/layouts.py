"""Tables of each layout as annotations."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from interagree.arrays import Array, Indices, Integers
from interagree.data.annotations import Annotations
from interagree.data.codes import Coded
from interagree.data.columns import Columns, coded
from interagree.data.provenance import Step, counted
from interagree.errors import DataError, listing
from interagree.gather.columns import Marks, gathered
from interagree.reading.cells import Column, is_arrow
from interagree.reading.cells import Columns as ColumnsByName
from interagree.reading.choices import Choices, Named, several
from interagree.reading.crossed import contingency, counts, whole_numbers
from interagree.reading.pairwise import aligned
from interagree.reading.parts import check, taken_step
from interagree.reading.patterns import ONE
from interagree.reading.readings import Reading
from interagree.reading.tables import NamedColumns


def taken(reading: Reading, table: NamedColumns, c: Choices) -> dict[str, Annotations]:
    """The questions of a table, by the reading of it."""
    match reading.layout:
        case "wide":
            return _wide_questions(reading, table, c)
        case "transposed":
            asked = reading.people or {ONE: {name: name for name in _items_across(reading, table, c)}}
            return {question: _transposed(reading, table, items, c) for question, items in asked.items()}
        case "counts":
            item = reading.item[0] if reading.item else None
            others = c.attributes if c.attributes is not None else list(reading.aside)
            return {"value": counts(table, replace(c, attributes=others), item=item).with_steps(*reading.steps())}
        case "contingency":
            return {"value": contingency(table, c)}
        case _:
            return _long_questions(reading, table, c)


def _long_questions(reading: Reading, table: NamedColumns, c: Choices) -> dict[str, Annotations]:
    several = len(reading.values) > 1
    table = aligned(table, reading, c)
    if reading.question is None:
        return {str(value): _long(table, reading, value, c, several=several) for value in reading.values}
    made = {}
    for name, part in by_question(table, reading.question).items():
        for value in reading.values:
            title = f"{name} {value}" if several else name
            made[title] = _long(part, reading, value, c, several=several)
    return made


def _long(table: NamedColumns, reading: Reading, value: Hashable, c: Choices, *, several: bool = False) -> Annotations:
    who = reading.annotator
    used = {*_alone(reading.item), who, value, *(reading.values if several else ())}
    more = _further(table, c, used=used)
    columns = table.fetch([*dict.fromkeys([*reading.item, who, value, *more])])
    items = _joint([columns[name] for name in reading.item])
    attributes = Columns({str(name): columns[name] for name in more})
    # Where the names of columns differ from their parts and the caller did not name them, the reading says why.
    columns_taken = [taken_step(listing(reading.item), who, value)] if reading.because else []
    marks = Marks(items, columns[who], coded(columns[value]), table.row, attributes=attributes)
    return gathered(marks, c, (*table.steps, *columns_taken, *reading.steps()))


def _alone(item: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    """The column that is the item; columns that name it together are kept as attributes as well."""
    return item if len(item) == 1 else ()


def _joint(columns: Sequence[Column]) -> Column:
    """One column, or several as one whose entries are tuples."""
    if len(columns) == 1:
        return columns[0]
    parts = [coded(column) for column in columns]
    code = np.zeros(len(parts[0]), dtype=np.int64)
    gap = np.zeros(len(code), dtype=bool)
    for part in parts:
        code = code * (len(part.names) + 1) + part.codes
        gap |= part.codes < 0
    _, first, place = np.unique(code, return_index=True, return_inverse=True)
    names = [tuple(part.names[part.codes[row]] if part.codes[row] >= 0 else None for part in parts) for row in first]
    order = np.argsort(np.argsort(first))  # in the order in which they first appear
    named: list[Hashable] = [None] * len(names)
    for at, name in zip(order.tolist(), names, strict=True):
        named[at] = name
    codes = order[place.reshape(-1)].astype(np.int32)
    codes[gap] = -1
    return Coded(codes, named, gaps=bool(gap.any())).compact()


def by_question(table: NamedColumns, column: Hashable) -> dict[str, NamedColumns]:
    """A table for each entry of a column that names the question."""
    rest = [name for name in table.names if name != column]
    questions = coded(table.fetch([column])[column]).compact()
    step = Step("taken", f"{len(questions.names)} questions, by {column!r}")
    return {
        str(name): _part(table, rest, np.flatnonzero(questions.codes == code), step)
        for code, name in enumerate(questions.names)
    }


def _part(table: NamedColumns, names: Sequence[Hashable], rows: Indices, step: Step) -> NamedColumns:
    lines = None if table.lines is None else [table.lines[row] for row in rows]

    def fetch(wanted: Sequence[Hashable]) -> ColumnsByName:
        return {name: _at(column, rows) for name, column in table.fetch(wanted).items()}

    return replace(table, names=list(names), fetch=fetch, peek=None, lines=lines, steps=(*table.steps, step))


def _at(column: Column, rows: Indices) -> Column:
    if isinstance(column, Coded):
        return Coded(column.codes[rows], column.names, column.gaps, column.ordered)
    if isinstance(column, np.ndarray) or is_arrow(column):
        return column.take(rows)
    return [column[row] for row in rows.tolist()]


def _further(table: NamedColumns, c: Choices, *, used: set[Hashable]) -> list[Hashable]:
    if c.attributes is None:
        return [] if table.lazy else [name for name in table.names if name not in used]
    chosen = _chosen(c.attributes) or []
    for name in chosen:
        check("attribute", name, table.names)
    return chosen


def _wide_questions(reading: Reading, table: NamedColumns, c: Choices) -> dict[str, Annotations]:
    asked = reading.people
    if len(asked) > 1 and c.attributes is None:
        used = {column for people in asked.values() for column in people.values()}
        rest = [name for name in table.names if name not in {*used, *_alone(reading.item), c.times}]
        c = replace(c, attributes=rest)
    return {question: _wide(table, reading, people, c) for question, people in asked.items()}


def _items_across(reading: Reading, table: NamedColumns, c: Choices) -> list[Hashable]:
    """The columns of a transposed table that are items: those named as values, or all that are nothing else."""
    aside = {reading.annotator, *reading.aside, *(_chosen(c.attributes) or ())}
    return several(c.value) or [name for name in table.names if name not in aside]


def _transposed(reading: Reading, table: NamedColumns, items: Mapping[Hashable, Hashable], c: Choices) -> Annotations:
    """Each row is an annotator and each column an item."""
    names = list(items.values())
    columns = table.fetch(names if reading.annotator is None else [*names, reading.annotator])
    rows = len(columns[names[0]]) if names else 0
    who = coded(columns[reading.annotator] if reading.annotator is not None else _row_names(table, rows, c))
    sentence = f"a table with a row for each of {counted(rows, 'annotator')} and a column for each item"
    marks = Marks(
        Coded(np.repeat(np.arange(len(names), dtype=np.int32), rows), list(items)),
        _repeated(who, len(names)),
        _stacked([coded(columns[name]) for name in names]),
        lambda place: table.row(place % rows),
        by_row=False,
    )
    return gathered(marks, c, (*table.steps, Step("taken", sentence), *reading.steps()))


def _repeated(column: Coded, times: int) -> Coded:
    """A column so many times, one below the other."""
    return replace(column, codes=np.tile(column.codes, times))


def _chosen(attributes: Named) -> list[Hashable] | None:
    if attributes is None or isinstance(attributes, str):
        return several(attributes)
    return list(attributes) if isinstance(attributes, Iterable) else [attributes]


def _wide(table: NamedColumns, reading: Reading, who_where: Mapping[Hashable, Hashable], c: Choices) -> Annotations:
    people, annotators = list(who_where.values()), list(who_where)
    if not people:
        raise DataError(f"there is no column left to be an annotator; the table has {listing(table.names)}")
    more = _further(table, c, used={*_alone(reading.item), c.times, *people})
    named = annotators if reading.paired else []
    wanted = (*reading.item, c.times, *people, *named, *more)
    columns = table.fetch([*dict.fromkeys(name for name in wanted if name is not None)])
    rows = len(columns[people[0]])
    names = _joint([columns[name] for name in reading.item]) if reading.item else _row_names(table, rows, c)
    ids = f" ({listing(reading.item)})" if reading.item else ""
    who_said = f", named in {listing(named, most=6)}" if named else ""
    sentence = f"a wide table: one row for each item{ids}, and {counted(len(people), 'annotator')} in the columns "
    steps = [*table.steps, Step("taken", sentence + listing(people, most=6) + who_said), *reading.steps()]
    line = np.arange(rows, dtype=np.int32)
    if c.times is not None:
        often = _frequencies(columns[c.times], table)
        sentence = f"{counted(rows, 'row')} for {counted(int(often.sum()), 'item')}, by {c.times!r}"
        steps.append(Step("taken", sentence, int(often.sum())))
        line = np.repeat(line, often)
        names = range(len(line))
    who = Coded(np.repeat(np.arange(len(people), dtype=np.int32), len(line)), annotators)
    marks = Marks(
        _repeated(coded(names), len(people)),
        _stacked([_at_lines(columns[name], line, c) for name in named]) if named else who,
        _stacked([_at_lines(columns[name], line, c) for name in people]),
        lambda place: table.row(int(line[place % len(line)])),
        by_row=False,
        attributes=Columns({str(name): columns[name] for name in more}, np.tile(line, len(people)) if more else None),
    )
    return gathered(marks, c, steps)


def _at_lines(column: Column, line: Integers, c: Choices) -> Coded:
    """A column as codes, with the rows that stand for several items repeated."""
    codes = coded(column)
    return codes if c.times is None else replace(codes, codes=codes.codes[line])


def _row_names(table: NamedColumns, rows: int, c: Choices) -> Column:
    """What rows are called that no column names; those of a text file are counted from 1 where lines are unknown."""
    numbers: Sequence[int] = range(1, rows + 1) if c.from_text else range(rows)
    if table.lines is not None:
        first = table.lines[0] if len(table.lines) else 0
        follow = range(first, first + len(table.lines))
        numbers = follow if list(follow) == list(table.lines) else table.lines
    if table.index is None:
        return numbers
    called = coded(table.index)
    return called if len(called.names) == rows else numbers  # names that repeat are left over from cutting and pasting


def _frequencies(column: Column, table: NamedColumns) -> Array:
    return whole_numbers(
        column,
        lambda entry, row: (
            "the column that says how many items a row stands for must hold whole numbers, and "
            f"{table.row(row)} holds {entry!r}"
        ),
    )


def _stacked(columns: Sequence[Coded]) -> Coded:
    """Columns of values one below the other, under common names."""
    first = columns[0].names
    if all(isinstance(column.names, range) and column.names == first for column in columns):
        names: Sequence[Hashable] = first
        codes = np.concatenate([column.codes for column in columns])
        return Coded(codes, names, any(column.gaps for column in columns))
    ordered = columns[0].ordered and all(list(column.names) == list(first) for column in columns)
    starts = np.cumsum([0, *(len(column.names) for column in columns)])
    pieces = [
        np.where(column.codes < 0, -1, column.codes + np.int32(start))
        for start, column in zip(starts, columns, strict=False)
    ]
    names = [name for column in columns for name in column.names]
    return Coded(np.concatenate(pieces), names, any(column.gaps for column in columns), ordered).renamed(names)
