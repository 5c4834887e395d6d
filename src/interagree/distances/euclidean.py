r"""Euclidean distance of two vectors.

$$\delta(a, b) = \sqrt{\sum_{m=1}^{n} (a_m - b_m)^2}$$

The length of the straight line between two points.  Places on wider scales weigh more; bring them to one scale first
if they should not.

Deza, M. M. & Deza, E. (2016). Encyclopedia of Distances, 4th ed. Springer. Chapter 17.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.vectors import row_pairs, squares


@distance_between("vectors", metric=True)
def euclidean(rows: Floats, i: Indices, j: Indices) -> Floats:
    """The straight distance of two points."""
    return np.sqrt(row_pairs(rows, i, j, squares))
