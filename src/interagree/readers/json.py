"""JSON: a list of records, an object of columns, or an object of items that are objects of annotators.

    [{"item": 1, "annotator": "ann", "value": "cat"}, …]
    {"item": [1, …], "annotator": ["ann", …], "value": ["cat", …]}
    {"first picture": {"ann": "cat", "bo": "dog"}, …}

``null`` means that there is no annotation; the string "null" is a value.
"""

from __future__ import annotations

import json as standard
from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError
from interagree.reading.choices import Choices
from interagree.reading.questions import study
from interagree.reading.tables import table_of


@reader("JSON", suffixes=(".json",), tabular=True)
def json(path: str | Path | Source, **options: Any) -> Study:
    """Records, columns, or items with their annotators."""
    source = Source.of(path)
    try:
        data = standard.loads(source.text())
    except standard.JSONDecodeError as error:
        raise FormatError(
            f"{source.name}, line {error.lineno}: this is not JSON ({error.msg}, column {error.colno})"
        ) from None
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else []
    kinds = {type(part) for part in inner}
    if len(kinds) != 1 or not kinds <= {dict, list}:
        raise FormatError(
            f"{source.name}: expected a list of records, an object of columns, or an object of items with their "
            f"annotators; found {_described(data)}. If a tool wrote it, name the tool, as in format='…'"
        )
    return study(source, table_of(data, Choices()), **options)


def _described(data: Any) -> str:
    if isinstance(data, dict):
        inside = ", ".join(f"{name!r}: {type(part).__name__}" for name, part in list(data.items())[:5])
        return f"an object with {inside or 'nothing in it'}"
    if isinstance(data, list):
        return f"a list that begins with {data[0]!r:.60}" if data else "an empty list"
    return repr(data)[:60]
