"""How the clusters of two annotators cross: which of them have mentions in common, and how many."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from interagree.arrays import Array, Floats, Indices
from interagree.kernels.ragged import ragged


class PackedClusters(Protocol):
    """Clusterings laid end to end; clustering k has mentions ``start[k]`` and clusters ``first[k]`` onward."""

    @property
    def start(self) -> Indices: ...
    @property
    def mention(self) -> Array: ...
    @property
    def cluster(self) -> Indices: ...
    @property
    def first(self) -> Indices: ...
    @property
    def size(self) -> Array: ...
    @property
    def names(self) -> int: ...


class Crossing(NamedTuple):
    """For each of some pairs of clusterings: every two clusters, one of each, that have mentions in common.

    Clusters are numbered through, those of the first clusterings of all pairs and those of the second ones apart.
    """

    pair: Indices  # of each entry
    left: Indices
    right: Indices
    common: Floats  # how many mentions both have
    pair_left: Indices  # of each cluster on the left: the pair that it belongs to
    pair_right: Indices
    size_left: Floats
    size_right: Floats
    pairs: int

    @property
    def across(self) -> tuple[Floats, Floats]:
        """For each entry the sizes of its two clusters."""
        return self.size_left[self.left], self.size_right[self.right]

    def mentions(self) -> tuple[Floats, Floats]:
        """For each pair how many mentions either clustering has."""
        return (
            totals(self.pair_left, self.size_left, self.pairs),
            totals(self.pair_right, self.size_right, self.pairs),
        )

    def clusters(self) -> tuple[Floats, Floats]:
        """For each pair how many clusters either clustering has."""
        left, right = (np.bincount(pair, minlength=self.pairs) for pair in (self.pair_left, self.pair_right))
        return left.astype(np.float64), right.astype(np.float64)

    def in_common(self) -> Crossing:
        """The same with the mentions alone that both clusterings of a pair have."""
        left, size_left = _kept(self.left, self.common, len(self.size_left))
        right, size_right = _kept(self.right, self.common, len(self.size_right))
        here, there = size_left > 0, size_right > 0
        return self._replace(
            left=left,
            right=right,
            pair_left=self.pair_left[here],
            pair_right=self.pair_right[there],
            size_left=size_left[here],
            size_right=size_right[there],
        )

    def completed(self) -> Crossing:
        """The same with each mention that one of a pair lacks put into a cluster of its own there."""
        lost_left, lost_right = (
            np.repeat(np.arange(len(size)), (size - totals(side, self.common, len(size))).astype(int))
            for side, size in ((self.left, self.size_left), (self.right, self.size_right))
        )
        new_left = len(self.size_left) + np.arange(len(lost_right))
        new_right = len(self.size_right) + np.arange(len(lost_left))
        return Crossing(
            np.r_[self.pair, self.pair_right[lost_right], self.pair_left[lost_left]],
            np.r_[self.left, new_left, lost_left],
            np.r_[self.right, lost_right, new_right],
            np.r_[self.common, np.ones(len(lost_right) + len(lost_left))],
            np.r_[self.pair_left, self.pair_right[lost_right]],
            np.r_[self.pair_right, self.pair_left[lost_left]],
            np.r_[self.size_left, np.ones(len(lost_right))],
            np.r_[self.size_right, np.ones(len(lost_left))],
            self.pairs,
        )


def totals(place: Indices, worth: Floats, count: int) -> Floats:
    """The sum of what is in each place."""
    return np.bincount(place, weights=worth, minlength=count).astype(np.float64)


def _kept(side: Indices, common: Floats, count: int) -> tuple[Indices, Floats]:
    """New numbers for the clusters of the entries, once those without a mention in common are gone."""
    size = totals(side, common, count)
    number = np.cumsum(size > 0).astype(np.intp) - 1
    return number[side], size


def crossing(clusters: PackedClusters, i: Indices, j: Indices) -> Crossing:
    """How clusterings ``i`` and ``j`` of packed ones cross, pair by pair."""
    crossed, _ = crossing_with_hits(clusters, i, j)
    return crossed


def crossing_with_hits(clusters: PackedClusters, i: Indices, j: Indices) -> tuple[Crossing, tuple[Indices, Indices]]:
    """The crossing, and for each mention that both of a pair have: its place on the left, and its entry."""
    pair_a, at_a = _laid_out(clusters.start, i)
    pair_b, at_b = _laid_out(clusters.start, j)
    names = max(int(clusters.names), 1)
    a, b = pair_a * names + clusters.mention[at_a], pair_b * names + clusters.mention[at_b]
    place = np.minimum(np.searchsorted(a, b), max(len(a) - 1, 0))
    hit = a[place] == b if len(a) else np.zeros(len(b), dtype=bool)
    here = at_a[place[hit]] if len(a) else place[:0]
    pair = pair_b[hit]
    pair_left, cluster_left = _laid_out(clusters.first, i)
    pair_right, cluster_right = _laid_out(clusters.first, j)
    # A cluster's number among those of all pairs: where those of its pair begin, and its place among them.
    opening_left = np.searchsorted(pair_left, np.arange(len(i)))
    opening_right = np.searchsorted(pair_right, np.arange(len(j)))
    left = opening_left[pair] + clusters.cluster[here] - clusters.first[i][pair]
    right = opening_right[pair] + clusters.cluster[at_b[hit]] - clusters.first[j][pair]
    columns = max(len(cluster_right), 1)
    keys, entry, common = np.unique(left * columns + right, return_inverse=True, return_counts=True)
    lefts, rights = np.divmod(keys, columns)
    crossed = Crossing(
        pair_left[lefts],
        lefts,
        rights,
        common.astype(np.float64),
        pair_left,
        pair_right,
        clusters.size[cluster_left].astype(np.float64),
        clusters.size[cluster_right].astype(np.float64),
        len(i),
    )
    return crossed, (here, entry.reshape(-1))


def _laid_out(start: Indices, which: Indices) -> tuple[Indices, Indices]:
    """The members of some lists, list by list: which list each is of, and its place."""
    return ragged(start[which], start[which + 1] - start[which])


def best_one_to_one(crossed: Crossing, worth: Floats) -> Floats:
    """For each pair the most that a one-to-one matching of clusters is worth.

    Where a cluster has partners that have no other one, the best of them is taken.  What is left is solved by the
    Hungarian method, pair by pair.
    """
    total = np.zeros(crossed.pairs)
    of_left = np.bincount(crossed.left, minlength=len(crossed.size_left))
    of_right = np.bincount(crossed.right, minlength=len(crossed.size_right))
    # A star: all partners of its centre have it alone.  A single couple is one from either side, and counts once.
    most_left, most_right = np.zeros(len(of_left), dtype=np.intp), np.zeros(len(of_right), dtype=np.intp)
    np.maximum.at(most_left, crossed.left, of_right[crossed.right])
    np.maximum.at(most_right, crossed.right, of_left[crossed.left])
    by_left = (most_left == 1)[crossed.left]
    by_right = (most_right == 1)[crossed.right] & ~by_left
    for star, side, owner in (
        (by_left, crossed.left, crossed.pair_left),
        (by_right, crossed.right, crossed.pair_right),
    ):
        best = np.zeros(len(owner))
        np.maximum.at(best, side[star], worth[star])
        total += totals(owner, best, crossed.pairs)
    rest = np.flatnonzero(~by_left & ~by_right)
    if len(rest):
        rest = rest[np.argsort(crossed.pair[rest], kind="stable")]
        pair, row, column = (
            crossed.pair[rest],
            *(_local(crossed.pair[rest], s[rest]) for s in (crossed.left, crossed.right)),
        )
        for some in np.split(np.arange(len(rest)), np.flatnonzero(np.diff(pair)) + 1):
            total[pair[some[0]]] += _hungarian(row[some], column[some], worth[rest[some]])
    return total


def _local(pair: Indices, side: Indices) -> Indices:
    """Numbers from 0 up for the clusters of each pair."""
    known, number = np.unique(pair * (side.max(initial=0) + 1) + side, return_inverse=True)
    number = number.reshape(-1)
    lowest = np.full(int(pair.max(initial=-1)) + 1, len(known))
    np.minimum.at(lowest, pair, number)
    return np.asarray(number - lowest[pair], dtype=np.intp)


def _hungarian(row: Indices, column: Indices, worth: Floats) -> float:
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((row.max() + 1, column.max() + 1))
    table[row, column] = worth
    return float(table[linear_sum_assignment(table, maximize=True)].sum())
