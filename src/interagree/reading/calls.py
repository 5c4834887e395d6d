"""What a call hands over: one table and how to read it, or one sequence of values for each annotator.

``alpha(frame, item="id")`` reads a table.  ``alpha(first, second, third)`` takes the values of three annotators, of
the same items in the same order; where an annotator gave no value, the place holds None or NaN.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Any

import numpy as np

from interagree.arrays import Array
from interagree.data.annotations import Annotations
from interagree.data.study import Study
from interagree.errors import DataError, Hint, KindError, listing
from interagree.reading.door import build
from interagree.reading.tables import NamedColumns, column_of

# What can still be said of data that were read already.
OF_A_STUDY = frozenset({"values", "ordered", "kind", "levels", "codebook"})
OF_VALUES = OF_A_STUDY | {"missing", "split"}  # what can be said of bare sequences


def study_of(
    data: object,
    others: Sequence[object] = (),
    reading: Mapping[str, object] = MappingProxyType({}),
    usual: Mapping[str, object] = MappingProxyType({}),
) -> Any:
    """The study that a call hands over; one that is there already, and counts of one, stay what they are.

    Args:
        data: What was given first.
        others: What was given after it by place: the values of further annotators.
        reading: How to read a table, as the caller said.
        usual: How to read a table where the caller did not say.
    """
    given = dict(reading)
    if others:
        return _one_each((data, *others), given)
    if _was_read(data):
        return _read_already(data, given) if given else data
    return build(data, **{**usual, **given})


def _was_read(data: object) -> bool:
    """Whether data are an `Annotations`, a `Study`, a `Scan`, or the counts of one: all know where they came from."""
    kind = type(data)  # and not the data: a frame may have a column of this name
    return hasattr(kind, "provenance") or "provenance" in getattr(kind, "__dataclass_fields__", ())


def _read_already(data: object, given: dict[str, object]) -> Annotations:
    late = [name for name in given if name not in OF_A_STUDY]
    study = data.single() if isinstance(data, Study) else data
    if late or not isinstance(study, Annotations):
        raise KindError(
            f"{listing((f'{name}=' for name in late or given), quote=False)} says how a table is read, and the data "
            f"were read already ({type(data).__name__}); give it where the table is read, as in "
            "interagree.Annotations.of(table, …), interagree.read(…) or interagree.scan(…)"
        )
    if given.get("values") is None and given.get("ordered") is not None:
        given = {**given, "values": study.values} if study.in_order else given
        if "values" not in given or given["values"] is None:
            ordered, values = hints = [Hint("ordered", given["ordered"]), Hint("values", [...])]
            raise KindError(
                f"{ordered} needs the order of the values, and the study does not state one; pass {values} from lowest "
                "to highest",
                hints=hints,
            )
    return build(study, **given)


def _one_each(sequences: Sequence[object], given: dict[str, object]) -> Annotations:
    """The study of several annotators, each given as the sequence of their values."""
    # The first comes last: a stray option explains more than the table before it.
    others = [_checked(place, values) for place, values in enumerate(sequences[1:], start=2)]
    columns = [_checked(1, sequences[0]), *others]
    late = [name for name in given if name not in OF_VALUES]
    if late:
        raise KindError(
            f"{listing((f'{name}=' for name in late), quote=False)} is about the columns of a table, and the data are "
            f"{len(sequences)} sequences, one for each annotator; leave it out, or give one table"
        )
    sizes = [len(column) for column in columns]
    if len(set(sizes)) > 1:
        raise DataError(
            "each sequence holds one annotator's values of the same items, so all must be of one length, and these "
            f"have {listing(sizes, quote=False)} values; put None where an annotator gave no value"
        )
    table = NamedColumns.of(
        {name: column_of(name, column) for name, column in zip(_names(columns), columns, strict=True)},
        array=True,
        index=_index(columns),
    )
    return build(table, layout="wide", **given)


def _checked(place: int, values: object) -> Sized:
    kind = type(values).__name__
    if _was_read(values):
        raise KindError(
            f"argument {place} is a whole study ({kind}), not the values of one annotator; to compare two studies "
            "take interagree.compare(first, second, measure='alpha'), to join them interagree.concat([first, second])"
        )
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        hint = f"; options are given by name, as in distance={values!r}" if place > 1 else ""
        raise KindError(
            f"expected the values of annotator {place} as a list, an array or a Series, got {values!r}"
            + (hint if isinstance(values, str) else "")
        )
    table = len(getattr(values, "shape", (0,))) != 1 or hasattr(values, "columns")
    if table or isinstance(values, Mapping | AbstractSet):
        raise KindError(
            f"argument {place} is a {kind}, not a sequence of one annotator's values; give one table of all "
            "annotators, or one list for each annotator"
        )
    return list(values) if isinstance(values, tuple) or not isinstance(values, Sized) else values


def _names(columns: Sequence[object]) -> list[Hashable]:
    """The annotators by the names of their Series where all have one of their own, else numbered from 1."""
    names = [getattr(column, "name", None) for column in columns]
    own = all(name not in (None, "") for name in names) and len(set(names)) == len(names)
    return names if own else list(range(1, len(columns) + 1))


def _index(columns: Sequence[object]) -> Array | None:
    """The items by the index of the Series, which must be one; None where there is none to go by."""
    indexes = [column.index for column in columns if hasattr(column, "index") and hasattr(column.index, "equals")]
    if any(not indexes[0].equals(other) for other in indexes):
        raise DataError(
            "the Series have different indexes, so their rows may not be of the same items; join them by index first, "
            "as in pandas.concat([first, second], axis=1), or pass first.to_numpy(), second.to_numpy() if the rows "
            "belong together as they stand"
        )
    if not indexes or indexes[0].nlevels > 1 or getattr(indexes[0], "start", 1) == 0:
        return None
    return np.asarray(indexes[0].to_numpy())
