"""The coefficients from their definitions, and the standard errors of some of them.

The values are those of `interagree.reference`, which needs nothing but the standard library and shares no code with
the measures.  The errors are worked out here, in exact fractions wherever the distance is rational.

A study is taken as its rows: one list of codes for each item, ``None`` where an annotation is missing.  A
distance is a square table over all declared values.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

from studies import ANNOTATORS, Row, Study

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))  # of this tree, whatever is installed

from interagree import reference
from interagree.reference.distances import distance_on
from interagree.reference.rows import cells_of, paired

Number = Fraction | float
Table = list[list[Number]]


def rows_of(study: Study) -> list[tuple[int, str, Any]]:
    """A study as rows of item, annotator and value."""
    values = values_of(study)
    return [
        (item, who, values[code])
        for item, row in enumerate(study.rows)
        for who, code in zip(ANNOTATORS, row, strict=False)
        if code is not None
    ]


def values_of(study: Study) -> list[Any]:
    """The declared values, sets as sets."""
    return [frozenset(value) if isinstance(value, list) else value for value in study.values]


def value_of(study: Study, measure: str, options: dict[str, Any]) -> float:
    """A coefficient of a study."""
    declared = {} if measure in OF_NUMBERS else {"values": values_of(study)}
    value = getattr(reference, measure)(rows_of(study), **options, **declared)
    if value is None:
        raise ZeroDivisionError(f"{measure} of {study.name} is undefined")
    return float(value)


OF_NUMBERS = {"icc", "f_score", "kendall_w", "lin_ccc"}  # declared values are nothing to these


def table(study: Study, options: dict[str, Any]) -> Table:
    """The distances of all declared values that the options ask for."""
    cells, values = cells_of(rows_of(study)), values_of(study)
    scale = {key: options[key] for key in ("distance", "weights") if key in options}
    distance = distance_on(cells, {**scale, "values": values}, counted=paired(cells))
    return [[distance(a, b) for b in values] for a in values]


# Standard errors


def alpha_error(rows: Sequence[Row], d: Table) -> float:
    """The standard error of alpha by linearisation: how alpha moves when one item weighs a little more.

    With R the number of annotations, s the disagreement of an item and r its size, the observed disagreement
    is the sum of s over R and the shares are the counts over R, so one item changes them by
    (s - r * observed) / R and (counts - r * shares) / R.  The rest is the chain rule.  Gwet's factor
    n / (n - 1) is kept.
    """
    items = [_given(row) for row in rows if _size(row) > 1]
    n, total = len(items), sum(len(item) for item in items)
    p = [Fraction(sum(item.count(k) for item in items), total) for k in range(len(d))]
    s = [sum(d[a][b] for a, b in permutations(item, 2)) / (len(item) - 1) for item in items]
    observed, expected = sum(s) / total, _meeting(p, p, d)
    far = [sum(p[m] * d[k][m] for m in range(len(d))) for k in range(len(d))]
    moves = [
        -(
            (s_i - len(item) * observed) / expected
            - observed / expected**2 * 2 * (sum(far[k] for k in item) - len(item) * expected)
        )
        * Fraction(n, total)
        for item, s_i in zip(items, s, strict=True)
    ]
    return math.sqrt(sum(move**2 for move in moves) / (n * (n - 1)))


def cohen_error(rows: Sequence[Row], d: Table) -> float:
    """The error of Fleiss, Cohen and Everitt (1969) for Cohen's kappa: the same linearisation, over n."""
    n, q = len(rows), range(len(d))
    pairs = [(a, b) for a, b in rows if a is not None and b is not None]
    first, second = _own_shares(rows, 0, len(d)), _own_shares(rows, 1, len(d))
    observed, expected = sum(d[a][b] for a, b in pairs) / n, _meeting(first, second, d)
    moves = [
        (d[a][b] - observed) / expected
        - observed
        / expected**2
        * (sum(second[m] * d[a][m] for m in q) + sum(first[k] * d[k][b] for k in q) - 2 * expected)
        for a, b in pairs
    ]
    return math.sqrt(sum(move**2 for move in moves)) / n


def scott_error(rows: Sequence[Row], d: Table) -> float:
    """The standard error of Scott's pi of two annotators who saw everything, over n."""
    n, p = len(rows), _shares(rows, len(d))
    pairs = [(a, b) for a, b in rows if a is not None and b is not None]
    observed, expected = sum(d[a][b] for a, b in pairs) / n, _meeting(p, p, d)
    far = [sum(p[m] * d[k][m] for m in range(len(d))) for k in range(len(d))]
    moves = [
        (d[a][b] - observed) / expected - observed / expected**2 * (far[a] + far[b] - 2 * expected) for a, b in pairs
    ]
    return math.sqrt(sum(move**2 for move in moves)) / n


def bennett_error(rows: Sequence[Row], d: Table) -> float:
    """The standard error of Bennett's S of a complete study: chance is fixed, so only agreement moves."""
    n, p = len(rows), [Fraction(1, len(d))] * len(d)
    observed, expected = _observed(rows, d), _meeting(p, p, d)
    moves = [(_observed([row], d) - observed) / expected for row in rows]
    return math.sqrt(sum(move**2 for move in moves) / (n * (n - 1)))


def _observed(rows: Sequence[Row], d: Table) -> Number:
    pairable = [_given(row) for row in rows if _size(row) > 1]
    means = [sum(d[a][b] for a, b in permutations(i, 2)) / (len(i) * (len(i) - 1)) for i in pairable]
    return sum(means) / len(means)


def _shares(rows: Sequence[Row], values: int) -> list[Fraction]:
    one = Fraction(1, len(rows))
    return [sum((Fraction(row.count(k), _size(row)) for row in rows), Fraction(0)) * one for k in range(values)]


def _own_shares(rows: Sequence[Row], annotator: int, values: int) -> list[Fraction]:
    given = _given([row[annotator] for row in rows])
    return [Fraction(given.count(k), len(given)) for k in range(values)]


def _meeting(p: Sequence[Number], r: Sequence[Number], d: Table) -> Number:
    return sum(p[k] * r[m] * d[k][m] for k in range(len(d)) for m in range(len(d)))


def _given(row: Row) -> list[int]:
    return [code for code in row if code is not None]


def _size(row: Row) -> int:
    return len(_given(row))


# Student's t


def t_two_sided(t: float, df: int) -> float:
    """The probability of a t at least as far from zero."""
    return _beta_share(df / (df + t * t), df / 2, 0.5)


def t_quantile(level: float, df: int) -> float:
    """The t that a two-sided interval of this level reaches out to, by bisection."""
    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if t_two_sided(middle, df) > 1 - level else (low, middle)
    return (low + high) / 2


def _beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    fraction = 0.0
    for step in reversed(list(_beta_steps(x, a, b))):
        fraction = step / (1 + fraction)
    return front / (1 + fraction)


def _beta_steps(x: float, a: float, b: float) -> Iterator[float]:
    for m in range(200):
        if m:
            yield m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        yield -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
