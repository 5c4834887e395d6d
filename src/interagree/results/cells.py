"""Characters in the cells of a terminal: how wide they are, and which have a shape."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right

from interagree.errors import AS_BEFORE, IN_ORDER, JOINERS, UNSEEN

SHOWN = {"\n": "↵", "\r": "↵", "\t": "→", "\v": "↵", "\f": "↵", "\x85": "↵", "\u2028": "↵", "\u2029": "↵"}
ENDS_LINE = frozenset(SHOWN) - {"\t"}


def cells(sign: str) -> int:
    """How many cells of a terminal a character takes."""
    if sign in SHOWN:
        return 1
    if sign.isascii():
        return 1
    kind = unicodedata.category(sign)
    if kind in {"Mn", "Me", "Cf"} or "\u1160" <= sign <= "\u11ff":  # the latter join the letter before
        return 1 if sign == "\u00ad" else 0
    return 2 if unicodedata.east_asian_width(sign) in {"W", "F"} else 1


def width_of(text: str) -> int:
    return sum(map(cells, text))


def visible(sign: str) -> str:
    """A character that has a shape: one that ends a line, moves the cursor, hides or turns others is replaced."""
    if sign in SHOWN:
        return SHOWN[sign]
    if sign in JOINERS or not UNSEEN.match(sign):
        return sign
    return "-" if sign == "\u00ad" else "·" if cells(sign) else ""


def terminal_line(text: str) -> str:
    """A line of text as a terminal shows it, each character in its own cells."""
    line = "".join(map(visible, text))
    turned = any(unicodedata.bidirectional(sign) in {"R", "AL", "AN"} for sign in line if not sign.isascii())
    return f"{IN_ORDER}{line}{AS_BEFORE}" if turned else line


def plain_label(label: str) -> str:
    """A label without anything that would move the cursor or turn the direction."""
    return terminal_line(label.replace("\n", " "))


def bracket_of(size: int, label: str, *, into: bool, on: bool) -> str:
    """A bracket of so many cells, with its label where there is room."""
    if size == 1:
        return "<" if into else ">" if on else "|"
    inside = size - 2
    word = label if width_of(label) <= inside else ""
    return f"{'<' if into else '['}{word}{'─' * (inside - width_of(word))}{'>' if on else ']'}"


def cut_to(text: str, room: int) -> str:
    """As much of a text as fits into so many cells."""
    if width_of(text) <= room:
        return text
    ends = [0]
    for sign in text:
        ends.append(ends[-1] + cells(sign))
    return text[: max(bisect_right(ends, room - 1) - 1, 0)] + ("…" if room > 0 else "")


def short_name(name: str, most: int) -> str:
    return cut_to("".join(map(visible, name)), most)
