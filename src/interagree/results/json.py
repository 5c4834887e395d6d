"""Documents as JSON: the same numbers, unrounded, under a version number that changes when the layout does."""

from __future__ import annotations

from interagree import __version__
from interagree.results.document import SCHEMA, Document
from interagree.tables import json_text, plain


def json(document: Document, *, digits: int = 0) -> str:  # noqa: ARG001 -- JSON is not rounded
    """The data of a document, with the version of their layout and of interagree."""
    data = {"schema": SCHEMA, "interagree": __version__, **document.data}
    return json_text(plain(data), indent=2) + "\n"
