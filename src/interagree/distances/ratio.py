r"""Ratio distance.

$$\delta(a, b) = \Big(\frac{a - b}{a + b}\Big)^2$$

For numbers with a true zero: 1 and 2 are as far apart as 100 and 200.  Two zeros are the same; a zero is at
distance 1 from everything else.  Negative numbers have no place on such a scale.

Krippendorff, K. (2004). Content Analysis, 2nd ed. Sage. Chapter 11.
"""

import numpy as np

from interagree.arrays import Floats
from interagree.declare import distance_of_numbers
from interagree.errors import Hint, KindError
from interagree.stats.engine.smooth import ratio_sums

BY_INTERVAL = Hint("distance", "interval")


def _check(least: float) -> None:
    if least < 0:
        raise KindError(
            f"ratio distance is for numbers from 0 up, and {least:g} was given; take {BY_INTERVAL}, or "
            "measure from the true zero",
            hints=[BY_INTERVAL],
        )


def _potential(where: Floats, counts: Floats) -> Floats:
    _check(float(where.min(initial=0)))
    return ratio_sums(where, counts)


@distance_of_numbers(bounded=True, potential=_potential)
def ratio(a: Floats, b: Floats) -> Floats:
    """The squared difference of two numbers over their sum."""
    _check(float(min(np.min(a, initial=0), np.min(b, initial=0))))
    total = a + b
    return ((a - b) / np.where(total > 0, total, 1)) ** 2
