r"""GLAD: how able annotators are, and how difficult items.

The probability that annotator $j$ is right on item $i$ is

$$P(l_{ij} = t_i) = \frac{1}{1 + e^{-\alpha_j \beta_i}}, \qquad \beta_i = e^{b_i}$$

and all wrong labels are alike; all labels are equally frequent beforehand.  $\alpha_j$ is the ability (0 guesses
between two labels, below 0 errs on purpose), $1 / \beta_i$ the difficulty.  Priors are normal with mean 1 and variance
1, of $\alpha_j$ and of $b_i$, as its authors have.  Each round takes a scoring step in all $\alpha$ and one in all $b$,
halved until the expected log-likelihood does not fall, and finds the probabilities of the true labels, so that the
log-likelihood with the log-priors never goes down.

Whitehill, J., Ruvolo, P., Wu, T., Bergsma, J., & Movellan, J. (2009). Whose vote should count more: Optimal integration
of labels from labelers of unknown expertise. NIPS 22, 2035-2043.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.crowd.fitting import Fit, climb, hit_or_miss
from interagree.crowd.votes import Votes
from interagree.stats.engine.compress import totals

MEAN = 1.0  # of the priors; their variance is 1
FARTHEST = 1.0  # that a parameter moves in one step
HALVINGS = 30
EDGE = 1e-3  # how near to 0 and 1 the accuracy of an annotator may come when labels are predicted


class _Slope(NamedTuple):
    """In which direction parameters go up, and how sharply the objective bends."""

    up: Floats
    bend: Floats

    def move(self) -> Floats:
        """A scoring step."""
        return np.clip(self.up / self.bend, -FARTHEST, FARTHEST)


class _Glad:
    """Abilities and difficulties, and the probabilities of true labels given them."""

    def __init__(self, votes: Votes) -> None:
        self.votes = votes
        self.others = float(np.log(max(len(votes.labels) - 1, 1)))
        self.ability = np.full(votes.people, MEAN)
        self.ease = np.full(votes.items, MEAN)  # the logarithm of beta
        self.posterior = votes.start()
        self.log_likelihood = np.nan

    def drive(self, ability: Floats, ease: Floats) -> Floats:
        """The log-odds of each annotation to be right."""
        return np.asarray(ability[self.votes.person] * np.exp(ease)[self.votes.item])

    def _expected(self, ability: Floats, ease: Floats, right: Floats) -> float:
        x = self.drive(ability, ease)
        return float(_log_right(x).sum() - ((1 - right) * (x + self.others)).sum()) + self._prior(ability, ease)

    @staticmethod
    def _prior(ability: Floats, ease: Floats) -> float:
        return -0.5 * float(((ability - MEAN) ** 2).sum() + ((ease - MEAN) ** 2).sum())

    def slope_of_ability(self, right: Floats) -> _Slope:
        beta = np.exp(self.ease)[self.votes.item]
        p = _logistic(self.drive(self.ability, self.ease))
        up = totals(self.votes.person, (right - p) * beta, self.votes.people) - (self.ability - MEAN)
        return _Slope(up, totals(self.votes.person, p * (1 - p) * beta**2, self.votes.people) + 1)

    def slope_of_ease(self, right: Floats) -> _Slope:
        x = self.drive(self.ability, self.ease)
        p = _logistic(x)
        up = totals(self.votes.item, (right - p) * x, self.votes.items) - (self.ease - MEAN)
        return _Slope(up, totals(self.votes.item, p * (1 - p) * x**2, self.votes.items) + 1)

    def step(self) -> float:
        """A step in abilities, one in difficulties, and the probabilities of the labels; gives the objective."""
        right = self.posterior.reshape(-1)[self.votes.cell]
        now = self._expected(self.ability, self.ease, right)
        move = self.slope_of_ability(right).move()
        for _ in range(HALVINGS):
            if (then := self._expected(self.ability + move, self.ease, right)) >= now:
                self.ability, now = self.ability + move, then
                break
            move /= 2
        move = self.slope_of_ease(right).move()
        for _ in range(HALVINGS):
            if self._expected(self.ability, self.ease + move, right) >= now:
                self.ease = self.ease + move
                break
            move /= 2
        return self._labels()

    def _labels(self) -> float:
        x = self.drive(self.ability, self.ease)
        self.posterior, total = self.votes.posterior(self.votes.sums(x + self.others))
        base = float((_log_right(x) - x - self.others).sum())
        self.log_likelihood = total + base - self.votes.items * float(np.log(len(self.votes.labels)))
        return self.log_likelihood + self._prior(self.ability, self.ease)


def _log_right(x: Floats) -> Floats:
    return np.asarray(-np.logaddexp(0, -x))


def _logistic(x: Floats) -> Floats:
    return np.exp(_log_right(x))


def glad(votes: Votes, *, tolerance: float, rounds: int) -> Fit:
    """GLAD, fitted."""
    model = _Glad(votes)
    climbed = climb(model.step, tolerance=tolerance, rounds=rounds)
    right = model.posterior.reshape(-1)[votes.cell]
    mean = totals(votes.person, _logistic(model.drive(model.ability, model.ease)), votes.people)
    columns = {
        "accuracy": mean / np.maximum(votes.given, 1),
        "ability": model.ability,
        "error": 1 / np.sqrt(model.slope_of_ability(right).bend),
    }
    labels = len(votes.labels)

    def answering(_: Indices, person: Indices, label: Indices) -> Floats:
        # The difficulty of an item fits the few labels that it has: one that was left out is predicted without it.
        right = np.clip(columns["accuracy"][person], EDGE, 1 - EDGE)
        return hit_or_miss(right, (1 - right) / (labels - 1), label, labels)

    return Fit(
        model.posterior,
        climbed,
        model.log_likelihood,
        answering,
        annotators=columns,
        items={"difficulty": np.exp(-model.ease)},
        notes=("accuracy is the mean probability of being right on the items that the annotator had",),
    )
