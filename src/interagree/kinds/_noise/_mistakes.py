"""Labels taken for one another, in whatever they stand: alone, on spans, on boxes, in trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from interagree.arrays import Floats, Indices, Integers
from interagree.data.types import Value
from interagree.data.values import in_order, key
from interagree.errors import KindError, listing


@dataclass(frozen=True, slots=True)
class Mistakes:
    """The labels of a reference, how common each is, and which are mistaken for which."""

    scale: tuple[Value, ...]
    shares: Floats
    confusion: Mapping[Value, Mapping[Value, float]] | None = None

    @classmethod
    def of(
        cls,
        labels: Sequence[Value],
        scale: Sequence[Value] = (),
        confusion: Mapping[Value, Mapping[Value, float]] | None = None,
    ) -> Mistakes:
        """The labels of a reference; ``scale`` names those that could have been given, in order."""
        often = Counter(map(key, labels))
        known = tuple(scale) or tuple(in_order([label for _, label in often]))
        counts = np.array([often[key(label)] for label in known], dtype=np.float64)
        if confusion is not None:
            _check(confusion, known)
        return cls(known, counts / max(counts.sum(), 1.0), confusion)

    def uniform(self, labels: Sequence[Value], m: float, rng: Generator) -> list[Value]:
        """Each label drawn anew with probability m, all labels being equally likely."""
        where = _picked(labels, m, rng)
        return self._put(labels, where, rng.integers(len(self.scale), size=len(where)))

    def prevalence(self, labels: Sequence[Value], m: float, rng: Generator) -> list[Value]:
        """Each label drawn anew with probability m, each as likely as it is common in the reference."""
        where = _picked(labels, m, rng)
        return self._put(labels, where, rng.choice(len(self.scale), size=len(where), p=self.shares))

    def neighbour(self, labels: Sequence[Value], m: float, rng: Generator) -> list[Value]:
        """Each label taken for the next or the one before with probability m."""
        place = {key(label): code for code, label in enumerate(self.scale)}
        where = _picked(labels, m, rng)
        here = np.array([place[key(labels[at])] for at in where.tolist()], dtype=np.intp)
        step = np.where(rng.random(len(where)) < 0.5, -1, 1)
        last = len(self.scale) - 1
        step = np.where(here == 0, 1, np.where(here == last, -1, step)) if last else np.zeros_like(here)
        return self._put(labels, where, here + step)

    def confused(self, labels: Sequence[Value], m: float, rng: Generator) -> list[Value]:
        """Each label drawn anew with probability m as ``confusion`` says; one without a row there is kept."""
        degraded = list(labels)
        for at in _picked(labels, m, rng).tolist():
            row = (self.confusion or {}).get(labels[at])
            if row:
                weights = np.array(list(row.values()), dtype=np.float64)
                degraded[at] = list(row)[int(rng.choice(len(weights), p=weights / weights.sum()))]
        return degraded

    def usual(self, labels: Sequence[Value], m: float, rng: Generator) -> list[Value]:
        """Mistaken as was said, or else as labels are common."""
        if not labels:
            return []
        return (self.prevalence if self.confusion is None else self.confused)(labels, m, rng)

    def _put(self, labels: Sequence[Value], where: Indices, codes: Integers) -> list[Value]:
        degraded = list(labels)
        for at, code in zip(where.tolist(), codes.tolist(), strict=True):
            degraded[at] = self.scale[code]
        return degraded


def _picked(labels: Sequence[Value], m: float, rng: Generator) -> Indices:
    return np.flatnonzero(rng.random(len(labels)) < m)


def _check(confusion: Mapping[Value, Mapping[Value, float]], known: Sequence[Value]) -> None:
    unknown = [label for row in (confusion, *confusion.values()) for label in row if label not in known]
    if unknown:
        raise KindError(f"confusion names {listing(dict.fromkeys(unknown))}, and the labels are {listing(known)}")
    for label, row in confusion.items():
        weights = np.array(list(row.values()), dtype=np.float64)
        if not np.isfinite(weights).all() or (weights < 0).any() or not weights.sum() > 0:
            raise KindError(
                f"confusion gives each label weights that are not negative and not all zero, and {label!r} has {row!r}"
            )
