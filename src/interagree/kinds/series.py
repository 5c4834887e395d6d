"""Series: a list of numbers in the order of time, which may be longer in one value than in another.

Lists of one length are recognised as vectors; ``kind="series"`` says that they are series all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.kinds._kind import Kind, stored_noise, told_by, written
from interagree.kinds._parts import is_number, starts
from interagree.kinds._views import rounded
from interagree.kinds.rankings import distinct_ids


@dataclass(frozen=True, slots=True)
class Series:
    """The numbers of all values, end to end; those of value k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    number: Floats


def _why_not(value: object) -> str | None:
    if not isinstance(value, tuple):
        return "it is not a list"
    if not value:
        return "it has no numbers"
    odd = [part for part in value if not is_number(part)]
    return f"{odd[0]!r} is not a finite number" if odd else None


def _pack(values: Sequence[tuple[float, ...]]) -> Series:
    start = starts([len(value) for value in values])
    return Series(start, np.fromiter(chain.from_iterable(values), dtype=np.float64, count=int(start[-1])))


def _likely(values: Sequence[tuple[float, ...]]) -> bool:
    if len({len(value) for value in values}) < 2:
        return False
    return not all(distinct_ids(value) for value in values)  # as sets of labels are


series = Kind(
    **written("series", "a list of numbers in order", title="series of numbers"),
    **told_by(_why_not, _likely, _pack, rank=320, certainty="loose"),
    ambiguous=True,
    distance="dtw",
    distances=("dtw",),
    noise=stored_noise("series"),
    view="vector",
    drawn=lambda value, _: [*map(rounded, value)],
    group="Vectors and series",
    examples=((0.5, 1.0, 0.5), (0.5, 1.0), (2.0, 1.0, 0.5, 0.5)),
)
