"""New values made of all annotations of an item: objects matched and merged, numbers and vectors averaged.

The objects of an item (boxes, spans, keypoints) are put into clusters, at most one object of each annotation in a
cluster.  Annotations come in turn, the one nearest to all others first, so that the order of rows does not matter; the
objects of each are given to the clusters so far by an optimal assignment, where an object costs its mean distance to
the objects of the cluster.  One that is farther than the cutoff from every cluster that is left begins its own.  A
cluster that enough annotators support becomes one object:

* a box of the medians (or means) of the coordinates, with the label that most give;
* a span from the median of the beginnings to that of the ends, of two middle ones the earlier, with the label that most
  give, so that places stay whole numbers;
* an object of the means (or medians) of its labelled points, a point being labelled where at least half of the
  objects have it.

Of labels that as many give, the first in sorted order is taken.  Objects are matched whatever their labels; of two
that are equally near, the one with the same label is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.crowd.medoids import ALIKE, Within, in_sorted_order
from interagree.data import Annotations
from interagree.data.provenance import counted
from interagree.data.types import Value
from interagree.data.values import canonical, numbers
from interagree.distances import IntoDistance, find
from interagree.errors import Hint, KindError, listing
from interagree.kinds import Kind
from interagree.kinds._merging import Averaging, Matched, Matching, Merging, Middle, middles
from interagree.kinds._parts import starts
from interagree.plugins import KINDS
from interagree.stats.engine.compress import totals
from interagree.stats.labels.ballots import within_items
from interagree.stats.pairs.pair_distances import PairDistances

OTHER_LABEL = 1e-3  # what a different label costs in matching: it decides between objects that are equally near
EMPTY: tuple[Value, ...] = ()
AS_BOXES = Hint("kind", "boxes")


class Merged(NamedTuple):
    """A new value for each item that has annotations."""

    item: Indices
    values: Sequence[Value]
    support: Floats
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemObjects:
    """The objects of all annotations, those of one item together, those of one annotation together in it."""

    item: Indices
    row: Indices  # the annotation
    thing: list[Value]
    label: Indices  # places among the names
    names: Sequence[str | int | None]
    packed: Any  # by the kind, one object after the other


def merged(
    within: Within,
    *,
    how: Middle | None,
    quorum: float | None,
    cutoff: float,
    weight: Floats | None,
    match: IntoDistance | None,
) -> Merged:
    """A new value for each item."""
    kind, merging = _merging(within)
    if how not in (None, "mean", "median"):
        raise KindError(f"how is 'mean' or 'median', got {how!r}")
    if not cutoff >= 0:
        raise KindError(f"cutoff is a distance from 0 up, got {cutoff!r}")
    if quorum is not None and not quorum > 0:
        raise KindError(f"quorum is a number of annotators, or below 1 a share of them, and above 0; got {quorum!r}")
    weigh = within.share if weight is None else within.share * weight[within.person]
    middle = how or merging.middle
    if isinstance(merging, Averaging):
        return _averaged(within, merging, middle, weigh)
    return _matched(within, kind, merging, middle, weigh, quorum, cutoff, match)


def _merging(within: Within) -> tuple[Kind, Merging]:
    kind = within.study.kind
    if kind.merge is None and not within.study.of_kind and numbers(within.study.values) is not None:
        kind = KINDS["numbers"]  # ordered ones, or spelled as strings
    if kind.merge is None:
        mergeable = [name for name, known in KINDS.items() if known.merge is not None]
        raise KindError(
            f"{listing(mergeable, quote=False)} can be merged, and these are {kind}; take medoid, which chooses one "
            f"annotation of each item, or say what they are, as in {AS_BOXES}",
            hints=[AS_BOXES],
        )
    return kind, kind.merge


def _averaged(within: Within, averaging: Averaging, middle: Middle, weigh: Floats) -> Merged:
    item, of = np.unique(within.item, return_inverse=True)
    of = of.reshape(-1)
    rows = averaging.rows(within.study.values)[within.value]
    made = middles(of, rows, weigh, len(item), middle)
    same = (np.abs(rows - made[of]) <= ALIKE * np.abs(rows)).all(axis=1)
    support = totals(of, within.share * same, len(item))
    return Merged(
        item.astype(np.intp), list(map(averaging.value, made.tolist())), support, (f"the {middle} of the annotations",)
    )


def _matched(  # noqa: PLR0917 -- called in one place
    within: Within,
    kind: Kind,
    matching: Matching,
    middle: Middle,
    weigh: Floats,
    quorum: float | None,
    cutoff: float,
    match: IntoDistance | None,
) -> Merged:
    objects = _objects(within, kind, matching)
    cluster = _clusters(objects, _far(objects, kind, matching, match), len(within.study.items), cutoff)
    count = int(cluster.max(initial=-1)) + 1
    item = np.zeros(count, dtype=np.intp)
    item[cluster] = objects.item
    support = totals(cluster, within.share[objects.row], count)
    needed = _needed(within, weigh, quorum)
    backing = support if quorum is not None and quorum >= 1 else totals(cluster, weigh[objects.row], count)
    kept = backing >= needed[item] if quorum is not None else backing > needed[item]
    in_clusters = Matched(
        objects.thing, objects.packed, objects.label, objects.names, cluster, weigh[objects.row], count
    )
    made = matching.make(in_clusters, middle)
    return _collected(within, item, support, kept, made, matching)


def _needed(within: Within, weigh: Floats, quorum: float | None) -> Floats:
    """What a cluster of each item needs behind it; rounding is allowed for."""
    count = len(within.study.items)
    heavy = totals(within.item, weigh, count)
    if quorum is None:
        return heavy / 2 * (1 + ALIKE)
    return np.full(count, quorum * (1 - ALIKE)) if quorum >= 1 else quorum * heavy * (1 - ALIKE)


def _collected(  # noqa: PLR0917 -- called in one place
    within: Within, item: Indices, support: Floats, kept: Booleans, made: Sequence[Value], matching: Matching
) -> Merged:
    items = np.flatnonzero(within.size > 0)
    lists: dict[int, list[Value]] = {code: [] for code in items.tolist()}
    for number in np.flatnonzero(kept).tolist():
        lists[int(item[number])].append(made[number])
    counts = np.bincount(item[kept], minlength=len(within.study.items))
    sums = totals(item[kept], support[kept], len(within.study.items))
    empty = np.array([value == EMPTY for value in within.study.values], dtype=bool)
    nothing = totals(within.item, within.share * empty[within.value], len(within.study.items))
    behind = np.where(counts > 0, sums / np.maximum(counts, 1), nothing)
    lost = int((~kept).sum())
    notes = (
        f"{counted(int(kept.sum()), 'object')} merged, {lost:,} left out for want of support" if len(kept) else "",
        f"{counted(int((counts[items] == 0).sum()), 'item')} without an object that enough annotators support"
        if (counts[items] == 0).any()
        else "",
    )
    values = [tuple(sorted(lists[code], key=matching.order)) for code in items.tolist()]
    return Merged(items, values, behind[items], notes)


def _objects(within: Within, kind: Kind, matching: Matching) -> ItemObjects:
    """The objects of all annotations, the annotation nearest to the others of its item first."""
    values = within.study.values
    kind.packed(values)  # which says what is wrong with them
    lists = [matching.objects(value) for value in values]
    rows = np.lexsort((*_turn(within), within.item))
    sizes = np.array([len(lists[code]) for code in within.value[rows].tolist()], dtype=np.intp)
    row = np.repeat(rows, sizes)
    thing = [one for code in within.value[rows].tolist() for one in lists[code]]
    named = [matching.label(one) for one in thing]
    names = sorted(set(named), key=canonical)
    place = {name: number for number, name in enumerate(names)}
    label = np.array([place[name] for name in named], dtype=np.intp)
    packed = kind.packed([(one,) for one in thing])
    return ItemObjects(within.item[row], row, thing, label, names, packed)


def _turn(within: Within) -> tuple[Floats, Floats]:
    """In what order the annotations of an item come: by their distance to the others, then by the values themselves."""
    cells, score = within.cells, within.scores()
    most = np.zeros(len(within.study.items))
    np.maximum.at(most, cells.item, score)
    scale = most[cells.item]
    rounded = np.divide(score, scale, out=np.zeros(len(score)), where=scale > 0).round(9)
    group = np.stack([cells.item, rounded], axis=1)
    _, inverse, often = np.unique(group, axis=0, return_inverse=True, return_counts=True)
    tied = np.flatnonzero(often[inverse.reshape(-1)] > 1)
    text = np.zeros(len(score))
    text[tied] = in_sorted_order([within.study.values[code] for code in cells.value[tied].tolist()])
    return text[cells.of], rounded[cells.of]


def _far(
    objects: ItemObjects, kind: Kind, matching: Matching, match: IntoDistance | None
) -> Callable[[Indices, Indices], Floats]:
    usual = matching.distance
    if match is None and not isinstance(usual, str):
        of_objects = usual
        return lambda x, y: of_objects(objects.packed, x, y)
    # An object alone is a list of one, so a distance of lists is also one of objects.
    distance = find(str(usual) if match is None else match)
    return PairDistances(distance, [(one,) for one in objects.thing], kind=kind.name)


def _clusters(objects: ItemObjects, far: Callable[[Indices, Indices], Floats], items: int, cutoff: float) -> Indices:
    """The cluster of each object, numbered through all items."""
    count = len(objects.item)
    cluster = np.zeros(count, dtype=np.intp)
    if not count:
        return cluster
    # A study whose annotations are objects, for the pairs within items.
    things = Annotations(
        objects.item, np.zeros(count, dtype=np.int8), np.zeros(count, dtype=np.intp), range(items), (), (None,)
    )
    begins = starts(np.bincount(objects.item, minlength=items).tolist())
    used = 0
    for first, second in within_items(things, whole=True):
        if not len(first):
            continue
        distances = far(first, second)
        heads = np.flatnonzero(np.diff(objects.item[first], prepend=-1))
        for low, high in zip(heads.tolist(), [*heads[1:].tolist(), len(first)], strict=True):
            item = int(objects.item[first[low]])
            here = slice(int(begins[item]), int(begins[item + 1]))
            clusters = assigned(objects.row[here], objects.label[here], distances[low:high], cutoff)
            cluster[here] = clusters + used
            used += int(clusters.max()) + 1
    alone = np.flatnonzero(np.bincount(objects.item, minlength=items) == 1)
    cluster[begins[alone]] = np.arange(len(alone)) + used
    return cluster


def assigned(row: Indices, label: Indices, distances: Floats, cutoff: float) -> Indices:
    """The clusters of the objects of one item, annotation by annotation.

    Args:
        row: The annotation of each object; those of one annotation stand together, and come in turn.
        label: The label of each.
        distances: The distances of all pairs, each once, in the order of `np.triu_indices`.
        cutoff: How far apart objects of one cluster may be.
    """
    from scipy.optimize import linear_sum_assignment

    count = len(row)
    far = np.zeros((count, count))
    far[np.triu_indices(count, 1)] = distances
    far += far.T
    other = OTHER_LABEL * (label[:, None] != label[None, :])
    near_sum, other_sum, size = np.zeros((count, count)), np.zeros((count, count)), np.zeros(count)
    cluster = np.full(count, -1, dtype=np.intp)
    used = 0
    heads = np.flatnonzero(np.diff(row, prepend=-1))
    for low, high in zip(heads.tolist(), [*heads[1:].tolist(), count], strict=True):
        here = np.arange(low, high)
        if used:
            mean_far = near_sum[low:high, :used] / size[:used]
            cost = mean_far + other_sum[low:high, :used] / size[:used]
            allowed = mean_far <= cutoff * (1 + ALIKE)
            mine, theirs = linear_sum_assignment(np.where(allowed, cost, cutoff + 2 * OTHER_LABEL))
            good = allowed[mine, theirs]
            cluster[low + mine[good]] = theirs[good]
        fresh = here[cluster[here] < 0]
        cluster[fresh] = used + np.arange(len(fresh))
        used += len(fresh)
        near_sum[:, cluster[here]] += far[:, here]
        other_sum[:, cluster[here]] += other[:, here]
        size[cluster[here]] += 1
    return cluster
