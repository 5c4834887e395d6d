r"""Dice distance of the words of two texts.

$$\delta(a, b) = 1 - \frac{2\,|A \cap B|}{|A| + |B|}$$

$A$ and $B$ are the multisets of tokens: a token that occurs twice in one text and three times in the other is shared
twice.  The order of the tokens does not count.  Two texts without tokens are at distance 0.

Tokens are cut at white space; ``tokens="words"`` also cuts off punctuation, and ``"blanks"`` cuts
at every single blank.

Dice, L. R. (1945). Measures of the amount of ecologic association between species. Ecology 26(3), 297-302.
"""

from __future__ import annotations

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.ngrams import Grams, apart_from_all, grams, overlap, ratio, summed
from interagree.kinds.text import Texts


def _prepare(texts: Texts, *, tokens: str) -> Grams:
    return grams(texts.tokens(tokens), 1)[0]


def _potential(of: Grams, frequency: Floats, **_: object) -> Floats:
    alike = summed(of, of.size, frequency, lambda n, m: 2 / (n + m))
    return apart_from_all(alike, of.size, frequency)


@distance_between("text", prepare=_prepare, potential=_potential, bounded=True, defaults={"tokens": "spaces"})
def text_dice(of: Grams, i: Indices, j: Indices, **_: object) -> Floats:
    """One minus the share of tokens that two texts have in common."""
    size = of.size[i] + of.size[j]
    return ratio(size - 2 * overlap(of, i, j), size)
