r"""Spans covered by spans of the same label.

$$\delta(A, B) = 1 - \frac{2\,\Delta(A, B)\,\Delta(B, A)}{\Delta(A, B) + \Delta(B, A)} \qquad
\Delta(A, B) = \frac{1}{|A|} \sum_{a \in A} \frac{|a \cap \bigcup B_{\mathrm{tag}(a)}|}{|a|}$$

$\Delta(A, B)$ is how much of a span of $A$ is covered by the spans of $B$ with its label on average, long and
short spans alike.  What several spans of $B$ cover counts once: the formula as printed counts it once for each of
them, and $\Delta$ could exceed 1.

Two empty lists are the same answer, *there is nothing here*, and at distance 0; ``empty=1`` puts them at distance 1,
as the paper does.  Where nothing of either side is covered the distance is 1, also if one side is empty.  It is
not a metric.

Braylan, A., Alonso, O., & Lease, M. (2022). Measuring Annotator Agreement Generally across Complex Structured,
Multi-object, and Free-text Annotation Tasks. WWW '22, appendix (there *strict tag*).
"""

from interagree.kinds._span_distances import by_coverage

spans_tag = by_coverage(
    "spans_tag", "One minus the F1 of how much of the spans is covered by spans of the same label.", labels=True
)
