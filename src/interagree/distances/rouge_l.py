r"""ROUGE-L distance of two texts.

$$\delta(a, b) = 1 - \frac{2\,\operatorname{lcs}(a, b)}{|a| + |b|}$$

$\operatorname{lcs}$ is the length of the longest sequence of tokens that stands in both texts in the same order, not
necessarily side by side; the fraction is the harmonic mean of its shares of both texts (ROUGE-L with $\beta = 1$, which
makes it symmetric).  Two texts without tokens are at distance 0.

Tokens are cut at white space; ``tokens="words"`` also cuts off punctuation, and ``"blanks"`` cuts
at every single blank.  Nothing is stemmed.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries. Text Summarization Branches Out, 74-81.
"""

from __future__ import annotations

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.edits import Strings, counted
from interagree.kernels.ngrams import ratio
from interagree.kinds.text import Texts


@distance_between("text", prepare=Texts.spelled, bounded=True, defaults={"tokens": "spaces"})
def rouge_l(strings: Strings, i: Indices, j: Indices, **_: object) -> Floats:
    """One minus the share of tokens in the longest common subsequence."""
    size = strings.size[i] + strings.size[j]
    return ratio(size - 2 * counted("LCSseq.similarity", strings, i, j), size)
