"""How near a consensus comes to gold answers, beside what a random annotator and the best choice would reach."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import Annotations, IntoAnnotations, Study, as_annotations
from interagree.data.meeting import Known, none_met
from interagree.data.provenance import counted
from interagree.data.types import Item, Value
from interagree.data.values import SIMPLE, is_missing, key, plain
from interagree.errors import DataError, Wording
from interagree.errors.plain import mapping
from interagree.results.agreement import Interval, StandardError
from interagree.results.answer import Answer
from interagree.results.chance import relative
from interagree.results.charts import Forest
from interagree.results.charts.tables import estimates
from interagree.results.document import Document, Section
from interagree.stats.engine.adjusted import ends_of_share
from interagree.stats.engine.quantiles import t_quantile
from interagree.stats.engine.shares import wilson
from interagree.tables import Table, finite

Gold: TypeAlias = "Mapping[Item, Value] | IntoAnnotations"
"""Right answers: a mapping of items to values, or a study with one annotation for each item."""

ONE_ANSWER = Wording(
    "keep one annotator, as in study.only(annotators=['gold'])", "keep one row for each item in the file of answers"
)


@dataclass(frozen=True, slots=True, repr=False, eq=False, kw_only=True)
class GoldScore(Answer):
    """A consensus held against gold answers, beside a random annotator and the best choice."""

    value: float
    random: float
    oracle: float
    items: int
    missing: int  # items with a consensus and no gold answer
    unseen: int  # gold answers for items without a consensus
    interval: Interval | None
    names: Sequence[Item] = ()

    @abstractmethod
    def by_item(self) -> Table:
        """The score of each item."""

    @abstractmethod
    def to_dict(self) -> dict[str, object]:
        """Everything as plain numbers and strings."""

    def chart(self) -> Forest | None:
        """The consensus against gold answers, beside an annotator picked at random and the best choice."""
        table = self.table()
        names = [*table.columns]
        if not len(table) or names[2:4] != ["low", "high"]:
            return None
        covers = (0.0, 1.0) if names[1] == "accuracy" else (0.0,)
        return estimates(table, names[1], covers=covers, words=str(self))

    def document(self) -> Document:
        """The score in a sentence, and the three means."""
        return Document("", [self.section()], self.to_dict(), self.table())

    def section(self) -> Section:
        """The score as a section of a larger document."""
        return Section("Against gold", [f"{self}."], replace(self.table(), title=""))

    def policy(self) -> str:
        """What could not be compared, as a sentence; empty where all could."""
        notes = []
        if self.missing:
            notes.append(f"{counted(self.missing, 'item')} without a gold answer left out")
        if self.unseen:
            notes.append(f"{counted(self.unseen, 'gold answer')} for items without a consensus left out")
        return "; ".join(notes)

    def _shared(self) -> dict[str, object]:
        interval = self.interval
        return {
            "interval": None
            if interval is None
            else {"low": interval.low, "high": interval.high, "level": interval.level},
            "random": self.random,
            "oracle": self.oracle,
            "items": self.items,
            "missing": self.missing,
            "unseen": self.unseen,
        }

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, repr=False, eq=False, kw_only=True)
class Score(GoldScore):
    """The mean distance of a consensus to gold answers; lower is better.

    ``random`` is the mean distance of an annotator picked at random for each item, ``oracle`` that of the annotation
    nearest to the gold answer: what choosing can reach at best, though merging may do better.
    """

    distance: str
    distances: Mapping[str, Floats] = field(default_factory=dict)  # of each item, by who answered
    chance: float | None = None  # what distances are divided by before people see them; None where none is above 1

    @property
    def gain(self) -> float:
        """The share of the way from a random annotator to the best choice; nan where there is no way to go."""
        way = self.random - self.oracle
        return (self.random - self.value) / way if way > 0 else math.nan

    def tables(self) -> dict[str, Table]:
        """The three means under one another, with their intervals over items; and the distances of each item."""
        level = self.interval.level if self.interval is not None else 0.95
        rows = []
        for answer, distances in self.distances.items():
            interval = over_items(distances, level)
            low, high = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
            mean = float(distances.mean())
            rows.append({"answer": answer, "distance": mean, "low": low, "high": high, "items": self.items})
        title = f"Mean {self.distance} distance to gold"
        return {"score": Table.of(rows, title=title, foot=self.policy()), "items": self.by_item()}

    def by_item(self) -> Table:
        """The distances to gold of each item."""
        return Table({"item": self.names, **{name: far.tolist() for name, far in self.distances.items()}})

    def to_dict(self) -> dict[str, object]:
        return {"distance": self.distance, "value": self.value, "gain": finite(self.gain), **self._shared()}

    def __str__(self) -> str:
        unit = self.chance or 1.0
        interval = "" if self.interval is None else f", {self.interval.divided(unit)}"
        no_better = ", and so no worse than this" if self.random <= self.value else ""
        means = "" if self.chance is None else " (1 is chance)"
        return (
            f"{self.distance} distance to gold{means} = {self.value / unit:.3f}{interval} "
            f"({counted(self.items, 'item')}; a random annotator {self.random / unit:.3f}{no_better}, the best choice "
            f"{self.oracle / unit:.3f})"
        )

    def section(self) -> Section:
        table = relative(replace(self.table(), title=""), self.chance, ("distance",), along=("low", "high"))
        return Section("Against gold", [f"{self}."], table)


@dataclass(frozen=True, slots=True, repr=False, eq=False, kw_only=True)
class Accuracy(GoldScore):
    """The share of items with a gold answer on which the consensus is right.

    Where several labels of an item are in front and ties are split, it counts as right by the share of the gold answer
    in the tie.  ``random`` is the accuracy of an annotator picked at random for each item, ``oracle`` the share of
    items on which anybody is right.
    """

    interval: Interval
    right: Floats
    sure: Floats  # the probability that the consensus gives to the gold answer

    @property
    def log_loss(self) -> float:
        """Minus the mean logarithm (base e) of the probability of the gold answer, this at least 1e-15."""
        return -sum(math.log(max(p, 1e-15)) for p in self.sure.tolist()) / self.items

    def tables(self) -> dict[str, Table]:
        """The three accuracies under one another, with their Wilson intervals; and each item."""
        rows = []
        for answer, share in (
            ("consensus", self.value),
            ("random annotator", self.random),
            ("best choice", self.oracle),
        ):
            low, high = map(float, wilson(share, self.items, self.interval.level))
            rows.append({"answer": answer, "accuracy": share, "low": low, "high": high, "items": self.items})
        table = Table.of(rows, title="Accuracy against gold", foot=self.policy())
        return {"score": table, "items": self.by_item()}

    def by_item(self) -> Table:
        """For each item how far the consensus is right, and how probable it holds the gold answer."""
        return Table({"item": self.names, "right": self.right.tolist(), "probability": self.sure.tolist()})

    def to_dict(self) -> dict[str, object]:
        return {"accuracy": self.value, "log_loss": self.log_loss, **self._shared()}

    def __str__(self) -> str:
        return (
            f"accuracy against gold = {self.value:.3f}, {self.interval} ({counted(self.items, 'item')}; a random "
            f"annotator {self.random:.3f}, the best choice {self.oracle:.3f})"
        )


def wilson_interval(share: float, n: int, level: float) -> Interval:
    """Wilson's interval of a share of n items."""
    low, high = map(float, wilson(share, n, level))
    return Interval(low, high, level, "Wilson", math.sqrt(share * (1 - share) / n))


