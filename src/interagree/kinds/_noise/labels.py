"""Noise on labels.

- ``uniform``: with probability $m$ the label is drawn anew, all being equally likely; at $m = 1$ it is a guess.
- ``prevalence``: with probability $m$ it is drawn anew, each as likely as it is common in the reference, so that labels
  stay as common as they are; at $m = 1$ it is a guess.  The usual one.
- ``neighbour``: with probability $m$ it is the next label or the one before, in the order of the values; at $m = 1$
  every label is one step off, which is not yet chance.
- ``confusion``: with probability $m$ it is drawn anew as given weights say, such as
  ``confusion={"PER": {"ORG": 3, "LOC": 1}}``; a label without weights is never mistaken.

A label that is drawn anew may be the right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from numpy.random import Generator

from interagree.data.types import Value
from interagree.data.values import ALL_VALUES, IN_ORDER, numbers
from interagree.errors import KindError
from interagree.kinds._noise import Corpus, Noise
from interagree.kinds._noise._mistakes import Mistakes


class KnownLabels(NamedTuple):
    mistakes: Mistakes
    ordered: bool


def _survey(corpus: Corpus) -> KnownLabels:
    mistakes = Mistakes.of(corpus.values, corpus.scale, corpus.confusion)
    return KnownLabels(mistakes, corpus.ordered or numbers(mistakes.scale) is not None)


def _uniform(values: Sequence[Value], m: float, rng: Generator, known: KnownLabels) -> list[Value]:
    return known.mistakes.uniform(values, m, rng)


def _prevalence(values: Sequence[Value], m: float, rng: Generator, known: KnownLabels) -> list[Value]:
    return known.mistakes.prevalence(values, m, rng)


def _neighbour(values: Sequence[Value], m: float, rng: Generator, known: KnownLabels) -> list[Value]:
    if not known.ordered:
        raise KindError(
            f"noise that takes a label for its neighbour needs labels in order; pass {ALL_VALUES} from lowest to "
            f"highest with {IN_ORDER}, or take the noise uniform or prevalence",
            hints=[ALL_VALUES, IN_ORDER],
        )
    return known.mistakes.neighbour(values, m, rng)


def _confusion(values: Sequence[Value], m: float, rng: Generator, known: KnownLabels) -> list[Value]:
    if known.mistakes.confusion is None:
        raise KindError(
            "noise by confusion needs to know which labels are mistaken for which; pass "
            "confusion={'PER': {'ORG': 3, 'LOC': 1}}, or take the noise uniform or prevalence"
        )
    return known.mistakes.confused(values, m, rng)


def _usual(known: KnownLabels) -> tuple[str, ...]:
    order = ("neighbour",) if known.ordered else ()
    given = ("confusion",) if known.mistakes.confusion is not None else ()
    return ("uniform", "prevalence", *order, *given)


labels: Noise[Value, KnownLabels] = Noise(
    "labels",
    {"uniform": _uniform, "prevalence": _prevalence, "neighbour": _neighbour, "confusion": _confusion},
    _survey,
    _usual,
    lambda known: ("prevalence",) if known.mistakes.confusion is None else ("confusion",),
    scaled=True,
)
