"""What data may be, as types.

`IntoAnnotations` is the union that every function of data accepts; `Value`, `Item` and `Annotator` say what an entry of
a column is.  Values are compared and counted, so they can be hashed; beyond that a value may be anything: a word, a
number, a set of labels, a tuple of coordinates.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from interagree.arrays import Array
    from interagree.data.annotations import Annotations
    from interagree.data.study import Study
    from interagree.reading.scans import Scan

Value: TypeAlias = Hashable
Item: TypeAlias = Hashable
Annotator: TypeAlias = Hashable

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
"""What a JSON file holds."""


class Frame(Protocol):
    """A frame of pandas, Polars, PyArrow, Modin, DuckDB, PySpark, Dask or Ibis."""

    @property
    def columns(self) -> object:
        """Its columns, or their names."""


Row: TypeAlias = Sequence[object] | Mapping[str, object]
"""One annotation: ``(item, annotator, value)``, or a dict with a name for each."""

Columns: TypeAlias = Mapping[str, Sequence[object]] | Mapping[Annotator, Mapping[Item, object]]
"""Columns by name, a list of values for each annotator, or a dict of values by item for each annotator."""

IntoAnnotations: TypeAlias = "Annotations | Study | Scan | Frame | Array | Columns | Iterable[Row]"
"""What a measure takes: `Annotations`, a `Study` of one question, a `Scan`, a frame of any library, an array of items ×
annotators, a dict of columns, a dict from annotators to lists of values, or rows ``(item, annotator, value)``."""
