r"""Passonneau's distance of two sets, of 2004.

$$\delta(A, B) = 0, \tfrac13, \tfrac23, 1$$

for equal sets, for sets of which one holds the other, for sets that only overlap, and for sets with nothing
in common. The empty set is held by every other, and so at distance 1/3 from it.

Passonneau, R. (2004). Computing reliability for coreference annotation. LREC.
"""

from collections.abc import Set as AbstractSet

from interagree.data.types import Value
from interagree.declare import distance


@distance(bounded=True, of="sets")
def passonneau2004(a: AbstractSet[Value], b: AbstractSet[Value]) -> float:
    """A third for each step from equal sets to sets with nothing in common."""
    if a == b:
        return 0.0
    return 1 / 3 if a <= b or b <= a else 2 / 3 if a & b else 1.0
