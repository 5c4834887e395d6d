"""How a reader states what it is."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from interagree.errors.options import checks_options, flag_of

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
    schemes: tuple[str, ...] = ()  # what addresses begin with that it reads, before ://


def reader(
    title: str,
    *,
    suffixes: tuple[str, ...],
    sniff: Callable[[Path], bool] | None = None,
    together: bool = False,
    tabular: bool = False,
    schemes: tuple[str, ...] = (),
) -> Callable[[F], F]:
    """Declare a reader: a function from a path to a `Study`."""

    def state(function: F) -> F:
        behind = _also_called_value(checks_options(function, _flag))
        facts = ReaderFacts(function.__name__, title, suffixes, sniff, together, tabular, schemes)
        behind.facts = facts  # type: ignore[attr-defined]  # a function may carry attributes
        return behind

    return state


def _also_called_value(function: F) -> F:
    """A reader that takes ``value``, as tables do, for another word for ``questions``."""
    named = inspect.signature(function).parameters
    if "questions" not in named or "value" in named:
        return function

    @functools.wraps(function)
    def reads(*given: Any, **options: Any) -> Any:
        value = options.pop("value", None)
        return function(*given, **options if value is None else {**options, "questions": value})

    return cast("F", reads)


# What readers are told by options of their own on the command line; all else is given with -O.
WITH_FLAGS = frozenset(
    {"annotator", "delimiter", "duplicates", "end", "item", "label", "looked", "sheet", "start", "tiers", "value"}
)


def _flag(option: str) -> str:
    return flag_of(option) if option in WITH_FLAGS else f"-O {option}="
