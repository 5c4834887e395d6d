"""The coefficients from their definitions, by brute force.

Nothing here is clever.  Sums run over every pair of annotations, in exact fractions wherever the distance is
rational, so that these numbers can say who is right when two packages differ.  They share no code with the
package under test and import nothing but the standard library.

A study is taken as its rows: one list of codes for each item, ``None`` where an annotation is missing.  A
distance is a square table over all declared values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from studies import Row

Number = Fraction | float
Table = list[list[Number]]


# Distances


def distances(name: str, values: Sequence[Any], rows: Sequence[Row], **given: float) -> Table:
    """Krippendorff's distances, and those of sets."""
    if name == "ordinal":
        return _ordinal(values, rows)
    pair: dict[str, Callable[[Any, Any], Number]] = {
        "nominal": lambda a, b: Fraction(a != b),
        "interval": lambda a, b: (Fraction(a) - Fraction(b)) ** 2,
        "ratio": lambda a, b: ((Fraction(a) - Fraction(b)) / (Fraction(a) + Fraction(b))) ** 2,
        "circular": lambda a, b: math.sin(math.pi * (a - b) / given["period"]) ** 2,
        "polar": lambda a, b: (
            (Fraction(a) - Fraction(b)) ** 2
            / ((Fraction(a + b) - 2 * Fraction(given["low"])) * (2 * Fraction(given["high"]) - Fraction(a + b)))
        ),
        "jaccard": lambda a, b: 1 - _jaccard(a, b),
        "masi": lambda a, b: 1 - _jaccard(a, b) * _monotonicity(a, b),
    }
    return [[Fraction(0) if a == b else pair[name](a, b) for b in values] for a in values]


def _ordinal(values: Sequence[Any], rows: Sequence[Row]) -> Table:
    # How many annotations lie between two values, each end counted by half?  Only pairable ones count.
    n = [sum(row.count(k) for row in rows if _size(row) > 1) for k in range(len(values))]

    def between(c: int, k: int) -> Number:
        low, high = min(c, k), max(c, k)
        return (sum(n[low : high + 1]) - Fraction(n[low] + n[high], 2)) ** 2

    return [[between(c, k) for k in range(len(values))] for c in range(len(values))]


def _jaccard(a: Sequence[str], b: Sequence[str]) -> Fraction:
    return Fraction(len(set(a) & set(b)), len(set(a) | set(b)))  # equal sets, empty ones too, never come here


def _monotonicity(a: Sequence[str], b: Sequence[str]) -> Fraction:
    here, there = set(a), set(b)
    if here == there:
        return Fraction(1)
    if here <= there or there <= here:
        return Fraction(2, 3)
    return Fraction(1, 3) if here & there else Fraction(0)


def weighed(name: str, values: Sequence[Any]) -> Table:
    """One minus Gwet's agreement weights; words stand at 1, 2, 3, … and numbers where they are."""
    numbers = all(isinstance(value, int | float) for value in values)
    x = [Fraction(value) if numbers else Fraction(i + 1) for i, value in enumerate(values)]
    top, width, both = max(x), max(x) - min(x), max(x) + min(x)
    step = range(len(x))
    table: dict[str, Callable[[int, int], Number]] = {
        "identity": lambda k, m: Fraction(k != m),
        "linear": lambda k, m: abs(x[k] - x[m]) / width,
        "quadratic": lambda k, m: ((x[k] - x[m]) / width) ** 2,
        "radical": lambda k, m: math.sqrt(abs(x[k] - x[m]) / width),
        "ratio": lambda k, m: ((x[k] - x[m]) / (x[k] + x[m])) ** 2 / (width / both) ** 2,
        "ordinal": lambda k, m: Fraction((abs(k - m) + 1) * abs(k - m), 2),
        "circular": lambda k, m: math.sin(math.pi * float(x[k] - x[m]) / float(width + 1)) ** 2,
        "bipolar": lambda k, m: (x[k] - x[m]) ** 2 / ((x[k] + x[m] - 2 * min(x)) * (2 * top - x[k] - x[m])),
    }
    raw = [[Fraction(0) if k == m else table[name](k, m) for m in step] for k in step]
    largest = max(max(row) for row in raw) if name in {"ordinal", "circular", "bipolar"} else Fraction(1)
    return [[cell / largest for cell in row] for row in raw]


# Coefficients


def alpha(rows: Sequence[Row], d: Table) -> Number:
    """Krippendorff's alpha: pairs within items against all pairs."""
    pairable = [_given(row) for row in rows if _size(row) > 1]
    everything = [code for item in pairable for code in item]
    n = len(everything)
    observed = sum(sum(d[a][b] for a, b in permutations(item, 2)) / (len(item) - 1) for item in pairable) / n
    expected = sum(d[a][b] for a, b in permutations(everything, 2)) / (n * (n - 1))
    return 1 - observed / expected


