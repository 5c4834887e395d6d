"""The sections of a report: what a study holds, why coefficients differ, and where to look."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import numpy as np

from interagree.arrays import Indices, Int64s, Integers
from interagree.data import Annotations
from interagree.data.provenance import counted
from interagree.data.types import Item
from interagree.errors import KindError
from interagree.reports.choose import used
from interagree.reports.confusion import chance
from interagree.reports.parts import Part, against_chance
from interagree.results.document import Section
from interagree.stats.pairs.item_pairs import Pairs
from interagree.tables import Table, cell

SHOWN = 20  # rows of a table by value or by annotator
DISPUTED = 10  # items at the end of a report
# Attributes that say what an item is.
TEXTS = ("text", "sentence", "content", "comment", "tweet", "question", "passage")
ROWS = 10  # of the table of distances
LONGEST = 60  # letters of such a text


def overview(part: Part) -> Section:
    """How much there is, how it overlaps, and which values were given how often."""
    study = part.study
    if not len(study):
        return Section("The study", lines=["There are no annotations."])
    sizes = study.sizes()
    lines = [_how_many(study), _per_item(sizes)]
    given = used(study)
    shares = given / len(study)
    order = np.arange(len(given)) if len(given) <= SHOWN else np.argsort(-given, kind="stable")[:SHOWN]
    if part.study.kind == "numbers" and len(given) > SHOWN:
        return Section("The study", lines=[*lines, _range(study, given)])
    if part.study.kind.complex:
        kind = part.study.kind
        return Section("The study", lines=[*lines, f"Values: {kind.title}, each {kind.form}."])
    more = f"the {SHOWN} most common of {len(given)} values" if len(given) > SHOWN else ""
    table = Table(
        {
            "value": [study.values[k] for k in order.tolist()],
            "annotations": [int(given[k]) for k in order.tolist()],
            "share": [float(shares[k]) for k in order.tolist()],
        },
        foot=more,
    )
    return Section("The study", lines=lines, table=table)


def _how_many(study: Annotations) -> str:
    possible = len(study.items) * len(study.annotators)
    sizes = [counted(len(study.items), "item"), counted(len(study), "annotation"), counted(len(study.values), "value")]
    if study.anonymous:
        return ", ".join(sizes) + "; who gave which value is not known."
    sizes.insert(1, counted(len(study.annotators), "annotator"))
    full = study.occasion is None and len(study) == possible
    return ", ".join(sizes) + (
        "; nothing is missing." if full else f"; {len(study) / possible:.0%} of all pairs of item and annotator."
    )


def _per_item(sizes: Integers) -> str:
    given = sizes[sizes > 0]
    low, middle, high = int(given.min()), float(np.median(given)), int(given.max())
    each = f"{low}" if low == high else f"{low} to {high} (median {middle:g})"
    alone = int((given == 1).sum())
    return f"Annotations per item: {each}." + (
        f" {counted(alone, 'item')} with one annotation cannot be compared." if alone and high > 1 else ""
    )


def _range(study: Annotations, given: Int64s) -> str:
    scale = np.array([float(value) for value in study.values])
    mean = float(given @ scale) / len(study)
    deviation = math.sqrt(max(float(given @ (scale - mean) ** 2) / len(study), 0.0))
    ends = f"Numbers from {scale.min():g} to {scale.max():g}"
    return f"{ends}, mean {mean:.4g}, standard deviation {deviation:.4g}."


def why(part: Part) -> Section | None:
    """Why coefficients differ: what each takes chance to be."""
    if part.study.kind not in ("labels", "ordered") or not len(part.study):
        return None
    table = chance(part.study)
    lines = ["All values taken as plain labels: the same annotations, corrected for different ideas of chance."]
    foot = [_sentence(table.foot)]
    return Section("Why coefficients differ", lines=lines, table=replace(table, foot=""), foot=foot)


def distances(part: Part) -> Section | None:
    """How far apart annotations of one item are, beside those of different items."""
    lead = part.lead
    pairs = getattr(getattr(lead, "engine", None), "statistic", None)
    if lead is None or lead.undefined or not isinstance(pairs, Pairs) or not pairs.comparable:
        return None
    far, within, between = pairs.spectrum()
    ends = np.linspace(float(far.min()), float(far.max()), ROWS + 1)
    place = np.clip(np.searchsorted(ends, far, side="right") - 1, 0, ROWS - 1)
    inside, across = (
        np.bincount(place, weights=counts / counts.sum(), minlength=ROWS).tolist() for counts in (within, between)
    )
    top = max(*inside, *across)
    columns: dict[str, Sequence[object]] = {
        "distance": [f"{low:.3g} to {high:.3g}" for low, high in pairwise(ends.tolist())],
        "of one item": inside,
        "": ["█" * round(12 * share / top) for share in inside],
        "of different items": across,
        " ": ["█" * round(12 * share / top) for share in across],
    }
    lines = [f"Shares of pairs of annotations by their {pairs.distances.distance} distance."]
    return Section("Distances", lines=lines, table=Table(columns))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")


def by_value(part: Part) -> Section | None:
    """Agreement on each value."""
    lead = part.lead
    if lead is None or lead.undefined or part.study.kind == "numbers" or part.study.kind.complex:
        return None
    if lead.measure.values not in ("any", "sets") or len(part.study.labels()) > 200:
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
    return Section(part.of_lead("By value"), lines=[meaning], table=table)


def by_annotator(part: Part) -> Section | None:
    """Agreement of each annotator with the rest; who lowers the coefficient most comes first."""
    lead = part.lead
    if lead is None or lead.undefined or part.study.anonymous:
        return None
    everyone = lead.by_annotator().sort("change", descending=True)
    table = against_chance(everyone.head(SHOWN), lead)
    cut = f"the first {SHOWN} of {len(everyone)}" if len(everyone) > SHOWN else ""
    first = next(iter(table.rows()), {})
    foot = []
    if len(everyone) > 2 and math.isfinite(first["change"]) and first["change"] > 0:
        notes = ["lowers it most", *[""] * (len(table) - 1)]
        table = replace(table, columns={**table.columns, "note": notes})
        left_out = f"{lead.measure.symbol} would be {first['left out']:.3f} instead of {lead.value:.3f}"
        foot = [f"Without {first['annotator']}, {left_out}."]
    return Section(part.of_lead("By annotator"), table=replace(table, title="", foot=cut), foot=foot, flag="note")


def disputed(part: Part, *, texts: bool) -> Section | None:
    """The items on which annotators differ most."""
    lead = part.lead
    if lead is None or lead.undefined:
        return None
    items = lead.by_item()
    ranked = items.sort("annotations", descending=True).sort("disagreement", descending=True)
    top = ranked.where(lambda row: row["disagreement"] > 0).head(DISPUTED)
    if not len(top):
        return Section("Most disputed items", lines=["There are none: no item has two different values."])
    far = against_chance(Table({"disagreement": top["disagreement"]}), lead).columns
    columns: dict[str, Sequence[object]] = {"item": top["item"], **far}
    if not part.study.kind.complex:
        columns["values"] = tallies(part.study, top["item"])
    shown = _texts(part.study, top["item"]) if texts else None
    if shown is not None:
        columns["text"] = shown
    split = sum(entry > 0 for entry in items["disagreement"])
    compared = sum(not math.isnan(entry) for entry in items["disagreement"])
    lines = [f"Annotators differ on {split:,} of {counted(compared, 'item')}."]
    return Section("Most disputed items", lines=lines, table=Table(columns))


def tallies(study: Annotations, items: Sequence[Item]) -> list[str]:
    """For some items how often each value was given, in words."""
    tallied = []
    for rows in _rows_of(study, items):
        given = np.bincount(study.value[rows], minlength=len(study.values))
        order = [k for k in np.argsort(-given, kind="stable").tolist() if given[k]]
        words = [f"{given[k]} × {cell(study.values[k])}" for k in order[:6]]
        tallied.append(", ".join([*words, *(["…"] if len(order) > 6 else [])]))
    return tallied


def _texts(study: Annotations, items: Sequence[Item]) -> list[str] | None:
    name = next((name for name in TEXTS if name in study.attributes), None)
    if name is None:
        return None
    column = study.attributes[name]
    texts = (" ".join(str(column[int(rows[0])]).split()) for rows in _rows_of(study, items))
    return [text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…" for text in texts]


def _rows_of(study: Annotations, items: Sequence[Item]) -> list[Indices]:
    wanted = set(items)
    codes = {item: code for code, item in enumerate(study.items) if item in wanted}
    return [np.flatnonzero(study.item == codes[item]) for item in items]


def details(part: Part) -> dict[str, object]:
    """The tables of a part as plain data, all rows of them."""
    lead = part.lead
    study = part.study
    data: dict[str, object] = {}
    if not part.study.kind.complex:
        counts = used(study).tolist()
        data["values"] = [
            {"value": value, "annotations": count} for value, count in zip(study.values, counts, strict=True)
        ]
    if lead is None or lead.undefined:
        return data
    data["by"] = part.title_of(lead)
    for name, make, wanted in (
        ("by_value", lead.by_value, part.study.kind != "numbers" and len(study.labels()) <= 200),
        ("by_annotator", lead.by_annotator, not study.anonymous),
        ("by_item", lead.by_item, True),
    ):
        if wanted:
            with suppress(KindError):  # a table that makes no sense of this measure
                data[name] = make()
    return data
