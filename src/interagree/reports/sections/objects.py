"""How many objects annotators draw, or labels they give: who finds more than the others on the same items."""

from __future__ import annotations

import numpy as np

from interagree.arrays import Int64s
from interagree.data import Annotations
from interagree.reports.parts import Part
from interagree.results.charts import Bars
from interagree.results.document import Section
from interagree.stats.engine.compress import totals
from interagree.tables import Table, cell

# Kinds whose values are several things, and what these are called.
SEVERAL = {
    "boxes": "boxes",
    "rotated": "boxes",
    "polygons": "polygons",
    "masks": "masks",
    "keypoints": "figures",
    "relations": "relations",
    "sets": "labels",
    "spans": "spans",
}
SHOWN = 20  # annotators that are listed


def objects(part: Part) -> Section | None:
    """How many objects each annotator has on an item, beside the others of the same items."""
    table = objects_table(part.study)
    if table is None:
        return None
    things = SEVERAL[part.study.kind.name]
    same = same_number(part.study)
    lines = [f"Two annotators have the same number of {things} on an item in {same:.0%} of all cases."]
    names = [*map(cell, table["annotator"])]
    first = table.rows()[0]
    words = f"{things.capitalize()} per item of each annotator; most has {names[0]}, {first['per item']:.2f}."
    chart = Bars(names, {"": table["per item"]}, f"{things} per item", words)
    cut = f"the first {SHOWN} of {len(table)}; " if len(table) > SHOWN else ""
    foot = f"{cut}others: the mean of the others on the same items"
    shown = Table(table.head(SHOWN).columns, foot=foot)
    title = f"{things.capitalize()} per item"
    return Section(title, lines=lines, table=shown, chart=chart if len(names) <= SHOWN else None, detail=True)


def objects_table(study: Annotations) -> Table | None:
    """For each annotator how many objects they have, on all items and beside the others; None where all have one."""
    if study.kind.name not in SEVERAL or study.anonymous or len(study.annotators) < 2:
        return None
    number = _numbers(study)
    if not len(number) or number.min() == number.max() == 1:
        return None
    people, items = len(study.annotators), len(study.items)
    size = study.sizes()[study.item]
    with np.errstate(all="ignore"):
        others = (totals(study.item, number, items)[study.item] - number) / (size - 1)
    compared = size > 1
    who = study.annotator
    given = np.bincount(who, minlength=people)
    beside = np.bincount(who[compared], minlength=people)
    with np.errstate(all="ignore"):
        each = totals(who, number, people) / given
        rest = totals(who[compared], others[compared], people) / beside
    order = np.lexsort((np.arange(people), -np.where(given > 0, each, -1.0)))
    order = order[given[order] > 0]
    return Table(
        {
            "annotator": [study.annotators[code] for code in order.tolist()],
            "annotations": given[order].tolist(),
            "per item": each[order].tolist(),
            "others": rest[order].tolist(),
        }
    )


def same_number(study: Annotations) -> float:
    """How often two annotations of one item have the same number of objects; nan where no item has two."""
    number = _numbers(study)
    _, alike = np.unique(study.item.astype(np.int64) * (int(number.max()) + 1) + number, return_counts=True)
    sizes = study.sizes().astype(np.float64)
    pairs = float((sizes * (sizes - 1)).sum())
    return float((alike * (alike - 1.0)).sum()) / pairs if pairs else float("nan")


def _numbers(study: Annotations) -> Int64s:
    """How many objects each annotation has."""
    counts = np.array([len(value) for value in study.values], dtype=np.int64)
    numbers: Int64s = counts[study.value]
    return numbers
