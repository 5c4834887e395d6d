r"""Polar distance.

$$\delta(a, b) = \frac{(a - b)^2}{(a + b - 2\,\mathrm{low})\,(2\,\mathrm{high} - a - b)}$$

For scales between two poles, $\mathrm{low}$ and $\mathrm{high}$: a difference near a pole weighs more than
the same difference in the middle.  Gwet calls it *bipolar*.

Krippendorff, K. (2004). Content Analysis, 2nd ed. Sage. Chapter 11.
"""

import numpy as np

from interagree.arrays import Floats
from interagree.declare import distance_of_numbers
from interagree.errors import KindError
from interagree.stats.engine.smooth import ratio_sums


def _check(least: float, most: float, low: float, high: float) -> None:
    if low >= high or least < low or most > high:
        raise KindError(
            f"polar distance is for numbers between the ends of a scale, and these run from {least:g} to {most:g} "
            f"with ends at {low:g} and {high:g}"
        )


def _potential(where: Floats, counts: Floats, low: float, high: float) -> Floats:
    # With p and q measured from an end, in parts of the scale, half of (p - q)² / (p + q) is what that end adds, and it
    # is (p + q) times the ratio distance: p times one sum of ratio distances, and another in which q is in the mass.
    _check(float(where.min(initial=np.inf)), float(where.max(initial=-np.inf)), low, high)
    sums = np.zeros(len(where))
    for from_end in (where - low, high - where):
        p = from_end / (high - low)
        sums += (p * ratio_sums(p, counts) + ratio_sums(p, counts * p)) / 2
    return sums


@distance_of_numbers(bounded=True, parameters=("low", "high"), potential=_potential, aliases=("bipolar",))
def polar(a: Floats, b: Floats, low: float, high: float) -> Floats:
    """The squared difference of two numbers over how far both are from the ends of the scale."""
    least = float(min(np.min(a, initial=np.inf), np.min(b, initial=np.inf)))
    most = float(max(np.max(a, initial=-np.inf), np.max(b, initial=-np.inf)))
    _check(least, most, low, high)
    total = a + b
    span = (total - 2 * low) * (2 * high - total)
    return (a - b) ** 2 / np.where(span > 0, span, 1)
