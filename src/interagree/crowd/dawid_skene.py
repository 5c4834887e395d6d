r"""Dawid and Skene's model: every annotator has their own probabilities of each answer for each true label.

With $p_t$ the share of label $t$ and $\pi_{jtl}$ the probability that annotator $j$ answers $l$ where $t$ is true, the
likelihood is

$$L = \prod_i \sum_t p_t \prod_{r \in i} \pi_{j_r t l_r}$$

and the EM algorithm maximises it: the probabilities of the true labels given the parameters, then the parameters as
shares given these.  It begins with the vote shares.  Each annotation counts, also where an annotator judged an item
several times.  ``smoothing=0`` is this, the model as published.  ``smoothing`` adds a count $s$ to every cell of $\pi$
and to every label of $p$; what never goes down is then $\ln L + s \sum \ln \pi + s \sum \ln p$.

Without ``smoothing``, counts $a_{tl}$ that are worth two annotations of each true label are added to the answers of
every annotator, in the proportions in which all annotators answer where the votes say $t$, and 0.1 to every label of
$p$.  An annotator of whom little is known is so taken to be like the others.  On public sets this predicts labels that
were left out better than equal counts do.

With the *hierarchical* prior, the answers of annotators where $t$ is true come from a Dirichlet distribution that all
annotators share.  Its parameters $\alpha_t$ are those under which the expected counts are most probable (a
Dirichlet-multinomial, fitted by Minka's fixed point), found again after each run of EM until no probability of a label
changes by a thousandth, at most 50 times; $\alpha_{tl}$ is then added to the counts.  Annotators with few annotations
are so pulled to what is usual.  What never goes down is the objective of each run, with the prior of that run.

The *one-coin* model has one probability $q_j$ of being right for each annotator, and all wrong answers alike.  All
labels are equally frequent beforehand: with shares found from the data it often ends with one label for most items.

The standard error of a diagonal entry $\pi_{jtt}$ is that of a share of $n = \sum T^2$ trials, with $T$ the
probability that $t$ is true on each item that $j$ annotated: an item whose true label is uncertain tells less.  Other
parameters are taken as known, so the error is a little too small.

Dawid, A. P., & Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
Applied Statistics 28(1), 20-28.

Paun, S., Carpenter, B., Chamberlain, J., Hovy, D., Kruschwitz, U., & Poesio, M. (2018). Comparing Bayesian models of
annotation. Transactions of the ACL 6, 571-585 (the hierarchical prior).

Minka, T. P. (2000). Estimating a Dirichlet distribution. MIT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.crowd.fitting import Climb, Fit, climb, hit_or_miss, logs, spammer_score, standard_error
from interagree.crowd.votes import LARGEST, Votes
from interagree.data.memory import must_fit
from interagree.data.provenance import counted
from interagree.errors import DataError, KindError
from interagree.stats.engine.compress import totals

if TYPE_CHECKING:
    from scipy.sparse import csr_array

OUTER = 50  # how often the prior is found at most
SETTLED = 1e-3  # by which a probability of a label still changes when the prior is taken to be stable
FEW = 10  # annotators from whom a prior is not worth much
FLAT = 0.1  # a count that is added to every answer where the answers of others are not
WORTH = 2.0  # annotations that the answers of others are worth; chosen by labels left out of public sets
LITTLE = 0.01  # what is added to the answers of all, so that none is impossible
PER_ANSWER = 40.0  # bytes that a true label and an answer of an annotator take
STRONGEST = 1e4  # annotations that a prior can be worth


class _DawidSkene:
    """The probabilities of labels and answers, and those of the true labels given them."""

    def __init__(self, votes: Votes, extra: Floats, smoothing: float) -> None:
        from scipy import sparse

        self.votes = votes
        self.extra = extra  # what is added to the counts, true labels × answers
        self.smoothing = smoothing
        people, labels = votes.people, len(votes.labels)
        answer = votes.person * labels + votes.label
        self.table: csr_array = sparse.csr_array(
            (np.ones(len(answer)), (votes.item, answer)), shape=(votes.items, people * labels)
        )
        self.posterior = votes.start()
        self.log_likelihood = np.nan
        self.shares = self.answers = np.zeros(0)

    def counts(self, posterior: Floats) -> Floats:
        """How often each annotator gave each answer (second) where each label is true (third)."""
        labels = len(self.votes.labels)
        return np.asarray(self.table.T @ posterior).reshape(-1, labels, labels)

    def step(self) -> float:
        """One round of EM; gives the objective."""
        extra = self.extra.T
        counts = self.counts(self.posterior) + extra
        rows = counts.sum(axis=1, keepdims=True)
        # Of a label that an annotator never met nothing is known.
        self.answers = np.where(rows > 0, counts / np.where(rows > 0, rows, 1), 1 / len(extra))
        often = self.posterior.sum(axis=0) + self.smoothing
        self.shares = often / often.sum()
        each, answers = logs(self.shares), logs(self.answers)
        unscaled = np.asarray(self.table @ answers.reshape(-1, len(extra)))
        unscaled += each
        self.posterior, self.log_likelihood = self.votes.posterior(unscaled)
        return self.log_likelihood + self.smoothing * float(each.sum()) + float((extra * answers).sum())


def dawid_skene(votes: Votes, *, smoothing: float | None, hierarchical: bool, tolerance: float, rounds: int) -> Fit:
    """Dawid and Skene's model, fitted."""
    _checked(smoothing)
    labels = len(votes.labels)
    if votes.people * labels**2 > LARGEST:
        raise DataError(
            f"{votes.people:,} annotators with {labels:,} labels have too many ways to err; one_coin, mace and glad "
            "need one number for each annotator, or one for each annotator and label"
        )
    must_fit(
        PER_ANSWER * votes.people * labels**2,
        f"Dawid and Skene's model of {votes.people:,} annotators and {labels:,} labels",
        "take one_coin, mace or glad, which need no table for each annotator",
    )
    flat = FLAT if smoothing is None else smoothing
    model = _DawidSkene(votes, np.full((labels, labels), flat), flat)
    if smoothing is None and not hierarchical:
        model.extra = pooled(model.counts(votes.start()).transpose(0, 2, 1))
    climbed = climb(model.step, tolerance=tolerance, rounds=rounds)
    notes: tuple[str, ...] = ()
    if hierarchical:
        climbed, notes = _with_prior(model, climbed, tolerance, rounds)
    confusion = np.ascontiguousarray(model.answers.transpose(0, 2, 1))
    return Fit(
        model.posterior,
        climbed,
        model.log_likelihood,
        lambda _, person, label: confusion[person, :, label],
        shares=model.shares,
        confusion=confusion,
        annotators=_columns(votes, confusion, model),
        notes=notes,
    )


