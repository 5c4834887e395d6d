"""How long documents are, in what positions count."""

from __future__ import annotations

import math

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations
from interagree.data.values import numbers
from interagree.documents.texts import Documents
from interagree.errors import DataError, KindError, listing
from interagree.stats.documents.continuum import is_finite


def said(study: Annotations, length: str | float | None) -> Floats:
    """How long each document was said to be; nan where nobody said.

    Args:
        study: The annotations.
        length: One length for all, or the attribute that says so.
    """
    if not isinstance(length, str):
        if length is not None and not (is_finite(length) and length > 0):
            raise KindError(f"the length of a document is above 0, got {length!r}")
        return np.full(len(study.items), math.nan if length is None else float(length))
    group, groups = study.item_attribute(length)
    told = numbers(groups)
    if not told:
        raise DataError(
            f"the lengths of documents are numbers, and the attribute {length!r} holds {listing(groups)}"
        )
    found: Floats = np.r_[np.array(told, dtype=np.float64), math.nan][group]
    return found


def known(study: Annotations, length: str | float | None) -> Floats:
    """The same; where nobody said, how long its text is, or its tokens, where the study has them."""
    if length is not None:
        return said(study, length)
    documents = Documents.of(study)
    found = [documents.length(code) for code in range(len(study.items))]
    return np.array([math.nan if one is None else one for one in found], dtype=np.float64)
