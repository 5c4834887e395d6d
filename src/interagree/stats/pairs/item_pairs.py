r"""Pairs: the distances of annotations of one item, and of annotations of different items.

Whatever values are, a distance turns them into numbers, and agreement is how much smaller the distances within items
are than those between items.  Within items all pairs are computed; pairs of one annotator with herself are set apart
and counted.  Between items there are as many pairs as annotations squared:

* all of them are used where the distinct values have no more pairs than the distance is worth (`Distance.most`);
* else some are drawn: a random order of the annotations is laid beside itself, shifted by one, by two and so on, so
  that every annotation is drawn equally often, and pairs of one item are passed over.  How many is told by the wanted
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
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from interagree.arrays import Array, Floats, Indices
from interagree.data import Annotations
from interagree.data.provenance import Provenance
from interagree.declare import Distance
from interagree.errors import KindError
from interagree.kernels.compiled import installed
from interagree.kinds import pack
from interagree.results.agreement import Sizes
from interagree.stats.engine.compress import totals
from interagree.stats.engine.weights import LeftOut, Observed, Weights
from interagree.stats.labels.ballots import within_items
from interagree.stats.pairs.pair_distances import PairDistances
from interagree.stats.pairs.study_distances import BINS, Spectrum, StudyDistances, Weighting, precision_of

UNITS = 4_000  # items above which groups of items are resampled
ROUNDING = 1e-13  # of a sum: what is less than this may as well be nothing
SLOW = 5_000  # pairs within items above which it is worth saying that loops were not compiled
PRECISION = 0.002  # wanted of the distribution of distances between items, where it is sampled


@dataclass(frozen=True)
class Pairs:
    """The pairs of a study, and how often each item counts."""

    whole: StudyDistances
    weights: Weights
    unit: Indices  # the unit of resampling of each item
    n: Sizes
    pattern: Indices  # the unit of each item of the study; -1 where it does not count
    unpaired: int
    provenance: Provenance
    weighting: Weighting = "pairs"
    paired: Floats | None = None
    left: tuple[str, ...] = ()  # what was left out, in sentences
    _kept: dict[str, Any] = field(default_factory=dict)

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
    def _of(
        cls, study: Annotations, distance: Distance, precision: float, seed: int, *, same_annotator: bool
    ) -> Pairs:
        apart = laid(distance, study)
        blocks = list(within_items(study))
        first, second = (
            np.concatenate([block[side] for block in blocks] or [np.zeros(0, dtype=np.intp)])
            for side in (0, 1)
        )
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
        far = apart(study.value[first].astype(np.intp), study.value[second].astype(np.intp))
        items = int(enough.sum())
        whole = StudyDistances(
            study,
            apart,
            rows,
            place[study.item[rows]],
            items,
            new[first],
            new[second],
            far,
            same,
            seed,
            precision,
        )
        unit = units_of(items, seed)
        pattern = np.full(len(study.items), -1, dtype=np.intp)
        pattern[enough] = unit
        people = None if study.anonymous else len(np.unique(study.annotator))
        return cls(
            whole,
            Observed(np.ones(int(unit.max(initial=-1)) + 1)),
            unit,
            Sizes(items, people, len(rows)),
            pattern,
            int((study.sizes() == 1).sum()),
            study.provenance,
            left=_left(whole, int(((study.sizes() > 1) & ~enough).sum())),
        )

    @property
    def source(self) -> Annotations:
        """The annotations behind it."""
        return self.whole.study

    @property
    def width(self) -> int:
        """How many numbers one resample holds."""
        return 2 * BINS

    def weighted(self, weights: Weights) -> Pairs:
        """The same pairs, counted otherwise."""
        return replace(self, weights=weights)

    def grouped(self, group: Array) -> Pairs:
        """The same pairs, with groups of items to be resampled; ``group`` is that of each item of the study."""
        codes = group[np.flatnonzero(self.pattern >= 0)]
        unit = np.unique(codes, return_inverse=True)[1].reshape(-1)
        pattern = self.pattern.copy()
        pattern[pattern >= 0] = unit
        return replace(
            self,
            unit=unit,
            pattern=pattern,
            weights=Observed(np.ones(int(unit.max(initial=-1)) + 1)),
            _kept={},
        )

    def _once(self, name: str, make: Any) -> Any:
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def _of_units(self, name: str, make: Any) -> Any:
        """What units have of their own, which only leaving one of them out asks for."""
        return self._once(name, make) if isinstance(self.weights, LeftOut) else None

    # -- sums ------------------------------------------------------------------------------------------------

    def means(self) -> tuple[Any, Any, Any]:
        """How many annotations there are, their mean distance within items, and the sum over all ordered pairs."""
        whole, count = self.whole, int(self.unit.max(initial=-1)) + 1

        def features() -> Floats:
            inside = totals(whole.pair_item, whole.far[whole.counted], whole.items)
            apart = whole.size * inside / np.where(whole.pairs_of_item > 0, whole.pairs_of_item, 1)
            return np.column_stack([totals(self.unit, whole.size, count), totals(self.unit, apart, count)])

        def drawn() -> tuple[float, Floats]:
            pull = totals(self.unit, whole.pull, count)
            return float(pull.sum()), pull

        size, apart = np.moveaxis(np.asarray(self.weights.sum(self._once("features", features))), -1, 0)
        total, linear = self._once("drawn", drawn)
        own = self._of_units("own", lambda: whole.own_of(self.unit))
        every = self.weights.quadratic(total, linear, own)
        return size, apart / size, np.where(np.real(every) > ROUNDING * total, every, 0)

    def spectrum(self) -> Spectrum:
        """How often each distance occurs: each distinct distance as observed, bins of them as resampled."""
        whole = self.whole
        if isinstance(self.weights, Observed):
            found: Spectrum = self._once("spectrum", lambda: whole.spectrum(self.weighting))
            return found
        within = self._once("within", lambda: whole.binned_within(self.unit, self.weighting))
        linear = self._once("between", lambda: whole.binned_between(self.unit))
        total = self._once("total", lambda: linear.sum(axis=0))
        own = self._of_units("binned own", lambda: whole.binned_own(self.unit))
        far: Floats = self._once("far", lambda: whole.grid[0][np.unique(whole.bins, return_index=True)[1]])
        return Spectrum(far, self.weights.sum(within), self.weights.quadratic(total, linear, own))

    @property
    def comparable(self) -> bool:
        """Whether there are pairs within items and between them."""
        return self.whole.items > 1

    @property
    def undefined(self) -> str | None:
        """Why there is nothing to compare with, where the study has pairs and none of different items."""
        if self.whole.items == 1:
            return "there is one item alone with annotations by two annotators, so there is no chance to compare with"
        return None

    # -- what to say -----------------------------------------------------------------------------------------

    def notes(self, *, mean: bool = False) -> tuple[str, ...]:
        """What was left out, and what rests on a sample; of the mean alone, or of the distribution."""
        whole = self.whole
        if not self.comparable:
            return self.left
        said = list(self.left)
        if whole.sampled if mean else not whole.exact:
            drawn = whole.between.drawn
            said.append(
                f"chance was sampled: {drawn:,} of {whole.possible:,.0f} pairs of annotations of different items (seed "
                f"{whole.seed}), which bounds the error of its distribution by {precision_of(drawn):.4f}"
            )
        if len(whole.far) > SLOW and whole.distance.between is not None and not installed():
            said.append(
                "numba is not installed, so loops ran uncompiled; pip install 'interagree[complex]' makes them quick"
            )
        return tuple(said)

    def sampling(self) -> dict[str, Any]:
        """How chance was found: how many pairs there are, how many were drawn, and the error that drawing adds."""
        if not self.comparable:
            return {}
        whole = self.whole
        between = whole.between
        drawn = between.drawn
        spread = float(np.std(between.far, ddof=1)) if drawn > 1 else 0.0
        return {
            "pairs within items": int(whole.counted.sum()),
            "pairs of one annotator left out": int(whole.same.sum()),
            "pairs between items": int(whole.possible),
            "pairs drawn": drawn or int(whole.possible),
            "error of the distribution": precision_of(drawn) if drawn else 0.0,
            "error of the mean": spread / math.sqrt(drawn) if drawn else 0.0,
        }


def laid(distance: Distance, study: Annotations) -> PairDistances:
    """A distance on the values of a study; kept for all studies that have the same values."""
    if distance.counted:
        frequency = np.bincount(study.value, minlength=len(study.values)).astype(np.float64)
        return PairDistances(distance, study.values, ordered=study.in_order, frequency=frequency)

    def packed() -> Any:
        try:
            return pack(study.values, distance.kinds, who=f"{distance.name} distance", given=study.of_kind)
        except KindError as error:
            raise study.told_where(error, distance.kinds) from None

    found: PairDistances = study.shared(
        ("apart", *_key(distance)),
        lambda: PairDistances(
            distance,
            study.values,
            ordered=study.in_order,
            kind=study.of_kind,
            packed=lambda: study.shared(("packed", distance.kinds), packed),
        ),
    )
    return found


def units_of(items: int, seed: int) -> Indices:
    """The unit of resampling of each item: itself, or one of `UNITS` groups at random."""
    if items <= UNITS:
        return np.arange(items)
    return np.random.default_rng((seed, 1)).permutation(items) % UNITS


def _key(distance: Distance) -> Sequence[Any]:
    return str(distance), distance.pair, distance.pairs, distance.table, distance.between, distance.most


def _left(whole: StudyDistances, alone: int) -> tuple[str, ...]:
    said = []
    same = int(whole.same.sum())
    if same:
        said.append(
            f"{same:,} pair{'s' if same > 1 else ''} of one annotator's own repeated judgements left out of what was "
            "observed"
        )
    if alone:
        said.append(
            f"{alone:,} item{'s' if alone > 1 else ''} annotated repeatedly by one annotator alone left out"
        )
    return tuple(said)
