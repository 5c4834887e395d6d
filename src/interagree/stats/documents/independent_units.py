"""What gamma gives annotators who mark independently of each other."""

from __future__ import annotations

import math

from interagree.declare import UnderChance
from interagree.results.agreement import Agreement
from interagree.stats.documents.units import Units
from interagree.stats.engine.estimate import statistic_behind


def of_units_placed_anew(result: Agreement) -> float:
    """What annotators get who mark as many units as these and as long, anywhere."""
    units = statistic_behind(result, Units)
    if units is None:
        return math.nan
    independent = units.of_independent()
    return 0.0 if independent is None else independent[0]


PLACED_ANEW = UnderChance(
    "0 with sampler='uniform'; by the other samplers 0 in long documents, and in documents with a few units something "
    "else, from about -0.1 where their length is not given to 0.15, which a note says",
    of_units_placed_anew,
)
