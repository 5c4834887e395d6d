"""Coreference: what two annotators' clusters of mentions have in common.

The scores are those of coreference resolution, each as sums over documents: a numerator and a denominator for
either of the two annotators.  Alpha's sums are distances of the sets of mentions that mentions were put with.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from interagree.arrays import Array, Floats, Indices
from interagree.data import Annotations
from interagree.data.types import Item
from interagree.declare import Distance
from interagree.errors import KindError
from interagree.kernels.clusters import Crossing, best_one_to_one, crossing, crossing_with_hits, totals
from interagree.kernels.ragged import ragged
from interagree.kinds._parts import starts
from interagree.kinds.clusters import Clusters
from interagree.results.agreement import Agreement, Parts, Sizes
from interagree.stats.engine.compress import pairs_in_runs
from interagree.stats.engine.estimate import statistic_behind
from interagree.stats.engine.remeasured import Remeasured
from interagree.stats.engine.statistic import ItemSums, unpaired_notes
from interagree.stats.engine.weights import Observed
from interagree.stats.pairs.pair_sums import AnnotatorPairs, PairSums, of_kind
from interagree.tables import Table

if TYPE_CHECKING:
    from interagree.stats.engine.measured import Measured

Mentions = Literal["given", "common", "all"]

BLOCK = 1_000_000  # mentions that are compared at once
DEALS = 20  # of mentions to clusters, for their mean


def _each(crossed: Crossing, worth: Floats) -> Floats:
    return totals(crossed.pair, worth, crossed.pairs)


def _muc(crossed: Crossing) -> list[Floats]:
    # A cluster of the one that the other parts into p pieces keeps its size less p of its size less 1 links; summed
    # over clusters this is the same whoever is the key.
    kept = _each(crossed, crossed.common - 1)
    (mine, yours), (a, b) = crossed.mentions(), crossed.clusters()
    return [kept, mine - a, kept, yours - b]


def _b3(crossed: Crossing) -> list[Floats]:
    (a, b), (mine, yours) = crossed.across, crossed.mentions()
    square = crossed.common**2
    return [_each(crossed, square / a), mine, _each(crossed, square / b), yours]


def _ceaf_m(crossed: Crossing) -> list[Floats]:
    same = best_one_to_one(crossed, crossed.common)
    mine, yours = crossed.mentions()
    return [same, mine, same, yours]


def _ceaf_e(crossed: Crossing) -> list[Floats]:
    a, b = crossed.across
    same = best_one_to_one(crossed, 2 * crossed.common / (a + b))
    mine, yours = crossed.clusters()
    return [same, mine, same, yours]


def _lea(crossed: Crossing) -> list[Floats]:
    (a, b), (mine, yours) = crossed.across, crossed.mentions()
    links = crossed.common * (crossed.common - 1)
    alone = (a == 1) & (b == 1)  # a cluster of one mention has one link, with itself
    here, there = (np.where(alone, 1.0, links / np.maximum(size - 1, 1)) for size in (a, b))
    return [_each(crossed, here), mine, _each(crossed, there), yours]


METRICS: dict[str, tuple[Callable[[Crossing], list[Floats]], ...]] = {
    "conll": (_muc, _b3, _ceaf_e),
    "muc": (_muc,),
    "b3": (_b3,),
    "ceaf_m": (_ceaf_m,),
    "ceaf_e": (_ceaf_e,),
    "lea": (_lea,),
}


def cells(clusters: Clusters, pairs: AnnotatorPairs, metric: str, mentions: Mentions) -> Floats:
    """For each two annotators of a document the four numbers of each score that the metric is made of."""
    couples, place = np.unique(np.stack([pairs.value, pairs.other], axis=1), axis=0, return_inverse=True)
    i, j = couples[:, 0], couples[:, 1]
    sizes = np.diff(clusters.start)
    ends = np.cumsum(sizes[i] + sizes[j]) // BLOCK
    blocks = [np.zeros((0, 4 * len(METRICS[metric])))]
    for some in np.split(np.arange(len(i)), np.flatnonzero(np.diff(ends)) + 1):
        crossed = crossing(clusters, i[some], j[some])
        if mentions != "given":
            crossed = crossed.in_common() if mentions == "common" else crossed.completed()
        blocks.append(np.stack([column for part in METRICS[metric] for column in part(crossed)], axis=1))
    return np.concatenate(blocks)[place.reshape(-1)]


def swapped(metric: str) -> list[int]:
    """The places of the numbers once the two annotators change theirs."""
    return [4 * part + at for part in range(len(METRICS[metric])) for at in (2, 3, 0, 1)]


def f_of_sums(sums: Array) -> Array:
    """The mean F of the scores whose four numbers stand along the last axis; nan where one of them has none."""
    each = sums.reshape(*sums.shape[:-1], sums.shape[-1] // 4, 4)
    a, over_a, b, over_b = np.moveaxis(each, -1, 0)
    # 2PR / (P + R), with nothing in common being 0 and nothing at all being undefined.
    below = a * over_b + b * over_a
    some = np.real(below) > 0
    f = np.where(some, 2 * a * b / np.where(some, below, 1), 0.0)
    return np.asarray(np.where(np.real(over_a + over_b) > 0, f, np.nan).mean(-1))


@dataclass(frozen=True, kw_only=True)
class CoreferenceSums(PairSums):
    """What the clusters of each two annotators have in common, as sums for F."""

    metric: str
    mentions: Mentions

    @staticmethod
    def score(sums: Array) -> Array:
        """The mean F of the scores that the metric is made of."""
        return f_of_sums(sums)

    def undefined(self) -> str | None:
        if not self.n.items or not np.isnan(self.value):
            return None
        if not self.cells.any():
            both = " that both annotators marked" if self.mentions == "common" else ""
            return f"nobody marked a mention{both}, so there is nothing to compare"
        also = " and the CoNLL mean with it" if self.metric == "conll" else ""
        put = f"nobody put two mentions together, which leaves MUC{also} undefined"
        return f"{put}; take metric='b3', 'ceaf_e' or 'lea'"

    def notes(self) -> Sequence[str]:
        """What became of documents with nothing to score."""
        empty = self.empty() if self.n.items else 0
        if not empty:
            return unpaired_notes(self)
        documents = f"{empty:,} document{'s' if empty > 1 else ''} in which there is nothing to score"
        if self.average == "items":
            fate = f"{'were' if empty > 1 else 'was'} left out of the mean"
        else:
            fate = f"add{'' if empty > 1 else 's'} nothing to the sums"
        return (*unpaired_notes(self), f"{documents} {fate}")

    def details(self) -> dict[str, object]:
        """F of each score in the metric; of two annotators also recall and precision, the first as the key."""
        details: dict[str, object] = {"documents": self.n.items, "pairs of annotators": self.pair[1]}
        two = self.pair[1] == 1
        if two:
            details["key"] = self.source.annotators[int(self.pairs.first[0])]
        total = (self.cells if two else self.cells + self.cells[:, list(self.swap)]).sum(axis=0)
        for place, score in enumerate(METRICS[self.metric]):
            name = score.__name__.removeprefix("_")
            a, over_a, b, over_b = four = total[4 * place : 4 * place + 4]
            if two:
                details[f"{name} recall"] = float(a / over_a) if over_a else math.nan
                details[f"{name} precision"] = float(b / over_b) if over_b else math.nan
            details[f"{name} F"] = float(f_of_sums(four))
        return details


@dataclass(frozen=True, kw_only=True)
class MentionSets(ItemSums):
    """What mentions were put with, document by document, as sums for alpha.

    The features of a document are: observed distances, annotations, expected distances, closeness.
    """

    features: Floats
    mentions: Floats  # of each document: how many can be compared
    distance: Distance
    unmarked: Literal["singleton", "leave"]
    chance: Literal["document", "study"]
    alone: int  # mentions that one annotator alone marked, where these are left out

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
        given = np.bincount(study.item, minlength=len(study.items))
        rows = np.flatnonzero(given[study.item] > 1)
        rows = rows[np.lexsort((study.annotator[rows], study.item[rows]))]
        items, document = np.unique(study.item[rows], return_inverse=True)
        document = document.reshape(-1)
        marked = _by_row(clusters, study.value[rows].astype(np.intp), document, complete=unmarked == "singleton")
        features, mentions, alone = _sums(marked, document, len(items), distance)
        pattern = np.full(len(study.items), -1, dtype=np.intp)
        pattern[items] = np.arange(len(items))
        return cls(
            source=study,
            features=features,
            weights=Observed(np.ones(len(items))),
            pattern=pattern,
            n=Sizes(len(items), len(np.unique(study.annotator)), len(rows)),
            unpaired=int((given == 1).sum()),
            mentions=mentions,
            distance=distance,
            unmarked=unmarked,
            chance=chance,
            alone=alone,
        )

    def parts(self) -> Parts:
        """The observed and the expected distance of two annotations."""
        seen, count, within, near = np.moveaxis(self.sums(), -1, 0)
        if self.chance == "document":
            return Parts(seen / count, within / count)
        # Sets of different documents have nothing in common.
        return Parts(seen / count, 1 - near / (count * (count - 1)))

    def undefined(self) -> str | None:
        if not self.n.items or self.mentions.any():
            return None
        shared = "" if self.unmarked == "singleton" else " that another annotator marked too"
        return f"nobody marked a mention{shared}, so there is nothing to compare"

    def notes(self) -> Sequence[str]:
        if self.unmarked == "singleton" or not self.alone:
            return unpaired_notes(self)
        mentions = f"{self.alone:,} mention{'s' if self.alone > 1 else ''} that one annotator alone marked"
        return (*unpaired_notes(self), f"{mentions} {'were' if self.alone > 1 else 'was'} left out")

    def details(self) -> dict[str, object]:
        return {"documents": self.n.items, "mentions": int(self.mentions.sum())}

    def options(self) -> dict[str, object]:
        return {"distance": str(self.distance)}

    def drill(self, measured: Measured[Self]) -> MentionSetTables:
        return MentionSetTables(self, measured)


@dataclass(frozen=True)
class MentionSetTables(Remeasured[MentionSets]):
    """The drill-down of alpha of coreference."""

    def by_item(self) -> Table:
        """For each document: how many looked, its mentions, and its coefficient against its own chance."""
        sets, study = self.statistic, self.study
        given = np.bincount(study.item, minlength=len(study.items)).tolist()
        rows = []
        for item, place in enumerate(sets.pattern.tolist()):
            if place < 0:
                continue
            seen, count, expected, _ = sets.features[place].tolist()
            rows.append(
                {
                    "item": study.items[item],
                    "annotations": given[item],
                    "mentions": int(sets.mentions[place]),
                    "disagreement": seen / count if count else math.nan,
                    "expected": expected / count if count else math.nan,
                    "agreement": 1 - seen / expected if expected > 0 else math.nan,
                }
            )
        names = ("item", "annotations", "mentions", "disagreement", "expected", "agreement")
        return Table.of(rows, names=names, foot="each document against its own chance")


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
    row: Indices, mention: Indices, cluster: Indices, its: Indices, size: Indices, document: Indices, names: int
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
        crossed, (here, entry) = crossing_with_hits(marked, i[some], j[some])
        a, b = crossed.across
        far = _far(distance, crossed.common, a, b)
        where = document[i[some]][crossed.pair]
        often = np.bincount(entry, 1 / (people[marked.mention[here]] - 1), len(far))
        seen += np.bincount(where, 2 * often * far, count)
        left, right = _numbers(marked, crossed, i[some], j[some])
        near += np.bincount(where, 2.0 * times[left] * times[right] * (1 - far), count)
    near -= given  # no annotation is paired with itself
    expected = (given * (given - 1) - near) / np.maximum(given - 1, 1)
    features = np.stack([seen, given, np.maximum(expected, 0.0), near], axis=1)
    return features, mentions, int((people == 1).sum())


def _numbers(marked: Clusters, crossed: Crossing, i: Indices, j: Indices) -> tuple[Indices, Indices]:
    """The clusters of the entries as they are numbered in all."""
    left = crossed.left - np.searchsorted(crossed.pair_left, np.arange(len(i)))[crossed.pair]
    right = crossed.right - np.searchsorted(crossed.pair_right, np.arange(len(j)))[crossed.pair]
    return marked.first[i][crossed.pair] + left, marked.first[j][crossed.pair] + right


def _far(distance: Distance, common: Floats, a: Floats, b: Floats) -> Floats:
    """Distances of sets of sizes a and b that have so many in common; each combination of sizes is asked once."""
    most = int(max(a.max(initial=0), b.max(initial=0))) + 1
    keys, place = np.unique((common * most + a).astype(np.int64) * most + b.astype(np.int64), return_inverse=True)
    rest, size_b = np.divmod(keys, most)
    sizes = zip(*(column.tolist() for column in (*np.divmod(rest, most), size_b)), strict=True)
    far = [distance(frozenset(range(x)), frozenset(range(x - c, x - c + y))) for c, x, y in sizes]
    return np.array(far, dtype=np.float64)[place.reshape(-1)]


def of_sets(distance: Distance) -> Distance:
    """A distance of sets for which sets with nothing in common are 1 apart, or an error."""
    if distance.of != "sets" or distance(frozenset("a"), frozenset("b")) != 1:
        raise KindError(
            f"coref_alpha compares sets of mentions, by 'masi', 'jaccard', 'dice' or 'passonneau2004'; {distance.name} "
            "is not a distance of sets that is 1 where they have nothing in common"
        )
    return distance


def of_mentions_dealt_anew(result: Agreement) -> float:
    """Alpha on average where annotators keep the sizes of their clusters and put any mentions together."""
    sets = statistic_behind(result, MentionSets)
    if sets is None or sets.source is None:
        return math.nan
    rng = np.random.default_rng(0)
    rows = list(sets.source.rows())
    mentions: dict[Item, dict[Hashable, int]] = {}
    for item, _, clusters in rows:
        here = mentions.setdefault(item, {})
        for mention in chain.from_iterable(clusters):
            here.setdefault(mention, len(here))
    values = []
    for _ in range(DEALS):
        dealt = []
        for item, who, clusters in rows:
            names = [*mentions[item]]
            place = rng.permutation(len(names))
            moved = [[names[place[mentions[item][mention]]] for mention in cluster] for cluster in clusters]
            dealt.append((item, who, moved))
        study = Annotations.of(dealt, kind="clusters")
        again = MentionSets.of(study, sets.distance, unmarked=sets.unmarked, chance=sets.chance, who="coref_alpha")
        seen, expected, _ = again.parts()
        values.append(1 - float(seen) / float(expected) if expected > 0 else math.nan)
    return float(np.nanmean(values))
