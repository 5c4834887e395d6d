"""Arithmetic on rows of numbers: pairs of rows in bounded memory, and sums over all rows without pairs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interagree.arrays import Array, Floats, Indices

ENTRIES = 1 << 20  # numbers of a gathered block of rows


def row_pairs(rows: Array, i: Indices, j: Indices, apart: Callable[[Array, Array], Array]) -> Floats:
    """What ``apart`` gives for rows i and j, gathered a bounded number at a time.

    Args:
        rows: One row for each value.
        i: Places of the first rows.
        j: Places of the second rows.
        apart: Takes two equally long blocks of rows and gives a number for each pair of rows.
    """
    distances = np.empty(len(i))
    step = max(1, ENTRIES // max(rows.shape[1], 1))
    for begin in range(0, len(i), step):
        here = slice(begin, begin + step)
        distances[here] = apart(rows[i[here]], rows[j[here]])
    return distances


def squares(a: Array, b: Array) -> Array:
    """The summed squared differences of aligned rows."""
    difference = a - b
    summed: Array = np.einsum("ij,ij->i", difference, difference)
    return summed


def squares_to_all(rows: Array, frequency: Floats) -> Floats:
    r"""For each row the sum of its squared distances to all rows, each as often as it occurs.

    With $F = \sum_k f_k$ and rows measured from their mean, it is $F |x|^2 + \sum_k f_k |y_k|^2$: no pairs are
    needed.  Rows are first measured from one of them, so that what they have in common does not eat their digits.
    """
    total = frequency.sum()
    if not total:
        return np.zeros(len(rows))
    points = rows - rows[0].astype(np.float64)
    points -= frequency @ points / total
    size = np.einsum("ij,ij->i", points, points)
    left = points @ (frequency @ points)  # what rounding has left of a sum that is 0
    sums: Floats = np.maximum(total * size + frequency @ size - 2 * left, 0.0)
    return sums


def differences_to_all(rows: Floats, frequency: Floats) -> Floats:
    """For each row the summed absolute differences to all rows, each as often as it occurs; by sorting columns.

    Walking up a sorted column, each gap is crossed by all that lies below it, and walking down by all above; only
    numbers from 0 up are added.
    """
    sums = np.zeros(len(rows))
    for column in rows.T:
        order = np.argsort(column, kind="stable")
        gaps = np.diff(column[order])
        below = np.cumsum(frequency[order])[:-1]
        above = np.cumsum(frequency[order][::-1])[::-1][1:]
        sums[order[1:]] += np.cumsum(gaps * below)
        sums[order[:-1]] += np.cumsum((gaps * above)[::-1])[::-1]
    return sums


def mismatches_to_all(rows: Array, frequency: Floats) -> Floats:
    """For each row the number of places in which all rows differ from it, each as often as it occurs; by counting."""
    counts = np.zeros(len(rows))
    for column in rows.T:
        _, which = np.unique(column, return_inverse=True)
        counts += frequency.sum() - np.bincount(which, weights=frequency)[which]
    return counts


def unit(rows: Floats) -> Floats:
    """Rows at length 1; those of zeros stay as they are."""
    largest = np.abs(rows).max(axis=1, initial=0.0, keepdims=True)
    scaled = rows / np.where(largest > 0, largest, 1.0)  # so that no square is too large or too small a number
    length = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]
    result: Floats = scaled / np.where(length > 0, length, 1.0)
    return result
