"""What data may be, as types.

`IntoAnnotations` is the union that every function of data accepts; `Value`, `Item` and `Annotator` say what an entry of
a column is.  Values are compared and counted, so they can be hashed; beyond that a value may be anything: a word, a
number, a set of labels, a tuple of coordinates.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from interagree.arrays import Array, Integers
    from interagree.data.annotations import Annotations
    from interagree.data.provenance import Provenance
    from interagree.data.repeated import Duplicates
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


class Extent(NamedTuple):
    """How much data there is."""

    items: int
    annotators: int
    annotations: int


class Lazy(ABC):
    """A table of annotations that stays where it is: a `Scan`, whose module loads narwhals.

    What is computed from annotations states here what it needs of them; each need is answered by one query, once.
    """

    ordered: bool  # whether somebody said that the order of the values means something
    duplicates: Duplicates  # what repeated pairs of item and annotator are

    @property
    @abstractmethod
    def values(self) -> tuple[Value, ...]:
        """The values that could have been given, in order."""

    @property
    @abstractmethod
    def in_order(self) -> bool:
        """Whether the values stand in an order that a measure may use."""

    @property
    @abstractmethod
    def annotators(self) -> tuple[Annotator, ...]:
        """Who gave values."""

    @property
    @abstractmethod
    def n(self) -> Extent:
        """The numbers of items, annotators and annotations."""

    @property
    @abstractmethod
    def provenance(self) -> Provenance:
        """Where the table came from and what was left out."""

    @property
    @abstractmethod
    def engine(self) -> str:
        """What the engine was asked so far: "counted in place by duckdb, 3 queries", or how many rows were fetched."""

    @property
    @abstractmethod
    def fetches(self) -> bool:
        """Whether there are so many values that nothing is counted in place."""

    @property
    @abstractmethod
    def in_place(self) -> bool:
        """Whether who gave what is counted in place, too."""

    @property
    @abstractmethod
    def fetched(self) -> Annotations | None:
        """The annotations, where a call fetched them already."""

    @abstractmethod
    def patterns(self) -> tuple[Integers, Integers]:
        """The distinct rows of counts per value, and how many items show each."""

    @abstractmethod
    def votes(self) -> tuple[Integers, Integers]:
        """The distinct rows of who gave what, and how many items show each: 0 for nothing, 1 for the first value."""

    @abstractmethod
    def patterns_beside(self, other: Any, *, votes: tuple[bool, bool]) -> tuple[Integers, Integers, Integers]:
        """The distinct rows that items have here and in another table of the same engine, and how many show both."""

    @abstractmethod
    def items_of_size(self, size: int, most: int) -> list[Item]:
        """Some items that have so many annotations, the first by name."""

    @abstractmethod
    def only(self, *, annotators: Sequence[Annotator]) -> Lazy:
        """The table of some annotators alone."""

    @abstractmethod
    def collect(self) -> Annotations:
        """The annotations themselves."""

    @abstractmethod
    def unnamed(self) -> Annotations:
        """The same for a call that does not name items, made of patterns where these tell who gave what."""

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
