"""Noise on sets of labels.

- ``delete``: each label of a set is left out with probability $m$; at $m = 1$ every set is empty.
- ``insert``: each label of the study is put in with probability $m$ times the share of sets that have it.

Both together, which is usual, make sets at $m = 1$ that are as large as those of the reference, of random labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from interagree.arrays import Floats
from interagree.data.types import Value
from interagree.data.values import in_order
from interagree.kinds._noise import Corpus, Noise

Labels = frozenset[Value]


class KnownSets(NamedTuple):
    labels: tuple[Value, ...]
    shares: Floats  # of the sets that have each label


def _survey(corpus: Corpus) -> KnownSets:
    often = Counter(label for value in corpus.values for label in value)
    labels = tuple(in_order(list(often)))
    shares = np.array([often[label] for label in labels], dtype=np.float64) / max(len(corpus.values), 1)
    return KnownSets(labels, shares)


def _delete(values: Sequence[Labels], m: float, rng: Generator, known: KnownSets) -> list[Labels]:
    kept = rng.random((len(values), len(known.labels))) >= m
    return [
        frozenset(label for label, stays in zip(known.labels, row, strict=True) if stays and label in value)
        for value, row in zip(values, kept.tolist(), strict=True)
    ]


def _insert(values: Sequence[Labels], m: float, rng: Generator, known: KnownSets) -> list[Labels]:
    new = rng.random((len(values), len(known.labels))) < m * known.shares
    return [
        value | {label for label, comes in zip(known.labels, row, strict=True) if comes}
        for value, row in zip(values, new.tolist(), strict=True)
    ]


sets: Noise[frozenset[Value], KnownSets] = Noise(
    "sets", {"delete": _delete, "insert": _insert}, _survey, lambda _: ("delete", "insert")
)
