r"""Gwet's AC2.

$$AC_2 = \frac{P_o - P_e}{1 - P_e}, \qquad P_e = \frac{\sum_{kl} w_{kl}}{q(q-1)} \sum_k \pi_k (1 - \pi_k)$$

AC1 with weights $w_{kl}$ for partial agreement, one minus a distance divided by its largest value.  The
declared values count, also those nobody used ($q$ of them).  With identity weights it is AC1.

Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. Advanced Analytics. Chapters 3 and 5.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from interagree.data import IntoAnnotations, Values
from interagree.declare import measure
from interagree.distances import ComparisonOptions, compared
from interagree.errors import Advice, Hint
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.chance import flat_parts, guessing, influence
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.independence import EVEN
from interagree.stats.labels.labelled import LabelCounts

ONE_VALUE = "there is only one value, so nobody could have guessed; declare all that could have been given"


AS_LABELS = Hint("weights", "identity")


@measure("Gwet's AC2", "AC2", "gwet2014", "guessing", under_chance=EVEN, aliases=("gwet", "gwet_ac2", "gwets_ac2"))
def ac2(data: IntoAnnotations | Counts, *others: Values, **comparison: Unpack[ComparisonOptions]) -> Agreement:
    """Gwet's AC2: AC1 with partial agreement.

    Args:
        distance: How far apart values are; divided by its largest value.
        weights: Gwet's agreement weights, by name or as a table; the other way to give a distance.
            Without either, quadratic weights on numbers and on labels in a declared order, and identity weights on
            other labels.

    Examples:
        >>> ann = [1, 2, 3, 4, 5, 2]
        >>> bo = [1, 2, 4, 4, 5, 1]
        >>> print(ia.ac2(ann, bo, weights="quadratic"))
        AC2 = 0.923, 95% interval -0.174 to 0.995 (6 items, 2 annotators)
    """
    if comparison.get("distance") is None and comparison.get("weights") is None:
        counts = Counts.of(data)
        suitable, notes = _suitable(counts)
        result = ac2(counts, weights=suitable)
        return replace(result, notes=(*result.notes, *notes))
    counts = LabelCounts.under(data, compared(comparison, scaled=True))
    published = Published(influence=influence(counts, parts))
    return estimate(ac2, counts, parts, published, undefined=ONE_VALUE if len(counts.values) == 1 else None)


def parts(counts: LabelCounts) -> Parts:
    """Observed disagreement, and that of guesses."""
    return flat_parts(counts, counts.distances, guessing)


def _suitable(counts: Counts) -> tuple[str, tuple[str, ...]]:
    """The weights that suit the values, and what to say about them."""
    kind, doubt, because = counts.recognised
    if kind == "ordered":
        return "quadratic", ()
    if kind == "numbers" or doubt == "ordered":
        taken = f"the values are {because} and were taken as a scale with equal steps"
        return "quadratic", (Advice.of(f"{taken}; ", AS_LABELS, " takes them as labels"),)
    if counts.in_order and len(counts.values) > 2:
        taken = "the declared values were taken as a scale with equal steps, in the order declared"
        return "quadratic", (Advice.of(f"{taken}; ", AS_LABELS, " takes them as labels"),)
    return ("quadratic" if counts.in_order else "identity"), ()
