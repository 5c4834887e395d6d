"""What does a coefficient of a Parquet file cost over the bare query that counts it?

Ten annotators of five hundred for each item, five labels, strings, rows in no order.  The query gives the number of
items for each pattern of counts and nothing else; a scan also looks for annotators who gave one item two labels, and
reading the file makes a study of it, of which everything can be asked.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import harness

PER_ITEM, ANNOTATORS = 10, 500
WORDS = ("negative", "neutral", "positive", "mixed", "unclear")


def write(folder: Path, rows: int) -> Path:
    """A Parquet file of so many shuffled annotations, by DuckDB, which needs no memory for all of them."""
    import duckdb

    path = folder / f"votes{rows}.parquet"
    values = ", ".join(f"'{word}'" for word in WORDS)
    item, annotator = "'item-' || i", f"'worker-' || ((i * 7 + k * 53 + (hash(i) % 450)::INT) % {ANNOTATORS})"
    place = "CASE WHEN hash(i * 31 + k) % 100 < 70 THEN (hash(i) % 5)::INT ELSE (hash(k * 7919 + i) % 5)::INT END"
    duckdb.connect().execute(
        f"COPY (SELECT {item} AS item, {annotator} AS annotator, [{values}][1 + {place}] AS value "
        f"FROM range({rows // PER_ITEM}) items(i), range({PER_ITEM}) votes(k) ORDER BY hash(i * {PER_ITEM} + k)) "
        f"TO '{path}' (FORMAT parquet, COMPRESSION zstd)"
    )
    return path


def bare(path: str) -> Callable[[], float]:
    """The query alone, and alpha of what it gives."""
    import duckdb

    counts = ", ".join(f"count(*) FILTER (value = '{word}') AS n{k}" for k, word in enumerate(WORDS))

    items = f"SELECT item, {counts} FROM read_parquet('{path}') GROUP BY item"

    def counted() -> float:
        import numpy as np

        found = duckdb.connect().execute(f"SELECT * EXCLUDE item, count(*) FROM ({items}) GROUP BY ALL")
        table = np.array(found.fetchall(), dtype=float)
        rows, times = table[:, :-1], table[:, -1]
        size = rows.sum(axis=1)
        given, total = times @ rows, float(times @ size)
        apart = float(times @ ((size**2 - (rows**2).sum(axis=1)) / (size - 1)))
        return 1 - apart / (total**2 - float(given @ given)) * (total - 1)

    return counted


def scanned(path: str, duplicates: str) -> Callable[[], float]:
    """Alpha of a scan."""
    import interagree as ia

    return lambda: ia.alpha(ia.scan(path, duplicates=duplicates)).value


def read(path: str) -> Callable[[], float]:
    """Alpha of the study that is read from the file."""
    import interagree as ia

    return lambda: ia.alpha(ia.read(path)).value


def main(most: int = 10_000_000) -> None:
    """Print a table for each size."""
    harness.machine()
    with tempfile.TemporaryDirectory() as folder:
        rows = 1_000_000
        while rows <= most:
            path = str(write(Path(folder), rows))
            found = [
                harness.run(__file__, "bare", name="DuckDB's bare query", path=path),
                harness.run(__file__, "scanned", name="scan, without a look for repeats", path=path, duplicates="keep"),
                harness.run(__file__, "scanned", name="scan", path=path, duplicates="error"),
                harness.run(__file__, "read", name="read as a study", path=path),
            ]
            harness.show(f"alpha of {rows:,} annotations in a Parquet file", found, to="DuckDB's bare query")
            rows *= 10


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
