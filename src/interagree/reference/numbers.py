"""Coefficients of numbers, from the textbook."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from interagree.reference.labels import two_of
from interagree.reference.rows import Cells, Number, Rows, annotators_of, cells_of, paired, share, total

Table = list[list[Fraction]]  # items × annotators


def table_of(cells: Cells) -> Table | None:
    """The numbers of all items by all annotators; None where one is missing."""
    people = annotators_of(cells)
    if any(len(given) < len(people) for given in cells.values()):
        return None
    return [[Fraction(given[who]) for who in people] for given in cells.values()]


def mean_squares(table: Table) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """MS_R between items, MS_C between annotators, MS_E of what is left, and MS_W within items."""
    n, k = len(table), len(table[0])
    grand = total(map(total, table)) / (n * k)
    item = [total(row) / k for row in table]
    annotator = [total(column) / n for column in zip(*table, strict=True)]
    between = k * total((x - grand) ** 2 for x in item)
    annotators = n * total((x - grand) ** 2 for x in annotator)
    left = total((table[i][j] - item[i] - annotator[j] + grand) ** 2 for i in range(n) for j in range(k))
    within = total((table[i][j] - item[i]) ** 2 for i in range(n) for j in range(k))
    return between / (n - 1), annotators / (k - 1), left / ((n - 1) * (k - 1)), within / (n * (k - 1))


def icc(rows: Rows, *, form: str = "ICC(2,1)") -> Number:
    """The six forms of Shrout and Fleiss from the mean squares of a full table of n items and k annotators.

    A denominator that is not above zero estimates a variance and has no coefficient.  Tables with gaps have no few
    lines: there the variances are those of restricted maximum likelihood.

    Shrout, P. E. & Fleiss, J. L. (1979). Psychological Bulletin 86(2), 420-428.
    """
    table = table_of(cells_of(rows))
    if table is None:
        raise ValueError("the mean squares are those of a full table, and an annotation is missing")
    if len(table) < 2 or len(table[0]) < 2:
        return None
    n, k = len(table), len(table[0])
    r, c, e, w = mean_squares(table)
    over, under = {
        "ICC(1,1)": (r - w, r + (k - 1) * w),
        "ICC(2,1)": (r - e, r + (k - 1) * e + Fraction(k, n) * (c - e)),
        "ICC(3,1)": (r - e, r + (k - 1) * e),
        "ICC(1,k)": (r - w, r),
        "ICC(2,k)": (r - e, r + (c - e) / n),
        "ICC(3,k)": (r - e, r),
    }[form]
    return over / under if under > 0 else None


def rank(number: Any, numbers: Sequence[Any]) -> Fraction:
    """The place of a number among others, ties sharing the mean of their places."""
    below = sum(1 for other in numbers if other < number)
    return below + Fraction(numbers.count(number) + 1, 2)


def kendall_w(rows: Rows) -> Number:
    """W = 12 S / (m² (n³ - n) - m T), S = Σ (R_i - R̄)², T = Σ (t³ - t) over all groups of t tied items.

    With gaps it is made of the mean correlation of ranks, W = (1 + (k - 1) ρ̄) / k.

    Kendall, M. G. & Babington Smith, B. (1939). The Annals of Mathematical Statistics 10(3), 275-287.
    """
    cells = paired(cells_of(rows))
    table = table_of(cells)
    if len(cells) < 2:
        return None
    if table is None:
        return w_with_gaps(cells)
    n, m = len(table), len(table[0])
    columns = [list(column) for column in zip(*table, strict=True)]
    sums = [total(rank(x, column) for x, column in zip(row, columns, strict=True)) for row in table]
    s = total((x - total(sums) / n) ** 2 for x in sums)
    t = sum(column.count(x) ** 3 - column.count(x) for column in columns for x in set(column))
    return share(12 * s, m**2 * (n**3 - n) - m * t)


def w_with_gaps(cells: Cells) -> Number:
    """ρ̄ = Σ_i Σ_{a≠b} d_ia d_ib / Σ_i (k_i - 1) Σ_a d_ia², d_ia how far a rank is from the middle, relative to n_a.

    k is the mean of k_i annotators, items counting by Σ_a d_ia².

    Kendall, M. G. (1962). Rank Correlation Methods, 3rd ed. Griffin.
    """
    numbers = {who: [given[who] for given in cells.values() if who in given] for who in annotators_of(cells)}
    d = [
        [(rank(x, numbers[who]) - Fraction(len(numbers[who]) + 1, 2)) / len(numbers[who]) for who, x in given.items()]
        for given in cells.values()
    ]
    squares = [total(x**2 for x in row) for row in d]
    over = total(x * y for row in d for x, y in permutations(row, 2))
    under = total((len(row) - 1) * square for row, square in zip(d, squares, strict=True))
    if not under:
        return None
    k = 1 + under / total(squares)
    return (1 + (k - 1) * over / under) / k


def lin_ccc(rows: Rows) -> Number:
    """ρ_c = 2 s_12 / (s_1² + s_2² + (x̄_1 - x̄_2)²), moments over n, on the items that both annotated.

    Lin, L. I.-K. (1989). Biometrics 45(1), 255-268.
    """
    cells = paired(two_of(rows))
    if len(cells) < 2:
        return None
    x, y = ([Fraction(given[who]) for given in cells.values()] for who in annotators_of(cells))
    n = len(cells)
    mx, my = total(x) / n, total(y) / n
    sxy = total((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / n
    sxx, syy = total((a - mx) ** 2 for a in x) / n, total((b - my) ** 2 for b in y) / n
    return share(2 * sxy, sxx + syy + (mx - my) ** 2)
