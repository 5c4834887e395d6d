r"""Largest difference in any place of two vectors, also known as Chebyshev or maximum distance.

$$\delta(a, b) = \max_m |a_m - b_m|$$

Deza, M. M. & Deza, E. (2016). Encyclopedia of Distances, 4th ed. Springer. Chapter 17.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.vectors import row_pairs


@distance_between("vectors", metric=True)
def chebyshev(rows: Floats, i: Indices, j: Indices) -> Floats:
    """The largest absolute difference in any place of two vectors."""
    return row_pairs(rows, i, j, lambda a, b: np.abs(a - b).max(axis=1))
