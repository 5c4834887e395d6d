"""How a measure, a distance or a reader states what it is.

A measure is written as a function of a study.  ``@measure`` puts the one door before it: whatever a caller hands over
(a frame, an array, one sequence for each annotator) and the reading options beside it become the study, so that the
function sees nothing else.  Signature, docstring and types stay those of the function, and the facts hang on it as
``.facts``.  ``@takes_data`` does the same for functions that are not measures.

``@reader`` returns the function unchanged.  ``@distance`` and ``@distance_table`` wrap the function in a `Distance`,
because a distance is asked for in several forms: of two values, and of a whole scale at once.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from interagree.errors import KindError, listing
from interagree.references import REFERENCES, Reference

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Facts:
    """What a measure says about itself; all of it is checked by the property tests."""

    name: str
    title: str
    symbol: str
    reference: str
    chance: str  # "none", or in words where chance draws from
    annotators: str = "any"  # "any" or "two"
    identity: bool = False  # whether it must know who gave a value
    complete: bool = False  # whether incomplete items are left out
    values: str = (
        "any"  # "any", "numbers", "sets", "pairs", or the complex kind of value it takes, such as "spans"
    )
    range: tuple[float, float] = (-1.0, 1.0)  # outside which an interval makes no sense
    divisor: str = "n-1"  # "n-1", or "n" where the published error divides by n
    widened: bool = True  # whether items with one annotation widen the error as in Gwet (2014)
    doubling: bool = True  # whether every item twice is the same study
    analytic: bool = True  # whether a linearised or otherwise published error is the default
    resampled: bool = False  # whether the default interval is that of the bootstrap
    aliases: tuple[str, ...] = ()  # what else people and other packages call it
    named: tuple[str, ...] = (
        "distance",
        "weights",
    )  # options that a result names even where nobody gave them
    as_scale: Mapping[str, Mapping[str, str]] = (
        field(  # options that take values as a scale, by kind of value
            default_factory=lambda: {"ordered": {"weights": "quadratic"}, "numbers": {"weights": "quadratic"}}
        )
    )


READING = """\
    *others: Where ``data`` is the list of values of one annotator, those of the other annotators, one sequence each.
    **reading: How data are read: ``item``, ``annotator``, ``value``, ``values``, ``ordered``, ``layout``, ``missing``,
        ``duplicates`` and the other options of `Annotations.of`.
"""


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


def _behind_the_door(function: F, usual: Mapping[str, Any]) -> F:
    parameters = list(inspect.signature(function).parameters.values())
    first = parameters[0].name
    several = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    hands_on = any(one.kind is one.VAR_KEYWORD and one.name != "reading" for one in parameters)
    own = frozenset(
        one.name for one in parameters if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)
    )
    words = frozenset(one.name for one in parameters if isinstance(one.default, str))

    @functools.wraps(function)
    def behind_the_door(*given: Any, **options: Any) -> Any:
        from interagree.reading.calls import study_of

        if not given and first in options:
            given = (options.pop(first),)
        if not given:
            raise TypeError(f"{function.__name__}() missing 1 required positional argument: {first!r}")
        data, *others = given
        mine = own - {name for name in words if isinstance(options.get(name), list | tuple)}
        reading: dict[str, Any] = {}
        if options.keys() - mine:
            reading = _reading(function.__name__, options, mine - {first}, hands_on=hands_on)
        if several:
            return function(study_of(data, others, reading, usual), **options)
        return function(study_of(data, (), reading, usual), *others, **options)

    behind_the_door.__doc__ = _with_reading(function.__doc__, several=several)
    return cast("F", behind_the_door)


def _reading(name: str, options: dict[str, Any], own: frozenset[str], *, hands_on: bool) -> dict[str, Any]:
    """The reading options among the keywords of a call, taken out of them; those that are None say nothing."""
    from interagree.reading.calls import unknown
    from interagree.reading.choices import ReadingOptions

    known = ReadingOptions.__annotations__
    further = [option for option in options if option not in own]
    if hands_on:
        further = [option for option in further if option in known and not _word(option, options[option])]
    for option in further:
        if option not in known:
            raise unknown(name, option, sorted(own))
    taken = {option: options.pop(option) for option in further}
    return {option: given for option, given in taken.items() if given is not None}


def _word(option: str, given: Any) -> bool:
    """Whether what is called missing= is a word for a measure and not a list of codes."""
    return option == "missing" and isinstance(given, str)


def _with_reading(doc: str | None, *, several: bool) -> str | None:
    """A docstring with the arguments that every function of data has, said at the end of its own."""
    if doc is None or "Args:" not in doc:
        return doc
    lines = READING if several else READING[READING.index("    **") :]
    text = inspect.cleandoc(doc)
    head, example, rest = text.partition("\n\nExample:")
    return f"{head}\n{lines.rstrip()}{example}{rest}\n"


def defaults_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The options of a measure and what they are when nobody says."""
    return inspect.unwrap(function).__kwdefaults__ or {}