def _with_prior(model: _DawidSkene, climbed: Climb, tolerance: float, rounds: int) -> tuple[Climb, tuple[str, ...]]:
    """Fit again under a prior that all annotators share, until it is stable."""
    new, number, settled = dirichlet(model.counts(model.posterior).transpose(0, 2, 1)), 0, False
    while number < OUTER and not settled:
        before, number = model.posterior, number + 1
        model.extra = new
        climbed = climb(model.step, tolerance=tolerance, rounds=rounds)
        new = dirichlet(model.counts(model.posterior).transpose(0, 2, 1), new)
        settled = bool(np.abs(model.posterior - before).max() < SETTLED)
    worth = ", ".join(
        f"{strength:.3g} for {label!r}"
        for label, strength in zip(model.votes.labels[:6], model.extra.sum(axis=1).tolist(), strict=False)
    )
    more = ", …" if len(model.votes.labels) > 6 else ""
    notes = [f"the common prior, found {counted(number, 'time')}, is worth this many annotations: {worth}{more}"]
    if not settled:
        notes.append("the common prior was still changing")
    if int(np.count_nonzero(model.votes.given)) < FEW:
        notes.append("a prior found from so few annotators is little better than a guess")
    return climbed._replace(converged=climbed.converged and settled), tuple(notes)


def pooled(counts: Floats) -> Floats:
    """The answers of all annotators for each true label, as counts that are worth `WORTH` annotations."""
    together = counts.sum(axis=0) + LITTLE
    return np.asarray(WORTH * together / together.sum(axis=1, keepdims=True))


def dirichlet(counts: Floats, start: Floats | None = None) -> Floats:
    """The Dirichlet distributions, one for each true label, that rows of counts of annotators come from."""
    from scipy.special import digamma

    seen = counts.sum(axis=2)  # annotators × true labels
    pooled = counts.sum(axis=0) + 1e-3
    alpha = 2 * pooled / pooled.sum(axis=1, keepdims=True) if start is None else start.copy()
    for _ in range(100):
        strength = alpha.sum(axis=1)
        above = (digamma(counts + alpha) - digamma(alpha)).sum(axis=0)
        below = (digamma(seen + strength) - digamma(strength)).sum(axis=0)
        met = below > 0  # a label that nobody met leaves its prior as it is
        new = np.where(met[:, None], alpha * above / np.where(met, below, 1)[:, None], alpha)
        new = np.maximum(new, 1e-6)
        new *= np.minimum(1, STRONGEST / new.sum(axis=1, keepdims=True))
        done = bool(np.all(np.abs(new - alpha) <= 1e-4 * alpha))
        alpha = new
        if done:
            break
    return alpha


