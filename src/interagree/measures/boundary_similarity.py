r"""Boundary similarity B: how many boundaries two segmentations share, or nearly share.

$$B = 1 - \frac{|A| + \sum_{t \in T} \frac{\text{places}(t)}{n} + w_s}{|A| + |T| + |S| + |M|}$$

$M$ are boundaries that both have, $A$ those that one has alone, $T$ near misses, $S$ places where the two have
different types.  A near miss costs the places between both boundaries over $n$ (``near``, 2): with 2 a boundary that is
off by one costs half of a missing one.

**Edits.**  Boundaries that both have at a place match.  Of the others a boundary of the one is a *near miss* of one
of the other (a transposition) if they are of one type and fewer than ``near`` places apart; nearer ones are paired
first, and then from the left.  Types that stand at one place instead of others are *substitutions*.  All that is left
is *added*.

**Several types.**  $w_s$ is the sum of what substitutions cost: where types are whole numbers their difference over
$t_{max} - t_{min} + 1$ (of the types at a place those that lie nearest are put for one another), else 1 each;
``types="nominal"`` makes it 1 always.

B is the mean over all pairs of annotators and documents.  It looks at boundaries alone, whatever the length of a
document; where annotators cut seldom it is much lower than [segmentation similarity](segmentation_similarity.md), which
counts every place that both left alone.  A boundary that moves further away from its only counterpart never makes B
larger.

**No boundary.**  Where neither of two put a boundary, there is nothing to be alike: the pair is left out and counted,
or counts as ``empty=1.0``, full agreement.

Fournier, C. (2013). Evaluating text segmentation using boundary edit distance. Proceedings of ACL 2013, 1702-1712.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Unpack

from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import documents, measure
from interagree.errors import KindError
from interagree.results.agreement import Agreement
from interagree.stats.documents.segment_pairs import SegmentationPairs, Types
from interagree.stats.documents.segments import EditSums
from interagree.stats.engine.estimate import estimate


@measure("Boundary similarity", "B", "fournier2013", "none", **documents("segments", least=0.0))
def boundary_similarity(
    data: IntoAnnotations,
    *others: Values,
    near: int = 2,
    types: Types = "auto",
    empty: float | None = None,
    only: Hashable | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """How many boundaries annotators share, near misses counting in part.

    Args:
        empty: The similarity of two segmentations without a boundary; by default they are left out.

    Examples:
        >>> print(ia.measures.boundary_similarity(ann, bo, kind="segments"))
        B = 0.750, 95% interval 0.099 to 0.988 (3 items, 2 annotators)
    """
    if empty is not None and not 0 <= empty <= 1:
        raise KindError(f"empty is a similarity between 0 and 1, or None to leave such pairs out; got {empty!r}")
    cuts = SegmentationPairs.of(as_annotations(data), who="boundary similarity", only=only)
    edits = cuts.edits(near, types)
    used = edits.pairs > 0
    if empty is None:
        cuts, edits = cuts.taking(used), edits.taking(used)
    sums = EditSums.over(
        cuts, edits.unlike(empty), cuts.length > 0, edits=edits, types=types, without=int((~used).sum()), empty=empty
    )
    return estimate(boundary_similarity, sums, EditSums.parts)
