r"""Spans equal in range, whatever their labels.

$$\delta(A, B) = 1 - \frac{2\,|A \cap B|}{|A| + |B|}$$

One minus the F1 score of one annotation as judged by the other.  Spans are equal if start and end are; labels are not
looked at.  A span that one side lists twice and the other once is found once.

Empty lists are compared as by `spans_strict`, and like it this is not a metric.

Braylan, A., Alonso, O., & Lease, M. (2022). Measuring Annotator Agreement Generally across Complex Structured,
Multi-object, and Free-text Annotation Tasks. WWW '22, appendix (there *strict range*).
"""

from interagree.kinds._span_distances import by_dice

spans_range = by_dice(
    "spans_range", "One minus the F1 score of spans that are equal in range.", lambda spans: spans.alike(labels=False)
)
