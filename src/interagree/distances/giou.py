r"""Generalised intersection over union of boxes.

$$\mathrm{GIoU} = \frac{|a \cap b|}{|a \cup b|} - \frac{|c| - |a \cup b|}{|c|}, \qquad
\delta(a, b) = 1 - \max(\mathrm{GIoU}, 0)$$

c is the smallest box around both, so boxes that do not meet are the farther apart the more room is between them.  GIoU
runs from -1 to 1; below 0 two boxes are no nearer to each other than to no box at all, and at distance 1.  Two boxes
without area in a c without area are at distance 0 where they are the same and 1 else.

Lists of boxes are compared by pairing them one to one at the least cost; ``matching``, ``unmatched`` and ``labels`` are
as in `interagree.kernels.matching`.  ``clip=0`` gives (1 - GIoU) / 2 instead, which tells boxes apart that do not meet,
but of lists puts an object left over farther away than any that is there.  ``pixel=1`` makes boxes one pixel wider and
higher; with it and ``matching=pooled`` this is the distance of Braylan, Alonso & Lease (2022).

Rezatofighi, H., Tsoi, N., Gwak, J., Sadeghian, A., Reid, I., Savarese, S. (2019). Generalized intersection over union:
a metric and a loss for bounding box regression. CVPR, 658-666.
"""

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_of_objects
from interagree.kernels.regions import GIOU
from interagree.kinds.boxes import Boxes


def _regions(packed: Boxes, *, pixel: float, **_: object) -> Boxes:
    return packed.regions(pixel)


@distance_of_objects("boxes", prepare=_regions, bounded=True, defaults={"clip": 1, "pixel": 0})
def giou(boxes: Boxes, x: Indices, y: Indices, *, clip: float, pixel: float) -> Floats:  # noqa: ARG001  # the boxes are that wide already
    """One minus the generalised intersection over union, where that is above 0."""
    likeness = boxes.likeness(x, y, GIOU)
    return 1 - np.maximum(likeness, 0) if clip else (1 - likeness) / 2
