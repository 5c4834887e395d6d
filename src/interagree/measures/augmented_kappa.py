r"""Rosenberg and Binkowski's augmented kappa.

$$\kappa = \frac{p_A - p_E}{1 - p_E}, \qquad
p_A = \frac{1}{N} \sum_i \sum_k w_{1ik}\, w_{2ik}, \qquad p_E = \sum_k \bar w_{1k}\, \bar w_{2k}$$

Cohen's kappa for two annotators who may give an item a second label.  An annotation with one label gives it
the weight 1; one with two gives the first, the primary one, the weight $p$ and the second $1 - p$, with
$\tfrac12 \le p \le 1$.  With $p = 1$ second labels do not count.

A value is a tuple: ``("a",)`` or ``("a", "b")``, primary label first; a plain label is taken as a tuple of one.

Rosenberg, A. & Binkowski, E. (2004). Augmenting the kappa statistic to determine interannotator reliability
for multiply labeled data points. HLT-NAACL 2004: Short Papers, 77-80.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import ReadingOptions
from interagree.data.types import IntoAnnotations, Value, Values
from interagree.declare import TWO_ANNOTATORS, measure
from interagree.distances import on_values
from interagree.errors import Advice, Hint, KindError
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.compress import dense
from interagree.stats.engine.estimate import estimate
from interagree.stats.labels.ballots import Ballots, labels_must_fit
from interagree.stats.labels.labelled import LabelBallots
from interagree.stats.labels.two_annotators import two_annotators

NO_PAIRS = "no item has annotations by two annotators, so there is nothing to compare"


MASI = Advice.of("alpha with ", Hint("distance", "masi"))


@measure(
    "Augmented kappa", "κ", "rosenberg2004", "each annotator's own urn", **TWO_ANNOTATORS, values="pairs", named=("p",)
)
def augmented_kappa(
    data: IntoAnnotations, *others: Values, p: float = 0.5, **reading: Unpack[ReadingOptions]
) -> Agreement:
    """Cohen's kappa for annotations with a primary and a secondary label.

    Args:
        data: A study of two annotators whose values are labels or tuples of one or two labels.
        p: The weight of the primary label where there are two, from 0.5 to 1.

    Examples:
        >>> import interagree as ia
        >>> ann = ["joy", ("joy", "hope"), "fear", "hope"]
        >>> bo = ["joy", "hope", ("fear", "anger"), "hope"]
        >>> print(ia.measures.augmented_kappa(ann, bo))
        κ = 0.636, 95% interval -0.224 to 0.939 (4 items, 2 annotators)
    """
    if not 0.5 <= p <= 1:
        raise KindError(f"the weight of the primary label lies between 0.5 and 1, got {p!r}")
    ballots, notes = two_annotators(data, "augmented kappa", instead=MASI)
    share = shares(ballots.counts.values, p, len(ballots.weights.matrix()))
    return estimate(
        augmented_kappa,
        LabelBallots.under(ballots, on_values(None, None)),
        lambda b: parts(b, share),
        notes=notes,
        undefined=None if ballots.n.items else NO_PAIRS,
    )


def parts(ballots: Ballots, share: Floats) -> Parts:
    """How little the labels of the two have in common, as observed and as drawn from each one's own urn."""
    votes, size, weights = dense(ballots.votes), len(ballots.counts.values), ballots.weights
    first, second = votes[:, :size] @ share, votes[:, size:] @ share
    same = (first * second).sum(axis=1)
    n = weights.sum(np.ones(len(same)))
    urns = weights.sum(first) / n[..., None], weights.sum(second) / n[..., None]
    return Parts(1 - weights.sum(same) / n, 1 - (urns[0] * urns[1]).sum(-1))


def shares(values: Sequence[Value], p: float, patterns: int = 1) -> Floats:
    """How much each value gives to each label, for so many patterns of values."""
    lists = [value if isinstance(value, tuple) else (value,) for value in values]
    for value in lists:
        if not 1 <= len(value) <= 2:
            raise KindError(
                Advice.of(
                    f"augmented kappa takes one label or two, the primary one first, and {value!r} has {len(value)}; "
                    "for larger sets take ",
                    MASI,
                )
            )
    labels = {label: place for place, label in enumerate(dict.fromkeys(label for value in lists for label in value))}
    labels_must_fit("augmented kappa", patterns, 2 * len(lists), len(labels))
    table = np.zeros((len(lists), len(labels)))
    for row, value in enumerate(lists):
        weights = (1.0,) if len(value) == 1 else (p, 1 - p)
        for label, weight in zip(value, weights, strict=True):
            table[row, labels[label]] += weight
    return table
