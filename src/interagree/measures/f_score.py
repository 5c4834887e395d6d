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
from collections.abc import Hashable, Mapping
from typing import Any, Literal

import numpy as np

from interagree.data import Annotations, as_annotations
from interagree.data.types import IntoAnnotations, Values
from interagree.data.values import are_sets, key
from interagree.declare import measure
from interagree.errors import DataError, KindError, UnknownName, listing
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.labels.ballots import Ballots
from interagree.stats.labels.counts import Counts

GOLD = "gold"


@measure(
    "F score",
    symbol="F",
    reference="hripcsak2005",
    chance="none",
    range=(0.0, 1.0),
    analytic=False,
    aliases=("f1", "f1_score", "f_measure"),
)
def f_score(
    data: IntoAnnotations,
    *others: Values,
    annotator: Hashable | None = None,
    against: Hashable | Mapping[Any, Any] | None = None,
    positive: Any = None,
    beta: float = 1.0,
    average: Literal["micro", "macro"] = "micro",
    **reading: Any,  # without the one that is an option of its own
) -> Agreement:
    """F of one annotator against another or against gold; over all pairs where none is named.

    Args:
        data: A study, or anything `Annotations.of` takes.
        annotator: Whose labels are judged.
        against: Who is taken to be right; or the gold standard itself, as a mapping from items to values.
        positive: The label that counts; by default all do.
        beta: How much more recall counts than precision.
        average: Whether labels are summed or each counts alike.

    Example:
        >>> import interagree as ia
        >>> ann = ["yes", "no", "yes", "no", "no", "yes"]
        >>> bo = ["yes", "no", "no", "no", "no", "yes"]
        >>> print(ia.f_score(ann, bo))
        F = 0.833, 95% interval 0.405 to 1.000 (6 items, 2 annotators)
    """
    if beta <= 0:
        raise KindError(f"beta is above 0, got {beta!r}")
    if average not in ("micro", "macro"):
        raise KindError(f"average must be 'micro' or 'macro', got {average!r}")
    call = {
        "annotator": annotator,
        "against": against,
        "positive": positive,
        "beta": beta,
        "average": average,
    }
    study = as_annotations(data)
    if isinstance(against, Mapping):
        study, call["against"] = with_gold(study, against), GOLD
    labels = _labels(study, positive)
    member = np.array(
        [[_has(value, label) for label in labels] for value in study.values], dtype=np.float64
    ).reshape(len(study.values), len(labels))
    if annotator is None and against is None:
        if beta != 1:
            raise KindError(
                "with beta other than 1 it matters who is the reference; name annotator= and against="
            )
        return _pooled(study, member, average, call)
    return _directed(study, member, average, call)


def with_gold(study: Annotations, gold: Mapping[Any, Any]) -> Annotations:
    """The study with the gold standard as one more annotator, on the items that it has."""
    known = [(name, GOLD, gold[name]) for name in study.items if name in gold]
    if not known:
        raise DataError(
            f"the gold standard has none of the items of the study: its first is {next(iter(gold), None)!r}, "
            f"the study's first is {next(iter(study.items), None)!r}; use the same names in both"
        )
    rows = [*study.rows(), *known]
    return Annotations.from_columns(*zip(*rows, strict=True), provenance=study.provenance)


def _labels(study: Annotations, positive: Any) -> list[Any]:
    labels = list(study.labels())
    if positive is None:
        return labels
    if key(positive) not in {key(label) for label in labels}:
        raise UnknownName(f"nobody could have given {positive!r}; the labels are {listing(labels)}")
    return [positive]


def _has(value: Any, label: Any) -> bool:
    return label in value if are_sets([value]) else key(value) == key(label)


def _ratio(hit: Any, over: Any, average: str) -> Any:
    """F from true positives and what they are out of, summed over labels or label by label."""
    if average == "micro":
        hit, over = hit.sum(-1, keepdims=True), over.sum(-1, keepdims=True)
    there = np.real(over) > 0
    each = np.where(there, hit / np.where(there, over, 1), 0)
    return each.sum(-1) / there.sum(-1)


def _pooled(study: Annotations, member: Any, average: str, call: dict[str, Any]) -> Agreement:
    counts = Counts.of(study).at_least(2)

    def parts(c: Counts) -> Parts:
        given = np.asarray(c.rows @ member)
        hit, over = given * (given - 1), given * (c.size - 1)[:, None]
        return Parts(1 - _ratio(c.weights.sum(hit), c.weights.sum(over), average))

    used = bool((counts.rows @ member).any())
    return estimate(
        f_score,
        counts,
        parts,
        undefined=None
        if used or not counts.n.items
        else "nobody gave the label, so there is nothing to find",
        call=call,
        show={**call, "bounded": True},
    )


def _directed(study: Annotations, member: Any, average: str, call: dict[str, Any]) -> Agreement:
    others = [name for name in study.annotators if name not in (call["annotator"], call["against"])]
    if call["annotator"] is None or call["against"] is None:
        if len(others) != 1:
            raise KindError(
                f"name both annotator= and against=; the study has {len(study.annotators)} annotators "
                f"({listing(study.annotators, most=6)})"
            )
        call = {**call, "annotator": others[0] if call["annotator"] is None else call["annotator"]}
        call = {**call, "against": others[0] if call["against"] is None else call["against"]}
    two = study.only(annotators=[call["against"], call["annotator"]])
    ballots = Ballots.of(two, title="F score").by_all()
    size = len(study.values)
    square = call["beta"] ** 2

    def found(b: Ballots) -> tuple[Any, Any, Any]:
        """True positives, false positives and false negatives by label."""
        votes = b.votes.toarray() if hasattr(b.votes, "toarray") else b.votes
        right, mine = votes[:, :size] @ member, votes[:, size:] @ member
        tp, fp, fn = (b.weights.sum(each) for each in (right * mine, mine * (1 - right), right * (1 - mine)))
        return tp, fp, fn

    def parts(b: Ballots) -> Parts:
        tp, fp, fn = found(b)
        return Parts(1 - _ratio((1 + square) * tp, (1 + square) * tp + square * fn + fp, average))

    def details() -> dict[str, Any]:
        tp, fp, fn = found(ballots)
        with np.errstate(all="ignore"):
            precision, recall = float(_ratio(tp, tp + fp, average)), float(_ratio(tp, tp + fn, average))
        return {"precision": precision, "recall": recall, "noise": 1 - precision, "silence": 1 - recall}

    lost = ballots.left_out
    nothing = "neither of the two gave the label, so there is nothing to find"
    empty = "no item has annotations by both, so there is nothing to compare"
    return estimate(
        f_score,
        ballots,
        parts,
        undefined=empty if not ballots.n.items else None if any(map(np.any, found(ballots))) else nothing,
        notes=(f"{lost:,} items annotated by one of the two were left out",) if lost else (),
        more=details if ballots.n.items else lambda: {"precision": math.nan, "recall": math.nan},
        call=call,
        show={**call, "bounded": True},
    )
