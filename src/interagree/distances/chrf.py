r"""chrF distance of two texts.

$$\delta(a, b) = 1 - \frac{1}{N} \sum_{n=1}^{N} \frac{1 + \beta^2}{2} \left(
\frac{m_n}{\beta^2 t_n(b) + t_n(a)} + \frac{m_n}{\beta^2 t_n(a) + t_n(b)} \right)$$

$m_n$ counts the n-grams of characters that two texts share, each as often as both have it, and $t_n(a)$ those that
text $a$ has.  Each fraction is the $F_\beta$ of precision and recall in one direction, recall counting ``beta`` (2)
times as much; two annotators are neither candidate nor reference, so both directions are averaged.  $N$ is ``order``
(6), or the number of characters of the longer text if that is less.  White space does not count.  Two texts without
characters are at distance 0.

F is taken at each order and then averaged, as in nltk; sacrebleu takes F of the averaged precision and recall.

Popović, M. (2015). chrF: character n-gram F-score for automatic MT evaluation. WMT, 392-395.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.errors import KindError
from interagree.kernels.ngrams import Grams, apart_from_all, grams, overlaps, ratio, summed
from interagree.kinds.text import Texts, order_of


def _prepare(texts: Texts, *, beta: float, order: float) -> tuple[Grams, ...]:
    if beta <= 0:
        raise KindError(f"chrf needs a beta above 0, got beta={beta:g}")
    return grams(texts.characters(), order_of(order, who="chrf"))


def _potential(orders: tuple[Grams, ...], frequency: Floats, *, beta: float, **_: object) -> Floats:
    length, square = orders[0].size, beta**2
    alike = np.zeros(len(length))
    for n, of in enumerate(orders, start=1):

        def weight(a: Floats, b: Floats, n: int = n) -> Floats:
            """What one n-gram shared by texts of so many characters adds to their similarity."""
            a_n, b_n = np.maximum(a - n + 1, 0), np.maximum(b - n + 1, 0)
            both = ratio(1 + square, square * b_n + a_n) + ratio(1 + square, square * a_n + b_n)
            return both / 2 / np.minimum(np.maximum(a, b), len(orders))

        alike += summed(of, length, frequency, weight)
    return apart_from_all(alike, length, frequency)


@distance_between("text", prepare=_prepare, potential=_potential, bounded=True, defaults={"beta": 2, "order": 6})
def chrf(orders: tuple[Grams, ...], i: Indices, j: Indices, *, beta: float, **_: object) -> Floats:
    """One minus the F-score of character n-grams, averaged over both directions."""
    total, square = np.zeros(len(i)), beta**2
    for of, m in zip(orders, overlaps(orders, i, j), strict=True):
        # One minus each F, as what is not shared over what there is: exactly 0 where all is shared.
        a, b = of.size[i], of.size[j]
        there = ratio(square * (b - m) + (a - m), square * b + a)
        back = ratio(square * (a - m) + (b - m), square * a + b)
        total += (there + back) / 2
    longer = np.maximum(orders[0].size[i], orders[0].size[j])
    return np.asarray(total / np.clip(longer, 1, len(orders)))
