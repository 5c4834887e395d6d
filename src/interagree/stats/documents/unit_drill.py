"""Where annotators of units disagree: by document, by annotator, by pair."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from interagree.data import Annotations
from interagree.results.agreement import Interval
from interagree.stats.documents.units import NOTHING, Units
from interagree.stats.engine.quantiles import t_quantile
from interagree.stats.engine.remeasured import Remeasured
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
class UnitTables(Remeasured):
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

    @property
    def study(self) -> Annotations:
        """The annotations."""
        return self.units.source

    @property
    def whole(self) -> float:
        """The coefficient of all of them."""
        return self.units.value

    def further(self) -> dict[str, list[int]]:
        """How many units each annotator marked."""
        counts = [0] * len(self.study.annotators)
        for document in self.units.texts.documents:
            marked = np.bincount(document.continuum.who, minlength=len(document.who)).tolist()
            for code, count in zip(document.who, marked, strict=True):
                counts[code] += count
        return {"units": counts}

    def largest(self) -> float:
        """The largest disorder there can be."""
        return max((self.units.part.largest(len(one.who)) for one in self.units.texts.documents), default=1.0)
