"""Studies of independent annotators: what they say depends on nothing but chance.

For every kind of value there are annotators who draw it at random: labels and numbers from shares of their own, spans
and boundaries at random places, clusters of random mentions, and any other kind, those of plug-ins included, from a
stock of its examples with and without errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from interagree import Annotations
from interagree.kinds._noise import degrade
from interagree.plugins import KINDS, MEASURES

Rng = np.random.Generator
Make = Callable[[Rng], Annotations]

EVEN, UNEVEN, RARE = (1 / 3, 1 / 3, 1 / 3), (0.5, 0.3, 0.2), (0.95, 0.05)
LEFT, RIGHT = (0.7, 0.2, 0.1), (0.1, 0.3, 0.6)
FIVE = (0.3, 0.25, 0.2, 0.15, 0.1)


class Design(NamedTuple):
    """How many items, with what shares each annotator draws values, and how many annotations are missing."""

    items: int
    shares: tuple[Sequence[float], ...]
    missing: float = 0.0

    @property
    def alike(self) -> bool:
        """Whether all annotators draw from the same shares."""
        return len(set(self.shares)) == 1

    @property
    def bias(self) -> float:
        """How far from its value to first order a mean may lie where not everybody annotated everything.

        With complete tables the means are exact: dealing an annotator's values anew to their items leaves all shares as
        they are.  With gaps, what an item counts varies with the number of its annotations, and so do the shares, by
        one part in the number of annotations.
        """
        return 1 / (self.items * len(self.shares) * (1 - self.missing)) if self.missing else 0.0

    def of(self, annotators: int) -> Design:
        return self._replace(shares=self.shares[:annotators])


DESIGNS = {
    "even": Design(20, (EVEN,) * 2),
    "few items": Design(20, (UNEVEN,) * 3),
    "five annotators": Design(20, (FIVE,) * 5),
    "many items": Design(300, (UNEVEN,) * 2),
    "rare value": Design(40, (RARE,) * 3),
    "rare value, many items": Design(300, (RARE,) * 2),
    "gaps": Design(40, (UNEVEN,) * 5, 0.4),
    "own habits": Design(20, (LEFT, RIGHT)),
    "own habits, three": Design(60, (LEFT, RIGHT, EVEN)),
    "own habits, gaps": Design(60, (LEFT, RIGHT, EVEN), 0.3),
}


def labels(design: Design, values: Sequence[Any], rng: Rng, *, ordered: bool | None = None) -> Annotations:
    """Labels that every annotator draws by their own shares."""
    drawn = np.column_stack([rng.choice(len(own), size=design.items, p=own) for own in design.shares])
    item, who = np.nonzero(rng.random(drawn.shape) >= design.missing)
    people = [f"annotator {k}" for k in range(len(design.shares))]
    return Annotations.from_codes(
        item, who, drawn[item, who], range(design.items), people, values, values=values, ordered=ordered
    )


def stock(kind: str, rng: Rng, most: int = 24) -> list[Any]:
    """Distinct values of a kind: its examples, and these with errors where the kind has some."""
    values = list(KINDS[kind].examples)
    if KINDS[kind].noise is not None:
        stated = kind if KINDS[kind].can_be_stated else None
        for magnitude in (0.3, 0.6, 1.0):
            values += degrade(values[:6], magnitude, rng, kind=stated)
    return list(dict.fromkeys(values))[:most]


def drawn(kind: str, values: Sequence[Any], rng: Rng, *, items: int = 16, annotators: int = 3) -> Annotations:
    """Values that all annotators draw from one stock, some more often than others."""
    shares = np.arange(1, len(values) + 1) / (len(values) * (len(values) + 1) / 2)
    codes = rng.choice(len(values), size=(items, annotators), p=shares)
    stated = {"kind": kind} if KINDS[kind].can_be_stated else {}
    rows = [(i, f"annotator {a}", values[codes[i, a]]) for i in range(items) for a in range(annotators)]
    return Annotations.of(rows, **stated)


class Marking(NamedTuple):
    """How many documents of what length, how many annotators, and how many units each marks in one."""

    documents: int
    annotators: int
    units: tuple[int, int]
    length: int

    def spans(self, rng: Rng) -> Annotations:
        """Units that do not overlap, in any order at any places inside the document."""
        rows = []
        for document in range(self.documents):
            for who in range(self.annotators):
                size = rng.integers(1, 8, rng.integers(self.units[0], self.units[1] + 1))
                count = len(size)
                free = self.length - int(size.sum())
                gap = np.sort(rng.choice(free + count, count, replace=False)) - np.arange(count)
                begin = gap + np.cumsum(size) - size
                marks = [
                    [int(b), int(b + s), str(label)]
                    for b, s, label in zip(begin, size, rng.choice(["A", "B"], count), strict=True)
                ]
                rows.append({"item": document, "annotator": who, "value": marks, "text": "x" * self.length})
        return Annotations.of(rows, kind="spans", attributes=["text"])

    def segments(self, rng: Rng) -> Annotations:
        """Boundaries anywhere, as many as there would be units; the first annotator cuts twice as often."""
        rows = []
        for document in range(self.documents):
            for who in range(self.annotators):
                rate = min(0.5, sum(self.units) / self.length * (2 if who == 0 else 1))
                cuts = np.flatnonzero(rng.random(self.length - 1) < rate) + 1
                rows.append((document, who, np.diff([0, *cuts, self.length]).tolist()))
        return Annotations.of(rows, kind="segments")

    def clusters(self, rng: Rng) -> Annotations:
        """Mentions put together at random."""
        rows = []
        for document in range(self.documents):
            for who in range(self.annotators):
                entity = rng.integers(0, sum(self.units), self.length // 3)
                put = [[f"m{k}" for k in np.flatnonzero(entity == one)] for one in np.unique(entity)]
                rows.append((document, who, put))
        return Annotations.of(rows, kind="clusters")


MARKINGS = {
    "short documents": Marking(20, 2, (1, 3), 30),
    "short documents, three annotators": Marking(20, 3, (1, 3), 30),
    "long documents": Marking(5, 2, (8, 12), 150),
    "long documents, three annotators": Marking(4, 3, (8, 12), 150),
}
MARKED = ("spans", "segments", "clusters")


def corrected() -> list[str]:
    """The measures that are corrected for chance, whatever they are."""
    return [name for name in MEASURES if MEASURES[name].facts.chance != "none"]
