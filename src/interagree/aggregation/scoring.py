"""How near a consensus comes to the gold answers, beside what a random annotator and the best choice would reach."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations, Study, as_annotations
from interagree.data.provenance import counted
from interagree.data.values import is_missing, key, plain
from interagree.errors import DataError, listing
from interagree.results.agreement import Interval
from interagree.stats.engine.quantiles import t_quantile
from interagree.tables import Table


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Score:
    """The mean distance of a consensus to gold answers; lower is better.

    ``random`` is the mean distance of an annotator picked at random for each item, ``oracle`` that of the annotation
    nearest to the gold answer: what choosing can reach at best, though merging may do better.
    """

    value: float
    random: float
    oracle: float
    items: int
    missing: int  # items with a consensus and no gold answer
    unseen: int  # gold answers for items without a consensus
    distance: str
    interval: Interval | None
    found: Mapping[str, Floats] = field(default_factory=dict)
    names: Sequence[Hashable] = ()

    @property
    def gain(self) -> float:
        """The share of the way from a random annotator to the best choice; nan where there is no way to go."""
        way = self.random - self.oracle
        return (self.random - self.value) / way if way > 0 else math.nan

    def table(self) -> Table:
        """The three means under one another, with their intervals over items."""
        level = self.interval.level if self.interval is not None else 0.95
        rows = []
        for what, numbers in self.found.items():
            interval = over_items(numbers, level)
            rows.append(
                {
                    "answer": what,
                    "distance": float(numbers.mean()),
                    "low": interval.low if interval is not None else math.nan,
                    "high": interval.high if interval is not None else math.nan,
                    "items": self.items,
                }
            )
        return Table.of(rows, title=f"Mean {self.distance} distance to gold", foot=self.policy())

    def by_item(self) -> Table:
        """The distances to gold of each item."""
        return Table({"item": self.names, **{name: found.tolist() for name, found in self.found.items()}})

    def policy(self) -> str:
        """What could not be compared, as a sentence; empty where all could."""
        said = []
        if self.missing:
            said.append(f"{counted(self.missing, 'item')} without a gold answer left out")
        if self.unseen:
            said.append(f"{counted(self.unseen, 'gold answer')} for items that nobody annotated left out")
        return "; ".join(said)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings."""
        sure = self.interval
        return {
            "distance": self.distance,
            "value": self.value,
            "interval": None if sure is None else {"low": sure.low, "high": sure.high, "level": sure.level},
            "random": self.random,
            "oracle": self.oracle,
            "gain": None if math.isnan(self.gain) else self.gain,
            "items": self.items,
            "missing": self.missing,
            "unseen": self.unseen,
        }

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        sure = "" if self.interval is None else f", {self.interval}"
        no_better = ", and so no worse than this" if self.random <= self.value else ""
        return (
            f"{self.distance} distance to gold = {self.value:.3f}{sure} ({counted(self.items, 'item')}; a random "
            f"annotator {self.random:.3f}{no_better}, the best choice {self.oracle:.3f})"
        )

    __repr__ = __str__


def over_items(numbers: Floats, level: float, most: float = math.inf) -> Interval | None:
    """The t interval of a mean over items, between 0 and the most; None where items do not differ."""
    n = len(numbers)
    if n < 2 or not np.ptp(numbers) > 0:
        return None
    mean, error = float(numbers.mean()), float(numbers.std(ddof=1) / math.sqrt(n))
    wide = t_quantile((1 + level) / 2, n - 1) * error
    high = min(most, mean + wide)
    return Interval(max(0.0, mean - wide), high, level, "t over items", error, n - 1)


def answers(gold: Any) -> dict[Hashable, Any]:
    """Gold answers by item, from a mapping of items to values or from a study with one annotation for each item."""
    if isinstance(gold, Mapping) and not isinstance(gold, Study):
        return {item: plain(value) for item, value in gold.items() if not is_missing(value)}
    if hasattr(gold, "to_annotations"):
        gold = gold.to_annotations()
    study: Annotations = as_annotations(gold)
    found: dict[Hashable, Any] = {}
    for item, _, value in study.rows():
        if item in found and key(found[item]) != key(value):
            raise DataError(
                f"gold answers were expected, one for each item, and item {item!r} has several; keep one annotator, "
                "as in study.only(annotators=['gold'])"
            )
        found[item] = value
    return found


def together(values: Sequence[Any], more: Sequence[Any]) -> tuple[tuple[Any, ...], Any]:
    """Values with further ones behind them, and the place of each further one."""
    place = {key(value): code for code, value in enumerate(values)}
    both = [*values]
    codes = np.empty(len(more), dtype=np.intp)
    for number, value in enumerate(more):
        code = place.setdefault(key(value), len(both))
        if code == len(both):
            both.append(value)
        codes[number] = code
    return tuple(both), codes


def none_shared(study: Annotations, gold: Mapping[Hashable, Any]) -> DataError:
    """The error for gold answers of which none is for an item of the study."""
    return DataError(
        f"no gold answer is for an item of the study; the study has items such as {listing(study.items[:3])}, and gold "
        f"has {listing([*gold][:3]) or 'none'}"
    )
