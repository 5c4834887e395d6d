"""How a distance states what it is.

``@distance``, ``@distance_of_numbers``, ``@distance_table``, ``@distance_between`` and ``@distance_of_objects`` wrap a
function in a `Distance`, because a distance is asked for in several forms: of two values, of arrays of them, and of a
whole scale at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from interagree.errors import Hint, KindError, listing

if TYPE_CHECKING:
    from interagree.arrays import Floats, Indices
    from interagree.data.types import Value
    from interagree.kernels.matching import Objects


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
    pairs: Callable[..., Floats] | None = None
    table: Callable[..., Floats] | None = None
    between: Callable[..., Floats] | None = None
    prepare: Callable[..., object] | None = None  # what `between` and `potential` take, made of the packed values
    embed: Callable[..., Floats] | None = None
    potential: Callable[..., Floats | None] | None = None
    doc: str = ""
    bounded: bool = False  # never above 1
    ordered: bool = False  # needs values in a stated order, or numbers
    metric: bool = False  # keeps the triangle inequality
    of: str = "any"  # "any", "numbers", "sets", "scale", or the kinds of complex value it compares
    equality: bool = False  # 0 for the same value and 1 for any two others: no table is needed
    counted: bool = False  # whether it depends on how often values occur
    parameters: tuple[str, ...] = ()  # names of what must be given, such as the period
    defaults: Mapping[str, object] = field(default_factory=dict)  # what may be given, and what it is otherwise
    given: Mapping[str, object] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()  # what else people and other packages call it
    most: int = 5_000_000  # pairs that are worth computing before a sample of them does

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of complex value it compares; none for simple values."""
        return tuple(self.of.split()) if self.between is not None else ()

    def __call__(self, a: Value, b: Value) -> float:
        if self.pair is not None:
            return float(self.pair(a, b, **self.ready()))
        if self.between is not None:
            return float(self.among([a, b])[0, 1])
        if self.pairs is None:
            raise KindError(
                f"the {self.name} distance of two values depends on the whole scale; ask for {self.name}.among(values)"
            )
        import numpy as np

        first, second = np.array([a, b], dtype=np.float64)
        return float(self.pairs(first, second, **self.ready()))

    def __reduce__(self) -> tuple[Callable[..., Distance], tuple[object, ...]]:
        """What is pickled: the name and the parameters of a distance in the registry, all of any other."""
        from interagree.plugins import DISTANCES

        if self.name in DISTANCES and DISTANCES[self.name].with_(**self.given) == self:
            return _registered, (self.name, dict(self.given))
        return Distance, tuple(getattr(self, one.name) for one in fields(self))

    def ready(self) -> dict[str, object]:
        """Its parameters, those that were given and the usual ones; an error where one is missing."""
        missing = [name for name in self.parameters if name not in self.given]
        if missing:
            spelled = Hint("distance", f"{self.name}:{','.join(f'{name}=…' for name in missing)}")
            raise KindError(
                f"the {self.name} distance needs {listing(missing, quote=False)}; give it as {spelled}", hints=[spelled]
            )
        return {**self.defaults, **self.given}

    def among(self, values: Sequence[Value], counts: Floats | None = None, *, ordered: bool = False) -> Floats:
        """The distances of all pairs of values, as a square table.

        ``counts`` says how often each value occurs, for the distances that depend on it; it may have leading
        axes, and the table then has the same.
        """
        import numpy as np

        from interagree.kinds._scale import on_scale

        where = on_scale(values, self, ordered=ordered)
        if self.table is not None:
            numbers = np.ones(len(values)) if counts is None else counts
            given = self.ready()
            return self.table(where, numbers, **given) if self.counted else self.table(where, **given)
        given = self.ready()
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

    def prepared(self, packed: object) -> object:
        """What ``between`` and ``potential`` take, from values packed by their kind."""
        return packed if self.prepare is None else self.prepare(packed, **self.ready())

    def points(self, values: Sequence[Value], counts: Floats | None = None, *, ordered: bool = False) -> Floats:
        """Where `embed` places the values: one row for each, squared Euclidean distances between the rows."""
        from interagree.kinds._scale import on_scale

        if self.embed is None:
            raise KindError(f"the {self.name} distance is not a squared Euclidean distance of points")
        where = on_scale(values, self, ordered=ordered)
        return self.embed(where, counts, **self.ready()) if self.counted else self.embed(where, **self.ready())

    def with_(self, **given: object) -> Distance:
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


