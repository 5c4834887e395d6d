"""Coreference: what two annotators' clusters of mentions have in common.

The scores are those of coreference resolution, each as sums over documents: a numerator and a denominator for
either of the two annotators.  Alpha's sums are distances of the sets of mentions that mentions were put with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import Annotations
from interagree.data.provenance import Provenance
from interagree.declare import Distance
from interagree.errors import KindError
from interagree.kernels.clusters import Crossing, best_one_to_one, crossing, crossing_with_hits, totals
from interagree.kernels.ragged import ragged
from interagree.kinds._parts import starts
from interagree.kinds.clusters import Clusters
from interagree.results.agreement import Parts, Sizes
from interagree.stats.engine.compress import in_groups, pairs_in_runs
from interagree.stats.engine.weights import Observed, Weights
from interagree.stats.pairs.pair_sums import AnnotatorPairs, of_kind

Mentions = Literal["given", "common", "all"]

BLOCK = 1_000_000  # mentions that are compared at once


# -- scores --------------------------------------------------------------------------------------------------


def _each(found: Crossing, worth: Floats) -> Floats:
    return totals(found.pair, worth, found.pairs)


def _muc(found: Crossing) -> list[Floats]:
    # A cluster of the one that the other parts into p pieces keeps its size less p of its size less 1 links; summed
    # over clusters this is the same whoever is the key.
    kept = _each(found, found.common - 1)
    (mine, yours), (a, b) = found.mentions(), found.clusters()
    return [kept, mine - a, kept, yours - b]


def _b3(found: Crossing) -> list[Floats]:
    (a, b), (mine, yours) = found.across, found.mentions()
    square = found.common**2
    return [_each(found, square / a), mine, _each(found, square / b), yours]


def _ceaf_m(found: Crossing) -> list[Floats]:
    same = best_one_to_one(found, found.common)
    mine, yours = found.mentions()
    return [same, mine, same, yours]


def _ceaf_e(found: Crossing) -> list[Floats]:
    a, b = found.across
    same = best_one_to_one(found, 2 * found.common / (a + b))
    mine, yours = found.clusters()
    return [same, mine, same, yours]


def _lea(found: Crossing) -> list[Floats]:
    (a, b), (mine, yours) = found.across, found.mentions()
    links = found.common * (found.common - 1)
    alone = (a == 1) & (b == 1)  # a cluster of one mention has one link, with itself
    here, there = (np.where(alone, 1.0, links / np.maximum(size - 1, 1)) for size in (a, b))
    return [_each(found, here), mine, _each(found, there), yours]


METRICS: dict[str, tuple[Callable[[Crossing], list[Floats]], ...]] = {
    "conll": (_muc, _b3, _ceaf_e),
    "muc": (_muc,),
    "b3": (_b3,),
    "ceaf_m": (_ceaf_m,),
    "ceaf_e": (_ceaf_e,),
    "lea": (_lea,),
}


def cells(clusters: Clusters, meetings: AnnotatorPairs, metric: str, mentions: Mentions) -> Floats:
    """For each two annotators of a document the four numbers of each score that the metric is made of."""
    couples, place = np.unique(
        np.stack([meetings.value, meetings.other], axis=1), axis=0, return_inverse=True
    )
    i, j = couples[:, 0], couples[:, 1]
    sizes = np.diff(clusters.start)
    ends = np.cumsum(sizes[i] + sizes[j]) // BLOCK
    found = [np.zeros((0, 4 * len(METRICS[metric])))]
    for some in np.split(np.arange(len(i)), np.flatnonzero(np.diff(ends)) + 1):
        crossed = crossing(clusters, i[some], j[some])
        if mentions != "given":
            crossed = crossed.in_common() if mentions == "common" else crossed.completed()
        found.append(np.stack([one for part in METRICS[metric] for one in part(crossed)], axis=1))
    return np.concatenate(found)[place.reshape(-1)]


def swapped(metric: str) -> list[int]:
    """The places of the numbers once the two annotators change theirs."""
    return [4 * part + at for part in range(len(METRICS[metric])) for at in (2, 3, 0, 1)]


def f_of_sums(sums: Any) -> Any:
    """The mean F of the scores whose four numbers stand along the last axis; nan where one of them has none."""
    each = sums.reshape(*sums.shape[:-1], sums.shape[-1] // 4, 4)
    a, over_a, b, over_b = np.moveaxis(each, -1, 0)
    # 2PR / (P + R), with nothing in common being 0 and nothing at all being undefined.
    below = a * over_b + b * over_a
    some = np.real(below) > 0
    found = np.where(some, 2 * a * b / np.where(some, below, 1), 0.0)
    return np.where(np.real(over_a + over_b) > 0, found, np.nan).mean(-1)


# -- alpha ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MentionSets:
    """What mentions were put with, document by document, as sums for alpha."""

    source: Annotations
    features: Floats  # documents × (observed, annotations, expected, closeness)
    mentions: Floats  # of each document: how many can be compared
    chance: Literal["document", "study"]
    weights: Weights
    pattern: Indices  # of each item; -1 where it does not count
    n: Sizes
    unpaired: int
    alone: int  # mentions that one annotator alone marked, where these are left out
    paired: Floats | None = None
    width: int = 4

    @classmethod
    def of(
        cls,
        data: Annotations,
        distance: Distance,
        *,
        unmarked: Literal["singleton", "leave"],
        chance: Literal["document", "study"],
        who: str,
    ) -> MentionSets:
        """The sets of the mentions of every document that two annotators looked at."""
        study, clusters = of_kind(data, "clusters", who)
        sizes = np.bincount(study.item, minlength=len(study.items))
        rows = np.flatnonzero(sizes[study.item] > 1)
        rows = rows[np.lexsort((study.annotator[rows], study.item[rows]))]
        items, document = np.unique(study.item[rows], return_inverse=True)
        document = document.reshape(-1)
        marked = _by_row(
            clusters, study.value[rows].astype(np.intp), document, complete=unmarked == "singleton"
        )
        features, mentions, alone = _sums(marked, document, len(items), distance)
        pattern = np.full(len(study.items), -1, dtype=np.intp)
        pattern[items] = np.arange(len(items))
        return cls(
            study,
            features,
            mentions,
            chance,
            Observed(np.ones(len(items))),
            pattern,
            Sizes(len(items), len(np.unique(study.annotator)), len(rows)),
            int((sizes == 1).sum()),
            alone,
        )

    @property
    def provenance(self) -> Provenance:
        """How the annotations came to be."""
        return self.source.provenance

    def weighted(self, weights: Weights) -> MentionSets:
        """The same documents, counted otherwise."""
        return replace(self, weights=weights)

    def grouped(self, group: Any) -> MentionSets:
        """The same documents, with groups of them to be resampled; ``group`` is that of each item of the study."""
        members, pattern = in_groups(self.pattern, group)
        weights = Observed(np.ones(members.shape[0]))
        return replace(self, features=members @ self.features, pattern=pattern, weights=weights)

    def parts(self) -> Parts:
        """The observed and the expected distance of two annotations."""
        seen, count, within, near = np.moveaxis(np.asarray(self.weights.sum(self.features)), -1, 0)
        if self.chance == "document":
            return Parts(seen / count, within / count)
        # Sets of different documents have nothing in common.
        return Parts(seen / count, 1 - near / (count * (count - 1)))

    @property
    def value(self) -> float:
        """The coefficient; nan where it is undefined."""
        with np.errstate(all="ignore"):
            found = self.parts()
            return float(1 - found.observed / found.expected) if found.expected > 0 else np.nan


def _by_row(clusters: Clusters, value: Indices, document: Indices, *, complete: bool) -> Clusters:
    """The clusters of each row, those of unmarked mentions of its document added if they are to be complete."""
    many = np.diff(clusters.first)[value]
    row, at = ragged(clusters.start[value], np.diff(clusters.start)[value])
    its, cluster_at = ragged(clusters.first[value], many)
    names = max(clusters.names, 1)
    mention = document[row] * names + clusters.mention[at]  # a name means something else in another document
    cluster = (np.cumsum(many) - many)[row] + clusters.cluster[at] - clusters.first[value][row]
    size = clusters.size[cluster_at]
    if complete:
        row, mention, cluster, its, size = _completed(row, mention, cluster, its, size, document, names)
    order = np.lexsort((mention, row))
    there, code = np.unique(mention[order], return_inverse=True)
    return Clusters(
        starts(np.bincount(row, minlength=len(value)).tolist()),
        code.reshape(-1).astype(np.int64),
        cluster[order],
        starts(np.bincount(its, minlength=len(value)).tolist()),
        size,
        len(there),
    )


def _completed(  # noqa: PLR0917 -- called in one place
    row: Indices,
    mention: Indices,
    cluster: Indices,
    its: Indices,
    size: Indices,
    document: Indices,
    names: int,
) -> tuple[Indices, Indices, Indices, Indices, Indices]:
    """The mentions of a row, with each that others marked in its document in a cluster of its own."""
    known = np.unique(mention)
    opening = np.searchsorted(known // names, np.arange(int(document.max(initial=-1)) + 2))
    every, place = ragged(opening[document], np.diff(opening)[document])
    # The rows' own mentions among all of their documents: by row and by place, both ascending.
    total = len(known) + 1
    missing = np.ones(len(every), dtype=bool)
    missing[np.searchsorted(every * total + place, row * total + np.searchsorted(known, mention))] = False
    new_row, new_mention = every[missing], known[place[missing]]
    # Clusters are numbered by row: the new ones come after the old ones of the same row.
    owner = np.r_[its, new_row]
    order = np.argsort(owner, kind="stable")
    number = np.empty(len(owner), dtype=np.intp)
    number[order] = np.arange(len(owner))
    return (
        np.r_[row, new_row],
        np.r_[mention, new_mention],
        np.r_[number[cluster], number[len(its) :]],
        owner[order],
        np.r_[size, np.ones(len(new_row), dtype=size.dtype)][order],
    )


def _sums(marked: Clusters, document: Indices, count: int, distance: Distance) -> tuple[Floats, Floats, int]:
    """Alpha's sums by document, how many mentions of each can be compared, and how many cannot."""
    people = np.bincount(marked.mention, minlength=marked.names)  # who marked each mention
    row = np.repeat(np.arange(len(document)), np.diff(marked.start))
    pairable = people[marked.mention] > 1
    given = np.bincount(document[row[pairable]], minlength=count).astype(np.float64)
    of = np.zeros(marked.names, dtype=np.intp)
    of[marked.mention] = document[row]
    mentions = np.bincount(of[people > 1], minlength=count).astype(np.float64)
    times = np.bincount(marked.cluster[pairable], minlength=len(marked.size))  # how often each set counts
    its = document[np.repeat(np.arange(len(document)), np.diff(marked.first))]
    near: Floats = np.bincount(its, times**2.0, count).astype(np.float64)  # sets with themselves
    seen = np.zeros(count)
    i, j = pairs_in_runs(document)
    ends = np.cumsum(np.diff(marked.start)[i] + np.diff(marked.start)[j]) // BLOCK
    for some in np.split(np.arange(len(i)), np.flatnonzero(np.diff(ends)) + 1):
        found, (here, entry) = crossing_with_hits(marked, i[some], j[some])
        a, b = found.across
        far = _far(distance, found.common, a, b)
        where = document[i[some]][found.pair]
        often = np.bincount(entry, 1 / (people[marked.mention[here]] - 1), len(far))
        seen += np.bincount(where, 2 * often * far, count)
        left, right = _numbers(marked, found, i[some], j[some])
        near += np.bincount(where, 2.0 * times[left] * times[right] * (1 - far), count)
    near -= given  # no annotation is paired with itself
    expected = (given * (given - 1) - near) / np.maximum(given - 1, 1)
    features = np.stack([seen, given, np.maximum(expected, 0.0), near], axis=1)
    return features, mentions, int((people == 1).sum())


