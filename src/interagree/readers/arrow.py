"""Arrow files: Feather, the IPC file format and the IPC stream."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, extra
from interagree.reading.questions import study


@reader("Arrow and Feather", suffixes=(".arrow", ".feather", ".ipc"), tabular=True)
def arrow(path: str | Path | Source, **options: Any) -> Study:
    """A table in an Arrow file."""
    source = Source.of(path)
    try:
        import pyarrow as pa
    except ImportError:
        raise extra("pyarrow", "big", purpose="an Arrow file") from None
    from interagree.reading.frames import table

    content = source.read()
    opening = pa.ipc.open_file if content.startswith(b"ARROW1") else pa.ipc.open_stream
    try:
        found = opening(io.BytesIO(content)).read_all()
    except (pa.ArrowInvalid, OSError) as error:
        raise FormatError(f"{source.name} is not an Arrow file: {error}") from None
    return study(source, table(found), **options)
