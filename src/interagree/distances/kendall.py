r"""Kendall's tau of two rankings, as a distance.

$$\delta(a, b) = 1 - \tau_b, \qquad
\tau_b = \frac{C - D}{\sqrt{(P - T_a)(P - T_b)}}$$

$C$ pairs of ids stand in the same order in both lists and $D$ in opposite order; of all $P$ pairs $T_a$ are tied in
the one list and $T_b$ in the other.  The distance is 0 for the same ranking and 2 for the opposite one.

The ids are those of either list.  An id that a list does not have stands after all that it has, tied with all others
that it does not have.  Two lists without a common id are thus more than 1 apart: each puts its own ids before those of
the other.  ``padding`` counts further ids that both lists left out (and so agree on): with 50 it is the distance of
Braylan, Alonso and Lease (2022).  Where both lists rank the same ids and there is no padding, nothing is tied, and
tau-b is Kendall's first tau.  A list of at least two ids is never all tied, so there is always a tau.

The triangle inequality holds where all lists rank the same ids, and may break for others.

Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from interagree.arrays import Floats, Indices, Int32s
from interagree.declare import distance_between
from interagree.kernels.rankings import opposite, opposite_to_all, order_bits, order_kept, tau_distance
from interagree.kinds.rankings import Rankings, whole_number

AT_ONCE = 1 << 24  # pairs of ids that are numbered at once (256 MiB)
MOST = 1 << 31  # pairs of ids, over all values, whose order is kept as bits (256 MiB)


class _ReadyForKendall(NamedTuple):
    lists: Rankings
    ranks: Int32s | None  # of full rankings
    bits: NDArray[np.uint64] | None  # … where they take little room


def _prepare(lists: Rankings, *, padding: float) -> _ReadyForKendall:
    whole_number("padding", padding, least=0, who="kendall")
    if not lists.full:
        return _ReadyForKendall(lists, None, None)
    ranks = lists.ranks()
    pairs = lists.known * (lists.known - 1) / 2
    little = pairs <= AT_ONCE and len(ranks) * pairs <= MOST
    return _ReadyForKendall(lists, ranks, order_bits(ranks) if little else None)


def _per_pair(known: int, padding: float) -> float:
    # Of full rankings C - D = P - 2 D, and padding adds a pair in the same order for each id.
    return 2 / (known * (known - 1) / 2 + known * padding)


def _to_all(ready: _ReadyForKendall, frequency: Floats, *, padding: float) -> Floats | None:
    if ready.ranks is None:
        return None
    return opposite_to_all(ready.ranks, frequency) * _per_pair(ready.lists.known, padding)


@distance_between("rankings", prepare=_prepare, potential=_to_all, defaults={"padding": 0})
def kendall(ready: _ReadyForKendall, i: Indices, j: Indices, *, padding: float) -> Floats:
    """One minus Kendall's tau-b of the ids that either of two lists has."""
    lists = ready.lists
    if ready.bits is not None:
        return opposite(ready.bits, i, j) * _per_pair(lists.known, padding)
    length = lists.length
    loop = order_kept.for_steps(8 * lists.steps(i, j))
    common, net = loop(lists.start, lists.ids, lists.known, np.stack((i, j)), lists.known)
    return tau_distance(common, net, length[i], length[j], int(padding))
