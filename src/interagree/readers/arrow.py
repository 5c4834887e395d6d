"""Arrow files: Feather, the IPC file format and the IPC stream.

Lists side by side and structures are read as nested JSON is; ``at`` says where the annotations lie, as in
``at="annotators[]"``.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import extra
from interagree.reading.columnar import sound, study_of_columns


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
    table = sound(source, "an Arrow file", lambda: opening(io.BytesIO(content)).read_all())
    return study_of_columns(source, table, at=at, **options)
