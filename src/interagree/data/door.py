"""The one door: rows, columns, arrays and frames of any layout become `Annotations`.

A *long* table has a row for each annotation and columns for item, annotator and value.  A *wide* table has a row for
each item and a column for each annotator.  A table of *counts* has a row for each item and a column for each value; a
*contingency* table has a row for each value of one annotator and a column for each value of another.

Which column plays which part is told by the caller, or by `SYNONYMS` when exactly one column fits; the name of the part
itself goes before its synonyms, and 'id' counts only where nothing else is an item.  What was taken is said in the
provenance, and where the names leave a doubt there is an error that lists them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args

import numpy as np

from interagree.data.annotations import Annotations, Duplicates
from interagree.data.columns import Coded, Column, Columns, Kept, Names, as_array, coded, whole
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.study import Study
from interagree.data.values import is_missing, key, plain
from interagree.errors import ColumnNotFound, DataError, KindError, UnknownName, listing, suggestion

Layout = Literal["auto", "long", "wide", "counts", "contingency"]

SYNONYMS: dict[str, tuple[str, ...]] = {
    "item": (
        "item", "item_id", "itemid", "task", "task_id", "taskid", "unit", "unit_id", "subject", "subject_id",
        "doc", "doc_id", "document", "document_id", "example", "example_id", "sample", "sample_id",
        "sentence_id", "text_id", "question_id", "instance", "instance_id", "record", "record_id", "post_id",
        "tweet_id", "image_id", "hit_id", "id",
    ),
    "annotator": (
        "annotator", "annotator_id", "annotatorid", "annotated_by", "worker", "worker_id", "workerid", "rater",
        "rater_id", "coder", "coder_id", "user", "user_id", "username", "judge", "judge_id", "labeler",
        "labeler_id", "labeller", "labelled_by", "labeled_by", "observer", "reviewer", "assessor", "performer", "who",
    ),
    "value": (
        "value", "values", "label", "labels", "category", "class", "score", "answer", "rating", "code", "annotation",
        "response", "judgment", "judgement", "judgments", "grade", "choice", "verdict", "tag",
    ),
}  # fmt: skip
LAST = "id"  # an item only where nothing else is: it is more often the number of the row

FRAMES = frozenset(
    {
        "cudf",
        "dask",
        "duckdb",
        "ibis",
        "modin",
        "narwhals",
        "pandas",
        "polars",
        "pyarrow",
        "pyspark",
        "sqlframe",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What a caller may say about data; `Annotations.of` explains each."""

    item: Any = None
    annotator: Any = None
    value: Any = None
    values: Sequence[Any] | None = None
    ordered: bool | None = None
    duplicates: Duplicates = "error"
    layout: Layout = "auto"
    split: str | None = None
    missing: Sequence[Any] = ()
    attributes: Sequence[Hashable] | None = None
    times: Any = None
    kind: str | None = None
    text: bool = False  # whether the cells were read from a text file, where an empty one means nothing
    provenance: Provenance = field(default_factory=Provenance)

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Choices:
        """Options by name, checked."""
        known = [one.name for one in fields(cls)]
        for name in options:
            if name not in known:
                raise UnknownName(
                    f"there is no option {name!r}.{suggestion(name, known)} (known: {listing(known)})"
                )
        choices = cls(**options)
        if choices.layout not in get_args(Layout):
            raise KindError(f"layout must be one of {listing(get_args(Layout))}, got {choices.layout!r}")
        return choices


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns that are fetched when they are needed."""

    names: Sequence[Hashable]
    fetch: Callable[[Sequence[Hashable]], Mapping[Hashable, Any]]
    index: Any = None  # names of the rows, where the table has them apart from its columns
    array: bool = False  # whether the columns are those of an array, without names of their own
    lazy: bool = False  # whether fetching a column costs a query
    lines: Sequence[int] | None = None  # the line of a file in which each row stands
    steps: tuple[Step, ...] = ()

    @classmethod
    def of(cls, columns: Mapping[Hashable, Any], **more: Any) -> Table:
        """A table of columns that are there."""
        sizes = {name: len(column) for name, column in columns.items()}
        if len(set(sizes.values())) > 1:
            raise DataError(
                "the columns of a table must be of one length, and these are not: "
                + listing((f"{name!r} has {size}" for name, size in sizes.items()), quote=False)
            )
        return cls(list(columns), lambda names: {name: columns[name] for name in names}, **more)

    def row(self, number: int) -> str:
        """How a person would find a row."""
        return f"row {number + 1}" if self.lines is None else f"line {self.lines[number]}"


# -- what came in -------------------------------------------------------------------------------------------


def build(data: Any, **options: Any) -> Annotations:
    """Annotations from whatever holds them, with the options of `Annotations.of`."""
    c = Choices.of(options)
    if isinstance(data, Study):
        data = data.single()
    elif hasattr(data, "patterns") and hasattr(data, "collect"):  # a Scan
        data = data.collect()
    if isinstance(data, Annotations):
        made = data if c.values is None else data.declaring(c.values, ordered=c.ordered)
    else:
        made = from_table(table_of(data, c), c)
        # Files and frames cannot hold lists of numbers and words, and have them as JSON.
        if c.kind is None and c.values is None and not isinstance(data, list | tuple | Mapping | np.ndarray):
            return _structured(made)
    return made if c.kind is None else made.taken_as(c.kind)


def _structured(made: Annotations) -> Annotations:
    """A study read from a table, with cells that spell lists or objects as JSON read as such."""
    from interagree.kinds import spelled_out

    found = spelled_out(made.values)
    if found is None:
        return made
    return made.taken_as(found).with_steps(Step("taken", f"the cells hold {found}, written as JSON"))


def table_of(data: Any, c: Choices) -> Table:
    """The table that some data are."""
    if isinstance(data, str | bytes | os.PathLike):
        raise DataError(
            f"{data!r} is text, not annotations; if it is the path of a file, read it first: interagree.read({data!r})"
        )
    if isinstance(data, Table):
        return data
    if isinstance(data, Mapping):
        return _mapping(data)
    if isinstance(data, np.ndarray):
        if data.dtype.names:
            return Table.of({name: data[name] for name in data.dtype.names})
        return _positions(data, c)
    if type(data).__module__.partition(".")[0] in FRAMES or hasattr(data, "__arrow_c_stream__"):
        from interagree.data.frames import table

        return table(data)
    if not isinstance(data, Iterable):
        raise KindError(f"annotations cannot be read from {type(data).__name__}; {_FORMS}")
    return _rows(list(data), c)


_FORMS = (
    "give rows (item, annotator, value), a dict of columns, a dict from each annotator to a list of values, or a data "
    "frame"
)


def _mapping(data: Mapping[Any, Any]) -> Table:
    if data and all(isinstance(inner, Mapping) for inner in data.values()):
        rows = [(item, who, value) for item, inner in data.items() for who, value in inner.items()]
        taken = Step("taken", "a dict of dicts: item, then annotator, then value")
        return Table.of(_transposed(rows, ("item", "annotator", "value")), steps=(taken,))
    return Table.of({name: _column(name, column) for name, column in data.items()})


def _column(name: Hashable, column: Any) -> Any:
    if type(column).__module__.partition(".")[0] in FRAMES and not hasattr(column, "type"):
        from interagree.data.frames import series

        return series(column)
    if isinstance(column, str | bytes) or not isinstance(column, Iterable):
        raise DataError(f"the column {name!r} must be a list or an array, and it is {column!r}; {_FORMS}")
    return (
        column if isinstance(column, np.ndarray | range | list) or hasattr(column, "type") else list(column)
    )


def _transposed(rows: Sequence[Sequence[Any]], names: Sequence[Hashable]) -> dict[Hashable, Any]:
    columns = list(map(list, zip(*rows, strict=True))) if rows else [[] for _ in names]
    return dict(zip(names, columns, strict=True))


def _records(rows: list[Any]) -> Table:
    strange = next((number for number, row in enumerate(rows) if not isinstance(row, Mapping)), None)
    if strange is not None:
        raise DataError(f"row 1 is a dict and row {strange + 1} is {rows[strange]!r}; give dicts throughout")
    names = list(dict.fromkeys(name for row in rows for name in row))
    return Table.of({name: [row.get(name) for row in rows] for name in names})


def _even(rows: list[Any]) -> None:
    for number, row in enumerate(rows):
        if not isinstance(row, Sequence) or isinstance(row, str | bytes):
            raise DataError(
                f"expected rows (item, annotator, value), and row {number + 1} is {row!r}; {_FORMS}"
            )
        if len(row) != len(rows[0]):
            raise DataError(
                f"rows must be of one length, and row 1 has {len(rows[0])} entries, row {number + 1} has {len(row)}: "
                f"{row!r}; {_FORMS}"
            )


def _rows(rows: list[Any], c: Choices) -> Table:
    if not rows:
        return Table.of({"item": [], "annotator": [], "value": []})
    first = rows[0]
    if isinstance(first, Mapping):
        return _records(rows)
    if isinstance(first, np.ndarray):
        rows = [tuple(row.tolist()) for row in rows]
    _even(rows)
    if hasattr(first, "_fields"):
        return Table.of(_transposed(rows, first._fields))
    told = c.layout not in ("auto", "long") or any(
        part is not None for part in (c.item, c.annotator, c.value)
    )
    if len(first) == 3 and not told:
        return Table.of(_transposed(rows, ("item", "annotator", "value")))
    matrix = np.empty((len(rows), len(first)), dtype=object)
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            matrix[number, place] = cell
    return _positions(matrix, c)


def _positions(matrix: Column, c: Choices) -> Table:
    """A two-dimensional array: long where the columns are given by place, else with the axis of the items named."""
    if matrix.ndim != 2:
        raise DataError(f"an array of annotations has two dimensions, and this has {matrix.ndim}; {_FORMS}")
    long = c.layout == "long" or (_is_place(c.annotator) and _is_place(c.value))
    by_item = 0 if c.item is None and c.layout in ("counts", "contingency") else c.item
    if long:
        by_item = 0
    elif not _is_place(by_item) or by_item not in (0, 1):
        rows, columns = matrix.shape
        raise DataError(
            f"an array does not say which way it lies, and this has {rows} rows and {columns} columns: pass item=0 "
            "if each row is one item and each column one annotator, item=1 if it is the other way round; for a table "
            "of counts add layout='counts', and for rows of (item, annotator, value) in another order say where each "
            "stands, as in item=1, annotator=0, value=2"
        )
    lying = matrix if by_item == 0 else matrix.T
    names = range(lying.shape[1])
    return Table.of({place: lying[:, place] for place in names}, array=not long)


def _is_place(name: Any) -> bool:
    return isinstance(name, int) and not isinstance(name, bool)


# -- which column is what -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Roles:
    """The columns of a long table."""

    item: Hashable
    annotator: Hashable
    value: Hashable
    guessed: bool  # whether a synonym decided

    def step(self) -> tuple[Step, ...]:
        """What to say about it."""
        if not self.guessed:
            return ()
        return (
            Step(
                "taken",
                f"columns taken: item from {self.item!r}, annotator from {self.annotator!r}, value from {self.value!r}",
            ),
        )


def fitting(role: str, names: Iterable[Hashable]) -> list[Hashable]:
    """The columns that may play a role: the one called so, else all that are called by a synonym."""
    called = {name: re.sub(r"[^a-z0-9]+", "_", str(name).lower()).strip("_") for name in names}
    exact = [name for name, plainly in called.items() if plainly == role]
    known = [name for name, plainly in called.items() if plainly in SYNONYMS[role]]
    strong = [name for name in known if called[name] != LAST]
    return exact[:1] if len(exact) == 1 else strong or known


def roles(names: Sequence[Hashable], *, item: Any = None, annotator: Any = None, value: Any = None) -> Roles:
    """The columns of a long table, or an error that lists what there is."""
    given = {"item": item, "annotator": annotator, "value": value}
    for role, name in given.items():
        if name is not None:
            check(role, name, names)
    found: dict[str, Hashable] = {role: name for role, name in given.items() if name is not None}
    guessed = False
    for role in given:
        if role in found:
            continue
        fits = fitting(role, [name for name in names if name not in found.values()])
        if len(fits) != 1:
            raise _doubtful(role, fits, names)
        found[role] = fits[0]
        guessed |= fits[0] != role
    return Roles(found["item"], found["annotator"], found["value"], guessed)


def check(role: str, name: Any, names: Sequence[Hashable]) -> None:
    """An error where a column that was asked for is not there."""
    if name not in names:
        raise ColumnNotFound(
            f"there is no column {name!r} to take the {role} from; the table has {listing(names)}."
            + suggestion(str(name), map(str, names), form=f"{role}={{!r}}")
        )


def _doubtful(role: str, fits: list[Hashable], names: Sequence[Hashable]) -> ColumnNotFound:
    if fits:
        return ColumnNotFound(
            f"{listing(fits)} could all be the {role}; say which, as in {role}={fits[0]!r} (the table has "
            f"{listing(names)})"
        )
    others = {name for other in SYNONYMS if other != role for name in fitting(other, names)}
    free = [str(name) for name in names if name not in others] or [str(name) for name in names] or ["column"]
    hints = (suggestion(word, free, form=f"{role}={{!r}}") for word in SYNONYMS[role])
    hint = next(filter(None, hints), f" Name it, as in {role}={free[0]!r}.")
    more = {
        "annotator": " If each column holds the values of one annotator, pass layout='wide'; if the whole file is by "
        "one annotator, pass annotator='{file}' to interagree.read.",
        "value": " If each column holds the values of one annotator, pass layout='wide'; for several questions, name "
        "several columns, as in interagree.read(…, value=['one', 'other']).",
    }
    return ColumnNotFound(
        f"there is no column to take the {role} from; the table has {listing(names)}.{hint}{more.get(role, '')}"
    )


def layout_of(table: Table, c: Choices) -> Layout:
    """The layout that was asked for, or the one that the names of the columns tell."""
    if c.layout != "auto":
        return c.layout
    if table.array:
        return "wide"
    if c.times is not None or (isinstance(c.annotator, list | tuple) and c.annotator not in table.names):
        return "wide"
    named = c.annotator is not None or c.value is not None
    rest = [name for name in table.names if name != c.item]
    return "long" if named or fitting("annotator", rest) or fitting("value", rest) else "wide"


def from_table(table: Table, c: Choices) -> Annotations:
    """Annotations from named columns."""
    match layout_of(table, c):
        case "wide":
            return _wide(table, c)
        case "counts":
            return _counts(table, c)
        case "contingency":
            return _contingency(table, c)
        case _:
            return _long(table, c)


# -- the layouts --------------------------------------------------------------------------------------------


def _long(table: Table, c: Choices) -> Annotations:
    part = roles(table.names, item=c.item, annotator=c.annotator, value=c.value)
    more = _further(table, c, used={part.item, part.annotator, part.value})
    columns = table.fetch([*dict.fromkeys([part.item, part.annotator, part.value, *more])])
    value, steps = _values(coded(columns[part.value]), c)
    keep = Kept(value.codes >= 0) if value.gaps else None
    item, annotator = (
        _named(columns[getattr(part, role)], role, keep, table, c) for role in ("item", "annotator")
    )
    if keep is not None:
        lost = len(value) - len(item)
        what = f"{counted(lost, 'empty cell')} taken as no annotation" if c.text and not c.missing else ""
        steps.append(Step("dropped", what or f"{counted(lost, 'row')} without a value left out", lost))
        value = replace(value.where(keep), gaps=False).compact()
    return _finished(
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
        apart = {item, c.times, *(c.attributes or ())}
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
    value, steps = _values(_stacked(given), c)
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
    return _finished(
        items,
        Coded(who, people).compact(),
        Coded(codes, value.names, ordered=value.ordered).compact(),
        c,
        steps=(*table.steps, *steps),
        attributes=Columns({str(name): columns[name] for name in more}, row),
    )


def _row_names(table: Table, rows: int) -> Any:
    if table.index is None:
        return range(rows)
    called = coded(table.index)
    return (
        called if len(called.names) == rows else range(rows)
    )  # names that repeat are left over from cutting and pasting


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
    fits = fitting("item", table.names)
    if len(fits) > 1:
        raise _doubtful("item", fits, table.names)
    return fits[0] if fits and fits[0] != c.times else None


def _counts(table: Table, c: Choices) -> Annotations:
    item = _item_column(table, c)
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


def _contingency(table: Table, c: Choices) -> Annotations:
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


# -- values -------------------------------------------------------------------------------------------------


def _values(column: Coded, c: Choices) -> tuple[Coded, list[Step]]:
    """The column of values with everything that means "no annotation" taken out, and what there is to notice."""
    absent = (
        [c.missing]
        if isinstance(c.missing, str | bytes) or not isinstance(c.missing, Iterable)
        else list(c.missing)
    )
    names = column.names
    numbers = isinstance(names, range) or (isinstance(names, Names) and isinstance(names.array, np.ndarray))
    if numbers and not absent and c.split is None:
        return column, []
    entries = [plain(name) for name in names]
    text = all(isinstance(entry, str) for entry in entries)
    gone = {key(plain(entry)) for entry in absent}
    if text:
        gone |= {key(str(entry)) for entry in absent}
    if c.text:
        gone.add(key(""))
    steps: list[Step] = []
    if key("") not in gone and c.split is None and "" in entries:
        steps.append(
            Step(
                "noticed",
                "the empty string is one of the values; if it means no annotation, pass missing=['']",
            )
        )
    if text and c.split is None:
        steps += _alike(entries)
    kept = [None if is_missing(entry) or key(entry) in gone else _parted(entry, c.split) for entry in entries]
    return column.renamed(kept), steps


def _parted(entry: Any, separator: str | None) -> Any:
    if separator is None:
        return entry
    if isinstance(entry, str):
        return frozenset(part.strip() for part in entry.split(separator) if part.strip())
    return frozenset(entry) if isinstance(entry, tuple | frozenset) else frozenset({entry})


def _alike(entries: Sequence[str]) -> list[Step]:
    groups: dict[str, list[str]] = {}
    for entry in entries:
        groups.setdefault(" ".join(entry.casefold().split()), []).append(entry)
    doubles = [same for same in groups.values() if len(same) > 1]
    if not doubles:
        return []
    shown = "; ".join(listing(same, most=3) for same in doubles[:3])
    return [Step("noticed", f"values that differ only in case or spaces, kept apart: {shown}", len(doubles))]


def _finished(
    item: Coded, annotator: Coded, value: Coded, c: Choices, *, steps: Iterable[Step], attributes: Columns
) -> Annotations:
    seen: Sequence[Any] = value.names
    if not isinstance(seen, range) and not (isinstance(seen, Names) and isinstance(seen.array, np.ndarray)):
        seen = list(seen)
    declared, ordered = c.values, c.ordered
    if value.ordered and declared is None:
        declared, ordered = list(value.names), True if ordered is None else ordered
        steps = (
            *steps,
            Step("taken", f"values and their order as the column states them: {listing(declared)}"),
        )
    return Annotations.from_codes(
        item.codes,
        annotator.codes,
        value.codes,
        item.names,
        annotator.names,
        seen,
        values=declared,
        ordered=ordered,
        duplicates=c.duplicates,
        attributes=attributes,
        provenance=c.provenance.then(*steps),
    )
