"""How a reader states what it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class ReaderFacts:
    """What a reader says about itself."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Path], bool] | None = None
    together: bool = False  # whether several files are handed to it at once, as a list of paths
    tabular: bool = False  # whether it reads a table, whose columns are recognised together with those of other files


def reader(
    title: str,
    *,
    suffixes: tuple[str, ...],
    sniff: Callable[[Path], bool] | None = None,
    together: bool = False,
    tabular: bool = False,
) -> Callable[[F], F]:
    """Declare a reader: a function from a path to a `Study`."""

    def state(function: F) -> F:
        facts = ReaderFacts(function.__name__, title, suffixes, sniff, together, tabular)
        function.facts = facts  # type: ignore[attr-defined]  # a function may carry attributes
        return function

    return state
