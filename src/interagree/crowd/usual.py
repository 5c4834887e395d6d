"""One answer for each item by the method that suits the kind of value, or by one that is named."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Unpack

from interagree.crowd import labels, objects
from interagree.crowd.choosing import VOTE
from interagree.crowd.consensus import Consensus
from interagree.crowd.label_consensus import LabelConsensus
from interagree.crowd.number_consensus import debiased_mean
from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.types import Values
from interagree.data.values import numbers
from interagree.declare import takes_data
from interagree.errors import Advice, KindError, UnknownName, Wording, listing, suggestion

MANY = 200_000  # annotations up to which models are compared where nobody asks for it

AnyConsensus = Consensus | LabelConsensus

METHODS: dict[str, Callable[..., AnyConsensus]] = {
    **{name: getattr(module, name) for module in (objects, labels) for name in module.__all__},
    "debiased_mean": debiased_mean,
}


def usual_method(data: IntoAnnotations) -> tuple[str, str]:
    """The usual way to one answer for the kind of value, and why, as a sentence."""
    study = as_annotations(data)
    kind = study.kind
    if kind.consensus == "majority_vote":
        method, taken = "majority_vote", "the values are labels: the one that most annotators gave was taken"
    elif kind.consensus == "median":
        what = "have an order" if kind == "ordered" else "are numbers"
        method, taken = "median", f"the values {what}: the one in the middle was taken"
    else:
        method, taken = "medoid", f"the values are {kind}: the annotation nearest to the others was taken"
    because = taken
    if method == "majority_vote" and len(study.values) > 2 and numbers(study.values) is not None:
        because += "; if the numbers are a scale and not codes, take the median"
    return method, Advice(because, [Wording(taken, f"{taken} (--method takes another)")])


@takes_data
def consensus(
    data: IntoAnnotations, *others: Values, method: str | None = None, **reading: Unpack[ReadingOptions]
) -> AnyConsensus:
    """One answer for each item by a method of a name, or by the usual one for the kind of value.

    Args:
        data: Annotations.
        method: The name of a function such as "dawid_skene", "medoid" or "merge"; "mean" is merging by the mean.
            "auto" takes, of labels, the vote or the model that is clearly right about labels left out more often.  By
            default the usual one: of labels the vote, or what "auto" takes in its place (up to 200,000 annotations), of
            other values a median or a medoid.

    Returns:
        The consensus, with a row for each item and each annotator.

    Examples:
        >>> import interagree as ia
        >>> ia.consensus({"ann": ["cat", "dog"], "bo": ["cat", "dog"], "cy": ["dog", "dog"]}, method="auto").values
        {0: 'cat', 1: 'dog'}
    """
    return consensus_by(method, as_annotations(data))


@takes_data
def usual_consensus(data: IntoAnnotations, *others: Values, **reading: Unpack[ReadingOptions]) -> AnyConsensus:
    """One answer for each item by what suits the kind of value: a vote, a median or a medoid.

    Labels are voted on, unless a model of annotators is clearly right about labels left out more often (see
    `interagree.crowd.labels.auto`); ordered values and numbers have a median; of all other values the one nearest to
    the others is taken.  The first of the ``notes`` says which it was.

    Args:
        data: Annotations.

    Returns:
        The consensus, with a row for each item and each annotator.

    Examples:
        >>> import interagree as ia
        >>> ia.crowd.usual_consensus({"ann": ["cat", "dog"], "bo": ["cat", "dog"], "cy": ["dog", "dog"]}).values
        {0: 'cat', 1: 'dog'}
    """
    return consensus_by(None, as_annotations(data))


def consensus_by(method: str | None, study: Annotations, **options: object) -> AnyConsensus:
    """One answer for each item by a method of a name, or by the usual one; with a distance alone, the medoid.

    Args:
        method: The name of a function of this package, or "mean" for merging by the mean.
        study: Annotations.
        options: What the function takes; an option that it does not take is an error, one that is None is left out.
    """
    given = {name: option for name, option in options.items() if option is not None}
    because = ""
    if method is None and "distance" in given:
        method = "medoid"
    elif method is None:
        method, because = usual_method(study)
        if method == VOTE and not given and len(study) <= MANY and not study.anonymous:
            chosen = METHODS["auto"](study)
            if chosen.method != VOTE:
                return chosen
    plain = not {"distance", "weights"} & given.keys() and study.kind.consensus == "median"
    if method == "mean" or (method == "median" and not plain):
        given, function = {**given, "how": method}, METHODS["merge"]
    elif method in METHODS:
        function = METHODS[method]
    else:
        raise UnknownName(f"there is no method {method!r}.{suggestion(method, METHODS)} (known: {listing(METHODS)})")
    _check_options(function, method, given)
    made = function(study, **given)
    return replace(made, notes=(because, *made.notes)) if because else made


def _check_options(function: Callable[..., AnyConsensus], method: str, given: dict[str, object]) -> None:
    """Refuse an option that the method would not heed."""
    taken = inspect.signature(function).parameters
    stray = next((name for name in given if name not in taken), None)
    if stray is not None:
        flag = "--reliability" if stray == "weights" else f"--{stray}"
        hints = [Wording(f"{stray}=", flag), Wording(f"method={method!r}", f"--method {method.replace('_', '-')}")]
        raise KindError(f"{hints[0]} means nothing to {hints[1]}; leave it out", hints=hints)
