r"""Randolph's free-marginal kappa.

$$\kappa_{free} = \frac{\bar P - 1/q}{1 - 1/q}$$

Fleiss' kappa with chance drawing from all $q$ declared values equally: the annotators were free to use each
value as often as they liked.  It is Bennett's S for any number of annotators, under the name by which
survey researchers know it.

Randolph, J. J. (2005). Free-marginal multirater kappa: An alternative to Fleiss' fixed-marginal multirater
kappa. Joensuu Learning and Instruction Symposium.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from interagree.data import IntoAnnotations, Values
from interagree.declare import facts_of, measure
from interagree.distances import ComparisonOptions
from interagree.plugins import MEASURES
from interagree.results.agreement import Agreement
from interagree.stats.labels.independence import EVEN


@measure(
    "Randolph's kappa",
    "κ",
    "randolph2005",
    "all values alike",
    under_chance=EVEN,
    aliases=("randolph", "free_marginal_kappa"),
)
def randolph_kappa(data: IntoAnnotations, *others: Values, **comparison: Unpack[ComparisonOptions]) -> Agreement:
    """Randolph's free-marginal kappa, which is Bennett's S for any number of annotators.

    Args:
        distance: How far apart values are; divided by its largest value.

    Examples:
        >>> print(ia.measures.randolph_kappa(ann, bo, cy))
        κ = 0.556, 95% interval -0.396 to 0.932 (6 items, 3 annotators)
    """
    result: Agreement = MEASURES["bennett_s"](data, **comparison)
    return replace(result, measure=facts_of(randolph_kappa))
