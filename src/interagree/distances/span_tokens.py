r"""Marked tokens in common.

$$\delta(A, B) = 1 - \frac{2\,|T_A \cap T_B|}{|T_A| + |T_B|}$$

$T_A$ is the set of all (position, label) that the spans of $A$ mark; a position counts once for a label however many
spans with that label cover it, and long spans count for more than short ones.  Where positions are seconds, $|T|$ is
the time that is marked.

Two empty lists are the same answer, *there is nothing here*, and at distance 0, or ``empty``; an empty list is at
distance 1 from any other.  It is not a metric.  One minus it is Dice's coefficient, and the F1 score of tokens.

Dice, L. R. (1945). Measures of the amount of ecologic association between species. Ecology 26(3), 297-302.
"""

from interagree.kinds._span_distances import by_dice

span_tokens = by_dice(
    "span_tokens",
    "One minus the F1 score of marked positions, each with its label.",
    lambda spans: spans.union(labels=True),
)
