"""What was read: how much there is, from where, what was set aside, and who shares items with whom."""

from __future__ import annotations

import math

import numpy as np

from interagree.arrays import Floats, Int64s, Integers
from interagree.choose import beside_number, used
from interagree.data import Annotations
from interagree.data.provenance import counted
from interagree.errors import listing
from interagree.reports.parts import Part
from interagree.results.charts import Heat
from interagree.results.document import Section, policy_sentence
from interagree.tables import Table, cell

FEW = 20  # values up to which they are named
SOURCES = 5  # files that are named
BLOCK = 10_000  # items that are looked at at once
MOST = 40  # annotators up to which everybody's overlap with everybody is told


def what_was_read(part: Part) -> Section:
    """How much there is, how it overlaps, where it is from, and what was dropped, merged or assumed."""
    study = part.study
    title = "What was read"
    if not len(study):
        return Section(title, lines=["There are no annotations.", policy_sentence(part.policy)])
    sources = study.provenance.sources
    origin = [f"Read from {listing(sources, quote=False, most=SOURCES)}."] if sources else []
    lines = [_how_many(study), _per_item(study.sizes()), *_values(study), *origin, policy_sentence(part.policy)]
    return Section(title, lines=lines)


def overlap(part: Part) -> Section | None:
    """How many items each two annotators share; None where all share all."""
    shared = shared_items(part.study)
    if shared is None:
        return None
    names = [cell(name) for name in part.study.annotators]
    apart = shared[~np.eye(len(names), dtype=bool)]
    alone = int((apart == 0).sum()) // 2
    pairs = counted(len(apart) // 2, "pair")
    lines = [
        f"Two annotators share {int(np.median(apart)):,} items in the median, {int(apart.min()):,} to "
        f"{int(apart.max()):,}." + (f" {alone:,} of {pairs} share none." if alone else "")
    ]
    words = "How many items each two annotators share, and on the diagonal how many each has."
    chart = Heat(names, names, shared, "items", words, digits=0)
    return Section("Overlap", lines=lines, chart=chart, detail=True)


def shared_items(study: Annotations) -> Floats | None:
    """How many items each two annotators share; None where that says nothing, or there are too many of them."""
    if study.anonymous or not 2 < len(study.annotators) <= MOST or not study.items:
        return None
    shared: Floats = study.cached("shared items", lambda: _shared(study))
    return None if shared.min() == len(study.items) else shared


def _shared(study: Annotations) -> Floats:
    people, items = len(study.annotators), len(study.items)
    shared = np.zeros((people, people))
    order = np.argsort(study.item, kind="stable")
    item, who = study.item[order], study.annotator[order]
    for start in range(0, items, BLOCK):
        some = slice(*np.searchsorted(item, (start, start + BLOCK)))
        there = np.zeros((people, BLOCK), dtype=np.float32)
        there[who[some], item[some] - start] = 1
        shared += there @ there.T
    return shared


def overlap_table(study: Annotations) -> Table | None:
    """The same as rows of two annotators and the items they share."""
    shared = shared_items(study)
    if shared is None:
        return None
    first, second = np.triu_indices(len(shared), 1)
    return Table(
        {
            "first": [study.annotators[code] for code in first.tolist()],
            "second": [study.annotators[code] for code in second.tolist()],
            "items": [int(number) for number in shared[first, second].tolist()],
        }
    )


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


def _values(study: Annotations) -> list[str]:
    """What the values are, in a sentence."""
    kind, given = study.kind, used(study)
    if kind == "numbers" and len(given) > FEW:
        return [_range(study, given)]
    if kind.complex:
        return [f"Values: {kind.title}, each {kind.form}."]
    order = np.argsort(-given, kind="stable")
    top = [f"{beside_number(study, code)} {given[code] / len(study):.0%}" for code in order[:5].tolist()]
    return [f"Values: {', '.join(top)}{', …' if len(given) > 5 else ''}."]


def _range(study: Annotations, given: Int64s) -> str:
    scale = np.array([float(value) for value in study.values])
    mean = float(given @ scale) / len(study)
    deviation = math.sqrt(max(float(given @ (scale - mean) ** 2) / len(study), 0.0))
    ends = f"Numbers from {scale.min():g} to {scale.max():g}"
    return f"{ends}, mean {mean:.4g}, standard deviation {deviation:.4g}."
