r"""Chance-corrected boundary similarity: boundary similarity beyond that of random cuts.

$$\frac{B - B_e}{1 - B_e}, \qquad B = 1 - \frac{\sum c}{\sum b}, \qquad B_e = 1 - \frac{\sum E[c]}{\sum E[b]}$$

$B$ is [boundary similarity](boundary_similarity.md) pooled over all pairs of annotators and documents: $c$ is the cost
of the edits between two segmentations, and $b$ the pairs of boundaries that were compared, with those that have no
counterpart.  Chance puts as many boundaries into each document as each annotator did, at random places, all equally
likely; types that stand at one place are moved together.

So annotators who cut at random get 0, however often they cut.  [Boundary kappa](boundary_kappa.md) and
[boundary pi](boundary_pi.md) do not have that: their chance is that two annotators put a boundary at one place, while
boundary similarity is a share of the *boundaries*, near misses counted half.  Random cuts at one place in five get 0.16
there.

With one type of boundary and ``near`` up to 2 the expectations are exact:

$$E[b] = n + n' - E[s] - E[m], \qquad E[c] = n + n' - 2 E[s] - \tfrac{3}{2} E[m], \qquad E[s] = \frac{n n'}{p}, \qquad
E[m] = \sum_{k \ge 2} (-1)^k (p - k + 1)\, a_k$$

for $n$ and $n'$ boundaries at $p$ places, of which $s$ are shared and $m$ near misses ($0$ with ``near=1``); $a_k$ is
the probability that at $k$ given places in a row one annotator and the other have a boundary in turn.  Otherwise cuts
are drawn until the standard error of $B_e$ is below `precision`, or that would take long; the details say how often,
and with what error.

A document in which nobody put a boundary does not count.  It is undefined where nobody put any boundary, and where
everybody put one at every place.

**Edits**, near misses and what one type of boundary for another costs are those of
[boundary similarity](boundary_similarity.md).

Fournier, C. (2013). Evaluating text segmentation using boundary edit distance. Proceedings of ACL 2013, 1702-1712.  The
chance of random cuts is not in that paper.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Unpack

from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import documents, measure
from interagree.results.agreement import Agreement
from interagree.stats.documents.checks import check_draws
from interagree.stats.documents.segment_chance import random_cuts
from interagree.stats.documents.segment_pairs import SegmentationPairs, Types
from interagree.stats.documents.segments import RandomCutSums
from interagree.stats.engine.estimate import estimate


@measure(
    "Chance-corrected boundary similarity",
    "B beyond chance",
    "fournier2013",
    "as many boundaries in each document, at random places",
    **documents("segments"),
)
def corrected_boundary_similarity(
    data: IntoAnnotations,
    *others: Values,
    near: int = 2,
    types: Types = "auto",
    only: Hashable | None = None,
    precision: float = 0.002,
    seed: int = 0,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Boundary similarity beyond that of annotators who cut as often, at random places.

    Args:
        precision: The standard error that is wanted of the expected similarity, where it is drawn.

    Examples:
        >>> print(ia.measures.corrected_boundary_similarity(ann, bo, kind="segments"))
        B beyond chance = 0.641, 95% interval -1.141 to 0.940 (3 items, 2 annotators)
    """
    check_draws(precision, seed)
    cuts = SegmentationPairs.of(as_annotations(data), who="boundary similarity", only=only)
    edits = cuts.edits(near, types)
    chance = random_cuts(cuts, near, types, precision=precision, seed=int(seed))
    sums = RandomCutSums.of(cuts, edits, chance, types=types, seed=seed)
    return estimate(corrected_boundary_similarity, sums, RandomCutSums.parts)
