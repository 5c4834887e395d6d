r"""How many more objects one list has than another.

$$\delta(A, B) = \bigl|\, |A| - |B| \,\bigr|$$

The coarsest distance of lists of objects, and a yardstick for finer ones: what they are is not looked at.

Braylan, A., Alonso, O., Lease, M. (2022). Measuring annotator agreement generally across complex structured,
multi-object, and free-text annotation tasks. WWW, 1720-1730.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kinds._parts import Lists


def _potential(packed: Lists, frequency: Floats) -> Floats:
    # The lists with fewer objects come first, so each sum is (count here - sum before) twice over.
    size = np.diff(packed.start).astype(np.float64)
    order = np.argsort(size, kind="stable")
    count, weight = size[order], np.asarray(frequency, dtype=np.float64)[order]
    below, summed = np.cumsum(weight), np.cumsum(weight * count)
    sums = np.empty(len(size))
    sums[order] = count * (2 * below - below[-1:]) + summed[-1:] - 2 * summed
    return sums


@distance_between("boxes", "rotated", "polygons", "masks", "keypoints", "spans", potential=_potential, metric=True)
def count_diff(packed: Lists, i: Indices, j: Indices) -> Floats:
    """The difference of the numbers of objects."""
    size = np.diff(packed.start)
    return np.asarray(np.abs(size[i] - size[j]), dtype=np.float64)
