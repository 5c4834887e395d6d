r"""How wide the default interval of a coefficient will be, and how many items make it as narrow as is wanted.

$$w \approx z \sqrt{V / I}$$

$w$ is half the width of the interval, $V$ the variance of one item's contribution, which is the number of items times
the squared standard error, and $I$ the number of items.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

from interagree.declare import Facts
from interagree.results.agreement import Agreement, StandardError
from interagree.stats.engine.adjusted import LOGIT, Estimated, OpenScale, ends, scale_from
from interagree.stats.labels.made_up import ALIKE, SPLIT

# Coefficients whose error is that of items that are drawn, for which a study can be planned.
PLANNED = (
    *("spa", "alpha", "percent", "fleiss_kappa", "conger_kappa", "cohen_kappa", "scott_pi", "randolph_kappa"),
    *("ac1", "ac2", "bennett_s", "icc"),
)


class Width(NamedTuple):
    """How wide the default interval of a coefficient will be.

    It is made on a scale without ends, with a quantile of t and, for a share, with made-up items
    (`stats.engine.adjusted`), so it is wider than the normal quantile alone says where items are few or the
    coefficient is near 1.
    """

    value: float
    level: float
    scale: OpenScale

    def half(self, variance: float, items: float, n: int = 2) -> float:
        """Half the width from so many items with ``n`` labels each, where one item has such a variance."""
        df = max(items - 1, 1.0)
        estimated = [Estimated(self.value, StandardError(math.sqrt(variance / items), df))]
        if self.scale is LOGIT:
            estimated.append(self._with_made_up(variance, items, n, df))
        reached = ends(self.scale, estimated, self.level)
        if reached is None:  # the value is at an end of the scale
            return NormalDist().inv_cdf(0.5 + self.level / 2) * math.sqrt(variance / items)
        return (reached[1] - reached[0]) / 2

    def _with_made_up(self, variance: float, items: float, n: int, df: float) -> Estimated:
        first = n - n // 2
        split = (first * (first - 1) + (n // 2) * (n // 2 - 1)) / (n * (n - 1))  # agreement of items split between two
        total = items + ALIKE + SPLIT
        mean = (items * self.value + ALIKE + SPLIT * split) / total
        # Of all items, not one less: widths of studies as planned are then no larger on average than was planned.
        squares = items * (variance + (self.value - mean) ** 2)
        squares += ALIKE * (1 - mean) ** 2 + SPLIT * (split - mean) ** 2
        return Estimated(mean, StandardError(math.sqrt(squares / (total * (total - 1))), df))

    def items(self, variance: float, wanted: float, n: int = 2) -> int:
        """The fewest items whose interval is so narrow."""
        most = 2
        while self.half(variance, most, n) > wanted:
            most *= 2
        least = max(most // 2, 1)
        while most - least > 1:
            middle = (least + most) // 2
            least, most = (middle, most) if self.half(variance, middle, n) > wanted else (least, middle)
        return most

    def from_information(self, information: float, variance: float) -> float:
        """Half the width where the inverse of the variance of the coefficient is such, and that of one item is so."""
        items = max(information * variance, 2.0)
        return self.half(items / information, items) if information > 0 else math.inf

    def information(self, wanted: float, variance: float) -> float:
        """What the inverse of the variance of the coefficient must be for an interval that narrow."""
        low, high = 1e-12, 1e12
        while high / low > 1 + 1e-9:
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self.from_information(middle, variance) > wanted else (low, middle)
        return high


def width_of(facts: Facts, value: float, level: float, *, share: bool) -> Width:
    """The width of the intervals of a measure around a value; ``share`` where it lies between 0 and 1."""
    return Width(value, level, LOGIT if share else scale_from(facts.range[0]))


def item_variance(result: Agreement) -> float:
    """The variance of one item's contribution: what the squared error times the items is."""
    return result.n.items * result.standard_error() ** 2


def items_for(result: Agreement, half_width: float, level: float = 0.95) -> int | None:
    """How many items like those of a result give such an interval; None where its error is not known."""
    variance = item_variance(result)
    if not (math.isfinite(variance) and variance > 0 and half_width > 0):
        return None
    share = result.measure.name in ("spa", "percent") and not result.options.get("corrected")
    return width_of(result.measure, result.value, level, share=share).items(variance, half_width)
