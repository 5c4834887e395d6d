"""Offsets into texts, as tools write them, checked against the text that they lie in."""

from __future__ import annotations

from functools import lru_cache

from interagree.arrays import Indices
from interagree.documents.offsets import in_points, utf16_to_points
from interagree.errors import FormatError

LONGEST = 15  # digits of an offset


def whole(value: object, where: str, what: str = "an offset") -> int:
    """A whole number from 0 up, as JSON or XML has it."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= LONGEST:
        return int(value)
    if type(value) is not int or not 0 <= value < 10**LONGEST:
        raise FormatError(f"{where}: expected a whole number for {what}, found {value!r:.60}")
    return value


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
