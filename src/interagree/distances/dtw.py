r"""Dynamic time warping of two series of numbers.

$$\delta(a, b) = \min_{\pi} \sum_{(x, y) \in \pi} |a_x - b_y|$$

over all alignments $\pi$ that begin with both first numbers, end with both last ones, and go on by one step in
either series or in both.  Where one of them is slower it may be stretched, so that the same course at another pace
is at distance 0.  With ``window`` only numbers at most so many places apart are aligned (Sakoe and Chiba's band),
widened to the difference of the lengths where the ends would not meet; without, there is no such limit.  The triangle
inequality does not hold.

Sakoe, H. & Chiba, S. (1978). Dynamic programming algorithm optimization for spoken word recognition. IEEE
Transactions on Acoustics, Speech, and Signal Processing 26(1), 43-49.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.errors import KindError
from interagree.kernels.series import warped
from interagree.kinds.series import Series


def _reach(window: float | str) -> int:
    if window == "none":
        return -1
    if isinstance(window, str) or window < 0 or window != int(window):
        raise KindError(f"the dtw distance needs a window of 0, 1, 2, … places or 'none', got {window!r}")
    return int(window)


@distance_between("series", defaults={"window": "none"}, most=250_000)
def dtw(series: Series, i: Indices, j: Indices, *, window: float | str) -> Floats:
    """The least summed difference of two series when each may be stretched."""
    reach = _reach(window)
    length = np.diff(series.start).astype(np.float64)
    loop = warped.for_steps(4 * float(length[i] @ length[j]))
    return np.asarray(loop(series.start, series.number, i, j, reach))
