r"""Numbers by annotators of whom some go higher than others, and some are less exact.

$$x_{ij} = \mu_i + b_j + \epsilon_{ij}, \qquad b_j \sim N(0, \omega^2), \quad \epsilon_{ij} \sim N(0, \sigma_j^2)$$

Nothing is assumed of the true numbers $\mu_i$, so an item is not pulled to the mean of all items: it is the mean of
its annotations less the biases of the annotators, weighed by $1 / \sigma_j^2$.  Biases are pulled to 0 as far as they
are uncertain, and add up to 0 over annotators: that all go too high together cannot be told from the numbers.
$\sigma_j^2$ has an inverse gamma prior worth 4 annotations, around the harmonic mean of the variances of all
annotators, which is most probable; without it one annotator could be taken for perfect.

The fit is variational, with independent distributions of the $\mu_i$ and of the $b_j$, which makes their errors a
little too small; a lower bound of the likelihood never goes down.  Of several judgements of an item by one annotator
each counts.

Raykar, V. C., Yu, S., Zhao, L. H., Valadez, G. H., Florin, C., Bogoni, L., & Moy, L. (2010). Learning from crowds.
Journal of Machine Learning Research 11, 1297-1322, has the exactness of annotators; the bias is added here.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.crowd.fitting import Climb, climb
from interagree.stats.engine.compress import totals

WORTH = 4.0  # annotations that the prior of a variance is worth
LEAST = 1e-12  # of a variance, as a share of the variance of all numbers


class Numbers(NamedTuple):
    """What was found: items, annotators, and how."""

    mean: Floats
    error: Floats
    bias: Floats
    bias_error: Floats
    deviation: Floats
    deviation_error: Floats
    climb: Climb


class _Continuous:
    """Distributions of the true numbers and of the biases, and the variances."""

    def __init__(self, x: Floats, item: Indices, person: Indices, items: int, people: int) -> None:
        self.x, self.item, self.person = x, item, person
        self.items, self.people = items, people
        self.given = np.bincount(person, minlength=people).astype(np.float64)
        size = np.bincount(item, minlength=items)
        self.mean = totals(item, x, items) / size
        rest = x - self.mean[item]
        free = max(len(x) - items, 1)
        self.least = LEAST * (float(x.var()) or 1.0)
        self.usual = max(float(rest @ rest) / free, self.least)
        self.variance = np.full(people, self.usual)
        self.item_variance = self.usual / size  # of the true numbers
        self.bias, self.bias_variance = np.zeros(people), np.full(people, self.usual / 4)
        self.between = self.usual / 2  # the variance of biases

    def step(self) -> float:
        """One round; gives the lower bound of the log-likelihood."""
        weight = 1 / self.variance
        self.bias_variance = 1 / (self.given * weight + 1 / self.between)
        rest = totals(self.person, self.x - self.mean[self.item], self.people)
        self.bias = self.bias_variance * weight * rest
        # Shifting all biases shifts all items and leaves the fit; at a mean of 0 they are most probable.
        there = self.given > 0
        self.bias = np.where(there, self.bias - self.bias[there].mean(), 0)
        self.between = max(float((self.bias**2 + self.bias_variance)[there].mean()), self.least)
        mine = weight[self.person]
        self.item_variance = 1 / totals(self.item, mine, self.items)
        self.mean = self.item_variance * totals(self.item, mine * (self.x - self.bias[self.person]), self.items)
        squares = totals(self.person, self._squares(), self.people)
        self.variance = np.maximum((squares + WORTH * self.usual) / (self.given + WORTH), self.least)
        self.usual = float(np.count_nonzero(there) / (1 / self.variance[there]).sum())
        return self._bound(squares)

    def _squares(self) -> Floats:
        rest = self.x - self.mean[self.item] - self.bias[self.person]
        squares: Floats = rest**2 + self.item_variance[self.item] + self.bias_variance[self.person]
        return squares

    def _bound(self, squares: Floats) -> float:
        there = self.given > 0
        log_variance = np.log(self.variance)
        data = -0.5 * float((self.given * (np.log(2 * np.pi) + log_variance) + squares / self.variance)[there].sum())
        items = 0.5 * float(np.log(2 * np.pi * math.e * self.item_variance).sum())
        biases = 0.5 * float(
            (1 + np.log(self.bias_variance / self.between) - (self.bias**2 + self.bias_variance) / self.between)[
                there
            ].sum()
        )
        ratio = self.usual / self.variance[there]
        prior = 0.5 * WORTH * float((np.log(ratio) - ratio).sum())
        return data + items + biases + prior


def debiased(
    x: Floats, item: Indices, person: Indices, items: int, people: int, *, tolerance: float, rounds: int
) -> Numbers:
    """The true numbers, biases and variances of numbers by item and annotator."""
    model = _Continuous(x, item, person, items, people)
    climbed = climb(model.step, tolerance=tolerance, rounds=rounds)
    deviation = np.sqrt(model.variance)
    # An annotator on whose word an item mostly rests differs little from it, and that tells little of their exactness.
    own = np.clip(model.item_variance[item] / model.variance[person], 0, 1)
    free = totals(person, (1 - own) ** 2, people) + WORTH
    return Numbers(
        model.mean,
        np.sqrt(model.item_variance),
        model.bias,
        np.sqrt(model.bias_variance),
        deviation,
        deviation / np.sqrt(2 * free),
        climbed,
    )
