"""Cosines of many pairs of vectors, by NumPy or, where there is a GPU, by torch.

Both take vectors of length 1 and give the same numbers but for rounding: NumPy's are the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from interagree.arrays import Array, Floats, Indices

ROOM = 4_000_000  # numbers that a step may hold on the processor
ROOM_ON_GPU = 16_000_000


class Vectors(Protocol):
    """Vectors of length 1, held where they are computed with."""

    room: int  # numbers that one step may hold
    step: int  # lists of tokens are compared together if their lengths, rounded up to this, are equal

    def apart(self, i: Indices, j: Indices) -> Floats:
        """Half the squared distances of aligned pairs, which is one minus their cosines."""

    def nearest(self, a: Indices, b: Indices) -> tuple[Floats, Floats]:
        """For lists of places a (pairs × n) and b (pairs × m): the highest cosine of each with the other list."""


class OnProcessor:
    """Vectors held by NumPy."""

    room, step = ROOM, 1

    def __init__(self, unit: Array) -> None:
        self.unit = unit

    def apart(self, i: Indices, j: Indices) -> Floats:
        between = (self.unit[i] - self.unit[j]).astype(np.float64, copy=False)
        half: Floats = np.einsum("pd,pd->p", between, between) / 2
        return half

    def nearest(self, a: Indices, b: Indices) -> tuple[Floats, Floats]:
        cosine = self.unit[a] @ self.unit[b].swapaxes(1, 2)
        return cosine.max(axis=2).astype(np.float64), cosine.max(axis=1).astype(np.float64)


class OnGpu:
    """Vectors held by torch."""

    room, step = ROOM_ON_GPU, 16

    def __init__(self, unit: Array, device: str) -> None:
        self.device = device
        self.torch = import_module("torch")
        self.unit = self.torch.from_numpy(np.ascontiguousarray(unit)).to(device)

    def _at(self, places: Indices) -> Any:
        return self.unit[self.torch.from_numpy(np.ascontiguousarray(places)).to(self.device)]

    def apart(self, i: Indices, j: Indices) -> Floats:
        between = (self._at(i) - self._at(j)).double()
        half: Floats = ((between * between).sum(dim=1) / 2).cpu().numpy()
        return half

    def nearest(self, a: Indices, b: Indices) -> tuple[Floats, Floats]:
        cosine = self._at(a) @ self._at(b).transpose(1, 2)
        return cosine.amax(dim=2).double().cpu().numpy(), cosine.amax(dim=1).double().cpu().numpy()


def cosine_distance(vectors: Vectors, dimensions: int, i: Indices, j: Indices) -> Floats:
    """One minus the cosine of aligned pairs of vectors."""
    distances = np.empty(len(i))
    many = max(1, vectors.room // max(dimensions, 1))
    for begin in range(0, len(i), many):
        here = slice(begin, begin + many)
        distances[here] = vectors.apart(i[here], j[here])
    return distances


def greedy_distance(vectors: Vectors, start: Indices, dimensions: int, i: Indices, j: Indices) -> Floats:
    """One minus the F1 of matching every vector of one list with the nearest of the other.

    The vectors of list k are start[k] to start[k + 1].  Lists are compared together with others of the same lengths.
    A list that is shorter than the rounded length is filled up with its last vector, which alters no maximum.
    """
    size = np.diff(start)
    distances = np.where((size[i] == 0) & (size[j] == 0), 0.0, 1.0)
    rows, columns = (-(-size[k] // vectors.step) * vectors.step for k in (i, j))
    for here in _together(rows, columns, dimensions, vectors.room):
        n, m = int(rows[here[0]]), int(columns[here[0]])
        if n == 0 or m == 0:
            continue
        a, b = i[here], j[here]
        along, across = vectors.nearest(_filled(start, a, n), _filled(start, b, m))
        precision, recall = _mean(along, size[a]), _mean(across, size[b])
        both = precision + recall
        f1 = np.divide(2 * precision * recall, both, out=np.zeros(len(here)), where=both > 0)
        distances[here] = np.maximum(1 - f1, 0)
    return distances


def _together(rows: Indices, columns: Indices, dimensions: int, room: int) -> Iterator[Indices]:
    """The places of pairs of equal lengths, no more at a time than there is room for."""
    order = np.lexsort((columns, rows))
    new = (np.diff(rows[order]) != 0) | (np.diff(columns[order]) != 0)
    for group in np.split(order, np.flatnonzero(new) + 1):
        if not len(group):
            continue
        n, m = int(rows[group[0]]), int(columns[group[0]])
        many = max(1, room // max((n + m) * dimensions + n * m, 1))
        for begin in range(0, len(group), many):
            yield group[begin : begin + many]


def _filled(start: Indices, lists: Indices, length: int) -> Indices:
    places: Indices = np.minimum(start[lists][:, None] + np.arange(length), start[lists + 1][:, None] - 1)
    return places


def _mean(best: Floats, size: Indices) -> Floats:
    """The mean over the vectors that a list has, no less than 0 and no more than 1."""
    own = np.arange(best.shape[1]) < size[:, None]
    mean: Floats = np.where(own, best, 0).sum(axis=1) / size
    return np.clip(mean, 0, 1)
