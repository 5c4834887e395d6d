"""Parquet: a table in columns, with the types that it states.

Lists side by side (annotators and labels, as datasets with several annotators often have them) and structures are read
as nested JSON is; ``at`` says where the annotations lie, as in ``at="annotators[]"``.  Labels that the ``datasets``
library of Hugging Face keeps as numbers are called by their names.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interagree.data.files import Source
from interagree.data.memory import table_must_fit
from interagree.data.study import Study
from interagree.data.types import Frame
from interagree.data.unpacking import allowed, too_large
from interagree.declare import reader
from interagree.errors import extra
from interagree.reading.columnar import check_names, opened, sound, study_of_columns

if TYPE_CHECKING:
    from pyarrow.parquet import FileMetaData

NUMBER = 8  # bytes that a row takes in memory, however often it repeats the one before


@reader("Parquet", suffixes=(".parquet", ".pq"), tabular=True)
def parquet(path: str | Path | Source, *, at: str | None = None, **options: Any) -> Study:
    """A table in a Parquet file; ``at`` says where nested annotations lie."""
    source = Source.of(path)
    return study_of_columns(source, _frame(source), at=at, **options)


def _frame(source: Source) -> Frame:
    packed = source.path is None or source.path.suffix.lower() not in (".parquet", ".pq")
    place = io.BytesIO(source.read()) if packed or source.path is None else source.path
    try:
        import pyarrow.parquet as arrow_parquet
    except ImportError:
        return _by_polars(source, place)
    about = opened(source, "a Parquet file", lambda: arrow_parquet.read_metadata(place))
    check_names(source, opened(source, "a Parquet file", lambda: about.schema.to_arrow_schema().names))
    size = source.size if isinstance(place, Path) else place.getbuffer().nbytes
    if opened(source, "a Parquet file", lambda: _unpacked_size(about)) > allowed(size):
        raise too_large(source.name, size, "save it as CSV and read that")
    table_must_fit(source.name, source.size, about.num_rows * about.num_columns)
    table: Frame = sound(source, "a Parquet file", lambda: arrow_parquet.read_table(place))
    return table


def _unpacked_size(about: FileMetaData) -> int:
    """How many bytes a table takes at the least, as its file states: those of its cells, or one number for each row."""
    groups = [about.row_group(place) for place in range(about.num_row_groups)]
    cells = sum(group.column(place).total_uncompressed_size for group in groups for place in range(group.num_columns))
    return int(max(cells, NUMBER * about.num_rows))


def _by_polars(source: Source, place: Path | io.BytesIO) -> Frame:
    try:
        import polars as pl
    except ImportError:
        raise extra("pyarrow", "big", purpose="a Parquet file") from None
    return opened(source, "a Parquet file", lambda: pl.read_parquet(place))
