r"""Hamming distance of two vectors.

$$\delta(a, b) = \frac{1}{n} \sum_{m=1}^{n} [a_m \neq b_m]$$

The share of places in which two vectors of $n$ numbers differ, by however little.

Hamming, R. W. (1950). Error detecting and error correcting codes. Bell System Technical Journal 29(2), 147-160.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.vectors import mismatches_to_all, row_pairs


def _to_all(rows: Floats, frequency: Floats) -> Floats:
    return np.asarray(mismatches_to_all(rows, frequency) / rows.shape[1])


@distance_between("vectors", bounded=True, metric=True, potential=_to_all)
def hamming(rows: Floats, i: Indices, j: Indices) -> Floats:
    """The share of places in which two vectors differ."""
    return row_pairs(rows, i, j, lambda a, b: (a != b).mean(axis=1))
