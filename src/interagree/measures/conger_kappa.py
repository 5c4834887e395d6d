r"""Conger's kappa.

$$\kappa = \frac{P_o - P_e}{1 - P_e}, \qquad P_e = \frac{1}{r(r-1)} \sum_{g \ne h} \sum_k p_{gk}\, p_{hk}$$

Cohen's kappa for $r$ annotators: $P_o$ is that of Fleiss' kappa; chance draws for each annotator from what
they gave themselves ($p_{gk}$), over all pairs of annotators.  Also known as the exact Fleiss kappa.  With two
annotators and nothing missing it is Cohen's kappa. Annotations may be missing: $p_{gk}$ is taken from the
items that $g$ annotated, as Gwet (2014) does.

Conger, A. J. (1980). Integration and generalization of kappas for multiple raters. Psychological Bulletin
88(2), 322-328. Standard error: Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. Chapter 5.
"""

from __future__ import annotations

from typing import Unpack

from interagree.data import IntoAnnotations, Values
from interagree.declare import measure
from interagree.distances import ComparisonOptions, compared
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.ballots import Ballots
from interagree.stats.labels.chance import observed, own_urns, own_urns_influence
from interagree.stats.labels.independence import OWN_URNS
from interagree.stats.labels.labelled import LabelBallots


@measure(
    "Conger's kappa",
    "κ",
    "conger1980",
    "each annotator's own urn",
    under_chance=OWN_URNS,
    identity=True,
    aliases=("conger", "multi_kappa"),
)
def conger_kappa(data: IntoAnnotations, *others: Values, **comparison: Unpack[ComparisonOptions]) -> Agreement:
    """Conger's kappa: Cohen's for any number of annotators.

    Examples:
        >>> print(ia.conger_kappa(ann, bo, cy))
        κ = 0.538, 95% interval -0.314 to 0.910 (6 items, 3 annotators)
    """
    ballots = LabelBallots.under(Ballots.of(data, title="Conger's kappa"), compared(comparison))
    return estimate(conger_kappa, ballots, parts, Published(influence=own_urns_influence(ballots, parts)))


def parts(ballots: LabelBallots) -> Parts:
    """Observed disagreement, and that of values drawn from each annotator's own urn."""
    return Parts(observed(ballots.counts, ballots.distances), own_urns(ballots, ballots.distances))
