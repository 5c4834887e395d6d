"""The units of one document, laid out as arrays, and how unlike two of them are.

A unit has a begin, an end and a category; each is of one annotator.  Dissimilarity is Mathet, Widlöcher and Métivier's:

    d(u, v) = empty · (alpha · pos(u, v) + beta · cat(u, v)),
    pos(u, v) = ((|begin u - begin v| + |end u - end v|) / (length u + length v))²,

with cat from a table between 0 and 1, and ``empty`` the cost of a unit set against none.  Two units without length are
0 apart in position where they are at the same place, and never to be aligned where they are not.  All that computes
with units goes through `Dissimilarity`, whatever path it takes.

Mathet, Y., Widlöcher, A. & Métivier, J.-P. (2015). The unified and holistic method gamma (γ) for inter-annotator
agreement measure and alignment. Computational Linguistics 41(3), 437-479.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from interagree.arrays import Floats, Indices, Integers
from interagree.errors import KindError
from interagree.stats.documents.checks import is_finite


@dataclass(frozen=True, slots=True)
class Continuum:
    """The units of one document, annotator by annotator, in the order of begin, end and category."""

    annotators: int  # how many looked at it; some may have marked nothing
    who: Indices  # the annotator of each unit, from 0 up
    begin: Floats
    end: Floats
    category: Indices  # a place in the table of categories; having none is a category of its own

    @classmethod
    def of(cls, annotators: int, who: ArrayLike, begin: ArrayLike, end: ArrayLike, category: ArrayLike) -> Continuum:
        """A document from units in any order; positions are counted from the first begin on."""
        owner, kind = np.asarray(who, dtype=np.intp), np.asarray(category, dtype=np.intp)
        low, high = np.asarray(begin, dtype=np.float64), np.asarray(end, dtype=np.float64)
        first = float(low.min(initial=np.inf)) if len(low) else 0.0
        order = np.lexsort((kind, high, low, owner))
        return cls(annotators, owner[order], low[order] - first, high[order] - first, kind[order])

    def __len__(self) -> int:
        return len(self.who)

    @property
    def mean_units(self) -> float:
        """How many units an annotator marked on average."""
        return len(self) / self.annotators if self.annotators else 0.0


@dataclass(frozen=True, slots=True)
class Dissimilarity:
    """How unlike two units are."""

    table: Floats  # of the categories: square, symmetric, between 0 and 1, nothing on the diagonal
    alpha: float = 1.0
    beta: float = 1.0
    empty: float = 1.0

    def __post_init__(self) -> None:
        for name, number in (("alpha", self.alpha), ("beta", self.beta)):
            if not (is_finite(number) and number >= 0):
                raise KindError(f"{name} is a weight from 0 up, got {number!r}")
        if not (is_finite(self.empty) and self.empty > 0):
            raise KindError(f"the cost of an empty unit is above 0, got {self.empty!r}")

    def position(self, c: Continuum, i: Integers, j: Integers) -> Floats:
        """The positional part of aligned pairs of units, without its weight."""
        off = np.abs(c.begin[i] - c.begin[j]) + np.abs(c.end[i] - c.end[j])
        long = (c.end[i] - c.begin[i]) + (c.end[j] - c.begin[j])
        return np.where(long > 0, (off / np.where(long > 0, long, 1.0)) ** 2, np.where(off > 0, np.inf, 0.0))

    def category(self, c: Continuum, i: Integers, j: Integers) -> Floats:
        """The part of the categories of aligned pairs of units, without its weight."""
        distances: Floats = self.table[c.category[i], c.category[j]]
        return distances

    def pairs(self, c: Continuum, i: Integers, j: Integers) -> Floats:
        """How unlike aligned pairs of units are."""
        where = self.alpha * self.position(c, i, j) if self.alpha else np.zeros(len(i))
        return self.empty * (where + self.beta * self.category(c, i, j))
