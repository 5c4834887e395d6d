"""What does SPA cost beside the paper's formulas written down as they stand, one item and one pair at a time?

Five values, items with two to ten annotations.  The loop knows `flat` and the paper's inverse variance with its
sums over counts; ours counts patterns and knows the variance in closed form.  Both start from one list of labels
for each item.
"""

from __future__ import annotations

import sys
from itertools import combinations
from math import comb, factorial
from typing import Any

import harness
import numpy as np

VALUES = 5


def labels(items: int) -> list[list[int]]:
    """One list of labels for each item."""
    rng = np.random.default_rng(items)
    size = rng.integers(2, 11, items)
    truth = rng.integers(0, VALUES, items)
    drawn = np.where(rng.random((items, 10)) < 0.7, truth[:, None], rng.integers(0, VALUES, (items, 10)))
    return [row[:n].tolist() for row, n in zip(drawn, size.tolist(), strict=True)]


def columns(given: list[list[int]]) -> dict[str, Any]:
    """The same as a table."""
    size = [len(row) for row in given]
    place = np.concatenate([np.arange(n) for n in size])
    return {"item": np.repeat(np.arange(len(given)), size), "annotator": place, "value": np.concatenate(given)}


def variance(n: int) -> float:
    """The paper's equation 20, with its misprints mended: even shares, a sum over the counts of two values."""
    pairs = n * (n - 1) / 2
    square = 0.0
    for one in range(n + 1):
        own = comb(n, one) * (VALUES - 1) ** (n - one) / VALUES**n
        square += VALUES * own * (one * (one - 1) / 2) ** 2
        for two in range(n - one + 1):
            ways = factorial(n) / (factorial(one) * factorial(two) * factorial(n - one - two))
            both = ways * (VALUES - 2) ** (n - one - two) / VALUES**n
            square += VALUES * (VALUES - 1) * both * (one * (one - 1) / 2) * (two * (two - 1) / 2)
    return square / pairs**2 - 1 / VALUES**2


def interagree(items: int, weigh: str) -> Any:
    """Ours, from the table to the value."""
    import interagree as ia

    table = columns(labels(items))
    ia.spa(columns(labels(100)))  # what is imported late is imported now
    return lambda: [ia.spa(table, weigh=weigh).value]


def with_interval(items: int, weigh: str) -> Any:
    """Ours, with the standard error and the interval."""
    import interagree as ia

    table = columns(labels(items))
    ia.spa(columns(labels(100))).interval()

    def timed() -> list[float]:
        found = ia.spa(table, weigh=weigh)
        found.interval()
        return [found.value]

    return timed


def loop(items: int, weigh: str) -> Any:
    """The formulas as they stand."""
    given = labels(items)

    def timed() -> list[float]:
        top = bottom = 0.0
        for row in given:
            pairs = list(combinations(row, 2))
            agree = sum(one == two for one, two in pairs) / len(pairs)
            k = 1.0 if weigh == "flat" else 1 / variance(len(row))
            top += k * agree
            bottom += k
        return [top / bottom]

    return timed


def main() -> None:
    """A thousand, ten thousand, a hundred thousand items."""
    harness.machine()
    for items in [int(float(size)) for size in sys.argv[1:]] or [10**3, 10**4, 10**5]:
        for weigh in ("flat", "inv_var"):
            rows = [
                harness.run(__file__, case, name=name, items=items, weigh=weigh)
                for case, name in (
                    ("interagree", "interagree"),
                    ("with_interval", "interagree, with interval"),
                    ("loop", "the paper's formulas in a loop"),
                )
            ]
            harness.show(f"SPA, {weigh}, {items:,} items", rows, to="interagree")
            if not any("failed" in row for row in rows):
                print(f"\nThe loop takes {rows[2]['cpu'] / rows[0]['cpu']:.0f} times as long.")


if __name__ == "__main__":
    main()
