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
from collections.abc import Callable
from typing import Any, Literal, Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import ReadingOptions
from interagree.data.types import IntoAnnotations, Values
from interagree.declare import measure
from interagree.distances import IntoDistance, pairs_of
from interagree.errors import KindError
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.kernel_density import rarer_smoothed
from interagree.stats.pairs.braylan2022 import Compat, as_published
from interagree.stats.pairs.item_pairs import PRECISION, Pairs
from interagree.stats.pairs.pair_drill import PairTables
from interagree.stats.pairs.study_distances import Weighting

ATOM = 0.01  # how far below p the share at the threshold may lie before it is worth saying


@measure(
    "sigma",
    symbol="σ",
    reference="braylan2022",
    chance="annotations of different items",
    range=(0.0, 1.0),
    doubling=False,
    resampled=True,
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
        data: A study, or anything `Annotations.of` takes.
        distance: How far apart values are; by default the usual one for their kind.
        p: How rare a distance must be among those between items.
        threshold: Whether the distribution of chance is that of the distances, or smoothed by a Gaussian kernel.
        weighting: Whether each pair of annotations of an item counts once ("pairs"), or each annotation.
        precision: The error wanted of the distribution of chance, where there are too many pairs to compute all.
        seed: Where the random numbers of that sample start.
        compat: "braylan2022" for sigma as in their Table 1.

    Example:
        >>> import interagree as ia
        >>> ann = [1.0, 2.2, 3.1, 4.8, 5.5, 7.1]
        >>> bo = [1.1, 2.2, 3.0, 4.9, 6.4, 7.0]
        >>> print(ia.sigma(ann, bo, distance="interval"))
        σ = 0.833, 95% interval 0.500 to 1.000 (6 items, 2 annotators)
    """
    _check(p, threshold)
    pairs, said = pairs_of(data, distance, weighting=weighting, precision=precision, seed=seed)
    count = max(pairs.whole.possible, 1)

    def rarer(q: Pairs, share: float = p) -> Any:
        far, _, between = q.spectrum()
        if threshold == "kde":
            return rarer_smoothed(far, between, count, share)
        return np.cumsum(between, axis=-1) < share * between.sum(-1, keepdims=True)

    def parts(q: Pairs, share: float = p) -> Parts:
        far, within, between = q.spectrum()
        if not len(far):
            return Parts(math.nan, math.nan)
        value = (within * rarer(q, share)).sum(-1) / within.sum(-1)
        observed, expected = ((entry @ far) / entry.sum(-1) for entry in (within, between))
        return Parts(observed, expected, np.where(np.real(expected) > 0, value, np.nan))

    def score(far: Floats) -> Floats:
        grid, passed = pairs.spectrum().far, rarer(pairs)
        inside: Floats = passed[np.searchsorted((grid[1:] + grid[:-1]) / 2, far, side="right")].astype(
            np.float64
        )
        return inside

    def more() -> dict[str, Any]:
        found = pairs.sampling()
        if not found:
            return {}
        error = found["error of the distribution"]
        ends = [float(parts(pairs, max(p - error, 0)).value), float(parts(pairs, min(p + error, 1)).value)]
        return {**found, "threshold": _threshold(pairs, rarer(pairs)), "sigma within that error": ends}

    call = {"distance": distance, "p": p, "threshold": threshold, "weighting": weighting}
    call |= {"precision": precision, "seed": seed, "compat": compat}
    show = {"distance": str(pairs.whole.distance), "bounded": pairs.whole.distance.bounded}
    show |= {} if p == 0.05 else {"p": p}
    show |= {} if threshold == "quantile" else {"threshold": threshold}
    if compat is not None:
        return as_published(sigma, "sigma", pairs, compat, call=call, show=show, notes=said)
    return estimate(
        sigma,
        pairs,
        parts,
        call=call,
        show=show,
        undefined=pairs.undefined,
        notes=(*said, *pairs.notes(), *_atoms(pairs, rarer, p)),
        tables=PairTables(pairs, score),
        p_value=lambda: None,
        more=more,
    )


def _check(p: float, threshold: str) -> None:
    if not 0 < p < 1:
        raise KindError(f"p is a share between 0 and 1, such as 0.05; got {p!r}")
    if threshold not in ("quantile", "kde"):
        raise KindError(f"threshold must be 'quantile' or 'kde', got {threshold!r}")


def _threshold(pairs: Pairs, passed: Any) -> float:
    """The largest distance that counts as rarer than chance; nan where none does."""
    far = pairs.spectrum().far
    return float(far[np.flatnonzero(passed)[-1]]) if passed.any() else math.nan


def _atoms(pairs: Pairs, rarer: Callable[[Pairs], Any], p: float) -> tuple[str, ...]:
    """What to say where many distances between items are equal at the threshold."""
    if pairs.whole.items < 2:
        return ()
    far, _, between = pairs.spectrum()
    passed = rarer(pairs)
    if passed.all():
        return ()
    count = int(passed.sum())
    if not pairs.spectrum().within[count:].sum():  # everything counts already
        return ()
    share = between / between.sum()
    below = float(share[:count].sum())
    if p - below < ATOM:
        return ()
    said = (
        f"a low bound here: {share[count]:.1%} of the distances by chance are exactly {far[count]:.4g}, at "
        "the threshold, and only smaller ones count; "
        + (
            "annotations of different items are alike that often"
            if not far[count]
            else "take a finer distance"
        )
    )
    return (said,)
