"""How a measure states what it is, and the door before every function of data.

A measure is written as a function of a study.  ``@measure`` puts the one door before it: whatever a caller hands over
(a frame, an array, one sequence for each annotator) and the reading options beside it become the study, so that the
function sees nothing else.  Signature, docstring and types stay those of the function, and the facts hang on it as
``.facts``.  ``@takes_data`` does the same for functions that are not measures.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypedDict, TypeVar, cast

from interagree.declare.arguments import documented
from interagree.declare.under_chance import ZERO, UnderChance
from interagree.errors import KindError
from interagree.errors.elsewhere import KEYWORDS
from interagree.errors.options import Signature, flag_of, unknown
from interagree.references import REFERENCES, Reference

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Facts:
    """What a measure says about itself; all of it is checked by the property tests."""

    name: str
    title: str
    symbol: str
    reference: str
    chance: str  # "none", or in words where chance draws from
    under_chance: UnderChance = ZERO  # what independent annotators get, where it is corrected for chance
    annotators: str = "any"  # "any" or "two"
    identity: bool = False  # whether it must know who gave a value
    complete: bool = False  # whether incomplete items are left out
    values: str = "any"  # "any", "numbers", "sets", "pairs", or the complex kind of value it takes, such as "spans"
    range: tuple[float, float] = (-1.0, 1.0)  # outside which an interval makes no sense
    divisor: str = "n-1"  # "n-1", or "n" where the published error divides by n
    widened: bool = True  # whether items with one annotation widen the error as in Gwet (2014)
    doubling: bool = True  # whether every item twice is the same study
    analytic: bool = True  # whether a linearised or otherwise published error is the default
    resampled: bool = False  # whether the default interval is that of the bootstrap
    aliases: tuple[str, ...] = ()  # what else people and other packages call it
    by_level: bool = False  # whether values are compared as their level says, where nobody gave a distance
    named: tuple[str, ...] = ("distance", "weights")  # options a result names even where nobody gave them
    # Options that take values as a scale, by kind of value.
    as_scale: Mapping[str, Mapping[str, str]] = field(
        default_factory=lambda: {"ordered": {"weights": "quadratic"}, "numbers": {"weights": "quadratic"}}
    )


class FurtherFacts(TypedDict, total=False):
    """Facts that measures of one sort have in common."""

    annotators: str
    identity: bool
    complete: bool
    values: str
    by_level: bool
    range: tuple[float, float]
    doubling: bool
    resampled: bool


TWO_ANNOTATORS = FurtherFacts(annotators="two", identity=True, complete=True)
PAIRS = FurtherFacts(by_level=True, range=(0.0, 1.0), doubling=False, resampled=True)


def documents(values: str, *, least: float = -math.inf) -> FurtherFacts:
    """The facts of a measure of what annotators marked in documents, with a coefficient of at least ``least``."""
    return FurtherFacts(values=values, identity=True, range=(least, 1.0))


def takes_data(function: F) -> F:
    """Put the door before a function of a study: data and reading options go in, the study comes out.

    A function that is written with ``*others`` also takes one sequence of values for each annotator.  Where an option
    of its own has the name of a reading option, its own is meant; but a list is never one of the words that
    ``cohen_kappa(…, missing="gwet")`` chooses from, and is the reading option there too.  Keywords that a function
    hands on to a measure, as ``**options``, pass.
    """
    return _behind_the_door(function, {})


class Result(Protocol):
    """What a measure returns: it is told the options of the call."""

    def called_with(self, options: Mapping[str, object]) -> Result: ...


def takes_repeats(function: F) -> F:
    """The same for a function of repeated judgements, which a table is read with unless the caller says otherwise."""
    return _behind_the_door(function, {"duplicates": "keep"})


def _behind_the_door(
    function: F, usual: Mapping[str, Any], kind: str = "any", flag: Callable[[str], str] = flag_of
) -> F:
    signature = inspect.signature(function)
    takes = Signature(function, flag)
    parameters = list(signature.parameters.values())
    first = parameters[0].name
    several = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    hands_on = any(one.kind is one.VAR_KEYWORD and one.name != "reading" for one in parameters)
    own = frozenset(one.name for one in parameters if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD))
    words = frozenset(one.name for one in parameters if isinstance(one.default, str))

    @functools.wraps(function)
    def behind_the_door(*given: Any, **options: Any) -> Any:
        from interagree.reading.calls import study_of
        from interagree.reading.choices import ReadingOptions

        if not given and first in options:
            given = (options.pop(first),)
        if not given:
            foreign = next((option for option in options if option in KEYWORDS), None)
            if foreign is not None:
                raise unknown(function.__name__, foreign, sorted(own - {first}), [*ReadingOptions.__annotations__])
            raise TypeError(f"{function.__name__}() missing 1 required positional argument: {first!r}")
        data, *others = given
        mine = own - _said_of_data(options, words)
        reading: dict[str, Any] = {}
        if options.keys() - mine:
            reading = _reading(function.__name__, options, mine - {first}, hands_on=hands_on)
        options = takes.check(options)
        if several:
            return function(study_of(data, others, reading, usual), **options)
        _, *others = takes.check_all(given, {})[0]
        return function(study_of(data, (), reading, usual), *others, **options)

    behind_the_door.__doc__ = documented(function, signature.parameters, kind)
    return cast("F", behind_the_door)


def _said_of_data(options: Mapping[str, Any], words: frozenset[str]) -> frozenset[str]:
    """The options of a measure, words all of them, that are given a list or the like and so say how data are read."""
    others = [name for name in words if not isinstance(options.get(name, ""), str | None)]
    if not others:
        return frozenset()
    from interagree.reading.choices import ReadingOptions

    return frozenset(name for name in others if name in ReadingOptions.__annotations__)


def _reading(name: str, options: dict[str, Any], own: frozenset[str], *, hands_on: bool) -> dict[str, Any]:
    """The reading options among the keywords of a call, taken out of them; those that are None say nothing."""
    from interagree.reading.choices import ReadingOptions

    known = ReadingOptions.__annotations__
    further = [option for option in options if option not in own]
    if hands_on:
        further = [option for option in further if option in known and not _word(option, options[option])]
    for option in further:
        if option not in known:
            raise unknown(name, option, sorted(own), list(known))
    taken = {option: options.pop(option) for option in further}
    return {option: given for option, given in taken.items() if given is not None}


def _word(option: str, given: Any) -> bool:
    """Whether what is called missing= is a word for a measure and not a list of codes."""
    return option == "missing" and isinstance(given, str)


@functools.cache
def defaults_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The options of a measure and what they are when nobody says."""
    parameters = inspect.signature(function).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}


