r"""Spans equal in range, whatever their labels.

$$\delta(A, B) = 1 - \frac{2\,|A \cap B|}{|A| + |B|}$$

One minus the F1 score of one annotation as judged by the other.  Spans are equal if start and end are; labels are not
looked at.  A span that one side lists twice and the other once is found once.

Two empty lists are the same answer, *there is nothing here*, and at distance 0; ``empty=1`` puts them at distance 1,
as the paper does.  An empty list is at distance 1 from any other.  It is not a metric: two different spans,
each alone in its list, are 1 apart, and each is 1/3 from the list of both.

Braylan, A., Alonso, O., & Lease, M. (2022). Measuring Annotator Agreement Generally across Complex Structured,
Multi-object, and Free-text Annotation Tasks. WWW '22, appendix (there *strict range*).
"""

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.spans import Stretches, dice, dice_potential
from interagree.kinds.spans import Spans, checked


def _prepare(packed: Spans, *, empty: float = 0.0) -> Stretches:
    checked(empty)
    return packed.alike(labels=False)


@distance_between("spans", prepare=_prepare, potential=dice_potential, bounded=True, defaults={"empty": 0.0})
def spans_range(marks: Stretches, i: Indices, j: Indices, *, empty: float) -> Floats:
    """One minus the F1 score of spans that are equal in range."""
    return dice(marks, i, j, empty)
