r"""GLEU distance of two texts.

$$\delta(a, b) = 1 - \frac{m}{\max(n_a, n_b)}$$

$m$ counts the n-grams that two texts share, of all orders from 1 to ``order`` (4), each as often as both have it, and
$n_a$ those that text $a$ has: the lower of precision and recall.  It is the same in both directions.  Two texts without
tokens are at distance 0.

Tokens are cut at white space; ``tokens="words"`` also cuts off punctuation, and ``"blanks"`` cuts
at every single blank.

Wu, Y. et al. (2016). Google's neural machine translation system: Bridging the gap between human and machine
translation. arXiv:1609.08144, section 5.2.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.ngrams import Grams, apart_from_all, grams, overlaps, ratio, summed_over_larger
from interagree.kinds.text import Texts, order_of


def _prepare(texts: Texts, *, tokens: str, order: float) -> tuple[Grams, ...]:
    return grams(texts.tokens(tokens), order_of(order, who="gleu"))


def _potential(orders: tuple[Grams, ...], frequency: Floats, **_: object) -> Floats:
    return apart_from_all(summed_over_larger(orders, frequency), orders[0].size, frequency)


@distance_between(
    "text", prepare=_prepare, potential=_potential, bounded=True, defaults={"tokens": "spaces", "order": 4}
)
def gleu(orders: tuple[Grams, ...], i: Indices, j: Indices, **_: object) -> Floats:
    """One minus the lower of precision and recall of n-grams."""
    most = np.maximum(sum(of.size[i] for of in orders), sum(of.size[j] for of in orders))
    return ratio(most - overlaps(orders, i, j).sum(axis=0), most)
