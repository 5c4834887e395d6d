"""The steps from annotations to a coefficient, as a lecture would show them.

They follow the sufficient statistic and the model of chance that the measure declares; every number in them is checked
against the result, and where a measure works differently the steps fall back to its two parts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from interagree.arrays import Array, Floats
from interagree.choose import Choice
from interagree.data import Annotations
from interagree.data.provenance import counted
from interagree.data.types import Item, Value
from interagree.reports.confusion import confusion
from interagree.results.agreement import Agreement
from interagree.results.document import Section, policy_sentence
from interagree.stats.engine.estimate import Estimate
from interagree.stats.labels.counts import Counts, flat, per_annotation
from interagree.stats.labels.labelled import LabelBallots, LabelCounts
from interagree.stats.labels.matrix import Matrix
from interagree.stats.labels.mean_pairs import MeanOfPairs
from interagree.stats.labels.moments import Numeric
from interagree.studies.chance_steps import TERMS, TITLE, WIDE, exact, expected_steps, in_whole, own_urns_steps, short
from interagree.tables import Table, cell

SHOWN = 5  # items that are worked out


def worked(measured: Choice, study: Annotations, result: Agreement) -> list[Section]:
    """The steps from annotations to the coefficient."""
    statistic = result.engine.statistic if isinstance(result.engine, Estimate) else None
    if result.undefined:
        steps = [Section("Why there is no number", lines=[f"{measured.title} is undefined: {result.undefined}."])]
    elif isinstance(statistic, LabelCounts):
        steps = _counted(statistic, result)
    elif isinstance(statistic, LabelBallots) and result.measure.values != "pairs":
        steps = _balloted(statistic, study, result)
    elif isinstance(statistic, MeanOfPairs):
        steps = _paired(result)
    elif isinstance(statistic, Numeric):
        steps = _summed(statistic, study, result)
    elif isinstance(statistic, Matrix):
        steps = _tabled(statistic, result)
    else:
        steps = _known(result)
    if not result.undefined:
        steps.append(_ratio(result))
    numbered = [
        Section(f"{number}. {step.title}", step.lines, step.table, step.foot, verbatim=step.verbatim)
        for number, step in enumerate(steps, start=1)
    ]
    notes = [*result.notes, policy_sentence(study.provenance.policy())]
    return [*numbered, Section(lines=notes)]


def _counted(counts: LabelCounts, result: Agreement) -> list[Section]:
    table = counts.distances
    if not isinstance(counts.rows, np.ndarray) or not _by_distance(result):
        return _known(result)
    distances = None if table.distance.equality else table.table(counts.frequency)
    if distances is not None and distances.ndim != 2:
        return _known(result)
    mean_distance = _mean_distances(counts, distances)
    steps = [_items(counts, mean_distance, plain=distances is None)]
    observed = _observed(counts, mean_distance, result)
    if observed is None:
        return [*steps, *_known(result)]
    steps.append(observed)
    steps += expected_steps(counts, distances, result)
    return steps


def _by_distance(result: Agreement) -> bool:
    return isinstance(result.engine, Estimate) and "distance" in (result.engine.call or {})


def _mean_distances(counts: Counts, distances: Floats | None) -> Floats:
    """The mean distance of two annotations, for each pattern; nan for patterns with one."""
    rows, size = np.asarray(counts.rows), counts.size
    pairs = np.where(size > 1, size * (size - 1), np.nan)
    within = size**2 - (rows**2).sum(axis=1) if distances is None else ((rows @ distances) * rows).sum(axis=1)
    mean: Floats = within / pairs
    return mean


def _items(counts: Counts, mean_distance: Floats, *, plain: bool) -> Section:
    places = _some(counts, mean_distance)
    rows = np.asarray(counts.rows)
    columns: dict[str, Sequence[object]] = {"item": [name for name, _ in places]}
    if len(counts.values) <= WIDE:
        columns |= {cell(value): [int(rows[p, k]) for _, p in places] for k, value in enumerate(counts.values)}
    else:
        columns["values"] = [_tally(rows[p], counts.values) for _, p in places]
    columns["annotations"] = [int(counts.size[p]) for _, p in places]
    columns["disagreement"] = [float(mean_distance[p]) for _, p in places]
    example = next(((name, p) for name, p in places if mean_distance[p] > 0), places[0] if places else None)
    lines = (
        [f"Here are {len(places)} of {counted(int(counts.items), 'item')}."] if len(places) < int(counts.items) else []
    )
    foot = []
    if example is not None and not math.isnan(mean_distance[example[1]]):
        name, p = example
        n = int(counts.size[p])
        pairs = n * (n - 1)
        if plain:
            differ = round(float(mean_distance[p]) * pairs)
            foot = [
                (
                    f"Item {name}: {n} annotations make {n} × {n - 1} = {pairs} ordered pairs, of which "
                    f"{differ} differ: {differ}/{pairs} = {exact(mean_distance[p])}."
                )
            ]
        else:
            value = exact(mean_distance[p])
            foot = [f"Item {name}: the mean distance over {n} × {n - 1} = {pairs} ordered pairs is {value}."]
    return Section("Count how many annotators gave each item each value", lines, Table(columns), foot)


def _some(counts: Counts, mean_distance: Floats) -> list[tuple[Item, int]]:
    if counts.pattern is None or counts.source is None:
        return [(f"pattern {p + 1}", p) for p in range(min(SHOWN, len(counts.size)))]
    there = np.flatnonzero(counts.pattern >= 0)
    pattern = counts.pattern[there]
    many = counts.size[pattern] > 1
    differ = there[many & (np.nan_to_num(mean_distance[pattern]) > 0)][: SHOWN - 2].tolist()
    same = there[many & (np.nan_to_num(mean_distance[pattern], nan=1.0) == 0)][: SHOWN - len(differ)].tolist()
    more = (
        [i for i in there[many].tolist() if i not in {*differ, *same}][: SHOWN - len(differ) - len(same)]
        if len(there) < 5000
        else []
    )
    return [(counts.source.items[i], int(counts.pattern[i])) for i in sorted([*differ, *same, *more])]


def _tally(row: Array, values: Sequence[Value]) -> str:
    order = [k for k in np.argsort(-row, kind="stable").tolist() if row[k]]
    return ", ".join(f"{int(row[k])} × {cell(values[k])}" for k in order[:TERMS])


def _pairs_weight(counts: Counts) -> Floats:
    return counts.size * (counts.size - 1)


WEIGHED = (
    (flat, "every item counts once"),
    (per_annotation, "an item counts once for each of its annotations"),
    (_pairs_weight, "an item counts once for each pair of its annotations"),
)


def _observed(counts: Counts, mean_distance: Floats, result: Agreement) -> Section | None:
    """The mean over items, weighed in the one way that gives the result."""
    times = counts.weights.matrix()
    # Where items are alike in size several ways give the same number: take the one the measure is known for.
    usual = {"one urn, without putting back": per_annotation, "one urn, after a prior": _pairs_weight}
    known = usual.get(result.measure.chance, flat)
    for weigh, words in sorted(WEIGHED, key=lambda way: way[0] is not known):
        weight = times * weigh(counts) * counts.paired
        if not weight.sum():
            continue
        mean = float(weight @ np.nan_to_num(mean_distance)) / float(weight.sum())
        if math.isclose(mean, result.disagreement.observed, rel_tol=1e-9, abs_tol=1e-12):
            items = int(times @ counts.paired)
            total = float(weight @ np.nan_to_num(mean_distance))
            line = f"Over {counted(items, 'item')} with two annotations or more, where {words}:"
            return Section(
                "Take the mean: the observed disagreement",
                [line, f"  D_o = {exact(total)} / {exact(float(weight.sum()))} = {exact(mean)}"],
            )
    return None


def _balloted(ballots: LabelBallots, study: Annotations, result: Agreement) -> list[Section]:
    counts = ballots.counts
    laid_out = ballots.distances
    if not isinstance(counts.rows, np.ndarray) or not _by_distance(result):
        return _known(result)
    distances = None if laid_out.distance.equality else laid_out.table(counts.frequency)
    mean_distance = _mean_distances(counts, distances)
    two = len(ballots.annotators) == 2
    steps = []
    if two and len(counts.values) <= WIDE and counts.source is not None and study.values == counts.values:
        first, second = ballots.annotators
        table = confusion(study, first, second)
        steps.append(
            Section(
                f"Lay the two annotators side by side: {first} in rows, {second} in columns", table=_in_whole(table)
            )
        )
    else:
        steps.append(_items(counts, mean_distance, plain=distances is None))
    observed = _observed(counts, mean_distance, result)
    if observed is None:
        return [*steps, *_known(result)]
    steps.append(observed)
    if result.measure.chance != "each annotator's own urn":
        return [*steps, *expected_steps(counts, distances, result)]
    return [*steps, *own_urns_steps(ballots, distances, result)]


def _in_whole(table: Table) -> Table:
    return Table(
        {
            name: [in_whole(entry) if isinstance(entry, float) else entry for entry in column]
            for name, column in table.columns.items()
        }
    )


def _paired(result: Agreement) -> list[Section]:
    table = result.by_pair()
    shown = table.head(4 * SHOWN)
    foot = [f"the first {4 * SHOWN} of {len(table)} pairs"] if len(table) > len(shown) else []
    known = [agreement for agreement in table["agreement"] if math.isfinite(agreement)]
    lines = [
        (
            f"  ({' + '.join(f'{value:.4f}' for value in known[:TERMS])}{' + …' if len(known) > TERMS else ''}) "
            f"/ {len(known)} = {exact(sum(known) / len(known))}"
        )
    ]
    return [
        Section("The coefficient of each two annotators, on the items both annotated", table=shown, foot=foot),
        Section("Take the mean over the pairs for which it is defined", lines),
    ]


def _summed(numeric: Numeric, study: Annotations, result: Agreement) -> list[Section]:
    items = list(dict.fromkeys(numeric.item[: 50 * SHOWN].tolist()))[:SHOWN]
    kept = np.flatnonzero(numeric.pattern >= 0)
    values = [[study.values[v] for v in numeric.value[numeric.item == i].tolist()] for i in items]
    table = Table(
        {
            "item": [study.items[int(kept[i])] for i in items],
            "values": [
                ", ".join(map(cell, some[: 2 * WIDE])) + (", …" if len(some) > 2 * WIDE else "") for some in values
            ],
        }
    )
    observed, expected = result.disagreement.observed, result.disagreement.expected
    name = result.options.get("distance") or "given"
    square = (
        (
            " The interval distance is the squared difference, so each is twice a variance: that within "
            "items, and that of all numbers."
        )
        if name == "interval"
        else ""
    )
    return [
        Section(f"The numbers of each item, {len(items)} of {counted(result.n.items, 'item')}", table=table),
        Section(
            "The observed disagreement",
            [
                f"The mean {name} distance of two annotations of one item, an item counting once for each annotation:",
                f"  D_o = {exact(observed)}",
            ],
        ),
        Section(
            TITLE,
            [
                f"The mean {name} distance of any two annotations, drawn without putting the first one back:",
                f"  D_e = {exact(expected)}",
                *([square.strip()] if square else []),
            ],
        ),
    ]


def _tabled(matrix: Matrix, result: Agreement) -> list[Section]:
    people = matrix.annotators[:WIDE]
    kept = np.flatnonzero(matrix.pattern >= 0)[:SHOWN]
    columns: dict[str, Sequence[object]] = {"item": [matrix.source.items[int(i)] for i in kept]}
    columns |= {
        str(name): [in_whole(cell) for cell in matrix.cells[: len(kept), k].tolist()] for k, name in enumerate(people)
    }
    columns["mean"] = np.nanmean(matrix.cells[: len(kept)], axis=1).tolist()
    cut = f"; the first {WIDE} of {len(matrix.annotators)} annotators" if len(matrix.annotators) > WIDE else ""
    table = Table(columns, foot=f"{len(kept)} of {counted(len(matrix.cells), 'item')}{cut}")
    return [Section("Lay the numbers out, items by annotators", table=table), *_details(result)]


def _details(result: Agreement) -> list[Section]:
    details = {
        name.replace("_", " "): entry for name, entry in result.details.items() if isinstance(entry, int | float)
    }
    if not details:
        return []
    return [Section("What the formula is made of", table=Table({"quantity": [*details], "value": [*details.values()]}))]


def _known(result: Agreement) -> list[Section]:
    """For measures that work in their own way: their details and their two parts."""
    parts = result.disagreement
    lines = [f"  D_o = {exact(parts.observed)}"] if math.isfinite(parts.observed) else []
    if parts.expected is not None and math.isfinite(parts.expected):
        lines.append(f"  D_e = {exact(parts.expected)}    (chance draws from: {result.measure.chance})")
    return [*_details(result), *([Section("Observed and expected disagreement", lines)] if lines else [])]


def _ratio(result: Agreement) -> Section:
    observed, expected = result.disagreement.observed, result.disagreement.expected
    symbol = result.measure.symbol
    lines = []
    if expected is None:
        if math.isclose(result.value, 1 - observed, abs_tol=1e-9):
            lines.append(f"  {symbol} = 1 - D_o = 1 - {short(observed)} = {exact(result.value)}")
    elif math.isclose(result.value, 1 - observed / expected, abs_tol=1e-9):
        lines.append(f"  {symbol} = 1 - D_o / D_e = 1 - {short(observed)} / {short(expected)} = {exact(result.value)}")
        agree, chance = result.observed_agreement, result.expected_agreement
        if agree is not None and chance is not None and 0 < chance < 1:
            lines.append(
                f"  or, as agreement: (P_o - P_e) / (1 - P_e) = ({agree:.4f} - {chance:.4f}) / {1 - chance:.4f}"
            )
    lines = lines or [f"  {symbol} = {exact(result.value)}"]
    interval = result.interval()
    if interval is not None:
        lines.append(f"With its {interval} ({interval.method}, for other items).")
    return Section("The coefficient", lines)
