"""What sources say: marks, and the spans and links that some of them are.  Regions of images are in `shapes`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple, TypeAlias

from interagree.data.types import Annotator, Item

Number: TypeAlias = int | float
SpanValue: TypeAlias = tuple[object, ...]
Time: TypeAlias = str | float | None


class Mark(NamedTuple):
    """What a source says: that an annotator gave a value to an item, as the answer to a question."""

    question: str  # of a `Shape`, empty for the usual name of its form
    item: Item
    annotator: Annotator
    value: Any  # a `Span`, `Link` or `Shape`, or the answer as its kind takes it
    where: str = ""  # the record in the file: 'a.jsonl, line 3' or 'a.json, /3/annotations/0'
    time: Time = None
    about: Mapping[str, Hashable] = {}  # what else is known of the record, by the names of columns


class Span(NamedTuple):
    """A marked stretch of a text or a recording."""

    start: Number
    end: Number
    label: str | None = None
    fragments: tuple[tuple[Number, Number], ...] = ()  # its pieces, where there are several
    features: tuple[tuple[str, object], ...] = ()  # what else was said of it, by name
    covered: str | None = None  # the text that the file says is there, by which its offsets are checked

    def value(self) -> SpanValue:
        """The span as it stands in a value of the kind spans, or in a relation."""
        if self.whole and not self.features:
            return (self.start, self.end, self.label)
        parts: dict[str, object] = {"start": self.start, "end": self.end, "label": self.label}
        parts |= {} if self.whole else {"fragments": tuple(sorted(self.fragments))}
        parts |= {"features": tuple(sorted(self.features))} if self.features else {}
        return tuple(sorted(parts.items()))

    @property
    def whole(self) -> bool:
        """Whether it is of one piece."""
        return len(self.fragments) < 2


class Link(NamedTuple):
    """Two spans that somebody joined."""

    head: Span
    tail: Span
    label: str | None = None
    directed: bool = True

    def value(self) -> SpanValue:
        """The link as it stands in a value of the kind relations."""
        head, tail = self.head.value(), self.tail.value()
        if self.directed:
            return (head, tail, self.label)
        return (("directed", False), ("head", head), ("label", self.label), ("tail", tail))
