"""Arrow files: Feather, the IPC file format and the IPC stream.

Lists side by side and structures are read as nested JSON is; ``at`` says where the annotations lie, as in
``at="annotators[]"``.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interagree.data.files import Source
from interagree.data.study import Study
from interagree.data.unpacking import allowed, too_large
from interagree.declare import reader
from interagree.errors import extra
from interagree.reading.columnar import sound, study_of_columns

if TYPE_CHECKING:
    import pyarrow as pa


@reader("Arrow and Feather", suffixes=(".arrow", ".feather", ".ipc"), tabular=True)
def arrow(path: str | Path | Source, *, at: str | None = None, **options: Any) -> Study:
    """A table in an Arrow file; ``at`` says where nested annotations lie."""
    source = Source.of(path)
    try:
        import pyarrow as pa
    except ImportError:
        raise extra("pyarrow", "big", purpose="an Arrow file") from None
    content = source.read()
    opening = pa.ipc.open_file if content.startswith(b"ARROW1") else pa.ipc.open_stream
    table = sound(source, "an Arrow file", lambda: _read(source, opening(io.BytesIO(content)), len(content)))
    return study_of_columns(source, table, at=at, **options)


def _read(source: Source, stream: pa.RecordBatchFileReader | pa.RecordBatchStreamReader, size: int) -> pa.Table:
    """All batches as one table; an error where they unpack to more than a table of annotations does."""
    import pyarrow as pa

    if hasattr(stream, "num_record_batches"):
        batches = (stream.get_batch(place) for place in range(stream.num_record_batches))
    else:
        batches = iter(stream)
    kept, total = [], 0
    for batch in batches:
        total += batch.get_total_buffer_size()  # not .nbytes, which believes the offsets of a damaged file
        if total > allowed(size):
            raise too_large(source.name, size, "save it as CSV and read that")
        kept.append(batch)
    return pa.Table.from_batches(kept, stream.schema)
