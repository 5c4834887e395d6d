r"""Bennett's S, also known as the coefficient of Brennan and Prediger.

$$S = \frac{P_o - 1/q}{1 - 1/q}$$

Chance draws from all $q$ declared values equally, whether or not anybody used them, so declare them: with
``values=``.  $P_o$ is that of Fleiss' kappa.  With weights $w_{kl}$ the expected agreement is their mean,
$\sum_{kl} w_{kl} / q^2$.  For two values it is also called PABAK and Holley and Guilford's G.

Bennett, E. M., Alpert, R. & Goldstein, A. C. (1954). Communications through limited-response questioning.
Public Opinion Quarterly 18(3), 303-308. Brennan, R. L. & Prediger, D. J. (1981). Coefficient kappa: Some
uses, misuses, and alternatives. Educational and Psychological Measurement 41(3), 687-699.
"""

from __future__ import annotations

from typing import Unpack

from interagree.data import IntoAnnotations, Values
from interagree.declare import measure
from interagree.distances import ComparisonOptions, compared
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.labels.chance import observed
from interagree.stats.labels.independence import EVEN
from interagree.stats.labels.labelled import LabelCounts

ONE_VALUE = "there is only one value, so chance could not have disagreed; declare all that could have been given"


@measure(
    "Bennett's S",
    "S",
    "bennett1954",
    "all values alike",
    under_chance=EVEN,
    aliases=("bennett", "brennan_prediger", "bp_coeff"),
)
def bennett_s(data: IntoAnnotations, *others: Values, **comparison: Unpack[ComparisonOptions]) -> Agreement:
    """Bennett's S, where chance draws from all declared values equally.

    Args:
        distance: How far apart values are; divided by its largest value.

    Examples:
        >>> print(ia.bennett_s(ann, bo))
        S = 0.667, 95% interval -0.628 to 0.982 (6 items, 2 annotators)
    """
    counts = LabelCounts.under(data, compared(comparison, scaled=True))
    return estimate(bennett_s, counts, parts, undefined=ONE_VALUE if len(counts.values) == 1 else None)


def parts(counts: LabelCounts) -> Parts:
    """Observed disagreement, and that of two values drawn blindly."""
    distances = counts.distances
    return Parts(observed(counts, distances), distances.mean(distances.frequency(counts)))
