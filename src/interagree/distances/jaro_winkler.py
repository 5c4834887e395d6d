r"""Jaro-Winkler distance of two short texts, on characters.

$$\delta(a, b) = 1 - J - 0.1\,\ell\,(1 - J), \qquad
J = \frac{1}{3}\left(\frac{m}{|a|} + \frac{m}{|b|} + \frac{m - t}{m}\right)$$

$m$ counts characters that both have, no further apart than half the longer text less one; $t$ is half the number of
those that stand in another order; $\ell$ is the length of the common beginning, at most 4, and counts only where
$J > 0.7$.  $J = 0$ where nothing is shared, and two empty texts are at distance 0.  Made for names; of long texts it
says little.

Winkler, W. E. (1990). String comparator metrics and enhanced decision rules in the Fellegi-Sunter model of record
linkage. Proceedings of the Section on Survey Research Methods, American Statistical Association, 354-359.
"""

from __future__ import annotations

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.edits import Strings, counted
from interagree.kinds.text import Texts


@distance_between("text", prepare=Texts.strings, bounded=True)
def jaro_winkler(strings: Strings, i: Indices, j: Indices) -> Floats:
    """One minus the share of characters in common, nearly in place, with a bonus for a common beginning."""
    return 1 - counted("JaroWinkler.similarity", strings, i, j)
