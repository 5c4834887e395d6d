"""The halves of each annotator's time, and whether something changed between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.findings.tail_bounds import opposite_tail
from interagree.stats.engine.compress import totals

HALF = 10  # annotations that each half of somebody's time must have to be compared


class Halves(NamedTuple):
    """In the order of time: the first of each annotator with their last, the second with the last but one."""

    early: Indices
    late: Indices
    who: Indices
    apart: Floats  # how far apart in time the two are, as a share of the largest distance
    people: int

    @classmethod
    def of(cls, order: Indices, who: Indices, people: int) -> Halves:
        """Those of annotators who have enough annotations in each half."""
        owner = who[order]
        n = np.bincount(owner, minlength=people)
        start = np.cumsum(n) - n
        place = np.arange(len(order)) - start[owner]
        half = n // 2
        one = np.flatnonzero((place < half[owner]) & (half[owner] >= HALF))  # the middle one of an odd number is left
        last = (start + n - 1)[owner[one]]
        two = last - place[one]
        apart = (two - one) / np.maximum(n[owner[one]] - 1, 1)
        return cls(order[one], order[two], owner[one], apart, people)

    @property
    def has(self) -> Indices:
        """How many pairs each annotator has."""
        return np.bincount(self.who, minlength=self.people)

    def means(self, entries: Floats) -> tuple[Floats, Floats]:
        """The mean of each annotator's first half, and that of the second."""
        with np.errstate(all="ignore"):
            first, second = (
                totals(self.who, entries[rows], self.people) / self.has for rows in (self.early, self.late)
            )
        return first, second

    def change(self, entries: Floats) -> tuple[Floats, Floats]:
        """P-values of a change over time, nan without pairs, and the weighted mean change.

        If nothing changed, either of a pair might have come first, so signs of differences are exchanged.  Weights are
        the square roots of distances in time: nearly the best ones for a steady change, and not far from it for a leap.
        """
        weight = np.sqrt(self.apart)
        gap = weight * (entries[self.late] - entries[self.early])
        p = opposite_tail(self.who, gap, self.people)
        with np.errstate(all="ignore"):
            by = totals(self.who, gap, self.people) / totals(self.who, weight, self.people)
        return np.where(self.has > 0, p, np.nan), np.nan_to_num(by)
