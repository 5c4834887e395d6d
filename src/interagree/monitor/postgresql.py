"""A growing table on a PostgreSQL server, by way of pg8000.

PostgreSQL gives out numbers when a row is written and shows the row when its transaction is committed, so that row 7
may show itself after row 8: that is found by counting (see `databases`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interagree.data.sql import Row, postgres_address
from interagree.monitor import databases
from interagree.monitor.databases import OVERLAP, Growing, only_one

# Classes of errors that pass: connection, resources, locks, an operator who ends the server, the system, conflicts.
PASSING = {"08", "53", "55", "57", "58", "40"}


class PostgresTable(Growing):
    """A table on a PostgreSQL server."""

    mark = "%s"

    def __init__(
        self, driver: Any, given: dict[str, Any], name: str, table: str, by: str | None, *, overlap: float = OVERLAP
    ) -> None:
        self._driver, self._given = driver, given
        self.failures = (driver.Error, OSError)
        super().__init__(name, table, by, overlap=overlap)

    def connect(self) -> Any:
        """A connection."""
        return self._driver.connect(**self._given)

    def begin(self) -> None:
        """A transaction that sees one moment; it has begun with its first query."""
        self.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    def scan(self, wanted: list[str]) -> Iterator[list[Row]]:
        """All rows, as they were at one moment."""
        self.begin()
        query = f"SELECT {', '.join(wanted)} FROM {self._table} ORDER BY {wanted[0]}"  # noqa: S608 -- names are quoted
        self.run(f"DECLARE interagree_rows NO SCROLL CURSOR FOR {query}")
        while rows := self.run(f"FETCH {databases.BLOCK} FROM interagree_rows")[1]:
            yield rows

    def passing(self, error: Exception) -> bool:
        """A server that is away, or too busy."""
        told = error.args[0] if error.args else None
        return str(told.get("C", ""))[:2] in PASSING if isinstance(told, dict) else True


def postgresql(address: str, table: str | None, by: str | None, **more: Any) -> PostgresTable:
    """A table on a PostgreSQL server; the address is ``postgresql://user@host:port/database?table=labels``."""
    server = postgres_address(address)
    driver, given, name = server.driver, server.settings, server.name
    table = table or server.asked.get("table")
    if table is None:
        connection = server.connect()
        try:
            cursor = connection.cursor()
            cursor.execute(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1"
            )
            tables = [row[0] for row in cursor.fetchall()]
        finally:
            connection.close()
        table = only_one(name, tables)
    return PostgresTable(driver, given, f"{name}, table {table}", table, by, **more)
