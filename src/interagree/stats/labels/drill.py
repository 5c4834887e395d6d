"""Where the disagreement is: by item, by annotator, by value, by pair."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import Annotations
from interagree.data.values import are_sets
from interagree.declare import facts_of
from interagree.errors import KindError
from interagree.plugins import KINDS
from interagree.results.agreement import Sizes
from interagree.stats.engine.compress import table_of
from interagree.stats.engine.weights import GroupsLeftOut, Many
from interagree.stats.labels.ballots import Ballots, pair_tables, within_items
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.moments import Numeric
from interagree.tables import Table

if TYPE_CHECKING:
    from interagree.stats.engine.legacy import LegacyEstimate as Estimate


class Tables(Protocol):
    """Drill-down that a statistic makes itself; some have a table by value, too."""

    def by_item(self) -> Table: ...
    def by_annotator(self) -> Table: ...
    def by_pair(self) -> Table: ...
    def left_out(self) -> dict[Hashable, float]: ...
    def largest(self) -> float | None: ...


def _source(estimate: Estimate, what: str) -> Annotations:
    source = estimate.source
    if source is None:
        raise KindError(
            f"a table {what} needs the annotations themselves, and these stay in their database; collect them first"
        )
    return source


def _known(estimate: Estimate, what: str) -> Annotations:
    source = _source(estimate, what)
    if source.anonymous and len(source):
        raise KindError(
            f"a table {what} needs to know who gave which value, and this study was made from counts"
        )
    return source


def distances_of_pairs(estimate: Estimate, study: Annotations) -> Floats | None:
    """The table of distances the measure uses; None where only equality counts."""
    spread = estimate.spread(study)
    if spread is None or spread.distance.equality:
        return None
    statistic = estimate.statistic.counts if isinstance(estimate.statistic, Ballots) else estimate.statistic
    frequency = getattr(statistic, "frequency", None)  # as the coefficient counts them
    if frequency is None:
        frequency = np.bincount(study.value, minlength=len(study.values)).astype(np.float64)
    table: Floats = spread.table(frequency)
    return table


def largest_distance(estimate: Estimate) -> float | None:
    """The largest distance that two values of the study have; None where that is not known."""
    if estimate.tables is not None:
        return estimate.tables.largest()
    statistic = estimate.statistic
    if isinstance(statistic, Numeric):
        return 1.0 if statistic.distance.bounded else None
    if estimate.lay_out is None:
        return 1.0
    spread = estimate.lay_out(
        statistic.counts if isinstance(statistic, Ballots) else statistic.source or statistic
    )
    if spread.distance.equality:
        return 1.0
    if statistic.source is None:
        return float(spread.table(statistic.frequency).max(initial=0.0))
    table = distances_of_pairs(estimate, statistic.source)
    return 1.0 if table is None else float(table.max(initial=0.0))


def mean_distances(estimate: Estimate, counts: Counts) -> Floats:
    """For each pattern of counts the mean distance of two annotations; nan where there is one alone."""
    rows = counts.rows
    table = None if counts.source is None else distances_of_pairs(estimate, counts.source)
    if table is None:
        squares = rows.multiply(rows).sum(axis=1) if hasattr(rows, "multiply") else (rows * rows).sum(axis=1)
        within = counts.size**2 - np.asarray(squares).reshape(-1)
    else:
        within = np.asarray(((rows @ table) * rows).sum(axis=1)).reshape(-1)
    pairs = counts.size * (counts.size - 1)
    with np.errstate(all="ignore"):
        return np.where(pairs > 0, within / pairs, np.nan)


def by_item(estimate: Estimate) -> Table:
    """For each item: its annotations, their mean distance, and what was said most."""
    study = _source(estimate, "by item")
    counts = Counts.of(study)
    rows, pattern = counts.rows, np.asarray(counts.pattern)
    statistic = estimate.statistic
    if isinstance(statistic, Numeric):  # too many values for a table of their distances
        mean = np.where(statistic.pattern >= 0, np.r_[statistic.means(), np.nan][statistic.pattern], np.nan)
    else:
        mean = np.r_[mean_distances(estimate, counts), np.nan][pattern]
    top = np.zeros(len(counts.size), dtype=np.intp)
    if top.size:
        top = np.asarray(rows.argmax(axis=1)).reshape(-1)
    chosen = [(i, int(p)) for i, p in enumerate(pattern.tolist()) if p >= 0]
    values = counts.values
    return Table(
        {
            "item": [study.items[i] for i, _ in chosen],
            "annotations": [int(counts.size[p]) for _, p in chosen],
            "disagreement": [float(mean[i]) for i, _ in chosen],
            "most common": [values[int(top[p])] for _, p in chosen],
            "share": [float(rows[p, top[p]] / counts.size[p]) for _, p in chosen],
        }
    )


def left_out(estimate: Estimate) -> dict[Hashable, float]:
    """For each annotator the coefficient of the study without her."""
    if estimate.tables is not None:
        return estimate.tables.left_out()
    study = _known(estimate, "by annotator")
    there = np.flatnonzero(np.bincount(study.annotator, minlength=len(study.annotators))).tolist()
    if len(there) < 3:  # without one of two nobody is left to agree with
        return {}
    at_once = left_out_at_once(estimate, study)
    if at_once is not None:
        return {study.annotators[code]: float(at_once[code]) for code in there}
    return {
        study.annotators[code]: estimate.again(study.without(study.annotators[code])).value for code in there
    }


def left_out_at_once(estimate: Estimate, study: Annotations) -> Floats | None:
    """The same for all annotators at once, for measures that are counted from counts alone.

    An annotator who goes takes one value from each of her items: the item leaves its pattern for one with that value
    once less.  There are few such patterns, however many annotators and items there are.
    """
    statistic = estimate.statistic
    if not isinstance(statistic, Counts) or not estimate.portable or study.occasion is not None:
        return None
    if hasattr(statistic.rows, "toarray"):
        return None
    people, size, count = len(study.annotators), len(study.values), len(statistic.size)
    pattern = np.asarray(statistic.pattern)[study.item]
    here = pattern >= 0
    who = study.annotator[here]
    moves, place = np.unique(pattern[here] * size + study.value[here], return_inverse=True)
    old, value = np.divmod(moves, size)
    rows = statistic.rows[old]
    rows[np.arange(len(rows)), value] -= 1
    stays = rows.sum(axis=1) >= max(statistic.least, 1)
    kept = stays[place]
    cells = np.r_[pattern[here], count + place[kept]]
    change = np.r_[np.ones(len(who)), -np.ones(int(kept.sum()))]
    members = table_of(np.r_[who, who[kept]], cells, change, (people, count + len(moves)))
    times = np.r_[statistic.weights.matrix(), np.zeros(len(moves))]
    # Patterns that nobody shows before or after would only divide by nothing.
    used = np.r_[np.ones(count, dtype=bool), stays]
    counts = replace(
        statistic,
        rows=np.vstack([statistic.rows, rows])[used],
        weights=GroupsLeftOut(times[used], members[:, used]),
        pattern=None,
        source=None,
    )
    found: Floats = np.real(estimate.values_of(counts))
    return found


def by_annotator(estimate: Estimate) -> Table:
    """For each annotator: the coefficient without her, and how far she agrees with the others."""
    study = _known(estimate, "by annotator")
    statistic = estimate.statistic
    summed = isinstance(statistic, Numeric)
    table = None if summed else distances_of_pairs(estimate, study)
    given = np.bincount(study.annotator, minlength=len(study.annotators))
    apart, compared = np.zeros(len(study.annotators)), np.zeros(len(study.annotators))
    for first, second in within_items(study):
        a, b = study.annotator[first], study.annotator[second]
        v, w = study.value[first], study.value[second]
        others = a != b
        far = statistic.apart(v, w) if summed else v != w if table is None else table[v, w]
        for who in (a, b):
            apart += np.bincount(who[others], weights=far[others], minlength=len(apart))
            compared += np.bincount(who[others], minlength=len(apart))
    found = left_out(estimate)
    without = [found.get(name, math.nan) for name in study.annotators]
    with np.errstate(all="ignore"):
        rest = apart / compared
    alike = table is None and not summed
    if alike:
        rest = 1 - rest
    return Table(
        {
            "annotator": list(study.annotators),
            "annotations": given.tolist(),
            "left out": without,
            "change": [value - estimate.value for value in without],
            "agreement with the rest" if alike else "distance from the rest": rest.tolist(),
        }
    )


def by_value(estimate: Estimate) -> Table:
    """For each value: how often it was given, the coefficient of it against the rest, and the specific agreement."""
    study = _source(estimate, "by value")
    labels = study.labels()
    facts = facts_of(estimate.measure)
    if facts.values in ("numbers", "pairs", *KINDS):
        what = "units" if facts.values == "spans" else facts.values if facts.values in KINDS else "numbers"
        raise KindError(f"{facts.title} is about {what} as a whole; a table by value makes no sense of it")
    call = {
        name: entry
        for name, entry in (estimate.call or {}).items()
        if name not in ("distance", "weights", "tolerance")
    }
    rows = []
    for label in labels:
        part = replace(study.versus_rest(label), values=(None, label))  # "other" may be a value, too
        result = estimate.measure(part, **{**call, "positive": label} if "positive" in call else call)
        counts = Counts.of(part).at_least(2)
        times = counts.weights.matrix()
        table = counts.rows.toarray() if hasattr(counts.rows, "toarray") else counts.rows
        here, size = table[:, 1], counts.size
        possible = float(times @ (here * (size - 1)))
        given = int((part.value == 1).sum())
        rows.append(
            {
                "value": label,
                "annotations": given,
                "share": given / max(len(part), 1),
                "agreement": result.value,
                "specific": float(times @ (here * (here - 1))) / possible if possible else math.nan,
            }
        )
    foot = "agreement: this value against the rest" + (
        " (in the set or not)" if are_sets(study.values) else ""
    )
    return Table.of(rows, foot=foot, names=("value", "annotations", "share", "agreement", "specific"))


def by_pair(estimate: Estimate) -> Table:
    """For each two annotators with items in common: how many, and the coefficient of the two alone."""
    study = _known(estimate, "by pair")
    pairs, tables = pair_tables(study.first_judgements())
    values = batch_of_pairs(estimate, study, pairs, tables)
    if values is None:
        values = np.array(
            [
                estimate.again(study.only(annotators=[study.annotators[a], study.annotators[b]])).value
                for a, b in pairs.tolist()
            ]
        )
    return Table(
        {
            "first": [study.annotators[a] for a, _ in pairs.tolist()],
            "second": [study.annotators[b] for _, b in pairs.tolist()],
            "items": tables.sum(axis=(1, 2)).astype(int).tolist(),
            "agreement": [float(value) for value in values],
        }
    )


def batch_of_pairs(estimate: Estimate, study: Annotations, pairs: Indices, tables: Floats) -> Floats | None:
    """The coefficient of every pair at once, for measures that are counted from counts or ballots."""
    statistic = estimate.statistic
    if not isinstance(statistic, Counts | Ballots) or not estimate.portable:
        return None
    if not len(tables) or study.occasion is not None:
        return None
    size = len(study.values)
    first, second = np.divmod(np.arange(size * size), size)
    used = np.flatnonzero(tables.reshape(len(tables), -1).any(axis=0))
    one, two = np.zeros((len(used), size)), np.zeros((len(used), size))
    one[np.arange(len(used)), first[used]] = 1
    two[np.arange(len(used)), second[used]] = 1
    times = tables.reshape(len(tables), -1)[:, used]
    if (statistic.counts if isinstance(statistic, Ballots) else statistic).least < 2:
        # Items that one of the two annotated alone count in the shares of the values.
        given = np.zeros((len(study.annotators), size))
        np.add.at(given, (study.annotator, study.value), 1)
        alone = [given[pairs[:, 0]] - tables.sum(axis=2), given[pairs[:, 1]] - tables.sum(axis=1)]
        nobody = np.zeros((size, size))
        one, two = np.vstack([one, np.eye(size), nobody]), np.vstack([two, nobody, np.eye(size)])
        times = np.hstack([times, *alone])
    counts = Counts(one + two, Many(times), study.values, study.in_order, Sizes(0, 2, 0))
    whole: Any = (
        counts
        if isinstance(statistic, Counts)
        else Ballots(counts, np.hstack([one, two]), ("first", "second"))
    )
    found: Floats = estimate.values_of(whole)
    return found
