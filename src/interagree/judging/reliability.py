r"""How reliable the mean of all people is, and how well a flawless model would correlate with it.

$$\rho = \frac{\sigma^2_T}{\sigma^2_M}$$

$\sigma^2_M$ is the variance over items of the mean of the people of an item, $\sigma^2_T$ that of what they mean, free
of their noise.  Two different people share what they mean and nothing else, so $\sigma^2_T$ is the mean product of
the judgements of *two people* on one item less that on two items.  Where everybody judged every item this is the mean
covariance of two people, and $\rho$ is Cronbach's (1951) alpha: the mean over all ways to split the people into halves,
which is Spearman and Brown's formula whatever the number of people.  A constant lean of a person, who gives one point
more throughout, is then no noise, as it is none in the mean of all; where people judged different items it is.

An odd number cannot be split into equal halves, and $2r/(1+r)$ of the correlation $r$ of one person with two others is
too low; nothing here depends on a split.  The correlation of two halves, each of half the people, is
$\rho / (2 - \rho)$.

All of this takes it that people spread what they mean alike.  Where one uses the whole scale and another a small part
of it, $\rho$ is a lower bound (Cronbach's alpha of unequal loadings), a flawless model may correlate more than
$\sqrt\rho$, and a note says so.

The interval leaves out each item in turn, on the scale of $\log(1 - \rho)$, where the errors of a ratio of variances
are even.  Whether a model $y$ shares more with people than a flawless one would is asked of *two different people* at a
time, $a$ and $b$, so that it does not matter how widely each of them spreads what they mean:

$$\frac{1}{\sigma^2_M} \operatorname*{mean}_{a \ne b} \Big( \frac{c_{ya}\, c_{yb}}{\sigma^2_y} - c_{ab} \Big)$$

with covariances $c$ on the items that the model judged.  For a flawless model each difference is 0, whatever people's
widths; for one that errs by itself it is negative; above 0 the model shares more with people than they share with each
other.  Where people spread alike it is the squared correlation of the model with their mean less $\rho$.  Its interval
leaves out each item in turn.

Cronbach, L. J. (1951). Coefficient alpha and the internal structure of tests. Psychometrika 16(3), 297-334.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.people.item_means import UNDEFINED, Mean, percentiles, resampled
from interagree.people.judgement_pairs import CLOSE, JudgementPairs
from interagree.results.agreement import Interval
from interagree.stats.engine.quantiles import t_quantile

ITEMS = 3  # fewer items leave nothing to tell an error from
ENOUGH = 10  # judgements of a person by which to tell how widely they spread them
WIDER = 2.0  # times as wide as another's is worth a word


class Reliability(NamedTuple):
    """The reliability of the mean of all people."""

    split_half: float  # the correlation of two halves
    value: float
    interval: Interval | None
    notes: tuple[str, ...] = ()


def shared_with_two(item: Indices, who: Indices, part: Floats, model: Floats) -> Floats:
    """The products of a model's covariances with two different people over its variance.

    Args:
        item: The item of each judgement of a person.
        who: The person.
        part: The judgement as a part of the mean of its item.
        model: The model's point of each item.

    Returns:
        With all items first, then without each of them.
    """
    y = model - model.mean(axis=0)
    if len(item) == len(model) * len(np.unique(who)):  # everybody judged everything, and a person's lean is not noise
        part = part - (_totals(who, part) / np.maximum(np.bincount(who), 1)[:, None])[who]
    product = (y[item] * part).sum(axis=1)
    count = np.r_[len(model), np.full(len(model), len(model) - 1)]
    square = _with_and_without((y**2).sum(axis=1))
    first = _with_and_without(y)
    with np.errstate(all="ignore"):
        variance = (square - (first**2).sum(axis=1) / count) / (count - 1)
        total = _with_and_without(_totals(item, product[:, None])[:, 0])
        products = total**2 - _squares_of_people(item, who, product)
        pairs = count**2 - _squares_of_people(item, who, 1 / np.bincount(item)[item])
        values: Floats = np.sign(total) * products / pairs * (count / (count - 1)) ** 2 / variance
    return values


def _with_and_without(features: Floats) -> Floats:
    """The sum over items, and that without each of them."""
    total = features.sum(axis=0)
    return np.concatenate([total[None], total - features])


def _squares_of_people(item: Indices, who: Indices, amount: Floats) -> Floats:
    """The sum over people of the square of what is theirs, with all items and without each of them."""
    of_person = np.bincount(who, amount)
    change = np.bincount(item, 2 * of_person[who] * amount - amount**2)
    total = float(of_person @ of_person)
    return np.concatenate([[total], total - change])


@dataclass(frozen=True)
class ItemMeans:
    """What the reliability is made of: sums over items, and sums over pairs of items."""

    features: Floats  # of each item: 1, product of two people, square of the mean, the mean itself
    beside: Floats | None  # what a model shares with two people: with all items, and without each
    pairs: Floats  # of each item with all others: products of two people, and how many
    flat: float  # a variance below this is rounding

    @classmethod
    def of(cls, item: Indices, who: Indices, points: Floats, model: Floats | None = None) -> ItemMeans:
        """Of judgements of items that have two or more; ``model`` is its point of each item."""
        size = np.bincount(item)
        middle = (points / size[item][:, None]).sum(axis=0) / len(size)
        points = points - middle  # so that squares of large numbers do not drown what differs
        part = points / size[item][:, None]
        mean = _totals(item, part)
        square = (mean**2).sum(axis=1)
        own = np.bincount(item, (points**2).sum(axis=1))
        same = (size**2 * square - own) / (size * (size - 1))
        ones = 1 / size[item]
        with_all = mean @ mean.sum(axis=0) - square
        with_self = np.bincount(
            item, (part * _totals(who, part)[who]).sum(axis=1) - (part**2).sum(axis=1)
        )  # a person's own judgements of two items
        count = len(size) - 1 - np.bincount(item, ones * np.bincount(who, ones)[who] - ones**2)
        beside = None
        if model is not None:
            beside = shared_with_two(item, who, part, model)
        return cls(
            np.column_stack([np.ones(len(size)), same, square, mean]),
            beside,
            np.column_stack([with_all - with_self, count]),
            CLOSE * float((points**2).sum(axis=1).mean()),
        )

    def value(self) -> float:
        """The reliability."""
        return float(self._ratio(self.features.sum(axis=0), self.pairs.sum(axis=0)))

    def left_out(self) -> Floats:
        """The reliability without each item."""
        return self._ratio(self.features.sum(axis=0) - self.features, self.pairs.sum(axis=0) - 2 * self.pairs)

    def drawn(self, weights: Iterator[Floats]) -> Floats:
        """The reliability of resamples, pairs of items to first order."""
        total = self.pairs.sum(axis=0)
        return np.concatenate([self._ratio(rows @ self.features, 2 * (rows @ self.pairs) - total) for rows in weights])

    def beyond(self) -> tuple[float, Floats]:
        """What the model shares with two people less what they share; and the same without each item."""
        if self.beside is None:
            return math.nan, np.zeros(0)
        sums = self.features.sum(axis=0)
        with np.errstate(all="ignore"):  # where items do not differ, there is nothing to share
            with_all = float(self.beside[0] / self._variance(sums)) - self.value()
            without = self.beside[1:] / self._variance(sums - self.features) - self.left_out()
        return with_all, without

    def _ratio(self, sums: Floats, pairs: Floats) -> Floats:
        count, same = sums[..., 0], sums[..., 1]
        variance = self._variance(sums)
        with np.errstate(all="ignore"):
            shared = same / count - pairs[..., 0] / pairs[..., 1]
            return np.where(variance > self.flat, shared / variance, np.nan)

    def _variance(self, sums: Floats) -> Floats:
        count, square, first = sums[..., 0], sums[..., 2], sums[..., 3:]
        with np.errstate(all="ignore"):
            variance: Floats = (square - (first**2).sum(-1) / count) / (count - 1)
        return variance


def reliability(
    judged: JudgementPairs, people: Booleans, *, level: float, resamples: int | None, seed: int
) -> Reliability:
    """How reliable the mean of all people is, over the items that two or more of them judged."""
    if judged.scaled.points is None:
        note = f"no split halves: values have no mean under the {judged.scaled.name} distance"
        return Reliability(math.nan, math.nan, None, (note,))
    kept, item, rows = _several(judged, people)
    if len(kept) < ITEMS:
        note = "no split halves: fewer than three items were judged by two people"
        return Reliability(math.nan, math.nan, None, (note,))
    means = ItemMeans.of(item, judged.who[rows], judged.scaled.points[judged.value[rows]])
    value = means.value()
    if not math.isfinite(value):
        note = "no split halves: every item has the same mean, so nothing can be correlated"
        return Reliability(math.nan, math.nan, None, (note,))
    notes = []
    if value < 0:
        notes.append(
            f"the people's means differ less than their noise alone would make them (reliability {value:.3f}), so "
            "nothing can be said of how well a flawless model would correlate with them"
        )
    widths = _widths(item, judged.who[rows], judged.scaled.points[judged.value[rows]])
    if 0 < value <= 1 - CLOSE and widths[0] * WIDER < widths[1]:
        notes.append(
            f"people use the scale in different widths (standard deviations from {widths[0]:.3g} to {widths[1]:.3g}), "
            f"so {value:.3f} is a lower bound of how reliable their mean is, and a flawless model may correlate more "
            "with it"
        )
    if value > 1 - CLOSE:  # people who did different items may seem to share more than there is
        value = 1.0
    if resamples is None:
        interval = _by_leaving_out(value, means.left_out(), level)
    else:
        interval = percentiles(np.minimum(means.drawn(resampled(len(kept), resamples, seed)), 1.0), level, seed)
    return Reliability(value / (2 - value), value, interval, tuple(notes))


def _widths(item: Indices, who: Indices, points: Floats) -> tuple[float, float]:
    """The smallest and the largest standard deviation of the judgements of a person, of those with enough of them."""
    if points.shape[1] != 1:  # shares of labels have no width
        return 0.0, 0.0
    count = np.bincount(who)
    some = count >= max(ENOUGH, len(np.unique(item)) // 10)
    if not some.any():
        return 0.0, 0.0
    centred = points[:, 0] - points[:, 0].mean()
    first, second = (np.bincount(who, power)[some] / count[some] for power in (centred, centred**2))
    spread = np.sqrt(np.maximum(second - first**2, 0) * count[some] / (count[some] - 1))
    return float(spread.min()), float(spread.max())


def beyond(judged: JudgementPairs, people: Booleans, model: Booleans, level: float) -> Mean:
    """A model's squared correlation with the mean of all people less that of a flawless model, on the same items."""
    points = judged.scaled.points
    if points is None:
        return UNDEFINED
    covered = np.zeros(judged.items, dtype=bool)
    covered[judged.item[model]] = True
    kept, item, rows = _several(judged, people & covered[judged.item])
    if len(kept) < ITEMS:
        return UNDEFINED
    model_value = np.zeros(judged.items, dtype=np.intp)
    model_value[judged.item[model]] = judged.value[model]
    means = ItemMeans.of(item, judged.who[rows], points[judged.value[rows]], points[model_value[kept]])
    value, left = means.beyond()
    if not math.isfinite(value) or not np.isfinite(left).all():
        return UNDEFINED
    reach = t_quantile(0.5 + level / 2, len(left) - 1) * _jackknife(left)
    return Mean(value, value - reach, value + reach)


