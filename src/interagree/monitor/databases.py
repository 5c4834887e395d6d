"""A table that grows; `sqlite` and `postgresql` say how each is asked.

Every row that was counted is known by a hash of its cells, however often it occurs.  A look reads what lies behind
the last row (in the order of the column ``by``, and a little before it, for rows that show themselves late), and then
asks how many rows the table has.  Where that is not the number of rows counted, the whole table is read and compared:
rows that are new are counted, whatever their key (text, missing, repeated, out of order), and rows that are gone or
were changed raise `Changed`.  So the order is only what makes it fast.

The whole table is also compared at the start, and while watching goes on as often as one part in twenty of the time
allows, because a row that is changed leaves the number of rows as it was.
"""

from __future__ import annotations

import base64
import hashlib
import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interagree.arrays import Booleans
from interagree.data.provenance import Step
from interagree.data.sql import Row, plain_cell, quoted
from interagree.errors import DataError, Hint, listing, suggestion
from interagree.monitor.lines import NewRows
from interagree.monitor.sources import Changed, Seldom

BLOCK = 20_000  # rows that are fetched at once
FIRST = 1_000  # rows by which columns are told
LATE = 2_000  # whole numbers before the last one that are read again
BY = Hint("by")
OVERLAP = 300.0  # seconds of a column of times that are read again
NUMBERING = ("id", "rowid", "seq", "number")

Hashes = NDArray[np.uint64]
NONE: Hashes = np.zeros(0, dtype=np.uint64)


