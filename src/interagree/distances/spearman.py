r"""Spearman's rho of two rankings, as a distance.

$$\delta(a, b) = 1 - \rho, \qquad \rho = \frac{\sum_m (r_m - \bar r)(s_m - \bar r)}
{\sqrt{\sum_m (r_m - \bar r)^2 \sum_m (s_m - \bar r)^2}}$$

where $r_m$ and $s_m$ are the ranks of id $m$ in the two lists.  The distance is 0 for the same ranking and 2 for the
opposite one.  The ids are those of either list; those that a list does not have stand after all that it has, and share
the mean of the ranks that are left.  ``padding`` counts further ids that both lists left out (and so agree on): with 50
it is the distance of Braylan, Alonso and Lease (2022).  A list of at least two ids is never all tied, so there is
always a rho.  Where all lists rank the same ids the distance is the squared Euclidean one of the ranks, divided by a
number, and sums over all annotations need no pairs.

Spearman, C. (1904). The proof and measurement of association between two things. American Journal of Psychology
15(1), 72-101.
"""

from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.rankings import rho_distance, shared_places
from interagree.kernels.vectors import row_pairs, squares, squares_to_all
from interagree.kinds.rankings import Rankings, whole_number


class _ReadyForSpearman(NamedTuple):
    lists: Rankings
    ranks: Floats | None  # of full rankings


def _prepare(lists: Rankings, *, padding: float) -> _ReadyForSpearman:
    whole_number("padding", padding, least=0, who="spearman")
    return _ReadyForSpearman(lists, lists.ranks().astype(np.float64) if lists.full else None)


def _per_square(known: int, padding: float) -> float:
    every = known + padding
    return 6 / ((every**3 - every) - (padding**3 - padding))


def _to_all(ready: _ReadyForSpearman, frequency: Floats, *, padding: float) -> Floats | None:
    if ready.ranks is None:
        return None
    return squares_to_all(ready.ranks, frequency) * _per_square(ready.lists.known, padding)


@distance_between("rankings", prepare=_prepare, potential=_to_all, defaults={"padding": 0})
def spearman(ready: _ReadyForSpearman, i: Indices, j: Indices, *, padding: float) -> Floats:
    """One minus Spearman's rho of the ids that either of two lists has."""
    lists = ready.lists
    if ready.ranks is not None:
        return row_pairs(ready.ranks, i, j, squares) * _per_square(lists.known, padding)
    length = lists.length
    shared = shared_places.for_steps(2 * lists.steps(i, j))(lists.start, lists.ids, lists.known, np.stack((i, j)))
    return rho_distance(shared, length[i], length[j], int(padding))
