r"""Sparse probability of agreement.

$$SPA = \frac{\sum_i k_i P_i}{\sum_i k_i}, \qquad P_i = \frac{\sum_c n_{ic} (n_{ic} - 1)}{n_i (n_i - 1)}$$

The chance that two annotators of an item agree, for data in which not everybody annotated everything.  $P_i$ is the
share of the pairs of annotations of item $i$ that agree, and $k_i$ how much the item weighs; an item with fewer
than two annotations weighs nothing, and is counted in the notes.  All weighings estimate the same number as long as
how many annotations an item has says nothing about how much its annotators agree; they differ in their error:

| weigh | $k_i$ | has the least error where |
|---|---|---|
| flat | $1$ | items differ much, the annotators of one item little |
| annotations | $n_i$ | both differ |
| annotations_m1 | $n_i - 1$ | both differ, and items have few annotations |
| edges, inv_var | $n_i (n_i - 1)$ | all items are the same, and values even |
| inv_var_class | $n_i (n_i - 1) / (1 + r (n_i - 2))$ | all items are the same, and values uneven |
| random_effects | $n_i (n_i - 1) / (0.1\, n_i (n_i - 1) + 0.68\, (n_i - 2) + 1.8)$ | items differ as they usually do |

*inv_var* is *edges*: with even values the variance of $P_i$ is $2 (C-1) / (C^2\, n_i (n_i - 1))$ for $C$ values,
and its inverse is the number of pairs times a constant, which cancels.  In *inv_var_class*, $r$ is twice the
covariance of whether one annotation agrees with a second and with a third, over the variance of whether two agree,
from the shares of the values among all annotations.  *random_effects* is one over the variance of $P_i$ in a
typical published data set.  Where harder items were given more annotations only *flat* stays right; it is the
default.  The notes say when the data look like that, and the details hold *flat* and *edges* side by side, with the
slope of $P_i$ on $n_i$ and its p-value; ``order="time"``, with an attribute that says which annotation came first,
also compares the first two annotations of each item with all of them.

With ``corrected=True`` chance is taken off, $(SPA - P_e) / (1 - P_e)$, where $P_e$ is the chance that two
annotations of *different* items agree, which unlike that of Fleiss' kappa has no bias:

$$P_e = \frac{\sum_{i \ne j} k_i k_j \sum_c q_{ic}\, q_{jc}}{\sum_{i \ne j} k_i k_j}, \qquad
q_{ic} = \frac{n_{ic}}{n_i}$$

The interval is made on the logit scale, so that it stays between 0 and 1, with
$SE^2 = \frac{I}{I-1} \sum_i k_i^2 (P_i - SPA)^2 / (\sum_i k_i)^2$ for $I$ items.  ``random="both"`` adds the
annotators' share of the error in closed form, ``random="labels"`` is for other annotations of the same items.
Under a distance, two annotations agree by one minus their distance over the largest one; everything above holds but
that *inv_var* has the least error.

Nørregaard, J. & Derczynski, L. (2022). Sparse probability of agreement. arXiv:2208.06161.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, Unpack

import numpy as np

from interagree.arrays import Array, Floats
from interagree.data import Annotations, IntoAnnotations, ReadingOptions, Values
from interagree.declare import UnderChance, measure
from interagree.distances import IntoDistance, IntoWeights, on_values
from interagree.errors import KindError, UnknownName, listing, suggestion
from interagree.references import Reference
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.compress import scaled
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.quantiles import t_tail
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.distance_table import DistanceTable
from interagree.stats.labels.independence import LESS, independent
from interagree.stats.labels.item_agreement import item_moments, lean, pair_sums
from interagree.stats.labels.item_agreement import weigh as weight_of
from interagree.stats.labels.labelled import LabelCounts

IN_WORDS = (
    "the sparse probability of agreement, the chance that two annotators of an item agree; agreement by chance is not "
    "taken off"
)
ONE_ITEM = "chance is that of annotations of different items, and there is one item to compare"
ENOUGH = 5  # items with the same number of annotations, without which a slope means nothing
DIFFERING = 10  # items with any disagreement, without which the error of the corrected coefficient is too small
ALIKE = 1e-12  # agreements of items no further apart than this are the same


PAPER = Reference(
    "article", "Nørregaard, J. & Derczynski, L.", 2022, "Sparse probability of agreement", "arXiv:2208.06161"
)


@measure(
    "Sparse probability of agreement",
    "SPA",
    PAPER,
    "none",
    under_chance=UnderChance(f"0 with corrected; {LESS}", habits=independent),
    range=(-1.0, 1.0),
    named=("weigh", "corrected", "distance", "weights", "order"),
    aliases=("sparse_probability_of_agreement",),
)
def spa(
    data: IntoAnnotations,
    *others: Values,
    weigh: str = "flat",
    corrected: bool = False,
    distance: IntoDistance | None = None,
    weights: IntoWeights | None = None,
    order: str | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """The chance that two annotators of an item agree, where not everybody annotated everything.

    Args:
        weigh: How items are weighed: flat, annotations, annotations_m1, edges, inv_var, inv_var_class or
            random_effects.
        corrected: Whether to take off what two annotations of different items agree by chance.
        distance: How far apart values are; divided by its largest value.
        order: The attribute that says when an annotation was made, or which came first; the first two annotations of
            each item are then compared with all of them.

    Examples:
        >>> cy = ["yes", "no", "yes", None, "no", "no"]
        >>> print(ia.spa(ann, bo, cy))
        SPA = 0.778, 95% interval 0.302 to 0.966 (6 items, 3 annotators)
    """
    on = on_values(distance, weights, scaled=True)
    every_item = Counts.of(data)
    counts = LabelCounts.under(every_item, on, least=2)
    distances = counts.distances
    alone = every_item.frequency - counts.frequency  # what items with one annotation add to the shares of the values

    def strata(c: Counts) -> list[Stratum]:
        if weigh == "inv_var_class":
            return _by_size(c, _lean(c, distances, alone))
        return [Stratum(weight_of(weigh, c.size))]

    def parts(c: LabelCounts) -> Parts:
        weighed = strata(c)
        seen = _seen(c, weighed, distances)
        return Parts(seen, between_items(c, weighed, distances)) if corrected else Parts(seen)

    r = float(_lean(every_item, distances)) if weigh == "inv_var_class" else 0.0
    items = ItemShares.of(counts, weight_of(weigh, counts.size, r=r), distances)
    assumed, notes = assumption(items, counts, order)
    few = int(items.times @ (items.agree < 1 - ALIKE))
    if corrected and few < DIFFERING:
        few_differ = f"few items show any disagreement ({few})"
        notes = (*notes, f"{few_differ}, so its standard error is too small; the default interval allows for it")

    def influence(c: LabelCounts) -> Floats:
        return corrected_influence(items, c, distances) if corrected else items.influence()

    errors: dict[str, Callable[[LabelCounts], tuple[float, float]]] = {}
    if not distances.counted:
        errors["items"] = lambda c: items_error(items, influence(c))
    if not corrected:
        errors |= {"both": lambda c: two_way(items, c), "labels": lambda c: labels_only(items, c)}
    one_item = corrected and counts.n.items == 1
    return estimate(
        spa,
        counts,
        parts,
        Published(
            # The derivative would also do for the corrected form, but lets an item meet itself by chance: leaving that
            # out raises the coverage with ten items from 0.925 to 0.935.  Where the distances depend on how often
            # values occur, they change with the items, and only the derivative knows how.
            influence=None if distances.counted else influence,
            logit=not corrected,
            errors=errors,
            details=lambda _: assumed,
        ),
        notes=notes,
        undefined=ONE_ITEM if one_item else None,
    )


class ItemShares(NamedTuple):
    """What is known of items with the same counts: how many there are, how they weigh, and how far they agree."""

    times: Floats
    n: Floats
    k: Floats
    agree: Floats
    near: Floats | None  # how far two values agree; None where only equal ones do

    @classmethod
    def of(cls, counts: Counts, k: Floats, distances: DistanceTable) -> ItemShares:
        """The items of counts, all with two annotations or more."""
        near = None if distances.distance.equality else 1 - distances.table(counts.frequency)
        n = counts.size
        agree = pair_sums(counts.rows, near).pairs / (n * (n - 1))
        return cls(counts.weights.matrix(), n, k, agree, near)

    @property
    def size(self) -> float:
        return float(self.times.sum())

    @property
    def whole(self) -> float:
        """What all items weigh together."""
        return float(self.times @ self.k)

    @property
    def mean(self) -> float:
        """The agreement of all items as they are weighed."""
        return self.mean_under(self.k)

    @property
    def alike(self) -> bool:
        """Whether all items agree to the same degree, or there are none."""
        return not len(self.agree) or float(np.ptp(self.agree)) < ALIKE

    def mean_under(self, k: Floats) -> float:
        """The agreement of all items under other weights."""
        return float(self.times @ (k * self.agree)) / float(self.times @ k) if len(k) else math.nan

    def influence(self) -> Floats:
        """How the mean moves as items gain weight."""
        return np.zeros(len(self.n)) if self.alike else self.size * self.k * (self.agree - self.mean) / self.whole


class Stratum(NamedTuple):
    """The weight of each pattern, and a factor that may differ between resamples."""

    weight: Floats
    times: Array | float = 1.0


def _lean(counts: Counts, distances: DistanceTable, alone: Floats | float = 0.0) -> Array:
    frequency = counts.frequency + alone
    total = frequency.sum(-1, keepdims=True)
    p = frequency / np.where(total == 0, 1, total)
    return lean(p, None if distances.distance.equality else 1 - distances.table(frequency))


def _by_size(c: Counts, r: Array) -> list[Stratum]:
    """Weights that move with the shares of the values, and so with the items: items of one size weigh the same."""
    if not len(c.size):
        return [Stratum(c.size)]
    return [
        Stratum((c.size == size).astype(np.float64), weight_of("inv_var_class", np.full(np.shape(r), size), r=r))
        for size in np.unique(c.size)
    ]


def _seen(c: Counts, weighed: Sequence[Stratum], distances: DistanceTable) -> Array:
    """The mean disagreement within items."""
    apart, whole = np.asarray(0.0), np.asarray(0.0)
    for k, times in weighed:
        apart = apart + times * c.apart(distances, k)
        whole = whole + times * c.weights.sum(k)
    return np.asarray(apart / whole)


# Chance


def between_items(counts: Counts, weighed: Sequence[Stratum], distances: DistanceTable) -> Array:
    """The chance that two annotations of different items disagree, items weighed as in the numerator."""
    # Two annotations of one item, the first put back, are the same annotation once in n times.
    shares, frequency, again = counts.shares_of_items, distances.frequency(counts), 1 - 1 / counts.size
    total, whole, squares, own = (np.asarray(0.0) for _ in range(4))
    for k, times in weighed:
        total = total + np.asarray(times)[..., None] * counts.weights.sum(scaled(shares, k))
        whole = whole + times * counts.weights.sum(k)
        squares = squares + times**2 * counts.weights.sum(k**2)
        own = own + times**2 * counts.apart(distances, k**2 * again)
    several = np.real(counts.items) > 1.5  # the weights of one item need not cancel to the last digit
    return np.where(several, (distances.between(total, total, frequency) - own) / (whole**2 - squares), np.nan)


def corrected_influence(items: ItemShares, counts: Counts, distances: DistanceTable) -> Floats:
    """How the corrected coefficient moves as items gain weight; by chance an item meets all items but itself."""
    times, _, k, _, near = items
    shares = counts.shares_of_items
    total = (times * k) @ shares
    met = shares @ total if near is None else shares @ (near @ total)
    apart = items.whole - met - k * distances.within(shares)  # from all annotations of other items
    pairs = items.whole**2 - float(times @ k**2)
    expected = float(times @ (k * apart)) / pairs if items.size > 1 else 0.0
    if expected <= 0:  # there is no coefficient to move
        return np.full(len(k), math.nan)
    change = 2 * items.size * k * (apart - expected * (items.whole - k)) / pairs
    seen = 1 - items.mean
    influence: Floats = items.influence() / expected + seen * change / expected**2
    return influence


# Errors


def items_error(items: ItemShares, influence: Floats) -> tuple[float, float]:
    """The standard error for other items, and its degrees of freedom: items with one annotation tell nothing.

    Where few items have most of the weight, the error is known no better than from those few.
    """
    count = items.size
    if count < 2:
        return math.nan, math.nan
    # How many items of equal weight would tell as much?
    as_many = items.whole**2 / float(items.times @ items.k**2)
    error = math.sqrt(float(items.times @ influence**2) / (count * (count - 1)))
    return error, max(as_many - 1, 1.0)


def two_way(items: ItemShares, counts: Counts) -> tuple[float, float]:
    """The standard error for other items and other annotators, and its degrees of freedom."""
    study, pattern = counts.source, counts.pattern
    if study is None or pattern is None or study.anonymous:
        return math.nan, math.nan
    n, k, whole, mean = items.n, items.k, items.whole, items.mean
    here = pattern[study.item]
    keep = here >= 0
    row, value, who = here[keep], study.value[keep], study.annotator[keep]
    people = len(np.unique(who))
    if people < 3 or items.size < 2:  # of two annotators neither can be another
        return math.nan, math.nan
    agreeing = counts.rows if items.near is None else counts.rows @ items.near
    with_others = (np.asarray(agreeing[row, value], dtype=np.float64).reshape(-1) - 1) / (n[row] - 1)
    each = 2 * k[row] * (with_others - mean) / (n[row] * whole)
    per_annotator = np.bincount(who, weights=each)
    if study.occasion is not None:  # the judgements that one annotator made of one item stand or fall together
        cell = study.item[keep].astype(np.int64) * len(study.annotators) + who
        place = np.unique(cell, return_inverse=True)[1].reshape(-1)
        each = np.bincount(place, weights=each).astype(np.float64)
    by_items = items_error(items, items.influence())[0] ** 2
    by_people = people / (people - 1) * float(per_annotator @ per_annotator)
    return math.sqrt(max(by_items + by_people - float(each @ each), by_items)), people - 1


def labels_only(items: ItemShares, counts: Counts) -> tuple[float, float]:
    """The standard error for other annotations of the same items, and its degrees of freedom."""
    moments = item_moments(counts, items.near)
    if math.isnan(moments.m3 + moments.m22):
        return math.nan, math.nan
    variance = float(items.times @ (items.k**2 * moments.within(items.n))) / items.whole**2
    return math.sqrt(max(variance, 0.0)), math.inf


# What all weighings assume


def assumption(items: ItemShares, counts: Counts, order: str | None) -> tuple[dict[str, float | str], tuple[str, ...]]:
    """Whether the number of annotations of an item tells how much its annotators agree: figures, and sentences."""
    slope, error, p = slope_on_size(items)
    figures: dict[str, float | str] = {
        "flat": items.mean_under(weight_of("flat", items.n)),
        "edges": items.mean_under(weight_of("edges", items.n)),
        "slope": slope,
        "slope_error": error,
        "slope_p": p,
    }
    said = []
    if p < 0.05:
        said.append(
            f"items with more annotations agree {'less' if slope < 0 else 'more'} (slope {slope:+.4f} an annotation, "
            f"p = {p:.2g}): weighings other than flat are biased here, and flat too if annotations were added because "
            "of what the first ones said"
        )
    if order is not None:
        first = first_two(items, counts, order)
        figures |= first
        if first["first_two_p"] < 0.05:
            less = first["first_two"] < first["first_two_all"]
            said.append(
                f"the first two annotations of an item agree {'less' if less else 'more'} often "
                f"({first['first_two']:.3f}) than all of them ({first['first_two_all']:.3f}, "
                f"p = {first['first_two_p']:.2g}): more were asked for because of what the first ones said, so every "
                "weighing is biased, and the first two alone are not"
            )
    figures["assumption"] = "; ".join(said) if said else "nothing speaks against it"
    return figures, tuple(said)


def slope_on_size(items: ItemShares) -> tuple[float, float, float]:
    """The slope of agreement on the number of annotations, its HC3 error and its p-value.

    The variance of an item's agreement depends on how many annotations it has, and so the plain error of a slope is
    wrong. nan where the slope would depend on single items, or all items are the same.
    """
    times, n = items.times, items.n
    nothing = (math.nan, math.nan, math.nan)
    _, place = np.unique(n, return_inverse=True)
    strata = np.bincount(place.reshape(-1), weights=times)
    if (strata >= ENOUGH).sum() < 2 or items.alike:
        return nothing
    x = n - float(times @ n) / items.size
    y = items.agree - float(times @ items.agree) / items.size
    squares = float(times @ x**2)
    slope = float(times @ (x * y)) / squares
    leverage = 1 / items.size + x**2 / squares
    if (leverage > 0.999).any():
        return nothing
    left = (y - slope * x) / (1 - leverage)
    error = math.sqrt(float(times @ (x * left) ** 2)) / squares
    return slope, error, t_tail(slope / error, items.size - 2) if error > 0 else math.nan


def first_two(items: ItemShares, counts: Counts, order: str) -> dict[str, float]:
    """How often the first two annotations of an item agree, beside all annotations of the same items, and a test.

    Of an item with two annotations the first two are all, so that it says nothing in the test.  Items whose second
    annotation cannot be told from the third, or that have annotations without a time, are left out.
    """
    study, pattern = counts.source, counts.pattern
    if study is None or pattern is None:
        raise KindError("order= needs the annotations themselves, and these stay in their database; collect them first")
    when = places(study, order)
    rows = np.lexsort((when, study.item))
    item, value, when = study.item[rows], study.value[rows], when[rows]
    start = np.flatnonzero(np.r_[True, item[1:] != item[:-1]]) if len(item) else np.zeros(0, dtype=np.intp)
    size = np.diff(np.r_[start, len(item)])
    start, size = start[size >= 2], size[size >= 2]
    third = np.where(size >= 3, start + 2, start)
    start = start[(when[start] >= 0) & ((size == 2) | (when[start + 1] < when[third]))]
    one, two = value[start], value[start + 1]
    agree = (one == two).astype(np.float64) if items.near is None else items.near[one, two]
    shape = pattern[item[start]]
    every = items.agree[shape]
    apart = (agree - every)[items.n[shape] >= 3]
    p, count = math.nan, len(apart)
    if count >= ENOUGH and np.ptp(apart) > ALIKE:
        p = t_tail(float(apart.mean()) / (float(apart.std(ddof=1)) / math.sqrt(count)), count - 1)
    return {
        "first_two": float(agree.mean()) if len(agree) else math.nan,
        "first_two_all": float(every.mean()) if len(every) else math.nan,
        "first_two_items": len(agree),
        "first_two_p": p,
    }


def places(study: Annotations, name: str) -> Array:
    """The place of each annotation in the order of an attribute; -1 for all of an item where one has none."""
    if name not in study.attributes:
        known = [str(one) for one in study.attributes]
        raise UnknownName(
            f"the study has no attribute {name!r} to order annotations by; "
            + (f"it has {listing(known)}.{suggestion(name, known)}" if known else "it has none.")
        )
    column = study.attributes[name].tolist()
    missing = np.array([one is None or one == "" or one != one for one in column], dtype=bool)  # noqa: PLR0124 -- NaN
    there = [one for one, gone in zip(column, missing, strict=True) if not gone]
    if all(isinstance(one, str) for one in there):
        with contextlib.suppress(ValueError):  # words and dates are put in order as they are
            there = [float(one) for one in there]
    try:
        rank = {one: place for place, one in enumerate(sorted(set(there)))}
    except TypeError:
        raise KindError(
            f"the attribute {name!r} holds things that have no order among them, such as {listing(there)}"
        ) from None
    found = np.full(len(column), -1)
    found[~missing] = [rank[one] for one in there]
    found[np.isin(study.item, study.item[missing])] = -1
    return found
