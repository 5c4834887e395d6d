r"""Alpha on a scale with many distinct values: sums per item, and no table of values × values.

Where a distance is the squared Euclidean distance of points (interval: the number itself; circular: a point
on a circle; ordinal: the rank), the sum over all pairs of $n$ points is $2 (n \sum x^2 - (\sum x)^2)$, so
three sums per item are all that is needed.  Where it is not (ratio, polar), each value's summed distance to all
annotations is found once, in blocks.  Resamples of the items then need the distances of all pairs of values: up to
about 2,800 distinct values (`BLOCK` pairs) they are kept and resamples are exact; above, what chance gives is taken to
first order in how often each item was drawn, which with so many values is off by next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from interagree.arrays import Array, Floats, Indices, Integers
from interagree.data import Annotations
from interagree.declare import Distance
from interagree.errors import KindError
from interagree.kinds._scale import on_scale
from interagree.results.agreement import Parts, Sizes
from interagree.stats.engine.compress import Rows, table_of, totals
from interagree.stats.engine.weights import GroupsLeftOut, Many, Observed, Weights
from interagree.stats.labels.labelled import Labels

BLOCK = 8_000_000  # numbers in a block of distances
ROUNDING = 1e-13  # of a sum: what is less than this may as well be nothing


@dataclass(frozen=True)
class Numeric(Labels):
    """Annotations of the items that have two or more, item after item."""

    item: Indices  # of each annotation, from 0 up without gaps
    value: Indices  # of each annotation
    distance: Distance
    source: Annotations
    weights: Weights
    n: Sizes
    pattern: Indices
    unpaired: int = 0

    @classmethod
    def of(cls, study: Annotations, distance: Distance) -> Numeric:
        """The annotations of a study that can be compared."""
        sizes = study.sizes()
        enough = sizes >= 2
        pattern = np.where(enough, np.cumsum(enough) - 1, -1)
        keep = enough[study.item]
        item = pattern[study.item[keep]]
        people = None if study.anonymous else len(np.unique(study.annotator))
        items = int(enough.sum())
        return cls(
            item,
            np.asarray(study.value[keep], dtype=np.intp),
            distance,
            study,
            Observed(np.ones(items)),
            Sizes(items, people, int(keep.sum())),
            pattern,
            int((sizes == 1).sum()),
        )

    @property
    def bounded(self) -> bool:
        return self.distance.bounded

    @property
    def width(self) -> int:
        if self.distance.counted:
            return max(len(self.item), 8)
        return max(len(self.used), 8) if self.distance.embed is None and self.tabled else 8

    @cached_property
    def size(self) -> Floats:
        """How many annotations each item has."""
        return np.bincount(self.item, minlength=self.n.items).astype(np.float64)

    def value_frequency(self) -> Floats:
        return self.frequency

    @cached_property
    def frequency(self) -> Floats:
        return np.bincount(self.value, minlength=len(self.source.values)).astype(np.float64)

    def _points(self, frequency: Floats | None) -> Array:
        where = self.distance.points(self.source.values, frequency, ordered=self.source.in_order)
        # The median, which is one of the points, is taken off: sums of squares of large numbers lose
        # digits, and where all points are the same one the sums come out as nothing at all.
        middle = int(np.searchsorted(np.cumsum(self.frequency), self.frequency.sum() / 2))
        return np.asarray(where - where[..., [middle], :])

    def _item_sums(self, points: Array) -> Floats:
        """Of each item: its size, the sum of its points, the sum of their squares, the sum over its pairs."""
        placed = points[self.value]
        count = self.n.items
        sums = [totals(self.item, column, count) for column in placed.T]
        squares = totals(self.item, (placed**2).sum(axis=1), count)
        pairs = 2 * (self.size * squares - sum(column**2 for column in sums)) / (self.size - 1)
        return np.column_stack([self.size, squares, np.maximum(pairs, 0), *sums])

    @cached_property
    def sums(self) -> Floats:
        """The sums per item, for distances that do not depend on the counts."""
        return self._item_sums(self._points(None))

    # -- squared Euclidean distances -------------------------------------------------------------------------

    def parts(self, *, back: bool = False) -> Parts:
        """Observed and expected disagreement, with the first annotation put back or not."""
        if self.distance.embed is None:
            return self._potential_parts(back=back)
        if self.distance.counted:
            return self._ranked_parts(back=back)
        return _from_sums(self.weights.sum(self.sums), back=back)

    def item_distances(self) -> Floats:
        """For each item the mean distance of two of its annotations."""
        if self.distance.embed is None:
            return np.asarray(self.potentials[3] / (self.size * (self.size - 1)))
        frequency = self.frequency if self.distance.counted else None
        return np.asarray(self._item_sums(self._points(frequency))[:, 2] / self.size)

    def distances_between(self, first: Integers, second: Integers) -> Floats:
        """The distances of aligned pairs of values."""
        if self.distance.embed is None:
            place = on_scale(self.source.values, self.distance, ordered=self.source.in_order)
            return between(self.distance, place, first, second)
        points = self._points(self.frequency if self.distance.counted else None)
        return np.asarray(((points[first] - points[second]) ** 2).sum(axis=-1))

    def _ranked_parts(self, *, back: bool) -> Parts:
        rows = self.weights.matrix()
        if rows.ndim == 1 and not np.iscomplexobj(rows):
            return self._ranked(rows, back=back)
        each = [self._ranked(row, back=back) for row in rows]
        return Parts(np.array([parts.observed for parts in each]), np.array([parts.expected for parts in each]))

    def _ranked(self, times: Floats, *, back: bool) -> Parts:
        # Ranks come from the counts, and so from the weights: they are found anew each time.
        frequency = totals(self.value, times[self.item], len(self.source.values))
        return _from_sums(times @ self._item_sums(self._points(frequency)), back=back)

    def rank_influence(self) -> Floats:
        """The influence of each item on ordinal alpha, with the first annotation put back.

        An item moves the sums as it would on fixed ranks, and it moves the ranks: one more annotation at a
        value lifts every annotation above it by one, and those at it by a half.
        """
        rank = self._points(self.frequency)[:, 0]
        size, squares, within, first = self._item_sums(rank[:, None]).T
        count, all_squares, all_within, all_first = size.sum(), squares.sum(), within.sum(), first.sum()
        pairs = 2 * (count * all_squares - all_first**2)
        # How the two sums move with the rank of each annotation, then with an annotation at each value.
        lean = 4 * (size[self.item] * rank[self.value] - first[self.item]) / (size[self.item] - 1)
        seen = _lifted(totals(self.value, lean, len(rank)))
        drawn = _lifted(self.frequency * 4 * (count * rank - all_first))
        d_within = within + self._per_item(seen)
        d_pairs = 2 * (size * all_squares + count * squares - 2 * all_first * first) + self._per_item(drawn)
        # Alpha is one minus the annotations times the first sum over the second.
        influence = -(size * all_within + count * d_within - count * all_within * d_pairs / pairs) / pairs
        return np.asarray(influence * self.n.items)

    def _per_item(self, per_value: Floats) -> Floats:
        return totals(self.item, per_value[self.value], self.n.items)

    # -- any other distance ----------------------------------------------------------------------------------

    @cached_property
    def potentials(self) -> tuple[Floats, float, Floats, Floats]:
        """Features per item (size, pairs), the sum over all pairs, each item's part with all, and with itself."""
        place = on_scale(self.source.values, self.distance, ordered=self.source.in_order)
        pull = np.zeros(len(self.frequency))
        pull[self.used] = potential(self.distance, place[self.used], self.frequency[self.used])
        linear = self._per_item(pull)
        own = self._own(place)
        return np.column_stack([self.size, own / (self.size - 1)]), float(self.frequency @ pull), linear, own

    @cached_property
    def used(self) -> Indices:
        """The values that were given, in order."""
        return np.flatnonzero(self.frequency)

    @property
    def tabled(self) -> bool:
        """Whether the distances of all pairs of values are few enough to be kept."""
        return len(self.used) ** 2 <= BLOCK

    @cached_property
    def given(self) -> tuple[Rows, Floats]:
        """How often each item was given each value in use, and the distances of all pairs of those values."""
        place = on_scale(self.source.values, self.distance, ordered=self.source.in_order)[self.used]
        if self.distance.pairs is None:
            raise KindError(f"the {self.distance.name} distance is not one of numbers")
        far = self.distance.pairs(place[:, None], place[None, :], **self.distance.ready())
        column = np.searchsorted(self.used, self.value)
        shape = (self.n.items, len(self.used))
        often = table_of(self.item, column, np.ones(len(column)), shape)
        return often, np.asarray(far, dtype=np.float64)

    def _own(self, place: Array) -> Floats:
        """The sum of the distances of all ordered pairs of annotations of each item."""
        own = np.zeros(self.n.items)
        order = np.argsort(self.item, kind="stable")
        item, value = self.item[order], self.value[order]
        size = self.size.astype(np.intp)
        starts = np.r_[0, np.cumsum(size)]
        for step in range(1, int(size.max(initial=1))):
            # Annotations ``step`` places apart in one item.
            there = np.arange(len(item) - step)
            there = there[there + step < starts[item[there] + 1]]
            far = between(self.distance, place, value[there], value[there + step])
            own += 2 * totals(item[there], far, self.n.items)
        return own

    def _own_of_groups(self, members: Rows) -> Floats:
        """The sum of the distances of all ordered pairs of annotations of each group of items."""
        place = on_scale(self.source.values, self.distance, ordered=self.source.in_order)
        group = np.full(self.n.items, -1, dtype=np.intp)
        rows, columns = members.nonzero()
        group[columns] = rows
        of = group[self.item]
        order = np.argsort(of, kind="stable")
        ends = np.searchsorted(of[order], np.arange(members.shape[0] + 1))
        own = np.zeros(members.shape[0])
        for number, (start, end) in enumerate(pairwise(ends.tolist())):
            used, often = np.unique(self.value[order[start:end]], return_counts=True)
            frequency = often.astype(np.float64)
            own[number] = float(frequency @ potential(self.distance, place[used], frequency))
        return own

    def _potential_parts(self, *, back: bool) -> Parts:
        features, total, linear, own = self.potentials
        sums = self.weights.sum(features)
        count, within = sums[..., 0], sums[..., 1]
        if isinstance(self.weights, GroupsLeftOut):
            members = self.weights.members
            drawn = total - 2 * (members @ linear) + self._own_of_groups(members)
        elif isinstance(self.weights, Many) and self.tabled:
            often, far = self.given
            frequency = self.weights.rows @ often
            drawn = np.einsum("rv,rv->r", frequency @ far, frequency)
        else:
            drawn = self.weights.quadratic(total, linear, own)
        drawn = np.where(np.real(drawn) > ROUNDING * total, drawn, 0)
        return Parts(within / count, drawn / (count * (count if back else count - 1)))


