"""Distances of two values, as their authors write them, and those behind Gwet's weights.

Krippendorff, K. (2004). Content Analysis, 2nd ed. Sage. Chapter 11.  Gwet, K. L. (2014). Handbook of Inter-Rater
Reliability, 4th ed. Chapter 3.  Passonneau, R. (2006). Measuring agreement on set-valued items (MASI). LREC, 831-836.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypedDict

from interagree.reference.rows import Cells, all_values

Distance = Callable[[Any, Any], Fraction]


class ScaleOptions(TypedDict, total=False):
    """The options of coefficients of labels, which mean what they mean in `interagree.measures`.

    ``distance`` and ``weights`` are names or functions of two values; ``values`` are all that could have been given,
    in their order, and by default those that were.
    """

    distance: str | Callable[[Any, Any], Any] | None
    weights: str | Callable[[Any, Any], Any] | None
    values: Sequence[Any] | None


def nominal(a: Any, b: Any) -> Fraction:
    """δ = 0 for equal values, else 1."""
    return Fraction(a != b)


def linear(a: Any, b: Any) -> Fraction:
    """δ = |a - b|."""
    return abs(Fraction(a) - Fraction(b))


def interval(a: Any, b: Any) -> Fraction:
    """δ = (a - b)²."""
    return (Fraction(a) - Fraction(b)) ** 2


def radical(a: Any, b: Any) -> Fraction:
    """δ = √|a - b|."""
    return Fraction(math.sqrt(abs(a - b)))


def ratio(a: Any, b: Any) -> Fraction:
    """δ = ((a - b) / (a + b))²."""
    return ((Fraction(a) - Fraction(b)) / (Fraction(a) + Fraction(b))) ** 2 if a != b else Fraction(0)


def gwet_ordinal(a: int, b: int) -> Fraction:
    """δ = C(|a - b| + 1, 2), of places on a scale."""
    return Fraction(math.comb(abs(a - b) + 1, 2))


def circular(period: float) -> Distance:
    """δ = sin²(π (a - b) / period)."""
    return lambda a, b: Fraction(math.sin(math.pi * (a - b) / period) ** 2) if a != b else Fraction(0)


def polar(low: float, high: float) -> Distance:
    """δ = (a - b)² / ((a + b - 2 low) (2 high - a - b))."""
    ends = 2 * Fraction(low), 2 * Fraction(high)

    def distance(a: Any, b: Any) -> Fraction:
        both = Fraction(a) + Fraction(b)
        return interval(a, b) / ((both - ends[0]) * (ends[1] - both)) if a != b else Fraction(0)

    return distance


def ordinal(given: Iterable[Any]) -> Distance:
    """δ = (n_a / 2 + those between + n_b / 2)², n_k being how often k was given."""
    numbers = list(given)

    def distance(a: Any, b: Any) -> Fraction:
        low, high = min(a, b), max(a, b)
        ends = Fraction(numbers.count(low) + numbers.count(high), 2)
        return (sum(1 for number in numbers if low <= number <= high) - ends) ** 2

    return distance


def jaccard(a: frozenset[Any], b: frozenset[Any]) -> Fraction:
    """δ = 1 - |A ∩ B| / |A ∪ B|."""
    return 1 - Fraction(len(a & b), len(a | b)) if a | b else Fraction(0)


def dice(a: frozenset[Any], b: frozenset[Any]) -> Fraction:
    """δ = 1 - 2 |A ∩ B| / (|A| + |B|)."""
    return 1 - Fraction(2 * len(a & b), len(a) + len(b)) if a | b else Fraction(0)


def masi(a: frozenset[Any], b: frozenset[Any]) -> Fraction:
    """δ = 1 - J M: M is 1 for equal sets, 2/3 where one holds the other, 1/3 where they overlap."""
    if a == b:
        return Fraction(0)
    holds = Fraction(2, 3) if a <= b or b <= a else Fraction(1, 3)
    return 1 - (1 - jaccard(a, b)) * holds


def passonneau2004(a: frozenset[Any], b: frozenset[Any]) -> Fraction:
    """δ = 0, 1/3, 2/3, 1: equal, one holds the other, they overlap, nothing in common."""
    if a == b:
        return Fraction(0)
    return Fraction(1, 3) if a <= b or b <= a else Fraction(2, 3) if a & b else Fraction(1)


def scaled(distance: Distance, values: Sequence[Any]) -> Distance:
    """A distance divided by its largest value."""
    largest = max((distance(a, b) for a in values for b in values), default=Fraction(0))
    return lambda a, b: distance(a, b) / largest if largest else Fraction(0)


NAMED: dict[str, Distance] = {
    "nominal": nominal,
    "linear": linear,
    "interval": interval,
    "radical": radical,
    "ratio": ratio,
    "gwet_ordinal": gwet_ordinal,
    "jaccard": jaccard,
    "dice": dice,
    "masi": masi,
    "passonneau2004": passonneau2004,
}
BEHIND_WEIGHTS = {  # Gwet's weights are one minus a distance over its largest value
    "identity": "nominal",
    "linear": "linear",
    "quadratic": "interval",
    "ordinal": "gwet_ordinal",
    "radical": "radical",
    "ratio": "ratio",
    "circular": "circular:period={width}",
    "bipolar": "polar:low={low},high={high}",
}


def values_of(cells: Cells, values: Sequence[Any] | None = None) -> list[Any]:
    """The values that could have been given: the declared ones, else those that were, sorted."""
    return sorted(set(all_values(cells))) if values is None else list(values)


def distance_on(cells: Cells, scale: ScaleOptions, *, counted: Cells | None = None, bounded: bool = False) -> Distance:
    """The distance of two values that is asked for, if ``bounded`` divided by its largest value.

    Numbers are taken as numbers, and words in their order as 1, 2, 3 …  Krippendorff's ordinal distance counts the
    annotations of ``counted``, by default of all cells.
    """
    declared = values_of(cells, scale.get("values"))
    distance, weights = scale.get("distance") or "nominal", scale.get("weights")
    if callable(weights):
        return lambda a, b: 1 - Fraction(weights(a, b))
    if callable(distance):
        own = distance
        plain: Distance = lambda a, b: Fraction(own(a, b))  # noqa: E731 -- Fractions from any numbers
        return scaled(plain, declared) if bounded else plain
    words = any(isinstance(value, str) for value in declared)
    x = {value: i + 1 if words else value for i, value in enumerate(declared)}
    if weights is not None:
        low, high = (x[declared[0]], x[declared[-1]]) if declared else (0, 1)
        distance = BEHIND_WEIGHTS[weights].format(low=low, high=high, width=high - low + 1)
    name, _, spelled = distance.partition(":")
    given = {key: float(number) for key, _, number in (part.partition("=") for part in spelled.split(",") if part)}
    if name == "gwet_ordinal":
        x = {value: i for i, value in enumerate(declared)}
    if name == "ordinal":
        chosen = ordinal(x[value] for value in all_values(cells if counted is None else counted))
    else:
        chosen = circular(**given) if name == "circular" else polar(**given) if name == "polar" else NAMED[name]
    on_scale: Distance = lambda a, b: chosen(x[a], x[b])  # noqa: E731 -- of the places of two values
    return scaled(on_scale, declared) if bounded or weights is not None else on_scale
