"""Values as a distance wants them: as they are, as sets, as numbers, as places on a scale, or packed."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from interagree.data.values import ALL_VALUES, IN_ORDER, number, numbers, plain
from interagree.errors import Hint, KindError, listing
from interagree.kinds import pack

if TYPE_CHECKING:
    from interagree.data.types import Value
    from interagree.declare import Distance

SEVERAL_LABELS = Hint("split", "|")


def on_scale(values: Sequence[Value], distance: Distance, *, ordered: bool, given: str | None = None) -> Any:
    """The values as the distance wants them: as they are, as sets, as numbers, as places on a scale, or packed.

    Numbers stay numbers and strings that spell numbers become numbers; strings in a stated order take the
    places 1, 2, 3, …  A distance never falls back to another: where there is no scale, this says so.
    """
    if distance.kinds:
        return pack(list(map(plain, values)), distance.kinds, who=f"{distance.name} distance", given=given)
    if distance.of == "any":
        return _as_they_are(values, distance, ordered=ordered)
    if distance.of == "sets":
        return [as_set(value, distance) for value in values]
    parsed = numbers(values)
    if distance.of == "scale":  # the order is all that counts
        if ordered or parsed is None:
            if not ordered:
                raise no_order(values, distance)
            return np.arange(1.0, len(values) + 1)
        if any(a >= b for a, b in pairwise(parsed)):
            raise KindError(
                f"{distance.name} distance needs values in rising order, and these are not: {listing(values)}; "
                f"pass {ALL_VALUES} in order with {IN_ORDER}",
                hints=[ALL_VALUES, IN_ORDER],
            )
        return np.arange(1.0, len(values) + 1)
    if parsed is not None:
        return np.asarray(parsed)
    if ordered:
        return np.arange(1.0, len(values) + 1)
    raise no_order(values, distance)


def _as_they_are(values: Sequence[Value], distance: Distance, *, ordered: bool) -> Sequence[Value]:
    # A table that was given is laid on the values in their order, which must be stated or that of numbers.
    if distance.ordered and not ordered and numbers(values) is None:
        raise no_order(values, distance)
    return values


def no_order(values: Sequence[Value], distance: Distance) -> KindError:
    """The error for values that have no order where a distance needs one."""
    what = "strings" if all(isinstance(value, str) for value in values) else "values"
    if distance.of == "any":  # a table that was given
        return KindError(
            f"a table of {distance.name.removeprefix('given ')} is laid on values in their order, and these are {what} "
            f"in no stated order ({listing(values, most=5)}); pass {ALL_VALUES} in the order of the table's rows",
            hints=[ALL_VALUES],
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


def as_set(value: object, distance: Distance) -> AbstractSet[Value]:
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
