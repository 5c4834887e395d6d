"""Lists that are of no other kind: they are compared as wholes, the same or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from interagree.kinds._kind import WHOLE, Declared, Evidence
from interagree.kinds.labels import labels


def _why_not(value: object) -> str | None:
    return None if isinstance(value, tuple) else f"{value!r} is not a list"


def _evidence(values: Sequence[object], _: Declared) -> Evidence | None:
    return Evidence("lists") if all(isinstance(value, tuple) for value in values) else None


tuples = replace(
    labels,
    name="tuples",
    title="structured values",
    form="a list",
    why_not=_why_not,
    likely=bool,
    evidence=_evidence,
    rank=910,
    can_be_stated=False,
    structured=True,
    consensus="medoid",
    view="plain",
    drawn=None,
    sentence=WHOLE,
    examples=(("x",), ("y",), ("x", "y"), ("y", "z")),
)
