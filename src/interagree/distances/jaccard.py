r"""Jaccard distance of two sets.

$$\delta(A, B) = 1 - \frac{|A \cap B|}{|A \cup B|}$$

Two empty sets are the same answer, *there is nothing here*, and at distance 0.

Jaccard, P. (1912). The distribution of the flora in the alpine zone. New Phytologist 11(2), 37-50.
"""

from collections.abc import Set as AbstractSet

from interagree.data.types import Value
from interagree.declare import distance


@distance(bounded=True, metric=True, of="sets", aliases=("jaccard_distance",))
def jaccard(a: AbstractSet[Value], b: AbstractSet[Value]) -> float:
    """One minus the share of labels that two sets have in common."""
    return 1 - len(a & b) / len(a | b) if a | b else 0.0
