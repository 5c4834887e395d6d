r"""Squared Euclidean distance of two vectors.

$$\delta(a, b) = \sum_{m=1}^{n} (a_m - b_m)^2$$

The interval distance, summed over the places of a vector.  Its sums over all annotations are exact at any size, as
they need the mean and the spread alone.

Deza, M. M. & Deza, E. (2016). Encyclopedia of Distances, 4th ed. Springer. Chapter 17.
"""

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.vectors import row_pairs, squares, squares_to_all


@distance_between("vectors", potential=squares_to_all)
def squared_euclidean(rows: Floats, i: Indices, j: Indices) -> Floats:
    """The summed squared differences of two vectors."""
    return row_pairs(rows, i, j, squares)
