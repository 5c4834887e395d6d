"""Columns of Arrow as codes: dictionaries as they are, strings by Arrow's hash table or eight bytes at a time."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from interagree.arrays import Array, Booleans, Integers
from interagree.data.codes import BLOCK, Coded, KeptRows, Names
from interagree.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

MANY = 100_000  # entries from which on importing Arrow pays
SAMPLE = 65_536  # entries that tell whether a column of strings repeats itself
WORD = 8  # bytes that are compared at once
LONGEST = 4 * WORD  # bytes of a string that is numbered by its words


def pyarrow() -> ModuleType | None:
    """Arrow where it is installed, else None."""
    try:
        return importlib.import_module("pyarrow")
    except ImportError:
        return None


def entries(column: pa.Array | pa.ChunkedArray) -> list[Any]:
    """The entries of a column as Python has them; as text where Python has no such dates.

    A date beyond the year 9999 is spelled as Arrow spells it, and a time in an unknown zone is that of UTC.
    """
    try:
        return list(column.to_pylist())
    except (OverflowError, ValueError):
        import pyarrow as pa

        kind = column.type
        try:
            if pa.types.is_timestamp(kind) and kind.tz is not None:
                return entries(column.cast(pa.timestamp(kind.unit)))
            return list(column.cast(pa.string()).to_pylist())
        except (pa.ArrowException, OverflowError, ValueError) as error:
            raise DataError(
                f"a column of type {str(kind)!r:.80} holds what Python cannot represent ({str(error)!s:.120}); write "
                "its dates and times as text"
            ) from None


def records(table: pa.Table) -> list[Any]:
    """The rows of a table by the names of its columns."""
    try:
        return list(table.to_pylist())
    except (OverflowError, ValueError):
        columns = zip(*map(entries, table.columns), strict=True)
        return [dict(zip(table.column_names, row, strict=True)) for row in columns]


def dictionary(column: pa.ChunkedArray) -> Coded:
    if not column.num_chunks:
        return Coded(np.zeros(0, dtype=np.int32), ())
    first, *others = column.chunks
    shared = all(_address(chunk.dictionary) == _address(first.dictionary) for chunk in others)
    chunks = column.chunks if shared else [column.combine_chunks()]
    codes = np.empty(len(column), dtype=np.int32)
    at = 0
    for chunk in chunks:
        part = codes[at : at + len(chunk)]
        part[:] = filled(chunk.indices)
        if chunk.indices.null_count:
            np.putmask(part, nulls(chunk.indices), -1)
        at += len(chunk)
    names = chunks[0].dictionary
    result = Coded(codes, Names(names), bool(column.null_count), ordered=bool(column.type.ordered))
    return result.renamed(list(result.names)) if names.null_count else result


def _address(array: pa.Array) -> tuple[int, int, int]:
    return array.buffers()[-1].address if array.buffers()[-1] else 0, array.offset, len(array)


def filled(array: pa.Array) -> Array:
    """The numbers of an array, whatever stands where there is nothing."""
    _, numbers = array.buffers()
    dtype = array.type.to_pandas_dtype()
    return np.frombuffer(numbers, dtype=dtype, count=len(array), offset=array.offset * np.dtype(dtype).itemsize)


def nulls(array: pa.Array) -> Booleans:
    if not array.null_count:
        return np.zeros(len(array), dtype=bool)
    bits = np.unpackbits(np.frombuffer(array.buffers()[0], dtype=np.uint8), bitorder="little")
    there: Booleans = bits[array.offset : array.offset + len(array)].astype(bool)
    return ~there


def strings(column: pa.ChunkedArray, keep: KeptRows | None) -> Coded:
    # A column that hardly repeats itself does not fit into the processor's cache as a table of strings.
    if len(column) >= MANY and len(column.slice(0, SAMPLE).unique()) > SAMPLE // 4:
        fast = _by_words(column, None if keep is None else keep.rows)
        if fast is not None:
            return fast
    return dictionary(column.dictionary_encode()).where(keep)


def _by_words(column: pa.ChunkedArray, keep: Array | None) -> Coded | None:
    """Short strings, taken eight bytes at a time, which is faster than hashing them byte by byte.

    The words of a string are mixed into one number, the numbers are told apart, and every string is then compared to
    the one that stands for its number, so that two strings with the same number cannot be taken for one.  None where
    the strings are long, or where that happens.
    """
    import pyarrow as pa

    array = column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)
    _, offsets, text = array.buffers()
    wide = np.dtype(np.int64 if pa.types.is_large_string(array.type) else np.int32)
    bounds = np.frombuffer(offsets, dtype=wide, count=len(array) + 1, offset=array.offset * wide.itemsize)
    gaps = array.null_count and nulls(array)[slice(None) if keep is None else keep].any()
    longest = max(int(np.diff(bounds[at : at + BLOCK + 1]).max(initial=1)) for at in range(0, len(array), BLOCK))
    if gaps or text is None or longest >= LONGEST or sys.byteorder != "little":
        return None
    raw = np.frombuffer(text, dtype=np.uint8)
    if len(raw) < int(bounds[-1]) + LONGEST:  # a word may reach beyond the last string
        raw = np.concatenate([raw, np.zeros(LONGEST, dtype=np.uint8)])
    words, mixed = _words(raw, bounds, keep, longest)
    codes = filled(pa.array(mixed).dictionary_encode().indices)
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
