r"""Alpha, "KS" and sigma as Braylan, Alonso and Lease (2022) computed their Table 1, artefacts and all.

* Observed: every pair of annotations of an item, also those of one annotator's own judgements, each counting once.
* Expected: as many pairs of annotations of different items, drawn at random with replacement.
* alpha: one minus the ratio of the two means.
* "KS": the mean over observed distances $d$ of one minus the p-value of the one-sided Kolmogorov-Smirnov test of the
  single number $d$ against the expected ones.  With $n \le 10{,}000$ of them that is
  $\frac{n}{n + 1} P(d_e > d_o)$, ties counting nothing; above, the asymptotic formula of SciPy,
  $1 - \exp(-2 z^2 - \frac{2}{3} z \frac{n + 2}{\sqrt{n (n + 1)}})$ with $z = \sqrt{\frac{n}{n + 1}} P(d_e > d)$, which
  never exceeds $1 - e^{-8/3} = 0.9305$.
* sigma: the share of observed distances below which a Gaussian kernel estimate of the expected ones (Scott's bandwidth)
  has less than 5 % of its mass, counted from 0 up: what the kernel puts below 0 is lost, and a distance of 0 passes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Literal, NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices, Integers
from interagree.errors import KindError
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.measured import Measure
from interagree.stats.engine.statistic import Published, unpaired_notes
from interagree.stats.pairs.item_pairs import Pairs

Compat = Literal["braylan2022"] | None

EXACT = 10_000  # expected distances up to which SciPy's p-value was exact


class TableRow(NamedTuple):
    """The three numbers of a row of Table 1, and the two means behind alpha."""

    alpha: float
    ks: float
    sigma: float
    observed: float
    expected: float


def table_row(pairs: Pairs, *, seed: int = 0) -> TableRow:
    """The three numbers, with expected pairs drawn anew from a seed."""
    distances = pairs.distances
    study = distances.study
    observed = np.sort(distances.far)
    first, second = _drawn(study.item, len(observed), np.random.default_rng((seed, 3)))
    expected = np.sort(distances.of_values(study.value[first].astype(np.intp), study.value[second].astype(np.intp)))
    means = float(observed.mean()), float(expected.mean())
    if not means[1]:
        return TableRow(math.nan, math.nan, math.nan, *means)
    return TableRow(1 - means[0] / means[1], _ks(observed, expected), _sigma(observed, expected), means[0], means[1])


def _drawn(item: Integers, count: int, rng: np.random.Generator) -> tuple[Indices, Indices]:
    first, second = np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    while len(first) < count:
        a, b = rng.integers(0, len(item), (2, 2 * count))
        differ = item[a] != item[b]
        first, second = np.r_[first, a[differ]], np.r_[second, b[differ]]
    return first[:count], second[:count]


def _ks(observed: Floats, expected: Floats) -> float:
    n = len(expected)
    above = 1 - np.searchsorted(expected, observed, side="right") / n
    if n <= EXACT:
        return float(n / (n + 1) * above.mean())
    z = np.sqrt(n / (n + 1)) * above
    p = np.exp(-2 * z**2 - 2 * z * (n + 2) / np.sqrt(n * (n + 1)) / 3)
    return float((1 - p).mean())


def _sigma(observed: Floats, expected: Floats, p: float = 0.05) -> float:
    from scipy.special import ndtr

    width = float(np.std(expected, ddof=1)) * len(expected) ** -0.2
    if width == 0:
        return math.nan

    def mass(d: float) -> float:
        return float((ndtr((d - expected) / width) - ndtr(-expected / width)).mean())

    low, high = 0, len(observed)  # the mass grows with d, and the distances are in order
    while low < high:
        middle = (low + high) // 2
        if mass(float(observed[middle])) < p:
            low = middle + 1
        else:
            high = middle
    return low / len(observed)


def as_published(measure: Measure, name: Literal["ks", "sigma"], pairs: Pairs, compat: str) -> Agreement:
    """One of the numbers as a result; it has no interval, for it is a draw and not an estimate of one thing."""
    if compat != "braylan2022":
        raise KindError(f"compat must be 'braylan2022' or None, got {compat!r}")
    row = table_row(pairs, seed=pairs.distances.seed) if pairs.comparable else None
    note = (
        "computed as in Braylan et al. (2022), Table 1: chance is a random draw with replacement, and pairs of one "
        "annotator count"
    )

    def parts(_: Pairs) -> Parts:
        if row is None:
            return Parts(math.nan, math.nan)
        return Parts(row.observed, row.expected, row.ks if name == "ks" else row.sigma)

    published = Published[Pairs](
        influence=lambda p: np.full(len(p.weights.matrix()), np.nan), interval=lambda *_: None, only=True
    )
    return estimate(measure, AsPublished.taking(pairs, note), parts, published)


@dataclass(frozen=True)
class AsPublished(Pairs):
    """Pairs as the paper took them: no sample of chance to speak of."""

    @classmethod
    def taking(cls, pairs: Pairs, note: str) -> AsPublished:
        """The same pairs, with a note."""
        kept = {field.name: getattr(pairs, field.name) for field in fields(pairs)}
        return cls(**{**kept, "remarks": (*pairs.remarks, note)})

    def notes(self) -> tuple[str, ...]:
        """Those of the measure alone."""
        return (*unpaired_notes(self), *self.remarks)

    def details(self) -> dict[str, object]:
        return {}
