r"""Kendall's coefficient of concordance.

$$W = \frac{12\, S}{m^2 (n^3 - n) - m\,T}, \qquad S = \sum_i (R_i - \bar R)^2$$

How far $m$ annotators put $n$ items into the same order.  Each annotator's numbers become ranks, ties sharing
the mean of their places; $R_i$ is the sum of the ranks of item $i$, and $T = \sum (t^3 - t)$ over all groups
of $t$ tied items corrects for ties.  1 is the same order by all; orders with nothing in common give $1/m$ on
average, and 0 is the least there can be.  The test is that of $m (n-1) W$ against the $\chi^2$ distribution
with $n - 1$ degrees of freedom.  Only items that every annotator annotated count.

Kendall, M. G. & Babington Smith, B. (1939). The problem of m rankings. The Annals of Mathematical
Statistics 10(3), 275-287.
"""

from __future__ import annotations

from typing import Unpack

import numpy as np

from interagree.arrays import Array, Floats
from interagree.data import IntoAnnotations, ReadingOptions, Values
from interagree.declare import UnderChance, measure
from interagree.distances import on_values
from interagree.errors import Hint
from interagree.results.agreement import Agreement, Parts, Remark
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.measured import bootstraps_too_long
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.matrix import Matrix

NO_ORDER = "every annotator put all items in one place, so there are no orders to compare"


def of_unrelated_orders(result: Agreement) -> float:
    """What orders with nothing in common give on average."""
    return 1 / (result.n.annotators or 1)


@measure(
    "Kendall's W",
    "W",
    "kendall1939",
    "orders with nothing in common",
    under_chance=UnderChance("1/m for m annotators", of_unrelated_orders),
    identity=True,
    complete=True,
    values="numbers",
    range=(0.0, 1.0),
    analytic=False,
    aliases=("kendall", "kendalls_w"),
)
def kendall_w(data: IntoAnnotations, *others: Values, **reading: Unpack[ReadingOptions]) -> Agreement:
    """Kendall's coefficient of concordance, corrected for ties.

    Args:
        data: A study of ranks or numbers, or anything `Annotations.of` takes.

    Examples:
        >>> print(ia.kendall_w(ann, bo, cy))
        W = 0.947, 95% interval 0.702 to 0.993 (6 items, 3 annotators)
    """
    table = Ranked.of(data, on_values("interval", None), title="Kendall's W")
    bootstrap = Hint("method", "bootstrap")
    no_interval = Remark.of("no interval was made, which would take long for so many items; ", bootstrap, " makes one")
    return estimate(
        kendall_w,
        table,
        parts,
        Published(p_value=p_value, one_tailed=True, details=details),
        notes=(no_interval,) if bootstraps_too_long(table.width) else (),
        undefined=table.undefined() or (NO_ORDER if (table.cells == table.cells[0]).all() else None),
    )


class Ranked(Matrix):
    """A table whose items are ranked, so that one more would move all others."""

    def smoothed(self) -> None:
        """Nothing is made up."""


def parts(table: Matrix) -> Parts:
    """One minus W: how much of the variation that the rank sums could have is missing."""
    weights = table.weights.matrix()
    ranks: list[Array] = []
    ties = np.asarray(0.0)
    for column in table.cells.T:
        rank, tied = _ranks(column, weights)
        ranks.append(rank)
        ties = ties + tied
    m = len(ranks)
    n = weights.sum(-1)
    total = sum(ranks)
    mean = (weights * total).sum(-1) / n
    variation = (weights * (total - mean[..., None]) ** 2).sum(-1)
    most = (m**2 * (n**3 - n) - m * ties) / 12
    return Parts(most - variation, most)


def _ranks(column: Floats, weights: Array) -> tuple[Array, Array]:
    """Mean ranks of one annotator's numbers under weights, and their tie correction."""
    order = np.argsort(column, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(column[order]) != 0])
    place = np.empty(len(column), dtype=np.intp)
    place[order] = np.repeat(np.arange(len(starts)), np.diff(np.r_[starts, len(column)]))
    size = np.add.reduceat(weights[..., order], starts, axis=-1)
    middle = np.cumsum(size, axis=-1) - (size - 1) / 2
    return middle[..., place], (size**3 - size).sum(-1)


def p_value(table: Matrix) -> float:
    """The test against orders that have nothing in common."""
    from scipy.special import chdtrc

    return float(chdtrc(len(table.cells) - 1, chi2(table)))


def chi2(table: Matrix) -> float:
    """The statistic of that test."""
    disagreement = parts(table)
    if not disagreement.expected > 0:
        return float("nan")
    w = 1 - disagreement.observed / disagreement.expected
    return float(len(table.annotators) * (len(table.cells) - 1) * w)


def details(table: Matrix) -> dict[str, object]:
    """The test against orders that have nothing in common."""
    if table.undefined():
        return {}
    return {"chi2": chi2(table), "df": len(table.cells) - 1, "p": p_value(table)}
