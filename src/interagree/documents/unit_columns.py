"""Columns of units, a row for each stretch that somebody marked, as a study; millions of them at once.

The same study as `interagree.gather.units` makes of units one by one: a value for each document and annotator, its
units in order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count, pairwise
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from interagree.arrays import Array, Int64s, Integers
from interagree.data.annotations import Annotations
from interagree.data.codes import Coded, in_kept_form
from interagree.data.columns import Columns, IntoColumn, coded
from interagree.data.memory import without_garbage_collection
from interagree.data.provenance import Provenance, Step, counted, noted
from interagree.data.values import is_missing
from interagree.documents.texts import POSITIONS
from interagree.errors import DataError, KindError, listing
from interagree.errors.options import checks_options, shown
from interagree.errors.plain import mapping
from interagree.gather.marks import SpanValue
from interagree.gather.units import check_word, identical_units
from interagree.kinds.spans import FURTHEST, Spans

T = TypeVar("T")
SpanList: TypeAlias = tuple[SpanValue, ...]

ROOM = 4  # how much larger than the number of units a table of all possible ones may be
MIX = np.uint64(0x9E3779B97F4A7C15)


class UnitColumns(NamedTuple):
    """Units as columns of codes, and those who looked, whether they marked something or not."""

    item: Integers
    annotator: Integers
    start: Array
    end: Array
    label: Integers  # places in labels
    labels: Sequence[str | None]  # in order
    items: Sequence[Hashable]
    annotators: Sequence[Hashable]
    looked: Integers | None = None  # item times the number of annotators plus annotator, of all who looked


class DocumentFacts(NamedTuple):
    """What is known of the documents, for each item; a sequence may be made on demand."""

    texts: Sequence[str | None] | None = None
    tokens: Sequence[tuple[tuple[int, int], ...] | None] | None = None
    positions: str | None = None
    lengths: Sequence[int] | None = None  # how many positions each has


def study_of_columns(units: UnitColumns, known: DocumentFacts, provenance: Provenance) -> Annotations:
    """The study that columns of units are; every unit is well formed."""
    cell = units.item.astype(np.int64) * max(len(units.annotators), 1) + units.annotator
    columns = (cell, units.start, units.end, units.label)
    order = _order(columns)
    if order is not None:
        columns = (cell[order], units.start[order], units.end[order], units.label[order])
    again = np.logical_and.reduce([column[1:] == column[:-1] for column in columns])
    provenance = provenance.then(*identical_units(int(again.sum()), once=False))
    cell, start, end, label = columns
    present, sizes = _cells(cell, units.looked, len(units.items) * max(len(units.annotators), 1))
    value, first = _alike((start, end, label), sizes)
    distinct, bounds = _of_rows((start, end, label), sizes, first)
    item, annotator = np.divmod(present, max(len(units.annotators), 1))
    return Annotations(
        item,
        annotator,
        value,
        units.items,
        tuple(units.annotators),
        cast("tuple[Any, ...]", SpanLists(distinct, bounds, units.labels)),
        of_kind="spans",
        attributes=_attributes(item, known),
        provenance=provenance,
        _shared={("packed", "spans"): _packed_values(distinct, bounds, units.labels)},
    )


def _order(keys: Sequence[Array]) -> Integers | None:
    """The order by several keys, the first one above the others; None where rows are in it already."""
    packed = _packed(keys)
    if packed is None:
        return np.lexsort(keys[::-1])
    return None if bool((packed[1:] >= packed[:-1]).all()) else np.argsort(packed)


def _packed(keys: Sequence[Array]) -> Int64s | None:
    """Whole numbers as one number, which is sorted much faster; None where they do not fit."""
    if not len(keys[0]) or any(key.dtype.kind not in "iu" for key in keys):
        return None
    low = [int(key.min()) for key in keys]
    size = [int(key.max()) - least + 1 for key, least in zip(keys, low, strict=True)]
    if np.prod([float(number) for number in size]) >= 2**62:
        return None
    packed = np.zeros(len(keys[0]), dtype=np.int64)
    for key, least, room in zip(keys, low, size, strict=True):
        packed *= room
        packed += key
        packed -= least
    return packed


def _cells(cell: Integers, looked: Integers | None, room: int) -> tuple[Integers, Integers]:
    """The documents and annotators that there are, in order, and how many units each has; cells come in order."""
    first = np.flatnonzero(np.diff(cell, prepend=-1))
    sizes = np.diff(np.append(first, len(cell)))
    marked = cell[first]
    if looked is None:
        return marked, sizes
    if room <= ROOM * (len(cell) + len(looked)):  # marking what is there is faster than sorting
        there = np.zeros(room, dtype=bool)
        there[marked] = there[looked] = True
        present, place = np.flatnonzero(there), (np.cumsum(there) - 1)[marked]
    else:
        present = np.union1d(marked, looked)
        place = np.searchsorted(present, marked)
    all_sizes = np.zeros(len(present), dtype=np.int64)
    all_sizes[place] = sizes
    return present, all_sizes


Triple = tuple[Array, Array, Integers]  # start, end and label of units, row by row


def _alike(columns: Triple, sizes: Integers) -> tuple[Integers, Integers]:
    """Which of the distinct lists of units each row has, in the order they first appear, and the first row of each."""
    # A list is known by the sum of numbers that its units are mixed to; rows are compared with the first of their sum.
    packed = _packed((columns[0], columns[1] - columns[0], columns[2]))
    keys: Sequence[Array] = columns if packed is None else (packed,)
    bounds = np.cumsum(sizes) - sizes
    total = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(_mixed(keys))])
    stands = _first_rows(_mixed((total[bounds + sizes] - total[bounds], sizes)))
    same = bool((sizes[stands] == sizes).all())
    if same:
        there = np.repeat(bounds[stands] - bounds, sizes) + np.arange(len(columns[0]))
        same = all(bool((key[there] == key).all()) for key in keys)
    if not same:
        stands = _compared(columns, sizes)
    new = stands == np.arange(len(stands))
    return (np.cumsum(new, dtype=np.int32) - 1)[stands], np.flatnonzero(new)


def _mixed(keys: Sequence[Array]) -> NDArray[np.uint64]:
    """One number from several, which those that differ hardly ever share."""
    mixed = np.zeros(len(keys[0]), dtype=np.uint64)
    for key in keys:
        mixed ^= key.astype(np.float64).view(np.uint64) if key.dtype.kind == "f" else key.astype(np.uint64)
        mixed *= MIX
        mixed ^= mixed >> np.uint64(29)
        mixed *= MIX
    return mixed


def _first_rows(numbers: NDArray[np.uint64]) -> Integers:
    """For each row the first one with the same number."""
    stands = np.arange(len(numbers))
    left = stands.copy()
    for shift in range(0, 64, 16):  # rows that share a slot with another number try again with other bits
        slots = 1 << max(len(left).bit_length() + 1, 16)
        slot = ((numbers[left] >> np.uint64(shift)) & np.uint64(slots - 1)).astype(np.int64)
        first = np.zeros(slots, dtype=np.int64)
        first[slot[::-1]] = left[::-1]  # what is written last, the first row, stays
        earlier = first[slot]
        same = numbers[earlier] == numbers[left]
        stands[left[same]] = earlier[same]
        left = left[~same]
        if not len(left):
            break
    if len(left):
        _, at, which = np.unique(numbers[left], return_index=True, return_inverse=True)
        stands[left] = left[at[which]]
    return stands


def _compared(columns: Triple, sizes: Integers) -> Integers:
    """For each row the first one with the same list, found by comparing lists, where two have one number."""
    units = list(zip(*(column.tolist() for column in columns), strict=True))
    first: dict[tuple[object, ...], int] = {}
    lists = (tuple(units[low:high]) for low, high in pairwise([0, *np.cumsum(sizes).tolist()]))
    return np.array([first.setdefault(units_of_row, row) for row, units_of_row in enumerate(lists)], dtype=np.int64)


def _of_rows(columns: Triple, sizes: Integers, first: Integers) -> tuple[Triple, Integers]:
    """The units of some rows, end to end, and where those of each begin and the last ones end."""
    size = sizes[first]
    bounds = np.concatenate([[0], np.cumsum(size)])
    rows = np.repeat((np.cumsum(sizes) - sizes)[first] - bounds[:-1], size) + np.arange(int(bounds[-1]))
    start, end, label = (column[rows] for column in columns)
    return (start, end, label), bounds


class SpanLists(Sequence[SpanList]):
    """SpanLists of units as values, made on demand: measures of spans take the columns."""

    def __init__(self, columns: Triple, bounds: Integers, labels: Sequence[str | None]) -> None:
        self._columns = columns
        self._bounds = bounds
        self._labels = labels
        self._made: tuple[SpanList, ...] | None = None

    def _all(self) -> tuple[SpanList, ...]:
        if self._made is None:
            with without_garbage_collection():
                units = _units(*self._columns, self._labels)
                self._made = tuple(tuple(units[low:high]) for low, high in pairwise(self._bounds.tolist()))
        return self._made

    def __len__(self) -> int:
        return len(self._bounds) - 1

    @overload
    def __getitem__(self, place: int) -> SpanList: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[SpanList, ...]: ...
    def __getitem__(self, place: int | slice) -> SpanList | tuple[SpanList, ...]:
        return self._all()[place]

    def __iter__(self) -> Iterator[SpanList]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        return self._all() == (
            other if isinstance(other, tuple) else tuple(other) if isinstance(other, SpanLists) else ()
        )

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())


def _packed_values(columns: Triple, bounds: Integers, labels: Sequence[str | None]) -> Spans:
    """SpanLists of units as the kind spans packs them, from the columns that they are made of."""
    start, end, label = columns
    once = np.full(len(labels), -1, dtype=np.int64)
    once[label[::-1]] = np.arange(len(label))[::-1]  # what is written last, the first place, stays
    used = np.flatnonzero(once >= 0)
    used = used[np.argsort(once[used])]  # labels are numbered as they first appear
    number = np.zeros(len(labels), dtype=np.int32)
    number[used] = np.arange(len(used))
    return Spans(
        bounds.astype(np.intp),
        start.astype(np.float64),
        end.astype(np.float64),
        number[label],
        names=tuple(labels[at] for at in used.tolist()),
    )


def _units(start: Array, end: Array, label: Integers, labels: Sequence[str | None]) -> list[SpanValue]:
    """Each unit as it stands in a value; units that are alike are one object where that is found out cheaply."""
    names = np.empty(len(labels), dtype=object)
    names[:] = list(labels)
    packed = _packed((start, end - start, label))
    room = 0 if packed is None else int(packed.max()) + 1
    if packed is None or room > ROOM * len(start):
        return list(zip(start.tolist(), end.tolist(), names[label].tolist(), strict=True))
    row = np.zeros(room, dtype=np.int64)
    row[packed] = np.arange(len(packed))  # the last row of those alike stands for all
    there = np.zeros(room, dtype=bool)
    there[packed] = True
    place = np.cumsum(there) - 1
    row = row[there]
    distinct = list(zip(start[row].tolist(), end[row].tolist(), names[label[row]].tolist(), strict=True))
    return list(map(distinct.__getitem__, place[packed].tolist()))


class ByItem(Sequence[T]):
    """What is known of items, as a column with an entry for each row, looked up on demand."""

    def __init__(self, codes: Integers, entries: Sequence[T]) -> None:
        self.codes = codes
        self.entries = entries

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> ByItem[T]: ...
    def __getitem__(self, index: int | slice) -> T | ByItem[T]:
        if isinstance(index, slice):
            return ByItem(self.codes[index], self.entries)
        return self.entries[int(self.codes[index])]

    def __iter__(self) -> Iterator[T]:
        return map(list(self.entries).__getitem__, self.codes.tolist())


def _attributes(item: Integers, known: DocumentFacts) -> Columns:
    kept: dict[str, IntoColumn] = {
        name: ByItem(item, entries)
        for name, entries in (("text", known.texts), ("tokens", known.tokens), ("length", known.lengths))
        if entries is not None
    }
    if known.positions is not None:
        kept["positions"] = Coded(np.zeros(len(item), dtype=np.int8), (known.positions,))
    return Columns(kept)


# -- columns as somebody gives them --------------------------------------------------------------------------


@partial(checks_options, besides=("tokens", "texts", "looked"))
def from_units(
    document: IntoColumn,
    annotator: IntoColumn,
    start: ArrayLike,
    end: ArrayLike,
    label: IntoColumn | None = None,
    *,
    texts: Mapping[Hashable, str] | None = None,
    tokens: Mapping[Hashable, Sequence[tuple[int, int]]] | None = None,
    positions: str | None = None,
    looked: Sequence[tuple[Hashable, Hashable]] | None = None,
) -> Annotations:
    """A study of spans from columns: a row for each unit that somebody marked; millions of rows in seconds.

    Args:
        document: The document of each unit.
        annotator: Who marked it.
        start: Where it begins.
        end: Where it ends, not included.
        label: What it is; None for units without a label.
        texts: The texts of documents, where they are known.
        tokens: The tokens of documents as (start, end) in their texts.
        positions: What positions count: "characters", "tokens" or "seconds".
        looked: Pairs (document, annotator) of those who looked, to tell who marked nothing from who did not look.

    Returns:
        Annotations whose items are the documents and whose values are lists of spans.

    Examples:
        >>> import interagree as ia
        >>> study = ia.spans.from_units(["d1", "d1"], ["ann", "bo"], [0, 0], [5, 4], ["PER", "PER"])
        >>> study.rows()
        [('d1', 'ann', ((0, 5, 'PER'),)), ('d1', 'bo', ((0, 4, 'PER'),))]
    """
    if positions is not None:
        check_word("positions", positions, POSITIONS)
    low, high = _positions("start", start), _positions("end", end)
    columns = {"document": document, "annotator": annotator, "start": low, "end": high}
    columns |= {} if label is None else {"label": label}
    for name, column in columns.items():
        if not hasattr(column, "__len__") or isinstance(column, str | bytes | dict) or getattr(column, "ndim", 1) != 1:
            raise KindError(
                f"the column {name} of units is a list or an array with an entry for each, not {shown(column)}"
            )
    if len({len(column) for column in columns.values()}) > 1:
        sizes = listing((f"{name} {len(column)}" for name, column in columns.items()), quote=False)
        raise DataError(f"the columns of units must be of one length, and these have: {sizes}")
    item, items, who, annotators, looking = _names(document, annotator, looked)
    _check(low, high, item, who, items, annotators)
    of, labels = _labels(label, len(low))
    kept = low < high
    steps = _steps(int((~kept).sum()), looked)
    if not kept.all():
        # Who marked nothing but points looked all the same.
        points = item[~kept].astype(np.int64) * max(len(annotators), 1) + who[~kept]
        looking = points if looking is None else np.concatenate([looking, points])
        item, who, low, high, of = item[kept], who[kept], low[kept], high[kept], of[kept]
    return study_of_columns(
        UnitColumns(item, who, low, high, of, labels, items, annotators, looking),
        _known(items, texts, tokens, positions),
        Provenance().then(*steps),
    )


def _positions(name: str, column: ArrayLike) -> Array:
    try:
        numbers = np.asarray(column)
        if numbers.dtype.kind == "O" and numbers.ndim == 1:  # numbers that a frame keeps as objects
            numbers = np.asarray(numbers.tolist())
    except ValueError:  # rows of different lengths
        numbers = np.asarray(None)
    if numbers.ndim != 1:
        raise KindError(f"the column {name} of units is a list or an array with a number for each, not {shown(column)}")
    if not len(numbers):
        return np.zeros(0, dtype=np.int64)
    if numbers.dtype.kind not in "iuf":
        raise DataError(f"the column {name} of units holds a number for each, and this is an array of {numbers.dtype}")
    if (np.abs(numbers) >= FURTHEST).any():
        raise DataError(
            f"the column {name} of units holds {numbers[np.argmax(np.abs(numbers))]}, and positions beyond 2**53 "
            "cannot be told apart; count from the start of each document, or in larger units"
        )
    return numbers


def _names(
    document: IntoColumn, annotator: IntoColumn, looked: Sequence[tuple[Hashable, Hashable]] | None
) -> tuple[Integers, Sequence[Hashable], Integers, Sequence[Hashable], Integers | None]:
    """Documents and annotators as codes, those who only looked among them."""
    if looked is not None and not hasattr(looked, "__iter__"):
        raise DataError(f"looked= holds pairs (document, annotator), not {shown(looked)}")
    silent: list[object] = [] if looked is None else list(looked)
    item, who = coded(document), coded(annotator)
    for name, column in (("document", item), ("annotator", who)):
        if column.gaps:
            row = int(np.flatnonzero(column.codes < 0)[0])
            raise DataError(f"row {row + 1} of the units has no {name}")
    if not silent:
        return item.codes, in_kept_form(item.names), who.codes, tuple(who.names), None
    items, people = list(item.names), list(who.names)
    item_of, person_of = ({name: place for place, name in enumerate(names)} for names in (items, people))
    pairs = []
    for pair in silent:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise DataError(f"looked= holds pairs (document, annotator), and {pair!r} is not a pair")
        pairs.append((_place(pair[0], items, item_of), _place(pair[1], people, person_of)))
    cells = np.array(pairs, dtype=np.int64)
    return item.codes, tuple(items), who.codes, tuple(people), cells[:, 0] * len(people) + cells[:, 1]


def _place(name: Hashable, names: list[Hashable], places: dict[Hashable, int]) -> int:
    """The place of a name, which is added where it is new."""
    place = places.setdefault(name, len(names))
    if place == len(names):
        names.append(name)
    return place


def _check(  # noqa: PLR0917 -- two columns, and what an error has to name
    low: Array, high: Array, item: Integers, who: Integers, items: Sequence[Hashable], annotators: Sequence[Hashable]
) -> None:
    wrong = np.flatnonzero(~(low <= high) | ~np.isfinite(low) | ~np.isfinite(high))
    if len(wrong):
        row = int(wrong[0])
        raise DataError(
            f"a unit in {items[int(item[row])]!r} by {annotators[int(who[row])]!r} runs from {low[row]} to "
            f"{high[row]}; expected numbers, and an end that is not before the start (row {row + 1}; "
            f"{counted(len(wrong), 'row')} such in all)"
        )


def _labels(label: IntoColumn | None, size: int) -> tuple[Integers, tuple[str | None, ...]]:
    """The place of each label among all in order; having none comes first."""
    if label is None:
        return np.zeros(size, dtype=np.int32), (None,)
    codes, names = _numbered(label)
    odd = next((name for name in names if not isinstance(name, str) and not is_missing(name)), None)
    if odd is not None:
        raise DataError(f"labels of units are strings, or None for none, and {odd!r} is {type(odd).__name__}")
    order = sorted((at for at in range(len(names)) if isinstance(names[at], str)), key=names.__getitem__)
    place = np.zeros(len(names) + 1, dtype=np.int32)  # the last one is for a gap
    place[order] = np.arange(1, len(order) + 1)
    return place[codes], (None, *(names[at] for at in order))


def _numbered(label: IntoColumn) -> tuple[Integers, Sequence[Any]]:
    if isinstance(label, list | tuple) or (isinstance(label, np.ndarray) and label.dtype.kind in "UO"):
        entries = label.tolist() if isinstance(label, np.ndarray) else label
        place: defaultdict[object, int] = defaultdict(count().__next__)
        return np.fromiter(map(place.__getitem__, entries), dtype=np.int32, count=len(entries)), list(place)
    column = coded(label)
    return column.codes, list(column.names)


def _steps(short: int, looked: object) -> list[Step]:
    assumed = Step("assumed", "who has no unit in a document did not look at it (looked= says who did)")
    aside = noted("set aside", f"{counted(short, 'unit')} without length left out", short)
    return [*aside, assumed] if looked is None else aside


def _known(
    items: Sequence[Hashable],
    texts: Mapping[Hashable, str] | None,
    tokens: Mapping[Hashable, Sequence[tuple[int, int]]] | None,
    positions: str | None,
) -> DocumentFacts:
    texts, tokens = mapping(texts), mapping(tokens)
    for name, given in (("texts", texts), ("tokens", tokens)):
        if not isinstance(given, Mapping | None):
            raise KindError(f"{name} come as a dict from each document to its {name}, not as {shown(given)}")
    try:
        laid = {name: tuple((low, high) for low, high in offsets) for name, offsets in (tokens or {}).items()}
    except (TypeError, ValueError):
        raise KindError(f"the tokens of a document come as a list of (start, end), not as {shown(tokens)}") from None
    return DocumentFacts(
        [texts.get(name) for name in items] if texts else None,
        [laid.get(name) for name in items] if laid else None,
        positions,
    )
