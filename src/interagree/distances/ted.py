r"""Tree edit distance.

The least number of nodes to insert, delete and relabel that turns one ordered tree into the other.  The children of a
deleted node become those of its parent, in its place.

Words are left out, so that the leaves of a parse are its parts of speech; ``words=1`` keeps them as leaves.
It is a metric, and grows with the trees.

Zhang, K., & Shasha, D. (1989). Simple fast algorithms for the editing distance between trees and related problems.
SIAM Journal on Computing 18(6), 1245-1262.
"""

from interagree.arrays import Floats, Indices
from interagree.declare import distance_between
from interagree.kernels.tree_edit import LaidOutTrees, edits
from interagree.kinds import trees as kind


@distance_between("trees", prepare=kind.Trees.laid_out, metric=True, defaults={"words": 0}, most=30_000)
def ted(trees: LaidOutTrees, i: Indices, j: Indices, *, words: float) -> Floats:  # noqa: ARG001  # the trees are laid out with them
    """The least number of nodes to insert, delete and relabel."""
    return edits(trees, i, j)
