"""Where annotators cut documents differently: by document, by annotator, by pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from interagree.data import Annotations
from interagree.stats.compress import pairs_in_runs
from interagree.stats.segments import Segmented
from interagree.tables import Table


@dataclass(frozen=True)
class SegmentTables:
    """The drill-down of a coefficient of segmentations; ``again`` measures another study in the same way."""

    made: Segmented
    again: Callable[[Annotations], float]
    further: Callable[[], dict[str, list[Any]]] = dict  # more columns by document
    against: Hashable | None = None  # the annotator all are compared with, where there is one

    def by_item(self) -> Table:
        """For each document: who cut it, into how many units and boundaries, and the observed disagreement."""
        made, study = self.made, self.made.source
        place = made.pattern[study.item]
        rows = np.flatnonzero(place >= 0)
        there = np.bincount(place[rows], minlength=len(made.item))
        cut = made.cuts.boundaries[study.value[rows]]
        mean = np.bincount(place[rows], weights=cut, minlength=len(made.item)) / np.maximum(there, 1)
        units = np.zeros(len(made.item), dtype=np.int64)
        units[place[rows]] = made.cuts.segments.length[study.value[rows]]
        seen, weight = made.features[:, 0], made.features[:, 1]
        with np.errstate(all="ignore"):
            apart = np.where(weight > 0, seen / weight, math.nan)
        return Table(
            {
                "item": [study.items[item] for item in made.item.tolist()],
                "annotations": there.tolist(),
                "units": units.tolist(),
                "boundaries": mean.tolist(),
                "disagreement": apart.tolist(),
                **self.further(),
            },
            foot="boundaries: the mean over annotators",
        )

    @cached_property
    def _there(self) -> list[int]:
        return sorted(set(self.made.source.annotator.tolist()))

    @cached_property
    def _pairs(self) -> list[dict[str, Any]]:
        study = self.made.source
        rows = np.lexsort((study.annotator, study.item))
        first, second = pairs_in_runs(study.item[rows])
        who = study.annotator[rows].astype(np.int64)
        both, items = np.unique(who[first] * len(study.annotators) + who[second], return_counts=True)
        found = []
        for pair, count in zip(both.tolist(), items.tolist(), strict=True):
            two = [study.annotators[code] for code in divmod(pair, len(study.annotators))]
            if self.against is None or self.against in two:
                value = self.again(study.only(annotators=two))
                found.append({"first": two[0], "second": two[1], "items": count, "agreement": value})
        return found

    def by_pair(self) -> Table:
        """For each two annotators with documents in common: how many, and the coefficient of the two alone."""
        return Table.of(self._pairs, names=("first", "second", "items", "agreement"))

    def left_out(self) -> dict[Hashable, float]:
        """For each annotator the coefficient of the study without her."""
        if len(self._there) < 3:  # without one of two nobody is left to agree with
            return {}
        return self._without

    @cached_property
    def _without(self) -> dict[Hashable, float]:
        study = self.made.source
        names = [study.annotators[code] for code in self._there]
        return {name: self.again(study.without(name)) for name in names if name != self.against}

    def by_annotator(self) -> Table:
        """For each annotator: her boundaries, the coefficient without her, and her mean one with each other."""
        study, out = self.made.source, self.left_out()
        value = self.again(study) if out else math.nan
        cut = self.made.cuts.boundaries[study.value]
        rows = []
        for code, name in enumerate(study.annotators):
            hers = study.annotator == code
            known = [
                row["agreement"]
                for row in self._pairs
                if name in (row["first"], row["second"]) and not math.isnan(row["agreement"])
            ]
            without = out.get(name, math.nan)
            rows.append(
                {
                    "annotator": name,
                    "annotations": int(np.count_nonzero(hers)),
                    "boundaries": int(cut[hers].sum()),
                    "left out": without,
                    "change": without - value,
                    "agreement with the rest": sum(known) / len(known) if known else math.nan,
                }
            )
        names = ("annotator", "annotations", "boundaries", "left out", "change", "agreement with the rest")
        return Table.of(rows, names=names, foot="agreement with the rest: the mean over her pairs")

    def largest(self) -> float:
        """The largest disagreement there can be."""
        return 1.0
