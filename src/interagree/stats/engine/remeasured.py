"""Where annotators disagree, found by measuring parts of the study again: each two of them alone, and all but one."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, NamedTuple, Protocol

import numpy as np

from interagree.data import Annotations
from interagree.data.types import Annotator
from interagree.declare import Facts
from interagree.errors import KindError
from interagree.results.agreement import Agreement
from interagree.stats.engine.compress import pairs_in_runs
from interagree.stats.engine.statistic import S
from interagree.tables import Table


class Pair(NamedTuple):
    """Two annotators, how many items both annotated, and the coefficient of the two alone."""

    first: Annotator
    second: Annotator
    items: int
    agreement: float


class Repeatable(Protocol):
    """A coefficient that can be computed of other studies."""

    @property
    def facts(self) -> Facts:
        """What the measure declares."""

    @property
    def measure(self) -> Callable[..., Agreement]:
        """The measure itself."""

    @property
    def call(self) -> Mapping[str, object] | None:
        """The options that it was called with."""

    @property
    def value(self) -> float:
        """The coefficient."""

    def again(self, study: object, **options: object) -> Agreement:
        """The same of another study, or under other options."""


@dataclass(frozen=True)
class Remeasured(ABC, Generic[S]):
    """Tables by annotator and by pair of a coefficient; whoever inherits them adds that by item."""

    statistic: S
    measured: Repeatable

    @property
    def against(self) -> Hashable | None:
        """The annotator that all are compared with, where there is one."""
        return None

    @property
    def study(self) -> Annotations:
        source = self.statistic.source
        assert source is not None  # noqa: S101 -- such statistics are made of annotations
        return source

    def again(self, study: Annotations) -> float:
        """The coefficient of another study, measured in the same way."""
        return self.measured.again(study).value

    def further(self) -> Mapping[str, Sequence[object]]:
        return {}

    @abstractmethod
    def by_item(self) -> Table:
        """The disagreement of each item."""

    @cached_property
    def _pairs(self) -> list[Pair]:
        study = self.study
        rows = np.lexsort((study.annotator, study.item))
        first, second = pairs_in_runs(study.item[rows])
        who = study.annotator[rows].astype(np.int64)
        cell = who[first] * max(len(study.annotators), 1) + who[second]
        both, items = np.unique(cell[who[first] != who[second]], return_counts=True)
        pairs = []
        for pair, count in zip(both.tolist(), items.tolist(), strict=True):
            two = [study.annotators[code] for code in divmod(pair, len(study.annotators))]
            if self.against is None or self.against in two:
                pairs.append(Pair(two[0], two[1], count, self.again(study.only(annotators=two))))
        return pairs

    def by_pair(self) -> Table:
        """For each two annotators with items in common: how many, and the coefficient of the two alone."""
        return Table.of([pair._asdict() for pair in self._pairs], names=Pair._fields)

    def by_value(self) -> Table:
        """There is none: hardly a complex value occurs twice."""
        raise no_table_by_value(self.measured.facts)

    @cached_property
    def _without(self) -> dict[Hashable, float]:
        study = self.study
        names = [study.annotators[code] for code in np.unique(study.annotator).tolist()]
        if len(names) < 3:  # without one of two nobody is left to agree with
            return {}
        return {name: self.again(study.without(name)) for name in names if name != self.against}

    def left_out(self) -> dict[Hashable, float]:
        return self._without

    def by_annotator(self) -> Table:
        """For each annotator: what they gave, the coefficient without them, and their mean one with each other."""
        study, out = self.study, self._without
        given = np.bincount(study.annotator, minlength=len(study.annotators)).tolist()
        more = self.further()
        rows = []
        for code, name in enumerate(study.annotators):
            values = [pair.agreement for pair in self._pairs if name in (pair.first, pair.second)]
            known = [value for value in values if not math.isnan(value)]
            without = out.get(name, math.nan)
            rows.append(
                {
                    "annotator": name,
                    "annotations": given[code],
                    **{title: column[code] for title, column in more.items()},
                    "left out": without,
                    "change": without - self.measured.value,
                    "agreement with the rest": sum(known) / len(known) if known else math.nan,
                }
            )
        names = ("annotator", "annotations", *more, "left out", "change", "agreement with the rest")
        return Table.of(rows, names=names, foot="agreement with the rest: the mean over their pairs")

    def largest(self) -> float | None:
        """The largest disagreement there can be; None where there is no such."""
        return 1.0


def no_table_by_value(facts: Facts) -> KindError:
    """The error of a table by value where values are complex."""
    return KindError(
        f"{facts.title} of complex values has no table by value: hardly a value occurs twice; take by_item, "
        "by_annotator or by_pair"
    )
