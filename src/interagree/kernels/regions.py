"""How much two regions of an image overlap: boxes, boxes at an angle, and masks written as runs."""

from __future__ import annotations

import math

import numpy as np

from interagree.arrays import Array, Floats, Indices, Int64s
from interagree.kernels.compiled import compiled

IOU, GIOU, DIOU = 0, 1, 2


@compiled
def box_likeness(box: Floats, x: Indices, y: Indices, form: int, out: Floats) -> None:
    """IoU, GIoU or DIoU of aligned pairs of boxes.

    Two boxes without area overlap where they are the same box and not else.
    """
    for k in range(len(x)):
        a0, b0, a1, b1 = box[x[k], 0], box[x[k], 1], box[x[k], 2], box[x[k], 3]
        c0, d0, c1, d1 = box[y[k], 0], box[y[k], 1], box[y[k], 2], box[y[k], 3]
        shared = max(0.0, min(a1, c1) - max(a0, c0)) * max(0.0, min(b1, d1) - max(b0, d0))
        union = (a1 - a0) * (b1 - b0) + (c1 - c0) * (d1 - d0) - shared
        same = a0 == c0 and b0 == d0 and a1 == c1 and b1 == d1
        if same:
            out[k] = 1.0
            continue
        likeness = shared / union if union > 0 else 0.0
        wide = max(a1, c1) - min(a0, c0)
        high = max(b1, d1) - min(b0, d0)
        if form == 1:
            hull = wide * high
            likeness -= (hull - union) / hull if hull > 0 else 1.0
        elif form == 2:
            across = (a0 + a1 - c0 - c1) / 2
            along = (b0 + b1 - d0 - d1) / 2
            likeness -= (across * across + along * along) / (wide * wide + high * high)
        out[k] = max(-1.0, min(1.0, likeness))


@compiled
def corners_apart(box: Floats, x: Indices, y: Indices, out: Floats) -> None:
    """The root mean square difference of the first corners of aligned pairs of boxes, and that of the second."""
    for k in range(len(x)):
        a, b = box[x[k], 0] - box[y[k], 0], box[x[k], 1] - box[y[k], 1]
        c, d = box[x[k], 2] - box[y[k], 2], box[x[k], 3] - box[y[k], 3]
        out[k] = math.sqrt((a * a + b * b) / 2) + math.sqrt((c * c + d * d) / 2)


@compiled
def turned_overlap(  # noqa: C901, PLR0917  # one loop over arrays, for a compiled function calls no other
    corner: Floats, reach: Floats, area: Floats, x: Indices, y: Indices, out: Floats
) -> None:
    """IoU of aligned pairs of boxes at an angle: the first is cut along the four sides of the second.

    ``corner`` has the four corners of each, counter-clockwise, ``reach`` centre and half diagonal.
    """
    here, cut = np.zeros((16, 2)), np.zeros((16, 2))
    for k in range(len(x)):
        a, b = x[k], y[k]
        across, along = reach[a, 0] - reach[b, 0], reach[a, 1] - reach[b, 1]
        far = reach[a, 2] + reach[b, 2]
        same = True
        for c in range(4):
            same = same and corner[a, c, 0] == corner[b, c, 0] and corner[a, c, 1] == corner[b, c, 1]
        out[k] = 1.0 if same else 0.0
        if same or area[a] <= 0 or area[b] <= 0 or across * across + along * along >= far * far:
            continue
        size = 4
        for c in range(4):
            here[c, 0] = corner[a, c, 0] - reach[b, 0]  # near the origin, where numbers are finest
            here[c, 1] = corner[a, c, 1] - reach[b, 1]
        for side in range(4):
            px, py = corner[b, side, 0] - reach[b, 0], corner[b, side, 1] - reach[b, 1]
            dx = corner[b, (side + 1) % 4, 0] - reach[b, 0] - px
            dy = corner[b, (side + 1) % 4, 1] - reach[b, 1] - py
            kept = 0
            for c in range(size):
                n = (c + 1) % size
                left = dx * (here[c, 1] - py) - dy * (here[c, 0] - px)
                then = dx * (here[n, 1] - py) - dy * (here[n, 0] - px)
                if left >= 0:
                    cut[kept, 0] = here[c, 0]
                    cut[kept, 1] = here[c, 1]
                    kept += 1
                if (left > 0 and then < 0) or (left < 0 and then > 0):
                    t = left / (left - then)
                    cut[kept, 0] = here[c, 0] + t * (here[n, 0] - here[c, 0])
                    cut[kept, 1] = here[c, 1] + t * (here[n, 1] - here[c, 1])
                    kept += 1
            size = kept
            for c in range(size):
                here[c, 0] = cut[c, 0]
                here[c, 1] = cut[c, 1]
        twice = 0.0
        for c in range(size):
            n = (c + 1) % size
            twice += here[c, 0] * here[n, 1] - here[n, 0] * here[c, 1]
        shared = min(max(twice / 2, 0.0), area[a], area[b])
        out[k] = shared / (area[a] + area[b] - shared)


