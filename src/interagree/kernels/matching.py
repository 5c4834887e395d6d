"""From the distance of two objects to the distance of two lists of them.

``optimal`` pairs objects one to one at the least cost.  With c the cost of an object that is left over, and A the
shorter list, the distance is that of Schuhmacher, Vo & Vo (2008) with p = 1,

    (the least sum over pairings of min(d(a, b), c) + c (|B| - |A|)) / |B|,

which keeps the triangle inequality wherever the distance of two objects does.  ``minima`` takes every object to the
nearest of the other list and means the two means (Braylan, Alonso & Lease 2022, section 3.2); ``pooled`` means over
the objects of both lists at once.  In each of them two empty lists are 0 apart (``empty=1`` puts them 1 apart, as the
published numbers of Braylan et al. do), and an empty list is c from any other.

Schuhmacher, D., Vo, B.-T., Vo, B.-N. (2008). A consistent metric for performance evaluation of multi-object filters.
IEEE Transactions on Signal Processing 56(8), 3447-3457.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from interagree.arrays import Booleans, Floats, Indices, Integers
from interagree.errors import KindError, listing
from interagree.kernels.compiled import compiled

AT_ONCE = 100_000  # pairs of objects that are laid out at once: as many as the caches of a processor hold
WAYS = ("optimal", "minima", "pooled")
LABELS = ("strict", "ignore")


class Objects(Protocol):
    """Lists of objects, packed: objects laid end to end."""

    @property
    def start(self) -> Indices:
        """Where each list begins."""

    @property
    def label(self) -> Integers | None:
        """What each object is, where objects bear labels."""


def lift(
    packed: Objects,
    i: Indices,
    j: Indices,
    single: Callable[[Indices, Indices], Floats],
    *,
    matching: str,
    unmatched: float | None,
    labels: str,
    empty: float = 0.0,
) -> Floats:
    """The distances of aligned pairs of lists of objects.

    Args:
        packed: Objects laid end to end.
        i: Places of lists.
        j: Places of the lists they are compared with.
        single: The distances of aligned pairs of objects, by their places among all of them.
        matching: "optimal", "minima" or "pooled".
        unmatched: What an object costs that is left over; None where there is no such number.
        labels: "strict" puts objects of different labels ``unmatched`` objects, "ignore" does not look.
        empty: How far objects two lists without objects are.
    """
    _check(matching, unmatched, labels)
    start = np.ascontiguousarray(packed.start, dtype=np.intp)
    label = packed.label if labels == "strict" else None
    i, j = np.ascontiguousarray(i, dtype=np.intp), np.ascontiguousarray(j, dtype=np.intp)
    rows, columns = start[i + 1] - start[i], start[j + 1] - start[j]
    if unmatched is None:
        _no_object_left_over(rows, columns, matching)
    distances = np.empty(len(i))
    for here in _parts(rows * columns):
        x, y = _laid_out(start[i[here]], start[j[here]], rows[here], columns[here])
        objects = np.ascontiguousarray(single(x, y), dtype=np.float64)
        if label is not None:
            objects = _kept_apart(objects, label[x] != label[y], unmatched)
        reduce = reduced.for_steps(10 * len(x))
        cost = np.inf if unmatched is None else float(unmatched)
        reduce(objects, rows[here], columns[here], WAYS.index(matching), cost, distances[here])
    if empty:
        distances[(rows == 0) & (columns == 0)] = empty
    return distances


def _check(matching: str, unmatched: float | None, labels: str) -> None:
    if matching not in WAYS:
        raise KindError(f"lists of objects are matched by {listing(WAYS)}, and matching={matching!r} was given")
    if labels not in LABELS:
        raise KindError(f"labels of objects are taken as {listing(LABELS)}, and labels={labels!r} was given")
    if unmatched is not None and not unmatched > 0:
        raise KindError(f"an object left over costs something, and unmatched={unmatched!r} was given")


def _no_object_left_over(rows: Indices, columns: Indices, matching: str) -> None:
    left = rows != columns if matching == "optimal" else (rows == 0) != (columns == 0)
    if left.any():
        k = int(np.flatnonzero(left)[0])
        raise KindError(
            f"a list of {rows[k]} and one of {columns[k]} objects are compared, and this distance has no upper limit "
            "that could stand for an object without a counterpart; say how far apart they are to count, as in "
            "'l2:unmatched=500'"
        )


def _kept_apart(apart: Floats, differ: Booleans, unmatched: float | None) -> Floats:
    if unmatched is None and differ.any():
        raise KindError(
            "objects of different labels are compared, and this distance has no upper limit that could stand between "
            "them; say how far apart they are to count, as in 'l2:unmatched=500', or pass labels=ignore"
        )
    return np.where(differ, unmatched, apart) if differ.any() else apart  # type: ignore[arg-type]  # None has raised


def _parts(sizes: Indices) -> Iterator[slice]:
    """Stretches of pairs of lists that have no more than `AT_ONCE` pairs of objects, or are one pair of lists."""
    total = np.cumsum(sizes)
    here = 0
    while here < len(sizes):
        done = total[here - 1] if here else 0
        there = max(here + 1, int(np.searchsorted(total, done + AT_ONCE, side="right")))
        yield slice(here, there)
        here = there


def _laid_out(first: Indices, second: Indices, rows: Indices, columns: Indices) -> tuple[Indices, Indices]:
    total = int((rows * columns).sum())
    x, y = np.empty(total, dtype=np.intp), np.empty(total, dtype=np.intp)
    laid_out.for_steps(total)(first, second, rows, columns, x, y)
    return x, y


@compiled
def laid_out(  # noqa: PLR0917  # compiled loops take arrays by place
    first: Indices, second: Indices, rows: Indices, columns: Indices, x: Indices, y: Indices
) -> None:
    """The places of all pairs of objects of aligned lists, one list of pairs after the other."""
    k = 0
    for p in range(len(first)):
        for a in range(first[p], first[p] + rows[p]):
            for b in range(second[p], second[p] + columns[p]):
                x[k] = a
                y[k] = b
                k += 1


@compiled
def reduced(  # noqa: C901, PLR0912, PLR0915, PLR0917  # one loop over arrays, for a compiled function calls no other
    apart: Floats, rows: Indices, columns: Indices, how: int, cost: float, distance: Floats
) -> None:
    """The distances of lists from those of their objects, ``apart`` being one table after the other.

    The least-cost pairing is found by shortest augmenting paths (Kuhn 1955, Jonker & Volgenant 1987): every row has
    the column nearest to it where that is free, and the others make room one at a time.
    """
    most = 1
    for p in range(len(rows)):
        most = max(most, rows[p], columns[p])
    height = np.zeros(most + 1)  # the dual prices of rows
    price = np.zeros(most + 1)  # … and of columns
    least = np.zeros(most + 1)
    owner = np.zeros(most + 1, dtype=np.intp)  # the row that has a column; 0 is none, and rows count from 1
    before = np.zeros(most + 1, dtype=np.intp)
    seen = np.zeros(most + 1, dtype=np.bool_)
    waiting = np.zeros(most + 1, dtype=np.intp)
    base = 0
    for p in range(len(rows)):
        r, c = rows[p], columns[p]
        here = base
        base += r * c
        if r == 0 or c == 0:
            distance[p] = 0.0 if r == c else cost
            continue
        if how > 0:
            forward = 0.0
            for a in range(r):
                low = apart[here + a * c]
                for b in range(1, c):
                    low = min(low, apart[here + a * c + b])
                forward += low
            backward = 0.0
            for b in range(c):
                low = apart[here + b]
                for a in range(1, r):
                    low = min(low, apart[here + a * c + b])
                backward += low
            distance[p] = (forward + backward) / (r + c) if how == 2 else (forward / r + backward / c) / 2
            continue
        # Rows are the shorter list from here on; (a, b) is at here + a * down + b * right.
        down, right = c, 1
        if r > c:
            r, c, down, right = c, r, 1, c
        for b in range(c + 1):
            owner[b] = 0
            price[b] = 0.0
        left = c - r
        queue = 0
        for a in range(1, r + 1):
            low = cost
            for b in range(c):
                low = min(low, apart[here + (a - 1) * down + b * right])
            if low == cost:
                left += 1  # it costs as much wherever it goes, so it can take what remains
                continue
            height[a] = low
            waits = True
            for b in range(1, c + 1):
                if owner[b] == 0 and apart[here + (a - 1) * down + (b - 1) * right] == low:
                    owner[b] = a
                    waits = False
                    break
            if waits:
                waiting[queue] = a
                queue += 1
        for w in range(queue):
            owner[0] = waiting[w]
            at = 0
            for b in range(c + 1):
                least[b] = np.inf
                seen[b] = False
            while True:
                seen[at] = True
                row = owner[at]
                step = np.inf
                follow = 0
                for b in range(1, c + 1):
                    if not seen[b]:
                        d = apart[here + (row - 1) * down + (b - 1) * right]
                        d = min(d, cost) - height[row] - price[b]
                        if d < least[b]:
                            least[b] = d
                            before[b] = at
                        if least[b] < step:
                            step = least[b]
                            follow = b
                for b in range(c + 1):
                    if seen[b]:
                        height[owner[b]] += step
                        price[b] -= step
                    else:
                        least[b] -= step
                at = follow
                if owner[at] == 0:
                    break
            while at != 0:
                owner[at] = owner[before[at]]
                at = before[at]
        total = cost * left if left > 0 else 0.0  # the cost may be infinite where nothing is left
        for b in range(1, c + 1):
            if owner[b] > 0:
                total += min(apart[here + (owner[b] - 1) * down + (b - 1) * right], cost)
        distance[p] = total / c
