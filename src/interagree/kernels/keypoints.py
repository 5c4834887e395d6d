"""How alike two objects marked by the same joints are."""

from __future__ import annotations

import math

from interagree.arrays import Booleans, Floats, Indices
from interagree.kernels.compiled import compiled


@compiled
def joint_likeness(  # noqa: PLR0917  # compiled loops take arrays by place
    point: Floats,
    labelled: Booleans,
    scale: Floats,
    weight: Floats,
    x: Indices,
    y: Indices,
    as_points: bool,  # noqa: FBT001
    likeness: Floats,
) -> None:
    """The mean over joints of exp(-d² / (s w)), d being how far apart the two marks of a joint are.

    s is the mean of the ``scale`` of both objects and w the ``weight`` of the joint.  Only joints that one of the
    two labels count, and one that the other does not is 0; with ``as_points`` every joint counts where it is.
    Objects of no extent are alike where they are the same.
    """
    joints = len(weight)
    for k in range(len(x)):
        a, b = x[k], y[k]
        size = (scale[a] + scale[b]) / 2
        total = 0.0
        counted = 0
        for j in range(joints):
            if not as_points:
                if not labelled[a, j] and not labelled[b, j]:
                    continue
                counted += 1
                if not labelled[a, j] or not labelled[b, j]:
                    continue
            across = point[a, j, 0] - point[b, j, 0]
            along = point[a, j, 1] - point[b, j, 1]
            squared = across * across + along * along
            if squared == 0:
                total += 1.0
            elif squared < 700 * size * weight[j]:
                total += math.exp(-squared / (size * weight[j]))
        if as_points:
            counted = joints
        likeness[k] = total / counted if counted > 0 else 1.0
