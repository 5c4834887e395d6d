r"""The best one-to-one pairing of two sorts of things, where most of them can be paired with few others.

Edges join a thing of one sort with one of the other, and bear a weight above 0; the pairing with the largest sum of
weights is wanted, and need not pair everything.  Nearly all components of such graphs are single edges or stars, which
are settled at once.  Those that are trees, as two lists of which neither overlaps itself give, are settled from their
leaves inward, in time that grows with the number of edges.  The others are solved by shortest augmenting paths
(Kuhn 1955; Edmonds & Karp 1972), one for each thing of the first sort.  Only edges that there are are looked at, and a
search ends as soon as nothing better can come, so that it mostly stays near where it began; at worst each of the $n$
searches goes over all $m$ edges of its component, $O(n m \log n)$, as where everything can be paired with everything.
Memory grows with the number of edges.
"""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.kernels.compiled import compiled

SEARCHED = 20.0  # steps of searches for each edge, roughly; it cannot be known beforehand


def heaviest(u: Indices, v: Indices, weight: Floats) -> Booleans:
    """Which edges belong to a pairing of the largest weight; of pairings as heavy one that no order of edges changes.

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
        rest = rest[np.lexsort((v[rest], u[rest]))]
        chosen[rest] = _tangled(_numbered(u[rest]), _numbered(v[rest]), weight[rest])
    return chosen


def _numbered(side: Indices) -> Indices:
    """Things numbered without gaps."""
    return np.unique(side, return_inverse=True)[1].reshape(-1).astype(np.intp)


def _tangled(u: Indices, v: Indices, weight: Floats) -> Booleans:
    """The same for edges in order of things, which are numbered without gaps; each component has three at least."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    left = int(u.max()) + 1
    size = left + int(v.max()) + 1
    graph = coo_array((np.ones(len(u)), (u, v + left)), shape=(size, size))
    count, of_node = connected_components(graph, directed=False)
    component = of_node[u].astype(np.intp)
    rows, columns = (np.bincount(part, minlength=count) for part in (of_node[:left], of_node[left:]))
    tree = (np.bincount(component, minlength=count) == rows + columns - 1)[component]
    star = ((rows == 1) | (columns == 1))[component]
    chosen = np.zeros(len(u), dtype=bool)
    for which, best in ((star, _of_stars), (tree & ~star, _of_trees), (~tree, _of_others)):
        edges = np.flatnonzero(which)
        if len(edges):
            chosen[edges] = best(component[edges], _numbered(u[edges]), _numbered(v[edges]), weight[edges])
    return chosen


def _of_stars(component: Indices, _u: Indices, _v: Indices, weight: Floats) -> Booleans:
    """The heaviest edge of each component."""
    order = np.lexsort((-weight, component))
    chosen = np.zeros(len(order), dtype=bool)
    chosen[order[np.diff(component[order], prepend=-1) != 0]] = True
    return chosen


def _of_trees(_component: Indices, u: Indices, v: Indices, weight: Floats) -> Booleans:
    chosen = np.zeros(len(u), dtype=np.bool_)
    left = int(u.max()) + 1
    peeled.for_steps(10.0 * len(u))(u, v + left, weight, left + int(v.max()) + 1, chosen)
    return chosen


def _of_others(_component: Indices, u: Indices, v: Indices, weight: Floats) -> Booleans:
    order = np.lexsort((-weight, u))
    start = np.searchsorted(u, np.arange(int(u.max()) + 2))
    kept = np.zeros(len(u), dtype=np.bool_)
    augmented.for_steps(SEARCHED * len(u))(start, u, v[order], weight[order], int(v.max()) + 1, kept)
    chosen = np.zeros(len(u), dtype=bool)
    chosen[order[kept]] = True
    return chosen


