r"""Intersection over union of regions in an image.

$$\delta(a, b) = 1 - \frac{|a \cap b|}{|a \cup b|}$$

Of boxes, boxes at an angle, polygons, masks, and the smallest boxes around the labelled points of keypoints (an object
without any has no box and is left out).  A region without area is at distance 0 from its equals and 1 from all others.

Lists of regions are compared by pairing them one to one at the least cost; ``matching``, ``unmatched`` and ``labels``
are as in `interagree.kernels.matching`.  ``pixel=1`` makes boxes one pixel wider and higher, as where the second corner
is the last pixel inside; with it and ``matching=pooled`` this is the distance of Braylan, Alonso & Lease (2022).

Jaccard, P. (1912). The distribution of the flora in the alpine zone. New Phytologist 11(2), 37-50.
"""

from interagree.arrays import Floats, Indices
from interagree.declare import distance_of_objects
from interagree.kinds._objects import HasRegions, Regions


def _regions(packed: HasRegions, *, pixel: float, **_: object) -> Regions:
    return packed.regions(pixel)


@distance_of_objects(
    "boxes",
    "rotated",
    "polygons",
    "masks",
    "keypoints",
    prepare=_regions,
    bounded=True,
    metric=True,
    defaults={"pixel": 0},
)
def iou(objects: Regions, x: Indices, y: Indices, *, pixel: float) -> Floats:  # noqa: ARG001  # the regions are that wide already
    """One minus the share of the area of two regions that both cover."""
    return 1 - objects.overlap(x, y)
