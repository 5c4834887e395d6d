r"""Linear distance.

$$\delta(a, b) = |a - b|$$

The difference of two numbers; Gwet's *linear* weights are one minus this, divided by its largest value.
"""

from interagree.arrays import Floats
from interagree.declare import distance_of_numbers


@distance_of_numbers(metric=True, aliases=("absolute",))
def linear(a: Floats, b: Floats) -> Floats:
    """The difference of two numbers."""
    return abs(a - b)
