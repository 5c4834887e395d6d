"""The best one-to-one pairing of two sorts of things, where most of them can be paired with few others.

Edges join a thing of one sort with one of the other, and bear a weight above 0; the pairing with the largest sum of
weights is wanted, and need not pair everything.  Nearly all components of such graphs are single edges or stars, which
are settled at once; the others are solved one by one (Kuhn 1955, by shortest augmenting paths).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from interagree.kernels.compiled import compiled

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


def heaviest(u: Places, v: Places, weight: Floats) -> NDArray[np.bool_]:
    """Which edges belong to a pairing of the largest weight; of pairings as heavy the first in the order of things.

    Args:
        u: For each edge a thing of the first sort.
        v: … and one of the second.
        weight: What they are worth, above 0; no edge comes twice.
    """
    chosen = np.zeros(len(u), dtype=bool)
    if not len(u):
        return chosen
    alone = (np.bincount(u)[u] == 1) & (np.bincount(v)[v] == 1)
    chosen[alone] = True
    rest = np.flatnonzero(~alone)
    if len(rest):
        chosen[rest] = _tangled(*_numbered(u[rest], v[rest]), weight[rest])
    return chosen


def _numbered(u: Places, v: Places) -> tuple[Places, Places]:
    return tuple(np.unique(side, return_inverse=True)[1].reshape(-1).astype(np.intp) for side in (u, v))  # type: ignore[return-value]  # two


def _tangled(u: Places, v: Places, weight: Floats) -> NDArray[np.bool_]:
    """The same for things of which each component has three at least; they are numbered without gaps."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    left = int(u.max()) + 1
    size = left + int(v.max()) + 1
    graph = coo_array((np.ones(len(u)), (u, v + left)), shape=(size, size))
    count, of_node = connected_components(graph, directed=False)
    component = of_node[u].astype(np.intp)
    rows, columns = (np.bincount(part, minlength=count) for part in (of_node[:left], of_node[left:]))
    chosen = np.zeros(len(u), dtype=bool)
    star = (rows[component] == 1) | (columns[component] == 1)
    edges = np.flatnonzero(star)
    edges = edges[np.lexsort((v[edges], u[edges], -weight[edges], component[edges]))]
    first = np.diff(component[edges], prepend=-1) != 0
    chosen[edges[first]] = True
    edges = np.flatnonzero(~star)
    if len(edges):
        edges = edges[np.lexsort((v[edges], u[edges], component[edges]))]
        starts = np.flatnonzero(np.diff(component[edges], prepend=-1) != 0)
        which = component[edges[starts]]
        bounds = np.append(starts, len(edges)).astype(np.intp)
        most = int(max(rows[which].max(), columns[which].max()))
        steps = float((rows[which] * columns[which] * np.minimum(rows[which], columns[which])).sum())
        found = np.zeros(len(edges), dtype=np.bool_)
        paired.for_steps(4 * steps)(
            bounds, u[edges], v[edges], weight[edges], np.minimum(rows, columns)[which], most, found
        )
        chosen[edges] = found
    return chosen


@compiled
def paired(  # noqa: C901, PLR0912, PLR0915, PLR0917  # one loop over arrays, for a compiled function calls no other
    bounds: Any, u: Any, v: Any, weight: Any, shorter: Any, most: int, found: Any
) -> None:
    """The heaviest pairing of each component; the edges of component k are ``bounds[k]`` to ``bounds[k + 1]``."""
    row_of = np.zeros(most, dtype=np.int64)
    column_of = np.zeros(most, dtype=np.int64)
    table = np.zeros((most + 1, most + 1))
    height = np.zeros(most + 1)
    price = np.zeros(most + 1)
    least = np.zeros(most + 1)
    owner = np.zeros(most + 1, dtype=np.int64)
    before = np.zeros(most + 1, dtype=np.int64)
    seen = np.zeros(most + 1, dtype=np.bool_)
    for k in range(len(bounds) - 1):
        begin, end = bounds[k], bounds[k + 1]
        r = c = 0
        for e in range(begin, end):
            new = True
            for a in range(r):
                if row_of[a] == u[e]:
                    new = False
            if new:
                row_of[r] = u[e]
                r += 1
            new = True
            for b in range(c):
                if column_of[b] == v[e]:
                    new = False
            if new:
                column_of[c] = v[e]
                c += 1
        turned = r > shorter[k]
        for a in range(max(r, c) + 1):
            for b in range(max(r, c) + 1):
                table[a, b] = 0.0
        for e in range(begin, end):
            a = b = 0
            while row_of[a] != u[e]:
                a += 1
            while column_of[b] != v[e]:
                b += 1
            if turned:
                table[b + 1, a + 1] = -weight[e]
            else:
                table[a + 1, b + 1] = -weight[e]
        if turned:
            r, c = c, r
        for b in range(max(r, c) + 1):
            height[b] = 0.0
            price[b] = 0.0
            owner[b] = 0
        for a in range(1, r + 1):
            owner[0] = a
            at = 0
            for b in range(c + 1):
                least[b] = np.inf
                seen[b] = False
            while True:
                seen[at] = True
                step = np.inf
                follow = 0
                for b in range(1, c + 1):
                    if not seen[b]:
                        d = table[owner[at], b] - height[owner[at]] - price[b]
                        if d < least[b]:
                            least[b] = d
                            before[b] = at
                        if least[b] < step:
                            step = least[b]
                            follow = b
                for b in range(c + 1):
                    if seen[b]:
                        height[owner[b]] += step
                        price[b] -= step
                    else:
                        least[b] -= step
                at = follow
                if owner[at] == 0:
                    break
            while at != 0:
                owner[at] = owner[before[at]]
                at = before[at]
        for e in range(begin, end):
            a = b = 0
            while row_of[a] != u[e]:
                a += 1
            while column_of[b] != v[e]:
                b += 1
            found[e] = owner[a + 1] == b + 1 if turned else owner[b + 1] == a + 1
