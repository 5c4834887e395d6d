"""What data may be, as types.

`IntoAnnotations` is the union that every function of data accepts; `Value`, `Item` and `Annotator` say what an entry of
a column is.  Values are compared and counted, so they can be hashed; beyond that a value may be anything: a word, a
number, a set of labels, a tuple of coordinates.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

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


class Lazy(ABC):
    """A table of annotations that stays where it is until it is asked for: a `Scan`, whose module loads narwhals."""

    @abstractmethod
    def collect(self) -> Annotations:
        """The annotations themselves."""

    @abstractmethod
    def fetch(self) -> Annotations:
        """The same for a call that cannot do without them, which is said before."""


Row: TypeAlias = Sequence[object] | Mapping[str, object]
"""One annotation: ``(item, annotator, value)``, or a dict with a name for each."""

Values: TypeAlias = Iterable[object]
"""The values of one annotator, one for each item: a list, an array or a Series."""

Columns: TypeAlias = Mapping[Any, Values]  # a Mapping is invariant in its keys, so that object would refuse names
"""Columns by name, a list of values for each annotator, or a dict of values by item for each annotator."""

IntoAnnotations: TypeAlias = "Annotations | Study | Scan | Frame | Array | Columns | Iterable[Row] | Values"
"""What a measure takes: `Annotations`, a `Study` of one question, a `Scan`, a frame of any library, an array of items ×
annotators, a dict of columns, a dict from annotators to lists of values, rows ``(item, annotator, value)``, or the
values of the first annotator where those of the others follow."""
