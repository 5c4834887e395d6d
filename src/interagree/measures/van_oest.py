r"""Van Oest's coefficient, with a stated prior.

$$I_r^2 = \frac{P_o - P_e}{1 - P_e}, \qquad P_e = \sum_{kl} w_{kl}\, \hat\pi_k\, \hat\pi_l, \qquad
\hat\pi_k = \frac{\alpha + n_k}{q\,\alpha + n}$$

Chance draws from the shares one would expect *after* seeing the data, having started from a Dirichlet prior
with $\alpha$ imaginary annotations of each of the $q$ declared values.  $\alpha = 1$ is van Oest's
coefficient; without a prior ($\alpha = 0$) it is Scott's pi with pairs pooled, and with an overwhelming one
it is Bennett's S.  All pairs of annotations of an item count equally ($P_o$ is pooled over pairs), and $n_k$
counts annotations.

van Oest, R. (2019). A new coefficient of interrater agreement: The challenge of highly unequal category
proportions. Psychological Methods 24(4), 439-451. van Oest, R. & Girard, J. M. (2022). Weighting schemes
and incomplete data: A generalized Bayesian framework for chance-corrected interrater agreement.
Psychological Methods 27(6), 1069-1088.
"""

from __future__ import annotations

from functools import partial
from typing import Unpack

from interagree.arrays import Floats
from interagree.data import IntoAnnotations, ReadingOptions, Values
from interagree.declare import UnderChance, measure
from interagree.distances import IntoDistance, IntoWeights, on_values
from interagree.errors import KindError
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.chance import influence
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.independence import LESS, independent
from interagree.stats.labels.labelled import LabelCounts

AFTER_A_PRIOR = UnderChance(
    "0 where all values are used equally often; where they are not, the prior makes chance more even than it is, and "
    f"they get more than 0, the fewer annotations the more; {LESS}",
    independent,
)


@measure(
    "van Oest's I²",
    "I²",
    "vanoest2019",
    "one urn, after a prior",
    under_chance=AFTER_A_PRIOR,
    widened=False,
    doubling=False,
    named=("prior", "distance", "weights"),
)
def van_oest(
    data: IntoAnnotations,
    *others: Values,
    prior: float = 1.0,
    distance: IntoDistance | None = None,
    weights: IntoWeights | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Van Oest's coefficient, where chance starts from a prior.

    Args:
        prior: How many imaginary annotations of each value to start from.
        distance: How far apart values are; divided by its largest value.

    Examples:
        >>> print(ia.measures.van_oest(ann, bo))
        I² = 0.660, 95% interval -0.636 to 0.981 (6 items, 2 annotators)
    """
    if prior < 0:
        raise KindError(f"a prior is a number of imaginary annotations, 0 or more; got {prior!r}")
    counts = LabelCounts.under(data, on_values(distance, weights, scaled=True))
    of_prior = partial(parts, prior=prior)
    return estimate(van_oest, counts, of_prior, Published(influence=influence(counts, of_prior)))


def parts(counts: LabelCounts, prior: float) -> Parts:
    """Observed disagreement over all pairs, expected disagreement after the prior."""
    given, distances = counts.frequency + prior, counts.distances
    shares = given / given.sum(-1)[..., None]
    return Parts(
        counts.disagreement(distances, per_pair), distances.between(shares, shares, distances.frequency(counts))
    )


def per_pair(counts: Counts) -> Floats:
    """Every item counts once for each pair of its annotations."""
    return counts.size * (counts.size - 1)
