"""What stands out in a study, as facts: who differs and how, which labels are confused, what would decide what is open.

A `Finding` has a code, its numbers and the calls that follow from it; `words` puts it into sentences, and nothing reads
these again.
"""

from interagree.findings.calls import Call
from interagree.findings.finding import Finding

__all__ = ["Call", "Finding"]
