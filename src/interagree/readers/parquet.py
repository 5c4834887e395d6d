"""Parquet: a table in columns, with the types that it states.

Lists side by side (annotators and labels, as datasets with several annotators often have them) and structures are read
as nested JSON is; ``at`` says where the annotations lie, as in ``at="annotators[]"``.  Labels that the ``datasets``
library of Hugging Face keeps as numbers are called by their names.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.data.study import Study
from interagree.data.types import Frame
from interagree.declare import reader
from interagree.errors import FormatError, extra
from interagree.reading.columnar import study_of_columns


@reader("Parquet", suffixes=(".parquet", ".pq"), tabular=True)
def parquet(path: str | Path | Source, *, at: str | None = None, **options: Any) -> Study:
    """A table in a Parquet file; ``at`` says where nested annotations lie."""
    source = Source.of(path)
    return study_of_columns(source, _frame(source), at=at, **options)


def _frame(source: Source) -> Frame:
    packed = source.path is None or source.path.suffix.lower() not in (".parquet", ".pq")
    place = io.BytesIO(source.read()) if packed or source.path is None else source.path
    try:
        import pyarrow as pa
        import pyarrow.parquet as arrow_parquet
    except ImportError:
        return _by_polars(source, place)
    try:
        table: Frame = arrow_parquet.read_table(place)
    except (pa.ArrowInvalid, OSError) as error:
        raise FormatError(f"{source.name} is not a Parquet file: {error}") from None
    return table


def _by_polars(source: Source, place: Path | io.BytesIO) -> Frame:
    try:
        import polars as pl
    except ImportError:
        raise extra("pyarrow", "big", purpose="a Parquet file") from None
    try:
        return pl.read_parquet(place)
    except pl.exceptions.PolarsError as error:
        raise FormatError(f"{source.name} is not a Parquet file: {error}") from None
