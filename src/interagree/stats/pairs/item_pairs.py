r"""Pairs: the distances of annotations of one item, and of annotations of different items.

Whatever values are, a distance turns them into numbers, and agreement is how much smaller the distances within items
are than those between items.  Within items all pairs are computed; pairs of one annotator's own judgements are left
out and counted.  Between items there are as many pairs as annotations squared:

* all of them are used where the distinct values have no more pairs than the distance is worth (`Distance.most`);
* else some are drawn: a random order of the annotations is laid beside itself, shifted by one, by two and so on, so
  that every annotation is drawn equally often, and pairs of one item are passed over.  How many follows from the wanted
  error $\varepsilon$ of the distribution: $m = \ln(2/0.05) / (2 \varepsilon^2)$ (Dvoretzky, Kiefer & Wolfowitz 1956;
  Massart 1990, for independent pairs, and conservative here);
* their mean alone is exact at any size where algebra gives it (`Distance.potential`).

Resampling counts items otherwise and computes no distance again.  Distributions are then kept in `BINS` bins of equal
weight, and the pairs between items to first order in the weights of the items; with more than `UNITS` items, items are
taken together at random into so many groups, and groups are resampled.

Dvoretzky, A., Kiefer, J. & Wolfowitz, J. (1956). Asymptotic minimax character of the sample distribution function.
Annals of Mathematical Statistics 27(3), 642-669.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar, cast

import numpy as np

from interagree.arrays import Array, Floats, Indices
from interagree.data import Annotations
from interagree.declare import Distance
from interagree.errors import KindError
from interagree.kernels.compiled import installed
from interagree.kinds import pack
from interagree.results.agreement import Sizes
from interagree.stats.engine.compress import totals
from interagree.stats.engine.measured import Measured
from interagree.stats.engine.statistic import BaseStatistic, DrillDown, unpaired_notes
from interagree.stats.engine.weights import LeftOut, Observed, Weights
from interagree.stats.labels.ballots import all_within_items
from interagree.stats.labels.labelled import notes_on_scale
from interagree.stats.pairs.pair_distances import PairDistances
from interagree.stats.pairs.study_distances import BINS, Spectrum, StudyDistances, Weighting, precision_of

if TYPE_CHECKING:
    from interagree.stats.engine.measured import Measured

T = TypeVar("T")

UNITS = 4_000  # items above which groups of items are resampled
ROUNDING = 1e-13  # of a sum: what is less than this may as well be nothing
SLOW = 5_000  # pairs within items above which it is worth saying that loops were not compiled
PRECISION = 0.002  # wanted of the distribution of distances between items, where it is sampled


class Means(NamedTuple):
    """How many annotations there are, their mean distance within items, and the sum over all ordered pairs."""

    size: Array
    within: Array
    total: Array


@dataclass(frozen=True)
class Pairs(BaseStatistic):
    """The pairs of a study, and how often each item counts."""

    distances: StudyDistances
    weights: Weights
    unit: Indices  # the unit of resampling of each item
    n: Sizes
    pattern: Indices  # the unit of each item of the study; -1 where it does not count
    unpaired: int = 0
    weighting: Weighting = "pairs"
    omissions: tuple[str, ...] = ()  # what was left out, in sentences
    remarks: tuple[str, ...] = ()  # what the measure has to say besides
    score: Callable[[Pairs, Floats], Floats] | None = None  # what a pair adds, by its distance; means are coefficients
    of_mean: bool = False  # whether the mean of the distances between items is all that is needed of chance
    _kept: dict[str, object] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        study: Annotations,
        distance: Distance,
        *,
        weighting: Weighting = "pairs",
        precision: float = PRECISION,
        seed: int = 0,
        same_annotator: bool = False,
    ) -> Pairs:
        """The pairs of a study under a distance.

        Args:
            study: The annotations.
            distance: How far apart two values are.
            weighting: Whether each pair within items counts once, or each annotation.
            precision: The error that is wanted of the distribution between items, where it is sampled.
            seed: Where the random numbers of that sample start.
            same_annotator: Whether repeated judgements of one annotator are compared with each other.
        """
        if weighting not in ("pairs", "annotations"):
            raise KindError(f"weighting must be 'pairs' or 'annotations', got {weighting!r}")
        if not 0 < precision < 1:
            raise KindError(f"precision lies between 0 and 1, such as {PRECISION}; got {precision!r}")
        known = ("pairs", *_key(distance), precision, seed, same_annotator)
        made: Pairs = study.cached(
            known, lambda: cls._of(study, distance, precision, seed, same_annotator=same_annotator)
        )
        kept: Pairs = study.cached((*known, weighting), lambda: replace(made, weighting=weighting, _kept={}))
        return kept

    @classmethod
    def _of(cls, study: Annotations, distance: Distance, precision: float, seed: int, *, same_annotator: bool) -> Pairs:
        of_values = distances_on(distance, study)
        first, second = all_within_items(study)
        same = np.zeros(len(first), dtype=bool)
        if not study.anonymous and not same_annotator:
            same = study.annotator[first] == study.annotator[second]
        enough = np.zeros(len(study.items), dtype=bool)
        enough[study.item[first[~same]]] = True
        place = np.cumsum(enough) - 1
        rows = np.flatnonzero(enough[study.item])
        new = np.full(len(study), -1, dtype=np.intp)
        new[rows] = np.arange(len(rows))
        inside = new[first] >= 0
        first, second, same = first[inside], second[inside], same[inside]
        far = of_values(study.value[first].astype(np.intp), study.value[second].astype(np.intp))
        items = int(enough.sum())
        distances = StudyDistances(
            study, of_values, rows, place[study.item[rows]], items, new[first], new[second], far, same, seed, precision
        )
        unit = units_of(items, seed)
        pattern = np.full(len(study.items), -1, dtype=np.intp)
        pattern[enough] = unit
        people = None if study.anonymous else len(np.unique(study.annotator))
        return cls(
            distances,
            Observed(np.ones(int(unit.max(initial=-1)) + 1)),
            unit,
            Sizes(items, people, len(rows)),
            pattern,
            int((study.sizes() == 1).sum()),
            omissions=_omissions(distances, int(((study.sizes() > 1) & ~enough).sum())),
        )

    @property
    def source(self) -> Annotations:
        return self.distances.study

    @property
    def width(self) -> int:
        return 2 * BINS

    @property
    def bounded(self) -> bool:
        return self.distances.distance.bounded

    def scored(
        self, score: Callable[[Pairs, Floats], Floats], *, remarks: Sequence[str] = (), of_mean: bool = False
    ) -> Pairs:
        """The same for a measure of which a pair adds ``score`` of its distance."""
        return replace(self, score=score, remarks=tuple(remarks), of_mean=of_mean)

    def grouped(self, group: Array) -> Self:
        """The same pairs, with groups of items to be resampled; ``group`` is that of each item of the study."""
        codes = group[np.flatnonzero(self.pattern >= 0)]
        unit = np.unique(codes, return_inverse=True)[1].reshape(-1)
        pattern = self.pattern.copy()
        pattern[pattern >= 0] = unit
        return replace(
            self, unit=unit, pattern=pattern, weights=Observed(np.ones(int(unit.max(initial=-1)) + 1)), _kept={}
        )

    def _once(self, name: str, make: Callable[[], T]) -> T:
        if name not in self._kept:
            self._kept[name] = make()
        return cast("T", self._kept[name])

    def _of_units(self, name: str, make: Callable[[], T]) -> T | None:
        """What units have of their own, which only leaving one of them out asks for."""
        return self._once(name, make) if isinstance(self.weights, LeftOut) else None

    # -- sums ------------------------------------------------------------------------------------------------

    def means(self) -> Means:
        """The sums that coefficients of mean distances are made of."""
        distances, count = self.distances, int(self.unit.max(initial=-1)) + 1

        def features() -> Floats:
            inside = totals(distances.pair_item, distances.far[distances.counted], distances.items)
            within = distances.size * inside / np.where(distances.pairs_of_item > 0, distances.pairs_of_item, 1)
            return np.column_stack([totals(self.unit, distances.size, count), totals(self.unit, within, count)])

        def drawn() -> tuple[float, Floats]:
            pull = totals(self.unit, distances.pull, count)
            return float(pull.sum()), pull

        size, within = np.moveaxis(np.asarray(self.weights.sum(self._once("features", features))), -1, 0)
        total, linear = self._once("drawn", drawn)
        own = self._of_units("own", lambda: distances.own_of(self.unit))
        every = self.weights.quadratic(total, linear, own)
        return Means(size, within / size, np.where(np.real(every) > ROUNDING * total, every, 0))

    def spectrum(self) -> Spectrum:
        """How often each distance occurs: each distinct distance as observed, bins of them as resampled."""
        distances = self.distances
        if isinstance(self.weights, Observed):
            return self._once("spectrum", lambda: distances.spectrum(self.weighting))
        within = self._once("within", lambda: distances.binned_within(self.unit, self.weighting))
        linear = self._once("between", lambda: distances.binned_between(self.unit))
        total = self._once("total", lambda: linear.sum(axis=0))
        own = self._of_units("binned own", lambda: distances.binned_own(self.unit))
        far = self._once("far", lambda: distances.grid[0][np.unique(distances.bins, return_index=True)[1]])
        return Spectrum(far, self.weights.sum(within), self.weights.quadratic(total, linear, own))

    @property
    def comparable(self) -> bool:
        """Whether there are pairs within items and between them."""
        return self.distances.items > 1

    def undefined(self) -> str | None:
        """Why there is nothing to compare with, where the study has pairs and none of different items."""
        if self.distances.items == 1 and not self.of_mean:
            return "only one item has annotations by two annotators, so there is no chance to compare with"
        return None

    def cannot_differ(self) -> str | None:
        """Why chance could not have disagreed, where there are different values."""
        if len(self.distances.used) < 2:
            return None
        return (
            f"all annotations are at distance 0 from each other by {self.distances.distance}, so chance could not have "
            "disagreed"
        )

    # -- what to say -----------------------------------------------------------------------------------------

    def notes_on_options(self, measured: Measured[Self]) -> Sequence[str]:
        """What a scale would give, where many numbers were taken as labels."""
        return notes_on_scale(self.source.recognised, len(self.source.values), measured)

    def notes(self) -> tuple[str, ...]:
        """What was left out, and what rests on a sample."""
        distances = self.distances
        notes = [*unpaired_notes(self), *self.remarks, *self.omissions]
        if not self.comparable:
            return tuple(notes)
        if distances.sampled if self.of_mean else not distances.exact:
            drawn = distances.between.drawn
            notes.append(
                f"chance was sampled: {drawn:,} of {distances.possible:,.0f} pairs of annotations of different items "
                f"(seed {distances.seed}), which bounds the error of its distribution by {precision_of(drawn):.4f}"
            )
        if len(distances.far) > SLOW and distances.distance.between is not None and not installed():
            notes.append(
                "numba is not installed, so loops ran uncompiled; pip install 'interagree[complex]' makes them quick"
            )
        return tuple(notes)

    def options(self) -> dict[str, object]:
        return {"distance": str(self.distances.distance)}

    def error_of_chance(self) -> float | None:
        """The error of the distribution between items that comes from drawing it; None where there is none."""
        if not self.comparable:
            return None
        drawn = self.distances.between.drawn
        return precision_of(drawn) if drawn else 0.0

    def error_of_mean(self) -> float | None:
        """The error of the mean between items that comes from drawing pairs; None where nothing is drawn for it."""
        if not self.comparable or not self.distances.sampled:
            return None
        return self._error_of_mean()

    def _error_of_mean(self) -> float:
        far, drawn = self.distances.between.far, self.distances.between.drawn
        return (float(np.std(far, ddof=1)) if drawn > 1 else 0.0) / math.sqrt(drawn) if drawn else 0.0

    def details(self) -> dict[str, object]:
        """How chance was found: how many pairs there are, how many were drawn, and the error that drawing adds."""
        if not self.comparable or (self.of_mean and not self.distances.sampled):
            return {}
        distances = self.distances
        drawn = distances.between.drawn
        return {
            "pairs within items": int(distances.counted.sum()),
            "pairs of one annotator left out": int(distances.same.sum()),
            "pairs between items": int(distances.possible),
            "pairs drawn": drawn or int(distances.possible),
            "error of the distribution": self.error_of_chance(),
            "error of the mean": self._error_of_mean(),
        }

    def drill(self, measured: Measured[Self]) -> DrillDown:
        from interagree.stats.pairs.pair_drill import PairTables

        return PairTables(self, measured)


def distances_on(distance: Distance, study: Annotations) -> PairDistances:
    """A distance on the values of a study; kept for all studies that have the same values."""
    if distance.counted:
        frequency = np.bincount(study.value, minlength=len(study.values)).astype(np.float64)
        return PairDistances(distance, study.values, ordered=study.in_order, frequency=frequency)

    def packed() -> object:
        try:
            return pack(study.values, distance.kinds, who=f"{distance.name} distance", given=study.of_kind)
        except KindError as error:
            raise study.told_where(error, distance.kinds) from None

    distances: PairDistances = study.shared(
        ("pair distances", *_key(distance)),
        lambda: PairDistances(
            distance,
            study.values,
            ordered=study.in_order,
            kind=study.of_kind,
            packed=lambda: study.shared(("packed", distance.kinds), packed),
        ),
    )
    return distances


def units_of(items: int, seed: int) -> Indices:
    """The unit of resampling of each item: itself, or one of `UNITS` groups at random."""
    if items <= UNITS:
        return np.arange(items)
    return np.random.default_rng((seed, 1)).permutation(items) % UNITS


def _key(distance: Distance) -> Sequence[object]:
    return str(distance), distance.pair, distance.pairs, distance.table, distance.between, distance.most


def _omissions(distances: StudyDistances, alone: int) -> tuple[str, ...]:
    notes = []
    same = int(distances.same.sum())
    if same:
        notes.append(
            f"{same:,} pair{'s' if same > 1 else ''} of one annotator's own repeated judgements left out of what was "
            "observed"
        )
    if alone:
        notes.append(f"{alone:,} item{'s' if alone > 1 else ''} annotated repeatedly by one annotator alone left out")
    return tuple(notes)
