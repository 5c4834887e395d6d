"""Values that are neither words nor numbers nor of any other kind: they are compared as wholes, the same or not."""

from __future__ import annotations

from collections.abc import Sequence

from interagree.kinds._kind import WHOLE, Declared, Evidence, Kind, stored_noise
from interagree.kinds.labels import labels


def _why_not(value: object) -> str | None:  # noqa: ARG001 -- any will do
    return None


def _evidence(values: Sequence[object], _: Declared) -> Evidence | None:  # noqa: ARG001 -- the last resort
    return Evidence("neither words nor numbers")


objects = Kind(
    name="objects",
    title="structured values",
    form="any value",
    why_not=_why_not,
    likely=bool,
    evidence=_evidence,
    rank=920,
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
    examples=(("a", 1), ("b", 1), ("a", None)),
)
