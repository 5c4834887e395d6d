r"""Control charts: which batch, day or annotator agrees less than the rest, and when agreement fell.

**Points.**  A label is compared to the labels that its item had before it, and the share of those that it equals
belongs to the label's batch and day for good.  For an annotator it is the share of all *other* labels of the item.
An item's labels within one batch are averaged first, so that an item is one observation.

**Limits.**  With reference $p$, item-level variance $\sigma^2$ and $m$ items in the batch, a point lies below $p -
t$ with a chance of $\alpha / G$ at most if nothing is wrong ($G$ points in the chart), by Bernstein's inequality:

$$t = \frac{L}{3m} + \sqrt{\left(\frac{L}{3m}\right)^2 + \frac{2 \sigma^2 L}{m}}, \qquad L = \ln \frac{G}{\alpha}$$

So no point of a whole chart is below its limit by accident, except in $\alpha$ of all charts; that holds for
batches of any size, where the usual three standard deviations do not.

**A fall.**  The first two labels of each item agree or not.  Page's cumulative sum of the log-likelihood ratio of
"fell by *drop*" to "as at the start" is reset to zero when it falls below, and announces a fall when it reaches
$\ln(\textit{every})$: if nothing fell, that happens once in *every* items at most, on average (Lorden).  As at the
start means the lower end of the one-sided 95 % interval (Wilson) of the first 100 items that have two labels, so
that luck at the start raises no alarm.

Page, E. S. (1954). Continuous inspection schemes. Biometrika 41(1-2), 100-115.
Lorden, G. (1971). Procedures for
reacting to a change in distribution. Annals of Mathematical Statistics 42(6), 1897-1908.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from interagree.arrays import Booleans, Floats, Indices, Int32s, Int64s, Integers
from interagree.errors import KindError, listing
from interagree.monitor import days
from interagree.monitor.sequence import FirstTwo
from interagree.stats.engine.shares import wilson
from interagree.tables import Table

By = Literal["batch", "day", "annotator"]

SETTLE = 100  # items with two labels that say how things were at the start


@dataclass(frozen=True)
class Log:
    """The labels that stand, in the order they came, as codes."""

    item: Int32s
    annotator: Int32s
    value: Int32s
    batch: Int32s
    day: Int32s
    first_value: Int32s  # as it was first given
    annotators: Sequence[Hashable]
    batches: Sequence[Hashable]

    @cached_property
    def order(self) -> tuple[Int64s, Int64s]:
        """For each label how many labels of its item came before it, and how many there are in all."""
        return _ranks(self.item)

    @cached_property
    def alike(self) -> tuple[Int64s, Int64s]:
        """The same among the labels of its item that have its value."""
        return _ranks(self.item.astype(np.int64) << 32 | self.value)


@dataclass(frozen=True, slots=True)
class Alert:
    """One thing that somebody should look at."""

    kind: str  # "at_least", "fall", "batch", "day" or "annotator"
    sentence: str
    where: Hashable = None  # the batch, day or annotator
    value: float = math.nan  # the agreement there
    limit: float = math.nan  # what it should have been at least

    def __str__(self) -> str:
        return self.sentence


def control_chart(log: Log, by: By, *, reference: float | None = None, chance: float = 0.01) -> Table:
    """The agreement of each group beside its limits."""
    if by not in get_args(By):
        raise KindError(f"a chart is by one of {listing(get_args(By))}, not {by!r}")
    if not 0 < chance < 1:
        raise KindError(f"chance lies between 0 and 1, such as 0.01; got {chance!r}")
    if reference is not None and not 0 <= reference <= 1:
        raise KindError(f"the reference is an agreement between 0 and 1; got {reference!r}")
    names = (by, "labels", "items", "agreement", "low", "high", "out")
    group, agree, counts = _compared(log, by)
    if not counts.any():
        return Table.of([], names=names)
    # An item is one observation of a group.
    cell = group[counts].astype(np.int64) << 32 | log.item[counts]
    cells, place, labels = np.unique(cell, return_inverse=True, return_counts=True)
    mean = np.bincount(place, weights=agree[counts]) / labels
    groups, place = np.unique(cells >> 32, return_inverse=True)
    m = np.bincount(place)
    point = np.bincount(place, weights=mean) / m
    middle = float(mean.mean()) if reference is None else reference
    inside = float(((mean - point[place]) ** 2).sum())
    spare = len(mean) - len(groups)
    variance = inside / spare if spare and inside else middle * (1 - middle)
    log_chance = math.log(len(groups) / chance)
    slack = log_chance / (3 * m)
    reach = slack + np.sqrt(slack**2 + 2 * variance * log_chance / m)
    per_group = np.bincount(place, weights=labels).astype(int)
    rows = []
    for number in np.argsort(point, kind="stable").tolist() if by == "annotator" else range(len(groups)):
        called = _called(log, by, int(groups[number]))
        low, high = max(0.0, middle - float(reach[number])), min(1.0, middle + float(reach[number]))
        value = float(point[number])
        out = "below" if value < low else "above" if value > high else ""
        row = (called, int(per_group[number]), int(m[number]), value, low, high, out)
        rows.append(dict(zip(names, row, strict=True)))
    foot = f"middle {middle:.3f}; some point is below its limit by accident in {chance:.0%} of such charts at most"
    return Table.of(rows, names=names, foot="; ".join(filter(None, (foot, _left_out(log, by, counts)))))


def _left_out(log: Log, by: By, counts: Booleans) -> str:
    """How many labels a chart leaves out, and why; empty where it has all of them."""
    before, size = log.order
    alone = int((size == 1).sum() if by == "annotator" else (before == 0).sum())
    unknown = int((~counts).sum()) - alone
    why = []
    if alone:
        why.append(f"{alone:,} with no {'other' if by == 'annotator' else 'earlier'} label of the item to compare to")
    if unknown:
        why.append(f"{unknown:,} without a {by}")
    return f"{alone + unknown:,} of {len(counts):,} labels left out: {', '.join(why)}" if why else ""


def _called(log: Log, by: By, code: int) -> Hashable:
    if by == "day":
        return days.name(code)
    return (log.batches if by == "batch" else log.annotators)[code]


def _compared(log: Log, by: By) -> tuple[Int32s, Floats, Booleans]:
    """For each label its group, how much it agrees with others of its item, and whether it counts."""
    (before, size), (same, alike) = log.order, log.alike
    if by == "annotator":
        return log.annotator, (alike - 1) / np.maximum(size - 1, 1), size > 1
    group = log.batch if by == "batch" else log.day
    known = group >= 0 if by == "batch" else group > 0
    return group, same / np.maximum(before, 1), (before > 0) & known


def _ranks(codes: Integers) -> tuple[Int64s, Int64s]:
    """For each entry how many equal ones stand before it, and how many there are in all."""
    order = np.argsort(codes, kind="stable")
    grouped = codes[order]
    first = np.flatnonzero(np.r_[True, grouped[1:] != grouped[:-1]]) if len(codes) else np.zeros(0, dtype=int)
    sizes = np.diff(np.r_[first, len(codes)])
    rank, size = np.empty(len(codes), dtype=np.int64), np.empty(len(codes), dtype=np.int64)
    rank[order] = np.arange(len(codes)) - np.repeat(first, sizes)
    size[order] = np.repeat(sizes, sizes)
    return rank, size


def first_pairs(log: Log) -> tuple[Booleans, Indices]:
    """In the order in which items got their second label: whether the first two agree, and the place of the second."""
    rank, _ = log.order
    one, two = np.flatnonzero(rank == 0), np.flatnonzero(rank == 1)
    first = np.zeros(int(log.item.max(initial=0)) + 1, dtype=np.int64)
    first[log.item[one]] = log.first_value[one]
    return log.first_value[two] == first[log.item[two]], two


def out_of_bounds(
    log: Log, first: FirstTwo, *, at_least: float | None, drop: float, every: int, chance: float
) -> list[Alert]:
    """Everything that is out of bounds."""
    alerts = []
    if at_least is not None and first.items and first.high < at_least:
        sentence = (
            f"agreement is below {at_least:g}: first two labels agree in {first.value:.3f} of {first.items:,} items, "
            f"and {first.high:.3f} is the upper end of the {first.level:.0%} interval that holds at all times"
        )
        alerts.append(Alert("at_least", sentence, None, first.value, at_least))
    fell = fall(log, drop=drop, every=every)
    if fell is not None:
        alerts.append(fell)
    for by in get_args(By):
        for row in control_chart(log, by, chance=chance):
            if row["out"] == "below":
                sentence = (
                    f"{by} {row[by]}: agreement {row['agreement']:.3f} on {row['items']:,} items, below the "
                    f"{row['low']:.3f} that luck explains"
                )
                alerts.append(Alert(by, sentence, row[by], row["agreement"], row["low"]))
    return alerts


def fall(log: Log, *, drop: float = 0.1, every: int = 1000, settle: int = SETTLE) -> Alert | None:
    """The latest fall of the agreement of first two labels, if there was one."""
    if not 0 < drop < 1:
        raise KindError(f"drop is a difference of agreements between 0 and 1, such as 0.1; got {drop!r}")
    if every < 2:
        raise KindError(f"every is a number of items, such as 1000; got {every!r}")
    agree, second = first_pairs(log)
    if len(agree) <= settle:
        return None
    start = float(wilson(agree[:settle].mean(), settle, 0.9)[0])
    crossings = falls(agree[settle:], start, drop=drop, every=every)
    if not crossings:
        return None
    since, now = crossings[-1]
    row = int(second[settle + now])
    where = [f", day {days.name(int(log.day[row]))}"] if log.day[row] else []
    where += [f", batch {log.batches[log.batch[row]]}"] if log.batch[row] >= 0 else []
    lately = float(agree[settle + since : settle + now + 1].mean())
    times = "" if len(crossings) == 1 else f" (announced {len(crossings)} times so far)"
    sentence = (
        f"agreement fell: first two labels agreed in {float(agree[:settle].mean()):.3f} of the first {settle} items "
        f"and in {lately:.3f} of items {settle + since + 1:,} to {settle + now + 1:,}{''.join(where)}{times}"
    )
    return Alert("fall", sentence, settle + now + 1, lately, start)


def falls(agree: Booleans, start: float, *, drop: float, every: int) -> list[tuple[int, int]]:
    """Where the cumulative sum was last zero and where it reached its bound, each time that it did."""
    start = min(max(start, 1e-3), 1 - 1e-3)
    lower = start - drop if start > drop else start / 2
    up, down = math.log((1 - lower) / (1 - start)), math.log(lower / start)
    bound = math.log(every)
    crossings, total, since = [], 0.0, 0
    for number, same in enumerate(agree.tolist()):
        if total <= 0:
            total, since = 0.0, number
        total += down if same else up
        if total >= bound:
            crossings.append((since, number))
            total = 0.0
    return crossings
