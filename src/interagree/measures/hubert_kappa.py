r"""Hubert's kappa.

$$\kappa = \frac{P_o - P_e}{1 - P_e}, \qquad P_e = \frac{2}{r(r-1)} \sum_{g < h} \sum_k p_{gk}\, p_{hk}$$

Hubert's extension of Cohen's kappa, with two-fold agreement: two annotators drawn at random agree.  Warrens
(2010) shows that it is Conger's kappa, found three years earlier; both names are in use, so both are here.

Hubert, L. (1977). Kappa revisited. Psychological Bulletin 84(2), 289-297.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from interagree.data import IntoAnnotations, Values
from interagree.declare import facts_of, measure
from interagree.distances import ComparisonOptions
from interagree.plugins import MEASURES
from interagree.results.agreement import Agreement
from interagree.stats.labels.independence import OWN_URNS


@measure(
    "Hubert's kappa",
    "κ",
    "hubert1977",
    "each annotator's own urn",
    under_chance=OWN_URNS,
    identity=True,
    aliases=("hubert",),
)
def hubert_kappa(data: IntoAnnotations, *others: Values, **comparison: Unpack[ComparisonOptions]) -> Agreement:
    """Hubert's kappa, which is Conger's.

    Examples:
        >>> print(ia.measures.hubert_kappa(ann, bo, cy))
        κ = 0.538, 95% interval -0.314 to 0.910 (6 items, 3 annotators)
    """
    result: Agreement = MEASURES["conger_kappa"](data, **comparison)
    return replace(result, measure=facts_of(hubert_kappa))
