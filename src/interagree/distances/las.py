r"""One minus the labelled attachment score.

$$\delta(A, B) = 1 - \frac{|\{t : \mathrm{arc}_A(t) = \mathrm{arc}_B(t)\}|}{\max(|A|, |B|)}$$

An arc is a head with a label; the distance is the share of tokens whose heads or labels differ.  Annotations of
different sentences have different numbers of tokens, and chance compares them: tokens beyond the shorter sentence
count as wrong.  Two empty parses are at distance 0.  It is a metric, as $1 - |A \cap B| / \max(|A|, |B|)$ is for any
sets.

Buchholz, S., & Marsi, E. (2006). CoNLL-X shared task on multilingual dependency parsing. CoNLL-X, 149-164.
"""

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kinds.dependencies import Dependencies, misattached, misattached_potential


def _potential(parses: Dependencies, frequency: Floats) -> Floats:
    return misattached_potential(parses.start, parses.arc, frequency)


@distance_between("dependencies", potential=_potential, bounded=True, metric=True)
def las(parses: Dependencies, i: Indices, j: Indices) -> Floats:
    """The share of tokens whose heads or labels differ."""
    return misattached(parses.start, parses.arc, i, j)
