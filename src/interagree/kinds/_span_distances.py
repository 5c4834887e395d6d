"""What the distances of lists of spans have in common: what is marked, and how far apart two empty lists are."""

from __future__ import annotations

from collections.abc import Callable

from interagree.arrays import Floats, Indices
from interagree.declare import Distance
from interagree.kernels.spans import Stretches, coverage, dice, dice_potential
from interagree.kinds.spans import Spans, checked


def by_dice(name: str, doc: str, marks: Callable[[Spans], Stretches]) -> Distance:
    """One minus Dice's coefficient of what two lists mark."""

    def prepare(packed: Spans, *, empty: float = 0.0) -> Stretches:
        checked(empty)
        return marks(packed)

    def between(prepared: Stretches, i: Indices, j: Indices, *, empty: float) -> Floats:
        return dice(prepared, i, j, empty)

    return Distance(
        name,
        between=between,
        doc=doc,
        of="spans",
        prepare=prepare,
        potential=dice_potential,
        bounded=True,
        defaults={"empty": 0.0},
    )


def by_coverage(name: str, doc: str, *, labels: bool) -> Distance:
    """One minus the F1 of how much of the spans of either list the other covers, with or without labels."""

    def prepare(packed: Spans, *, empty: float = 0.0) -> tuple[Stretches, Stretches]:
        checked(empty)
        return packed.in_order(labels=labels), packed.union(labels=labels)

    def between(prepared: tuple[Stretches, Stretches], i: Indices, j: Indices, *, empty: float) -> Floats:
        return coverage(*prepared, i, j, empty)

    return Distance(name, between=between, doc=doc, of="spans", prepare=prepare, bounded=True, defaults={"empty": 0.0})
