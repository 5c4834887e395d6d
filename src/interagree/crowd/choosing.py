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
annotators whose labels it predicts worse by two standard errors lose more than a tenth of its gain.

What is wanted is labels that are right, and a model may pick more of them without knowing better how sure they are, as
where three of many annotators label an item with one of ten labels.  So *hits* are looked at first: how often the label
in front (its share where several are) is the one left out.  An annotator who was left out gives the right label more
often than any wrong one, so the model with more hits is right more often.  Items in which the vote is tied count as
often as they are among all labels, of which there is one more than when it is left out.  A model whose hits exceed
those of the vote at a level of one in a hundred, annotators and items drawn anew, and not at the price of some
annotators, is taken; of several the one with most.  Otherwise the logarithms decide as above, and otherwise it is the
vote.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.crowd.held_out import FEWEST, Fitting, HeldOut, grouped_error
from interagree.crowd.votes import LARGEST, Votes, unfit
from interagree.data.provenance import counted
from interagree.stats.engine.compress import totals
from interagree.stats.engine.quantiles import t_quantile
from interagree.tables import Table

CLEAR = 1 - 1 / 300  # the level at which a gain is above zero
SURE = 1 - 1 / 100  # the level at which hits are more
WORSE = 2.0  # standard errors by which labels of an annotator are clearly predicted worse
PRICE = 0.1  # the share of a gain that such annotators may lose
VOTE = "majority_vote"


class MethodTried(NamedTuple):
    """How well a method predicts labels left out."""

    method: str
    log_likelihood: float  # the mean logarithm of the probability of a label left out
    gain: float  # over the vote
    error: float  # of the gain
    least: float  # what the gain must be to be clear
    lost: float  # the part of the gain that annotators take away whose labels are clearly predicted worse
    correlation: float  # that its probabilities are made less sure by
    hits: float  # how often its answer is the label left out
    more: float  # than that of the vote
    wanted: float  # what that must be to be clear
    missed: float  # the part of it that annotators take away whose labels are clearly hit less often

    @property
    def clear(self) -> bool:
        """Whether it predicts labels left out better than the vote, and not at the price of some annotators."""
        return self.gain > self.least and self.lost <= PRICE * self.gain

    @property
    def right(self) -> bool:
        """Whether its answers are clearly the labels left out more often."""
        return self.more > self.wanted and self.missed <= PRICE * self.more


class MethodChoice(NamedTuple):
    """The method that was taken, why, and how all candidates did."""

    method: str
    reason: str
    candidates: tuple[MethodTried, ...] = ()
    labels: int = 0  # how many labels were left out

    def table(self) -> Table:
        """A row for each candidate, the best first."""
        ranked = sorted(self.candidates, key=lambda one: (-one.hits, -one.log_likelihood))
        return Table(
            {
                "method": [one.method for one in ranked],
                "hits": [one.hits for one in ranked],
                "more": [one.more for one in ranked],
                "to be clear": [one.wanted for one in ranked],
                "log-likelihood": [one.log_likelihood for one in ranked],
                "gain": [one.gain for one in ranked],
                "error": [one.error for one in ranked],
                "wanted": [one.least for one in ranked],
                "lost": [one.lost for one in ranked],
                "taken": ["yes" if one.method == self.method else "" for one in ranked],
            },
            title="Methods by how well they predict labels left out",
            foot=(
                f"hits: how often the answer is one of {counted(self.labels, 'label')} left out; more: than that "
                "of the vote, and what is clear; log-likelihood: the mean logarithm of its probability, "
                "predicted from the others; gain: over the vote; wanted: what it must exceed to be clear; lost: with "
                "annotators whose labels it predicts clearly worse, at most a tenth of the gain"
            ),
        )


