r"""Spans covered, whatever their labels.

$$\delta(A, B) = 1 - \frac{2\,\Delta(A, B)\,\Delta(B, A)}{\Delta(A, B) + \Delta(B, A)} \qquad
\Delta(A, B) = \frac{1}{|A|} \sum_{a \in A} \frac{|a \cap \bigcup B|}{|a|}$$

$\Delta(A, B)$ is how much of a span of $A$ is covered by the spans of $B$ on average, whatever their labels.  All else
is as in `spans_tag`, which looks at labels.

Braylan, A., Alonso, O., & Lease, M. (2022). Measuring Annotator Agreement Generally across Complex Structured,
Multi-object, and Free-text Annotation Tasks. WWW '22, appendix (there *both lenient*).
"""

from interagree.kinds._span_distances import by_coverage

spans_lenient = by_coverage(
    "spans_lenient", "One minus the F1 of how much of the spans is covered by the other side.", labels=False
)
