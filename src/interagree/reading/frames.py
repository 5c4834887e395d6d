"""The border with data frames; with `scans` the only module that knows narwhals.

A frame in memory is taken column by column.  A lazy one (Polars, DuckDB, PySpark, Dask, Ibis) is asked for three
columns, or, through `scan`, stays where it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np

from interagree.arrays import Integers
from interagree.data.codes import Coded
from interagree.data.columns import as_array, coded, whole
from interagree.data.provenance import Step
from interagree.data.values import key, numbers
from interagree.errors import DataError, Hint, InteragreeError, KindError, extra, listing
from interagree.reading.cells import ArrowColumn, Column, Columns
from interagree.reading.choices import Choices, Layout
from interagree.reading.evidence import FIRST, rows_to_look_at
from interagree.reading.orders import items_across, numeric
from interagree.reading.parts import fitting
from interagree.reading.tables import NamedColumns, triples

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

PANDAS = frozenset({"cudf", "modin", "pandas"})
MOST_VALUES = 1_000  # labels that a crosstab may have
TALLEST = 10_000  # rows of a frame that are looked at
LONGEST = 300  # letters of what an engine says went wrong


# -- frames in memory ---------------------------------------------------------------------------------------


def table(data: Any, c: Choices | None = None) -> NamedColumns:
    """Any frame as a table whose columns are fetched when needed."""
    if type(data).__module__.partition(".")[0] in PANDAS:
        if hasattr(data, "to_frame") and data.index.nlevels > 1:  # under an index of items and annotators
            data = data.to_frame("value" if data.name is None else data.name)
        if hasattr(data, "columns") and hasattr(data, "iloc"):
            return _pandas(data, c or Choices())
    frame = opened(data)
    if isinstance(frame, nw.LazyFrame):
        return NamedColumns(
            [*schema_of(frame)],
            lambda names: _fetched(collected(frame.select(*map(str, names))), names),
            lazy=True,
            peek=lambda: _fetched(collected(frame.head(FIRST)), [*schema_of(frame)]),
        )
    if frame.implementation.is_pandas_like():
        return _pandas(frame.to_native(), c or Choices())
    columns: list[Hashable] = list(frame.columns)
    rows = rows_to_look_at(len(frame), len(columns))
    made = NamedColumns(
        columns,
        lambda wanted: _fetched(frame, wanted),
        peek=lambda: _fetched(frame if rows is None else frame[rows], columns),
    )
    numbered = columns == [f"column_{place}" for place in range(len(columns))]  # as Polars calls those of an array
    return _disguised(made, c) if numbered and c is not None and not _is_stated(c) else made


def _pandas(data: pd.DataFrame, c: Choices) -> NamedColumns:
    """A frame of pandas, whose columns are taken by place; a named index is one too, and names the items if wide."""
    stated = _is_stated(c)
    across = _called(data.columns)
    steps: tuple[Step, ...] = ()
    if not stated and _turned(data.index, across):
        rows = f"a row for each annotator ({data.index.name!r})"
        steps = (Step("taken", f"a pivoted table with {rows} and a column for each item ({across!r}), turned"),)
        data, across = data.T, data.index.name
    names = _labels(data.columns)
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise _repeated(twice)
    index = data.index
    named = tuple(name for name in index.names if name is not None and name not in names)
    levels = {name: place for place, name in enumerate(index.names) if name in named}
    place = {name: at for at, name in enumerate(names)}

    def fetched(part: pd.DataFrame, wanted: Sequence[Hashable]) -> Columns:
        return {
            name: series(
                part.index.get_level_values(levels[name]).to_series() if name in levels else part.iloc[:, place[name]]
            )
            for name in wanted
        }

    fetch = partial(fetched, data)

    def peek() -> Columns:
        rows = rows_to_look_at(len(data), len(names))
        return fetched(data if rows is None else data.iloc[rows], [*named, *names])

    row_names: Column | None = None
    if index.nlevels > 1:
        row_names = index.to_flat_index().to_numpy()
    elif not named and getattr(index, "start", 1) != 0:  # not simply 0, 1, 2, …
        row_names = index.to_numpy()
    if not stated and not named and _unnamed(data):
        return _disguised(NamedColumns(names, fetch, row_names), c)
    made = NamedColumns([*named, *names], fetch, row_names, named, across, steps=steps, peek=peek)
    return made if stated else replace(made, layout=_crossed(made))


def _labels(columns: pd.Index) -> list[Hashable]:
    """The names of columns: of several levels those that differ, joined."""
    if columns.nlevels == 1:
        return list(columns.tolist())
    kept = [level for level in range(columns.nlevels) if columns.get_level_values(level).nunique() > 1]
    labels: list[Hashable] = []
    for name in columns.tolist():
        parts = [str(name[level]) for level in kept or [columns.nlevels - 1] if str(name[level]) != ""]
        labels.append(" / ".join(parts))
    return labels


def _called(columns: pd.Index) -> Hashable | None:
    """What the columns of a frame are called together, such as 'worker' after a pivot."""
    called = [name for name in columns.names if name is not None]
    return None if not called else called[0] if len(called) == 1 else tuple(called)


def _turned(index: pd.Index, across: Hashable | None) -> bool:
    """Whether the names of index and columns say that rows are annotators and columns items."""
    if index.nlevels > 1 or index.name is None or across is None:
        return False
    return bool(fitting("annotator", [index.name])) and bool(fitting("item", [across]))


def _unnamed(data: pd.DataFrame) -> bool:
    """Whether the columns are numbered 0, 1, 2, … by pandas, and so may be those of an array."""
    return getattr(data.columns, "start", 1) == 0 and data.columns.nlevels == 1 and data.columns.name is None


def _is_stated(c: Choices) -> bool:
    """Whether the caller says how a table lies."""
    return c.layout != "auto" or any(part is not None for part in (c.item, c.annotator, c.value, c.times))


def _disguised(table: NamedColumns, c: Choices) -> NamedColumns:
    """A frame with numbers for names: rows of annotations, or an array, whose orientation the cells must tell."""
    columns = list(table.fetch(table.names).values())
    parts = [coded(column) for column in columns]
    if not parts or not len(parts[0]):
        return table
    rows, width = len(parts[0]), len(parts)
    if width == 3 and table.index is None:
        long = triples([as_array(column).tolist() for column in columns], c)
        if long is not None:
            return long
    elif not _alike(parts):
        return table
    across = items_across(parts)
    if across is False:
        return replace(table, layout="wide")
    if across:
        matrix = np.column_stack([np.asarray(as_array(column), dtype=object) for column in columns])
        sentence = f"{rows} rows and {width} columns without names: a row for each annotator, turned"
        called = range(rows) if table.index is None else as_array(table.index).tolist()
        return NamedColumns.of(dict(zip(called, matrix, strict=True)), layout="wide", steps=(Step("taken", sentence),))
    raise DataError(
        f"the columns of this frame have no names, and {rows} rows and {width} columns do not tell which are the "
        "items: pass frame.to_numpy() with item=0 if each row is one item and each column one annotator, with item=1 "
        "if it is the other way round; or name the columns"
    )


def _alike(parts: Sequence[Coded]) -> bool:
    """Whether columns may hold values of one question: numbers throughout, or labels of which most occur in several."""
    if all(numeric(part.names) for part in parts):
        return True
    own = [{key(name) for name in part.names} for part in parts]
    times = Counter(name for names in own for name in names)
    return 2 * sum(times[name] > 1 for names in own for name in names) >= sum(map(len, own))


def _crossed(table: NamedColumns) -> Layout | None:
    """Whether a frame with a name for its rows and one for its columns is a crosstab, with whole numbers only."""
    # A pivot looks alike where items and annotators are numbered; where nothing tells the two apart this is an error.
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


def _of_two(table: NamedColumns, rows: Sequence[object], names: Sequence[Hashable], *, zeros: bool) -> Layout | None:
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
    crossed, wide = hints = [Hint("layout", "contingency"), Hint("layout", "wide")]
    raise DataError(
        f"the rows of the frame ({down!r}) and its columns ({across!r}) are numbered alike: pass {crossed} if they are "
        f"the values of two annotators and the cells say how often these met, or {wide} if {down!r} is the item and "
        "each column holds the values of one annotator",
        hints=hints,
    )


def _repeated(names: Sequence[Hashable]) -> DataError:
    return DataError(
        f"two columns of the frame are called {listing(names)}; give each a name of its own, as in "
        "frame.columns = [...], or leave one out"
    )


def opened(data: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    """A frame of any library as one of narwhals."""
    frame: nw.DataFrame[Any] | nw.LazyFrame[Any]
    try:
        frame = nw.from_native(data)
    except nw.exceptions.DuplicateError:
        names = list(getattr(data, "column_names", None) or data.columns)
        raise _repeated([name for name in dict.fromkeys(names) if names.count(name) > 1]) from None
    except TypeError:
        if not hasattr(data, "__arrow_c_stream__"):
            raise _no_table(data) from None
    else:
        return frame
    try:
        import pyarrow as pa
    except ImportError:
        raise extra("pyarrow", "big", purpose=f"reading {type(data).__name__}") from None
    try:
        frame = nw.from_native(pa.table(data))
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # one column, without a name
        raise _no_table(data) from None
    return frame


def _no_table(data: object) -> KindError:
    return KindError(f"{type(data).__name__} is not a table; give a data frame, or rows (item, annotator, value)")


def _fetched(frame: nw.DataFrame[Any], names: Sequence[Hashable]) -> Columns:
    return {name: series(frame[str(name)]) for name in names}


def collected(frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    """The rows of a lazy frame, fetched."""
    with answering(frame.implementation):
        return frame.collect()


def schema_of(frame: nw.LazyFrame[Any]) -> Mapping[str, nw.dtypes.DType]:
    """The columns of a lazy frame and their types."""
    with answering(frame.implementation):
        return frame.collect_schema()


@contextmanager
def answering(engine: object) -> Iterator[None]:
    """Turn whatever an engine raises while it is asked something into an error of ours, in one sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise extra("pyarrow", "big", purpose=f"fetching rows from {engine}") from error
    except (InteragreeError, MemoryError, NotImplementedError):
        raise
    except Exception as error:
        said = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
        raise DataError(
            f"{engine} did not answer ({said.rstrip('.')[:LONGEST]}); check that its connection or session is still "
            "open, and that the table and all columns it is made of are still there"
        ) from error