@compiled
def peeled(  # noqa: C901  # one loop over arrays, for a compiled function calls no other
    u: Indices, v: Indices, weight: Floats, size: int, chosen: Booleans
) -> None:
    """The heaviest pairing of trees whose nodes are 0 to ``size``, both sorts numbered together.

    Leaves are taken off one after the other.  What a node gains by being paired with one of those taken off before it
    is the best of their weights less what they gain themselves; so no sums are needed, and nothing is lost in them.
    """
    degree = np.zeros(size, dtype=np.int64)
    edges = np.zeros(size, dtype=np.int64)  # all edges of a node that are left, in one number: the last is read off it
    gain = np.zeros(size)
    best = np.full(size, -1, dtype=np.int64)
    for e in range(len(u)):
        for node in (u[e], v[e]):
            degree[node] += 1
            edges[node] ^= e
    order = np.zeros(size, dtype=np.int64)
    known = 0
    for node in range(size):
        if degree[node] == 1:
            order[known] = node
            known += 1
    for k in range(size):
        node = order[k]
        if degree[node] == 0:  # the last of its tree
            continue
        e = edges[node]
        other = v[e] if u[e] == node else u[e]
        if weight[e] - gain[node] > gain[other]:
            gain[other] = weight[e] - gain[node]
            best[other] = e
        edges[other] ^= e
        degree[other] -= 1
        if degree[other] == 1:
            order[known] = other
            known += 1
    paired = np.zeros(size, dtype=np.bool_)
    for k in range(size - 1, -1, -1):
        e = best[order[k]]
        if e >= 0 and not paired[order[k]]:
            chosen[e] = True
            paired[u[e]] = True
            paired[v[e]] = True


@compiled
def augmented(  # noqa: C901, PLR0912, PLR0915, PLR0917  # one loop over arrays, for a compiled function calls no other
    start: Indices, row: Indices, column: Indices, weight: Floats, columns: int, chosen: Booleans
) -> None:
    """The heaviest pairing of any graph; the edges of row k are ``start[k]`` to ``start[k + 1]``, the heaviest first.

    Heights of rows and prices of columns together are never below the weight of an edge, and equal it for those in the
    pairing; rows and columns left over have none.  Each row looks for the cheapest way to a column that is free, or to
    a row that may be left over in its place.
    """
    rows = len(start) - 1
    height = np.zeros(rows)
    price = np.zeros(columns)
    column_of = np.full(rows, -1, dtype=np.int64)
    edge_of = np.full(columns, -1, dtype=np.int64)
    least = np.zeros(columns)
    back = np.zeros(columns, dtype=np.int64)  # the edge that a column was reached by
    seen = np.full(columns, -1, dtype=np.int64)
    passed = np.zeros(columns, dtype=np.int64)
    heap = [(0.0, 0)]
    for k in range(rows):
        height[k] = weight[start[k]]
    for first in range(rows):
        heap.clear()
        at = first
        far = 0.0
        cheapest = height[first]
        end = -1
        many = 0
        while True:
            for e in range(start[at], start[at + 1]):
                if far + height[at] - weight[e] >= cheapest:  # nor will those after it do
                    break
                b = column[e]
                d = far + max(height[at] + price[b] - weight[e], 0.0)
                if d < cheapest and (seen[b] != first or d < least[b]):
                    seen[b] = first
                    least[b] = d
                    back[b] = e
                    if edge_of[b] < 0:
                        cheapest = d
                        end = b
                    else:
                        heappush(heap, (d, b))
            b = -1
            while len(heap) > 0 and b < 0:
                far, b = heappop(heap)
                if far > least[b]:  # it was reached more cheaply since
                    b = -1
            if b < 0 or far >= cheapest:
                break
            passed[many] = b
            many += 1
            at = row[edge_of[b]]
            if far + height[at] < cheapest:
                cheapest = far + height[at]
                end = b
        height[first] -= cheapest
        for k in range(many):
            b = passed[k]
            price[b] += cheapest - least[b]
            height[row[edge_of[b]]] -= cheapest - least[b]
        if end >= 0 and edge_of[end] >= 0:
            column_of[row[edge_of[end]]] = -1
        while end >= 0:
            edge_of[end] = back[end]
            at = row[back[end]]
            end, column_of[at] = column_of[at], end
    for b in range(columns):
        if edge_of[b] >= 0:
            chosen[edge_of[b]] = True
