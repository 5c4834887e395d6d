r"""How the agreement of one item varies, and how items may be weighed because of it.

The agreement $P$ of an item with $n$ annotations is the share of its pairs that agree: a U-statistic of degree two.
If every annotation is drawn alike, with shares $p_c$, Hoeffding's formula gives its variance at once:

$$\operatorname{Var} P = \frac{4 (n-2)\, \zeta_1 + 2\, \zeta_2}{n (n-1)}, \qquad \zeta_1 = S_3 - S_2^2, \quad
\zeta_2 = S_2 - S_2^2, \quad S_k = \sum_c p_c^k$$

With even shares $\zeta_1 = 0$, so that one over the variance is proportional to $n(n-1)$, the number of pairs,
however many values there are.  Where items differ, the variance of their true agreement, $\tau^2$, is added to it.

Where annotations may agree in part, $s(x, y)$ between 0 and 1, the same formula holds with
$\zeta_1 = E\, s(x,y)\, s(x,z) - E\, s(x,y)\, s(w,z)$ and $\zeta_2 = E\, s^2(x,y) - E\, s(x,y)\, s(w,z)$ over
annotations $w, x, y, z$ of one item.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar, Unpack, cast

import numpy as np

from interagree.arrays import Array, Floats
from interagree.data import ReadingOptions
from interagree.data.types import IntoAnnotations
from interagree.data.values import as_numbers
from interagree.declare import takes_data
from interagree.errors import KindError, UnknownName, listing, suggestion
from interagree.errors.options import checks_options
from interagree.stats.engine.compress import Rows, dense, row_sums
from interagree.stats.labels.counts import Counts

Size = TypeVar("Size", float, Floats)  # how many annotations an item has, or each of many
SCHEMES = ("flat", "annotations", "annotations_m1", "edges", "inv_var", "inv_var_class", "random_effects")

# Over 42 published sets of labels, the median share of the variance of a pair's agreement that lies between items, and
# between the annotations of an item.
TYPICAL_BETWEEN, TYPICAL_WITHIN = 0.10, 0.17


class Moments(NamedTuple):
    """What the variance of an item's agreement depends on, as means over items.

    ``m2`` is the mean of $S_2$, the chance that two annotations of an item agree; ``m3`` that of $S_3$, that an
    annotation agrees with two others; ``m22`` that of $S_2^2$, that two separate pairs both agree.  Where all items
    are alike, ``m22`` is the square of ``m2``.  ``square`` is the mean square of how far two annotations agree,
    which is ``m2`` unless a distance lets them agree in part.
    """

    m2: float
    m3: float
    m22: float
    square: float | None = None

    @property
    def _m22(self) -> float:
        # Its estimate may fall below the square of m2, though no variance is below zero; then items do not differ.
        return self.m22 if math.isnan(self.m22) else max(self.m22, self.m2**2)

    @property
    def between(self) -> float:
        r"""The variance of the true agreement between items, $\tau^2$; not below zero."""
        return self._m22 - self.m2**2

    @property
    def one(self) -> float:
        r"""The variance that one annotation of an item brings, $\zeta_1$; not below zero."""
        found = self.m3 - self._m22
        return found if math.isnan(found) else max(found, 0.0)

    @property
    def two(self) -> float:
        r"""The variance of how far two annotations of an item agree, $\zeta_2$."""
        return (self.m2 if self.square is None else self.square) - self._m22

    def variance(self, n: Size) -> Size:
        """The variance of the agreement of an item with ``n`` annotations, over all items there could be.

        With two annotations ``m2`` is enough to know it, with three ``m2`` and ``m3``.
        """
        count = _counts(n)
        if not math.isnan(self.m22):
            return self.between + self.within(n)
        pair = self.m2 if self.square is None else self.square
        with_three = math.nan if math.isnan(self.m3) else (4 * self.m3 + 2 * pair) / 6 - self.m2**2
        return _like(n, np.select([count == 2, count == 3], [pair - self.m2**2, with_three], math.nan))

    def within(self, n: Size) -> Size:
        """The part of that variance which is not between items: other annotations of the same item."""
        count = _counts(n)
        one = np.where(count > 2, self.one, 0.0)
        return _like(n, (4 * (count - 2) * one + 2 * self.two) / (count * (count - 1)))

    def best(self) -> float:
        """How many annotations an item should have for the least variance at a given number of annotations.

        Infinite where items do not differ: then one item tells as much as many.
        """
        spare = 2 * (self.two - 2 * self.one)
        if self.between <= 0:
            return math.inf
        return max(2.0, 1 + math.sqrt(max(spare, 0.0) / self.between))


def _like(n: Size, variance: Floats) -> Size:
    """A variance as one number where ``n`` is one."""
    return cast("Size", variance if np.ndim(n) else float(variance))


def _counts(n: float | Floats) -> Floats:
    count = as_numbers(n, "the number of annotations of an item")
    if (count < 2).any():
        raise KindError(f"an item with fewer than two annotations has no agreement; got n = {count.min():g}")
    return count


def moments_of(shares: Sequence[float] | Floats) -> Moments:
    """The moments where every item has the same shares."""
    p = np.asarray(shares, dtype=np.float64)
    if p.ndim != 1 or (p < 0).any() or not math.isclose(float(p.sum()), 1, abs_tol=1e-9):
        raise KindError(f"shares are numbers from 0 up that add up to 1, one for each value; got {listing(p.tolist())}")
    second = float((p**2).sum())
    return Moments(second, float((p**3).sum()), second**2)


@checks_options
def variance_of_item_agreement(n: Size, p: Sequence[float] | Floats | Moments) -> Size:
    """The variance of the agreement of an item with ``n`` annotations drawn with shares ``p``, all items alike.

    Args:
        n: How many annotations the item has, two or more; or an array of such numbers.
        p: The share of each value; or `Moments`, where items differ.
    """
    return (p if isinstance(p, Moments) else moments_of(p)).variance(n)


class RowSums(NamedTuple):
    """For each row of counts, sums over its annotations, no annotation taken twice.

    ``pairs`` sums over two of them how far they agree, ``squares`` the square of that, and ``threes`` over three of
    them how far the first agrees with the second times how far it agrees with the third.
    """

    pairs: Floats
    squares: Floats
    threes: Floats


def pair_sums(rows: Rows, near: Floats | None = None) -> RowSums:
    """The sums of rows of counts.

    Args:
        rows: Items × values.
        near: How far two values agree, ones on its diagonal; by default equal ones do and others do not.
    """
    n = row_sums(rows)
    if near is None:
        second, third = (row_sums(rows**k if isinstance(rows, np.ndarray) else rows.power(k)) for k in (2, 3))
        pairs = second - n
        return RowSums(pairs, pairs, third - 3 * second + 2 * n)
    counts = dense(rows)
    others = counts @ near - 1  # how far an annotation agrees with all others of its item
    squares = row_sums((counts @ near**2) * counts) - n
    return RowSums(row_sums(counts * others), squares, row_sums(counts * others**2) - squares)


@takes_data
def item_moments(
    data: IntoAnnotations | Counts, near: Floats | None = None, **reading: Unpack[ReadingOptions]
) -> Moments:
    """The moments of a study, each estimated without bias from the items that have enough annotations for it.

    Two are needed for ``m2``, three for ``m3``, four for ``m22``; nan where no item has so many.

    Args:
        data: A study, or anything `Annotations.of` takes.
        near: How far two values agree, a table in the order of the values with ones on its diagonal; by default equal
            ones do and others do not.
    """
    counts = Counts.of(data)
    times, n = counts.weights.matrix(), counts.size
    if near is not None:
        near = as_numbers(near, "a table of agreement")
        if near.shape != (len(counts.values),) * 2:
            raise KindError(
                f"a table of agreement has a row and a column for each of the {len(counts.values)} values, got an "
                f"array of shape {near.shape}"
            )
    pairs, squares, threes = pair_sums(counts.rows, near)

    def mean(per_item: Floats, least: int) -> float:
        falling = np.prod([n - k for k in range(least)], axis=0)
        enough = n >= least
        if not enough.any():
            return math.nan
        return float(times[enough] @ (per_item[enough] / falling[enough]) / times[enough].sum())

    return Moments(
        mean(pairs, 2),
        mean(threes, 3),
        mean(pairs**2 - 4 * threes - 2 * squares, 4),
        None if near is None else mean(squares, 2),
    )


def lean(p: Array, near: Array | None = None) -> Array:
    """How much of the variance of a pair's agreement comes from single annotations, between 0 and 1 (twice ζ1 over ζ2).

    ``near`` says how far two values agree, ones on its diagonal; by default equal ones do and others do not.  Where
    all annotations are alike nothing varies, and every weight gives the same; 1 is as good as any.  Both may have
    leading axes, one entry for each resample.
    """
    # How far an annotation with each value agrees with the next one, and the square of that.
    met, square = (p, p) if near is None else (_met(table, p) for table in (near, near**2))
    mean = (p * met).sum(-1)
    one = (p * met**2).sum(-1) - mean**2
    two = (p * square).sum(-1) - mean**2
    varies = np.real(two) > 1e-15
    share = np.where(varies, 2 * one / np.where(varies, two, 1), 1.0)
    share = np.where(np.real(share) < 0, 0.0, np.where(np.real(share) > 1, 1.0, share))
    return np.asarray(share)


def _met(table: Array, p: Array) -> Array:
    return np.asarray(np.einsum("...kl,...l->...k", table, p))


def weigh(scheme: str, n: Floats, *, r: float | Array = 0.0) -> Floats:
    """The weight of an item with ``n`` annotations, for each of many; an item with fewer than two weighs nothing.

    Args:
        scheme: One of `SCHEMES`, named as in the paper of 2022, and ``random_effects``.
        n: How many annotations each item has.
        r: For ``inv_var_class``: see `lean`.
    """
    if scheme not in SCHEMES:
        raise UnknownName(
            f"no weighing is called {scheme!r}.{suggestion(scheme, SCHEMES)} (known: {listing(SCHEMES, quote=False)})"
        )
    m = np.maximum(n, 2)  # what the formulas say of fewer does not count
    edges = m * (m - 1)
    t, z = TYPICAL_BETWEEN, TYPICAL_WITHIN
    schemes: dict[str, Callable[[], Floats]] = {
        "flat": lambda: np.ones(len(n)),
        "annotations": lambda: m,
        "annotations_m1": lambda: m - 1,
        "edges": lambda: edges,
        "inv_var": lambda: edges,
        "inv_var_class": lambda: edges / (1 + r * (m - 2)),
        "random_effects": lambda: edges / (t * edges + 4 * z * (m - 2) + 2 * (1 - t)),
    }
    return np.where(n >= 2, schemes[scheme](), 0.0)
