r"""Rank-biased overlap of two rankings, as a distance.

$$\delta(a, b) = 1 - \mathrm{RBO}_{ext}, \qquad
\mathrm{RBO}_{ext} = \frac{1 - p}{p} \sum_{d=1}^{l} A_d \, p^d + A_l \, p^l$$

$A_d$ is the share that the first $d$ ids of both lists have in common; $l$ is the length of the longer list.  Depth
$d$ is looked at with a weight that falls by the factor ``p`` from each depth to the next: with 0.9 the first ten ids
bear 86 % of it.  Beyond the end of both lists the last $A$ is taken to go on.  Beyond the end $s$ of the shorter list
only, its unseen ids are taken to agree as its seen ones do: $A_d = (X_d + X_s (d - s) / s) / d$, where $X_d$ counts the
common ids down to depth $d$.  A list and its own beginning are therefore at distance 0, and the triangle inequality
does not hold; among lists of one length it does.

Webber, W.; Moffat, A. & Zobel, J. (2010). A similarity measure for indefinite rankings. ACM Transactions on
Information Systems 28(4), article 20. Equation 32.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.errors import KindError
from interagree.kernels.rankings import overlap_missing
from interagree.kinds.rankings import Rankings


def _prepare(lists: Rankings, *, p: float) -> Rankings:
    if not 0 < p < 1:
        raise KindError(f"the rbo distance needs a p between 0 and 1, both left out, got {p:g}")
    return lists


@distance_between("rankings", bounded=True, prepare=_prepare, defaults={"p": 0.9})
def rbo(lists: Rankings, i: Indices, j: Indices, *, p: float) -> Floats:
    """One minus the extrapolated rank-biased overlap of two lists."""
    loop = overlap_missing.for_steps(3 * lists.steps(i, j))
    return np.asarray(loop(lists.start, lists.ids, lists.known, np.stack((i, j)), float(p)))
