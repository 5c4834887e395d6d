"""Lists that are of no other kind: they are compared as wholes, the same or not."""

from __future__ import annotations

from collections.abc import Sequence

from interagree.kinds._kind import WHOLE, Declared, Evidence, Kind, stored_noise
from interagree.kinds.labels import labels


def _why_not(value: object) -> str | None:
    return None if isinstance(value, tuple) else f"{value!r} is not a list"


def _evidence(values: Sequence[object], _: Declared) -> Evidence | None:
    return Evidence("lists") if all(isinstance(value, tuple) for value in values) else None


tuples = Kind(
    name="tuples",
    title="structured values",
    form="a list",
    why_not=_why_not,
    likely=bool,
    evidence=_evidence,
    rank=910,
    certainty="fallback",
    can_be_stated=False,
    ambiguous=True,
    distance="nominal",
    distances=("nominal",),
    measures=labels.measures,
    further_measures=labels.further_measures,
    noise=stored_noise("labels"),
    sentence=WHOLE,
    group="Labels, numbers and sets",
    examples=(("x",), ("y",), ("x", "y"), ("y", "z")),
)
