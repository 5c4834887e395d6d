"""Columns of any kind as whole numbers, and the names the numbers stand for.

Reading a long table costs what it costs to number its items, so there is one way for each kind of column: whole
numbers in a narrow range by marking which of them occur, Arrow's dictionaries and the categories of a frame as they
are, strings by Arrow's hash table, everything else by a Python dictionary.  Names are kept where they lie until
somebody asks for one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from interagree.arrays import Array, Booleans
from interagree.data.arrow import MANY, dictionary, entries, filled, nulls, pyarrow, strings
from interagree.data.codes import BLOCK, Coded, KeptRows, Names, Occurring, narrow, occurring
from interagree.data.values import is_hashable, is_missing, key, plain
from interagree.errors import DataError
from interagree.errors.plain import Kept

if TYPE_CHECKING:
    import pyarrow as pa

IntoColumn: TypeAlias = "Array | Coded | pa.Array | pa.ChunkedArray | Sequence[object]"
"""A column in any of the forms in which libraries keep one."""

_SIMPLE = frozenset({str, int, float, type(None)})


def coded(column: IntoColumn, keep: KeptRows | None = None) -> Coded:
    """Any column as codes, of all rows or of those to keep."""
    if isinstance(column, np.ndarray):
        # A masked array has a mask; asking for its class would import half of NumPy once more.
        if not hasattr(column, "mask"):
            return _array(column, keep)
        return _gapped(np.ma.getdata(column), np.ma.getmaskarray(column)).where(keep)
    if type(column).__module__.partition(".")[0] == "pyarrow":
        return _arrow(column, keep)
    if isinstance(column, Coded):
        return column.where(keep)
    if isinstance(column, range) and column == range(len(column)):
        return Coded(np.arange(len(column), dtype=np.int32), column).where(keep)
    return _objects(list(column)).where(keep)


def _array(column: Array, keep: KeptRows | None = None) -> Coded:
    if column.ndim != 1:
        raise DataError(f"a column has one dimension, and this array has the shape {column.shape}")
    if column.dtype.kind in "iu":
        return _whole(column, keep)
    column = column if keep is None else keep.take(column)
    match column.dtype.kind:
        case "b":
            return Coded(column.astype(np.int8), (False, True)).compact()
        case "f":
            return _reals(column)
        case "U" if len(column) >= MANY and (arrow := pyarrow()) is not None:
            return _arrow(arrow.array(column))
        case "M" | "m":
            return _objects(column.astype(f"{column.dtype.kind}8[us]").tolist())
        case "O":
            return _objects(column)
        case _:
            return _objects(column.tolist())


def _whole(column: Array, keep: KeptRows | None = None) -> Coded:
    """Whole numbers: mark which occur where their range is narrow, sort them or hash them where it is wide."""
    if not len(column if keep is None else keep):
        return Coded(np.zeros(0, dtype=np.int32), ())
    low, high = int(column.min()), int(column.max())
    width = high - low + 1
    if low == 0 and width <= max(4 * len(column), 1 << 16) and width < 2**31:
        codes = column.astype(narrow(width)) if keep is None else keep.take(column, narrow(width))
        present = occurring(codes, width).present[:-1]
        if present.all():
            return Coded(codes, range(width), tight=True)
        code = np.cumsum(present, dtype=narrow(width)) - narrow(width)(1)
        return Coded(code[codes], Names(np.flatnonzero(present).astype(column.dtype)), tight=True)
    column = column if keep is None else keep.take(column)
    if width > max(4 * len(column), 1 << 16):
        if len(column) >= MANY and (arrow := pyarrow()) is not None:
            return _arrow(arrow.array(column).dictionary_encode())
        names, codes = np.unique(column, return_inverse=True)
        return Coded(codes.astype(np.int32), Names(names))
    wide = np.uint64 if column.dtype.kind == "u" else np.int64  # the difference may not fit into a narrow type
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
    seen = Occurring((1 << 15) - 1)
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


def _gapped(column: Array, nothing: Booleans) -> Coded:
    there = ~nothing
    body = _array(column[there])
    codes = np.full(len(column), -1, dtype=np.int32)
    codes[there] = body.codes
    return Coded(codes, body.names, gaps=bool(nothing.any()) or body.gaps)


def _objects(entries: Array | list[Any]) -> Coded:
    """Python objects: names in the order they first appear; True is not 1, "1" is not 1, and 1 is 1.0."""
    kinds = set(map(type, entries))
    if len(entries) >= MANY and str in kinds and kinds <= {str, type(None), float} and (arrow := pyarrow()):
        try:
            return _arrow(arrow.array(entries, arrow.large_string(), from_pandas=True))
        except (arrow.ArrowInvalid, arrow.ArrowTypeError):
            pass  # some of the floats are numbers, or a string is not Unicode
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
        odd = next(entry for entry in entries if not is_hashable(entry))
        raise DataError(
            f"{odd!r} cannot be a name or a value, because it can be changed (it has no hash); give a string, a "
            "number, a tuple or a frozenset"
        ) from None
    for keyed_entry in distinct:
        entry = keyed_entry[1] if keyed else keyed_entry
        if is_missing(entry):
            place[keyed_entry] = -1
        else:
            place[keyed_entry] = len(names)
            names.append(entry)
    if kinds <= {float, type(None)} and all(name.is_integer() for name in names):
        names = list(map(int, names))  # whole numbers that became reals because some were missing
    codes = np.fromiter(map(place.__getitem__, keys), dtype=np.int32, count=len(keys))
    return Coded(codes, names, gaps=len(names) < len(place))


def _arrow(column: pa.Array | pa.ChunkedArray, keep: KeptRows | None = None) -> Coded:
    import pyarrow as pa

    types = pa.types
    whole = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    if types.is_dictionary(whole.type):
        return dictionary(whole).where(keep)
    if types.is_string_view(whole.type):
        whole = whole.cast(pa.large_string())
    if types.is_string(whole.type) or types.is_large_string(whole.type):
        return strings(whole, keep)
    if types.is_integer(whole.type) or types.is_floating(whole.type):
        if not whole.num_chunks:
            return _objects([])
        chunks = [filled(chunk) for chunk in whole.chunks]
        numbers = chunks[0] if len(chunks) == 1 else np.concatenate(chunks)
        if not whole.null_count:
            return _array(numbers, keep)
        nothing = np.concatenate([nulls(chunk) for chunk in whole.chunks])
        if types.is_integer(whole.type) and len(whole) and int(numbers.min()) > -(2**31) and int(numbers.max()) < 2**31:
            return _reals(np.where(nothing, np.nan, numbers)).where(keep)
        return _gapped(numbers, nothing).where(keep)
    return _objects(entries(whole)).where(keep)


class Columns(Kept, Mapping[str, Array]):
    """Columns that travel beside the annotations, turned into arrays when somebody looks at them."""

    __slots__ = ("_made", "_raw", "_rows")

    def __init__(self, raw: Mapping[str, IntoColumn], rows: Array | None = None) -> None:
        self._raw = dict(raw)
        self._rows = rows  # which rows of the raw columns count; None: all
        self._made: dict[str, Array] = {}

    @classmethod
    def of(cls, columns: Mapping[str, IntoColumn]) -> Columns:
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

    def taking(self, keep: Array | KeptRows | None) -> Columns:
        """The columns of some rows alone."""
        if keep is None or not self._raw:
            return self
        keep = keep.rows if isinstance(keep, KeptRows) else keep
        if self._rows is not None:
            return Columns(self._raw, self._rows[keep])
        return Columns(self._raw, np.flatnonzero(keep) if keep.dtype == bool else keep)

    def size(self, name: str) -> int:
        """How many rows a column has."""
        return len(self._raw[name]) if self._rows is None else len(self._rows)


def as_array(column: IntoColumn) -> Array:
    """Any column as an array of NumPy."""
    if isinstance(column, np.ndarray):
        return column
    if isinstance(column, Coded):
        names = np.empty(len(column.names) + 1, dtype=object)
        names[:-1] = list(column.names)
        return names[column.codes]
    if type(column).__module__.partition(".")[0] == "pyarrow":
        return _arrow_array(column)
    entries = list(column)
    return np.fromiter(entries, dtype=object, count=len(entries))


def _arrow_array(column: pa.Array | pa.ChunkedArray) -> Array:
    from pyarrow import types

    numeric = types.is_integer(column.type) or types.is_floating(column.type)
    if column.null_count or not (numeric or types.is_boolean(column.type)):
        return as_array(_arrow(column))
    return np.asarray(column.to_numpy(zero_copy_only=False) if hasattr(column, "buffers") else column.to_numpy())


def whole(entries: Iterable[Any]) -> list[int] | None:
    """Entries as whole numbers from 0 up, also where they are spelled as text; None where one is not."""
    numbers = []
    for entry in entries:
        try:
            size = float(entry)
        except (TypeError, ValueError, OverflowError):
            return None
        if isinstance(entry, bool) or not math.isfinite(size) or size < 0 or size != int(size):
            return None
        numbers.append(int(size))
    return numbers
