"""The values that could have been given, in order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interagree.arrays import Integers
from interagree.data.codes import Names
from interagree.data.provenance import Step
from interagree.data.types import Value
from interagree.data.values import in_order, key, plain
from interagree.errors import DataError, listing


def domain_of(
    seen: Sequence[Value], declared: Sequence[object] | None, used: Sequence[int] | None = None
) -> tuple[tuple[Value, ...], Integers]:
    """The values in order, and the new place of each value that was seen."""
    if declared is None and isinstance(seen, Names) and isinstance(seen.array, np.ndarray):
        order = np.argsort(seen.array)  # numbers, maybe a million of them
        return tuple(seen.array[order].tolist()), np.argsort(order).astype(np.int32)
    if declared is None:
        domain = in_order(seen)
    else:
        domain = list(map(plain, declared))
        if len({key(value) for value in domain}) < len(domain):
            raise DataError(f"a value is declared twice: {listing(domain)}")
        _spelled_alike(seen, domain)
    place = {key(value): code for code, value in enumerate(domain)}
    here = range(len(seen)) if used is None else used
    stray = [seen[code] for code in here if key(seen[code]) not in place]
    if stray:
        raise DataError(
            f"{listing(stray, most=5)} {'was' if len(stray) == 1 else 'were'} given and not declared; the declared "
            f"values are {listing(domain)}. Declare all of them, or correct the data"
        )
    return tuple(domain), np.array([place.get(key(value), 0) for value in seen], dtype=np.int32)


def _spelled_alike(seen: Sequence[Value], domain: list[Value]) -> None:
    # Values read from a text file are strings; declared as numbers they are taken to be the strings that spell them.
    if all(isinstance(value, str) for value in seen) and not any(isinstance(value, str) for value in domain):
        spelled = {str(value): place for place, value in enumerate(domain)}
        if seen and all(value in spelled for value in seen):
            domain[:] = [str(value) for value in domain]


def mixed_types(seen: Sequence[Value]) -> list[Step]:
    if isinstance(seen, Names):
        return []  # an array of numbers
    groups: dict[str, list[Value]] = {}
    for value in seen:
        name = "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__
        groups.setdefault(name, []).append(value)
    if len(groups) < 2:
        return []
    described = " and ".join(f"{name} ({listing(some, most=2)})" for name, some in sorted(groups.items()))
    return [Step("noticed", f"values of several types, kept apart: {described}", len(seen))]
