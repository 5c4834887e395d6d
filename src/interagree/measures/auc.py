r"""AUC: how often two annotations of different items are further apart than two of the same item.

$$\mathrm{AUC} = P(d_e > d_o) + \tfrac{1}{2} P(d_e = d_o)$$

$d_o$ is the distance of two annotations of one item, $d_e$ that of two annotations of different items, both drawn at
random; ties count half.  It is 1 where every distance within items is smaller than every one between items, 0.5 where
items make no difference, and does not depend on the scale of the distance: only the order of distances counts.  So it
is fit to compare distances with each other, on one study.

This, and not the Kolmogorov-Smirnov statistic, is what the column "KS" of Braylan, Alonso and Lease (2022, Table 1)
comes close to; there ties count nothing.  The interval resamples items; the p-value is that of no difference between
items, found by dealing the values to the annotations anew.

Braylan, A., Alonso, O. & Lease, M. (2022). Measuring annotator agreement generally across complex structured,
multi-object, and free-text annotation tasks. Proceedings of the ACM Web Conference.
"""

from __future__ import annotations

from typing import Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import IntoAnnotations, ReadingOptions, Values
from interagree.declare import PAIRS, UnderChance, measure
from interagree.distances import IntoDistance, pairs_of
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.independence import LESS
from interagree.stats.pairs.item_pairs import PRECISION, Pairs
from interagree.stats.pairs.permuting import nearer, permuted
from interagree.stats.pairs.study_distances import Weighting


@measure(
    "AUC of distances",
    "AUC",
    "braylan2022",
    "annotations of different items",
    under_chance=UnderChance(f"0.5; {LESS}", 0.5, "less"),
    **PAIRS,
)
def auc(
    data: IntoAnnotations,
    *others: Values,
    distance: IntoDistance | None = None,
    weighting: Weighting = "pairs",
    precision: float = PRECISION,
    seed: int = 0,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """How often annotations of different items are further apart than those of one item.

    Args:
        distance: How far apart values are; by default the usual one for their kind.

    Examples:
        >>> ann = [1, 2, 3, 4, 5, 2]
        >>> bo = [1, 2, 4, 4, 5, 1]
        >>> print(ia.measures.auc(ann, bo, distance="interval"))
        AUC = 0.881, 95% interval 0.750 to 0.983 (6 items, 2 annotators)
    """
    pairs, remarks = pairs_of(data, distance, weighting=weighting, precision=precision, seed=seed)
    test = Published[Pairs](p_value=lambda p: permuted(p, nearer), one_tailed=True)
    return estimate(auc, pairs.scored(_score, remarks=remarks), _parts, test)


def _parts(pairs: Pairs) -> Parts:
    far, within, between = pairs.spectrum()
    inside, outside = within.sum(-1, keepdims=True), between.sum(-1, keepdims=True)
    # Of each distance: how many within items are smaller.
    below = (np.cumsum(within, axis=-1) - within / 2) / inside
    value = (below * between / outside).sum(-1)
    expected = (between @ far) / outside[..., 0]
    return Parts((within @ far) / inside[..., 0], expected, np.where(np.real(expected) > 0, value, np.nan))


def _score(pairs: Pairs, far: Floats) -> Floats:
    grid, _, between = pairs.spectrum()
    above = 1 - (np.cumsum(between) - between / 2) / between.sum()
    scores: Floats = above[np.searchsorted((grid[1:] + grid[:-1]) / 2, far, side="right")]
    return scores
