"""Labels taken for one another: two are swapped, several go round, or somebody has names of their own for them.

Each label that an annotator gives is taken as another, no two as the same one, so that the answers are nearest to those
of the others: an assignment of least cost.  Who guesses gains nothing by that.  A change counts from two items on, so
that a label which is given once is left as it is.  It may hold for all answers, or from some place in an order on, or
up to it.  On a scale, what keeps the order of the steps is left to other causes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from interagree.arrays import Booleans, Floats, Indices
from interagree.findings.repairs import Own, Repair

MOST_LEVELS = 40
COST = 2.0  # items that taking a label for another one must bring nearer
PARTS = 10  # of an order, at the ends of which a change may begin or end
WHOLE = 0.8  # the part of the largest gain from which a change of all answers is preferred
IN_ORDER = 0.6  # the part of the gain that steps of a scale taken as others in the same order must not reach
BOTH = 0.15  # how often a label may be right beside how often it is given for one that is never given
FEWEST = 3  # answers of a label that is taken for another


class OrderRange(NamedTuple):
    """The answers from some place in an order on, or up to it."""

    name: str  # of the order
    inside: Booleans
    order: Indices
    late: bool


class Recoding:
    """Labels that are taken for one another."""

    code = "recoded"

    def fit(self, own: Own, part: Booleans) -> Repair | None:
        """What each label stands for, and from where on."""
        if not 2 <= len(own.levels) <= MOST_LEVELS:
            return None
        weight = part.astype(np.float64)
        whole, gain = _assigned(own, own.table(weight), own.times(weight))
        best: tuple[float, Indices, OrderRange | None] = gain, whole, None
        for name, order in own.orders():
            block = np.empty(len(order), dtype=np.intp)
            block[order] = np.arange(len(order)) * PARTS // len(order)
            blocks = [weight * (block == at) for at in range(PARTS)]
            tables, times = (np.cumsum([of(part) for part in blocks], axis=0) for of in (own.table, own.times))
            for at in range(1, PARTS):
                early = tables[at - 1], times[at - 1]
                for late, (table, n) in ((False, early), (True, (tables[-1] - early[0], times[-1] - early[1]))):
                    taken, more = _assigned(own, table, n, part=True)
                    if WHOLE * more > gain and more > best[0]:
                        best = more, taken, OrderRange(name, block >= at if late else block < at, order, late=late)
        gain, taken, span = best
        if gain <= 0:
            return None
        answers = own.levels[taken][own.given]
        facts: dict[str, object] = {}
        if span is not None:
            answers = np.where(span.inside, answers, own.answers)
            first, last = span.order[np.flatnonzero(span.inside[span.order])[[0, -1]]]
            at = own.rest.study.items[own.item[first if span.late else last]]
            facts = {"late": span.late, "order": span.name, "at": at}
        changed = [(one, int(taken[one])) for one in range(len(taken)) if taken[one] != one]
        facts["taken"] = [(own.value(own.levels[one]), own.value(own.levels[other])) for one, other in changed]
        return Repair(answers, facts)


def _assigned(own: Own, table: Floats, n: Floats, *, part: bool = False) -> tuple[Indices, float]:
    """What each level is taken as, and how much nearer that is."""
    same = np.diag(table)
    cost = table + COST
    np.fill_diagonal(cost, same)
    cost[n < FEWEST] = same[n < FEWEST, None] + COST  # hardly ever given
    np.fill_diagonal(cost, same)
    rows, columns = linear_sum_assignment(cost)
    taken = np.arange(len(table))
    taken[rows] = columns
    used = n > 0
    changed = np.flatnonzero((taken != np.arange(len(taken))) & used)
    # Of a label that was never given it does not matter what it is taken as.
    taken = np.where(used, taken, np.arange(len(taken)))
    # Who gives one label for two never gives the other; taken as that one, what they give rightly would be wrong.
    right = n - same > BOTH * (n - table[np.arange(len(table)), taken])
    new = changed[~used[taken[changed]]]
    if own.scale is None and len(new) and (part or used.sum() < 2 or bool(right[new].any())):
        return np.arange(len(table)), 0.0
    gain = float((same - cost[np.arange(len(table)), taken])[changed].sum())
    if own.scale is not None and gain > 0:
        upwards = np.maximum.accumulate(np.where(used, np.argmin(table, axis=1), 0))
        in_order = float((same - table[np.arange(len(table)), upwards])[used].sum())
        if in_order >= IN_ORDER * gain:
            return np.arange(len(table)), 0.0
    return taken, gain


CAUSE = Recoding()
