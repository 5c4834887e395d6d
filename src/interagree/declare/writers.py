"""How a writer states what it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from interagree.errors.options import checks_options

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class WriterFacts:
    """What a writer says about itself."""

    name: str
    title: str
    suffix: str  # of the file that it writes; "/" where it is a folder
    kinds: tuple[str, ...]  # the kinds of value that the tool can hold


def writer(title: str, *, suffix: str, kinds: tuple[str, ...]) -> Callable[[F], F]:
    """Declare a writer: a function from decisions to the bytes of a file, or to those of each file of a folder."""

    def state(function: F) -> F:
        behind = checks_options(function)
        behind.facts = WriterFacts(function.__name__, title, suffix, kinds)  # type: ignore[attr-defined]  # as readers do
        return behind

    return state
