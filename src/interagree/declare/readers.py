"""How a reader states what it is.

Options that several readers have are declared once, with their type, what they are by default and what they mean, in a
`TypedDict` of ``Annotated[type, SharedOption(default, meaning)]``.  A reader takes them by ``**options: Unpack[…]`` and
finds all of them in ``options``; for whoever calls it or asks for its help they are keywords like any other.
"""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from interagree.declare.arguments import with_arguments
from interagree.errors import UnknownName, listing, suggestion
from interagree.errors.options import checks_options, declared, flag_of

F = TypeVar("F", bound=Callable[..., Any])


class SharedOption(NamedTuple):
    """What an option of several readers is when nobody says, and what it means."""

    default: object
    meaning: str


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
        behind = _also_called_value(checks_options(_spelled_out(function), _flag))
        facts = ReaderFacts(function.__name__, title, suffixes, sniff, together, tabular, schemes)
        behind.facts = facts  # type: ignore[attr-defined]  # a function may carry attributes
        return behind

    return state


def _spelled_out(function: F) -> F:
    """A reader whose shared options are keywords like its own, in its signature and its help."""
    signature = inspect.signature(function)
    *own, last = signature.parameters.values()
    shared = _shared(last, function.__globals__)
    if not shared:
        return function
    usual = {name: option.default for name, (_, option) in shared.items()}
    known = [parameter.name for parameter in own[1:]] + list(shared)

    @functools.wraps(function)
    def reads(*given: Any, **options: Any) -> Any:
        for option in options.keys() - {own[0].name, *known}:
            # What reading several files needs is let through.
            if option == "duplicates" or (option == "kind" and options[option] == "spans"):
                del options[option]
                continue
            raise UnknownName(
                f"the reader {function.__name__!r} has no option {option!r}.{suggestion(option, known)} "
                f"(known: {listing(known)})"
            )
        return function(*given, **{**usual, **options})

    spelled = [
        inspect.Parameter(name, last.KEYWORD_ONLY, default=option.default, annotation=kind)
        for name, (kind, option) in shared.items()
    ]
    reads.__signature__ = signature.replace(parameters=[*own, *spelled])  # type: ignore[attr-defined]  # seen first
    reads.__doc__ = with_arguments(
        inspect.getdoc(function), {name: option.meaning for name, (_, option) in shared.items()}
    )
    return cast("F", reads)


def _shared(last: inspect.Parameter, namespace: Mapping[str, object]) -> dict[str, tuple[object, SharedOption]]:
    """The options that the last parameter of a reader stands for, each with its type."""
    kind = declared(last.annotation, namespace) if last.kind is last.VAR_KEYWORD else None
    if typing.get_origin(kind) is not typing.Unpack:
        return {}
    hints = typing.get_type_hints(typing.get_args(kind)[0], include_extras=True)
    parts = {name: typing.get_args(hint) for name, hint in hints.items()}
    return {name: (plain, option) for name, (plain, option) in parts.items()}


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
