"""A fitted model of annotators, and how it is fitted: rounds whose objective never goes down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data.provenance import counted
from interagree.errors import Advice, KindError, Wording
from interagree.tables import Table

TINY = 1e-300  # what stands for 0 in a logarithm
LEAST = 1e-9  # trials that are as good as none


class Climb(NamedTuple):
    """The objective after each round, and whether it came to rest."""

    trace: Floats
    converged: bool


Answering: TypeAlias = Callable[[Indices, Indices, Indices], Floats]
"""The probability that annotators (second) give items (first) labels (third): annotations × true labels."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model of annotators."""

    posterior: Floats  # items × labels
    climb: Climb
    log_likelihood: float
    answering: Answering
    shares: Floats | None = None  # how frequent each label is
    confusion: Floats | None = None  # annotators × true labels × given labels
    annotators: Mapping[str, Floats] = field(default_factory=dict)  # columns of the table of annotators
    items: Mapping[str, Floats] = field(default_factory=dict)  # further columns of the table of items
    notes: tuple[str, ...] = ()


def climb(step: Callable[[], float], *, tolerance: float, rounds: int) -> Climb:
    """Take steps until one gains less than ``tolerance`` times the size of the objective.

    Args:
        step: One round; gives the objective.
        tolerance: The relative gain that is taken for none.
        rounds: How many steps to take at most.
    """
    if not tolerance >= 0:
        raise KindError(f"a tolerance is 0 or more, such as 1e-8; got {tolerance!r}")
    if not rounds >= 1:
        raise KindError(f"there is at least one round; got rounds={rounds!r}")
    trace: list[float] = []
    for number in range(rounds):
        trace.append(step())
        if number and trace[-1] - trace[-2] <= tolerance * (1 + abs(trace[-1])):
            return Climb(np.array(trace), converged=True)
    return Climb(np.array(trace), converged=False)


def hit_or_miss(right: Floats, wrong: Floats, label: Indices, labels: int) -> Floats:
    """The probabilities of annotations where only it counts whether a label is the true one: annotations × labels."""
    table = np.repeat(wrong[:, None], labels, axis=1)
    table[np.arange(len(label)), label] = right
    return table


def logs(probabilities: Floats) -> Floats:
    """Logarithms, very low and finite for what is impossible."""
    return np.asarray(np.log(np.maximum(probabilities, TINY)))


def standard_error(share: Floats, n: Floats) -> Floats:
    r"""The standard error of shares of n trials; at 0 and 1 they are taken to be one trial nearer to the middle.

    It is that of $(n p + 1) / (n + 2)$, so that three answers out of three are not taken for certainty, at most a half,
    and nan where there are none.
    """
    some = n > LEAST
    size = np.where(some, n, 1)
    middle = (share * size + 1) / (size + 2)
    return np.where(some, np.minimum(np.sqrt(middle * (1 - middle) / size), 0.5), np.nan)


# The published name of the score says the opposite of its direction, so the direction is said wherever it is shown.
SPAMMER_SCORE = (
    "how much the labels of an annotator tell about the right ones: 1 is good (they never err), 0 is a spammer (their "
    "labels do not depend on the right ones)"
)


def fit_data(trace: Floats, log_likelihood: float, *, converged: bool) -> dict[str, object]:
    """How a model was fitted, as plain data; nothing where none was."""
    if not len(trace):
        return {}
    return {"log_likelihood": log_likelihood, "converged": converged, "rounds": len(trace)}


def fitted_note(climb: Climb) -> str:
    """How many rounds it took, as a sentence."""
    rounds = counted(len(climb.trace), "round")
    if climb.converged:
        return f"fitted in {rounds}"
    advice = Wording("raise rounds", "raise --rounds")
    return Advice(f"still moving after {rounds}; {advice}", [advice])


def shown_names(table: Table) -> Table:
    """A table to be shown, its columns under names that do not mislead."""
    names = {"spammer score": "spammer score (1 = good)"}
    return replace(table, columns={names.get(name, name): column for name, column in table.columns.items()})


def spammer_score(confusion: Floats) -> Floats:
    r"""How far each annotator is from guessing: 0 where answers do not depend on the truth, 1 where none is wrong.

    $$S = \frac{1}{C (C - 1)} \sum_{c < c'} \sum_k (A_{ck} - A_{c'k})^2$$

    where $A_{ck}$ is the probability of answer $k$ where $c$ is true.  An annotator who always confuses two labels in
    the same way also has 1: such answers tell as much as right ones.

    Raykar, V. C., & Yu, S. (2012). Eliminating spammers and ranking annotators for crowdsourced labeling tasks.
    Journal of Machine Learning Research 13, 491-518.
    """
    labels = confusion.shape[1]
    # The sum over pairs of rows is the number of rows times their sum of squares, less the square of their sum.
    squares = labels * (confusion**2).sum(axis=(1, 2)) - (confusion.sum(axis=1) ** 2).sum(axis=1)
    return np.asarray(np.maximum(squares, 0) / max(labels * (labels - 1), 1))
