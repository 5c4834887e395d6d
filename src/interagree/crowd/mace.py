r"""MACE: an annotator either knows the answer or spams.

For each annotation annotator $j$ copies the true label with probability $1 - s_j$, and else takes a label from their
own habit $\xi_j$, whatever is true:

$$P(l \mid t) = (1 - s_j) [l = t] + s_j \xi_{jl}$$

All labels are equally frequent beforehand.  The fit is variational, in logarithms, with a Beta(½, ½) prior of $s_j$ and
a Dirichlet(10) prior of $\xi_j$ as its authors have; what never goes down is a lower bound of the evidence, and of
several starts the one with the highest bound is taken.

The first start is the vote shares.  The others begin with seeded random probabilities of spamming which depend on
what an annotator did (how often they agree with the others, how much they did, how varied their answers are), not on
their name or their place in the table: a wave of random lengths and phases over these three.

Hovy, D., Berg-Kirkpatrick, T., Vaswani, A., & Hovy, E. (2013). Learning whom to trust with MACE. NAACL-HLT 2013,
1120-1130.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.crowd.fitting import Climb, Fit, climb, hit_or_miss
from interagree.crowd.votes import Votes
from interagree.errors import KindError
from interagree.stats.engine.compress import totals

SPAM = 0.5  # the Beta prior of spamming, and of not spamming
HABIT = 10.0  # the Dirichlet prior of each label that is given when spamming
WAVES = 4  # how many waves a random start is the sum of
SAME = 1e-6  # bounds that differ by less than this share are the same, and the earlier start is taken


class _Mace:
    """Expected counts of spamming, and the probabilities of true labels given them."""

    def __init__(self, votes: Votes) -> None:
        self.votes = votes
        self.labels = len(votes.labels)
        self.answer = votes.person * self.labels + votes.label  # the habit that each annotation may come from
        self.posterior = votes.start()
        self.spam = np.zeros(0)  # the probability that each annotation is spam

    def begin(self, spamming: Floats | None) -> None:
        """Start at the vote shares, annotators spamming as given or where they are in a minority."""
        self.posterior = self.votes.start()
        right = self.posterior.reshape(-1)[self.votes.cell]
        self.spam = 1 - right if spamming is None else 1 - right * (1 - spamming)[self.votes.person]

    def counts(self) -> tuple[Floats, Floats, Floats]:
        """The parameters of the distributions of spamming, of knowing and of the habits."""
        votes = self.votes
        spam = totals(self.answer, self.spam, votes.people * self.labels).reshape(-1, self.labels)
        sums = spam.sum(axis=1)
        return sums + SPAM, votes.given - sums + SPAM, spam + HABIT

    def step(self) -> float:
        """One round; gives the lower bound of the evidence."""
        from scipy.special import digamma

        spam, know, habit = self.counts()
        total = digamma(spam + know)
        log_spam = (digamma(spam) - total)[:, None] + digamma(habit) - digamma(habit.sum(axis=1))[:, None]
        log_know = digamma(know) - total
        self.posterior, bound = self.settle(log_spam, log_know)
        share = _share(log_know[:, None], log_spam).reshape(-1)[self.answer]  # of knowing in a right answer
        self.spam = 1 - self.posterior.reshape(-1)[self.votes.cell] * share
        return bound - _beside_prior(spam, know, habit)

    def settle(self, log_spam: Floats, log_know: Floats) -> tuple[Floats, float]:
        """The probabilities of the true labels, and the log-likelihood."""
        # An answer is spam where another label is true; where it is the true one it may also be knowledge.
        ratio = (np.logaddexp(log_know[:, None], log_spam) - log_spam).reshape(-1)
        unscaled = self.votes.sums(ratio[self.answer])
        posterior, bound = self.votes.posterior(unscaled)
        base = float(log_spam.reshape(-1)[self.answer].sum())
        return posterior, bound + base - self.votes.items * float(np.log(self.labels))


def _share(one: Floats, other: Floats) -> Floats:
    """The share of the first of two numbers in their sum, from their logarithms."""
    return np.asarray(np.exp(one - np.logaddexp(one, other)))


def _beside_prior(spam: Floats, know: Floats, habit: Floats) -> float:
    """How far the distributions of the parameters are from their priors (Kullback-Leibler)."""
    from scipy.special import digamma, gammaln

    both = np.stack([spam, know], axis=1)
    return sum(
        float(
            (
                gammaln(counts.sum(axis=1))
                - gammaln(counts).sum(axis=1)
                - gammaln(prior * counts.shape[1])
                + counts.shape[1] * gammaln(prior)
                + ((counts - prior) * (digamma(counts) - digamma(counts.sum(axis=1))[:, None])).sum(axis=1)
            ).sum()
        )
        for counts, prior in ((both, SPAM), (habit, HABIT))
    )


def mace(votes: Votes, *, restarts: int, seed: int, tolerance: float, rounds: int) -> Fit:
    """MACE, fitted from several starts."""
    if not restarts >= 1:
        raise KindError(f"there is at least one start; got restarts={restarts!r}")
    model, random = _Mace(votes), np.random.default_rng(seed)
    deeds = _deeds(votes) if restarts > 1 else np.zeros((votes.people, 0))
    best: tuple[Climb, Floats, tuple[Floats, Floats, Floats]] | None = None
    reached = []
    for number in range(restarts):
        model.begin(None if number == 0 else _waves(deeds, random))
        found = climb(model.step, tolerance=tolerance, rounds=rounds)
        reached.append(float(found.trace[-1]))
        if best is None or reached[-1] > best[0].trace[-1] + SAME * abs(best[0].trace[-1]):
            best = found, model.posterior, model.counts()
    assert best is not None  # noqa: S101 -- there is at least one start
    return _fit(votes, *best, reached)


def _fit(
    votes: Votes, found: Climb, posterior: Floats, counts: tuple[Floats, Floats, Floats], reached: list[float]
) -> Fit:
    spam, know, habit = counts
    trials = spam + know
    spamming = spam / trials
    habits = habit / habit.sum(axis=1, keepdims=True)
    labels = len(votes.labels)
    confusion = np.repeat((spamming[:, None] * habits)[:, None, :], labels, axis=1) if labels <= 50 else None
    if confusion is not None:
        place = np.arange(labels)
        confusion[:, place, place] += (1 - spamming)[:, None]
    columns = {
        "accuracy": (1 - spamming) + spamming / labels,
        "spamming": spamming,
        "error": np.sqrt(spam * know / (trials**2 * (trials + 1))),
        "spammer score": (1 - spamming) ** 2,
    }
    model = _Mace(votes)
    with np.errstate(divide="ignore"):
        _, likelihood = model.settle(np.log(spamming[:, None] * habits), np.log1p(-spamming))
    same = sum(abs(bound - found.trace[-1]) <= SAME * abs(found.trace[-1]) for bound in reached)
    note = f"{same} of {len(reached)} starts reached the highest bound of the evidence, {found.trace[-1]:.6g}"

    def answering(_: Indices, person: Indices, label: Indices) -> Floats:
        wrong = (spamming[:, None] * habits)[person, label]
        return hit_or_miss(wrong + (1 - spamming)[person], wrong, label, labels)

    return Fit(posterior, found, likelihood, answering, confusion=confusion, annotators=columns, notes=(note,))


def _deeds(votes: Votes) -> Floats:
    """What annotators did, in numbers of mean 0 and deviation 1: agreement, amount, variety."""
    labels, given = len(votes.labels), np.maximum(votes.given, 1)
    same = (votes.sums(votes.part).reshape(-1)[votes.cell] - votes.part) / np.maximum(
        votes.annotators[votes.item] - 1, 1
    )
    answers = totals(votes.person * labels + votes.label, None, votes.people * labels).reshape(-1, labels)
    share = answers / given[:, None]
    variety = -(share * np.log(np.where(share > 0, share, 1))).sum(axis=1)
    found = np.stack([totals(votes.person, same, votes.people) / given, np.log(given), variety], axis=1)
    found -= found.mean(axis=0)
    deviation = found.std(axis=0)
    scaled: Floats = found / np.where(deviation > 1e-9, deviation, 1)
    return scaled


def _waves(deeds: Floats, random: np.random.Generator) -> Floats:
    """A probability of spamming for each annotator, random and the same for the same deeds."""
    lengths = random.normal(size=(deeds.shape[1], WAVES)) * 2
    phases, level = random.uniform(0, 2 * np.pi, WAVES), random.normal()
    found: Floats = 1 / (1 + np.exp(-level - np.cos(deeds @ lengths + phases).sum(axis=1)))
    return found
