"""Where annotators cut documents differently: by document, by annotator, by pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from interagree.data import Annotations, as_annotations
from interagree.declare import facts_of
from interagree.results.agreement import Agreement, Parts
from interagree.stats.documents.segment_chance import in_closed_form, random_cuts
from interagree.stats.documents.segments import (
    SegmentationPairs,
    SegmentationSums,
    Types,
    shown,
    towards_chance,
)
from interagree.stats.engine.compress import totals
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.remeasured import Remeasured
from interagree.tables import Table

ROUGHLY = 0.005  # the error of a figure given by the way


@dataclass(frozen=True)
class SegmentTables(Remeasured):
    """The drill-down of a coefficient of segmentations; ``again`` measures another study in the same way."""

    made: SegmentationSums
    again: Callable[[Annotations], float]
    more: Callable[[], dict[str, list[Any]]] = dict  # further columns by document
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
                **self.more(),
            },
            foot="boundaries: the mean over annotators",
        )

    @property
    def study(self) -> Annotations:
        """The annotations."""
        return self.made.source

    def further(self) -> dict[str, list[int]]:
        """How many boundaries each annotator set."""
        study = self.study
        cut = self.made.cuts.boundaries[study.value]
        return {"boundaries": totals(study.annotator, cut, len(study.annotators)).astype(int).tolist()}


def beyond_chance(
    measure: Callable[..., Agreement],
    parts: Callable[[SegmentationSums], Parts],
    data: Any,
    *,
    near: int,
    types: Types,
    only: Hashable | None,
) -> Agreement:
    """Boundary similarity beyond chance; ``parts`` says where chance draws from.

    Args:
        measure: The measure itself.
        parts: Its observed and expected disagreement.
        data: A study whose values are segmentations.
        near: Boundaries fewer than so many places apart are near misses.
        types: What one type of boundary for another costs.
        only: The one type of boundary that counts.
    """
    cuts = SegmentationPairs.of(as_annotations(data), who=facts_of(measure).title.lower(), only=only)
    found = cuts.edits(near, types)
    made = SegmentationSums.with_rates(cuts, found.cost, found.pairs)
    call: dict[str, Any] = {"near": near, "types": types, "only": only}
    cut = bool(found.pairs.any())

    def details() -> dict[str, Any]:
        known = made.chance_details()
        return {**known, "agreement under random cuts": _of_random_cuts(cuts, near, types)} if cut else known

    at_random = math.nan
    if cut and in_closed_form(cuts, near):
        expected = float(parts(made).expected)
        at_random = 1 - (1 - _of_random_cuts(cuts, near, types)) / expected if expected else math.nan
    return estimate(
        measure,
        made,
        parts,
        call=call,
        show=shown(measure, call),
        undefined=made.undefined(nobody=made.silent),
        notes=(
            *made.notes(),
            *towards_chance(made.silent),
            *cuts.said_of_types(types),
            *_said_of_random_cuts(at_random),
        ),
        tables=SegmentTables(made, lambda study: measure(study, **call).value),
        more=details,
    )


def _of_random_cuts(cuts: SegmentationPairs, near: int, types: Types) -> float:
    """The pooled similarity of annotators who cut each document as often, at random places."""
    chance = random_cuts(cuts, near, types, precision=ROUGHLY, seed=0)
    return 1 - float(chance.cost.sum()) / float(chance.pairs.sum())


def _said_of_random_cuts(value: float) -> tuple[str, ...]:
    """That random cuts do not get 0."""
    if not math.isfinite(value):
        return ()
    return (
        f"annotators who cut as often at random would get {value:.2f}; corrected_boundary_similarity gives them 0",
    )
