"""Sums over documents of what it takes to turn one segmentation into another, and what chance would take.

Every measure of segmentations is a ratio of sums over documents, so that resampling documents compares nothing again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from interagree.arrays import Array, Floats, Indices
from interagree.data.provenance import counted
from interagree.declare import UnderChance
from interagree.results.agreement import Agreement, Parts, Sizes
from interagree.stats.documents.segment_chance import RandomCuts, in_closed_form, random_cuts
from interagree.stats.documents.segment_pairs import ComparedWindows, Edits, SegmentationPairs, Types
from interagree.stats.engine.compress import Rows, in_groups, table_of, totals
from interagree.stats.engine.estimate import statistic_behind
from interagree.stats.engine.remeasured import Remeasured
from interagree.stats.engine.statistic import ItemSums, unpaired_notes
from interagree.stats.engine.weights import Observed
from interagree.tables import Table

if TYPE_CHECKING:
    from interagree.stats.engine.measured import Measured

ROUGHLY = 0.005  # the error of a figure given by the way


@dataclass(frozen=True, kw_only=True)
class SegmentationSums(ItemSums):
    """The documents that were compared, what is measured of each as sums, and how often each counts.

    The first two features of a document are its disagreement as a sum and what it weighs.
    """

    features: Floats
    cuts: SegmentationPairs
    item: Indices  # of each document

    @classmethod
    def over(cls, cuts: SegmentationPairs, *sums: Array, **fields: Any) -> Self:
        """Sums over the pairs of each document; each of ``sums`` has an entry for each pair."""
        study = cuts.study
        used = np.zeros(len(study.items), dtype=bool)
        used[cuts.item] = True
        item = np.flatnonzero(used)
        pattern = np.where(used, np.cumsum(used) - 1, -1)
        document = pattern[cuts.item]
        features = np.empty((len(item), len(sums)))
        for column, entries in enumerate(sums):
            features[:, column] = totals(document, np.asarray(entries, dtype=np.float64), len(item))
        sizes = Sizes(
            len(item), int(np.count_nonzero(np.bincount(study.annotator))), int(np.count_nonzero(used[study.item]))
        )
        return cls(
            source=study,
            features=features,
            weights=Observed(np.ones(len(item))),
            pattern=pattern,
            n=sizes,
            unpaired=cuts.alone,
            cuts=cuts,
            item=item,
            **fields,
        )

    def columns(self) -> list[Array]:
        total = self.sums()
        return [total[..., column] for column in range(total.shape[-1])]

    def parts(self) -> Parts:
        """The mean disagreement of two segmentations of one document."""
        seen, weight = self.columns()[:2]
        return Parts(seen / weight)

    @property
    def silent(self) -> int:
        """How many documents nobody cut."""
        return int((self.features[:, 1] == 0).sum())

    def nothing_compared(self) -> str | None:
        """Why there is nothing to compare, where it is not that all documents are of one unit."""
        return None

    def undefined(self) -> str | None:
        """Why there is no coefficient, where several annotators cut a document."""
        if self.features[:, 1].any():
            return None
        reason = self.nothing_compared()
        return reason or ("all documents are of one unit, which cannot be cut" if self.cuts.short else None)

    def notes(self) -> Sequence[str]:
        short = self.cuts.short
        notes = unpaired_notes(self)
        return [*notes, f"{counted(short, 'document')} of one unit left out"] if short else notes

    def drill(self, measured: Measured[Self]) -> SegmentTables:
        return SegmentTables(self, measured)


@dataclass(frozen=True, kw_only=True)
class WindowSums(SegmentationSums):
    """Shares of windows in which a segmentation differs from a reference."""

    windows: ComparedWindows
    name: str  # of the share of windows that differ
    against: Hashable | None

    @classmethod
    def of(cls, windows: ComparedWindows, *, name: str, against: Hashable | None) -> WindowSums:
        share, known = windows.differ / windows.places, windows.places > 0
        return cls.over(windows.cuts, share, known, windows=windows, name=name, against=against)

    def nothing_compared(self) -> str | None:
        """That no document is longer than a window."""
        if not self.windows.short:
            return None
        return "no document is longer than a window, so there is nothing to compare; window= takes a shorter one"

    def notes(self) -> Sequence[str]:
        """What was left out, and which windows were used."""
        return (*super().notes(), *self.windows.notes())

    def details(self) -> dict[str, object]:
        """The share of windows that differ, and which windows were used."""
        return {self.name: self.windows.mean, **self.windows.details()}

    def drill(self, measured: Measured[Self]) -> SegmentTables:
        return WindowTables(self, measured)

    def window_ranges(self) -> list[str]:
        """The windows of each document, from the smallest to the largest."""
        place = self.pattern[self.windows.cuts.item]
        low = np.full(len(self.item), np.iinfo(np.int64).max)
        high = np.zeros(len(self.item), dtype=np.int64)
        np.minimum.at(low, place, self.windows.size)
        np.maximum.at(high, place, self.windows.size)
        ends = zip(low.tolist(), high.tolist(), strict=True)
        return [f"{least}" if least == most else f"{least}-{most}" for least, most in ends]


@dataclass(frozen=True, kw_only=True)
class EditSums(SegmentationSums):
    """Edits that turn one segmentation into another."""

    edits: Edits
    types: Types
    without: int = 0  # comparisons, or documents, that have no boundary
    empty: float | None = None  # what such comparisons count; None where they are left out

    def nothing_compared(self) -> str | None:
        """That nobody put a boundary."""
        return "nobody put a boundary anywhere, so there is nothing to compare" if self.without else None

    def notes(self) -> Sequence[str]:
        """What was left out, and how types of boundary were told apart."""
        return (*super().notes(), *self._notes_without_boundary(), *self.cuts.notes_on_types(self.types))

    def _notes_without_boundary(self) -> tuple[str, ...]:
        """What became of pairs of segmentations that have no boundary."""
        if not self.without:
            return ()
        single = self.without == 1
        if self.empty is None:
            fate = f"{'was' if single else 'were'} left out"
        else:
            fate = f"count{'s' if single else ''} as {self.empty:g}"
        return (f"{counted(self.without, 'comparison')} of segmentations without a boundary {fate}",)

    def details(self) -> dict[str, object]:
        """How many edits of each sort there are."""
        return self.edits.details()


@dataclass(frozen=True, kw_only=True)
class BoundaryRates(EditSums):
    """Edits, and what share of the potential boundaries each annotator used, from which chance draws.

    An annotation counts as often as it is paired, in two further features, the sum of shares and of their weights, and
    in ``rates``.
    """

    near: int
    rates: Rows  # documents × (boundaries, then potential ones, of each annotator)

    @classmethod
    def of(cls, cuts: SegmentationPairs, *, near: int, types: Types) -> BoundaryRates:
        """The edits of a study, and the rates of its annotators."""
        edits = cuts.edits(near, types)
        made = cls.over(cuts, edits.cost, edits.pairs, edits=edits, types=types, near=near, rates=np.zeros((0, 0)))
        study, people = made.source, len(made.source.annotators)
        place = made.pattern[study.item]
        rows = np.flatnonzero(place >= 0)
        document, who, value = place[rows], study.annotator[rows], study.value[rows]
        often = (np.bincount(document, minlength=len(made.item)) - 1.0)[document]
        used, could = cuts.boundaries[value], (cuts.segments.length[value] - 1) * cuts.types
        shares = totals(document, often * used / could, len(made.item))
        weight = totals(document, often, len(made.item))
        rates = table_of(
            np.r_[document, document],
            np.r_[who, who + people],
            np.r_[often * used, often * could],
            (len(made.item), 2 * people),
        )
        features = np.column_stack([made.features, shares, weight])
        return replace(made, features=features, rates=rates, without=made.silent)

    @property
    def width(self) -> int:
        return int(self.features.shape[1] + self.rates.shape[1])

    def grouped(self, group: Array) -> Self:
        """The same documents, with groups of them to be resampled."""
        members, _ = in_groups(self.pattern, group)
        return replace(super().grouped(group), rates=members @ self.rates)

    def _notes_without_boundary(self) -> tuple[str, ...]:
        """What became of documents that nobody cut."""
        if not self.without:
            return ()
        fate = f"{'counts' if self.without == 1 else 'count'} towards chance alone"
        return (f"{counted(self.without, 'document')} in which nobody put a boundary {fate}",)

    def pi_parts(self) -> Parts:
        """The pooled disagreement, and that of chance if all annotators had one rate of boundaries."""
        seen, weight, *_ = self.columns()
        return Parts(seen / weight, 1 - self.by_one_rate())

    def kappa_parts(self) -> Parts:
        """The pooled disagreement, and that of chance if each annotator has a rate of their own."""
        seen, weight, *_ = self.columns()
        return Parts(seen / weight, 1 - self.by_own_rates())

    def by_one_rate(self) -> Array:
        """How often chance would agree that there is a boundary, by the mean rate of boundaries."""
        *_, shares, weight = self.columns()
        return np.asarray((shares / weight) ** 2)

    def by_own_rates(self) -> Array:
        """How often chance would agree that there is a boundary, by the rates of every two annotators."""
        used, could = np.split(np.asarray(self.weights.sum(self.rates)), 2, axis=-1)
        there = np.real(could) > 0
        rate = np.where(there, used / np.where(there, could, 1), 0)
        people = there.sum(axis=-1)
        return np.asarray((rate.sum(axis=-1) ** 2 - (rate**2).sum(axis=-1)) / (people * (people - 1)))

    def details(self) -> dict[str, object]:
        """The parts of pi and kappa, and the bias: by how much chance agrees more where all have one rate."""
        if not len(self.item):
            return {}
        with np.errstate(all="ignore"):
            seen, weight, *_ = self.columns()
            pi, kappa = float(self.by_one_rate()), float(self.by_own_rates())
            details: dict[str, object] = {
                "actual agreement": float(1 - seen / weight),
                "expected agreement (pi)": pi,
                "expected agreement (kappa)": kappa,
                "bias": pi - kappa,
            }
        if self.edits.pairs.any():
            details["agreement under random cuts"] = self._under_random_cuts()
        return details

    def _under_random_cuts(self) -> float:
        """The pooled similarity of annotators who cut each document as often, at random places."""
        chance = random_cuts(self.cuts, self.near, self.types, precision=ROUGHLY, seed=0)
        return 1 - float(chance.cost.sum()) / float(chance.pairs.sum())

    def notes_on_random_cuts(self, parts: Callable[[Self], Parts]) -> tuple[str, ...]:
        """What random cuts would get by the chance of ``parts``, which is not 0."""
        if not self.edits.pairs.any() or not in_closed_form(self.cuts, self.near):
            return ()
        value = self.of_random_cuts(float(parts(self).expected))
        if not math.isfinite(value):
            return ()
        return (
            f"annotators who cut as often at random would get {value:.2f}; corrected_boundary_similarity gives them 0",
        )

    def of_random_cuts(self, expected: float) -> float:
        """What random cuts get by an expected disagreement."""
        return 1 - (1 - self._under_random_cuts()) / expected if expected else math.nan


@dataclass(frozen=True, kw_only=True)
class RandomCutSums(EditSums):
    """Edits, and those that random cuts would take, in two further features."""

    chance: RandomCuts
    seed: int

    @classmethod
    def of(cls, cuts: SegmentationPairs, edits: Edits, chance: RandomCuts, *, types: Types, seed: int) -> RandomCutSums:
        """The sums of edits and of expected ones."""
        sums = (edits.cost, edits.pairs, chance.cost, chance.pairs)
        made = cls.over(cuts, *sums, edits=edits, types=types, chance=chance, seed=seed)
        return replace(made, without=made.silent)

    def parts(self) -> Parts:
        """The pooled disagreement, and that of random cuts."""
        seen, weight, by_chance, weighed = self.columns()[:4]
        return Parts(seen / weight, by_chance / weighed)

    def _notes_without_boundary(self) -> tuple[str, ...]:
        """How chance was found."""
        draws = self.chance.draws
        return (f"random cuts were drawn {draws} times (seed {self.seed})",) if draws else ()

    def details(self) -> dict[str, object]:
        """The similarity, that of random cuts, and how it was found."""
        if not self.features[:, 1].any():
            return {}
        observed, expected, _ = self.parts()
        return {
            "pooled similarity": 1 - float(observed),
            "expected under random cuts": 1 - float(expected),
            "draws": self.chance.draws,
            "error of the expected similarity": self.chance.error,
        }


@dataclass(frozen=True)
class SegmentTables(Remeasured[SegmentationSums]):
    """The drill-down of a coefficient of segmentations."""

    def more_by_item(self) -> Mapping[str, Sequence[object]]:
        return {}

    def by_item(self) -> Table:
        """For each document: who cut it, into how many units and boundaries, and the observed disagreement."""
        sums, study = self.statistic, self.study
        place = sums.pattern[study.item]
        rows = np.flatnonzero(place >= 0)
        given = np.bincount(place[rows], minlength=len(sums.item))
        cut = sums.cuts.boundaries[study.value[rows]]
        mean = np.bincount(place[rows], weights=cut, minlength=len(sums.item)) / np.maximum(given, 1)
        units = np.zeros(len(sums.item), dtype=np.int64)
        units[place[rows]] = sums.cuts.segments.length[study.value[rows]]
        seen, weight = sums.features[:, 0], sums.features[:, 1]
        with np.errstate(all="ignore"):
            disagreement = np.where(weight > 0, seen / weight, math.nan)
        return Table(
            {
                "item": [study.items[item] for item in sums.item.tolist()],
                "annotations": given.tolist(),
                "units": units.tolist(),
                "boundaries": mean.tolist(),
                "disagreement": disagreement.tolist(),
                **self.more_by_item(),
            },
            foot="boundaries: the mean over annotators",
        )

    def further(self) -> dict[str, list[int]]:
        """How many boundaries each annotator set."""
        study = self.study
        cut = self.statistic.cuts.boundaries[study.value]
        return {"boundaries": totals(study.annotator, cut, len(study.annotators)).astype(int).tolist()}


@dataclass(frozen=True)
class WindowTables(SegmentTables):
    """The same for windows, of which each document has its own."""

    statistic: WindowSums

    @property
    def against(self) -> Hashable | None:
        """The annotator that all are compared with, where there is one."""
        return self.statistic.against

    def more_by_item(self) -> Mapping[str, Sequence[object]]:
        return {"window": self.statistic.window_ranges()}


def of_random_cuts(result: Agreement) -> float:
    """What annotators get who cut as often as these, at random places."""
    rates = statistic_behind(result, BoundaryRates)
    if rates is None or not rates.edits.pairs.any():
        return math.nan
    return rates.of_random_cuts(float(result.disagreement.expected))


RANDOM_CUTS = UnderChance(
    "more than 0, the more the more boundaries there are (cuts at one place in five: about 0.16); a note says how much "
    "it would be in these documents, and corrected_boundary_similarity gives them 0",
    of_random_cuts,
)
