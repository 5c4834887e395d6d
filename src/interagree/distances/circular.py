r"""Circular distance.

$$\delta(a, b) = \sin^2\Big(\pi\,\frac{a - b}{U}\Big)$$

For numbers on a circle of circumference $U$ (the *period*): hours of the day with a period of 24, months with 12.

Krippendorff, K. (2004). Content Analysis, 2nd ed. Sage. Chapter 11.
"""

import numpy as np

from interagree.arrays import Floats
from interagree.declare import distance_of_numbers
from interagree.errors import KindError

ROUNDING = 1e-15  # of a number: what it may be off for want of digits


def _checked(period: float) -> float:
    if period <= 0:
        raise KindError(f"the period of a circle is above 0, got {period:g}")
    return period


def _points(where: Floats, period: float) -> Floats:
    # sin² of half the angle between two points is a quarter of their squared distance on the unit circle.
    angle = 2 * np.pi * np.remainder(where, _checked(period)) / period  # far from zero an angle loses digits
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) / 2


@distance_of_numbers(embed=_points, bounded=True, parameters=("period",))
def circular(a: Floats, b: Floats, period: float) -> Floats:
    """How far two numbers are difference on a circle."""
    # The sine of a multiple of π is not quite 0 in floating point, so whole periods are taken off first.
    difference = np.remainder(np.abs(a - b), _checked(period))
    near = np.minimum(difference, period - difference)
    rounding = ROUNDING * np.maximum(np.abs(a), np.abs(b))
    return np.where(near > rounding, np.sin(np.pi * near / period) ** 2, 0.0)
