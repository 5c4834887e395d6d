"""Offsets into text: characters as Python counts them, and UTF-16 units as JavaScript and Java do.

A character outside the basic plane, such as most emoji, is one code point and two UTF-16 units, so that offsets of a
tool written in JavaScript lie too far to the right behind it.  Which of the two a file counts is found out by the text
that it says its spans cover.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from interagree.errors import DataError

POINTS, UTF16 = "points", "utf16"
LAST_OF_BASIC_PLANE = "\uffff"

Covered = tuple[int, int, str]  # start, end and the text that a file says is there


class Fit(NamedTuple):
    """How many spans cover the text that they should, counted in code points and in UTF-16 units."""

    spans: int = 0
    points: int = 0
    utf16: int = 0

    def __add__(self, other: tuple[Any, ...]) -> Fit:
        return Fit(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    @property
    def unit(self) -> str | None:
        """What the offsets count: what fits more spans, code points where both do; None where neither fits any."""
        if self.spans and not self.points and not self.utf16:
            return None
        return UTF16 if self.utf16 > self.points else POINTS

    @property
    def mismatches(self) -> int:
        """How many spans do not cover the text that they should."""
        return self.spans - max(self.points, self.utf16)


def is_basic(text: str) -> bool:
    """Whether code points and UTF-16 units are the same in a text."""
    return text.isascii() or max(text) <= LAST_OF_BASIC_PLANE


def utf16_to_points(text: str) -> NDArray[np.intp]:
    """For each UTF-16 offset into a text, its end included, the offset in code points.

    An offset between the two halves of a character stands for the character.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return np.append(np.repeat(np.arange(len(codes)), 1 + (codes > 0xFFFF)), len(codes)).astype(np.intp)


def from_utf16(text: str, offset: int) -> int:
    """An offset in UTF-16 units as one in code points."""
    if is_basic(text) and 0 <= offset <= len(text):
        return offset
    points = utf16_to_points(text)
    if not 0 <= offset < len(points):
        raise DataError(f"there is no offset {offset} in a text of {len(points) - 1} UTF-16 units")
    return int(points[offset])


def fit(text: str, spans: Sequence[Covered]) -> Fit:
    """How many spans cover the text that they should, under either way of counting."""
    points = sum(text[start:end] == covered for start, end, covered in spans)
    if points == len(spans) or is_basic(text):
        return Fit(len(spans), points, points)
    units = text.encode("utf-16-le", "surrogatepass")
    return Fit(
        len(spans),
        points,
        sum(
            units[2 * start : 2 * end] == covered.encode("utf-16-le", "surrogatepass")
            for start, end, covered in spans
        ),
    )


def verified(text: str, spans_with_covered_text: Iterable[Covered]) -> tuple[str | None, int]:
    """What offsets count, ``"points"`` or ``"utf16"``, and how many spans do not cover the text that they should.

    Code points are tried first.  Where some spans fit neither way, the way that fits more of them is taken; None where
    no span fits.  Without spans it is code points.

    Args:
        text: The text.
        spans_with_covered_text: Start, end (not included) and covered text of each span.
    """
    found = fit(text, list(spans_with_covered_text))
    return found.unit, found.mismatches
