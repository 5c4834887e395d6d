"""Marks as columns, the way in for tables: what means nothing goes, names are tidied, and codes become annotations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.codes import Coded, KeptRows
from interagree.data.columns import Columns, IntoColumn, coded
from interagree.data.provenance import Step, counted, noted
from interagree.errors import DataError
from interagree.gather.rules import Rules
from interagree.gather.values import finished, present, tidied


class Marks(NamedTuple):
    """The marks of one question as columns: entry k of each says who gave which value to what."""

    items: IntoColumn
    annotators: IntoColumn
    values: Coded
    called: Callable[[int], str] = "mark {}".format  # how errors name a mark: 'line 7'
    by_row: bool = True  # whether each mark has a row of its own
    attributes: Columns = Columns({})


def gathered(marks: Marks, rules: Rules, steps: Iterable[Step] = ()) -> Annotations:
    """The annotations that marks are, without those whose value means that there is none.

    Args:
        marks: The marks.
        rules: What the caller said about annotations.
        steps: What was done to them before.
    """
    value, more = present(marks.values, rules)
    keep = KeptRows(value.codes >= 0) if value.gaps else None
    item, annotator = _named(marks, "item", keep, rules), _named(marks, "annotator", keep, rules)
    if keep is not None:
        more += left_out(len(value) - len(keep), more, in_cells=rules.from_text or not marks.by_row)
        value = replace(value.where(keep), gaps=False)
    return finished(item, annotator, value, rules, steps=(*steps, *more), attributes=marks.attributes.taking(keep))


def left_out(times: int, steps: Iterable[Step], *, in_cells: bool) -> list[Step]:
    """What to say about marks without a value, as far as steps have not counted them yet."""
    lost = times - sum(step.count for step in steps if step.what in ("dropped", "assumed"))
    cells = f"{counted(lost, 'empty cell')} taken as no annotation"
    return noted("dropped", cells if in_cells else f"{counted(lost, 'row')} without a value left out", lost)


def _named(marks: Marks, role: str, keep: KeptRows | None, rules: Rules) -> Coded:
    """The column of items or of annotators, where every mark that counts must have an entry."""
    names = tidied(coded(marks.items if role == "item" else marks.annotators, keep), rules)
    if rules.from_text and "" in (small := names.names):
        names = names.renamed([name or None for name in small])
    if names.gaps and len(names) and int(names.codes.min()) < 0:
        without = np.flatnonzero(names.codes < 0)
        first = int(without[0] if keep is None else keep.rows[without[0]])
        raise DataError(
            f"{counted(len(without), 'row')} with a value and no {role}, the first being {marks.called(first)}; "
            f"fill in the {role}, or leave the rows out"
        )
    return names.compact()
