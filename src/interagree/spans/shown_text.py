"""What is shown in place of positions: the text of a document, or a ruler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from interagree.arrays import Integers
from interagree.data import Annotations
from interagree.documents.texts import Documents

LONGEST_RULER = 20  # lines of positions one by one; beyond, all are drawn into one line
LONGEST = 10_000_000  # positions of which some are shown one by one
TEN = 10

Place: TypeAlias = tuple[int, int]  # from one character to another
Number: TypeAlias = int | float
Shown = TypeVar("Shown")


class ShownText(NamedTuple):
    """What is shown in place of positions, and where a position lies in it."""

    shown: str
    is_text: bool
    tokens: Integers | None = None  # where each begins and ends, for positions that count tokens
    first: float = 0.0  # the position where a ruler begins
    scale: float | None = None  # how many positions a cell of it stands for; None: each has its own

    @classmethod
    def of(
        cls, study: Annotations, item: int, edges: Sequence[Number], room: int, *, text: bool, near: bool
    ) -> ShownText:
        """How a document is shown, given the edges of its spans and, without a text, the room for positions."""
        documents = Documents.of(study)
        reach = max(edges, default=0)
        marked = cls.in_text(documents, item, edges) if text else None
        if marked is not None:
            return marked
        length = max(documents.length(item) or 0, reach)
        one_by_one = all(edge >= 0 and edge == int(edge) for edge in edges)
        if one_by_one and length <= (LONGEST if near else LONGEST_RULER * room):
            return cls(ruler(int(length)), is_text=False)
        first = min([0, *edges])
        scale = (length - first) / room
        return cls(_scaled_ruler(first, scale, room), is_text=False, first=first, scale=scale)

    @classmethod
    def in_text(cls, documents: Documents, item: int, edges: Sequence[Number]) -> ShownText | None:
        """The text of a document, if positions count its characters or tokens and all edges lie in it."""
        known, reach = documents.text(item), max(edges, default=0)
        if known is None:
            return None
        if documents.positions == "characters" and reach <= len(known):
            return cls(known, is_text=True)
        tokens = documents.tokens(item) if documents.tokens_given(item) else None
        if documents.positions == "tokens" and tokens is not None and reach <= len(tokens):
            return cls(known, is_text=True, tokens=tokens)
        return None

    def at(self, piece: tuple[Number, Number]) -> Place:
        """A piece in characters of what is shown."""
        low, high = piece
        if self.tokens is not None:
            return int(self.tokens[int(low), 0]), int(self.tokens[int(high) - 1, 1])
        if self.scale is None:
            return int(low), int(high)
        begin = min(int((low - self.first) / self.scale), len(self.shown) - 1)
        end = min(round((high - self.first) / self.scale), len(self.shown))
        return begin, max(end, begin + 1)


def ruler(length: int) -> str:
    """So many positions, one cell each: every tenth is numbered."""
    made = "".join(f"{at}".ljust(TEN, "·") for at in range(0, length, TEN))
    return made[:length]


def _scaled_ruler(first: float, scale: float, room: int) -> str:
    """A line of positions, each cell of which stands for several, or for a part of one."""
    made = ["·"] * room
    for at in range(0, room, 2 * TEN):
        word = f"{first + at * scale:.6g}"[: 2 * TEN - 1]
        made[at : at + len(word)] = word
    return "".join(made[:room])


def stacked(spans: Sequence[Shown], taken: Callable[[Shown], Place]) -> list[list[Shown]]:
    """Spans in rows in which none meets another; ``taken`` says from where to where each reaches."""
    rows: list[list[Shown]] = []
    ends: list[int] = []
    for span in sorted(spans, key=lambda span: (taken(span)[0], -taken(span)[1])):
        begin, end = taken(span)
        place = next((k for k, last in enumerate(ends) if last <= begin), None)
        if place is None:
            rows.append([span])
            ends.append(end)
        else:
            rows[place].append(span)
            ends[place] = end
    return rows
