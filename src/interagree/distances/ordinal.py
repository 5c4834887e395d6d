r"""Krippendorff's ordinal distance.

$$\delta(c, k) = \Big(\sum_{g=c}^{k} n_g - \frac{n_c + n_k}{2}\Big)^2$$

How many annotations lie between two values, squared: values that are rarely used are close to each other.
It depends on how often each value was given ($n_g$), and on the order of the values alone.  Not to be
confused with Gwet's ordinal *weights*, which do not look at the counts (`gwet_ordinal`).

Krippendorff, K. (2004). Content Analysis, 2nd ed. Sage. Chapter 11.
"""

import numpy as np

from interagree.arrays import Floats
from interagree.declare import distance_table


def _ranks(where: Floats, counts: Floats) -> Floats:  # noqa: ARG001 -- the order of the values is all that counts
    # The rank of a value is the middle of the stretch its annotations take up when all annotations are
    # laid end to end; the sum above is then a plain difference.
    return np.cumsum(counts, axis=-1) - counts / 2


def _points(where: Floats, counts: Floats) -> Floats:
    return _ranks(where, counts)[..., None]


@distance_table(embed=_points, ordered=True, of="scale", counted=True)
def ordinal(where: Floats, counts: Floats) -> Floats:
    """The squared number of annotations between two values."""
    rank = _ranks(where, counts)
    return (rank[..., :, None] - rank[..., None, :]) ** 2
