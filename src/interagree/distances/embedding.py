r"""Cosine distance of the embeddings of two texts.

$$\delta(a, b) = 1 - \frac{u_a \cdot u_b}{\|u_a\|\,\|u_b\|}$$

$u_a$ is the vector that a model of your choice gives the text $a$; no model comes with the library.  In Python

    embedded(model.encode)            # a function from a list of texts to an array, a row for each
    embedded({"a text": vector, …})   # a mapping from texts to vectors
    embedded("vectors.npz")           # written by numpy.savez(path, texts=texts, vectors=vectors)

gives the distance, and on the command line ``embedding:path=vectors.npz``.  Vectors that point apart are at a distance
of up to 2.  A vector of zeros is refused.  Blocks of pairs are computed on a GPU where torch finds one, and on the
processor with ``device="cpu"``.

Reimers, N. and Gurevych, I. (2019). Sentence-BERT: Sentence embeddings using Siamese BERT-networks. EMNLP, 3982-3992.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import Distance, distance_between
from interagree.errors import Advice, Hint, KindError
from interagree.kernels.embeddings import cosine_distance
from interagree.kinds._vectors import Embedded, Source, one_each
from interagree.kinds.text import Texts


def _prepare(texts: Texts, *, path: str, device: str) -> Embedded:
    if not path:
        raise KindError(
            Advice.of(
                "the embedding distance needs vectors of the texts; give them as ",
                Hint("distance", "embedding:path=vectors.npz"),
                " (a file of numpy.savez with texts and vectors), or from interagree.distances.embedding import "
                "embedded and pass distance=embedded(model.encode)",
            )
        )
    return one_each(texts.texts, path, device)


def _potential(given: Embedded, frequency: Floats, **_: object) -> Floats:
    # Half the squared distance of two vectors is half their squared lengths, which rounding leaves a little off 1,
    # less their product; so the sum over all takes the sum of the vectors.
    unit = given.unit.astype(np.float64, copy=False)
    half: Floats = np.einsum("pd,pd->p", unit, unit) / 2
    sums: Floats = frequency.sum() * half + frequency @ half - unit @ (frequency @ unit)
    return np.maximum(sums, 0)


@distance_between("text", prepare=_prepare, potential=_potential, defaults={"path": "", "device": ""}, most=2_000_000)
def embedding(given: Embedded, i: Indices, j: Indices, **_: object) -> Floats:
    """One minus the cosine of the vectors that a model gives two texts."""
    return cosine_distance(given.vectors, given.dimensions, i, j)


def embedded(source: Source, *, device: str | None = None) -> Distance:
    """The cosine distance of texts under vectors of your own.

    Args:
        source: A mapping from texts to vectors, a function from a list of texts to an array with a row for each (a
            sentence-transformers model's ``encode``), or the path of an ``.npz`` file with ``texts`` and ``vectors``.
        device: "cuda" or "cpu"; where None, a GPU is used if torch finds one.
    """
    return Distance(
        "embedding",
        between=embedding.between,
        prepare=lambda texts: one_each(texts.texts, source, device or ""),
        potential=_potential,
        of="text",
        doc=embedding.doc,
        most=embedding.most,
    )
