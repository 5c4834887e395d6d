"""Parquet: a table in columns, with the types that it states."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, extra
from interagree.reading.questions import study


@reader("Parquet", suffixes=(".parquet", ".pq"), tabular=True)
def parquet(path: str | Path | Source, **options: Any) -> Study:
    """A table in a Parquet file."""
    source = Source.of(path)
    from interagree.reading.frames import table

    return study(source, table(_frame(source)), **options)


def _frame(source: Source) -> Any:
    packed = source.path is None or source.path.suffix.lower() not in (".parquet", ".pq")
    place: Any = io.BytesIO(source.read()) if packed else source.path
    try:
        import pyarrow as pa
        import pyarrow.parquet as arrow_parquet
    except ImportError:
        return _by_polars(source, place)
    try:
        return arrow_parquet.read_table(place)
    except (pa.ArrowInvalid, OSError) as error:
        raise FormatError(f"{source.name} is not a Parquet file: {error}") from None


def _by_polars(source: Source, place: Any) -> Any:
    try:
        import polars as pl
    except ImportError:
        raise extra("pyarrow", "big", purpose="a Parquet file") from None
    try:
        return pl.read_parquet(place)
    except pl.exceptions.PolarsError as error:
        raise FormatError(f"{source.name} is not a Parquet file: {error}") from None
