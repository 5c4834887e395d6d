r"""Polar distance.

$$\delta(a, b) = \frac{(a - b)^2}{(a + b - 2\,\mathrm{low})\,(2\,\mathrm{high} - a - b)}$$

For scales between two poles, $\mathrm{low}$ and $\mathrm{high}$: a difference near a pole weighs more than
the same difference in the middle.  Gwet calls it *bipolar*.

Krippendorff, K. (2004). Content Analysis, 2nd ed. Sage. Chapter 11.
"""

from typing import Any

import numpy as np

from interagree.declare import distance_of_numbers
from interagree.errors import KindError


@distance_of_numbers(bounded=True, parameters=("low", "high"))
def polar(a: Any, b: Any, low: float, high: float) -> Any:
    """The squared difference of two numbers over how far both are from the ends of the scale."""
    least = float(min(np.min(a, initial=np.inf), np.min(b, initial=np.inf)))
    most = float(max(np.max(a, initial=-np.inf), np.max(b, initial=-np.inf)))
    if low >= high or least < low or most > high:
        raise KindError(
            f"polar distance is for numbers between the ends of a scale, and these run from {least:g} to {most:g} "
            f"with ends at {low:g} and {high:g}"
        )
    total = a + b
    span = (total - 2 * low) * (2 * high - total)
    return (a - b) ** 2 / np.where(span > 0, span, 1)
