r"""Segmentation similarity S: how many potential boundaries two segmentations treat alike.

$$S = 1 - \frac{|A| + \sum_{t \in T} \frac{\text{places}(t)}{n} + w_s}{(N - 1) \cdot t}$$

A document of $N$ units has $N - 1$ places for a boundary, and as many for each of the $t$ types of boundary in the
study.  $A$ are boundaries that one has alone, $T$ near misses, which cost the places between both boundaries over $n$
(``near``, 2), and $w_s$ is the cost of different types at one place.

**Edits**, near misses and the cost $w_s$ are those of
[boundary similarity](boundary_similarity.md).

S is the mean over all pairs of annotators and documents.  Places that both left alone count as agreement, so that S is
high wherever boundaries are rare; two annotators who cut nothing have an S of 1.
[Boundary similarity](boundary_similarity.md) was made for that reason, and suits most studies better.

The denominator has the number of types once, as published; segeval 2.0.11 multiplies by it twice, which gives higher
values where there are several.

Fournier, C. & Inkpen, D. (2012). Segmentation similarity and agreement. Proceedings of NAACL-HLT 2012, 152-161; with
the edits of Fournier, C. (2013). Evaluating text segmentation using boundary edit distance. Proceedings of ACL 2013,
1702-1712.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Unpack

from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import documents, measure
from interagree.references import Reference
from interagree.results.agreement import Agreement
from interagree.stats.documents.segment_pairs import SegmentationPairs, Types
from interagree.stats.documents.segments import EditSums
from interagree.stats.engine.estimate import estimate

PAPER = Reference(
    "inproceedings",
    "Fournier, C. & Inkpen, D.",
    2012,
    "Segmentation similarity and agreement",
    "Proceedings of NAACL-HLT 2012, 152-161",
)


@measure("Segmentation similarity", "S", PAPER, "none", **documents("segments", least=0.0))
def segmentation_similarity(
    data: IntoAnnotations,
    *others: Values,
    near: int = 2,
    types: Types = "auto",
    only: Hashable | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """How many potential boundaries annotators treat alike, near misses counting in part.

    Examples:
        >>> print(ia.measures.segmentation_similarity(ann, bo, kind="segments"))
        S = 0.953, 95% interval 0.619 to 0.996 (3 items, 2 annotators)
    """
    cuts = SegmentationPairs.of(as_annotations(data), who="segmentation similarity", only=only)
    edits = cuts.edits(near, types)
    unlike = edits.cost / ((cuts.length - 1) * cuts.types)
    sums = EditSums.over(cuts, unlike, cuts.length > 0, edits=edits, types=types)
    return estimate(segmentation_similarity, sums, EditSums.parts)
