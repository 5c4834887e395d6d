"""Where annotators disagree, found by measuring parts of the study again: each two of them alone, and all but one."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from interagree.data import Annotations
from interagree.stats.engine.compress import pairs_in_runs
from interagree.tables import Table


class Remeasured(ABC):
    """Tables by annotator and by pair of a coefficient; whoever inherits them adds that by item."""

    again: Callable[[Annotations], float]  # measures another study in the same way
    against: Hashable | None = None  # the annotator all are compared with, where there is one

    @property
    @abstractmethod
    def study(self) -> Annotations:
        """The annotations."""

    @property
    def whole(self) -> float:
        """The coefficient of all of them."""
        return self.again(self.study)

    def further(self) -> Mapping[str, Sequence[Any]]:
        """More columns by annotator."""
        return {}

    @cached_property
    def _pairs(self) -> list[dict[str, Any]]:
        study = self.study
        rows = np.lexsort((study.annotator, study.item))
        first, second = pairs_in_runs(study.item[rows])
        who = study.annotator[rows].astype(np.int64)
        cell = who[first] * max(len(study.annotators), 1) + who[second]
        both, items = np.unique(cell[who[first] != who[second]], return_counts=True)
        found = []
        for pair, count in zip(both.tolist(), items.tolist(), strict=True):
            two = [study.annotators[code] for code in divmod(pair, len(study.annotators))]
            if self.against is None or self.against in two:
                value = self.again(study.only(annotators=two))
                found.append({"first": two[0], "second": two[1], "items": count, "agreement": value})
        return found

    def by_pair(self) -> Table:
        """For each two annotators with items in common: how many, and the coefficient of the two alone."""
        return Table.of(self._pairs, names=("first", "second", "items", "agreement"))

    @cached_property
    def _without(self) -> dict[Hashable, float]:
        study = self.study
        names = [study.annotators[code] for code in np.unique(study.annotator).tolist()]
        if len(names) < 3:  # without one of two nobody is left to agree with
            return {}
        return {name: self.again(study.without(name)) for name in names if name != self.against}

    def left_out(self) -> dict[Hashable, float]:
        """For each annotator the coefficient of the study without her."""
        return self._without

    def by_annotator(self) -> Table:
        """For each annotator: what she gave, the coefficient without her, and her mean one with each other."""
        study, out = self.study, self._without
        value = self.whole if out else math.nan
        given = np.bincount(study.annotator, minlength=len(study.annotators)).tolist()
        more = self.further()
        rows = []
        for code, name in enumerate(study.annotators):
            hers = [row["agreement"] for row in self._pairs if name in (row["first"], row["second"])]
            known = [one for one in hers if not math.isnan(one)]
            without = out.get(name, math.nan)
            rows.append(
                {
                    "annotator": name,
                    "annotations": given[code],
                    **{called: column[code] for called, column in more.items()},
                    "left out": without,
                    "change": without - value,
                    "agreement with the rest": sum(known) / len(known) if known else math.nan,
                }
            )
        names = ("annotator", "annotations", *more, "left out", "change", "agreement with the rest")
        return Table.of(rows, names=names, foot="agreement with the rest: the mean over her pairs")

    def largest(self) -> float | None:
        """The largest disagreement there can be; None where there is no such."""
        return 1.0
