"""The central type: who gave which item which value.

One row is one annotation.  An annotation that is missing is a row that is missing, never a special value; a
value that is empty (a set of labels with nothing in it) is a value.  The three columns are whole numbers
that point into ``items``, ``annotators`` and ``values``, so that everything after this is arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from interagree.arrays import Array, Booleans, Int64s, Integers
from interagree.data.columns import BLOCK, Columns, Names, coded, kept
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.values import (
    are_sets,
    check_order,
    in_order,
    key,
    numbers,
    plain,
)
from interagree.errors import (
    DataError,
    DuplicateAnnotation,
    Hint,
    KindError,
    OneOf,
    UnknownName,
    listing,
    suggestion,
)
from interagree.kinds import _recognition as kinds
from interagree.plugins import KINDS

if TYPE_CHECKING:
    from interagree.kinds import Kind
    from interagree.reading.choices import Layout

Duplicates = Literal["error", "first", "last", "keep"]

AS_LABELS = Hint("kind", "labels")
KEEPING = Hint("duplicates", "keep")


_ABOUT = object()  # under which `_shared` holds the values that it is about


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Annotations:
    """An immutable table of annotations, coded as whole numbers.

    Make one with `Annotations.of`, from long or wide tables of any kind, `from_counts`, `from_contingency` or
    `from_patterns`; the constructor takes codes and checks them.
    """

    item: Integers
    annotator: Integers
    value: Integers
    items: Sequence[Hashable]
    annotators: Sequence[Hashable]  # empty when nobody knows who gave which value
    values: tuple[Any, ...]
    ordered: bool | None = None  # whether the order of values means something; None where nobody said
    stated: bool = False  # whether somebody declared the values, in order
    of_kind: str | None = None  # the kind of value that somebody stated, such as "boxes"
    occasion: Integers | None = None  # the first, second, … judgement of one item by one annotator
    attributes: Mapping[str, Array] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)
    _cache: dict[Any, Any] = field(default_factory=dict)  # of this study alone: another one starts with none
    _shared: dict[Any, Any] = field(default_factory=dict)  # what depends on the values and their kind alone

    def __post_init__(self) -> None:
        n = len(self.item)
        columns = {"item": self.item, "value": self.value, "annotator": self.annotator}
        limits = {
            "item": len(self.items),
            "value": len(self.values),
            "annotator": max(len(self.annotators), 1),
        }
        for name, column in columns.items():
            if len(column) != n:
                raise DataError(
                    f"the columns of a study must be of one length; item has {n} rows and {name} has {len(column)}"
                )
            if column.dtype.kind not in "iu":
                raise DataError(f"the {name} codes must be whole numbers, got an array of {column.dtype}")
            if n and (int(column.min()) < 0 or int(column.max()) >= limits[name]):
                raise DataError(
                    f"the {name} codes must lie between 0 and {limits[name] - 1}, got "
                    f"{int(column.min())} to {int(column.max())}"
                )
        further = Columns.of(self.attributes)
        object.__setattr__(self, "attributes", further)
        for name in further:
            if further.size(name) != n:
                raise DataError(
                    f"the attribute {name!r} has {further.size(name)} rows, and the study has {n}"
                )
        for fixed in (*columns.values(), self.occasion):
            if fixed is not None:
                fixed.flags.writeable = False
        # dataclasses.replace hands over what the other study remembered, which need not be true of this one.
        object.__setattr__(self, "_cache", {})
        values, known = self._shared.setdefault(_ABOUT, (self.values, self.of_kind))
        if values is not self.values or known != self.of_kind:
            object.__setattr__(self, "_shared", {_ABOUT: (self.values, self.of_kind)})

    def __reduce__(self) -> tuple[type[Annotations], tuple[Any, ...]]:
        """What is pickled: the table, without what can be made of it again."""
        return Annotations, tuple(
            getattr(self, one.name) for one in fields(self) if not one.name.startswith("_")
        )

    # -- making one ----------------------------------------------------------------------------------------

    @classmethod
    def of(
        cls,
        data: Any,
        *,
        item: Hashable | Sequence[Hashable] | None = None,
        annotator: Hashable | Sequence[Hashable] | None = None,
        value: Hashable | Sequence[Hashable] | None = None,
        columns: str | None = None,
        values: Sequence[Any] | None = None,
        ordered: bool | None = None,
        duplicates: Duplicates = "error",
        layout: Layout = "auto",
        split: str | None = None,
        missing: Sequence[Any] = (),
        trim: bool | None = None,
        fold_case: bool = False,
        attributes: Sequence[Hashable] | None = None,
        times: Hashable | None = None,
        kind: str | None = None,
    ) -> Annotations:
        """A study from whatever holds one: rows, a dict of columns, a data frame, an array.

        Args:
            data: Rows ``(item, annotator, value)``, dicts with these keys, a dict of columns, a dict from each
                annotator to a list of values, a dict of dicts by item and annotator, a two-dimensional array, a
                crosstab, or a frame that narwhals knows.  A named index of a frame is the item.
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
            kind: What the values are where that is not plain from them: "boxes", "spans", "text", "rankings", "sets" …
        """
        from interagree.reading.door import build

        return build(
            data,
            item=item,
            annotator=annotator,
            value=value,
            columns=columns,
            values=values,
            ordered=ordered,
            duplicates=duplicates,
            layout=layout,
            split=split,
            missing=missing,
            trim=trim,
            fold_case=fold_case,
            attributes=attributes,
            times=times,
            kind=kind,
        )

    @classmethod
    def from_columns(
        cls,
        item: Iterable[Hashable],
        annotator: Iterable[Hashable],
        value: Iterable[Any],
        *,
        values: Sequence[Any] | None = None,
        ordered: bool | None = None,
        duplicates: Duplicates = "error",
        attributes: Mapping[str, Array] | None = None,
        provenance: Provenance | None = None,
    ) -> Annotations:
        """A study from three columns of plain Python objects without missing entries."""
        item_codes, items = encode(item)
        annotator_codes, annotators = encode(annotator)
        value_codes, seen = encode(map(plain, value))
        return cls.from_codes(
            item_codes,
            annotator_codes,
            value_codes,
            items,
            annotators,
            seen,
            values=values,
            ordered=ordered,
            duplicates=duplicates,
            attributes=attributes,
            provenance=provenance,
        )

    @classmethod
    def from_codes(  # noqa: PLR0917 -- three columns, then their names
        cls,
        item: Integers,
        annotator: Integers,
        value: Integers,
        items: Sequence[Hashable],
        annotators: Sequence[Hashable],
        seen: Sequence[Any],
        *,
        values: Sequence[Any] | None = None,
        ordered: bool | None = None,
        duplicates: Duplicates = "error",
        attributes: Mapping[str, Array] | None = None,
        provenance: Provenance | None = None,
    ) -> Annotations:
        """A study from codes; puts the values in order and deals with duplicates."""
        if ordered and values is None:
            check_order(seen)
        domain, recode = _domain(seen, values)
        if not np.array_equal(recode, np.arange(len(recode))):
            value = recode[value]
        steps = _mixed(seen)
        occasion = None
        keep: Array | None = None
        if len(annotators):
            keep, occasion, step = _deduplicated(item, annotator, items, annotators, duplicates)
            steps += step
        attributes = Columns.of(attributes or {})
        if keep is not None:
            item, annotator, value = item[keep], annotator[keep], value[keep]
            attributes = attributes.taking(keep)
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
            attributes=attributes,
            provenance=(provenance or Provenance()).then(*steps),
        )

    @classmethod
    def from_counts(
        cls,
        counts: Any,
        *,
        values: Sequence[Any] | None = None,
        items: Sequence[Hashable] | None = None,
        ordered: bool | None = None,
        provenance: Provenance | None = None,
    ) -> Annotations:
        """A study of which only the counts are known: how many annotators gave each item each value."""
        table = whole_numbers(counts, "a table of counts")
        domain = tuple(map(plain, values)) if values is not None else tuple(range(table.shape[1]))
        names: Sequence[Hashable] = range(table.shape[0]) if items is None else tuple(items)
        if len(domain) != table.shape[1] or len(names) != table.shape[0]:
            raise DataError(
                f"the table of counts has {table.shape[0]} rows and {table.shape[1]} columns, and {len(names)} items "
                f"and {len(domain)} values were named"
            )
        row, column = np.nonzero(table)
        times = table[row, column]
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
    def from_contingency(
        cls,
        table: Any,
        *,
        values: Sequence[Any] | None = None,
        annotators: Sequence[Hashable] = ("first", "second"),
        ordered: bool | None = None,
        provenance: Provenance | None = None,
    ) -> Annotations:
        """A study of two annotators from their square table: rows the first, columns the second."""
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
        return replace(
            made,
            stated=values is not None,
            provenance=made.provenance.then(
                Step(
                    "taken",
                    f"a table of two annotators, laid out as {len(made.items)} items",
                    len(made.items),
                )
            ),
        )

    @classmethod
    def from_patterns(
        cls,
        patterns: Any,
        times: Any,
        *,
        values: Sequence[Any],
        annotators: Sequence[Hashable] | None = None,
        ordered: bool | None = None,
        provenance: Provenance | None = None,
        codes: bool = False,
    ) -> Annotations:
        """A study from distinct rows of values, one column per annotator, and how many items show each row.

        With ``codes`` the rows hold places in ``values``, -1 where there is no annotation.
        """
        often = whole_numbers(np.asarray(times).reshape(-1, 1), "the column of frequencies")[:, 0]
        domain = tuple(map(plain, values))
        if codes:
            rows = np.asarray(patterns)
        else:
            place = {key(value): code for code, value in enumerate(domain)}
            rows = np.array([[place.get(key(plain(cell)), -1) for cell in row] for row in patterns])
        if rows.ndim != 2 or len(rows) != len(often):
            raise DataError(f"there are {len(rows)} rows of values and {len(often)} frequencies")
        who = tuple(annotators) if annotators is not None else tuple(range(rows.shape[1]))
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

    # -- looking at it -------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.item)

    def __repr__(self) -> str:
        who = "annotators unknown" if self.anonymous else f"{len(self.annotators)} annotators"
        return f"<Annotations: {len(self)} annotations, {len(self.items)} items, {who}, {len(self.values)} values>"

    @property
    def anonymous(self) -> bool:
        """Whether nobody knows who gave which value."""
        return not len(self.annotators)

    @property
    def in_order(self) -> bool:
        """Whether the values stand in an order that a measure may use."""
        return bool(self.ordered) or self.stated

    @property
    def kind(self) -> Kind:
        """What the values are: as stated, else as they look.  It is equal to its name, such as "boxes"."""
        return self.recognised.kind

    @property
    def recognised(self) -> kinds.Recognised:
        """What the values are, what else they may be meant as, and what tells; decided once."""
        if self.of_kind is not None:
            return kinds.Recognised(KINDS[self.of_kind], because=f"said to be {self.of_kind}")
        found: kinds.Recognised = self.shared(("recognised", self.ordered, self.stated), self._looks)
        return found

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

    def taken_as(self, kind: str) -> Annotations:
        """The same study with its values taken as a stated kind, checked; cells that spell JSON are read as such."""
        try:
            made = kinds.as_kind(self.values, kind)
        except KindError as error:
            raise self.told_where(error, (kind,)) from None
        if made is None:
            return replace(self, of_kind=kind)
        codes, distinct = encode(made)
        return replace(
            self,
            value=codes[self.value],
            values=tuple(distinct),
            of_kind=kind,
            stated=False,
        )

    def rows(self) -> list[tuple[Hashable, Hashable, Any]]:
        """The annotations as (item, annotator, value)."""
        who: Sequence[Hashable] = (None,) if self.anonymous else self.annotators
        return [
            (self.items[i], who[a], self.values[v])
            for i, a, v in zip(self.item.tolist(), self.annotator.tolist(), self.value.tolist(), strict=True)
        ]

    def sizes(self) -> Integers:
        """How many annotations each item has."""
        return np.bincount(self.item, minlength=len(self.items))

    # -- other tables made of it ---------------------------------------------------------------------------

    def _taking(self, keep: Array, **changes: Any) -> Annotations:
        kept_rows: dict[str, Any] = {
            "item": self.item[keep],
            "annotator": self.annotator[keep],
            "value": self.value[keep],
            "occasion": None if self.occasion is None else self.occasion[keep],
            "attributes": Columns.of(self.attributes).taking(keep),
        }
        return replace(self, **{**kept_rows, **changes})

    def annotator_code(self, name: Hashable) -> int:
        """The place of an annotator, or an error that names those there are."""
        if self.anonymous:
            raise KindError(
                "this study does not say who gave which value (it was made from counts), so annotators cannot be "
                "told apart; read the annotations themselves"
            )
        try:
            return list(self.annotators).index(name)
        except ValueError:
            raise UnknownName(
                f"there is no annotator {name!r}; there are {listing(self.annotators)}."
                + suggestion(str(name), map(str, self.annotators))
            ) from None

    def without(self, *names: Hashable) -> Annotations:
        """The study as if these annotators had not taken part."""
        gone = {self.annotator_code(name) for name in names}
        return self._annotators([code for code in range(len(self.annotators)) if code not in gone])

    def only(
        self, *, annotators: Iterable[Hashable] | None = None, items: Iterable[Hashable] | None = None
    ) -> Annotations:
        """The study of some annotators or some items alone."""
        chosen = self
        if annotators is not None:
            chosen = chosen._annotators([self.annotator_code(name) for name in annotators])
        if items is not None:
            wanted = set(items)
            kept = [code for code, name in enumerate(self.items) if name in wanted]
            absent = wanted - {self.items[code] for code in kept}
            if absent:
                raise UnknownName(f"there is no item {listing(sorted(map(str, absent)))} in the study")
            chosen = chosen.items_where(np.isin(np.arange(len(self.items)), kept))
        return chosen

    def _annotators(self, codes: Sequence[int]) -> Annotations:
        place = np.full(max(len(self.annotators), 1), -1, dtype=np.int64)
        place[list(codes)] = np.arange(len(codes))
        new = place[self.annotator]
        keep = new >= 0
        return self._taking(
            keep, annotator=new[keep], annotators=tuple(self.annotators[code] for code in codes)
        )

    def items_where(self, mask: Booleans) -> Annotations:
        """The study of the items at which ``mask`` is true."""
        place = np.cumsum(mask) - 1
        keep = mask[self.item]
        return self._taking(keep, item=place[self.item[keep]], items=kept(self.items, np.flatnonzero(mask)))

    def first_judgements(self) -> Annotations:
        """The study without repeated judgements: what each annotator said of each item the first time."""
        if self.occasion is None:
            return self
        again = int(np.count_nonzero(self.occasion))
        chosen = replace(self._taking(self.occasion == 0), occasion=None)
        sentence = f"{again:,} repeated judgements left out, since different annotators are compared"
        return chosen.with_steps(Step("dropped", sentence, again))

    def repeats(self) -> Annotations:
        """Every annotator against herself, for intra-annotator agreement.

        What was an item judged by an annotator becomes an item; what was a first, second, … judgement becomes an
        annotator.
        """
        if self.occasion is None:
            raise DataError(
                "nobody judged an item twice, so nobody can be compared with themselves; read the data with "
                f"{KEEPING} to keep repeated judgements apart",
                hints=[KEEPING],
            )
        people = len(self.annotators)
        cells, item = np.unique(self.item.astype(np.int64) * people + self.annotator, return_inverse=True)
        rounds = int(self.occasion.max()) + 1
        return replace(
            self,
            item=item.reshape(-1),
            annotator=self.occasion,
            items=tuple(
                (self.items[cell // people], self.annotators[cell % people]) for cell in cells.tolist()
            ),
            annotators=tuple(f"judgement {number}" for number in range(1, rounds + 1)),
            occasion=None,
            provenance=self.provenance.then(Step("taken", "every annotator against herself", len(cells))),
        )

    def labels(self) -> tuple[Any, ...]:
        """What a table by value has rows for: the values, or, where values are sets, the labels in them."""
        if not are_sets(self.values):
            return self.values
        return tuple(in_order(list(dict.fromkeys(part for value in self.values for part in value))))

    def versus_rest(self, label: Any) -> Annotations:
        """The same study with one value against all the others; for sets, whether the label is in the set."""
        if are_sets(self.values):
            inside = np.array([label in value for value in self.values], dtype=np.int64)
        else:
            inside = np.array([key(value) == key(label) for value in self.values], dtype=np.int64)
        if not inside.any() and label not in self.labels():
            raise UnknownName(f"nobody could have given {label!r}; the values are {listing(self.labels())}")
        return replace(
            self,
            value=inside[self.value],
            values=("other", label),
            ordered=False,
            stated=False,
            of_kind=None,
        )

    def declaring(self, values: Sequence[Any], *, ordered: bool | None = None) -> Annotations:
        """The same study with other declared values, or with the same ones in another order."""
        domain, recode = _domain(self.values, values, used=np.unique(self.value).tolist())
        return replace(
            self,
            value=recode[self.value] if len(self.value) else self.value,
            values=domain,
            ordered=self.ordered if ordered is None else ordered,
            stated=True,
        )

    def with_steps(self, *steps: Step) -> Annotations:
        """The same study with more said about how it came to be."""
        return replace(self, provenance=self.provenance.then(*steps))

    def item_attribute(self, name: str) -> tuple[Integers, tuple[Any, ...]]:
        """For each item the code of its group under an attribute, and the groups.

        Every annotation of one item must have the same entry.
        """
        if name not in self.attributes:
            known = [str(one) for one in self.attributes]
            raise UnknownName(
                f"the study has no attribute {name!r}; "
                + (f"it has {listing(known)}." + suggestion(name, known) if known else "it has none.")
            )
        codes, groups = encode(self.attributes[name].tolist())
        group = np.full(len(self.items), -1, dtype=np.int64)
        group[self.item] = codes
        differing = np.flatnonzero(group[self.item] != codes)
        if len(differing):
            row = int(differing[0])
            raise DataError(
                f"the attribute {name!r} must be the same for all annotations of an item, and item "
                f"{self.items[int(self.item[row])]!r} has both {groups[int(codes[row])]!r} and "
                f"{groups[int(group[self.item[row]])]!r}"
            )
        return group, tuple(groups)

    def cached(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """What ``make`` gives, made once for this study."""
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    def shared(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """What ``make`` gives, made once for this study and all parts of it, which have the same values."""
        if name not in self._shared:
            self._shared[name] = make()
        return self._shared[name]


def concat(studies: Iterable[Annotations], *, duplicates: Duplicates = "error") -> Annotations:
    """Several tables of one question as one; items and annotators of the same name are the same.

    Attributes that every table has are kept.  An order of values that a table declares holds for all of them; orders
    that contradict each other are an error, and so is a value that has no place in a declared order.
    """
    parts = list(studies)
    if not parts:
        raise DataError("there is nothing to put together: no study was given")
    if len(parts) == 1:
        return parts[0]
    if any(part.anonymous for part in parts) and not all(part.anonymous for part in parts):
        raise DataError("a study made from counts and one that knows its annotators cannot be put together")

    def joined(column: str, names: str) -> tuple[Integers, Sequence[Any]]:
        together = coded([name for part in parts for name in getattr(part, names)])
        starts = np.cumsum([0, *(len(getattr(part, names)) for part in parts)])
        pieces = [
            together.codes[start:][getattr(part, column)]
            if len(getattr(part, names))
            else getattr(part, column)
            for start, part in zip(starts.tolist(), parts, strict=False)
        ]
        return np.concatenate(pieces), together.names

    item, items = joined("item", "items")
    annotator, annotators = joined("annotator", "annotators")
    value, seen = joined("value", "values")
    common = [name for name in parts[0].attributes if all(name in part.attributes for part in parts)]
    stated = {part.of_kind for part in parts}
    declared, settled = _joint_order(parts, seen)
    made = Annotations.from_codes(
        item,
        annotator,
        value,
        items,
        tuple(annotators),
        seen,
        values=declared,
        ordered=any(part.ordered for part in parts) or None,
        duplicates="keep" if any(part.occasion is not None for part in parts) else duplicates,
        attributes={name: np.concatenate([part.attributes[name] for part in parts]) for name in common},
        provenance=parts[0].provenance.joined(part.provenance for part in parts[1:]),
    )
    made = made if settled else replace(made, stated=False)
    return replace(made, of_kind=stated.pop()) if len(stated) == 1 else made


def _joint_order(parts: Sequence[Annotations], seen: Sequence[Any]) -> tuple[list[Any] | None, bool]:
    """The order of values that several studies declare together, and whether it is the only one that they allow."""
    orders = [part.values for part in parts if part.in_order]
    if not orders:
        return None, True
    names = {key(value): value for order in orders for value in order}
    ordered = any(part.ordered for part in parts)
    stray = [value for value in seen if key(value) not in names]
    if numbers(seen) is not None and all(list(order) == in_order(order) for order in orders):
        return in_order(seen), True
    if stray:
        raise DataError(
            f"{listing(stray, most=5)} {'was' if len(stray) == 1 else 'were'} given in one study and not declared in "
            f"another, whose values are {listing(names.values())}; declare all of them in each, as in "
            f"study.declaring({[*names.values(), *stray]!r})"
        )
    after: dict[Any, set[Any]] = {name: set() for name in names}  # the values that must stand before each
    for order in orders:
        for before, value in pairwise(map(key, order)):
            after[value].add(before)
    merged: list[Any] = []
    certain = True
    while after:
        free = [name for name, before in after.items() if not before]
        if not free:
            raise DataError(
                "the studies declare their values in orders that contradict each other: "
                f"{' and '.join(f'({listing(order)})' for order in orders)}; declare one order in each, as in "
                f"study.declaring({list(orders[0])!r})"
            )
        certain &= len(free) == 1
        merged.append(names[free[0]])
        del after[free[0]]
        for earlier in after.values():
            earlier.discard(free[0])
    if ordered and not certain:
        raise DataError(
            f"the studies declare {' and '.join(f'({listing(order)})' for order in orders)}, which does not say how "
            f"all these values are ordered; declare all of them in each, as in study.declaring({merged!r})"
        )
    return merged, certain


def encode(entries: Iterable[Any]) -> tuple[Integers, list[Any]]:
    """Whole numbers for entries in the order they first appear, and the distinct entries."""
    place: dict[Any, int] = {}
    distinct: list[Any] = []
    codes: list[int] = []
    for entry in entries:
        name = key(entry)
        code = place.get(name)
        if code is None:
            code = place[name] = len(distinct)
            distinct.append(entry)
        codes.append(code)
    return np.array(codes, dtype=np.int64), distinct


def whole_numbers(table: Any, what: str) -> Int64s:
    """A two-dimensional table as whole numbers that are not negative."""
    found = np.asarray(table, dtype=np.float64)
    if found.ndim != 2:
        raise DataError(f"{what} has rows and columns, and this has {found.ndim} dimension(s)")
    bad = np.argwhere(~(np.isfinite(found) & (found >= 0) & (found == np.floor(found))))
    if len(bad):
        row, column = bad[0].tolist()
        raise DataError(
            f"{what} holds whole numbers from 0 up, and row {row}, column {column} holds {found[row, column]!r}; "
            "multiply proportions by the number of annotations first"
        )
    return found.astype(np.int64)


def _domain(
    seen: Sequence[Any], declared: Sequence[Any] | None, used: Sequence[int] | None = None
) -> tuple[tuple[Any, ...], Integers]:
    """The values in order, and the new place of each value that was seen."""
    if declared is None and isinstance(seen, Names) and isinstance(seen.array, np.ndarray):
        order = np.argsort(seen.array)  # numbers, maybe a million of them
        return tuple(seen.array[order].tolist()), np.argsort(order).astype(np.int32)
    if declared is None:
        domain = in_order(seen)
    else:
        domain = list(map(plain, declared))
        if len({key(value) for value in domain}) < len(domain):
            raise DataError(f"a value is declared twice: {listing(domain)}")
        _spelled_alike(seen, domain)
    place = {key(value): code for code, value in enumerate(domain)}
    here = range(len(seen)) if used is None else used
    stray = [seen[code] for code in here if key(seen[code]) not in place]
    if stray:
        raise DataError(
            f"{listing(stray, most=5)} {'was' if len(stray) == 1 else 'were'} given and not declared; the declared "
            f"values are {listing(domain)}. Declare all of them, or correct the data"
        )
    return tuple(domain), np.array([place.get(key(value), 0) for value in seen], dtype=np.int32)


def _spelled_alike(seen: Sequence[Any], domain: list[Any]) -> None:
    # Values read from a text file are strings; declared as numbers they are taken to be the strings that spell them.
    if all(isinstance(value, str) for value in seen) and not any(isinstance(value, str) for value in domain):
        spelled = {str(value): place for place, value in enumerate(domain)}
        if seen and all(value in spelled for value in seen):
            domain[:] = [str(value) for value in domain]


def _mixed(seen: Sequence[Any]) -> list[Step]:
    if isinstance(seen, Names):
        return []  # an array of numbers
    groups: dict[str, list[Any]] = {}
    for value in seen:
        name = (
            "number"
            if isinstance(value, int | float) and not isinstance(value, bool)
            else type(value).__name__
        )
        groups.setdefault(name, []).append(value)
    if len(groups) < 2:
        return []
    described = " and ".join(f"{name} ({listing(some, most=2)})" for name, some in sorted(groups.items()))
    return [Step("noticed", f"values of several types, kept apart: {described}", len(seen))]


def _deduplicated(
    item: Integers,
    annotator: Integers,
    items: Sequence[Hashable],
    annotators: Sequence[Hashable],
    policy: Duplicates,
) -> tuple[Array | None, Integers | None, list[Step]]:
    """Which rows to keep (None: all), the occasion of each, and what to say about it."""
    if policy not in ("error", "first", "last", "keep"):
        raise KindError(f"duplicates must be 'error', 'first', 'last' or 'keep', got {policy!r}")
    cells = len(items) * len(annotators)
    fits = np.dtype(np.int32 if cells < np.iinfo(np.int32).max else np.int64)
    if len(annotators) < 63:
        # A bit for each annotator of an item.  Added up they carry where a bit comes twice, and then there are fewer.
        bits = np.zeros(len(items), dtype=np.int64)
        one = np.int64(1) << np.arange(len(annotators))
        for block in range(0, len(item), BLOCK):
            np.add.at(bits, item[block : block + BLOCK], one[annotator[block : block + BLOCK]])
        alone = int(np.bitwise_count(bits).sum(dtype=np.int64)) == len(item)
    elif cells <= max(
        1 << 20, 16 * len(item)
    ):  # marking what is there is faster than sorting while there is room
        seen = np.zeros(cells, dtype=bool)
        for block in range(0, len(item), BLOCK):
            here = slice(block, block + BLOCK)
            seen[item[here].astype(fits) * len(annotators) + annotator[here]] = True
        alone = int(np.count_nonzero(seen)) == len(item)
    else:
        there = np.sort(item.astype(fits) * len(annotators) + annotator)
        alone = not (there[1:] == there[:-1]).any()
    if alone:
        return None, None, []
    where = item.astype(np.int64) * len(annotators) + annotator
    order = np.argsort(where, kind="stable")
    sorted_cells = where[order]
    starts = np.flatnonzero(np.r_[True, sorted_cells[1:] != sorted_cells[:-1]])
    sizes = np.diff(np.r_[starts, len(order)])
    extra = len(order) - len(starts)
    if policy == "error":
        example = int(np.argmax(sizes > 1))
        row = int(order[starts[example]])
        policies = Hint("duplicates", OneOf(("first", "last", "keep")))
        raise DuplicateAnnotation(
            f"annotator {annotators[int(annotator[row])]!r} annotated item {items[int(item[row])]!r} "
            f"{int(sizes[example])} times, and {counted(int((sizes > 1).sum()), 'pair')} of item and annotator "
            f"repeat{'s' if (sizes > 1).sum() == 1 else ''} in all; "
            f"keep one row for each, or pass {policies}",
            hints=[policies],
        )
    if policy == "keep":
        occasion = np.empty(len(item), dtype=np.int32)
        occasion[order] = np.arange(len(order)) - np.repeat(starts, sizes)
        step = Step("merged", f"{counted(extra, 'repeated annotation')} kept as further judgements", extra)
        return None, occasion, [step]
    kept = np.sort(order[starts] if policy == "first" else order[starts + sizes - 1])
    step = Step(
        "dropped", f"{counted(extra, 'repeated annotation')} left out (the {policy} one counts)", extra
    )
    return kept, None, [step]
