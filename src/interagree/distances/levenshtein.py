r"""Levenshtein distance of two texts, on tokens, divided by the longer length.

$$\delta(a, b) = \frac{\operatorname{lev}(a, b)}{\max(|a|, |b|)}$$

$\operatorname{lev}$ is the least number of tokens to insert, delete or replace that turns one text into the other, and
$|a|$ the number of tokens.  Two texts without tokens are at distance 0.  Divided by a length the triangle inequality
is lost: *a b* and *b a* are at distance 1, and each at 1/3 from *a b a*.

Tokens are cut at white space; ``tokens="words"`` also cuts off punctuation, and ``"blanks"`` cuts
at every single blank.

Levenshtein, V. I. (1966). Binary codes capable of correcting deletions, insertions, and reversals. Soviet Physics
Doklady 10(8), 707-710.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.edits import Strings, counted
from interagree.kernels.ngrams import ratio
from interagree.kinds.text import Texts


@distance_between("text", prepare=Texts.spelled, bounded=True, defaults={"tokens": "spaces"})
def levenshtein(strings: Strings, i: Indices, j: Indices, **_: object) -> Floats:
    """The share of tokens to insert, delete or replace to turn one text into the other."""
    edits = counted("Levenshtein.distance", strings, i, j)
    return ratio(edits, np.maximum(strings.size[i], strings.size[j]))
