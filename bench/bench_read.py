"""What does reading a file as a study cost over reading it as a table?

A million rows, 100,000 items, 50 annotators, five labels, every tenth label missing.  The other readers stop at a table
of columns; ours goes on to numbered items, annotators and values, checked for duplicates.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import harness
import numpy as np

LABELS = ["negative", "neutral", "positive", "mixed", "unclear"]
KINDS = ("csv", "jsonl", "parquet")


def write(folder: Path, rows: int) -> None:
    """The same table in every format."""
    import polars as pl

    rng = np.random.default_rng(rows)
    item, slot = np.divmod(rng.permutation(rows), 10)
    label = np.array(LABELS)[rng.integers(0, 5, rows)]
    frame = pl.DataFrame({"item": item, "annotator": (item + 3 * slot) % 50, "label": label}).with_columns(
        pl.format("item-{}", pl.col("item").cast(str).str.zfill(7)).alias("item"),
        pl.format("ann-{}", pl.col("annotator").cast(str).str.zfill(2)).alias("annotator"),
        pl.when(pl.Series(rng.random(rows) >= 0.1)).then("label").alias("label"),
    )
    frame.write_csv(folder / "study.csv")
    frame.write_ndjson(folder / "study.jsonl")
    frame.write_parquet(folder / "study.parquet")


def interagree(path: str) -> Any:
    """A study."""
    import interagree as ia

    tiny = Path(path).with_name("tiny" + Path(path).suffix)
    if not tiny.exists():
        ia.write(ia.Annotations.of([(1, 1, "a"), (1, 2, "b")]), tiny)
    ia.read(tiny)
    return lambda: len(ia.read(path).single())


def pandas(path: str) -> Any:
    """A frame."""
    import pandas as pd

    reader = {"csv": pd.read_csv, "jsonl": lambda at: pd.read_json(at, lines=True), "parquet": pd.read_parquet}
    return lambda: int(reader[path.rpartition(".")[2]](path)["label"].notna().sum())


def polars(path: str) -> Any:
    """A frame."""
    import polars as pl

    reader = {"csv": pl.read_csv, "jsonl": pl.read_ndjson, "parquet": pl.read_parquet}
    return lambda: int(reader[path.rpartition(".")[2]](path)["label"].is_not_null().sum())


def pyarrow(path: str) -> Any:
    """A table."""
    import pyarrow.csv
    import pyarrow.json
    import pyarrow.parquet

    no_text = pyarrow.csv.ConvertOptions(strings_can_be_null=True)
    reader = {
        "csv": lambda at: pyarrow.csv.read_csv(at, convert_options=no_text),
        "jsonl": pyarrow.json.read_json,
        "parquet": pyarrow.parquet.read_table,
    }

    def timed() -> int:
        column = reader[path.rpartition(".")[2]](path)["label"]
        return len(column) - column.null_count

    return timed


def duckdb(path: str) -> Any:
    """An Arrow table."""
    import duckdb

    function = {"csv": "read_csv", "jsonl": "read_json", "parquet": "read_parquet"}[path.rpartition(".")[2]]

    def timed() -> int:
        with duckdb.connect() as connection:
            column = connection.execute(f"SELECT * FROM {function}('{path}')").to_arrow_table()["label"]
        return len(column) - column.null_count

    return timed


def main() -> None:
    """Each format."""
    harness.machine()
    for rows in [int(float(size)) for size in sys.argv[1:]] or [10**6]:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), rows)
            for kind in KINDS:
                path = str(Path(folder) / f"study.{kind}")
                found = [
                    harness.run(__file__, case, name=case, path=path)
                    for case in ("interagree", "pandas", "polars", "pyarrow", "duckdb")
                ]
                size = Path(path).stat().st_size / 2**20
                harness.show(f"{kind}, {rows:,} rows, {size:,.0f} MB", found, to="pyarrow")


if __name__ == "__main__":
    main()
