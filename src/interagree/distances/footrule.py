r"""Spearman's footrule of two rankings, divided by the largest it can be.

$$\delta(a, b) = \frac{\sum_m |r_m - s_m|}{\sum_{r=1}^{n_a} (\ell - r) + \sum_{s=1}^{n_b} (\ell - s)},
\qquad \ell = \max(n_a, n_b) + 1$$

where $r_m$ and $s_m$ are the places of id $m$ in lists of $n_a$ and $n_b$ ids.  The ids are those of either list; one
that a list does not have takes the place $\ell$ after the end of the longer list.  The distance is 1 for lists
without a common id, and below 1 for all others: two orders of the same $n$ ids are at most
$\lfloor n^2 / 2 \rfloor / (n (n + 1))$ apart, just below one half, for they agree on which ids there are.  The triangle
inequality holds where all lists are of one length, and may break for others.

Fagin, R.; Kumar, R. & Sivakumar, D. (2003). Comparing top k lists. SIAM Journal on Discrete Mathematics 17(1), 134-160.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.rankings import shared_places
from interagree.kinds.rankings import Rankings


@distance_between("rankings", bounded=True)
def footrule(lists: Rankings, i: Indices, j: Indices) -> Floats:
    """The summed differences of places in two lists, as a share of the largest possible."""
    first, second = lists.length[i], lists.length[j]
    end = np.maximum(first, second) + 1
    loop = shared_places.for_steps(2 * lists.steps(i, j))
    common, here, there, _, apart = loop(lists.start, lists.ids, lists.known, np.stack((i, j)))
    most = first * end - first * (first + 1) // 2 + second * end - second * (second + 1) // 2
    return np.asarray((apart + most - (2 * common * end - here - there)) / most)
