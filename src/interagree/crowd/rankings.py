r"""One ranking out of many, by points.

$$B_e = \sum_u w_u\, b_u(e), \qquad b_u(e) = m - r_u(e)$$

$m$ entries are listed by anybody for the item, and $r_u(e)$ is the place of entry $e$ in the list of annotator $u$; the
entries that they did not list share the places after the list, each standing at their mean.

Borda, J.-C. de (1781). Mémoire sur les élections au scrutin. Histoire de l'Académie royale des sciences, 657-665.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices, Integers
from interagree.crowd.medoids import ALIKE, Within, in_sorted_order
from interagree.data.provenance import counted
from interagree.data.types import Value
from interagree.errors import KindError
from interagree.plugins import KINDS
from interagree.stats.engine.compress import totals


class MergedRankings(NamedTuple):
    """A ranking for each item that has annotations."""

    item: Indices
    values: list[tuple[Value, ...]]
    support: Floats
    notes: tuple[str, ...]


def ranked(within: Within, *, weight: Floats | None, top: int | None) -> MergedRankings:
    """A ranking for each item; support is how many annotators listed an average entry of it."""
    if top is not None and top < 1:
        raise KindError(f"top is how many entries to keep, 1 or more; got {top!r}")
    values = within.study.values
    KINDS["rankings"].packed(values)  # which says what is wrong with them
    weigh = within.share if weight is None else within.share * weight[within.person]
    entries, code_of = _entries(values)
    length = np.array([len(value) for value in values], dtype=np.intp)[within.value]
    row = np.repeat(np.arange(len(within.study)), length)
    place = np.arange(len(row)) - np.repeat(np.cumsum(length) - length, length)
    entry = np.array([code for v in within.value.tolist() for code in code_of[v]], dtype=np.int64)
    cell, of = np.unique(within.item[row].astype(np.int64) * len(entries) + entry, return_inverse=True)
    of = of.reshape(-1)
    item, listed = np.divmod(cell, len(entries))
    item = item.astype(np.intp)
    m = np.bincount(item, minlength=len(within.study.items))
    # What annotators give an entry that they did not list, and what those who did list it give beyond that.
    shared = (m[within.item] - length - 1) / 2
    base = totals(within.item, weigh * shared, len(within.study.items))
    points = base[item] + totals(of, weigh[row] * (m[within.item[row]] - 1 - place - shared[row]), len(cell))
    backing = totals(of, within.share[row], len(cell))
    order, ties = _order(item, listed, points, backing, m, entries)
    items, begins = np.unique(item[order], return_index=True)
    ends = np.append(begins[1:], len(order))
    rankings, support = [], np.empty(len(items))
    for number, (low, high) in enumerate(zip(begins.tolist(), ends.tolist(), strict=True)):
        here = order[low : high if top is None else min(high, low + top)]
        rankings.append(tuple(entries[code] for code in listed[here].tolist()))
        support[number] = backing[here].mean()
    note = f"{counted(ties, 'item')} had entries with equal points" if ties else ""
    return MergedRankings(items.astype(np.intp), rankings, support, (note,))


def _entries(values: Sequence[Sequence[Value]]) -> tuple[list[Value], list[list[int]]]:
    """All entries, in an order of their own, and the places of those that each value lists."""
    seen = list(dict.fromkeys(entry for value in values for entry in value))
    rank = in_sorted_order(seen)
    entries = [seen[number] for number in np.argsort(rank, kind="stable").tolist()]
    place = {entry: number for number, entry in enumerate(entries)}
    return entries, [[place[entry] for entry in value] for value in values]


def _order(  # noqa: PLR0917 -- called in one place
    item: Indices, listed: Indices, points: Floats, backing: Floats, m: Integers, entries: Sequence[Value]
) -> tuple[Indices, int]:
    # Points are sums of halves; what is left of rounding after dividing by the number of entries is cut off.
    scaled = np.round(points / np.maximum(m[item], 1) / ALIKE) * ALIKE
    order = np.lexsort((listed, -np.round(backing, 9), -scaled, item))
    same = (np.diff(item[order]) == 0) & (np.diff(scaled[order]) == 0)
    return order, len(np.unique(item[order][1:][same])) if len(entries) else 0
