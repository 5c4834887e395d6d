"""Noise on series of numbers.

- ``jitter``: a series goes a share $m$ of the way to that of a random item, stretched to the same length:
  $(1 - m) x + m z$; at $m = 1$ every series is that of a random item, in the length it had.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from interagree.arrays import Floats
from interagree.kinds._noise import Corpus, Noise

Numbers = tuple[float, ...]


def _survey(corpus: Corpus) -> list[Floats]:
    return [np.array(value, dtype=np.float64) for value in corpus.values if len(value)]


def _jitter(values: Sequence[Numbers], m: float, rng: Generator, known: list[Floats]) -> list[Numbers]:
    degraded: list[Numbers] = []
    for value in values:
        if not len(value):
            degraded.append(value)
            continue
        other = known[int(rng.integers(len(known)))]
        stretched = np.interp(np.linspace(0, 1, len(value)), np.linspace(0, 1, len(other)), other)
        degraded.append(tuple(((1 - m) * np.array(value, dtype=np.float64) + m * stretched).tolist()))
    return degraded


series: Noise[Numbers, list[Floats]] = Noise("series", {"jitter": _jitter}, _survey, lambda _: ("jitter",))
