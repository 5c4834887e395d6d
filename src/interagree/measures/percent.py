r"""Percent agreement.

$$P_o = 1 - \frac{1}{N} \sum_{i=1}^{N} \frac{1}{n_i (n_i - 1)} \sum_{a \ne b} \delta(v_{ia}, v_{ib})$$

The chance that two annotators of an item, drawn at random, gave the same value: the mean over items of the share of
pairs of annotations that agree.  Every item with two annotations or more counts once ($N$ of them); an item with one
cannot agree or disagree and is left out.  Chance plays no part, so two annotators who toss coins reach one half.

With ``all=True`` it is the share of items on which *all* annotators agree, which R's irr calls percentage agreement;
with two annotators the two are the same number.  irr leaves out the items that not everybody annotated, and here an
item counts with two annotations or more, as it does without ``all``.

With ``tolerance=1`` two values agree when they are no more than 1 apart: numbers by their difference, labels in a
stated order by how many places apart they stand.  All annotators then agree when the highest and the lowest value do.

Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5), 378-382.
"""

from __future__ import annotations

from typing import Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import IntoAnnotations, ReadingOptions, Values
from interagree.declare import Distance, measure
from interagree.distances import IntoDistance, IntoWeights, on_values
from interagree.errors import KindError
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.labels.chance import observed
from interagree.stats.labels.labelled import LabelCounts


@measure(
    "Percent agreement",
    "p",
    "fleiss1971",
    "none",
    range=(0.0, 1.0),
    aliases=("percent_agreement", "percentage_agreement", "observed_agreement", "raw_agreement", "agree"),
)
def percent(
    data: IntoAnnotations,
    *others: Values,
    distance: IntoDistance | None = None,
    weights: IntoWeights | None = None,
    all: bool = False,  # noqa: A002 -- the plain word
    tolerance: float = 0,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """How often two annotators of an item give the same value.

    Args:
        distance: How far apart values are; divided by its largest value.
        all: Whether to count the items on which all annotators agree, and not the pairs of annotations that do.
        tolerance: How far apart two values may be and still agree: numbers, or places on a scale in stated order.

    Examples:
        >>> cy = ["yes", "no", "yes", None, "no", "no"]
        >>> print(ia.percent(ann, bo, cy))
        p = 0.778, 95% interval 0.302 to 0.966 (6 items, 3 annotators)
    """
    on = on_values(_beyond(tolerance, distance, weights), weights, scaled=True)
    counts = LabelCounts.under(data, on, least=2)
    return estimate(percent, counts, unanimous if all else pairwise)


def pairwise(counts: LabelCounts) -> Parts:
    """The share of pairs of annotations that differ, or their mean distance."""
    return Parts(observed(counts, counts.distances))


def unanimous(counts: LabelCounts) -> Parts:
    """The share of items on which not all annotators agree."""
    differ = (counts.distances.within(counts.rows) > 0).astype(np.float64)
    return Parts(counts.mean(differ, lambda c: c.paired))


def _beyond(tolerance: float, distance: IntoDistance | None, weights: IntoWeights | None) -> IntoDistance | None:
    """The distance that is 0 within the tolerance and 1 beyond it; without a tolerance, the one that was given."""
    if not tolerance >= 0:
        raise KindError(f"a tolerance is a number from 0 up, such as 1; got tolerance={tolerance!r}")
    if not tolerance:
        return distance
    if distance is not None or weights is not None:
        raise KindError(
            "tolerance= says how far apart values may be, and so do distance= and weights=; give one of them"
        )

    def beyond(a: Floats, b: Floats) -> Floats:
        return np.asarray(np.abs(a - b) > tolerance * (1 + 1e-9), dtype=np.float64)  # 0.3 and 0.2 are 0.1 apart

    return Distance("tolerance", pairs=beyond, of="numbers", ordered=True, bounded=True)
