r"""Distance intersection over union of boxes.

$$\mathrm{DIoU} = \frac{|a \cap b|}{|a \cup b|} - \frac{\rho^2}{c^2}, \qquad
\delta(a, b) = 1 - \max(\mathrm{DIoU}, 0)$$

ρ is how far apart the centres are and c the diagonal of the smallest box around both.  DIoU runs from -1 to 1; below
0 two boxes are no nearer to each other than to no box at all, and at distance 1; ``clip=0`` gives (1 - DIoU) / 2
instead.  A box without area overlaps its equals only.

Lists of boxes are compared by pairing them one to one at the least cost; ``matching``, ``unmatched`` and ``labels`` are
as in `interagree.kernels.matching`.

Zheng, Z., Wang, P., Liu, W., Li, J., Ye, R., Ren, D. (2020). Distance-IoU loss: faster and better learning for bounding
box regression. AAAI 34(7), 12993-13000.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_of_objects
from interagree.kernels.regions import DIOU
from interagree.kinds.boxes import Boxes


@distance_of_objects("boxes", bounded=True, defaults={"clip": 1})
def diou(boxes: Boxes, x: Indices, y: Indices, *, clip: float) -> Floats:
    """One minus the overlap less how far apart the centres are, where that is above 0."""
    likeness = boxes.likeness(x, y, DIOU)
    return 1 - np.maximum(likeness, 0) if clip else (1 - likeness) / 2
