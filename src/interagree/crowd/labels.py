"""One label for each item out of what a crowd said, and how good the members of the crowd are.

    >>> from interagree.crowd.labels import majority_vote
    >>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "cat", "dog"]}
    >>> majority_vote(labels).values
    {0: 'cat', 1: 'dog', 2: 'dog'}

`majority_vote` and `weighted_vote` count; `dawid_skene`, `one_coin`, `mace` and `glad` model how annotators err; `auto`
takes whichever is right about labels left out.  None depends on the order of rows, and none but a tie on the names of
labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, NamedTuple, Unpack

import numpy as np

from interagree.arrays import Floats

# These modules are loaded before the functions of the same names are defined below, which then stay.
from interagree.crowd.choosing import VOTE, MethodChoice, choose
from interagree.crowd.dawid_skene import dawid_skene as fit_dawid_skene
from interagree.crowd.dawid_skene import equal_coins as fit_equal_coins
from interagree.crowd.dawid_skene import one_coin as fit_one_coin
from interagree.crowd.fitting import Fit, fitted_note
from interagree.crowd.glad import glad as fit_glad
from interagree.crowd.held_out import FEWEST, USUAL, Fitting, HeldOut, tempered
from interagree.crowd.label_consensus import LabelConsensus, Ties
from interagree.crowd.mace import mace as fit_mace
from interagree.crowd.scoring import Gold
from interagree.crowd.votes import Votes, in_front, noticed, prepared, unfit
from interagree.data import IntoAnnotations, ReadingOptions
from interagree.data.provenance import counted
from interagree.data.types import Values
from interagree.declare import takes_data
from interagree.errors import KindError, UnknownName

ROUGH = 1e-5  # the tolerance of a fit to parts of the votes
SHORT = 200  # the rounds of one at most

__all__ = ["auto", "dawid_skene", "glad", "mace", "majority_vote", "one_coin", "weighted_vote"]


@takes_data
def majority_vote(
    data: IntoAnnotations,
    *others: Values,
    ties: Ties = "split",
    probability: bool = False,
    **reading: Unpack[ReadingOptions],
) -> LabelConsensus:
    """For each item the label that most annotators gave.

    An annotator who judged an item several times has one vote, shared by their judgements.

    Args:
        data: Annotations.
        ties: Where several labels are in front: "split" names the first in the order of labels and counts as right by
            the share of the right one among them, "order" takes the first one in the order of labels, "none" gives the
            item no label.
        probability: Whether the confidence of a label is the probability that it is right, in place of its share of the
            votes: that of a model in which all annotators err equally often, made less sure by how far the
            annotations of an item are correlated, as for `dawid_skene`.

    Returns:
        The label of each item with its share of the votes, and a row for each annotator.

    Examples:
        >>> from interagree.crowd import majority_vote
        >>> majority_vote({"ann": ["a", "b", "b"], "bo": ["a", "b", "a"], "cy": ["a", "a", "b"]}).values
        {0: 'a', 1: 'b', 2: 'b'}
    """
    _checked(ties)
    votes = prepared(data, VOTE, who=False)
    if probability:
        made = _modelled(VOTE, votes, _model(fit_equal_coins, 1e-8, 500), None)
        return replace(made, ties=ties)
    return _voted(VOTE, votes, votes.shares(), ties, {}, ())


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
        >>> from interagree.crowd import weighted_vote
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
    smoothing: float | None = None,
    gold: Gold | None = None,
    prior: Literal["pooled", "hierarchical"] = "pooled",
    correlation: float | None = None,
    tolerance: float = 1e-8,
    rounds: int = 1000,
    **reading: Unpack[ReadingOptions],
) -> LabelConsensus:
    """The most probable labels where every annotator confuses labels in their own way (Dawid and Skene 1979).

    Args:
        data: Annotations; each counts, also repeated ones.
        smoothing: A count that is added to each answer of each annotator for each true label; 0 is maximum likelihood,
            as in 1979.  By default answers are smoothed by ``prior``.
        gold: Answers that are known, as a mapping of items to labels or a study; the others are found with their help.
        prior: "pooled" adds two annotations for each true label, spread as the answers of all annotators are;
            "hierarchical" finds from all annotators how many.  Those who did little are so taken to be like the others.
        correlation: How far the annotations of an item are alike given its true label, 0 to 1: it makes probabilities
            less sure and changes no label.  0 takes them to be independent, as the model does.  By default it is the
            one that best predicts labels left out, and 0 with ``smoothing=0``.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds of EM to do at most.

    Returns:
        The label of each item with its probability, and a row for each annotator.

    Examples:
        >>> from interagree.crowd import dawid_skene
        >>> dawid_skene({"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "cat", "dog"]}).values
        {0: 'cat', 1: 'dog', 2: 'dog'}
    """
    if prior not in (None, "pooled", "hierarchical"):
        raise KindError(f"prior is 'pooled' or 'hierarchical', got {prior!r}")
    if correlation is None and smoothing == 0:
        correlation = 0.0
    votes = prepared(data, "dawid_skene", gold=gold)
    model = _model(fit_dawid_skene, tolerance, rounds, smoothing=smoothing, hierarchical=prior == "hierarchical")
    return _modelled("dawid_skene", votes, model, correlation)


@takes_data
def one_coin(
    data: IntoAnnotations,
    *others: Values,
    smoothing: float | None = None,
    gold: Gold | None = None,
    correlation: float | None = None,
    tolerance: float = 1e-8,
    rounds: int = 1000,
    **reading: Unpack[ReadingOptions],
) -> LabelConsensus:
    """The most probable labels where every annotator has one probability of being right, and all errors are alike.

    Args:
        data: Annotations; each counts, also repeated ones.
        smoothing: A count that is added to the right and to the wrong answers of each annotator; 0 is maximum
            likelihood.  By default two answers are added, as often right as those of all annotators.
        gold: Answers that are known, as a mapping of items to labels or a study.
        correlation: How far the annotations of an item are alike given its true label, 0 to 1: it makes probabilities
            less sure and changes no label.  0 takes them to be independent, as the model does.  By default it is the
            one that best predicts labels left out, and 0 with ``smoothing=0``.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds of EM to do at most.

    Returns:
        The label of each item with its probability, and a row for each annotator.

    Examples:
        >>> from interagree.crowd import one_coin
        >>> one_coin({"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "cat", "dog"]}).values
        {0: 'cat', 1: 'dog', 2: 'dog'}
    """
    if correlation is None and smoothing == 0:
        correlation = 0.0
    votes = prepared(data, "one_coin", gold=gold)
    return _modelled("one_coin", votes, _model(fit_one_coin, tolerance, rounds, smoothing=smoothing), correlation)


@takes_data
def mace(
    data: IntoAnnotations,
    *others: Values,
    restarts: int = 10,
    seed: int = 0,
    gold: Gold | None = None,
    correlation: float | None = None,
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
        correlation: How far the annotations of an item are alike given its true label, 0 to 1: it makes probabilities
            less sure and changes no label.  0 takes them to be independent, as the model does.  By default it is the
            one that best predicts labels left out.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds to do at most from each start.

    Returns:
        The label of each item with its probability, and a row for each annotator.

    Examples:
        >>> from interagree.crowd import mace
        >>> mace({"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "cat", "dog"]}).values
        {0: 'cat', 1: 'dog', 2: 'dog'}
    """
    votes = prepared(data, "mace", gold=gold)
    return _modelled("mace", votes, _mace(restarts, seed, tolerance, rounds), correlation)


@takes_data
def glad(
    data: IntoAnnotations,
    *others: Values,
    gold: Gold | None = None,
    correlation: float | None = None,
    tolerance: float = 1e-8,
    rounds: int = 500,
    **reading: Unpack[ReadingOptions],
) -> LabelConsensus:
    """The most probable labels where annotators are more or less able and items more or less difficult (GLAD, 2009).

    Args:
        data: Annotations; each counts, also repeated ones.
        gold: Answers that are known, as a mapping of items to labels or a study.
        correlation: How far the annotations of an item are alike given its true label, 0 to 1: it makes probabilities
            less sure and changes no label.  0 takes them to be independent, as the model does.  By default it is the
            one that best predicts labels left out.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds to do at most.

    Returns:
        The label of each item with its probability, and a row for each annotator.

    Examples:
        >>> from interagree.crowd import glad
        >>> glad({"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "cat", "dog"]}).values
        {0: 'cat', 1: 'dog', 2: 'dog'}
    """
    votes = prepared(data, "glad", gold=gold)
    return _modelled("glad", votes, _model(fit_glad, tolerance, rounds), correlation)


@takes_data
def auto(data: IntoAnnotations, *others: Values, seed: int = 0, **reading: Unpack[ReadingOptions]) -> LabelConsensus:
    """The vote, or the model that is clearly right more often: chosen by labels left out, without gold answers.

    The candidates are `majority_vote`, `one_coin`, `dawid_skene`, `mace` and `glad`, each as it is by default.  Each is
    fitted without some labels.  A model is taken where its answers are those labels more often than those of the vote,
    at a level of one in a hundred with annotators as well as items drawn anew, or else where it gives them a higher
    probability at a level of one in three hundred; the first of the ``notes`` and the table ``methods`` say how all
    did.  Whatever is taken, its confidences are probabilities.

    Args:
        data: Annotations.
        seed: What decides which labels are left out together.

    Returns:
        The consensus by the method that was taken, its name as ``method``.

    Examples:
        >>> from interagree.crowd.labels import auto
        >>> auto({"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "cat", "dog"]}).method
        'majority_vote'
    """
    votes = prepared(data, "auto", who=False)
    models = {
        VOTE: _model(fit_equal_coins, 1e-8, 500),
        "one_coin": _model(fit_one_coin, 1e-8, 1000, smoothing=None),
        "dawid_skene": _model(fit_dawid_skene, 1e-8, 1000, smoothing=None, hierarchical=False),
        "mace": _mace(10, 0, 1e-8, 500),
        "glad": _model(fit_glad, 1e-8, 500),
    }
    if votes.study.anonymous:
        choice = MethodChoice(
            VOTE, "the vote was taken: the study does not say who gave which value (it was made from counts)"
        )
    else:
        choice = choose(votes, {name: model.part for name, model in models.items()}, seed)
    made = _modelled(choice.method, votes, models[choice.method], None, choice)
    return replace(made, choice=choice, notes=(choice.reason, *made.notes))


class _Fitting(NamedTuple):
    """How a model is fitted: to all votes, and to those that remain when some are left out."""

    whole: Fitting
    part: Fitting


def _model(fit: Callable[..., Fit], tolerance: float, rounds: int, **options: object) -> _Fitting:
    return _Fitting(
        partial(fit, tolerance=tolerance, rounds=rounds, **options),
        partial(fit, tolerance=max(tolerance, ROUGH), rounds=min(rounds, SHORT), **options),
    )


def _mace(restarts: int, seed: int, tolerance: float, rounds: int) -> _Fitting:
    """MACE; to parts of the votes it is fitted from their shares alone."""
    whole = _model(fit_mace, tolerance, rounds, seed=seed, restarts=restarts)
    return whole._replace(part=_model(fit_mace, tolerance, rounds, seed=seed, restarts=1).part)


def _checked(ties: str) -> None:
    if ties not in ("split", "none", "order"):
        raise UnknownName(f"ties are 'split', 'none' or 'order', not {ties!r}")


def _voted(  # noqa: PLR0917 -- called twice
    method: str, votes: Votes, shares: Floats, ties: Ties, columns: Mapping[str, Floats], notes: Sequence[str]
) -> LabelConsensus:
    return LabelConsensus(
        method, votes, shares, ties=ties, by_annotator=columns, notes=(*noticed(votes), *_tied(shares, ties), *notes)
    )


def _modelled(
    method: str, votes: Votes, model: _Fitting, correlation: float | None, choice: MethodChoice | None = None
) -> LabelConsensus:
    """A model fitted to votes, or the votes themselves with a sentence where it cannot be."""
    if correlation is not None and not 0 <= correlation <= 1:
        raise KindError(f"a correlation is between 0, for labels that are independent, and 1; got {correlation!r}")
    why = unfit(votes)
    if why:
        return LabelConsensus(method, votes, votes.start(), converged=False, notes=(*noticed(votes), why))
    fit = model.whole(votes)
    found, note = (correlation, ()) if correlation is not None else _correlation(votes, model, method, choice)
    posterior = tempered(votes, fit.posterior, found)
    return LabelConsensus(
        method,
        votes,
        posterior,
        log_likelihood=fit.log_likelihood,
        trace=fit.climb.trace,
        converged=fit.climb.converged,
        shares=fit.shares,
        by_annotator=fit.annotators,
        by_item=fit.items,
        by_answer=fit.confusion,
        correlation=found,
        choice=choice,
        notes=(*noticed(votes), *_tied(fit.posterior, "split"), fitted_note(fit.climb), *fit.notes, *note),
    )


def _correlation(
    votes: Votes, model: _Fitting, method: str, choice: MethodChoice | None
) -> tuple[float, tuple[str, ...]]:
    """How far annotations of an item are alike given its true label, by labels left out; and what to say of it."""
    known = None if choice is None else next((one for one in choice.candidates if one.method == method), None)
    left_out = HeldOut(votes)
    if known is None and left_out.count < FEWEST:
        usual = (
            "too few labels to find how far annotators err together: the correlation that is usual in public sets, "
            f"{USUAL:g}, was taken, and the probabilities are rough"
        )
        return USUAL, (usual,)
    found = left_out.correlation(left_out.fitted(model.part)) if known is None else known.correlation
    note = (
        f"the probabilities take the annotations of an item to be correlated by {found:g} given its true label, which "
        f"predicts {left_out.count:,} labels left out best; errors that most annotators share cannot be seen so, and "
        "some gold answers show whether the probabilities hold"
    )
    return found, (note,)


def _tied(posterior: Floats, ties: Ties) -> list[str]:
    number = int(np.count_nonzero(in_front(posterior).sum(axis=1) > 1))
    how = {
        "split": "the first in order is named, and it counts by its share in the tie",
        "order": "the first in order is taken",
        "none": "they have no label",
    }
    return [f"{counted(number, 'item')} with several labels in front: {how[ties]}"] if number else []
