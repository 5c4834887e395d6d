"""Vectors: a list of numbers, as many in every value, such as one score for each of seven emotions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from interagree.arrays import Floats
from interagree.errors import KindError
from interagree.kinds._kind import NEARLY, Kind, stored_noise, told_by, written
from interagree.kinds._merging import Averaging
from interagree.kinds._parts import is_number
from interagree.kinds._views import rounded
from interagree.kinds.rankings import distinct_ids


def _why_not(value: object) -> str | None:
    if not isinstance(value, tuple):
        return "it is not a list"
    odd = [part for part in value if not is_number(part)]
    if odd:
        return f"{odd[0]!r} is not a finite number"
    return None if len(value) >= 2 else f"a vector has {len(value)} numbers instead of at least 2"


def _pack(values: Sequence[tuple[float, ...]]) -> Floats:
    if not values:
        return np.zeros((0, 2))
    first = values[0]
    other = next((value for value in values if len(value) != len(first)), None)
    if other is not None:
        raise KindError(
            f"vectors were expected, all of one length; one has {len(first)} numbers and another {len(other)}: "
            f"{str(other)[:80]}; correct them, or if they are series of unequal length, compare them with dtw"
        )
    return np.array(values, dtype=np.float64)


def _likely(values: Sequence[tuple[float, ...]]) -> bool:
    sizes = Counter(map(len, values))
    if max(sizes.values()) < NEARLY * len(values):  # where a few are of another length, packing says so
        return False
    return not all(distinct_ids(value) for value in values)


vectors = Kind(
    **written("vectors", "a list of at least 2 numbers, all of one length"),
    **told_by(_why_not, _likely, _pack, rank=310),
    ambiguous=True,
    merge=Averaging(rows=_pack, value=tuple),
    distance="euclidean",
    distances=("hamming", "l1", "euclidean", "rmse", "cosine", "chebyshev"),
    noise=stored_noise("vectors"),
    view="vector",
    drawn=lambda value, _: [*map(rounded, value)],
    group="Vectors and series",
    examples=((0.5, 1.0, 0.0), (0.5, 0.5, 0.5), (1.0, 0.0, 0.0)),
)
