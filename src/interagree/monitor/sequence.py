r"""An interval that holds at all times at once.

An ordinary 95 % interval is right for one look.  Somebody who looks every hour and stops when the interval suits
her is wrong far more often.  A confidence sequence is wrong at *any* time with the chance $\alpha$ at most, however
often one looks.

Here each item gives one number, whether its first two labels agree, and gives it once.  After $n$ items, $k$ of
which agree,

$$\left\{ p : \frac{B(k + \tfrac12,\, n - k + \tfrac12)}{B(\tfrac12, \tfrac12)\; p^k (1-p)^{n-k}}
< \frac{1}{\alpha} \right\}$$

The ratio is what a fortune becomes that bets on the items as they come, its stakes mixed over all alternatives by
Jeffreys' prior.  If $p$ is the truth it is a martingale that starts at 1, and by Ville's inequality it ever reaches
$1/\alpha$ with the chance $\alpha$ at most. Nothing is approximated; what is supposed is that items come in no
particular order, so that each is a fair draw.

Robbins, H. (1970). Statistical methods related to the law of the iterated logarithm. Annals of Mathematical
Statistics 41(5), 1397-1409.
Waudby-Smith, I. & Ramdas, A. (2024). Estimating means of bounded random variables by betting. Journal of the Royal
Statistical Society B 86(1), 1-27.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from interagree.errors import KindError
from interagree.stats.engine.shares import check_level


class FirstTwo(NamedTuple):
    """How often the first two labels of an item agree, with an interval that holds however often one looks."""

    agree: int
    items: int
    low: float
    high: float
    level: float

    @property
    def value(self) -> float:
        """The share that agrees; nan before the first item has two labels."""
        return self.agree / self.items if self.items else math.nan

    def __str__(self) -> str:
        if not self.items:
            return "no item has two labels yet"
        return (
            f"{self.value:.3f}, {self.level:.0%} at all times {self.low:.3f} to {self.high:.3f} "
            f"({self.agree:,} of {self.items:,} items)"
        )


def always(agree: int, items: int, level: float = 0.95) -> tuple[float, float]:
    """The confidence sequence after so many items, of which so many agree."""
    check_level(level)
    if not 0 <= agree <= items:
        raise KindError(f"of {items} items, between 0 and {items} can agree; got {agree}")
    if not items:
        return 0.0, 1.0
    differ = items - agree
    # The least log-likelihood that p may have: that of the mixture, less log(1/alpha).
    least = _log_beta(agree + 0.5, differ + 0.5) - _log_beta(0.5, 0.5) + math.log(1 - level)

    def likely(p: float) -> bool:
        return (agree * math.log(p) if agree else 0.0) + (differ * math.log1p(-p) if differ else 0.0) > least

    middle = agree / items
    low = 0.0 if not agree else _edge(0.0, middle, likely)
    high = 1.0 if not differ else 1 - _edge(0.0, 1 - middle, lambda q: likely(1 - q))
    return low, high


def _edge(outside: float, inside: float, likely: Callable[[float], bool]) -> float:
    for _ in range(60):  # halved sixty times, the rest is below rounding
        middle = (outside + inside) / 2
        if 0 < middle < 1 and likely(middle):
            inside = middle
        else:
            outside = middle
    return outside


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
