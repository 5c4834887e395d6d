"""Sections on items: how far apart annotations are, and on which items most."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from interagree.arrays import Indices
from interagree.choose import beside_number
from interagree.data import Annotations
from interagree.data.provenance import counted
from interagree.data.types import Item
from interagree.people.texts import shortened, text_column
from interagree.reports.parts import Part
from interagree.results.chance import BY_CHANCE, chance_of, relative
from interagree.results.charts import Histogram
from interagree.results.document import Section
from interagree.stats.engine.estimate import statistic_behind
from interagree.stats.pairs.item_pairs import Pairs
from interagree.tables import Table

DISPUTED = 10  # items at the end of a report
ROWS = 10  # of the table of distances
LONGEST = 60  # letters of a text


def distances(part: Part) -> Section | None:
    """How far apart annotations of one item are, beside those of different items."""
    lead = part.lead
    pairs = None if lead is None else statistic_behind(lead, Pairs)
    if lead is None or pairs is None or not pairs.comparable:
        return None
    chance = chance_of(lead)
    far, within, between = pairs.spectrum()
    far = far if chance is None else far / chance
    ends = np.linspace(float(far.min()), float(far.max()), ROWS + 1)
    place = np.clip(np.searchsorted(ends, far, side="right") - 1, 0, ROWS - 1)
    inside, across = (
        np.bincount(place, weights=counts / counts.sum(), minlength=ROWS).tolist() for counts in (within, between)
    )
    distance = "distance" if chance is None else f"distance{BY_CHANCE}"
    columns: dict[str, Sequence[object]] = {
        distance: [f"{low:.3g} to {high:.3g}" for low, high in pairwise(ends.tolist())],
        "of one item": inside,
        "of different items": across,
    }
    name = f"{pairs.distances.distance} distance"
    unit = "0 is the same, 1 as far apart as " + ("can be" if chance is None else "chance")
    lines = [f"Shares of pairs of annotations by their {name}: {unit}."]
    mean = [float(far @ counts / counts.sum()) for counts in (within, between)]
    words = f"The {name} of two annotations is {mean[0]:.2f} on average of one item, {mean[1]:.2f} of different items."
    series = {"of one item": inside, "of different items": across}
    return Section("Distances", lines=lines, table=Table(columns), chart=Histogram(ends.tolist(), series, name, words))


def disputed(part: Part, *, texts: bool) -> Section | None:
    """The items on which annotators differ most."""
    lead = part.lead
    if lead is None or lead.undefined:
        return None
    items = lead.by_item()
    disagreement = np.array(items["disagreement"], dtype=np.float64)
    split = np.flatnonzero(disagreement > 0)
    if not len(split):
        return Section("Most disputed items", lines=["There are none: no item has two different values."])
    size = np.array(items["annotations"], dtype=np.float64)
    ranked = split[np.lexsort((-size[split], -disagreement[split]))][:DISPUTED].tolist()
    top = {name: [items[name][place] for place in ranked] for name in ("item", "disagreement")}
    far = relative(Table({"disagreement": top["disagreement"]}), chance_of(lead))
    columns: dict[str, Sequence[object]] = {"item": top["item"], **far.columns}
    if not part.study.kind.complex:
        columns["values"] = tallies(part.study, top["item"])
    shown = _texts(part.study, top["item"]) if texts else None
    if shown is not None:
        columns["text"] = shown
    compared = int(np.count_nonzero(~np.isnan(disagreement)))
    lines = [f"Annotators differ on {len(split):,} of {counted(compared, 'item')}."]
    return Section("Most disputed items", lines=lines, table=Table(columns, foot=far.foot))


def tallies(study: Annotations, items: Sequence[Item]) -> list[str]:
    """For some items how often each value was given, in words."""
    tallied = []
    for rows in _rows_of(study, items):
        given = np.bincount(study.value[rows], minlength=len(study.values))
        order = [k for k in np.argsort(-given, kind="stable").tolist() if given[k]]
        words = [f"{given[k]} × {beside_number(study, k)}" for k in order[:6]]
        tallied.append(", ".join([*words, *(["…"] if len(order) > 6 else [])]))
    return tallied


def _texts(study: Annotations, items: Sequence[Item]) -> list[str] | None:
    name = text_column(study)
    if name is None:
        return None
    column = study.attributes[name]
    return [shortened(str(column[int(rows[0])]), LONGEST) for rows in _rows_of(study, items)]


def _rows_of(study: Annotations, items: Sequence[Item]) -> list[Indices]:
    wanted = set(items)
    codes = {item: code for code, item in enumerate(study.items) if item in wanted}
    return [np.flatnonzero(study.item == codes[item]) for item in items]
