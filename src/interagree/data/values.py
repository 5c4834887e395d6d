"""Values: what kind they are, in what order they stand, and where they lie on a scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

from interagree.errors import DataError, Hint, KindError, listing

if TYPE_CHECKING:
    from interagree.declare import Distance


ALL_VALUES = Hint("values", [...])
IN_ORDER = Hint("ordered", value=True)
SEVERAL_LABELS = Hint("split", "|")
SIMPLE = frozenset({str, int, float, bool})  # what is kept as it is
FEW = 20  # distinct whole numbers up to which they are taken as labels and not as numbers


def is_missing(value: object) -> bool:
    """Whether a cell says that there is no annotation: None, NaN, or a frame library's own null."""
    if value is None:
        return True
    if isinstance(value, float):
        return math.isnan(value)
    return type(value).__name__ in {"NAType", "NaTType"} or (isinstance(value, Real) and math.isnan(value))


def plain(value: Any) -> Any:
    """A value that can be kept: numpy scalars become Python's, sets are frozen, lists become tuples."""
    if type(value) in SIMPLE:
        return value
    if type(value) in {list, tuple}:  # most lists hold numbers or lists of numbers
        return tuple(value if SIMPLE.issuperset(map(type, value)) else map(plain, value))
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        return value.item()
    if isinstance(value, AbstractSet):
        return frozenset(plain(part) for part in value)
    if isinstance(value, list | tuple) or (hasattr(value, "tolist") and hasattr(value, "shape")):
        return tuple(plain(part) for part in value)
    if isinstance(value, dict):
        return tuple(sorted((str(key), plain(part)) for key, part in value.items()))
    return value


def key(value: Any) -> tuple[bool, Any]:
    """What makes two values the same: True is not 1, and "1" is not 1, but 1 and 1.0 are one number."""
    return isinstance(value, bool), value


def number(value: object) -> float | None:
    """The number that a value is or spells, if any."""
    if isinstance(value, bool):
        return None
    if isinstance(value, Real):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, str):
        try:
            found = float(value)
        except ValueError:
            return None
        return found if math.isfinite(found) and "_" not in value else None
    return None


def numbers(values: Iterable[object]) -> list[float] | None:
    """All values as numbers, or None where one of them is none."""
    values = list(values)
    if set(map(type, values)) <= {int, float} and all(map(math.isfinite, values)):  # type: ignore[arg-type]  # so they are
        return list(map(float, values))  # type: ignore[arg-type]  # numbers
    found = []
    for value in values:  # of a million words the first is enough
        spelled = number(value)
        if spelled is None:
            return None
        found.append(spelled)
    return found


def in_order(values: Sequence[Any]) -> list[Any]:
    """Values in a natural order: numbers by size, then strings, then the rest as they came.

    Strings that all spell numbers stand in the order of the numbers.  Sets also have "<", but it means "is a
    subset of", and sorting by it would give a different order every run; so only numbers and strings are sorted.
    """
    strings = [value for value in values if isinstance(value, str)]
    reals = [value for value in values if isinstance(value, Real)]
    rest = [value for value in values if not isinstance(value, str | Real)]
    spelled = numbers(strings)
    if spelled is None:
        strings.sort()
    else:
        strings = [value for _, value in sorted(zip(spelled, strings, strict=True))]
    return [*sorted(reals, key=lambda value: (not isinstance(value, bool), value)), *strings, *rest]


def check_order(values: Sequence[Any]) -> None:
    """An error where values are said to be ordered and neither they nor anybody says in which order.

    Numbers, and strings that spell numbers, have their own; of two values either order gives the same distance.
    """
    if len(values) <= 2 or isinstance(values, range) or numbers(values) is not None:
        return
    raise DataError(
        f"ordered=True needs an order, and nothing says in which order {listing(values)} stand; pass them from lowest "
        "to highest as values=[…]"
    )


class Recognised(NamedTuple):
    """What the values of a study are taken to be, and whether they may be meant otherwise."""

    kind: (
        str  # "labels", "ordered", "numbers", "sets", "tuples", "objects", or a complex kind such as "boxes"
    )
    doubt: str | None = None  # the other kind that nobody has ruled out; None where there is no doubt
    because: str = ""  # what they are seen to be: "whole numbers from 1 to 5"


def are_sets(values: Sequence[Any]) -> bool:
    """Whether all values are sets of labels."""
    return bool(len(values)) and all(isinstance(value, AbstractSet) for value in values)


