r"""WindowDiff of segmentations, as agreement: one minus the share of windows with different numbers of boundaries.

$$WD = \frac{1}{N - k} \sum_{i=1}^{N-k} \big[\, b_r(i, i + k) \ne b_h(i, i + k) \,\big], \qquad A = 1 - WD$$

A window reaches from a unit to the $k$-th after it, in a document of $N$ units, and holds $b_r$ boundaries of the
reference and $b_h$ of the other segmentation.  Unlike [Pk](pk.md) it also sees a second boundary in a window.

**The window**, and who is the reference, are as for [Pk](pk.md).

**The ends of a document.**  A boundary near an end is in fewer windows than one in the middle.  With ``lamprier=True``
windows reach over both ends, so that each boundary is in $k$ of the $N + k$ windows, and no document is too short; as
in segeval the share is then taken of $N + k + 1$.

Types of boundary are not distinguished: where there is one of any type, there is a boundary.  ``only`` takes one type.

Pevzner, L. & Hearst, M. A. (2002). A critique and improvement of an evaluation metric for text segmentation.
Computational Linguistics 28(1), 19-36.  Lamprier, S., Amghar, T., Levrat, B. & Saubion, F. (2007). On evaluation
methodologies for text segmentation algorithms. ICTAI 2007, 19-26.
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
    "Pevzner, L. & Hearst, M. A.",
    2002,
    "A critique and improvement of an evaluation metric for text segmentation",
    "Computational Linguistics 28(1), 19-36",
)


@measure("WindowDiff", "1 - WD", PAPER, "none", **documents("segments", least=0.0), aliases=("windowdiff",))
def window_diff(
    data: IntoAnnotations,
    *others: Values,
    window: int | None = None,
    lamprier: bool = False,
    against: Hashable | None = None,
    only: Hashable | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Agreement on where documents are cut, by windows with the same number of boundaries.

    Args:
        lamprier: Whether windows reach over the ends of a document, so that boundaries near them count as much.
        only: The type of boundary that counts; by default a boundary of any type is one.

    Examples:
        >>> print(ia.measures.window_diff(ann, bo, kind="segments"))
        1 - WD = 0.837, 95% interval 0.276 to 0.986 (3 items, 2 annotators)
    """
    cuts = SegmentationPairs.of(as_annotations(data), who="WindowDiff", only=only, typed=False)
    windows = cuts.windows(window, against, counted=True, padded=lamprier)
    return estimate(window_diff, WindowSums.of(windows, name="WindowDiff", against=against), WindowSums.parts)
