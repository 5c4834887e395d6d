r"""KS: the Kolmogorov-Smirnov distance between the distances within items and those between items.

$$\mathrm{KS} = \max_x \big( P(d_o \le x) - P(d_e \le x) \big)$$

One-sided: how much more often, at best, a distance within an item stays below a bound than one between items does.  It
is 1 where one bound separates all of the former from all of the latter, and 0 where distances within items are nowhere
the smaller ones.

The p-value is found by dealing the values to the annotations anew, since pairs that share an annotation are not
independent and the published test supposes that they are.  It is made on all annotations where the distances of all
their pairs are known, else on items drawn at random.

Beware: the column "KS" of Braylan, Alonso and Lease (2022, Table 1) is another number, close to `auc`;
``compat="braylan2022"`` computes it as they did.  The interval resamples items; the statistic is a maximum and leans
upwards where there is little agreement.

Braylan, A., Alonso, O. & Lease, M. (2022). Measuring annotator agreement generally across complex structured,
multi-object, and free-text annotation tasks. Proceedings of the ACM Web Conference.
"""

from __future__ import annotations

import math
from typing import Unpack

import numpy as np

from interagree.arrays import Array, Floats
from interagree.data import IntoAnnotations, ReadingOptions, Values
from interagree.declare import PAIRS, UnderChance, measure
from interagree.distances import IntoDistance, pairs_of
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate, statistic_behind
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.independence import LESS
from interagree.stats.pairs.braylan2022 import Compat, as_published
from interagree.stats.pairs.item_pairs import PRECISION, Pairs
from interagree.stats.pairs.permuting import deals, gap, permuted
from interagree.stats.pairs.study_distances import Weighting

DEALS = 200  # of values to annotations, for their mean


def of_values_dealt_anew(result: Agreement) -> float:
    """The mean over values dealt to the annotations at random, as the p-value deals them."""
    pairs = statistic_behind(result, Pairs)
    if pairs is None:
        return math.nan
    _, dealt = deals(pairs, gap, rounds=DEALS)
    # The test compares with all pairs of annotations, those within items included.
    total = result.n.annotations
    among = float(pairs.distances.counted.sum()) / (total * (total - 1) / 2)
    return float(dealt.mean()) / (1 - among)


@measure(
    "Kolmogorov-Smirnov separation",
    "KS",
    "braylan2022",
    "annotations of different items",
    under_chance=UnderChance(
        "more than 0, as a maximum is, and the more the fewer pairs there are: about 0.6 over the root of their "
        f"number where distances seldom tie; {LESS}",
        of_values_dealt_anew,
        "less",
    ),
    **PAIRS,
)
def ks(
    data: IntoAnnotations,
    *others: Values,
    distance: IntoDistance | None = None,
    weighting: Weighting = "pairs",
    precision: float = PRECISION,
    seed: int = 0,
    compat: Compat = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """How far the distances within items stay below those between items, at the bound that separates them best.

    Args:
        distance: How far apart values are; by default the usual one for their kind.
        compat: "braylan2022" for the number that their Table 1 calls KS.

    Examples:
        >>> ann = [1, 2, 3, 4, 5, 2]
        >>> bo = [1, 2, 4, 4, 5, 1]
        >>> print(ia.measures.ks(ann, bo, distance="interval"))
        KS = 0.583, 95% interval 0.517 to 0.967 (6 items, 2 annotators)
    """
    pairs, remarks = pairs_of(data, distance, weighting=weighting, precision=precision, seed=seed)
    pairs = pairs.scored(_score, remarks=remarks)
    if compat is not None:
        return as_published(ks, "ks", pairs, compat)
    return estimate(ks, pairs, _parts, Published(p_value=permuted, one_tailed=True))


def _gaps(pairs: Pairs) -> Array:
    """How far the distribution within items is above that between items, at each distance."""
    _, within, between = pairs.spectrum()
    gaps = np.cumsum(within, axis=-1) / within.sum(-1, keepdims=True)
    return np.asarray(gaps - np.cumsum(between, axis=-1) / between.sum(-1, keepdims=True))


def _parts(pairs: Pairs) -> Parts:
    far, within, between = pairs.spectrum()
    if not len(far):
        return Parts(math.nan, math.nan)
    gaps = _gaps(pairs)
    widest = np.argmax(np.real(gaps), axis=-1)
    value = np.take_along_axis(gaps, np.expand_dims(widest, -1), -1)[..., 0]
    observed, expected = ((entry @ far) / entry.sum(-1) for entry in (within, between))
    return Parts(observed, expected, np.where(np.real(expected) > 0, value, np.nan))


def _score(pairs: Pairs, far: Floats) -> Floats:
    grid, _, between = pairs.spectrum()
    widest = int(np.argmax(np.real(_gaps(pairs)), axis=-1))
    share = float(between[: widest + 1].sum() / between.sum())
    step = float(np.diff(grid).min(initial=1.0)) / 2
    return (far <= float(grid[widest]) + step).astype(np.float64) - share
