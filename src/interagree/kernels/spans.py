"""What two sets of stretches have in common: lengths marked by both, and how much of each span the other covers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from interagree.arrays import Floats, Indices, Int32s
from interagree.kernels.compiled import compiled

DIGITS = 37  # of the natural logarithm of the error of a potential: rounding is at 36


@dataclass(frozen=True)
class Stretches:
    """Stretches of all values, end to end, by value, label and beginning; those of value k are from ``start[k]`` on."""

    start: Indices
    label: Int32s
    begin: Floats
    end: Floats

    @cached_property
    def count(self) -> Indices:
        """How many stretches each value has."""
        return np.diff(self.start)

    @cached_property
    def owner(self) -> Indices:
        """The value that each stretch belongs to."""
        return np.repeat(np.arange(len(self.count)), self.count)

    @cached_property
    def size(self) -> Floats:
        """The length that each value marks, if its stretches do not overlap."""
        return _sums(self.owner, self.end - self.begin, len(self.count))

    @cached_property
    def along(self) -> tuple[Indices, Floats, Indices]:
        """All ends in order, how far each lies behind the one before it, and the place of each end in that order.

        Beginnings come first in the numbering of ends, then endings.
        """
        where = np.concatenate([self.begin, self.end])
        label = np.concatenate([self.label, self.label])
        order = np.lexsort((where, label))
        step = np.diff(where[order], prepend=0.0)
        step[np.diff(label[order], prepend=-1) != 0] = 0.0
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return order, step, place

    def shared_with_all(self, weight: Floats) -> Floats:
        """For each value, the sum over all values of the length that both mark, times the weight of the other."""
        order, step, place = self.along
        own = weight[self.owner]
        change = np.concatenate([own, -own])[order]
        height = np.cumsum(change) - change  # the weight that marks the stretch before each end
        area = np.cumsum(height * step)[place]
        half = len(own)
        return _sums(self.owner, area[half:] - area[:half], len(self.count))


def _sums(owner: Indices, weight: Floats, count: int) -> Floats:
    return np.bincount(owner, weight, minlength=count).astype(np.float64)


@compiled
def shared(  # noqa: PLR0917  # compiled loops take arrays by place
    start: Indices, label: Int32s, begin: Floats, end: Floats, i: Indices, j: Indices
) -> Floats:
    """The length that both values of each pair mark; the stretches of a value must not overlap."""
    length = np.zeros(len(i))
    for pair in range(len(i)):
        a, b = start[i[pair]], start[j[pair]]
        last_a, last_b = start[i[pair] + 1], start[j[pair] + 1]
        while a < last_a and b < last_b:
            if label[a] < label[b]:
                a += 1
            elif label[b] < label[a]:
                b += 1
            else:
                low, high = max(begin[a], begin[b]), min(end[a], end[b])
                if low < high:
                    length[pair] += high - low
                if end[a] < end[b]:
                    a += 1
                else:
                    b += 1
    return length


@compiled
def covered(  # noqa: PLR0917  # compiled loops take arrays by place
    start: Indices,
    label: Int32s,
    begin: Floats,
    end: Floats,
    union_start: Indices,
    union_label: Int32s,
    union_begin: Floats,
    union_end: Floats,
    i: Indices,
    j: Indices,
) -> Floats:
    """The mean share of a span of the first value of each pair that the union of the second one covers."""
    share = np.zeros(len(i))
    for pair in range(len(i)):
        here, stop = union_start[j[pair]], union_start[j[pair] + 1]
        for a in range(start[i[pair]], start[i[pair] + 1]):
            while here < stop and (
                union_label[here] < label[a] or (union_label[here] == label[a] and union_end[here] <= begin[a])
            ):
                here += 1
            b = here
            length = 0.0
            while b < stop and union_label[b] == label[a] and union_begin[b] < end[a]:
                length += min(union_end[b], end[a]) - max(union_begin[b], begin[a])
                b += 1
            share[pair] += min(length / (end[a] - begin[a]), 1.0)
        if start[i[pair] + 1] > start[i[pair]]:
            share[pair] /= start[i[pair] + 1] - start[i[pair]]
    return share


def dice(marks: Stretches, i: Indices, j: Indices, empty: float) -> Floats:
    """One minus twice the length that both mark over the sum of what each marks."""
    common = shared.for_steps(float(marks.count[i].sum() + marks.count[j].sum()))(
        marks.start, marks.label, marks.begin, marks.end, i, j
    )
    whole = marks.size[i] + marks.size[j]
    far = 1 - 2 * common / np.where(whole > 0, whole, 1)
    return np.where(whole > 0, np.maximum(far, 0), empty)


def dice_potential(marks: Stretches, frequency: Floats, empty: float = 0.0) -> Floats:
    """For each value the sum of its Dice distances to all annotations."""
    # Values of one size s have one denominator, so what they share with a value is summed before it is divided.
    size = marks.size
    near = np.zeros(len(size))
    for s, weight in _by_size(size, frequency):
        near += 2 / (size + s) * marks.shared_with_all(weight)
    nothing = size == 0
    alike = np.where(nothing, (1 - empty) * frequency[nothing].sum(), near)
    return np.asarray(frequency.sum() - alike)


def _by_size(size: Floats, frequency: Floats) -> Iterator[tuple[float, Floats]]:
    """Some sizes, and how much of each annotation counts as being of that size.

    Where there are many sizes, 1 / (n + s) is interpolated in ln s between Chebyshev nodes: it is analytic up to a
    distance of pi from the real line, so that the error falls geometrically and a few dozen nodes bring it down to
    that of rounding.
    """
    some = size > 0
    different = np.unique(size[some])
    if not len(different):
        return
    low, high = np.log(different[0]), np.log(different[-1])
    middle, half = (high + low) / 2, (high - low) / 2
    nodes = int(DIGITS / np.arcsinh(np.pi / half)) + 2 if half else 2
    if len(different) <= nodes:
        for s in different:
            yield float(s), np.where(size == s, frequency, 0.0)
        return
    angle = (2 * np.arange(nodes) + 1) * np.pi / (2 * nodes)
    behind = (np.log(size[some]) - middle)[:, None] / half - np.cos(angle)
    hit = np.abs(behind) < 1e-15
    share = (-1.0) ** np.arange(nodes) * np.sin(angle) / np.where(hit, 1.0, behind)
    share[hit.any(axis=1)] = hit[hit.any(axis=1)]
    share /= share.sum(axis=1, keepdims=True)
    for node in range(nodes):
        weight = np.zeros(len(size))
        weight[some] = frequency[some] * share[:, node]
        yield float(np.exp(middle + half * np.cos(angle[node]))), weight


def coverage(spans: Stretches, union: Stretches, i: Indices, j: Indices, empty: float) -> Floats:
    """One minus the harmonic mean of how much of each side's spans the other side covers."""
    run = covered.for_steps(float(2 * spans.count[i].sum() + 2 * spans.count[j].sum()))
    arrays = (spans.start, spans.label, spans.begin, spans.end, union.start, union.label, union.begin, union.end)
    there, back = run(*arrays, i, j), run(*arrays, j, i)
    both = there + back
    near = 2 * there * back / np.where(both > 0, both, 1)
    return np.where((spans.count[i] == 0) & (spans.count[j] == 0), empty, 1 - near)
