r"""Ratio distance.

$$\delta(a, b) = \Big(\frac{a - b}{a + b}\Big)^2$$

For numbers with a true zero: 1 and 2 are as far apart as 100 and 200.  Two zeros are the same; a zero is at
distance 1 from everything else.  Negative numbers have no place on such a scale.

Krippendorff, K. (2004). Content Analysis, 2nd ed. Sage. Chapter 11.
"""

from typing import Any

import numpy as np

from interagree.declare import distance_of_numbers
from interagree.errors import KindError
from interagree.stats.weights import Floats

NODES = 16  # per unit of ln x: the error is then that of rounding


def _check(least: float) -> None:
    if least < 0:
        raise KindError(
            f"ratio distance is for numbers from 0 up, and {least:g} was given; take distance='interval', or "
            "measure from the true zero"
        )


def _potential(where: Floats, counts: Floats) -> Floats:
    # With x = ln a the distance is tanh²((x - y) / 2), a smooth function of x - y: the values are spread onto
    # Chebyshev nodes in boxes, the nodes act on each other, and the sum is read off at the values.
    _check(float(where.min(initial=0)))
    found = np.zeros(len(where))
    positive = where > 0
    zeros, total = counts[~positive].sum(), counts[positive].sum()
    found[~positive] = total
    found[positive] = zeros
    x, mass = _logarithms(where[positive]), counts[positive]
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


@distance_of_numbers(bounded=True, potential=_potential)
def ratio(a: Any, b: Any) -> Any:
    """The squared difference of two numbers over their sum."""
    _check(float(min(np.min(a, initial=0), np.min(b, initial=0))))
    total = a + b
    return ((a - b) / np.where(total > 0, total, 1)) ** 2
