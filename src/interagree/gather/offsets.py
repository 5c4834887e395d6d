"""Offsets into text: characters as Python counts them, and UTF-16 units as JavaScript and Java do.

A character outside the basic plane, such as most emoji, is one code point and two UTF-16 units, so that offsets of a
tool written in JavaScript lie too far to the right after it.  Which of the two an annotation counts is found out by
the text that it says its spans cover: span by span, since annotators of one file may have used different tools.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from interagree.arrays import Indices
from interagree.data.provenance import Step, counted, noted
from interagree.data.values import is_finite
from interagree.errors import FormatError, expected
from interagree.gather.marks import Number, Span

POINTS, UTF16 = "points", "utf16"

Covered = tuple[Number, Number, str]  # start, end and the text that a file says is there
LONGEST = 15  # digits of an offset
FARTHEST = 2**53  # up to here every position is a number of its own


class OffsetFit(NamedTuple):
    """How many spans cover the text that they should, counted in code points, in UTF-16 units, and in either."""

    spans: int = 0
    points: int = 0
    utf16: int = 0
    either: int = 0

    def plus(self, other: OffsetFit) -> OffsetFit:
        """The counts of two texts together."""
        return OffsetFit(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    @property
    def unit(self) -> str | None:
        """What the offsets count: what fits more spans, code points where both do; None where neither fits any."""
        if self.spans and not self.either:
            return None
        return UTF16 if self.utf16 > self.points else POINTS

    @property
    def mismatches(self) -> int:
        """How many spans do not cover the text that they should, whichever way they count."""
        return self.spans - self.either


def is_basic(text: str) -> bool:
    """Whether code points and UTF-16 units are the same in a text."""
    return text.isascii() or len(_units(text)) == 2 * len(text)


def utf16_to_points(text: str) -> Indices:
    """For each UTF-16 offset into a text, its end included, the offset in code points.

    An offset between the two halves of a character stands for the character.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return np.append(np.repeat(np.arange(len(codes)), 1 + (codes > 0xFFFF)), len(codes)).astype(np.intp)


def points_to_utf16(text: str) -> Indices | None:
    """For each offset in code points, its end included, the UTF-16 offset; None where the two are the same."""
    if is_basic(text):
        return None
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return np.concatenate([[0], np.cumsum(1 + (codes > 0xFFFF))]).astype(np.intp)


def in_points(points: Indices, start: float, end: float, *, where: str) -> tuple[int, int]:
    """UTF-16 offsets of a span in code points, by what `utf16_to_points` says; ``where`` is the place in the file."""
    if not 0 <= start <= end < len(points):
        raise FormatError(
            f"{where}: a span from {start} to {end} lies outside its text, which has {len(points) - 1:,} UTF-16 units"
        )
    return int(points[int(start)]), int(points[int(end)])


def beyond(text: str, ends: Iterable[float]) -> int:
    """How many spans end behind the end of a text, whichever way they count."""
    size = len(text) if is_basic(text) else len(_units(text)) // 2
    return sum(end > size for end in ends)


def fit(text: str, spans: Sequence[Covered]) -> OffsetFit:
    """How many spans cover the text that they should, under either way of counting."""
    points = [text[int(start) : int(end)] == covered for start, end, covered in spans]
    right = sum(points)
    if right == len(spans) or is_basic(text):
        return OffsetFit(len(spans), right, right, right)
    units = _units(text)
    wide = [_covers(units, span) for span in spans]
    return OffsetFit(len(spans), right, sum(wide), sum(a or b for a, b in zip(points, wide, strict=True)))


def ways_told(text: str, spans: Sequence[tuple[Number, Number, str | None]]) -> list[str | None]:
    """For each span of an annotation what its offsets count, ``"points"`` or ``"utf16"``, where its text tells.

    It does not tell where a span says nothing of its text, fits neither way, or fits both.
    """
    if is_basic(text):
        return [None] * len(spans)
    units = _units(text)
    ways: list[str | None] = []
    for start, end, covered in spans:
        points = bool(covered) and text[int(start) : int(end)] == covered
        wide = bool(covered) and _covers(units, (start, end, str(covered)))
        ways.append(None if points == wide else POINTS if points else UTF16)
    return ways


def mostly(ways: Iterable[str | None], otherwise: str = POINTS) -> str:
    """What most offsets count, code points where both are equally frequent."""
    often = Counter(way for way in ways if way is not None)
    return (UTF16 if often[UTF16] > often[POINTS] else POINTS) if often else otherwise


def settled(ways: Sequence[str | None], otherwise: str = POINTS) -> list[str]:
    """What each span of an annotation counts: what its text tells, else what most others of the annotation do.

    Where none of them tells it is ``otherwise``.
    """
    usual = mostly(ways, otherwise)
    return [way or usual for way in ways]


