"""An alignment by merging, for documents whose best alignment was not found in time.

Every unit starts alone.  The two clusters that are cheapest to put together are merged, as long as that saves something
and no annotator has a unit in both: where $w$ between two clusters sums to less than the number of pairs of annotators
(see `alignment`).  It is quick and good, and nothing proves it to be the best.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats, Indices, Int32s

UNITS = 3_000  # of a document that are merged


def merged(who: Indices, between: Floats, annotators: int, price: float) -> tuple[Int32s, Floats]:
    """Clusters of two units or more, and the sums of w over their pairs.

    Args:
        who: The annotator of each unit.
        between: The w of every two units; it is overwritten.
        annotators: How many there are.
        price: What two clusters save by being one, before their pairs are looked at.
    """
    units = len(who)
    cluster = [[unit] for unit in range(units)]
    total = np.zeros(units)
    has = np.zeros((units, annotators), dtype=bool)
    has[np.arange(units), who] = True
    between[who[:, None] == who[None, :]] = np.inf
    nearest, cheapest = between.argmin(axis=1), between.min(axis=1)
    while True:
        a = int(cheapest.argmin())
        if not cheapest[a] < price:
            break
        b = int(nearest[a])
        total[a] += total[b] + between[a, b]
        cluster[a] += cluster[b]
        cluster[b] = []
        has[a] |= has[b]
        row = between[a] + between[b]
        row[(has & has[a]).any(axis=1)] = np.inf
        between[b], between[:, b] = np.inf, np.inf
        row[b] = np.inf
        between[a], between[:, a] = row, row
        stale = np.flatnonzero((nearest == a) | (nearest == b) | (row < cheapest))
        stale = np.union1d(stale, [a, b])
        nearest[stale], cheapest[stale] = between[stale].argmin(axis=1), between[stale].min(axis=1)
    kept = [place for place, members in enumerate(cluster) if len(members) > 1]
    rows = np.full((len(kept), annotators), -1, dtype=np.int32)
    for row_of, place in enumerate(kept):
        rows[row_of, : len(cluster[place])] = sorted(cluster[place])
    return rows, total[kept]
