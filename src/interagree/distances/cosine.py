r"""Cosine distance of two vectors.

$$\delta(a, b) = 1 - \frac{a \cdot b}{|a| \, |b|}$$

Two vectors are compared by their direction alone: 0 if they point the same way, 1 at a right angle, 2 if they point
opposite ways.  A vector of zeros has no direction; it is at distance 0 from another one of zeros, and at distance 1
from all others.  For vectors $u$, $v$ of length 1 the distance is $|u - v|^2 / 2$, which is how it is computed: small
angles keep their digits, and sums over all annotations need no pairs.

Deza, M. M. & Deza, E. (2016). Encyclopedia of Distances, 4th ed. Springer. Chapter 17.
"""

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.vectors import row_pairs, squares, squares_to_all, unit


def _empty(rows: Floats) -> Booleans:
    return np.asarray((rows == 0).all(axis=1))


def _apart(a: Floats, b: Floats) -> Floats:
    return np.where(_empty(a) != _empty(b), 1.0, np.minimum(squares(a, b) / 2, 2.0))


def _to_all(rows: Floats, frequency: Floats) -> Floats:
    empty = _empty(rows)
    others = np.where(empty, frequency[~empty].sum(), frequency[empty].sum())
    return np.asarray((squares_to_all(rows, frequency) + others) / 2)  # a square is 1 where one of two is zero


@distance_between("vectors", prepare=unit, potential=_to_all)
def cosine(rows: Floats, i: Indices, j: Indices) -> Floats:
    """One minus the cosine of the angle between two vectors."""
    return row_pairs(rows, i, j, _apart)
