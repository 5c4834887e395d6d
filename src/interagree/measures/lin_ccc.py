r"""Lin's concordance correlation coefficient.

$$\rho_c = \frac{2\, s_{12}}{s_1^2 + s_2^2 + (\bar x_1 - \bar x_2)^2}$$

How close the pairs of numbers of two annotators lie to the line through zero at 45 degrees: Pearson's
correlation, less for every shift or stretch between the two.  Variances and covariance divide by $n$, as in
Lin (1989).  ``method="analytic"`` gives the interval on Fisher's scale with Lin's variance in its corrected form of
2000, for normal numbers; where a value is rare it is far too short.

Lin, L. I.-K. (1989). A concordance correlation coefficient to evaluate reproducibility. Biometrics 45(1), 255-268.
"""

from __future__ import annotations

import math
from typing import Unpack

import numpy as np

from interagree.arrays import Array
from interagree.data import IntoAnnotations, ReadingOptions, Values
from interagree.declare import TWO_ANNOTATORS, measure
from interagree.distances import on_values
from interagree.errors import Advice, KindError, Wording, listing, only
from interagree.results.agreement import Agreement, Interval, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.quantiles import t_quantile, t_tail
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.matrix import Matrix


@measure(
    "Lin's concordance",
    "ρc",
    "lin1989",
    "independent numbers",
    **TWO_ANNOTATORS,
    values="numbers",
    aliases=("ccc", "lin", "concordance_correlation"),
)
def lin_ccc(data: IntoAnnotations, *others: Values, **reading: Unpack[ReadingOptions]) -> Agreement:
    """Lin's concordance correlation coefficient of two annotators' numbers.

    Args:
        data: A study of numbers by two annotators, or anything `Annotations.of` takes.

    Examples:
        >>> ann = [1, 2, 3, 4, 5, 2]
        >>> bo = [1, 2, 4, 4, 5, 1]
        >>> print(ia.lin_ccc(ann, bo))
        ρc = 0.922, 95% interval -0.219 to 0.996 (6 items, 2 annotators)
    """
    table = Matrix.of(data, on_values("interval", None), title="Lin's concordance")
    if len(table.annotators) > 2:
        raise KindError(
            Advice.of(
                f"Lin's concordance is for two annotators, and the study has {len(table.annotators)} "
                f"({listing(table.annotators, most=6)}); take ",
                Wording("icc", "-m icc"),
                ", or choose two: ",
                only(...),
            )
        )
    return estimate(lin_ccc, table, parts, Published(interval=interval, p_value=p_value, details=details))


def moments(table: Matrix) -> tuple[Array, Array, Array, Array]:
    """The difference of the two means, the variances and the covariance, dividing by n."""
    # Less the median of each, which is one of the numbers: constant numbers then have no variance at all.
    middle = np.sort(table.cells, axis=0)[len(table.cells) // 2]
    x, y = (table.cells - middle).T
    sums = table.weights.sum(np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y]))
    n = sums[..., 0]
    first, second, xx, yy, xy = (sums[..., i] / n for i in range(1, 6))
    gap = first - second + (middle[0] - middle[1])
    return gap, xx - first**2, yy - second**2, xy - first * second


def parts(table: Matrix) -> Parts:
    """The mean squared difference of the two, as observed and as if they were independent."""
    gap, xx, yy, _ = moments(table)
    chance = xx + yy + gap**2
    sums = table.weights.sum(np.column_stack([np.ones(len(table.cells)), np.diff(table.cells)[:, 0] ** 2]))
    n, squares = sums[..., 0], sums[..., 1]
    return Parts(squares / n, np.where(np.real(n) > 1.5, chance, 0))  # one item has no variance


def _fisher(table: Matrix) -> tuple[float, float, float]:
    """Concordance, and on Fisher's scale its value and standard error."""
    gap, xx, yy, xy = (float(part) for part in moments(table))
    whole = xx + yy + gap**2
    c = 2 * xy / whole
    n = table.n.items
    if n < 3 or xx * yy <= 0 or abs(c) >= 1:
        return c, math.nan, math.nan
    root = math.sqrt(xx * yy)
    r, shift = xy / root, gap**2 / root
    accuracy = 2 * root / whole  # c / r, which there is also where both are 0
    variance = (
        (1 - r**2) * accuracy**2 / (1 - c**2)
        + 2 * c**2 * accuracy * (1 - c) * shift / (1 - c**2) ** 2
        - c**2 * accuracy**2 * shift**2 / (2 * (1 - c**2) ** 2)
    ) / (n - 2)
    return c, math.atanh(c), math.sqrt(max(variance, 0))


def interval(table: Matrix, level: float) -> Interval | None:
    """The interval on Fisher's scale, brought back; None where there is no error to make it from."""
    c, z, error = _fisher(table)
    if abs(c) >= 1:
        return Interval(c, c, level, "analytic", math.nan, note="no item differs from the others")
    if math.isnan(error):
        return None
    reach = t_quantile(0.5 + level / 2, math.inf) * error
    return Interval(
        math.tanh(z - reach), math.tanh(z + reach), level, "analytic", error * (1 - c**2), note="on Fisher's scale"
    )


def p_value(table: Matrix) -> float | None:
    """The two-sided test against zero on Fisher's scale."""
    _, z, error = _fisher(table)
    return t_tail(z / error, math.inf) if error > 0 else None


def details(table: Matrix) -> dict[str, object]:
    """Pearson's correlation, and how far shift and stretch lower it."""
    if table.undefined():
        return {}
    gap, xx, yy, xy = (float(part) for part in moments(table))
    if xx * yy <= 0:
        return dict.fromkeys(("pearson", "accuracy", "shift", "stretch"), math.nan)
    root = math.sqrt(xx * yy)
    return {
        "pearson": xy / root,
        "accuracy": 2 * root / (xx + yy + gap**2),
        "shift": gap / math.sqrt(root),
        "stretch": math.sqrt(xx / yy),
    }
