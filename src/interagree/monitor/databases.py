"""Tables that grow: SQLite, and PostgreSQL by way of pg8000.

A row is read once, in the order of a column that increases: the number of the row, or the time it was written.

**Late rows.**  PostgreSQL gives out numbers when a row is written and shows the row when its transaction is
committed, so that row 7 may show itself after row 8.  With a column of whole numbers every number that was passed
over is asked for again, each time, until it shows (the latest thousand gaps; numbers of transactions that were
rolled back never do).  With a column of times the last few minutes are read again each time (``overlap``), and rows
that were counted are known by their time, item, annotator and value.

A row that is changed or deleted after it was read is not noticed: write corrections as new rows, and count them
with ``duplicates="last"``.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from interagree.errors import DataError, Hint, extra, listing, suggestion
from interagree.monitor.sources import Rows

BLOCK = 20_000  # rows that are fetched at once
GAPS = 1000  # runs of numbers passed over that are asked for again
ASKED = 100  # of which so many in one query
BY = Hint("by")
OVERLAP = 300.0  # seconds of a column of times that are read again


class Table:
    """A table of a database that gets longer."""

    def __init__(
        self,
        name: str,
        table: str,
        by: str | None,
        connect: Callable[[], Any],
        *,
        mark: str,
        failures: tuple[type[Exception], ...],
        overlap: float = OVERLAP,
    ) -> None:
        self.name = name
        self.ended = False
        self.remarks: list[str] = []
        self.key_columns: tuple[str, ...] = ()  # item, annotator and value, by which rows are known again
        self.columns: tuple[str, ...] = ()  # those that are wanted; all if empty
        self._header: list[str] = []
        self.failures = failures
        self._table = ".".join(_quoted(part) for part in table.split("."))
        self.by = by
        self._connect, self._mark = connect, mark
        self._overlap = overlap
        self._connection: Any = None
        self._last: Any = None
        self._seen: list[list[int]] = []  # runs of numbers that were counted, for a column of whole numbers
        self._trimmed = False  # whether the oldest of them were forgotten
        self._recent: dict[str, object] = {}  # rows of the last minutes, for any other column

    def _ask(self, query: str, *values: object) -> tuple[list[str], list[list[Any]]]:
        if self._connection is None:
            self._connection = self._connect()
        cursor = self._connection.cursor()
        try:
            cursor.execute(query, values)
            names = [column[0] for column in cursor.description]
            rows = [list(row) for row in cursor.fetchall()]
        finally:
            cursor.close()
            with suppress(Exception):
                self._connection.rollback()  # let go of the snapshot, so that the next query sees what is new
        return [name.decode() if isinstance(name, bytes) else name for name in names], rows

    def header(self) -> list[str]:
        """The names of the columns."""
        if self._header:
            return self._header
        names, _ = self._ask(f"SELECT * FROM {self._table} LIMIT 0")  # noqa: S608 -- the name is quoted
        if self.by is None:
            numbering = [name for name in names if name.lower() in ("id", "rowid", "seq", "number")]
            if not numbering:
                raise DataError(
                    f"which column of {self.name} increases with every row? Say so with {BY}; the table has "
                    f"{listing(names)}",
                    hints=[BY],
                )
            self.by = numbering[0]
        if self.by not in names:
            raise DataError(
                f"there is no column {self.by!r} to read {self.name} by; the table has {listing(names)}."
                + suggestion(self.by, names)
            )
        self._header = names
        return names

    def _rows(self, condition: str, *values: object) -> tuple[list[str], list[list[Any]]]:
        by = _quoted(self.by or "")
        wanted = ", ".join(map(_quoted, dict.fromkeys([*self.columns, self.by or ""])) if self.columns else "*")
        where = f"WHERE {condition}" if condition else ""
        query = f"SELECT {wanted} FROM {self._table} {where} ORDER BY {by} LIMIT {BLOCK}"  # noqa: S608 -- names are quoted
        return self._ask(query, *values)

    def read(self, *, whole: bool = False) -> Iterator[Rows]:  # noqa: ARG002 -- a row is always whole
        """The rows that are new."""
        self.header()
        if self._last is None or isinstance(self._last, int):
            yield from self._late()
        yield from self._new()

    def _late(self) -> Iterator[Rows]:
        by, runs = _quoted(self.by or ""), self._seen
        gaps = [(one[1] + 1, other[0] - 1) for one, other in pairwise(runs)]
        questions = [(f"{by} < {self._mark}", [runs[0][0]])] if runs and not self._trimmed else []
        for start in range(0, len(gaps), ASKED):
            some = gaps[start : start + ASKED]
            condition = " OR ".join(f"{by} BETWEEN {self._mark} AND {self._mark}" for _ in some)
            questions.append((condition, [end for gap in some for end in gap]))
        for condition, ends in questions:
            names, rows = self._rows(condition, *ends)
            yield from self._counted(names, rows)
            if len(rows) == BLOCK:  # a long transaction: there may be more
                yield from self._late()
                return

    def _new(self) -> Iterator[Rows]:
        by = _quoted(self.by or "")
        start = self._start()
        while True:
            names, rows = self._rows("") if start is None else self._rows(f"{by} >= {self._mark}", start)
            yield from self._counted(names, rows)
            if len(rows) < BLOCK:
                return
            last = rows[-1][names.index(self.by or "")]
            if last == start:
                raise DataError(
                    f"{self.name} has {BLOCK} rows or more in which {self.by} is {last!r}; take a column that "
                    f"increases: {BY}",
                    hints=[BY],
                )
            start = last

    def _start(self) -> Any:
        """Where to read from: the last row, or some minutes before it."""
        if self._last is None or isinstance(self._last, int):
            return self._last
        return _earlier(self._last, self._overlap)

    def _counted(self, names: list[str], rows: list[list[Any]]) -> Iterator[Rows]:
        place = names.index(self.by or "")
        fresh = []
        keys = [names.index(name) for name in self.key_columns]
        for row in rows:
            by = row[place]
            if by is None:
                continue
            if isinstance(by, int) and not isinstance(by, bool):
                if not _remember(self._seen, by):
                    continue
            else:
                mark = hashlib.blake2b(repr([by, *(row[key] for key in keys)]).encode(), digest_size=10).hexdigest()
                if mark in self._recent:
                    continue
                self._recent[mark] = by
            fresh.append([_simple(cell) for cell in row])
            if self._last is None or by > self._last:
                self._last = by
        if len(self._seen) > GAPS + 1:
            del self._seen[: -GAPS - 1]
            self._trimmed = True
        if self._recent:
            edge = self._start()
            self._recent = {mark: by for mark, by in self._recent.items() if by >= edge}
        if fresh:
            columns = list(map(list, zip(*fresh, strict=True)))
            yield Rows(names, dict(zip(names, columns, strict=True)))

    def place(self) -> dict[str, object]:
        """The last row, and which were counted."""
        return {
            "by": self.by,
            "last": _packed(self._last),
            "seen": self._seen,
            "trimmed": self._trimmed,
            "recent": [[mark, _packed(by)] for mark, by in self._recent.items()],
        }

    def go_on(self, place: dict[str, Any]) -> None:
        """Go on after the rows that were counted."""
        if self.by is not None and place["by"] is not None and self.by != place["by"]:
            raise DataError(
                f"the state was made reading {self.name} by {place['by']!r}, and now it is to be read by "
                f"{self.by!r}; give the same, or start with a new state"
            )
        self.by = place["by"] or self.by
        self._last = _unpacked(place["last"])
        self._seen, self._trimmed = [list(run) for run in place["seen"]], place["trimmed"]
        self._recent = {mark: _unpacked(by) for mark, by in place["recent"]}

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            with suppress(Exception):
                self._connection.close()
            self._connection = None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _remember(runs: list[list[int]], number: int) -> bool:
    """Add a number to runs of numbers; whether it was new."""
    low, high = 0, len(runs)
    if runs and number > runs[-1][1]:
        low = high  # the usual case
    while low < high:  # the first run that ends at the number or after it
        middle = (low + high) // 2
        if runs[middle][1] < number:
            low = middle + 1
        else:
            high = middle
    if low < len(runs) and runs[low][0] <= number:
        return False
    joins_before = low > 0 and runs[low - 1][1] == number - 1
    joins_after = low < len(runs) and runs[low][0] == number + 1
    if joins_before and joins_after:
        runs[low - 1][1] = runs[low][1]
        del runs[low]
    elif joins_before:
        runs[low - 1][1] = number
    elif joins_after:
        runs[low][0] = number
    else:
        runs.insert(low, [number, number])
    return True


def _earlier(last: Any, seconds: float) -> Any:
    """Some seconds before a time, in the form in which the time came."""
    if isinstance(last, datetime):
        return last - timedelta(seconds=seconds)
    if isinstance(last, date):
        return last - timedelta(days=1)
    if isinstance(last, float):
        return last - seconds
    if isinstance(last, Decimal):
        return last - Decimal(seconds)
    if isinstance(last, str):
        with suppress(ValueError):
            back = datetime.fromisoformat(last) - timedelta(seconds=seconds)
            return back.isoformat(sep="T" if "T" in last else " ", timespec="seconds")[: len(last)]
    return last


def _simple(cell: Any) -> Any:
    if cell is None or isinstance(cell, str | int | float | bool):
        return cell
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, Decimal):
        return int(cell) if cell == cell.to_integral_value() else float(cell)
    if isinstance(cell, list | tuple):
        return tuple(map(_simple, cell))
    return cell.decode(errors="replace") if isinstance(cell, bytes) else str(cell)


def _packed(by: Any) -> Any:
    if isinstance(by, datetime):
        return {"datetime": by.isoformat()}
    if isinstance(by, date):
        return {"date": by.isoformat()}
    return {"decimal": str(by)} if isinstance(by, Decimal) else by


def _unpacked(by: Any) -> Any:
    if not isinstance(by, dict):
        return by
    ((kind, text),) = by.items()
    if kind == "decimal":
        return Decimal(text)
    return datetime.fromisoformat(text) if kind == "datetime" else date.fromisoformat(text)


def sqlite(path: str, table: str | None, by: str | None, *, overlap: float = OVERLAP) -> Table:
    """A table of an SQLite file."""
    file = Path(path)
    if not file.exists():
        raise FileNotFoundError(2, "No such file", str(file))

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, timeout=10)

    if table is None:
        connection = connect()
        try:
            tables = [
                name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
            ]
        finally:
            connection.close()
        table = _only_one(path, [name for name in tables if not name.startswith("sqlite_")])
    return Table(
        f"{path}, table {table}", table, by, connect, mark="?", failures=(sqlite3.OperationalError,), overlap=overlap
    )


def postgresql(address: str, table: str | None, by: str | None, *, overlap: float = OVERLAP) -> Table:
    """A table on a PostgreSQL server; the address is ``postgresql://user@host:port/database?table=labels``."""
    try:
        import pg8000.dbapi as driver
    except ImportError:
        raise extra("pg8000", "sql", purpose="a PostgreSQL table") from None
    parts = urlsplit(address)
    more = {name: given[-1] for name, given in parse_qs(parts.query).items()}
    table = table or more.get("table")
    port = int(more.get("port", parts.port or os.environ.get("PGPORT", "5432")))
    host = unquote(parts.hostname or "") or more.get("host") or os.environ.get("PGHOST", "localhost")
    user = (
        unquote(parts.username or "")
        or more.get("user")
        or os.environ.get("PGUSER")
        or os.environ.get("USER", "postgres")
    )
    given: dict[str, Any] = {
        "user": user,
        "password": unquote(parts.password) if parts.password else os.environ.get("PGPASSWORD"),
        "database": unquote(parts.path.lstrip("/")) or os.environ.get("PGDATABASE", user),
        "timeout": 30,
    }
    if host.startswith("/"):
        given["unix_sock"] = f"{host}/.s.PGSQL.{port}"
    else:
        given |= {"host": host, "port": port}
        given["ssl_context"] = {"disable": False, "require": True, "verify-full": True}.get(more.get("sslmode", ""))
    name = f"postgresql://{host}:{port}/{given['database']}"  # without the password

    def connect() -> Any:
        return driver.connect(**given)

    if table is None:
        connection = connect()
        try:
            cursor = connection.cursor()
            cursor.execute(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1"
            )
            tables = [row[0] for row in cursor.fetchall()]
        finally:
            connection.close()
        table = _only_one(name, tables)
    failures = (driver.Error, OSError)
    return Table(f"{name}, table {table}", table, by, connect, mark="%s", failures=failures, overlap=overlap)


def _only_one(name: str, tables: Sequence[str]) -> str:
    if len(tables) != 1:
        which = f"it has {listing(tables)}" if tables else "it has none"
        raise DataError(f"{name}: which table? Say so with --table; {which}")
    return tables[0]
