r"""Light's kappa.

$$\kappa = \frac{2}{r(r-1)} \sum_{g < h} \kappa_{gh}$$

The mean of Cohen's kappa over all pairs of the $r$ annotators.  A pair counts where its kappa is defined,
each pair once, on the items that both annotated.  Of two annotators it is Cohen's kappa, with its errors.

Light, R. J. (1971). Measures of response agreement for qualitative data: Some generalizations and
alternatives. Psychological Bulletin 76(5), 365-377.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

import numpy as np

from interagree.data import Annotations, IntoAnnotations, Values, as_annotations
from interagree.data.memory import must_fit
from interagree.data.types import Lazy
from interagree.declare import facts_of, measure
from interagree.distances import ComparisonOptions, compared
from interagree.errors import Wording
from interagree.plugins import MEASURES
from interagree.results.agreement import Agreement
from interagree.stats.engine.estimate import estimate
from interagree.stats.labels.ballots import Ballots
from interagree.stats.labels.counts import present_annotators
from interagree.stats.labels.mean_pairs import MeanOfPairs, mean_parts

COPIES = 6  # of the tables of all pairs that are held at once


@measure(
    "Light's kappa",
    "κ",
    "light1971",
    "each annotator's own urn",
    identity=True,
    analytic=False,
    aliases=("light", "kappam_light"),
)
def light_kappa(data: IntoAnnotations, *others: Values, **comparison: Unpack[ComparisonOptions]) -> Agreement:
    """Light's kappa: the mean of Cohen's kappa over all pairs of annotators.

    Examples:
        >>> print(ia.measures.light_kappa(ann, bo, cy))
        κ = 0.528, 95% interval -0.522 to 0.942 (6 items, 3 annotators)
    """
    if isinstance(data, Ballots) or (isinstance(data, Lazy) and data.in_place):
        ballots = Ballots.of(data)
        if len(ballots.annotators) == 2:
            both: Agreement = MEASURES["cohen_kappa"](ballots, **comparison)
            return replace(both, measure=facts_of(light_kappa))
        return estimate(light_kappa, MeanOfPairs.of(ballots, compared(comparison), title="Light's kappa"), mean_parts)
    study = as_annotations(data)
    if present_annotators(study) == len(study.annotators) == 2 and not study.anonymous:
        of_two: Agreement = MEASURES["cohen_kappa"](study, **comparison)
        return replace(of_two, measure=facts_of(light_kappa))
    _check_size(study)
    pairs = MeanOfPairs.of(study, compared(comparison), title="Light's kappa")
    return estimate(light_kappa, pairs, mean_parts)


def _check_size(study: Annotations) -> None:
    """An error where the tables of all pairs of annotators do not fit into memory."""
    people, values = len(study.annotators), len(study.values)
    together = study.sizes().astype(np.float64)
    pairs = min(people * (people - 1) / 2, float((together * (together - 1) / 2).sum()))
    must_fit(
        COPIES * 8 * values**2 * (pairs + values),
        f"Light's kappa of {people:,} annotators and {values:,} values, which has a table for every two annotators,",
        "take ",
        Wording("interagree.conger_kappa", "-m conger_kappa"),
        ", which has the same model of chance without a table for each pair",
    )
