r"""Kendall's coefficient of concordance.

$$W = \frac{12\, S}{m^2 (n^3 - n) - m\,T}, \qquad S = \sum_i (R_i - \bar R)^2$$

How far $m$ annotators put $n$ items into the same order.  Each annotator's numbers become ranks, ties sharing
the mean of their places; $R_i$ is the sum of the ranks of item $i$, and $T = \sum (t^3 - t)$ over all groups
of $t$ tied items corrects for ties.  1 is the same order by all; orders with nothing in common give $1/m$ on
average, and 0 is the least there can be.  The test is that of $m (n-1) W$ against the $\chi^2$ distribution
with $n - 1$ degrees of freedom.

Where annotations are missing, W is what the mean correlation of ranks of two annotators makes of it,

$$W = \frac{1 + (k - 1)\, \bar\rho}{k}, \qquad
\bar\rho = \frac{\sum_i \sum_{a \ne b} d_{ia} d_{ib}}{\sum_i (k_i - 1) \sum_a d_{ia}^2}$$

as in Kendall (1962), with $k_i$ annotators of item $i$ and $k$ their mean, items counting by $\sum_a d_{ia}^2$ so that
W is 0 at the least.  $d_{ia}$ is how far the rank of the item
among those of annotator $a$ lies from the middle, relative to how many these are: annotators who saw few items have
each of them in a wider place; so of 60 items in one order, three of eight annotators for each give 0.95 and not 1.  On
full tables both are the same.  Items with one annotation do not count.

Kendall, M. G. & Babington Smith, B. (1939). The problem of m rankings. The Annals of Mathematical
Statistics 10(3), 275-287. Kendall, M. G. (1962). Rank Correlation Methods, 3rd ed. Griffin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from interagree.arrays import Array, Floats
from interagree.data import IntoAnnotations, ReadingOptions, Values
from interagree.data.provenance import counted
from interagree.declare import UnderChance, measure
from interagree.distances import on_values
from interagree.errors import Hint
from interagree.results.agreement import Agreement, Parts, Remark
from interagree.stats.engine.estimate import estimate, statistic_behind
from interagree.stats.engine.measured import bootstraps_too_long
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.matrix import Matrix

NOTHING = 1e-12
NO_ORDER = "every annotator put all items in one place, so there are no orders to compare"


def of_unrelated_orders(result: Agreement) -> float:
    """What orders with nothing in common give on average."""
    table = statistic_behind(result, Ranked)
    return 1 / float(_sums(table)[2]) if table is not None else 1 / (result.n.annotators or 1)


@measure(
    "Kendall's W",
    "W",
    "kendall1939",
    "orders with nothing in common",
    under_chance=UnderChance("1/m for m annotators of each item", of_unrelated_orders),
    identity=True,
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
        undefined=table.undefined() or (NO_ORDER if not parts(table).expected > 0 else None),
    )


class Ranked(Matrix):
    """A table whose items are ranked, so that one more would move all others."""

    with_gaps = True

    def notes(self) -> Sequence[str]:
        alone = int(np.count_nonzero((self.source.sizes() > 0) & (self.pattern < 0)))
        gaps = self.incomplete - alone
        items, left = "items were" if gaps > 1 else "item was", counted(alone, "item")
        return (
            *(
                [f"{gaps:,} {items} not annotated by every annotator; ranks are among the items of each"]
                if gaps
                else []
            ),
            *([f"{left} with one annotation left out"] if alone else []),
        )

    def undefined(self) -> str | None:
        enough = None if len(self.cells) > 1 else "fewer than two items were annotated by two annotators"
        return self.nobody() or enough

    def smoothed(self) -> None:
        """Nothing is made up."""


def parts(table: Matrix) -> Parts:
    """One minus W: how much of the variation that the rank sums could have is missing."""
    variation, own, annotators = _sums(table)
    return Parts(annotators * own - variation, annotators * own)


def _sums(table: Matrix) -> tuple[Array, Array, Array]:
    """The variation of the sums of ranks and of the ranks themselves, and how many annotators an item has."""
    weights = table.weights.matrix()
    items = weights.sum(-1)
    sizes = np.count_nonzero(~np.isnan(table.cells), axis=1)
    together, squares = np.zeros_like(weights), np.zeros_like(weights)  # of each item, over annotators
    for column in table.cells.T:
        known = np.flatnonzero(~np.isnan(column))
        rank, count = _ranks(column[known], weights[..., known])
        apart = (rank - (count[..., None] + 1) / 2) * (items / np.maximum(count, NOTHING))[..., None]
        together[..., known] += apart
        squares[..., known] += apart**2
    own = (weights * squares).sum(-1)
    annotators = 1 + (weights * (sizes - 1) * squares).sum(-1) / np.where(own > 0, own, 1)
    return (weights * together**2).sum(-1), own, annotators


def _ranks(column: Floats, weights: Array) -> tuple[Array, Array]:
    """Mean ranks of one annotator's numbers under weights, and how many there are."""
    order = np.argsort(column, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(column[order]) != 0])
    place = np.empty(len(column), dtype=np.intp)
    place[order] = np.repeat(np.arange(len(starts)), np.diff(np.r_[starts, len(column)]))
    size = np.add.reduceat(weights[..., order], starts, axis=-1) if len(column) else weights
    middle = np.cumsum(size, axis=-1) - (size - 1) / 2
    return middle[..., place], weights.sum(-1)


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
    return float(_sums(table)[2] * (len(table.cells) - 1) * w)


def details(table: Matrix) -> dict[str, object]:
    """The test against orders that have nothing in common."""
    if table.undefined():
        return {}
    return {"chi2": chi2(table), "df": len(table.cells) - 1, "p": p_value(table)}
