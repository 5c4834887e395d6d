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
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.repeated import Duplicates
from interagree.data.types import Annotator, Frame, Lazy, Value
from interagree.data.values import check_order, in_order, is_missing, key, plain
from interagree.errors import DataError, DuplicateAnnotation, Hint, KindError, OneOf, listing
from interagree.errors.options import checked_methods, checks_options
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
    def _domain(self) -> tuple[tuple[Value, ...], list[Any]]:
        """The values in order, and each as the backend writes it (None: nobody gave it)."""
        seen = list({key(v): v for v, *_ in self._cells if not is_missing(v)}.values())
        whole = [int(v) for v in seen if isinstance(v, float) and v.is_integer()]
        # Whole numbers become reals where some are missing.
        values: list[Value] = [*whole] if len(whole) == len(seen) else [plain(v) for v in seen]
        written = {key(value): v for value, v in zip(values, seen, strict=True)}
        if self.ordered and self.declared is None:
            check_order(values)
        domain = tuple(in_order(values)) if self.declared is None else self.declared
        known = {key(v) for v in domain}
        stray = [v for v in values if key(v) not in known]
        if stray:
            raise DataError(
                f"{listing(stray, most=5)} {'was' if len(stray) == 1 else 'were'} given and not declared; the declared "
                f"values are {listing(domain)}"
            )
        return domain, [written.get(key(v)) for v in domain]

    @property
    def values(self) -> tuple[Value, ...]:
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
    def annotators(self) -> tuple[Annotator, ...]:
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
            **{name: nw.when(nw.col("value") == nw.lit(value)).then(nw.lit(1)) for name, value in given.items()}
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
        return frame.filter(~nw.col("value").is_nan()) if numeric else frame

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

    def without(self, *names: Annotator) -> Scan:
        """The table as if these annotators had not taken part."""
        return replace(self, frame=self.frame.filter(~nw.col("annotator").is_in(list(names))))

    def only(self, *, annotators: Sequence[Annotator]) -> Scan:
        """The table of some annotators alone."""
        return replace(self, frame=self.frame.filter(nw.col("annotator").is_in(list(annotators))))

    def __repr__(self) -> str:
        return f"<Scan of {self.frame.implementation}: {listing(self.frame.collect_schema().names())}>"


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
    if values is None and isinstance(scale, nw.Enum):
        values, ordered = list(scale.categories), True
    return Scan(
        frame.select(**{role: nw.col(str(getattr(part, role))) for role in ("item", "annotator", "value")}),
        None if values is None else tuple(map(plain, values)),
        ordered,
        duplicates,
        Provenance().then(*part.step()),
    )
