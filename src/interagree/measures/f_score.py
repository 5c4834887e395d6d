r"""Precision, recall and F.

$$F_\beta = \frac{(1 + \beta^2)\, tp}{(1 + \beta^2)\, tp + \beta^2 fn + fp}, \qquad
P = \frac{tp}{tp + fp}, \qquad R = \frac{tp}{tp + fn}$$

One annotator against another, or against the gold standard: $tp$ counts labels both gave, $fp$ those that
they gave and the reference did not, $fn$ those they missed.  *Noise* is $1 - P$, *silence* $1 - R$.  With
``positive=`` only that label counts; otherwise all labels do, summed over all (``average="micro"``) or as
the mean of each label's F (``"macro"``).  Where every item gets exactly one label, micro F is the share of
items on which the two agree. Sets of labels are compared label by label.

$F_1$ does not depend on which of the two is the reference, so for more than two annotators, none of them
named, all pairs are pooled: $F_1$ is then the *specific agreement* $\sum_i n_{ik} (n_{ik} - 1) / \sum_i
n_{ik} (n_i - 1)$, which is what kappa tends to as the number of items that nobody marked grows without
bound (Hripcsak and Rothschild).  Chance plays no part.

Hripcsak, G. & Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in information retrieval.
Journal of the American Medical Informatics Association 12(3), 296-298.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Unpack

import numpy as np

from interagree.arrays import Array
from interagree.data import Annotations, as_annotations
from interagree.data.types import Annotator, IntoAnnotations, Item, Value, Values
from interagree.data.values import key
from interagree.declare import measure
from interagree.distances import on_values
from interagree.errors import DataError, KindError, UnknownName, listing
from interagree.reading.choices import WithoutAnnotator
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.compress import Rows, dense, product, row_sums, table_of
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.ballots import Ballots, labels_must_fit
from interagree.stats.labels.counts import Counts, annotations_of
from interagree.stats.labels.labelled import LabelBallots, LabelCounts

GOLD = "gold"


@measure(
    "F score",
    "F",
    "hripcsak2005",
    "none",
    range=(0.0, 1.0),
    analytic=False,
    named=("annotator", "against", "positive", "beta", "average"),
    aliases=("f1", "f1_score", "f_measure"),
)
def f_score(
    data: IntoAnnotations,
    *others: Values,
    annotator: Annotator | None = None,
    against: Annotator | Mapping[Item, Value] | None = None,
    positive: Value | None = None,
    beta: float = 1.0,
    average: Literal["micro", "macro"] = "micro",
    **reading: Unpack[WithoutAnnotator],
) -> Agreement:
    """F of one annotator against another or against gold; over all pairs where none is named.

    Args:
        annotator: Whose labels are judged.
        against: Who is taken to be right; or the gold standard itself, as a mapping from items to values.
        positive: The label that counts; by default all do.
        beta: How much more recall counts than precision.
        average: Whether labels are summed or each counts equally.

    Examples:
        >>> print(ia.measures.f_score(ann, bo))
        F = 0.833, 95% interval 0.186 to 0.991 (6 items, 2 annotators)
    """
    if beta <= 0:
        raise KindError(f"beta is above 0, got {beta!r}")
    if average not in ("micro", "macro"):
        raise KindError(f"average must be 'micro' or 'macro', got {average!r}")
    study = as_annotations(data) if isinstance(against, Mapping) else annotations_of(data)
    if isinstance(against, Mapping):
        gold = with_gold(study, against)
        return f_score(gold, annotator=annotator, against=GOLD, positive=positive, beta=beta, average=average)
    labels = _labels(study, positive)
    if annotator is not None or against is not None or average == "macro":
        labels_must_fit("the F score", len(study.items), len(study.values), len(labels))
    member = _members(study.values, labels)
    if annotator is not None and against is not None:
        return _directed(study, member, average, beta, (against, annotator))
    if annotator is None and against is None:
        if beta != 1:
            raise KindError("with beta other than 1 it matters who is the reference; name annotator= and against=")
        return _pooled(study, member, average)
    rest = [name for name in study.annotators if name not in (annotator, against)]
    if len(rest) != 1:
        raise KindError(
            f"name both annotator= and against=; the study has {len(study.annotators)} annotators "
            f"({listing(study.annotators, most=6)})"
        )
    judged, reference = (rest[0] if name is None else name for name in (annotator, against))
    return f_score(study, annotator=judged, against=reference, positive=positive, beta=beta, average=average)


def with_gold(study: Annotations, gold: Mapping[Item, Value]) -> Annotations:
    """The study with the gold standard as one more annotator, on the items that it has."""
    known = [(name, GOLD, gold[name]) for name in study.items if name in gold]
    if not known:
        raise DataError(
            f"the gold standard has none of the items of the study: its first is {next(iter(gold), None)!r}, "
            f"the study's first is {next(iter(study.items), None)!r}; use the same names in both"
        )
    rows = [*study.rows(), *known]
    return Annotations.from_columns(*zip(*rows, strict=True), provenance=study.provenance)


def _labels(study: Annotations, positive: Value | None) -> list[Value]:
    labels = list(study.labels())
    if positive is None:
        return labels
    if key(positive) not in {key(label) for label in labels}:
        raise UnknownName(f"nobody could have given {positive!r}; the labels are {listing(labels)}")
    return [positive]


def _members(values: Sequence[Value], labels: Sequence[Value]) -> Rows:
    """Which labels each value has: itself, or those of a set."""
    place = {key(label): column for column, label in enumerate(labels)}
    sets = [[*map(key, value)] if isinstance(value, frozenset) else [key(value)] for value in values]
    cells = [(row, place[one]) for row, held in enumerate(sets) for one in held if one in place]
    row, column = np.array(cells, dtype=np.intp).reshape(-1, 2).T
    return table_of(row, column, np.ones(len(row)), (len(values), len(labels)))


def _ratio(hit: Array, over: Array, average: str) -> Array:
    """F from true positives and what they are out of, summed over labels or label by label."""
    if average == "micro":
        hit, over = hit.sum(-1, keepdims=True), over.sum(-1, keepdims=True)
    some = np.real(over) > 0
    each = np.where(some, hit / np.where(some, over, 1), 0)
    return np.asarray(each.sum(-1) / some.sum(-1))


def _pooled(study: Annotations, member: Rows, average: str) -> Agreement:
    counts = LabelCounts.under(study, on_values(None, None), least=2)

    def parts(c: Counts) -> Parts:
        given = c.rows @ member
        if average == "micro":
            times = row_sums(given)
            hit, over = (row_sums(product(given, given)) - times)[:, None], (times * (c.size - 1))[:, None]
        else:
            each = dense(given)
            hit, over = each * (each - 1), each * (c.size - 1)[:, None]
        return Parts(1 - _ratio(c.weights.sum(hit), c.weights.sum(over), average))

    used = bool(row_sums(counts.rows @ member).any())
    nothing = None if used or not counts.n.items else "nobody gave the label, so there is nothing to find"
    return estimate(f_score, counts, parts, undefined=nothing)


class LabelTotals(NamedTuple):
    """Of each label: how often both gave it, and how often one of the two alone."""

    tp: Array
    fp: Array
    fn: Array

    @classmethod
    def of(cls, ballots: Ballots, member: Rows) -> LabelTotals:
        """Those of a reference and another annotator, in this order."""
        votes, size, weights = dense(ballots.votes), len(ballots.counts.values), ballots.weights
        right, mine = votes[:, :size] @ member, votes[:, size:] @ member
        return cls(weights.sum(right * mine), weights.sum(mine * (1 - right)), weights.sum(right * (1 - mine)))


def _directed(
    study: Annotations, member: Rows, average: str, beta: float, two: tuple[Annotator, Annotator]
) -> Agreement:
    """F of one annotator against another, the reference first."""
    ballots = Ballots.of(study.only(annotators=list(two)), title="F score").by_all()
    square = beta**2

    def parts(b: Ballots) -> Parts:
        tp, fp, fn = LabelTotals.of(b, member)
        return Parts(1 - _ratio((1 + square) * tp, (1 + square) * tp + square * fn + fp, average))

    def details(b: LabelBallots) -> dict[str, object]:
        if not b.n.items:
            return {"precision": math.nan, "recall": math.nan}
        tp, fp, fn = LabelTotals.of(b, member)
        with np.errstate(all="ignore"):
            precision, recall = float(_ratio(tp, tp + fp, average)), float(_ratio(tp, tp + fn, average))
        return {"precision": precision, "recall": recall, "noise": 1 - precision, "silence": 1 - recall}

    reason = None
    if not ballots.n.items:
        reason = "no item has annotations by both, so there is nothing to compare"
    elif not any(map(np.any, LabelTotals.of(ballots, member))):
        reason = "neither of the two gave the label, so there is nothing to find"
    lost = ballots.left_out
    return estimate(
        f_score,
        LabelBallots.under(ballots, on_values(None, None)),
        parts,
        Published(details=details),
        notes=(f"{lost:,} items annotated by one of the two were left out",) if lost else (),
        undefined=reason,
    )
