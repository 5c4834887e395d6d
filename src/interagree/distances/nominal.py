r"""Nominal distance.

$$\delta(a, b) = \begin{cases} 0 & a = b \\ 1 & a \ne b \end{cases}$$

Two values are the same or they are not.
"""

from interagree.data.values import key
from interagree.declare import distance


@distance(bounded=True, metric=True, equality=True, aliases=("identity", "binary", "binary_distance"))
def nominal(a: object, b: object) -> float:
    """0 for the same value, 1 for any two others."""
    return float(key(a) != key(b))
