"""What plans are made of: the aim, what is assumed, and the variances that the plan rests on."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from interagree.errors import Hint
from interagree.results.agreement import Interval
from interagree.stats.labels.item_agreement import Moments
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


class Assumed(NamedTuple):
    """What is said in place of a pilot."""

    shares: Shares | None
    agreement: float | None
    between: float | None
    moments: Sequence[float | None] | None


class PilotDraws(NamedTuple):
    """How labels of a pilot are drawn."""

    rounds: int
    seed: int

    @classmethod
    def of(cls, rounds: int | None, seed: int, items: int) -> PilotDraws:
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
