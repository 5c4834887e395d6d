"""Sums of ratio distances over many numbers, without looking at every pair.

Two distances of Krippendorff's are made of it: ratio itself, and polar, which is ratio seen from both ends of a scale.
"""

from __future__ import annotations

import numpy as np

from interagree.arrays import Floats

NODES = 16  # per unit of ln x: the error is then that of rounding


def ratio_sums(where: Floats, masses: Floats) -> Floats:
    r"""For each of some numbers from 0 up, the sum over all of them of $((a - b) / (a + b))^2$ times a mass."""
    # With x = ln a the distance is tanh²((x - y) / 2), a smooth function of x - y: the values are spread onto
    # Chebyshev nodes in boxes, the nodes act on each other, and the sum is read off at the values.
    found = np.zeros(len(where))
    positive = where > 0
    zeros, total = masses[~positive].sum(), masses[positive].sum()
    found[~positive] = total
    found[positive] = zeros
    x, mass = _logarithms(where[positive]), masses[positive]
    length = min(float(x.max(initial=0)), 1.0)  # boxes no wider than the data, whose distances may be tiny
    if length == 0:
        return found
    box = np.minimum(x // length, max(x.max() // length - (length < 1), 0)).astype(np.int64)
    boxes, place = np.unique(box, return_inverse=True)
    angle = (2 * np.arange(NODES) + 1) * np.pi / (2 * NODES)
    node = (1 + np.cos(angle)) / 2
    within = (x / length - box)[:, None] - node[None, :]
    lean = (-1) ** np.arange(NODES) * np.sin(angle)  # barycentric weights of Chebyshev nodes
    exact = np.abs(within) < 1e-15
    share = lean / np.where(exact, 1, within)
    share /= share.sum(axis=1, keepdims=True)
    on_node = exact.any(axis=1)
    share[on_node] = exact[on_node]
    charge = np.zeros((len(boxes), NODES))
    for k in range(NODES):
        charge[:, k] = np.bincount(place, weights=mass * share[:, k], minlength=len(boxes))
    at = boxes[:, None] + node[None, :]
    pull = np.empty_like(charge)
    for i in range(len(boxes)):
        near = np.abs(boxes - boxes[i]) < 90  # beyond, tanh² is one
        apart = (at[i][:, None] - at[near].reshape(1, -1)) * length / 2
        pull[i] = np.tanh(apart) ** 2 @ charge[near].reshape(-1) + charge[~near].sum()
    found[positive] += (share * pull[place]).sum(axis=1)
    return np.maximum(found, 0)


def _logarithms(some: Floats) -> Floats:
    """The logarithms of numbers above 0, less that of the least: exact also where the numbers lie close together."""
    if not len(some):
        return some
    least = some.min()
    x = np.log(some) - np.log(least)
    close = some < 2 * least
    x[close] = np.log1p((some[close] - least) / least)
    return np.asarray(x)
