"""Where annotators of units disagree: by document, by annotator, by pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from interagree.data import Annotations
from interagree.results import Interval
from interagree.stats.quantiles import t_quantile
from interagree.stats.units import NOTHING, Units
from interagree.tables import Table


def of_one_document(units: Units) -> dict[str, Any]:
    """How sure one document alone leaves us, for `estimate`: the error of sampling chance, and no test.

    With several documents the usual error is right, as each document has draws of its own.
    """
    if len(units.texts.documents) != 1:
        return {}
    error, note = units.error_of_chance()[1], "one document: the error of sampling chance alone"

    def interval(level: float) -> Interval | None:
        if not error > 0:
            return None
        reach = t_quantile(0.5 + level / 2, math.inf) * error
        value = units.value
        low, high = value - reach, min(1.0, value + reach)
        return Interval(low, high, level, "chance", error, seed=units.seed, note=note)

    return {
        "own_interval": interval,
        "errors": {"items": lambda: (error, math.inf)},
        "p_value": lambda: None,
    }


@dataclass(frozen=True)
class UnitTables:
    """The drill-down of a coefficient of units; ``again`` measures another study in the same way."""

    units: Units
    again: Callable[[Annotations], float]

    def by_item(self) -> Table:
        """For each document: how many looked, what they marked, its disorders, its coefficient and the error of it."""
        units, study = self.units, self.units.source
        rows = []
        for document in units.texts.documents:
            place = units.pattern[document.item]
            seen, weight, *_ = units.features[place]
            chance = units.chances[place]
            observed, expected = (seen / weight if weight > 0 else math.nan), chance.value
            known = expected > NOTHING and not math.isnan(observed)
            rows.append(
                {
                    "item": study.items[document.item],
                    "annotations": len(document.who),
                    "units": len(document.continuum),
                    "disagreement": float(observed),
                    "expected": expected,
                    "agreement": 1 - observed / expected if known else math.nan,
                    "error of chance": observed / expected**2 * chance.error if known else math.nan,
                }
            )
        names = ("item", "annotations", "units", "disagreement", "expected", "agreement", "error of chance")
        return Table.of(rows, names=names, foot="each document against its own chance")

    @cached_property
    def _there(self) -> list[int]:
        return sorted(set(self.units.source.annotator.tolist()))

    @cached_property
    def _pairs(self) -> list[dict[str, Any]]:
        study = self.units.source
        looked: dict[int, set[int]] = {}
        for who, item in zip(study.annotator.tolist(), study.item.tolist(), strict=True):
            looked.setdefault(who, set()).add(item)
        rows = []
        for a, b in combinations(self._there, 2):
            both = len(looked[a] & looked[b])
            if both:
                two = (study.annotators[a], study.annotators[b])
                value = self.again(study.only(annotators=two))
                rows.append({"first": two[0], "second": two[1], "items": both, "agreement": value})
        return rows

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
        study = self.units.source
        names = [study.annotators[code] for code in self._there]
        return {name: self.again(study.without(name)) for name in names}

    def by_annotator(self) -> Table:
        """For each annotator: what she marked, the coefficient without her, and her mean one with each other."""
        study, out = self.units.source, self.left_out()
        counts = dict.fromkeys(range(len(study.annotators)), 0)
        for document in self.units.texts.documents:
            for code, count in zip(
                document.who,
                np.bincount(document.continuum.who, minlength=len(document.who)).tolist(),
                strict=True,
            ):
                counts[code] += count
        value = self.units.value
        rows = []
        for code, name in enumerate(study.annotators):
            hers = [row["agreement"] for row in self._pairs if name in (row["first"], row["second"])]
            known = [one for one in hers if not math.isnan(one)]
            without = out.get(name, math.nan)
            rows.append(
                {
                    "annotator": name,
                    "annotations": int(np.count_nonzero(study.annotator == code)),
                    "units": counts[code],
                    "left out": without,
                    "change": without - value,
                    "agreement with the rest": sum(known) / len(known) if known else math.nan,
                }
            )
        names = ("annotator", "annotations", "units", "left out", "change", "agreement with the rest")
        return Table.of(rows, names=names, foot="agreement with the rest: the mean over her pairs")

    def largest(self) -> float:
        """The largest disorder there can be."""
        return max((self.units.part.largest(len(one.who)) for one in self.units.texts.documents), default=1.0)