def _lifted(lean: Floats) -> Floats:
    """For each value the sum over the values above it, and half of its own."""
    return np.cumsum(lean[::-1])[::-1] - lean / 2


def _from_sums(sums: Array, *, back: bool) -> Parts:
    count, squares, within, first = sums[..., 0], sums[..., 1], sums[..., 2], sums[..., 3:]
    drawn = 2 * (count * squares - (first**2).sum(-1))
    drawn = np.where(np.real(drawn) > ROUNDING * np.real(count * squares), drawn, 0)
    return Parts(within / count, drawn / (count * (count if back else count - 1)))


def between(distance: Distance, place: Array, a: Integers, b: Integers) -> Floats:
    """The distances of aligned pairs of numbers."""
    if distance.pairs is None:
        raise KindError(f"the {distance.name} distance is not one of numbers")
    return np.asarray(distance.pairs(place[a], place[b], **distance.ready()), dtype=np.float64)


def potential(distance: Distance, place: Array, frequency: Floats) -> Floats:
    """For each number the sum of its distances to all annotations, in blocks of bounded size."""
    if distance.potential is not None:
        return np.asarray(distance.potential(place, frequency, **distance.ready()))
    if distance.pairs is None:
        raise KindError(f"the {distance.name} distance is not one of numbers")
    count = len(frequency)
    sums = np.zeros(count)
    step = max(1, BLOCK // max(count, 1))
    for start in range(0, count, step):
        here = slice(start, start + step)
        sums[here] = distance.pairs(place[here, None], place[None, :], **distance.ready()) @ frequency
    return sums
