"""Several tables of one question as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from interagree.arrays import Integers
from interagree.data.annotations import Annotations
from interagree.data.columns import coded
from interagree.data.meeting import spelled_alike
from interagree.data.repeated import Duplicates
from interagree.data.types import Value
from interagree.data.values import SIMPLE, in_order, key, numbers
from interagree.errors import DataError, Hint, Wording, listing
from interagree.errors.options import checks_options


@checks_options
def concat(studies: Iterable[Annotations], *, duplicates: Duplicates = "error") -> Annotations:
    """Several tables of one question as one; items and annotators of the same name are the same.

    Items and simple values are matched by what they mean: "007" in one table and 7 in another are one item.
    Attributes that every table has are kept.  An order of values that a table declares holds for all of them; orders
    that contradict each other are an error, and so is a value that has no place in a declared order.

    Args:
        studies: Tables of the same question.
        duplicates: What to do when an annotator gave one item two values: "error", "first", "last" or "keep".

    Returns:
        One table with all annotations.

    Examples:
        >>> import interagree as ia
        >>> monday = ia.Annotations.of([(1, "ann", "yes"), (1, "bo", "no")])
        >>> tuesday = ia.Annotations.of([(2, "ann", "no"), (2, "bo", "no")])
        >>> ia.concat([monday, tuesday])
        <Annotations: 4 annotations, 2 items, 2 annotators, 2 values>
    """
    parts = list(studies)
    if not parts:
        raise DataError("there is nothing to combine: no study was given")
    if len(parts) == 1:
        return parts[0]
    if any(part.anonymous for part in parts) and not all(part.anonymous for part in parts):
        raise DataError("a study made from counts and one that knows its annotators cannot be combined")

    def joined(column: str, sources: Sequence[Sequence[Any]]) -> tuple[Integers, Sequence[Any]]:
        together = coded([name for names in sources for name in names])
        starts = np.cumsum([0, *map(len, sources)])
        pieces = [
            together.codes[start:][getattr(part, column)] if len(names) else getattr(part, column)
            for start, part, names in zip(starts.tolist(), parts, sources, strict=False)
        ]
        return np.concatenate(pieces), together.names

    items_of, respelled = spelled_alike([part.items for part in parts], "item")
    values_of: Sequence[Sequence[Any]] = [part.values for part in parts]
    if all(type(value) in SIMPLE for values in values_of for value in values):
        values_of, further = spelled_alike(values_of, "value")
        respelled += further
    item, items = joined("item", items_of)
    annotator, annotators = joined("annotator", [part.annotators for part in parts])
    value, seen = joined("value", values_of)
    common = [name for name in parts[0].attributes if all(name in part.attributes for part in parts)]
    kinds = {part.of_kind for part in parts}
    declared, settled = _joint_order(parts, values_of, seen)
    made = Annotations.from_codes(
        item,
        annotator,
        value,
        items,
        tuple(annotators),
        seen,
        values=declared,
        ordered=any(part.ordered for part in parts) or None,
        duplicates="keep" if any(part.occasion is not None for part in parts) else duplicates,
        attributes={name: np.concatenate([part.attributes[name] for part in parts]) for name in common},
        provenance=parts[0].provenance.joined(part.provenance for part in parts[1:]).then(*respelled),
    )
    made = made if settled else replace(made, stated=False)
    levels, labels = {part.stated_level for part in parts}, [part.value_labels for part in parts if part.value_labels]
    return replace(
        made,
        of_kind=kinds.pop() if len(kinds) == 1 else None,
        stated_level=levels.pop() if len(levels) == 1 else None,
        value_labels={value: label for one in reversed(labels) for value, label in one.items()},
    )


def _joint_order(
    parts: Sequence[Annotations], values_of: Sequence[Sequence[Value]], seen: Sequence[Value]
) -> tuple[list[Value] | None, bool]:
    """The order of values that several studies declare together, and whether it is the only one that they allow."""
    orders = [values for part, values in zip(parts, values_of, strict=True) if part.in_order]
    if not orders:
        return None, True
    names = {key(value): value for order in orders for value in order}
    ordered = any(part.ordered for part in parts)
    stray = [value for value in seen if key(value) not in names]
    if numbers(seen) is not None and all(list(order) == in_order(order) for order in orders):
        return in_order(seen), True
    if stray:
        advised = _declaring([*names.values(), *stray])
        raise DataError(
            f"{listing(stray, most=5)} {'was' if len(stray) == 1 else 'were'} given in one study and not declared in "
            f"another, whose values are {listing(names.values())}; declare all of them in each, as in {advised}",
            hints=[advised],
        )
    before: dict[tuple[bool, object], set[object]] = {name: set() for name in names}  # what must precede each
    for order in orders:
        for earlier, later in pairwise(map(key, order)):
            before[later].add(earlier)
    merged: list[Value] = []
    certain = True
    while before:
        free = [name for name, earlier in before.items() if not earlier]
        if not free:
            advised = _declaring(orders[0])
            raise DataError(
                "the studies declare their values in orders that contradict each other: "
                f"{' and '.join(f'({listing(order)})' for order in orders)}; declare one order in each, as in "
                f"{advised}",
                hints=[advised],
            )
        certain &= len(free) == 1
        merged.append(names[free[0]])
        del before[free[0]]
        for names_before in before.values():
            names_before.discard(free[0])
    if ordered and not certain:
        advised = _declaring(merged)
        raise DataError(
            f"the studies declare {' and '.join(f'({listing(order)})' for order in orders)}, which does not say how "
            f"all these values are ordered; declare all of them in each, as in {advised}",
            hints=[advised],
        )
    return merged, certain


def _declaring(values: Sequence[Value]) -> Wording:
    """The values of a study in their order, as advice."""
    return Wording(f"study.declaring({[*values]!r})", Hint("values", [*values]).for_command_line())
