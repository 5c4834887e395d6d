"""The tree edit distance of Zhang and Shasha (1989), for many pairs of ordered, labelled trees at once.

The algorithm compares all subtrees that hang to the right of a path down to a leftmost leaf.  Read from right to left
a tree is as good, and where sentences branch to the right it has far fewer such subtrees; so every tree is
laid out both ways, and each pair is compared the way that takes fewer steps.

Zhang, K., & Shasha, D. (1989). Simple fast algorithms for the editing distance between trees and related problems.
SIAM Journal on Computing 18(6), 1245-1262.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from interagree.arrays import Floats, Indices, Int32s, Int64s
from interagree.kernels.compiled import compiled

Columns: TypeAlias = tuple[Int32s, Int32s, Int32s, Indices, Floats]  # those of a `Reading`, for the loop


@dataclass(frozen=True, slots=True)
class TreeArrays:
    """All trees, end to end, children before parents; places are counted from the first node of the tree."""

    label: Int32s
    first: Int32s  # the outermost leaf below a node, or the node itself
    root: Int32s  # of the subtrees to be compared, in rising order
    root_start: Indices
    work: Floats  # of a tree: the nodes in all subtrees to be compared

    @property
    def columns(self) -> Columns:
        return self.label, self.first, self.root, self.root_start, self.work

    @classmethod
    def of(cls, start: Indices, label: Int32s, size: Indices) -> TreeArrays:
        """Trees in postorder, with the number of nodes in the subtree of each node."""
        nodes = np.diff(start)
        tree = np.repeat(np.arange(len(nodes)), nodes)
        place = np.arange(len(label))
        first = place - size + 1
        latest = np.zeros(len(label), dtype=np.intp)
        latest[first] = place  # of nodes with one outermost leaf the highest comes last, and stays
        is_root = latest[first] == place
        within = place - start[tree]
        roots = np.bincount(tree[is_root], minlength=len(nodes))
        return cls(
            label,
            (within - size + 1).astype(np.int32),
            within[is_root].astype(np.int32),
            np.concatenate([[0], np.cumsum(roots)]).astype(np.intp),
            np.bincount(tree[is_root], size[is_root], minlength=len(nodes)).astype(np.float64),
        )


@dataclass(frozen=True, slots=True)
class LaidOutTrees:
    """Ordered, labelled trees, laid out from left to right and from right to left, with their numbers of leaves."""

    start: Indices
    left: TreeArrays
    right: TreeArrays
    leaves: Int64s

    @classmethod
    def of(cls, start: Indices, label: Int32s, size: Indices) -> LaidOutTrees:
        """Trees in postorder, with the number of nodes in the subtree of each node."""
        tree = np.repeat(np.arange(len(start) - 1), np.diff(start))
        place = np.arange(len(label))
        # How many subtrees is a node in, besides its own?
        opened = np.bincount(place - size + 1, minlength=len(label))
        depth = np.cumsum(opened) - place - 1
        # Before a node, a preorder has what is left of it and what is above it.  Backwards it is a mirrored postorder.
        preorder = place - size + 1 + depth
        mirrored = start[tree] + start[tree + 1] - 1 - preorder
        order = np.empty_like(place)
        order[mirrored] = place
        leaves = np.bincount(tree[size == 1], minlength=len(start) - 1)
        return cls(start, TreeArrays.of(start, label, size), TreeArrays.of(start, label[order], size[order]), leaves)


@compiled
def tree_edit(  # noqa: C901, PLR0912, PLR0915  # one loop, for a compiled function calls no other
    start: Indices, left: Columns, right: Columns, i: Indices, j: Indices
) -> Floats:
    """The least number of nodes to insert, delete and relabel; each reading is a tuple of its arrays."""
    distance = np.zeros(len(i))
    rows, columns = 0, 0
    for pair in range(len(i)):
        rows = max(rows, start[i[pair] + 1] - start[i[pair]])
        columns = max(columns, start[j[pair] + 1] - start[j[pair]])
    tree = np.zeros((rows, columns), dtype=np.int32)  # of the subtrees of two nodes
    forest = np.zeros((rows + 1, columns + 1), dtype=np.int32)  # of what comes before two nodes
    for pair in range(len(i)):
        a, b = i[pair], j[pair]
        if left[4][a] * left[4][b] <= right[4][a] * right[4][b]:
            label, first, root, root_start = left[0], left[1], left[2], left[3]
        else:
            label, first, root, root_start = right[0], right[1], right[2], right[3]
        n, m = start[a + 1] - start[a], start[b + 1] - start[b]
        label_a, label_b = label[start[a] : start[a + 1]], label[start[b] : start[b + 1]]
        first_a, first_b = first[start[a] : start[a + 1]], first[start[b] : start[b + 1]]
        if n == m:
            same = True
            for x in range(n):
                if label_a[x] != label_b[x] or first_a[x] != first_b[x]:
                    same = False
                    break
            if same:
                continue
        for p in range(root_start[a], root_start[a + 1]):
            top_a = root[p]
            low_a = first_a[top_a]
            for q in range(root_start[b], root_start[b + 1]):
                top_b = root[q]
                low_b = first_b[top_b]
                if low_a == top_a:  # a leaf replaces one node of the other subtree, and the rest is inserted
                    absent = 1
                    for y in range(low_b, top_b + 1):
                        if label_b[y] == label_a[top_a]:
                            absent = 0
                        if first_b[y] == low_b:
                            tree[top_a, y] = y - low_b + absent
                    continue
                if low_b == top_b:
                    absent = 1
                    for x in range(low_a, top_a + 1):
                        if label_a[x] == label_b[top_b]:
                            absent = 0
                        if first_a[x] == low_a:
                            tree[x, top_b] = x - low_a + absent
                    continue
                for y in range(top_b - low_b + 2):
                    forest[0, y] = y
                for x in range(low_a, top_a + 1):
                    row = x - low_a + 1
                    above, current, subtree = forest[row - 1], forest[row], tree[x]
                    base = forest[first_a[x] - low_a]
                    on_path = first_a[x] == low_a
                    before, own = np.int32(row), label_a[x]
                    current[0] = before
                    for column in range(1, top_b - low_b + 2):
                        y = low_b + column - 1
                        back = first_b[y] - low_b
                        least = min(before, above[column]) + np.int32(1)
                        if on_path and back == 0:
                            least = min(least, above[column - 1] + np.int32(own != label_b[y]))
                            subtree[y] = least
                        else:
                            least = min(least, base[back] + subtree[y])
                        current[column] = least
                        before = least
        distance[pair] = tree[n - 1, m - 1]
    return distance


def edits(trees: LaidOutTrees, i: Indices, j: Indices) -> Floats:
    """The tree edit distances of aligned pairs of trees."""
    steps = np.minimum(trees.left.work[i] * trees.left.work[j], trees.right.work[i] * trees.right.work[j])
    loop = tree_edit.for_steps(float(steps.sum()))
    return loop(trees.start, trees.left.columns, trees.right.columns, i, j)
