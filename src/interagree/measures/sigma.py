r"""Sigma: the share of pairs within items whose distance is unlikely to arise by chance.

$$\sigma = P\big( F_e(d_o) < p \big), \qquad p = 0.05$$

$F_e$ is the distribution of the distances of annotations of different items.  A pair of annotations of one item counts
where fewer than 5 % of the pairs of different items are as near to each other: a lower bound to how much of the data
differs from chance, with the same meaning for every task and every distance.  A low sigma need not mean poor work; a
distance that takes few values, or with many equal distances at the threshold, hides agreement, and a note says so.

By default the threshold is the quantile of the distances themselves.  ``threshold="kde"`` smooths them first (Gaussian
kernel, Scott's bandwidth) and takes the whole distribution of the kernel, also what lies below distance 0;
``compat="braylan2022"`` cuts it off at 0, as the published numbers do, so that every distance of 0 passes.

The interval resamples items, and the threshold moves with them.

Braylan, A., Alonso, O. & Lease, M. (2022). Measuring annotator agreement generally across complex structured,
multi-object, and free-text annotation tasks. Proceedings of the ACM Web Conference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Unpack

import numpy as np

from interagree.arrays import Array, Booleans, Floats
from interagree.data import IntoAnnotations, ReadingOptions, Values
from interagree.declare import PAIRS, UnderChance, measure
from interagree.distances import IntoDistance, pairs_of
from interagree.errors import KindError
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.kernel_density import rarer_smoothed
from interagree.stats.engine.statistic import Published
from interagree.stats.pairs.braylan2022 import Compat, as_published
from interagree.stats.pairs.item_pairs import PRECISION, Pairs
from interagree.stats.pairs.study_distances import Weighting

ATOM = 0.01  # how far below p the share at the threshold may lie before it is worth saying


@measure(
    "sigma",
    "σ",
    "braylan2022",
    "annotations of different items",
    under_chance=UnderChance(
        "about p = 0.05 at most, the share of pairs between items that are as near; less where distances tie",
        0.025,
        margin=0.025,
    ),
    **PAIRS,
    analytic=False,
)
def sigma(
    data: IntoAnnotations,
    *others: Values,
    distance: IntoDistance | None = None,
    p: float = 0.05,
    threshold: Literal["quantile", "kde"] = "quantile",
    weighting: Weighting = "pairs",
    precision: float = PRECISION,
    seed: int = 0,
    compat: Compat = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """The share of pairs within items that are nearer than a share p of the pairs between items.

    Args:
        distance: How far apart values are; by default the usual one for their kind.
        p: How rare a distance must be among those between items.
        threshold: Whether the distribution of chance is that of the distances, or smoothed by a Gaussian kernel.
        compat: "braylan2022" for sigma as in their Table 1.

    Examples:
        >>> ann = [1.0, 2.2, 3.1, 4.8, 5.5, 7.1]
        >>> bo = [1.1, 2.2, 3.0, 4.9, 6.4, 7.0]
        >>> print(ia.measures.sigma(ann, bo, distance="interval"))
        σ = 0.833, 95% interval 0.500 to 1.000 (6 items, 2 annotators)
    """
    _check(p, threshold)
    pairs, remarks = pairs_of(data, distance, weighting=weighting, precision=precision, seed=seed)
    rule = Rule(p, threshold, max(pairs.distances.possible, 1))
    pairs = pairs.scored(rule.score, remarks=remarks)
    if compat is not None:
        return as_published(sigma, "sigma", pairs, compat)
    published = Published[Pairs](p_value=lambda _: None, details=rule.details)
    return estimate(sigma, pairs, rule.parts, published, notes=rule.notes(pairs))


def _check(p: float, threshold: str) -> None:
    if not 0 < p < 1:
        raise KindError(f"p is a share between 0 and 1, such as 0.05; got {p!r}")
    if threshold not in ("quantile", "kde"):
        raise KindError(f"threshold must be 'quantile' or 'kde', got {threshold!r}")


@dataclass(frozen=True)
class Rule:
    """Which distances count as rarer than chance."""

    p: float
    threshold: str
    possible: float  # pairs of annotations of different items

    def rarer(self, pairs: Pairs, p: float | None = None) -> Array:
        """Whether each distance is rarer than a share p of those between items."""
        share = self.p if p is None else p
        far, _, between = pairs.spectrum()
        if self.threshold == "kde":
            return np.asarray(rarer_smoothed(far, between, self.possible, share))
        return np.asarray(np.cumsum(between, axis=-1) < share * between.sum(-1, keepdims=True))

    def parts(self, pairs: Pairs, p: float | None = None) -> Parts:
        """The mean distances, and sigma as the value."""
        far, within, between = pairs.spectrum()
        if not len(far):
            return Parts(math.nan, math.nan)
        value = (within * self.rarer(pairs, p)).sum(-1) / within.sum(-1)
        observed, expected = ((entry @ far) / entry.sum(-1) for entry in (within, between))
        return Parts(observed, expected, np.where(np.real(expected) > 0, value, np.nan))

    def score(self, pairs: Pairs, far: Floats) -> Floats:
        """1 for pairs that count, 0 for others."""
        grid, rarer = pairs.spectrum().far, self.rarer(pairs)
        return rarer[np.searchsorted((grid[1:] + grid[:-1]) / 2, far, side="right")].astype(np.float64)

    def details(self, pairs: Pairs) -> dict[str, object]:
        """The largest distance that counts, and sigma within the error of the distribution of chance."""
        error = pairs.error_of_chance()
        if error is None:
            return {}
        ends = (max(self.p - error, 0), min(self.p + error, 1))
        return {
            "threshold": _threshold(pairs, self.rarer(pairs)),
            "sigma within that error": [float(self.parts(pairs, end).value) for end in ends],
        }

    def notes(self, pairs: Pairs) -> tuple[str, ...]:
        """What to say where many distances between items are equal at the threshold."""
        if not pairs.comparable:
            return ()
        far, within, between = pairs.spectrum()
        rarer = self.rarer(pairs)
        count = int(rarer.sum())
        if rarer.all() or not within[count:].sum():  # everything counts already
            return ()
        share = between / between.sum()
        if self.p - float(share[:count].sum()) < ATOM:
            return ()
        advice = "take a finer distance" if far[count] else "annotations of different items are equal that often"
        note = (
            f"a low bound here: {share[count]:.1%} of the distances by chance are exactly {far[count]:.4g}, at the "
            f"threshold, and only smaller ones count; {advice}"
        )
        return (note,)


def _threshold(pairs: Pairs, rarer: Booleans) -> float:
    """The largest distance that counts as rarer than chance; nan where none does."""
    far = pairs.spectrum().far
    return float(far[np.flatnonzero(rarer)[-1]]) if rarer.any() else math.nan
