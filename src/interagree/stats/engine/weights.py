"""How often each pattern counts: once as observed, many times over as resampled, or with one left out.

A coefficient is a function of sums over items.  Written once, in terms of ``weights.sum(features)``, it is
also its own bootstrap, its own jackknife and its own derivative: only the weights differ, and a leading
axis of the sums says which resample, which left-out pattern or which direction of change an entry belongs
to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from interagree.arrays import Array, Floats, Indices
from interagree.stats.engine.compress import Rows, SummableTable, dense

STEP = 1e-30  # of a derivative by a complex step: no subtraction, so no rounding, however small


class Weights(Protocol):
    """How often each pattern counts."""

    def sum(self, features: Array | SummableTable) -> Array:
        """The sums of features over all items: shape (…) for a vector, (…, K) for a matrix of patterns × K."""

    def quadratic(self, total: Array | float, linear: Array, own: Array | None) -> Array:
        """A sum over ordered pairs of items, from its total, the part of each item with all, and with itself.

        ``own`` is None where no item is paired with itself.  Where several items change at once, the sum is that
        to first order: what a change of two of them together adds is left out.
        """

    def matrix(self) -> Array:
        """The weights themselves, patterns along the last axis."""


@dataclass(frozen=True, slots=True)
class Observed:
    """Every pattern as often as it occurs."""

    times: Floats

    def sum(self, features: Array | SummableTable) -> Array:
        return self.times @ features

    def quadratic(self, total: Array | float, linear: Array, own: Array | None) -> Array:  # noqa: ARG002 -- one signature for all
        return np.asarray(total)

    def matrix(self) -> Array:
        return self.times


@dataclass(frozen=True, slots=True)
class Many:
    """One row of weights for each resample."""

    rows: Floats

    def sum(self, features: Array | SummableTable) -> Array:
        return self.rows @ features

    def quadratic(self, total: Array | float, linear: Array, own: Array | None) -> Array:  # noqa: ARG002 -- one signature for all
        return _first_order(self.rows.sum(axis=-1), self.rows.shape[-1], self.rows @ linear, total)

    def matrix(self) -> Array:
        return self.rows


@dataclass(frozen=True, slots=True)
class LeftOut:
    """For each of some patterns: one item of that pattern left out."""

    times: Floats
    which: Indices

    def sum(self, features: Array | SummableTable) -> Array:
        return self.times @ features - dense(features[self.which])

    def quadratic(self, total: Array | float, linear: Array, own: Array | None) -> Array:
        left = total - 2 * linear[self.which]
        return left if own is None else left + own[self.which]

    def matrix(self) -> Array:
        full = np.tile(self.times, (len(self.which), 1))
        full[np.arange(len(self.which)), self.which] -= 1
        return full


@dataclass(frozen=True, slots=True)
class GroupsLeftOut:
    """For each group of items: the whole group left out; ``members`` counts patterns by group."""

    times: Floats
    members: Rows  # groups × patterns

    def sum(self, features: Array | SummableTable) -> Array:
        return np.asarray(self.times @ features - self.members @ features)

    def quadratic(self, total: Array | float, linear: Array, own: Array | None) -> Array:  # noqa: ARG002 -- one signature for all
        kept = self.times @ linear - self.members @ linear
        count = self.times.sum() - np.asarray(self.members.sum(axis=1)).reshape(-1)
        return _first_order(count, self.times.sum(), kept, total)

    def matrix(self) -> Array:
        return self.times - dense(self.members)


@dataclass(frozen=True, slots=True)
class Nudged:
    """For each of some patterns: the study moved a tiny imaginary step towards items of that pattern alone.

    Whatever is computed from the sums then carries its derivative in its imaginary part.
    """

    times: Floats
    which: Indices

    def sum(self, features: Array | SummableTable) -> Array:
        total = self.times @ features
        return np.asarray(total + 1j * STEP * (self.times.sum() * dense(features[self.which]) - total))

    def quadratic(self, total: Array | float, linear: Array, own: Array | None) -> Array:  # noqa: ARG002 -- one signature for all
        return np.asarray(total + 1j * STEP * 2 * (self.times.sum() * linear[self.which] - total))

    def matrix(self) -> Array:
        full = np.tile(self.times * (1 - 1j * STEP), (len(self.which), 1))
        full[np.arange(len(self.which)), self.which] += 1j * STEP * self.times.sum()
        return full


class Unrecordable(Exception):
    """A coefficient asked for the weights themselves, so its derivative must be taken item by item."""


class Recorded:
    """Sums as observed, remembering which features they are sums of."""

    def __init__(self, times: Floats) -> None:
        self.times = times
        self.sums: list[Array] = []
        self.changes: list[Callable[[Array], Floats]] = []  # for each sum: what its change is for each pattern

    def sum(self, features: Array | SummableTable) -> Array:
        total, items = self.times @ features, self.times.sum()
        self.sums.append(total)
        self.changes.append(
            lambda slope: (
                items * (features @ slope) - total @ slope if np.ndim(slope) else slope * (items * features - total)
            )
        )
        return total

    def quadratic(self, total: Array | float, linear: Array, own: Array | None) -> Array:  # noqa: ARG002 -- one signature for all
        items, total = self.times.sum(), np.asarray(total)
        self.sums.append(total)
        self.changes.append(
            lambda slope: (
                2 * (items * (linear @ slope) - total @ slope)
                if np.ndim(slope)
                else 2 * (items * linear - total) * slope
            )
        )
        return total

    def matrix(self) -> Array:
        raise Unrecordable


class Tangent:
    """Each recorded sum in turn moved a tiny imaginary step: the slope of the coefficient along every sum at once.

    There are far fewer sums than items, and so it is far cheaper than moving towards each item (`Nudged`),
    with the same result.  ``which`` numbers the sums, the columns of all of them laid end to end.
    """

    def __init__(self, recorded: Recorded, which: Indices) -> None:
        self.recorded = recorded
        self.which = which
        sizes = [np.size(total) for total in recorded.sums]
        self.starts = np.r_[0, np.cumsum(sizes)]
        self.call = 0

    def sum(self, features: Array | SummableTable) -> Array:  # noqa: ARG002 -- it was summed when it was recorded
        total = np.asarray(self.recorded.sums[self.call])
        begin, end = self.starts[self.call], self.starts[self.call + 1]
        self.call += 1
        moved = np.zeros((len(self.which), total.size), dtype=np.complex128)
        moved += total.reshape(1, -1)
        mine = np.flatnonzero((self.which >= begin) & (self.which < end))
        moved[mine, self.which[mine] - begin] += 1j * STEP
        return moved.reshape(len(self.which), *total.shape)

    def quadratic(self, total: Array | float, linear: Array, own: Array | None) -> Array:  # noqa: ARG002 -- one signature for all
        return self.sum(np.asarray(total))

    def matrix(self) -> Array:
        raise Unrecordable


def _first_order(count: Array, items: float, linear: Array, total: Array | float) -> Array:
    """A sum over pairs of items whose weights add up to ``count``, linearised around equal weights of that sum."""
    share = count / items
    if np.ndim(linear) > np.ndim(share):
        share = share[:, None]
    return np.asarray(np.maximum(2 * share * linear - share**2 * total, 0))
