"""Databases: addresses of them, which never show a password, and connections that only read."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from interagree.data.memory import rows_must_fit
from interagree.errors import DataError, FormatError, extra

MAGIC = b"SQLite format 3\x00"
SUFFIXES = (".db", ".sqlite", ".sqlite3")
DUCKDB = (".duckdb", ".ddb")
POSTGRESQL = ("postgresql", "postgres")
READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
BLOCK = 20_000  # rows that are fetched at once
PART = 1 << 26  # bytes that may be fetched at once, as far as the rows before tell
LONGEST = 1 << 26  # bytes that a cell of SQLite may have
LOOKED_AT = 16  # rows whose size tells that of the next ones

Row = Sequence[Any]  # as a database hands it over


class QueryResult(NamedTuple):
    """What a query gives."""

    names: list[str]
    rows: list[Row]


class PostgresAddress(NamedTuple):
    """Where a PostgreSQL server is."""

    driver: Any  # pg8000
    settings: dict[str, Any]  # what it connects by
    name: str  # without the password
    asked: dict[str, str]  # what else the address says, as in ?table=labels

    def connect(self) -> Any:
        """A connection."""
        return self.driver.connect(**self.settings)


def is_sqlite(path: Path) -> bool:
    """Whether a file is a database of SQLite."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False


def asked_of(address: str) -> dict[str, str]:
    """What stands behind the question mark of an address."""
    return {name: given[-1] for name, given in parse_qs(urlsplit(address).query).items()}


def sqlite_path(address: str) -> str:
    """The file of an address such as sqlite:///path?table=labels."""
    return unquote(urlsplit(address).path)[1:]


def postgres_address(address: str) -> PostgresAddress:
    """The server of ``postgresql://user@host:port/database?table=labels``; what is left out is in PG… variables."""
    try:
        import pg8000.dbapi as driver
    except ImportError:
        raise extra("pg8000", "sql", purpose="a PostgreSQL table") from None
    parts, asked = urlsplit(address), asked_of(address)
    try:
        port = int(asked.get("port", parts.port or os.environ.get("PGPORT", "5432")))
    except ValueError as error:
        raise DataError(f"the port of a server is a number, as in postgresql://host:5432/database ({error})") from None
    host = unquote(parts.hostname or "") or asked.get("host") or os.environ.get("PGHOST", "localhost")
    user = (
        unquote(parts.username or "")
        or asked.get("user")
        or os.environ.get("PGUSER")
        or os.environ.get("USER", "postgres")
    )
    password = unquote(parts.password) if parts.password else asked.get("password", os.environ.get("PGPASSWORD"))
    settings: dict[str, Any] = {
        "user": user,
        "password": password,
        "database": unquote(parts.path.lstrip("/")) or os.environ.get("PGDATABASE", user),
        "timeout": 30,
    }
    if host.startswith("/"):
        settings["unix_sock"] = f"{host}/.s.PGSQL.{port}"
    else:
        settings |= {"host": host, "port": port}
        settings["ssl_context"] = {"disable": False, "require": True, "verify-full": True}.get(asked.get("sslmode", ""))
    return PostgresAddress(driver, settings, f"postgresql://{host}:{port}/{settings['database']}", asked)


def sqlite_connection(file: Path) -> sqlite3.Connection:
    """A connection to a file that only reads it."""
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, timeout=10)


def reason(error: Exception) -> str:
    """What a database says about an error, in one line."""
    told = error.args[0] if error.args else ""
    message = told.get("M", told) if isinstance(told, dict) else str(error)
    return (str(message).strip().splitlines() or [type(error).__name__])[0]


