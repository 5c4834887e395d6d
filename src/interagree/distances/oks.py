r"""Object keypoint similarity.

$$\delta(a, b) = 1 - \frac{1}{|J|} \sum_{j \in J} \exp\Bigl(-\frac{d_j^2}{2\, s\, (2 k_j)^2}\Bigr)$$

$d_j$ is how far apart the two marks of joint j are, $k_j$ a constant that says how precisely people mark it, and s the
size of the objects.  COCO defines it for a detection held against the truth; here neither of two annotators is the
truth, and three decisions make it symmetric:

* J are the joints that at least one of them labelled, and one that only one of them labelled counts as 0 in the sum;
* s is the mean of both areas, each that of the smallest box around the labelled points of an object (COCO takes the
  area of the mask, which annotations of keypoints need not have);
* objects without any labelled point are at distance 0 from one another, and 1 from all others.  Where s is 0, marks at
  the same place count as 1 and others as 0.

The constants are COCO's for its 17 joints; objects with another number of joints have the mean of those for each.
``constant`` gives one for all joints instead.  ``scale=spread`` takes as size the root mean square of the standard
deviations of both coordinates (a length, not an area), and ``unlabelled=points`` takes a joint that is not labelled as
a mark at [0, 0] like any other, so that two of them match perfectly.  ``constant=10,scale=spread,unlabelled=points``
with ``matching=pooled`` is the distance of Braylan, Alonso & Lease (2022).

Lists of objects are compared by pairing them one to one at the least cost; ``matching`` and ``unmatched`` are as in
`interagree.kernels.matching`.

Lin, T.-Y. et al. (2014). Microsoft COCO: common objects in context. ECCV, 740-755; the constants are those of COCO's
keypoint evaluation, https://cocodataset.org/#keypoints-eval.
"""

from dataclasses import dataclass

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.declare import distance_of_objects
from interagree.errors import KindError, listing
from interagree.kinds.keypoints import Keypoints

# nose, eyes, ears, shoulders, elbows, wrists, hips, knees, ankles; left and right
COCO = np.repeat([0.026, 0.025, 0.035, 0.079, 0.072, 0.062, 0.107, 0.087, 0.089], [1, 2, 2, 2, 2, 2, 2, 2, 2])
SCALES = ("area", "spread")
UNLABELLED = ("zero", "points")


@dataclass(frozen=True, slots=True)
class _Sized:
    """Keypoints with what the formula needs of each object and of each joint."""

    start: Indices
    keypoints: Keypoints
    scale: Floats
    weight: Floats
    as_points: bool
    label: None = None


def _sized(keypoints: Keypoints, *, constant: float, scale: str, unlabelled: str, **_: object) -> _Sized:
    if constant < 0:
        raise KindError(f"the oks distance needs a constant above 0 (or 0 for COCO's), got {constant:g}")
    if scale not in SCALES:
        raise KindError(f"the oks distance takes scale as {listing(SCALES)}, got {scale!r}")
    if unlabelled not in UNLABELLED:
        raise KindError(f"the oks distance takes unlabelled as {listing(UNLABELLED)}, got {unlabelled!r}")
    joints = keypoints.point.shape[1]
    each = COCO if joints == len(COCO) else np.full(joints, COCO.mean())
    weight = 2 * (2 * (np.full(joints, float(constant)) if constant else each)) ** 2
    as_points = unlabelled == "points"
    box = keypoints.box
    areas = (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])
    size = areas if scale == "area" else _deviations(keypoints, as_points=as_points)
    return _Sized(keypoints.start, keypoints, size, weight, as_points)


def _deviations(keypoints: Keypoints, *, as_points: bool) -> Floats:
    counted = np.ones_like(keypoints.labelled) if as_points else keypoints.labelled
    count = np.maximum(counted.sum(axis=1), 1)[:, None]
    middle = (keypoints.point * counted[:, :, None]).sum(axis=1) / count
    off = (keypoints.point - middle[:, None]) * counted[:, :, None]
    return np.asarray(np.sqrt(((off**2).sum(axis=1) / count).mean(axis=1)))


@distance_of_objects(
    "keypoints", prepare=_sized, bounded=True, defaults={"constant": 0, "scale": "area", "unlabelled": "zero"}
)
def oks(objects: _Sized, x: Indices, y: Indices, **_: object) -> Floats:
    """One minus how alike two objects are, joint by joint."""
    return 1 - objects.keypoints.likeness(x, y, objects.scale, objects.weight, as_points=objects.as_points)
