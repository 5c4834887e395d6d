"""Edit distances and common subsequences of many pairs of strings, counted by rapidfuzz."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from interagree.arrays import Floats, Indices
from interagree.errors import extra
from interagree.kernels.ngrams import Sequences

CODE_POINTS = 0x110000  # what a string can be spelled with


@dataclass(frozen=True, slots=True)
class Strings:
    """Strings as rapidfuzz takes them, and how long each is."""

    string: NDArray[np.object_]
    size: Floats

    @classmethod
    def of(cls, strings: Iterable[str | Sequence[int]]) -> Strings:
        """Strings, or lists of whole numbers, as they are."""
        known = list(strings)
        held = np.empty(len(known), dtype=object)
        held[:] = known
        return cls(held, np.array([len(text) for text in known], dtype=np.float64))

    @classmethod
    def spelling(cls, sequences: Sequences) -> Strings:
        """Sequences as strings of one character for each symbol; as lists where there are too many symbols."""
        whole: str | list[int] = sequences.symbol.tolist()
        if sequences.symbol.max(initial=0) < CODE_POINTS:
            whole = sequences.symbol.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        return cls.of(whole[start:end] for start, end in pairwise(sequences.start.tolist()))


def counted(scorer: str, strings: Strings, i: Indices, j: Indices) -> Floats:
    """What one of rapidfuzz's scorers, such as "Levenshtein.distance", says of aligned pairs of strings."""
    try:
        from rapidfuzz import distance, process
    except ImportError:
        raise extra("rapidfuzz", "complex", purpose=f"{scorer.partition('.')[0]} distance") from None
    kind, _, form = scorer.partition(".")
    result = process.cpdist(
        strings.string[i].tolist(),
        strings.string[j].tolist(),
        scorer=getattr(getattr(distance, kind), form),
        dtype=np.float64,
    )
    return np.asarray(result, dtype=np.float64)