def choose(votes: Votes, fittings: Mapping[str, Fitting], seed: int) -> MethodChoice:
    """The vote, or a model that clearly says more of labels left out.

    Args:
        votes: The votes.
        fittings: How each candidate is fitted, the vote among them.
        seed: What decides which labels are left out together.
    """
    why = unfit(votes)
    if why:
        return MethodChoice(VOTE, f"the vote was taken: {why}")
    if votes.people * len(votes.labels) ** 2 > LARGEST:
        return MethodChoice(VOTE, "the vote was taken: there are too many annotators and labels to compare models")
    left_out = HeldOut(votes, seed)
    given = totals(votes.person[left_out.out], None, votes.people)
    people = int(np.count_nonzero(given))
    if left_out.count < FEWEST or people < 3:
        return MethodChoice(
            VOTE,
            f"the vote was taken: {counted(left_out.count, 'label')} of {counted(people, 'annotator')} that others "
            f"could predict are too few to compare models (there should be {FEWEST}, of three annotators or more)",
        )
    read, hit, correlation = {}, {}, {}
    voted, weight = left_out.voted()
    for name, fitting in fittings.items():
        fits = left_out.fitted(fitting)
        by_correlation = left_out.read_log_probabilities(fits)
        read[name] = by_correlation[int(by_correlation.mean(axis=1).argmax())]
        hit[name] = voted * weight if name == VOTE else left_out.hits(fits) * weight
        correlation[name] = left_out.correlation(fits)
    person, item = votes.person[left_out.out], votes.item[left_out.out]
    effective = float(given.sum() ** 2 / (given**2).sum())
    times, sure = (t_quantile(level, max(effective - 1, 1.0)) for level in (CLEAR, SURE))
    candidates = []
    for name, each in read.items():
        gains, hits = each - read[VOTE], hit[name] - hit[VOTE]
        error, missing = (
            max(grouped_error(change, person, votes.people), grouped_error(change, item, votes.items))
            for change in (gains, hits)
        )
        lost, missed = (_lost(change, person, votes.people) for change in (gains, hits))
        candidates.append(
            MethodTried(
                name,
                float(each.mean()),
                float(gains.mean()),
                error,
                times * error,
                lost,
                correlation[name],
                float(hit[name].mean()),
                float(hits.mean()),
                sure * missing,
                missed,
            )
        )
    return _chosen(candidates, left_out.count)


def _chosen(candidates: list[MethodTried], labels: int) -> MethodChoice:
    models = [one for one in candidates if one.method != VOTE]
    right = [one for one in models if one.right]
    if right:
        best = max(right, key=lambda one: one.more)
        reason = (
            f"{best.method} was taken: its answers are labels left out more often than those of the vote, by "
            f"{best.more:.1%} (what is clear begins at {best.wanted:.1%}); annotators who copy each other look like "
            "experts who agree, so check the answers against some gold ones"
        )
        return MethodChoice(best.method, reason, tuple(candidates), labels)
    clear = [one for one in models if one.clear]
    if clear:
        best = max(clear, key=lambda one: one.gain)
        reason = (
            f"{best.method} was taken: it predicts labels left out better than the vote, by {best.gain:.4f} in their "
            f"mean log-likelihood (standard error {best.error:.4f}); annotators who copy each other look like "
            "experts who agree, so check the answers against some gold ones"
        )
        return MethodChoice(best.method, reason, tuple(candidates), labels)
    best = max(models, key=lambda one: one.gain)
    if best.gain > best.least:
        reason = (
            f"the vote was taken: {best.method} predicts labels left out better, by {best.gain:.4f} in their mean "
            "log-likelihood, but those of some annotators clearly worse, as where others share their errors"
        )
        return MethodChoice(VOTE, reason, tuple(candidates), labels)
    reason = (
        f"the vote was taken: no model clearly predicts labels left out better; the best, {best.method}, gains "
        f"{best.gain:.4f} in their mean log-likelihood, and {best.least:.4f} would be clear"
    )
    return MethodChoice(VOTE, reason, tuple(candidates), labels)


def _lost(gains: Floats, person: Indices, people: int) -> float:
    """What the mean gain loses by annotators whose labels are predicted worse by more than two standard errors."""
    number, sums, squares = (
        totals(person, None, people),
        totals(person, gains, people),
        totals(person, gains**2, people),
    )
    spread = np.sqrt(np.maximum(squares - sums**2 / np.maximum(number, 1), 0))
    return float(np.abs(sums[sums < -WORSE * spread]).sum() / len(gains))
