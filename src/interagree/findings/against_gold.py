"""Each annotation beside the right answer of its item.

What annotators gave otherwise than the gold says who needs which instruction.  It is no agreement: whoever decided saw
the answers, and decided on the items on which annotators differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from interagree.arrays import Array, Booleans, Floats, Indices
from interagree.crowd.scoring import with_further
from interagree.data.types import Item, Value
from interagree.findings.leave_one_out import LeaveOneOut
from interagree.kernels.ragged import ragged
from interagree.stats.engine.compress import totals
from interagree.stats.engine.shares import wilson
from interagree.tables import Table

SAME = 1e-12  # how far from the right answer rounding alone may take one


class AgainstGold:
    """The annotations of a study beside right answers; those of items without one are left out."""

    def __init__(self, rest: LeaveOneOut, gold: Mapping[Item, Value]) -> None:
        self.rest = rest
        there = [code for code, name in enumerate(rest.study.items) if name in gold]
        self.values, codes = with_further(rest.study.values, [gold[rest.study.items[code]] for code in there])
        self.right = np.full(len(rest.study.items), -1, dtype=np.intp)  # of each item the place among values
        self.right[there] = codes
        self.unseen = len(gold) - len(there)  # right answers of items that nobody annotated
        self.known: Booleans = self.right[rest.item] >= 0

    @cached_property
    def far(self) -> Floats:
        """How far each annotation is from the right answer, by the distance of the values; nan where there is none."""
        rest, known = self.rest, self.known
        value, right = rest.value[known], self.right[rest.item[known]]
        far = np.full(len(rest.item), np.nan)
        far[known] = value != right if rest.labels else rest.within.apart(self.values)(value, right)
        return far

    @cached_property
    def score(self) -> Floats:
        """One minus that distance where it is bounded, else the distance."""
        return 1 - self.far / self.rest.largest if self.rest.bounded else self.far

    @cached_property
    def otherwise(self) -> Booleans:
        """Which annotations are not the right answer."""
        return np.greater(np.nan_to_num(self.far), SAME)

    def columns(self, level: float, among: Booleans | None = None) -> dict[str, Array]:
        """For each annotator how many answers are compared, their mean score, and its ends where it is bounded.

        Args:
            level: The level of the interval.
            among: The items that count; by default all.
        """
        rest = self.rest
        rows = self.known if among is None else self.known & among[rest.item]
        n = np.bincount(rest.who[rows], minlength=rest.people)
        with np.errstate(all="ignore"):
            value = np.where(n > 0, totals(rest.who[rows], self.score[rows], rest.people) / n, np.nan)
        ends = wilson(value, n, level) if rest.bounded else ()
        return {"n": n, "": value, **dict(zip(("low", "high"), ends, strict=False))}

    def solved(self, among: Booleans) -> Table:
        """Labels that annotators of one item confuse, a row for each two, and which of them was right how often.

        Args:
            among: The items that count.
        """
        cells, right = self.rest.cells, self.right
        cell = np.flatnonzero((among & (right >= 0))[cells.item])
        place, other = ragged(cell + 1, cells.start[cells.item[cell] + 1] - cell - 1)
        first, answer = cells.value[cell[place]], right[cells.item[cell[place]]]
        second = cells.value[other]
        labels = len(self.values)
        pairs, pair, items = np.unique(first * labels + second, return_inverse=True, return_counts=True)
        solved = [np.bincount(pair[answer == code], minlength=len(pairs)) for code in (first, second)]
        order: Indices = np.lexsort((pairs, -items))
        one, two = np.divmod(pairs[order], max(labels, 1))
        return Table(
            {
                "label": [self.values[code] for code in one.tolist()],
                "confused with": [self.values[code] for code in two.tolist()],
                "items": items[order].tolist(),
                "solved as the first": solved[0][order].tolist(),
                "solved as the second": solved[1][order].tolist(),
                "as something else": (items - solved[0] - solved[1])[order].tolist(),
            }
        )
