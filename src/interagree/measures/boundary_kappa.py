r"""Boundary kappa: boundary similarity beyond what chance would give.

$$\kappa^* = \frac{A_a - A_e}{1 - A_e}, \qquad A_e = \frac{1}{\binom{c}{2}} \sum_{a < a'} r_a r_{a'}, \qquad
r_a = \frac{\sum_d b_{da}}{\sum_d p_d}$$

$A_a$ is [boundary similarity](boundary_similarity.md) pooled over all pairs of annotators and documents: the sum of
what they share over the sum of the boundaries compared.  Chance puts a boundary at a place as often as each of the $c$
annotators did themselves: $b_{da}$ boundaries of annotator $a$ in a document $d$ with $p_d$ places for them (as many
for each type of boundary), in all documents together.  With one rate for all it is [boundary pi](boundary_pi.md).

The details have $A_a$, both expected agreements, and the **bias** of Artstein and Poesio: what chance agrees more when
all have one rate than when each has their own, $A_e^\pi - A_e^\kappa$.  A large one says that some cut much more often
than others.

**Random cuts do not get 0.**  $A_e$ is the share of *places* at which chance puts two boundaries, and $A_a$ a share of
the *boundaries*, near misses counted half.  Annotators who put a boundary at one place in ten, independently of each
other, get 0.09; at one in five 0.16; at one in two 0.28 (documents of 1,000 places, near misses one place off).  The
coefficient is kept as it was published.  The notes say what random cuts would get in this study (with one type
of boundary and ``near`` up to 2), the details have their $A_a$, and with
[corrected boundary similarity](corrected_boundary_similarity.md) they get 0.

An annotation counts in its rate as often as it is compared, which makes no difference where all annotators cut all
documents.  A document in which nobody put a boundary adds nothing to $A_a$, and its rates of 0 count towards chance.
It is undefined where nobody put any boundary, and where everybody put one at every place.

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
    "Boundary kappa",
    "κ*",
    "fournier2013",
    "the rate of boundaries of each annotator",
    under_chance=RANDOM_CUTS,
    **documents("segments"),
)
def boundary_kappa(
    data: IntoAnnotations,
    *others: Values,
    near: int = 2,
    types: Types = "auto",
    only: Hashable | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Boundary similarity beyond chance, with a rate of boundaries for each annotator.

    Examples:
        >>> print(ia.measures.boundary_kappa(ann, bo, kind="segments"))
        κ* = 0.693, 95% interval -0.905 to 0.951 (3 items, 2 annotators)
    """
    cuts = SegmentationPairs.of(as_annotations(data), who="boundary kappa", only=only)
    rates = BoundaryRates.of(cuts, near=near, types=types)
    notes = rates.notes_on_random_cuts(BoundaryRates.kappa_parts)
    return estimate(boundary_kappa, rates, BoundaryRates.kappa_parts, notes=notes)
