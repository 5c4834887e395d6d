"""The difference of two coefficients, with its interval.

Two rounds, two versions of the guidelines, two groups of annotators, or two coefficients of one study.
Where the two share items, those items vary together and the interval takes it into account: the difference
is paired on the items they have in common.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from interagree.arrays import Floats
from interagree.errors import KindError
from interagree.plugins import KINDS, MEASURES
from interagree.results.agreement import Agreement, Interval
from interagree.stats.engine.estimate import Estimate
from interagree.stats.engine.quantiles import t_quantile, t_tail


@dataclass(frozen=True, slots=True)
class Difference:
    """Second minus first."""

    first: Agreement
    second: Agreement
    value: float
    error: float
    df: float
    shared: int  # items that both have
    level: float = 0.95
    undefined: str | None = None

    @property
    def paired(self) -> bool:
        """Whether the two have items in common, whose variation cancels."""
        return self.shared > 0

    def interval(self, level: float | None = None) -> Interval | None:
        """The confidence interval of the difference; None where there is none."""
        if self.undefined or math.isnan(self.error):
            return None
        level = self.level if level is None else level
        reach = t_quantile(0.5 + level / 2, self.df) * self.error
        return Interval(
            self.value - reach,
            self.value + reach,
            level,
            "paired" if self.paired else "independent",
            self.error,
            self.df,
        )

    @property
    def low(self) -> float:
        """The lower end of the interval; nan where there is none."""
        found = self.interval()
        return math.nan if found is None else found.low

    @property
    def high(self) -> float:
        """The upper end of the interval; nan where there is none."""
        found = self.interval()
        return math.nan if found is None else found.high

    @property
    def p_value(self) -> float | None:
        """How often two coefficients that are truly alike would differ as much; two-sided."""
        return t_tail(self.value / self.error, self.df) if self.error > 0 and not self.undefined else None

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings, ready for JSON."""

        def number(entry: float | None) -> float | None:
            return None if entry is None or not math.isfinite(entry) else entry

        return {
            "schema": 1,
            "difference": number(self.value),
            "low": number(self.low),
            "high": number(self.high),
            "level": self.level,
            "standard_error": number(self.error),
            "p_value": number(self.p_value),
            "shared_items": self.shared,
            "undefined": self.undefined,
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
        }

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        if self.undefined:
            return f"the difference is undefined: {self.undefined}"
        how = f"paired on {self.shared:,} items" if self.paired else "no items in common"
        sure = (
            ""
            if math.isnan(self.error)
            else f", {self.level:.0%} interval {self.low:+.3f} to {self.high:+.3f}"
        )
        found = self.p_value
        p = "" if found is None else ", p < 0.001" if found < 0.001 else f", p = {found:.3f}"
        return (
            f"{self.second.measure.symbol} - {self.first.measure.symbol} = {self.value:+.3f}{sure}{p} ({how})"
        )


def compare(
    first: Any,
    second: Any,
    *,
    measure: str | Callable[..., Agreement] | None = None,
    level: float = 0.95,
    paired: bool = True,
    **options: Any,
) -> Difference:
    """How much two coefficients differ, second minus first, and how sure that is.

    Args:
        first: A coefficient, or the data of one.
        second: Another coefficient, or other data.
        measure: The measure of data that are no coefficient yet, such as ``"alpha"``.
        level: The level of the interval.
        paired: Whether items of the same name are the same items; False where two tables only number rows alike.
        options: Keywords of the measure, and how data are read: ``item``, ``annotator``, ``value`` and the other
            options of `Annotations.of`.
    """
    one, two = _result(first, measure, options), _result(second, measure, options)
    _alike(one, two)
    value = two.value - one.value
    undefined = one.undefined or two.undefined
    if undefined:
        return Difference(one, two, math.nan, math.nan, math.nan, 0, level, undefined)
    # Of the same kind for both: what a paired difference is made of nearly cancels.
    linearised = all(isinstance(each.engine, Estimate) and each.engine.linearised for each in (one, two))
    here, there = _moves(one, linearised=linearised), _moves(two, linearised=linearised)
    if here is None or there is None:
        error = math.hypot(one.standard_error(), two.standard_error())
        return Difference(one, two, value, error, one.n.items + two.n.items - 2, 0, level)
    shared = _aligned(one, two) if paired else None
    if shared is None:
        error = math.sqrt(_variance(here) + _variance(there))
        return Difference(one, two, value, error, len(here) + len(there) - 2, 0, level)
    both, left, right = shared
    moved = there[right] - here[left]
    alone = np.r_[
        here[np.setdiff1d(np.arange(len(here)), left)], there[np.setdiff1d(np.arange(len(there)), right)]
    ]
    together = np.r_[moved, alone]
    return Difference(one, two, value, math.sqrt(_variance(together)), len(together) - 1, both, level)


def _result(data: Any, measure: str | Callable[..., Agreement] | None, options: dict[str, Any]) -> Agreement:
    if isinstance(data, Agreement):
        return data
    if measure is None:
        raise KindError("to compare two data sets, say by which coefficient: measure='alpha'")
    found: Agreement = (MEASURES[measure] if isinstance(measure, str) else measure)(data, **options)
    return found


def _alike(one: Agreement, two: Agreement) -> None:
    """An error where complex values of one kind would be held against values of another."""
    kinds = [
        each.engine.source.kind
        if isinstance(each.engine, Estimate) and each.engine.source is not None
        else ""
        for each in (one, two)
    ]
    if kinds[0] != kinds[1] and all(kinds) and any(kind in KINDS for kind in kinds):
        raise KindError(
            f"the first study holds {kinds[0]} and the second {kinds[1]}, and a difference of their coefficients "
            "would mean nothing; compare studies of one kind of value, or say with kind= what the values are"
        )


def _moves(result: Agreement, *, linearised: bool) -> Floats | None:
    """What each item adds to the error of a coefficient; None where the items cannot be told apart."""
    engine = result.engine
    if not isinstance(engine, Estimate) or engine.source is None or engine.statistic.pattern is None:
        return None
    if hasattr(engine.statistic, "grouped") and len(engine.times) < engine.statistic.n.items:
        return None  # groups of items were resampled
    pattern = engine.statistic.pattern
    moves = engine.item_influence(linearised=linearised) / float(engine.times.sum())
    found: Floats = moves[pattern[pattern >= 0]]
    return found


def _variance(moves: Floats) -> float:
    count = len(moves)
    return float(moves @ moves) * count / max(count - 1, 1)


def _aligned(one: Agreement, two: Agreement) -> tuple[int, Any, Any] | None:
    """How many items two coefficients share, and where those stand in each; None where they share none."""
    mine, theirs = _names(one), _names(two)
    place = {name: i for i, name in enumerate(theirs)}
    pairs = [(i, place[name]) for i, name in enumerate(mine) if name in place]
    if not pairs:
        return None
    left, right = np.array(pairs).T
    return len(pairs), left, right


def _names(result: Agreement) -> list[Any]:
    engine = result.engine
    assert isinstance(engine, Estimate) and engine.source is not None  # noqa: PT018, S101 -- _moves has looked
    items = engine.source.items
    return [items[i] for i in np.flatnonzero(engine.statistic.pattern >= 0).tolist()]
