"""How often each pattern counts: once as observed, many times over as resampled, or with one left out.

A coefficient is a function of sums over items.  Written once, in terms of ``weights.sum(features)``, it is also its own
bootstrap, its own jackknife and its own derivative: only the weights differ, and a leading axis of the sums says
which resample, which left-out pattern or which direction of change an entry belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from interagree.errors import KindError

Floats = NDArray[np.float64]

STEP = 1e-30  # of a derivative by a complex step: no subtraction, so no rounding, however small


class Weights(Protocol):
    """How often each pattern counts."""

    def sum(self, features: Any) -> Any:
        """The sums of features over all items: shape (…) for a vector, (…, K) for a matrix of patterns × K."""
        ...

    def quadratic(self, total: Any, linear: Any, own: Any) -> Any:
        """A sum over pairs of items, from its total, the part of each item with all, and with itself."""
        ...

    def matrix(self) -> Any:
        """The weights themselves, patterns along the last axis."""
        ...


@dataclass(frozen=True, slots=True)
class Observed:
    """Every pattern as often as it occurs."""

    times: Floats

    def sum(self, features: Any) -> Any:
        return self.times @ features

    def quadratic(self, total: Any, linear: Any, own: Any) -> Any:  # noqa: ARG002 -- one signature for all
        return total

    def matrix(self) -> Any:
        return self.times


@dataclass(frozen=True, slots=True)
class Many:
    """One row of weights for each resample."""

    rows: Floats

    def sum(self, features: Any) -> Any:
        return self.rows @ features

    def quadratic(self, total: Any, linear: Any, own: Any) -> Any:
        raise KindError(
            "resampling needs the distance of every pair of values, and there are too many distinct values for that "
            "table; take method='jackknife' or method='analytic', which do without"
        )

    def matrix(self) -> Any:
        return self.rows


@dataclass(frozen=True, slots=True)
class LeftOut:
    """For each of some patterns: one item of that pattern left out."""

    times: Floats
    which: NDArray[np.intp]

    def sum(self, features: Any) -> Any:
        return self.times @ features - _rows(features, self.which)

    def quadratic(self, total: Any, linear: Any, own: Any) -> Any:
        return total - 2 * linear[self.which] + own[self.which]

    def matrix(self) -> Any:
        full = np.tile(self.times, (len(self.which), 1))
        full[np.arange(len(self.which)), self.which] -= 1
        return full


@dataclass(frozen=True, slots=True)
class GroupsLeftOut:
    """For each group of items: the whole group left out; ``members`` counts patterns by group."""

    times: Floats
    members: Any  # groups × patterns, sparse or dense

    def sum(self, features: Any) -> Any:
        return self.times @ features - self.members @ features

    def quadratic(self, total: Any, linear: Any, own: Any) -> Any:
        raise KindError(
            "leaving out groups needs the distance of every pair of values, and there are too many distinct values for "
            "that table; take method='analytic'"
        )

    def matrix(self) -> Any:
        members = self.members.toarray() if hasattr(self.members, "toarray") else self.members
        return self.times - members


@dataclass(frozen=True, slots=True)
class Nudged:
    """For each of some patterns: the study moved a tiny imaginary step towards items of that pattern alone.

    Whatever is computed from the sums then carries its derivative in its imaginary part.
    """

    times: Floats
    which: NDArray[np.intp]

    def sum(self, features: Any) -> Any:
        total = self.times @ features
        return total + 1j * STEP * (self.times.sum() * _rows(features, self.which) - total)

    def quadratic(self, total: Any, linear: Any, own: Any) -> Any:  # noqa: ARG002 -- one signature for all
        return total + 1j * STEP * 2 * (self.times.sum() * linear[self.which] - total)

    def matrix(self) -> Any:
        full = np.tile(self.times * (1 - 1j * STEP), (len(self.which), 1))
        full[np.arange(len(self.which)), self.which] += 1j * STEP * self.times.sum()
        return full


def _rows(features: Any, which: NDArray[np.intp]) -> Any:
    rows = features[which]
    return rows.toarray() if hasattr(rows, "toarray") else rows
