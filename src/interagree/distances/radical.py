r"""Radical distance.

$$\delta(a, b) = \sqrt{|a - b|}$$

The root of the difference of two numbers; Gwet's *radical* weights are one minus this, divided by its largest value.
"""

import numpy as np

from interagree.arrays import Floats
from interagree.declare import distance_of_numbers


@distance_of_numbers(metric=True)
def radical(a: Floats, b: Floats) -> Floats:
    """The root of the difference of two numbers."""
    return np.sqrt(abs(a - b))
