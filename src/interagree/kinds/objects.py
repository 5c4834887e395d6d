"""Values that are neither words nor numbers nor of any other kind: they are compared as wholes, the same or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from interagree.kinds._kind import Declared, Evidence
from interagree.kinds.tuples import tuples


def _why_not(value: object) -> str | None:  # noqa: ARG001 -- any will do
    return None


def _evidence(values: Sequence[object], _: Declared) -> Evidence | None:  # noqa: ARG001 -- the last resort
    return Evidence("neither words nor numbers")


objects = replace(
    tuples,
    name="objects",
    form="any value",
    why_not=_why_not,
    evidence=_evidence,
    rank=920,
    examples=("a", ("b", 1), ("a", None)),
)