@compiled
def spelled_out(letters: Array, begin: Indices, counts: Int64s, end: Indices) -> None:
    """The run lengths that COCO's strings spell; those of string k end at ``end[k]``, all laid end to end.

    Six bits a letter, the lowest five first; from the third on, a run is told as the difference from the last but
    one.
    """
    at = 0
    for k in range(len(begin) - 1):
        first = at
        p = begin[k]
        while p < begin[k + 1]:
            run = 0
            shift = 0
            more = True
            while more and p < begin[k + 1] and shift < 60:
                letter = int(letters[p]) - 48
                run |= (letter & 31) << shift
                more = (letter & 32) != 0
                shift += 5
                p += 1
                if not more and (letter & 16) != 0:
                    run -= 1 << shift
            if at - first > 2:
                run += counts[at - 2]
            counts[at] = run
            at += 1
        end[k] = at


@compiled
def stretches(  # noqa: PLR0917  # compiled loops take arrays by place
    counts: Int64s, begin: Indices, height: Indices, tall: int, first: Int64s, last: Int64s, end: Indices
) -> None:
    """The stretches of pixels inside each mask, as places in an image of ``tall`` rows read column by column.

    A run that goes on from one column into the next is one stretch only where the mask is that tall itself.
    """
    at = 0
    for k in range(len(begin) - 1):
        place = 0
        h = height[k]
        for r in range(begin[k], begin[k + 1]):
            stop = place + counts[r]
            if (r - begin[k]) % 2 == 1:
                while place < stop:
                    ending = stop if h == tall else min(stop, (place // h + 1) * h)
                    first[at] = place // h * tall + place % h
                    last[at] = first[at] + ending - place
                    at += 1
                    place = ending
            place = stop
        end[k] = at


@compiled
def mask_overlap(  # noqa: PLR0917  # compiled loops take arrays by place
    first: Int64s, last: Int64s, begin: Indices, area: Array, x: Indices, y: Indices, out: Floats
) -> None:
    """IoU of aligned pairs of masks, each a rising list of stretches; two empty masks overlap fully."""
    for k in range(len(x)):
        a, b = begin[x[k]], begin[y[k]]
        a_end, b_end = begin[x[k] + 1], begin[y[k] + 1]
        if a == a_end and b == b_end:
            out[k] = 1.0
            continue
        out[k] = 0.0
        if a == a_end or b == b_end or last[a_end - 1] <= first[b] or last[b_end - 1] <= first[a]:
            continue
        shared = 0
        while a < a_end and b < b_end:
            shared += max(0, min(last[a], last[b]) - max(first[a], first[b]))
            if last[a] < last[b]:
                a += 1
            else:
                b += 1
        out[k] = shared / (area[x[k]] + area[y[k]] - shared)
