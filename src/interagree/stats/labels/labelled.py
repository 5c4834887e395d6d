"""Counts and ballots under a distance: the statistics of the coefficients of labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self, TypeAlias

import numpy as np

from interagree.arrays import Floats, Indices, Integers
from interagree.data import Annotations
from interagree.data.levels import Level
from interagree.data.types import IntoAnnotations, Value
from interagree.data.values import FEW
from interagree.errors import Advice, Hint
from interagree.kinds import Recognised
from interagree.results.agreement import Remark, Sizes
from interagree.stats.engine.compress import table_of
from interagree.stats.engine.measured import Measured
from interagree.stats.engine.statistic import BaseStatistic, Statistic, unpaired_notes
from interagree.stats.engine.weights import GroupsLeftOut, Many
from interagree.stats.labels.ballots import Ballots
from interagree.stats.labels.counts import Counts, Placed
from interagree.stats.labels.distance_table import DistanceTable, ValueScale
from interagree.stats.labels.drill import LabelDrill, LabelStatistic

OnValues: TypeAlias = Callable[[ValueScale], DistanceTable]
SCALES = {"ordered": "an ordered scale", "numbers": "numbers"}


class Labels(BaseStatistic):
    """What the statistics of labels tell in the same way."""

    def distance_table(self) -> DistanceTable | None:
        """The distances of the values; None where there are too many for a table."""
        return None

    @property
    def bounded(self) -> bool:
        distances = self.distance_table()
        return distances is not None and distances.bounded

    def value_frequency(self: Statistic) -> Floats:
        """How often each value occurs, as the coefficient counts it."""
        study = self.source
        if study is None:
            return np.zeros(0)
        return np.bincount(study.value, minlength=len(study.values)).astype(np.float64)

    def item_distances(self) -> Floats | None:
        """For each pattern the mean distance of two annotations; None where a table of distances tells it."""
        return None

    def distances_between(self, first: Integers, second: Integers) -> Floats | None:  # noqa: ARG002 -- sums look at them
        """The distances of aligned pairs of values; None where a table of distances tells them."""
        return None

    def without_each_annotator(self, study: Annotations) -> Self | None:  # noqa: ARG002 -- counts look at it
        """The statistic without each annotator, as many weights at once; None where it must be measured again."""
        return None

    def of_each_pair(self, study: Annotations, pairs: Indices, tables: Floats) -> Self | None:  # noqa: ARG002
        """The statistic of each two annotators, as many weights at once; None where it must be measured again."""
        return None

    def notes(self: LabelStatistic) -> Sequence[str]:
        """What was left out, and whether complex values were compared as if they were labels."""
        notes, study = unpaired_notes(self), self.source
        if study is None or not study.kind.structured:
            return notes
        distances = self.distance_table()
        if distances is not None and not distances.distance.equality:
            return notes
        return [*notes, f"the values are {study.kind} and were compared as wholes: the same or not"]

    @property
    def placed(self) -> Placed | None:
        """The patterns that a database tells of it; None where the annotations themselves are there."""
        return None

    def recognised_values(self: Statistic) -> Recognised | None:
        return None if self.source is None else self.source.recognised

    def notes_on_options(self: LabelStatistic, measured: Measured[Any]) -> Sequence[str]:
        """What a scale would give, where values are one or may be one, and nobody said how far apart they are."""
        return notes_on_scale(self.recognised_values(), len(self.possible_values()), measured)

    def drill(self, measured: Measured[Any]) -> LabelDrill[Any]:
        return LabelDrill(measured)


def notes_on_scale(recognised: Recognised | None, count: int, measured: Measured[Any]) -> Sequence[str]:
    """What a scale would give, where so many values are one or may be one, and nobody said how far apart they are."""
    options, facts = measured.call or {}, measured.facts
    if facts.chance == "none" or not {"distance", "weights"} <= options.keys():
        return ()
    kind = "" if recognised is None else str(recognised.doubt or recognised.kind)
    if recognised is None or kind not in facts.as_scale or count < 3:  # two values are as far apart on any scale
        return ()
    if any(options[name] is not None for name in ("distance", "weights")):
        return ()
    if facts.by_level and recognised.doubt is None:
        level = measured.level
        return () if level is None or level.source != "cells" else (recognised.sentence(count),)
    scale = facts.as_scale[kind]
    hints = [Hint(name, option) for name, option in scale.items()]
    given = ", ".join(map(str, hints))
    taken = f"the values are {recognised.because} and were taken as labels"
    if count > FEW:  # what costs nothing on few values may cost as much as the measure itself
        return (Advice(f"{taken}, the same or not; {given} compares them as {SCALES[kind]}", hints),)
    result = measured.again(measured.data, **scale)
    number = "undefined" if result.undefined else f"{result.value:.3f}"
    note = f"{taken}; as {SCALES[kind]}, {facts.symbol} = {number} ({given})"
    return (Advice(note, hints) if recognised.doubt is None else Remark(note, hints),)


@dataclass(frozen=True)
class LabelCounts(Counts, Labels):
    """How many annotators gave each item each value, and how far apart the values are."""

    distances: DistanceTable = field(kw_only=True)

    @classmethod
    def under(cls, data: IntoAnnotations | Counts, on_values: OnValues, *, least: int = 0) -> Self:
        """The counts of the items of a study with ``least`` annotations or more, under a distance."""
        counts = Counts.of(data)
        counts = counts.at_least(least) if least else counts
        distances = on_values(counts)
        if not distances.distance.equality:  # a table of all pairs of values may be large, and goes with the result
            return cls._made_of(counts, distances)
        name = cls, id(distances.distance), distances.scaled  # what is kept holds the distance, so its id stays its own
        return counts.once(name, lambda: cls._made_of(counts, distances))

    @classmethod
    def _made_of(cls, counts: Counts, distances: DistanceTable) -> Self:
        return cls(**{one.name: getattr(counts, one.name) for one in fields(Counts)}, distances=distances)

    def distance_table(self) -> DistanceTable:
        return self.distances

    def possible_values(self) -> Sequence[Value]:
        return self.values

    def recognised_values(self) -> Recognised:
        return self.recognised

    def value_frequency(self) -> Floats:
        return self.frequency

    def ordered(self) -> bool:
        """Whether the order of patterns does not depend on that of rows: counts are sorted by what they hold."""
        return True

    def without_each_annotator(self, study: Annotations) -> Self | None:
        """The counts without each annotator, as many weights at once.

        Annotators who go take one value from each of their items: the item leaves its pattern for one with that value
        once less.  There are few such patterns, however many annotators and items there are.
        """
        if study.occasion is not None or not isinstance(self.rows, np.ndarray):
            return None
        people, size, count = len(study.annotators), len(study.values), len(self.size)
        pattern = np.asarray(self.pattern)[study.item]
        here = pattern >= 0
        who = study.annotator[here]
        changes, place = np.unique(pattern[here] * size + study.value[here], return_inverse=True)
        old, value = np.divmod(changes, size)
        rows = self.rows[old]
        rows[np.arange(len(rows)), value] -= 1
        stays = rows.sum(axis=1) >= max(self.least, 1)
        kept = stays[place]
        cells = np.r_[pattern[here], count + place[kept]]
        change = np.r_[np.ones(len(who)), -np.ones(int(kept.sum()))]
        members = table_of(np.r_[who, who[kept]], cells, change, (people, count + len(changes)))
        times = np.r_[self.weights.matrix(), np.zeros(len(changes))]
        # Patterns that nobody shows before or after would only divide by nothing.
        used = np.r_[np.ones(count, dtype=bool), stays]
        return replace(
            self,
            rows=np.vstack([self.rows, rows])[used],
            weights=GroupsLeftOut(times[used], members[:, used]),
            pattern=None,
            source=None,
        )

    def of_each_pair(self, study: Annotations, pairs: Indices, tables: Floats) -> Self | None:
        """The counts of each two annotators, as many weights at once."""
        both = _each_pair(study, pairs, tables, alone=self.least < 2)
        if both is None:
            return None
        first, second, times = both
        return replace(self, rows=first + second, weights=Many(times), n=Sizes(0, 2, 0), pattern=None, source=None)


@dataclass(frozen=True)
class LabelBallots(Ballots, Labels):
    """Who gave which value, and how far apart the values are."""

    distances: DistanceTable = field(kw_only=True)
    remarks: tuple[str, ...] = field(default=(), kw_only=True)  # what was left out, said otherwise than usual

    @classmethod
    def under(cls, ballots: Ballots, on_values: OnValues, remarks: tuple[str, ...] = ()) -> Self:
        known = {one.name: getattr(ballots, one.name) for one in fields(Ballots)}
        return cls(**known, distances=on_values(ballots.counts), remarks=remarks)

    def distance_table(self) -> DistanceTable:
        return self.distances

    def value_frequency(self) -> Floats:
        return self.counts.frequency

    def possible_values(self) -> Sequence[Value]:
        return self.counts.values

    def recognised_values(self) -> Recognised:
        return self.counts.recognised

    @property
    def level(self) -> Level:
        return self.counts.level

    def notes(self) -> Sequence[str]:
        return [*super().notes(), *self.remarks]

    def of_each_pair(self, study: Annotations, pairs: Indices, tables: Floats) -> Self | None:
        """The ballots of each two annotators, as many weights at once."""
        both = _each_pair(study, pairs, tables, alone=self.counts.least < 2)
        if both is None:
            return None
        first, second, times = both
        counts = Counts(first + second, Many(times), study.values, study.in_order, Sizes(0, 2, 0))
        return replace(self, counts=counts, votes=np.hstack([first, second]), annotators=("first", "second"))


def _each_pair(
    study: Annotations, pairs: Indices, tables: Floats, *, alone: bool
) -> tuple[Floats, Floats, Floats] | None:
    """The votes of the first and of the second of two annotators, by pattern, and how often each pair shows it."""
    if not len(tables) or study.occasion is not None:
        return None
    size = len(study.values)
    codes = np.divmod(np.arange(size * size), size)
    used = np.flatnonzero(tables.reshape(len(tables), -1).any(axis=0))
    first, second = (np.eye(size)[code[used]] for code in codes)
    times = tables.reshape(len(tables), -1)[:, used]
    if alone:
        # Items that one of the two annotated alone count in the shares of the values.
        given = np.zeros((len(study.annotators), size))
        np.add.at(given, (study.annotator, study.value), 1)
        lone = [given[pairs[:, 0]] - tables.sum(axis=2), given[pairs[:, 1]] - tables.sum(axis=1)]
        nobody = np.zeros((size, size))
        first, second = np.vstack([first, np.eye(size), nobody]), np.vstack([second, nobody, np.eye(size)])
        times = np.hstack([times, *lone])
    return first, second, times
