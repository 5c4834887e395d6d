"""A growing table of an SQLite file.

Rows are read in the order in which they were written, by the number that SQLite gives to each, whatever the columns
of the table are; a column is only needed for views and for tables without such numbers.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interagree.data.sql import Row, sqlite_connection
from interagree.monitor import databases
from interagree.monitor.databases import OVERLAP, Growing, only_one

NUMBERS = ("rowid", "_rowid_", "oid")  # names of the number of a row, unless a column has taken them
PASSING = {5, 6, 10, 14, 15}  # busy, locked, read or write failed, cannot be opened, locks in disorder


class SqliteTable(Growing):
    """A table of an SQLite file."""

    failures: tuple[type[Exception], ...] = (sqlite3.Error,)

    def __init__(self, file: Path, name: str, table: str, by: str | None, *, overlap: float = OVERLAP) -> None:
        self._file = file
        self._identity: tuple[int, int] | None = None  # of the file that is open
        self._version: object = None  # of its content
        self._number = ""
        self._title = table
        super().__init__(name, table, by, overlap=overlap)

    def connect(self) -> sqlite3.Connection:
        """A connection that only reads."""
        self._identity = self._on_disk()
        return sqlite_connection(self._file)

    def begin(self) -> None:
        """A transaction that only reads."""
        self.run("BEGIN")

    def order(self) -> str:
        """The number of the row, where the table has one."""
        self._number = self._row_number()
        self._hidden = bool(self._number)
        return self._number or super().order()

    def _row_number(self) -> str:
        """What the number of a row is called; empty for a view, and for a table that was made without."""
        taken = {name.lower() for name in self._names}
        free = next((name for name in NUMBERS if name not in taken), "")
        kind = self.run("SELECT type FROM sqlite_master WHERE lower(name) = lower(?)", self._title.rpartition(".")[2])[
            1
        ]
        if not free or kind == [("view",)]:
            return ""
        try:
            self.run(f"SELECT {free} FROM {self._table} LIMIT 0")  # noqa: S608 -- the name is quoted
        except sqlite3.OperationalError as error:
            if "no such column" in str(error):
                return ""
            raise
        return free

    def scan(self, wanted: list[str]) -> Iterator[list[Row]]:
        """All rows; by their number, so that nobody who writes has to wait for long."""
        number = self._number or self._row_number()
        if not number:
            yield from self._scan_at_once(wanted)
            return
        columns, last = ", ".join([number, *wanted]), None
        while True:
            where = "" if last is None else f"WHERE {number} > ?"
            query = f"SELECT {columns} FROM {self._table} {where} ORDER BY {number} LIMIT {databases.BLOCK}"  # noqa: S608 -- names are quoted
            _, rows = self.run(query, *([] if last is None else [last]))
            yield [row[1:] for row in rows]
            if len(rows) < databases.BLOCK:
                return
            last = rows[-1][0]

    def _scan_at_once(self, wanted: list[str]) -> Iterator[list[Row]]:
        cursor = self._connection.execute(f"SELECT {', '.join(wanted)} FROM {self._table}")  # noqa: S608 -- names are quoted
        while rows := cursor.fetchmany(databases.BLOCK):
            yield rows

    def _on_disk(self) -> tuple[int, int]:
        try:
            here = self._file.stat()
        except OSError as error:
            raise sqlite3.OperationalError(f"the file cannot be opened: {error.strerror}") from None
        return here.st_dev, here.st_ino

    def touched(self) -> bool:
        """Whether anybody has written to the file, or another file has taken its place."""
        if self._connection is not None and self._on_disk() != self._identity:
            self.close()
        version = self.run("PRAGMA data_version")[1][0][0]
        before, self._version = self._version, version
        return before is None or before != version

    def forget(self) -> None:
        """Look at the table the next time."""
        self._version = None

    def passing(self, error: Exception) -> bool:
        """A file that is locked, or away for a moment."""
        return isinstance(error, sqlite3.OperationalError) and getattr(error, "sqlite_errorcode", 14) & 0xFF in PASSING


def sqlite(path: str, table: str | None, by: str | None, **more: Any) -> SqliteTable:
    """A table of an SQLite file."""
    file = Path(path)
    if not file.exists():
        raise FileNotFoundError(2, "No such file", str(file))
    if table is None:
        connection = sqlite_connection(file)
        try:
            query = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
            tables = [name for (name,) in connection.execute(query)]
        finally:
            connection.close()
        table = only_one(path, [name for name in tables if not name.startswith("sqlite_")])
    return SqliteTable(file, f"{path}, table {table}", table, by, **more)
