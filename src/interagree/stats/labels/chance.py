"""What two annotators would disagree on by chance: the models that tell the coefficients apart.

Each takes a statistic and a laid-out distance and gives an expected disagreement, also under many weights at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from interagree.results.agreement import Parts
from interagree.stats.labels.ballots import Ballots
from interagree.stats.labels.counts import Counts, flat, per_annotation
from interagree.stats.labels.distance_table import Spread


def one_urn(counts: Counts, spread: Spread) -> Any:
    """Both draw from what all annotators gave together (Scott, Fleiss)."""
    p = counts.shares(flat)
    return spread.between(p, p, spread.frequency(counts))


def one_urn_per_annotation(counts: Counts, spread: Spread, *, back: bool) -> Any:
    """Both draw from all annotations, the first one put back or not (Krippendorff)."""
    p = counts.shares(per_annotation)
    drawn = spread.between(p, p, spread.frequency(counts))
    total = counts.total
    return drawn if back else drawn * total / (total - 1)


def own_urns(ballots: Ballots, spread: Spread) -> Any:
    """Each draws from what she gave herself, over all pairs of annotators (Cohen, Conger)."""
    given = ballots.voted()
    each = given.sum(-1)
    there = np.real(each) > 0.5
    shares = np.where(there[..., None], given / np.where(there, each, 1)[..., None], 0)
    people = there.sum(-1)
    together = shares.sum(-2)
    frequency = spread.frequency(ballots.counts)
    all_pairs = spread.between(together, together, frequency)
    if spread.counted and np.ndim(frequency) > 1:
        frequency = frequency[..., None, :]
    with_herself = spread.between(shares, shares, frequency).sum(-1)
    return (all_pairs - with_herself) / (people * (people - 1))


def guessing(counts: Counts, spread: Spread) -> Any:
    """Some annotations are guesses, the more the closer the values are to even (Gwet)."""
    p = counts.shares(flat)
    size = len(counts.values)
    if size < 2:
        return np.nan
    weights = 1 - spread.mean(
        spread.frequency(counts)
    )  # the mean of the agreement weights of all pairs of values
    return 1 - weights * size / (size - 1) * (p * (1 - p)).sum(-1)


def observed(counts: Counts, spread: Spread) -> Any:
    """The mean over items of the distance of two of its annotations."""
    return counts.disagreement(spread, flat)


def flat_parts(counts: Counts, spread: Spread, chance: Any) -> Parts:
    """Observed and expected disagreement, every item counting once."""
    return Parts(observed(counts, spread), chance(counts, spread))