def series(column: Any) -> Column:
    """A column of a frame as an array of NumPy, of Arrow, or as the codes it already has."""
    any_column: nw.Series[Any] = nw.from_native(column, series_only=True)
    arrow: ArrowColumn
    if any_column.implementation.is_pyarrow():
        arrow = any_column.to_native()
        return arrow
    if any_column.dtype in (nw.Categorical, nw.Enum) and any_column.implementation.is_polars():
        return _categories(any_column.to_native())
    if not any_column.implementation.is_pandas_like():
        try:
            arrow = any_column.to_arrow()
        except ModuleNotFoundError:
            return any_column.to_list()
        return arrow
    native = any_column.to_pandas()
    if hasattr(native, "cat"):
        codes = native.cat.codes.to_numpy().astype(np.int32)
        return Coded(codes, native.cat.categories.tolist(), bool((codes < 0).any()), ordered=bool(native.cat.ordered))
    if isinstance(native.dtype, np.dtype):
        return np.asarray(native.to_numpy())
    try:
        arrow = any_column.to_arrow()
    except (ModuleNotFoundError, ValueError, TypeError):  # no Arrow, or objects that Arrow has no type for
        return any_column.to_list()
    return arrow


def _categories(native: pl.Series) -> Coded:
    """The codes of a Polars column of categories; the names are looked up where each code first stands."""
    physical = native.to_physical()
    nothing = native.is_null().to_numpy()
    stated = getattr(native.dtype, "categories", None)
    codes: Integers
    if stated is not None and hasattr(stated, "to_list"):  # an Enum states its values
        codes = physical.fill_null(0).to_numpy().astype(np.int32)
        names, ordered = stated.to_list(), True
    else:
        column = coded(physical.fill_null(0).to_numpy())
        codes, ordered = column.codes, False
        example = np.zeros(len(column.names), dtype=np.int64)
        example[codes[~nothing]] = np.flatnonzero(~nothing)
        names = native.gather(example).cast(str).to_list()
    if nothing.any():
        np.putmask(codes, nothing, -1)
    return Coded(codes, names, bool(nothing.any()), ordered)