class Database:
    """A database that is only read."""

    def __init__(self, name: str, connection: Any, failures: tuple[type[Exception], ...], *, catalogue: str) -> None:
        self.name, self._connection, self._failures, self._catalogue = name, connection, failures, catalogue

    def tables(self) -> list[str]:
        """The names of tables and views."""
        return [str(row[0]) for row in self.run(self._catalogue).rows]

    def run(self, query: str, values: Sequence[object] = ()) -> QueryResult:
        """What a query gives."""
        try:
            cursor = self._connection.cursor()
            cursor.execute(query, tuple(values))
            if cursor.description is None:
                raise FormatError(
                    f"{self.name}: expected a query that gives rows, as SELECT does, found {query[:60]!r}"
                )
            names = [column[0] for column in cursor.description]
            rows: list[Row] = []
            size = 1
            while part := cursor.fetchmany(size):
                rows += part
                rows_must_fit(f"{self.name}: the query {query[:60]!r}", len(rows), len(names))
                widest = max(sum(map(sys.getsizeof, row)) for row in part[:LOOKED_AT])
                size = min(BLOCK, 4 * size, max(1, PART // widest))
        except self._failures as error:
            raise FormatError(f"{self.name}: the query {query[:60]!r} cannot be run: {reason(error)}") from None
        return QueryResult([name.decode() if isinstance(name, bytes) else str(name) for name in names], rows)


@contextmanager
def sqlite_database(file: Path, name: str) -> Iterator[Database]:
    """A file of SQLite, in which nothing but reading is allowed."""
    failures = (sqlite3.Error, sqlite3.Warning, OverflowError, ValueError, OSError)
    try:
        connection = sqlite_connection(file)
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        connection.set_authorizer(_only_reading)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    except failures as error:
        raise FormatError(f"{name} cannot be read: {reason(error)}") from None
    catalogue = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY 1"
    try:
        yield Database(name, connection, failures, catalogue=catalogue)
    finally:
        connection.close()


@contextmanager
def duckdb_database(file: Path, name: str) -> Iterator[Database]:
    """A file of DuckDB, opened to be read only, by queries that reach no other file."""
    try:
        import duckdb
    except ImportError:
        raise extra("duckdb", "engine", purpose="a file of DuckDB") from None
    failures = (duckdb.Error, OSError, ValueError)
    try:
        connection = duckdb.connect(str(file), read_only=True, config={"enable_external_access": "false"})
    except failures as error:
        raise FormatError(f"{name} cannot be read: {reason(error)}") from None
    catalogue = (
        "SELECT CASE table_schema WHEN 'main' THEN table_name ELSE table_schema || '.' || table_name END FROM "
        "information_schema.tables ORDER BY 1"
    )
    try:
        yield Database(name, connection, failures, catalogue=catalogue)
    finally:
        connection.close()


def _only_reading(action: int, _name: str | None, function: str | None, *_more: str | None) -> int:
    """Allow what selects, and nothing that writes, attaches other files or loads code."""
    pragma = action == sqlite3.SQLITE_PRAGMA and _name == "table_info"
    fine = (action in READING and function != "load_extension") or pragma
    return sqlite3.SQLITE_OK if fine else sqlite3.SQLITE_DENY


@contextmanager
def postgres_database(address: str) -> Iterator[Database]:
    """A database of a PostgreSQL server, in a transaction that only reads."""
    server = postgres_address(address)
    failures: tuple[type[Exception], ...] = (server.driver.Error, OSError)
    try:
        connection = server.connect()
        connection.cursor().execute("SET TRANSACTION READ ONLY")
    except failures as error:
        raise DataError(f"{server.name} cannot be read: {reason(error)}") from None
    catalogue = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1"
    try:
        yield Database(server.name, connection, failures, catalogue=catalogue)
    finally:
        connection.close()


def quoted(name: str) -> str:
    """A name as it stands in a query."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as it stands in a query."""
    return "'" + text.replace("'", "''") + "'"


def plain_cell(cell: Any) -> Any:
    """What a cell of a database holds, as files have it."""
    if cell is None or isinstance(cell, str | int | float | bool):
        return cell
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, Decimal):
        return int(cell) if cell == cell.to_integral_value() else float(cell)
    if isinstance(cell, list | tuple):
        return tuple(map(plain_cell, cell))
    return cell.decode(errors="replace") if isinstance(cell, bytes) else str(cell)
