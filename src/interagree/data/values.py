"""Values: which are missing, which are the same, which are numbers, and in what order they stand."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeGuard

from interagree.data.types import Value
from interagree.errors import DataError, Hint, KindError, listing
from interagree.errors.options import shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from interagree.arrays import Floats

ALL_VALUES = Hint("values", [...])
IN_ORDER = Hint("ordered", value=True)
SIMPLE = frozenset({str, int, float, bool})  # what is kept as it is
DEEPEST = 200  # lists inside each other that a value may be made of
TOO_DEEP = "lists and objects that lie inside each other too deeply to be annotations"
FEW = 20  # distinct whole numbers up to which they are taken as labels and not as numbers


def as_numbers(table: ArrayLike, what: str) -> Floats:
    """An array of numbers, or an error that shows what is there instead."""
    import numpy as np

    try:
        return np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise KindError(f"{what} holds numbers, all rows of one length, not {shown(table)}") from None


def is_missing(value: object) -> bool:
    """Whether a cell says that there is no annotation: None, NaN, or a frame library's own null."""
    if value is None:
        return True
    if isinstance(value, float):
        return math.isnan(value)
    if isinstance(value, Integral):  # which may be too large for a float
        return False
    return type(value).__name__ in {"NAType", "NaTType"} or (isinstance(value, Real) and math.isnan(value))


def plain(value: Any, levels: int = DEEPEST) -> Any:
    """A value that can be kept: numpy scalars become Python's, sets are frozen, lists become tuples.

    Args:
        value: The value.
        levels: How many lists may lie inside each other; what is done with values later recurses through them.
    """
    if type(value) in SIMPLE:
        return value
    if not levels:
        raise DataError(f"a value is made of {TOO_DEEP} (more than {DEEPEST} levels)")
    if type(value) in {list, tuple}:  # most lists hold numbers or lists of numbers
        return tuple(value if SIMPLE.issuperset(map(type, value)) else [plain(part, levels - 1) for part in value])
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        return value.item()
    if isinstance(value, AbstractSet):
        return frozenset(plain(part, levels - 1) for part in value)
    if isinstance(value, list | tuple) or (hasattr(value, "tolist") and hasattr(value, "shape")):
        return tuple(plain(part, levels - 1) for part in value)
    if isinstance(value, dict):
        return tuple(sorted((str(key), plain(part, levels - 1)) for key, part in value.items()))
    return value


def key(value: Value) -> tuple[bool, Value]:
    """What makes two values the same: True is not 1, and "1" is not 1, but 1 and 1.0 are one number."""
    return isinstance(value, bool), value


def is_finite(value: Real | float) -> bool:
    """Whether a number is finite as a real; a whole number may have too many digits to be one."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def spelled_integer(text: str) -> int | None:
    """The whole number that a text spells; None where it spells none, or one of more digits than a number has."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,300}", text) else None


def number(value: object) -> float | None:
    """The number that a value is or spells, if any."""
    if isinstance(value, bool):
        return None
    if isinstance(value, Real):
        return float(value) if is_finite(value) else None
    if isinstance(value, str):
        try:
            result = float(value)
        except ValueError:
            return None
        return result if math.isfinite(result) and "_" not in value else None
    return None


def numbers(values: Iterable[object]) -> list[float] | None:
    """All values as numbers, or None where one of them is not a number."""
    values = list(values)
    if set(map(type, values)) <= {int, float} and all(map(is_finite, values)):  # type: ignore[arg-type]  # so they are
        return list(map(float, values))  # type: ignore[arg-type]  # numbers
    result = []
    for value in values:  # of a million words the first is enough
        spelled = number(value)
        if spelled is None:
            return None
        result.append(spelled)
    return result


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


def canonical(value: object) -> str:
    """A value as text, the same for equal values: 1 is 1.0, and the labels of a set are in order."""
    if isinstance(value, tuple):
        return "(" + ", ".join(map(canonical, value)) + ")"
    if isinstance(value, AbstractSet):
        return "{" + ", ".join(sorted(map(canonical, value))) + "}"
    if type(value) is not bool and isinstance(value, Real):
        return repr(float(value) + 0.0)  # -0.0 becomes 0.0
    return repr(value)


def check_order(values: Sequence[object]) -> None:
    """An error where values are said to be ordered and neither they nor anybody says in which order.

    Numbers, and strings that spell numbers, have their own; of two values either order gives the same distance.
    """
    if len(values) <= 2 or isinstance(values, range) or numbers(values) is not None:
        return
    raise DataError(
        f"{IN_ORDER} needs an order, and nothing says in which order {listing(values)} stand; pass them from lowest "
        f"to highest as {ALL_VALUES}",
        hints=[ALL_VALUES, IN_ORDER],
    )


def is_hashable(entry: object) -> TypeGuard[Hashable]:
    """Whether an entry, and all that it is made of, has a hash."""
    try:
        hash(entry)
    except TypeError:
        return False
    return True


def spelled_in_ways(labels: Iterable[str]) -> list[list[str]]:
    """Groups of labels that differ only in case or spaces."""
    groups: dict[str, list[str]] = {}
    for label in labels:
        groups.setdefault(" ".join(label.casefold().split()), []).append(label)
    return [same for same in groups.values() if len(same) > 1]


def are_sets(values: Sequence[object]) -> bool:
    """Whether all values are sets of labels."""
    return bool(len(values)) and all(isinstance(value, AbstractSet) for value in values)
