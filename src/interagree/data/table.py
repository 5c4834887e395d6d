"""The central type: who gave which item which value.

One row is one annotation.  An annotation that is missing is a row that is missing, never a special value; a
value that is empty (a set of labels with nothing in it) is a value.  The three columns are whole numbers
that point into ``items``, ``annotators`` and ``values``, so that everything after this is arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self, TypeVar

import numpy as np

from interagree.arrays import Array, Booleans, Integers
from interagree.data.codes import encode, names_at
from interagree.data.columns import Columns
from interagree.data.domain import domain_of
from interagree.data.levels import Stated
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.types import Annotator, Item, Value
from interagree.data.values import are_sets, in_order, key
from interagree.errors import DataError, Hint, KindError, UnknownName, listing, suggestion
from interagree.errors.options import checks_options
from interagree.errors.signs import printable
from interagree.tables import cell

T = TypeVar("T")

KEEPING = Hint("duplicates", "keep")

_ABOUT = object()  # under which `_shared` holds the values that it is about


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CodedTable:
    """An immutable table of annotations, coded as whole numbers, and the tables that can be made of it."""

    item: Integers
    annotator: Integers
    value: Integers
    items: Sequence[Item]
    annotators: Sequence[Annotator]  # empty when nobody knows who gave which value
    values: tuple[Any, ...]
    ordered: bool | None = None  # whether the order of values means something; None where nobody said
    stated: bool = False  # whether somebody declared the values, in order
    of_kind: str | None = None  # the kind of value that somebody stated, such as "boxes"
    stated_level: Stated | None = None  # the level of measurement that somebody stated
    value_labels: Mapping[Value, str] = field(default_factory=dict)  # what values stand for, in words
    occasion: Integers | None = None  # the first, second, … judgement of one item by one annotator
    attributes: Mapping[str, Array] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)
    _cache: dict[object, Any] = field(default_factory=dict)  # of this study alone: another one starts with none
    _shared: dict[object, Any] = field(default_factory=dict)  # what depends on the values and their kind alone

    def __post_init__(self) -> None:
        n = len(self.item)
        columns = {"item": self.item, "value": self.value, "annotator": self.annotator}
        limits = {"item": len(self.items), "value": len(self.values), "annotator": max(len(self.annotators), 1)}
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
                raise DataError(f"the attribute {name!r} has {further.size(name)} rows, and the study has {n}")
        for fixed in (*columns.values(), self.occasion):
            if fixed is not None:
                fixed.flags.writeable = False
        # dataclasses.replace hands over what the other study remembered, which need not be true of this one.
        object.__setattr__(self, "_cache", {})
        values, known = self._shared.setdefault(_ABOUT, (self.values, self.of_kind))
        if values is not self.values or known != self.of_kind:
            object.__setattr__(self, "_shared", {_ABOUT: (self.values, self.of_kind)})

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """What is pickled: the table, without what can be made of it again."""
        return type(self), tuple(getattr(self, each.name) for each in fields(self) if not each.name.startswith("_"))

    def __len__(self) -> int:
        return len(self.item)

    @printable
    def __repr__(self) -> str:
        who = "annotators unknown" if self.anonymous else f"{len(self.annotators)} annotators"
        return f"<Annotations: {len(self)} annotations, {len(self.items)} items, {who}, {len(self.values)} values>"

    def _repr_html_(self) -> str:
        from interagree.data.shown import annotations_html

        return annotations_html(self)

    @property
    def anonymous(self) -> bool:
        """Whether nobody knows who gave which value."""
        return not len(self.annotators)

    @property
    def in_order(self) -> bool:
        """Whether the values stand in an order that a measure may use."""
        return bool(self.ordered) or self.stated

    def named(self, value: Value) -> str:
        """A value as people read it: with what it stands for, where a codebook says so."""
        label = self.value_labels.get(value) if self.value_labels else None
        return cell(value) if label is None else f"{cell(value)} ({cell(label)})"

    def rows(self) -> list[tuple[Item, Annotator, Any]]:
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

    def _taking(self, keep: Array, **changes: Any) -> Self:
        """Some rows, with columns or names that change at the same time."""
        columns = {name: getattr(self, name)[keep] for name in ("item", "annotator", "value") if name not in changes}
        occasion = None if self.occasion is None else self.occasion[keep]
        attributes = Columns.of(self.attributes).taking(keep)
        return replace(self, occasion=occasion, attributes=attributes, **columns, **changes)

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

    @checks_options
    def without(self, *names: Hashable) -> Self:
        """The study as if these annotators had not taken part."""
        gone = {self.annotator_code(name) for name in names}
        return self._annotators([code for code in range(len(self.annotators)) if code not in gone])

    @checks_options
    def only(self, *, annotators: Iterable[Hashable] | None = None, items: Iterable[Hashable] | None = None) -> Self:
        """The study of some annotators or some items alone."""
        chosen = self
        if annotators is not None:
            chosen = chosen._annotators([self.annotator_code(name) for name in annotators])
        if items is not None:
            wanted = set(items)
            codes = [code for code, name in enumerate(self.items) if name in wanted]
            absent = wanted - {self.items[code] for code in codes}
            if absent:
                raise UnknownName(f"there is no item {listing(sorted(map(str, absent)))} in the study")
            chosen = chosen.items_where(np.isin(np.arange(len(self.items)), codes))
        return chosen

    def _annotators(self, codes: Sequence[int]) -> Self:
        place = np.full(max(len(self.annotators), 1), -1, dtype=np.int64)
        place[list(codes)] = np.arange(len(codes))
        new = place[self.annotator]
        keep = new >= 0
        return self._taking(keep, annotator=new[keep], annotators=tuple(self.annotators[code] for code in codes))

    @checks_options
    def merge_labels(self, *labels: Hashable) -> Self:
        """The study with some of its values as one, which is called as the first of them.

        Args:
            labels: Two values or more; numbers may be spelled.
        """
        if len(labels) < 2:
            raise DataError(f"two labels or more are merged, and {len(labels)} was named")
        spelled = {str(value): code for code, value in enumerate(self.values)}
        codes = []
        for label in labels:
            code = next((code for code, value in enumerate(self.values) if value == label), spelled.get(str(label)))
            if code is None:
                known = listing(self.values)
                raise UnknownName(
                    f"there is no label {label!r} to merge; there are {known}." + suggestion(str(label), spelled)
                )
            codes.append(code)
        gone = sorted({*codes[1:]} - {codes[0]})
        place = np.arange(len(self.values))
        place[gone] = codes[0]
        place -= np.searchsorted(gone, place)
        moved = int(np.isin(self.value, gone).sum())
        names = listing(self.values[code] for code in gone)
        step = Step("merged", f"{names} taken as {self.values[codes[0]]!r} ({counted(moved, 'annotation')})", moved)
        values = tuple(value for code, value in enumerate(self.values) if code not in gone)
        return replace(self, value=place[self.value], values=values).with_steps(step)

    def annotations_where(self, mask: Booleans) -> Self:
        """The study of the annotations at which ``mask`` is true, of the same items."""
        return self._taking(mask)

    def items_where(self, mask: Booleans) -> Self:
        """The study of the items at which ``mask`` is true."""
        place = np.cumsum(mask) - 1
        keep = mask[self.item]
        return self._taking(keep, item=place[self.item[keep]], items=names_at(self.items, np.flatnonzero(mask)))

    def first_judgements(self) -> Self:
        """The study without repeated judgements: what each annotator said of each item the first time."""
        if self.occasion is None:
            return self
        again = int(np.count_nonzero(self.occasion))
        chosen = replace(self._taking(self.occasion == 0), occasion=None)
        sentence = f"{again:,} repeated judgements left out, since different annotators are compared"
        return chosen.with_steps(Step("dropped", sentence, again))

    def repeats(self) -> Self:
        """Every annotator compared with themselves, for intra-annotator agreement.

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
            items=tuple((self.items[cell // people], self.annotators[cell % people]) for cell in cells.tolist()),
            annotators=tuple(f"judgement {number}" for number in range(1, rounds + 1)),
            occasion=None,
            provenance=self.provenance.then(Step("taken", "every annotator compared with themselves", len(cells))),
        )

    def labels(self) -> tuple[Any, ...]:
        """What a table by value has rows for: the values, or, where values are sets, the labels in them."""
        if not are_sets(self.values):
            return self.values
        return tuple(in_order(list(dict.fromkeys(part for value in self.values for part in value))))

    @checks_options
    def versus_rest(self, label: Value) -> Self:
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
            stated_level=None,
        )

    @checks_options
    def declaring(self, values: Sequence[object], *, ordered: bool | None = None) -> Self:
        """The same study with other declared values, or with the same ones in another order."""
        domain, recode = domain_of(self.values, values, used=np.unique(self.value).tolist())
        return replace(
            self,
            value=recode[self.value] if len(self.value) else self.value,
            values=domain,
            ordered=self.ordered if ordered is None else ordered,
            stated=True,
        )

    def with_steps(self, *steps: Step) -> Self:
        """The same study with further steps in its provenance."""
        return replace(self, provenance=self.provenance.then(*steps))

    @checks_options
    def item_attribute(self, name: str) -> tuple[Integers, tuple[Value, ...]]:
        """For each item the code of its group under an attribute, and the groups.

        Every annotation of one item must have the same entry.
        """
        if name not in self.attributes:
            known = list(map(str, self.attributes))
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

    def cached(self, name: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` gives, made once for this study."""
        if name not in self._cache:
            self._cache[name] = make()
        made: T = self._cache[name]
        return made

    def shared(self, name: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` gives, made once for this study and all parts of it, which have the same values."""
        if name not in self._shared:
            self._shared[name] = make()
        made: T = self._shared[name]
        return made