def percent(rows: Sequence[Row], d: Table) -> Number:
    """The mean, over items with two annotations or more, of the agreement of two annotations of the item."""
    return 1 - _observed(rows, d)


def fleiss_kappa(rows: Sequence[Row], d: Table) -> Number:
    """Fleiss' kappa with Gwet's shares: each item with an annotation counts once."""
    p = _shares(rows, len(d))
    return 1 - _observed(rows, d) / _meeting(p, p, d)


def conger_kappa(rows: Sequence[Row], d: Table) -> Number:
    """Conger's kappa: chance is the mean over pairs of annotators, each drawing from her own shares."""
    p = [_own_shares(rows, a, len(d)) for a in range(len(rows[0]))]
    pairs = list(combinations(p, 2))
    return 1 - _observed(rows, d) / (sum(_meeting(one, other, d) for one, other in pairs) / len(pairs))


def light_kappa(rows: Sequence[Row], d: Table) -> Number:
    """The mean of Cohen's kappa over the pairs of annotators, for complete studies."""
    pairs = list(combinations(range(len(rows[0])), 2))
    return sum(conger_kappa([[row[a], row[b]] for row in rows], d) for a, b in pairs) / len(pairs)


def bennett_s(rows: Sequence[Row], d: Table) -> Number:
    """Bennett's S, Brennan and Prediger's kappa: chance gives each declared value alike."""
    p = [Fraction(1, len(d))] * len(d)
    return 1 - _observed(rows, d) / _meeting(p, p, d)


def ac2(rows: Sequence[Row], d: Table) -> Number:
    """Gwet's AC2, and AC1 when all different values are one apart."""
    q, p = len(d), _shares(rows, len(d))
    total = sum(1 - cell for row in d for cell in row)
    expected = 1 - total * sum(share * (1 - share) for share in p) / (q * (q - 1))
    return 1 - _observed(rows, d) / expected


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


def kendall_w(numbers: Sequence[Sequence[float]]) -> float:
    """Kendall's W of complete ratings, corrected for ties."""
    n, m = len(numbers), len(numbers[0])
    columns = [[row[a] for row in numbers] for a in range(m)]
    ranks = [[_rank(value, column) for value in column] for column in columns]
    sums = [sum(ranks[a][i] for a in range(m)) for i in range(n)]
    mean = sum(sums) / Fraction(n)
    spread = sum((total - mean) ** 2 for total in sums)
    ties = sum(column.count(value) ** 3 - column.count(value) for column in columns for value in set(column))
    return float(12 * spread / (m**2 * (n**3 - n) - m * ties))


def lin_ccc(numbers: Sequence[Sequence[float]]) -> float:
    """Lin's concordance correlation of two annotators, with moments over n as Lin (1989) has them."""
    n = len(numbers)
    x, y = ([Fraction(row[a]) for row in numbers] for a in (0, 1))
    mx, my = sum(x) / n, sum(y) / n
    sxx, syy = sum((a - mx) ** 2 for a in x) / n, sum((b - my) ** 2 for b in y) / n
    sxy = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / n
    return float(2 * sxy / (sxx + syy + (mx - my) ** 2))


def icc(numbers: Sequence[Sequence[float]]) -> dict[str, float]:
    """The six intraclass correlations of Shrout and Fleiss (1979) from the mean squares."""
    n, k = len(numbers), len(numbers[0])
    x = [[Fraction(value) for value in row] for row in numbers]
    grand = sum(map(sum, x)) / (n * k)
    items = [sum(row) / k for row in x]
    annotators = [sum(row[a] for row in x) / n for a in range(k)]
    between = k * sum((mean - grand) ** 2 for mean in items)
    within = sum((value - mean) ** 2 for row, mean in zip(x, items, strict=True) for value in row)
    raters = n * sum((mean - grand) ** 2 for mean in annotators)
    bms, wms, jms = between / (n - 1), within / (n * (k - 1)), raters / (k - 1)
    ems = (within - raters) / ((n - 1) * (k - 1))
    forms = {
        "ICC(1,1)": (bms - wms) / (bms + (k - 1) * wms),
        "ICC(2,1)": (bms - ems) / (bms + (k - 1) * ems + k * (jms - ems) / n),
        "ICC(3,1)": (bms - ems) / (bms + (k - 1) * ems),
        "ICC(1,k)": (bms - wms) / bms,
        "ICC(2,k)": (bms - ems) / (bms + (jms - ems) / n),
        "ICC(3,k)": (bms - ems) / bms,
    }
    return {form: float(value) for form, value in forms.items()}


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


def _rank(value: float, column: Sequence[float]) -> Fraction:
    below, equal = sum(other < value for other in column), column.count(value)
    return below + Fraction(equal + 1, 2)


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
