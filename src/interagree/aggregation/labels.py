"""One label for each item out of what a crowd said, and how good the members of the crowd are.

    >>> from interagree.aggregation.labels import majority_vote
    >>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "cat", "dog"]}
    >>> majority_vote(labels).values
    {0: 'cat', 1: 'dog', 2: 'dog'}

`majority_vote` and `weighted_vote` count; `dawid_skene`, `one_coin`, `mace` and `glad` model how annotators err.
None depends on the order of rows, and none but a tie on the names of labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Unpack

import numpy as np

# These modules are loaded before the functions of the same names are defined below, which then stay.
from interagree.aggregation.dawid_skene import dawid_skene as fit_dawid_skene
from interagree.aggregation.dawid_skene import one_coin as fit_one_coin
from interagree.aggregation.fitting import Fit, fitted_note
from interagree.aggregation.glad import glad as fit_glad
from interagree.aggregation.label_consensus import LabelConsensus, Ties
from interagree.aggregation.mace import mace as fit_mace
from interagree.aggregation.scoring import Gold
from interagree.aggregation.votes import Votes, in_front, noticed, prepared, unfit
from interagree.arrays import Floats
from interagree.data import IntoAnnotations, ReadingOptions
from interagree.data.provenance import counted
from interagree.data.types import Values
from interagree.declare import takes_data
from interagree.errors import KindError, UnknownName

__all__ = ["dawid_skene", "glad", "mace", "majority_vote", "one_coin", "weighted_vote"]


@takes_data
def majority_vote(
    data: IntoAnnotations, *others: Values, ties: Ties = "split", **reading: Unpack[ReadingOptions]
) -> LabelConsensus:
    """For each item the label that most annotators gave.

    An annotator who judged an item several times has one vote, shared by their judgements.

    Args:
        data: Annotations.
        ties: Where several labels are in front: "split" names the first in the order of labels and counts as right by
            the share of the right one among them, "order" takes the first one in the order of labels, "none" gives the
            item no label.

    Returns:
        The label of each item with its share of the votes, and a row for each annotator.

    Examples:
        >>> from interagree import majority_vote
        >>> majority_vote({"ann": ["a", "b", "b"], "bo": ["a", "b", "a"], "cy": ["a", "a", "b"]}).values
        {0: 'a', 1: 'b', 2: 'b'}
    """
    _checked(ties)
    votes = prepared(data, "majority_vote", who=False)
    return _voted("majority_vote", votes, votes.shares(), ties, {}, ())


@takes_data
def weighted_vote(
    data: IntoAnnotations, *others: Values, ties: Ties = "split", **reading: Unpack[ReadingOptions]
) -> LabelConsensus:
    """The label with most votes, annotators weighed by how little the others differ from them.

    A weight is the mean over all annotators of the share of the others who gave another label, over that share of the
    annotator, at most 10; the latter is pulled to the mean as far as it is uncertain.  The others are weighed too, so
    weights are found again until none changes by one in a million, at most 50 times.

    Args:
        data: Annotations.
        ties: As for `majority_vote`.

    Returns:
        The label of each item with its share of the votes, and a row for each annotator.

    Examples:
        >>> from interagree import weighted_vote
        >>> weighted_vote({"ann": ["a", "b", "b"], "bo": ["a", "b", "a"], "cy": ["a", "a", "b"]}).values
        {0: 'a', 1: 'b', 2: 'b'}
    """
    _checked(ties)
    votes = prepared(data, "weighted_vote")
    weight, rounds = votes.weights()
    note = f"weights of annotators found {counted(rounds, 'time')}"
    return _voted("weighted_vote", votes, votes.shares(weight), ties, {"weight": weight}, (note,))


@takes_data
def dawid_skene(
    data: IntoAnnotations,
    *others: Values,
    smoothing: float = 0.1,
    gold: Gold | None = None,
    prior: Literal["hierarchical"] | None = None,
    tolerance: float = 1e-8,
    rounds: int = 1000,
    **reading: Unpack[ReadingOptions],
) -> LabelConsensus:
    """The most probable labels where every annotator confuses labels in their own way (Dawid and Skene 1979).

    Args:
        data: Annotations; each counts, also repeated ones.
        smoothing: A count that is added to each answer of each annotator for each true label; 0 is maximum likelihood.
        gold: Answers that are known, as a mapping of items to labels or a study; the others are found with their help.
        prior: "hierarchical" adds counts found from all annotators instead, so that those who did little are taken to
            be like the others; of use where there are many annotators.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds of EM to do at most.

    Returns:
        The label of each item with its probability, and a row for each annotator.

    Examples:
        >>> from interagree import dawid_skene
        >>> dawid_skene({"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "cat", "dog"]}).values
        {0: 'cat', 1: 'dog', 2: 'dog'}
    """
    if prior not in (None, "hierarchical"):
        raise KindError(f"prior is None or 'hierarchical', got {prior!r}")
    votes = prepared(data, "dawid_skene", gold=gold)
    return _modelled(
        "dawid_skene",
        votes,
        lambda: fit_dawid_skene(
            votes, smoothing=smoothing, hierarchical=prior == "hierarchical", tolerance=tolerance, rounds=rounds
        ),
    )


@takes_data
def one_coin(
    data: IntoAnnotations,
    *others: Values,
    smoothing: float = 0.1,
    gold: Gold | None = None,
    tolerance: float = 1e-8,
    rounds: int = 1000,
    **reading: Unpack[ReadingOptions],
) -> LabelConsensus:
    """The most probable labels where every annotator has one probability of being right, and all errors are alike.

    Args:
        data: Annotations; each counts, also repeated ones.
        smoothing: A count that is added to the right and to the wrong answers of each annotator; 0 is maximum
            likelihood.
        gold: Answers that are known, as a mapping of items to labels or a study.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds of EM to do at most.

    Returns:
        The label of each item with its probability, and a row for each annotator.

    Examples:
        >>> from interagree import one_coin
        >>> one_coin({"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "cat", "dog"]}).values
        {0: 'cat', 1: 'dog', 2: 'dog'}
    """
    votes = prepared(data, "one_coin", gold=gold)
    return _modelled(
        "one_coin", votes, lambda: fit_one_coin(votes, smoothing=smoothing, tolerance=tolerance, rounds=rounds)
    )


@takes_data
def mace(
    data: IntoAnnotations,
    *others: Values,
    restarts: int = 10,
    seed: int = 0,
    gold: Gold | None = None,
    tolerance: float = 1e-8,
    rounds: int = 500,
    **reading: Unpack[ReadingOptions],
) -> LabelConsensus:
    """The most probable labels where annotators either know or spam (Hovy and others 2013).

    Args:
        data: Annotations; each counts, also repeated ones.
        restarts: From how many starts to fit; the first is the vote, the others are random and all differ.
        seed: Where random numbers begin.
        gold: Answers that are known, as a mapping of items to labels or a study.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds to do at most from each start.

    Returns:
        The label of each item with its probability, and a row for each annotator.

    Examples:
        >>> from interagree import mace
        >>> mace({"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "cat", "dog"]}).values
        {0: 'cat', 1: 'dog', 2: 'dog'}
    """
    votes = prepared(data, "mace", gold=gold)
    return _modelled(
        "mace", votes, lambda: fit_mace(votes, restarts=restarts, seed=seed, tolerance=tolerance, rounds=rounds)
    )


@takes_data
def glad(
    data: IntoAnnotations,
    *others: Values,
    gold: Gold | None = None,
    tolerance: float = 1e-8,
    rounds: int = 500,
    **reading: Unpack[ReadingOptions],
) -> LabelConsensus:
    """The most probable labels where annotators are more or less able and items more or less difficult (GLAD, 2009).

    Args:
        data: Annotations; each counts, also repeated ones.
        gold: Answers that are known, as a mapping of items to labels or a study.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds to do at most.

    Returns:
        The label of each item with its probability, and a row for each annotator.

    Examples:
        >>> from interagree import glad
        >>> glad({"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "cat", "dog"]}).values
        {0: 'cat', 1: 'dog', 2: 'dog'}
    """
    votes = prepared(data, "glad", gold=gold)
    return _modelled("glad", votes, lambda: fit_glad(votes, tolerance=tolerance, rounds=rounds))


def _checked(ties: str) -> None:
    if ties not in ("split", "none", "order"):
        raise UnknownName(f"ties are 'split', 'none' or 'order', not {ties!r}")


def _voted(  # noqa: PLR0917 -- called twice
    method: str, votes: Votes, shares: Floats, ties: Ties, columns: Mapping[str, Floats], notes: Sequence[str]
) -> LabelConsensus:
    return LabelConsensus(
        method, votes, shares, ties=ties, by_annotator=columns, notes=(*noticed(votes), *_tied(shares, ties), *notes)
    )


def _modelled(method: str, votes: Votes, fit: Callable[[], Fit]) -> LabelConsensus:
    """A model fitted to votes, or the votes themselves with a sentence where it cannot be."""
    why = unfit(votes)
    if why:
        return LabelConsensus(method, votes, votes.start(), converged=False, notes=(*noticed(votes), why))
    model = fit()
    return LabelConsensus(
        method,
        votes,
        model.posterior,
        log_likelihood=model.log_likelihood,
        trace=model.climb.trace,
        converged=model.climb.converged,
        shares=model.shares,
        by_annotator=model.annotators,
        by_item=model.items,
        by_answer=model.confusion,
        notes=(*noticed(votes), *_tied(model.posterior, "split"), fitted_note(model.climb), *model.notes),
    )


def _tied(posterior: Floats, ties: Ties) -> list[str]:
    number = int(np.count_nonzero(in_front(posterior).sum(axis=1) > 1))
    how = {
        "split": "the first in order is named, and it counts by its share in the tie",
        "order": "the first in order is taken",
        "none": "they have no label",
    }
    return [f"{counted(number, 'item')} with several labels in front: {how[ties]}"] if number else []
