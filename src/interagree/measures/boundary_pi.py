r"""Boundary pi: boundary similarity beyond what chance would give.

$$\pi^* = \frac{A_a - A_e}{1 - A_e}, \qquad A_e = \Big( \frac{1}{n} \sum_{d, a} \frac{b_{da}}{p_d} \Big)^2$$

$A_a$ is [boundary similarity](boundary_similarity.md) pooled over all pairs of annotators and documents: the sum of
what is shared over the sum of the boundaries compared.  Chance puts a boundary at a place as often as annotators did on
average: $b_{da}$ boundaries of annotator $a$ in a document $d$ with $p_d$ places for them, in $n$ segmentations.  All
have that rate; with a rate of each annotator's own it is [boundary kappa](boundary_kappa.md).

The details have $A_a$, both expected agreements, and the **bias** of Artstein and Poesio; random cuts do not get 0.
[Boundary kappa](boundary_kappa.md) says more about both, and how documents count; all of it holds here, too.

**Edits**, near misses and what one type of boundary for another costs are those of
[boundary similarity](boundary_similarity.md).

Fournier, C. (2013). Evaluating text segmentation using boundary edit distance. Proceedings of ACL 2013, 1702-1712;
after Fournier, C. & Inkpen, D. (2012). Segmentation similarity and agreement. Proceedings of NAACL-HLT 2012, 152-161.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Unpack

from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import documents, measure
from interagree.results.agreement import Agreement
from interagree.stats.documents.segment_pairs import SegmentationPairs, Types
from interagree.stats.documents.segments import RANDOM_CUTS, BoundaryRates
from interagree.stats.engine.estimate import estimate


@measure(
    "Boundary pi",
    "π*",
    "fournier2013",
    "the rate of boundaries of all annotators together",
    under_chance=RANDOM_CUTS,
    **documents("segments"),
)
def boundary_pi(
    data: IntoAnnotations,
    *others: Values,
    near: int = 2,
    types: Types = "auto",
    only: Hashable | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Boundary similarity beyond chance, with one rate of boundaries for all annotators.

    Examples:
        >>> print(ia.measures.boundary_pi(ann, bo, kind="segments"))
        π* = 0.693, 95% interval -0.913 to 0.951 (3 items, 2 annotators)
    """
    cuts = SegmentationPairs.of(as_annotations(data), who="boundary pi", only=only)
    rates = BoundaryRates.of(cuts, near=near, types=types)
    notes = rates.notes_on_random_cuts(BoundaryRates.pi_parts)
    return estimate(boundary_pi, rates, BoundaryRates.pi_parts, notes=notes)
