"""All pairs of judgements of one item, and how far apart the two are.

One distance measures all of them: where it depends on how often values occur (Krippendorff's ordinal one), the people's
frequencies fix it.

A distance that may be above one is in units that nobody can read: squared points of a scale, squared ranks.  It is
divided by the mean distance of two judgements drawn at random from those of all people, so that 0 is the same and 1 as
far apart as chance; ``raw=True`` leaves it as it is.  Only means are divided: tests and coefficients do not change.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Unpack

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.types import Annotator, Item
from interagree.declare import Distance
from interagree.distances import IntoDistance, find, taken_as, usual
from interagree.errors import Advice, Hint, KindError
from interagree.people.item_means import Mean, ratio
from interagree.stats.engine.compress import pairs_in_runs, totals
from interagree.stats.pairs.by_chance import distance_by_chance
from interagree.stats.pairs.pair_distances import PairDistances

CLOSE = 1e-9  # distances that differ by less, relative to the largest, are equal
MOST_LABELS = 500  # labels above which shares of votes are not correlated


class ScaledDistance:
    """One distance on the values of a study, the same for everybody who is compared."""

    def __init__(
        self, study: Annotations, distance: IntoDistance | None, frequency: Floats, unit: float | None = 1.0
    ) -> None:
        self._made_of = (study, distance, frequency, unit)
        base = usual(study) if distance is None else find(distance)
        self.name = str(base)
        self.notes = _remark(study, base) if distance is None else ()
        self.values = study.values
        self.points = _points(base, study, frequency)
        self.averaged = base.embed is not None and base.of == "numbers"  # several numbers have a mean
        if base.counted:
            table = base.among(study.values, frequency, ordered=study.in_order)
            base = replace(find(table), name=base.name)
        self.distance: Distance = base
        self._unscaled = PairDistances(base, study.values, ordered=study.in_order, kind=study.of_kind)
        self.unit = unit or 1.0  # what distances are divided by
        if unit is None and not self.bounded:
            self.unit = distance_by_chance(self._unscaled, frequency, self.points) or 1.0
            self.points = None if self.points is None else self.points / math.sqrt(self.unit)

    def __reduce__(self) -> tuple[type[ScaledDistance], tuple[object, ...]]:
        return ScaledDistance, self._made_of

    def of_pairs(self, first: Indices, second: Indices) -> Floats:
        """The distances of aligned pairs of values, given by their codes."""
        distances = self._unscaled(first, second)
        return distances if self.unit == 1 else distances / self.unit

    @property
    def bounded(self) -> bool:
        """Whether no distance is above one, so that one minus a mean distance is a share of agreement."""
        return self.distance.bounded

    @cached_property
    def table(self) -> Floats | None:
        """The distances of all pairs of values; None where they are too many."""
        return self._unscaled.table() / self.unit if self._fits_in_table else None

    @property
    def _fits_in_table(self) -> bool:
        size = len(self.values)
        return size * (size - 1) // 2 <= self.distance.most

    def mean(self, total: Floats, size: Floats, level: float) -> Mean:
        """A mean distance over items with its interval; where distances are bounded, the agreement."""
        mean = ratio(total, size, level, within=(0, 1.0 if self.bounded else math.inf))
        return mean.complement() if self.bounded else mean


def _remark(study: Annotations, distance: Distance) -> tuple[str, ...]:
    if study.kind != "numbers":
        return taken_as(study, distance)
    hint = Hint("distance", "nominal")
    return (
        Advice(
            f"the values were taken as numbers on a scale with equal steps ({len(study.values):,} distinct); if they "
            f"are codes of labels, pass {hint}",
            [hint],
        ),
    )


def _points(distance: Distance, study: Annotations, frequency: Floats) -> Floats | None:
    """Values as points whose squared distances are the distance, or None where there are none."""
    if distance.equality:
        return np.eye(len(study.values)) / math.sqrt(2) if len(study.values) <= MOST_LABELS else None
    if distance.embed is None:
        return None
    return np.asarray(distance.points(study.values, frequency, ordered=study.in_order), dtype=float)


@dataclass(frozen=True, eq=False)
class JudgementPairs:
    """First judgements in the order of items and annotators by name, and all pairs of them on one item."""

    study: Annotations
    scaled: ScaledDistance
    item: Indices
    who: Indices
    value: Indices
    first: Indices  # rows of a pair
    second: Indices
    distances: Floats  # of the pairs

    @classmethod
    def of(
        cls,
        study: Annotations,
        distance: IntoDistance | None,
        *,
        people: Sequence[Annotator] = (),
        unit: float | None = 1.0,
    ) -> JudgementPairs:
        """The pairs of a study.

        Args:
            study: The judgements.
            distance: How far apart values are.
            people: Those whose values fix a distance that depends on frequencies, and chance; everybody if none.
            unit: What distances that may be above one are divided by; None for the distance by chance.
        """
        study = study.first_judgements()
        item, who = _rank(study.items)[study.item], _rank(study.annotators)[study.annotator]
        order = np.lexsort((who, item))
        item, who, value = item[order], who[order], study.value[order].astype(np.intp)
        counted = set(people or study.annotators)
        chosen = [i for i, name in enumerate(sorted(study.annotators, key=_by_name)) if name in counted]
        frequency = np.bincount(value[np.isin(who, chosen)], minlength=len(study.values)).astype(float)
        scaled = ScaledDistance(study, distance, frequency, unit)
        first, second = pairs_in_runs(item)
        return cls(study, scaled, item, who, value, first, second, scaled.of_pairs(value[first], value[second]))

    @cached_property
    def annotators(self) -> tuple[Annotator, ...]:
        """The annotators, in the order of ``who``."""
        return tuple(sorted(self.study.annotators, key=_by_name))

    def by(self, names: Iterable[Annotator]) -> Booleans:
        """Which rows are judgements by some annotators."""
        chosen = set(names)
        rows: Booleans = np.isin(self.who, [i for i, name in enumerate(self.annotators) if name in chosen])
        return rows

    def between(self, ours: Booleans, theirs: Booleans) -> Booleans:
        """Which pairs have one judgement of each side, or both of one side where the two sides are the same."""
        a, b = self.first, self.second
        return np.asarray((ours[a] & theirs[b]) | (theirs[a] & ours[b]))

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self.study.items)

    def sums(self, pairs: Booleans) -> tuple[Floats, Floats]:
        """For each item the summed distance of some pairs, and how many there are."""
        item = self.item[self.first[pairs]]
        return totals(item, self.distances[pairs], self.items), totals(item, None, self.items)

    def observed(self, pairs: Booleans, level: float) -> tuple[Mean, int]:
        """The mean over items of the mean distance (or agreement) of some pairs, and how many items have any."""
        total, count = self.sums(pairs)
        some = np.flatnonzero(count)
        return self.scaled.mean(total[some] / count[some], np.ones(len(some)), level), len(some)


def identified(data: IntoAnnotations, **reading: Unpack[ReadingOptions]) -> Annotations:
    """A study that says who gave which value."""
    study = as_annotations(data, **reading)
    if study.anonymous:
        raise KindError(
            "this study does not say who gave which value (it was made from counts), so annotators cannot be told "
            "apart; read the annotations themselves"
        )
    return study


def _by_name(name: Annotator | Item) -> tuple[str, str]:
    return str(name), type(name).__name__


def _rank(names: Sequence[Annotator | Item]) -> Indices:
    """The place of each name among all of them in order, so that the order of rows does not matter."""
    place = np.empty(len(names), dtype=np.intp)
    place[sorted(range(len(names)), key=lambda i: _by_name(names[i]))] = np.arange(len(names))
    return place
