r"""Greedy matching of the token embeddings of two texts, as in BERTScore.

$$\delta(a, b) = 1 - \frac{2 P R}{P + R}, \qquad
P = \frac{1}{|a|} \sum_{x \in a} \max_{y \in b} \cos(x, y), \qquad
R = \frac{1}{|b|} \sum_{y \in b} \max_{x \in a} \cos(x, y)$$

$x \in a$ are the vectors that a model of your choice gives the tokens of text $a$ in their context; no model comes with
the library.  Every token counts the same (BERTScore without idf, and not rescaled).  $P$ or $R$ below 0 counts as 0,
and so does the fraction if both are 0.  Two texts without tokens are at distance 0, one without at distance 1 from any
other.  In Python

    matched(function)                 # from a list of texts to a list of arrays, a row for each token
    matched({"a text": array, …})     # a mapping from texts to such arrays
    matched("tokens.npz")             # written by numpy.savez(path, texts=…, vectors=…, starts=…)

gives the distance, and on the command line ``greedy_match:path=tokens.npz``.  In the file, the rows of ``vectors`` are
the tokens of all texts end to end, and ``starts`` says where each text begins and where the last one ends.  Blocks of
pairs are computed on a GPU where torch finds one, and on the processor with ``device="cpu"``.

Zhang, T., Kishore, V., Wu, F., Weinberger, K. Q. and Artzi, Y. (2020). BERTScore: Evaluating text generation with BERT.
ICLR.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import Distance, distance_between
from interagree.errors import Advice, Hint, KindError
from interagree.kernels.embeddings import greedy_distance
from interagree.kinds._vectors import Embedded, Source, one_per_token
from interagree.kinds.text import Texts


def _prepare(texts: Texts, *, path: str, device: str) -> Embedded:
    if not path:
        raise KindError(
            Advice.of(
                "the greedy_match distance needs vectors of the tokens; give them as ",
                Hint("distance", "greedy_match:path=tokens.npz"),
                " (a file of numpy.savez with texts, vectors and starts), or from "
                "interagree.distances.greedy_match import matched and pass distance=matched(function)",
            )
        )
    return one_per_token(texts.texts, path, device)


@distance_between("text", prepare=_prepare, bounded=True, defaults={"path": "", "device": ""}, most=250_000)
def greedy_match(given: Embedded, i: Indices, j: Indices, **_: object) -> Floats:
    """One minus the F1 of matching each token with the nearest token of the other text."""
    distances = greedy_distance(given.vectors, given.start, given.dimensions, i, j)
    return np.where(i == j, 0.0, distances)  # rounding leaves a text a little off itself


def matched(source: Source, *, device: str | None = None) -> Distance:
    """The greedy matching distance of texts under token vectors of your own.

    Args:
        source: A mapping from texts to arrays with a row for each token, a function from a list of texts to a list of
            such arrays, or the path of an ``.npz`` file with ``texts``, ``vectors`` and ``starts``.
        device: "cuda" or "cpu"; where None, a GPU is used if torch finds one.
    """
    return Distance(
        "greedy_match",
        between=greedy_match.between,
        prepare=lambda texts: one_per_token(texts.texts, source, device or ""),
        of="text",
        doc=greedy_match.doc,
        bounded=True,
        most=greedy_match.most,
    )
