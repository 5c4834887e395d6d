"""How the annotations of an item become one new value: averages of numbers, and clusters of matched objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.data.types import Value

ALIKE = 1e-9  # shares that differ by less differ by rounding, and are tied

Middle = Literal["mean", "median"]


@dataclass(frozen=True, slots=True)
class Averaging:
    """Values that are rows of numbers, averaged column by column."""

    rows: Callable[[Sequence[Any]], Floats]  # a row of numbers for each value
    value: Callable[[list[float]], Value]  # the value that a row stands for
    middle: Middle = "mean"


@dataclass(frozen=True, slots=True)
class Matching:
    """Values that are lists of objects, which are matched and merged cluster by cluster."""

    objects: Callable[[Any], Sequence[Any]]  # those of a value; one that stands alone is a list of one
    distance: str | Callable[[Any, Indices, Indices], Floats]  # of objects, from their packed form and places
    make: Callable[[Matched, Middle], Sequence[Value]]  # an object for each cluster
    order: Callable[[Any], Any]  # by which the objects of a value are sorted
    label: Callable[[Any], str | int | None] = lambda _: None  # of an object
    middle: Middle = "median"


Merging = Averaging | Matching


@dataclass(frozen=True, slots=True)
class Matched:
    """Objects in clusters."""

    things: Sequence[Any]
    packed: Any  # by the kind, one object after the other
    label: Indices  # places among the names
    names: Sequence[str | int | None]
    cluster: Indices
    weight: Floats
    count: int  # of clusters

    def middles(self, table: Floats, middle: Middle) -> Floats:
        """The mean or median of each column of numbers in each cluster."""
        return middles(self.cluster, table, self.weight, self.count, middle)

    def labels(self) -> list[str | int | None]:
        """The label that most of each cluster give; of several the first in sorted order."""
        size = max(len(self.names), 1)
        cell, place = np.unique(self.cluster * size + self.label, return_inverse=True)
        heavy = sums(place.reshape(-1), self.weight, len(cell))
        owner, label = np.divmod(cell, size)
        most = np.zeros(self.count)
        np.maximum.at(most, owner, heavy)
        top = _first(owner, heavy >= most[owner] * (1 - ALIKE))
        return [self.names[code] for code in label[top].tolist()]


def sums(group: Indices, weight: Floats, count: int) -> Floats:
    """The sum of the weights of each group."""
    return np.bincount(group, weights=weight, minlength=count).astype(np.float64, copy=False)


def mean(group: Indices, x: Floats, weight: Floats, count: int) -> Floats:
    average = sums(group, weight * x, count) / sums(group, weight, count)
    # Rounding must not move the mean of equal numbers.
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, group, x)
    np.maximum.at(high, group, x)
    return np.clip(average, low, high)


def median(group: Indices, x: Floats, weight: Floats, count: int, *, lower: bool = False) -> Floats:
    """The weighted median of each group; of two middle numbers their mean, or the lower one."""
    order = np.lexsort((x, group))
    sorted_group, sorted_x = group[order], x[order]
    begins = np.searchsorted(sorted_group, np.arange(count))
    run = np.cumsum(weight[order])
    before = np.concatenate([[0.0], run])[begins]
    half = sums(group, weight, count) / 2
    reached = run - before[sorted_group] - half[sorted_group]
    close = ALIKE * half[sorted_group]
    low = sorted_x[_first(sorted_group, reached >= -close)]
    if lower:
        return low
    middle: Floats = (low + sorted_x[_first(sorted_group, reached > close)]) / 2
    return middle


def middles(group: Indices, table: Floats, weight: Floats, count: int, middle: Middle) -> Floats:
    """The mean or median of each column of a table in each group."""
    of = mean if middle == "mean" else median
    columns = [of(group, table[:, column], weight, count) for column in range(table.shape[1])]
    return np.stack(columns, axis=1) if count else np.zeros((0, table.shape[1]))


def _first(group: Indices, where: Booleans) -> Indices:
    places = np.flatnonzero(where)
    _, first = np.unique(group[places], return_index=True)
    return places[first]
