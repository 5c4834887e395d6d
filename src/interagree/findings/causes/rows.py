"""Answers that stand some rows too high or too low: each of them fits the item before, or the one after.

Rows are in the order of the items, in that of their names, in that in which they were read, or in that of time.  All
answers may be shifted, or those from some row on, as when a row was left out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.findings.repairs import Own, Repair

BY = (1, -1, 2, -2, 3, -3)  # rows by which answers may be shifted
WHOLE = 0.9  # the part of the largest gain that a shift of all answers must have to be preferred


class ShiftedRows:
    """Answers that are shifted by rows."""

    code = "rows"

    def fit(self, own: Own, part: Booleans) -> Repair | None:
        """The answers moved back, by as many rows and from the row on that bring them nearest to the others."""
        answers = own.answers
        before = own.distance(answers)
        best: tuple[float, Floats, dict[str, object]] | None = None
        for order, place in _places(own):
            for by in BY:
                at = np.minimum(np.searchsorted(place, place + by), len(place) - 1)
                there = place[at] == place + by
                moved = answers.copy()
                moved[order[there]] = answers[order[at[there]]]
                gains = np.where(part, before - own.distance(moved), 0.0)[order]
                after = np.cumsum(gains[::-1])[::-1]  # what is gained from each row on
                start = int(np.argmax(after))
                if after[0] >= WHOLE * after[start]:
                    start = 0
                if after[start] <= (0.0 if best is None else best[0]):
                    continue
                fixed = answers.copy()
                fixed[order[start:]] = moved[order[start:]]
                first = None if start == 0 else own.rest.study.items[own.item[order[start]]]
                best = float(after[start]), fixed, {"rows": by, "first": first}
        return None if best is None else Repair(best[1], best[2], specific=1)


def _places(own: Own) -> Iterator[tuple[Indices, Indices]]:
    """Orders of the answers and their places in them, gaps closed; of items also with gaps for those not answered."""
    for name, order in own.orders():
        yield order, np.arange(len(order))
        if name == "items" and len(own.item) < len(own.rest.study.items):
            for place in (own.item, own.all.by_name[own.item]):
                if bool((np.diff(place[order]) > 0).all()):
                    yield order, place[order]


CAUSE = ShiftedRows()
