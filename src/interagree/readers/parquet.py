"""Parquet: a table in columns, with the types that it states.

Lists side by side (annotators and labels, as datasets with several annotators often have them) and structures are read
as nested JSON is; ``at`` says where the annotations lie, as in ``at="annotators[]"``.  Labels that the ``datasets``
library of Hugging Face keeps as numbers are called by their names.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.data.study import Study
from interagree.data.types import Frame
from interagree.declare import reader
from interagree.errors import extra
from interagree.reading.columnar import opened, parquet_place, parquet_table, study_of_columns


@reader("Parquet", suffixes=(".parquet", ".pq"), tabular=True)
def parquet(path: str | Path | Source, *, at: str | None = None, **options: Any) -> Study:
    """A table in a Parquet file; ``at`` says where nested annotations lie."""
    source = Source.of(path)
    return study_of_columns(source, _frame(source), at=at, **options)


def _frame(source: Source) -> Frame:
    try:
        import pyarrow as pa  # noqa: F401 -- whether it is there
    except ImportError:
        return _by_polars(source)
    table: Frame = parquet_table(source)
    return table


def _by_polars(source: Source) -> Frame:
    try:
        import polars as pl
    except ImportError:
        raise extra("pyarrow", "big", purpose="a Parquet file") from None
    return opened(source, "a Parquet file", lambda: pl.read_parquet(parquet_place(source)))
