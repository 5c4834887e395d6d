"""What annotators get on average who answer independently of the items and of each other.

A measure that is corrected for chance promises them 0.  Not every one keeps that: by some, chance is not what
independent annotators do, and with few annotations others lie a little below.  What they get is a fact of the measure:
its page says it, `explain` says it, and the tests simulate it for every measure there is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Expected = float | Callable[..., float]  # a number, or a function of a result


@dataclass(frozen=True, slots=True)
class UnderChance:
    """What independent annotators get on average.

    ``value`` is a number, or a function that works it out for the study of a result: of annotators who answer
    independently there, each with the shares (or with as many units, or boundaries) that they have.  ``habits`` says
    what becomes of it where annotators use the values in different shares: nothing, "less", or a function again.
    """

    words: str = "0"
    value: Expected = 0.0
    habits: Literal["the same", "less"] | Callable[..., float] = "the same"
    margin: float = 0.0  # how far from the value the mean may lie, as the words say

    def of(self, result: object) -> float:
        """What independent annotators would get in the study of a result, each with the habits that they have."""
        expected = self.habits if callable(self.habits) else self.value
        return float(expected(result)) if callable(expected) else expected

    def alike(self, result: object) -> float:
        """The same of annotators who are known to share their habits."""
        return float(self.value(result)) if callable(self.value) else self.value


ZERO = UnderChance()
