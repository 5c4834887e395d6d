"""Loops over two series of numbers."""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.kernels.compiled import compiled


@compiled
def warped(start: Indices, number: Floats, i: Indices, j: Indices, window: int) -> Floats:
    """The cost of the cheapest alignment of each pair of series, which may stretch both but not turn back.

    Entries further apart than ``window`` places are not aligned; a window below 0 is none.  The window is widened
    to the difference of the lengths, without which the ends would not meet.
    """
    most = 0
    for v in range(len(start) - 1):
        most = max(most, start[v + 1] - start[v])
    distance = np.empty(len(i))
    row = np.empty(most + 1)
    for pair in range(len(i)):
        a, b = start[i[pair]], start[j[pair]]
        rows, columns = start[i[pair] + 1] - a, start[j[pair] + 1] - b
        reach = max(rows, columns) if window < 0 else max(window, abs(rows - columns))
        for y in range(columns + 1):
            row[y] = np.inf
        row[0] = 0.0
        for x in range(1, rows + 1):
            first, last = max(1, x - reach), min(columns, x + reach)
            diagonal = row[first - 1]
            row[first - 1] = np.inf
            for y in range(first, last + 1):
                above = row[y]
                step = abs(number[a + x - 1] - number[b + y - 1])
                row[y] = step + min(diagonal, above, row[y - 1])
                diagonal = above
        distance[pair] = row[columns]
    return distance
