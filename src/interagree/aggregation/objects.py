"""One answer for each item out of what annotators said, by distances alone.

    >>> import interagree as ia
    >>> heights = {"ann": [170, 181], "bo": [171, 180], "cy": [150, 180]}
    >>> ia.medoid(heights).values
    {0: 170, 1: 180}

`medoid`, `best_annotator` and `weighted_medoid` choose one of the annotations of each item and take values of any
kind; `merge` makes a new value (of boxes, spans, keypoints, vectors and numbers), and so does `borda` (of rankings);
`median` is the middle one of ordered values and of numbers.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Unpack

import numpy as np

from interagree.aggregation.medoids import (
    Cells,
    Chosen,
    Nearness,
    Within,
    best_annotators,
    medoids,
    settled,
    weighted_medoids,
)
from interagree.aggregation.object_scoring import Score, answers, none_shared, over_items, together
from interagree.arrays import Floats
from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.provenance import Step, counted
from interagree.data.types import Values
from interagree.data.values import numbers
from interagree.declare import Distance, takes_data
from interagree.distances import IntoDistance, find, taken_as, usual
from interagree.errors import DataError, KindError
from interagree.stats.engine.compress import totals
from interagree.tables import Table

__all__ = ["Consensus", "Score", "best_annotator", "borda", "median", "medoid", "merge", "weighted_medoid"]

SUPPORT = "the number of annotators"
NEARNESS = "how near the annotators are to others"
ORDER = "sorted order"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Consensus:
    """One value for each item, how far the annotations are from it, and how near it comes to gold answers."""

    method: str
    within: Within
    item: Any  # places of the items that have a consensus
    answer: Sequence[Any]  # their values
    support: Floats  # how many annotators stand behind each
    chosen: bool  # whether values are annotations, or made of them
    weight: Floats | None = None  # what each annotator weighs; None where all count alike
    notes: tuple[str, ...] = ()
    _cache: dict[str, Any] = field(default_factory=dict)

    @property
    def study(self) -> Annotations:
        """The annotations."""
        return self.within.study

    @property
    def distance(self) -> Distance:
        """The distance of values."""
        return self.within.distance

    @property
    def values(self) -> dict[Hashable, Any]:
        """The consensus of each item."""
        return dict(zip(self._items(), self.answer, strict=True))

    def _items(self) -> list[Hashable]:
        return [self.study.items[code] for code in self.item.tolist()]

    def _once(self, name: str, make: Any) -> Any:
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    def _apart(self) -> Floats:
        """How far each annotation is from the consensus of its item."""

        def far() -> Floats:
            values, codes = together(self.study.values, self.answer)
            of_item = np.zeros(len(self.study.items), dtype=np.intp)
            of_item[self.item] = codes
            return self.within.apart(values)(self.within.value, of_item[self.within.item])

        found: Floats = self._once("apart", far)
        return found

    def _means(self) -> Floats:
        sums = totals(self.within.item, self.within.share * self._apart(), len(self.study.items))
        mean: Floats = sums[self.item] / self.within.size[self.item]
        return mean

    def confidence(self) -> Floats:
        r"""How sure the consensus of each item is: $1 / (1 + d_i / \bar d)$, nan for an item with one annotator.

        $d_i$ is the mean distance of the annotators to the consensus, and $\bar d$ its mean over items: 1 where
        all gave the consensus, 1/2 on an item like the average one.  Where the consensus is one of the annotations,
        the annotator who gave it is left out of $d_i$.
        """
        size = self.within.size[self.item]
        d = self._means() * size / np.maximum(size - self.chosen, 1)
        several = size > 1
        typical = float(d[several].mean()) if several.any() else 0.0
        sure = 1 / (1 + d / typical) if typical > 0 else np.ones(len(d))
        return np.where(several, sure, np.nan)

    def table(self) -> Table:
        """For each item: the consensus, how many annotations it rests on and how many annotators support it.

        ``support`` is how many annotators gave the value; for merged objects, how many drew the average object.
        ``distance`` is the mean distance of the annotators to the consensus.
        """
        return Table(
            {
                "item": self._items(),
                "value": list(self.answer),
                "annotations": self.study.sizes()[self.item].tolist(),
                "support": self.support.tolist(),
                "distance": self._means().tolist(),
                "confidence": self.confidence().tolist(),
            },
            title=self.headline(),
            foot="; ".join(self.notes),
        )

    def annotators(self) -> Table:
        """For each annotator: items, mean distance to the consensus and to co-annotators, and weight.

        The distance to the consensus favours those whose annotations were chosen; that to the others does not.
        ``shrunk`` is the latter, pulled to the mean of all as far as it is uncertain.
        """
        if self.study.anonymous:
            raise KindError(
                "this study does not say who gave which value (it was made from counts), so there is no table of "
                "annotators; read the annotations themselves"
            )
        people, within = self.within.people, self.within
        near: Nearness = self._once("near", lambda: within.nearness(self.weight))
        items = totals(within.person, within.share, people)
        there = np.flatnonzero(items > 0)
        sums = totals(within.person, within.share * self._apart(), people)
        weight = np.ones(people) if self.weight is None else self.weight
        columns: dict[str, Sequence[Any]] = {
            "annotator": [self.study.annotators[code] for code in there.tolist()],
            "items": [round(number) for number in items[there].tolist()],
            "distance": (sums[there] / items[there]).tolist(),
            "to others": near.mean[there].tolist(),
            "shrunk": near.shrunk[there].tolist(),
            "weight": weight[there].tolist(),
        }
        return Table(columns, title=f"Annotators, by {self.distance} distance").sort("shrunk")

    def score(self, gold: Any, distance: IntoDistance | None = None, *, level: float = 0.95) -> Score:
        """The mean distance to gold answers, beside that of a random annotator and of the best choice.

        Args:
            gold: A mapping of items to values, or a study with one annotation for each item.
            distance: Another distance than the one the consensus was made by.
            level: The level of the t interval over items.
        """
        if not 0 < level < 1:
            raise KindError(f"a level lies between 0 and 1, such as 0.95; got {level!r}")
        known = answers(gold)
        within = self.within
        if distance is not None:
            within = Within(self.study, find(distance))
        has = np.array([item in known for item in self._items()], dtype=bool)
        if not has.any():
            raise none_shared(self.study, known)
        item, names = self.item[has], [name for name in self._items() if name in known]
        values, codes = together(
            self.study.values,
            [
                *(one for one, there in zip(self.answer, has, strict=True) if there),
                *(known[name] for name in names),
            ],
        )
        ours, truth = codes[: len(names)], codes[len(names) :]
        place = np.full(len(self.study.items), -1, dtype=np.intp)
        place[item] = np.arange(len(item))
        rows = np.flatnonzero(place[within.item] >= 0)
        of = place[within.item[rows]]
        far = within.apart(values)(
            np.concatenate([ours, within.value[rows]]), np.concatenate([truth, truth[of]])
        )
        ours_far, all_far = far[: len(names)], far[len(names) :]
        random = totals(of, within.share[rows] * all_far, len(names)) / within.size[item]
        best = np.full(len(names), np.inf)
        np.minimum.at(best, of, all_far)
        found = {"consensus": ours_far, "random annotator": random, "best choice": best}
        return Score(
            value=float(ours_far.mean()),
            random=float(random.mean()),
            oracle=float(best.mean()),
            items=len(names),
            missing=int((~has).sum()),
            unseen=len(known.keys() - set(names)),
            distance=str(within.distance),
            interval=over_items(ours_far, level, 1.0 if self.distance.bounded else math.inf),
            found=found,
            names=names,
        )

    def to_annotations(self) -> Annotations:
        """The consensus as a study of one annotator, to be measured against others or written to a file."""
        table = self.table()
        made = Annotations.from_columns(
            table["item"],
            [self.method] * len(table),
            table["value"],
            attributes={
                name: np.array(table[name]) for name in ("annotations", "support", "distance", "confidence")
            },
            provenance=self.study.provenance.then(Step("taken", self.headline(), len(table))),
        )
        return replace(made, of_kind=self.study.of_kind)

    def headline(self) -> str:
        """What this is, in a few words."""
        return f"{self.method} of {counted(len(self.answer), 'item')} by {self.distance} distance"

    def __len__(self) -> int:
        return len(self.answer)

    def __repr__(self) -> str:
        return f"<Consensus: {self.headline()}>"

    def __str__(self) -> str:
        mean = float(self._means().mean()) if len(self.answer) else float("nan")
        return f"{self.headline()}: the annotators are {mean:.3f} from it on average"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


@takes_data
def medoid(
    data: IntoAnnotations,
    *others: Values,
    distance: IntoDistance | None = None,
    **reading: Unpack[ReadingOptions],
) -> Consensus:
    """For each item the annotation with the smallest summed distance to the others of the item.

    Of several such values the one that most annotators gave is taken, then the one of the annotator who is nearest to
    others in the whole study, then the first in sorted order; how often that was needed is said in ``notes``.

    Args:
        data: Annotations.
        distance: A name, a `Distance` or a function of two values; by default the usual one for the kind of value.
    """
    within = prepared(data, distance)
    found = medoids(within)
    note = settled(found, "equally near to the annotations", (SUPPORT, NEARNESS, ORDER))
    return _chosen("medoid", within, found, (note,))


@takes_data
def best_annotator(
    data: IntoAnnotations,
    *others: Values,
    distance: IntoDistance | None = None,
    **reading: Unpack[ReadingOptions],
) -> Consensus:
    """For each item the annotation of the annotator who is nearest to her co-annotators in the whole study.

    Her mean distance to them is pulled to the mean of all as far as it is uncertain (empirical Bayes).  Of several
    annotators equally near, and of several judgements of one, the medoid is taken.

    Args:
        data: Annotations.
        distance: A name, a `Distance` or a function of two values; by default the usual one for the kind of value.
    """
    within = prepared(data, distance)
    if within.study.anonymous:
        raise KindError(
            "the best annotator of an item cannot be told where nobody knows who gave which value (the study was made "
            "from counts); take medoid, which does not need to know"
        )
    near = within.nearness()
    found = best_annotators(within, near)
    note = settled(found, "by annotators equally near", ("distance to the annotations", SUPPORT, ORDER))
    return _chosen("best_annotator", within, found, (note,))


@takes_data
def weighted_medoid(
    data: IntoAnnotations,
    *others: Values,
    distance: IntoDistance | None = None,
    **reading: Unpack[ReadingOptions],
) -> Consensus:
    """The medoid with annotators weighed by how near they are to their co-annotators, found again until stable.

    A weight is the mean of all over her own shrunk mean distance to the others, at most 10; the others are weighed in
    that mean, so weights are found again until none changes by one in a million, at most 50 times.

    Args:
        data: Annotations.
        distance: A name, a `Distance` or a function of two values; by default the usual one for the kind of value.
    """
    within = prepared(data, distance)
    if within.study.anonymous:
        raise KindError(
            "annotators cannot be weighed where nobody knows who gave which value (the study was made from counts); "
            "take medoid, which does not need to know"
        )
    weight, near, rounds = within.reliability()
    found = weighted_medoids(within, weight, near)
    notes = (
        settled(found, "equally near to the annotations", (SUPPORT, NEARNESS, ORDER)),
        f"weights of annotators found {counted(rounds, 'time')}",
    )
    return _chosen("weighted_medoid", within, found, notes, weight)


@takes_data
def merge(
    data: IntoAnnotations,
    *others: Values,
    how: Literal["mean", "median"] | None = None,
    quorum: float | None = None,
    cutoff: float = 0.7,
    weights: Literal["reliability"] | Mapping[Hashable, float] | None = None,
    match: IntoDistance | None = None,
    distance: IntoDistance | None = None,
    **reading: Unpack[ReadingOptions],
) -> Consensus:
    """For each item a new value made of all annotations: numbers, vectors, boxes, spans or keypoints.

    The objects of all annotators are matched one to one into clusters, at most one object of an annotation in each;
    clusters that enough annotators support are kept and merged.  Where values of an item are numbers or vectors they
    are one cluster.

    Args:
        data: Annotations.
        how: "mean" or "median"; by default the median for boxes and spans, else the mean.
        quorum: How many annotators must support an object, or below 1 which share of them (of their weights); by
            default more than half.  Where annotators miss more than they invent, less is better, such as 0.3.
        cutoff: How far apart two objects may be, on average over a cluster, to be the same one.
        weights: "reliability" weighs annotators as `weighted_medoid` does; or a weight for each annotator by name.
        match: The distance by which single objects are matched; by default iou for boxes, oks for keypoints, and for
            spans the share of places that only one of two covers.
        distance: The distance of whole values, for the tables and the weights; by default the usual one.
    """
    from interagree.aggregation.merging import merged

    within = prepared(data, distance)
    scale = within.study.kind == "ordered" or numbers(within.study.values) is not None
    if distance is None and scale:  # a mean need not be one of the values
        within = Within(within.study, find("interval"))
    weight = _weights(within, weights)
    made = merged(within, how=how, quorum=quorum, cutoff=cutoff, weight=weight, match=match)
    return _made("merge", within, made.item, made.values, made.support, weight, made.notes)


@takes_data
def median(data: IntoAnnotations, *others: Values, **reading: Unpack[ReadingOptions]) -> Consensus:
    """For each item the middle one of its values, which must have an order or be numbers.

    Of ordered values it is always one that was given; of two in the middle the one that more annotators gave, then the
    one of the annotator who is nearest to others in the whole study, then the lower one.  Of numbers it is the mean of
    the two in the middle.

    Args:
        data: Ordered values or numbers.
        others: See `Annotations.of`.
        reading: See `Annotations.of`.
    """
    within = prepared(data, None)
    word = within.study.kind
    if word != "ordered" and numbers(within.study.values) is not None:
        return replace(merge(within.study, how="median"), method="median")
    if word != "ordered":
        raise KindError(
            f"a median needs values in an order, or numbers, and these are {word}; state the order, as in "
            "values=['low', 'mid', 'high'], ordered=True, or take majority_vote"
        )
    # The value with the smallest summed difference of places from the others is in the middle of them.
    steps = Within(within.study, find("linear"))
    found = medoids(steps)
    note = settled(found, "in the middle", (SUPPORT, NEARNESS, ORDER))
    return _chosen("median", steps, found, (note,))


@takes_data
def borda(
    data: IntoAnnotations,
    *others: Values,
    top: int | None = None,
    weights: Literal["reliability"] | Mapping[Hashable, float] | None = None,
    distance: IntoDistance | None = None,
    kind: str | None = "rankings",
    **reading: Any,  # without kind, which has a default of its own
) -> Consensus:
    """For each item one ranking out of all: every annotator gives an entry a point for each one she puts behind it.

    Entries that an annotator did not list share the places behind her list.  The consensus ranks all entries that
    anybody listed; of entries with equal points the one that more annotators listed comes first, then the first in
    sorted order, and how often that was needed is said in ``notes``.

    Args:
        data: Rankings, the best first; lists may be of unequal length.
        top: How many entries to keep; all by default.
        weights: "reliability" weighs annotators as `weighted_medoid` does; or a weight for each annotator by name.
        distance: The distance of two rankings, for the tables and the weights; by default the usual one.
        kind: What the values are.
    """
    from interagree.aggregation.rankings import ranked

    within = prepared(data, distance, kind)
    weight = _weights(within, weights)
    made = ranked(within, weight=weight, top=top)
    return _made("borda", within, made.item, made.values, made.support, weight, made.notes)


def prepared(data: IntoAnnotations, distance: IntoDistance | None, kind: str | None = None) -> Within:
    """The annotations of a study with the distance that is meant."""
    study = as_annotations(data)
    if not len(study):
        raise DataError("there is nothing to find a consensus of: the study has no annotations")
    study = study if kind is None else study.taken_as(kind)
    if distance is not None:
        return Within(study, find(distance))
    found = usual(study)
    return Within(study, found, taken_as(study, found) if study.recognised.doubt else ())


def _weights(within: Within, weights: Any) -> Floats | None:
    if weights is None:
        return None
    if within.study.anonymous:
        raise KindError(
            "annotators cannot be weighed where nobody knows who gave which value (the study was made from counts); "
            "leave weights= out"
        )
    if weights == "reliability":
        return within.reliability()[0]
    if not isinstance(weights, Mapping):
        raise KindError(f"weights are 'reliability' or a number for each annotator by name, got {weights!r}")
    absent = [name for name in within.study.annotators if name not in weights]
    if absent:
        raise DataError(f"weights lack {counted(len(absent), 'annotator')}, such as {absent[0]!r}")
    found = np.array([float(weights[name]) for name in within.study.annotators])
    if not (np.isfinite(found).all() and (found > 0).all()):
        raise DataError("weights of annotators must be finite and above 0; leave annotators out instead")
    return found


def _chosen(
    method: str, within: Within, found: Chosen, notes: Sequence[str], weight: Floats | None = None
) -> Consensus:
    cells: Cells = within.cells
    places = cells.value[found.cell]
    answer = [within.study.values[code] for code in places.tolist()]
    said = (*_noticed(within), *notes)
    return Consensus(
        method,
        within,
        cells.item[found.cell],
        answer,
        cells.support[found.cell],
        chosen=True,
        weight=weight,
        notes=tuple(filter(None, said)),
    )


def _made(  # noqa: PLR0917 -- called twice
    method: str,
    within: Within,
    item: Any,
    values: Sequence[Any],
    support: Floats,
    weight: Floats | None,
    notes: Sequence[str],
) -> Consensus:
    said = tuple(filter(None, (*_noticed(within), *notes)))
    return Consensus(method, within, item, values, support, chosen=False, weight=weight, notes=said)


def _noticed(within: Within) -> list[str]:
    """What must be said of items that offer no choice."""
    sizes = np.round(within.size)
    alone, none = int(np.count_nonzero(sizes == 1)), int(np.count_nonzero(sizes == 0))
    said = [*within.taken]
    if alone:
        said.append(f"{counted(alone, 'item')} with one annotator kept unchanged")
    if none:
        said.append(f"{counted(none, 'item')} without annotations left out")
    return said
