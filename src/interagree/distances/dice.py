r"""Dice distance of two sets.

$$\delta(A, B) = 1 - \frac{2\, |A \cap B|}{|A| + |B|}$$

What two sets have in common, out of their mean size.  It is not a metric.  Two empty sets are the same answer, *there
is nothing here*, and at distance 0.

Dice, L. R. (1945). Measures of the amount of ecologic association between species. Ecology 26(3), 297-302.
"""

from collections.abc import Set as AbstractSet

from interagree.data.types import Value
from interagree.declare import distance


@distance(bounded=True, of="sets")
def dice(a: AbstractSet[Value], b: AbstractSet[Value]) -> float:
    """One minus twice the labels in common, out of all labels of both."""
    return 1 - 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0
