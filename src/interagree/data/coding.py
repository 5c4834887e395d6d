"""Columns of text in large files as codes, numbered by DuckDB where it is installed.

The engine numbers the distinct texts of each column and returns a number for each row and column, so that no row of
text is ever held: ten million rows take half the memory that their texts take, and less time.  Codes stand in the
order of the rows, and names in that of their first row, as every other reader has them.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np

from interagree.arrays import Integers
from interagree.data.memory import free
from interagree.data.sql import literal, quoted

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 1_000_000  # of a file from which on the engine pays
BATCH = 1_000_000  # rows that are handed over at once
SPILL = "interagree-spill-"  # what folders are called into which the engine puts what does not fit into memory
SHARE = 0.6  # of the memory that is free that the engine may take; the codes stand beside it
LEAST = 100_000_000  # bytes that the engine may take in any case, or it could not work


def engine() -> Any:
    """DuckDB where it is installed, and Arrow, by which it hands over what it read; else None."""
    try:
        import duckdb
        import pyarrow as pa  # noqa: F401 -- whether it is there
    except ImportError:
        return None
    return duckdb


_OPEN: WeakValueDictionary[Path | None, Any] = WeakValueDictionary()


def shared(file: Path | None = None) -> Any:
    """The connection of all that is counted in files, or in one file of a database, so that tables can be joined."""
    place = None if file is None else file.resolve()
    if (connection := _OPEN.get(place)) is None:
        connection = _OPEN[place] = connected(file)
    return connection


def connected(file: Path | None = None) -> Any:
    """A database in memory, or a file of one to be read only, which spills into a folder that ends with the process.

    Folders of processes that were killed are cleared.
    """
    for left in Path(tempfile.gettempdir()).glob(f"{SPILL}*"):
        process = left.name.removeprefix(SPILL).partition("-")[0]
        if process.isdigit() and not _is_running(int(process)):
            shutil.rmtree(left, ignore_errors=True)
    connection = engine().connect(":memory:" if file is None else str(file), read_only=file is not None)
    connection.execute("SET temp_directory = ?", [str(_spill())])
    connection.execute("SET memory_limit = ?", [f"{max(LEAST, SHARE * free()) / 1e6:.0f}MB"])
    connection.execute("SET preserve_insertion_order = false")  # nothing here depends on the order of rows
    return connection


@functools.cache
def _spill() -> Path:
    folder = Path(tempfile.mkdtemp(prefix=f"{SPILL}{os.getpid()}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _is_running(process: int) -> bool:
    """Whether there is a process of this number; there is no asking on Windows, where signal 0 is Ctrl-C."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it belongs to somebody else
        return True
    return True


def coded_parquet(path: Path, names: Sequence[str], rows: int) -> dict[str, pa.DictionaryArray]:
    """Columns of text of a Parquet file, as codes and the distinct texts.

    Args:
        path: The file.
        names: The columns.
        rows: How many rows the file has.
    """
    codes = {name: np.full(rows, -1, dtype=np.int32) for name in names}
    texts: dict[str, pa.Array] = {}
    file = f"read_parquet({literal(str(path))}, file_row_number = true) AS file"
    with contextlib.closing(connected()) as connection:
        for place, name in enumerate(names):
            text = f"file.{quoted(name)} AS text"
            connection.execute(
                f"CREATE TEMP TABLE t{place} AS SELECT text, (row_number() OVER ())::INT - 1 AS code FROM "  # noqa: S608 -- names are quoted
                f"(SELECT {text} FROM {file} WHERE text IS NOT NULL GROUP BY 1)"
            )
            distinct = connection.sql(f"SELECT text FROM t{place} ORDER BY code")  # noqa: S608 -- as above
            texts[name] = _reader(distinct).read_all().column(0).combine_chunks()
        joined = " ".join(f"LEFT JOIN t{k} ON file.{quoted(name)} = t{k}.text" for k, name in enumerate(names))
        columns = ", ".join(f"t{k}.code" for k in range(len(names)))
        query = f"SELECT file_row_number, {columns} FROM {file} {joined}"  # noqa: S608 -- as above
        for batch in _reader(connection.sql(query)):
            row = batch.column(0).to_numpy()
            for place, name in enumerate(names, start=1):
                codes[name][row] = batch.column(place).fill_null(-1).to_numpy()
    return {name: _in_order(codes[name], texts[name]) for name in names}


def _reader(relation: Any) -> pa.RecordBatchReader:
    """What a query gives, in parts; older versions of the engine have another name for it."""
    reader = relation.to_arrow_reader if hasattr(relation, "to_arrow_reader") else relation.fetch_arrow_reader
    return reader(BATCH)


def _in_order(codes: Integers, texts: pa.Array) -> pa.DictionaryArray:
    """The codes of a column numbered by where each text stands first."""
    import pyarrow as pa

    first = np.full(len(texts), len(codes), dtype=np.int64)
    for end in range(len(codes), 0, -BATCH):  # from behind, so that the first place is what stays
        start = max(0, end - BATCH)
        block = codes[start:end][::-1]
        place = np.arange(end - 1, start - 1, -1)
        first[block[block >= 0]] = place[block >= 0]
    order = np.argsort(first, kind="stable")
    number = np.empty(len(texts) + 1, dtype=np.int32)
    number[order], number[-1] = np.arange(len(texts)), -1
    for start in range(0, len(codes), BATCH):
        codes[start : start + BATCH] = number[codes[start : start + BATCH]]
    missing = codes < 0
    indices = pa.array(codes, mask=missing) if missing.any() else pa.array(codes)
    return pa.DictionaryArray.from_arrays(indices, texts.take(pa.array(order)))
