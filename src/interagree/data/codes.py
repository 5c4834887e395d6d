"""Names as whole numbers: what the codes of a column stand for, and which of them occur."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

from interagree.arrays import Array, Booleans, Integers
from interagree.data.values import key
from interagree.errors.plain import Kept

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

FEW = 10_000  # names up to this number are kept as a plain tuple
BLOCK = 1 << 16  # rows that are dealt with at once


class Names(Kept, Sequence[Any]):
    """The distinct entries of a column, kept in the array they came in."""

    __slots__ = ("array",)

    def __init__(self, array: Array | pa.Array | pa.ChunkedArray) -> None:
        self.array = array

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Names: ...
    def __getitem__(self, index: int | slice) -> Any:
        entry = self.array[index]
        if isinstance(index, slice):
            return Names(entry)
        return entry.as_py() if hasattr(entry, "as_py") else entry.item()

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(self.array[at : at + FEW].tolist() for at in range(0, len(self.array), FEW))

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
        if isinstance(self.array, np.ndarray):
            return Names(self.array[places])
        import pyarrow as pa

        return Names(self.array.take(pa.array(places)))


def names_at(names: Sequence[Any], places: Integers) -> Sequence[Any]:
    """The names at these places, in the form that suits their number."""
    if isinstance(names, Names):
        return in_kept_form(names.take(places))
    return tuple(names[place] for place in places.tolist())


def in_kept_form(names: Sequence[Any]) -> Sequence[Any]:
    """Names in the form they are kept in: a tuple where there are few of them."""
    return names if isinstance(names, range) or len(names) > FEW else tuple(names)


def narrow(names: int) -> type[np.signedinteger[Any]]:
    """The smallest integer type for the codes of so many names; new memory is what costs the most."""
    return np.int8 if names < 127 else np.int16 if names < 32_767 else np.int32


class KeptRows:
    """The rows of a table that count."""

    def __init__(self, mask: Booleans) -> None:
        self.mask = mask
        self.count = int(np.count_nonzero(mask))

    def __len__(self) -> int:
        return self.count

    def take(self, column: Array, kind: type[np.signedinteger[Any]] | None = None) -> Array:
        """The entries of a column in these rows, block by block so that nothing large is made on the way."""
        entries = np.empty(self.count, dtype=kind or column.dtype)
        at = 0
        for block in range(0, len(column), BLOCK):
            part = column[block : block + BLOCK].take(np.flatnonzero(self.mask[block : block + BLOCK]))
            entries[at : at + len(part)] = part
            at += len(part)
        return entries

    @cached_property
    def rows(self) -> Integers:
        """The indices of these rows."""
        rows: Integers = np.empty(self.count, dtype=np.int32 if len(self.mask) < 2**31 else np.int64)
        at = 0
        for block in range(0, len(self.mask), BLOCK):
            part = np.flatnonzero(self.mask[block : block + BLOCK])
            rows[at : at + len(part)] = part + block
            at += len(part)
        return rows


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

    def where(self, keep: KeptRows | None) -> Coded:
        """The column of some rows alone."""
        if keep is None:
            return self
        return Coded(keep.take(self.codes, narrow(len(self.names))), self.names, self.gaps, self.ordered)

    def compact(self) -> Coded:
        """Without the names that no row has; a scale that the column states is kept."""
        if self.tight:
            return Coded(self.codes, in_kept_form(self.names), self.gaps, self.ordered)
        used = occurring(self.codes, len(self.names)).present
        if self.ordered or used[:-1].all():
            return Coded(self.codes, in_kept_form(self.names), self.gaps, self.ordered)
        place = np.cumsum(used, dtype=np.int32) - 1
        place[-1] = -1
        return Coded(place[self.codes], names_at(self.names, np.flatnonzero(used[:-1])), self.gaps)

    def renamed(self, names: Sequence[Any]) -> Coded:
        """The same rows under other names, None for nothing; equal names become one."""
        place: dict[object, int] = {}
        distinct: list[object] = []
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


class Occurring:
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


def occurring(codes: Integers, limit: int) -> Occurring:
    """Which of the numbers below a limit occur, -1 aside."""
    seen = Occurring(limit)
    for block in range(0, len(codes), BLOCK):
        seen.add(codes[block : block + BLOCK])
    return seen


def encode(entries: Iterable[T]) -> tuple[Integers, list[T]]:
    """Whole numbers for entries in the order they first appear, and the distinct entries."""
    place: dict[object, int] = {}
    distinct: list[T] = []
    codes: list[int] = []
    for entry in entries:
        name = key(entry)
        code = place.get(name)
        if code is None:
            code = place[name] = len(distinct)
            distinct.append(entry)
        codes.append(code)
    return np.array(codes, dtype=np.int64), distinct
