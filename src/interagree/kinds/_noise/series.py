"""Noise on series of numbers.

- ``jitter``: a series goes a share $m$ of the way to that of a random item, stretched to the same length:
  $(1 - m) x + m z$; at $m = 1$ every series is that of a random item, in the length it had.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from interagree.kinds._noise import Corpus, Noise


def _survey(corpus: Corpus) -> list[Any]:
    return [np.array(value, dtype=np.float64) for value in corpus.values if len(value)]


def _jitter(values: Sequence[Any], m: float, rng: np.random.Generator, known: list[Any]) -> list[Any]:
    degraded = []
    for value in values:
        if not len(value):
            degraded.append(value)
            continue
        other = known[int(rng.integers(len(known)))]
        stretched = np.interp(np.linspace(0, 1, len(value)), np.linspace(0, 1, len(other)), other)
        degraded.append(tuple(((1 - m) * np.array(value, dtype=np.float64) + m * stretched).tolist()))
    return degraded


series = Noise("series", {"jitter": _jitter}, _survey, lambda _: ("jitter",))