def _registered(name: str, given: dict[str, object]) -> Distance:
    from interagree.plugins import DISTANCES

    return DISTANCES[name].with_(**given)


class DistanceFacts(TypedDict, total=False):
    """What a distance may state about itself, as in `Distance`."""

    prepare: Callable[..., object]
    embed: Callable[..., Floats]
    potential: Callable[..., Floats | None]
    bounded: bool
    ordered: bool
    metric: bool
    of: str
    equality: bool
    counted: bool
    parameters: tuple[str, ...]
    defaults: Mapping[str, object]
    aliases: tuple[str, ...]
    most: int


def distance(**facts: Unpack[DistanceFacts]) -> Callable[[Callable[..., float]], Distance]:
    """Declare a distance of two values."""
    return lambda function: Distance(function.__name__, pair=function, doc=function.__doc__ or "", **facts)


def distance_of_numbers(**facts: Unpack[DistanceFacts]) -> Callable[[Callable[..., Floats]], Distance]:
    """Declare a distance of numbers, written so that it also takes arrays of them."""
    facts = {"of": "numbers", "ordered": True, **facts}
    return lambda function: Distance(function.__name__, pairs=function, doc=function.__doc__ or "", **facts)


def distance_table(**facts: Unpack[DistanceFacts]) -> Callable[[Callable[..., Floats]], Distance]:
    """Declare a distance by the table of a whole scale."""
    return lambda function: Distance(function.__name__, table=function, doc=function.__doc__ or "", **facts)


def distance_between(*kinds: str, **facts: Unpack[DistanceFacts]) -> Callable[[Callable[..., Floats]], Distance]:
    """Declare a distance of complex values, written for many pairs at once.

    The function takes the packed values (what the pack of the kind gives, or what ``prepare`` makes of it), two
    arrays of places among them, and the parameters; it gives an array of distances.
    """
    facts["of"] = " ".join(kinds)
    return lambda function: Distance(function.__name__, between=function, doc=function.__doc__ or "", **facts)


def distance_of_objects(*kinds: str, **facts: Unpack[DistanceFacts]) -> Callable[[Callable[..., Floats]], Distance]:
    """Declare a distance of single objects, such as two boxes; it is lifted to lists of them.

    The function takes the packed objects, two arrays of places among the objects, and the parameters.  How lists
    are compared is a parameter: ``matching="optimal"`` pairs objects one to one at the least cost, each one left
    over costing ``unmatched``; ``"minima"`` takes every object to the nearest of the other list, and means the two
    means; ``"pooled"`` means over all objects at once.  Two empty lists are at distance 0, or ``empty``.  Where
    objects bear labels, ``labels="strict"`` puts objects of different labels ``unmatched`` apart and ``"ignore"`` does
    not look.
    """
    usual = {"matching": "optimal", "unmatched": 1.0, "labels": "strict", "empty": 0.0}
    facts["defaults"] = {**usual, **facts.get("defaults", {})}
    facts["of"] = " ".join(kinds)

    def state(single: Callable[..., Floats]) -> Distance:
        def between(packed: Objects, i: Indices, j: Indices, **given: Any) -> Floats:
            from interagree.kernels.matching import lift

            how = {name: given.pop(name) for name in usual}
            return lift(packed, i, j, lambda x, y: single(packed, x, y, **given), **how)

        return Distance(single.__name__, between=between, doc=single.__doc__ or "", **facts)

    return state
