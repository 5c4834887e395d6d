"""One answer for each item out of what annotators said, by distances alone.

    >>> import interagree as ia
    >>> heights = {"ann": [170, 181], "bo": [171, 180], "cy": [150, 180]}
    >>> ia.crowd.medoid(heights, distance="linear").values
    {0: 170, 1: 180}

`medoid`, `best_annotator` and `weighted_medoid` choose one of the annotations of each item and take values of any
kind; `merge` makes a new value (of boxes, spans, keypoints, vectors and numbers), and so does `borda` (of rankings);
`median` is the middle one of ordered values and of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, Unpack

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.crowd.consensus import Consensus
from interagree.crowd.medoids import (
    ChosenPlaces,
    Within,
    best_annotators,
    collected,
    medoids,
    settled,
    weighted_medoids,
)
from interagree.crowd.merging import merged
from interagree.crowd.rankings import ranked
from interagree.data import IntoAnnotations, ReadingOptions
from interagree.data.provenance import counted
from interagree.data.types import Annotator, Value, Values
from interagree.data.values import numbers
from interagree.declare import takes_data
from interagree.distances import IntoDistance, find, taken_as, usual
from interagree.errors import DataError, Hint, KindError

__all__ = ["best_annotator", "borda", "median", "medoid", "merge", "weighted_medoid"]

Weights: TypeAlias = Literal["reliability"] | Mapping[Annotator, float]
SUPPORT = "the number of annotators"
NEARNESS = "how near the annotators are to others"
ORDER = "sorted order"
MEDOID = "take medoid, which does not need to know"


@takes_data
def medoid(
    data: IntoAnnotations, *others: Values, distance: IntoDistance | None = None, **reading: Unpack[ReadingOptions]
) -> Consensus:
    """For each item the annotation with the smallest summed distance to the others of the item.

    Of several such values the one that most annotators gave is taken, then the one of the annotator who is nearest to
    others in the whole study, then the first in sorted order; ``notes`` says how often that was needed.

    Args:
        data: Annotations.
        distance: A name, a `Distance` or a function of two values; by default the usual one for the kind of value.

    Returns:
        One of the annotations of each item, with its support and distance to the others.

    Examples:
        >>> from interagree.crowd import medoid
        >>> medoid({"ann": [170, 181], "bo": [171, 180], "cy": [150, 180]}, distance="linear").values
        {0: 170, 1: 180}
    """
    within = prepared(data, distance)
    choice = medoids(within)
    note = settled(choice, "equally near to the annotations", (SUPPORT, NEARNESS, ORDER))
    return _chosen("medoid", within, choice, (note,))


@takes_data
def best_annotator(
    data: IntoAnnotations, *others: Values, distance: IntoDistance | None = None, **reading: Unpack[ReadingOptions]
) -> Consensus:
    """For each item the annotation of the annotator who is nearest to their co-annotators in the whole study.

    The mean distance to them is pulled to the mean of all as far as it is uncertain (empirical Bayes).  Of several
    annotators equally near, and of several judgements of one, the medoid is taken.

    Args:
        data: Annotations.
        distance: A name, a `Distance` or a function of two values; by default the usual one for the kind of value.

    Returns:
        One of the annotations of each item, with its support and distance to the others.

    Examples:
        >>> from interagree.crowd import best_annotator
        >>> best_annotator({"ann": [170, 181], "bo": [171, 180], "cy": [150, 180]}, distance="linear").values
        {0: 170, 1: 180}
    """
    within = prepared(data, distance)
    _need_names(within, "the best annotator of an item cannot be determined", MEDOID)
    near = within.nearness()
    choice = best_annotators(within, near)
    note = settled(choice, "by annotators equally near", ("distance to the annotations", SUPPORT, ORDER))
    return _chosen("best_annotator", within, choice, (note,))


@takes_data
def weighted_medoid(
    data: IntoAnnotations, *others: Values, distance: IntoDistance | None = None, **reading: Unpack[ReadingOptions]
) -> Consensus:
    """The medoid with annotators weighed by how near they are to their co-annotators, found again until stable.

    A weight is the mean of all over the annotator's own shrunk mean distance to the others, at most 10; the others are
    weighed in that mean, so weights are found again until none changes by one in a million, at most 50 times.

    Args:
        data: Annotations.
        distance: A name, a `Distance` or a function of two values; by default the usual one for the kind of value.

    Returns:
        One of the annotations of each item, and the weights of the annotators.

    Examples:
        >>> from interagree.crowd import weighted_medoid
        >>> weighted_medoid({"ann": [170, 181], "bo": [171, 180], "cy": [150, 180]}, distance="linear").values
        {0: 170, 1: 180}
    """
    within = prepared(data, distance)
    _need_names(within, "annotators cannot be weighed", MEDOID)
    weight, near, rounds = within.reliability()
    choice = weighted_medoids(within, weight, near)
    notes = (
        settled(choice, "equally near to the annotations", (SUPPORT, NEARNESS, ORDER)),
        f"weights of annotators found {counted(rounds, 'time')}",
    )
    return _chosen("weighted_medoid", within, choice, notes, weight)


@takes_data
def merge(
    data: IntoAnnotations,
    *others: Values,
    how: Literal["mean", "median"] | None = None,
    quorum: float | None = None,
    cutoff: float = 0.7,
    weights: Weights | None = None,
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

    Returns:
        A new value for each item, with its support and distance to the annotations.

    Examples:
        >>> from interagree.crowd import merge
        >>> merge({"ann": [170, 181], "bo": [171, 180], "cy": [150, 180]}, how="median").values
        {0: 170.0, 1: 180.0}
    """
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

    Returns:
        The middle value of each item, with its support and distance to the annotations.

    Examples:
        >>> from interagree.crowd.objects import median
        >>> median({"ann": [170, 181], "bo": [171, 180], "cy": [150, 180]}).values
        {0: 170.0, 1: 180.0}
    """
    within = prepared(data, None)
    word = within.study.kind
    if word != "ordered" and numbers(within.study.values) is not None:
        return replace(merge(within.study, how="median"), method="median")
    if word != "ordered":
        hints = [Hint("values", ["low", "mid", "high"]), Hint("ordered", value=True)]
        raise KindError(
            f"a median needs values in an order, or numbers, and these are {word}; state the order, as in "
            f"{hints[0]}, {hints[1]}, or take majority_vote",
            hints=hints,
        )
    # The value with the smallest summed difference of places from the others is in the middle of them.
    steps = Within(within.study, find("linear"))
    choice = medoids(steps)
    note = settled(choice, "in the middle", (SUPPORT, NEARNESS, ORDER))
    return _chosen("median", steps, choice, (note,))


@takes_data
def borda(
    data: IntoAnnotations,
    *others: Values,
    top: int | None = None,
    weights: Weights | None = None,
    distance: IntoDistance | None = None,
    kind: str | None = "rankings",
    **reading: object,  # without kind, which has a default of its own
) -> Consensus:
    """For each item one ranking out of all: every annotator gives an entry a point for each one they rank below it.

    Entries that an annotator did not list share the places after their list.  The consensus ranks all entries that
    anybody listed; of entries with equal points the one that more annotators listed comes first, then the first in
    sorted order, and ``notes`` says how often that was needed.

    Args:
        data: Rankings, the best first; lists may be of unequal length.
        top: How many entries to keep; all by default.
        weights: "reliability" weighs annotators as `weighted_medoid` does; or a weight for each annotator by name.
        distance: The distance of two rankings, for the tables and the weights; by default the usual one.
        kind: What the values are.

    Returns:
        A ranking for each item, with its support and distance to the annotations.

    Examples:
        >>> import interagree as ia
        >>> rankings = {"ann": [("a", "b", "c")], "bo": [("a", "c", "b")], "cy": [("b", "a", "c")]}
        >>> ia.crowd.borda(rankings).values
        {0: ('a', 'b', 'c')}
    """
    within = prepared(data, distance, kind)
    weight = _weights(within, weights)
    made = ranked(within, weight=weight, top=top)
    return _made("borda", within, made.item, made.values, made.support, weight, made.notes)


def prepared(data: IntoAnnotations, distance: IntoDistance | None, kind: str | None = None) -> Within:
    """The annotations of a study with the distance that is meant."""
    study = collected(data)
    study = study if kind is None else study.taken_as(kind)
    if distance is not None:
        return Within(study, find(distance))
    distance = usual(study)
    return Within(study, distance, taken_as(study, distance) if study.recognised.doubt else ())


def _need_names(within: Within, problem: str, advice: str) -> None:
    if within.study.anonymous:
        nobody = "nobody knows who gave which value (the study was made from counts)"
        raise KindError(f"{problem} where {nobody}; {advice}")


def _weights(within: Within, weights: Weights | None) -> Floats | None:
    if weights is None:
        return None
    _need_names(within, "annotators cannot be weighed", "leave the weights out")
    if weights == "reliability":
        return within.reliability()[0]
    if not isinstance(weights, Mapping):
        raise KindError(f"weights are 'reliability' or a number for each annotator by name, got {weights!r}")
    absent = [name for name in within.study.annotators if name not in weights]
    if absent:
        raise DataError(f"weights lack {counted(len(absent), 'annotator')}, such as {absent[0]!r}")
    factors = np.array([float(weights[name]) for name in within.study.annotators])
    if not (np.isfinite(factors).all() and (factors > 0).all()):
        raise DataError("weights of annotators must be finite and above 0; leave annotators out instead")
    return factors


def _chosen(
    method: str, within: Within, choice: ChosenPlaces, notes: Sequence[str], weight: Floats | None = None
) -> Consensus:
    cells = within.cells
    places = cells.value[choice.cell]
    answer = [within.study.values[code] for code in places.tolist()]
    return Consensus(
        method,
        within,
        cells.item[choice.cell],
        answer,
        cells.support[choice.cell],
        chosen=True,
        weight=weight,
        notes=tuple(filter(None, (*_noticed(within), *notes))),
    )


def _made(  # noqa: PLR0917 -- called twice
    method: str,
    within: Within,
    item: Indices,
    values: Sequence[Value],
    support: Floats,
    weight: Floats | None,
    notes: Sequence[str],
) -> Consensus:
    noted = tuple(filter(None, (*_noticed(within), *notes)))
    return Consensus(method, within, item, values, support, chosen=False, weight=weight, notes=noted)


def _noticed(within: Within) -> list[str]:
    sizes = np.round(within.size)
    alone, none = int(np.count_nonzero(sizes == 1)), int(np.count_nonzero(sizes == 0))
    notes = [*within.taken]
    if alone:
        notes.append(f"{counted(alone, 'item')} with one annotator kept unchanged")
    if none:
        notes.append(f"{counted(none, 'item')} without annotations left out")
    return notes
