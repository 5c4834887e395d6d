"""Sections on values: why coefficients differ, agreement on each value, and which values are confused."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from interagree.arrays import Array, Floats
from interagree.reports.confusion import chance
from interagree.reports.parts import Part
from interagree.results.charts import Bars, Heat
from interagree.results.document import Section
from interagree.results.scales import graded
from interagree.stats.engine.compress import dense
from interagree.stats.engine.estimate import Estimate
from interagree.stats.labels.counts import Counts
from interagree.tables import Table

SHOWN = 20  # rows of a table by value
MOST = 200  # values up to which there is a table of each, and of those that are confused
CONFUSED = 5  # pairs of values that are named
DIFFER = 0.1  # by how much coefficients differ where the reason is printed, too
SQUARE = 15  # values of a table that is drawn as shades


def why(part: Part) -> Section | None:
    """Why coefficients differ: what each takes chance to be."""
    if part.study.kind not in ("labels", "ordered") or not len(part.study):
        return None
    table = chance(part.study)
    lines = ["All values taken as plain labels: the same annotations, corrected for different ideas of chance."]
    foot = [_sentence(table.foot)]
    corrected = [result.value for result in part.results if graded(result) and not result.undefined]
    alike = not corrected or max(corrected) - min(corrected) < DIFFER
    table = replace(table, foot="")
    return Section("Why coefficients differ", lines=lines, table=table, foot=foot, detail=alike)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")


def by_value(part: Part) -> Section | None:
    """Agreement on each value."""
    lead = part.lead
    if lead is None or lead.undefined or part.study.kind == "numbers" or part.study.kind.complex:
        return None
    if lead.measure.values not in ("any", "sets") or len(part.study.labels()) > MOST:
        return None
    table = lead.by_value()
    if len(table) > SHOWN:
        table = replace(
            table.sort("annotations", descending=True).head(SHOWN), foot=f"the {SHOWN} most common; {table.foot}"
        )
    meaning = (
        "agreement: the coefficient of this value against the rest; specific: how often a second annotator gives it, "
        "too."
    )
    table = replace(table, foot=table.foot.partition("agreement:")[0].rstrip("; "))
    labels = [*map(part.study.named, table["value"])]
    if part.study.value_labels:
        table = replace(table, columns={**table.columns, "value": labels})
    lowest = min(zip(table["agreement"], labels, strict=True), key=lambda row: (math.isnan(row[0]), row[0]))
    words = f"Agreement on each of {len(labels)} values; the lowest is {lowest[0]:.2f}, on {lowest[1]}."
    chart = Bars(labels, {"": table["agreement"]}, f"{lead.measure.symbol} of the value against the rest", words)
    drawn = chart if len(labels) > 1 and not math.isnan(lowest[0]) else None
    return Section(part.of_lead("By value"), lines=[meaning], table=table, chart=drawn)


def confused(part: Part) -> Section | None:
    """The values that annotators give in place of each other most."""
    pairs = confused_pairs(part)
    if pairs is None or not len(pairs):
        return None
    differ, given = _coincidences(part)
    often = np.argsort(-differ.sum(axis=0), kind="stable")
    kept = np.sort(often[differ.sum(axis=0)[often] > 0][:SQUARE])
    named = part.study.named
    names = [named(given.values[code]) for code in kept.tolist()]
    table = given.coincidences()[np.ix_(kept, kept)]
    with np.errstate(all="ignore"):
        shares = table / table.sum(axis=1, keepdims=True)
    first = pairs.rows()[0]
    both = f"{named(first['label'])} and {named(first['other'])}"
    lines = [f"{both} make up {first['share of disagreement']:.0%} of all disagreement."]
    cut = f"the first {CONFUSED} of {len(pairs):,} pairs" if len(pairs) > CONFUSED else ""
    shown = pairs.head(CONFUSED)
    if part.study.value_labels:
        words_of = {column: [*map(named, shown[column])] for column in ("label", "other")}
        shown = replace(shown, columns={**shown.columns, **words_of})
    words = "Where one annotator gives the label of the row, how often another gives the label of the column."
    chart = Heat(names, names, shares, "share of the others who give the label of the column", words)
    return Section("Confused labels", lines=lines, table=replace(shown, foot=cut), chart=chart)


def confused_pairs(part: Part) -> Table | None:
    """How often each two values meet in an item, and their share of all disagreement; None where that says nothing.

    The share is that of the observed disagreement of alpha, in which every annotation counts once and values count as
    far apart as the leading coefficient takes them to be.
    """
    study, lead = part.study, part.lead
    if lead is None or lead.undefined or study.kind not in ("labels", "ordered") or not 2 < len(study.values) <= MOST:
        return None
    differ, counts = _coincidences(part)
    total = float(differ.sum()) / 2
    rows = dense(counts.rows)
    often = (rows * counts.weights.matrix()[:, None]).T @ rows
    first, second = np.nonzero(np.triu(differ, 1))
    order = np.lexsort((second, first, -differ[first, second]))
    first, second = first[order], second[order]
    return Table(
        {
            "label": [counts.values[code] for code in first.tolist()],
            "other": [counts.values[code] for code in second.tolist()],
            "pairs": [round(number) for number in often[first, second].tolist()],
            "share of disagreement": (differ[first, second] / total if total else differ[first, second]).tolist(),
        }
    )


def _coincidences(part: Part) -> tuple[Floats, Counts]:
    """How much each two values add to the disagreement, and the counts it is from."""
    counts = Counts.of(part.study).at_least(2)
    table = counts.coincidences()
    distances = _distances(part)
    far = 1 - np.eye(len(table)) if distances is None or distances.shape != table.shape else distances
    return table * far, counts


def _distances(part: Part) -> Array | None:
    """How far apart the leading coefficient takes values to be; None where they are the same or not."""
    engine = None if part.lead is None else part.lead.engine
    statistic = engine.statistic if isinstance(engine, Estimate) else None
    if statistic is None or not hasattr(statistic, "distance_table") or not hasattr(statistic, "value_frequency"):
        return None
    distances = statistic.distance_table()
    if distances is None or distances.distance.equality:
        return None
    table: Array = distances.table(statistic.value_frequency())
    return table
