"""What plans are made of: the aim, what is assumed, and the variances that the plan rests on."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

from interagree.errors import Hint
from interagree.results.agreement import Interval, StandardError
from interagree.stats.engine.adjusted import LOGIT, Estimated, Scale, ends
from interagree.stats.labels.item_agreement import Moments
from interagree.stats.labels.made_up import ALIKE, SPLIT
from interagree.tables import Table

MOST = 10  # labels for an item, unless others are asked for
ENOUGH = 10  # items of a pilot with so many labels, without which a plan for so many labels means nothing
FEW = 30  # items below which a variance is rough, and an interval wider than the normal quantile makes it
# Options that the sentences of a plan name.
SHARES, AGREEMENT, PER_ITEM = Hint("shares", [0.5, 0.3, 0.2]), Hint("agreement", 0.8), Hint("per_item")
ALL_ALIKE = f"all items are taken to be alike without {AGREEMENT} or the like, so annotators agree as if they guessed"
NEXT = ("what", "labels", "items", "which", "before", "after")  # columns of the advice

Shares: TypeAlias = Sequence[float] | Mapping[Hashable, float]
Asked: TypeAlias = tuple[int, ...] | None  # numbers of labels per item that a plan is wanted for


class Aim(NamedTuple):
    """What a plan is for."""

    half_width: float | None
    budget: int | None
    level: float
    spend: int


class Width(NamedTuple):
    """How wide the default interval of a coefficient will be.

    It is made on a scale without ends, with a quantile of t and, for a share, with made-up items
    (`stats.engine.adjusted`), so it is wider than the normal quantile alone says where items are few or the
    coefficient is near 1.
    """

    value: float
    level: float
    scale: Scale

    def half(self, variance: float, items: float, n: int = 2) -> float:
        """Half the width from so many items with ``n`` labels each, where one item has such a variance."""
        df = max(items - 1, 1.0)
        estimated = [Estimated(self.value, StandardError(math.sqrt(variance / items), df))]
        if self.scale is LOGIT:
            estimated.append(self._with_made_up(variance, items, n, df))
        reached = ends(self.scale, estimated, self.level)
        if reached is None:  # the value is at an end of the scale
            return NormalDist().inv_cdf(0.5 + self.level / 2) * math.sqrt(variance / items)
        return (reached[1] - reached[0]) / 2

    def _with_made_up(self, variance: float, items: float, n: int, df: float) -> Estimated:
        first = n - n // 2
        split = (first * (first - 1) + (n // 2) * (n // 2 - 1)) / (n * (n - 1))  # agreement of items split between two
        total = items + ALIKE + SPLIT
        mean = (items * self.value + ALIKE + SPLIT * split) / total
        # Of all items, not one less: widths of studies as planned are then no larger on average than was planned.
        squares = items * (variance + (self.value - mean) ** 2)
        squares += ALIKE * (1 - mean) ** 2 + SPLIT * (split - mean) ** 2
        return Estimated(mean, StandardError(math.sqrt(squares / (total * (total - 1))), df))

    def items(self, variance: float, wanted: float, n: int = 2) -> int:
        """The fewest items whose interval is so narrow."""
        most = 2
        while self.half(variance, most, n) > wanted:
            most *= 2
        least = max(most // 2, 1)
        while most - least > 1:
            middle = (least + most) // 2
            least, most = (middle, most) if self.half(variance, middle, n) > wanted else (least, middle)
        return most

    def from_information(self, information: float, variance: float) -> float:
        """Half the width where the inverse of the variance of the coefficient is such, and that of one item is so."""
        items = max(information * variance, 2.0)
        return self.half(items / information, items) if information > 0 else math.inf

    def information(self, wanted: float, variance: float) -> float:
        """What the inverse of the variance of the coefficient must be for an interval that narrow."""
        low, high = 1e-12, 1e12
        while high / low > 1 + 1e-9:
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self.from_information(middle, variance) > wanted else (low, middle)
        return high


class Assumed(NamedTuple):
    """What is said in place of a pilot."""

    shares: Shares | None
    agreement: float | None
    between: float | None
    moments: Sequence[float | None] | None


class Draws(NamedTuple):
    """How labels of a pilot are drawn."""

    rounds: int
    seed: int

    @classmethod
    def of(cls, rounds: int | None, seed: int, items: int) -> Draws:
        """As many as were asked for, or as make the chance of the draw small beside that of the pilot."""
        return cls(max(3, min(20, 4000 // max(items, 1))) if rounds is None else rounds, seed)


class Basis(NamedTuple):
    """What a plan is made from: the variance of one item's contribution, for each number of labels."""

    value: float
    variance: Mapping[int, float]
    sentence: str
    notes: tuple[str, ...] = ()
    best: float = math.nan
    moments: Moments | None = None
    undefined: str | None = None


class Existing(NamedTuple):
    """What the labels that are there already give, and what to do next."""

    now: float | None = None
    more: int | None = None
    next: Table = Table.of([], names=NEXT)
    notes: tuple[str, ...] = ()
    interval: Interval | None = None
