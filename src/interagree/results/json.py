"""Documents as JSON: the same numbers, unrounded, under a version number that changes when the layout does."""

from __future__ import annotations

import json as standard

from interagree import __version__
from interagree.results.document import SCHEMA, Document
from interagree.tables import plain


def json(document: Document, *, digits: int = 0) -> str:  # noqa: ARG001 -- JSON is not rounded
    """The data of a document, with the version of their layout and of interagree."""
    data = {"schema": SCHEMA, "interagree": __version__, **document.data}
    return standard.dumps(plain(data), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
