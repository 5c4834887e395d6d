"""Noise on keypoints: lists of objects, each a list of points, of which [0, 0] stands for one that is not marked.

- ``jitter``: each marked point moves by a normal error, of standard deviation $m$ times the size of its object (the
  mean of its width and height).
- ``hide``: each marked point is left unmarked with probability $m$.
- ``delete``: each object is left out with probability $m$; at $m = 1$ none is left.
- ``insert``: about $m$ times as many objects as an image has on average are made up: shapes are those of random objects
  of the reference, places are random.

All of them, which is usual, leave at $m = 1$ only what was made up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from interagree.arrays import Booleans, Floats
from interagree.kinds._noise import Corpus, Noise

Figure = tuple[tuple[float, ...], ...]  # the points of an object
Objects = tuple[Figure, ...]


class KnownKeypoints(NamedTuple):
    shapes: list[Figure]  # all objects with a marked point
    low: Floats  # how far points reach
    high: Floats
    mean: float  # objects of an image


def _survey(corpus: Corpus) -> KnownKeypoints:
    objects = [figure for value in corpus.values for figure in _objects(value)]
    shapes = [figure for figure in objects if _marked(figure).any()]
    points = np.array([point[:2] for figure in shapes for point in figure if _is_marked(point)], dtype=np.float64)
    points = points.reshape(-1, 2)
    return KnownKeypoints(
        shapes,
        points.min(axis=0, initial=np.inf) if len(points) else np.zeros(2),
        points.max(axis=0, initial=-np.inf) if len(points) else np.ones(2),
        len(shapes) / max(len(corpus.values), 1),
    )


def _objects(value: Any) -> list[Figure]:
    """The objects of a value; one object alone is a list of one."""
    alone = bool(value) and bool(value[0]) and not isinstance(value[0][0], tuple)
    return [value] if alone else list(value)


def _is_marked(point: Sequence[float]) -> bool:
    """Whether a point is there: not at [0, 0], and not said to be invisible by a third number."""
    return bool(point[0] or point[1]) and (len(point) < 3 or bool(point[2]))


def _marked(figure: Figure) -> Booleans:
    return np.array([_is_marked(point) for point in figure], dtype=bool)


def _moved(figure: Figure, by: Floats) -> Figure:
    """An object with its marked points moved."""
    return tuple(
        (point[0] + x, point[1] + y, *point[2:]) if _is_marked(point) else point
        for point, (x, y) in zip(figure, by.tolist(), strict=True)
    )


def _size(figure: Figure) -> float:
    places = np.array([point[:2] for point in figure if _is_marked(point)], dtype=np.float64).reshape(-1, 2)
    return float(np.ptp(places, axis=0).mean()) if len(places) else 0.0


def _jitter(values: Sequence[Objects], m: float, rng: Generator, _: KnownKeypoints) -> list[Objects]:
    return [
        tuple(_moved(figure, rng.normal(size=(len(figure), 2)) * m * _size(figure)) for figure in _objects(value))
        for value in values
    ]


def _hide(values: Sequence[Objects], m: float, rng: Generator, _: KnownKeypoints) -> list[Objects]:
    return [
        tuple(
            tuple(
                (0, 0, *(0 for _ in point[2:])) if hidden else point
                for point, hidden in zip(figure, rng.random(len(figure)) < m, strict=True)
            )
            for figure in _objects(value)
        )
        for value in values
    ]


def _delete(values: Sequence[Objects], m: float, rng: Generator, _: KnownKeypoints) -> list[Objects]:
    return [tuple(figure for figure in _objects(value) if rng.random() >= m) for value in values]


def _insert(values: Sequence[Objects], m: float, rng: Generator, known: KnownKeypoints) -> list[Objects]:
    degraded = []
    for value, count in zip(values, rng.poisson(m * known.mean, len(values)).tolist(), strict=True):
        new = _objects(value)
        for at in rng.integers(max(len(known.shapes), 1), size=count).tolist():
            shape = known.shapes[at]
            middle = np.mean([point[:2] for point in shape if _is_marked(point)], axis=0)
            place = known.low + rng.random(2) * (known.high - known.low)
            new.append(_moved(shape, np.broadcast_to(place - middle, (len(shape), 2))))
        degraded.append(tuple(new))
    return degraded


keypoints: Noise[Objects, KnownKeypoints] = Noise(
    "keypoints",
    {"jitter": _jitter, "hide": _hide, "delete": _delete, "insert": _insert},
    _survey,
    lambda known: ("jitter", "hide", "delete", "insert") if known.shapes else ("delete",),
)
