"""The columns behind a monitor: names with their codes, and labels in the order they came."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable

import numpy as np

from interagree.arrays import Int32s
from interagree.data.codes import Coded
from interagree.data.columns import coded
from interagree.data.values import is_missing, plain
from interagree.errors import DataError

_BOOL = object()  # True is not 1
SIMPLE = frozenset({str, int})  # kinds of names that are their own key


class ArrivingNames:
    """Names in the order they came, and the code of each."""

    def __init__(self, role: str) -> None:
        self.role = role
        self.names: list[Hashable] = []
        self.place: dict[Hashable, int] = {}

    def code(self, name: Hashable) -> int:
        """The code of a name, a new one where it is new."""
        if type(name) in SIMPLE:
            code = self.place.get(name)
            return self._new(name) if code is None else code
        name = plain(name)
        try:
            code = self.place.get(key(name))
        except TypeError:
            raise DataError(
                f"{name!r} cannot be the {self.role}, because it can be changed (it has no hash); give a string or a "
                "number"
            ) from None
        if code is None:
            if is_missing(name):
                raise DataError(f"a label must have the {self.role}, and got {name!r}")
            code = self._new(name)
        return code

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
        codes: list[int | None] = list(map(self.place.get, names))
        if None in codes:
            for row, code in enumerate(codes):
                if code is None:
                    codes[row] = self.code(names[row])
        return np.array(codes, dtype=np.int32)

    def column(self, entries: Iterable[Hashable] | Coded) -> Int32s:
        """The codes of a column, -1 where there is nothing."""
        if isinstance(entries, list) and set(map(type, entries)) <= SIMPLE:
            return self.codes(entries)
        column = coded(entries if isinstance(entries, Coded) else list(entries))
        return np.append(self.codes(column.names), np.int32(-1))[column.codes]


def key(name: Hashable) -> Hashable:
    """What tells a name from others: True is not 1."""
    return (_BOOL, name) if isinstance(name, bool) else name


class LabelColumns:
    """The labels in the order they came, as columns; a value of -1 is a label that was taken back."""

    def __init__(self) -> None:
        self.item, self.annotator, self.value = array("i"), array("i"), array("i")
        self.batch, self.day, self.first_value, self.following = (array("i"), array("i"), array("i"), array("i"))

    def __len__(self) -> int:
        return len(self.value)

    def append(self, i: int, a: int, v: int, b: int, day: int) -> int:
        """One label; its place."""
        self.item.append(i)
        self.annotator.append(a)
        self.value.append(v)
        self.batch.append(b)
        self.day.append(day)
        self.first_value.append(v)
        self.following.append(-1)
        return len(self.value) - 1

    def extend(self, i: Int32s, a: Int32s, v: Int32s, b: Int32s, day: Int32s, first_value: Int32s) -> None:  # noqa: PLR0917
        """Many labels."""
        for column, more in (
            (self.item, i),
            (self.annotator, a),
            (self.value, v),
            (self.batch, b),
            (self.day, day),
            (self.first_value, first_value),
            (self.following, np.full(len(i), -1)),
        ):
            column.frombytes(more.astype(np.int32).tobytes())

    def columns(self) -> tuple[Int32s, Int32s, Int32s, Int32s, Int32s, Int32s]:
        """Item, annotator, value, batch, day, and the value as first given, of all labels that stand."""
        value = np.array(self.value, dtype=np.int32)
        keep = value >= 0
        item, annotator, batch, day, first_value = (
            np.array(column, dtype=np.int32)[keep]
            for column in (self.item, self.annotator, self.batch, self.day, self.first_value)
        )
        return item, annotator, value[keep], batch, day, first_value
