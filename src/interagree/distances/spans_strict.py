r"""Spans equal in range and label.

$$\delta(A, B) = 1 - \frac{2\,|A \cap B|}{|A| + |B|}$$

One minus the F1 score of one annotation as judged by the other.  Spans are equal if start, end and label are.  A span
that one side lists twice and the other once is found once.

Two empty lists are the same answer, *there is nothing here*, and at distance 0; ``empty=1`` puts them at distance 1,
as the paper does.  An empty list is at distance 1 from any other.  It is not a metric: two different spans,
each alone in its list, are 1 apart, and each is 1/3 from the list of both.

Braylan, A., Alonso, O., & Lease, M. (2022). Measuring Annotator Agreement Generally across Complex Structured,
Multi-object, and Free-text Annotation Tasks. WWW '22, appendix (there *both strict*).
"""

from interagree.kinds._span_distances import by_dice

spans_strict = by_dice(
    "spans_strict",
    "One minus the F1 score of spans that are equal in range and label.",
    lambda spans: spans.alike(labels=True),
)
