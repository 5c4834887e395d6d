"""How long documents are, in what positions count."""

from __future__ import annotations

import math

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations
from interagree.data.values import numbers
from interagree.documents.texts import Documents
from interagree.errors import DataError, KindError, listing
from interagree.stats.documents.checks import is_finite


def stated(study: Annotations, length: str | float | None) -> Floats:
    """How long each document is according to the caller; nan where that is not stated.

    Args:
        study: The annotations.
        length: One length for all, or the attribute that says so.
    """
    if not isinstance(length, str):
        if length is not None and not (is_finite(length) and length > 0):
            raise KindError(f"the length of a document is above 0, got {length!r}")
        return np.full(len(study.items), math.nan if length is None else float(length))
    group, groups = study.item_attribute(length)
    lengths = numbers(groups)
    if not lengths:
        raise DataError(f"the lengths of documents are numbers, and the attribute {length!r} holds {listing(groups)}")
    of_items: Floats = np.r_[np.array(lengths, dtype=np.float64), math.nan][group]
    return of_items


def known(study: Annotations, length: str | float | None) -> Floats:
    """The same; where it is not stated, how long its text is, or its tokens, where the study has them."""
    if length is not None:
        return stated(study, length)
    documents = Documents.of(study)
    lengths = [documents.length(code) for code in range(len(study.items))]
    return np.array([math.nan if each is None else each for each in lengths], dtype=np.float64)


def reaching(study: Annotations, length: str | float | None, reach: Floats) -> Floats:
    """The same; an error where a document is shorter than ``reach``, which spans were marked up to."""
    lengths = known(study, length)
    short = np.flatnonzero(lengths < reach)
    if len(short):
        first = int(short[0])
        raise DataError(
            f"document {study.items[first]!r} is {lengths[first]:g} long, and somebody marked up to {reach[first]:g}; "
            "give the length in what positions count, such as characters or tokens"
        )
    return lengths