def _several(judged: JudgementPairs, people: Booleans) -> tuple[Indices, Indices, Indices]:
    """The items that two or more people judged, and the rows of their judgements with the place of the item."""
    size = np.bincount(judged.item[people], minlength=judged.items)
    rows = np.flatnonzero(people & (size[judged.item] >= 2))
    kept, item = np.unique(judged.item[rows], return_inverse=True)
    return kept, item.reshape(-1), rows


def _by_leaving_out(value: float, left: Floats, level: float) -> Interval | None:
    count = len(left)
    if not np.isfinite(left).all():
        return None
    reach = t_quantile(0.5 + level / 2, count - 1)
    if value == 1:
        return Interval(1.0, 1.0, level, "jackknife", 0.0, count - 1, note="the people never differ")
    if (1 - left <= CLOSE).any():  # one item holds all the noise, and the logarithm has no end without it
        error = _jackknife(left)
        return Interval(value - reach * error, min(1.0, value + reach * error), level, "jackknife", error, count - 1)
    error = _jackknife(np.log(1 - left))
    low, high = (1 - (1 - value) * math.exp(side * reach * error) for side in (1, -1))
    note = "on the scale of the logarithm of what is noise"
    return Interval(low, high, level, "jackknife", error * (1 - value), count - 1, note=note)


def _jackknife(left: Floats) -> float:
    count = len(left)
    return math.sqrt((count - 1) / count * float(((left - left.mean()) ** 2).sum()))


def _totals(place: Indices, points: Floats) -> Floats:
    return np.stack([np.bincount(place, column) for column in points.T], axis=1)
