"""What a reader takes for one letter: a base with its accents, an emoji with its skin colour, a flag.

Some tools count these instead of code points.  The rules are those of Unicode's annex 29 as far as the categories of
characters tell them: marks and joiners go with what they follow, emoji that are joined or coloured are one, two
regional indicators are a flag, and so are a carriage return with its line feed and the parts of a Korean syllable.
"""

from __future__ import annotations

import unicodedata
from functools import cache

JOINER = "\u200d"
MARKS = frozenset({"Mn", "Me", "Mc"})


def has_graphemes(text: str) -> bool:
    """Whether some letter of a text is of several code points."""
    return "\r\n" in text or (not text.isascii() and any(map(_may_join, set(text))))


def starts_of_graphemes(text: str) -> list[int]:
    """Where each letter of a text starts, in code points, and where the text ends."""
    if not has_graphemes(text):
        return list(range(len(text) + 1))
    starts = [at for at in range(len(text)) if not at or not _goes_on(text, at)]
    kept: list[int] = []
    flags = 0  # regional indicators in a row
    for at in starts:
        flags = flags + 1 if _is_regional(text[at]) else 0
        if flags != 2:
            kept.append(at)
        else:
            flags = 0
    return [*kept, len(text)]


@cache
def _may_join(sign: str) -> bool:
    """Whether a character can be a part of a letter of several."""
    code = ord(sign)
    if sign == JOINER or 0x1100 <= code <= 0x11FF or 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F:
        return True
    return _is_regional(sign) or unicodedata.category(sign) in MARKS


def _goes_on(text: str, at: int) -> bool:
    """Whether a character belongs to the letter before it."""
    before, here = text[at - 1], text[at]
    if before == "\r" or here == "\n":
        return before == "\r" and here == "\n"
    if unicodedata.category(before) in {"Cc", "Zl", "Zp"}:
        return False
    if here == JOINER or unicodedata.category(here) in MARKS or 0x1F3FB <= ord(here) <= 0x1F3FF:
        return True
    if 0xE0020 <= ord(here) <= 0xE007F:  # the letters of a flag of a region
        return True
    if before == JOINER:
        return unicodedata.category(here) == "So"
    return _joins_syllable(ord(before), ord(here))


def _is_regional(sign: str) -> bool:
    return 0x1F1E6 <= ord(sign) <= 0x1F1FF


def _joins_syllable(before: int, here: int) -> bool:
    """Whether the parts of a Korean syllable belong together: consonants, vowels, final consonants."""
    leading, vowel, final = 0x1100 <= before <= 0x115F, 0x1160 <= before <= 0x11A7, 0x11A8 <= before <= 0x11FF
    syllable = 0xAC00 <= before <= 0xD7A3
    closed = syllable and (before - 0xAC00) % 28 > 0
    if leading:
        return 0x1100 <= here <= 0x11A7 or 0xAC00 <= here <= 0xD7A3
    if vowel or (syllable and not closed):
        return 0x1160 <= here <= 0x11FF
    return (final or closed) and 0x11A8 <= here <= 0x11FF
