r"""Noise on numbers.

- ``jitter``: a number goes a share $m$ of the way to another one, drawn from the reference: $(1 - m) x + m z$.  Numbers
  stay in their range, whole ones stay whole, and at $m = 1$ they are those of random items.  Two annotators' interval
  alpha is $(1 - m)^2 / ((1 - m)^2 + m^2)$, up to rounding.  The usual one.
- ``redraw``: with probability $m$ the number is that of a random item.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from interagree.arrays import Floats
from interagree.data.types import Value
from interagree.data.values import numbers as spelled
from interagree.errors import KindError, listing
from interagree.kinds._noise import Corpus, Noise


class KnownNumbers(NamedTuple):
    values: Floats
    whole: bool


def _survey(corpus: Corpus) -> KnownNumbers:
    parsed = spelled(corpus.values)
    if parsed is None:
        raise KindError(f"noise on numbers needs numbers, and there are {listing(corpus.values, most=4)}")
    values = np.array(parsed)
    return KnownNumbers(values, bool((values == np.round(values)).all()))


def _plain(values: Floats, known: KnownNumbers) -> list[Value]:
    return [*(np.round(values).astype(np.int64) if known.whole else values).tolist()]


def _jitter(values: Sequence[Value], m: float, rng: Generator, known: KnownNumbers) -> list[Value]:
    other = rng.choice(known.values, size=len(values))
    return _plain((1 - m) * np.asarray(spelled(values)) + m * other, known)


def _redraw(values: Sequence[Value], m: float, rng: Generator, known: KnownNumbers) -> list[Value]:
    other = rng.choice(known.values, size=len(values))
    return _plain(np.where(rng.random(len(values)) < m, other, np.asarray(spelled(values))), known)


numbers: Noise[Value, KnownNumbers] = Noise(
    "numbers", {"jitter": _jitter, "redraw": _redraw}, _survey, lambda _: ("jitter", "redraw"), lambda _: ("jitter",)
)
