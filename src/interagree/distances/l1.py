r"""Sum of absolute differences, also known as Manhattan or city-block distance.

$$\delta(a, b) = \sum_{m=1}^{n} |a_m - b_m|$$

Deza, M. M. & Deza, E. (2016). Encyclopedia of Distances, 4th ed. Springer. Chapter 17.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.vectors import differences_to_all, row_pairs


@distance_between("vectors", metric=True, potential=differences_to_all)
def l1(rows: Floats, i: Indices, j: Indices) -> Floats:
    """The summed absolute differences of two vectors."""
    return row_pairs(rows, i, j, lambda a, b: np.abs(a - b).sum(axis=1))
