"""Noise on texts, word by word; words are what stands between spaces.

- ``drop``: each word is left out with probability $m / 2$; one always stays.
- ``swap``: each word is picked with probability $m$, and the picked ones are shuffled among their places.
- ``replace``: each word is, with probability $m$, a word of another text, drawn as often as it occurs there.

All of them, which is usual, leave at $m = 1$ half as many words, all of them from other texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from interagree.kinds._noise import Corpus, Noise


class KnownText(NamedTuple):
    words: list[str]  # of all texts, end to end
    starts: list[int]  # where those of each text begin, and where the last ones end


def _survey(corpus: Corpus) -> KnownText:
    texts = [value.split() for value in corpus.values]
    starts = np.cumsum([0, *map(len, texts)]).tolist()
    return KnownText([word for text in texts for word in text], starts)


def _drop(values: Sequence[str], m: float, rng: Generator, _: KnownText) -> list[str]:
    degraded = []
    for words in map(str.split, values):
        chance = rng.random(len(words))
        stays = chance >= min(m / 2, chance.max(initial=0.0))
        degraded.append(" ".join(word for word, kept in zip(words, stays, strict=True) if kept))
    return degraded


def _swap(values: Sequence[str], m: float, rng: Generator, _: KnownText) -> list[str]:
    degraded = []
    for words in map(str.split, values):
        picked = np.flatnonzero(rng.random(len(words)) < m)
        order = np.arange(len(words))
        order[picked] = rng.permutation(picked)
        degraded.append(" ".join(words[at] for at in order.tolist()))
    return degraded


def _replace(values: Sequence[str], m: float, rng: Generator, known: KnownText) -> list[str]:
    degraded = []
    for place, words in enumerate(map(str.split, values)):
        first, last = known.starts[place], known.starts[place + 1]
        others = len(known.words) - (last - first)
        if others:
            picked = np.flatnonzero(rng.random(len(words)) < m)
            for at, other in zip(picked.tolist(), rng.integers(others, size=len(picked)).tolist(), strict=True):
                words[at] = known.words[other if other < first else other + last - first]
        degraded.append(" ".join(words))
    return degraded


text: Noise[str, KnownText] = Noise(
    "text", {"drop": _drop, "swap": _swap, "replace": _replace}, _survey, lambda _: ("drop", "swap", "replace")
)
