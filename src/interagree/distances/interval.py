r"""Interval distance.

$$\delta(a, b) = (a - b)^2$$

The squared difference of two numbers; Gwet's *quadratic* weights are one minus this, divided by its largest value.
"""

from interagree.arrays import Floats
from interagree.declare import distance_of_numbers


def _points(where: Floats) -> Floats:
    return where[:, None]


@distance_of_numbers(embed=_points, aliases=("quadratic", "squared", "interval_distance"))
def interval(a: Floats, b: Floats) -> Floats:
    """The squared difference of two numbers."""
    return (a - b) ** 2
