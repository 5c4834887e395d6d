r"""Pk of segmentations, as agreement: one minus the share of windows in which two annotators differ.

$$P_k = \frac{1}{N - k} \sum_{i=1}^{N-k} \big[\, \text{together}_r(i, i + k) \ne \text{together}_h(i, i + k) \,\big],
\qquad A = 1 - P_k$$

Two units that lie $k$ apart in a document of $N$ are together in one segment or not; $P_k$ is how often a segmentation
$h$ and the reference $r$ do not say the same.  It is 0 for the same segmentation, and a boundary that is a little off
costs less than one that is missing.

**The window** $k$ is half the mean segment of the reference, rounded to a whole number (halves to the even one), at
least 2, or as given.  The result always says which.  A document that is not longer than the window has no place for
one: such comparisons are left out and counted, not taken for agreement.

**Both directions.**  $P_k$ depends on who is the reference, through the window.  Among annotators nobody is, so each of
two is in turn, and the value is one minus the mean over both directions of all pairs and documents.  With ``against``
one annotator is the reference, and all others are compared with them.

$P_k$ sees whether there is a boundary in a window and not how many, and it sees those at the ends of a document in
fewer windows than others; annotators who cut nothing may score well.  [WindowDiff](window_diff.md) mends the first, its
``lamprier=True`` the second, and [boundary similarity](boundary_similarity.md) has no window at all.

Types of boundary are not distinguished: where there is one of any type, there is a boundary.  ``only`` takes one type.

Beeferman, D., Berger, A. & Lafferty, J. (1999). Statistical models for text segmentation. Machine Learning 34(1),
177-210.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Unpack

from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import documents, measure
from interagree.references import Reference
from interagree.results.agreement import Agreement
from interagree.stats.documents.segment_pairs import SegmentationPairs
from interagree.stats.documents.segments import WindowSums
from interagree.stats.engine.estimate import estimate

PAPER = Reference(
    "article",
    "Beeferman, D.; Berger, A. & Lafferty, J.",
    1999,
    "Statistical models for text segmentation",
    "Machine Learning 34(1), 177-210",
)


@measure("Pk", "1 - Pk", PAPER, "none", **documents("segments", least=0.0))
def pk(
    data: IntoAnnotations,
    *others: Values,
    window: int | None = None,
    against: Hashable | None = None,
    only: Hashable | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Agreement on where documents are cut, by windows that see a boundary or none.

    Args:
        only: The type of boundary that counts; by default a boundary of any type is one.

    Examples:
        >>> print(ia.measures.pk(ann, bo, kind="segments"))
        1 - Pk = 0.837, 95% interval 0.276 to 0.986 (3 items, 2 annotators)
    """
    cuts = SegmentationPairs.of(as_annotations(data), who="Pk", only=only, typed=False)
    windows = cuts.windows(window, against, counted=False, padded=False)
    return estimate(pk, WindowSums.of(windows, name="Pk", against=against), WindowSums.parts)
