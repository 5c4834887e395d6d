r"""One minus the B³ F of two clusterings of mentions.

$$\delta(A, B) = 1 - \frac{2 P R}{P + R}, \qquad
R = \frac1{|\bigcup A|} \sum_{a, b} \frac{|a \cap b|^2}{|a|}, \qquad
P = \frac1{|\bigcup B|} \sum_{a, b} \frac{|a \cap b|^2}{|b|}$$

Clusters $a$ of one annotator and $b$ of the other.  For each mention, how far its two clusters are the same; a mention
that one of them did not mark counts as wrong for the other.  Two empty clusterings are at distance 0, and an empty one
is at distance 1 from any other.  No metric.  Coreference is better measured by `coref_f1` and `coref_alpha`, which look
into documents; this compares documents as wholes.

Bagga, A. & Baldwin, B. (1998). Algorithms for scoring coreference chains. LREC workshop on linguistic coreference,
563-566.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.clusters import crossing
from interagree.kinds.clusters import Clusters


@distance_between("clusters", bounded=True)
def b_cubed(packed: Clusters, i: Indices, j: Indices) -> Floats:
    """One minus the F of B³."""
    crossed = crossing(packed, i, j)
    a, b = crossed.across
    square = crossed.common**2
    here, there = (np.bincount(crossed.pair, square / size, crossed.pairs) for size in (a, b))
    first, second = crossed.mentions()
    # 2PR / (P + R) without dividing by the mentions of a clustering that has none.
    bottom = here * second + there * first
    alike = np.where(bottom > 0, 2 * here * there / np.where(bottom > 0, bottom, 1), first + second == 0)
    return np.asarray(np.maximum(1 - alike, 0.0))
