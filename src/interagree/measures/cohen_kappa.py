r"""Cohen's kappa.

$$\kappa = \frac{P_o - P_e}{1 - P_e}, \qquad P_e = \sum_k p_{1k}\, p_{2k}$$

For two annotators: $P_o$ is the share of items on which they agree; chance draws for each from what they
gave themselves.  With weights $w_{kl}$ (or distances $\delta = 1 - w$) partial agreement counts, Cohen (1968).

Items that only one of the two annotated can be read in three ways (De Raadt and others 2019): left out
(``missing="listwise"``, the default), left out of $P_o$ but kept in the shares $p_{1k}$, $p_{2k}$
(``"gwet"``), or as one more value, *not annotated* (``"category"``).

The standard error is that of Fleiss, Cohen and Everitt (1969), which divides by $n$; under no agreement
(``method="null"``) theirs too.

Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement
20(1), 37-46.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations, IntoAnnotations, Values, as_annotations
from interagree.data.columns import Columns
from interagree.data.values import numbers
from interagree.declare import TWO_ANNOTATORS, UnderChance, measure
from interagree.distances import IntoDistance, IntoWeights, on_values
from interagree.errors import KindError
from interagree.reading.choices import WithoutMissing
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.ballots import Ballots
from interagree.stats.labels.chance import observed, own_urns, own_urns_influence
from interagree.stats.labels.independence import independent
from interagree.stats.labels.labelled import LabelBallots
from interagree.stats.labels.two_annotators import two_annotators

INSTEAD = "light_kappa (the mean over pairs), conger_kappa or fleiss_kappa (for any number of annotators)"
NOT_ANNOTATED = "not annotated"


def of_independent(result: Agreement) -> float:
    """What independent annotators get: who annotated what is theirs, and no matter of chance."""
    return independent(result, NOT_ANNOTATED) if result.options.get("missing") == "category" else 0.0


@measure(
    "Cohen's kappa",
    "κ",
    "cohen1960",
    "each annotator's own urn",
    under_chance=UnderChance(
        "0; with missing='category' less where annotations are missing, since no item is missing from both",
        habits=of_independent,
    ),
    **TWO_ANNOTATORS,
    divisor="n",
    named=("distance", "weights", "missing"),
    aliases=("kappa", "cohen", "cohens_kappa", "cohen_kappa_score", "kappa2"),
)
def cohen_kappa(
    data: IntoAnnotations,
    *others: Values,
    distance: IntoDistance | None = None,
    weights: IntoWeights | None = None,
    missing: Literal["listwise", "gwet", "category"] | Sequence[object] = "listwise",
    **reading: Unpack[WithoutMissing],
) -> Agreement:
    """Cohen's kappa of two annotators, plain or weighted.

    Args:
        data: A study of two annotators, or anything `Annotations.of` takes.
        missing: How items that one of the two did not annotate are read: "listwise", "gwet" or "category".  A list
            holds values that mean "no annotation", as it does for other measures.

    Examples:
        >>> print(ia.cohen_kappa(ann, bo))
        κ = 0.667, 95% interval -0.571 to 0.978 (6 items, 2 annotators)
    """
    given = distance if weights is None else weights
    table = not (given is None or isinstance(given, str) or callable(given))
    given_by, notes = _read(data, missing, table=table)
    ballots = LabelBallots.under(given_by, on_values(distance, weights))
    influence = own_urns_influence(ballots, parts)
    return estimate(
        cohen_kappa,
        ballots,
        parts,
        Published(null_error=null_error, influence=influence, details=lambda b: {"maximum": maximum(b)}),
        notes=notes,
    )


def parts(ballots: LabelBallots) -> Parts:
    """Observed disagreement, and that of values drawn from each annotator's own urn."""
    return Parts(observed(ballots.counts, ballots.distances), own_urns(ballots, ballots.distances))


def _read(data: IntoAnnotations, missing: str | Sequence[object], *, table: bool) -> tuple[Ballots, tuple[str, ...]]:
    if missing == "listwise":
        return two_annotators(data, "Cohen's kappa", instead=INSTEAD)
    if missing not in ("gwet", "category"):
        raise KindError(f"missing must be 'listwise', 'gwet' or 'category', got {missing!r}")
    study = as_annotations(data)
    two_annotators(study, "Cohen's kappa", instead=INSTEAD)
    if missing == "category":
        study, added = not_annotated(study, table=table)
        return Ballots.of(study), (
            f"{added:,} missing annotations count as the value {NOT_ANNOTATED!r}",
        ) if added else ()
    ballots = Ballots.of(study)
    lost = int(ballots.weights.sum(1 - ballots.paired))
    return ballots, (f"{lost:,} items annotated by one of the two count in the shares alone",) if lost else ()


def not_annotated(study: Annotations, *, table: bool) -> tuple[Annotations, int]:
    """The study with every missing annotation as a value of its own, and how many there were.

    That value has no place on a scale; where a table gives it one, it is the last.
    """
    people = len(study.annotators)
    there = np.zeros((len(study.items), people), dtype=bool)
    there[study.item, study.annotator] = True
    item, annotator = np.nonzero(~there & there.any(axis=1, keepdims=True))
    like = np.zeros(len(study.items), dtype=np.intp)  # a row of each item, for what is known about the item
    like[study.item] = np.arange(len(study))
    made = replace(
        study,
        item=np.r_[study.item, item],
        annotator=np.r_[study.annotator, annotator],
        value=np.r_[study.value, np.full(len(item), len(study.values))],
        values=(*study.values, NOT_ANNOTATED),
        occasion=None if study.occasion is None else np.r_[study.occasion, np.zeros_like(item, dtype=np.int32)],
        ordered=False,
        stated=table and (study.in_order or numbers(study.values) is not None),
        attributes=Columns.of(study.attributes).taking(np.r_[np.arange(len(study)), like[item]]),
    )
    return (made, len(item)) if len(item) else (study, 0)


def margins(ballots: Ballots) -> tuple[Floats, Floats]:
    """The shares of the values of each of the two."""
    given = ballots.voted()
    first, second = given / given.sum(axis=-1, keepdims=True)
    return first, second


def null_error(ballots: LabelBallots) -> float:
    """The standard error if the two annotators had nothing in common (Fleiss, Cohen and Everitt 1969)."""
    rows, columns = margins(ballots)
    frequency = ballots.counts.frequency
    weights = 1 - ballots.distances.table(frequency)
    expected = float(rows @ weights @ columns)
    marginal = (weights @ columns)[:, None] + (rows @ weights)[None, :]
    total = float((np.outer(rows, columns) * (weights - marginal) ** 2).sum())
    items = float(ballots.weights.sum(ballots.paired))
    return math.sqrt((total - expected**2) / items) / (1 - expected)


def maximum(ballots: LabelBallots) -> float:
    """The largest kappa that these shares of values allow (Cohen 1960); for plain kappa alone."""
    if not ballots.distances.distance.equality or not ballots.paired.any():
        return math.nan
    rows, columns = margins(ballots)
    expected = float(rows @ columns)
    return (float(np.minimum(rows, columns).sum()) - expected) / (1 - expected) if expected < 1 else math.nan
