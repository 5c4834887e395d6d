"""Documents as JSON: the same numbers, unrounded, under a version number that changes when the layout does."""

from __future__ import annotations

import json as standard
import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import overload

from interagree import __version__
from interagree.results.document import SCHEMA, Document
from interagree.tables import Table


def json(document: Document, *, digits: int = 0) -> str:  # noqa: ARG001 -- JSON is not rounded
    """The data of a document, with the version of their layout and of interagree."""
    data = {"schema": SCHEMA, "interagree": __version__, **document.data}
    return standard.dumps(plain(data), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


@overload
def plain(entry: Mapping[str, object]) -> dict[str, object]: ...
@overload
def plain(entry: object) -> object: ...
def plain(entry: object) -> object:
    """What JSON can hold: nan becomes null, tables lists of rows, sets sorted lists."""
    if entry is None or isinstance(entry, bool | int | str):
        return entry
    if isinstance(entry, float):
        return entry if math.isfinite(entry) else None
    if isinstance(entry, Table):
        return [plain(row) for row in entry.rows()]
    if isinstance(entry, Mapping):
        return {str(name): plain(value) for name, value in entry.items()}
    if isinstance(entry, AbstractSet):
        return sorted((plain(value) for value in entry), key=str)
    if isinstance(entry, list | tuple):
        return [plain(value) for value in entry]
    return plain(entry.tolist()) if hasattr(entry, "tolist") else str(entry)
