"""Arrow files: Feather, the IPC file format and the IPC stream.

Lists side by side and structures are read as nested JSON is; ``at`` says where the annotations lie, as in
``at="annotators[]"``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.data.study import Study
from interagree.declare import reader
from interagree.reading.columnar import arrow_table, study_of_columns


@reader("Arrow and Feather", suffixes=(".arrow", ".feather", ".ipc"), tabular=True)
def arrow(path: str | Path | Source, *, at: str | None = None, **options: Any) -> Study:
    """A table in an Arrow file; ``at`` says where nested annotations lie."""
    source = Source.of(path)
    return study_of_columns(source, arrow_table(source), at=at, **options)
