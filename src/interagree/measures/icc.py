r"""Intraclass correlation.

$$ICC(2,1) = \frac{MS_R - MS_E}{MS_R + (k-1)\, MS_E + \frac{k}{n} (MS_C - MS_E)}$$

How much of the variance of numbers is between items ($MS_R$: the mean square between items, $MS_C$ between
annotators, $MS_E$ what is left, $MS_W$ within items; $n$ items, $k$ annotators).  Six forms, named as
Shrout and Fleiss do:

| form | annotators | of one number | of the mean of $k$ |
|---|---|---|---|
| 1 | different ones for each item | $\frac{MS_R - MS_W}{MS_R + (k-1) MS_W}$ | $\frac{MS_R - MS_W}{MS_R}$ |
| 2 | a sample, the same for each item | above | $\frac{MS_R - MS_E}{MS_R + (MS_C - MS_E)/n}$ |
| 3 | these and no others | $\frac{MS_R - MS_E}{MS_R + (k-1) MS_E}$ | $\frac{MS_R - MS_E}{MS_R}$ |

Form 2 is about *absolute* agreement; form 3 about *consistency*, so that a constant bias does not count.
McGraw and Wong call ICC(2,·) and ICC(3,·) ICC(A,·) and ICC(C,·).  Their intervals, from the F distribution, and the F
test of the items are given by ``method="analytic"``; they suppose normal numbers, and on scales with five points of
which one is common, or where single items lie far out, they hold the true value in .7 to .9 of studies, not .95.

**A denominator below zero.**  $(MS_C - MS_E)/n$ estimates a variance and may be negative; where the items hardly
differ it can take the denominator of ICC(2,k) with it (no other form can lose its own this way).  Numerator and
denominator are then both negative, and their ratio is a positive number, often above 1, for tables in which items
share nothing.  Packages that apply the formula print it; here the coefficient is undefined, and the reason names the
ratio.  A bound of the interval whose denominator is not positive is minus infinity, and an estimate below zero is left
as it is.

**Gaps and repeated judgements.**  Where not every annotator gave every item one number, the variances of items, of
annotators and of what is left are those of restricted maximum likelihood, from all annotations; of a full table they
are what the mean squares say.  So ICC(1,1) is for items with annotators of their own, as Shrout and Fleiss meant it,
and need not know who they are.  Form 2 takes annotators for a sample and form 3 for these and no others; both need
annotators who annotated several items.  $k$ is then the harmonic mean of the numbers of annotations of an item.
Estimates of variance below zero are kept here, too.  Of an annotator who judged an item repeatedly the mean counts, and
how far the judgements differ adds to what is left, so that a form 1 is that of a single judgement.

Shrout, P. E. & Fleiss, J. L. (1979). Intraclass correlations: Uses in assessing rater reliability.
Psychological Bulletin 86(2), 420-428. McGraw, K. O. & Wong, S. P. (1996). Forming inferences about some
intraclass correlation coefficients. Psychological Methods 1(1), 30-46. For gaps: Patterson, H. D. & Thompson, R.
(1971). Recovery of inter-block information when block sizes are unequal. Biometrika 58(3), 545-554.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, Unpack

import numpy as np

from interagree.arrays import Array
from interagree.data import IntoAnnotations, ReadingOptions, Values
from interagree.declare import UnderChance, measure
from interagree.distances import on_values
from interagree.errors import UnknownName, listing, suggestion
from interagree.results.agreement import Agreement, Interval, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.quantiles import f_quantile, f_tail
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.counts import annotations_of
from interagree.stats.labels.crossed import Annotating, Crossed, unknown, variances
from interagree.stats.labels.matrix import Matrix, is_full

NOTHING = "the numbers differ within items and not between them, so there is no variance for items to share"
Form = Literal["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]
ANNOTATING: dict[str, Annotating] = {"1": "one-way", "2": "random", "3": "fixed"}
FORMS = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")


def of_unrelated_numbers(result: Agreement) -> float:
    """What numbers that tell nothing of the items give on average: 1 - 1/F has the mean -2 / (n - 3)."""
    if str(result.options.get("form")).endswith("1)"):
        return 0.0
    return -2 / (result.n.items - 3) if result.n.items > 3 else math.nan  # F has no mean with fewer


@measure(
    "Intraclass correlation",
    "ICC",
    "shrout1979",
    "variance between items",
    under_chance=UnderChance("0; forms of the mean of annotators about -2 / (n - 3) for n items", of_unrelated_numbers),
    identity=True,
    values="numbers",
    range=(-math.inf, 1.0),
    doubling=False,
    named=("form",),
    aliases=("intraclass_correlation", "intraclass_corr"),
)
def icc(
    data: IntoAnnotations, *others: Values, form: Form = "ICC(2,1)", **reading: Unpack[ReadingOptions]
) -> Agreement:
    """The intraclass correlation, in one of its six forms.

    Args:
        data: A study of numbers, or anything `Annotations.of` takes.
        form: ``"ICC(1,1)"`` to ``"ICC(3,k)"``.

    Examples:
        >>> print(ia.icc(ann, bo, cy, form="ICC(2,1)"))
        ICC = 0.873, 95% interval 0.168 to 0.977 (6 items, 3 annotators)
    """
    if form not in FORMS:
        raise UnknownName(
            f"there is no form {form!r} of the intraclass correlation.{suggestion(form, FORMS)} "
            f"(known: {listing(FORMS, quote=False)})"
        )
    study, on, title = annotations_of(data), on_values("interval", None), "the intraclass correlation"
    if not is_full(study):
        return _with_gaps(Crossed.of(study, on, ANNOTATING[form[4]], title=title), form)
    table = Matrix.of(study, on, title=title)
    return estimate(
        icc,
        table,
        lambda t: parts(mean_squares(t), form),
        Published(
            interval=lambda t, level: interval(mean_squares(t), form, level),
            p_value=lambda t: f_test(mean_squares(t), form)[3],
            one_tailed=True,
            details=lambda t: details(t, form),
        ),
        undefined=table.undefined() or _below_zero(table, form),
    )


def _with_gaps(table: Crossed, form: Form) -> Agreement:
    """The coefficient where not every annotator gave every item one number."""

    def of_gaps(t: Crossed) -> Parts:
        v = variances(t)
        error, shared = v.left + v.annotators, v.annotations * v.items
        if form.endswith("1)"):
            error = v.annotations * error
        return Parts(error, shared + error)

    def more(t: Crossed) -> dict[str, object]:
        if t.undefined() or unknown(t):
            return {}
        v = variances(t)
        own = {"variance_annotators": float(v.annotators)} if t.annotating == "random" else {}
        return {"variance_items": float(v.items), **own, "variance_left": float(v.left), "k": float(v.annotations)}

    reason = table.undefined() or unknown(table)
    if reason is None:
        observed, expected, _ = of_gaps(table)
        reason = NOTHING if not (expected > 0 or observed == expected == 0) else None
    return estimate(icc, table, of_gaps, Published(details=more), undefined=reason)


class MeanSquares(NamedTuple):
    """The analysis of variance of a full table of n items and k annotators."""

    items: Array
    annotators: Array
    left: Array
    within: Array
    n: Array
    k: int


def mean_squares(table: Matrix) -> MeanSquares:
    """Mean squares from sums over items, so that many weights go at once."""
    cells = table.centred
    k = cells.shape[1]
    total = cells.sum(axis=1)
    own = cells - total[:, None] / k  # where items are far apart, what is within them must not drown in it
    sums = table.weights.sum(np.column_stack([np.ones(len(cells)), total, total**2, (own**2).sum(axis=1), own]))
    n, whole, rows, within, columns = sums[..., 0], sums[..., 1], sums[..., 2], sums[..., 3], sums[..., 4:]
    between_items = rows / k - whole**2 / (n * k)
    between_annotators = (columns**2).sum(-1) / n
    left = within - between_annotators
    return MeanSquares(
        between_items / (n - 1), between_annotators / (k - 1), left / ((n - 1) * (k - 1)), within / (n * (k - 1)), n, k
    )


def parts(ms: MeanSquares, form: str) -> Parts:
    """Disagreement: the variance that is not between items, and all the variance there is."""
    observed, whole, rounding = _variances(ms, form)
    return Parts(observed, np.where(np.real(whole) > rounding, whole, 0))


def _variances(ms: MeanSquares, form: str) -> tuple[Array, Array, Array]:
    """The variance that is not between items, all the variance there is, and how much of it may be rounding."""
    noise = ms.within if form.startswith("ICC(1") else ms.left
    bias = ms.k / ms.n * (ms.annotators - ms.left) if form.startswith("ICC(2") else 0 * ms.items
    rounding = 1e-13 * np.real(ms.items + ms.annotators + noise)
    if form.endswith("k)"):
        return noise + bias / ms.k, ms.items + bias / ms.k, rounding
    return ms.k * noise + bias, ms.items + (ms.k - 1) * noise + bias, rounding


@np.errstate(over="ignore", invalid="ignore")  # of numbers whose squares are too large `estimate` says so
def _below_zero(table: Matrix, form: str) -> str | None:
    """Why there is no coefficient where its denominator is not positive; None where it is."""
    ms = mean_squares(table)
    if not ms.within > 0 or parts(ms, form).expected > 0:
        return None
    observed, whole, rounding = _variances(ms, form)
    if whole >= -rounding or ms.items <= rounding:
        return NOTHING
    return (
        f"its denominator, MSR + (MSC - MSE)/n, is {float(whole):.4g}: the variance between annotators is estimated as "
        "negative and outweighs that between items, so there is no share of items to tell; the formula applied all the "
        f"same gives {float(1 - observed / whole):.3f}"
    )


def f_test(ms: MeanSquares, form: str) -> tuple[float, float, float, float]:
    """F of the items, its degrees of freedom, and its p-value."""
    one_way = form.startswith("ICC(1")
    noise = ms.within if one_way else ms.left
    df1 = float(ms.n - 1)
    df2 = float(ms.n * (ms.k - 1) if one_way else (ms.n - 1) * (ms.k - 1))
    f = float(ms.items / noise) if noise > 0 else math.inf
    return f, df1, df2, 0.0 if math.isinf(f) else f_tail(f, df1, df2)


def interval(ms: MeanSquares, form: str, level: float) -> Interval | None:
    """The interval from the F distribution (Shrout and Fleiss 1979; McGraw and Wong 1996).

    None where the items do not differ at all, so that F is 0 and its bounds divide by nothing.
    """
    n, k, tail = float(ms.n), ms.k, 0.5 + level / 2
    f, df1, df2, _ = f_test(ms, form)
    if f == 0:
        return None
    if math.isinf(f):
        return Interval(1.0, 1.0, level, "analytic", math.nan, note="the annotators never differ")
    if form.startswith("ICC(2"):
        single = parts(ms, "ICC(2,1)")
        odds = float((single.expected - single.observed) / single.observed)  # r / (1 - r), also where r is almost 1
        a = k * odds / n
        b = 1 + k * odds * (n - 1) / n
        c, e, s = float(ms.annotators), float(ms.left), float(ms.items)
        v = (a * c + b * e) ** 2 / ((a * c) ** 2 / (k - 1) + (b * e) ** 2 / ((n - 1) * (k - 1)))
        up, down = f_quantile(tail, n - 1, v), f_quantile(tail, v, n - 1)
        low = _below(n * (s - up * e), up * (k * c + (k * n - k - n) * e) + n * s)
        high = _below(n * (down * s - e), k * c + (k * n - k - n) * e + n * down * s)
        if form.endswith("k)"):
            low, high = (_below(k * end, 1 + (k - 1) * end) for end in (low, high))
    else:
        least, most = f / f_quantile(tail, df1, df2), f * f_quantile(tail, df2, df1)
        if form.endswith("k)"):
            low, high = 1 - 1 / least, 1 - 1 / most
        else:
            low, high = (least - 1) / (least + k - 1), (most - 1) / (most + k - 1)
    return Interval(low, high, level, "analytic", math.nan, note="from the F distribution")


def _below(part: float, whole: float) -> float:
    """A bound as a ratio; where there is no whole left, the bound has gone below every number."""
    return part / whole if whole > 0 else -math.inf


def details(table: Matrix, form: str) -> dict[str, object]:
    """The mean squares and the F test."""
    if table.undefined():
        return {}
    ms = mean_squares(table)
    f, df1, df2, p = f_test(ms, form)
    return {
        "MSR": float(ms.items),
        "MSC": float(ms.annotators),
        "MSE": float(ms.left),
        "MSW": float(ms.within),
        "F": f,
        "df1": df1,
        "df2": df2,
        "p": p,
    }
