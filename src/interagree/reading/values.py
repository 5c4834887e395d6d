"""The column of values: what means that there is none, and what there is to notice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.columns import Coded, Columns, Names
from interagree.data.provenance import Step
from interagree.data.values import is_missing, key, plain
from interagree.errors import listing
from interagree.reading.choices import Choices


def present(column: Coded, c: Choices) -> tuple[Coded, list[Step]]:
    """The column of values with everything that means "no annotation" taken out, and what there is to notice."""
    absent = (
        [c.missing]
        if isinstance(c.missing, str | bytes) or not isinstance(c.missing, Iterable)
        else list(c.missing)
    )
    names = column.names
    numbers = isinstance(names, range) or (isinstance(names, Names) and isinstance(names.array, np.ndarray))
    if numbers and not absent and c.split is None:
        return column, []
    entries = [plain(name) for name in names]
    text = all(isinstance(entry, str) for entry in entries)
    gone = {key(plain(entry)) for entry in absent}
    if text:
        gone |= {key(str(entry)) for entry in absent}
    if c.text:
        gone.add(key(""))
    steps: list[Step] = []
    if key("") not in gone and c.split is None and "" in entries:
        steps.append(
            Step(
                "noticed",
                "the empty string is one of the values; if it means no annotation, pass missing=['']",
            )
        )
    if text and c.split is None:
        steps += _alike(entries)
    kept = [None if is_missing(entry) or key(entry) in gone else _parted(entry, c.split) for entry in entries]
    return column.renamed(kept), steps


def _parted(entry: Any, separator: str | None) -> Any:
    if separator is None:
        return entry
    if isinstance(entry, str):
        return frozenset(part.strip() for part in entry.split(separator) if part.strip())
    return frozenset(entry) if isinstance(entry, tuple | frozenset) else frozenset({entry})


def _alike(entries: Sequence[str]) -> list[Step]:
    groups: dict[str, list[str]] = {}
    for entry in entries:
        groups.setdefault(" ".join(entry.casefold().split()), []).append(entry)
    doubles = [same for same in groups.values() if len(same) > 1]
    if not doubles:
        return []
    shown = "; ".join(listing(same, most=3) for same in doubles[:3])
    return [Step("noticed", f"values that differ only in case or spaces, kept apart: {shown}", len(doubles))]


def _given(value: Coded, c: Choices) -> tuple[Coded, list[Step]]:
    """The column without the categories that nobody gave, and what to say of them."""
    used = value.compact()
    if len(used.names) == len(value.names) or c.values is not None:
        return used, []
    there = {key(name) for name in used.names}
    unused = [name for name in value.names if key(name) not in there]
    what = f"{listing(unused, most=6)} {'is a category' if len(unused) == 1 else 'are categories'} that nobody gave"
    return used, [
        Step(
            "dropped",
            f"{what}, left out; to count {'it' if len(unused) == 1 else 'them'}, declare values=[…]",
            len(unused),
        )
    ]


def finished(
    item: Coded, annotator: Coded, value: Coded, c: Choices, *, steps: Iterable[Step], attributes: Columns
) -> Annotations:
    """Annotations of three columns, under the values that the caller declares or the column states.

    An ordered column of categories states its scale, also the values that nobody gave.  Of an unordered one those that
    nobody gave are left out: frames keep categories of rows that are long gone.
    """
    value, unused = _given(value, c)
    steps = (*steps, *unused)
    seen: Sequence[Any] = value.names
    if not isinstance(seen, range) and not (isinstance(seen, Names) and isinstance(seen.array, np.ndarray)):
        seen = list(seen)
    declared, ordered = c.values, c.ordered
    if value.ordered and declared is None:
        declared, ordered = list(value.names), True if ordered is None else ordered
        steps = (
            *steps,
            Step("taken", f"values and their order as the column states them: {listing(declared)}"),
        )
    return Annotations.from_codes(
        item.codes,
        annotator.codes,
        value.codes,
        item.names,
        annotator.names,
        seen,
        values=declared,
        ordered=ordered,
        duplicates=c.duplicates,
        attributes=attributes,
        provenance=c.provenance.then(*steps),
    )
