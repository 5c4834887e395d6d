"""A study of one question: how it is made, and what kind its values are."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from interagree.arrays import Array, Int64s, Integers
from interagree.data.codes import encode
from interagree.data.columns import Columns, IntoColumn
from interagree.data.domain import domain_of, mixed_types
from interagree.data.drawing import Drawn
from interagree.data.levels import Level
from interagree.data.memory import must_fit
from interagree.data.provenance import Provenance, Step
from interagree.data.repeated import Duplicates, deduplicated
from interagree.data.table import CodedTable
from interagree.data.types import Annotator, IntoAnnotations, Item, Value
from interagree.data.values import as_numbers, check_order, key, plain
from interagree.errors import DataError, Hint, KindError
from interagree.errors.options import checks_options, shown
from interagree.kinds import _recognition as kinds
from interagree.plugins import KINDS

if TYPE_CHECKING:
    from interagree.kinds import Kind
    from interagree.kinds._graded_words import Order
    from interagree.reading.choices import IntoCodebook, Layout

AS_LABELS = Hint("kind", "labels")
LONGEST = 2**53  # from here on whole numbers are not exact as reals


class TableOptions(TypedDict, total=False):
    """What may be said of columns beside the columns themselves."""

    values: Sequence[object] | None
    ordered: bool | None
    duplicates: Duplicates
    attributes: Mapping[str, IntoColumn] | None
    provenance: Provenance | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Annotations(CodedTable, Drawn):
    """An immutable table of annotations, coded as whole numbers.

    Make one with `Annotations.of`, from long or wide tables of any kind, `from_counts`, `from_contingency` or
    `from_patterns`; the constructor takes codes and checks them.
    """

    # -- making one ----------------------------------------------------------------------------------------

    @classmethod
    def of(
        cls,
        data: IntoAnnotations,
        *,
        item: Hashable | Sequence[Hashable] | None = None,
        annotator: Hashable | Sequence[Hashable] | None = None,
        value: Hashable | Sequence[Hashable] | None = None,
        columns: str | None = None,
        values: Sequence[object] | None = None,
        ordered: bool | None = None,
        duplicates: Duplicates = "error",
        layout: Layout = "auto",
        split: str | None = None,
        missing: Sequence[object] = (),
        trim: bool | None = None,
        fold_case: bool = False,
        attributes: Sequence[Hashable] | None = None,
        times: Hashable | None = None,
        at: str | None = None,
        kind: str | None = None,
        levels: str | Mapping[str, str] | None = None,
        codebook: IntoCodebook | None = None,
    ) -> Annotations:
        """A study from whatever holds one: rows, a dict of columns, a data frame, an array.

        Args:
            data: Rows ``(item, annotator, value)``, dicts with these keys, a dict of columns, a dict from each
                annotator to a list of values, a dict of dicts by item and annotator, nested records as in JSON, a
                two-dimensional array, a crosstab, or a frame that narwhals knows.  A named index of a frame is the
                item.
            item: The column that holds the item, or a list of those that name it together; in an array, the axis (0
                or 1) that runs over items, and in a dict of dicts the level (0 for the outer keys, 1 for the inner).
            annotator: The column that holds the annotator; in a wide table not given, or the list of the columns that
                are annotators.
            value: The column that holds the value; where the columns of a wide table ask several questions, one of
                these.
            columns: How the columns of a wide table are called, as in ``"{question}_{annotator}"``.
            values: All values that could have been given, also those that nobody used; in order, from lowest to
                highest, where there is an order.
            ordered: Whether the order of ``values`` means something, so that ordinal measures are the natural ones;
                without ``values`` they must be numbers, or a column of categories that states its order.  A measure
                that is asked for an order takes the order of declared ``values`` in any case.
            duplicates: What to do when an annotator gave one item two values: stop with an error, take the
                first or the last, or keep all as repeated judgements.
            layout: "long", "wide", "transposed" (a row for each annotator, a column for each item), "counts",
                "contingency" or "auto".
            split: What separates the labels where one cell holds several of them; the value is then a set.
            missing: Further values that mean "no annotation", such as "" or "N/A"; 99 and "99" are the same code.
                Nothing else is then assumed to mean it.
            trim: Whether blanks around values and names are removed; by default in text files and sheets only.
            fold_case: Whether values that differ only in case are one value.
            attributes: Further columns to keep; by default all that are not used otherwise.
            times: In a wide table, the column that says how many items have the values of a row.
            at: In nested records, the path to the annotations, as in ``"responses[]"``; found where that is plain.
            kind: What the values are where that is not plain from them: "boxes", "spans", "text", "rankings", "sets" …
            levels: The level on which values are measured, which decides the usual distance: "nominal", "ordinal",
                "interval", "ratio", "circular:period=24", "sets" or "text"; or a dict from questions to levels.
            codebook: What is known of the questions: the path of a codebook, a frame, or a dict from each question to
                its level, the list of its values, or a dict with ``title``, ``level``, ``values`` (what each stands
                for) and ``missing`` (codes for no answer).

        Returns:
            The annotations, with a provenance that says what was dropped, merged or assumed.

        Examples:
            >>> import interagree as ia
            >>> ia.Annotations.of({"ann": ["yes", "no"], "bo": ["yes", None]}).rows()
            [(0, 'ann', 'yes'), (1, 'ann', 'no'), (0, 'bo', 'yes')]
        """
        options = {name: given for name, given in locals().items() if name not in ("cls", "data")}
        from interagree.reading.door import build

        return build(data, **options)

    @classmethod
    @checks_options
    def from_columns(
        cls,
        item: Iterable[Item],
        annotator: Iterable[Annotator],
        value: Iterable[object],
        **options: Unpack[TableOptions],
    ) -> Annotations:
        """A study from three columns of plain Python objects without missing entries.

        Args:
            item: The item of each annotation.
            annotator: Who gave it.
            value: The value.
            options: ``values``, ``ordered`` and ``duplicates`` as in `of`, further columns as ``attributes``, and the
                ``provenance``.

        Returns:
            The annotations, with values in order.

        Examples:
            >>> import interagree as ia
            >>> ia.Annotations.from_columns([1, 1], ["ann", "bo"], ["yes", "no"])
            <Annotations: 2 annotations, 1 items, 2 annotators, 2 values>
        """
        item_codes, items = encode(item)
        annotator_codes, annotators = encode(annotator)
        value_codes, seen = encode(map(plain, value))
        if not len(item_codes) == len(annotator_codes) == len(value_codes):
            raise DataError(
                f"each annotation has an item, an annotator and a value, and there are {len(item_codes)} items, "
                f"{len(annotator_codes)} annotators and {len(value_codes)} values"
            )
        return cls.from_codes(item_codes, annotator_codes, value_codes, items, annotators, seen, **options)

    @classmethod
    @checks_options
    def from_codes(  # noqa: PLR0917 -- three columns, then their names
        cls,
        item: Integers,
        annotator: Integers,
        value: Integers,
        items: Sequence[Item],
        annotators: Sequence[Annotator],
        seen: Sequence[Value],
        *,
        values: Sequence[object] | None = None,
        ordered: bool | None = None,
        duplicates: Duplicates = "error",
        attributes: Mapping[str, IntoColumn] | None = None,
        provenance: Provenance | None = None,
    ) -> Annotations:
        """A study from codes; puts the values in order and deals with duplicates."""
        if ordered and values is None:
            check_order(seen)
        domain, recode = domain_of(seen, values)
        if not np.array_equal(recode, np.arange(len(recode))):
            value = recode[value]
        steps = mixed_types(seen)
        occasion = None
        further = Columns.of(attributes or {})
        if len(annotators):
            keep, occasion, step = deduplicated(item, annotator, items, annotators, duplicates)
            steps += step
            if keep is not None:
                item, annotator, value = item[keep], annotator[keep], value[keep]
                further = further.taking(keep)
        return cls(
            item,
            annotator,
            value,
            items,
            annotators,
            domain,
            ordered=ordered,
            stated=values is not None,
            occasion=occasion,
            attributes=further,
            provenance=(provenance or Provenance()).then(*steps),
        )

    @classmethod
    @checks_options
    def from_counts(
        cls,
        counts: ArrayLike,
        *,
        values: Sequence[object] | None = None,
        items: Sequence[Item] | None = None,
        ordered: bool | None = None,
        provenance: Provenance | None = None,
    ) -> Annotations:
        """A study of which only the counts are known: how many annotators gave each item each value.

        Args:
            counts: A table with a row for each item and a column for each value.
            values: The values of the columns; else they are numbered from 0.
            items: The names of the rows; else they are numbered from 0.
            ordered: Whether the order of ``values`` means something.
            provenance: Where the counts come from.

        Returns:
            Annotations that do not know their annotators.

        Examples:
            >>> import interagree as ia
            >>> ia.Annotations.from_counts([[3, 0], [1, 2]], values=["yes", "no"])
            <Annotations: 6 annotations, 2 items, annotators unknown, 2 values>
        """
        table = whole_numbers(counts, "a table of counts")
        domain = tuple(map(plain, values)) if values is not None else tuple(range(table.shape[1]))
        names: Sequence[Item] = range(table.shape[0]) if items is None else tuple(items)
        if len(domain) != table.shape[1] or len(names) != table.shape[0]:
            raise DataError(
                f"the table of counts has {table.shape[0]} rows and {table.shape[1]} columns, and {len(names)} items "
                f"and {len(domain)} values were named"
            )
        row, column = np.nonzero(table)
        times = table[row, column]
        _must_fit(times, 1)
        return cls(
            np.repeat(row, times),
            np.zeros(int(times.sum()), dtype=np.int8),
            np.repeat(column, times),
            names,
            (),
            domain,
            ordered=ordered,
            stated=values is not None,
            provenance=(provenance or Provenance()).then(
                Step("taken", "counts only: nobody knows who gave which value", int(times.sum()))
            ),
        )

    @classmethod
    @checks_options
    def from_contingency(
        cls,
        table: ArrayLike,
        *,
        values: Sequence[object] | None = None,
        annotators: Sequence[Annotator] = ("first", "second"),
        ordered: bool | None = None,
        provenance: Provenance | None = None,
    ) -> Annotations:
        """A study of two annotators from their square table: rows the first, columns the second.

        Args:
            table: How often the first annotator gave the value of the row and the second that of the column.
            values: The values; else they are numbered from 0.
            annotators: The names of the two.
            ordered: Whether the order of ``values`` means something.
            provenance: Where the table comes from.

        Returns:
            Annotations with one item for each count.

        Examples:
            >>> import interagree as ia
            >>> ia.Annotations.from_contingency([[20, 5], [10, 15]], values=["yes", "no"])
            <Annotations: 100 annotations, 50 items, 2 annotators, 2 values>
        """
        square = whole_numbers(table, "a contingency table")
        if square.shape[0] != square.shape[1]:
            raise DataError(
                f"a contingency table of two annotators is square, and this has {square.shape[0]} rows and "
                f"{square.shape[1]} columns; give every value a row and a column"
            )
        if len(annotators) != 2:
            raise DataError(f"a contingency table is of two annotators, and {len(annotators)} were named")
        size = len(square)
        domain = tuple(map(plain, values)) if values is not None else tuple(range(size))
        pairs = np.array([(k, m) for k in range(size) for m in range(size)], dtype=np.int64).reshape(-1, 2)
        made = cls.from_patterns(
            pairs,
            square.reshape(-1),
            values=domain,
            annotators=annotators,
            ordered=ordered,
            provenance=provenance,
            codes=True,
        )
        step = Step("taken", f"a table of two annotators, laid out as {len(made.items)} items", len(made.items))
        return replace(made.with_steps(step), stated=values is not None)

    @classmethod
    @checks_options
    def from_patterns(
        cls,
        patterns: Array | Sequence[Sequence[object]],
        times: ArrayLike,
        *,
        values: Sequence[object],
        annotators: Sequence[Annotator] | None = None,
        ordered: bool | None = None,
        provenance: Provenance | None = None,
        codes: bool = False,
    ) -> Annotations:
        """A study from distinct rows of values, one column per annotator, and how many items show each row.

        Args:
            patterns: The rows; None where an annotator gave no value.
            times: How many items show each row.
            values: All values, in order where there is one.
            annotators: The names of the columns; else they are numbered from 0.
            ordered: Whether the order of ``values`` means something.
            provenance: Where the rows come from.
            codes: Whether rows hold indices into ``values``, -1 where there is no annotation.

        Returns:
            Annotations with one item for each time that a row occurs.

        Examples:
            >>> import interagree as ia
            >>> ia.Annotations.from_patterns([["a", "a"], ["a", "b"]], [3, 1], values=["a", "b"])
            <Annotations: 8 annotations, 4 items, 2 annotators, 2 values>
        """
        often = whole_numbers(
            as_numbers(times, "the column of frequencies").reshape(-1, 1), "the column of frequencies"
        )
        often = often[:, 0]
        domain = tuple(map(plain, values))
        if codes:
            rows = np.asarray(patterns)
            if rows.dtype.kind not in "iu":
                raise DataError(f"rows of codes hold whole numbers, not {shown(patterns)}")
        elif not all(isinstance(row, Iterable) for row in patterns):
            raise DataError(f"patterns are rows of values, one for each annotator, not {shown(patterns)}")
        else:
            place = {key(value): code for code, value in enumerate(domain)}
            rows = np.array([[place.get(key(plain(cell)), -1) for cell in row] for row in patterns])
        if rows.ndim != 2 or len(rows) != len(often):
            raise DataError(f"there are {len(rows)} rows of values and {len(often)} frequencies")
        who = tuple(annotators) if annotators is not None else tuple(range(rows.shape[1]))
        _must_fit(often, rows.shape[1])
        full = np.repeat(rows, often, axis=0)
        item, annotator = np.nonzero(full >= 0)
        return cls(
            item,
            annotator,
            full[item, annotator],
            range(len(full)),
            who,
            domain,
            ordered=ordered,
            stated=True,
            provenance=provenance or Provenance(),
        )

    # -- what kind its values are ---------------------------------------------------------------------------

    @property
    def kind(self) -> Kind:
        """What the values are: as stated, else as they look.  It is equal to its name, such as "boxes"."""
        return self.recognised.kind

    @property
    def level(self) -> Level:
        """On which level the values are measured, and who says so: what every measure asks that was not told."""
        if self.stated_level is not None:
            name, source, distance = self.stated_level
            return Level(name, distance, source)
        declared = self.of_kind is not None or self.stated or self.ordered is not None
        return Level.of(self.recognised, "declaration" if declared else "cells")

    @property
    def recognised(self) -> kinds.Recognised:
        """What the values are, what else they may be meant as, and what tells; decided once."""
        if self.of_kind is not None:
            return kinds.Recognised(KINDS[self.of_kind], because=f"said to be {self.of_kind}")
        return self.shared(("recognised", self.ordered, self.stated), self._looks)

    @property
    def seeming_order(self) -> Order | None:
        """The order that labels seem to have by their words; None where none is plain, or somebody stated one."""
        if self.stated or self.ordered is not None or self.of_kind is not None or self.kind != "labels":
            return None
        from interagree.kinds._graded_words import seeming_order

        return self.shared("seeming order", lambda: seeming_order(self.values))

    def _looks(self) -> kinds.Recognised:
        result = kinds.recognised(self.values, ordered=self.ordered, stated=self.stated)
        if self.stated or result.kind.certainty != "fallback":
            return result
        stray = kinds.strays(self.values)
        if stray is not None:
            kind, place, reason = stray
            raise KindError(
                f"nearly all values are {kind}, and {self.whose(place)} is not: {reason}; correct it or leave it out, "
                f"or pass {AS_LABELS} to compare values as wholes",
                hints=[AS_LABELS],
            )
        return result

    def told_where(self, error: KindError, names: Iterable[str]) -> KindError:
        """The same error with the item and the annotator of the first value that is of none of some kinds."""
        known = [KINDS[name] for name in names if name in KINDS]
        for place, value in enumerate(self.values):
            if known and all(kind.why_not(value) is not None for kind in known):
                return error.reworded(f"{error} ({self._where(place)})")
        return error

    def check_kind(self, kind: str, *, who: str) -> None:
        """An error where nobody stated the kind of the values, and they are plainly of another one."""
        looks = self.kind if self.of_kind is None else None
        if looks is not None and looks.certainty == "plain" and looks != kind:
            meant = Hint("kind", kind)
            raise KindError(
                f"{who} needs {kind}, and the values look like {looks}, such as {str(self.values[0])[:60]}; if they "
                f"are {kind}, say {meant}",
                hints=[meant],
            )

    def packed(self, kind: str, *, who: str) -> Any:
        """The values as arrays of a complex kind, made once for this study and all parts of it.

        Args:
            kind: The kind that the values must be of.
            who: What needs them, for messages.
        """

        def made() -> Any:
            self.check_kind(kind, who=who)
            try:
                return kinds.pack(self.values, (kind,), who=who, given=self.of_kind)
            except KindError as error:
                raise self.told_where(error, (kind,)) from None

        return self.shared(("packed", kind), made)

    def whose(self, place: int) -> str:
        """A value, and where it was given first, in words."""
        shown = repr(self.values[place])
        value = shown if len(shown) <= 60 else shown[:59] + "…"
        where = self._where(place)
        return f"{value} ({where})" if where else value

    def _where(self, place: int) -> str:
        rows = np.flatnonzero(self.value == place)
        if not len(rows):
            return "a value that was declared"
        who = "" if self.anonymous else f" by {self.annotators[int(self.annotator[rows[0]])]!r}"
        return f"item {self.items[int(self.item[rows[0]])]!r}{who}"

    @checks_options
    def taken_as(self, kind: str) -> Annotations:
        """The same study with its values taken as a stated kind, checked; cells that spell JSON are read as such."""
        try:
            made = kinds.as_kind(self.values, kind)
        except KindError as error:
            raise self.told_where(error, (kind,)) from None
        if made is None:
            return replace(self, of_kind=kind, stated_level=None)
        codes, distinct = encode(made)
        return replace(
            self, value=codes[self.value], values=tuple(distinct), of_kind=kind, stated=False, stated_level=None
        )


def whole_numbers(table: ArrayLike, what: str) -> Int64s:
    """A two-dimensional table as whole numbers that are not negative."""
    cells = as_numbers(table, what)
    if cells.ndim != 2:
        raise DataError(f"{what} has rows and columns, and this has {cells.ndim} dimension(s)")
    bad = np.argwhere(~((cells >= 0) & (cells < LONGEST) & (cells == np.floor(cells))))
    if len(bad):
        row, column = bad[0].tolist()
        raise DataError(
            f"{what} holds whole numbers from 0 up, and row {row}, column {column} holds {cells[row, column]!r}; "
            "multiply proportions by the number of annotations first"
        )
    return cells.astype(np.int64)


def _must_fit(times: Int64s, annotators: int) -> None:
    """An error where so many items, laid out one by one, are more than memory can hold."""
    must_fit(
        16.0 * annotators * float(times.sum(dtype=np.float64)),
        f"a table of {float(times.sum(dtype=np.float64)):,.0f} annotated items, laid out one by one,",
        "look for a count with too many digits, or divide all counts by the same number",
    )