def in_characters(
    records: Sequence[tuple[str, str, Sequence[Span]]], things: str = ""
) -> tuple[list[list[Span]], list[Step]]:
    """The spans of records with all offsets in characters, and what there is to say; no spans where nothing changes.

    A span whose text does not tell how it counts is taken to count as most of its record do, and else as most of all.

    Args:
        records: Of each its place in the file, its text, and its spans with the text that they cover, where it is said.
        things: What these are, if not only spans.
    """
    fits = OffsetFit()
    over = 0
    wide: dict[int, list[str | None]] = {}
    for at, (_, text, spans) in enumerate(records):
        over += beyond(text, (span.end for span in spans)) if any(span.end > len(text) for span in spans) else 0
        # The pieces of a span are not one stretch of the text.
        told = [(span.start, span.end, span.covered if span.whole else None) for span in spans]
        covered = [(start, end, there) for start, end, there in told if there is not None]
        if covered:
            fits = fits.plus(fit(text, covered))
        if spans and not is_basic(text):
            wide[at] = ways_told(text, told)
    usual = mostly(way for ways in wide.values() for way in ways)
    moved = 0
    made: list[list[Span]] = []
    if any(UTF16 in ways for ways in wide.values()):
        made = [list(spans) for *_, spans in records]
        for at, ways in wide.items():
            points = utf16_to_points(records[at][1])
            for n, way in enumerate(settled(ways, usual)):
                if way == UTF16:
                    made[at][n] = _moved(made[at][n], points, records[at][0])
                    moved += 1
    taken = f"offsets of {_counted(moved, things)} in UTF-16 units, as their text shows; made characters"
    wrong = f"{fits.mismatches:,} of {_counted(fits.spans, things)} do not cover the text that they state; kept"
    behind = f"{counted(over, 'span end')} behind the end of the text kept"
    return made, [
        *noted("taken", taken, moved),
        *noted("noticed", wrong, fits.mismatches),
        *noted("noticed", behind, over),
    ]


def _counted(number: int, things: str) -> str:
    return f"{number:,} {things}" if things else counted(number, "span")


def _moved(span: Span, points: Indices, where: str) -> Span:
    start, end = in_points(points, span.start, span.end, where=where)
    pieces = tuple(in_points(points, *piece, where=where) for piece in span.fragments)
    return span._replace(start=start, end=end, fragments=pieces)


def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _covers(units: bytes, span: Covered) -> bool:
    start, end, covered = span
    return units[2 * int(start) : 2 * int(end)] == _units(covered)


# -- offsets as files state them ------------------------------------------------------------------------------


def whole(value: object, where: str, what: str = "an offset") -> int:
    """A whole number from 0 up, as JSON or XML has it."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= LONGEST:
        return int(value)
    if type(value) is not int or not 0 <= value < 10**LONGEST:
        raise expected(where, f"a whole number for {what}", value)
    return value


def finite(value: object, where: str = "", what: str = "the place of a region") -> Number:
    """A finite number as JSON has it, or an error that says of what it should be one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not is_finite(value):
        raise expected(where, f"a number for {what}", value)
    return value


def ends_of(entry: Mapping[str, object], where: str, *, first: Number | None = None) -> tuple[Number, Number]:
    """The ``start`` and ``end`` of a stretch, in whatever it counts; ``first`` is where the earliest one may start."""
    start, end = entry.get("start"), entry.get("end")
    if type(start) is int and type(end) is int and 0 <= start <= end <= FARTHEST:  # as nearly all are
        return start, end
    begins, ends = finite(start, where), finite(end, where)
    if not (-FARTHEST if first is None else first) <= begins <= ends <= FARTHEST:
        if ends < begins:
            raise FormatError(f"{where}: a region starts at {begins} and ends at {ends}, before it starts")
        since = "" if first is None else f" from {first} up"
        raise FormatError(f"{where}: expected places{since} for a region, found {begins} and {ends}")
    return begins, ends


def in_text(text: str, start: int, end: int, where: str) -> tuple[int, int]:
    """Offsets that count characters; an error where they do not lie in their text."""
    if not start <= end <= len(text):
        raise FormatError(
            f"{where}: a span from {start} to {end} does not lie in its text, which has {len(text):,} characters"
        )
    return start, end


def from_utf16(text: str, start: int, end: int, where: str) -> tuple[int, int]:
    """Offsets that count UTF-16 units, as Java and JavaScript do, in characters."""
    if text.isascii():
        return in_text(text, start, end, where)
    return in_points(_points(text), start, end, where=where)


@lru_cache(maxsize=64)
def _points(text: str) -> Indices:
    return utf16_to_points(text)
