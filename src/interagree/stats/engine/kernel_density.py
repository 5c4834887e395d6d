"""Which distances lie below a quantile of a smoothed distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from interagree.arrays import Floats

BLOCK = 1_000_000  # numbers that are laid out at once


def rarer_smoothed(far: Floats, times: Any, count: float, p: float) -> Any:
    """Whether less than a share p of a Gaussian kernel estimate lies below each distance.

    Args:
        far: The distances in rising order.
        times: How often each occurs, along the last axis.
        count: How many draws there are, for Scott's bandwidth.
        p: The share.
    """
    rows = np.real(times).reshape(-1, len(far))
    step = max(1, BLOCK // max(len(far), 1))
    first = [_reaching(far, rows[start : start + step], count, p) for start in range(0, len(rows), step)]
    passed = np.arange(len(far)) < np.concatenate(first)[:, None]
    return passed.reshape(np.shape(times))


def _reaching(far: Floats, times: Floats, count: float, p: float) -> Any:
    """For each row the place of the first distance below which there is as much as p: it grows, so halving finds it."""
    from scipy.special import ndtr

    share = times / times.sum(axis=-1, keepdims=True)
    middle = (share @ far)[:, None]
    spread = np.sqrt((share * (far - middle) ** 2).sum(axis=-1) * count / max(count - 1, 1))
    width = np.maximum(spread * count**-0.2, np.finfo(float).tiny)[:, None]
    low, high = np.zeros(len(times), dtype=np.intp), np.full(len(times), len(far))
    while (low < high).any():
        place = np.minimum((low + high) // 2, len(far) - 1)
        below = (ndtr((far[place][:, None] - far) / width) * share).sum(axis=-1) < p
        open_ = low < high
        low = np.where(open_ & below, place + 1, low)
        high = np.where(open_ & ~below, place, high)
    return low
