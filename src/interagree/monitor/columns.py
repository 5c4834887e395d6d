"""The columns behind a monitor: names with their codes, and labels in the order they came."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable

import numpy as np

from interagree.arrays import Int32s
from interagree.data.columns import coded
from interagree.data.values import is_missing, plain
from interagree.errors import DataError

_BOOL = object()  # True is not 1
SIMPLE = frozenset({str, int})  # kinds of names that are their own key


class Names:
    """Names in the order they came, and the code of each."""

    def __init__(self, role: str) -> None:
        self.role = role
        self.names: list[Hashable] = []
        self.place: dict[Hashable, int] = {}

    def code(self, name: Hashable) -> int:
        """The code of a name, a new one where it is new."""
        if type(name) in SIMPLE:
            found = self.place.get(name)
            return self._new(name) if found is None else found
        name = plain(name)
        try:
            found = self.place.get(key(name))
        except TypeError:
            raise DataError(
                f"{name!r} cannot be the {self.role}, because it can be changed (it has no hash); give a string or a "
                "number"
            ) from None
        if found is None:
            if is_missing(name):
                raise DataError(f"a label must have the {self.role}, and got {name!r}")
            found = self._new(name)
        return found

    def _new(self, name: Hashable) -> int:
        code = self.place[key(name)] = len(self.names)
        self.names.append(name)
        return code

    def find(self, name: Hashable) -> int | None:
        """The code of a name that is there."""
        return self.place.get(key(plain(name)))

    def codes(self, names: Iterable[Hashable]) -> Int32s:
        """The codes of many names."""
        names = list(names)
        if not set(map(type, names)) <= SIMPLE:
            return np.array([self.code(name) for name in names], dtype=np.int32)
        found: list[int | None] = list(map(self.place.get, names))
        if None in found:
            for row, code in enumerate(found):
                if code is None:
                    found[row] = self.code(names[row])
        return np.array(found, dtype=np.int32)

    def column(self, entries: Iterable[Hashable]) -> Int32s:
        """The codes of a column, -1 where there is nothing."""
        if isinstance(entries, list) and set(map(type, entries)) <= SIMPLE:
            return self.codes(entries)
        found = coded(entries)
        return np.append(self.codes(found.names), np.int32(-1))[found.codes]


def key(name: Hashable) -> Hashable:
    """What tells a name from others: True is not 1."""
    return (_BOOL, name) if isinstance(name, bool) else name


class Labels:
    """The labels in the order they came, as columns; a value of -1 is a label that was taken back."""

    def __init__(self) -> None:
        self.item, self.annotator, self.value = array("i"), array("i"), array("i")
        self.batch, self.day, self.said, self.following = array("i"), array("i"), array("i"), array("i")

    def __len__(self) -> int:
        return len(self.value)

    def append(self, i: int, a: int, v: int, b: int, day: int) -> int:
        """One label; its place."""
        self.item.append(i)
        self.annotator.append(a)
        self.value.append(v)
        self.batch.append(b)
        self.day.append(day)
        self.said.append(v)
        self.following.append(-1)
        return len(self.value) - 1

    def extend(self, i: Int32s, a: Int32s, v: Int32s, b: Int32s, day: Int32s, said: Int32s) -> None:  # noqa: PLR0917
        """Many labels."""
        for column, more in (
            (self.item, i),
            (self.annotator, a),
            (self.value, v),
            (self.batch, b),
            (self.day, day),
            (self.said, said),
            (self.following, np.full(len(i), -1)),
        ):
            column.frombytes(more.astype(np.int32).tobytes())

    def columns(self) -> tuple[Int32s, Int32s, Int32s, Int32s, Int32s, Int32s]:
        """Item, annotator, value, batch, day, and the value as first given, of all labels that stand."""
        value = np.array(self.value, dtype=np.int32)
        keep = value >= 0
        item, annotator, batch, day, said = (
            np.array(column, dtype=np.int32)[keep]
            for column in (self.item, self.annotator, self.batch, self.day, self.said)
        )
        return item, annotator, value[keep], batch, day, said
