r"""Span F1: how much of what two annotators marked is the same.

$$F_1 = \frac{2 \sum_{(a, b) \in M} s(a, b)}{|A| + |B|}$$

$A$ and $B$ are the spans that two annotators marked in a document, and $M$ pairs them one to one so that the sum of
$s$, how well two spans fit, is as large as can be.  The best pairing is found exactly: so the result is the same
whichever annotator comes first and in any order of spans, and nested and discontinuous spans are handled correctly.

| `match` | $s(a, b)$ |
|---|---|
| `exact` | 1 where both cover the same positions |
| `overlap` | 1 where they share anything |
| `jaccard` | the length of what both cover, over what either covers: the partial match of many lectures |
| `dice` | twice the length of what both cover, over the sum of their lengths |
| `iou>=0.5` | 1 where `jaccard` is at least 0.5, or any other bound |
| `within:1` | 1 where they overlap, and neither end is more than 1 position off |
| `label` | 1 for the same label, wherever they are |
| `semeval_strict` | `exact`, and the same label |
| `semeval_exact` | `exact`, whatever the labels |
| `semeval_partial` | 1 where `exact`, a half where they overlap, whatever the labels |
| `semeval_type` | `overlap`, and the same label |

Spans of different labels never fit, unless ``same_label=False``; the four of SemEval-2013 task 9.1 say it
themselves.

**Several annotators and documents.**  Every two annotators who looked at a document are compared.  ``average="micro"``
pools all of it: twice all that was matched, over all spans.  "documents" is the mean over documents and pairs of
their F1, "pairs" the mean over pairs of annotators of their pooled F1, and "labels" the mean over labels.  With
``gold=`` everybody is compared with that annotator alone, and the details give precision and recall.

**Nothing marked.**  A document in which neither marked anything has no F1.  It is left out, and said; in the mean over
documents ``empty=1`` counts it as full agreement.  Where one marked something and the other nothing, F1 is 0.

**Chance.**  F1 corrects for none.  With few labels and short documents that matters: see `corrected_span_f1`.  Kappa
of single positions needs the number of those that nobody marked, which is large and ill-defined for spans; as it
grows, kappa tends to F1 (Hripcsak & Rothschild 2005), which is why F1 is reported for spans.

The interval is for other documents like these.  Time is that of sorting the spans of all pairs of annotators.

Hripcsak, G. & Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in information retrieval. Journal of
the American Medical Informatics Association 12(3), 296-298.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Unpack

from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import documents, measure
from interagree.results.agreement import Agreement
from interagree.stats.documents.credit import Credit
from interagree.stats.documents.span_credit import SpanCredit
from interagree.stats.documents.span_matching import Match
from interagree.stats.documents.span_pairs import SpanPairs
from interagree.stats.engine.estimate import estimate


@measure("Span F1", "F1", "hripcsak2005", "none", **documents("spans", least=0.0), named=("match",))
def span_f1(
    data: IntoAnnotations,
    *others: Values,
    match: str = "exact",
    same_label: bool = True,
    average: str = "micro",
    gold: Hashable | None = None,
    label: Hashable | None = None,
    empty: float | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """How much of what two annotators marked is the same, over all pairs of annotators.

    Args:
        match: How two spans are compared: "exact", "overlap", "jaccard", "dice", "iou>=0.5", "within:1", "label",
            "semeval_strict", "semeval_exact", "semeval_partial" or "semeval_type".
        average: "micro", "documents", "labels" or "pairs".
        gold: The annotator whom all others are compared with.
        label: Only spans of this label.
        empty: What a document counts in the mean over documents in which neither marked anything.

    Examples:
        >>> print(ia.span_f1(ann, bo, kind="spans"))
        F1 = 0.500, 95% interval 0.035 to 0.965 (3 items, 2 annotators)
    """
    how = Match.of(match, same_label=same_label)
    pairs = SpanPairs.of(as_annotations(data), who="span_f1", gold=gold)
    credit = SpanCredit.of(pairs, how, label=label, average=average, empty=empty)
    return estimate(span_f1, credit, Credit.parts, credit.published())
