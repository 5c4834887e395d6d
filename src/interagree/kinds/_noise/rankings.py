"""Noise on rankings; each stays a ranking of the same things.

- ``swap``: each place is picked with probability $m$, and what stands at the picked places is shuffled among them.
- ``drift``: things are ranked anew by $1 - m$ times their place plus $m$ times a random one, so that at a low magnitude
  only neighbours change places.

Either makes a random order at $m = 1$; ``swap`` is usual.  Where items rank different things, distances still see
at $m = 1$ that annotators of an item ranked the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from interagree.data.types import Value
from interagree.kinds._noise import Noise


def _swap(values: Sequence[tuple[Value, ...]], m: float, rng: Generator, _: None) -> list[tuple[Value, ...]]:
    degraded = []
    for value in values:
        picked = np.flatnonzero(rng.random(len(value)) < m)
        order = np.arange(len(value))
        order[picked] = rng.permutation(picked)
        degraded.append(tuple(value[at] for at in order.tolist()))
    return degraded


def _drift(values: Sequence[tuple[Value, ...]], m: float, rng: Generator, _: None) -> list[tuple[Value, ...]]:
    degraded = []
    for value in values:
        size = len(value)
        order = np.argsort((1 - m) * np.arange(size) + m * rng.permutation(size), kind="stable")
        degraded.append(tuple(value[at] for at in order.tolist()))
    return degraded


rankings: Noise[tuple[Value, ...], None] = Noise(
    "rankings", {"swap": _swap, "drift": _drift}, lambda _: None, lambda _: ("swap", "drift"), lambda _: ("swap",)
)
