"""Vectors that a user gives for texts: by a mapping, by a function such as a model's ``encode``, or by a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from interagree.arrays import Array, Floats, Indices
from interagree.errors import DataError, FormatError, KindError, MissingExtra
from interagree.kernels.embeddings import OnGpu, OnProcessor, Vectors
from interagree.kinds._parts import starts

Source = Mapping[str, ArrayLike] | Callable[[list[str]], Sequence[ArrayLike]] | str | Path
FEW = 1_000_000  # numbers below which a GPU is not looked for, because loading torch takes longer


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of length 1 for texts: one for each, or, with ``start``, one for each token, end to end."""

    unit: Array
    vectors: Vectors
    start: Indices

    @property
    def dimensions(self) -> int:
        return int(self.unit.shape[1])


def one_each(texts: Sequence[str], source: Source, device: str = "") -> Embedded:
    """A vector for each text, scaled to length 1."""
    given = _given(texts, source, "a vector", _rows)
    _same([np.shape(vector) for vector in given], texts)
    table = np.asarray(given) if len(given) else np.zeros((0, 0))
    return _embedded(table, np.arange(len(texts) + 1), texts, device)


def one_per_token(texts: Sequence[str], source: Source, device: str = "") -> Embedded:
    """A vector for each token of each text, scaled to length 1."""
    lists = list(map(np.asarray, _given(texts, source, "token vectors", _pieces)))
    some = [k for k, vectors in enumerate(lists) if vectors.size]
    flat = next((k for k in some if lists[k].ndim != 2), None)
    if flat is not None:
        raise DataError(
            f"the token vectors of {_short(texts[flat])} are an array of shape {lists[flat].shape}; a row for each "
            "token was expected"
        )
    _same([lists[k].shape[1:] for k in some], [texts[k] for k in some])
    table = np.concatenate([lists[k] for k in some]) if some else np.zeros((0, 0))
    return _embedded(table, starts([len(vectors) if vectors.size else 0 for vectors in lists]), texts, device)


def _given(
    texts: Sequence[str], source: Source, what: str, read: Callable[[Any], Sequence[ArrayLike]]
) -> Sequence[ArrayLike]:
    """What the source has for each text, in their order."""
    if callable(source):
        made = source(list(texts))
        if len(made) != len(texts):
            raise DataError(
                f"the function that embeds texts was given {len(texts)} texts and gave {len(made)} results; it must "
                f"give {what} for each text, in their order"
            )
        return made
    known = source if isinstance(source, Mapping) else _file(source, read)
    missing = [text for text in texts if text not in known]
    if missing:
        more = f" (nor for {len(missing) - 1} more of {len(texts)})" if len(missing) > 1 else ""
        raise DataError(
            f"there is no vector for the text {_short(missing[0])}{more}; embed every text of the study, with white "
            "space and case as they are"
        )
    return [known[text] for text in texts]


def _file(path: str | Path, read: Callable[[Any], Sequence[ArrayLike]]) -> dict[str, ArrayLike]:
    try:
        with np.load(path, allow_pickle=False) as held:
            return dict(_paired(list(map(str, held["texts"].tolist())), read(held)))
    except (KeyError, ValueError, AttributeError, TypeError, OSError) as error:
        raise FormatError(
            f"{path} cannot be read as vectors of texts: {error}.  Write it with numpy.savez(path, texts=…, "
            "vectors=…), a row of vectors for each text; for token vectors the rows of all texts end to end, and "
            "starts=…, where each text begins and the last one ends"
        ) from error


def _paired(texts: Sequence[str], vectors: Sequence[ArrayLike]) -> Iterable[tuple[str, ArrayLike]]:
    if len(vectors) != len(texts):
        raise ValueError(f"it holds {len(texts)} texts and vectors of {len(vectors)}")
    return zip(texts, vectors, strict=True)


def _rows(held: Any) -> Sequence[ArrayLike]:
    if "starts" in held:
        raise ValueError("it holds token vectors, which are for the greedy_match distance")
    return [*held["vectors"]]


def _pieces(held: Any) -> Sequence[ArrayLike]:
    return np.split(held["vectors"], held["starts"][1:-1])


def _same(shapes: Sequence[tuple[int, ...]], texts: Sequence[str]) -> None:
    """Refuse vectors of different lengths, and what is not a vector."""
    for text, shape in zip(texts, shapes, strict=True):
        if len(shape) != 1 or shape != shapes[0]:
            raise DataError(
                f"the vector of {_short(text)} has the shape {shape} and that of {_short(texts[0])} {shapes[0]}; "
                "a vector is a list of numbers, as many for one text as for any other"
            )


def _embedded(table: Array, start: Indices, texts: Sequence[str], device: str) -> Embedded:
    """Vectors scaled to length 1, in float32 if they came so and else in float64."""
    length: Floats = np.linalg.norm(table.astype(np.float64, copy=False), axis=1)
    wrong = np.flatnonzero(~(np.isfinite(length) & (length > 0)))
    if len(wrong):
        text = texts[int(np.searchsorted(start, wrong[0], side="right")) - 1]
        raise DataError(
            f"a vector of {_short(text)} is zero or not finite, and has no direction to compare; embed the text again, "
            "or leave it out"
        )
    unit = (table / length[:, None]).astype(np.float32 if table.dtype == np.float32 else np.float64)
    return Embedded(unit, _held(unit, device), start)


def _held(unit: Array, device: str) -> Vectors:
    """Vectors on the device that was asked for, or on a GPU where there is one and enough to do."""
    if device == "cpu" or (not device and unit.size < FEW and "torch" not in sys.modules):
        return OnProcessor(unit)
    if device and not device.startswith("cuda"):
        raise KindError(f"embeddings are compared on 'cpu' or on 'cuda', got device={device!r}")
    if _has_gpu():
        return OnGpu(unit, device or "cuda")
    if device:
        raise MissingExtra(
            f"device={device!r} needs torch and a GPU that it can use, and there is none; leave device out to compute "
            "on the processor"
        )
    return OnProcessor(unit)


def _has_gpu() -> bool:
    if find_spec("torch") is None:
        return False
    return bool(import_module("torch").cuda.is_available())


def _short(text: str) -> str:
    shown = repr(text)
    return shown if len(shown) <= 80 else shown[:77] + "…"
