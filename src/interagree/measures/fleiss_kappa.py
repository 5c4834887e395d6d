r"""Fleiss' kappa.

$$\kappa = \frac{\bar P - \bar P_e}{1 - \bar P_e}, \qquad \bar P_e = \sum_k \pi_k^2$$

$\bar P$ is the mean over items of the share of pairs of annotations that agree; chance draws both
annotations from one urn that holds the values in their shares $\pi_k$, the mean over items of the share of
value $k$ in the item.

Items may have different numbers of annotations: every item counts once, and $\pi_k$ is taken from all
items, those with a single annotation included, as Gwet (2014) does.  Others leave such items out of
$\pi_k$, or count pairs instead of items, and get other numbers.  With weights, agreement is $1 - \delta$
throughout.

Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5), 378-382.
Standard error: Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. Chapter 5.
"""

from __future__ import annotations

import math
from typing import Unpack

import numpy as np

from interagree.data import IntoAnnotations, Values
from interagree.declare import measure
from interagree.distances import ComparisonOptions, compared
from interagree.errors import KindError
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.chance import flat_parts, influence, one_urn
from interagree.stats.labels.counts import Counts, flat
from interagree.stats.labels.independence import ONE_URN
from interagree.stats.labels.labelled import LabelCounts


@measure(
    "Fleiss' kappa", "κ", "fleiss1971", "one urn", under_chance=ONE_URN, aliases=("fleiss", "kappam_fleiss", "multi_pi")
)
def fleiss_kappa(data: IntoAnnotations, *others: Values, **comparison: Unpack[ComparisonOptions]) -> Agreement:
    """Fleiss' kappa, for any number of annotators who need not be the same for every item.

    Examples:
        >>> print(ia.fleiss_kappa(ann, bo, cy))
        κ = 0.532, 95% interval -0.347 to 0.914 (6 items, 3 annotators)
    """
    counts = LabelCounts.under(data, compared(comparison))
    published = Published(null_error=null_error, influence=influence(counts, parts))
    return estimate(fleiss_kappa, counts, parts, published, notes=few_rows(counts))


def parts(counts: LabelCounts) -> Parts:
    """Observed disagreement, and that of two values drawn from one urn."""
    return flat_parts(counts, counts.distances, one_urn)


def null_error(counts: LabelCounts) -> float:
    """The standard error if there were no agreement (Fleiss, Nee and Landis 1979)."""
    sizes = np.unique(counts.size)
    if len(sizes) != 1:
        raise KindError(
            "the error under no agreement is for the same number of annotations on every item, and here it runs from "
            f"{sizes[0]:.0f} to {sizes[-1]:.0f}"
        )
    n, m = float(counts.items), float(sizes[0])
    p = counts.shares(flat)
    q = 1 - p
    differ = float(p @ q)
    return math.sqrt(2 * (differ**2 - float((p * q) @ (q - p)))) / (differ * math.sqrt(n * m * (m - 1)))


def few_rows(counts: Counts) -> tuple[str, ...]:
    """A warning where a table of counts has a row per annotator, it seems, and not per item."""
    anonymous = counts.source is not None and counts.source.anonymous
    if not anonymous or counts.n.items > 12 or len(np.unique(counts.size)) != 1:
        return ()
    if counts.size[0] >= 10 * counts.n.items:
        note = (
            f"{counts.n.items} rows of {counts.size[0]:.0f} annotations each: if every row is an annotator and "
            "not an item, this table says nothing about agreement, and another one is needed"
        )
        return (note,)
    return ()
