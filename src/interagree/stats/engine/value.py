"""The ratio of two disagreements, and why there may be none."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from interagree.arrays import Array
from interagree.data.values import numbers
from interagree.results.agreement import Parts

if TYPE_CHECKING:
    from interagree.stats.engine.statistic import Statistic

LARGE = 1e150  # above this squares are beyond the numbers of a computer, and below its inverse they are 0


def ratio(parts: Parts) -> Array:
    """One minus observed over expected disagreement, or the value given instead; nan where chance is not above 0."""
    if parts.value is not None:
        return np.asarray(parts.value)
    if parts.expected is None:
        return np.asarray(1 - parts.observed)
    return np.where(np.real(parts.expected) > 0, 1 - parts.observed / parts.expected, np.nan)


def plain(parts: Parts) -> Parts:
    """Parts of a single study as plain numbers."""
    return Parts(*[None if part is None else float(part.real) for part in parts])


def plain_ratio(parts: Parts) -> float:
    """The ratio of plain numbers, in a fraction of the time that arrays take."""
    if parts.value is not None:
        return float(parts.value)
    if parts.expected is None:
        return float(1 - parts.observed)
    return float(1 - parts.observed / parts.expected) if parts.expected > 0 else math.nan


def why_undefined(statistic: Statistic, parts: Parts) -> str | None:
    """Why there is no coefficient; None where there is one."""
    study = statistic.source
    if not statistic.n.annotations and not (statistic.unpaired if study is None else len(study)):
        return "there are no annotations"
    if not all(part is None or math.isfinite(part) for part in parts):
        reason = out_of_range(statistic)
        if reason is not None:
            return reason
    if math.isnan(parts.observed):
        return _nothing_to_compare(statistic)
    if parts.value is not None:
        varies = math.isfinite(parts.value)
        no_variation = "the annotations do not vary, so there is nothing to compare with"
        return None if varies else _cannot_differ(statistic, no_variation)
    if parts.expected is None or parts.expected > 0:
        return None
    if math.isnan(parts.expected):
        return "chance agreement cannot be computed from these data"
    return _cannot_differ(statistic, "all annotations have the same value, so chance could not have disagreed")


def _nothing_to_compare(statistic: Statistic) -> str:
    study = statistic.source
    alone = study is not None and len(np.unique(study.annotator)) == 1 and not study.anonymous
    if statistic.n.annotators == 1 or alone:
        return "there is only one annotator, so there is nobody to agree with"
    return "no item has annotations by two annotators, so there is nothing to compare"


def _cannot_differ(statistic: Statistic, usual: str) -> str:
    return out_of_range(statistic) or statistic.cannot_differ() or usual


def out_of_range(statistic: Statistic) -> str | None:
    """What to say of numbers so large that squares and sums of them cannot be held, or so small that they vanish."""
    values = numbers(statistic.possible_values()) or []
    low, high = min(values, default=0.0), max(values, default=0.0)
    most = max(-low, high)
    if low < high and most > LARGE:
        return (
            f"the values reach {most:.3g}, and their squares or sums are more than a computer's numbers can hold; "
            "divide all values by one number, such as the largest"
        )
    if low < high and high / 2 - low / 2 < 1 / LARGE:
        return (
            f"the values differ by {high - low:.3g} at most, and squares of that are less than a computer's numbers "
            "can hold; multiply all values by one number"
        )
    return None