def _numbers(marked: Clusters, found: Crossing, i: Indices, j: Indices) -> tuple[Indices, Indices]:
    """The clusters of the entries as they are numbered in all."""
    left = found.left - np.searchsorted(found.pair_left, np.arange(len(i)))[found.pair]
    right = found.right - np.searchsorted(found.pair_right, np.arange(len(j)))[found.pair]
    return marked.first[i][found.pair] + left, marked.first[j][found.pair] + right


def _far(distance: Distance, common: Floats, a: Floats, b: Floats) -> Floats:
    """Distances of sets of sizes a and b that have so many in common; each combination of sizes is asked once."""
    most = int(max(a.max(initial=0), b.max(initial=0))) + 1
    keys, place = np.unique(
        (common * most + a).astype(np.int64) * most + b.astype(np.int64), return_inverse=True
    )
    rest, size_b = np.divmod(keys, most)
    sizes = zip(*(one.tolist() for one in (*np.divmod(rest, most), size_b)), strict=True)
    far = [distance(frozenset(range(x)), frozenset(range(x - c, x - c + y))) for c, x, y in sizes]
    return np.array(far, dtype=np.float64)[place.reshape(-1)]


def of_sets(distance: Distance) -> Distance:
    """A distance of sets for which sets with nothing in common are 1 apart, or an error."""
    if distance.of != "sets" or distance(frozenset("a"), frozenset("b")) != 1:
        raise KindError(
            f"coref_alpha compares sets of mentions, by 'masi', 'jaccard', 'dice' or 'passonneau2004'; {distance.name} "
            "is no distance of sets that is 1 where they have nothing in common"
        )
    return distance
