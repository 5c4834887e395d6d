r"""Tree edit distance beyond the difference in size.

$$\delta(A, B) = \mathrm{TED}(A, B) - |\ell(A) - \ell(B)|$$

$\ell$ is the number of leaves.  One edit changes it by one at most, so the distance is never below 0; but it may be 0
for trees that differ, and it is not a metric.

Words are left out as by `ted_norm`; ``words=1`` keeps them as leaves.

Braylan, A., Alonso, O., & Lease, M. (2022). Measuring Annotator Agreement Generally across Complex Structured,
Multi-object, and Free-text Annotation Tasks. WWW '22, appendix; after Skjærholt, A. (2014). A chance-corrected measure
of inter-annotator agreement for syntax. ACL 2014, 934-944.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.tree_edit import LaidOutTrees, edits
from interagree.kinds import trees as kind


@distance_between("trees", prepare=kind.Trees.laid_out, defaults={"words": 0}, most=30_000)
def ted_diff(trees: LaidOutTrees, i: Indices, j: Indices, *, words: float) -> Floats:  # noqa: ARG001  # the trees are laid out with them
    """The tree edit distance less the difference of the numbers of leaves."""
    return np.asarray(edits(trees, i, j) - abs(trees.leaves[i] - trees.leaves[j]))
