"""Columns of a study beside its annotations, by name."""

from __future__ import annotations

from interagree.arrays import Array
from interagree.data import Annotations
from interagree.errors import UnknownName, listing, suggestion


def column(study: Annotations, name: str, purpose: str) -> Array:
    """A column of the study, or an error that names those there are; ``purpose`` ends "there is no column 'x' …"."""
    if name in study.attributes:
        return study.attributes[name]
    known = [str(one) for one in study.attributes]
    there = f"there are {listing(known)}.{suggestion(name, known)}" if known else "there is no further column."
    raise UnknownName(f"there is no column {name!r} {purpose}; {there}")