class Growing(ABC):
    """A table of a database that gets longer."""

    mark = "?"  # stands for a value in a query
    failures: tuple[type[Exception], ...] = ()

    def __init__(self, name: str, table: str, by: str | None, *, overlap: float = OVERLAP) -> None:
        self.name = name
        self.ended = False
        self.patient = True
        self.remarks: list[str] = []
        self.columns: tuple[str, ...] = ()  # those that are wanted; all if empty
        self.by = by
        self._names: list[str] = []
        self._table = ".".join(quoted(part) for part in table.split("."))
        self._order = ""  # what rows are read by, as it stands in a query
        self._overlap = overlap
        self._connection: Any = None
        self._compared = Seldom()
        self._told = False  # whether it was said that the order is of no use
        self._hidden = False  # whether rows are read by a number that is not a column
        self.restart()

    def restart(self) -> None:
        """Everything is new."""
        self._last: Any = None
        self._counted: Hashes | None = NONE  # the rows that were counted, sorted
        self._gone = NONE  # of these, the ones that were found to be gone
        self.forget()

    def accept(self) -> None:
        """Forget the rows that are gone."""
        self._counted = NONE if self._counted is None else _matched(self._gone, self._counted)[1]
        self.forget()

    # What differs from one kind of database to another

    @abstractmethod
    def connect(self) -> Any:
        """A new connection."""

    @abstractmethod
    def begin(self) -> None:
        """Begin to look at the table as it is at one moment."""

    @abstractmethod
    def scan(self, wanted: list[str]) -> Iterator[list[Row]]:
        """All rows, block by block."""

    def order(self) -> str:
        """What to read rows by where nobody says so, as it stands in a query; empty where nothing will do."""
        return next((quoted(name) for name in self._names if name.lower() in NUMBERING), "")

    def touched(self) -> bool:
        """Whether the table may have changed since this was last asked."""
        return True

    def forget(self) -> None:  # noqa: B027 -- most databases have nothing to forget
        """Look at the table the next time, whether or not it changed."""

    @abstractmethod
    def passing(self, error: Exception) -> bool:
        """Whether a failure may pass if one waits: a server that is away, and not a table that is missing."""

    # Asking

    def run(self, query: str, *values: object) -> tuple[list[str], list[Row]]:
        """The names of the columns of a query, and its rows."""
        if self._connection is None:
            self._connection = self.connect()
        cursor = self._connection.cursor()
        try:
            cursor.execute(query, values)
            if cursor.description is None:
                return [], []
            names = [column[0] for column in cursor.description]
            return [name.decode() if isinstance(name, bytes) else name for name in names], cursor.fetchall()
        finally:
            with suppress(Exception):
                cursor.close()

    def finish(self) -> None:
        """Let go of the moment, so that the next query sees what is new."""
        if self._connection is not None:
            with suppress(Exception):
                self._connection.rollback()

    def header(self) -> list[str]:
        """The names of the columns."""
        if not self._order:
            self._names, _ = self.run(f"SELECT * FROM {self._table} LIMIT 0")  # noqa: S608 -- the name is quoted
            order = self._chosen(self._names)
            self.finish()
            if self.by is None:
                self.by = next((name for name in self._names if name.lower() in NUMBERING), None)
            self._order = order
        return self._names

    def sample(self) -> NewRows:
        """The first rows, by which columns are told."""
        names = self.header()
        try:
            _, rows = self.run(f"SELECT * FROM {self._table} LIMIT {FIRST}")  # noqa: S608 -- the name is quoted
        finally:
            self.finish()
        columns = [[plain_cell(row[place]) for row in rows] for place in range(len(names))]
        return NewRows(names, dict(zip(names, columns, strict=True)))

    def _chosen(self, names: list[str]) -> str:
        """What to read rows by: what was asked for, or what will do."""
        if self.by is not None and self.by not in names:
            raise DataError(
                f"there is no column {self.by!r} to read {self.name} by; the table has {listing(names)}."
                + suggestion(self.by, names)
            )
        order = quoted(self.by) if self.by is not None else self.order()
        if not order:
            raise DataError(
                f"which column of {self.name} increases with every row? Say so with {BY}; the table has "
                f"{listing(names)}",
                hints=[BY],
            )
        return order

    # Reading

    def read(self, *, whole: bool = False) -> Iterator[NewRows]:  # noqa: ARG002 -- a row is always whole
        """The rows that are new."""
        self.header()
        if not self.touched():
            return
        if self._counted is None:
            raise Changed(f"{self.name} was followed by an earlier version of interagree, which kept too little")
        before = len(self._counted)
        missed = yield from self._behind()
        if missed and missed > 0 and before and not self._told:
            self._told = True
            self.remarks.append(
                f"{self.name}: rows appeared that do not come last by {self._order}; they are counted, and each time "
                f"this happens the whole table is read again (a column that increases is faster: {BY})"
            )
        if missed != 0 or (before and (self._compared.due() or not self.patient)):
            yield from self._compare(self._counted)
        elif before:
            self.forget()  # so as to compare it when that is due

    def _wanted(self) -> list[str]:
        """What is selected: what rows are read by, and the columns."""
        return [self._order, *map(quoted, self._columns())]

    def _columns(self) -> list[str]:
        return [*dict.fromkeys(self.columns)] or self._names

    def _behind(self) -> Generator[NewRows, None, int | None]:
        """The rows behind the last one; returns how many more the table has than are counted, None where unknown."""
        start = self._earlier()
        while True:
            where = "" if start is None else f"WHERE {self._order} >= {self.mark}"
            wanted = ", ".join(self._wanted())
            query = f"SELECT {wanted} FROM {self._table} {where} ORDER BY {self._order} LIMIT {BLOCK}"  # noqa: S608 -- names are quoted
            try:
                self.begin()
                _, rows = self.run(query, *([] if start is None else [start]))
                full = len(rows) == BLOCK
                there = 0 if full else int(self.run(f"SELECT COUNT(*) FROM {self._table}")[1][0][0])  # noqa: S608 -- as above
            finally:
                self.finish()
            counted = NONE if self._counted is None else self._counted
            is_new, _ = _matched(self._hashes(rows), counted)
            missed = there - len(counted) - int(is_new.sum())
            if missed and not full:
                return missed  # a row that looks new may be one that was changed: first compare the whole table
            keys = [row[0] for row in rows if row[0] is not None]
            self._last = keys[-1] if keys else self._last
            yield from self._as_rows([rows[place] for place in np.flatnonzero(is_new).tolist()])
            if not full:
                return 0
            if not keys or keys[-1] == start:
                return None  # more rows of one key than a block has
            start = keys[-1]

    def _compare(self, counted: Hashes) -> Iterator[NewRows]:
        """Read the whole table and compare it to what was counted."""
        begun = time.monotonic()
        left, new = counted, []
        try:
            for rows in self.scan(self._wanted()):
                is_new, left = _matched(self._hashes(rows), left)
                new += [rows[place] for place in np.flatnonzero(is_new).tolist()]
        finally:
            self.finish()
        self._compared.done(begun)
        if len(left):
            self._gone = left
            raise Changed(
                f"{self.name}: {len(left):,} of the {len(counted):,} rows that were counted are no longer there as "
                "they were (changed or deleted)"
            )
        for start in range(0, len(new), BLOCK):
            yield from self._as_rows(new[start : start + BLOCK])

    def _hashes(self, rows: Sequence[Row]) -> Hashes:
        """What rows are known by; a hidden number may be given out anew, and does not belong to a row."""
        start = int(self._hidden)
        marks = [hashlib.blake2b(repr([*row[start:]]).encode(), digest_size=8).digest() for row in rows]
        return np.frombuffer(b"".join(marks), dtype="<u8").astype(np.uint64)

    def _as_rows(self, rows: Sequence[Row]) -> Iterator[NewRows]:
        """Rows as columns; they are counted from now on."""
        if not rows:
            return
        hashes, counted = np.sort(self._hashes(rows)), NONE if self._counted is None else self._counted
        self._counted = np.insert(counted, np.searchsorted(counted, hashes), hashes)
        columns = [[plain_cell(cell) for cell in column] for column in [*zip(*rows, strict=True)][1:]]
        names = self._columns()
        yield NewRows(names, dict(zip(names, columns, strict=True)))

    def _earlier(self) -> Any:
        """Where to read from: the last row, or a little before it, in the form in which it came."""
        last = self._last
        if isinstance(last, bool) or last is None:
            return last
        if isinstance(last, int):
            return last - (0 if self._hidden else LATE)
        if isinstance(last, datetime):
            return last - timedelta(seconds=self._overlap)
        if isinstance(last, date):
            return last - timedelta(days=1)
        if isinstance(last, float):
            return last - self._overlap
        if isinstance(last, Decimal):
            return last - Decimal(self._overlap)
        if isinstance(last, str):
            with suppress(ValueError):
                back = datetime.fromisoformat(last) - timedelta(seconds=self._overlap)
                return back.isoformat(sep="T" if "T" in last else " ", timespec="seconds")[: len(last)]
        return last

    def place(self) -> dict[str, object]:
        """The last row, and which were counted."""
        counted = None if self._counted is None else base64.b64encode(self._counted.astype("<u8").tobytes()).decode()
        return {"by": self.by, "last": _packed(self._last), "counted": counted}

    def go_on(self, place: dict[str, Any]) -> None:
        """Go on after the rows that were counted."""
        if self.by is not None and place["by"] is not None and self.by != place["by"]:
            raise DataError(
                f"the state was made reading {self.name} by {place['by']!r}, and now it is to be read by "
                f"{self.by!r}; give the same, or start with a new state"
            )
        counted = place.get("counted")
        self._last = _unpacked(place["last"])
        self._counted = None if counted is None else np.frombuffer(base64.b64decode(counted), "<u8").astype(np.uint64)
        self._compared = Seldom()
        self.forget()

    def steps(self) -> list[Step]:
        """Cells have types, and there is nothing to assume."""
        return []

    def waiting(self) -> str:
        """A row is there or not."""
        return ""

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            with suppress(Exception):
                self._connection.close()
            self._connection = None
        self.forget()


