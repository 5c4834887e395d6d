"""Where the disagreement on labels and numbers is: by item, by annotator, by value, by pair."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np

from interagree.arrays import Array, Floats, Indices, Integers
from interagree.data import Annotations
from interagree.data.types import Annotator
from interagree.data.values import are_sets
from interagree.errors import KindError
from interagree.kinds import Recognised
from interagree.plugins import KINDS
from interagree.stats.engine.compress import dense, product, row_sums
from interagree.stats.engine.measured import Measured
from interagree.stats.engine.remeasured import Repeatable
from interagree.stats.engine.statistic import Statistic
from interagree.stats.labels.ballots import from_the_others, pair_tables, within_items
from interagree.stats.labels.counts import Counts, Placed
from interagree.stats.labels.distance_table import DistanceTable
from interagree.tables import Table

NOT_OF_VALUES = ("distance", "weights", "tolerance")  # options that mean nothing for one value against the rest


class LabelStatistic(Statistic, Protocol):
    """What the drill-down asks of a statistic of labels or numbers."""

    def distance_table(self) -> DistanceTable | None:
        """The distances of the values; None where there are too many for a table."""

    def value_frequency(self) -> Floats:
        """How often each value occurs, as the coefficient counts it."""

    def item_distances(self) -> Floats | None:
        """For each pattern the mean distance of two annotations; None where the table tells it."""

    def distances_between(self, first: Integers, second: Integers) -> Floats | None:
        """The distances of aligned pairs of values; None where the table tells them."""

    def without_each_annotator(self, study: Annotations) -> Self | None:
        """The statistic without each annotator, as many weights at once; None where it must be measured again."""

    def of_each_pair(self, study: Annotations, pairs: Indices, tables: Floats) -> Self | None:
        """The statistic of each two annotators, as many weights at once; None where it must be measured again."""

    def recognised_values(self) -> Recognised | None:
        """What the values are."""

    @property
    def placed(self) -> Placed | None:
        """The patterns that a database tells of it; None where the annotations themselves are there."""


L = TypeVar("L", bound=LabelStatistic)


@dataclass(frozen=True)
class LabelDrill(Generic[L]):
    """The drill-down of a coefficient of labels or numbers."""

    measured: Measured[L]

    def _source(self, what: str) -> Annotations:
        source = self.measured.source
        if source is None:
            raise KindError(
                f"a table {what} needs the annotations themselves, and these stay in their database; collect them first"
            )
        return source

    def _attributed(self, what: str) -> Annotations:
        """The annotations, where it is known who made them."""
        source = self._source(what)
        if source.anonymous and len(source):
            raise KindError(f"a table {what} needs to know who gave which value, and this study was made from counts")
        return source

    def _table(self) -> Array | None:
        """The distances of all pairs of values; None where only equality counts."""
        distances = self.measured.statistic.distance_table()
        if distances is None or distances.distance.equality:
            return None
        return distances.table(self.measured.statistic.value_frequency())

    def largest(self) -> float | None:
        """The largest distance that two values of the study have; None where that is not known."""
        distances = self.measured.statistic.distance_table()
        if distances is None:
            return 1.0 if self.measured.statistic.bounded else None
        table = self._table()
        return 1.0 if table is None else float(table.max(initial=0.0))

    def _item_distances(self, counts: Counts) -> Floats:
        """For each item the mean distance of two of its annotations; nan where there is only one."""
        statistic = self.measured.statistic
        own, pattern = statistic.item_distances(), counts.pattern
        if own is not None:
            pattern = statistic.pattern
        else:
            rows, table = counts.rows, self._table()
            within = (
                counts.size**2 - row_sums(product(rows, rows))
                if table is None
                else row_sums(product(rows, rows @ table))
            )
            with np.errstate(all="ignore"):
                pairs = counts.size * (counts.size - 1)
                own = np.where(pairs > 0, within / pairs, np.nan)
        return np.asarray(np.r_[own, np.nan][pattern])

    def _made_of_patterns(self) -> LabelDrill[L] | None:
        """The drill-down of the same coefficient of a table that stays in its database, made of its patterns.

        None where the annotations are there, or where patterns do not tell who gave what.
        """
        placed = self.measured.statistic.placed
        if placed is None or placed.scan is None or not placed.scan.in_place:
            return None
        engine: Any = self.measured.again(placed.scan.unnamed()).engine
        drill: LabelDrill[L] = engine.drill_down()
        return drill

    def by_item(self) -> Table:
        """For each item: its annotations, their mean distance, and the most common value."""
        study = self._source("by item")
        counts = Counts.of(study)
        rows, pattern = counts.rows, np.asarray(counts.pattern)
        mean = self._item_distances(counts)
        top = np.asarray(rows.argmax(axis=1)).reshape(-1) if len(counts.size) else np.zeros(0, dtype=np.intp)
        # One by one, the cells of a sparse table take longer than all else.
        share = np.asarray(rows[np.arange(len(top)), top]).reshape(-1) / counts.size
        chosen = [(i, int(p)) for i, p in enumerate(pattern.tolist()) if p >= 0]
        return Table(
            {
                "item": [study.items[i] for i, _ in chosen],
                "annotations": [int(counts.size[p]) for _, p in chosen],
                "disagreement": [float(mean[i]) for i, _ in chosen],
                "most common": [counts.values[int(top[p])] for _, p in chosen],
                "share": [float(share[p]) for _, p in chosen],
            }
        )

    def left_out(self) -> dict[Annotator, float]:
        if (made := self._made_of_patterns()) is not None:
            return made.left_out()
        study = self._attributed("by annotator")
        present = np.flatnonzero(np.bincount(study.annotator, minlength=len(study.annotators))).tolist()
        if len(present) < 3:  # without one of two nobody is left to agree with
            return {}
        at_once = self.measured.statistic.without_each_annotator(study)
        if at_once is not None:
            values = np.real(self.measured.values_of(at_once))
            return {study.annotators[code]: float(values[code]) for code in present}
        names = [study.annotators[code] for code in present]
        return {name: self.measured.again(study.without(name)).value for name in names}

    def by_annotator(self) -> Table:
        """For each annotator: the coefficient without them, and how far they agree with the others."""
        if (made := self._made_of_patterns()) is not None:
            return made.by_annotator()
        study = self._attributed("by annotator")
        table, by_table = self._table(), self.measured.statistic.distance_table() is not None
        is_agreement = by_table and table is None
        given = np.bincount(study.annotator, minlength=len(study.annotators))
        summed, compared = np.zeros(len(study.annotators)), np.zeros(len(study.annotators))
        if by_table:
            far, count = from_the_others(study, table)
            summed += np.bincount(study.annotator, weights=far, minlength=len(summed))
            compared += np.bincount(study.annotator, weights=count, minlength=len(summed))
        for first, second in () if by_table else within_items(study):
            a, b = study.annotator[first], study.annotator[second]
            others = a != b
            far = np.asarray(self.measured.statistic.distances_between(study.value[first], study.value[second]))
            for who in (a, b):
                summed += np.bincount(who[others], weights=far[others], minlength=len(summed))
                compared += np.bincount(who[others], minlength=len(summed))
        left_out = self.left_out()
        without = [left_out.get(name, math.nan) for name in study.annotators]
        with np.errstate(all="ignore"):
            rest = 1 - summed / compared if is_agreement else summed / compared
        return Table(
            {
                "annotator": list(study.annotators),
                "annotations": given.tolist(),
                "left out": without,
                "change": [value - self.measured.value for value in without],
                "agreement with the rest" if is_agreement else "distance from the rest": rest.tolist(),
            }
        )

    def by_value(self) -> Table:
        """For each value: how often it was given, the coefficient of it against the rest, the specific agreement."""
        placed = self.measured.statistic.placed
        if placed is not None and placed.scan is not None and (placed.scan.in_place or not placed.votes):
            whole: Counts | Annotations = (
                placed.scan.unnamed() if placed.scan.in_place else Counts.from_scan(placed.scan)
            )
            return table_by_value(self.measured, whole)
        return table_by_value(self.measured, self._source("by value"))

    def by_pair(self) -> Table:
        """For each two annotators with items in common: how many, and the coefficient of the two alone."""
        if (made := self._made_of_patterns()) is not None:
            return made.by_pair()
        study = self._attributed("by pair")
        pairs, tables = pair_tables(study.first_judgements())
        names = [(study.annotators[a], study.annotators[b]) for a, b in pairs.tolist()]
        at_once = self.measured.statistic.of_each_pair(study, pairs, tables)
        values = (
            [self.measured.again(study.only(annotators=list(two))).value for two in names]
            if at_once is None
            else self.measured.values_of(at_once)
        )
        return Table(
            {
                "first": [first for first, _ in names],
                "second": [second for _, second in names],
                "items": tables.sum(axis=(1, 2)).astype(int).tolist(),
                "agreement": [float(value) for value in values],
            }
        )


def table_by_value(measured: Repeatable, study: Annotations | Counts) -> Table:
    """For each value: how often it was given, the coefficient of it against the rest, the specific agreement."""
    facts = measured.facts
    if facts.values in ("pairs", *KINDS):
        what = {"spans": "units", "pairs": "numbers"}.get(facts.values, facts.values)
        raise KindError(f"{facts.title} is about {what} as a whole; a table by value makes no sense of it")
    call = measured.call or {}
    options = {name: option for name, option in call.items() if name not in NOT_OF_VALUES}
    rows = []
    for label in study.values if isinstance(study, Counts) else study.labels():
        # "other" may be a value, too
        part: Any = study.versus_rest(label)
        part = replace(part, values=(None, label))
        whole = Counts.of(part)
        counts = whole.at_least(2)
        times, size = counts.weights.matrix(), counts.size
        here = dense(counts.rows)[:, 1]
        possible = float(times @ (here * (size - 1)))
        given = int(whole.frequency[1])
        chosen = {**options, "positive": label} if "positive" in options else options
        rows.append(
            {
                "value": label,
                "annotations": given,
                "share": given / max(int(whole.total), 1),
                "agreement": measured.measure(part, **chosen).value,
                "specific": float(times @ (here * (here - 1))) / possible if possible else math.nan,
            }
        )
    foot = "agreement: this value against the rest" + (" (in the set or not)" if are_sets(study.values) else "")
    return Table.of(rows, foot=foot, names=("value", "annotations", "share", "agreement", "specific"))
