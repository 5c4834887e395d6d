"""What the labels that are there already give, and where the next ones tell most."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from interagree.arrays import Indices
from interagree.data.types import Item, Lazy
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.item_agreement import Moments
from interagree.stats.labels.width import Width
from interagree.studies.plan.parts import NEXT, Aim, Existing
from interagree.tables import Table

ItemsOfSize: TypeAlias = tuple[int, Indices]  # how many items, and the codes of those that are known

NAMED = 5  # items that are named where many should get a label


class SpendingStep(NamedTuple):
    """Labels for items that have ``start`` of them, so that they have ``end``."""

    start: int
    end: int
    items: int
    which: Indices  # codes of items that are there already
    before: float  # the information
    after: float


def _sizes(counts: Counts) -> dict[int, ItemsOfSize]:
    """For each number of labels, how many items have it, and which."""
    times = counts.weights.matrix()
    of_items = None
    if counts.pattern is not None:
        of_items = np.where(counts.pattern >= 0, counts.size[counts.pattern], -1)
    return {
        int(n): (
            round(float(times[counts.size == n].sum())),
            np.zeros(0, dtype=np.intp) if of_items is None else np.flatnonzero(of_items == n),
        )
        for n in np.unique(counts.size)
    }


def _information(sizes: Mapping[int, ItemsOfSize], moments: Moments) -> float:
    return sum(count / float(moments.variance(n)) for n, (count, _) in sizes.items() if n >= 2)


def spending(
    sizes: Mapping[int, ItemsOfSize],
    moments: Moments,
    most: int,
    *,
    labels: float = math.inf,
    information: float = math.inf,
) -> list[SpendingStep]:
    """Where labels tell most, one kind of item after the other, until they or the wanted information are reached.

    An item may get several labels at once: where a third one tells little without a fourth, both are weighed together.
    """
    return [*_spending(dict(sizes), moments, most, labels, information)]


def _spending(
    sizes: dict[int, ItemsOfSize], moments: Moments, most: int, labels: float, information: float
) -> Iterator[SpendingStep]:
    have = _information(sizes, moments)
    tells = [0.0, 0.0, *(1 / float(moments.variance(n)) for n in range(2, max(most, *sizes, 2) + 1))]
    nobody = np.zeros(0, dtype=np.intp)
    while have < information:
        ways = [
            ((tells[end] - tells[start]) / (end - start), -start, -end)
            for start in (0, *(n for n, (count, _) in sizes.items() if count))
            for end in range(max(start + 1, 2), most + 1)
            if end - start <= labels
        ]
        if not ways or max(ways)[0] <= 0:
            return
        rate, start, end = max(ways)
        start, end = -start, -end
        gain = rate * (end - start)
        available, which = sizes.get(start, (0, nobody)) if start else (math.inf, nobody)
        items = min(available, labels // (end - start))
        if math.isfinite(information):
            items = min(items, math.ceil((information - have) / gain))
        count = int(items)
        if start:
            sizes[start] = (int(available) - count, which[count:])
        others, names = sizes.get(end, (0, nobody))
        sizes[end] = (others + count, np.r_[names, which[:count]])
        labels -= count * (end - start)
        yield SpendingStep(start, end, count, which[:count], have, have + count * gain)
        have += count * gain


def existing_labels(counts: Counts, moments: Moments, most: int, aim: Aim, width: Width) -> Existing:
    sizes = _sizes(counts)
    pair = float(moments.variance(2))

    def half(information: float) -> float:
        return width.from_information(information, pair)

    more = None
    if aim.half_width is not None:
        rest = spending(sizes, moments, most, information=width.information(aim.half_width, pair))
        more = sum(step.items * (step.end - step.start) for step in rest)
    steps = spending(sizes, moments, most, labels=aim.spend)
    names: Sequence[Item] = [] if counts.source is None else counts.source.items
    if counts.scan is not None:
        sizes, names = _named_there(counts.scan, sizes, steps, aim.spend)
        steps = spending(sizes, moments, most, labels=aim.spend)
    return Existing(half(_information(sizes, moments)), more, _advice(steps, names, aim, half))


def _named_there(
    scan: Lazy, sizes: Mapping[int, ItemsOfSize], steps: Sequence[SpendingStep], spend: int
) -> tuple[dict[int, ItemsOfSize], list[Item]]:
    """The same sizes with the first items of those that get labels, and what these are called in the database."""
    named, names = dict(sizes), list[Item]()
    for size in sorted({step.start for step in steps} & sizes.keys()):
        found = scan.items_of_size(size, spend + NAMED + 1)
        named[size] = (sizes[size][0], np.arange(len(names), len(names) + len(found)))
        names += found
    return named, names


def _advice(steps: Sequence[SpendingStep], names: Sequence[Item], aim: Aim, half: Callable[[float], float]) -> Table:
    def which(step: SpendingStep) -> str:
        shown = [str(names[i]) for i in step.which[:NAMED].tolist()]
        return ", ".join([*shown, *(["…"] if len(step.which) > NAMED else [])])

    rows = [
        {
            "what": _what(step),
            "labels": step.items * (step.end - step.start),
            "items": step.items,
            "which": which(step),
            "before": half(step.before),
            "after": half(step.after),
        }
        for step in steps
    ]
    return Table.of(rows, title=f"The next {aim.spend:,} labels, and the half-width before and after", names=NEXT)


def _what(step: SpendingStep) -> str:
    if not step.start:
        return f"new items, {step.end} labels each"
    if step.start == 1 and step.end == 2:
        return "a second label where there is one"
    if step.end == step.start + 1:
        return f"one more label where there are {step.start}"
    many = "is 1" if step.start == 1 else f"are {step.start}"
    return f"{step.end - step.start} more labels where there {many}"