def _matched(hashes: Hashes, known: Hashes) -> tuple[Booleans, Hashes]:
    """Which hashes are beyond those known (sorted), each as often as it is; and the known ones that are left."""
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    rank = np.arange(len(ordered)) - np.searchsorted(ordered, ordered, side="left")
    first = np.searchsorted(known, ordered, side="left")
    there = rank < np.searchsorted(known, ordered, side="right") - first
    is_new = np.empty(len(hashes), dtype=bool)
    is_new[order] = ~there
    return is_new, np.delete(known, (first + rank)[there])


def _packed(by: Any) -> Any:
    if isinstance(by, datetime):
        return {"datetime": by.isoformat()}
    if isinstance(by, date):
        return {"date": by.isoformat()}
    if isinstance(by, bytes):
        return {"bytes": by.hex()}
    return by if by is None or isinstance(by, str | int | float) else {"decimal": str(by)}


def _unpacked(by: Any) -> Any:
    if not isinstance(by, dict):
        return by
    ((kind, text),) = by.items()
    if kind == "bytes":
        return bytes.fromhex(text)
    if kind == "decimal":
        return Decimal(text)
    return datetime.fromisoformat(text) if kind == "datetime" else date.fromisoformat(text)


def only_one(name: str, tables: Sequence[str]) -> str:
    """The table that is meant where there is only one."""
    if len(tables) != 1:
        which = f"it has {listing(tables)}" if tables else "it has none"
        raise DataError(f"{name}: which table? Say so with --table; {which}")
    return tables[0]
