r"""Damerau-Levenshtein distance of two texts, on characters, divided by the longer length.

$$\delta(a, b) = \frac{\operatorname{dl}(a, b)}{\max(|a|, |b|)}$$

As ``levenshtein_chars``, but two neighbouring characters that changed places count as one edit: *teh* is one step from
*the*.  $\operatorname{dl}$ is the unrestricted form, in which characters may also be inserted between the two that
changed places.  $|a|$ is the number of characters, white space among them.  Two empty texts are at distance 0.  Divided
by a length the triangle inequality is lost.

Damerau, F. J. (1964). A technique for computer detection and correction of spelling errors. Communications of the ACM
7(3), 171-176.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.edits import Strings, counted
from interagree.kernels.ngrams import ratio
from interagree.kinds.text import Texts


@distance_between("text", prepare=Texts.strings, bounded=True, most=1_000_000)
def damerau(strings: Strings, i: Indices, j: Indices) -> Floats:
    """The share of characters to insert, delete, replace or swap to turn one text into the other."""
    edits = counted("DamerauLevenshtein.distance", strings, i, j)
    return ratio(edits, np.maximum(strings.size[i], strings.size[j]))
