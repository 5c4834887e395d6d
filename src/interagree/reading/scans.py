"""Long tables that stay where they are, in a database or a lazy frame.

Two queries give all that a counting measure needs: the values and annotators that occur, and how many items show each
pattern of counts.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from interagree.arrays import Integers
from interagree.data.annotations import Annotations
from interagree.data.codes import Coded
from interagree.data.memory import rows_must_fit
from interagree.data.provenance import Provenance, Step, counted, noted
from interagree.data.repeated import Duplicates
from interagree.data.types import Annotator, Frame, Lazy, Value
from interagree.data.values import check_order, in_order, is_missing, key, plain
from interagree.errors import DataError, DuplicateAnnotation, Hint, KindError, OneOf, listing
from interagree.errors.options import checked_methods, checks_options
from interagree.gather.rules import Rules
from interagree.gather.values import present
from interagree.reading.door import build
from interagree.reading.frames import collected, opened, table
from interagree.reading.parts import roles

MOST = 64  # values up to which items are counted by one column for each value
ROOM = 50_000_000  # cells of a table of items and values


class Extent(NamedTuple):
    """How much data there is."""

    items: int
    annotators: int
    annotations: int


@checked_methods
@dataclass(frozen=True)
class Scan(Lazy):
    """A long table in a database or a lazy frame, with the parts its columns play.

    Nothing is fetched before it is needed, and then as little as possible: the values and annotators that occur, and
    how many items show each pattern of counts.
    """

    frame: nw.LazyFrame[Any]  # of any library, with the columns item, annotator and value
    declared: tuple[Value, ...] | None = None
    ordered: bool = False
    duplicates: Duplicates = "error"
    start: Provenance = field(default_factory=Provenance)
    cells: Rules = field(default_factory=Rules)  # how values are read

    @cached_property
    def _cells(self) -> list[tuple[Any, Annotator, int, int]]:
        """Value, annotator, number of rows, number of rows with an item."""
        counts = collected(
            self.frame.group_by("value", "annotator").agg(nw.len().alias("rows"), nw.col("item").count().alias("items"))
        )
        cells = [(v, a, int(n), int(m)) for v, a, n, m in counts.select("value", "annotator", "rows", "items").rows()]
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
    def _meaning(self) -> tuple[list[tuple[Any, Value | None]], list[Step]]:
        """What each value that occurs means, None where it means that there is none, and what to say about it."""
        times: dict[Any, tuple[Any, int]] = {}
        for v, _, rows, _ in self._cells:
            if not is_missing(v):
                times[key(v)] = (v, times.get(key(v), (v, 0))[1] + rows)
        seen = [v for v, _ in times.values()]
        whole = [int(v) for v in seen if isinstance(v, float) and v.is_integer()]
        # Whole numbers become reals where some are missing.
        names: list[Value] = [*whole] if len(whole) == len(seen) else [plain(v) for v in seen]
        codes = np.arange(len(names), dtype=np.int32)
        column, steps = present(
            Coded(codes, names), self.cells, np.array([n for _, n in times.values()], dtype=np.int64)
        )
        meant = [*column.names, None]
        return [(v, meant[code]) for v, code in zip(seen, column.codes.tolist(), strict=True)], steps

    @cached_property
    def _domain(self) -> tuple[tuple[Value, ...], list[list[Any]]]:
        """The values in order, and each as the backend writes it, in one way or several (none: nobody gave it)."""
        written: dict[Any, list[Any]] = {}
        values: dict[Any, Value] = {}
        for v, value in self._meaning[0]:
            if value is not None:
                written.setdefault(key(value), []).append(v)
                values.setdefault(key(value), value)
        if self.ordered and self.declared is None:
            check_order([*values.values()])
        domain = tuple(in_order([*values.values()])) if self.declared is None else self.declared
        known = {key(v) for v in domain}
        stray = [value for name, value in values.items() if name not in known]
        if stray:
            raise DataError(
                f"{listing(stray, most=5)} {'was' if len(stray) == 1 else 'were'} given and not declared; the declared "
                f"values are {listing(domain)}"
            )
        return domain, [written.get(key(v), []) for v in domain]

    @property
    def values(self) -> tuple[Value, ...]:
        """The values that could have been given, in order."""
        return self._domain[0]

    @property
    def fetches(self) -> bool:
        """Whether there are so many values that counting them fetches the rows."""
        return sum(map(bool, self._domain[1])) > MOST

    @property
    def in_order(self) -> bool:
        """Whether the values stand in an order that a measure may use."""
        return self.ordered or self.declared is not None

    @cached_property
    def annotators(self) -> tuple[Annotator, ...]:
        """Who gave values."""
        given = {key(v) for v, value in self._meaning[0] if value is not None}
        return tuple(
            in_order(list(dict.fromkeys(plain(a) for v, a, *_ in self._cells if not is_missing(v) and key(v) in given)))
        )

    @cached_property
    def n(self) -> Extent:
        """The numbers of items, annotators and annotations."""
        rows, times = self._counted
        return Extent(int(times.sum()), len(self.annotators), int((rows.sum(axis=1) * times).sum()))

    @property
    def provenance(self) -> Provenance:
        """Where the table came from and what was left out."""
        lost = sum(n for v, _, n, _ in self._cells if is_missing(v))
        none = noted("dropped", f"{counted(lost, 'row')} without a value left out", lost)
        return self.start.then(*self._meaning[1], *none)

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
        given = {f"n{place}": forms for place, forms in enumerate(written) if forms}
        # A count of an indicator that is null elsewhere is the one form that every backend knows.
        ones = self._given.with_columns(
            **{name: nw.when(_is_one_of(forms)).then(nw.lit(1)) for name, forms in given.items()}
        )
        items = ones.group_by("item").agg(*(nw.col(name).count() for name in given))
        patterns = collected(items.group_by(*given).agg(nw.len().alias("times")))
        rows = np.zeros((len(patterns), len(domain)), dtype=np.int64)
        for name in given:
            rows[:, int(name[1:])] = patterns[name].to_numpy().astype(np.int64)
        return rows, patterns["times"].to_numpy().astype(np.int64)

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
    def _given(self) -> nw.LazyFrame[Any]:
        """The rows that hold a value."""
        frame = self.frame.drop_nulls("value")
        numeric = self.frame.collect_schema()["value"].is_float()
        frame = frame.filter(~nw.col("value").is_nan()) if numeric else frame
        gone = [v for v, value in self._meaning[0] if value is None]
        return frame.filter(~_is_one_of(gone)) if gone else frame

    def _check_duplicates(self) -> None:
        if self.duplicates == "keep":
            return
        if self.duplicates != "error":
            given, known = hints = [Hint("duplicates", self.duplicates), Hint("duplicates", OneOf(("error", "keep")))]
            raise KindError(
                f"rows of a database have no order, so {given} has no meaning there; pass {known}, or fetch the rows "
                "with interagree.Annotations.of",
                hints=hints,
            )
        pairs = self._given.group_by("item", "annotator").agg(nw.len().alias("times"))
        repeated = collected(pairs.filter(nw.col("times") > 1).head(1)).rows()
        if repeated:
            item, annotator, times = repeated[0]
            keep = Hint("duplicates", "keep")
            raise DuplicateAnnotation(
                f"annotator {plain(annotator)!r} annotated item {plain(item)!r} {int(times)} times; keep one row for "
                f"each, or pass {keep} to count them all",
                hints=[keep],
            )

    def collect(self) -> Annotations:
        """The annotations themselves, for measures that must know who gave what."""
        known = vars(self).get("_cells")  # which cost a query
        rows = collected(self.frame.select(nw.len())).item() if known is None else sum(n for _, _, n, _ in known)
        rows_must_fit("the table", int(rows), 3)
        return build(
            table(self.frame),
            item="item",
            annotator="annotator",
            value="value",
            values=self.declared,
            ordered=self.ordered or None,
            duplicates=self.duplicates,
            missing=self.cells.missing,
            trim=self.cells.trim,
            fold_case=self.cells.fold_case,
            provenance=self.start,
        )

    def ballots(self) -> Annotations:
        """The annotations themselves, under the name of what needs them."""
        return self.collect()

    def without(self, *names: Annotator) -> Scan:
        """The table as if these annotators had not taken part."""
        return replace(self, frame=self.frame.filter(~nw.col("annotator").is_in(list(names))))

    def only(self, *, annotators: Sequence[Annotator]) -> Scan:
        """The table of some annotators alone."""
        return replace(self, frame=self.frame.filter(nw.col("annotator").is_in(list(annotators))))

    def __repr__(self) -> str:
        return f"<Scan of {self.frame.implementation}: {listing(self.frame.collect_schema().names())}>"


def _is_one_of(forms: Sequence[Any]) -> nw.Expr:
    column = nw.col("value")
    return column == nw.lit(forms[0]) if len(forms) == 1 else column.is_in(list(forms))


@checks_options
def scan(
    relation: Frame,
    *,
    item: Hashable | None = None,
    annotator: Hashable | None = None,
    value: Hashable | None = None,
    values: Sequence[Value] | None = None,
    ordered: bool = False,
    duplicates: Duplicates = "error",
    missing: Sequence[Value] = (),
    trim: bool = False,
    fold_case: bool = False,
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
        missing: Values that mean: no annotation.
        trim: Whether spaces around a value are removed.
        fold_case: Whether values that differ only in case are one.

    Returns:
        The table, which every measure that only counts takes as it is; ``.collect()`` fetches the rows for the others.

    Examples:
        >>> import interagree, polars
        >>> rows = {"item": [1, 1, 2, 2], "annotator": ["a", "b", "a", "b"], "value": ["x", "x", "y", "x"]}
        >>> labels = interagree.scan(polars.LazyFrame(rows))
        >>> labels.n
        Extent(items=2, annotators=2, annotations=4)
    """
    frame = opened(relation).lazy()
    schema = frame.collect_schema()
    part = roles(schema.names(), item=item, annotator=annotator, value=value)
    scale = schema[str(part.value)]
    if scale.is_nested():
        raise KindError(
            f"{part.value!r} holds lists, which no database counts; fetch the rows, as in interagree.Annotations.of(…)"
        )
    if values is None and isinstance(scale, nw.Enum):
        values, ordered = list(scale.categories), True
    return Scan(
        frame.select(**{role: nw.col(str(getattr(part, role))) for role in ("item", "annotator", "value")}),
        None if values is None else tuple(map(plain, values)),
        ordered,
        duplicates,
        Provenance().then(*part.step()),
        Rules(missing=missing, trim=trim, fold_case=fold_case, values=values),
    )
