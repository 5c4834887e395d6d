"""How far apart the values of one study are, pair by pair: the one place that asks a distance for many pairs.

Values are packed once.  Pairs come as two arrays of places among the values and are computed in blocks of bounded
size, on all cores where the kernel lets go of the interpreter; a pair that occurs twice is computed once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data.types import Value
from interagree.declare import Distance
from interagree.errors import KindError
from interagree.kinds._scale import on_scale
from interagree.progress import steps

BLOCK = 32_768  # pairs that are handed to a kernel at once
TRIED = 10  # pairs on which a function of the user's is looked at more closely
DEAR = 250_000  # a distance that is computed for no more pairs than this is handed smaller blocks


def short(value: object) -> str:
    """A value in a message, cut where it is long."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:59] + "…"


class PairDistances:
    """A distance on the values of a study."""

    def __init__(
        self,
        distance: Distance,
        values: Sequence[Value],
        *,
        ordered: bool = False,
        kind: str | None = None,
        frequency: Floats | None = None,
        packed: Callable[[], object] | None = None,
    ) -> None:
        self.distance = distance
        self.values = values
        self._ordered = ordered
        self._kind = kind
        self._frequency = frequency
        self._packed = packed  # values of a complex kind, where they are packed already

    @cached_property
    def place(self) -> Any:
        """The values as the distance wants them, with what it prepared."""
        if self._packed is not None and self.distance.kinds:
            return self.distance.prepared(self._packed())
        values = on_scale(self.values, self.distance, ordered=self._ordered, given=self._kind)
        return self.distance.prepared(values) if self.distance.kinds else values

    @cached_property
    def _table(self) -> Floats:
        return self.distance.among(self.values, self._frequency, ordered=self._ordered)

    def __call__(self, first: Indices, second: Indices) -> Floats:
        if self.distance.equality:
            return np.asarray(first != second, dtype=np.float64)
        if self.distance.table is not None:
            distances: Floats = self._table[first, second]
            return distances
        if self.distance.pairs is not None:
            given = self.distance.ready()
            with np.errstate(over="ignore"):  # of numbers whose squares are too large `estimate` says so
                return np.asarray(self.distance.pairs(self.place[first], self.place[second], **given), dtype=float)
        return self._each_once(np.asarray(first, dtype=np.intp), np.asarray(second, dtype=np.intp))

    def _each_once(self, first: Indices, second: Indices) -> Floats:
        low, high = np.minimum(first, second), np.maximum(first, second)
        distances = np.zeros(len(low))
        # A value is at distance 0 from itself, but for an empty one where the caller said so.
        differ = np.arange(len(low)) if self.distance.given.get("empty") else np.flatnonzero(low != high)
        cell = low[differ] * len(self.values) + high[differ]
        if len(cell) and not (np.diff(cell) > 0).all():
            cell, back = np.unique(cell, return_inverse=True)
        else:
            back = None
        far = self._blocks(*np.divmod(cell, max(len(self.values), 1)))
        distances[differ] = far if back is None else far[back]
        return distances

    def _blocks(self, first: Indices, second: Indices) -> Floats:
        distances = np.empty(len(first))
        size = BLOCK if self.distance.most > DEAR else max(64, BLOCK // 128)
        places = [slice(start, start + size) for start in range(0, len(first), size)]
        place = self.place  # packed before any thread needs it

        if self.distance.pair is not None:
            self._checked(place, first, second)

        def fill(here: slice) -> None:
            distances[here] = self._kernel(place, first[here], second[here])

        what = f"{self.distance.name} distances"
        if len(places) < 2 or self.distance.between is None:
            for here in steps(places, what):
                fill(here)
            return distances
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for _ in steps(pool.map(fill, places), what, total=len(places)):
                pass
        return distances

    def _kernel(self, place: Any, first: Indices, second: Indices) -> Floats:
        distance = self.distance
        if distance.between is not None:
            distances = np.asarray(distance.between(place, first, second, **distance.ready()), dtype=np.float64)
            if distances.shape != first.shape:
                raise KindError(
                    f"the {distance.name} distance of {len(first):,} pairs must be as many numbers, and it gave an "
                    f"array of shape {distances.shape}"
                )
        else:
            pairs = zip(first.tolist(), second.tolist(), strict=True)
            distances = np.array([self._number(place[a], place[b]) for a, b in pairs])
        bad = np.flatnonzero(~(distances >= 0) | np.isinf(distances))
        if len(bad):
            a, b = (self.values[int(side[bad[0]])] for side in (first, second))
            raise KindError(
                f"a distance is a finite number from 0 up, and {distance.name} gave {distances[bad[0]]:g} for "
                f"{short(a)} and {short(b)}"
            )
        return distances

    def _number(self, a: object, b: object) -> float:
        distance = self.distance
        result = distance.pair(a, b, **distance.given) if distance.pair is not None else distance(a, b)
        try:
            return float(result)
        except (TypeError, ValueError):
            raise KindError(
                f"a distance is a number, and {distance.name} gave {short(result)} for {short(a)} and {short(b)}"
            ) from None

    def _checked(self, place: Any, first: Indices, second: Indices) -> None:
        """A function of the user's looked at more closely on a few pairs: it must not matter who comes first."""
        for x, y in zip(first[:TRIED].tolist(), second[:TRIED].tolist(), strict=True):
            a, b = place[x], place[y]
            there, back = self._number(a, b), self._number(b, a)
            if abs(there - back) > 1e-9 * max(1.0, abs(there)):
                raise KindError(
                    f"a distance is the same both ways, and {self.distance.name} gave {there:g} from {short(a)} to "
                    f"{short(b)} and {back:g} back; take the mean of both, or the larger one"
                )
            if self._number(a, a) != 0:
                raise KindError(
                    f"a value is at distance 0 from itself, and {self.distance.name} gave {self._number(a, a):g} for "
                    f"{short(a)} twice; take one minus a similarity, or subtract what equal values give"
                )

    def table(self) -> Floats:
        """The distances of all pairs of values, as a square table."""
        count = len(self.values)
        first, second = np.triu_indices(count, 1)
        table = np.zeros((count, count))
        table[first, second] = self(first, second)
        return table + table.T

    def potential(self, frequency: Floats) -> Floats | None:
        """For each value the sum of its distances to all annotations; None where that takes the pairs."""
        if self.distance.equality:
            return np.asarray(frequency.sum() - frequency)
        if self.distance.potential is None:
            return None
        given = {**self.distance.defaults, **self.distance.given}
        sums = self.distance.potential(self.place, frequency, **given)
        return None if sums is None else np.asarray(sums, dtype=np.float64)
