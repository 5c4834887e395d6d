r"""Spans covered, whatever their labels.

$$\delta(A, B) = 1 - \frac{2\,\Delta(A, B)\,\Delta(B, A)}{\Delta(A, B) + \Delta(B, A)} \qquad
\Delta(A, B) = \frac{1}{|A|} \sum_{a \in A} \frac{|a \cap \bigcup B|}{|a|}$$

$\Delta(A, B)$ is how much of a span of $A$ is covered by the spans of $B$ on average, whatever their labels, long
and short spans alike.  What several spans of $B$ cover counts once: the formula as printed counts it once for each of
them, and $\Delta$ could exceed 1.

Two empty lists are the same answer, *there is nothing here*, and at distance 0; ``empty=1`` puts them at distance 1,
as the paper does.  Where nothing of either side is covered the distance is 1, also if one side is empty.  It is no
metric.

Braylan, A., Alonso, O., & Lease, M. (2022). Measuring Annotator Agreement Generally across Complex Structured,
Multi-object, and Free-text Annotation Tasks. WWW '22, appendix (there *both lenient*).
"""

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.spans import Stretches, coverage
from interagree.kinds.spans import Spans, checked


def _prepare(packed: Spans, *, empty: float = 0.0) -> tuple[Stretches, Stretches]:
    checked(empty)
    return packed.in_order(labels=False), packed.union(labels=False)


@distance_between("spans", prepare=_prepare, bounded=True, defaults={"empty": 0.0})
def spans_lenient(prepared: tuple[Stretches, Stretches], i: Indices, j: Indices, *, empty: float) -> Floats:
    """One minus the F1 of how much of the spans is covered by the other side."""
    return coverage(*prepared, i, j, empty)
