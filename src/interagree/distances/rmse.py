r"""Root of the mean squared difference of two vectors.

$$\delta(a, b) = \sqrt{\frac{1}{n} \sum_{m=1}^{n} (a_m - b_m)^2}$$

The Euclidean distance divided by $\sqrt{n}$, which makes it a difference on the scale of the numbers.

Braylan, A.; Alonso, O. & Lease, M. (2022). Measuring annotator agreement generally across complex structured,
multi-object, and free-text annotation tasks. WWW '22, 1720-1730.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.vectors import row_pairs, squares


@distance_between("vectors", metric=True)
def rmse(rows: Floats, i: Indices, j: Indices) -> Floats:
    """The root of the mean squared difference of two vectors."""
    return np.asarray(np.sqrt(row_pairs(rows, i, j, squares) / rows.shape[1]))
