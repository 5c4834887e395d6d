"""The rows that were read, as they are written, and what their values mean beside all others so far.

Whether "NA" is a label, and whether "1" and "1.0" are one value, is told from all values together, by the rules that
hold wherever a table is read (`gather.values`).  So the meaning of a value may change when another one comes: then the
rows, which are kept as whole numbers, are counted anew.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from interagree.arrays import Int32s
from interagree.data.codes import Coded
from interagree.data.columns import coded
from interagree.data.provenance import Step
from interagree.data.types import Value
from interagree.data.values import key
from interagree.gather.columns import left_out
from interagree.gather.rules import Rules
from interagree.gather.values import present, tidied
from interagree.monitor.columns import ArrivingNames
from interagree.reading.lists import lists_as_sets

SAVED = ("missing", "trim", "fold_case", "split", "from_text")


class WrittenRows:
    """Rows as they are written: the codes of items, annotators, values, batches and days, -1 where there is nothing.

    Args:
        rules: How cells are read; see `interagree.read`.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.values = ArrivingNames("value")
        self.meaning: list[Value | None] = []  # of each value as it is written; None: no annotation
        self._columns = tuple(array("i") for _ in range(5))

    def __len__(self) -> int:
        return len(self._columns[0])

    def tidied(self, names: Iterable[Hashable]) -> Coded:
        """Items, annotators or batches under the names they have however they are written."""
        column = tidied(coded(names if isinstance(names, list) else list(names)), self.rules)
        if self.rules.from_text and "" in column.names:
            column = column.renamed([name or None for name in column.names])
        return column

    def extend(self, columns: Sequence[Int32s]) -> None:
        """Many rows."""
        for column, more in zip(self._columns, columns, strict=True):
            column.frombytes(more.astype(np.int32).tobytes())

    def cut(self, size: int) -> None:
        """Only the first rows."""
        for column in self._columns:
            del column[size:]

    def columns(self, start: int = 0) -> tuple[Int32s, ...]:
        """The rows from one on as columns."""
        return tuple(np.array(column[start:], dtype=np.int32) for column in self._columns)

    def settled(self) -> bool:
        """Whether all values that were there before still mean what they meant; new ones get their meaning."""
        names, before = self.values.names, self.meaning
        if len(names) == len(before):
            return True
        column, _ = self._read(np.arange(len(names), dtype=np.int32))
        entries: list[Value | None] = [*column.names, None]
        self.meaning = [entries[code] for code in column.codes.tolist()]
        return [*map(key, before)] == [*map(key, self.meaning[: len(before)])]

    def _read(self, codes: Int32s) -> tuple[Coded, list[Step]]:
        column, steps = present(Coded(codes, list(self.values.names), bool((codes < 0).any())), self.rules)
        sets = lists_as_sets(column.names)
        if sets is None:
            return column, steps
        made, step = sets
        return column.renamed(made), [*steps, step]

    def steps(self) -> list[Step]:
        """What was merged, left out and noticed."""
        (codes,) = self.columns()[2:3]
        column, steps = self._read(codes)
        return steps + left_out(int(np.count_nonzero(column.codes < 0)), steps, in_cells=self.rules.from_text)

    def head(self) -> dict[str, Any]:
        """How cells are read, to be saved."""
        return {name: getattr(self.rules, name) for name in SAVED} | {"missing": [*self.rules.missing]}
