r"""Tree edit distance over the number of leaves.

$$\delta(A, B) = \frac{\mathrm{TED}(A, B)}{\ell(A) + \ell(B)}$$

$\ell$ is the number of leaves: for a parse, of its tokens.  Trees have more nodes than leaves, so it may exceed 1.
It is not a metric.

Words are left out, so that the leaves of a parse are its parts of speech; ``words=1`` keeps them as leaves.

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
def ted_norm(trees: LaidOutTrees, i: Indices, j: Indices, *, words: float) -> Floats:  # noqa: ARG001  # the trees are laid out with them
    """The tree edit distance over the sum of the numbers of leaves."""
    return np.asarray(edits(trees, i, j) / (trees.leaves[i] + trees.leaves[j]))
