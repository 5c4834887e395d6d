r"""What a coefficient of labels comes to on average where annotators answer independently of the items.

Deal the values of every annotator anew to the items that they annotated.  Their shares stay, and with them every model
of chance that looks at shares alone; the observed disagreement becomes, on average over all deals, that of two values
drawn from the urns of two different annotators.  So the coefficient of independent annotators is on average

$$1 - \frac{\bar D}{D_e}$$

with $D_e$ as the coefficient has it, and $\bar D$ the mean distance of values of different annotators; exactly so where
everybody annotated every item.  Where nobody knows who gave a value, $\bar D$ is that of two annotations out of all.
"""

from __future__ import annotations

import math

from interagree.arrays import Array
from interagree.declare import UnderChance
from interagree.results.agreement import Agreement
from interagree.stats.engine.estimate import statistic_behind
from interagree.stats.labels.ballots import Ballots
from interagree.stats.labels.chance import one_urn_per_annotation, own_urns
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.labelled import LabelBallots, LabelCounts


def independent(result: Agreement) -> float:
    """What annotators with these shares of the values would get on average, who look at nothing else."""
    statistic = statistic_behind(result, LabelCounts) or statistic_behind(result, LabelBallots)
    if statistic is None:
        return math.nan
    expected = result.disagreement.expected
    drawn = float(_drawn(statistic))
    return 1 - (drawn if expected is None else drawn / expected)


def _drawn(statistic: LabelCounts | LabelBallots) -> Array:
    """The mean distance of values of different annotators, whatever the items."""
    study = statistic.source
    if study is None or study.anonymous or len(study.annotators) < 2:
        counts: Counts = statistic.counts if isinstance(statistic, Ballots) else statistic
        return one_urn_per_annotation(counts, statistic.distances, back=False)
    return own_urns(Ballots.of(study), statistic.distances)


LESS = "less where annotators use the values in different shares"
ONE_URN = UnderChance(f"-1 / (N - 1) for N annotations, which is soon as good as 0; {LESS}", independent)
EVEN = UnderChance(
    "0 where all values are used equally often, and more the more uneven they are: with shares p, "
    "(Σp² - P_e) / (1 - P_e)",
    independent,
)