def over_items(numbers: Floats, level: float, most: float = math.inf) -> Interval | None:
    """The t interval of a mean over items, between 0 and the most; None where items do not differ."""
    n = len(numbers)
    if n < 2 or not np.ptp(numbers) > 0:
        return None
    mean, error = float(numbers.mean()), float(numbers.std(ddof=1) / math.sqrt(n))
    found = StandardError(error, n - 1)
    wide = t_quantile((1 + level) / 2, found.df) * error
    low, high = ends_of_share(mean, found, n, level) if most == 1 else (max(0.0, mean - wide), min(most, mean + wide))
    return Interval(low, high, level, "t over items", *found)


def answers(gold: Gold, study: Annotations, items: Sequence[Item]) -> dict[Item, Value]:
    """Gold answers, with items and simple values called as in a study; an error where none is for an item of it.

    Args:
        gold: A mapping of items to values, or a study with one annotation for each item.
        study: What is held against them.
        items: The items of the study of which an answer is of use.
    """
    gold = mapping(gold)
    if hasattr(gold, "to_annotations"):  # another consensus
        gold = gold.to_annotations()
    if isinstance(gold, Mapping) and not isinstance(gold, Study):
        there = {item: plain(value) for item, value in gold.items() if not is_missing(value)}
        right = Annotations.from_columns([*there], ["gold"] * len(there), [*there.values()])
    else:
        right = as_annotations(gold)
    called = Known(items).called(right.items)
    if all(item is None for item in called):
        raise none_met("the study", study, "gold", right)
    values = [*right.values]
    if all(type(value) in SIMPLE for value in values):
        spelled = Known(study.values).called(values)
        values = [value if here is None else here for value, here in zip(values, spelled, strict=True)]
    known: dict[Item, Value] = {}
    for item, value in zip(right.item.tolist(), right.value.tolist(), strict=True):
        here, answer = right.items[item] if called[item] is None else called[item], values[value]
        if key(known.setdefault(here, answer)) != key(answer):
            raise DataError(
                f"gold answers were expected, one for each item, and item {here!r} has several; {ONE_ANSWER}",
                hints=[ONE_ANSWER],
            )
    return known


def with_further(values: Sequence[Value], more: Sequence[Value]) -> tuple[tuple[Value, ...], Indices]:
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
