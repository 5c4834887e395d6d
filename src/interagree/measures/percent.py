r"""Percent agreement.

$$P_o = 1 - \frac{1}{N} \sum_{i=1}^{N} \frac{1}{n_i (n_i - 1)} \sum_{a \ne b} \delta(v_{ia}, v_{ib})$$

The chance that two annotators of an item, drawn at random, gave the same value: the mean over items of the share of
pairs of annotations that agree.  Every item with two annotations or more counts once ($N$ of them); an item with one
cannot agree or disagree and is left out.  Chance plays no part, so two annotators who toss coins reach one half.

Some packages call the share of items on which *all* annotators agree by the same name; with two annotators
it is the same number.

Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5), 378-382.
"""

from __future__ import annotations

from typing import Any, Unpack

from interagree.data import ReadingOptions
from interagree.declare import measure
from interagree.distances import IntoDistance, lay_out
from interagree.results import Agreement, Parts
from interagree.stats.chance import observed
from interagree.stats.counts import Counts
from interagree.stats.estimate import estimate


@measure("Percent agreement", symbol="p", reference="fleiss1971", chance="none", range=(0.0, 1.0))
def percent(
    data: Any,
    *others: Any,
    distance: IntoDistance | None = None,
    weights: str | Any | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """How often two annotators of an item give the same value.

    Args:
        data: A study, or anything `Annotations.of` takes.
        distance: How far apart values are; divided by its largest value.
        weights: Gwet's agreement weights, by name or as a table; the other way to give a distance.

    Example:
        >>> import interagree as ia
        >>> ann = ["yes", "no", "yes", "no", "no", "yes"]
        >>> bo = ["yes", "no", "no", "no", "no", "yes"]
        >>> cy = ["yes", "no", "yes", None, "no", "no"]
        >>> print(ia.percent(ann, bo, cy))
        p = 0.778, 95% interval 0.416 to 1.000 (6 items, 3 annotators)
    """
    on = lay_out(distance, weights, scaled=True)
    counts = Counts.of(data).at_least(2)
    spread = on(counts)
    return estimate(
        percent,
        counts,
        lambda c: Parts(observed(c, spread)),
        lay_out=on,
        call={"distance": distance, "weights": weights},
        show={"distance": distance, "weights": weights, "bounded": spread.bounded},
    )
