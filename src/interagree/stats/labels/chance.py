"""What two annotators would disagree on by chance: the models that tell the coefficients apart.

Each takes a statistic and the distances of its values and gives an expected disagreement, also under many
weights at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from interagree.arrays import Array, Floats
from interagree.errors import KindError
from interagree.results.agreement import Parts
from interagree.stats.engine.measured import slopes
from interagree.stats.engine.value import ratio
from interagree.stats.labels.ballots import Ballots
from interagree.stats.labels.counts import Counts, flat, per_annotation
from interagree.stats.labels.distance_table import DistanceTable
from interagree.stats.labels.labelled import LabelBallots, LabelCounts

L = TypeVar("L", LabelCounts, LabelBallots)
MANY = 200  # values from which it pays to look for those that occur alike


def one_urn(counts: Counts, distances: DistanceTable) -> Array:
    """Both draw from what all annotators gave together (Scott, Fleiss)."""
    p = counts.shares(flat)
    return distances.between(p, p, distances.frequency(counts))


def one_urn_per_annotation(counts: Counts, distances: DistanceTable, *, back: bool) -> Array:
    """Both draw from all annotations, the first one put back or not (Krippendorff)."""
    p = counts.shares(per_annotation)
    drawn = distances.between(p, p, distances.frequency(counts))
    total = counts.total
    return drawn if back else drawn * total / (total - 1)


def own_urns(ballots: Ballots, distances: DistanceTable) -> Array:
    """Each draws from what they gave themselves, over all pairs of annotators (Cohen, Conger)."""
    given = ballots.voted()
    each = given.sum(-1)
    there = np.real(each) > 0.5
    shares = np.where(there[..., None], given / np.where(there, each, 1)[..., None], 0)
    people = there.sum(-1)
    together = shares.sum(-2)
    frequency = distances.frequency(ballots.counts)
    all_pairs = distances.between(together, together, frequency)
    if frequency is not None and np.ndim(frequency) > 1:
        frequency = frequency[..., None, :]
    same_annotator = distances.between(shares, shares, frequency).sum(-1)
    return np.asarray((all_pairs - same_annotator) / (people * (people - 1)))


def guessing(counts: Counts, distances: DistanceTable) -> Array:
    """Some annotations are guesses, the more the closer the values are to even (Gwet)."""
    p = counts.shares(flat)
    size = len(counts.values)
    if size < 2:
        return np.asarray(np.nan)
    weights = 1 - distances.mean(
        distances.frequency(counts)
    )  # the mean of the agreement weights of all pairs of values
    return np.asarray(1 - weights * size / (size - 1) * (p * (1 - p)).sum(-1))


def observed(counts: Counts, distances: DistanceTable) -> Array:
    """The mean over items of the distance of two of its annotations."""
    return counts.disagreement(distances, flat)


def influence(statistic: L, parts: Callable[[L], Parts]) -> Callable[[L], Floats] | None:
    """How to find the influence of patterns where many values are equal or not; None for the usual way."""
    if not statistic.distances.distance.equality or len(statistic.distances.values) < MANY:
        return None

    def found(of: L) -> Floats:
        with np.errstate(all="ignore"):
            made = slopes(lambda weights: ratio(parts(of.weighted(weights))), of.weights.matrix(), exchangeable=True)
        if made is None:
            raise KindError("a coefficient of counts is made of sums over items, and this one is not")
        return made

    return found


def own_urns_influence(
    ballots: LabelBallots, parts: Callable[[LabelBallots], Parts]
) -> Callable[[LabelBallots], Floats] | None:
    """How to find the influence of patterns where annotators × values are many; None for the usual way.

    The expected disagreement changes with a share of annotator $a$ as $2 (d T - d s_a) / (P (P - 1))$, for the $P$
    annotators' shares $s$, their sum $T$ and the distances $d$: one step for all shares, where the usual way takes one
    step for each.
    """
    if ballots.distances.counted or len(ballots.annotators) * len(ballots.counts.values) < MANY:
        return None

    def found(of: LabelBallots) -> Floats:
        distances, times = of.distances, of.weights.matrix()
        disagreement = parts(of)
        with np.errstate(all="ignore"):
            seen = slopes(lambda weights: observed(of.counts.weighted(weights), distances), times)
        if seen is None:
            raise KindError("a coefficient of counts is made of sums over items, and this one is not")
        given = of.voted()
        each = given.sum(-1, keepdims=True)
        there = each[:, 0] > 0
        shares = np.divide(given, each, out=np.zeros_like(given), where=each > 0)
        apart = (shares.sum(0) - shares) * there[:, None]  # the shares of all others
        apart = -apart if distances.distance.equality else apart @ distances.table(None)
        people = float(there.sum())
        apart *= 2 / (people * (people - 1))
        apart -= (shares * apart).sum(-1, keepdims=True)
        by_share = np.divide(apart, each, out=np.zeros_like(apart), where=each > 0)
        chance = times.sum() * np.asarray(of.votes @ by_share.reshape(-1))
        expected = float(disagreement.expected)
        return np.asarray(float(disagreement.observed) / expected**2 * chance - seen / expected)

    return found


def flat_parts(counts: Counts, distances: DistanceTable, chance: Callable[[Counts, DistanceTable], Array]) -> Parts:
    """Observed and expected disagreement, every item counting once."""
    return Parts(observed(counts, distances), chance(counts, distances))
