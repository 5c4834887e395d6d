r"""How far apart the corners of boxes are.

$$\delta(a, b) = \sqrt{\tfrac12 \lVert a_0 - b_0 \rVert^2} + \sqrt{\tfrac12 \lVert a_1 - b_1 \rVert^2}$$

a₀ and a₁ are the corners of a: the root mean square difference of the coordinates of the first corners, and that of the
second.  It is in the unit of the coordinates and has no upper limit.

A list of boxes is compared with another by taking every box to the nearest of the other list, the mean of the two means
(``matching=minima``; see `interagree.kernels.matching`).  Nothing can stand for the distance from an empty list, so
where one is compared with another, ``unmatched`` must be given, in the unit of the coordinates.

Braylan, A., Alonso, O., Lease, M. (2022). Measuring annotator agreement generally across complex structured,
multi-object, and free-text annotation tasks. WWW, 1720-1730.
"""

from interagree.arrays import Floats, Indices
from interagree.declare import distance_of_objects
from interagree.kinds.boxes import Boxes


@distance_of_objects("boxes", defaults={"matching": "minima", "unmatched": None})
def l2(boxes: Boxes, x: Indices, y: Indices) -> Floats:
    """The root mean square difference of the first corners, and that of the second."""
    return boxes.corners(x, y)
