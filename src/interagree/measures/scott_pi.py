r"""Scott's pi.

$$\pi = \frac{P_o - P_e}{1 - P_e}, \qquad P_e = \sum_k \Big(\frac{p_{1k} + p_{2k}}{2}\Big)^2$$

For two annotators: chance draws both annotations from one urn that holds what the two gave together.
Fleiss' kappa is its extension to more annotators; Krippendorff's alpha draws without putting the first
annotation back, which is why the two differ on small studies.

Scott, W. A. (1955). Reliability of content analysis: The case of nominal scale coding. Public Opinion
Quarterly 19(3), 321-325.
"""

from __future__ import annotations

from typing import Unpack

from interagree.data import IntoAnnotations, Values
from interagree.declare import TWO_ANNOTATORS, measure
from interagree.distances import ComparisonOptions, compared
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.chance import flat_parts, influence, one_urn
from interagree.stats.labels.independence import ONE_URN
from interagree.stats.labels.labelled import LabelBallots
from interagree.stats.labels.two_annotators import two_annotators


@measure(
    "Scott's pi",
    "π",
    "scott1955",
    "one urn",
    **TWO_ANNOTATORS,
    under_chance=ONE_URN,
    divisor="n",
    aliases=("scott", "scotts_pi", "pi"),
)
def scott_pi(data: IntoAnnotations, *others: Values, **comparison: Unpack[ComparisonOptions]) -> Agreement:
    """Scott's pi of two annotators, on the items that both annotated.

    Args:
        data: A study of two annotators, or anything `Annotations.of` takes.

    Examples:
        >>> print(ia.scott_pi(ann, bo))
        π = 0.657, 95% interval -0.641 to 0.981 (6 items, 2 annotators)
    """
    given, notes = two_annotators(data, "Scott's pi", instead="fleiss_kappa, its extension to any number")
    ballots = LabelBallots.under(given, compared(comparison))
    return estimate(scott_pi, ballots, parts, Published(influence=influence(ballots, parts)), notes=notes)


def parts(ballots: LabelBallots) -> Parts:
    """Observed disagreement, and that of two values drawn from one urn."""
    return flat_parts(ballots.counts, ballots.distances, one_urn)
