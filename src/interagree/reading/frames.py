"""The border with data frames and databases; the only module that knows narwhals.

A frame in memory is taken column by column.  A lazy one (Polars, DuckDB, PySpark, Dask, Ibis) is asked for three
columns, or, through `scan`, stays where it is: two queries then give all that a counting measure needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from interagree.arrays import Integers
from interagree.data.annotations import Annotations
from interagree.data.codes import Coded
from interagree.data.columns import as_array, coded, whole
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.repeated import Duplicates
from interagree.data.values import check_order, in_order, is_missing, key, numbers, plain
from interagree.errors import DataError, DuplicateAnnotation, KindError, extra, listing
from interagree.reading.choices import Choices, Layout
from interagree.reading.door import build
from interagree.reading.evidence import FIRST, rows_to_look_at
from interagree.reading.orders import items_across, numeric
from interagree.reading.parts import fitting, roles
from interagree.reading.tables import Table, triples

PANDAS = frozenset({"cudf", "modin", "pandas"})
MOST = 64  # values up to which items are counted by one column for each value
ROOM = 50_000_000  # cells of a table of items and values
MOST_VALUES = 1_000  # labels that a crosstab may have
TALLEST = 10_000  # rows of a frame that are looked at


# -- frames in memory ---------------------------------------------------------------------------------------


def table(data: Any, c: Choices | None = None) -> Table:
    """Any frame as a table whose columns are fetched when needed."""
    if type(data).__module__.partition(".")[0] in PANDAS:
        if (
            hasattr(data, "to_frame") and data.index.nlevels > 1
        ):  # a column under an index of items and annotators
            data = data.to_frame("value" if data.name is None else data.name)
        if hasattr(data, "columns") and hasattr(data, "iloc"):
            return _pandas(data, c or Choices())
    frame = _frame(data)
    if isinstance(frame, nw.LazyFrame):
        return Table(
            frame.collect_schema().names(),
            lambda names: _fetched(_collected(frame.select(*map(str, names))), names),
            lazy=True,
            peek=lambda: _fetched(_collected(frame.head(FIRST)), frame.collect_schema().names()),
        )
    if frame.implementation.is_pandas_like():
        return _pandas(frame.to_native(), c or Choices())
    columns: list[Hashable] = list(frame.columns)
    rows = rows_to_look_at(len(frame), len(columns))
    made = Table(
        columns,
        lambda wanted: _fetched(frame, wanted),
        peek=lambda: _fetched(frame if rows is None else frame[rows], columns),
    )
    numbered = columns == [
        f"column_{place}" for place in range(len(columns))
    ]  # as Polars calls those of an array
    return _disguised(made, c) if numbered and c is not None and not _told(c) else made


def _pandas(data: Any, c: Choices) -> Table:
    """A frame of pandas, whose columns are taken by place.

    A named index is a column like any other, and is told apart because it names the items of a wide table.
    """
    told = _told(c)
    across = _called(data.columns)
    steps: tuple[Step, ...] = ()
    if not told and _turned(data.index, across):
        steps = (
            Step(
                "taken",
                f"a pivoted table with a row for each annotator ({data.index.name!r}) and a column for each item "
                f"({across!r}), turned",
            ),
        )
        data, across = data.T, data.index.name
    names = _labels(data.columns)
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise _repeated(twice)
    index = data.index
    named = tuple(name for name in index.names if name is not None and name not in names)
    levels = {name: place for place, name in enumerate(index.names) if name in named}
    place = {name: at for at, name in enumerate(names)}

    def fetched(part: Any, wanted: Sequence[Hashable]) -> Mapping[Hashable, Any]:
        return {
            name: series(
                part.index.get_level_values(levels[name]).to_series()
                if name in levels
                else part.iloc[:, place[name]]
            )
            for name in wanted
        }

    def fetch(wanted: Sequence[Hashable]) -> Mapping[Hashable, Any]:
        return fetched(data, wanted)

    def peek() -> Mapping[Hashable, Any]:
        looked = rows_to_look_at(len(data), len(names))
        return fetched(data if looked is None else data.iloc[looked], [*named, *names])

    rows: Any = None
    if index.nlevels > 1:
        rows = index.to_flat_index().to_numpy()
    elif not named and getattr(index, "start", 1) != 0:  # not simply 0, 1, 2, …
        rows = index.to_numpy()
    if not told and not named and _unnamed(data):
        return _disguised(Table(names, fetch, rows), c)
    made = Table([*named, *names], fetch, rows, named, across, steps=steps, peek=peek)
    return made if told else replace(made, layout=_crossed(made))


def _labels(columns: Any) -> list[Hashable]:
    """The names of columns: of several levels those that differ, joined."""
    if columns.nlevels == 1:
        return list(columns.tolist())
    kept = [level for level in range(columns.nlevels) if columns.get_level_values(level).nunique() > 1]
    found: list[Hashable] = []
    for name in columns.tolist():
        parts = [str(name[level]) for level in kept or [columns.nlevels - 1] if str(name[level]) != ""]
        found.append(" / ".join(parts))
    return found


def _called(columns: Any) -> Hashable | None:
    """What the columns of a frame are called together, such as 'worker' after a pivot."""
    called = [name for name in columns.names if name is not None]
    return None if not called else called[0] if len(called) == 1 else tuple(called)


def _turned(index: Any, across: Hashable | None) -> bool:
    """Whether the names of index and columns say that rows are annotators and columns items."""
    if index.nlevels > 1 or index.name is None or across is None:
        return False
    return bool(fitting("annotator", [index.name])) and bool(fitting("item", [across]))


def _unnamed(data: Any) -> bool:
    """Whether the columns are numbered 0, 1, 2, … by pandas, and so may be those of an array."""
    return getattr(data.columns, "start", 1) == 0 and data.columns.nlevels == 1 and data.columns.name is None


def _told(c: Choices) -> bool:
    """Whether the caller says how a table lies."""
    return c.layout != "auto" or any(part is not None for part in (c.item, c.annotator, c.value, c.times))


def _disguised(table: Table, c: Choices) -> Table:
    """A frame with numbers for names: rows of annotations, or an array, which must say which way it lies."""
    columns = list(table.fetch(table.names).values())
    parts = [coded(column) for column in columns]
    if not parts or not len(parts[0]):
        return table
    rows, width = len(parts[0]), len(parts)
    if width == 3 and table.index is None:
        found = triples([as_array(column).tolist() for column in columns], c)
        if found is not None:
            return found
    elif not _alike(parts):
        return table
    across = items_across(parts)
    if across is False:
        return replace(table, layout="wide")
    if across:
        matrix = np.column_stack([np.asarray(as_array(column), dtype=object) for column in columns])
        turned = Step(
            "taken", f"{rows} rows and {width} columns without names: a row for each annotator, turned"
        )
        called = range(rows) if table.index is None else as_array(table.index).tolist()
        return Table.of(dict(zip(called, matrix, strict=True)), layout="wide", steps=(turned,))
    raise DataError(
        f"the columns of this frame have no names, and {rows} rows and {width} columns do not say which way it lies: "
        "pass frame.to_numpy() with item=0 if each row is one item and each column one annotator, with item=1 if it is "
        "the other way round; or name the columns"
    )


def _alike(parts: Sequence[Coded]) -> bool:
    """Whether columns may hold values of one question: numbers throughout, or labels of which most occur in several."""
    if all(numeric(part.names) for part in parts):
        return True
    own = [{key(name) for name in part.names} for part in parts]
    times = Counter(name for names in own for name in names)
    return 2 * sum(times[name] > 1 for names in own for name in names) >= sum(map(len, own))


def _crossed(table: Table) -> Layout | None:
    """Whether a frame with a name for its rows and one for its columns is a crosstab.

    One of two annotators has labels for rows and columns, and one of items and labels has counts of them; both hold
    whole numbers only.  A pivot of numbers looks alike where items and annotators are numbered, and where nothing tells
    the two apart this is an error.
    """
    if len(table.index_names) != 1 or table.columns_name is None or isinstance(table.columns_name, tuple):
        return None
    down, across = table.index_names[0], table.columns_name
    names = [name for name in table.names if name != down]
    if fitting("annotator", [across]) or fitting("item", [across]) or not 0 < len(names) <= MOST_VALUES:
        return None
    columns = table.fetch(table.names)
    cells = [whole(as_array(columns[name])[:TALLEST].tolist()) for name in names]
    if any(column is None for column in cells):
        return None
    if not fitting("value", [across]):
        return _of_two(
            table, as_array(columns[down]).tolist(), names, zeros=any(0 in (column or ()) for column in cells)
        )
    if fitting("annotator", [down]):
        raise DataError(
            f"the table says how often each {down!r} gave each {across!r}, and not to which item; agreement needs the "
            "annotations themselves"
        )
    return "counts"


def _of_two(table: Table, rows: list[Any], names: Sequence[Hashable], *, zeros: bool) -> Layout | None:
    """Whether a crosstab is one of two annotators: its rows and its columns have the same labels."""
    down, across = table.index_names[0], table.columns_name
    if fitting("item", [down]) or len(rows) > MOST_VALUES:
        return None
    ours, theirs = ({str(name) for name in labels} - {"All"} for labels in (rows, names))
    shared = len(ours & theirs)
    if not shared or 2 * shared < min(len(ours), len(theirs)):
        return None
    if numbers(ours) is None or numbers(theirs) is None:
        return "contingency"
    if 2 * shared < len(ours | theirs):
        return None
    if zeros:  # pairs of values that never met
        return "contingency"
    raise DataError(
        f"the rows of the frame ({down!r}) and its columns ({across!r}) are numbered alike: pass "
        "layout='contingency' if they are the values of two annotators and the cells say how often these met, or "
        f"layout='wide' if {down!r} is the item and each column holds the values of one annotator"
    )


def _repeated(names: Sequence[Hashable]) -> DataError:
    return DataError(
        f"two columns of the frame are called {listing(names)}; give each a name of its own, as in "
        "frame.columns = [...], or leave one out"
    )


def _frame(data: Any) -> Any:
    try:
        return nw.from_native(data)
    except nw.exceptions.DuplicateError:
        names = list(getattr(data, "column_names", None) or data.columns)
        raise _repeated([name for name in dict.fromkeys(names) if names.count(name) > 1]) from None
    except TypeError:
        if not hasattr(data, "__arrow_c_stream__"):
            raise _no_table(data) from None
    try:
        import pyarrow as pa
    except ImportError:
        raise extra("pyarrow", "big", purpose=f"reading {type(data).__name__}") from None
    try:
        return nw.from_native(pa.table(data))
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # one column, without a name
        raise _no_table(data) from None


def _no_table(data: Any) -> KindError:
    return KindError(
        f"{type(data).__name__} is not a table; give a data frame, or rows (item, annotator, value)"
    )


def _fetched(frame: Any, names: Sequence[Hashable]) -> Mapping[Hashable, Any]:
    return {name: series(frame[name]) for name in names}


def _collected(frame: Any) -> Any:
    try:
        return frame.collect()
    except ModuleNotFoundError as error:
        raise extra("pyarrow", "big", purpose=f"fetching rows from {frame.implementation}") from error


def series(column: Any) -> Any:
    """A column of a frame as an array of NumPy, of Arrow, or as the codes it already has."""
    one = nw.from_native(column, series_only=True)
    if one.implementation.is_pyarrow():
        return one.to_native()
    if one.dtype in (nw.Categorical, nw.Enum) and one.implementation.is_polars():
        return _categories(one.to_native())
    if not one.implementation.is_pandas_like():
        try:
            return one.to_arrow()
        except ModuleNotFoundError:
            return one.to_list()
    native = one.to_pandas()
    if hasattr(native, "cat"):
        codes = native.cat.codes.to_numpy().astype(np.int32)
        return Coded(
            codes, native.cat.categories.tolist(), bool((codes < 0).any()), ordered=bool(native.cat.ordered)
        )
    if isinstance(native.dtype, np.dtype):
        return native.to_numpy()
    try:
        return one.to_arrow()
    except (ModuleNotFoundError, ValueError, TypeError):  # no Arrow, or objects that Arrow has no type for
        return native.tolist()


def _categories(native: Any) -> Coded:
    """The codes of a Polars column of categories; the names are looked up where each code first stands."""
    physical = native.to_physical()
    nothing = native.is_null().to_numpy()
    if hasattr(native.dtype, "categories") and hasattr(
        native.dtype.categories, "to_list"
    ):  # an Enum states its values
        codes = physical.fill_null(0).to_numpy().astype(np.int32)
        names, ordered = native.dtype.categories.to_list(), True
    else:
        found = coded(physical.fill_null(0).to_numpy())
        codes, ordered = found.codes, False
        example = np.zeros(len(found.names), dtype=np.int64)
        example[codes[~nothing]] = np.flatnonzero(~nothing)
        names = native.gather(example).cast(str).to_list()
    if nothing.any():
        np.putmask(codes, nothing, -1)
    return Coded(codes, names, bool(nothing.any()), ordered)


# -- tables that stay where they are ------------------------------------------------------------------------


class Extent(NamedTuple):
    """How much data there is."""

    items: int
    annotators: int
    annotations: int


@dataclass(frozen=True)
class Scan:
    """A long table in a database or a lazy frame, with the parts its columns play.

    Nothing is fetched before it is needed, and then as little as possible: the values and annotators that occur, and
    how many items show each pattern of counts.
    """

    frame: Any  # lazy, with the columns item, annotator and value
    declared: tuple[Any, ...] | None = None
    ordered: bool = False
    duplicates: Duplicates = "error"
    start: Provenance = field(default_factory=Provenance)

    @cached_property
    def _cells(self) -> list[tuple[Any, Any, int, int]]:
        """Value, annotator, number of rows, number of rows with an item."""
        found = _collected(
            self.frame.group_by("value", "annotator").agg(
                nw.len().alias("rows"), nw.col("item").count().alias("items")
            )
        )
        cells = [
            (v, a, int(n), int(m))
            for v, a, n, m in found.select("value", "annotator", "rows", "items").rows()
        ]
        for role, bad in (
            ("annotator", sum(n for v, a, n, _ in cells if is_missing(a) and not is_missing(v))),
            ("item", sum(n - m for v, _, n, m in cells if not is_missing(v))),
        ):
            if bad:
                raise DataError(
                    f"{counted(bad, 'row')} with a value and no {role}; fill in the {role}, or filter the rows out"
                )
        return cells

    @cached_property
    def _domain(self) -> tuple[tuple[Any, ...], list[Any]]:
        """The values in order, and each as the backend writes it (None: nobody gave it)."""
        seen = list({key(v): v for v, *_ in self._cells if not is_missing(v)}.values())
        if all(isinstance(v, float) and v.is_integer() for v in seen):
            written = {
                key(int(v)): v for v in seen
            }  # whole numbers that became reals because some were missing
            seen = [int(v) for v in seen]
        else:
            written = {key(plain(v)): v for v in seen}
            seen = [plain(v) for v in seen]
        if self.ordered and self.declared is None:
            check_order(seen)
        domain = tuple(in_order(seen)) if self.declared is None else self.declared
        known = {key(v) for v in domain}
        stray = [v for v in seen if key(v) not in known]
        if stray:
            raise DataError(
                f"{listing(stray, most=5)} {'was' if len(stray) == 1 else 'were'} given and not declared; the declared "
                f"values are {listing(domain)}"
            )
        return domain, [written.get(key(v)) for v in domain]

    @property
    def values(self) -> tuple[Any, ...]:
        """The values that could have been given, in order."""
        return self._domain[0]

    @property
    def fetches(self) -> bool:
        """Whether there are so many values that counting them fetches the rows."""
        return sum(value is not None for value in self._domain[1]) > MOST

    @property
    def in_order(self) -> bool:
        """Whether the values stand in an order that a measure may use."""
        return self.ordered or self.declared is not None

    @cached_property
    def annotators(self) -> tuple[Hashable, ...]:
        """Who gave values."""
        return tuple(in_order(list(dict.fromkeys(plain(a) for v, a, *_ in self._cells if not is_missing(v)))))

    @cached_property
    def n(self) -> Extent:
        """The numbers of items, annotators and annotations."""
        rows, times = self._counted
        return Extent(int(times.sum()), len(self.annotators), int((rows.sum(axis=1) * times).sum()))

    @property
    def provenance(self) -> Provenance:
        """Where the table came from and what was left out."""
        lost = sum(n for v, _, n, _ in self._cells if is_missing(v))
        step = Step("dropped", f"{counted(lost, 'row')} without a value left out", lost)
        return self.start.then(step) if lost else self.start

    def patterns(self) -> tuple[Integers, Integers]:
        """The distinct rows of counts per value, and how many items show each."""
        return self._counted

    def sizes(self) -> tuple[Integers, Integers]:
        """The numbers of annotations that items have, and how many items have each."""
        rows, times = self._counted
        size = rows.sum(axis=1)
        distinct, place = np.unique(size, return_inverse=True)
        return distinct, np.bincount(place.reshape(-1), weights=times).astype(np.int64)

    @cached_property
    def _counted(self) -> tuple[Integers, Integers]:
        self._check_duplicates()
        domain, written = self._domain
        if not domain:
            return np.zeros((0, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)
        if self.fetches:
            return self._counted_here()
        given = {f"n{place}": value for place, value in enumerate(written) if value is not None}
        # A count of an indicator that is null elsewhere is the one form that every backend knows.
        ones = self._given.with_columns(
            **{
                name: nw.when(nw.col("value") == nw.lit(value)).then(nw.lit(1))
                for name, value in given.items()
            }
        )
        items = ones.group_by("item").agg(*(nw.col(name).count() for name in given))
        found = _collected(items.group_by(*given).agg(nw.len().alias("times")))
        rows = np.zeros((len(found), len(domain)), dtype=np.int64)
        for name in given:
            rows[:, int(name[1:])] = found[name].to_numpy().astype(np.int64)
        return rows, found["times"].to_numpy().astype(np.int64)

    def _counted_here(self) -> tuple[Integers, Integers]:
        """With many values the rows are fetched: a query with a column for each would be slower."""
        study = self.collect()
        items, size = len(study.items), len(self.values)
        if items * size > ROOM:
            raise DataError(
                f"{items} items and {size} values do not compress into patterns; fetch the rows with .collect() first"
            )
        cells = study.item.astype(np.int64) * size + study.value
        table = np.bincount(cells, minlength=items * size).reshape(items, size)
        rows, times = np.unique(table, axis=0, return_counts=True)
        return rows, times

    @property
    def _given(self) -> Any:
        """The rows that hold a value."""
        frame = self.frame.drop_nulls("value")
        numeric = self.frame.collect_schema()["value"].is_float()
        return frame.filter(~nw.col("value").is_nan()) if numeric else frame

    def _check_duplicates(self) -> None:
        if self.duplicates == "keep":
            return
        if self.duplicates != "error":
            raise KindError(
                f"rows of a database have no order, so duplicates={self.duplicates!r} has no meaning there; pass "
                "'error' or 'keep', or fetch the rows with interagree.Annotations.of"
            )
        pairs = self._given.group_by("item", "annotator").agg(nw.len().alias("times"))
        found = _collected(pairs.filter(nw.col("times") > 1).head(1)).rows()
        if found:
            item, annotator, times = found[0]
            raise DuplicateAnnotation(
                f"annotator {plain(annotator)!r} annotated item {plain(item)!r} {int(times)} times; keep one row for "
                "each, or pass duplicates='keep' to count them all"
            )

    def collect(self) -> Annotations:
        """The annotations themselves, for measures that must know who gave what."""
        return build(
            table(self.frame),
            item="item",
            annotator="annotator",
            value="value",
            values=self.declared,
            ordered=self.ordered or None,
            duplicates=self.duplicates,
            provenance=self.start,
        )

    def ballots(self) -> Annotations:
        """The annotations themselves, under the name of what needs them."""
        return self.collect()

    def without(self, *names: Hashable) -> Scan:
        """The table as if these annotators had not taken part."""
        return replace(self, frame=self.frame.filter(~nw.col("annotator").is_in(list(names))))

    def only(self, *, annotators: Sequence[Hashable]) -> Scan:
        """The table of some annotators alone."""
        return replace(self, frame=self.frame.filter(nw.col("annotator").is_in(list(annotators))))

    def __repr__(self) -> str:
        return f"<Scan of {self.frame.implementation}: {listing(self.frame.collect_schema().names())}>"


def scan(
    relation: Any,
    *,
    item: Hashable | None = None,
    annotator: Hashable | None = None,
    value: Hashable | None = None,
    values: Sequence[Any] | None = None,
    ordered: bool = False,
    duplicates: Duplicates = "error",
) -> Scan:
    """A long table that stays where it is, in DuckDB, Spark, Dask, Polars or whatever Ibis reaches.

    Args:
        relation: A lazy frame, a relation or a table expression.
        item: The column that holds the item.
        annotator: The column that holds the annotator.
        value: The column that holds the value.
        values: All values that could have been given, in order from lowest to highest where there is one; an enum
            states them itself.
        ordered: Whether the order of ``values`` means something; without them the values must be numbers.
        duplicates: "error", or "keep" to count every row without looking for repeats.
    """
    frame = _frame(relation).lazy()
    schema = frame.collect_schema()
    part = roles(schema.names(), item=item, annotator=annotator, value=value)
    scale = schema[str(part.value)]
    if values is None and isinstance(scale, nw.Enum):
        values, ordered = list(scale.categories), True
    return Scan(
        frame.select(**{role: nw.col(str(getattr(part, role))) for role in ("item", "annotator", "value")}),
        None if values is None else tuple(map(plain, values)),
        ordered,
        duplicates,
        Provenance().then(*part.step()),
    )
