"""Noise on boxes.

- ``jitter``: each side moves by up to $m$ times the width or height of the box, to either side.
- ``label``: where boxes bear labels, with probability $m$ the label is drawn anew, each as likely as it is common, or
  as ``confusion`` says.
- ``delete``: each box is left out with probability $m$; at $m = 1$ none is left.
- ``insert``: about $m$ times as many boxes as an image has on average are made up: sizes and labels are those of random
  boxes of the reference, places are random.

All of them, which is usual, leave at $m = 1$ only what was made up.  Boxes stay in the image, which is taken to reach
as far as any box of the reference does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from interagree.arrays import Floats
from interagree.kinds._noise import Corpus, Noise
from interagree.kinds._noise._mistakes import Mistakes
from interagree.kinds._noise._objects import WrittenObject, label_of, listed, relabelled

CORNERS = ("x0", "y0", "x1", "y1")


class KnownBoxes(NamedTuple):
    boxes: list[WrittenObject]
    low: Floats  # the corners of the image
    high: Floats
    mean: float  # boxes of an image
    whole: bool
    mistakes: Mistakes
    labelled: bool


def _read(value: Any) -> list[WrittenObject]:
    return [WrittenObject.of(part, CORNERS) for part in listed(value)]


def _survey(corpus: Corpus) -> KnownBoxes:
    images = [_read(value) for value in corpus.values]
    boxes = [box for image in images for box in image]
    corners = np.array([box.numbers for box in boxes], dtype=np.float64).reshape(-1, 2)
    labels = [label_of(box) for box in boxes if label_of(box) is not None]
    return KnownBoxes(
        boxes,
        np.minimum(corners.min(axis=0, initial=0.0), 0.0),
        corners.max(axis=0, initial=1.0),
        len(boxes) / max(len(images), 1),
        all(isinstance(coordinate, int) for box in boxes for coordinate in box.numbers),
        Mistakes.of(labels, confusion=corpus.confusion),
        bool(labels),
    )


def _write(boxes: list[WrittenObject], _: KnownBoxes, __: Any) -> tuple[Any, ...]:
    return tuple(box.with_numbers(*box.numbers) for box in boxes)


def _placed(box: WrittenObject, corners: Floats, known: KnownBoxes) -> WrittenObject:
    """A box with new corners, in their order, inside the image and with some area."""
    corners = np.clip(corners.reshape(2, 2), known.low, known.high)
    least = 1.0 if known.whole else (known.high - known.low) / 1000
    if known.whole:
        corners = np.round(corners)
    first, second = corners.min(axis=0), corners.max(axis=0)
    first = np.where(second - first < least, np.maximum(np.minimum(first, known.high - least), known.low), first)
    second = np.maximum(second, first + least)
    number = round if known.whole else float
    return box._replace(numbers=tuple(number(coordinate) for coordinate in (*first.tolist(), *second.tolist())))


def _jitter(
    images: Sequence[list[WrittenObject]], m: float, rng: Generator, known: KnownBoxes
) -> list[list[WrittenObject]]:
    def moved(box: WrittenObject) -> WrittenObject:
        corners = _corners(box)
        size = np.abs(corners[1] - corners[0])
        return _placed(box, corners + rng.uniform(-1, 1, (2, 2)) * m * size, known)

    return [[*map(moved, image)] for image in images]


def _corners(box: WrittenObject) -> Floats:
    return np.array(box.numbers, dtype=np.float64).reshape(2, 2)


def _label(
    images: Sequence[list[WrittenObject]], m: float, rng: Generator, known: KnownBoxes
) -> list[list[WrittenObject]]:
    return relabelled(images, m, rng, known.mistakes)


def _delete(
    images: Sequence[list[WrittenObject]], m: float, rng: Generator, _: KnownBoxes
) -> list[list[WrittenObject]]:
    return [[box for box in image if rng.random() >= m] for image in images]


def _insert(
    images: Sequence[list[WrittenObject]], m: float, rng: Generator, known: KnownBoxes
) -> list[list[WrittenObject]]:
    def made_up() -> WrittenObject:
        model = known.boxes[int(rng.integers(len(known.boxes)))]
        corners = _corners(model)
        size = np.abs(corners[1] - corners[0])
        start = known.low + rng.random(2) * (known.high - known.low - size)
        return _placed(model, np.stack([start, start + size]), known)

    counts = rng.poisson(m * known.mean, len(images)).tolist()
    return [[*image, *(made_up() for _ in range(count))] for image, count in zip(images, counts, strict=True)]


def _usual(known: KnownBoxes) -> tuple[str, ...]:
    return ("jitter", *(("label",) if known.labelled else ()), "delete", "insert")


boxes: Noise[list[WrittenObject], KnownBoxes] = Noise(
    "boxes",
    {"jitter": _jitter, "label": _label, "delete": _delete, "insert": _insert},
    _survey,
    _usual,
    read=_read,
    write=_write,
)
