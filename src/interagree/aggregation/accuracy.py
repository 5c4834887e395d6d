"""How often a consensus of labels is right, beside an annotator picked at random."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from interagree.arrays import Floats
from interagree.data.provenance import counted
from interagree.results.agreement import Interval
from interagree.stats.engine.shares import wilson
from interagree.tables import Table


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Accuracy:
    """The share of items with a gold answer on which the consensus is right.

    Where several labels of an item are in front and ties are split, it counts as right by the share of the gold answer
    in the tie.  ``random`` is the accuracy of an annotator picked at random for each item, ``oracle`` the share of
    items on which anybody is right.
    """

    value: float
    random: float
    oracle: float
    items: int
    missing: int  # items with a consensus and no gold answer
    unseen: int  # gold answers for items without a consensus
    interval: Interval
    names: Sequence[Hashable]
    right: Floats
    sure: Floats  # the probability that the consensus gives to the gold answer

    @property
    def log_loss(self) -> float:
        """Minus the mean logarithm (base e) of the probability of the gold answer, this at least 1e-15."""
        return -sum(math.log(max(p, 1e-15)) for p in self.sure.tolist()) / self.items

    def table(self) -> Table:
        """The three accuracies under one another, with their Wilson intervals."""
        rows = []
        for what, share in (
            ("consensus", self.value),
            ("random annotator", self.random),
            ("best choice", self.oracle),
        ):
            low, high = map(float, wilson(share, self.items, self.interval.level))
            rows.append({"answer": what, "accuracy": share, "low": low, "high": high, "items": self.items})
        return Table.of(rows, title="Accuracy against gold", foot=self.policy())

    def by_item(self) -> Table:
        """For each item how far the consensus is right, and how probable it holds the gold answer."""
        return Table({"item": self.names, "right": self.right.tolist(), "probability": self.sure.tolist()})

    def policy(self) -> str:
        """What could not be compared, as a sentence; empty where all could."""
        said = []
        if self.missing:
            said.append(f"{counted(self.missing, 'item')} without a gold answer left out")
        if self.unseen:
            said.append(f"{counted(self.unseen, 'gold answer')} for items without a consensus left out")
        return "; ".join(said)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings."""
        sure = self.interval
        return {
            "accuracy": self.value,
            "interval": {"low": sure.low, "high": sure.high, "level": sure.level},
            "random": self.random,
            "oracle": self.oracle,
            "log_loss": self.log_loss,
            "items": self.items,
            "missing": self.missing,
            "unseen": self.unseen,
        }

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return (
            f"accuracy against gold = {self.value:.3f}, {self.interval} ({counted(self.items, 'item')}; a random "
            f"annotator {self.random:.3f}, the best choice {self.oracle:.3f})"
        )

    __repr__ = __str__


def wilson_interval(share: float, n: int, level: float) -> Interval:
    """Wilson's interval of a share of n items."""
    low, high = map(float, wilson(share, n, level))
    return Interval(low, high, level, "Wilson", math.sqrt(share * (1 - share) / n))