def measure(title: str, symbol: str, reference: str | Reference, chance: str, **more: Any) -> Callable[[F], F]:
    """Declare a measure; the name is the function's own.

    Args:
        title: What people call it.
        symbol: The letter that stands before its value.
        reference: A key of `references.REFERENCES`, or a `Reference` of its own.
        chance: In words where chance draws from, or "none".
        more: Further facts, see `Facts`.
    """

    def state(function: F) -> F:
        key = reference if isinstance(reference, str) else function.__name__
        if isinstance(reference, Reference):
            REFERENCES[key] = reference
        facts = Facts(function.__name__, title, symbol, key, chance, **more)
        behind = _behind_the_door(_telling_options(function), {}, facts.values, partial(_flag, facts.name))
        behind.facts = facts  # type: ignore[attr-defined]  # a function may carry attributes
        return behind

    return state


def _flag(measure: str, option: str) -> str:
    """What the command line calls an option of a measure: most are given with the name of the measure."""
    return flag_of(option) if option in ("distance", "weights") else f"-m {measure}:{option}="


def _telling_options(function: F) -> F:
    """The function with the options of each call, defaults included, handed to its result."""
    signature = _spelled_out(inspect.signature(function))
    options = [
        parameter.name
        for parameter in list(signature.parameters.values())[1:]
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]

    usual = {name: signature.parameters[name].default for name in options}

    @functools.wraps(function)
    def told(*given: object, **keywords: object) -> Result:
        result: Result = function(*given, **keywords)
        if len(given) == 1:  # nearly always; binding takes as long as a small coefficient
            return result.called_with({name: keywords.get(name, default) for name, default in usual.items()})
        bound = signature.bind(*given, **keywords)
        bound.apply_defaults()
        return result.called_with({name: bound.arguments[name] for name in options})

    told.__signature__ = signature  # type: ignore[attr-defined]  # what `inspect.signature` looks at first
    return cast("F", told)


def _spelled_out(signature: inspect.Signature) -> inspect.Signature:
    """A signature in which ``**comparison`` is a distance, weights and reading options."""
    *rest, last = signature.parameters.values()
    if last.name != "comparison":
        return signature
    options = (
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=f"{into} | None")
        for name, into in (("distance", "IntoDistance"), ("weights", "IntoWeights"))
    )
    reading = last.replace(name="reading", annotation="Unpack[ReadingOptions]")
    return signature.replace(parameters=[*rest, *options, reading])


def facts_of(function: Callable[..., Any]) -> Facts:
    """The facts a measure declared."""
    facts = getattr(function, "facts", None)
    if not isinstance(facts, Facts):
        raise KindError(f"{function!r} is not a measure: it was not declared with @measure")
    return facts
