"""Databases: the rows of a query, from SQLite, DuckDB or PostgreSQL.

    ia.read("labels.db", query="SELECT task, coder, label FROM answers")
    ia.read("postgresql://user@host/study", query="SELECT task, coder, label FROM answers WHERE round = 2")

The rows are a table, and are read as one: ``item=``, ``annotator=`` and ``value=`` name columns where they are not
plain.  ``table=`` takes a whole table, and an address may say so itself: ``sqlite:///labels.db?table=answers``.  With
neither, the only table of a database is read; where there are several, the error lists them with the call for each.

Nothing is ever written: SQLite and DuckDB files are opened to be read only, and allow nothing but reading what they
hold; a PostgreSQL query runs in a transaction that is read only.  A password is taken from the address or from
PGPASSWORD, and shown nowhere.  PostgreSQL needs ``pip install 'interagree[sql]'``, DuckDB ``'interagree[engine]'``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from interagree.data.files import Source
from interagree.data.provenance import Step
from interagree.data.sql import (
    DUCKDB,
    POSTGRESQL,
    SUFFIXES,
    Database,
    asked_of,
    duckdb_database,
    is_sqlite,
    plain_cell,
    postgres_database,
    quoted,
    sqlite_database,
    sqlite_path,
)
from interagree.data.study import Study
from interagree.data.writing import write_file
from interagree.declare import reader
from interagree.errors import DoubtfulReading, FormatError, Hint, OptionError, ReadingAdvice, listing
from interagree.reading.cells import Column
from interagree.reading.questions import study
from interagree.reading.tables import NamedColumns

SHOWN = 2  # rows of each table that are shown where one is to be chosen
MOST = 6  # tables that are offered


@reader("SQL databases", suffixes=(*SUFFIXES, *DUCKDB), tabular=True, schemes=("sqlite", *POSTGRESQL))
def sql(path: str | Path | Source, *, query: str | None = None, table: str | None = None, **options: Any) -> Study:
    """The rows of a query, or of a table.

    Args:
        path: A file of SQLite or DuckDB, or an address: sqlite:///path or postgresql://user@host/database.
        query: What to select.
        table: The table to read as a whole.
        options: What may be said about a table; see `interagree.read`.
    """
    source = Source.of(path)
    asked = {} if source.address is None else asked_of(source.address)
    query, table = query or asked.get("query"), table or asked.get("table")
    if query is not None and table is not None:
        both = [Hint("query"), Hint("table")]
        raise OptionError(f"{both[0]} and {both[1]} both say what to read; give one of them", hints=both)
    with _opened(source) as database:
        steps = []
        if query is None:
            table = table or _only_table(database, source.name)
            query = f"SELECT * FROM {'.'.join(map(quoted, table.split('.')))}"  # noqa: S608 -- the name is quoted
            steps.append(Step("taken", f"the table {table!r}"))
        result = database.run(query)
    twice = [name for name, times in Counter(result.names).items() if times > 1]
    if twice:
        raise FormatError(f"{source.name}: the query gives several columns called {listing(twice)}; name them with AS")
    if not result.rows:
        raise FormatError(f"{source.name}: the query {query[:60]!r} gives no row")
    cells = zip(*result.rows, strict=True)
    columns: dict[Hashable, Column] = {
        name: [plain_cell(cell) for cell in column] for name, column in zip(result.names, cells, strict=True)
    }
    try:
        return study(source, NamedColumns.of(columns, steps=tuple(steps)), **options)
    except DoubtfulReading as error:
        error.readings = tuple(_with_query(reading, query) for reading in error.readings)
        raise


def _with_query(reading: ReadingAdvice, query: str) -> ReadingAdvice:
    """A way to read a table, with the query that gives it."""
    return reading._replace(options={"query": query, **reading.options}, of_reader=(*reading.of_reader, "query"))


@contextmanager
def _opened(source: Source) -> Iterator[Database]:
    """The database of a file or an address."""
    if source.address is not None and source.address.partition("://")[0] in POSTGRESQL:
        with postgres_database(source.address) as database:
            yield database
        return
    if source.path is not None and source.suffix in DUCKDB:
        with duckdb_database(source.path, source.name) as database:
            yield database
        return
    if source.content is not None:  # what came through a pipe
        with TemporaryDirectory() as folder:
            kept = Path(folder, "piped.db")
            write_file(kept, source.content)
            with _opened(Source(source.name, kept)) as database:
                yield database
        return
    file = source.path if source.address is None else Path(sqlite_path(source.address))
    if file is None or not is_sqlite(file if source.address is None else Source.of(file).path or file):
        raise FormatError(f"{source.name} is not a database of SQLite")
    with sqlite_database(file, source.name) as database:
        yield database


def _only_table(database: Database, place: str) -> str:
    """The only table of a database; an error that offers those there are."""
    tables = database.tables()
    if len(tables) == 1:
        return tables[0]
    if not tables:
        raise FormatError(f"{place} has no table to read")
    readings = []
    for name in tables[:MOST]:
        query = f"SELECT * FROM {name if name.isidentifier() else quoted(name)}"  # noqa: S608 -- as above
        first = database.run(f"{query} LIMIT {SHOWN}")
        rows = [[str(plain_cell(cell)) for cell in row] for row in first.rows]
        readings.append(ReadingAdvice(f"the table {name!r}", rows, first.names, {"query": query}, ("query",)))
    raise DoubtfulReading(
        f"{place} has the tables {listing(tables)}; say what to read by a query", readings, source=place
    )
