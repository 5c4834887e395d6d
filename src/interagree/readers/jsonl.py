"""JSON lines: one record in each line, an object with the columns as keys or a list (item, annotator, value).

Annotations may lie inside the records, as in JSON; ``at`` says where, as in ``at="sentences[].responses[]"``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interagree.data.files import Source, json_lines
from interagree.data.study import Study
from interagree.data.types import Json
from interagree.declare import reader
from interagree.errors import FormatError
from interagree.reading.columnar import flat_lines, study_of_columns
from interagree.reading.nested import study_of


@reader("JSON lines", suffixes=(".jsonl", ".ndjson"), tabular=True)
def jsonl(path: str | Path | Source, *, at: str | None = None, **options: Any) -> Study:
    """One record in each line; ``at`` says where nested annotations lie."""
    source = Source.of(path)
    flat = flat_lines(source) if at is None else None
    if flat is not None:
        return study_of_columns(source, flat, **options)
    rows: list[Json] = []
    numbers: list[int] = []
    for number, line, row in json_lines(source.name, source.text()):
        if not isinstance(row, dict | list):
            raise FormatError(
                f"{source.name}, line {number}: expected an object with the columns as keys, or a list, found "
                f"{line[:60]!r}"
            )
        rows.append(row)
        numbers.append(number)
    if not rows:
        raise FormatError(f"{source.name} is empty; expected one JSON record in each line")
    return study_of(source, rows, at=at, lines=numbers, **options)
