r"""Which model to take: the one that says most of labels left out, and the vote unless that is clear.

The vote and each model are fitted without a part of the labels, as `held_out` describes, and each label left out is
predicted.  A model that knows the habits of annotators (who always says no) predicts their labels well without knowing
anything of the items, so the answers of annotators are read off the probabilities of labels in the same way for all
candidates: what is compared is what each says of the *items*.  The gain of a model is the mean, over labels left out,
of the logarithm of the probability that it gives over that of the vote.

A gain must hold for annotators who were not asked as well.  Its standard error is the larger of two: with annotators,
and with items, as the units that were drawn.  A few people who share their errors, and whom a model takes for the only
good ones, raise the gain and its error too.  A model is taken where its gain is above zero at a level of one in three
hundred, by t with one degree of freedom less than there are annotators in effect, $(\sum_j n_j)^2 / \sum_j n_j^2$ with
$n_j$ the labels of each; of several the one with the highest gain.  Where many share their errors, a model may take
their view for the truth and predict their labels well and those of others badly: a model is not taken either where
annotators whose labels it predicts worse by two standard errors lose more than a tenth of its gain.  Otherwise it is
the vote.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.crowd.held_out import FEWEST, Fitting, LeftOut, grouped_error
from interagree.crowd.votes import LARGEST, Votes, unfit
from interagree.data.provenance import counted
from interagree.stats.engine.compress import totals
from interagree.stats.engine.quantiles import t_quantile
from interagree.tables import Table

CLEAR = 1 - 1 / 300  # the level at which a gain is above zero
WORSE = 2.0  # standard errors by which labels of an annotator are clearly predicted worse
PRICE = 0.1  # the share of a gain that such annotators may lose
VOTE = "majority_vote"


class Candidate(NamedTuple):
    """How well a method predicts labels left out."""

    method: str
    log_likelihood: float  # the mean logarithm of the probability of a label left out
    gain: float  # over the vote
    error: float  # of the gain
    least: float  # what the gain must be to be clear
    lost: float  # the part of the gain that annotators take away whose labels are clearly predicted worse
    correlation: float  # that its probabilities are made less sure by

    @property
    def clear(self) -> bool:
        """Whether it predicts labels left out better than the vote, and not at the price of some annotators."""
        return self.gain > self.least and self.lost <= PRICE * self.gain


class Choice(NamedTuple):
    """The method that was taken, why, and how all candidates did."""

    method: str
    reason: str
    candidates: tuple[Candidate, ...] = ()
    labels: int = 0  # how many labels were left out

    def table(self) -> Table:
        """A row for each candidate, the best first."""
        ranked = sorted(self.candidates, key=lambda one: -one.log_likelihood)
        return Table(
            {
                "method": [one.method for one in ranked],
                "log-likelihood": [one.log_likelihood for one in ranked],
                "gain": [one.gain for one in ranked],
                "error": [one.error for one in ranked],
                "wanted": [one.least for one in ranked],
                "lost": [one.lost for one in ranked],
                "taken": ["yes" if one.method == self.method else "" for one in ranked],
            },
            title="Methods by how well they predict labels left out",
            foot=(
                f"log-likelihood: the mean logarithm of the probability of {counted(self.labels, 'label')} left out, "
                "predicted from the others; gain: over the vote; wanted: what it must exceed to be clear; lost: with "
                "annotators whose labels it predicts clearly worse, at most a tenth of the gain"
            ),
        )


def choose(votes: Votes, fittings: Mapping[str, Fitting], seed: int) -> Choice:
    """The vote, or a model that clearly says more of labels left out.

    Args:
        votes: The votes.
        fittings: How each candidate is fitted, the vote among them.
        seed: What decides which labels are left out together.
    """
    why = unfit(votes)
    if why:
        return Choice(VOTE, f"the vote was taken: {why}")
    if votes.people * len(votes.labels) ** 2 > LARGEST:
        return Choice(VOTE, "the vote was taken: there are too many annotators and labels to compare models")
    left_out = LeftOut(votes, seed)
    given = totals(votes.person[left_out.out], None, votes.people)
    people = int(np.count_nonzero(given))
    if left_out.count < FEWEST or people < 3:
        return Choice(
            VOTE,
            f"the vote was taken: {counted(left_out.count, 'label')} of {counted(people, 'annotator')} that others "
            f"could predict are too few to compare models (there should be {FEWEST}, of three annotators or more)",
        )
    read, correlation = {}, {}
    for name, fitting in fittings.items():
        fits = left_out.fitted(fitting)
        by_correlation = left_out.read_log_probabilities(fits)
        read[name] = by_correlation[int(by_correlation.mean(axis=1).argmax())]
        correlation[name] = left_out.correlation(fits)
    person, item = votes.person[left_out.out], votes.item[left_out.out]
    effective = float(given.sum() ** 2 / (given**2).sum())
    times = t_quantile(CLEAR, max(effective - 1, 1.0))
    candidates = []
    for name, each in read.items():
        gains = each - read[VOTE]
        error = max(grouped_error(gains, person, votes.people), grouped_error(gains, item, votes.items))
        lost = _lost(gains, person, votes.people)
        candidates.append(
            Candidate(name, float(each.mean()), float(gains.mean()), error, times * error, lost, correlation[name])
        )
    return _chosen(candidates, left_out.count)


def _chosen(candidates: list[Candidate], labels: int) -> Choice:
    models = [one for one in candidates if one.method != VOTE]
    clear = [one for one in models if one.clear]
    if clear:
        best = max(clear, key=lambda one: one.gain)
        reason = (
            f"{best.method} was taken: it predicts labels left out better than the vote, by {best.gain:.4f} in their "
            f"mean log-likelihood (standard error {best.error:.4f}); annotators who copy each other look like "
            "experts who agree, so check the answers against some gold ones"
        )
        return Choice(best.method, reason, tuple(candidates), labels)
    best = max(models, key=lambda one: one.gain)
    if best.gain > best.least:
        reason = (
            f"the vote was taken: {best.method} predicts labels left out better, by {best.gain:.4f} in their mean "
            "log-likelihood, but those of some annotators clearly worse, as where others share their errors"
        )
        return Choice(VOTE, reason, tuple(candidates), labels)
    reason = (
        f"the vote was taken: no model clearly predicts labels left out better; the best, {best.method}, gains "
        f"{best.gain:.4f} in their mean log-likelihood, and {best.least:.4f} would be clear"
    )
    return Choice(VOTE, reason, tuple(candidates), labels)


def _lost(gains: Floats, person: Indices, people: int) -> float:
    """What the mean gain loses by annotators whose labels are predicted worse by more than two standard errors."""
    number, sums, squares = (
        totals(person, None, people),
        totals(person, gains, people),
        totals(person, gains**2, people),
    )
    spread = np.sqrt(np.maximum(squares - sums**2 / np.maximum(number, 1), 0))
    return float(np.abs(sums[sums < -WORSE * spread]).sum() / len(gains))
