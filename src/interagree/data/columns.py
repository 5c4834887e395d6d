"""Columns of any kind as whole numbers, and the names the numbers stand for.

Reading a long table costs what it costs to number its items, so there is one way for each kind of column: whole
numbers in a narrow range by marking which of them occur, Arrow's dictionaries and the categories of a frame as they
are, strings by Arrow's hash table, everything else by a Python dictionary.  Names are kept where they lie until
somebody asks for one.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, overload

import numpy as np

from interagree.arrays import Array, Booleans, Integers
from interagree.data.values import is_missing, key, plain
from interagree.errors import DataError

FEW = 10_000  # names up to this number are kept as a plain tuple
MANY = 100_000  # entries from which on importing Arrow pays
SAMPLE = 65_536  # entries that tell whether a column of strings repeats itself
WORD = 8  # bytes that are compared at once
BLOCK = 1 << 16  # rows that are dealt with at once
LONGEST = 4 * WORD  # bytes of a string that is numbered by its words

_SIMPLE = frozenset({str, int, float, type(None)})


class Names(Sequence[Any]):
    """The distinct entries of a column, kept in the array they came in."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array  # of NumPy or of Arrow

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Names: ...
    def __getitem__(self, index: int | slice) -> Any:
        found = self.array[index]
        if isinstance(index, slice):
            return Names(found)
        return found.as_py() if hasattr(found, "as_py") else found.item()

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(
            self.array[at : at + FEW].tolist() for at in range(0, len(self.array), FEW)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<Names: {self[0]!r}, … ({len(self)} in all)>" if len(self) else "<Names: none>"

    def take(self, places: Integers) -> Names:
        """The names at these places."""
        return Names(
            self.array[places]
            if isinstance(self.array, np.ndarray)
            else self.array.take(_pyarrow().array(places))
        )


def kept(names: Sequence[Any], places: Integers) -> Sequence[Any]:
    """The names at these places, in the form that suits their number."""
    if isinstance(names, Names):
        return settled(names.take(places))
    return tuple(names[place] for place in places.tolist())


def settled(names: Sequence[Any]) -> Sequence[Any]:
    """Names in the form they are kept in: a tuple where there are few of them."""
    return names if isinstance(names, range) or len(names) > FEW else tuple(names)


def narrow(names: int) -> type[np.signedinteger[Any]]:
    """The smallest whole numbers that can be codes of so many names; new memory is what costs the most."""
    return np.int8 if names < 127 else np.int16 if names < 32_767 else np.int32


class Kept:
    """The rows of a table that count."""

    def __init__(self, mask: Booleans) -> None:
        self.mask = mask
        self.count = int(np.count_nonzero(mask))

    def __len__(self) -> int:
        return self.count

    def of(self, column: Array, kind: Any = None) -> Array:
        """A column of these rows alone, block by block so that nothing large is made on the way."""
        found = np.empty(self.count, dtype=kind or column.dtype)
        at = 0
        for block in range(0, len(column), BLOCK):
            part = column[block : block + BLOCK].take(np.flatnonzero(self.mask[block : block + BLOCK]))
            found[at : at + len(part)] = part
            at += len(part)
        return found

    @cached_property
    def rows(self) -> Integers:
        """The places of these rows."""
        found: Integers = np.empty(self.count, dtype=np.int32 if len(self.mask) < 2**31 else np.int64)
        at = 0
        for block in range(0, len(self.mask), BLOCK):
            part = np.flatnonzero(self.mask[block : block + BLOCK])
            found[at : at + len(part)] = part + block
            at += len(part)
        return found


@dataclass(frozen=True, slots=True)
class Coded:
    """A column as codes, -1 where there is nothing, and the names the codes stand for."""

    codes: Integers
    names: Sequence[Any]
    gaps: bool = False  # whether some codes are -1
    ordered: bool = False  # whether the column itself says that its names stand in order
    tight: bool = False  # whether every name is known to occur

    def __len__(self) -> int:
        return len(self.codes)

    def where(self, keep: Kept | None) -> Coded:
        """The column of some rows alone."""
        if keep is None:
            return self
        return Coded(keep.of(self.codes, narrow(len(self.names))), self.names, self.gaps, self.ordered)

    def compact(self) -> Coded:
        """Without the names that no row has; a scale that the column states stays whole."""
        if self.tight:
            return Coded(self.codes, settled(self.names), self.gaps, self.ordered)
        used = occurring(self.codes, len(self.names)).present
        if self.ordered or used[:-1].all():
            return Coded(self.codes, settled(self.names), self.gaps, self.ordered)
        place = np.cumsum(used, dtype=np.int32) - 1
        place[-1] = -1
        return Coded(place[self.codes], kept(self.names, np.flatnonzero(used[:-1])), self.gaps)

    def renamed(self, names: Sequence[Any]) -> Coded:
        """The same rows under other names, None for nothing; equal names become one."""
        place: dict[Any, int] = {}
        distinct: list[Any] = []
        new = np.full(len(names) + 1, -1, dtype=np.int32)
        for code, name in enumerate(names):
            if name is not None:
                new[code] = place.setdefault(key(name), len(distinct))
                if new[code] == len(distinct):
                    distinct.append(name)
        if np.array_equal(new[:-1], np.arange(len(names))):
            return Coded(self.codes, distinct, self.gaps, self.ordered)
        codes = new[self.codes]
        return Coded(codes, distinct, bool(codes.size and codes.min() < 0), self.ordered)


def coded(column: Any, keep: Kept | None = None) -> Coded:
    """Any column as codes, of all rows or of those to keep."""
    # A masked array has a mask; asking for its class would import half of NumPy once more.
    masked = hasattr(column, "mask") and isinstance(column, np.ndarray)
    if isinstance(column, np.ndarray) and not masked:
        return _array(column, keep)
    if type(column).__module__.partition(".")[0] == "pyarrow":
        return _arrow(column, keep)
    if isinstance(column, Coded):
        return column.where(keep)
    if isinstance(column, range) and column == range(len(column)):
        return Coded(np.arange(len(column), dtype=np.int32), column).where(keep)
    if masked:
        return _gapped(column.data, np.ma.getmaskarray(column)).where(keep)
    return _objects(list(column)).where(keep)


def _array(column: Array, keep: Kept | None = None) -> Coded:
    if column.ndim != 1:
        raise DataError(f"a column has one dimension, and this array has the shape {column.shape}")
    if column.dtype.kind in "iu":
        return _whole(column, keep)
    column = column if keep is None else keep.of(column)
    match column.dtype.kind:
        case "b":
            return Coded(column.astype(np.int8), (False, True)).compact()
        case "f":
            return _reals(column)
        case "U" if len(column) >= MANY and (arrow := _pyarrow()) is not None:
            return _arrow(arrow.array(column))
        case "M" | "m":
            return _objects(column.astype(f"{column.dtype.kind}8[us]").tolist())
        case "O":
            return _objects(column)
        case _:
            return _objects(column.tolist())


def _whole(column: Array, keep: Kept | None = None) -> Coded:
    """Whole numbers: mark which occur where their range is narrow, sort them or hash them where it is wide."""
    if not len(column if keep is None else keep):
        return Coded(np.zeros(0, dtype=np.int32), ())
    low, high = int(column.min()), int(column.max())
    width = high - low + 1
    if low == 0 and width <= max(4 * len(column), 1 << 16) and width < 2**31:
        codes = column.astype(narrow(width)) if keep is None else keep.of(column, narrow(width))
        present = occurring(codes, width).present[:-1]
        if present.all():
            return Coded(codes, range(width), tight=True)
        code = np.cumsum(present, dtype=narrow(width)) - narrow(width)(1)
        return Coded(code[codes], Names(np.flatnonzero(present).astype(column.dtype)), tight=True)
    column = column if keep is None else keep.of(column)
    if width > max(4 * len(column), 1 << 16):
        if len(column) >= MANY and (arrow := _pyarrow()) is not None:
            return _arrow(arrow.array(column).dictionary_encode())
        names, codes = np.unique(column, return_inverse=True)
        return Coded(codes.astype(np.int32), Names(names))
    wide = (
        np.uint64 if column.dtype.kind == "u" else np.int64
    )  # the difference may not fit into a narrow type
    places = column.astype(wide) - wide(low)
    present = occurring(places, width).present[:-1]
    code = np.cumsum(present, dtype=np.int32) - 1
    return Coded(code[places], Names(np.flatnonzero(present).astype(wide) + wide(low)), tight=True)


def _reals(column: Array) -> Coded:
    """Reals, NaN for nothing; where all are whole, the whole numbers they are."""
    small = _small(column)
    if small is not None:
        return small
    nothing = np.isnan(column)
    if nothing.any():
        return _gapped(column, nothing)
    if len(column) and np.abs(column).max() < 2**53 and (np.trunc(column) == column).all():
        return _whole(column.astype(np.int64))
    names, codes = np.unique(column, return_inverse=True)
    return Coded(codes.astype(np.int32), Names(names))


def _small(column: Array) -> Coded | None:
    """Whole numbers from 0 up that became reals because some were missing: the usual case, block by block."""
    codes = np.empty(len(column), dtype=np.int16)
    seen = _Seen((1 << 15) - 1)
    gaps = False
    for block in range(0, len(column), BLOCK):
        part = column[block : block + BLOCK]
        places = codes[block : block + BLOCK]
        with np.errstate(invalid="ignore"):  # NaN becomes some number or other, which differs from it
            places[:] = part
        same = places == part
        if not same.all():
            if not (same | (part != part)).all():  # noqa: PLR0124 -- only NaN differs from itself
                return None
            gaps = True
            np.copyto(places, -1, where=~same)
        if np.fmin.reduce(part) < 0 or not seen.add(places):
            return None
    place = seen.places()
    if place is None:
        return Coded(codes, Names(np.arange(seen.top)), gaps=gaps)
    return Coded(place[codes], Names(np.flatnonzero(seen.present[:-1])), gaps=gaps)


class _Seen:
    """Which of the numbers below a limit occur, -1 aside; marking stops while all up to the largest were seen."""

    def __init__(self, limit: int) -> None:
        self.present = np.zeros(limit + 1, dtype=bool)  # the last place is for -1
        self.limit = limit
        self.top = 0  # one above the largest number so far
        self.full = True

    def add(self, codes: Integers) -> bool:
        """Mark the numbers of a block; False where one is too large."""
        top = int(codes.max()) + 1 if len(codes) else 0
        if top > self.limit:
            return False
        if top > self.top or not self.full:
            self.top = max(self.top, top)
            self.present[codes] = True
            self.full = bool(self.present[: self.top].all())
        return True

    def places(self) -> Integers | None:
        """The new number of each; None where nothing changes."""
        if self.full:
            return None
        place = np.cumsum(self.present, dtype=np.int32) - 1
        place[-1] = -1
        return place


def occurring(codes: Integers, limit: int) -> _Seen:
    """Which of the numbers below a limit occur, -1 aside."""
    seen = _Seen(limit)
    for block in range(0, len(codes), BLOCK):
        seen.add(codes[block : block + BLOCK])
    return seen


def _gapped(column: Array, nothing: Booleans) -> Coded:
    there = ~nothing
    body = _array(column[there])
    codes = np.full(len(column), -1, dtype=np.int32)
    codes[there] = body.codes
    return Coded(codes, body.names, gaps=bool(nothing.any()) or body.gaps)


def _objects(entries: Any) -> Coded:
    """Python objects: names in the order they first appear; True is not 1, "1" is not 1, and 1 is 1.0."""
    kinds = set(map(type, entries))
    if len(entries) >= MANY and str in kinds and kinds <= {str, type(None), float} and (arrow := _pyarrow()):
        try:
            return _arrow(arrow.array(entries, arrow.large_string(), from_pandas=True))
        except (arrow.ArrowInvalid, arrow.ArrowTypeError):
            pass  # some of the floats are numbers, or a string is no Unicode
    keyed = False
    entries = entries.tolist() if isinstance(entries, np.ndarray) else entries
    if not kinds <= _SIMPLE:
        entries = [plain(entry) for entry in entries]
        keyed = bool in set(map(type, entries))
    keys = [key(entry) for entry in entries] if keyed else entries
    names: list[Any] = []
    place: dict[Any, int] = {}
    try:
        distinct = dict.fromkeys(keys)
    except TypeError:
        odd = next(entry for entry in entries if not _hashable(entry))
        raise DataError(
            f"{odd!r} cannot be a name or a value, because it can be changed (it has no hash); give a string, a "
            "number, a tuple or a frozenset"
        ) from None
    for one in distinct:
        entry = one[1] if keyed else one
        if is_missing(entry):
            place[one] = -1
        else:
            place[one] = len(names)
            names.append(entry)
    if kinds <= {float, type(None)} and all(name.is_integer() for name in names):
        names = list(map(int, names))  # whole numbers that became reals because some were missing
    codes = np.fromiter(map(place.__getitem__, keys), dtype=np.int32, count=len(keys))
    return Coded(codes, names, gaps=len(names) < len(place))


def _hashable(entry: Any) -> bool:
    try:
        hash(entry)
    except TypeError:
        return False
    return True


# -- Arrow --------------------------------------------------------------------------------------------------


def _pyarrow() -> Any:
    """Arrow where it is installed, else None."""
    try:
        import pyarrow as pa
    except ImportError:
        return None
    return pa


def _arrow(column: Any, keep: Kept | None = None) -> Coded:
    pa = _pyarrow()
    types = pa.types
    whole = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    if types.is_dictionary(whole.type):
        return _dictionary(whole).where(keep)
    if types.is_string_view(whole.type):
        whole = whole.cast(pa.large_string())
    if types.is_string(whole.type) or types.is_large_string(whole.type):
        return _strings(whole, keep)
    if types.is_integer(whole.type) or types.is_floating(whole.type):
        numbers = (
            np.concatenate([_bare(chunk) for chunk in whole.chunks])
            if whole.num_chunks != 1
            else _bare(whole.chunk(0))
        )
        if not whole.null_count:
            return _array(numbers, keep)
        nothing = np.concatenate([_nulls(chunk) for chunk in whole.chunks])
        if (
            types.is_integer(whole.type)
            and len(whole)
            and int(numbers.min()) > -(2**31)
            and int(numbers.max()) < 2**31
        ):
            return _reals(np.where(nothing, np.nan, numbers)).where(keep)
        return _gapped(numbers, nothing).where(keep)
    return _objects(whole.to_pylist()).where(keep)


def _dictionary(whole: Any) -> Coded:
    if not whole.num_chunks:
        return Coded(np.zeros(0, dtype=np.int32), ())
    first, *others = whole.chunks
    shared = all(_address(chunk.dictionary) == _address(first.dictionary) for chunk in others)
    chunks = whole.chunks if shared else [whole.combine_chunks()]
    codes = np.empty(len(whole), dtype=np.int32)
    at = 0
    for chunk in chunks:
        part = codes[at : at + len(chunk)]
        part[:] = _bare(chunk.indices)
        if chunk.indices.null_count:
            np.putmask(part, _nulls(chunk.indices), -1)
        at += len(chunk)
    names = chunks[0].dictionary
    result = Coded(codes, Names(names), bool(whole.null_count), ordered=bool(whole.type.ordered))
    return result.renamed(list(result.names)) if names.null_count else result


def _address(array: Any) -> tuple[int, int, int]:
    return array.buffers()[-1].address if array.buffers()[-1] else 0, array.offset, len(array)


def _bare(array: Any) -> Array:
    """The numbers of an array, whatever stands where there is nothing."""
    _, numbers = array.buffers()
    dtype = array.type.to_pandas_dtype()
    return np.frombuffer(
        numbers, dtype=dtype, count=len(array), offset=array.offset * np.dtype(dtype).itemsize
    )


def _nulls(array: Any) -> Booleans:
    if not array.null_count:
        return np.zeros(len(array), dtype=bool)
    bits = np.unpackbits(np.frombuffer(array.buffers()[0], dtype=np.uint8), bitorder="little")
    there: Booleans = bits[array.offset : array.offset + len(array)].astype(bool)
    return ~there


def _strings(whole: Any, keep: Kept | None) -> Coded:
    # A column that hardly repeats itself does not fit into the processor's cache as a table of strings.
    if len(whole) >= MANY and len(whole.slice(0, SAMPLE).unique()) > SAMPLE // 4:
        fast = _by_words(whole, None if keep is None else keep.rows)
        if fast is not None:
            return fast
    return _dictionary(whole.dictionary_encode()).where(keep)


def _by_words(whole: Any, keep: Array | None) -> Coded | None:
    """Short strings, taken eight bytes at a time, which is faster than hashing them byte by byte.

    The words of a string are mixed into one number, the numbers are told apart, and every string is then compared to
    the one that stands for its number, so that two strings with the same number cannot be taken for one.  None where
    the strings are long, or where that happens.
    """
    pa = _pyarrow()
    array = whole.chunk(0) if whole.num_chunks == 1 else pa.concat_arrays(whole.chunks)
    _, offsets, text = array.buffers()
    wide = np.dtype(np.int64 if pa.types.is_large_string(array.type) else np.int32)
    bounds = np.frombuffer(offsets, dtype=wide, count=len(array) + 1, offset=array.offset * wide.itemsize)
    gaps = array.null_count and _nulls(array)[slice(None) if keep is None else keep].any()
    longest = max(
        int(np.diff(bounds[at : at + BLOCK + 1]).max(initial=1)) for at in range(0, len(array), BLOCK)
    )
    if gaps or text is None or longest >= LONGEST or sys.byteorder != "little":
        return None
    raw = np.frombuffer(text, dtype=np.uint8)
    if len(raw) < int(bounds[-1]) + LONGEST:  # a word may reach beyond the last string
        raw = np.concatenate([raw, np.zeros(LONGEST, dtype=np.uint8)])
    words, mixed = _words(raw, bounds, keep, longest)
    codes = _bare(pa.array(mixed).dictionary_encode().indices)
    del mixed
    size = int(codes.max(initial=-1)) + 1
    for word in words:
        standing = np.empty(size, dtype=np.uint64)
        standing[codes] = word
        if any(
            not np.array_equal(standing[codes[at : at + BLOCK]], word[at : at + BLOCK])
            for at in range(0, len(codes), BLOCK)
        ):
            return None
    row = np.empty(size, dtype=np.int64)
    for at in range(0, len(codes), BLOCK):
        here = codes[at : at + BLOCK]
        row[here] = np.arange(at, at + len(here)) if keep is None else keep[at : at + BLOCK]
    return Coded(codes, Names(array.take(pa.array(row))), tight=True)


def _words(raw: Array, bounds: Integers, keep: Array | None, longest: int) -> tuple[Array, Array]:
    """The words after the first of strings that lie one after the other, and a number for each mixed from all words.

    Each step of the mixing can be undone, so strings that share the number and the words after the first also share the
    first: it need not be compared.
    """
    at_every_byte = np.ndarray((len(raw) - WORD + 1,), dtype="<u8", buffer=raw, strides=(1,))
    # The last byte of the last word is free and takes the length, which tells a string from one with zeros behind it.
    places = range(0, longest + 1, WORD)
    sizes = np.arange(longest + 1)
    within = [((1 << 8 * np.clip(sizes - at, 0, WORD).astype(object)) - 1).astype(np.uint64) for at in places]
    rows = len(bounds) - 1 if keep is None else len(keep)
    words = np.empty((len(places) - 1, rows), dtype=np.uint64)
    mixed = np.empty(rows, dtype=np.uint64)
    for block in range(0, rows, BLOCK):  # as much as the cache holds
        here = slice(block, min(block + BLOCK, rows))
        if keep is None:
            start, size = bounds[here], np.diff(bounds[block : here.stop + 1])
        else:
            start = bounds[keep[here]]
            size = bounds[keep[here] + 1] - start
        mix = np.zeros(len(start), dtype=np.uint64)
        for number, (at, bits) in enumerate(zip(places, within, strict=True)):
            part = at_every_byte[start + at]
            part &= bits[size]
            if at == places[-1]:
                part |= size.astype(np.uint64) << np.uint64(56)
            if number:
                words[number - 1, here] = part
            mix ^= part
            mix *= np.uint64(0x9E3779B97F4A7C15)
            mix ^= mix >> np.uint64(29)
        mixed[here] = mix
    return words, mixed


# -- further columns ----------------------------------------------------------------------------------------


class Columns(Mapping[str, Array]):
    """Columns that travel beside the annotations, turned into arrays when somebody looks at them."""

    __slots__ = ("_made", "_raw", "_rows")

    def __init__(self, raw: Mapping[str, Any], rows: Array | None = None) -> None:
        self._raw = dict(raw)
        self._rows = rows  # which rows of the raw columns count; None: all
        self._made: dict[str, Array] = {}

    @classmethod
    def of(cls, columns: Mapping[str, Any]) -> Columns:
        """Any mapping as columns."""
        return columns if isinstance(columns, Columns) else cls(columns)

    def __getitem__(self, name: str) -> Array:
        if name not in self._made:
            whole = as_array(self._raw[name])
            column = whole[self._rows] if self._rows is not None else whole.view()
            column.flags.writeable = False
            self._made[name] = column
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)

    def __repr__(self) -> str:
        return f"<Columns: {', '.join(map(repr, self._raw)) or 'none'}>"

    def taking(self, keep: Array | Kept | None) -> Columns:
        """The columns of some rows alone."""
        if keep is None or not self._raw:
            return self
        keep = keep.rows if isinstance(keep, Kept) else keep
        if self._rows is not None:
            return Columns(self._raw, self._rows[keep])
        return Columns(self._raw, np.flatnonzero(keep) if keep.dtype == bool else keep)

    def size(self, name: str) -> int:
        """How many rows a column has."""
        return len(self._raw[name]) if self._rows is None else len(self._rows)


def as_array(column: Any) -> Array:
    """Any column as an array of NumPy."""
    if isinstance(column, np.ndarray):
        return column
    if isinstance(column, Coded):
        names = np.empty(len(column.names) + 1, dtype=object)
        names[:-1] = list(column.names)
        return names[column.codes]
    if type(column).__module__.partition(".")[0] == "pyarrow":
        types = _pyarrow().types
        simple = (
            types.is_integer(column.type) or types.is_floating(column.type) or types.is_boolean(column.type)
        )
        if simple and not column.null_count:
            return np.asarray(
                column.to_numpy(zero_copy_only=False) if hasattr(column, "buffers") else column.to_numpy()
            )
        return as_array(_arrow(column))
    entries = list(column)
    return np.fromiter(entries, dtype=object, count=len(entries))


def whole(entries: Sequence[Any]) -> list[int] | None:
    """Entries as whole numbers from 0 up, also where they are spelled as text; None where one is none."""
    found = []
    for entry in entries:
        try:
            size = float(entry)
        except (TypeError, ValueError):
            return None
        if isinstance(entry, bool) or not math.isfinite(size) or size < 0 or size != int(size):
            return None
        found.append(int(size))
    return found
