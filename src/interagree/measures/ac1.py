r"""Gwet's AC1.

$$AC_1 = \frac{P_o - P_e}{1 - P_e}, \qquad P_e = \frac{1}{q-1} \sum_k \pi_k (1 - \pi_k)$$

$P_o$ and the shares $\pi_k$ are those of Fleiss' kappa; chance agreement comes from guesses, which are the
more likely the closer the shares are to even.  So AC1 stays put where one value is much more common than
the others and kappa falls to zero although almost all annotations agree.  The declared values count, also
those nobody used ($q$ of them).

Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high agreement.
British Journal of Mathematical and Statistical Psychology 61(1), 29-48.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from interagree.data import IntoAnnotations, ReadingOptions, Values
from interagree.declare import facts_of, measure
from interagree.plugins import MEASURES
from interagree.results.agreement import Agreement
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.independence import EVEN


@measure("Gwet's AC1", "AC1", "gwet2008", "guessing", under_chance=EVEN, aliases=("gwet", "gwet_ac1", "gwets_ac1"))
def ac1(data: IntoAnnotations, *others: Values, **reading: Unpack[ReadingOptions]) -> Agreement:
    """Gwet's AC1, which stays put when one value is much more common than the others.

    Examples:
        >>> cy = ["yes", "no", "yes", None, "no", "no"]
        >>> print(ia.ac1(ann, bo, cy))
        AC1 = 0.576, 95% interval -0.475 to 0.950 (6 items, 3 annotators)
    """
    counts = Counts.of(data)
    result: Agreement = MEASURES["ac2"](counts, weights="identity")
    notes = result.notes
    if counts.recognised.doubt == "ordered" and not result.undefined:
        taken = f"the values are {counts.recognised.because} and were taken as labels"
        notes += (f"{taken}; as an ordered scale, AC2 = {MEASURES['ac2'](counts).value:.3f} (ac2)",)
    return replace(result, measure=facts_of(ac1), notes=notes, options={})
