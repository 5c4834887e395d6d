"""Several annotations of one item by one annotator: an error, one of them, or repeated judgements."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np

from interagree.arrays import Array, Integers
from interagree.data.codes import BLOCK
from interagree.data.provenance import Step, counted
from interagree.errors import DuplicateAnnotation, Hint, KindError, OneOf

Duplicates = Literal["error", "first", "last", "keep"]


def deduplicated(
    item: Integers, annotator: Integers, items: Sequence[Hashable], annotators: Sequence[Hashable], policy: Duplicates
) -> tuple[Array | None, Integers | None, list[Step]]:
    """Which rows to keep (None: all), the occasion of each, and what to say about it."""
    if policy not in ("error", "first", "last", "keep"):
        raise KindError(f"duplicates must be 'error', 'first', 'last' or 'keep', got {policy!r}")
    cells = len(items) * len(annotators)
    fits = np.dtype(np.int32 if cells < np.iinfo(np.int32).max else np.int64)
    if len(annotators) < 63:
        # A bit for each annotator of an item.  Added up they carry where a bit comes twice, and then there are fewer.
        bits = np.zeros(len(items), dtype=np.int64)
        bit = np.int64(1) << np.arange(len(annotators))
        for block in range(0, len(item), BLOCK):
            np.add.at(bits, item[block : block + BLOCK], bit[annotator[block : block + BLOCK]])
        unique = int(np.bitwise_count(bits).sum(dtype=np.int64)) == len(item)
    elif cells <= max(1 << 20, 16 * len(item)):  # marking cells is faster than sorting while there is room
        seen = np.zeros(cells, dtype=bool)
        for block in range(0, len(item), BLOCK):
            here = slice(block, block + BLOCK)
            seen[item[here].astype(fits) * len(annotators) + annotator[here]] = True
        unique = int(np.count_nonzero(seen)) == len(item)
    else:
        there = np.sort(item.astype(fits) * len(annotators) + annotator)
        unique = not (there[1:] == there[:-1]).any()
    if unique:
        return None, None, []
    where = item.astype(np.int64) * len(annotators) + annotator
    order = np.argsort(where, kind="stable")
    sorted_cells = where[order]
    starts = np.flatnonzero(np.r_[True, sorted_cells[1:] != sorted_cells[:-1]])
    sizes = np.diff(np.r_[starts, len(order)])
    extra = len(order) - len(starts)
    if policy == "error":
        example = int(np.argmax(sizes > 1))
        row = int(order[starts[example]])
        policies = Hint("duplicates", OneOf(("first", "last", "keep")))
        raise DuplicateAnnotation(
            f"annotator {annotators[int(annotator[row])]!r} annotated item {items[int(item[row])]!r} "
            f"{int(sizes[example])} times, and {counted(int((sizes > 1).sum()), 'pair')} of item and annotator "
            f"repeat{'s' if (sizes > 1).sum() == 1 else ''} in all; "
            f"keep one row for each, or pass {policies}",
            hints=[policies],
        )
    if policy == "keep":
        occasion = np.empty(len(item), dtype=np.int32)
        occasion[order] = np.arange(len(order)) - np.repeat(starts, sizes)
        step = Step("merged", f"{counted(extra, 'repeated annotation')} kept as further judgements", extra)
        return None, occasion, [step]
    kept = np.sort(order[starts] if policy == "first" else order[starts + sizes - 1])
    step = Step("dropped", f"{counted(extra, 'repeated annotation')} left out (the {policy} one counts)", extra)
    return kept, None, [step]
