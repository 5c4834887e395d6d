r"""Levenshtein distance of two texts, on tokens, as a count.

$$\delta(a, b) = \operatorname{lev}(a, b)$$

The least number of tokens to insert, delete or replace that turns one text into the other.  Long texts weigh more than
short ones; ``levenshtein`` divides by the longer length, and says how tokens are cut.

Levenshtein, V. I. (1966). Binary codes capable of correcting deletions, insertions, and reversals. Soviet Physics
Doklady 10(8), 707-710.
"""

from __future__ import annotations

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.edits import Strings, counted
from interagree.kinds.text import Texts


@distance_between("text", prepare=Texts.spelled, metric=True, defaults={"tokens": "spaces"})
def levenshtein_raw(strings: Strings, i: Indices, j: Indices, **_: object) -> Floats:
    """How many tokens to insert, delete or replace to turn one text into the other."""
    return counted("Levenshtein.distance", strings, i, j)
