r"""Relation F1: how many of the relations that two annotators drew between spans are the same.

$$F_1 = \frac{2 \sum_{(r, q) \in M} s(r, q)}{|R| + |Q|}, \qquad
  s(r, q) = [\text{labels alike}] \cdot s(\text{head}_r, \text{head}_q) \cdot s(\text{tail}_r, \text{tail}_q)$$

$R$ and $Q$ are the relations of two annotators in a document, and $M$ pairs them one to one so that the sum of $s$ is
as large as can be.  The best pairing is found exactly, so the result does not depend on who comes first and on the
order of lists.

**Arguments** are spans and are compared as in `span_f1`: ``match`` is "exact", "overlap", "jaccard", "dice",
"iou>=0.5", "within:1" or one of the SemEval-2013 scores.  With ``argument_labels=True`` spans of different labels never
fit.  Of the three scores in use for extracted relations (Taillé et al. 2020), *strict* is the default, *boundaries* is
``argument_labels=False``.

**Credit.**  A relation is right when both of its arguments are, hence the product: two relations with one argument in
common have nothing in common.  For ways to compare that give 1 or 0 there is no other choice.  Where arguments fit in
part ("jaccard", "dice", "semeval_partial"), the product takes each of the two as a share of the relation that is left:
half of the head and half of the tail make a quarter.  ``credit="mean"`` takes a half instead, and still 0 where one of
the two arguments does not fit at all.  The product is never above the mean.

**Direction.**  Head and tail are distinguished, unless a relation says that it has no direction
(``"directed": false``) or ``directed=False`` says so for all.  A relation without a direction is compared both ways
round, and the better counts.

**Several annotators, documents, nothing marked.**  As in `span_f1`: every two annotators who looked at a document are
compared, ``average=`` is "micro", "documents", "labels" or "pairs"; ``gold=`` compares everybody with one annotator; a
document in which neither drew a relation has no F1, unless ``empty=1`` counts it as full agreement in the mean over
documents.

**Chance and spans.**  F1 corrects for no chance, and a relation is missed already when one of its spans is: where eight
in ten spans are found, and independently, 0.64 of the relations between them can be.  `relation_agreement` asks the two
questions that remain: do annotators relate the same spans, of those that both marked, and do they name relations
alike?

Hripcsak, G. & Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in information retrieval. Journal of
the American Medical Informatics Association 12(3), 296-298.

Taillé, B., Guigue, V., Scoutheeten, G. & Gallinari, P. (2020). Let's stop incorrect comparisons in end-to-end relation
extraction! Proceedings of EMNLP, 3689-3701.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Unpack

from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import documents, measure
from interagree.references import Reference
from interagree.results.agreement import Agreement
from interagree.stats.documents.credit import Credit
from interagree.stats.documents.relations import ArgumentCredit, RelationPairs
from interagree.stats.documents.span_credit import RelationCredit
from interagree.stats.documents.span_matching import Match
from interagree.stats.engine.estimate import estimate

PAPER = Reference(
    "inproceedings",
    "Taillé, B., Guigue, V., Scoutheeten, G. & Gallinari, P.",
    2020,
    "Let's stop incorrect comparisons in end-to-end relation extraction",
    "Proceedings of EMNLP, 3689-3701",
)


@measure("Relation F1", "F1", PAPER, "none", **documents("relations", least=0.0), named=("match",))
def relation_f1(
    data: IntoAnnotations,
    *others: Values,
    match: str = "exact",
    same_label: bool = True,
    argument_labels: bool = True,
    directed: bool = True,
    credit: ArgumentCredit = "product",
    average: str = "micro",
    gold: Hashable | None = None,
    label: Hashable | None = None,
    empty: float | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """How many relations of two annotators are the same, over all pairs of annotators.

    Args:
        data: A study whose values are relations, or anything `Annotations.of` takes: for each document and annotator
            the list of all [head, tail, label] that they drew there, head and tail being spans.
        match: How two arguments are compared, as in `span_f1`: "exact", "overlap", "jaccard", "iou>=0.5" …
        same_label: Whether relations of different labels never fit.
        argument_labels: Whether arguments of different labels never fit.
        directed: Whether head and tail are distinguished.
        credit: What relations whose arguments fit in part have in common: the "product" or the "mean" of both.
        average: "micro", "documents", "labels" or "pairs".
        gold: The annotator whom all others are compared with.
        label: Only relations of this label.
        empty: What a document counts in the mean over documents in which neither drew a relation.

    Examples:
        >>> import interagree as ia
        >>> ann = [[[[0, 3], [10, 16], "lives in"]], [[[0, 4], [9, 12], "works for"]]]
        >>> bo = [[[[0, 3], [10, 16], "lives in"]], [[[0, 4], [9, 12], "owns"]]]
        >>> print(ia.measures.relation_f1(ann, bo, kind="relations"))
        F1 = 0.500, 95% interval 0.000 to 1.000 (2 items, 2 annotators)
    """
    how = Match.of(match, same_label=argument_labels)
    pairs = RelationPairs.between(
        as_annotations(data), how, who="relation_f1", gold=gold, credit=credit, directed=directed
    )
    relations = RelationCredit.of(pairs, replace(how, same_label=same_label), label=label, average=average, empty=empty)
    return estimate(relation_f1, relations, Credit.parts, relations.published())