def recognised(values: Sequence[Any], *, ordered: bool | None = None, stated: bool = False) -> Recognised:
    """What values are: the one decision that every measure, command and report asks for.

    Strings that all spell numbers are numbers here, because a text file cannot tell them apart.  Whole numbers of
    which there are few may be codes or steps of a scale: they are taken as labels, in doubt unless there are only two
    (then an order makes no difference), or somebody declared the values or said whether they are ordered.

    Args:
        values: The distinct values, in order.
        ordered: Whether the order of the values means something; None where nobody said.
        stated: Whether somebody declared the values.
    """
    if not len(values):
        return Recognised("labels", because="not there")
    if are_sets(values):
        return Recognised("sets", because="sets")
    if ordered:
        return Recognised("ordered", because="in a declared order")
    found = numbers(values)
    if found is not None:
        return _numbers_or_codes(found, sure=stated or ordered is not None)
    if all(isinstance(value, tuple) for value in values):
        return Recognised("tuples", because="lists")
    if all(isinstance(value, str | Real) for value in values):
        return Recognised("labels", because="words")
    return Recognised("objects", because="neither words nor numbers")


def _numbers_or_codes(found: Sequence[float], *, sure: bool) -> Recognised:
    if len(found) > FEW:
        return Recognised("numbers", because=f"{len(found):,} distinct numbers")
    if not all(map(float.is_integer, found)):
        return Recognised("numbers", because="numbers, not all of them whole,")
    because = f"whole numbers from {min(found):g} to {max(found):g}"
    scale = len(found) > 2 and not sure and all(a < b for a, b in pairwise(found))
    return Recognised("labels", "ordered" if scale else None, because)


def on_scale(values: Sequence[Any], distance: Distance, *, ordered: bool, given: str | None = None) -> Any:
    """The values as the distance wants them: as they are, as sets, as numbers, as places on a scale, or packed.

    Numbers stay numbers and strings that spell numbers become numbers; strings in a stated order take the
    places 1, 2, 3, …  A distance never falls back to another: where there is no scale, this says so.
    """
    import numpy as np

    if distance.kinds:
        from interagree.kinds import pack

        return pack(list(map(plain, values)), distance.kinds, who=f"{distance.name} distance", given=given)
    if distance.of == "any":
        return _as_they_are(values, distance, ordered=ordered)
    if distance.of == "sets":
        return [as_set(value, distance) for value in values]
    found = numbers(values)
    if distance.of == "scale":  # the order is all that counts
        if ordered or found is None:
            if not ordered:
                raise no_order(values, distance)
            return np.arange(1.0, len(values) + 1)
        if any(a >= b for a, b in pairwise(found)):
            raise KindError(
                f"{distance.name} distance needs values in rising order, and these are not: {listing(values)}; "
                f"pass {ALL_VALUES} in order with {IN_ORDER}",
                hints=[ALL_VALUES, IN_ORDER],
            )
        return np.arange(1.0, len(values) + 1)
    if found is not None:
        return np.asarray(found)
    if ordered:
        return np.arange(1.0, len(values) + 1)
    raise no_order(values, distance)


def _as_they_are(values: Sequence[Any], distance: Distance, *, ordered: bool) -> Sequence[Any]:
    # A table that was given is laid on the values in their order, which must be stated or that of numbers.
    if distance.ordered and not ordered and numbers(values) is None:
        raise no_order(values, distance)
    return values


def no_order(values: Sequence[Any], distance: Distance) -> KindError:
    """The error for values that have no order where a distance needs one."""
    what = "strings" if all(isinstance(value, str) for value in values) else "values"
    if distance.of == "any":  # a table that was given
        return KindError(
            f"a table of {distance.name.removeprefix('given ')} is laid on values in their order, and these are {what} "
            f"in no stated order ({listing(values, most=5)}); pass values=[…] in the order of the table's rows"
        )
    odd = [value for value in values if number(value) is None]
    if len(odd) < len(values):
        return KindError(
            f"{distance.name} distance needs numbers, and {listing(odd[:3])} "
            f"{'is' if len(odd) == 1 else 'are'} none; correct {'it' if len(odd) == 1 else 'them'}, leave "
            f"{'it' if len(odd) == 1 else 'them'} out, or pass {ALL_VALUES} in order",
            hints=[ALL_VALUES],
        )
    return KindError(
        f"{distance.name} distance needs an order, and these are {what} in no stated order "
        f"({listing(values, most=5)}); pass {ALL_VALUES} from lowest to highest",
        hints=[ALL_VALUES],
    )


def as_set(value: Any, distance: Distance) -> AbstractSet[Any]:
    """A value as the set that a set distance compares."""
    if isinstance(value, AbstractSet):
        return value
    if isinstance(value, tuple | list):
        return frozenset(value)
    raise KindError(
        f"{distance.name} distance compares sets, and {value!r} is {type(value).__name__}; give sets, or read the "
        f"column with {SEVERAL_LABELS} (or whatever separates the labels)",
        hints=[SEVERAL_LABELS],
    )
