r"""Kendall's tau of the heads of two rankings, as a distance.

$$\delta(a, b) = 1 - \tau_b(a_{1..k}, b_{1..k})$$

Only the first ``k`` ids of each list are looked at (all of a shorter one); what stands after them counts as missing,
and $\tau_b$ is over the ids of either head, as for the kendall distance.  An id that a head does not have stands after
all that it has, tied with all others that it does not have.  ``padding`` counts further ids that both heads left out:
with ``k=5`` and ``padding=50`` it is the distance called tau@5 by Braylan, Alonso and Lease (2022).  Two heads of one
id that is the same have nothing to order, and are at distance 0.

Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.rankings import order_kept, tau_distance
from interagree.kinds.rankings import Rankings, whole_number


def _prepare(lists: Rankings, *, k: float, padding: float) -> Rankings:
    whole_number("k", k, least=1, who="kendall_at")
    whole_number("padding", padding, least=0, who="kendall_at")
    return lists


@distance_between("rankings", prepare=_prepare, defaults={"k": 5, "padding": 0})
def kendall_at(lists: Rankings, i: Indices, j: Indices, *, k: float, padding: float) -> Floats:
    """One minus Kendall's tau-b of the first few ids of two lists."""
    head = np.minimum(lists.length, int(k))
    loop = order_kept.for_steps(8 * lists.steps(i, j, k))
    common, net = loop(lists.start, lists.ids, lists.known, np.stack((i, j)), int(k))
    return tau_distance(common, net, head[i], head[j], int(padding))
