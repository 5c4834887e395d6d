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
of it, $\rho$ is a lower bound (Cronbach's alpha of unequal loadings), and a flawless model may come out above it.

The interval leaves out each item in turn, on the scale of $\log(1 - \rho)$, where the errors of a ratio of variances
are even.  Whether a model correlates more than a flawless one would is a paired question: of its squared correlation
less $\rho$, both on the items that it judged, again by leaving out each item.

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


class Reliability(NamedTuple):
    """The reliability of the mean of all people."""

    split_half: float  # the correlation of two halves
    value: float
    interval: Interval | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ItemMeans:
    """What the reliability is made of: sums over items, and sums over pairs of items."""

    features: Floats  # of each item: 1, product of two people, square of the mean, the mean itself
    # Of each item: product of the model and the mean, square of the model, the model itself.
    beside: Floats | None
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
            model = model - middle
            beside = np.column_stack([(model * mean).sum(axis=1), (model**2).sum(axis=1), model])
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
        """The squared correlation of the model less the reliability; and the same without each item."""
        if self.beside is None:
            return math.nan, np.zeros(0)
        means, beside = self.features.sum(axis=0), self.beside.sum(axis=0)
        return (
            float(self._squared(means, beside)) - self.value(),
            self._squared(means - self.features, beside - self.beside) - self.left_out(),
        )

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

    def _squared(self, means: Floats, beside: Floats) -> Floats:
        count, first, mine = means[..., 0], means[..., 3:], beside[..., 2:]
        with np.errstate(all="ignore"):
            shared = (beside[..., 0] - (first * mine).sum(-1) / count) / (count - 1)
            variance = (beside[..., 1] - (mine**2).sum(-1) / count) / (count - 1)
            squared = np.sign(shared) * shared**2 / (variance * self._variance(means))
            return np.where(variance > self.flat, squared, np.nan)


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
    if value > 1 - CLOSE:  # people who did different items may seem to share more than there is
        value = 1.0
    if resamples is None:
        interval = _by_leaving_out(value, means.left_out(), level)
    else:
        interval = percentiles(np.minimum(means.drawn(resampled(len(kept), resamples, seed)), 1.0), level, seed)
    return Reliability(value / (2 - value), value, interval, tuple(notes))


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
