"""How far apart two annotations are by chance: what distances without an upper end are measured in.

It is the mean distance of two annotations of the study drawn at random without replacement, whatever their items.
"""

from __future__ import annotations

import math

import numpy as np

from interagree.arrays import Floats
from interagree.stats.pairs.pair_distances import PairDistances

SAMPLE = 100_000  # pairs that chance is drawn from where all pairs are too many


def distance_by_chance(distances: PairDistances, frequency: Floats, points: Floats | None = None) -> float | None:
    """The mean distance of two annotations by chance; None where they cannot differ.

    Args:
        distances: The distances of the values.
        frequency: How often each value was given.
        points: Values as points whose squared distances are the distance, where there are such.
    """
    count = float(frequency.sum())
    if count < 2:
        return None
    size = len(frequency)
    if points is not None:
        share = frequency / count
        centred = points - share @ points
        mean = 2 * float(share @ (centred**2).sum(axis=1)) * count / (count - 1)
    elif size * (size - 1) // 2 <= distances.distance.most:
        mean = float(frequency @ distances.table() @ frequency) / (count * (count - 1))
    else:
        rng = np.random.default_rng(0)
        drawn = rng.choice(size, (2, min(SAMPLE, distances.distance.most)), p=frequency / count)
        mean = float(distances(drawn[0], drawn[1]).mean()) * count / (count - 1)
    return mean if math.isfinite(mean) and mean > 0 else None
