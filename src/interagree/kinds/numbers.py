"""Numbers on a scale with equal steps: more than twenty distinct ones, or some that are not whole.

Strings that all spell numbers are numbers here, because a text file cannot tell them apart.  Whole numbers of which
there are few may be codes or steps of a scale; they are taken as labels, in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interagree.arrays import Floats
from interagree.data.values import FEW, number
from interagree.data.values import numbers as as_numbers
from interagree.kinds._kind import Declared, Design, Evidence, Kind, stored_noise, told_by, written
from interagree.kinds._merging import Averaging


def _why_not(value: object) -> str | None:
    return None if number(value) is not None else f"{value!r} is not a number"


def _likely(values: Sequence[object]) -> bool:
    return as_numbers(values) is not None


def _evidence(values: Sequence[object], _: Declared) -> Evidence | None:
    parsed = as_numbers(values)
    if parsed is None:
        return None
    if len(parsed) > FEW:
        return Evidence(f"{len(parsed):,} distinct numbers")
    if not all(map(float.is_integer, parsed)):
        return Evidence("numbers, not all of them whole,")
    return None


def _further(design: Design) -> tuple[str, ...]:
    return ("icc:form=ICC(2,1)",) if design.complete and design.several else ()


def _rows(values: Sequence[object]) -> Floats:
    return np.array(as_numbers(values), dtype=np.float64)[:, None]


numbers = Kind(
    **written("numbers", "a number"),
    **told_by(_why_not, _likely, rank=30),
    evidence=_evidence,
    merge=Averaging(rows=_rows, value=lambda row: row[0]),
    distance="interval",
    distances=("nominal", "ordinal", "interval"),
    measures=("alpha:distance=interval",),
    further_measures=_further,
    structured=False,
    noise=stored_noise("numbers"),
    consensus="median",
    view="number",
    drawn=lambda value, _: number(value),
    sentence=(
        "the values are numbers ({count} distinct) and were taken as a scale with equal steps; if they are codes of "
        "labels, pass kind='labels'"
    ),
    group="Labels, numbers and sets",
    examples=(0, 1, 2.5, 4, 7),
)
