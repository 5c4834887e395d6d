"""The border with data frames and databases; the only module that knows narwhals.

A frame in memory is taken column by column.  A lazy one (Polars, DuckDB, PySpark, Dask, Ibis) is asked for three
columns, or, through `scan`, stays where it is: two queries then give all that a counting measure needs.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from interagree.data.annotations import Annotations, Duplicates
from interagree.data.columns import Coded, Codes, coded
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.values import in_order, is_missing, key, plain
from interagree.errors import DataError, DuplicateAnnotation, KindError, extra, listing
from interagree.reading.door import build
from interagree.reading.parts import roles
from interagree.reading.tables import Table

MOST = 64  # values up to which items are counted by one column for each value
ROOM = 50_000_000  # cells of a table of items and values


# -- frames in memory ---------------------------------------------------------------------------------------


def table(data: Any) -> Table:
    """Any frame as a table whose columns are fetched when needed."""
    frame = _frame(data)
    if isinstance(frame, nw.LazyFrame):
        return Table(
            frame.collect_schema().names(),
            lambda names: _fetched(_collected(frame.select(*names)), names),
            lazy=True,
        )
    names: list[Hashable] = list(frame.columns)
    index: Any = None
    if frame.implementation.is_pandas_like():
        native = frame.to_native()
        if any(name is not None and name not in names for name in native.index.names):
            frame = _frame(native.reset_index())
            names = list(frame.columns)
        elif native.index.nlevels == 1 and getattr(native.index, "start", 1) != 0:  # not simply 0, 1, 2, …
            index = native.index.to_numpy()
    return Table(names, lambda wanted: _fetched(frame, wanted), index=index)


def _frame(data: Any) -> Any:
    try:
        return nw.from_native(data)
    except TypeError:
        if not hasattr(data, "__arrow_c_stream__"):
            raise KindError(
                f"{type(data).__name__} is not a table; give a data frame, or rows (item, annotator, value)"
            ) from None
    try:
        import pyarrow as pa
    except ImportError:
        raise extra("pyarrow", "big", purpose=f"reading {type(data).__name__}") from None
    return nw.from_native(pa.table(data))


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

    def patterns(self) -> tuple[Codes, Codes]:
        """The distinct rows of counts per value, and how many items show each."""
        return self._counted

    def sizes(self) -> tuple[Codes, Codes]:
        """The numbers of annotations that items have, and how many items have each."""
        rows, times = self._counted
        size = rows.sum(axis=1)
        distinct, place = np.unique(size, return_inverse=True)
        return distinct, np.bincount(place.reshape(-1), weights=times).astype(np.int64)

    @cached_property
    def _counted(self) -> tuple[Codes, Codes]:
        self._check_duplicates()
        domain, written = self._domain
        if not domain:
            return np.zeros((0, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)
        if sum(value is not None for value in written) > MOST:
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

    def _counted_here(self) -> tuple[Codes, Codes]:
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
        values: All values that could have been given, in order.
        ordered: Whether the order of ``values`` means something.
        duplicates: "error", or "keep" to count every row without looking for repeats.
    """
    frame = _frame(relation).lazy()
    part = roles(frame.collect_schema().names(), item=item, annotator=annotator, value=value)
    return Scan(
        frame.select(**{role: nw.col(str(getattr(part, role))) for role in ("item", "annotator", "value")}),
        None if values is None else tuple(map(plain, values)),
        ordered,
        duplicates,
        Provenance().then(*part.step()),
    )
