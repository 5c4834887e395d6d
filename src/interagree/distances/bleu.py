r"""BLEU distance of two texts.

$$\delta(a, b) = 1 - \frac{B(a, b) + B(b, a)}{2}, \qquad
B(a, b) = \min\left(1, e^{1 - |b| / |a|}\right) \left(\prod_{n=1}^{N} p_n\right)^{1/N}, \qquad
p_n = \frac{m_n}{t_n}$$

$B(a, b)$ is the sentence BLEU of candidate $a$ against reference $b$: $t_n$ counts the n-grams of the candidate, $m_n$
those of them that the reference has too, each at most as often as it has them, and $|a|$ counts tokens.  BLEU sets a
candidate against a reference; two annotators are neither, so both directions are averaged.

In one sentence a long n-gram is often not matched at all, and ``smoothing`` says what counts then, by the numbers of
Chen and Cherry (2014):

- ``"add1"`` (method 2, the usual one): $p_n = (m_n + 1) / (t_n + 1)$ for $n \geq 2$;
- ``"epsilon"`` (method 1): $m_n = 0.1$ where it is 0;
- ``"exp"`` (method 3): $m_n = 2^{-k}$ for the $k$-th order at which it is 0;
- ``"none"``: BLEU is 0 if one $m_n$ is.

Under all of them BLEU is 0 where no token is shared.  $N$ is ``order`` (4), or the length of the candidate if that is
less, so that a short text is at distance 0 from itself.  Two texts without tokens are at distance 0, and one without
is at distance 1 from any other.

Tokens are cut at white space; ``tokens="words"`` also cuts off punctuation, and ``"blanks"`` cuts
at every single blank.

Papineni, K., Roukos, S., Ward, T. and Zhu, W.-J. (2002). BLEU: a method for automatic evaluation of machine
translation. ACL, 311-318.

Chen, B. and Cherry, C. (2014). A systematic comparison of smoothing techniques for sentence-level BLEU. WMT, 362-367.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.declare import distance_between
from interagree.errors import KindError, listing
from interagree.kernels.ngrams import Grams, grams, overlaps, ratio
from interagree.kinds.text import Texts, order_of

SMOOTHINGS = ("add1", "epsilon", "exp", "none")


def _prepare(texts: Texts, *, tokens: str, order: float, smoothing: str) -> tuple[Grams, ...]:
    if smoothing not in SMOOTHINGS:
        raise KindError(f"bleu is smoothed by {listing(SMOOTHINGS)}, got smoothing={smoothing!r}")
    return grams(texts.tokens(tokens), order_of(order, who="bleu"))


@distance_between(
    "text", prepare=_prepare, bounded=True, defaults={"tokens": "spaces", "order": 4, "smoothing": "add1"}
)
def bleu(orders: tuple[Grams, ...], i: Indices, j: Indices, *, smoothing: str, **_: object) -> Floats:
    """One minus the sentence BLEU of two texts, averaged over both directions."""
    matches = overlaps(orders, i, j)
    here, there = (np.array([of.size[k] for of in orders], dtype=np.float64) for k in (i, j))
    distances = 1 - (_score(matches, here, there[0], smoothing) + _score(matches, there, here[0], smoothing)) / 2
    distances[(here[0] == 0) & (there[0] == 0)] = 0
    return np.maximum(distances, 0)


def _score(matches: Floats, total: Floats, reference: Floats, smoothing: str) -> Floats:
    """BLEU of candidates with so many n-grams against references of so many tokens; one row for each order."""
    has = total > 0
    precision = np.where(has, _smoothed(matches, total, has, smoothing), 1)
    scored = (precision > 0).all(axis=0) & (matches[0] > 0)
    logs = np.log(np.where(scored, precision, 1)).sum(axis=0) / np.maximum(has.sum(axis=0), 1)
    penalty = np.minimum(0, 1 - reference / np.maximum(total[0], 1))
    return np.where(scored, np.exp(logs + penalty), 0)


def _smoothed(matches: Floats, total: Floats, has: Booleans, smoothing: str) -> Floats:
    if smoothing == "add1":
        added = (np.arange(len(total)) > 0)[:, None]
        return ratio(matches + added, total + added)
    none = has & (matches == 0)
    if smoothing == "epsilon":
        matches = np.where(none, 0.1, matches)
    elif smoothing == "exp":
        matches = np.where(none, 0.5 ** np.cumsum(none, axis=0), matches)
    return ratio(matches, total)
