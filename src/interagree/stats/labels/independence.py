r"""What a coefficient of labels comes to on average where annotators answer independently of the items.

Deal the values of every annotator anew to the items that they annotated, of those items that count.  Who annotated what
stays, and so do the shares of every annotator; the disagreement of an item with annotators $a$ and $b$ becomes, on
average over all deals, the mean distance of a value out of the urn of $a$ and one out of the urn of $b$.  The
coefficient's own formula, given these disagreements in place of those of the data, says what it comes to:

$$1 - \frac{\bar D_o}{D_e}$$

Where items count that differ in their number of annotations, the deal moves the shares of the values too, and $D_e$ is
that of their mean: exact but for one part in the number of annotations.  Where nobody knows who gave a value, it is
dealt out of all.

A value that stands for *not annotated* is not dealt: who annotated what stays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from interagree.arrays import Array, Floats, Indices, Integers
from interagree.data import Annotations
from interagree.data.types import Value
from interagree.declare import UnderChance
from interagree.results.agreement import Agreement
from interagree.stats.engine.compress import Rows, SparseTable, product, row_sums, scaled, table_of, totals
from interagree.stats.engine.estimate import Estimate
from interagree.stats.labels.chance import one_urn_per_annotation
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.distance_table import DistanceTable
from interagree.stats.labels.labelled import LabelBallots, LabelCounts

BLOCK = 4_000_000  # cells of a table of items and values that is made at once


def independent(result: Agreement, absent: Value = None) -> float:
    """What annotators with these shares of the values would get on average, who look at nothing else.

    ``absent`` is the value that stands for *not annotated*, where the coefficient counts it as one.
    """
    engine = result.engine
    if not isinstance(engine, Estimate) or result.undefined:
        return math.nan
    statistic = engine.statistic
    if isinstance(statistic, LabelCounts):
        return float(engine.values_of(_dealt(statistic, statistic.distances, absent)))
    if isinstance(statistic, LabelBallots):
        dealt = replace(statistic, counts=_dealt(statistic.counts, statistic.distances, absent))
        return float(engine.values_of(dealt))
    return math.nan


@dataclass(frozen=True)
class Dealt(LabelCounts):
    """Counts whose items look as they do on average over all deals."""

    far: Floats = field(kw_only=True)  # for each pattern the distances of all ordered pairs of annotations
    dealt: Rows = field(kw_only=True)  # patterns × values, shares

    @property
    def shares_of_items(self) -> Rows:
        return self.dealt

    def apart(self, distances: DistanceTable, weight: Floats) -> Array:  # noqa: ARG002 -- known by now
        return self.weights.sum(weight * self.far / self.pairs)


def _dealt(counts: Counts, distances: DistanceTable, absent: Value) -> Dealt:
    study, pattern = counts.source, counts.pattern
    if study is None or pattern is None or study.anonymous:
        far = counts.size * (counts.size - 1) * float(one_urn_per_annotation(counts, distances, back=False))
        dealt = counts.shares_of_items
    else:
        far, dealt = _on_average(study, pattern, distances, counts, absent)
    known = {one.name: getattr(counts, one.name) for one in fields(Counts)}
    return Dealt(**known, distances=distances, far=far, dealt=dealt)


def _on_average(
    study: Annotations, pattern: Indices, distances: DistanceTable, counts: Counts, absent: Value
) -> tuple[Floats, Rows]:
    """For each pattern, on average over its items and all deals: the distances of pairs, and the shares of values."""
    people, size, count = len(study.annotators), len(study.values), len(counts.size)
    dealers = study.annotator
    if absent is not None and absent in study.values:  # dealt by somebody else, who deals nothing but that
        dealers = np.where(study.value == study.values.index(absent), dealers + people, dealers)
        people *= 2
    rows = np.flatnonzero(pattern[study.item] >= 0)
    rows = rows[np.argsort(study.item[rows], kind="stable")]
    item, who = study.item[rows], dealers[rows]
    given = totals(who, None, people)
    urns = table_of(who, study.value[rows], 1 / given[who], (people, size))  # annotators × values, shares
    near = None if distances.distance.equality else distances.table(counts.frequency)
    own = _summed(urns, near)
    again = own * given / np.maximum(given - 1, 1)  # the first value is not put back
    far = np.zeros(count)
    dealt: Any = 0.0  # grows by tables, dense or sparse
    starts = np.searchsorted(item, np.arange(len(study.items) + 1))
    step = max(BLOCK // size, 1)
    for first in range(0, len(study.items), step):
        last = min(first + step, len(study.items))
        part = slice(starts[first], starts[last])
        times = _table(item[part] - first, who[part], (last - first, people))  # items × annotators
        squares = times.multiply(times).tocsr()
        drawn = times @ urns
        counted = np.flatnonzero(pattern[first:last] >= 0)
        of = _table(pattern[first:last][counted], counted, (count, last - first))  # patterns × items
        far += of @ (_summed(drawn, near) - squares @ own + (squares @ again - times @ again))
        dealt = dealt + of @ drawn
    each = 1 / counts.weights.matrix()
    return far * each, scaled(dealt, each / counts.size)


def _summed(shares: Rows, near: Floats | None) -> Floats:
    """For each row of shares the distances of all pairs of values, each counting with the product of their shares."""
    if near is None:
        return row_sums(shares) ** 2 - row_sums(product(shares, shares))
    return row_sums(product(shares, shares @ near))


def _table(row: Integers, column: Integers, shape: tuple[int, int]) -> SparseTable:
    """How often rows and columns meet."""
    from scipy import sparse

    table: SparseTable = sparse.csr_array((np.ones(len(row)), (row, column)), shape=shape)
    return table


LESS = "less where annotators use the values in different shares"
ONE_URN = UnderChance(f"-1 / (N - 1) for N annotations, which is soon as good as 0; {LESS}", independent)
OWN_URNS = UnderChance("0, or near it where annotators differ in their habits and their partners", habits=independent)
EVEN = UnderChance(
    "0 where all values are used equally often, and more the more uneven they are: with shares p, "
    "(Σp² - P_e) / (1 - P_e)",
    independent,
)