def measure(
    title: str, *, symbol: str, reference: str | Reference, chance: str, **more: Any
) -> Callable[[F], F]:
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
        behind = takes_data(_telling_options(function))
        behind.facts = facts  # type: ignore[attr-defined]  # a function may carry attributes
        return behind

    return state


def _telling_options(function: F) -> F:
    """The function with the options of each call, defaults included, handed to its result."""
    signature = inspect.signature(function)
    options = [
        one.name
        for one in list(signature.parameters.values())[1:]
        if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]

    @functools.wraps(function)
    def told(*given: object, **keywords: object) -> Result:
        result: Result = function(*given, **keywords)
        bound = signature.bind(*given, **keywords)
        bound.apply_defaults()
        return result.called_with({name: bound.arguments[name] for name in options})

    return cast("F", told)


def facts_of(function: Callable[..., Any]) -> Facts:
    """The facts a measure declared."""
    facts = getattr(function, "facts", None)
    if not isinstance(facts, Facts):
        raise KindError(f"{function!r} is not a measure: it was not declared with @measure")
    return facts


@dataclass(frozen=True, slots=True)
class Distance:
    """How far apart two values are.

    ``pair`` takes two values and ``pairs`` two arrays of numbers; ``table`` takes the values of the whole
    scale and, if ``counted``, how often each occurs, and gives the distances of all pairs; ``between`` takes
    values of a complex kind, packed as arrays once and for all, and two arrays of places among them.  A
    distance has one of the four.  Where algebra allows, ``embed`` places the values as points so that the
    distance is the squared Euclidean one, and ``potential`` gives each value's summed distance to all
    annotations, or None where the values at hand do not allow it; both do without a table.
    """

    name: str
    pair: Callable[..., float] | None = None
    pairs: Callable[..., Any] | None = None
    table: Callable[..., Any] | None = None
    between: Callable[..., Any] | None = None
    prepare: Callable[..., Any] | None = (
        None  # what `between` and `potential` take, made of the packed values
    )
    embed: Callable[..., Any] | None = None
    potential: Callable[..., Any] | None = None
    doc: str = ""
    bounded: bool = False  # never above 1
    ordered: bool = False  # needs values in a stated order, or numbers
    metric: bool = False  # keeps the triangle inequality
    of: str = "any"  # "any", "numbers", "sets", "scale", or the kinds of complex value it compares
    equality: bool = False  # 0 for the same value and 1 for any two others: no table is needed
    counted: bool = False  # whether it depends on how often values occur
    parameters: tuple[str, ...] = ()  # names of what must be given, such as the period
    defaults: Mapping[str, Any] = field(default_factory=dict)  # what may be given, and what it is otherwise
    given: Mapping[str, Any] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()  # what else people and other packages call it
    most: int = 5_000_000  # pairs that are worth computing before a sample of them does

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of complex value it compares; none for simple values."""
        return tuple(self.of.split()) if self.between is not None else ()

    def __call__(self, a: Any, b: Any) -> float:
        if self.pair is not None:
            return float(self.pair(a, b, **self._ready()))
        if self.between is not None:
            return float(self.among([a, b])[0, 1])
        if self.pairs is None:
            raise KindError(
                f"the {self.name} distance of two values depends on the whole scale; ask for {self.name}.among(values)"
            )
        import numpy as np

        return float(self.pairs(np.float64(a), np.float64(b), **self._ready()))

    def __reduce__(self) -> tuple[Callable[..., Distance], tuple[Any, ...]]:
        """What is pickled: the name and the parameters of a distance in the registry, all of any other."""
        from interagree.plugins import DISTANCES

        if self.name in DISTANCES and DISTANCES[self.name].with_(**self.given) == self:
            return _registered, (self.name, dict(self.given))
        return Distance, tuple(getattr(self, one.name) for one in fields(self))

    def _ready(self) -> dict[str, Any]:
        missing = [name for name in self.parameters if name not in self.given]
        if missing:
            example = ":" + ",".join(f"{name}=…" for name in missing)
            raise KindError(
                f"the {self.name} distance needs {listing(missing, quote=False)}; give it as "
                f"distance={self.name + example!r}"
            )
        return {**self.defaults, **self.given}

    def among(self, values: Sequence[Any], counts: Floats | None = None, *, ordered: bool = False) -> Floats:
        """The distances of all pairs of values, as a square table.

        ``counts`` says how often each value occurs, for the distances that depend on it; it may have leading
        axes, and the table then has the same.
        """
        import numpy as np

        from interagree.data.values import on_scale

        where = on_scale(values, self, ordered=ordered)
        if self.table is not None:
            numbers = np.ones(len(values)) if counts is None else counts
            table: Floats = (
                self.table(where, numbers, **self._ready())
                if self.counted
                else self.table(where, **self._ready())
            )
            return table
        given = self._ready()
        result = np.zeros((len(values), len(values)))
        if self.between is not None:
            first, second = np.triu_indices(len(values), 1)
            result[first, second] = self.between(self.prepared(where), first, second, **given)
            return result + result.T
        if self.pairs is not None:
            result += self.pairs(where[:, None], where[None, :], **given)
            return result
        if self.pair is None:
            raise KindError(f"the distance {self.name} was declared without a form")
        for i, a in enumerate(where):
            for j in range(i):
                result[i, j] = result[j, i] = self.pair(a, where[j], **given)
        return result

    def prepared(self, packed: Any) -> Any:
        """What ``between`` and ``potential`` take, from values packed by their kind."""
        return packed if self.prepare is None else self.prepare(packed, **self._ready())

    def points(self, values: Sequence[Any], counts: Floats | None = None, *, ordered: bool = False) -> Floats:
        """Where `embed` places the values: one row for each, squared Euclidean distances between the rows."""
        from interagree.data.values import on_scale

        if self.embed is None:
            raise KindError(f"the {self.name} distance is not a squared Euclidean distance of points")
        where = on_scale(values, self, ordered=ordered)
        found: Floats = (
            self.embed(where, counts, **self._ready()) if self.counted else self.embed(where, **self._ready())
        )
        return found

    def with_(self, **given: Any) -> Distance:
        """The same distance with its parameters given."""
        known = (*self.parameters, *self.defaults)
        unknown = [name for name in given if name not in known]
        if unknown:
            raise KindError(
                f"the {self.name} distance does not take {listing(unknown)}; "
                + (f"it takes {listing(known)}" if known else "it takes no parameters")
            )
        for name, number in given.items():
            if isinstance(number, float) and not math.isfinite(number):
                raise KindError(f"the {self.name} distance needs a finite {name}, got {number!r}")
            if isinstance(number, str) and not isinstance(self.defaults.get(name), str):
                raise KindError(f"the {self.name} distance needs a number for {name}, got {number!r}")
        return replace(self, given={**self.given, **given})

    def __str__(self) -> str:
        spelled = (f"{k}={v:g}" if isinstance(v, int | float) else f"{k}={v}" for k, v in self.given.items())
        return self.name + (":" + ",".join(spelled) if self.given else "")


def _registered(name: str, given: dict[str, Any]) -> Distance:
    from interagree.plugins import DISTANCES

    found: Distance = DISTANCES[name]
    return found.with_(**given)


def distance(**facts: Any) -> Callable[[Callable[..., float]], Distance]:
    """Declare a distance of two values."""
    return lambda function: Distance(function.__name__, pair=function, doc=function.__doc__ or "", **facts)


def distance_of_numbers(**facts: Any) -> Callable[[Callable[..., Any]], Distance]:
    """Declare a distance of numbers, written so that it also takes arrays of them."""
    facts = {"of": "numbers", "ordered": True, **facts}
    return lambda function: Distance(function.__name__, pairs=function, doc=function.__doc__ or "", **facts)


def distance_table(**facts: Any) -> Callable[[Callable[..., Any]], Distance]:
    """Declare a distance by the table of a whole scale."""
    return lambda function: Distance(function.__name__, table=function, doc=function.__doc__ or "", **facts)


def distance_between(*kinds: str, **facts: Any) -> Callable[[Callable[..., Any]], Distance]:
    """Declare a distance of complex values, written for many pairs at once.

    The function takes the packed values (what the pack of the kind gives, or what ``prepare`` makes of it), two
    arrays of places among them, and the parameters; it gives an array of distances.
    """
    return lambda function: Distance(
        function.__name__, between=function, of=" ".join(kinds), doc=function.__doc__ or "", **facts
    )


def distance_of_objects(*kinds: str, **facts: Any) -> Callable[[Callable[..., Any]], Distance]:
    """Declare a distance of single objects, such as two boxes; it is lifted to lists of them.

    The function takes the packed objects, two arrays of places among the objects, and the parameters.  How lists
    are compared is a parameter: ``matching="optimal"`` pairs objects one to one at the least cost, each one left
    over costing ``unmatched``; ``"minima"`` takes every object to the nearest of the other list, and means the two
    means; ``"pooled"`` means over all objects at once.  Two empty lists are at distance 0, or ``empty``.  Where
    objects bear labels, ``labels="strict"`` puts objects of different labels ``unmatched`` apart and ``"ignore"`` does
    not look.
    """
    usual = {"matching": "optimal", "unmatched": 1.0, "labels": "strict", "empty": 0.0}
    defaults = {**usual, **facts.pop("defaults", {})}

    def state(single: Callable[..., Any]) -> Distance:
        def between(packed: Any, i: Any, j: Any, **given: Any) -> Any:
            from interagree.kernels.matching import lift

            how = {name: given.pop(name) for name in usual}
            return lift(packed, i, j, lambda x, y: single(packed, x, y, **given), **how)

        return Distance(
            single.__name__,
            between=between,
            of=" ".join(kinds),
            doc=single.__doc__ or "",
            defaults=defaults,
            **facts,
        )

    return state


@dataclass(frozen=True, slots=True)
class ReaderFacts:
    """What a reader says about itself."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Path], bool] | None = None
    together: bool = False  # whether several files are handed to it at once, as a list of paths
    tabular: bool = (
        False  # whether it reads a table, whose columns are recognised together with those of other files
    )


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
