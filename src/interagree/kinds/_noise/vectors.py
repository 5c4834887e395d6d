"""Noise on vectors.

- ``jitter``: a vector goes a share $m$ of the way to that of a random item: $(1 - m) x + m z$.  Entries stay in their
  range, whole ones stay whole, and at $m = 1$ every vector is that of a random item.  The usual one.
- ``redraw``: each entry is, with probability $m$, that of a random item.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from interagree.arrays import Booleans, Floats
from interagree.errors import KindError
from interagree.kinds._noise import Corpus, Noise

Numbers = tuple[float, ...]


class KnownVectors(NamedTuple):
    values: Floats
    whole: Booleans  # whether each entry is always a whole number


def _survey(corpus: Corpus) -> KnownVectors:
    sizes = sorted({len(value) for value in corpus.values})
    if len(sizes) > 1:
        raise KindError(
            f"noise on vectors needs vectors of one length, and here some have {sizes[0]} entries and some {sizes[-1]}"
        )
    values = np.array(corpus.values, dtype=np.float64).reshape(len(corpus.values), -1)
    written = all(isinstance(entry, int) for value in corpus.values for entry in value)
    return KnownVectors(values, (values == np.round(values)).all(axis=0) & written)


def _plain(values: Floats, known: KnownVectors) -> list[Numbers]:
    whole = known.whole.tolist()
    return [
        tuple(round(entry) if is_whole else entry for entry, is_whole in zip(row, whole, strict=True))
        for row in values.tolist()
    ]


def _jitter(values: Sequence[Numbers], m: float, rng: Generator, known: KnownVectors) -> list[Numbers]:
    other = known.values[rng.integers(len(known.values), size=len(values))]
    return _plain((1 - m) * np.array(values, dtype=np.float64) + m * other, known)


def _redraw(values: Sequence[Numbers], m: float, rng: Generator, known: KnownVectors) -> list[Numbers]:
    shape = known.values.shape
    other = known.values[rng.integers(shape[0], size=shape), np.arange(shape[1])]
    return _plain(np.where(rng.random(shape) < m, other, np.array(values, dtype=np.float64)), known)


vectors: Noise[Numbers, KnownVectors] = Noise(
    "vectors", {"jitter": _jitter, "redraw": _redraw}, _survey, lambda _: ("jitter", "redraw"), lambda _: ("jitter",)
)
