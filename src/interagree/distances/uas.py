r"""One minus the unlabelled attachment score.

$$\delta(A, B) = 1 - \frac{|\{t : \mathrm{head}_A(t) = \mathrm{head}_B(t)\}|}{\max(|A|, |B|)}$$

The share of tokens whose heads differ; sentences of different lengths are compared as by `las`, and like it this is a
metric.

Buchholz, S., & Marsi, E. (2006). CoNLL-X shared task on multilingual dependency parsing. CoNLL-X, 149-164.
"""

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kinds.dependencies import Dependencies, misattached, misattached_potential


def _potential(parses: Dependencies, frequency: Floats) -> Floats:
    return misattached_potential(parses.start, parses.head, frequency)


@distance_between("dependencies", potential=_potential, bounded=True, metric=True)
def uas(parses: Dependencies, i: Indices, j: Indices) -> Floats:
    """The share of tokens whose heads differ."""
    return misattached(parses.start, parses.head, i, j)
