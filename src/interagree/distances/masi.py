r"""MASI distance of two sets: measuring agreement on set-valued items.

$$\delta(A, B) = 1 - J \cdot M, \qquad J = \frac{|A \cap B|}{|A \cup B|}$$

$M$ is 1 for equal sets, 2/3 where one holds the other, 1/3 where they only overlap, and 0 where they have
nothing in common. Two empty sets are at distance 0; an empty set is at distance 1 from any other.

Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation. LREC.
"""

from collections.abc import Set as AbstractSet

from interagree.data.types import Value
from interagree.declare import distance


@distance(bounded=True, of="sets", aliases=("masi_distance",))
def masi(a: AbstractSet[Value], b: AbstractSet[Value]) -> float:
    """One minus Jaccard's index times how far one set holds the other."""
    if a == b:
        return 0.0
    common = a & b
    holds = 0.0 if not common else 2 / 3 if common in (a, b) else 1 / 3
    return 1 - len(common) / len(a | b) * holds