def _columns(votes: Votes, confusion: Floats, model: _DawidSkene) -> dict[str, Floats]:
    """The diagonal of each annotator with its errors, the accuracy and the distance from guessing."""
    labels = len(votes.labels)
    place = np.arange(labels)
    diagonal = confusion[:, place, place]
    error = standard_error(diagonal, model.counts(model.posterior**2).sum(axis=1))
    columns = {"accuracy": diagonal @ model.shares, "error": np.sqrt(np.nan_to_num(error**2) @ model.shares**2)}
    if labels <= 6:
        for k, label in enumerate(votes.labels):
            columns[f"right {label}"] = diagonal[:, k]
            columns[f"error {label}"] = error[:, k]
    return {**columns, "spammer score": spammer_score(confusion)}


def one_coin(votes: Votes, *, smoothing: float | None, tolerance: float, rounds: int) -> Fit:
    """The one-coin model, fitted."""
    _checked(smoothing)
    labels = len(votes.labels)
    posterior, skill, likelihood = votes.start(), np.zeros(0), np.nan
    extra_right = extra_wrong = smoothing or 0.0
    if smoothing is None:
        share = (float(posterior.reshape(-1)[votes.cell].sum()) + 1) / (len(votes.item) + 2)
        extra_right, extra_wrong = WORTH * share, WORTH * (1 - share)

    def step() -> float:
        nonlocal posterior, skill, likelihood
        right = totals(votes.person, posterior.reshape(-1)[votes.cell], votes.people) + extra_right
        trials = votes.given + extra_right + extra_wrong
        skill = np.where(trials > 0, right / np.where(trials > 0, trials, 1), 1 / labels)
        good, bad = logs(skill), logs((1 - skill) / (labels - 1))
        posterior, likelihood = votes.posterior(votes.sums((good - bad)[votes.person]))
        likelihood += float(votes.given @ bad) - votes.items * float(np.log(labels))
        # The coin of wrong answers is one number: its logarithm counts once in the objective.
        return likelihood + extra_right * float(good.sum()) + extra_wrong * float(logs(1 - skill).sum())

    climbed = climb(step, tolerance=tolerance, rounds=rounds)
    wrong = (1 - skill) / (labels - 1)
    columns = {"accuracy": skill, "error": standard_error(skill, votes.given), "spammer score": (skill - wrong) ** 2}
    return Fit(
        posterior,
        climbed,
        likelihood,
        lambda _, person, label: hit_or_miss(skill[person], wrong[person], label, labels),
        annotators=columns,
    )


def equal_coins(votes: Votes, *, tolerance: float, rounds: int) -> Fit:
    """The model of a plain vote: all annotators are right equally often, so that the label with most votes leads."""
    labels, ballots = len(votes.labels), votes.sums(votes.part)
    posterior, skill, likelihood = votes.start(), 0.0, np.nan
    total = float(ballots.sum())

    def step() -> float:
        nonlocal posterior, skill, likelihood
        # One more right and one more wrong answer keep the skill from certainty; below guessing no vote would lead.
        skill = max((float((ballots * posterior).sum()) + 1) / (total + 2), 1 / labels + LITTLE / labels)
        bad = float(np.log((1 - skill) / (labels - 1)))
        posterior, likelihood = votes.posterior(ballots * (float(np.log(skill)) - bad))
        likelihood += total * bad - votes.items * float(np.log(labels))
        return likelihood + float(np.log(skill)) + float(np.log1p(-skill))

    climbed = climb(step, tolerance=tolerance, rounds=rounds)

    def answering(_: Indices, person: Indices, label: Indices) -> Floats:
        right = np.full(len(person), skill)
        return hit_or_miss(right, (1 - right) / (labels - 1), label, labels)

    return Fit(posterior, climbed, likelihood, answering)


def _checked(smoothing: float | None) -> None:
    if smoothing is not None and not (np.isfinite(smoothing) and smoothing >= 0):
        raise KindError(f"smoothing is a count that is added to each cell, 0 or more; got {smoothing!r}")
